//! Over fields: where polynomials are evaluated, and in which order the values stand.

use serde::{Deserialize, Serialize};

use crate::algebra::cosets::goldilocks_power;
use crate::algebra::{Algebra, Direction, MERSENNE_31, Root, WordField};
use crate::circle::{self, CircleGenerator};
use crate::error::{Error, Result};

use super::{Kind, Placement, Transform};

/// What is special about the points of a transform over a field. By default nothing is: all of a subgroup, in natural order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Domain {
    /// The words of a residue s: the forward transform evaluates at s·ω^k, as it multiplies the input's element j by s^j, and
    /// the inverse one undoes that, as it multiplies the output's by s^(−j). Empty, or 1: the subgroup itself.
    pub coset: Vec<u64>,
    /// The coset is that of ψ, the root of unity of order 2n whose square is ω: values there are multiplied as polynomials are
    /// modulo x^n + 1.
    pub negacyclic: bool,
    /// The points of the input that are there; all that follow are 0.
    pub given: Option<usize>,
    /// Whether the input's elements, and the output's, are in bit-reversed order: element j stands at the place whose binary
    /// digits are those of j from right to left.
    pub reversed: [bool; 2],
    /// Over Goldilocks: of which power of the field's own roots the roots of unity are, an odd one. Without it, they are those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<u64>,
    /// Over p = 2^31 − 1: the [circle FFT](crate::circle), with that generator of the points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub circle: Option<CircleGenerator>,
}

impl Transform {
    /// Over a field: on the coset of a residue s, given as its words. The input's element j is multiplied by s^j, or the
    /// output's by s^(−j) if the transform is the inverse one.
    ///
    /// ```
    /// use stockham::{Algebra, Device, Transform};
    /// let babybear: Algebra = "babybear".parse()?;
    /// let device = Device::cpu();
    /// let forward = Transform::new(babybear, 4).on_coset([31]).in_place();
    /// // The polynomial x takes the values 31·ω^k.
    /// let mut values = device.upload(&[0u32, 1, 0, 0])?;
    /// device.plan(&forward)?.run_in_place(&mut values)?;
    /// assert_eq!(values.to_vec()?[0], 31);
    /// device.plan(&forward.inverse())?.run_in_place(&mut values)?;
    /// assert_eq!(values.to_vec()?, [0, 1, 0, 0]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn on_coset(mut self, shift: impl Into<Vec<u64>>) -> Self {
        self.domain.coset = shift.into();
        self
    }

    /// Over a field: negacyclic, X\[k\] = Σ x\[j\]·ψ^j·ω^(jk) with the root ψ of order 2n. Products of such values are those of
    /// polynomials modulo x^n + 1. Libraries of encryption have bit-reversed values.
    ///
    /// ```
    /// use stockham::{Algebra, Device, Transform};
    /// let (device, field): (_, Algebra) = (Device::cpu(), "17".parse()?);
    /// let forward = Transform::new(field, 2).negacyclic().bit_reversed(false, true).in_place();
    /// // The polynomial x takes the values ψ and −ψ, whose squares are −1.
    /// let mut values = device.upload(&[0u32, 1])?;
    /// device.plan(&forward)?.run_in_place(&mut values)?;
    /// assert!(values.to_vec()?.iter().all(|x| x * x % 17 == 16));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn negacyclic(mut self) -> Self {
        self.domain.negacyclic = true;
        self
    }

    /// Over a field: with the roots of unity of another library, or with those that follow from any root of the field's whole power
    /// of two. Preset names are those that [`PrimeField::root_presets`](crate::algebra::PrimeField::root_presets) and
    /// [`Goldilocks::ROOTS`](crate::Goldilocks::ROOTS) list.
    ///
    /// ```
    /// use stockham::{Algebra, Device, Goldilocks, Transform};
    /// let transform = Transform::new(Algebra::Goldilocks, 64).with_root("plonky2")?.in_place();
    /// let mut x = vec![Goldilocks::default(); 64];
    /// x[1] = Goldilocks::reduce(1);
    /// let device = Device::cpu();
    /// let mut values = device.upload(&x)?;
    /// device.plan(&transform)?.run_in_place(&mut values)?;
    /// // Its root of order 64 is 8.
    /// assert_eq!(values.to_vec()?[2], Goldilocks::reduce(64));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Root`] for a number that is no such root, [`Error::Syntax`] for what is neither; [`Error::Unsupported`] for algebras
    /// that have no other roots.
    pub fn with_root(mut self, root: &str) -> Result<Self> {
        if self.algebra == Algebra::Goldilocks {
            self.domain.power = Some(goldilocks_power(root)?).filter(|power| *power != 1);
        } else {
            self.algebra = self.algebra.with_root(root)?;
        }
        Ok(self)
    }

    /// The [circle FFT](crate::circle) over p = 2^31 − 1, from n coefficients to values in [the transform's own
    /// order](crate::circle::CircleOrder::BitReversed); the inverse takes that order. Words are below p.
    ///
    /// ```
    /// use stockham::{Device, Transform, circle::CircleGenerator};
    /// let (device, forward) = (Device::cpu(), Transform::circle(8, CircleGenerator::Stwo)?.batch(2).in_place());
    /// let mut data = device.upload(&[0u32, 1, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0])?;
    /// device.plan(&forward)?.run_in_place(&mut data)?;
    /// // The polynomial y has opposite values at conjugates, which are neighbours, and 5 has one value.
    /// let values = data.to_vec()?;
    /// assert_eq!((values[0] + values[1], &values[8..]), ((1 << 31) - 1, &[5; 8][..]));
    /// device.plan(&forward.inverse())?.run_in_place(&mut data)?;
    /// assert_eq!(data.to_vec()?[..2], [0, 1]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless n is a power of two from 2 to 2^30.
    pub fn circle(n: usize, generator: CircleGenerator) -> Result<Self> {
        circle::check_points(n)?;
        let field: WordField = MERSENNE_31.to_string().parse()?;
        let mut transform = Self::new(field.into(), n).bit_reversed(false, true);
        transform.domain.circle = Some(generator);
        Ok(transform)
    }

    /// The root that stands for one of the field's own.
    pub(crate) fn root_of(&self, root: Root) -> Root {
        self.domain.power.map_or(root, |power| root.to_power(power))
    }

    /// The number by whose powers the elements of a side are multiplied, if there is one: of the forward transform's input, and
    /// of the inverse one's output.
    pub(crate) fn coset_factor(&self) -> Option<Vec<u64>> {
        let shift = match &self.domain {
            Domain { negacyclic: true, .. } => self.algebra.root_words(self.root_of(Root::new(1, 2 * self.dims[0].n))),
            Domain { coset, .. } if coset.is_empty() => return None,
            Domain { coset, .. } => coset.clone(),
        };
        Some(match self.direction {
            Direction::Forward => shift,
            Direction::Inverse => self.algebra.inverse_of(&shift),
        })
    }

    /// Over a field: of the input only the first points are there, a power of two of them, and all others are 0. It is said
    /// before the [batch](Self::batch), whose inputs lie closer together then.
    pub fn padded_from(mut self, given: usize) -> Self {
        self.domain.given = Some(given);
        self
    }

    /// Over a field: whether the input's elements, and the output's, are in bit-reversed order.
    pub fn bit_reversed(mut self, input: bool, output: bool) -> Self {
        self.domain.reversed = [input, output];
        self
    }
}

impl Domain {
    /// Whether it is the subgroup, whole and in natural order.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it is a coset, and not the subgroup.
    pub(crate) fn is_coset(&self) -> bool {
        self.negacyclic || !self.coset.is_empty()
    }

    pub(super) fn validate(&self, transform: &Transform) -> Result<()> {
        if self.is_plain() {
            return Ok(());
        }
        let invalid = |message: &str| Err(Error::InvalidTransform(message.into()));
        let [dim] = transform.dims[..] else {
            return invalid("cosets, zeros behind the input and bit-reversed orders are for one dimension");
        };
        if self.circle.is_some() {
            circle::check_points(dim.n)?;
        }
        if transform.algebra.unit_roundoff().is_some() || transform.kind != Kind::Dft || !dim.n.is_power_of_two() {
            return invalid(
                "cosets, zeros behind the input and bit-reversed orders are for powers of two over a field",
            );
        }
        if self.circle.is_some() {
            let has_order = match transform.direction {
                Direction::Forward => self.reversed == [false, true],
                Direction::Inverse => self.reversed == [true, false],
            };
            let is_over_mersenne = matches!(transform.algebra,
                Algebra::WordField(field) if field.modulus() == u64::from(MERSENNE_31) && !field.is_montgomery());
            let is_whole = self.given.is_none() && !self.is_coset() && self.power.is_none();
            return if has_order && is_over_mersenne && is_whole {
                Ok(())
            } else {
                invalid("the circle FFT is over 2^31 - 1, from coefficients to values in bit-reversed order, and back")
            };
        }
        if self.power.is_some_and(|power| power & 1 == 0 || transform.algebra != Algebra::Goldilocks) {
            return invalid(
                "odd powers of the field's own roots are for Goldilocks: other fields have roots by themselves",
            );
        }
        if let Some(given) = self.given {
            let is_some = given.is_power_of_two() && given <= dim.n;
            let is_plain = transform.direction == Direction::Forward && transform.placement == Placement::OutOfPlace;
            if !is_some || !is_plain || self.reversed[0] {
                return invalid(
                    "zeros stand behind a power of two of points in natural order, of a forward transform out of place",
                );
            }
        }
        match (self.negacyclic, self.coset.is_empty()) {
            (true, false) => invalid("a negacyclic transform is on the coset of its own root, and on no other"),
            (true, true) => {
                transform.algebra.check_length(dim.n.saturating_mul(2))?;
                transform.algebra.check_residue(&transform.algebra.root_words(Root::new(1, 2)))
            }
            (false, true) => Ok(()),
            (false, false) => transform.algebra.check_residue(&self.coset),
        }
    }
}

/// The number whose binary digits, so many, are those of x from right to left.
pub(crate) fn reversed_bits(x: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { x.reverse_bits() >> (usize::BITS - bits) }
}
