//! What stages cost, in instructions for a point: butterflies of threads that have none are waited for all the same.

use std::sync::LazyLock;

use crate::device_info::DeviceInfo;

/// Instructions for an element: of an exchange, stored and loaded with their places; of a twiddle, looked up and multiplied.
pub(super) const EXCHANGE: f64 = 4.5;
pub(super) const TWIDDLE: f64 = 7.0;

/// Instructions for a point that a trip through memory hides, on an H100 and on others that were not measured.
pub(super) const HIDDEN: f64 = 60.0;

/// The same where memory is faster beside arithmetic that is as fast, by a part of the device's name.
const HIDDEN_ON: [(&str, f64); 1] = [("H200", 42.0)];

/// Instructions for a point that a trip through a device's memory hides.
pub(super) fn hidden(device: &DeviceInfo) -> f64 {
    HIDDEN_ON.into_iter().find(|(name, _)| device.name.contains(name)).map_or(HIDDEN, |(_, hidden)| hidden)
}

/// What a barrier costs, in instructions of each thread.
pub(super) const BARRIER: f64 = 24.0;

/// What an exchange of points in the order of powers costs more than others, in instructions: a table's places, and banks that
/// several of them meet in.
const COLLISIONS: f64 = 6.0;

/// A convolution in the order of powers, beside its stages: two exchanges, which collide, and a product.
pub(super) const BY_POWERS: f64 = 2.0 * (EXCHANGE + COLLISIONS) + TWIDDLE;

/// How many times as long a convolution with a chirp takes whose stages [collide].
pub(super) const COLLIDING: f64 = 1.2;

/// Real operations of codelets, by radix.
static OPERATIONS: LazyLock<[usize; MOST_RADIX + 1]> = LazyLock::new(|| std::array::from_fn(operations));

/// The largest radix of a stage.
const MOST_RADIX: usize = 32;

/// Real operations of a codelet, where products and sums are one.
fn operations(radix: usize) -> usize {
    let p = (2..=radix).find(|p| radix.is_multiple_of(*p)).unwrap_or(1);
    match radix {
        0 | 1 => 0,
        2 => 4,
        4 => 16,
        8 => 52,
        16 => 144,
        32 => 372,
        _ if p == radix => (p - 1) * (p - 1) + 5 * (p - 1),
        _ => {
            let power =
                std::iter::successors(Some(p), |power| Some(power * p)).take_while(|q| radix.is_multiple_of(*q));
            let (a, is_coprime) = match power.last() {
                Some(power) if power < radix => (power, true),
                _ => (p, false),
            };
            let b = radix / a;
            let twiddles = if is_coprime { 0 } else { 6 * (a - 1) * (b - 1) };
            b * operations(a) + a * operations(b) + twiddles
        }
    }
}

/// Instructions for a point.
pub(super) fn cost_of(radix: usize, threads: usize, radices: &[usize]) -> f64 {
    let stage = |(s, &r): (usize, &usize)| {
        let slots = threads * (radix / r).div_ceil(threads);
        let twiddles = if s > 0 { TWIDDLE * (r - 1) as f64 + EXCHANGE * r as f64 } else { 0.0 };
        let barrier = if s > 0 { BARRIER * threads as f64 } else { 0.0 };
        slots as f64 * (OPERATIONS[r] as f64 + twiddles) + barrier
    };
    radices.iter().enumerate().map(stage).sum::<f64>() / radix as f64
}

/// The same of butterflies that threads go through without need where they have them with their images, so many rows of the last
/// stage.
pub(super) fn idle_instructions(radix: usize, threads: usize, stages: &[usize], mirrored: usize) -> f64 {
    let [.., r] = stages else { return 0.0 };
    let plain = (radix / r).div_ceil(threads);
    let more = (threads * (mirrored / r).saturating_sub(plain)) as f64;
    more * (OPERATIONS[*r] as f64 + TWIDDLE * (r - 1) as f64) / radix as f64
}

/// Instructions for a point at least: where all threads have as much to do, and nobody waits.
pub(super) fn least_cost(stages: &[usize]) -> f64 {
    let of_radix = |r: &usize| OPERATIONS[*r] as f64 / *r as f64;
    let twiddles = |r: &usize| TWIDDLE * (r - 1) as f64 / *r as f64 + EXCHANGE;
    stages.iter().map(of_radix).sum::<f64>() + stages.iter().skip(1).map(twiddles).sum::<f64>()
}

/// Whether threads that write what a stage gives meet in banks whatever the padding: groups of as many rows as there were radices before
/// lie at even distances, and are no whole parts of a warp.
pub(super) fn collide(stages: &[usize]) -> bool {
    let is_oblique = |radix: &usize| radix.is_multiple_of(2) && !radix.is_power_of_two();
    stages.len() > 2 && stages[..2].iter().all(is_oblique)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_about_those_of_the_generator_of_fftw() {
        // Additions and fused products of FFTW's codelets n1_*, which save some twiddles and constants.
        for (radix, of_fftw) in
            [(3, 12), (5, 32), (6, 36), (7, 60), (9, 80), (10, 84), (11, 140), (12, 96), (13, 176), (15, 156)]
        {
            let ours = operations(radix);
            assert!(ours >= of_fftw && 5 * ours <= 7 * of_fftw, "{radix}: {ours}, and {of_fftw}");
        }
    }
}
