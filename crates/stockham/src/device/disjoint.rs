//! Ranges of memory that must not overlap. Borrowed views of one buffer cannot, where one may be written; but two buffers may
//! have been made of one foreign pointer or memory object.

use crate::error::{Error, Result};

use super::driver::Location;

/// So many bytes, and what they are for.
#[derive(Clone, Copy)]
pub(super) struct Range<'a> {
    pub name: &'static str,
    pub location: Location<'a>,
    pub bytes: usize,
}

impl Range<'_> {
    /// The object that it is part of, where it begins there, and where it ends.
    fn span(&self) -> Option<(u64, u64, u64)> {
        let (object, begin) = self.location.memory.place()?;
        let begin = begin.saturating_add(self.location.offset as u64);
        Some((object, begin, begin.saturating_add(self.bytes as u64)))
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (Some(a), Some(b)) = (self.span(), other.span()) else { return false };
        a.0 == b.0 && a.1.max(b.1) < a.2.min(b.2)
    }
}

/// Checks that no two ranges overlap, as far as devices tell where memory lies.
///
/// # Errors
/// [`Error::Overlap`].
pub(super) fn check(ranges: &[Range<'_>]) -> Result<()> {
    for (i, second) in ranges.iter().enumerate() {
        if let Some(first) = ranges[..i].iter().find(|first| first.overlaps(second)) {
            return Err(Error::Overlap { first: first.name, second: second.name });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::any::Any;

    use super::super::driver::Memory;
    use super::*;

    /// Memory that begins there.
    struct At(Option<u64>);

    impl Memory for At {
        fn bytes(&self) -> usize {
            64
        }
        fn address(&self) -> Option<u64> {
            self.0
        }
        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn ranges_that_share_a_byte_overlap() {
        let overlap = |(a, from, bytes): (Option<u64>, usize, usize), (b, other_from, other_bytes)| {
            let (a, b) = (At(a), At(b));
            let input = Range { name: "input", location: Location { memory: &a, offset: from }, bytes };
            let location = Location { memory: &b, offset: other_from };
            let result = check(&[input, Range { name: "output", location, bytes: other_bytes }]);
            assert!(matches!(result, Ok(()) | Err(Error::Overlap { first: "input", second: "output" })), "{result:?}");
            result.is_err()
        };
        assert!(overlap((Some(4096), 0, 64), (Some(4096), 0, 64)));
        assert!(overlap((Some(4096), 0, 64), (Some(4104), 0, 8)));
        assert!(overlap((Some(4096), 32, 33), (Some(4160), 0, 8)));
        assert!(!overlap((Some(4096), 0, 64), (Some(4160), 0, 64)));
        assert!(!overlap((Some(4096), 0, 32), (Some(4096), 32, 32)));
        // Nothing overlaps with nothing, and what is not known is let through.
        assert!(!overlap((Some(4096), 0, 64), (Some(4104), 0, 0)));
        assert!(!overlap((None, 0, 64), (None, 0, 64)));
    }
}
