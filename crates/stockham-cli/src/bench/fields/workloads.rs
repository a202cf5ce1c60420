//! What provers and schemes of encryption transform: the workloads of the suite.

use stockham::algebra::WordField;
use stockham::{Algebra, Error};

use crate::error::Result;

/// What is done with the lines of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Transforms of lines that follow each other.
    Lines,
    /// Of the columns of a matrix that lies row by row.
    Columns,
    /// The columns' low-degree extension, to twice as many points.
    Extension,
    /// Negacyclic transforms with bit-reversed values.
    Negacyclic,
    /// The same in place over a list of so many primes, whose lines are shared out among them.
    Moduli(usize),
    /// The circle FFT.
    Circle,
}

/// A workload.
#[derive(Debug, Clone)]
pub struct Workload {
    /// What it is called in the table.
    pub name: String,
    /// The field, or the fields.
    pub fields: Vec<Algebra>,
    /// Points of a line.
    pub n: usize,
    /// Lines, those of all fields.
    pub lines: usize,
    /// What is done.
    pub work: Work,
}

/// So many primes of so many binary digits, the largest that are 1 modulo 2^18.
fn primes(bits: u32, count: usize) -> Result<Vec<Algebra>> {
    let candidates = (1..).map(|k| (1u64 << bits) + 1 - (k << 18)).take_while(|p| *p > 1 << (bits - 1));
    let field = |p: u64| match p.to_string().parse::<WordField>() {
        // It is no prime.
        Err(Error::Unsupported { .. }) => None,
        field => Some(field.map(Algebra::from)),
    };
    Ok(candidates.filter_map(field).take(count).collect::<std::result::Result<_, _>>()?)
}

/// All of them; shorter and fewer lines if it is to be quick.
pub fn all(is_quick: bool) -> Result<Vec<Workload>> {
    let mut all = Vec::new();
    let mut add = |name: &str, fields: Vec<Algebra>, (log, lines): (u32, usize), work| {
        let (log, lines) = if is_quick { (log - 6, lines.min(16)) } else { (log, lines) };
        let work = if let Work::Moduli(count) = work { Work::Moduli(count.min(lines)) } else { work };
        let fields = if let Work::Moduli(count) = work { fields[..count.min(fields.len())].to_vec() } else { fields };
        all.push(Workload { name: name.into(), fields, n: 1 << log, lines, work });
    };
    for name in ["babybear", "koalabear", "goldilocks"] {
        for size in [(14, 1024), (20, 16), (24, 1)] {
            add(name, vec![name.parse()?], size, Work::Lines);
        }
    }
    add("2^31 - 1, circle", Vec::new(), (20, 64), Work::Circle);
    add("babybear, columns", vec!["babybear".parse()?], (16, 256), Work::Columns);
    add("babybear, columns, extension by 2", vec!["babybear".parse()?], (20, 256), Work::Extension);
    for bits in [60, 30] {
        let fields = primes(bits, 64)?;
        let one = || vec![fields[0]];
        for size in [(14, 1024), (16, 256), (16, 64)] {
            add(&format!("{bits} bits, negacyclic"), one(), size, Work::Negacyclic);
        }
        add(&format!("{bits} bits, negacyclic, 1 modulus as data"), one(), (16, 64), Work::Moduli(1));
        add(&format!("{bits} bits, negacyclic, 64 moduli"), fields, (16, 64), Work::Moduli(64));
    }
    add("bls12-381", vec!["bls12-381".parse()?], (20, 1), Work::Lines);
    add("bn254", vec!["bn254".parse()?], (16, 256), Work::Lines);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_roots_of_their_workloads() {
        for is_quick in [false, true] {
            for Workload { name, fields, n, lines, work } in all(is_quick).unwrap() {
                let order = if matches!(work, Work::Lines | Work::Columns) { n } else { 2 * n };
                for field in &fields {
                    field.check_length(order).unwrap_or_else(|error| panic!("{name}: {error}"));
                }
                match work {
                    Work::Circle => assert!(fields.is_empty()),
                    Work::Moduli(count) => assert_eq!((fields.len(), lines % count), (count, 0), "{name}"),
                    _ => assert_eq!(fields.len(), 1, "{name}"),
                }
            }
        }
    }

    #[test]
    fn primes_are_distinct_and_of_their_length() {
        for bits in [30, 60] {
            let primes = primes(bits, 64).unwrap();
            assert!(primes.len() == 64 && (1..64).all(|i| !primes[..i].contains(&primes[i])));
            assert!(primes.iter().all(|p| matches!(p, Algebra::WordField(field) if field.bits() == bits)));
        }
    }
}
