//! Contiguous lines, transformed and scaled.

use super::factor::Factor;
use super::line::{Line, copy};

/// A transform with its factor.
pub(super) struct Scaled<T> {
    pub line: Box<dyn Line<T>>,
    pub factor: Option<Box<dyn Factor<T>>>,
}

impl<T: Copy> Scaled<T> {
    /// Transforms some lines, in place or from a source.
    pub fn transform(&self, source: Option<&[T]>, lines: &mut [T], scratch: &mut [T]) {
        let Some(factor) = &self.factor else { return self.line.lines(source, lines, scratch, &|_| {}) };
        if !factor.comes_first(source.unwrap_or(lines)) {
            return self.line.lines(source, lines, scratch, &|part| factor.after(part, false));
        }
        copy(source, lines);
        for line in lines.chunks_exact_mut(self.line.len()) {
            let comes_first = factor.comes_first(line);
            if comes_first {
                factor.before(line);
            }
            self.line.line(None, line, scratch, &|part| factor.after(part, comes_first));
        }
    }
}
