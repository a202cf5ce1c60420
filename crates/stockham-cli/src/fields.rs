//! `stockham fields`: the fields that have names.

use std::io::Write;

use serde::Serialize;
use stockham::algebra::{PrimeField, Ring, Root};
use stockham::{Algebra, BigPrime, Goldilocks};

use crate::error::Result;
use crate::output::{Files, RecordArgs};
use crate::table::{Align, Table};

/// List the fields of `stockham ntt` that have names, and the roots of unity of their transforms: ℤ/p with p = r^k + 1,
/// and others
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    record: RecordArgs,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().record(&self.record.json)
    }
}

/// A field in the list.
#[derive(Serialize)]
struct Field {
    name: &'static str,
    /// Radix and exponent of a big prime.
    #[serde(skip_serializing_if = "Option::is_none")]
    radix: Option<(u64, usize)>,
    bits: u32,
    two_adicity: u32,
    /// What roots of unity are made of.
    generator: Option<u64>,
    /// The logarithm of the longest transform of a power of two, …
    max_log_len: u32,
    /// … and the root of that order, in decimal. Those of big primes take long to compute.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
}

impl Field {
    fn of_big_prime(name: &'static str, prime: BigPrime) -> Self {
        Self {
            name,
            radix: Some((prime.radix(), prime.digits())),
            bits: prime.bits(),
            two_adicity: prime.two_adicity(),
            generator: Some(prime.field().nonresidue()),
            max_log_len: prime.max_log_len(),
            root: None,
        }
    }

    fn of_prime(field: PrimeField) -> Self {
        let log = field.max_log_len();
        Self {
            name: field.name(),
            radix: None,
            bits: field.bits(),
            two_adicity: field.two_adicity(),
            generator: field.generator(),
            max_log_len: log,
            root: Some(field.to_decimal(&field.root(Root::new(1, 1 << log)))),
        }
    }

    fn goldilocks() -> Self {
        let root = Goldilocks::reduce(1).mul_root(Root::new(1, 1 << 32));
        let (name, radix, generator, root) =
            (Algebra::Goldilocks.name(), None, Some(7), Some(root.value().to_string()));
        Self { name, radix, bits: 64, two_adicity: 32, generator, max_log_len: 32, root }
    }
}

/// Prints the list.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let mut table = Table::new(&[
        ("field", Align::Left),
        ("r", Align::Left),
        ("k", Align::Right),
        ("bits of p", Align::Right),
        ("K = 2k", Align::Right),
        ("2^m | p - 1", Align::Right),
        ("digits", Align::Left),
    ]);
    for (name, prime) in BigPrime::NAMED {
        table.row([
            name.to_owned(),
            prime.radix_text(),
            prime.digits().to_string(),
            prime.bits().to_string(),
            prime.base_order().to_string(),
            format!("2^{}", prime.two_adicity()),
            format!("uint{}", 8 * prime.digit_bytes()),
        ]);
    }
    table.print(out)?;
    writeln!(out, "\nTransforms of up to K points take no products but rotations of the digits.")?;
    writeln!(out, "Other primes are named by radix and exponent, as in --field 2^59+2^57+2^39,8.")?;
    writeln!(
        out,
        "Their root of order 2k is r; g^((p - 1)/2^m) to the odd power that makes it so is that of order 2^m,"
    )?;
    writeln!(out, "with the smallest quadratic non-residue g.")?;
    writeln!(out, "goldilocks is p = 2^64 - 2^32 + 1, one uint64 an element; g = 7.")?;
    writeln!(out, "\nPrime fields of any form, one or more uint64 words an element:\n")?;
    let mut table = Table::new(&[
        ("field", Align::Left),
        ("bits of p", Align::Right),
        ("words", Align::Right),
        ("2^m | p - 1", Align::Right),
        ("g", Align::Right),
        ("root of order 2^m", Align::Left),
    ]);
    for field in PrimeField::named() {
        let (bits, words) = (field.bits().to_string(), field.words().to_string());
        let g = field.generator().map_or(String::new(), |g| g.to_string());
        let root = Field::of_prime(field).root.unwrap_or_default();
        table.row([field.name().to_owned(), bits, words, format!("2^{}", field.two_adicity()), g, root]);
    }
    table.print(out)?;
    writeln!(out, "\nOther odd primes of up to 2047 bits are named by themselves, as in --field 998244353.")?;
    writeln!(out, "P3/residues is the field of P3 in this form, which makes no use of its prime's.")?;
    writeln!(
        out,
        "The root of order n is w = g^((p - 1)/n), and a transform X[k] = sum x[j] w^(jk); g is the generator that"
    )?;
    writeln!(out, "other libraries have for fields with names, and the smallest quadratic non-residue of others.")?;
    let fields = [Field::goldilocks()].into_iter();
    let fields = fields.chain(BigPrime::NAMED.into_iter().map(|(name, prime)| Field::of_big_prime(name, prime)));
    let json = args.record.file();
    if args.record.json.is_some() {
        json.finish(&fields.chain(PrimeField::named().map(Field::of_prime)).collect::<Vec<_>>())?;
    }
    Ok(())
}
