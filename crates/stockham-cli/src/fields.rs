//! `stockham fields`: the fields that have names.

use std::io::Write;

use serde::Serialize;
use stockham::algebra::{PrimeField, Ring, Root, RootPreset};
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
    /// The words of an element.
    element: String,
    two_adicity: u32,
    /// What roots of unity are made of.
    generator: Option<u64>,
    /// The logarithm of the longest transform of a power of two, …
    max_log_len: u32,
    /// … and the root of that order, in decimal. Those of big primes take long to compute.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// The roots of that order that can be asked for by name, the first of which is its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    roots: Vec<NamedRoot>,
}

/// A root of unity of the whole order that other libraries have.
#[derive(Serialize)]
struct NamedRoot {
    name: &'static str,
    /// In decimal.
    root: String,
    libraries: &'static str,
}

impl Field {
    fn of_big_prime(name: &'static str, prime: BigPrime) -> Self {
        Self {
            name,
            radix: Some((prime.radix(), prime.digits())),
            bits: prime.bits(),
            element: format!("{} uint{}", prime.digits(), 8 * prime.digit_bytes()),
            two_adicity: prime.two_adicity(),
            generator: Some(prime.field().nonresidue()),
            max_log_len: prime.max_log_len(),
            root: None,
            roots: Vec::new(),
        }
    }

    fn of_prime(field: PrimeField) -> Self {
        let log = field.max_log_len();
        let element = match (Algebra::of_prime(field), field.words()) {
            (Algebra::WordField(field), _) => format!("uint{}", 8 * field.bytes()),
            (_, words) => format!("{words} uint64"),
        };
        let own = field.to_decimal(&field.root(Root::new(1, 1 << log)));
        let of_preset = |RootPreset { name, root, libraries }| {
            let root = field.parse(root).map_or_else(|_| root.to_owned(), |words| field.to_decimal(&words));
            NamedRoot { name, root, libraries }
        };
        let mut roots: Vec<NamedRoot> = field.root_presets().map(of_preset).collect();
        // Its own one first.
        roots.sort_by_key(|preset| preset.root != own);
        Self {
            name: field.name(),
            radix: None,
            bits: field.bits(),
            element,
            two_adicity: field.two_adicity(),
            generator: field.generator(),
            max_log_len: log,
            root: Some(own),
            roots,
        }
    }

    fn goldilocks() -> Self {
        let root = Goldilocks::reduce(1).mul_root(Root::new(1, 1 << 32)).value().to_string();
        Self {
            name: Algebra::Goldilocks.name(),
            radix: None,
            bits: 64,
            element: "uint64".into(),
            two_adicity: 32,
            generator: Some(7),
            max_log_len: 32,
            root: Some(root),
            roots: Goldilocks::ROOTS
                .map(|RootPreset { name, root, libraries }| NamedRoot {
                    name,
                    root: u64::from_str_radix(&root[2..], 16).map_or_else(|_| root.to_owned(), |root| root.to_string()),
                    libraries,
                })
                .into(),
        }
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
    writeln!(out, "\nOther fields, with their roots of unity:\n")?;
    let mut table = Table::new(&[
        ("field", Align::Left),
        ("bits of p", Align::Right),
        ("element", Align::Left),
        ("2^m | p - 1", Align::Right),
        ("g", Align::Right),
        ("--root", Align::Left),
        ("root of order 2^m", Align::Left),
        ("that of", Align::Left),
    ]);
    for field in others() {
        for (i, root) in field.roots.iter().enumerate() {
            let [g, bits] = [field.generator.map_or(String::new(), |g| g.to_string()), field.bits.to_string()];
            let of_field = [field.name.to_owned(), bits, field.element.clone(), format!("2^{}", field.two_adicity), g];
            // A line for each root, of which the first is that of transforms where none is named.
            let of_field = if i == 0 { of_field } else { Default::default() };
            table.row(of_field.into_iter().chain([root.name, &root.root, root.libraries].map(str::to_owned)));
        }
    }
    table.print(out)?;
    writeln!(
        out,
        "\nOther odd primes of up to 2047 bits are named by themselves, as in --field 998244353. Elements are"
    )?;
    writeln!(
        out,
        "uint32 below 2^31, uint64 below 2^63, and else of uint64 words. P3/residues is the field of P3 in this form, which makes no"
    )?;
    writeln!(out, "use of its prime's.")?;
    writeln!(
        out,
        "The root of order n is w = g^((p - 1)/n), and a transform X[k] = sum x[j] w^(jk); g is the generator that"
    )?;
    writeln!(
        out,
        "other libraries have for fields with names, and the smallest quadratic non-residue of others. With --root,"
    )?;
    writeln!(out, "or a field as babybear@risc0, w is the power of another root of order 2^m.")?;
    let big = BigPrime::NAMED.into_iter().map(|(name, prime)| Field::of_big_prime(name, prime));
    let json = args.record.file();
    if args.record.json.is_some() {
        json.finish(&big.chain(others()).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Those that are no big primes.
fn others() -> impl Iterator<Item = Field> {
    [Field::goldilocks()].into_iter().chain(PrimeField::named().map(Field::of_prime))
}
