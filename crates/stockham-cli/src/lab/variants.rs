//! The variants of the study. To add one, add it here: the engine makes its kernels from the recipe, and the report
//! finds it by its name.

use stockham::algebra::Algebra;
use stockham::plan::{Arithmetic, Chain, FirstStore, Input, PassChoice, Trig, TwiddleSource};

/// Kernels of one radix.
pub struct Family {
    /// Its name in the tables.
    pub name: &'static str,
    /// The radix of all launches, but perhaps the last.
    pub radix: usize,
    /// Its variants.
    pub variants: &'static [Variant],
}

/// A way to write a family's kernel.
pub struct Variant {
    /// Its name; empty where there is one only.
    pub name: &'static str,
    /// Whether one sine and cosine are computed, and the other factors are products.
    pub powers: bool,
    /// Whether arithmetic is on vectors.
    pub vectors: bool,
}

const fn variant(name: &'static str, powers: bool, vectors: bool) -> Variant {
    Variant { name, powers, vectors }
}

/// Bainville's kernels, in the order of his tables.
pub const FAMILIES: [Family; 6] = [
    Family { name: "radix 2", radix: 2, variants: &[variant("", false, false)] },
    Family { name: "radix 2 with vectors", radix: 2, variants: &[variant("", false, true)] },
    Family {
        name: "radix 4",
        radix: 4,
        variants: &[variant("A", false, false), variant("B", false, true), variant("C", true, false)],
    },
    Family { name: "radix 8", radix: 8, variants: &[variant("A", false, false), variant("B", true, false)] },
    Family { name: "radix 16", radix: 16, variants: &[variant("", false, false)] },
    Family { name: "radix 32", radix: 32, variants: &[variant("", false, false)] },
];

/// The ways to have sines; the last is the tables.
pub const TRIGS: [Option<Trig>; 4] = [Some(Trig::SinCos), Some(Trig::SinAndCos), Some(Trig::Native), None];

/// The radices among them.
pub const RADICES: [usize; 5] = [2, 4, 8, 16, 32];

/// The kernel sizes of AMD's programs.
pub const PROGRAMS: [usize; 4] = [2, 4, 8, 16];

/// The work-group of AMD's programs: a wavefront of the hardware they were written for.
pub const WAVEFRONT: usize = 64;

/// In the words of the tables.
pub fn trig_name(trig: Option<Trig>) -> &'static str {
    match trig {
        Some(Trig::SinCos) => "sincos",
        Some(Trig::SinAndCos) => "sin+cos",
        Some(Trig::Native) => "native sin+cos",
        None => "tables",
    }
}

impl Variant {
    /// Where the factors come from; nothing if that would be another variant's kernel again.
    pub fn twiddles(&self, trig: Option<Trig>) -> Option<TwiddleSource> {
        match trig {
            None => (!self.powers).then_some(TwiddleSource::Tables),
            Some(trig) if self.powers => Some(TwiddleSource::Powers(trig)),
            Some(trig) => Some(TwiddleSource::Each(trig)),
        }
    }

    /// What the arithmetic works on.
    pub fn arithmetic(&self) -> Arithmetic {
        if self.vectors { Arithmetic::Vectors } else { Arithmetic::Scalar }
    }
}

/// A chain of launches of that radix, the last one smaller if need be.
pub fn chain(n: usize, radix: usize, twiddles: TwiddleSource, group: usize) -> Chain {
    Chain {
        radices: radices(n, radix),
        twiddles,
        group,
        first_store: FirstStore::Direct,
        input: Input::Interleaved,
        arithmetic: Arithmetic::Scalar,
    }
}

/// As many of that radix as there may be, and one smaller for the rest.
fn radices(n: usize, radix: usize) -> Vec<usize> {
    let (bits, each) = (n.ilog2(), radix.ilog2());
    let mut radices = vec![radix; (bits / each) as usize];
    radices.extend((bits % each > 0).then_some(1 << (bits % each)));
    radices
}

/// A pass of that radix whose stages are as even as they can be, up to radix 16, in tiles of up to 16 Ki elements for up to
/// 1024 threads.
pub fn pass(radix: usize) -> PassChoice {
    let bits = radix.ilog2();
    let count = bits.div_ceil(4).max(1);
    let stages: Vec<usize> = (0..count).map(|s| 1 << (bits / count + u32::from(s < bits % count))).collect();
    let per_thread = stages[0];
    let columns = ((1 << 14) / radix).min(1024 * per_thread / radix).clamp(1, 32);
    PassChoice::new(columns, per_thread, stages)
}

/// The radices of that many passes, as even as they can be.
pub fn cut(n: usize, passes: u32) -> Vec<usize> {
    let bits = n.ilog2();
    (0..passes).map(|a| 1 << (bits / passes + u32::from(a < bits % passes))).collect()
}

/// The error of a native sine and cosine together, in u.
const NATIVE: f64 = 8.0;

/// What the relative L2 error of a chain may be.
///
/// The launches' errors are independent, so their squares add. A launch's own stages contribute what the engine's
/// transforms are held to, 1 u·√log2 n; beyond that, every launch but the first multiplies by factors that have errors:
/// those from tables a rounding or two for the products that they are made of; sines and cosines of an angle in the
/// elements' precision the rounding of an angle of up to 2π; native ones what the vendor tells of them, 2^-21.4 or six u
/// each for the sine and the cosine on NVIDIA's. The v-th power of a factor has v times its relative error: for native
/// ones the mean over v counts, while the smaller angle makes up for it where the angle's rounding is what there is.
pub fn chain_bound(algebra: Algebra, chain: &Chain) -> f64 {
    let Some(u) = algebra.unit_roundoff() else { return 0.0 };
    let radix = chain.radices.iter().copied().max().unwrap_or(1) as f64;
    let factor = match chain.twiddles {
        TwiddleSource::Tables | TwiddleSource::Columns => 1.0,
        TwiddleSource::Each(Trig::Native) => NATIVE,
        TwiddleSource::Each(_) => 4.0,
        TwiddleSource::Powers(Trig::Native) => NATIVE * ((radix - 1.0) * (2.0 * radix - 1.0) / 6.0).sqrt(),
        TwiddleSource::Powers(_) => 4.0 + radix / 8.0,
    };
    let bits = chain.radices.iter().map(|r| (*r as f64).log2()).sum::<f64>();
    let later = chain.radices.len().saturating_sub(1) as f64;
    u * (bits.max(1.0) + factor * factor * later).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_that_are_no_power_get_one_smaller_stage() {
        assert_eq!(radices(1 << 24, 32), [32, 32, 32, 32, 16]);
        assert_eq!(radices(16, 8), [8, 2]);
        assert_eq!(radices(2048, 8), [8, 8, 8, 4]);
        assert_eq!(radices(8, 16), [8]);
        assert_eq!(cut(1 << 24, 3), [256; 3]);
        assert_eq!(cut(1 << 13, 2), [128, 64]);
    }

    #[test]
    fn passes_have_stages_of_radix_16_at_most() {
        assert_eq!(pass(4096).stages, [16, 16, 16]);
        assert_eq!(pass(128).stages, [16, 8]);
        assert_eq!(pass(64).stages, [8, 8]);
        for bits in 1..=12 {
            let PassChoice { columns, per_thread, stages, .. } = pass(1 << bits);
            assert_eq!(stages.iter().product::<usize>(), 1 << bits);
            assert!(stages.iter().all(|r| per_thread % r == 0) && columns * (1 << bits) / per_thread <= 1024);
        }
    }
}
