//! Encodes messages, one a column, loses half of every codeword, and has the messages back.
//!
//!     cargo run --release --example reed_solomon [DEVICE]

use std::error::Error;

use p3_commit::Encoder;
use p3_dft::Radix2DitParallel;
use p3_field::{PrimeCharacteristicRing, TwoAdicField};
use p3_koala_bear::KoalaBear;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use stockham::Device;
use stockham_plonky3::{ReedSolomon, StockhamDft};

const ROWS: usize = 256;
const COLUMNS: usize = 12;

fn run(device: Device) -> Result<(), Box<dyn Error>> {
    let dft = StockhamDft::<KoalaBear>::new(device);
    let encoder = ReedSolomon::from(dft.clone());
    let message = RowMajorMatrix::new((0..ROWS * COLUMNS).map(|i| KoalaBear::from_usize(i * i)).collect(), COLUMNS);
    let codeword = encoder.encode_batch(message.clone(), 1);
    if codeword != Radix2DitParallel::default().encode_batch(message.clone(), 1) {
        return Err("Plonky3 has another codeword".into());
    }
    // The odd rows are all that is left: values on a coset, which tell the message.
    let odd: Vec<KoalaBear> = codeword.rows().skip(1).step_by(2).flatten().collect();
    let shift = KoalaBear::two_adic_generator((2 * ROWS).ilog2() as usize);
    let back = dft.try_coset_idft_batch(RowMajorMatrix::new(odd, COLUMNS), shift)?;
    if back != message {
        return Err("the message is another one".into());
    }
    println!("{COLUMNS} messages of {ROWS} symbols came back on {}", dft.device().info().id);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().nth(1).map_or_else(Device::best, |name| Device::by_name(&name))?)
}

#[test]
fn messages_come_back_on_every_device() {
    for info in Device::list().found {
        run(Device::by_name(&info.id).unwrap()).unwrap();
    }
}
