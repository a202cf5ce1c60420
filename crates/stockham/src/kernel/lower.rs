//! Lowering: a pass of a recipe becomes a kernel.
//!
//! A work-group takes a tile of `columns` DFTs of length R. Thread τ of a column holds the rows τ + T·v in registers,
//! for T threads a column; that holds for the input of every stage, so that a stage reads what it needs from local
//! memory (the first: from the source), and only the places it writes depend on the stage (Stockham's autosort).

use crate::algebra::{Algebra, Ring, Scalar, Traced, Word};
use crate::codelet;
use crate::plan::{Lanes, Padding, Pass, Recipe};

use super::ir::{Kernel, Memory, Op, Stmt, Type};
use super::symbol::{Context, Symbol};
use super::tables::Tables;

type Number = Traced<Symbol>;

/// The kernel of a recipe's pass.
pub(super) fn lower(recipe: &Recipe, number: usize) -> Kernel {
    let pass = &recipe.passes()[number];
    let transform = &recipe.transform;
    let (word, components) = transform.algebra.layout();
    let element = (scalar_type(word), components);
    let farthest = transform.input_len().max(transform.output_len()).max(recipe.workspace_len);
    let index_type = if u32::try_from(farthest).is_ok() { Type::U32 } else { Type::U64 };
    let context = Context::default();
    Lowering { context: &context, pass, recipe, element, index_type, tables: Tables::of(pass) }.run();
    let (values, body) = context.take().finish();
    Kernel {
        name: format!("pass{number}_radix{}", pass.radix),
        group: pass.group(),
        element,
        tile: if pass.tile.split { (element.0, 1) } else { element },
        tile_len: pass.tile_len(),
        in_place: pass.source == pass.target || transform.placement == crate::transform::Placement::InPlace,
        index_type,
        values,
        body,
    }
}

fn scalar_type(word: Word) -> Type {
    match word {
        Word::F32 => Type::F32,
        Word::F64 => Type::F64,
        Word::U64 => Type::U64,
    }
}

struct Lowering<'a> {
    context: &'a Context,
    pass: &'a Pass,
    recipe: &'a Recipe,
    element: (Type, usize),
    index_type: Type,
    tables: Tables,
}

/// A thread's place in the tile: the thread τ of its column, and the column.
struct Position {
    thread: Symbol,
    column: Symbol,
}

/// What a thread's column means for memory.
struct Origin {
    /// Index of row 0.
    base: Symbol,
    /// Σ weight·digit, the factor of the twiddle exponent.
    weight: Symbol,
    /// Whether the column exists at all, where that is not certain.
    exists: Option<Symbol>,
}

impl Lowering<'_> {
    fn run(&self) {
        let Pass { tile, radix, .. } = self.pass;
        let threads = self.pass.threads_per_column();
        let mut position = self.position(self.pass.lanes(0));
        let mut rows = self.load(&position);
        for s in 0..tile.stages.len() {
            if s > 0 {
                let next = self.position(self.pass.lanes(s));
                rows = self.exchange(s, rows, &position, &next);
                position = next;
            }
            rows = self.stage(s, rows, &position);
        }
        let last = tile.stages.len().saturating_sub(1);
        let origin = self.origin(&position, |c| c.output_stride);
        let stride = self.pass.row_strides.1;
        for (v, x) in rows.into_iter().enumerate() {
            let (row, step) = self.output_row(last, v, &position.thread, threads);
            let index = origin.base.add(&row.cast(self.index_type).times(stride)).offset(step * stride);
            let components = x.scaled(self.pass.scale).into_components();
            self.context.store(Memory::Target, &index, &components, origin.exists.as_ref());
        }
        debug_assert!(*radix == tile.stages.iter().product::<usize>());
    }

    fn position(&self, lanes: Lanes) -> Position {
        let thread = self.context.value(Type::U32, Op::Thread);
        let (threads, columns) = (self.pass.threads_per_column(), self.pass.tile.columns);
        match lanes {
            Lanes::Rows => {
                Position { thread: thread.modulo(threads), column: over(&thread, threads, self.pass.group()) }
            }
            Lanes::Columns => {
                Position { thread: over(&thread, columns, self.pass.group()), column: thread.modulo(columns) }
            }
        }
    }

    /// Splits the number of a column into its digits; `stride` says how far apart a digit's values lie.
    fn origin(&self, position: &Position, stride: impl Fn(&crate::plan::Column) -> usize) -> Origin {
        let (columns, ty) = (&self.pass.columns, self.index_type);
        let width = self.pass.tile.columns;
        let group = self.context.value(ty, Op::Group);
        let single = columns.len() == 1;
        let whole = columns[0].n.is_multiple_of(width) && !single;
        let (mut exists, mut digits) = (None, Vec::new());
        let mut rest = if whole {
            // The tile lies within the first digit: the others are the same for the whole work-group.
            let tiles = columns[0].n / width;
            digits.push(group.modulo(tiles).times(width).add(&position.column.cast(ty)));
            group.over(tiles)
        } else {
            let count = self.context.value(ty, Op::Argument("columns"));
            let number = group.times(width).add(&position.column.cast(ty));
            exists = Some(number.less_than(&count));
            // A column beyond the last one reads the last one's input, and is not stored.
            let last = count.sub(&self.context.integer(ty, 1));
            let number = number.min(&last);
            if single {
                digits.push(number.clone());
                number
            } else {
                digits.push(number.modulo(columns[0].n));
                number.over(columns[0].n)
            }
        };
        for (d, column) in columns.iter().enumerate().skip(1) {
            if d + 1 == columns.len() {
                digits.push(rest.clone());
            } else {
                digits.push(rest.modulo(column.n));
                rest = rest.over(column.n);
            }
        }
        let zero = |ty| self.context.integer(ty, 0);
        let (mut base, mut weight) = (zero(ty), zero(Type::U32));
        for (digit, column) in digits.iter().zip(columns) {
            base = base.add(&digit.times(stride(column)));
            if column.weight > 0 {
                weight = weight.add(&digit.cast(Type::U32).times(column.weight));
            }
        }
        Origin { base, weight, exists }
    }

    fn load(&self, position: &Position) -> Vec<Number> {
        let (threads, stride) = (self.pass.threads_per_column(), self.pass.row_strides.0);
        let origin = self.origin(position, |c| c.input_stride);
        let first = origin.base.add(&position.thread.cast(self.index_type).times(stride));
        let rows: Vec<Number> = (0..self.pass.tile.per_thread)
            .map(|v| self.element(Memory::Source, &first.offset(v * threads * stride)))
            .collect();
        let Some(twiddle) = &self.pass.twiddle else { return rows };
        let exponent = origin.weight.mul(&position.thread);
        let step = origin.weight.times(threads);
        rows.into_iter()
            .enumerate()
            .map(|(v, x)| {
                let e = exponent.add(&step.times(v));
                if twiddle.split == twiddle.order {
                    return x.mul(&self.table(self.tables.fine, &e));
                }
                let fine = self.table(self.tables.fine, &e.modulo(twiddle.split));
                let coarse = self.table(self.tables.coarse, &e.over(twiddle.split));
                x.mul(&fine.mul(&coarse))
            })
            .collect()
    }

    /// One stage in registers: per_thread / r butterflies of radix r, on the rows u, u + m, u + 2m, …
    fn stage(&self, s: usize, mut rows: Vec<Number>, position: &Position) -> Vec<Number> {
        let (r, p) = self.pass.stage(s);
        let butterflies = rows.len() / r;
        let threads = self.pass.threads_per_column();
        for u in 0..butterflies {
            let mut x: Vec<Number> = (0..r).map(|j| rows[u + j * butterflies].clone()).collect();
            if p > 1 {
                let k = position.thread.plus(threads * u).modulo_if_larger(p, threads * (u + 1));
                for (j, x) in x.iter_mut().enumerate().skip(1) {
                    *x = x.mul(&self.table(self.tables.stages[s] + (j - 1) * p, &k));
                }
            }
            codelet::dft(&mut x, self.recipe.transform.direction);
            for (j, x) in x.into_iter().enumerate() {
                rows[u + j * butterflies] = x;
            }
        }
        rows
    }

    /// The row that register `v` holds after stage `s`: (b − k)·r + k + j·p for butterfly b = τ + T·u, as the part that
    /// depends on the thread and the part that does not.
    fn output_row(&self, s: usize, v: usize, thread: &Symbol, threads: usize) -> (Symbol, usize) {
        if self.pass.tile.stages.is_empty() {
            return (thread.clone(), 0);
        }
        let (r, p) = self.pass.stage(s);
        let butterflies = self.pass.tile.per_thread / r;
        let (u, j) = (v % butterflies, v / butterflies);
        let b = thread.plus(threads * u);
        let k = b.modulo_if_larger(p, threads * (u + 1));
        let high = if p >= threads * (u + 1) { self.context.integer(Type::U32, 0) } else { b.over(p).times(p * r) };
        (high.add(&k), j * p)
    }

    /// Passes the rows after stage `s − 1` to the threads that need them in stage `s`.
    fn exchange(&self, s: usize, rows: Vec<Number>, from: &Position, to: &Position) -> Vec<Number> {
        let padding = &self.pass.tile.exchanges[s - 1];
        let threads = self.pass.threads_per_column();
        let writes: Vec<Symbol> = (0..rows.len())
            .map(|v| {
                let (row, step) = self.output_row(s - 1, v, &from.thread, threads);
                place(padding, &row.plus(step), &from.column)
            })
            .collect();
        let first = |v: usize| to.thread.plus(v * threads);
        let reads: Vec<Symbol> = (0..rows.len()).map(|v| place(padding, &first(v), &to.column)).collect();
        let components: Vec<Vec<Symbol>> = rows.into_iter().map(Traced::into_components).collect();
        // One round for whole elements, or one a component.
        let rounds: Vec<std::ops::Range<usize>> = if self.pass.tile.split {
            (0..self.element.1).map(|c| c..c + 1).collect()
        } else {
            std::iter::once(0..self.element.1).collect()
        };
        let mut received: Vec<Vec<Symbol>> = vec![Vec::new(); components.len()];
        for (round, range) in rounds.into_iter().enumerate() {
            if s > 1 || round > 0 {
                // Nobody overwrites what another still has to read.
                self.context.barrier();
            }
            for (index, x) in writes.iter().zip(&components) {
                self.context.store(Memory::Tile, index, &x[range.clone()], None);
            }
            self.context.barrier();
            for (index, x) in reads.iter().zip(&mut received) {
                x.extend(self.context.load(Memory::Tile, index, (self.element.0, range.len())));
            }
        }
        received.into_iter().map(|x| Number::from_components(self.algebra(), x)).collect()
    }

    fn algebra(&self) -> Algebra {
        self.recipe.transform.algebra
    }

    fn element(&self, memory: Memory, index: &Symbol) -> Number {
        Number::from_components(self.algebra(), self.context.load(memory, index, self.element))
    }

    fn table(&self, start: usize, index: &Symbol) -> Number {
        self.element(Memory::Table, &index.offset(start))
    }
}

/// Traces a codelet alone and counts its operations.
pub(super) fn count_operations(algebra: Algebra, n: usize) -> (usize, usize) {
    let context = Context::default();
    let (word, components) = algebra.layout();
    let element = (scalar_type(word), components);
    let index = |j| context.integer(Type::U32, j);
    let mut x: Vec<Number> =
        (0..n).map(|j| Number::from_components(algebra, context.load(Memory::Source, &index(j), element))).collect();
    codelet::dft(&mut x, crate::Direction::Forward);
    for (j, x) in x.into_iter().enumerate() {
        context.store(Memory::Target, &index(j), &x.into_components(), None);
    }
    let (values, body) = context.take().finish();
    let count = |is: fn(&Op) -> bool| {
        body.iter().filter(|s| matches!(s, Stmt::Let(id) if is(&values[id.0 as usize].1))).count()
    };
    let additions = count(|op| matches!(op, Op::Add(..) | Op::Sub(..) | Op::Call("gl_add" | "gl_sub", _)));
    let products = count(|op| matches!(op, Op::Mul(..) | Op::Fma(..) | Op::Call("gl_mul", _)));
    (additions, products)
}

/// thread / divisor, which is 0 where the divisor is the whole group.
fn over(thread: &Symbol, divisor: usize, group: usize) -> Symbol {
    if divisor == group { thread.times(0) } else { thread.over(divisor) }
}

fn place(padding: &Padding, row: &Symbol, column: &Symbol) -> Symbol {
    let straight = row.times(padding.row).add(&column.times(padding.column));
    if padding.skip == 0 { straight } else { straight.add(&row.over(1 << padding.shift).times(padding.skip)) }
}

impl Symbol {
    /// An index into global memory: widened before the constant is added, so that the compiler can leave the constant
    /// to the address (in 32 bits it would have to mind the overflow).
    fn offset(&self, constant: usize) -> Self {
        self.cast(Type::U64).plus(constant)
    }

    /// self mod p, where self is known to be below `bound`.
    fn modulo_if_larger(&self, p: usize, bound: usize) -> Self {
        if bound <= p { self.clone() } else { self.modulo(p) }
    }
}
