#![doc = include_str!("../README.md")]

pub mod accuracy;
pub mod algebra;
pub mod autosort;
pub mod codelet;
mod convolution;
mod device;
mod device_info;
mod distinct;
mod error;
pub mod extension;
pub mod host_memory;
pub mod integer;
pub mod kernel;
pub mod naive;
mod parallel;
pub mod plan;
pub mod polynomial;
mod regular_file;
pub mod repetition;
pub mod residues;
mod simple;
pub mod threads;
pub mod timing;
mod transform;
pub mod tuning;
mod whole_file;

pub use algebra::{
    Algebra, BigPrime, ComplexElement, Data, Digit, Direction, Element, Goldilocks, Layout, Real, Scale,
};
pub use device::{
    Backend, Buffer, DEVICE_VARIABLE, Device, DeviceInfo, Discovery, Event, Executable, KernelReport, Missing, Runner,
    Slice, SliceMut, Stream, WISDOM_VARIABLE, cache, interop,
};
pub use error::{Error, Result};
pub use num_complex::{Complex, Complex32, Complex64};
pub use simple::{dctn, dstn, fft, fftn, idctn, idstn, ifft, ifftn, intt, irfftn, ntt, rfftn};
pub use transform::{Dim, Domain, Kind, Lengths, Normalization, Placement, Transform, TrigType};
