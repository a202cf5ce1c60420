//! Reed–Solomon codes.

use p3_baby_bear::BabyBear;
use p3_commit::Encoder;
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use stockham::Device;

use crate::dft::or_panic;
use crate::{DeviceField, StockhamDft};

/// Plonky3's [`Encoder`] of Reed–Solomon codes over the subgroup. Every DFT is one, and pads messages on the host; this one
/// sends the messages as they are, and the zeros are nowhere in memory.
///
/// It panics where [`StockhamDft`] does.
#[derive(Debug, Clone)]
pub struct ReedSolomon<F> {
    dft: StockhamDft<F>,
}

impl<F: DeviceField> ReedSolomon<F> {
    /// On a device.
    pub fn new(device: Device) -> Self {
        Self { dft: StockhamDft::new(device) }
    }
}

impl<F: DeviceField> From<StockhamDft<F>> for ReedSolomon<F> {
    /// With that one's device and plans.
    fn from(dft: StockhamDft<F>) -> Self {
        Self { dft }
    }
}

impl<F: DeviceField> ReedSolomon<F> {
    fn encode(&self, message: RowMajorMatrix<F>, log_inv_rate: usize) -> RowMajorMatrix<F> {
        or_panic(self.dft.device(), self.dft.try_encode_batch(message, log_inv_rate))
    }

    /// Only the first rows are looked at.
    fn encode_padded(&self, mut message: RowMajorMatrix<F>, log_inv_rate: usize) -> RowMajorMatrix<F> {
        let rate = u32::try_from(log_inv_rate).ok().and_then(|bits| 1usize.checked_shl(bits));
        let Some(rate) = rate.filter(|&rate| message.height().is_multiple_of(rate)) else {
            panic!("a padded message has {} rows, where the rate is 1/2^{log_inv_rate}", message.height());
        };
        message.values.truncate(message.values.len() / rate);
        self.encode(message, log_inv_rate)
    }
}

macro_rules! encoder {
    ($($field:ty),*) => {$(
        impl Encoder<$field> for ReedSolomon<$field> {
            fn encode_batch(&self, message: RowMajorMatrix<$field>, log_inv_rate: usize) -> RowMajorMatrix<$field> {
                self.encode(message, log_inv_rate)
            }

            fn encode_batch_padded(
                &self,
                message: RowMajorMatrix<$field>,
                log_inv_rate: usize,
            ) -> RowMajorMatrix<$field> {
                self.encode_padded(message, log_inv_rate)
            }
        }
    )*};
}

// One by one: an implementation for all fields would overlap with that for all DFTs.
encoder!(BabyBear, KoalaBear, Goldilocks);
