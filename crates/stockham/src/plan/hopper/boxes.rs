//! The tiles of a pass as boxes of an array, which is how copies of whole tiles see them.

use super::super::recipe::Pass;

/// What bulk copies move is a multiple of this, and so are the distances between the rows of a box.
pub(super) const UNIT_BYTES: usize = 16;

/// Copies of boxes count words of so many bytes.
pub(crate) const BOX_WORD: usize = 8;

/// What the copies of boxes take: so many dimensions, so many words or lines of each at a time, and distances below that
/// many bytes.
pub(super) const MOST_DIMS: usize = 5;
const MOST_OF_DIM: usize = 256;
const MOST_DISTANCE: usize = 1 << 40;

/// An array in a pass's source. Each tile is a box of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// Its dimensions, in the order in which the elements of a box lie in local memory: columns, and then rows.
    pub dims: Vec<Extent>,
    /// The dimension that the numbers of tiles go through first; then come the others in their order.
    pub first: usize,
    /// The dimension of the rows.
    pub rows: usize,
    /// How many rows of a box are copied at a time, which divide them.
    pub at_once: usize,
}

/// A dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Indices that the array has.
    pub n: usize,
    /// Distance between neighbours, in elements.
    pub stride: usize,
    /// Indices that a box has, which divide n.
    pub of_box: usize,
}

impl Array {
    /// How many boxes there are along each dimension, in the order of the numbers of tiles.
    pub fn turns(&self) -> impl Iterator<Item = (usize, usize)> {
        let others = (0..self.dims.len()).filter(|&dim| dim != self.first);
        let turns = |dim: usize| (dim, self.dims[dim].n / self.dims[dim].of_box);
        [self.first].into_iter().chain(others).map(turns).filter(|&(_, boxes)| boxes > 1)
    }

    /// Elements of a box.
    pub fn box_len(&self) -> usize {
        self.dims.iter().map(|dim| dim.of_box).product()
    }

    /// Whether copies of boxes take it.
    pub(super) fn can_be_copied(&self, element_bytes: usize) -> bool {
        let [first, others @ ..] = &self.dims[..] else { return false };
        let is_apart = |dim: &Extent| {
            let distance = dim.stride.saturating_mul(element_bytes);
            distance.is_multiple_of(UNIT_BYTES) && (1..MOST_DISTANCE).contains(&distance)
        };
        let is_small = |(number, dim): (usize, &Extent)| number + 1 == self.rows || dim.of_box <= MOST_OF_DIM;
        let rows = self.dims[self.rows].of_box;
        first.stride == 1
            && self.rows > 0
            && self.dims.len() <= MOST_DIMS
            && element_bytes.is_multiple_of(BOX_WORD)
            && (first.of_box * element_bytes).is_multiple_of(UNIT_BYTES)
            && first.of_box * element_bytes / BOX_WORD <= MOST_OF_DIM
            && others.iter().enumerate().all(is_small)
            && others.iter().all(is_apart)
            && self.dims.iter().all(|dim| dim.n <= u32::MAX as usize / element_bytes)
            && (rows <= MOST_OF_DIM || rows.is_multiple_of(MOST_OF_DIM))
    }

    /// Where the elements of a tile lie in the source, in the order in which they lie in local memory.
    #[cfg(test)]
    pub fn elements(&self, tile: usize) -> impl Iterator<Item = usize> {
        let (mut rest, mut start) = (tile, 0);
        for (dim, boxes) in self.turns() {
            start += rest % boxes * self.dims[dim].of_box * self.dims[dim].stride;
            rest /= boxes;
        }
        (0..self.box_len()).map(move |place| {
            let along =
                |(rest, at): (usize, usize), dim: &Extent| (rest / dim.of_box, at + rest % dim.of_box * dim.stride);
            self.dims.iter().fold((place, start), along).1
        })
    }
}

impl Pass {
    /// The array whose boxes are the tiles; nothing if a tile's columns are no box.
    pub(crate) fn array(&self) -> Option<Array> {
        let of_box = |digit: usize| if digit == 0 { self.tile.columns } else { 1 };
        // Where two real numbers make an element, they are neighbours.
        let pairs = self.ends.as_ref().filter(|ends| ends.sides[0] && ends.packed);
        let is_possible = pairs.is_none_or(|ends| ends.strides.0 == 1 && ends.mirrored == [false; 2]);
        let in_elements = |points: usize, stride: usize| match pairs {
            None => Some(stride),
            Some(_) if points > 0 => Some(points),
            Some(_) => stride.is_multiple_of(2).then_some(stride / 2),
        };
        let columns = self.columns.iter().enumerate().map(|(digit, c)| {
            let stride = in_elements(pairs.map_or(0, |ends| ends.digits[digit]), c.input_stride)?;
            Some(Extent { n: c.n, stride, of_box: of_box(digit) })
        });
        let extents: Vec<Extent> = columns.collect::<Option<_>>()?;
        let is_whole = is_possible && extents.iter().all(|dim| dim.of_box > 0 && dim.n.is_multiple_of(dim.of_box));
        let row_stride = in_elements(pairs.map_or(0, |ends| ends.row), self.row_strides.0)?;
        let rows = Extent { n: self.radix, stride: row_stride, of_box: self.radix };
        let at_once = self.radix.min(MOST_OF_DIM);
        // Digits of which a tile has one value may come behind the rows, and those that have but one may be left out.
        let inside = extents.iter().rposition(|dim| dim.of_box > 1).map_or(0, |last| last + 1);
        let (inner, outer) = extents.split_at(inside);
        let outer = outer.iter().copied().filter(|dim| dim.n > 1);
        let first = self.hopper.share.map_or(0, |share| share.digit);
        let dims: Vec<Extent> = inner.iter().copied().chain([rows]).chain(outer).collect();
        (is_whole && first < inside.max(1)).then_some(Array { dims, first, rows: inside, at_once })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_cover_the_array_once() {
        let dim = |n, stride, of_box| Extent { n, stride, of_box };
        let array = Array {
            dims: vec![dim(8, 1, 2), dim(4, 8, 2), dim(3, 32, 3), dim(2, 100, 1)],
            first: 1,
            rows: 2,
            at_once: 3,
        };
        assert_eq!(array.turns().collect::<Vec<_>>(), [(1, 2), (0, 4), (3, 2)]);
        assert_eq!(array.elements(3).collect::<Vec<_>>(), [18, 19, 26, 27, 50, 51, 58, 59, 82, 83, 90, 91]);
        let mut all: Vec<usize> = (0..16).flat_map(|tile| array.elements(tile)).collect();
        all.sort_unstable();
        let whole: Vec<usize> = (0..2).flat_map(|d| (0..96).map(move |i| 100 * d + i)).collect();
        assert_eq!(all, whole);
    }
}
