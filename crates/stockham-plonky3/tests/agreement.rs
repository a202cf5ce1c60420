//! Random matrices, shifts and extensions on every device of this machine, or on the one that `STOCKHAM_TEST_DEVICE` names, against
//! Plonky3's own transforms. `STOCKHAM_CASES` says how many for each field on the CPU, and `STOCKHAM_DEVICE_CASES` on others,
//! which compile kernels for most of them.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};

use p3_baby_bear::BabyBear;
use p3_commit::Encoder;
use p3_dft::{Layout, NaiveDft, Radix2DitParallel, TwoAdicSubgroupDft};
use p3_field::extension::BinomialExtensionField;
use p3_field::{BasedVectorSpace, PrimeCharacteristicRing};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_matrix::Matrix;
use p3_matrix::bitrev::BitReversibleMatrix;
use p3_matrix::dense::RowMajorMatrix;
use rand::distr::{Distribution, StandardUniform};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use stockham::{Device, Error};
use stockham_plonky3::{DeviceField, ReedSolomon, StockhamDft};
use support::{cases, devices};

/// Of so many points at most, with all logarithms up to that as likely.
fn matrix<F: DeviceField>(rng: &mut SmallRng, most: u32) -> RowMajorMatrix<F>
where
    StandardUniform: Distribution<F>,
{
    let height = 1 << rng.random_range(0..=most);
    let width = match rng.random_range(0..4) {
        0 => 1,
        1 => 1 << rng.random_range(0..7),
        _ => rng.random_range(1..40),
    };
    let mut mat = RowMajorMatrix::rand(rng, height, width);
    // Every ninth is at an edge.
    let edges = [F::ZERO, F::ONE, F::NEG_ONE];
    for (i, x) in mat.values.iter_mut().step_by(9).enumerate() {
        *x = edges[i % 3];
    }
    mat
}

fn agreement<F: DeviceField>(seed: u64)
where
    StandardUniform: Distribution<F>,
    ReedSolomon<F>: Encoder<F>,
{
    for device in devices() {
        let (ours, theirs) = (StockhamDft::<F>::new(device.clone()), Radix2DitParallel::<F>::default());
        let encoder = ReedSolomon::from(ours.clone());
        for case in 0..cases(&device) {
            let mut rng = SmallRng::seed_from_u64(seed << 32 | case as u64);
            let most = if rng.random_range(0..8) == 0 { 13 } else { 9 };
            let mat = matrix::<F>(&mut rng, most);
            let shift = [F::ONE, F::GENERATOR, F::GENERATOR.inverse(), rng.random(), rng.random()][case % 5];
            let shift = if shift == F::ZERO { F::TWO } else { shift };
            let added_bits = rng.random_range(0..=4);
            let what = rng.random_range(0..6);
            let id = &device.info().id;
            let words =
                format!("case {case} on {id}: operation {what}, {:?}, added {added_bits}, {shift}", mat.dimensions());
            match what {
                0 if mat.height() <= 64 => {
                    assert_eq!(ours.dft_batch(mat.clone()).to_row_major_matrix(), NaiveDft.dft_batch(mat), "{words}");
                }
                0 | 1 => {
                    let (ours, theirs) = (ours.coset_dft_batch(mat.clone(), shift), theirs.coset_dft_batch(mat, shift));
                    // In natural order, and as it lies.
                    assert_eq!(ours.inner, theirs.inner, "{words}");
                    assert_eq!(ours.to_row_major_matrix(), theirs.to_row_major_matrix(), "{words}");
                }
                2 => assert_eq!(
                    ours.coset_idft_batch(mat.clone(), shift),
                    theirs.coset_idft_batch(mat, shift),
                    "{words}"
                ),
                3 => {
                    let there = ours.coset_lde_batch(mat.clone(), added_bits, shift);
                    let expected = theirs.coset_lde_batch(mat, added_bits, shift);
                    let (there, expected) = (there.bit_reverse_rows(), expected.bit_reverse_rows());
                    assert_eq!(there.to_row_major_matrix(), expected.to_row_major_matrix(), "{words}");
                }
                4 => {
                    // The closure of each sees coefficients in an order that it is told.
                    let there = ours.coset_lde_batch_with_transform(mat.clone(), added_bits, shift, |rows, layout| {
                        assert_eq!(layout, Layout::Natural);
                        rows.values.iter_mut().for_each(|x| *x = x.square());
                    });
                    let expected = theirs.coset_lde_batch_with_transform(mat, added_bits, shift, |rows, _| {
                        rows.values.iter_mut().for_each(|x| *x = x.square());
                    });
                    assert_eq!(there.to_row_major_matrix(), expected.to_row_major_matrix(), "{words}");
                }
                _ => {
                    let mut padded = mat.clone();
                    padded.values.resize(mat.values.len() << added_bits, F::ZERO);
                    let expected = theirs.dft_batch(padded.clone()).to_row_major_matrix();
                    assert_eq!(encoder.encode_batch(mat, added_bits), expected, "{words}");
                    assert_eq!(encoder.encode_batch_padded(padded, added_bits), expected, "{words}");
                }
            }
        }
    }
}

#[test]
fn over_babybear() {
    agreement::<BabyBear>(1);
}

#[test]
fn over_koalabear() {
    agreement::<KoalaBear>(2);
}

#[test]
fn over_goldilocks() {
    agreement::<Goldilocks>(3);
}

/// The trait's own methods that stand on these.
#[test]
fn vectors_and_extension_fields() {
    type Extension = BinomialExtensionField<BabyBear, 4>;
    let mut rng = SmallRng::seed_from_u64(4);
    let column: Vec<BabyBear> = (0..32).map(|_| rng.random()).collect();
    let extension: Vec<Extension> =
        column.chunks(4).map(|x| Extension::from_basis_coefficients_slice(x).unwrap()).collect();
    let theirs = Radix2DitParallel::<BabyBear>::default();
    for device in devices() {
        let ours = StockhamDft::new(device);
        assert_eq!(ours.dft(column.clone()), theirs.dft(column.clone()));
        assert_eq!(ours.idft(column.clone()), theirs.idft(column.clone()));
        assert_eq!(ours.lde(column.clone(), 2), theirs.lde(column.clone(), 2));
        assert_eq!(ours.dft_algebra(extension.clone()), theirs.dft_algebra(extension.clone()));
        assert_eq!(ours.clone().idft_algebra(ours.dft_algebra(extension.clone())), extension);
    }
}

/// Words of Goldilocks from p on are elements as well.
#[test]
fn elements_of_two_words() {
    let one_more = Goldilocks::new(0xffff_ffff_0000_0002);
    for device in devices() {
        let values = StockhamDft::new(device).dft(vec![one_more, Goldilocks::ZERO]);
        assert_eq!(values, [Goldilocks::ONE; 2]);
    }
}

#[test]
fn what_cannot_be_is_an_error_or_a_panic_with_its_words() {
    let dft = StockhamDft::<BabyBear>::new(Device::cpu());
    let of = |rows: usize, columns: usize| RowMajorMatrix::new(vec![BabyBear::ONE; rows * columns], columns);
    let invalid = |result: stockham::Result<_>| matches!(result.map(drop), Err(Error::InvalidTransform(_)));
    assert!(invalid(dft.try_coset_dft_batch(of(6, 2), BabyBear::ONE)));
    assert!(invalid(dft.try_coset_dft_batch(of(0, 3), BabyBear::ONE)));
    assert!(invalid(dft.try_coset_dft_batch(RowMajorMatrix::new(Vec::new(), 0), BabyBear::ONE)));
    assert!(invalid(dft.try_coset_dft_batch(of(4, 2), BabyBear::ZERO)));
    assert!(invalid(dft.try_coset_lde_batch(of(4, 2), usize::MAX, BabyBear::ONE)));
    // The field has roots of unity of order 2^27.
    let error = dft.try_coset_lde_batch(of(4, 2), 26, BabyBear::ONE).unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    let panic = catch_unwind(AssertUnwindSafe(|| dft.dft_batch(of(6, 2)))).unwrap_err();
    let words = panic.downcast_ref::<String>().unwrap();
    assert!(words.contains("cpu") && words.contains("6 rows"), "{words}");
}
