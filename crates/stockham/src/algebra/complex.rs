//! ℂ over any real scalar: `Complex<f32>`, `Complex<f64>`, `Complex<DoubleDouble>`, or symbols of a kernel.

use std::collections::BTreeMap;

use num_complex::Complex;

use crate::parallel;

use super::double_double::{HALF_SQRT, TurnTable};
use super::ring::{self, Direction, Numbers, NumericRing, Ring, Root, Scale};
use super::root_parts::root_parts;
use super::roots::Powers;
use super::{DoubleDouble, Scalar, fused};

/// The real factor of a scale.
pub(crate) fn scale_factor(scale: Scale) -> DoubleDouble {
    let one = DoubleDouble::from(1.0);
    match scale {
        Scale::One => one,
        Scale::Inverse(n) => one.div((n as f64).into()),
        Scale::InverseSqrt(n) => one.div(DoubleDouble::from(n as f64).sqrt()),
    }
}

impl<T: Scalar> Ring for Complex<T> {
    #[inline(always)]
    fn add(&self, rhs: &Self) -> Self {
        Complex::new(self.re.add(&rhs.re), self.im.add(&rhs.im))
    }
    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Self {
        Complex::new(self.re.sub(&rhs.re), self.im.sub(&rhs.im))
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        Complex::new(self.re.neg(), self.im.neg())
    }
    #[inline(always)]
    fn mul(&self, rhs: &Self) -> Self {
        let re = self.re.mul_add(&rhs.re, &self.im.mul(&rhs.im).neg());
        let im = self.re.mul_add(&rhs.im, &self.im.mul(&rhs.re));
        Complex::new(re, im)
    }
    #[inline(always)]
    fn mul_root(&self, root: Root) -> Self {
        let (re, im) = (&self.re, &self.im);
        let half_sqrt = |x: &T, sign: f64| x.mul(&x.constant(if sign < 0.0 { HALF_SQRT.neg() } else { HALF_SQRT }));
        match (root.exponent(), root.order()) {
            (0, 1) => self.clone(),
            (1, 2) => self.neg(),
            (1, 4) => Complex::new(im.clone(), re.neg()),
            (3, 4) => Complex::new(im.neg(), re.clone()),
            (1, 8) => Complex::new(half_sqrt(&re.add(im), 1.0), half_sqrt(&im.sub(re), 1.0)),
            (3, 8) => Complex::new(half_sqrt(&im.sub(re), 1.0), half_sqrt(&re.add(im), -1.0)),
            (5, 8) => Complex::new(half_sqrt(&re.add(im), -1.0), half_sqrt(&re.sub(im), 1.0)),
            (7, 8) => Complex::new(half_sqrt(&re.sub(im), 1.0), half_sqrt(&re.add(im), 1.0)),
            _ => {
                let (c, s) = root_parts(root);
                let (c_neg_s, s) = (re.constant(s.neg()), re.constant(s));
                let c = re.constant(c);
                // Products with constants stay apart from the sums, so that operations can be counted.
                Complex::new(re.mul(&c).add(&im.mul(&c_neg_s)), re.mul(&s).add(&im.mul(&c)))
            }
        }
    }
    #[inline(always)]
    fn combine<const N: usize, const H: usize, const Q: usize>(
        u: [Self; H],
        z: [Self; Q],
        t: [Self; Q],
        direction: Direction,
    ) -> [Self; N] {
        if u[0].re.fuses() { fused::combine(u, z, t, direction) } else { ring::combine(u, z, t, direction) }
    }
    #[inline(always)]
    fn mul_cos(&self, root: Root) -> Self {
        let c = self.re.constant(root_parts(root).0);
        Complex::new(self.re.mul(&c), self.im.mul(&c))
    }
    #[inline(always)]
    fn mul_sin(&self, root: Root) -> Self {
        let s = root_parts(root).1;
        Complex::new(self.im.mul(&self.re.constant(s.neg())), self.re.mul(&self.re.constant(s)))
    }
}

impl<T: Scalar + Copy + Default + Send + Sync> Numbers for Complex<T> {
    /// Rounded, if the number has more binary digits than an `f64`.
    fn integer(&self, value: u64) -> Self {
        Complex::new(T::default().constant((value as f64).into()), T::default())
    }
    fn root_of_unity(&self, root: Root) -> Self {
        let (c, s) = root_parts(root);
        Complex::new(T::default().constant(c), T::default().constant(s))
    }
    /// In double-double arithmetic, rounded once.
    fn roots_of_unity(&self, direction: Direction, n: usize, count: usize) -> Vec<Self> {
        if n == 0 {
            return Vec::new();
        }
        let table = TurnTable::new(n);
        let root = |k| {
            let (c, s) = table.cos_sin(k);
            let s = if direction == Direction::Forward { s.neg() } else { s };
            Complex::new(T::default().constant(c), T::default().constant(s))
        };
        let mut roots = vec![Complex::default(); count];
        parallel::fill(&mut roots, 1 << 10, root);
        roots
    }
    fn scaled(&self, scale: Scale) -> Self {
        let factor = scale_factor(scale);
        Complex::new(self.re.times_exactly(factor), self.im.times_exactly(factor))
    }
}

/// Roots of several orders, each rounded once: of those whose orders divide one, and that are so many that a [table](TurnTable) of that
/// order pays, by it, and others one by one.
pub(super) fn powers<T: Scalar + Copy + Default + Send + Sync>(lists: &[Powers]) -> Vec<Complex<T>> {
    let mut counts = BTreeMap::<usize, usize>::new();
    lists.iter().for_each(|list| *counts.entry(list.order).or_default() += list.exponents.len());
    // The highest first: those that divide it share its table.
    let mut orders: Vec<(usize, usize)> = Vec::new();
    for (&order, &count) in counts.iter().rev() {
        match orders.iter_mut().find(|(higher, _)| higher.is_multiple_of(order)) {
            Some((_, all)) => *all += count,
            None => orders.push((order, count)),
        }
    }
    let pays = |&(order, count): &(usize, usize)| (count >= 8 * order.isqrt()).then(|| TurnTable::new(order));
    let tables: Vec<TurnTable> = orders.iter().filter_map(pays).collect();
    let mut elements = vec![Complex::default(); counts.values().sum()];
    let mut rest = &mut elements[..];
    for Powers { direction, order, exponents } in lists {
        let (part, others) = rest.split_at_mut(exponents.len());
        rest = others;
        let root = |(c, s): (DoubleDouble, DoubleDouble)| {
            let s = if *direction == Direction::Forward { s.neg() } else { s };
            Complex::new(T::default().constant(c), T::default().constant(s))
        };
        match tables.iter().find(|table| table.order().is_multiple_of(*order)) {
            Some(table) => {
                let step = table.order() / order;
                parallel::fill(part, 1 << 10, |i| root(table.cos_sin(exponents[i] % order * step)));
            }
            None => parallel::fill(part, 64, |i| root(DoubleDouble::cos_sin_turn(exponents[i], *order))),
        }
    }
    elements
}

impl<T: Scalar + Copy + Default + Send + Sync> NumericRing for Complex<T> {
    fn zero() -> Self {
        Complex::new(T::default(), T::default())
    }
    fn one() -> Self {
        Complex::new(T::default().constant(1.0.into()), T::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roots by a table are those that are made one by one, to the last bit, in any order and of orders that divide another.
    #[test]
    fn many_roots_are_each_as_if_alone() {
        let sets: [&[(usize, usize)]; 7] = [
            &[(1 << 16, 1 << 12)],
            &[(3 << 10, 1000), (5000, 3000)],
            &[(1, 20), (7, 1), (1 << 20, 9000), (1 << 9, 300)],
            &[(12, 200), (13, 200), (14, 200)],
            &[(2 * 10_007, 10_007), (144 * 144, 144), (144, 500)],
            &[],
            &[(5, 0), (3, 4)],
        ];
        for set in sets {
            for direction in [Direction::Forward, Direction::Inverse] {
                let list = |&(n, count): &(usize, usize)| Powers::new(direction, n, (0..count).map(|i| i * i * 7 + i));
                let lists: Vec<Powers> = set.iter().map(list).collect();
                let alone = |root| Complex::<f64>::root(root);
                assert_eq!(powers::<f64>(&lists), lists.iter().flat_map(Powers::roots).map(alone).collect::<Vec<_>>());
                let alone = |root| Complex::<f32>::root(root);
                assert_eq!(powers::<f32>(&lists), lists.iter().flat_map(Powers::roots).map(alone).collect::<Vec<_>>());
            }
        }
    }
}
