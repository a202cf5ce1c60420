//! Which rows and columns of a tile a thread has ([`Pass::place_of`](crate::plan::Pass)), and where they lie in memory.

use crate::algebra::Scalar;
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::Symbol;
use crate::plan::{Holding, Lanes};

use super::Lowering;

/// A row and a column of the tile.
pub(super) type Place = crate::plan::held::Place<Symbol>;

/// What a column means for memory.
pub(super) struct Origin {
    /// Index of row 0.
    pub base: Symbol,
    /// Σ weight·digit, the factor of the twiddle exponent.
    pub weight: Symbol,
    /// Whether the column exists at all, where that is not certain.
    pub exists: Option<Symbol>,
}

impl Lowering<'_> {
    /// The number of the thread in its column, and the column.
    pub(super) fn thread(&self, lanes: Lanes) -> (Symbol, Symbol) {
        self.pass.number_and_column(&self.context.value(Type::U32, Op::Thread), lanes)
    }

    /// [`Pass::held`](crate::plan::Pass::held) in symbols.
    pub(super) fn held(&self, holding: Holding, v: usize) -> Place {
        match holding {
            Holding::Slots(lanes) => self.held_in_slots(lanes, v),
            Holding::Points(_) | Holding::Gathered(_) | Holding::Scattered(_) => match self.pass.rader {
                Some(rader) => self.held_by_powers(rader, holding, v),
                None => unreachable!("points of a prime length"),
            },
            _ => self.held_in_pairs(holding, v).unwrap_or_else(|| {
                let thread = self.context.value(Type::U32, Op::Thread);
                self.pass.place_of(holding, v, &thread)
            }),
        }
    }

    /// What the digits of a column are, and whether there is such a column, where that is not certain.
    pub(super) fn digits(&self, column: &Symbol) -> (Vec<Symbol>, Option<Symbol>) {
        if self.pass.has_images() { self.digits_with_images(column) } else { self.counted_digits(column) }
    }

    /// The same of columns that are no [images](crate::plan::Pass).
    pub(super) fn counted_digits(&self, column: &Symbol) -> (Vec<Symbol>, Option<Symbol>) {
        let (columns, ty) = (&self.pass.columns, self.index_type);
        let (width, values) = (self.pass.counted_in_tile(), self.pass.counted_values());
        let group = self.tile_of_group(self.context.value(ty, Op::Group));
        let single = columns.len() == 1;
        let whole = values.is_multiple_of(width) && !single;
        let (mut exists, mut digits) = (None, Vec::new());
        let mut rest = if let Some(share) = self.pass.hopper.share {
            let (first, rest) = self.digits_in_cluster(&share, column);
            digits = first;
            rest
        } else if whole {
            // The tile lies within the first digit: the others are the same for the whole work-group.
            let tiles = values / width;
            digits.push(group.modulo(tiles).times(width).add(&column.cast(ty)));
            group.over(tiles)
        } else {
            let count = self.context.value(ty, Op::Argument("columns"));
            let number = group.times(width).add(&column.cast(ty));
            // There are as many work-groups as tiles of one column. Kernels that store points with their images have guards for
            // some of them, and are faster without this one; others' registers were allocated worse.
            let number = if width == 1 && self.pass.has_images_in_stage(1) {
                number
            } else {
                exists = Some(number.less_than(&count));
                // A column beyond the last one reads the last one's input, and is not stored.
                number.min(&count.sub(&self.context.integer(ty, 1)))
            };
            if single {
                digits.push(number.clone());
                number
            } else {
                digits.push(number.modulo(values));
                number.over(values)
            }
        };
        for (d, of) in columns.iter().enumerate().skip(digits.len()) {
            if d + 1 == columns.len() {
                digits.push(rest.clone());
            } else {
                digits.push(rest.modulo(of.n));
                rest = rest.over(of.n);
            }
        }
        (digits, exists)
    }

    /// Where a column is; `stride` says how far apart a digit's values lie.
    pub(super) fn origin(&self, column: &Symbol, stride: impl Fn(&crate::plan::Column) -> usize) -> Origin {
        let (digits, exists) = self.digits(column);
        let ty = self.index_type;
        let zero = |ty| self.context.integer(ty, 0);
        let (mut base, mut weight) = (zero(ty), zero(Type::U32));
        for (c, (digit, of)) in digits.iter().zip(&self.pass.columns).enumerate() {
            base = base.add(&self.along_column(digit, c, stride(of)));
            if of.weight > 0 {
                weight = weight.add(&digit.cast(Type::U32).times(of.weight));
            }
        }
        Origin { base, weight, exists }
    }
}

impl Symbol {
    /// An index into global memory: widened before the constant is added, so that the compiler can leave the constant
    /// to the address (in 32 bits it would have to mind the overflow).
    pub(super) fn offset(&self, constant: usize) -> Self {
        self.cast(Type::U64).plus(constant)
    }
}
