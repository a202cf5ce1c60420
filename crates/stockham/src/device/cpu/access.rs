//! Transforms whose numbers are other than they lie in memory: they are read into an array as the transform wants them, and
//! written from another, block by block through the expressions.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;

use crate::algebra::Algebra;
use crate::error::Result;
use crate::parallel;
use crate::transform::{
    Array, Coordinates, Expr, Format, Function, Part, Placement, Side, Transform, Value, Values, trace,
};

use super::super::driver::{Location, Operands, Program, Queue};
use super::memory::{HostMemory, values, values_mut};

/// Numbers that go through an expression at a time.
const BLOCK: usize = 1 << 10;

/// A transform of other numbers than there are in memory.
pub(super) struct FusedProgram {
    transform: Transform,
    inner: Arc<dyn Program>,
}

impl FusedProgram {
    pub fn new(transform: &Transform, of: impl FnOnce(&Transform) -> Result<Arc<dyn Program>>) -> Result<Self> {
        // From one array to another, whose lines have the strides that they have in place.
        let plain = Transform { placement: Placement::OutOfPlace, ..transform.unfused() };
        Ok(Self { transform: transform.clone(), inner: of(&plain)? })
    }

    fn run<F: Number>(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        let plain = self.transform.unfused();
        let bytes = |side, len: usize| len.saturating_mul(self.transform.natural_format(side).bytes());
        let input = HostMemory::zeroed(bytes(Side::Input, plain.input_len()))?;
        let output = HostMemory::zeroed(bytes(Side::Output, plain.output_len()))?;
        let natural = |side| if self.transform.natural_format(side).is_complex { 2 } else { 1 };
        {
            let memory = HostMemory::of(operands.input.memory).read();
            let mut array = input.write();
            let load = Reached::of(&self.transform, Side::Input);
            load.read::<F>(&memory[operands.input.offset..], values_mut(&mut array, 0), natural(Side::Input));
        }
        let of = |memory| Location { memory, offset: 0 };
        self.inner.enqueue(queue, Operands { input: of(&input), output: of(&output), ..operands }, launches)?;
        let array = output.read();
        let mut memory = HostMemory::of(operands.output.memory).write();
        let store = Reached::of(&self.transform, Side::Output);
        store.write::<F>(values(&array, 0), &mut memory[operands.output.offset..], natural(Side::Output));
        Ok(())
    }
}

impl Program for FusedProgram {
    fn launches(&self) -> usize {
        self.inner.launches()
    }
    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        match self.transform.algebra {
            Algebra::ComplexF64 => self.run::<f64>(queue, operands, launches),
            _ => self.run::<f32>(queue, operands, launches),
        }
    }
}

/// A side in memory.
struct Reached<'a> {
    value: Option<&'a Expr>,
    accumulates: bool,
    format: Format,
    /// Each index: transform dimensions, then the batch.
    axes: Vec<Index>,
    rank: usize,
}

/// An index: its values that are there, and how far apart they lie in the array and in memory.
#[derive(Clone, Copy)]
struct Index {
    n: usize,
    strides: [usize; 2],
}

impl<'a> Reached<'a> {
    fn of(transform: &'a Transform, side: Side) -> Self {
        let Coordinates { axes, rank } = transform.coordinates(side).unwrap_or_else(|| {
            // Nobody asks for indices, and all numbers lie where the array has them.
            let plain = transform.unfused();
            let axis = |s: crate::distinct::Stride| crate::transform::Axis::plain(s.n as usize, s.stride as usize);
            Coordinates { axes: plain.strides(side).map(axis).collect(), rank: transform.dims.len() }
        });
        let axes = axes.iter().map(|axis| Index { n: axis.there, strides: [axis.stride, axis.in_memory] }).collect();
        let access = transform.access(side);
        let (value, accumulates) = (access.value(), access.accumulates());
        Self { value, accumulates, format: transform.format(side), axes, rank }
    }

    fn count(&self) -> usize {
        self.axes.iter().map(|axis| axis.n).product()
    }

    /// The indices of so many numbers from one on, index after index, and their places in the array and in memory.
    fn block(&self, numbers: Range<usize>) -> Block {
        let mut indices = vec![Vec::with_capacity(numbers.len()); self.axes.len()];
        let mut places = [(); 2].map(|()| vec![0; numbers.len()]);
        for (i, number) in numbers.enumerate() {
            let mut rest = number;
            for (axis, index) in self.axes.iter().zip(&mut indices).rev() {
                let at = rest % axis.n;
                rest /= axis.n;
                index.push(at);
                places.iter_mut().zip(axis.strides).for_each(|(places, stride)| places[i] += at * stride);
            }
        }
        Block { indices, places, rank: self.rank }
    }

    /// What the expression gives of numbers.
    fn through<F: Number>(&self, block: &Block, value: Value<Vec<F>>, parts: usize) -> [Vec<F>; 2] {
        let values = Numbers::<F> { block, float: std::marker::PhantomData };
        let value = self.value.map_or(value.clone(), |expr| trace(expr, &values, &value));
        let [re, im] = value.parts(&values);
        if parts == 1 { [re, Vec::new()] } else { [re, im] }
    }

    /// Fills the array's places; of the numbers of memory.
    fn read<F: Number>(&self, memory: &[u8], array: &mut [F], parts: usize) {
        let (count, of_memory) = (self.count(), if self.format.is_complex { 2 } else { 1 });
        let blocks = parallel::map(count.div_ceil(BLOCK), 1, |i| {
            let block = self.block(i * BLOCK..count.min((i + 1) * BLOCK));
            let part = |c: usize| -> Vec<F> {
                block.places[1].iter().map(|place| self.format.part.read(memory, place * of_memory + c)).collect()
            };
            let value = if of_memory == 2 { Value::Complex(part(0), part(1)) } else { Value::Real(part(0)) };
            let numbers = self.through(&block, value, parts);
            (block, numbers)
        });
        for (block, numbers) in blocks {
            for (c, numbers) in numbers.iter().take(parts).enumerate() {
                block.places[0].iter().zip(numbers).for_each(|(place, x)| array[place * parts + c] = *x);
            }
        }
    }

    /// The way back.
    fn write<F: Number>(&self, array: &[F], memory: &mut [u8], parts: usize) {
        let (count, of_memory) = (self.count(), if self.format.is_complex { 2 } else { 1 });
        let blocks = parallel::map(count.div_ceil(BLOCK), 1, |i| {
            let block = self.block(i * BLOCK..count.min((i + 1) * BLOCK));
            let part = |c: usize| -> Vec<F> { block.places[0].iter().map(|place| array[place * parts + c]).collect() };
            let value = if parts == 2 { Value::Complex(part(0), part(1)) } else { Value::Real(part(0)) };
            let numbers = self.through(&block, value, of_memory);
            (block, numbers)
        });
        for (block, numbers) in blocks {
            for (c, numbers) in numbers.iter().take(of_memory).enumerate() {
                let places = block.places[1].iter().zip(numbers);
                for (place, x) in places {
                    let at = place * of_memory + c;
                    let before = if self.accumulates { self.format.part.read(memory, at) } else { F::of(0.0) };
                    self.format.part.write(before.plus(*x), memory, at);
                }
            }
        }
    }
}

/// Some numbers of a side.
struct Block {
    indices: Vec<Vec<usize>>,
    /// In the array, and in memory.
    places: [Vec<usize>; 2],
    rank: usize,
}

/// Real numbers on the host.
trait Number: Pod + Send + Sync {
    fn of(x: f64) -> Self;
    fn wide(self) -> f64;
    fn plus(self, other: Self) -> Self;
    fn apply(function: Function, x: &[Self]) -> Self;
}

macro_rules! number {
    ($($float:ident)*) => {$(
        impl Number for $float {
            fn of(x: f64) -> Self {
                x as Self
            }
            fn wide(self) -> f64 {
                f64::from(self)
            }
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn apply(function: Function, x: &[Self]) -> Self {
                let truth = |is_so: bool| if is_so { 1.0 } else { 0.0 };
                match function {
                    Function::Add => x[0] + x[1],
                    Function::Sub => x[0] - x[1],
                    Function::Mul => x[0] * x[1],
                    Function::Div => x[0] / x[1],
                    Function::Neg => -x[0],
                    Function::Min => x[0].min(x[1]),
                    Function::Max => x[0].max(x[1]),
                    Function::Abs => x[0].abs(),
                    Function::Sqrt => x[0].sqrt(),
                    Function::Rsqrt => x[0].sqrt().recip(),
                    Function::Log2 => x[0].log2(),
                    Function::Exp2 => x[0].exp2(),
                    // Whole turns are taken off first, exactly.
                    Function::SinPi => sin_pi(f64::from(x[0] % 2.0)) as Self,
                    Function::CosPi => sin_pi(0.5 - f64::from(x[0] % 2.0).abs()) as Self,
                    Function::Floor => x[0].floor(),
                    Function::Less => truth(x[0] < x[1]),
                    Function::Select => if x[0] != 0.0 { x[1] } else { x[2] },
                }
            }
        }
    )*};
}

number! { f32 f64 }

/// sin πx for |x| < 2, of an angle of an eighth of a turn at most, so that roots are exact.
fn sin_pi(x: f64) -> f64 {
    let quarters = (2.0 * x).round();
    let angle = std::f64::consts::PI * (x - 0.5 * quarters);
    match (quarters as i64).rem_euclid(4) {
        0 => angle.sin(),
        1 => angle.cos(),
        2 => -angle.sin(),
        _ => -angle.cos(),
    }
}

/// The numbers of a block.
struct Numbers<'a, F> {
    block: &'a Block,
    float: std::marker::PhantomData<F>,
}

impl<F: Number> Values for Numbers<'_, F> {
    type Number = Vec<F>;

    fn constant(&self, x: f64) -> Vec<F> {
        vec![F::of(x); self.block.places[0].len()]
    }

    fn index(&self, dim: usize) -> Vec<F> {
        self.block.indices[dim].iter().map(|index| F::of(*index as f64)).collect()
    }

    fn batch(&self, dim: usize) -> Vec<F> {
        self.index(self.block.rank + dim)
    }

    fn look_up(&self, array: &Array) -> [Vec<F>; 2] {
        let at = |i: usize| array.along.iter().fold(0, |at, (dim, n)| at * n + self.block.indices[*dim][i]);
        let numbers: Vec<(f64, f64)> = (0..self.block.places[0].len()).map(|i| array.number(at(i))).collect();
        [numbers.iter().map(|x| F::of(x.0)).collect(), numbers.iter().map(|x| F::of(x.1)).collect()]
    }

    fn apply(&self, function: Function, operands: &[&Vec<F>]) -> Vec<F> {
        let of = |i: usize| match operands {
            [a] => F::apply(function, &[a[i]]),
            [a, b] => F::apply(function, &[a[i], b[i]]),
            _ => F::apply(function, &[operands[0][i], operands[1][i], operands[2][i]]),
        };
        (0..self.block.places[0].len()).map(of).collect()
    }
}

impl Part {
    fn read<F: Number>(self, memory: &[u8], at: usize) -> F {
        fn of<T: Pod>(memory: &[u8], at: usize) -> T {
            bytemuck::pod_read_unaligned(&memory[at * size_of::<T>()..][..size_of::<T>()])
        }
        F::of(match self {
            Self::F16 => of::<half::f16>(memory, at).to_f64(),
            Self::Bf16 => of::<half::bf16>(memory, at).to_f64(),
            Self::F32 => of::<f32>(memory, at).into(),
            Self::F64 => of(memory, at),
            Self::I8 => of::<i8>(memory, at).into(),
            Self::U8 => of::<u8>(memory, at).into(),
            Self::I16 => of::<i16>(memory, at).into(),
            Self::U16 => of::<u16>(memory, at).into(),
            Self::I32 => of::<i32>(memory, at).into(),
        })
    }

    fn write<F: Number>(self, x: F, memory: &mut [u8], at: usize) {
        fn put<T: Pod>(x: T, memory: &mut [u8], at: usize) {
            memory[at * size_of::<T>()..][..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&x));
        }
        let x = x.wide();
        // Conversions to integers are held to their limits.
        let nearest = x.round_ties_even();
        match self {
            Self::F16 => put(half::f16::from_f64(x), memory, at),
            Self::Bf16 => put(half::bf16::from_f32(x as f32), memory, at),
            Self::F32 => put(x as f32, memory, at),
            Self::F64 => put(x, memory, at),
            Self::I8 => put(nearest as i8, memory, at),
            Self::U8 => put(nearest as u8, memory, at),
            Self::I16 => put(nearest as i16, memory, at),
            Self::U16 => put(nearest as u16, memory, at),
            Self::I32 => put(nearest as i32, memory, at),
        }
    }
}
