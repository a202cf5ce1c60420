//! Which launches a run is made of: those of all passes, or of all for some entries of the outermost batch dimension after the other,
//! so that the workspace is as long as some entries take.

use std::ops::Range;

use super::recipe::{Column, Pass, Place, Recipe};

/// A launch of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Launch {
    /// Its number among the recipe's launches, and its passes.
    pub number: usize,
    pub passes: Range<usize>,
    /// Numbers of the source, and of the target, before those that it reads and writes.
    pub source: usize,
    pub target: usize,
    /// Its columns, and its work-groups.
    pub columns: usize,
    pub groups: usize,
}

impl Recipe {
    /// The launches of a run, in their order. Those of two passes that share one through a
    /// [ring](Recipe::ring) are for others to say.
    pub(crate) fn schedule(&self) -> Vec<Launch> {
        let all = self.transform.batch.first().map_or(1, |outermost| outermost.n);
        let entries = self.chunk.unwrap_or(all);
        let first_entries = (0..all.max(1)).step_by(entries.max(1));
        first_entries.flat_map(|first| self.schedule_of(first, entries.min(all.saturating_sub(first)), all)).collect()
    }

    fn schedule_of(&self, first_entry: usize, entries: usize, all: usize) -> impl Iterator<Item = Launch> {
        self.launches().into_iter().enumerate().map(move |(number, passes)| {
            let (first, last) = (&self.passes()[passes.start], &self.passes()[passes.end - 1]);
            let before = |place, stride: fn(&Column) -> usize, pass: &Pass| match place {
                Place::Input | Place::Output => first_entry * pass.columns.last().map_or(0, stride),
                _ => 0,
            };
            let columns = if entries == all { first.column_count() } else { first.column_count() / all * entries };
            Launch {
                number,
                passes,
                source: before(first.source, |column| column.input_stride, first),
                target: before(last.target, |column| column.output_stride, last),
                columns,
                groups: columns.div_ceil(first.counted_in_tile().max(1)),
            }
        })
    }
}
