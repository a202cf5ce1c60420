//! Exact products of huge integers.
//!
//! A number stays in the base it is written in: its digits are grouped into limbs, the limbs are the coefficients of a
//! polynomial over the Goldilocks field, and the [carries](crate::algebra::limbs) of the product's coefficients make
//! limbs again. So reading and writing take linear time, and only transforms take n log n. Transforms, products and
//! carries all run on the device.

mod limb;
mod number;
mod product;
mod separators;
#[cfg(test)]
mod tests;
mod text;

pub use number::{Base, Integer};
pub use product::{Multiplication, Times};

use crate::device::Device;
use crate::error::{Error, Result};

/// The product of two integers written in the same base.
///
/// ```
/// use stockham::Device;
/// use stockham::integer::{Integer, multiply};
/// let a: Integer = "-99999999999999999999".parse()?;
/// let c = multiply(&Device::cpu(), &a, &a)?;
/// assert_eq!(c.to_string(), "9999999999999999999800000000000000000001");
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Bases`] if the bases differ; as [`Multiplication::plan`] and [`Multiplication::run`].
pub fn multiply(device: &Device, a: &Integer, b: &Integer) -> Result<Integer> {
    if a.base() != b.base() {
        return Err(Error::Bases { first: a.base().name(), second: b.base().name() });
    }
    if a.is_zero() || b.is_zero() {
        return Ok(Integer::zero(a.base()));
    }
    // A square needs one transform less. Comparing takes linear time, and seldom all of it.
    let factor = (a.digits() != b.digits()).then_some(b);
    let mut multiplication =
        Multiplication::plan(device, a.base(), a.digits().len(), factor.map(|b| b.digits().len()))?;
    multiplication.load(a, factor)?;
    multiplication.run()?;
    let product = multiplication.product()?;
    Ok(if a.is_negative() == b.is_negative() { product } else { product.negated() })
}
