//! Arrays in and out of larger ones, row by row.

use super::Sample;
use super::axis::Axis;

/// Calls `row` with the index of every row of a shape, whose last dimension is along it.
fn rows(shape: &[usize], mut row: impl FnMut(&[usize])) {
    let across = &shape[..shape.len() - 1];
    let mut index = vec![0; across.len()];
    for number in 0..across.iter().product() {
        let mut rest = number;
        for (i, n) in index.iter_mut().zip(across).rev() {
            (*i, rest) = (rest % n, rest / n);
        }
        row(&index);
    }
}

fn shape(axes: &[Axis], of: impl Fn(&Axis) -> usize) -> Vec<usize> {
    axes.iter().map(of).collect()
}

/// Where a row begins in an array of these lengths.
fn begin(axes: &[Axis], length: impl Fn(&Axis) -> usize, index: impl IntoIterator<Item = usize>) -> usize {
    let row = axes.iter().zip(index).fold(0, |row, (axis, i)| row * length(axis) + i);
    row * axes.last().map_or(1, length)
}

/// Puts an input, as far as it goes on, to the beginning of a transform's points, and zeros behind it.
pub fn spread<T: Sample>(axes: &[Axis], input: &[T], points: &mut [T]) {
    points.fill(T::zeroed());
    let Some(last) = axes.last() else { return };
    rows(&shape(axes, |axis| axis.extended), |index| {
        let wrapped = index.iter().zip(axes).map(|(i, axis)| (i + axis.phase) % axis.input);
        let source = &input[begin(axes, |axis| axis.input, wrapped)..][..last.input];
        let target = &mut points[begin(axes, |axis| axis.fft, index.iter().copied())..][..last.extended];
        let mut filled = 0;
        while filled < target.len() {
            let from = (filled + last.phase) % last.input;
            let count = (last.input - from).min(target.len() - filled);
            target[filled..filled + count].copy_from_slice(&source[from..from + count]);
            filled += count;
        }
    });
}

/// Puts a kernel to its place.
pub fn place<T: Sample>(axes: &[Axis], kernel: impl Iterator<Item = T>, points: &mut [T]) {
    let mut kernel = kernel;
    let Some(last) = axes.last() else { return };
    // What sums lost by rounding, where there are sums (W. Kahan, "Further remarks on reducing truncation errors", 1965).
    let mut lost = vec![T::zeroed(); points.len()];
    rows(&shape(axes, |axis| axis.kernel), |index| {
        let start = begin(axes, |axis| axis.fft, index.iter().zip(axes).map(|(i, axis)| axis.place(*i)));
        for (i, x) in kernel.by_ref().take(last.kernel).enumerate() {
            // A kernel that is longer than the period meets itself.
            let at = start + last.place(i);
            let (before, x) = (points[at], x.plus(lost[at].times(-1.0)));
            points[at] = before.plus(x);
            lost[at] = points[at].plus(before.times(-1.0)).plus(x.times(-1.0));
        }
    });
}

/// Takes the outputs from the beginning of a transform's points.
pub fn gather<T: Sample>(axes: &[Axis], points: &[T], output: &mut [T]) {
    let Some(last) = axes.last() else { return };
    let mut targets = output.chunks_exact_mut(last.output);
    rows(&shape(axes, |axis| axis.output), |index| {
        let source = &points[begin(axes, |axis| axis.fft, index.iter().copied())..];
        targets.next().into_iter().for_each(|target| target.copy_from_slice(&source[..last.output]));
    });
}
