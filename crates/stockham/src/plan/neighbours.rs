//! What there is to try beside a choice that was measured: the same with one of its passes otherwise.
//!
//! Clusters are tried with more work-groups side by side, too, and fewer.
//!
//! Stages of the same radices take times that differ by some percent with their order, because it decides how twiddles and
//! exchanges fall to the threads; and where passes are launches of their own, what is best in one has nothing to do with
//! the others. So passes are taken one after the other, and each is left as it did best. Where roots come from is tried, too:
//! products spare lookups and take registers, and which of them are short is not known before.

use crate::codelet::RADICES;
use crate::device_info::DeviceInfo;
use crate::transform::Transform;

use super::choice::{Choice, PassChoice};
use super::hopper::crowded;

/// Rows a thread at most: of more there is no room in registers.
const MOST_ROWS: usize = 32;

/// The choices that differ from one only in a pass, in the rows of its threads and in its stages, of which there are no
/// more, or in where its roots come from, and can be realised; to those of the first pass belong the same clusters with other
/// room. Those that come to the same recipe as the choice are not among them. Nothing if there is no such pass, or it cannot be
/// realised itself.
pub fn neighbours(choice: &Choice, pass: usize, transform: &Transform, device: &DeviceInfo) -> Vec<Choice> {
    let (Some(own), Ok(recipe)) = (choice.passes.get(pass), choice.realise(transform, device)) else {
        return Vec::new();
    };
    let is_other = |choice: &Choice| choice.realise(transform, device).is_ok_and(|other| other != recipe);
    let others = variants(own).into_iter().map(|other| {
        let mut choice = choice.clone();
        choice.passes[pass] = other;
        choice
    });
    let changes: &[isize] = if pass == 0 { &[1, -1] } else { &[] };
    let crowds = changes.iter().filter_map(|&more| crowded(choice, more, transform, device));
    others.chain(crowds).filter(is_other).collect()
}

/// A pass with half as many rows a thread, as many, and twice as many, and with all stages that make the same radix; and with
/// its roots from the other source.
fn variants(pass: &PassChoice) -> Vec<PassChoice> {
    let Some(radix) = pass.radix() else { return Vec::new() };
    let rows = [pass.per_thread, pass.per_thread / 2, pass.per_thread * 2];
    let rows = rows.into_iter().filter(|rows| (1..=MOST_ROWS).contains(rows));
    let of_rows = |rows: usize| {
        let stages = (1..=pass.stages.len()).map(|count| stages(radix, rows, count)).find(|found| !found.is_empty());
        let with = move |stages| PassChoice { per_thread: rows, stages, ..pass.clone() };
        stages.unwrap_or_default().into_iter().map(with)
    };
    let by_products = PassChoice { products: !pass.products, ..pass.clone() };
    rows.flat_map(of_rows).chain([by_products]).collect()
}

/// All ways to make a radix of so many stages in some order, each of which a thread with so many rows can do.
fn stages(radix: usize, rows: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return if radix == 1 { vec![Vec::new()] } else { Vec::new() };
    }
    let can_be_first = |first: &usize| radix.is_multiple_of(*first) && rows.is_multiple_of(*first);
    let with =
        |first: usize| stages(radix / first, rows, count - 1).into_iter().map(move |rest| [vec![first], rest].concat());
    RADICES.into_iter().filter(can_be_first).flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_come_in_every_order() {
        assert_eq!(stages(128, 16, 2), [[8, 16], [16, 8]]);
        assert_eq!(stages(64, 8, 3).len(), 7);
        assert!(stages(128, 8, 2).is_empty() && stages(6, 2, 2).is_empty());
        assert_eq!(stages(1, 4, 0), [[0; 0]]);
        for found in stages(2048, 16, 3) {
            assert_eq!(found.iter().product::<usize>(), 2048);
        }
    }
}
