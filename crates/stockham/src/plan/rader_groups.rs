//! How many work-groups of convolutions in the order of powers have room beside each other, alone or with stages beside, and how long they
//! take by that: the others compute while one waits at its barriers. All of it as it was measured, of 425 tiles on an H200.

use super::cost::{self, Limits, MOST_REGISTERS};
use super::recipe::Pass;
use super::shortage::{FULL_BYTES, SPILLED, WIDE_BYTES};
use super::team::WARP;

/// Work-groups that a unit has at most, however few registers they take.
const MOST_GROUPS: usize = 32;

impl Pass {
    /// Whether more of its work-groups would hide what others wait for: tiles of many columns wait for memory.
    pub(crate) fn wants_registers(&self) -> bool {
        self.tile.columns <= 4
    }
}

/// Registers of a thread at most, of a unit that has as many work-groups of the pass as are good for it.
pub(super) fn registers(pass: &Pass, rows: usize, limits: &Limits) -> Option<usize> {
    let group = Some(pass.group()).filter(|_| pass.wants_registers())?;
    cost::registers_beside(count(rows, group, pass.beside == [0; 2], limits)?, rows, group, limits)
}

/// So many work-groups: those that leave threads what they want beside their rows. Nothing if not even two do.
fn count(rows: usize, group: usize, is_alone: bool, limits: &Limits) -> Option<usize> {
    let held = rows * limits.element_bytes / 4;
    // Kernels of few that have less spill, and those that spill a little may be faster all the same. A second work-group is worth more
    // than others.
    let of_two = if is_alone { 32 } else { 26 };
    let of_more = match limits.element_bytes {
        WIDE_BYTES if group <= 3 * WARP => 56,
        WIDE_BYTES if is_alone => 38,
        WIDE_BYTES => 50,
        _ => 56,
    };
    let more = (3..=MOST_GROUPS).take_while(|&count| left_by(count, group, limits) >= held + of_more).last();
    more.or_else(|| (left_by(2, group, limits) >= held + of_two).then_some(2))
}

/// Parts of a unit that have registers of their own, for as many of its warps as any other part has, and how many come at once.
const PARTS: usize = 4;
const AT_ONCE: usize = 8;

/// What so many work-groups leave each thread.
fn left_by(count: usize, group: usize, limits: &Limits) -> usize {
    let warps = (group.div_ceil(WARP) * count).div_ceil(PARTS).max(1);
    (limits.register_bytes / 4 / PARTS / WARP / warps / AT_ONCE * AT_ONCE).min(MOST_REGISTERS)
}

/// How many times as long they take by one work-group at a time, by two, ….
const BY_FEW: [f64; 5] = [1.36, 1.23, 1.14, 1.03, 1.0];

/// The same beside convolutions with a chirp of as many instructions: of two `f32`, and of two `f64`; with stages beside them, and alone.
const BESIDE_CHIRPS: [[f64; 2]; 2] = [[1.0, 1.1], [1.1, 1.4]];

/// Both, of work-groups that have one column.
pub(super) fn waiting(rows: usize, threads: usize, is_alone: bool, limits: &Limits) -> f64 {
    let wanted = cost::registers_to_convolve(rows, limits) * threads.next_multiple_of(WARP);
    let groups = count(rows, threads, is_alone, limits).unwrap_or(1).max(limits.register_bytes / 4 / wanted);
    let spilled = if rows * limits.element_bytes >= FULL_BYTES { SPILLED } else { 1.0 };
    let beside_chirps = BESIDE_CHIRPS[usize::from(is_alone)][usize::from(limits.element_bytes > WIDE_BYTES)];
    beside_chirps * BY_FEW[groups.clamp(1, BY_FEW.len()) - 1] * spilled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;
    use crate::device_info::DeviceInfo;

    fn limits(algebra: Algebra, registers: Option<usize>) -> Limits {
        Limits::of(&DeviceInfo { registers, ..crate::device::Device::cpu().info().clone() }, algebra)
    }

    #[test]
    fn odd_numbers_of_warps_leave_some_registers_idle() {
        let limits = limits(Algebra::ComplexF32, Some(1 << 16));
        let left = |count, group| left_by(count, group, &limits);
        assert_eq!([left(1, 128), left(2, 256), left(4, 256)], [MOST_REGISTERS, 128, 64]);
        // Nine warps are three in a part, as twelve are.
        assert_eq!([left(3, 96), left(4, 96), left(5, 96)], [168, 168, 128]);
    }

    #[test]
    fn threads_keep_what_they_want() {
        for (algebra, rows, group) in
            [(Algebra::ComplexF32, 13, 156), (Algebra::ComplexF32, 21, 63), (Algebra::ComplexF64, 14, 182)]
        {
            let limits = limits(algebra, Some(1 << 16));
            let count = count(rows, group, true, &limits).unwrap();
            assert!(left_by(count, group, &limits) >= rows * limits.element_bytes / 4 + 38, "{count}");
            assert!(left_by(count + 4, group, &limits) < rows * limits.element_bytes / 4 + 56, "{count}");
        }
        // Rows that fill the registers of two.
        assert_eq!(count(28, 1024, true, &limits(Algebra::ComplexF64, Some(1 << 16))), None);
        // Of devices that do not tell.
        assert_eq!(count(28, 1024, true, &limits(Algebra::ComplexF64, None)), Some(MOST_GROUPS));
    }
}
