//! Whether a description makes sense, whatever device may run it.

use super::{Dim, Kind, Placement, Side, Transform, TrigType};
use crate::algebra::Layout;
use crate::distinct;
use crate::error::{Error, Result};

impl Transform {
    /// Checks that the description makes sense, whatever device may run it.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] for a zero length, an empty list of dimensions, in-place transforms whose strides
    /// or layouts differ (of real numbers: whose lines are not padded to n/2 + 1 pairs), real numbers of a field, outputs that would overlap (or might, where three or more dimensions are interleaved, and all but
    /// the two longest are long: that is not found out), a sliced layout of elements without digits, or a
    /// [`Domain`](super::Domain) that is none; [`Error::FieldValue`] or [`Error::Residue`] for a coset of no residue;
    /// [`Error::Unsupported`] for a length the algebra has no root of unity for.
    pub fn validate(&self) -> Result<()> {
        let invalid = |message: String| Err(Error::InvalidTransform(message));
        if self.dims.is_empty() {
            return invalid("a transform needs at least one dimension".into());
        }
        if self.all_dims().any(|d| d.n == 0) {
            return invalid("every length must be at least 1, and one is 0".into());
        }
        let size = self.algebra.element_bytes();
        let room = |len: usize| len.checked_mul(size).is_some_and(|bytes| bytes <= isize::MAX as usize);
        if !room(self.input_len()) || !room(self.output_len()) {
            return invalid("the buffers would be larger than the address space".into());
        }
        if self.kind != Kind::Dft && self.algebra.unit_roundoff().is_none() {
            return invalid(format!("{} has no real numbers", self.algebra.given()));
        }
        if self.kind == Kind::Cosine(TrigType::I) && self.dims.iter().any(|d| d.n < 2) {
            return invalid("a cosine transform of type I takes two points at least".into());
        }
        if self.orthogonalize && self.trig().is_none() {
            return invalid("only cosine and sine transforms are orthogonalized".into());
        }
        if self.placement == Placement::InPlace {
            self.check_strides_in_place()?;
        }
        let layouts = [self.input_layout, self.output_layout];
        if !self.algebra.has_digits() && layouts != [Layout::Plain; 2] {
            return invalid(format!("{} elements have no digits to slice", self.algebra.given()));
        }
        if self.placement == Placement::InPlace && self.input_layout != self.output_layout {
            return invalid("in place, input and output layouts must be equal".into());
        }
        self.domain.validate(self)?;
        self.check_accesses()?;
        self.check_filter()?;
        self.check_outputs_distinct()?;
        // The circle has more points than the field has roots of unity.
        for d in self.dims.iter().filter(|_| self.domain.circle.is_none()) {
            self.algebra.check_length(d.n)?;
        }
        self.algebra.check_scale(self.scale())
    }

    /// In place, all numbers of a line stay within it.
    fn check_strides_in_place(&self) -> Result<()> {
        let invalid = |message: &str| Err(Error::InvalidTransform(message.into()));
        let strides = |d: &Dim| match self.half_side() {
            Some(Side::Output) => (d.input_stride, d.output_stride.saturating_mul(2)),
            Some(Side::Input) => (d.output_stride, d.input_stride.saturating_mul(2)),
            None => (d.input_stride, d.output_stride),
        };
        let padded = |d: &Dim| d.n == 1 || strides(d).0 == strides(d).1;
        if self.half_side().is_none() {
            let same = self.all_dims().all(padded);
            return if same { Ok(()) } else { invalid("in place, input and output strides must be equal") };
        }
        let Some((line, others)) = self.dims.split_last() else { return Ok(()) };
        if (line.input_stride, line.output_stride) == (1, 1) && others.iter().chain(&self.batch).all(padded) {
            return Ok(());
        }
        invalid(
            "in place, the real numbers of a line are neighbours, and lines are as far apart as those of n/2 + 1 pairs: \
             strides of real numbers are twice those of elements",
        )
    }

    /// Each output has a place of its own.
    fn check_outputs_distinct(&self) -> Result<()> {
        let what = match distinct::are_distinct(self.strides(Side::Output)) {
            Some(true) => return Ok(()),
            Some(false) => "would write several results to one place",
            None => "are interleaved so that it would take long to tell whether results share a place",
        };
        let dims: Vec<_> = self.all_dims().map(|d| (d.n, d.output_stride)).collect();
        Err(Error::InvalidTransform(format!("outputs of so many points at such strides {what}: {dims:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;

    #[test]
    fn lengths_count_the_farthest_element() {
        let t = Transform::new(Algebra::ComplexF64, 8).with_dims([Dim::new(8, 3)]).with_batch([Dim::new(3, 1)]);
        assert_eq!((t.input_len(), t.output_len()), (24, 24));
        t.validate().unwrap();
    }

    #[test]
    fn contradictions_are_refused() {
        let zero = Transform::new(Algebra::ComplexF32, 0);
        assert!(matches!(zero.validate(), Err(Error::InvalidTransform(_))));
        let overlap = Transform::new(Algebra::ComplexF32, 8).with_batch([Dim::new(2, 4)]);
        assert!(matches!(overlap.validate(), Err(Error::InvalidTransform(_))));
        let mut strides = Transform::new(Algebra::ComplexF32, 8).in_place();
        strides.dims[0].output_stride = 2;
        assert!(matches!(strides.validate(), Err(Error::InvalidTransform(_))));
        let huge = Transform::new(Algebra::ComplexF32, 1 << 40).batch(1 << 40);
        assert!(matches!(huge.validate(), Err(Error::InvalidTransform(_))));
        let wide =
            Transform::new(Algebra::ComplexF32, 4).with_batch([Dim::new(usize::MAX, 4), Dim::new(usize::MAX, 1)]);
        assert!(matches!(wide.validate(), Err(Error::InvalidTransform(_))));
    }

    #[test]
    fn outputs_may_be_interleaved() {
        let pairs = |n, stride, batch: [Dim; 1]| {
            Transform::new(Algebra::ComplexF32, n).with_dims([Dim::new(n, stride)]).with_batch(batch)
        };
        pairs(2, 3, [Dim::new(2, 2)]).validate().unwrap();
        pairs(2, 3, [Dim::new(1 << 20, 2)]).validate().unwrap();
        pairs(3, 3, [Dim::new(1 << 20, 2)]).validate().unwrap_err();
        pairs(4, 5, [Dim::new(5, 4)]).validate().unwrap();
        assert!(matches!(pairs(5, 5, [Dim::new(6, 4)]).validate(), Err(Error::InvalidTransform(_))));
        assert!(matches!(pairs(4, 1, [Dim::new(2, 0)]).validate(), Err(Error::InvalidTransform(_))));
    }

    #[test]
    fn layouts_are_those_of_digits() {
        use crate::algebra::BigPrime;
        let t = Transform::new(Algebra::BigPrime(BigPrime::P3), 16);
        t.validate().unwrap();
        t.clone().layouts(Layout::Sliced, Layout::Plain).validate().unwrap();
        t.clone().layouts(Layout::Sliced, Layout::Sliced).in_place().validate().unwrap();
        let mixed = t.clone().layouts(Layout::Sliced, Layout::Plain).in_place();
        assert!(matches!(mixed.validate(), Err(Error::InvalidTransform(_))));
        let complex = Transform::new(Algebra::ComplexF32, 16).layouts(Layout::Plain, Layout::Sliced);
        assert!(matches!(complex.validate(), Err(Error::InvalidTransform(_))));
        for n in [12, 1 << 49] {
            let long = Transform::new(Algebra::BigPrime(BigPrime::P3), n);
            assert!(matches!(long.validate(), Err(Error::Unsupported { .. })), "{n}");
        }
        let text = serde_json::to_string(&t).unwrap();
        assert!(text.contains(r#"{"big-prime":"P3"}"#), "{text}");
        let older = text.replace(r#","input_layout":"plain","output_layout":"plain""#, "");
        assert!(older.len() < text.len());
        assert_eq!(serde_json::from_str::<Transform>(&older).unwrap(), t);
    }
}
