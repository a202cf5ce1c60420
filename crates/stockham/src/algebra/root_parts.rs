//! The real and imaginary parts of the roots of unity that are constants of codelets.

use std::sync::LazyLock;

use super::double_double::DoubleDouble;
use super::ring::Root;
use super::scalar::Scalar;

/// The orders of root that codelets meet; their roots are computed once.
const SMALL: usize = 33;

/// The forward root e^{-2πik/n} as (real, imaginary).
pub(crate) fn root_parts(root: Root) -> (DoubleDouble, DoubleDouble) {
    static TABLE: LazyLock<Vec<(DoubleDouble, DoubleDouble)>> = LazyLock::new(|| {
        let pairs = (0..SMALL).flat_map(|n| (0..SMALL).map(move |k| (k, n.max(1))));
        pairs.map(|(k, n)| DoubleDouble::cos_sin_turn(k, n)).collect()
    });
    let (k, n) = (root.exponent(), root.order());
    let (c, s) = if n < SMALL { TABLE[n * SMALL + k] } else { DoubleDouble::cos_sin_turn(k, n) };
    (c, s.neg())
}
