//! The primitive functions in PTX, where carries cost one instruction each. What happens once in 2^30 values or less,
//! such as a carry that goes on beyond two digits, is left to the portable functions.

use std::fmt::Write;

use crate::algebra::BigPrime;
use crate::algebra::ptx::{Block, Limb, constant, zero};

/// The functions that have a fast variant.
pub(super) const FAST: &[&str] = &["bp_sum_", "bp_rotate", "bp_mul"];

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

/// Rounds of a division that shifts take before a product with the reciprocal is quicker.
const MOST_ROUNDS: u32 = 9;

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
        (found.u - found.v).checked_mul(MOST_ROUNDS - 1).filter(|&bits| bits >= found.u + 10).map(|_| found)
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

/// The functions, if this way suits the field: sums for the given turns, rotations and products.
pub(super) fn primitives(prime: BigPrime, turns: &[usize]) -> Option<String> {
    let (k, w) = (prime.digits(), prime.digit_bytes() / 4);
    let sparse = Sparse::of(prime.radix()).filter(|_| k * w <= MOST_WORDS)?;
    let writer = Writer { prime, k, w, sparse };
    let mut text = String::from(ANY_THREAD);
    text.push_str(&writer.sum(k));
    for &turn in turns.iter().filter(|&&turn| turn != k) {
        text.push_str(&writer.sum(turn));
    }
    text.push_str(&writer.rotate());
    text.push_str(&writer.product());
    Some(text)
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

    /// x − y − borrow, where the borrow is 0 or −1, as is the one that comes out.
    fn minus(&self, block: &mut Block, x: &[Limb], y: &[Limb], borrow: Option<Limb>) -> (Vec<Limb>, Limb) {
        if let Some(borrow) = &borrow {
            block.op("sub.cc.u32", &["0", borrow]);
        }
        let mut difference = block.sub(x, y, borrow.is_some(), true);
        let out = difference.pop().expect("the borrow");
        let back = block.masked(&self.radix(), &out);
        (block.add(&difference, &back, false, false), out)
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

    /// a + b·r^turn. The digits of b that fell off the top are subtracted. The chain of carries starts where the first
    /// digit of b stands and goes around: a carry out of the top is a borrow at the bottom, since r^k = −1, and is just
    /// what the other half can take. What is left at the end goes to the digit where it began, and seldom farther.
    fn sum(&self, turn: usize) -> String {
        let (k, w, start, minus) = (self.k, self.w, turn % self.k, turn >= self.k);
        let mut block = Block::default();
        let a = self.digits(&mut block, k + 1);
        let b = self.digits(&mut block, 2 * k + 1);
        let pairs: Vec<_> = (0..k).map(|i| (&a[i], &b[(i + k - start) % k])).collect();
        let (mut high, carry) = self.half(&mut block, minus, &pairs[start..], None);
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
            block.line(format!("setp.eq.u32 p, {}, {};", z[start][w - 1], self.radix()[w - 1]));
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
            "\nFUNCTION big fast_bp_sum_{turn}(big a, big b, u32 *rare) {{\n    big z;\n{statement}    return z;\n}}\n"
        )
    }

    /// x r^s for a number s below 2k that a thread computes: the digits go around by each bit of s, and those that fell
    /// off the top are subtracted.
    fn rotate(&self) -> String {
        let k = self.k;
        let mut text =
            format!("\nFUNCTION big fast_bp_rotate(big x, u32 s, u32 *rare) {{\n    const u32 m = s & {};\n", k - 1);
        text.push_str("    big y = x, z, a, b;\n");
        for bit in 0..k.ilog2() {
            for i in 0..k {
                let from = (i + k - (1 << bit)) % k;
                writeln!(text, "    z.d[{i}] = m & {} ? y.d[{from}] : y.d[{i}];", 1 << bit).expect("a string");
            }
            text.push_str("    y = z;\n");
        }
        for i in 0..k {
            // Whether digit i comes back negated.
            let negated = format!("({i} < m) != (s >= {k})");
            writeln!(
                text,
                "    {{ const bool n = {negated}; a.d[{i}] = n ? 0 : y.d[{i}]; b.d[{i}] = n ? y.d[{i}] : 0; }}"
            )
            .expect("a string");
        }
        write!(text, "    *rare |= x.d[{}] == BP_R ? 1 : 0;\n    return fast_bp_sum_{k}(a, b, rare);\n}}\n", k - 1)
            .expect("a string");
        text
    }

    /// x below 2^bits divided by r: the quotient, as `limbs` limbs, and the rest. With r = 2^u + 2^v,
    /// x = (x >> u)·r + (x mod 2^u) − (x >> u)·2^v, and so on with what is left, which gets shorter by u − v bits.
    fn divide(&self, block: &mut Block, x: &[Limb], bits: u32, limbs: usize) -> (Vec<Limb>, Vec<Limb>) {
        let Sparse { u, v, minus } = self.sparse;
        let (mut left, mut bits, mut signed) = (x.to_vec(), bits, false);
        let mut quotient: Option<Vec<Limb>> = None;
        loop {
            let high_bits = bits.saturating_sub(u).max(1) + u32::from(signed);
            let high = block.shr(&left, u, high_bits.div_ceil(32) as usize, signed);
            let low = block.low_bits(&left, u);
            let next_bits = u.max(high_bits + v) + 1;
            let count = next_bits.div_ceil(32) as usize;
            let shifted = block.shl(&high, v, count, signed);
            let mut extended = low.clone();
            extended.resize(count, zero());
            left = if minus {
                block.add(&extended, &shifted, false, false)
            } else {
                block.sub(&extended, &shifted, false, false)
            };
            quotient = Some(match quotient {
                None => high.iter().cloned().chain(std::iter::repeat(zero())).take(limbs).collect(),
                Some(q) => {
                    let mut addend = high.clone();
                    let sign = if signed { block.sign(&high) } else { zero() };
                    addend.resize(limbs, sign);
                    block.add(&q, &addend, false, false)
                }
            });
            // Of a negative number with a negative high part there remains a positive one, and so on in turns; with
            // r = 2^u − 2^v all are positive.
            let was_small = high_bits + v < u;
            (bits, signed) = (next_bits - 1, !minus && !signed);
            if was_small {
                break;
            }
        }
        let mut quotient = quotient.expect("at least one round");
        // What is left lies between −r and 2r.
        if signed {
            let sign = block.sign(&left);
            let back = block.masked(&self.radix(), &sign);
            left = block.add(&left[..self.w], &back, false, false);
            let addend = vec![sign; limbs];
            quotient = block.add(&quotient, &addend, false, false);
        } else {
            let mut less = block.sub(&left[..], &self.padded(self.radix(), left.len()), false, true);
            let borrow = less.pop().expect("the borrow");
            let back = block.masked(&self.radix(), &borrow);
            left = block.add(&less[..self.w], &back, false, false);
            let one = block.op("add.u32", &[&borrow, "1"]);
            quotient = block.add(&quotient, &[one], false, false);
        }
        left.truncate(self.w);
        quotient.truncate(limbs);
        (quotient, left)
    }

    fn padded(&self, mut x: Vec<Limb>, len: usize) -> Vec<Limb> {
        x.resize(len, zero());
        x
    }

    /// sums += x·y, a sum of products of limbs: those at even places and those at odd ones have carries of their own.
    fn accumulate(&self, block: &mut Block, sums: &mut Sums, x: &[Limb], y: &[Limb]) {
        let even: Vec<[&str; 2]> = (0..self.w).map(|i| [x[i].as_str(), y[i].as_str()]).collect();
        products(block, &mut sums.even, &even);
        if self.w == 2 {
            products(block, &mut sums.odd, &[[&x[0], &y[1]]]);
            products(block, &mut sums.odd, &[[&x[1], &y[0]]]);
        }
    }

    /// The total of the sums, 2w + 1 limbs.
    fn total(&self, block: &mut Block, sums: Sums) -> Vec<Limb> {
        if sums.odd.is_empty() {
            return sums.even;
        }
        let odd: Vec<Limb> = std::iter::once(zero()).chain(sums.odd).collect();
        let mut total = block.add(&sums.even, &odd, false, false);
        total.truncate(2 * self.w + 1);
        total
    }

    /// The negacyclic convolution of the digits, as in the portable text.
    fn product(&self) -> String {
        let (k, w) = (self.k, self.w);
        let mut block = Block::default();
        let x = self.digits(&mut block, k + 1);
        let y = self.digits(&mut block, 2 * k + 1);
        let (first, offset) = super::offsets(self.prime);
        let limbs_of = |words: [u64; 3]| -> Vec<Limb> {
            let limbs = words.iter().flat_map(|&word| constant(word.into(), w));
            limbs.take(2 * w + 1).collect()
        };
        // Sums below 2 k r² and the quotient before, where r is hardly more than 2^u.
        let bits = 2 * self.sparse.u + k.ilog2() + 2;
        let mut z = Vec::new();
        let mut quotient: Vec<Limb> = Vec::new();
        for i in 0..k {
            let offset = limbs_of(if i == 0 { first } else { offset });
            let mut sums = Sums::default();
            for j in i + 1..k {
                self.accumulate(&mut block, &mut sums, &x[j], &y[k + i - j]);
            }
            let start = if i + 1 < k {
                let total = self.total(&mut block, sums);
                block.sub(&offset, &total, false, false)
            } else {
                offset
            };
            let start = if quotient.is_empty() { start } else { block.add(&start, &quotient, false, false) };
            let mut sums = Sums { even: start, odd: Vec::new() };
            for j in 0..=i {
                self.accumulate(&mut block, &mut sums, &x[j], &y[i - j]);
            }
            let total = self.total(&mut block, sums);
            let (q, rest) = self.divide(&mut block, &total, bits, w + 1);
            quotient = q;
            z.push(rest);
        }
        // What is left, quotient − k r, comes back negated at digits 0 and 1.
        let bits = self.sparse.u + k.ilog2() + 2;
        let (s1, s0) = self.divide(&mut block, &quotient, bits, 1);
        let (digit, borrow) = self.minus(&mut block, &z[0], &s0, None);
        z[0] = digit;
        let less = block.op("sub.u32", &[&k.to_string(), &s1[0]]);
        let change = block.op("add.s32", &[&less, &borrow]);
        let sign = block.op("shr.s32", &[&change, "31"]);
        let addend: Vec<Limb> = std::iter::once(change).chain(std::iter::repeat_n(sign.clone(), w)).collect();
        let second = self.padded(z[1].clone(), w + 1);
        let mut digit = block.add(&second, &addend, false, false);
        // Beyond its words, negative, or not below r: seldom.
        let beyond = digit.pop().expect("the limb above");
        let mut against = block.sub(&digit, &self.radix(), false, true);
        let below = against.pop().expect("the borrow");
        let not_below = block.op("not.b32", &[&below]);
        let rare = block.op("or.b32", &[&beyond, &not_below]);
        z[1] = digit;
        self.put(&mut block, &z);
        block.line(format!("or.b32 %{k}, %{k}, {rare};"));
        let outputs: Vec<String> = self.operands("=", "z").into_iter().chain(["\"+r\"(*rare)".into()]).collect();
        let inputs: Vec<String> = self.operands("", "x").into_iter().chain(self.operands("", "y")).collect();
        let statement = block.statement(&outputs, &inputs);
        format!("\nFUNCTION big fast_bp_mul(big x, big y, u32 *rare) {{\n    big z;\n{statement}    return z;\n}}\n")
    }
}

/// Sums of products of limbs: those that begin at even places, and those that begin at odd ones, from place 1 on.
#[derive(Default)]
struct Sums {
    even: Vec<Limb>,
    odd: Vec<Limb>,
}

/// sums += Σ product·2^(64·i), and one limb for the carries. The multiply-adds come in pairs that the machine fuses.
fn products(block: &mut Block, sums: &mut Vec<Limb>, factors: &[[&str; 2]]) {
    if sums.is_empty() {
        for [a, b] in factors {
            sums.push(block.op("mul.lo.u32", &[a, b]));
            sums.push(block.op("mul.hi.u32", &[a, b]));
        }
        sums.push(zero());
        return;
    }
    for (i, [a, b]) in factors.iter().enumerate() {
        let carry = if i == 0 { "" } else { "c" };
        sums[2 * i] = block.op(&format!("mad{carry}.lo.cc.u32"), &[a, b, &sums[2 * i].clone()]);
        sums[2 * i + 1] = block.op("madc.hi.cc.u32", &[a, b, &sums[2 * i + 1].clone()]);
    }
    let top = sums.len() - 1;
    sums[top] = block.op("addc.u32", &[&sums[top].clone(), "0"]);
}
