#![doc = include_str!("../README.md")]

pub mod accuracy;
pub mod algebra;
pub mod autosort;
pub mod codelet;
mod device;
mod device_info;
mod error;
pub mod kernel;
pub mod naive;
pub mod plan;
mod simple;
mod transform;

pub use algebra::{Algebra, Direction, Element, Goldilocks, Scale};
pub use device::{
    Backend, Buffer, DEVICE_VARIABLE, Device, DeviceInfo, Discovery, Event, Executable, KernelReport, Missing, Runner,
    Slice, SliceMut, Stream, cache, interop,
};
pub use error::{Error, Result};
pub use num_complex::{Complex, Complex32, Complex64};
pub use simple::{fft, ifft};
pub use transform::{Dim, Normalization, Placement, Transform};
