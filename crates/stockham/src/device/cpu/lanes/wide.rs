//! Vectors of real numbers, by the instruction sets that have them: a token of one says that the processor has it.

/// An instruction set's vectors of real numbers. Everything is inlined into the one function that is compiled for the set.
pub(crate) trait Wide<F>: Copy + Send + Sync {
    /// Numbers side by side.
    type Vector: Copy;
    /// How many they are.
    const LANES: usize;

    /// Runs something as a function of its own that is compiled for the set.
    fn call<O: Operation>(self, operation: O) -> O::Output;
    fn splat(self, x: F) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a·b + c, rounded once where the set has it.
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    fn neg(self, a: Self::Vector) -> Self::Vector;
    /// The first numbers of a slice.
    fn load(self, from: &[F]) -> Self::Vector;
    fn store(self, x: Self::Vector, to: &mut [F]);
    /// Real and imaginary parts of numbers of which two vectors hold one after the other.
    fn split(self, pairs: [Self::Vector; 2]) -> [Self::Vector; 2];
    /// The way back.
    fn join(self, parts: [Self::Vector; 2]) -> [Self::Vector; 2];
    /// Transposes as many vectors as they have lanes.
    fn transpose(self, tile: &mut [Self::Vector]);
}

/// The most lanes of any.
pub(crate) const MOST_LANES: usize = 16;

/// What is compiled for an instruction set.
pub(crate) trait Operation {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs something compiled for the longest vectors that this processor has, or as it is.
#[inline]
pub(crate) fn compiled<O: Operation>(operation: O) -> O::Output {
    #[cfg(target_arch = "x86_64")]
    match (long(), known()) {
        (Some(wide), _) => return Wide::<f32>::call(wide, operation),
        (_, Some(wide)) => return Wide::<f32>::call(wide, operation),
        _ => {}
    }
    operation.run()
}

/// The vectors that this processor has.
#[cfg(target_arch = "x86_64")]
pub(crate) fn known() -> Option<avx::Avx> {
    avx::Avx::known()
}

/// Vectors of twice as many numbers.
#[cfg(target_arch = "x86_64")]
pub(crate) fn long() -> Option<avx512::Avx512> {
    avx512::Avx512::known()
}

/// An instruction, where there is a token of its set.
#[cfg(target_arch = "x86_64")]
macro_rules! instruction {
    ($token:expr, $name:ident $(::<$constant:literal>)? ($($argument:expr),*)) => {{
        let Self(()) = $token;
        // SAFETY: the token says that the processor has the instruction, which touches no memory.
        unsafe { $name $(::<$constant>)? ($($argument),*) }
    }};
}

/// What all sets have alike, by the names that they have for it.
#[cfg(target_arch = "x86_64")]
macro_rules! arithmetic {
    ($float:ty, $vector:ty, $splat:ident, $add:ident, $sub:ident, $mul:ident, $mul_add:ident) => {
        type Vector = $vector;
        const LANES: usize = size_of::<$vector>() / size_of::<$float>();

        #[inline(always)]
        fn call<O: Operation>(self, operation: O) -> O::Output {
            // SAFETY: the token says that the processor has what the function is compiled for.
            unsafe { compiled(operation) }
        }
        #[inline(always)]
        fn splat(self, x: $float) -> $vector {
            instruction!(self, $splat(x))
        }
        #[inline(always)]
        fn add(self, a: $vector, b: $vector) -> $vector {
            instruction!(self, $add(a, b))
        }
        #[inline(always)]
        fn sub(self, a: $vector, b: $vector) -> $vector {
            instruction!(self, $sub(a, b))
        }
        #[inline(always)]
        fn mul(self, a: $vector, b: $vector) -> $vector {
            instruction!(self, $mul(a, b))
        }
        #[inline(always)]
        fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
            instruction!(self, $mul_add(a, b, c))
        }
        #[inline(always)]
        fn neg(self, a: $vector) -> $vector {
            let zero = instruction!(self, $splat(-0.0));
            instruction!(self, $sub(zero, a))
        }
        #[inline(always)]
        fn load(self, from: &[$float]) -> $vector {
            let (numbers, _) =
                from.split_first_chunk::<{ size_of::<$vector>() / size_of::<$float>() }>().expect("as many");
            bytemuck::must_cast(*numbers)
        }
        #[inline(always)]
        fn store(self, x: $vector, to: &mut [$float]) {
            let x: [$float; size_of::<$vector>() / size_of::<$float>()] = bytemuck::must_cast(x);
            to[..x.len()].copy_from_slice(&x);
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx;
#[cfg(target_arch = "x86_64")]
mod avx512;
