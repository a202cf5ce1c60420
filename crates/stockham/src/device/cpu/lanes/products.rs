//! Products of numbers with factors, one by one, in vectors.

use super::lane::product;
use super::strip::{Number, load_pairs, store_pairs};
use super::wide::{MOST_LANES, Operation, Wide};

/// to = x·factors, or to·factors where there is no x: complex numbers, real and imaginary parts one after the other.
pub(super) struct Products<'a, F, W> {
    pub wide: W,
    pub x: Option<&'a [F]>,
    pub factors: &'a [F],
    pub to: &'a mut [F],
}

impl<F: Number, W: Wide<F>> Operation for Products<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { wide, x, factors, to } = self;
        let width = 2 * W::LANES;
        let whole = to.len() / width * width;
        for at in (0..whole).step_by(width) {
            let value = load_pairs(wide, x.map_or(&to[at..], |x| &x[at..]));
            store_pairs(wide, product(value, load_pairs(wide, &factors[at..])), &mut to[at..]);
        }
        // What does not fill vectors is filled up.
        let left = to.len() - whole;
        let mut ends = [[F::default(); 2 * MOST_LANES]; 2];
        ends[0][..left].copy_from_slice(&x.unwrap_or(to)[whole..][..left]);
        ends[1][..left].copy_from_slice(&factors[whole..][..left]);
        let value = product(load_pairs(wide, &ends[0]), load_pairs(wide, &ends[1]));
        store_pairs(wide, value, &mut ends[0]);
        to[whole..].copy_from_slice(&ends[0][..left]);
    }
}
