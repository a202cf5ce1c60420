//! Every line is handed over once, wherever it lies, and nothing else is touched.

use super::*;

const UNTOUCHED: usize = usize::MAX;

/// Reverses all lines, on three threads.
fn check(lines: &Lines, in_place: bool) {
    let end = |stride: fn(&Dim) -> usize| {
        std::iter::once(&lines.dim).chain(&lines.batch).map(|d| (d.n - 1) * stride(d)).sum::<usize>() + 1
    };
    let x: Vec<usize> = (0..end(|d| d.input_stride)).collect();
    let mut found = if in_place { x.clone() } else { vec![UNTOUCHED; end(|d| d.output_stride)] };
    let mut expected = found.clone();
    let Dim { n, input_stride, output_stride } = lines.dim;
    for (input, output) in (0..lines.count()).map(|index| lines.origin(index)) {
        (0..n).for_each(|j| expected[output + j * output_stride] = x[input + (n - 1 - j) * input_stride]);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.install(|| {
        let source = if in_place { Source::Target } else { Source::Elements(&x[..]) };
        share(lines, source, &mut found, 0, &|task| {
            task.by_lines(0, &mut |place, source, lines| {
                if let Some(source) = source {
                    lines.copy_from_slice(source);
                }
                assert_eq!(lines[0], place, "each input is its own place");
                lines.chunks_mut(n).for_each(<[usize]>::reverse);
            });
        });
    });
    assert!(found == expected, "{lines:?}, in place: {in_place}");
}

fn both(dim: Dim, batch: &[Dim]) {
    let lines = Lines::new(dim, batch.to_vec());
    [false, true].into_iter().for_each(|in_place| check(&lines, in_place));
}

#[test]
fn lines_lie_anyhow() {
    // One after the other, with gaps, and a few long ones.
    both(Dim::new(8, 1), &[Dim::new(5000, 8)]);
    both(Dim::new(100, 1), &[Dim::new(300, 110)]);
    both(Dim::new(1 << 13, 1), &[Dim::new(4, 1 << 13)]);
    // Columns of a matrix, whole or not, of several, and in several dimensions.
    both(Dim::new(33, 1000), &[Dim::new(1000, 1)]);
    both(Dim::new(40, 700), &[Dim::new(650, 1)]);
    both(Dim::new(20, 50), &[Dim::new(30, 1000), Dim::new(50, 1)]);
    both(Dim::new(20, 600), &[Dim::new(20, 30), Dim::new(3, 12_000), Dim::new(29, 1)]);
    // Interleaved; one line with gaps; few short ones; lines of one element.
    both(Dim::new(64, 3), &[Dim::new(200, 200), Dim::new(3, 1)]);
    both(Dim::new(20_000, 2), &[]);
    both(Dim::new(5, 2), &[Dim::new(2, 1)]);
    both(Dim::new(1, 7), &[Dim::new(20_000, 1)]);
}

#[test]
fn input_and_output_lie_differently() {
    let dim = |n, input_stride, output_stride| Dim { n, input_stride, output_stride };
    let transposed = Lines::new(dim(150, 200, 1), vec![dim(200, 1, 150)]);
    let padded = Lines::new(dim(150, 1, 210), vec![dim(200, 150, 1)]);
    let swapped = Lines::new(dim(40, 1, 1), vec![dim(20, 40, 1200), dim(30, 800, 40)]);
    let repeated = Lines::new(dim(100, 1, 300), vec![dim(300, 0, 1)]);
    [transposed, padded, swapped, repeated].iter().for_each(|lines| check(lines, false));
}
