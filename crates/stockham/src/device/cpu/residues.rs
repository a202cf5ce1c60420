//! Integers and their residues on the host.

use crate::algebra::residue_system::Constants;
use crate::error::Result;
use crate::parallel;

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
            for (j, residues) in residues.chunks_mut(count).enumerate() {
                parallel::fill(residues, GRAIN, |i| self.0.residue(j, &integers[i * k..][..k]));
            }
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
            parallel::tasks(integers, k, GRAIN, &|first, part| {
                let mut own = vec![0; k];
                for (integer, i) in part.chunks_exact_mut(k).zip(first..) {
                    own.iter_mut().enumerate().for_each(|(j, residue)| *residue = residues[j * count + i]);
                    integer.copy_from_slice(&self.0.words(&own));
                }
            });
        });
        Ok(())
    }
}
