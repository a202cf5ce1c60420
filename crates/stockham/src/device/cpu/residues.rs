//! Integers and their residues on the host.

use rayon::prelude::*;

use crate::algebra::residue_system::Constants;
use crate::error::Result;

use super::super::driver::{Queue, StepOperands, StepProgram};
use super::operands::words;

/// Integers that one task takes: less is not worth handing to another core.
const GRAIN: usize = 1 << 10;

/// Integers, word after word, to residues, prime after prime.
pub(super) struct Reduce(pub Constants);

impl StepProgram for Reduce {
    fn enqueue(&self, _: &dyn Queue, operands: StepOperands<'_>) -> Result<()> {
        let k = self.0.moduli.len();
        words(operands, |integers, residues| {
            let count = integers.len() / k;
            residues.par_chunks_mut(count).enumerate().for_each(|(j, residues)| {
                residues
                    .par_iter_mut()
                    .zip(integers.par_chunks_exact(k))
                    .with_min_len(GRAIN)
                    .for_each(|(residue, integer)| *residue = self.0.residue(j, integer));
            });
        });
        Ok(())
    }
}

/// The same back.
pub(super) struct Recombine(pub Constants);

impl StepProgram for Recombine {
    fn enqueue(&self, _: &dyn Queue, operands: StepOperands<'_>) -> Result<()> {
        let k = self.0.moduli.len();
        words(operands, |residues, integers| {
            let count = integers.len() / k;
            integers.par_chunks_exact_mut(k).enumerate().with_min_len(GRAIN).for_each_init(
                || vec![0; k],
                |own, (i, integer)| {
                    own.iter_mut().enumerate().for_each(|(j, residue)| *residue = residues[j * count + i]);
                    integer.copy_from_slice(&self.0.words(own));
                },
            );
        });
        Ok(())
    }
}
