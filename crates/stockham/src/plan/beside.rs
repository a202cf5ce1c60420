//! Convolutions as stages beside others, in one tile: DFTs of n = m·q points, of which q has no codelet.
//!
//! For Cooley and Tukey a convolution that makes DFTs of q points is a stage of radix q. With m' the product of the radices before
//! it, its butterfly b takes the rows b + m·j and gives (b − k)·q + k + m'·j, k = b mod m', as [any stage](super::held) does.
//! It has m butterflies, and goes over them side by side, by stages of its own: their row i of butterfly b is row b + m·i of m times
//! as many. So these are as of an array whose dimension m is done, and threads share out all butterflies alike.

use std::ops::Range;

use super::recipe::Pass;

/// The product of some radices; all there is if it is beyond all numbers.
fn product(radices: &[usize]) -> usize {
    radices.iter().fold(1, |product: usize, radix| product.saturating_mul(*radix))
}

/// Those of the stages that make a convolution, for so many before it and after it.
pub(super) fn inner(stages: &[usize], [before, after]: [usize; 2]) -> Range<usize> {
    let start = before.min(stages.len());
    start..stages.len().saturating_sub(after).max(start)
}

/// The product of the radices before a convolution's stages, of these, and of those after them.
pub(super) fn parts(stages: &[usize], beside: [usize; 2]) -> [usize; 3] {
    let Range { start, end } = inner(stages, beside);
    [&stages[..start], &stages[start..end], &stages[end..]].map(product)
}

impl Pass {
    /// The length of its DFTs.
    pub fn points(&self) -> usize {
        self.convolved().map_or(self.radix, |points| points.saturating_mul(self.side_by_side()))
    }

    /// The length q of the DFTs that are convolutions, if there are such.
    fn convolved(&self) -> Option<usize> {
        self.chirp.or(self.rader.map(|rader| rader.prime))
    }

    /// Rows of a tile that are points, where there may be more, which are zeros: those of convolutions with a chirp.
    pub(crate) fn points_by_chirp(&self) -> Option<usize> {
        self.chirp.map(|_| self.points())
    }

    /// Rows of a tile: one more than of its stages for each convolution of Rader's.
    pub(crate) fn tile_rows(&self) -> usize {
        if self.rader.is_some() { self.points() } else { self.radix }
    }

    /// The stages that make a convolution; of a pass that has none, all.
    pub(crate) fn inner(&self) -> Range<usize> {
        inner(&self.tile.stages, self.beside)
    }

    /// Convolutions side by side: m.
    pub(crate) fn side_by_side(&self) -> usize {
        let [before, _, after] = parts(&self.tile.stages, self.beside);
        before.saturating_mul(after)
    }

    /// The product of the radices before those of a convolution: m'.
    pub(crate) fn before_inner(&self) -> usize {
        parts(&self.tile.stages, self.beside)[0]
    }

    /// Rows that a stage goes over.
    pub(super) fn stage_rows(&self, stage: usize) -> usize {
        if self.inner().contains(&stage) { self.radix } else { self.points() }
    }

    /// The radix of a stage and the product of the radices before it. Those of a convolution have m before them, and are a radix of q
    /// for the others.
    pub fn stage(&self, number: usize) -> (usize, usize) {
        let (stages, inner) = (&self.tile.stages, self.inner());
        let before = match number {
            _ if number < inner.start => product(&stages[..number]),
            _ if inner.contains(&number) => self.side_by_side().saturating_mul(product(&stages[inner.start..number])),
            _ => self.stage_points().saturating_mul(product(&stages[inner.end..number])),
        };
        (stages[number], before)
    }

    /// The product of the radices before a convolution, and of its own: m'·q.
    pub(crate) fn stage_points(&self) -> usize {
        self.points() / parts(&self.tile.stages, self.beside)[2].max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::choice::Choice;
    use crate::algebra::Algebra;
    use crate::device_info::{Backend, DeviceInfo};
    use crate::plan::{Pass, Recipe};
    use crate::transform::Transform;

    fn recipe(choice: &str, n: usize) -> (Recipe, DeviceInfo) {
        let device = DeviceInfo {
            backend: Backend::Cuda,
            max_group: 1024,
            local_bytes: 48 << 10,
            simd_width: 32,
            ..crate::Device::cpu().info().clone()
        };
        let transform = Transform::new(Algebra::ComplexF64, n);
        (choice.parse::<Choice>().unwrap().realise(&transform, &device).unwrap(), device)
    }

    /// The definition: every row of a stage is in one butterfly, and goes on to a row of its own.
    #[test]
    fn stages_take_and_give_each_row_once() {
        for (choice, n) in [("1x4x2+4r+3", 30), ("1x12x6.6r+2.3", 222), ("1x14x7.5+6.6r", 1295), ("1x5x2+5b3", 6)] {
            let (recipe, _) = recipe(choice, n);
            let pass = &recipe.passes()[0];
            assert_eq!(pass.points(), n);
            let held = |holding| -> Vec<usize> {
                let of_thread = |t| (0..pass.rows(holding)).map(move |v| pass.held(holding, v, t).0);
                let mut rows: Vec<usize> = (0..pass.threads_per_column()).flat_map(of_thread).collect();
                rows.sort_unstable();
                rows.dedup();
                rows
            };
            for s in 0..pass.tile.stages.len() {
                let all = |rows: Vec<usize>| rows.into_iter().eq(0..pass.stage_rows(s));
                assert!(all(held(pass.input_of(s))) && all(held(pass.output_of(s))), "{choice}: {s}");
            }
            for (from, to) in pass.exchanges().into_iter().filter(|_| pass.rader.is_some()) {
                assert_eq!(held(from), held(to), "{choice}");
            }
        }
    }

    #[test]
    fn what_is_not_put_together_right_is_refused() {
        for choice in ["1x4x2+4r+3", "1x4x3.2+4r"] {
            let (recipe, device) = recipe(choice, 30);
            let changes: [fn(&mut Pass); 6] = [
                |pass| pass.beside = [0; 2],
                |pass| pass.beside = [0, 9],
                |pass| pass.beside = [usize::MAX; 2],
                |pass| pass.beside.reverse(),
                |pass| pass.rader = None,
                |pass| pass.tile.stages.rotate_right(1),
            ];
            for (number, change) in changes.into_iter().enumerate() {
                let mut changed = recipe.clone();
                let super::super::recipe::Method::Passes(passes) = &mut changed.method else { unreachable!("a pass") };
                change(&mut passes[0]);
                // Of stages on both sides those of the other order make the same length.
                let is_same = number == 3 && recipe.passes()[0].beside == [1; 2] || changed == recipe;
                assert!(changed.check(&device).is_err() || is_same, "{number} of {choice}");
            }
        }
    }
}
