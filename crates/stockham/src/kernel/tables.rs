//! The twiddle tables of a pass: one buffer, filled on the host with correctly rounded roots of unity.

use crate::algebra::{Direction, Root};
use crate::plan::Pass;

/// Where each table of a pass begins, in elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tables {
    /// One a stage: ω_{pr}^{jk} at (j − 1)·p + k, for the radix r and the product p of the radices before.
    pub stages: Vec<usize>,
    /// ω^e for e below the split of the pass's own twiddle.
    pub fine: usize,
    /// ω^(split·e).
    pub coarse: usize,
    len: usize,
}

impl Tables {
    pub fn of(pass: &Pass) -> Self {
        let mut len = 0;
        let mut take = |count: usize| {
            len += count;
            len - count
        };
        let stages = (0..pass.tile.stages.len())
            .map(|s| {
                let (r, p) = pass.stage(s);
                take(if p == 1 { 0 } else { (r - 1) * p })
            })
            .collect();
        let (fine, coarse) = match &pass.twiddle {
            Some(t) if t.split < t.order => (take(t.split), take(t.order.div_ceil(t.split))),
            Some(t) => (take(t.order), 0),
            None => (0, 0),
        };
        Self { stages, fine, coarse, len }
    }

    /// The roots, in the order of the buffer.
    pub fn roots(pass: &Pass, direction: Direction) -> Vec<Root> {
        let mut roots = Vec::with_capacity(Self::of(pass).len);
        for s in 0..pass.tile.stages.len() {
            let (r, p) = pass.stage(s);
            if p > 1 {
                roots.extend((1..r).flat_map(|j| (0..p).map(move |k| direction.root(j * k, p * r))));
            }
        }
        if let Some(t) = &pass.twiddle {
            roots.extend((0..t.split).map(|e| direction.root(e, t.order)));
            if t.split < t.order {
                roots.extend((0..t.order.div_ceil(t.split)).map(|e| direction.root(e * t.split, t.order)));
            }
        }
        roots
    }
}
