//! Arguments that several subcommands share.

use clap::ValueEnum;
use stockham::algebra::PrimeField;
use stockham::{Algebra, BigPrime, Device, Error as Library, Kind, Layout, Normalization, Transform, TrigType};

use crate::error::Result;
use crate::size;

/// `--device`.
#[derive(clap::Args)]
pub struct DeviceArg {
    /// The device: cpu, opencl:0, cuda:0 … (`stockham devices` lists them). Without it: $STOCKHAM_DEVICE, or the
    /// fastest kind found
    #[arg(long, value_name = "D")]
    device: Option<String>,
}

impl DeviceArg {
    /// The device asked for.
    pub fn open(&self) -> Result<Device> {
        Ok(match &self.device {
            Some(name) => Device::by_name(name)?,
            None => Device::best()?,
        })
    }
}

/// What ran where.
pub fn done(one: &Transform, count: usize, device: &Device) -> String {
    let (transforms, info) =
        (if count.saturating_mul(one.batch_count()) == 1 { "transform" } else { "transforms" }, device.info());
    let lengths: Vec<String> = one.dims.iter().map(|dim| size::power(dim.n)).collect();
    let (n, algebra) = (lengths.join(" × "), one.algebra.given());
    let count = count.saturating_mul(one.batch_count());
    format!("{count} {algebra} {transforms} of {n} points on {} ({})", info.id, info.name)
}

/// The field that `--field` names: goldilocks, a big prime, or a prime field of any form.
pub fn parse_field(text: &str) -> std::result::Result<Algebra, Library> {
    if text.eq_ignore_ascii_case(Algebra::Goldilocks.name()) {
        return Ok(Algebra::Goldilocks);
    }
    match text.parse() {
        // Complex numbers are no field to choose.
        Ok(Algebra::ComplexF32 | Algebra::ComplexF64) => Err(no_field(text)),
        // A radix and an exponent that make no prime have words of their own.
        Err(Library::Syntax { .. }) if !text.contains(',') => Err(no_field(text)),
        field => field,
    }
}

fn no_field(text: &str) -> Library {
    let big = BigPrime::NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let others = PrimeField::named().map(|field| field.name()).collect::<Vec<_>>().join(", ");
    let expected = format!(
        "goldilocks; {others}; {big}, or one of these with /residues; r,k as 2^59+2^57+2^39,8 for r^k + 1; or any odd \
         prime of up to 2047 bits as 998244353 or 0x3b800001"
    );
    Library::Syntax { what: "a field", found: text.into(), expected }
}

/// `--precision`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Precision {
    /// Complex numbers of two f32.
    F32,
    /// Complex numbers of two f64.
    F64,
}

impl Precision {
    /// The complex numbers of that precision.
    pub fn algebra(self) -> Algebra {
        match self {
            Self::F32 => Algebra::ComplexF32,
            Self::F64 => Algebra::ComplexF64,
        }
    }
}

/// `--precision` or `--field`.
#[derive(clap::Args)]
pub struct AlgebraArgs {
    /// Precision of the complex numbers
    #[arg(long, value_name = "P", default_value = "f32", conflicts_with = "field")]
    precision: Precision,
    /// Transform over a finite field instead: goldilocks, or another that `stockham fields` tells of
    #[arg(long, value_name = "FIELD", value_parser = parse_field)]
    field: Option<Algebra>,
}

impl AlgebraArgs {
    /// The algebra asked for.
    pub fn algebra(&self) -> Algebra {
        self.field.unwrap_or(self.precision.algebra())
    }
}

/// `--real`, `--dct` or `--dst`.
#[derive(clap::Args)]
pub struct KindArgs {
    /// Of real numbers: of the last axis the first n/2 + 1 points go out, or come in with --inverse
    #[arg(long, conflicts_with = "field")]
    pub real: bool,
    /// The discrete cosine transform of this type, 1 to 4
    #[arg(long, value_name = "K", value_parser = parse_type, conflicts_with_all = ["real", "field", "dst"])]
    dct: Option<TrigType>,
    /// The discrete sine transform of this type, 1 to 4
    #[arg(long, value_name = "K", value_parser = parse_type, conflicts_with_all = ["real", "field"])]
    dst: Option<TrigType>,
}

impl KindArgs {
    /// The kind asked for.
    pub fn kind(&self) -> Kind {
        match (self.dct, self.dst) {
            (Some(of), _) => Kind::Cosine(of),
            (None, Some(of)) => Kind::Sine(of),
            _ if self.real => Kind::Real,
            _ => Kind::Dft,
        }
    }

    /// Whether it is of cosines or sines.
    pub fn is_trig(&self) -> bool {
        self.dct.or(self.dst).is_some()
    }
}

fn parse_type(text: &str) -> std::result::Result<TrigType, String> {
    match text {
        "1" | "I" => Ok(TrigType::I),
        "2" | "II" => Ok(TrigType::II),
        "3" | "III" => Ok(TrigType::III),
        "4" | "IV" => Ok(TrigType::IV),
        _ => Err("the types are 1, 2, 3 and 4".into()),
    }
}

/// `--layout`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LayoutArg {
    /// The digits of an element together: [..., N, k].
    Plain,
    /// Each digit of all elements together: [k, ..., N].
    Sliced,
}

impl From<LayoutArg> for Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Plain => Self::Plain,
            LayoutArg::Sliced => Self::Sliced,
        }
    }
}

/// `--norm`, in SciPy's words.
#[derive(Clone, Copy, ValueEnum)]
pub enum Norm {
    /// The inverse is scaled by 1/n.
    Backward,
    /// Both directions are scaled by 1/√n.
    Ortho,
    /// The forward transform is scaled by 1/n.
    Forward,
    /// Neither is scaled.
    None,
}

impl From<Norm> for Normalization {
    fn from(norm: Norm) -> Self {
        match norm {
            Norm::Backward => Self::Backward,
            Norm::Ortho => Self::Ortho,
            Norm::Forward => Self::Forward,
            Norm::None => Self::None,
        }
    }
}
