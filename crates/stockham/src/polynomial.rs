//! Products of polynomials: linear, and modulo x^n − 1 or x^n + 1.
//!
//! Over a field they are exact, over ℂ they round like a transform. A negacyclic product is a cyclic one of polynomials
//! twisted by ψ^i, where ψ^n = −1 (A. Schönhage and V. Strassen, "Schnelle Multiplikation großer Zahlen", 1971). Where
//! n is no power of two, the linear product is folded.

use num_complex::Complex;

use crate::algebra::{Algebra, BigElement, Data, Direction, Element, Goldilocks, Layout, Residue, Ring, Scale};
use crate::algebra::{Digit, Gathered, Word, WordElement, with_digit_count, with_word_count};
use crate::convolution::{Convolution, values};
use crate::device::{Buffer, Device, Prepared, Stream};
use crate::error::{Error, Result};
use crate::host_memory;
use crate::plan::Step;

/// What the product is reduced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Product {
    /// Nothing: degrees add.
    Linear,
    /// x^n − 1, for polynomials of n coefficients.
    Cyclic,
    /// x^n + 1, for polynomials of n coefficients.
    Negacyclic,
}

/// The product of two polynomials, least coefficient first, on a device.
///
/// ```
/// use stockham::polynomial::{Product, multiply};
/// use stockham::{Device, Goldilocks};
/// let [a, b] = [[1, 2, 3], [4, 5, 6]].map(|c| c.map(Goldilocks::reduce));
/// let c = multiply(&Device::cpu(), Product::Linear, &a, &b)?;
/// assert_eq!(c, [4, 13, 28, 27, 18].map(Goldilocks::reduce));
/// let c = multiply(&Device::cpu(), Product::Cyclic, &a, &b)?;
/// assert_eq!(c, [4 + 27, 13 + 18, 28].map(Goldilocks::reduce));
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`Multiplier::plan`] and [`Multiplier::multiply`].
pub fn multiply<T: Element>(device: &Device, product: Product, a: &[T], b: &[T]) -> Result<Vec<T>> {
    Multiplier::plan(device, T::ALGEBRA, product, a.len(), b.len())?.multiply(a, b)
}

/// Products of polynomials of given lengths, made ready for a device, with the memory they need.
///
/// `T` is what an element is made of: the element itself, or over a big prime a digit, k of them a coefficient, the
/// lowest first.
pub struct Multiplier<T> {
    algebra: Algebra,
    product: Product,
    /// Coefficients of the factors.
    lengths: (usize, usize),
    stream: Stream,
    /// Nothing if a polynomial is empty.
    work: Option<Work<T>>,
}

struct Work<T> {
    convolution: Convolution<T>,
    twists: Option<[Prepared; 2]>,
    x: Buffer<T>,
    y: Buffer<T>,
}

impl<T: Data> Multiplier<T> {
    /// Plans the product of polynomials of `a` and `b` coefficients.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the lengths differ and the product is not linear; [`Error::ElementType`] if the
    /// algebra's elements are not made of `T`; as [`Device::plan`]; [`Error::OutOfMemory`].
    pub fn plan(device: &Device, algebra: Algebra, product: Product, a: usize, b: usize) -> Result<Self> {
        values::<T>(algebra, 1)?;
        if product != Product::Linear && a != b {
            return Err(Error::BufferLength { buffer: "second polynomial", expected: a, found: b });
        }
        let stream = device.new_stream()?;
        let work = if a == 0 || b == 0 { None } else { Some(Work::plan(device, algebra, product, (a, b))?) };
        Ok(Self { algebra, product, lengths: (a, b), stream, work })
    }

    /// The product of two polynomials of the planned lengths: a + b − 1 coefficients of a linear one, n of the others,
    /// none if a polynomial has none.
    ///
    /// # Errors
    /// [`Error::BufferLength`] for other lengths; [`Error::Digit`] for what is no element of a big prime's field;
    /// [`Error::OutOfMemory`]; what the driver reports.
    pub fn multiply(&mut self, a: &[T], b: &[T]) -> Result<Vec<T>> {
        let lengths = [("first polynomial", self.lengths.0, a), ("second polynomial", self.lengths.1, b)];
        for (buffer, coefficients, polynomial) in lengths {
            let expected = values::<T>(self.algebra, coefficients)?;
            if polynomial.len() != expected {
                return Err(Error::BufferLength { buffer, expected, found: polynomial.len() });
            }
            check_digits(self.algebra, polynomial)?;
        }
        let Some(work) = &mut self.work else { return Ok(Vec::new()) };
        let mut c = work.multiply(&self.stream, a, b)?;
        if self.product == Product::Linear {
            c.truncate(values::<T>(self.algebra, self.lengths.0 + self.lengths.1 - 1)?);
        } else {
            fold(self.algebra, &mut c, a.len(), self.product == Product::Negacyclic);
        }
        Ok(c)
    }
}

fn check_digits<T: Data>(algebra: Algebra, values: &[T]) -> Result<()> {
    match algebra {
        Algebra::BigPrime(prime) if prime.word() == Word::U32 => {
            prime.field().check::<u32>(bytemuck::cast_slice(values), Layout::Plain)
        }
        Algebra::BigPrime(prime) => prime.field().check::<u64>(bytemuck::cast_slice(values), Layout::Plain),
        Algebra::WordField(field) if field.word() == Word::U32 => field.check::<u32>(bytemuck::cast_slice(values)),
        Algebra::WordField(field) => field.check::<u64>(bytemuck::cast_slice(values)),
        Algebra::PrimeField(field) => field.check(bytemuck::cast_slice(values), Layout::Plain),
        _ => Ok(()),
    }
}

/// Reduces a product whose factors have `len` values each, if it is not reduced yet: adds what is beyond them to what is
/// not, or subtracts it.
fn fold<T: Data>(algebra: Algebra, c: &mut Vec<T>, len: usize, subtracts: bool) {
    fn elements<E: Ring>(low: &mut [E], high: &[E], subtracts: bool) {
        for (low, high) in low.iter_mut().zip(high) {
            *low = if subtracts { low.sub(high) } else { low.add(high) };
        }
    }
    fn digits<D: Digit, E: Gathered<K>, const K: usize>(field: E::Field, low: &mut [D], high: &[D], subtracts: bool) {
        let element = |digits: &[D]| E::gather(field, 0, &std::array::from_fn(|c| digits[c].into()));
        for (low, high) in low.chunks_exact_mut(K).zip(high.chunks_exact(K)) {
            // What a transform gave are elements.
            let (Ok(mut sum), Ok(other)) = (element(low).map(|x| [x]), element(high)) else { continue };
            elements(&mut sum, &[other], subtracts);
            low.iter_mut().zip(sum[0].scatter()).for_each(|(low, digit)| *low = D::truncated(digit));
        }
    }
    use bytemuck::{cast_slice as cast, cast_slice_mut as cast_mut};
    let (low, high) = c.split_at_mut(len);
    match algebra {
        Algebra::ComplexF32 => elements::<Complex<f32>>(cast_mut(low), cast(high), subtracts),
        Algebra::ComplexF64 => elements::<Complex<f64>>(cast_mut(low), cast(high), subtracts),
        Algebra::Goldilocks => elements::<Goldilocks>(cast_mut(low), cast(high), subtracts),
        Algebra::BigPrime(prime) => with_digit_count!(prime.digits(), K => match prime.word() {
            Word::U32 => digits::<u32, BigElement<K>, K>(prime.field(), cast_mut(low), cast(high), subtracts),
            _ => digits::<u64, BigElement<K>, K>(prime.field(), cast_mut(low), cast(high), subtracts),
        }),
        Algebra::WordField(field) if field.word() == Word::U32 => {
            digits::<u32, WordElement<u32>, 1>(field, cast_mut(low), cast(high), subtracts);
        }
        Algebra::WordField(field) => digits::<u64, WordElement<u64>, 1>(field, cast_mut(low), cast(high), subtracts),
        Algebra::PrimeField(field) => with_word_count!(field.words(), K => {
            digits::<u64, Residue<K>, K>(field, cast_mut(low), cast(high), subtracts);
        }),
    }
    c.truncate(len);
}

impl<T: Data> Work<T> {
    fn plan(device: &Device, algebra: Algebra, product: Product, (a, b): (usize, usize)) -> Result<Self> {
        let reduces = product != Product::Linear && a.is_power_of_two();
        let n = if reduces { Some(a) } else { (a - 1).checked_add(b).and_then(usize::checked_next_power_of_two) };
        let n =
            n.ok_or_else(|| Error::InvalidTransform(format!("a product of {a} by {b} coefficients is too long")))?;
        let twist = |direction| Step::Twist { algebra, n, direction, scale: Scale::One };
        let twists = [Direction::Forward, Direction::Inverse].map(twist);
        let twists = (reduces && product == Product::Negacyclic).then_some(twists);
        twists.iter().flatten().try_for_each(Step::validate)?;
        // Whether the device takes such lengths is known before their tables are made.
        let convolution = Convolution::plan(device, algebra, n).map_err(|error| match error {
            // Nobody asked for a transform.
            Error::Unsupported { reason, .. } => Error::Unsupported {
                what: format!("a product of {a} by {b} coefficients over {}", algebra.given()),
                reason: format!("it takes a transform of {n} points, and {reason}"),
            },
            other => other,
        })?;
        let len = values::<T>(algebra, n)?;
        let (x, y) = (device.alloc(len)?, device.alloc(len)?);
        let prepared = |[twist, untwist]: [Step; 2]| Ok([device.prepare_step(twist)?, device.prepare_step(untwist)?]);
        let twists = twists.map(prepared).transpose()?;
        Ok(Self { convolution, twists, x, y })
    }

    fn multiply(&mut self, stream: &Stream, a: &[T], b: &[T]) -> Result<Vec<T>> {
        let mut host = host_memory::zeroed(self.x.len())?;
        for (buffer, polynomial) in [(&mut self.x, a), (&mut self.y, b)] {
            host[..polynomial.len()].copy_from_slice(polynomial);
            host[polynomial.len()..].fill(T::zeroed());
            buffer.write_on(stream, &host)?;
            if let Some([twist, _]) = &self.twists {
                twist.run_in_place(stream, &mut *buffer, None)?;
            }
            self.convolution.forward(stream, buffer)?;
        }
        self.convolution.product(stream, &mut self.x, Some(&self.y))?;
        self.convolution.inverse(stream, &mut self.x)?;
        if let Some([_, untwist]) = &self.twists {
            untwist.run_in_place(stream, &mut self.x, None)?;
        }
        self.x.read_on(stream, &mut host)?;
        Ok(host)
    }
}
