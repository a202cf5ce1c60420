//! `stockham fields`: the big prime fields that have names.

use std::io::Write;

use stockham::BigPrime;

use crate::error::Result;
use crate::table::{Align, Table};

/// List the fields of `stockham ntt` that have names: ℤ/p with p = r^k + 1
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
    Ok(())
}
