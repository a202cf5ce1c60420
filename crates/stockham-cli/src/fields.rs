//! `stockham fields`: the fields that have names.

use std::io::Write;

use stockham::BigPrime;
use stockham::algebra::PrimeField;

use crate::error::Result;
use crate::table::{Align, Table};

/// List the fields of `stockham ntt` that have names: ℤ/p with p = r^k + 1, and others
#[derive(clap::Args)]
pub struct Args {}

/// Prints the list.
pub fn run(_: &Args, out: &mut dyn Write) -> Result<()> {
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
    writeln!(out, "goldilocks is p = 2^64 - 2^32 + 1, one uint64 an element.")?;
    writeln!(out, "\nPrime fields of any form, one or more uint64 words an element:\n")?;
    let mut table = Table::new(&[
        ("field", Align::Left),
        ("bits of p", Align::Right),
        ("words", Align::Right),
        ("2^m | p - 1", Align::Right),
    ]);
    for field in PrimeField::named() {
        let (bits, words) = (field.bits().to_string(), field.words().to_string());
        table.row([field.name().to_owned(), bits, words, format!("2^{}", field.two_adicity())]);
    }
    table.print(out)?;
    writeln!(out, "\nOther odd primes of up to 2047 bits are named by themselves, as in --field 998244353.")?;
    writeln!(out, "P3/residues is the field of P3 in this form, which makes no use of its prime's.")?;
    Ok(())
}
