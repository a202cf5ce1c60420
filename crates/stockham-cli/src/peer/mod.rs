//! The libraries that transforms are compared with: cuFFT on NVIDIA's devices, rustfft on the host.

mod cufft;
mod host;

use std::ops::Range;

use stockham::{Algebra, Backend, Buffer, Data, Device, Stream, Transform};

use crate::error::Result;

/// Transforms over device memory, ready to be compared: forward, or of half spectra to real numbers.
pub struct Work<'a, T> {
    /// The stream they run on.
    pub stream: &'a Stream,
    /// What is computed: transforms one after the other, without gaps.
    pub transform: &'a Transform,
    /// The input on the host.
    pub host: &'a [T],
    /// The input on the device.
    pub input: &'a Buffer<T>,
    /// Where the result goes. Input and output are as long as the longer side.
    pub output: &'a mut Buffer<T>,
}

/// A transform of a peer, made ready.
pub trait Transformer<T> {
    /// Submits it to the stream.
    fn submit(&mut self) -> Result<()>;
    /// Some values of the result, after the stream has been waited for.
    fn outputs(&self, range: Range<usize>) -> Result<Vec<T>>;
}

/// A library to compare with.
pub enum Peer {
    /// NVIDIA's.
    Cufft(cufft::Library),
    /// rustfft, with the batch spread over the host's cores.
    Rustfft,
}

impl Peer {
    /// The peer for a device and an algebra; or the reason why there is none.
    pub fn find(device: &Device, algebra: Algebra) -> std::result::Result<Self, String> {
        if algebra.unit_roundoff().is_none() {
            return Err(format!("no peer computes {} transforms", algebra.given()));
        }
        match device.info().backend {
            Backend::Cpu => Ok(Self::Rustfft),
            Backend::Cuda => cufft::Library::load().map(Self::Cufft),
            Backend::Opencl => Err("there is no peer for OpenCL devices".into()),
            other => Err(format!("there is no peer for {other:?} devices")),
        }
    }

    /// Its name.
    pub fn name(&self) -> String {
        match self {
            Self::Cufft(library) => library.name(),
            Self::Rustfft => "rustfft".into(),
        }
    }

    /// Its transforms of a piece of work.
    pub fn prepare<'a, T: Data>(&'a self, work: Work<'a, T>) -> Result<Box<dyn Transformer<T> + 'a>> {
        match self {
            Self::Cufft(library) => library.prepare(work),
            Self::Rustfft => host::prepare(work),
        }
    }
}
