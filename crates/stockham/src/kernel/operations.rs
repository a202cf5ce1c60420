//! How often a recipe's kernels compute with elements of digits.

use std::iter::Sum;
use std::ops::{Add, Mul, Range};

use crate::algebra::Algebra;
use crate::plan::Recipe;

use super::ir::{Kernel, Op, Stmt};
use super::lower;

/// Calls of primitive functions over elements of digits, by all threads together: those beyond the last column of a pass,
/// which compute like the others, among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations {
    /// General products: of data with a root from a table or with a constant.
    pub products: u64,
    /// Sums and differences.
    pub sums: u64,
    /// Sums a + b·ρ^s with a rotation in them, ρ being the free root and s no half or whole turn.
    pub turned_sums: u64,
    /// Rotations x·ρ^s on their own, mostly by an s that a thread computes, which may be 0.
    pub rotations: u64,
}

impl Add for Operations {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            products: self.products + other.products,
            sums: self.sums + other.sums,
            turned_sums: self.turned_sums + other.turned_sums,
            rotations: self.rotations + other.rotations,
        }
    }
}

impl Mul<u64> for Operations {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        let Self { products, sums, turned_sums, rotations } = self;
        Self {
            products: products * times,
            sums: sums * times,
            turned_sums: turned_sums * times,
            rotations: rotations * times,
        }
    }
}

impl Sum for Operations {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::add)
    }
}

/// What the kernels of a recipe do in one run, if its elements have digits; nothing for the host's recipes and for other
/// algebras.
pub fn operations(recipe: &Recipe) -> Operations {
    let algebra = recipe.transform.algebra;
    if !algebra.has_digits() {
        return Operations::default();
    }
    let of_launch = |launch: Range<usize>| {
        let pass = &recipe.passes()[launch.start];
        of_thread(&lower::kernel(recipe, launch.clone()), algebra) * (pass.group() * pass.groups()) as u64
    };
    recipe.launches().into_iter().map(of_launch).sum()
}

/// What one thread does. No loop stands in another.
fn of_thread(kernel: &Kernel, algebra: Algebra) -> Operations {
    let (mut all, mut rounds) = (Operations::default(), 1);
    for stmt in &kernel.body {
        match stmt {
            Stmt::Rows { rows, .. } => rounds = rows.len() as u64,
            Stmt::Repeat { times, .. } => {
                rounds = match kernel.values[times.0 as usize].1 {
                    Op::Const(count) => count,
                    _ => unreachable!("a recipe's loops have so many rounds as it says"),
                }
            }
            Stmt::EndRows { .. } | Stmt::EndRepeat { .. } => rounds = 1,
            Stmt::Let(id) => all = all + of_operation(kernel, &kernel.values[id.0 as usize].1, algebra) * rounds,
            _ => {}
        }
    }
    all
}

fn of_operation(kernel: &Kernel, op: &Op, algebra: Algebra) -> Operations {
    let mut one = Operations::default();
    match op {
        _ if op.is_product() => one.products = 1,
        Op::Call("bp_rotate", _) => one.rotations = 1,
        Op::Call("bp_sum_", operands) => {
            let half = algebra.free_order() / 2;
            let is_plain = kernel.family_number(operands).is_some_and(|turn| turn % half == 0);
            if is_plain { one.sums = 1 } else { one.turned_sums = 1 }
        }
        _ => {}
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::interpret::evaluate;
    use crate::kernel::ir::{Id, Type};
    use crate::kernel::tests::device;
    use crate::plan::plan;
    use crate::{BigPrime, Transform};

    /// An integer that a thread computes, in a round of the loop around it.
    fn integer(kernel: &Kernel, id: Id, thread: usize, round: u64) -> u64 {
        let (ty, op) = &kernel.values[id.0 as usize];
        match op {
            Op::Const(bits) => *bits,
            // Of a single group: all its columns are there.
            Op::Argument(_) => u64::MAX,
            Op::Loaded => round,
            _ => evaluate(*ty, Type::U32, op, &|id| integer(kernel, *id, thread, round), (thread, 0)),
        }
    }

    /// The rotations of a whole work-group that are not by r^0. Those within codelets are part of a sum and of a difference.
    fn true_rotations(kernel: &Kernel, algebra: Algebra) -> u64 {
        let (mut rounds, mut found) = (1, of_thread(kernel, algebra).turned_sums * kernel.group as u64 / 2);
        for stmt in &kernel.body {
            match stmt {
                Stmt::Rows { rows, .. } => rounds = rows.len() as u64,
                Stmt::EndRows { .. } => rounds = 1,
                Stmt::Let(id) => {
                    let Op::Call("bp_rotate", operands) = &kernel.values[id.0 as usize].1 else { continue };
                    let by = |thread, round| integer(kernel, operands[1], thread, round) != 0;
                    let of_thread = |thread| (0..rounds).filter(|&round| by(thread, round)).count() as u64;
                    found += (0..kernel.group).map(of_thread).sum::<u64>();
                }
                _ => {}
            }
        }
        found
    }

    #[test]
    fn base_cases_have_the_fewest_rotations() {
        let cases = [(BigPrime::P1, 4, 1), (BigPrime::P2, 8, 5), (BigPrime::P3, 16, 17), (BigPrime::P4, 32, 49)];
        for (prime, n, rotations) in cases {
            let algebra = Algebra::BigPrime(prime);
            let recipe = plan(&Transform::new(algebra, n).batch(1 << 12), &device(227 << 10, 1024, 32)).unwrap();
            let [pass] = recipe.passes() else { panic!("one pass for {prime}") };
            let kernel = lower::kernel(&recipe, 0..1);
            assert_eq!(true_rotations(&kernel, algebra), rotations * pass.tile.columns as u64, "{prime}");
            assert_eq!(operations(&recipe).products, 0, "{prime}");
        }
    }

    #[test]
    fn products_are_as_few_as_promised() {
        for (prime, base, most) in [(BigPrime::P3, 4, 5), (BigPrime::P4, 5, 4)] {
            for e in 1..=most {
                let n = 1u64 << (base * e);
                let transform = Transform::new(Algebra::BigPrime(prime), n as usize);
                let recipe = plan(&transform, &device(227 << 10, 1024, 32)).unwrap();
                let counts = operations(&recipe);
                assert!(counts.products <= (e - 1) * n, "{prime}, {n} points: {counts:?}");
                // A sum and a difference for every factor 2 of the length.
                assert_eq!(counts.sums + counts.turned_sums, n * base * e, "{prime}, {n} points");
            }
        }
    }
}
