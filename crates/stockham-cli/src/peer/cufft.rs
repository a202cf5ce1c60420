//! cuFFT, found at run time, on the buffers and the stream of a CUDA device.

#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;

use libloading::Library as Dynamic;
use stockham::interop::cuda;
use stockham::{Algebra, Data, Direction, Kind};

use crate::error::{Error, Result};

use super::{Transformer, Work};

/// The names of the library, newest first, as the loader finds them.
const NAMES: [&str; 4] = ["libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so"];

/// `cufftHandle`.
type Handle = c_int;
/// `cufftResult`: 0 is success.
type Status = c_int;

const FORWARD: c_int = -1;
const R2C: c_int = 0x2a;
const C2R: c_int = 0x2c;
const C2C: c_int = 0x29;
const D2Z: c_int = 0x6a;
const Z2D: c_int = 0x6c;
const Z2Z: c_int = 0x69;

/// The loaded library and those of its functions that are used.
pub struct Library {
    version: c_int,
    plan_many: PlanMany,
    set_stream: unsafe extern "C" fn(Handle, *mut c_void) -> Status,
    exec_c2c: Directed,
    exec_z2z: Directed,
    exec_r2c: OneWay,
    exec_d2z: OneWay,
    exec_c2r: OneWay,
    exec_z2d: OneWay,
    destroy: unsafe extern "C" fn(Handle) -> Status,
    /// Keeps the functions above loaded.
    _dynamic: Dynamic,
}

type Directed = unsafe extern "C" fn(Handle, *mut c_void, *mut c_void, c_int) -> Status;
type OneWay = unsafe extern "C" fn(Handle, *mut c_void, *mut c_void) -> Status;
type PlanMany = unsafe extern "C" fn(
    *mut Handle,
    c_int,
    *mut c_int,
    *mut c_int,
    c_int,
    c_int,
    *mut c_int,
    c_int,
    c_int,
    c_int,
    c_int,
) -> Status;

impl Library {
    /// Loads the library; or says why not.
    pub fn load() -> std::result::Result<Self, String> {
        // SAFETY: cuFFT's initialisers may run in any process; it is NVIDIA's library under NVIDIA's name.
        let found = NAMES.iter().find_map(|name| unsafe { Dynamic::new(*name) }.ok());
        let dynamic = found.ok_or("cuFFT (libcufft) was not found; LD_LIBRARY_PATH may name its folder")?;
        let missing = |error: libloading::Error| format!("cuFFT lacks a function: {error}");
        // SAFETY: the types are those of cufft.h, unchanged through all versions named above.
        unsafe {
            let get_version: unsafe extern "C" fn(*mut c_int) -> Status =
                *dynamic.get(b"cufftGetVersion\0").map_err(missing)?;
            let mut version = 0;
            get_version(&mut version);
            Ok(Self {
                version,
                plan_many: *dynamic.get(b"cufftPlanMany\0").map_err(missing)?,
                set_stream: *dynamic.get(b"cufftSetStream\0").map_err(missing)?,
                exec_c2c: *dynamic.get(b"cufftExecC2C\0").map_err(missing)?,
                exec_z2z: *dynamic.get(b"cufftExecZ2Z\0").map_err(missing)?,
                exec_r2c: *dynamic.get(b"cufftExecR2C\0").map_err(missing)?,
                exec_d2z: *dynamic.get(b"cufftExecD2Z\0").map_err(missing)?,
                exec_c2r: *dynamic.get(b"cufftExecC2R\0").map_err(missing)?,
                exec_z2d: *dynamic.get(b"cufftExecZ2D\0").map_err(missing)?,
                destroy: *dynamic.get(b"cufftDestroy\0").map_err(missing)?,
                _dynamic: dynamic,
            })
        }
    }

    /// Its name and version.
    pub fn name(&self) -> String {
        let version = self.version;
        format!("cuFFT {}.{}.{}", version / 1000, version / 100 % 10, version % 100)
    }

    /// Plans the work's transforms.
    pub fn prepare<'a, T: Data>(&'a self, work: Work<'a, T>) -> Result<Box<dyn Transformer<T> + 'a>> {
        let transform = work.transform;
        let (kind, exec) = match (transform.algebra, transform.kind, transform.direction) {
            (Algebra::ComplexF32, Kind::Dft, _) => (C2C, Exec::Directed(self.exec_c2c)),
            (Algebra::ComplexF64, Kind::Dft, _) => (Z2Z, Exec::Directed(self.exec_z2z)),
            (Algebra::ComplexF32, Kind::Real, Direction::Forward) => (R2C, Exec::OneWay(self.exec_r2c)),
            (Algebra::ComplexF64, Kind::Real, Direction::Forward) => (D2Z, Exec::OneWay(self.exec_d2z)),
            (Algebra::ComplexF32, Kind::Real, Direction::Inverse) => (C2R, Exec::OneWay(self.exec_c2r)),
            (Algebra::ComplexF64, Kind::Real, Direction::Inverse) => (Z2D, Exec::OneWay(self.exec_z2d)),
            (other, ..) => return Err(Error::input(format!("cuFFT has no {} transforms", other.name()))),
        };
        let foreign = || Error::Failed("cuFFT runs on CUDA devices only".into());
        let input = cuda::pointer(work.input).ok_or_else(foreign)?;
        let output = cuda::pointer(work.output).ok_or_else(foreign)?;
        let stream = cuda::handle(work.stream).ok_or_else(foreign)?;
        let int = |value: usize| c_int::try_from(value).map_err(|_| Error::Failed(format!("cuFFT takes no {value}")));
        let mut lengths = transform.dims.iter().map(|dim| int(dim.n)).collect::<Result<Vec<c_int>>>()?;
        let (rank, batch) = (int(lengths.len())?, int(transform.batch_count())?);
        let mut handle = 0;
        // SAFETY: `handle` and `lengths`, of `rank` numbers, outlive the call; null layouts mean contiguous transforms,
        // one after the other, whatever the strides and distances behind them. The device's primary context is current:
        // its buffers were written by this thread.
        let status = unsafe {
            let none = ptr::null_mut();
            (self.plan_many)(&mut handle, rank, lengths.as_mut_ptr(), none, 1, 0, none, 1, 0, kind, batch)
        };
        check("cufftPlanMany", status)?;
        let plan = Plan { library: self, handle, exec, input, output, work };
        // SAFETY: the handle is a plan's, and the stream lives as long as the work that the plan keeps.
        check("cufftSetStream", unsafe { (self.set_stream)(handle, stream) })?;
        Ok(Box::new(plan))
    }
}

/// The function that runs a plan.
#[derive(Clone, Copy)]
enum Exec {
    /// Of elements, in either direction.
    Directed(Directed),
    /// Of real numbers, or to such.
    OneWay(OneWay),
}

struct Plan<'a, T> {
    library: &'a Library,
    handle: Handle,
    exec: Exec,
    input: u64,
    output: u64,
    /// Keeps the buffers borrowed.
    work: Work<'a, T>,
}

impl<T: Data> Transformer<T> for Plan<'_, T> {
    fn submit(&mut self) -> Result<()> {
        let (input, output) = (self.input as *mut c_void, self.output as *mut c_void);
        // SAFETY: both are device memory of the length that was planned at least, and different; the input is not
        // written out of place, and of half spectra not in one dimension; the work keeps both from being freed or used otherwise.
        let status = unsafe {
            match self.exec {
                Exec::Directed(exec) => exec(self.handle, input, output, FORWARD),
                Exec::OneWay(exec) => exec(self.handle, input, output),
            }
        };
        check("cufftExec", status)
    }

    fn outputs(&self, range: Range<usize>) -> Result<Vec<T>> {
        Ok(self.work.output.slice(range)?.to_vec()?)
    }
}

impl<T> Drop for Plan<'_, T> {
    fn drop(&mut self) {
        // The plan's own memory must not go while a transform uses it.
        let _ = self.work.stream.synchronize();
        // SAFETY: the handle is a plan's and is used no more.
        unsafe { (self.library.destroy)(self.handle) };
    }
}

fn check(call: &str, status: Status) -> Result<()> {
    if status == 0 { Ok(()) } else { Err(Error::Failed(format!("{call} failed with status {status}"))) }
}
