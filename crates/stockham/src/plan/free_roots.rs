//! Cutting a transform where some roots of unity cost no product, as in ℤ/(r^k + 1): what counts there is the number of
//! blocks of stages, since each but the first multiplies every element once.

use super::cost::{Limits, best_width};

/// What a product an element costs, in trips through memory, for each 32 bytes of an element: products take k², trips
/// k.
const PRODUCT: f64 = 1.0;

/// Passes at most, as long as that suffices.
const PASSES: usize = 6;

fn blocks(bits: u32, block_bits: u32) -> u32 {
    bits.div_ceil(block_bits)
}

/// The radices of the passes with the least cost; nothing if no cut fits.
pub(super) fn cut(n: usize, limits: &Limits) -> Option<Vec<usize>> {
    let block_bits = limits.block_bits;
    let product = PRODUCT * limits.element_bytes as f64 / 32.0;
    let cost = |bits: &[u32]| -> f64 {
        let trips: f64 = bits.iter().map(|&b| best_width(1 << b, limits).map_or(f64::INFINITY, |(_, c)| c)).sum();
        trips + product * f64::from(bits.iter().map(|&b| blocks(b, block_bits)).sum::<u32>())
    };
    // Two columns of it make a work-group; one may do for what takes no products at all.
    let group = limits.preferred_group.min(limits.max_group) * limits.rows_of_digits();
    let rows = (group / 2).max(group.min(1 << limits.block_bits));
    let most = limits.tile_elements().min(rows).max(2).checked_ilog2()?;
    let mut best: Option<(f64, Vec<u32>)> = None;
    let try_cut = |best: &mut Option<(f64, Vec<u32>)>, bits: &[u32]| {
        let cost = cost(bits);
        // The last of equals is the one with the most even passes.
        if cost.is_finite() && best.as_ref().is_none_or(|(least, _)| cost <= *least) {
            *best = Some((cost, bits.to_vec()));
        }
    };
    let bits = n.ilog2();
    // Where elements are so long that work-groups hold few of them, it takes more passes.
    for passes in [PASSES, bits as usize] {
        if best.is_none() {
            partitions((bits, passes), most, &mut Vec::new(), &mut |bits| try_cut(&mut best, bits));
        }
    }
    best.map(|(_, bits)| bits.into_iter().map(|b| 1 << b).collect())
}

/// Calls a function with every way to write `rest` as a sum of at most so many parts up to `most`, larger parts first: only
/// the later passes multiply by twiddles.
fn partitions((rest, count): (u32, usize), most: u32, parts: &mut Vec<u32>, with: &mut impl FnMut(&[u32])) {
    if rest == 0 {
        if parts.is_empty() {
            with(&[0]);
        } else {
            with(parts);
        }
        return;
    }
    if parts.len() == count {
        return;
    }
    for part in (1..=most.min(rest)).rev() {
        parts.push(part);
        partitions((rest - part, count), part, parts, with);
        parts.pop();
    }
}

/// Rows a thread holds, and the radices of the stages: block by block, the stages of a block as even as they come.
pub(super) fn stages(radix: usize, limits: &Limits) -> (usize, Vec<usize>) {
    let (mut rest, block_bits) = (radix.ilog2(), limits.block_bits);
    if rest == 0 {
        return (1, Vec::new());
    }
    let at_least = (radix / limits.max_group).max(1).ilog2();
    let per_thread = limits.rows_of_digits().ilog2().max(at_least).min(rest);
    let mut stages = Vec::new();
    while rest > 0 {
        let block = block_bits.min(rest);
        let count = block.div_ceil(per_thread);
        stages.extend((0..count).map(|s| 1usize << (block / count + u32::from(s < block % count))));
        rest -= block;
    }
    (1 << per_thread, stages)
}
