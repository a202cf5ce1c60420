//! Arrays as they are read, of another shape: what is beyond it is left out, and what is missing is 0.

use crate::error::Result;

use super::Reader;

/// A file's elements in the order of the other shape.
pub struct Resized {
    reader: Reader,
    from: Vec<usize>,
    to: Vec<usize>,
    /// Rows of the last axis that have been begun, in the other shape.
    rows: usize,
    /// Elements of the file that have been read or left out.
    read: usize,
    /// Elements of the present row that are still to come, and zeros behind them.
    elements: usize,
    zeros: usize,
}

impl Resized {
    /// In a shape with as many axes as the file's, at least one.
    pub fn new(reader: Reader, to: &[usize]) -> Self {
        let from = reader.header().shape.clone();
        Self { reader, from, to: to.to_vec(), rows: 0, read: 0, elements: 0, zeros: 0 }
    }

    /// Fills `target` with the next elements.
    pub fn fill(&mut self, mut target: &mut [u8]) -> Result<()> {
        if self.from == self.to {
            return self.reader.fill(target);
        }
        let bytes = self.reader.header().kind.bytes();
        while !target.is_empty() {
            if self.elements == 0 && self.zeros == 0 {
                self.begin_row()?;
            }
            let is_there = self.elements > 0;
            let left = if is_there { &mut self.elements } else { &mut self.zeros };
            let count = (*left).min(target.len() / bytes);
            *left -= count;
            let (now, rest) = target.split_at_mut(count * bytes);
            target = rest;
            if is_there {
                self.reader.fill(now)?;
                self.read += count;
            } else {
                now.fill(0);
            }
        }
        Ok(())
    }

    fn begin_row(&mut self) -> Result<()> {
        let last = self.to.len() - 1;
        let mut number = self.rows;
        self.rows += 1;
        self.zeros = self.to[last];
        // Its place in the file, if it is there.
        let (mut place, mut stride) = (0, self.from[last]);
        for axis in (0..last).rev() {
            let index = number % self.to[axis];
            number /= self.to[axis];
            if index >= self.from[axis] {
                return Ok(());
            }
            place += index * stride;
            stride *= self.from[axis];
        }
        self.elements = self.from[last].min(self.to[last]);
        self.zeros -= self.elements;
        self.leave_out(place - self.read)
    }

    /// Passes over so many elements.
    fn leave_out(&mut self, mut count: usize) -> Result<()> {
        const AT_ONCE: usize = 1 << 12;
        let bytes = self.reader.header().kind.bytes();
        let mut nowhere = vec![0; AT_ONCE.min(count) * bytes];
        self.read += count;
        while count > 0 {
            let now = count.min(AT_ONCE);
            self.reader.fill(&mut nowhere[..now * bytes])?;
            count -= now;
        }
        Ok(())
    }
}
