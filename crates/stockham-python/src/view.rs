//! NumPy's arrays as they lie in memory, by the array interface of its C structure: the buffer protocol would make NumPy
//! write down formats, and does not tell of arrays that cannot be written.

use std::ffi::{c_char, c_int, c_void};

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::stored::Stored;

/// The structure behind `__array_struct__`.
#[repr(C)]
struct Interface {
    two: c_int,
    nd: c_int,
    typekind: c_char,
    itemsize: c_int,
    flags: c_int,
    shape: *mut isize,
    strides: *mut isize,
    data: *mut c_void,
    descr: *mut c_void,
}

const ALIGNED: c_int = 0x100;
const NOT_SWAPPED: c_int = 0x200;
const WRITEABLE: c_int = 0x400;

/// The numbers that transforms are computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    F32,
    F64,
    C64,
    C128,
}

impl Number {
    fn of(kind: u8, bytes: c_int) -> Option<Self> {
        match (kind, bytes) {
            (b'f', 4) => Some(Self::F32),
            (b'f', 8) => Some(Self::F64),
            (b'c', 8) => Some(Self::C64),
            (b'c', 16) => Some(Self::C128),
            _ => None,
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        match name {
            "float32" => Some(Self::F32),
            "float64" => Some(Self::F64),
            "complex64" => Some(Self::C64),
            "complex128" => Some(Self::C128),
            _ => None,
        }
    }

    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 | Self::C64 => 8,
            Self::C128 => 16,
        }
    }

    pub fn is_complex(self) -> bool {
        matches!(self, Self::C64 | Self::C128)
    }

    pub fn is_double(self) -> bool {
        matches!(self, Self::F64 | Self::C128)
    }

    pub fn complex(self) -> Self {
        if self.is_double() { Self::C128 } else { Self::C64 }
    }

    pub fn real(self) -> Self {
        if self.is_double() { Self::F64 } else { Self::F32 }
    }
}

/// Where the numbers of an array lie: counts and distances in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub number: Number,
    pub address: usize,
    pub shape: Vec<usize>,
    pub strides: Vec<usize>,
}

impl Place {
    /// Numbers from the first to behind the last; none of an empty array.
    pub fn extent(&self) -> usize {
        if self.shape.contains(&0) {
            return 0;
        }
        let far = self.shape.iter().zip(&self.strides).map(|(n, stride)| (n - 1).saturating_mul(*stride));
        far.fold(1, usize::saturating_add)
    }

    /// Whether they share memory.
    pub fn overlaps(&self, other: &Self) -> bool {
        let end = |place: &Self| place.address.saturating_add(place.extent().saturating_mul(place.number.bytes()));
        self.address.max(other.address) < end(self).min(end(other))
    }

    /// Whether no two numbers share a place, as far as it is seen at once: in the order of their strides, each dimension is within
    /// the next.
    pub fn is_simple(&self) -> bool {
        let dims = self.strides.iter().copied().zip(self.shape.iter().copied()).filter(|dim| dim.1 > 1);
        let mut dims: Vec<(usize, usize)> = dims.collect();
        dims.sort_unstable();
        let is_within = |pair: &[(usize, usize)]| pair[0].0.saturating_mul(pair[0].1) <= pair[1].0;
        dims.first().is_none_or(|first| first.0 > 0) && dims.windows(2).all(is_within)
    }

    /// Whether every number of one lies where that of the other does.
    pub fn is(&self, other: &Self) -> bool {
        let strides = |(n, (a, b)): (&usize, (&usize, &usize))| *n <= 1 || a == b;
        self.number == other.number
            && self.address == other.address
            && self.shape == other.shape
            && self.shape.iter().zip(self.strides.iter().zip(&other.strides)).all(strides)
    }
}

/// NumPy's description of an array, kept alive with it.
struct Held<'py> {
    keeper: Bound<'py, PyCapsule>,
    interface: *const Interface,
}

impl<'py> Held<'py> {
    fn of(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = array.py();
        let keeper = array.getattr(intern!(py, "__array_struct__"))?.cast_into::<PyCapsule>()?;
        // SAFETY: the object is a capsule, and this one has no name; an error is a null pointer.
        let interface = unsafe { pyo3::ffi::PyCapsule_GetPointer(keeper.as_ptr(), std::ptr::null()) };
        if interface.is_null() {
            return Err(PyErr::fetch(py));
        }
        Ok(Self { keeper, interface: interface.cast_const().cast() })
    }

    fn interface(&self) -> &Interface {
        // SAFETY: NumPy's capsules point to this structure, which lives as long as they do.
        unsafe { &*self.interface }
    }

    /// Counts and distances in numbers of so many bytes; nothing if these are not whole or negative.
    fn layout(&self, bytes: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        let interface = self.interface();
        let rank = usize::try_from(interface.nd).unwrap_or(0);
        let list = |numbers: *mut isize| match rank {
            0 => &[][..],
            // SAFETY: there are as many numbers as the structure says dimensions.
            _ => unsafe { std::slice::from_raw_parts(numbers, rank) },
        };
        let shape: Vec<usize> = list(interface.shape).iter().map(|n| n.unsigned_abs()).collect();
        let mut strides = Vec::with_capacity(rank);
        for (stride, n) in list(interface.strides).iter().zip(&shape) {
            match usize::try_from(*stride) {
                // The distance to a neighbour that is not there may be any.
                _ if *n <= 1 => strides.push(0),
                Ok(stride) if stride.is_multiple_of(bytes) => strides.push(stride / bytes),
                _ => return None,
            }
        }
        Some((shape, strides))
    }
}

/// An array of whatever dtype whose numbers can be taken as they lie, kept alive.
pub struct StoredView<'py> {
    pub address: usize,
    pub is_writeable: bool,
    _keeper: Bound<'py, PyCapsule>,
}

impl<'py> StoredView<'py> {
    /// The view of an array that must have such numbers, so many along each axis and so far apart.
    ///
    /// # Errors
    /// `ValueError` if it has not.
    pub fn required(
        array: &Bound<'py, PyAny>,
        stored: Stored,
        (shape, strides): (&[usize], &[usize]),
        what: &str,
    ) -> PyResult<Self> {
        let held = Held::of(array)?;
        let interface = held.interface();
        let is_so = interface.two == 2
            && interface.flags & (ALIGNED | NOT_SWAPPED) == ALIGNED | NOT_SWAPPED
            && stored.has_kind(interface.typekind as u8)
            && usize::try_from(interface.itemsize) == Ok(stored.bytes())
            && held.layout(stored.bytes()).is_some_and(|(n, by)| n == shape && by == strides);
        if !is_so {
            return Err(PyValueError::new_err(format!(
                "the {what} is no aligned array of {} of shape {shape:?} with strides of {strides:?} numbers",
                stored.format()
            )));
        }
        let (address, is_writeable) = (interface.data.addr(), interface.flags & WRITEABLE != 0);
        Ok(Self { address, is_writeable, _keeper: held.keeper })
    }
}

/// An array whose numbers can be taken as they lie, kept alive.
pub struct View<'py> {
    pub place: Place,
    pub is_writeable: bool,
    _keeper: Bound<'py, PyCapsule>,
}

/// What an array is.
pub enum Found<'py> {
    /// One whose numbers can be taken as they lie: `float32`, `float64`, `complex64` or `complex128` in the machine's byte order,
    /// aligned; the distances between neighbours are whole numbers of its elements and not negative.
    Plain(View<'py>),
    /// One that is computed as such numbers, but has to be copied.
    Other(Number),
    /// One of others.
    Strange,
}

impl<'py> View<'py> {
    /// Looks at an array.
    pub fn look(array: &Bound<'py, PyAny>) -> PyResult<Found<'py>> {
        let held = Held::of(array)?;
        let interface = held.interface();
        let (kind, bytes) = (interface.typekind as u8, interface.itemsize);
        let Some(number) = Number::of(kind, bytes) else {
            return Ok(match (kind, bytes) {
                (b'b' | b'i' | b'u', _) => Found::Other(Number::F64),
                (b'f', 2) => Found::Other(Number::F32),
                _ => Found::Strange,
            });
        };
        if interface.two != 2 || interface.flags & (ALIGNED | NOT_SWAPPED) != ALIGNED | NOT_SWAPPED {
            return Ok(Found::Other(number));
        }
        let Some((shape, strides)) = held.layout(number.bytes()) else { return Ok(Found::Other(number)) };
        let place = Place { number, address: interface.data.addr(), shape, strides };
        Ok(Found::Plain(Self { place, is_writeable: interface.flags & WRITEABLE != 0, _keeper: held.keeper }))
    }

    /// The view of an array that must be plain.
    pub fn required(array: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        match Self::look(array)? {
            Found::Plain(view) => Ok(view),
            _ => Err(PyValueError::new_err(format!(
                "the {what} is no aligned array of float32, float64, complex64 or complex128 with whole strides"
            ))),
        }
    }
}
