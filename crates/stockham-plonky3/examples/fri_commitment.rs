//! Commits to the trace of a computation with FRI, opens the commitment at a point outside, and verifies the proof: all of it
//! Plonky3's, but for the transforms, which a device of stockham's makes. The commitment and the proof are those that
//! Plonky3's own transforms lead to.
//!
//!     cargo run --release --example fri_commitment [LOG_ROWS] [COLUMNS] [DEVICE]

use std::error::Error;
use std::time::Instant;

use p3_baby_bear::{BabyBear, Poseidon2BabyBear};
use p3_challenger::{CanObserve, DuplexChallenger, FieldChallenger};
use p3_commit::{ExtensionMmcs, Pcs};
use p3_dft::{Radix2DitParallel, TwoAdicSubgroupDft};
use p3_field::extension::BinomialExtensionField;
use p3_field::{Field, PrimeCharacteristicRing};
use p3_fri::{FriParameters, TwoAdicFriPcs};
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{PaddingFreeSponge, TruncatedPermutation};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use stockham::Device;
use stockham_plonky3::StockhamDft;

type Value = BabyBear;
type Challenge = BinomialExtensionField<Value, 4>;
type Permutation = Poseidon2BabyBear<16>;
type Hash = PaddingFreeSponge<Permutation, 16, 8, 8>;
type Compression = TruncatedPermutation<Permutation, 2, 8, 16>;
type Packing = <Value as Field>::Packing;
type Tree = MerkleTreeMmcs<Packing, Packing, Hash, Compression, 2, 8>;
type Transcript = DuplexChallenger<Value, Permutation, 16, 8>;
type Fri<Dft> = TwoAdicFriPcs<Value, Dft, Tree, ExtensionMmcs<Value, Challenge, Tree>>;

/// What follows from a trace: the commitment, its values at the point that the transcript names, the proof, as texts; and the
/// seconds until the commitment.
struct Opening {
    commitment: String,
    values: Vec<Challenge>,
    proof: String,
    seconds: f64,
}

/// Commits with transforms of any kind, opens and verifies.
fn prove<Dft: TwoAdicSubgroupDft<Value>>(dft: Dft, trace: &RowMajorMatrix<Value>) -> Result<Opening, Box<dyn Error>> {
    let permutation = Permutation::new_from_rng_128(&mut SmallRng::seed_from_u64(1));
    let tree = Tree::new(Hash::new(permutation.clone()), Compression::new(permutation.clone()), 0);
    let parameters = FriParameters {
        log_blowup: 1,
        num_queries: 40,
        // Threads look for a proof of work together, and find one or another.
        query_proof_of_work_bits: 0,
        ..FriParameters::new_benchmark(ExtensionMmcs::new(tree.clone()))
    };
    let fri = Fri::new(dft, tree, parameters);
    let transcript = Transcript::new(permutation);
    let words = |error: &dyn std::fmt::Debug| format!("{error:?}");

    let domain = <Fri<Dft> as Pcs<Challenge, Transcript>>::natural_domain_for_degree(&fri, trace.height());
    let evaluations = [(domain, trace.clone())];
    let start = Instant::now();
    let (commitment, data) =
        <Fri<Dft> as Pcs<Challenge, Transcript>>::commit(&fri, evaluations).map_err(|error| words(&error))?;
    let seconds = start.elapsed().as_secs_f64();

    let mut prover = transcript.clone();
    prover.observe(commitment.clone());
    let point: Challenge = prover.sample_algebra_element();
    let (values, proof) =
        fri.open(vec![(&data, vec![vec![point]]).into()], &mut prover).map_err(|error| words(&error))?;
    let values = values[0][0][0].clone();

    // The verifier draws the same point, and believes no other values.
    let verify = |values: Vec<Challenge>| {
        let mut verifier = transcript.clone();
        verifier.observe(commitment.clone());
        let point: Challenge = verifier.sample_algebra_element();
        fri.verify(vec![(commitment.clone(), vec![(domain, vec![(point, values)])]).into()], &proof, &mut verifier)
    };
    verify(values.clone()).map_err(|error| words(&error))?;
    let mut wrong = values.clone();
    wrong[0] += Challenge::ONE;
    if verify(wrong).is_ok() {
        return Err("a wrong value was verified".into());
    }
    // The values are those of the polynomials through the trace.
    let coefficients = Radix2DitParallel::default().idft_batch(trace.clone());
    for (column, &value) in values.iter().enumerate() {
        let of_column = coefficients.values.iter().skip(column).step_by(trace.width());
        if of_column.rev().fold(Challenge::ZERO, |sum, &coefficient| sum * point + coefficient) != value {
            return Err(format!("column {column} has another value at the point").into());
        }
    }
    Ok(Opening {
        commitment: serde_json::to_string(&commitment)?,
        values,
        proof: serde_json::to_string(&proof)?,
        seconds,
    })
}

/// Runs of x ← x² + y, y ← x, from a start for each pair of columns.
fn trace(log_rows: usize, columns: usize) -> RowMajorMatrix<Value> {
    let mut row: Vec<Value> = (0..columns).map(Value::from_usize).collect();
    let mut values = Vec::with_capacity(columns << log_rows);
    for _ in 0..1usize << log_rows {
        values.extend(&row);
        for pair in row.chunks_exact_mut(2) {
            (pair[0], pair[1]) = (pair[0].square() + pair[1], pair[0]);
        }
    }
    RowMajorMatrix::new(values, columns)
}

fn compare(trace: &RowMajorMatrix<Value>, device: Device) -> Result<(), Box<dyn Error>> {
    let dft = StockhamDft::new(device);
    // What is planned is planned once.
    drop(dft.coset_lde_batch(trace.clone(), 1, Value::GENERATOR));
    let ours = prove(dft.clone(), trace)?;
    let theirs = prove(Radix2DitParallel::default(), trace)?;
    if (&ours.commitment, &ours.values, &ours.proof) != (&theirs.commitment, &theirs.values, &theirs.proof) {
        return Err("the proofs differ".into());
    }
    let id = &dft.device().info().id;
    println!(
        "{} rows of {} columns: the proof is verified, and the same. Committed in {:.3} s on {id}, in {:.3} s by Plonky3",
        trace.height(),
        trace.width(),
        ours.seconds,
        theirs.seconds
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: usize| arguments.get(place).map_or(Ok(otherwise), |text| text.parse());
    let device = arguments.get(2).map_or_else(Device::best, |name| Device::by_name(name))?;
    compare(&trace(number(0, 14)?, number(1, 64)?), device)
}

#[test]
fn proofs_are_the_same_on_every_device() {
    for info in Device::list().found {
        compare(&trace(7, 10), Device::by_name(&info.id).unwrap()).unwrap();
    }
}
