//! What the pages measured in 2010, to stand beside our figures: n = 2^24, the best work-group size, in milliseconds.

use stockham::plan::Trig::{self, Native, SinAndCos, SinCos};

/// Milliseconds on an NVIDIA GTX 285 and on an ATI HD 5870.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// GTX 285.
    pub gtx285: f64,
    /// HD 5870.
    pub hd5870: f64,
}

/// The least of them all.
pub const LEAST_MS: f64 = 18.0;

/// The length of all of them.
pub const LENGTH: usize = 1 << 24;

/// Family, variant, sine, and the two figures. (E. Bainville, "OpenCL Fast Fourier Transform", 2010. The radix-2 kernel
/// without vectors is given once, and shown with sincos.)
const FIGURES: [(&str, &str, Trig, f64, f64); 25] = [
    ("radix 2", "", SinCos, 54.0, 73.0),
    ("radix 2 with vectors", "", SinCos, 53.0, 59.0),
    ("radix 2 with vectors", "", SinAndCos, 55.0, 77.0),
    ("radix 2 with vectors", "", Native, 56.0, 68.0),
    ("radix 4", "A", SinCos, 38.0, 33.0),
    ("radix 4", "B", SinCos, 37.0, 34.0),
    ("radix 4", "C", SinCos, 31.0, 38.0),
    ("radix 4", "A", SinAndCos, 33.0, 51.0),
    ("radix 4", "B", SinAndCos, 32.0, 51.0),
    ("radix 4", "C", SinAndCos, 31.0, 39.0),
    ("radix 4", "A", Native, 33.0, 38.0),
    ("radix 4", "B", Native, 32.0, 39.0),
    ("radix 4", "C", Native, 31.0, 38.0),
    ("radix 8", "A", SinCos, 40.0, 25.0),
    ("radix 8", "B", SinCos, 30.0, 30.0),
    ("radix 8", "A", SinAndCos, 31.0, 40.0),
    ("radix 8", "B", SinAndCos, 30.0, 29.0),
    ("radix 8", "A", Native, 31.0, 29.0),
    ("radix 8", "B", Native, 30.0, 29.0),
    ("radix 16", "", SinCos, 46.0, 29.0),
    ("radix 16", "", SinAndCos, 45.0, 38.0),
    ("radix 16", "", Native, 45.0, 18.0),
    ("radix 32", "", SinCos, 45.0, 34.0),
    ("radix 32", "", SinAndCos, 41.0, 44.0),
    ("radix 32", "", Native, 41.0, 22.0),
];

/// The figures of a cell of the tables.
pub fn of(family: &str, variant: &str, trig: Option<Trig>) -> Option<Published> {
    let found = FIGURES.iter().find(|(f, v, t, ..)| *f == family && *v == variant && Some(*t) == trig)?;
    Some(Published { gtx285: found.3, hd5870: found.4 })
}

#[cfg(test)]
mod tests {
    use super::super::variants::{FAMILIES, TRIGS};
    use super::*;

    #[test]
    fn every_figure_has_a_cell() {
        let variants = FAMILIES.iter().flat_map(|f| f.variants.iter().map(move |v| (f.name, v.name)));
        let cells = variants.flat_map(|(f, v)| TRIGS.map(|trig| of(f, v, trig)));
        assert_eq!(cells.flatten().count(), FIGURES.len());
        assert!(FIGURES.iter().all(|f| f.3.min(f.4) >= LEAST_MS) && FIGURES.iter().any(|f| f.4 == LEAST_MS));
    }
}
