#![doc = include_str!("../README.md")]

pub mod accuracy;
pub mod algebra;
pub mod autosort;
mod brief;
mod builder;
pub mod circle;
pub mod codelet;
mod convolution;

mod device;
mod device_info;
mod distinct;
mod error;
pub mod extension;
#[doc(hidden)]
pub mod host_memory;
mod host_runner;
pub mod integer;
pub mod kernel;
pub mod moduli;
pub mod naive;
#[cfg(feature = "ndarray")]
pub mod ndarray;
mod parallel;
pub mod plan;
pub mod polynomial;
mod regular_file;
#[doc(hidden)]
pub mod repetition;
pub mod residues;
pub mod signal;
mod simple;
pub mod threads;
#[doc(hidden)]
pub mod timing;
mod transform;
pub mod tuning;
mod whole_file;
mod workers;

pub use algebra::{
    Algebra, BigPrime, ComplexElement, Data, Digit, Direction, Element, Goldilocks, Layout, Real, Scale,
};
pub use builder::{Fft, Ntt, TransformBuilder};
pub use device::{
    Backend, Buffer, DEVICE_VARIABLE, Device, DeviceInfo, Discovery, Event, Executable, KernelReport, Missing, Runner,
    Slice, SliceMut, Stream, WISDOM_VARIABLE, cache, interop,
};
pub use error::{Error, Result};
pub use host_runner::HostRunner;
pub use num_complex::{Complex, Complex32, Complex64};
pub use simple::{
    dct, dctn, dst, dstn, fft, fft2, fftn, idct, idctn, idst, idstn, ifft, ifft2, ifftn, intt, irfft, irfft2, irfftn,
    ntt, rfft, rfft2, rfftn,
};
pub use transform::{Access, Dim, Domain, Expr, Format, Kind, Lengths, Normalization, Placement, Transform, TrigType};
