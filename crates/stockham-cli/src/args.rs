//! Arguments that several subcommands share.

use clap::ValueEnum;
use stockham::{Algebra, Device, Normalization};

use crate::error::Result;

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

/// `--field`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Field {
    /// ℤ/p with p = 2^64 - 2^32 + 1.
    Goldilocks,
}

/// `--precision`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Precision {
    /// Complex numbers of two f32.
    F32,
    /// Complex numbers of two f64.
    F64,
}

/// `--precision` or `--field`.
#[derive(clap::Args)]
pub struct AlgebraArgs {
    /// Precision of the complex numbers
    #[arg(long, value_name = "P", default_value = "f32", conflicts_with = "field")]
    precision: Precision,
    /// Transform over a finite field instead
    #[arg(long, value_name = "FIELD")]
    field: Option<Field>,
}

impl AlgebraArgs {
    /// The algebra asked for.
    pub fn algebra(&self) -> Algebra {
        match (self.field, self.precision) {
            (Some(Field::Goldilocks), _) => Algebra::Goldilocks,
            (None, Precision::F32) => Algebra::ComplexF32,
            (None, Precision::F64) => Algebra::ComplexF64,
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
