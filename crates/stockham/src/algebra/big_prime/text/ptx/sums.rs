//! Sums of products of digits.

use super::Writer;
use crate::algebra::ptx::{Block, Limb, constant, zero};

/// Digits that are factors.
pub(super) struct Factors {
    pub digits: Vec<Vec<Limb>>,
    /// No digit is larger.
    pub most: u64,
}

/// A sum of products of digits. Products of limbs that begin at even places are added in one chain of carries, those
/// that begin at odd ones in others. Carries are counted only where there may be any.
#[derive(Default)]
pub(super) struct Sums {
    even: Chain,
    /// From place 1 on.
    odd: Chain,
    /// What is to be added to the lowest limb and to those above the odd ones.
    start: Option<[Limb; 3]>,
}

/// A sum of numbers of some pairs of limbs.
#[derive(Default)]
struct Chain {
    pairs: Vec<[Limb; 2]>,
    /// No pair is larger.
    most: Vec<u64>,
    /// The carries.
    top: Limb,
}

impl Chain {
    /// sums += Σ product·2^(64·i) for products of limbs of the given sizes. The multiply-adds come in pairs that the
    /// machine fuses.
    fn accumulate(&mut self, block: &mut Block, factors: &[([&Limb; 2], u64)]) {
        if self.pairs.is_empty() {
            for ([a, b], most) in factors {
                self.pairs.push([block.op("mul.lo.u32", &[a, b]), block.op("mul.hi.u32", &[a, b])]);
                self.most.push(*most);
            }
            self.top = zero();
            return;
        }
        let mut carries = false;
        for (i, ([a, b], most)) in factors.iter().enumerate() {
            let most = u128::from(self.most[i]) + u128::from(*most) + u128::from(carries);
            let carry = if carries { "c" } else { "" };
            carries = most > u64::MAX.into();
            let sets = if carries { ".cc" } else { "" };
            let [low, high] = self.pairs[i].clone();
            self.pairs[i] = [
                block.op(&format!("mad{carry}.lo.cc.u32"), &[a, b, &low]),
                block.op(&format!("madc.hi{sets}.u32"), &[a, b, &high]),
            ];
            self.most[i] = most.min(u64::MAX.into()) as u64;
        }
        if carries {
            self.top = block.op("addc.u32", &[&self.top.clone(), "0"]);
        }
    }

    fn limbs(&self) -> Vec<Limb> {
        self.pairs.iter().flatten().chain([&self.top]).cloned().collect()
    }
}

impl Sums {
    /// Begins at a number of 2w + 1 limbs.
    pub fn from(start: &[Limb]) -> Self {
        let pair = |i: usize| Chain {
            pairs: vec![[start[i].clone(), start[i + 1].clone()]],
            most: vec![u64::MAX],
            top: zero(),
        };
        match start {
            [_, _, top] => Self { even: Chain { top: top.clone(), ..pair(0) }, ..Self::default() },
            [low, _, _, high, top] => {
                let start = Some([low.clone(), high.clone(), top.clone()]);
                Self { even: Chain::default(), odd: pair(1), start }
            }
            _ => unreachable!("digits have one or two limbs"),
        }
    }

    /// sums += x_i·y_j
    pub fn accumulate(&mut self, block: &mut Block, (x, i): (&Factors, usize), (y, j): (&Factors, usize)) {
        let (a, b) = (&x.digits[i], &y.digits[j]);
        let low = |most: u64| most.min(u32::MAX.into());
        match a.len() {
            1 => self.even.accumulate(block, &[([&a[0], &b[0]], x.most * y.most)]),
            _ => {
                let (high_x, high_y) = (x.most >> 32, y.most >> 32);
                let lows = ([&a[0], &b[0]], low(x.most) * low(y.most));
                self.even.accumulate(block, &[lows, ([&a[1], &b[1]], high_x * high_y)]);
                self.odd.accumulate(block, &[([&a[0], &b[1]], low(x.most) * high_y)]);
                self.odd.accumulate(block, &[([&a[1], &b[0]], high_x * low(y.most))]);
            }
        }
    }

    /// The total, 2w + 1 limbs, or none of no products.
    pub fn total(self, block: &mut Block) -> Vec<Limb> {
        if self.even.pairs.is_empty() {
            return Vec::new();
        }
        let even = self.even.limbs();
        let Some([low, high]) = self.odd.pairs.first().cloned() else { return even };
        match self.start {
            None => block.add(&even, &[zero(), low, high, self.odd.top], false, false),
            Some([first, above, top]) => {
                let sum = block.add(&even, &[first, low, high, above, top], false, false);
                block.add(&sum, &[zero(), zero(), zero(), self.odd.top], false, false)
            }
        }
    }
}

impl Writer {
    /// count·r·(r − less) − margin, 2w + 1 limbs.
    pub fn offset(&self, count: usize, less: u64, margin: u128) -> Vec<Limb> {
        let (r, count) = (u128::from(self.prime.radix()), count as u128);
        let square = r * (r - u128::from(less));
        let (mut high, mut low) = ((square >> 64) * count, (square & u128::from(u64::MAX)) * count);
        if high > 0 {
            high -= 1;
            low += 1 << 64;
        }
        low -= margin;
        high += low >> 64;
        let mut limbs = constant(low & u128::from(u64::MAX), 2);
        limbs.extend(constant(high, 3));
        limbs.truncate(2 * self.w + 1);
        limbs
    }
}
