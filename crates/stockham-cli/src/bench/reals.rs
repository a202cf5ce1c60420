//! Real numbers, whose transforms are half spectra. The buffers of both sides hold reals, of a spectrum the real and
//! imaginary parts, and are as long as the spectra, which are the longer side.

use std::marker::PhantomData;

use stockham::accuracy::{self, Measured};
use stockham::{Data, Element, Lengths, Transform};

use crate::elements::Number;
use crate::error::Result;
use crate::peer::{Peer, Work};

use super::check::{self, Outputs};
use super::subject::{SEED, Subject, Timed, Verdict};
use super::timing::Patience;
use super::{arrays, beside};

/// Real numbers of a type, compared with a reference in at least twice the precision.
pub struct Reals<R>(PhantomData<R>);

impl<R> Reals<R> {
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R: Number + Data> Subject for Reals<R>
where
    R::Complex: Measured,
{
    type Value = R;
    fn transform(&self, lengths: impl Into<Lengths>) -> Transform {
        Transform::real(R::Complex::ALGEBRA, lengths)
    }
    fn random(&self, elements: usize) -> Vec<R> {
        bytemuck::cast_slice(&accuracy::random::<R::Complex>(elements, SEED)).to_vec()
    }
    fn check(&self, timed: Timed<'_, R>) -> Result<Verdict> {
        let Timed { transform, host, output, .. } = timed;
        let l2_error = l2_error(transform, host, &|range| Ok(output.slice(range)?.to_vec()?))?;
        Ok(Verdict { l2_error, right: check::is_right(transform, l2_error), note: None })
    }
    fn time_peer(&self, peer: &Peer, patience: Patience, work: Work<'_, R>) -> Result<(f64, f64)> {
        let (transform, host) = (work.transform, work.host);
        beside::time_peer_by(peer, patience, work, &|outputs| l2_error(transform, host, outputs))
    }
}

/// The relative L2 error of half spectra, of which `parts` has the real and the imaginary parts.
fn l2_error<R: Number + Data>(transform: &Transform, x: &[R], parts: Outputs<'_, R>) -> Result<f64>
where
    R::Complex: Measured,
{
    let spectra = |range: std::ops::Range<usize>| -> Result<Vec<R::Complex>> {
        Ok(bytemuck::cast_slice(&parts(2 * range.start..2 * range.end)?).to_vec())
    };
    arrays::l2_error(transform, &|i| x[i].complex().widen(), &spectra)
}
