//! Contiguous lines, transformed and scaled.

use super::factor::Factor;
use super::line::Line;

/// A transform with its factor.
pub(super) struct Scaled<T> {
    pub line: Box<dyn Line<T>>,
    pub factor: Option<Box<dyn Factor<T>>>,
}

impl<T: Copy> Scaled<T> {
    /// Transforms some lines, in place or from a source.
    pub fn transform(&self, source: Option<&[T]>, lines: &mut [T], scratch: &mut [T]) {
        let Some(factor) = &self.factor else { return self.plain(source, lines, scratch, &|_| {}) };
        if !factor.comes_first(source.unwrap_or(lines)) {
            return self.plain(source, lines, scratch, &|part| factor.after(part, false));
        }
        if let Some(source) = source {
            lines.copy_from_slice(source);
        }
        for line in lines.chunks_exact_mut(self.line.len()) {
            let comes_first = factor.comes_first(line);
            if comes_first {
                factor.before(line);
            }
            self.plain(None, line, scratch, &|part| factor.after(part, comes_first));
        }
    }

    fn plain(&self, source: Option<&[T]>, lines: &mut [T], scratch: &mut [T], finish: &(dyn Fn(&mut [T]) + Sync)) {
        match source {
            Some(source) => self.line.out_of_place(source, lines, scratch, finish),
            None => self.line.in_place(lines, scratch, finish),
        }
    }
}
