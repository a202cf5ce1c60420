//! The real and imaginary parts of the roots of unity that are constants of codelets.

use super::double_double::DoubleDouble;
use super::ring::Root;
use super::scalar::Scalar;

/// The orders of root that codelets meet.
const SMALL: usize = 33;

/// Their cosines and sines, constants to the compiler too: on the host a root known where a codelet is compiled is an operand.
static TABLE: [[(DoubleDouble, DoubleDouble); SMALL]; SMALL] = {
    let mut table = [[DoubleDouble::ONE_TURN; SMALL]; SMALL];
    let mut n = 1;
    while n < SMALL {
        let mut k = 0;
        while k < n {
            table[n][k] = DoubleDouble::constant_cos_sin_turn(k, n);
            k += 1;
        }
        n += 1;
    }
    table
};

/// The forward root e^{-2πik/n} as (real, imaginary).
#[inline(always)]
pub(crate) fn root_parts(root: Root) -> (DoubleDouble, DoubleDouble) {
    let (k, n) = (root.exponent(), root.order());
    let (c, s) = if n < SMALL { TABLE[n][k] } else { DoubleDouble::cos_sin_turn(k, n) };
    (c, s.neg())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_roots_of_run_time() {
        for (n, row) in TABLE.iter().enumerate().skip(1) {
            for (k, (cosine, sine)) in row[..n].iter().enumerate() {
                let (c, s) = DoubleDouble::cos_sin_turn(k, n);
                for (constant, computed) in [(cosine, c), (sine, s)] {
                    assert!(constant.sub(&computed).to_f64().abs() < 1e-31, "ω_{n}^{k}");
                    let rounded = (computed.to_f64(), computed.to_f32());
                    assert_eq!((constant.to_f64(), constant.to_f32()), rounded, "ω_{n}^{k}");
                }
            }
        }
    }
}
