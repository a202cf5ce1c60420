//! Recipes of two passes over long batches, a chunk of the batch at a time: what the first pass writes is still in the
//! device's cache when the second reads it, and the workspace is a few chunks long.
//!
//! A launch does the second pass of one chunk and the first pass of the next, so that neither waits for the other.

use crate::error::{Error, Result};

use super::recipe::{Column, Method, Pass, Place, Recipe};

/// Chunks with intermediate results at a time: the one that is written, the one that is read, and the one that a launch
/// before may still read.
pub const RING: usize = 3;

/// What a launch does of one of the two passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// Elements of the source before it.
    pub source: usize,
    /// Elements of the target before it.
    pub target: usize,
    /// Its columns.
    pub columns: usize,
    /// Its work-groups; none at the ends of a run.
    pub groups: usize,
}

impl Recipe {
    /// What the launch of that number does: the first pass of a chunk, and the second of the chunk before it.
    pub(crate) fn parts(&self, number: usize) -> [Part; 2] {
        let all = self.transform.batch.first().map_or(1, |d| d.n);
        let chunk = self.chunk.unwrap_or(all);
        let stride = |of: fn(&Column) -> usize, pass: &Pass| pass.columns.last().map_or(0, of);
        let between = |number: usize| number % RING * chunk * self.entry_len();
        let part = |pass: usize, number: Option<usize>| {
            // At the ends of a run there is nothing to do, and nowhere.
            let Some(number) = number.filter(|number| number * chunk < all) else {
                return Part { source: 0, target: 0, columns: 0, groups: 0 };
            };
            let (first, pass) = (number * chunk, &self.passes()[pass]);
            let columns = pass.column_count() / all * chunk.min(all - first);
            let outside = |of| first * stride(of, pass);
            let (source, target) = match pass.source {
                Place::Input => (outside(|c| c.input_stride), between(number)),
                _ => (between(number), outside(|c| c.output_stride)),
            };
            Part { source, target, columns, groups: columns.div_ceil(pass.tile.columns) }
        };
        [part(0, Some(number)), part(1, number.checked_sub(1))]
    }

    /// The same recipe by chunks of so many entries of the outermost batch dimension.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] unless the recipe has two passes through the workspace with work-groups of one size,
    /// over numbers that are no digits, and a batch of more than `entries` > 0.
    pub fn in_chunks(mut self, entries: usize) -> Result<Self> {
        self.workspace_len = self.ring_len(entries);
        self.chunk = Some(entries);
        self.check_chunk()?;
        Ok(self)
    }

    /// Elements of a ring of chunks of so many entries.
    fn ring_len(&self, entries: usize) -> usize {
        entries.saturating_mul(RING).saturating_mul(self.entry_len())
    }

    /// Elements of an entry of the outermost batch dimension, without gaps.
    pub(crate) fn entry_len(&self) -> usize {
        let inner: usize = self.transform.batch.iter().skip(1).map(|d| d.n).product();
        self.transform.points() * inner
    }

    /// The number of times that launches are submitted: once each, or for every chunk and once more, as the first has no
    /// second pass to do, and the last no first one; or one for all.
    pub(crate) fn submissions(&self) -> usize {
        match (self.chunk, self.transform.batch.first()) {
            _ if self.ring.is_some() => 1,
            (Some(entries), Some(outermost)) => outermost.n.div_ceil(entries) + 1,
            _ => self.launches().len(),
        }
    }

    pub(super) fn check_chunk(&self) -> Result<()> {
        let Some(entries) = self.chunk else { return Ok(()) };
        let goes = |first: &Pass, second: &Pass| {
            let places = [(first.source, first.target), (second.source, second.target)];
            first.group() == second.group()
                && !(first.tile.ahead || second.tile.ahead)
                && (first.planes, second.planes) == (None, None)
                && places == [(Place::Input, Place::Workspace), (Place::Workspace, Place::Output)]
        };
        let fits = match (&self.method, self.transform.batch.first()) {
            (Method::Passes(passes), Some(outermost)) if passes.len() == 2 => {
                goes(&passes[0], &passes[1])
                    && passes.iter().all(|pass| pass.columns.last().is_some_and(|column| column.n == outermost.n))
                    && (1..outermost.n).contains(&entries)
                    && self.workspace_len >= self.ring_len(entries)
                    && !self.transform.algebra.has_digits()
            }
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "chunks of {entries} need a longer batch of transforms by two passes that load directly, with work-groups of one \
             size"
        )))
    }
}
