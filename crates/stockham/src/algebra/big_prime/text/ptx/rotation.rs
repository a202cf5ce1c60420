//! Rotations: products with powers of r that a thread computes.
//!
//! The digits that go over the top come back negated. A negated digit y stands there as its complement r − 1 − y, which
//! needs no borrow from its neighbour, and what is missing adds up to a one at two places:
//!
//! − Σ_{i<m} y_i r^i  =  Σ_{i<m} (r − 1 − y_i) r^i + 1 − r^m
//!
//! as a number in two's complement is negated. Digit m of the result is digit 0 of x, wherever it comes to stand: so x − 1
//! is rotated. The other one is left to the sums that follow, which take it for a carry: a rotation comes out one less
//! (L. M. Leibowitz, "A simplified binary arithmetic for the Fermat number transform", 1976, has all numbers one less).
//!
//! Digit 0 of x may be 0 and has nothing to give then. If x is zero, that is left in digit 0 as a −1, which meets the
//! missing one there; another such x is rare.

use std::fmt::Write;

use super::Writer;
use crate::algebra::ptx::{Block, constant};

const STRING: &str = "writing to a string does not fail";

impl Writer {
    /// x r^s − 1 for a number s below 2k that a thread computes: the digits go around by each bit of s.
    pub(super) fn rotate(&self) -> String {
        let k = self.k;
        let mut text = self.complement();
        text.push_str("\nFUNCTION big fast_bp_rotate(big x, u32 s, u32 *rare) {\n    big y = x, z;\n");
        let any = (0..k).map(|i| format!("x.d[{i}]")).collect::<Vec<_>>().join(" | ");
        write!(
            text,
            "    if (x.d[0] == 0) {{\n        if (({any}) == 0) s = 0;\n        else *rare = 1;\n    }}\n    y.d[0] -= 1;\n"
        )
        .expect(STRING);
        for bit in 0..=k.ilog2() {
            let step = 1 << bit;
            for i in 0..k {
                let from = (i + k - step) % k;
                let moved = if i < step { format!("bp_complement(y.d[{from}])") } else { format!("y.d[{from}]") };
                writeln!(text, "    z.d[{i}] = s & {step} ? {moved} : y.d[{i}];").expect(STRING);
            }
            text.push_str("    y = z;\n");
        }
        text.push_str("    return y;\n}\n");
        text
    }

    /// r − 1 − y
    fn complement(&self) -> String {
        let highest = self.prime.radix() - 1;
        let body = if self.w == 2 && highest as u32 == u32::MAX {
            // The lower half has nothing to borrow.
            format!("(digit)({:#x}u - (u32)(y >> 32)) << 32 | (u32)~(u32)y", highest >> 32)
        } else {
            "BP_R - 1 - y".into()
        };
        format!("\nFUNCTION digit bp_complement(digit y) {{ return {body}; }}\n")
    }

    /// x + 1, where x came from a rotation. A digit r, to which a 0 that was negated becomes, is rare.
    pub(super) fn raise(&self) -> String {
        let (k, w) = (self.k, self.w);
        let mut block = Block::default();
        let x = self.digits(&mut block, k + 1);
        let first = block.add(&x[0], &constant(1, w), false, false);
        block.line(format!("setp.eq.u32 p, {}, {};", first[w - 1], self.radix()[w - 1]));
        let digits: Vec<_> = std::iter::once(first).chain(x.into_iter().skip(1)).collect();
        self.put(&mut block, &digits);
        block.line(format!("@p mov.u32 %{k}, 1;"));
        let outputs: Vec<String> = self.operands("=", "z").into_iter().chain(["\"+r\"(*rare)".into()]).collect();
        let statement = block.statement(&outputs, &self.operands("", "x"));
        format!("\nFUNCTION big fast_bp_raise(big x, u32 *rare) {{\n    big z;\n{statement}    return z;\n}}\n")
    }
}
