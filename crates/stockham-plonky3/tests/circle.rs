//! The circle FFT of random matrices on every device of this machine, or on the one that `STOCKHAM_TEST_DEVICE` names, against
//! Plonky3's own. `STOCKHAM_CASES` says how many on the CPU, and `STOCKHAM_DEVICE_CASES` on others.

mod support;

use p3_circle::{CircleDomain, CircleEvaluations};
use p3_field::PrimeField32;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_mersenne_31::Mersenne31;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use stockham::circle::{CircleGenerator, CircleOrder, CircleTransform};
use stockham::{Device, Dim, Transform};
use support::{cases, devices};

const PRIME: u32 = (1 << 31) - 1;

fn words(matrix: impl Matrix<Mersenne31>) -> Vec<u32> {
    matrix.to_row_major_matrix().values.iter().map(|x| x.as_canonical_u32()).collect()
}

/// The transform of each column; some zeros come as p.
fn columns(device: &Device, transform: Transform, [rows, width]: [usize; 2], words: &[u32]) -> Vec<u32> {
    let transform = transform.with_dims([Dim::new(rows, width)]).with_batch([Dim::new(width, 1)]);
    let zero = |(i, &word): (usize, &u32)| if word == 0 && i.is_multiple_of(2) { PRIME } else { word };
    let input: Vec<u32> = words.iter().enumerate().map(zero).collect();
    let mut output = device.alloc::<u32>(input.len()).unwrap();
    device.plan(&transform).unwrap().run(&device.upload(&input).unwrap(), &mut output).unwrap();
    output.to_vec().unwrap()
}

#[test]
fn values_and_coefficients() {
    for device in devices() {
        for case in 0..cases(&device) {
            let mut rng = SmallRng::seed_from_u64(5 << 32 | case as u64);
            let log_rows = rng.random_range(1..=if case.is_multiple_of(8) { 15 } else { 10 });
            let [rows, width] = [1 << log_rows, rng.random_range(1..=if log_rows > 10 { 3 } else { 40 })];
            let edges = [0, 1, PRIME - 1, PRIME / 2, PRIME / 2 + 1];
            let word = |i: usize, random: u32| if i.is_multiple_of(3) { edges[i / 3 % 5] } else { random };
            let coefficients: Vec<u32> = (0..rows * width).map(|i| word(i, rng.random_range(0..PRIME))).collect();
            let matrix = RowMajorMatrix::new(coefficients.iter().map(|&x| Mersenne31::new(x)).collect(), width);
            let theirs = CircleEvaluations::evaluate(CircleDomain::standard(log_rows), matrix);
            let values = words(theirs.clone().to_cfft_order());
            let circle = Transform::circle(rows, CircleGenerator::Plonky3).unwrap();
            let what = format!("case {case}: {rows} × {width} on {}", device.info().id);
            assert!(columns(&device, circle.clone(), [rows, width], &coefficients) == values, "{what}");
            assert!(columns(&device, circle.inverse(), [rows, width], &values) == coefficients, "back, {what}");
            if width == 1 {
                let host = CircleTransform::new(rows, CircleGenerator::Plonky3, CircleOrder::Natural).unwrap();
                let mut line = coefficients.clone();
                host.evaluate(&mut line).unwrap();
                assert!(line == words(theirs.to_natural_order()), "in natural order, {what}");
                host.interpolate(&mut line).unwrap();
                assert!(line == coefficients, "back, {what}");
            }
        }
    }
}
