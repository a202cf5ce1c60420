//! The primitive functions in PTX, where carries cost one instruction each. What happens once in 2^30 values or less,
//! such as a carry that goes on beyond two digits, is left to the portable functions.

mod division;
mod halves;
#[cfg(test)]
mod interpreter;
mod product;
mod quotients;
mod rotation;
mod sums;
#[cfg(test)]
mod tests;

use crate::algebra::BigPrime;
use crate::algebra::ptx::{Block, Limb, constant, zero};
use crate::algebra::traced::SumNumber;

/// The functions that have a fast variant.
pub(super) const FAST: &[&str] = &["bp_sum_", "bp_rotate", "bp_raise", "bp_mul"];

const ANY_THREAD: &str = r#"
/* Whether the flag is set in any thread of the work-group; all come here. */
FUNCTION u32 any_thread(u32 flag) {
    u32 any;
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(any) : "r"(flag) : "memory");
    return any;
}
"#;

/// r = 2^u ± 2^v.
#[derive(Clone, Copy)]
struct Sparse {
    u: u32,
    v: u32,
    minus: bool,
}

/// Terms of a division by shifts at most: beyond them a product with the reciprocal is quicker.
const MOST_TERMS: u32 = 9;

/// Words of an element that products of this kind have registers for.
const MOST_WORDS: usize = 32;

impl Sparse {
    fn of(r: u64) -> Option<Self> {
        let v = r.trailing_zeros();
        let odd = r >> v;
        let top = 63 - r.leading_zeros();
        let found = if odd.count_ones() == 2 && odd & 1 == 1 {
            Self { u: top, v, minus: false }
        } else if odd > 1 && (odd + 1).is_power_of_two() {
            Self { u: top + 1, v, minus: true }
        } else {
            return None;
        };
        (found.u - found.v).checked_mul(MOST_TERMS - 1).filter(|&bits| bits >= found.u + 10).map(|_| found)
    }
}

/// The field's numbers in the terms of the assembly.
struct Writer {
    prime: BigPrime,
    k: usize,
    /// Limbs of a digit.
    w: usize,
    sparse: Sparse,
}

/// The functions, if this way suits the field: sums of the given numbers, rotations and products.
pub(super) fn primitives(prime: BigPrime, sums: &[usize]) -> Option<String> {
    let (k, w) = (prime.digits(), prime.digit_bytes() / 4);
    let sparse = Sparse::of(prime.radix()).filter(|_| k * w <= MOST_WORDS)?;
    let writer = Writer { prime, k, w, sparse };
    let mut text = String::from(ANY_THREAD);
    for &number in sums {
        text.push_str(&writer.sum(number));
    }
    text.push_str(&writer.rotate());
    text.push_str(&writer.raise());
    text.push_str(&writer.product());
    Some(text)
}

/// Registers that a product needs on its way: factors, result, and sums; and where it goes by halves, those of the factors.
pub(in crate::algebra::big_prime) fn registers(prime: BigPrime) -> usize {
    let element = prime.digits() * prime.digit_bytes() / 4;
    if halves::suit(prime) { 5 * element } else { 4 * element }
}

impl Writer {
    /// Takes the digits of an operand apart. `first` is its first place among the statement's operands.
    fn digits(&self, block: &mut Block, first: usize) -> Vec<Vec<Limb>> {
        (first..first + self.k)
            .map(|place| match self.w {
                1 => vec![format!("%{place}")],
                _ => {
                    let digit = [block.register(), block.register()];
                    block.line(format!("mov.b64 {{{}, {}}}, %{place};", digit[0], digit[1]));
                    digit.to_vec()
                }
            })
            .collect()
    }

    fn put(&self, block: &mut Block, digits: &[Vec<Limb>]) {
        for (place, digit) in digits.iter().enumerate() {
            block.line(match self.w {
                1 => format!("mov.u32 %{place}, {};", digit[0]),
                _ => format!("mov.b64 %{place}, {{{}, {}}};", digit[0], digit[1]),
            });
        }
    }

    fn operands(&self, constraint: &str, name: &str) -> Vec<String> {
        let letter = if self.w == 1 { "r" } else { "l" };
        (0..self.k).map(|i| format!("\"{constraint}{letter}\"({name}.d[{i}])")).collect()
    }

    fn radix(&self) -> Vec<Limb> {
        constant(self.prime.radix().into(), self.w)
    }

    /// 2^(32w) − r.
    fn bias(&self) -> Vec<Limb> {
        constant((1u128 << (32 * self.w)) - u128::from(self.prime.radix()), self.w)
    }

    /// Whether the upper limbs decide if digits of two limbs are less: no digit and carry fill them.
    fn upper_limbs_decide(&self) -> bool {
        self.w == 1 || self.prime.radix() >> 32 != u64::from(u32::MAX)
    }

    /// Sets p to whether x is less than y.
    fn set_less(&self, block: &mut Block, x: &[Limb], y: &[Limb]) {
        if self.upper_limbs_decide() {
            block.line(format!("setp.lt.u32 p, {}, {};", x[self.w - 1], y[self.w - 1]));
        } else {
            let pair = |x: &[Limb]| format!("{{{}, {}}}", x[0], x[1]);
            block.line(format!("mov.b64 wx, {}; mov.b64 wy, {}; setp.lt.u64 p, wx, wy;", pair(x), pair(y)));
        }
    }

    /// The sums (or differences) of digits, the lowest first, in one chain of carries; a carry in is 0 or 1, a borrow 0
    /// or −1, and so is what comes out. With 2^(32w) − r added, a digit overflows its words just when it reaches r: what
    /// is less than a summand has overflown. What did not gets the addend taken away again.
    fn half(
        &self,
        block: &mut Block,
        minus: bool,
        digits: &[(&Vec<Limb>, &Vec<Limb>)],
        carry: Option<Limb>,
    ) -> (Vec<Vec<Limb>>, Limb) {
        let (bias, radix) = (self.bias(), self.radix());
        let x: Vec<Limb> = digits.iter().flat_map(|(x, _)| x.iter().cloned()).collect();
        let y: Vec<Vec<Limb>> =
            digits.iter().map(|(_, y)| if minus { y.to_vec() } else { block.add(y, &bias, false, false) }).collect();
        if let Some(carry) = &carry {
            let (operation, other) = if minus { ("sub.cc.u32", ["0", carry]) } else { ("add.cc.u32", [carry, "-1"]) };
            block.op(operation, &other);
        }
        let mut sums = if minus {
            block.sub(&x, &y.concat(), carry.is_some(), true)
        } else {
            block.add(&x, &y.concat(), carry.is_some(), true)
        };
        let out = sums.pop().expect("the carry");
        for ((sum, (x, _)), y) in sums.chunks(self.w).zip(digits).zip(&y) {
            if minus {
                self.set_less(block, x, sum);
                block.update("p", "add", sum, &radix);
            } else {
                self.set_less(block, sum, y);
                block.update("!p", "sub", sum, &bias);
            }
        }
        (sums.chunks(self.w).map(<[Limb]>::to_vec).collect(), out)
    }

    /// a + b·r^turn, where either may be one less. The digits of b that fell off the top are subtracted. The chain of
    /// carries starts where the first digit of b stands and goes around: a carry out of the top is a borrow at the bottom,
    /// since r^k = −1, and is just what the other half can take. What is left at the end goes to the digit where it began,
    /// and seldom farther.
    fn sum(&self, number: usize) -> String {
        let (k, w) = (self.k, self.w);
        let kind = SumNumber::of(number, 2 * k);
        let (turn, [less_a, less_b]) = (kind.turn, kind.less);
        let (start, minus) = (turn % k, turn >= k);
        let mut block = Block::default();
        let mut a = self.digits(&mut block, k + 1);
        let mut b = self.digits(&mut block, 2 * k + 1);
        // The ones that are missing. A digit −1, which zero has, takes its own only.
        let one = constant(1, w);
        if less_a {
            a[0] = block.add(&a[0], &one, false, false);
        }
        if less_b && minus {
            b[0] = block.add(&b[0], &one, false, false);
        }
        let carry_in = (less_b && !minus && !less_a).then(|| "1".into());
        let pairs: Vec<_> = (0..k).map(|i| (&a[i], &b[(i + k - start) % k])).collect();
        let (mut high, carry) = self.half(&mut block, minus, &pairs[start..], carry_in);
        // Over the top a carry becomes a borrow, and a borrow a carry.
        let mut rest = block.op("sub.u32", &["0", &carry]);
        let mut z = Vec::new();
        if start > 0 {
            (z, rest) = self.half(&mut block, !minus, &pairs[..start], Some(rest));
        }
        z.append(&mut high);
        let first = z[start].clone();
        if minus {
            z[start] = block.add(&first, &[rest], false, false);
            // Not below r: it was r − 1 and took the rest, or its summand a missing one, or both.
            block.line(format!("setp.ge.u32 p, {}, {};", z[start][w - 1], self.radix()[w - 1]));
        } else {
            block.op("sub.cc.u32", &["0", &rest]);
            let mut digit = block.sub(&first, &vec![zero(); w], true, true);
            let out = digit.pop().expect("the borrow");
            z[start] = digit;
            block.line(format!("setp.ne.u32 p, {out}, 0;"));
        }
        // A digit r, which only −1 has. The upper limb tells, or seldom says so of another.
        for x in [&a, &b] {
            block.line(format!("setp.eq.or.u32 p, {}, {}, p;", x[k - 1][w - 1], self.radix()[w - 1]));
        }
        self.put(&mut block, &z);
        block.line(format!("@p mov.u32 %{k}, 1;"));
        let outputs: Vec<String> = self.operands("=", "z").into_iter().chain(["\"+r\"(*rare)".into()]).collect();
        let inputs: Vec<String> = self.operands("", "a").into_iter().chain(self.operands("", "b")).collect();
        let statement = block.statement(&outputs, &inputs);
        format!(
            "\nFUNCTION big fast_bp_sum_{number}(big a, big b, u32 *rare) {{\n    big z;\n{statement}    return z;\n}}\n"
        )
    }
}
