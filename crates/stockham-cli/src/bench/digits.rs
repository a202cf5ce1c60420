//! Elements of fields, as digits or words: the result is checked by the definition, by a law that all outputs of a line
//! obey together, and by the way back.

use std::marker::PhantomData;

use rayon::prelude::*;
use stockham::algebra::Root;
use stockham::{Digit, Layout, Lengths, Transform};

use crate::error::{Error, Result};
use crate::peer::{Peer, Work};

use super::check::spread;
use super::exact::ExactField;
use super::subject::{SEED, Subject, Timed, Verdict, workspace_of};
use super::timing::Patience;

/// Products of two digits that single outputs may take together: some seconds of one core, …
const PRODUCTS: usize = 1 << 31;
/// … for so many outputs at most, …
const MOST: usize = 64;
/// … and so many at least.
const LEAST: usize = 4;

/// A field whose elements are digits of type `D` that lie in a layout.
pub struct Digits<F, D> {
    field: F,
    layout: Layout,
    marker: PhantomData<D>,
}

impl<D: Digit, F: ExactField<D>> Digits<F, D> {
    pub fn of(field: F, layout: Layout) -> Self {
        Self { field, layout, marker: PhantomData }
    }

    /// Judges forward transforms by what there is to be known without going back.
    pub fn judge(&self, x: &[D], y: &[D], n: usize) -> Verdict {
        match self.field.check(y, self.layout) {
            // What are no digits cannot be computed with.
            Err(error) => Verdict { l2_error: 1.0, right: false, note: Some(error.to_string()) },
            Ok(()) => self.compare(x, y, n).verdict(),
        }
    }

    /// Compares outputs of the forward transforms of the lines of `x` with the definition, and the sum of each line with
    /// the first of its inputs. The digits must be those of elements.
    fn compare(&self, x: &[D], y: &[D], n: usize) -> Faults {
        let (field, k) = (&self.field, self.field.algebra().layout().1);
        let len = x.len() / k;
        let (next_element, next_digit) = self.layout.strides(k, len);
        let element = |values: &[D], i: usize| -> Vec<u64> {
            (0..k).map(|c| values[i * next_element + c * next_digit].into()).collect()
        };

        let places = spread(len, (PRODUCTS / n.saturating_mul(k * k)).clamp(LEAST, MOST));
        let is_wrong = |&place: &usize| {
            let line = place / n * n..(place / n + 1) * n;
            let root = field.root(Root::new(place % n, n));
            field.evaluate(x, self.layout, line, &root) != element(y, place)
        };
        let outputs = Part { wrong: places.par_iter().filter(|place| is_wrong(place)).count(), of: places.len() };

        // Σ X[k] = n·x[0].
        let (one, part) = (field.root(Root::new(0, n)), field.inverse_of_pow2(n.ilog2()));
        let has_wrong_sum = |&start: &usize| {
            let sum = field.evaluate(y, self.layout, start..start + n, &one);
            field.multiply(&sum, &part) != element(x, start)
        };
        let lines = len / n;
        let wrong = (0..lines).into_par_iter().map(|line| line * n).filter(has_wrong_sum).count();
        Faults { outputs, sums: Part { wrong, of: lines }, returned: Part::default() }
    }
}

impl<D: Digit, F: ExactField<D>> Subject for Digits<F, D> {
    type Value = D;
    fn transform(&self, lengths: impl Into<Lengths>) -> Transform {
        Transform::new(self.field.algebra(), lengths).layouts(self.layout, self.layout)
    }
    fn random(&self, elements: usize) -> Vec<D> {
        self.field.random(self.layout, elements, SEED)
    }
    fn check(&self, timed: Timed<'_, D>) -> Result<Verdict> {
        let Timed { stream, transform, host, input, output } = timed;
        let found = output.to_vec()?;
        // What are no digits cannot be computed with.
        if let Err(error) = self.field.check(&found, self.layout) {
            return Ok(Verdict { l2_error: 1.0, right: false, note: Some(error.to_string()) });
        }
        let mut faults = self.compare(host, &found, transform.points());
        let inverse = input.device().plan(&transform.clone().inverse())?;
        let mut workspace = workspace_of(&inverse)?;
        // What is to come back must not be there already.
        input.copy_from(stream, output)?;
        inverse.run_on(stream, output, &mut *input, &mut workspace)?;
        stream.synchronize()?;
        faults.returned = Part::differing(host, &input.to_vec()?);
        Ok(faults.verdict())
    }
    fn time_peer(&self, peer: &Peer, _: Patience, _: Work<'_, D>) -> Result<(f64, f64)> {
        Err(Error::input(format!("{} has no {} transforms", peer.name(), self.field.algebra().given())))
    }
}

/// How many of those looked at are wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Part {
    wrong: usize,
    of: usize,
}

impl Part {
    /// Values that are not what they should be.
    fn differing<D: Digit>(expected: &[D], found: &[D]) -> Self {
        let wrong = expected.par_iter().zip(found).filter(|(expected, found)| expected != found).count();
        Self { wrong, of: expected.len() }
    }

    fn share(self) -> f64 {
        self.wrong as f64 / self.of.max(1) as f64
    }
}

/// What the three checks found.
#[derive(Debug)]
struct Faults {
    /// Outputs that are not those of the definition.
    outputs: Part,
    /// Lines whose outputs have a wrong sum.
    sums: Part,
    /// Digits that are not back after the inverse transform.
    returned: Part,
}

impl Faults {
    /// The L2 error is the root of the share that is wrong, by the check that found most.
    fn verdict(self) -> Verdict {
        let parts = [
            (self.outputs, "outputs compared"),
            (self.sums, "sums of a transform's outputs"),
            (self.returned, "digits after the inverse transform"),
        ];
        let l2_error = parts.iter().map(|(part, _)| part.share()).fold(0.0, f64::max).sqrt();
        let wrong = parts.iter().filter(|(part, _)| part.wrong > 0);
        let words: Vec<_> = wrong.map(|(part, what)| format!("{} of {} {what}", part.wrong, part.of)).collect();
        let note = (!words.is_empty()).then(|| format!("wrong: {}", words.join(", ")));
        Verdict { l2_error, right: note.is_none(), note }
    }
}

#[cfg(test)]
#[path = "digits_tests.rs"]
mod tests;
