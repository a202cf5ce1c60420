//! Which batches of short lines are transformed side by side, as lanes of vectors.

use bytemuck::Pod;

use crate::plan::host;
use crate::transform::{Kind, Transform};

use super::factor::{self, Real};
use super::lanes::{Block, ColumnLine, Course};
use super::lines::Lines;

/// Of lines whose elements are neighbours, if they are short and many enough, and the processor has vectors.
pub(super) fn lines<F: Real, I: Pod, O: Pod>(transform: &Transform) -> Option<Box<dyn Block<I, O>>> {
    let dim = transform.dims[0];
    let are_contiguous = (dim.input_stride, dim.output_stride) == (1, 1);
    let radices = host::block_radices(transform).filter(|_| are_contiguous)?;
    F::block(course(transform, &radices))
}

/// Of cosine and sine transforms of a matrix's columns.
pub(super) fn real_columns<F: Real>(transform: &Transform, lines: &Lines) -> Option<Box<dyn ColumnLine<F>>> {
    let radices = host::block_radices(transform).filter(|_| lines.are_columns())?;
    F::real_columns(course(transform, &radices))
}

fn course<'a, F: Real>(transform: &Transform, radices: &'a [usize]) -> Course<'a, F> {
    let n = transform.points();
    let kind = match transform.trig() {
        Some((false, of)) => Kind::Cosine(of),
        Some((true, of)) => Kind::Sine(of),
        None => transform.kind,
    };
    Course {
        kind,
        n,
        direction: transform.direction,
        orthogonal: transform.orthogonalize,
        radices,
        factor: factor::complex(transform.scale(), n),
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::Direction;
    use crate::transform::TrigType;
    use crate::{Complex64, Data, Device, Fft, Normalization, TransformBuilder};

    /// A number of a batch that does not fill vectors beside those of the same line alone, which goes another way.
    fn check<I: Data, O: Data>(
        builder: &TransformBuilder,
        line: usize,
        value: impl Fn(usize) -> I,
        size: impl Fn(&O, Option<&O>) -> f64,
    ) {
        let device = Device::cpu();
        let alone = builder.plan(&device).unwrap();
        let out = alone.transform().output_len();
        for batch in [3, 9, 37] {
            let x: Vec<I> = (0..batch * line).map(&value).collect();
            let plan = builder.clone().batch(batch).plan(&device).unwrap();
            let mut found = device.alloc::<O>(batch * out).unwrap();
            plan.run(&device.upload(&x).unwrap(), &mut found).unwrap();
            let found = found.to_vec().unwrap();
            for (x, found) in x.chunks(line).zip(found.chunks(out)) {
                let mut expected = device.alloc::<O>(out).unwrap();
                alone.run(&device.upload(x).unwrap(), &mut expected).unwrap();
                let expected = expected.to_vec().unwrap();
                let all: f64 = expected.iter().map(|x| size(x, None)).sum();
                let off: f64 = expected.iter().zip(found).map(|(x, y)| size(x, Some(y))).sum();
                assert!(off <= 1e-29 * all, "{batch} lines, {builder:?}: {off} of {all}");
            }
        }
    }

    fn number(i: usize) -> f64 {
        (i * i % 1009) as f64 - 500.0
    }

    #[test]
    fn lines_side_by_side_are_lines_alone() {
        let real = |x: &f64, y: Option<&f64>| (x - y.unwrap_or(&0.0)).powi(2);
        let complex = |x: &Complex64, y: Option<&Complex64>| (x - y.unwrap_or(&Complex64::default())).norm_sqr();
        let pair = |i| Complex64::new(number(i), number(i + 7));
        for n in [2, 3, 4, 6, 7, 12, 30, 36, 62, 77, 100, 128, 400, 1000] {
            for direction in [Direction::Forward, Direction::Inverse] {
                let scaled =
                    |builder: TransformBuilder| builder.direction(direction).normalization(Normalization::Ortho);
                check(&scaled(Fft::complex::<f64>([n])), n, pair, complex);
                match direction {
                    Direction::Forward => check(&scaled(Fft::real::<f64>([n])), n, number, complex),
                    Direction::Inverse => check(&scaled(Fft::real::<f64>([n])), n / 2 + 1, pair, real),
                }
                for of in [TrigType::II, TrigType::III] {
                    for orthogonal in [false, true] {
                        for builder in [Fft::cosine::<f64>(of, [n]), Fft::sine::<f64>(of, [n])] {
                            check(&scaled(builder.orthogonalize(orthogonal)), n, number, real);
                        }
                    }
                }
            }
        }
    }

    /// Of every count, so that blocks have every number of vectors, and vectors that are not full.
    #[test]
    fn columns_are_lines() {
        let device = Device::cpu();
        for (n, most) in [(8, 70), (30, 70), (400, 41)] {
            for (columns, of) in (1..=most).flat_map(|columns| [(columns, TrigType::II), (columns, TrigType::III)]) {
                for builder in [Fft::cosine::<f64> as fn(_, [usize; 2]) -> _, Fft::sine::<f64>] {
                    let transposed = |x: &[f64], rows: usize| -> Vec<f64> {
                        let columns = x.len() / rows;
                        (0..x.len()).map(|i| x[i % rows * columns + i / rows]).collect()
                    };
                    let x: Vec<f64> = (0..n * columns).map(number).collect();
                    let (mut found, mut expected) = (vec![0.0; x.len()], vec![0.0; x.len()]);
                    builder(of, [n, columns]).axes([0]).plan(&device).unwrap().run_host(&x, &mut found).unwrap();
                    let lines = builder(of, [columns, n]).axes([1]).plan(&device).unwrap();
                    lines.run_host(&transposed(&x, n), &mut expected).unwrap();
                    let all: f64 = expected.iter().map(|x| x * x).sum();
                    let off: f64 = transposed(&found, n).iter().zip(&expected).map(|(x, y)| (x - y).powi(2)).sum();
                    assert!(off <= 1e-29 * all, "{n} by {columns}, {of:?}: {off} of {all}");
                }
            }
        }
    }
}
