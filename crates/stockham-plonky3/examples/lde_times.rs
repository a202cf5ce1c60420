//! Times of a low-degree extension from host memory to host memory, by this crate and by Plonky3 on all threads of the machine.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo run --release -p stockham-plonky3 --example lde_times -- [DEVICE [LOG_ROWS [COLUMNS [ADDED_BITS]]]]`.
//! Both are checked against each other. Without arguments it is short.

use std::time::Instant;

use p3_baby_bear::BabyBear;
use p3_dft::{Radix2DitParallel, TwoAdicSubgroupDft};
use p3_field::Field;
use p3_matrix::Matrix;
use p3_matrix::bitrev::BitReversibleMatrix;
use p3_matrix::dense::RowMajorMatrix;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use stockham::Device;
use stockham_plonky3::StockhamDft;

/// Runs that are timed, of which the median counts.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let device = arguments.first().map_or_else(Device::best, |name| Device::by_name(name))?;
    let number = |i: usize, otherwise: usize| arguments.get(i).map_or(Ok(otherwise), |text| text.parse());
    let (log_rows, columns, added_bits) = (number(1, 8)?, number(2, 16)?, number(3, 1)?);
    let mat = RowMajorMatrix::<BabyBear>::rand(&mut SmallRng::seed_from_u64(1), 1 << log_rows, columns);
    println!("{} rows, {columns} columns, {} times as many rows", mat.height(), 1 << added_bits);
    let id = device.info().id.clone();
    let (ours, our_ms) = timed(&StockhamDft::new(device), &mat, added_bits);
    let (theirs, their_ms) = timed(&Radix2DitParallel::default(), &mat, added_bits);
    assert!(ours == theirs, "they differ");
    println!("stockham on {id} {our_ms:.1} ms, p3-dft {their_ms:.1} ms: {:.2} times as long", their_ms / our_ms);
    Ok(())
}

/// The extension on the coset of the field's generator, in the order in which it is committed to, and the milliseconds it takes.
fn timed<D: TwoAdicSubgroupDft<BabyBear>>(
    dft: &D,
    mat: &RowMajorMatrix<BabyBear>,
    added_bits: usize,
) -> (RowMajorMatrix<BabyBear>, f64)
where
    D::Evaluations: BitReversibleMatrix<BabyBear>,
{
    let (mut times, mut last) = (Vec::new(), None);
    // The first makes what later ones keep.
    for _ in 0..=RUNS {
        let given = mat.clone();
        let start = Instant::now();
        let rows = dft.coset_lde_batch(given, added_bits, BabyBear::GENERATOR).bit_reverse_rows();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        last = Some(rows.to_row_major_matrix());
    }
    times.remove(0);
    times.sort_by(f64::total_cmp);
    (last.expect("a run"), times[RUNS / 2])
}
