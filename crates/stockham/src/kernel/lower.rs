//! Lowering: a pass of a recipe becomes a kernel, or two that exchange through a cluster.
//!
//! A work-group takes a tile of `columns` DFTs of length R. Thread τ of a column holds the rows τ + T·v in registers,
//! for T threads a column; that holds for the input of every stage, so that a stage reads what it needs from local
//! memory (the first: from the source), and only the places it writes depend on the stage (Stockham's autosort).

mod ahead;
mod chirp;
mod cluster;
mod domain;
mod ends;
mod exchange;
mod mirror;
mod rader;
mod ring;
mod staged;
mod swap;
mod trig;
mod twiddle;

use std::ops::Range;

use crate::algebra::{Algebra, Layout, Ring, Scalar, Traced};
use crate::codelet;
use crate::plan::Place as Target;
use crate::plan::volume::reversed;
use crate::plan::{Arithmetic, Holding, Lanes, Pass, Recipe, StageRoots};
use crate::transform::Side;

use super::ir::{Ahead, Kernel, Meeting, Memory, Op, Stmt, Type};
use super::symbol::{Context, Symbol};
use super::tables::Tables;
use super::vectors::vectorise;

use ends::Stored;

type Number = Traced<Symbol>;

/// The kernel of a recipe's launch, with the arithmetic that the recipe asks for.
pub(super) fn kernel(recipe: &Recipe, launch: Range<usize>) -> Kernel {
    let arithmetic = recipe.passes()[launch.start].tile.arithmetic;
    let kernel = lower(recipe, launch);
    match arithmetic {
        Arithmetic::Scalar => kernel,
        Arithmetic::Vectors => vectorise(kernel),
    }
}

/// The same on scalars.
pub(super) fn lower(recipe: &Recipe, launch: Range<usize>) -> Kernel {
    let passes = &recipe.passes()[launch.clone()];
    let transform = &recipe.transform;
    let (word, components) = transform.algebra.layout();
    let element = (Type::from(word), components);
    let farthest = transform.input_len().max(transform.output_len()).max(recipe.workspace_len);
    let index_type = if u32::try_from(farthest).is_ok() { Type::U32 } else { Type::U64 };
    let context = Context::fusing(fuses(recipe, passes));
    let (free, mut start) = (transform.algebra.free_order(), 0);
    for (number, pass) in passes.iter().enumerate() {
        let coset = recipe.coset_step(launch.start + number);
        let tables = Tables::of(pass, free, coset.is_some(), start);
        start = tables.end;
        let element = (element.0, element.1 / pass.tile.team);
        let reals = reals(recipe, (pass.source, pass.target));
        let lowering = Lowering { context: &context, pass, recipe, element, reals, index_type, free, tables, coset };
        lowering.run(passes.get(number + 1));
    }
    let (values, body) = context.take().finish();
    let (first, last) = (&passes[0], &passes[passes.len() - 1]);
    let shared = last.cluster.map_or(0, |cluster| cluster.tile_len(last, transform.algebra));
    let registers = passes.iter().map(|pass| pass.tile.registers).max().unwrap_or(0);
    let radices: Vec<String> = passes.iter().map(|pass| pass.radix.to_string()).collect();
    Kernel {
        name: format!("pass{}_radix{}", launch.start, radices.join("_")),
        registers: registers + registers_of_indices(transform.algebra, index_type) + registers_of_coset(recipe, passes),
        group: first.threads(),
        team: first.tile.team,
        pieces: recipe.ring.and_then(|ring| ring.pieces(transform)),
        cluster: last.cluster.map_or(1, |cluster| cluster.blocks),
        ahead: first.tile.ahead.then(|| Ahead {
            columns: first.tile.columns,
            len: first.tile_points(),
            array: recipe.boxes(first),
            in_tile: first.arrives_in_tile(),
            early: first.tile.early,
        }),
        element,
        reals: reals(recipe, (first.source, last.target)),
        tile: if first.tile.rounds.planes.is_some() { (element.0, 1) } else { element },
        tile_len: passes.iter().map(|pass| pass.tile_len(transform.algebra)).chain([shared]).max().unwrap_or(0),
        digit_strides: digit_strides(recipe, (first.source, last.target)),
        in_place: first.source == last.target || transform.placement == crate::transform::Placement::InPlace,
        arguments: &["columns"],
        index_type,
        values,
        body,
    }
}

/// Whether codelets are made of fused products and sums, which take fewer cycles and more registers: in clusters, which the
/// multiprocessors' cycles limit, and in near rings, where roots by products leave the registers. Other rings were up to a tenth
/// slower, by spills, and passes through memory no faster.
fn fuses(recipe: &Recipe, passes: &[Pass]) -> bool {
    let is_near = recipe.ring.is_some_and(|ring| ring.near.is_some());
    let has_room = || recipe.passes().first().is_some_and(|pass| pass.tile.roots == StageRoots::Products);
    is_near && has_room() || passes.iter().any(|pass| pass.target == Target::Cluster)
}

/// Registers that indices of 64 bits take beside what the tile has: the Goldilocks field's sums of 96 bits leave no room.
fn registers_of_indices(algebra: Algebra, index_type: Type) -> usize {
    if algebra == Algebra::Goldilocks && index_type == Type::U64 { 20 } else { 0 }
}

/// Registers that a pass takes for a coset's factors beside its twiddles: of words of 64 bits these leave no room.
fn registers_of_coset(recipe: &Recipe, passes: &[Pass]) -> usize {
    let is_long = matches!(recipe.transform.algebra, Algebra::WordField(field) if field.bytes() == 8);
    let has_both = recipe.transform.domain.is_coset() && passes.iter().any(|pass| pass.twiddle.is_some());
    if is_long && has_both { 16 } else { 0 }
}

/// Whether the source, and the target, are of real numbers.
fn reals(recipe: &Recipe, (source, target): (Target, Target)) -> [bool; 2] {
    let is_real = |side| recipe.transform.is_real(side);
    [source == Target::Input && is_real(Side::Input), target == Target::Output && is_real(Side::Output)]
}

/// How far apart elements and their digits lie, in the source and in the target.
fn digit_strides(recipe: &Recipe, (source, target): (Target, Target)) -> Option<[(usize, usize); 2]> {
    let transform = &recipe.transform;
    if !transform.algebra.has_digits() {
        return None;
    }
    let strides = |place| {
        let (layout, len) = match place {
            Target::Input => (transform.input_layout, transform.input_len()),
            Target::Output => (transform.output_layout, transform.output_len()),
            Target::Workspace | Target::Ring | Target::Cluster => (Layout::Plain, 0),
        };
        layout.strides(transform.algebra.layout().1, len)
    };
    Some([strides(source), strides(target)])
}

struct Lowering<'a> {
    context: &'a Context,
    pass: &'a Pass,
    recipe: &'a Recipe,
    /// The digits or components of an element that a thread has.
    element: (Type, usize),
    /// Whether the pass reads real numbers, and whether it writes such.
    reals: [bool; 2],
    index_type: Type,
    /// The order of the roots that cost no product.
    free: usize,
    tables: Tables,
    /// The side and the step of the powers by which rows are multiplied.
    coset: Option<(Side, usize)>,
}

/// A row and a column of the tile.
struct Place {
    /// The part of the row that depends on the thread, a multiple of `aligned`.
    row: Symbol,
    /// The part that does not.
    step: usize,
    column: Symbol,
    aligned: usize,
    /// Whether there is such a row, where that is not certain; the one that stands here is another.
    exists: Option<Symbol>,
}

impl Place {
    /// One that there is.
    fn of(row: Symbol, step: usize, column: Symbol) -> Self {
        Self { row, step, column, aligned: 1, exists: None }
    }
}

/// What a column means for memory.
struct Origin {
    /// Index of row 0.
    base: Symbol,
    /// Σ weight·digit, the factor of the twiddle exponent.
    weight: Symbol,
    /// Whether the column exists at all, where that is not certain.
    exists: Option<Symbol>,
}

impl Lowering<'_> {
    /// The pass, which may be gone on from by the one after it, in the same launch.
    fn run(&self, after: Option<&Pass>) {
        let (load, store) = self.pass.ends();
        let mut exchanges = self.pass.exchanges().into_iter().enumerate();
        let pushes = after.and_then(|after| Some((after, after.cluster?)));
        if let Some((second, _)) = pushes {
            self.expect(second);
        }
        let mut rows = match self.pass.cluster {
            Some(cluster) => self.receive_pushes(&cluster),
            None if self.pass.tile.staged[0] => self.load_staged(load),
            None if self.pass.tile.ahead => self.load_fetched(load),
            None => self.twiddle(load, self.load(load)),
        };
        rows = self.by_coset(Side::Input, load, rows);
        if let Some(n) = self.pass.chirp {
            rows = self.convolve(n, load, rows);
            return self.store(store, rows);
        }
        if self.pass.rader.is_some() {
            return self.store(store, self.by_powers(rows));
        }
        if self.pass.middle.is_some() {
            rows = self.there_and_back(rows);
            return self.store(store, rows);
        }
        for s in 0..self.pass.tile.stages.len() {
            if self.pass.swaps_before(s) {
                rows = self.swap(rows);
            } else if s > 0 || load.is_apart() {
                rows = self.exchange(exchanges.next().expect("one before this stage"), rows);
            }
            rows = self.stage(s, rows);
        }
        if let Some(last) = exchanges.next() {
            rows = self.exchange(last, rows);
        }
        rows = self.by_coset(Side::Output, store, rows);
        match pushes {
            Some((second, cluster)) => self.push(second, &cluster, store, rows),
            None => self.store(store, rows),
        }
        if self.pass.target == Target::Ring {
            self.context.meet(Meeting::Announce);
        }
    }

    /// The thread of its column, and the column.
    fn thread(&self, lanes: Lanes) -> (Symbol, Symbol) {
        let thread = self.context.value(Type::U32, Op::Thread);
        let (threads, group) = (self.pass.threads_per_column(), self.pass.group());
        if self.pass.tile.swaps {
            let (pair, number) = self.pair(&thread);
            let (row, column) = self.row_and_column(&pair, (threads / 2, group / 2), self.pass.tile.columns, lanes);
            return (row.add(&number.times(threads / 2)), column);
        }
        self.row_and_column(&thread, (threads, group), self.pass.tile.columns, lanes)
    }

    /// The number in a column, and the column of so many, of one of `threads` a column, or of as many pairs of them.
    fn row_and_column(
        &self,
        thread: &Symbol,
        (threads, group): (usize, usize),
        columns: usize,
        lanes: Lanes,
    ) -> (Symbol, Symbol) {
        match lanes {
            Lanes::Columns => (over(thread, columns, group), thread.modulo(columns)),
            _ => (thread.modulo(threads), over(thread, threads, group)),
        }
    }

    /// [`Pass::held`] in symbols.
    fn held(&self, holding: Holding, v: usize) -> Place {
        let threads = self.pass.threads_per_column();
        match holding {
            Holding::Flat => {
                let thread = self.context.value(Type::U32, Op::Thread);
                let (radix, group) = (self.pass.radix, self.pass.group());
                if group.is_multiple_of(radix) {
                    let column = thread.over(radix).plus(v * (group / radix));
                    return Place::of(thread.modulo(radix), 0, column);
                }
                let place = thread.plus(v * group);
                Place::of(place.modulo(radix), 0, place.over(radix))
            }
            Holding::Array => {
                let Place { row, column, .. } = self.held(Holding::Flat, v);
                Place::of(reversed(&row, &self.pass.array), 0, column)
            }
            Holding::Slots(lanes) => self.held_in_slots(lanes, v),
            Holding::Points(_) | Holding::Gathered(_) | Holding::Scattered(_) => match self.pass.rader {
                Some(rader) => self.held_by_powers(rader, holding, v),
                None => unreachable!("points of a prime length"),
            },
            Holding::Input(s, lanes) => {
                let (thread, column) = self.thread(lanes);
                let Some(r) = self.pass.tile.stages.get(s).filter(|_| !self.pass.is_even()) else {
                    return Place::of(thread, threads * v, column);
                };
                let butterflies = self.pass.butterflies(s);
                let (b, exists, _) = self.butterfly(s, &thread, v % butterflies);
                Place { exists, ..Place::of(b, v / butterflies * (self.pass.radix / r), column) }
            }
            Holding::Output(s, lanes) => {
                let (thread, column) = self.thread(lanes);
                if self.pass.tile.stages.is_empty() {
                    return Place::of(thread, 0, column);
                }
                let (r, p) = self.pass.stage(s);
                let butterflies = self.pass.butterflies(s);
                let (u, j) = (v % butterflies, v / butterflies);
                if self.pass.swaps_before(s) {
                    let row = self.first_of_swapped(&thread);
                    return Place::of(row, u * (threads / 2) + j * p, column);
                }
                let (b, exists, bound) = self.butterfly(s, &thread, u);
                let k = b.modulo_if_larger(p, bound);
                let high = if p >= bound { self.context.integer(Type::U32, 0) } else { b.over(p).times(p * r) };
                Place { aligned: if p == 1 { r } else { 1 }, exists, ..Place::of(high.add(&k), j * p, column) }
            }
        }
    }

    /// The number of a thread's butterfly u in a stage, whether there is one with its number, where that is not certain, and
    /// what the number is below. Instead of those that are not there it is the last one.
    fn butterfly(&self, s: usize, thread: &Symbol, u: usize) -> (Symbol, Option<Symbol>, usize) {
        let threads = self.pass.threads_per_column();
        let (number, bound) = (thread.plus(threads * u), threads * (u + 1));
        let count = self.pass.radix / self.pass.stage(s).0;
        if bound <= count {
            return (number, None, bound);
        }
        let last = self.context.integer(Type::U32, count - 1);
        let exists = number.less_than(&self.context.integer(Type::U32, count));
        (number.min(&last), Some(exists), count)
    }

    /// What the digits of a column are, and whether there is such a column, where that is not certain.
    fn digits(&self, column: &Symbol) -> (Vec<Symbol>, Option<Symbol>) {
        if self.pass.has_images() { self.digits_with_images(column) } else { self.counted_digits(column) }
    }

    /// The same of columns that are no [images](crate::plan::Pass).
    fn counted_digits(&self, column: &Symbol) -> (Vec<Symbol>, Option<Symbol>) {
        let (columns, ty) = (&self.pass.columns, self.index_type);
        let (width, values) = (self.pass.counted_in_tile(), self.pass.counted_values());
        let group = self.context.value(ty, Op::Group);
        let single = columns.len() == 1;
        let whole = values.is_multiple_of(width) && !single;
        let (mut exists, mut digits) = (None, Vec::new());
        let mut rest = if let Some(share) = self.pass.tile.share {
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
            exists = Some(number.less_than(&count));
            // A column beyond the last one reads the last one's input, and is not stored.
            let last = count.sub(&self.context.integer(ty, 1));
            let number = number.min(&last);
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
    fn origin(&self, column: &Symbol, stride: impl Fn(&crate::plan::Column) -> usize) -> Origin {
        let (digits, exists) = self.digits(column);
        let ty = self.index_type;
        let zero = |ty| self.context.integer(ty, 0);
        let (mut base, mut weight) = (zero(ty), zero(Type::U32));
        for (digit, of) in digits.iter().zip(&self.pass.columns) {
            base = base.add(&digit.times(stride(of)));
            if of.weight > 0 {
                weight = weight.add(&digit.cast(Type::U32).times(of.weight));
            }
        }
        Origin { base, weight, exists }
    }

    fn load(&self, holding: Holding) -> Vec<Number> {
        if let (Holding::Slots(lanes), Some(ends)) = (holding, self.ends_of_source()) {
            return self.load_in_slots(ends, lanes);
        }
        let given = self.recipe.given_rows(self.pass).expect("the recipe was checked");
        let row = |v| {
            // As it lies in memory.
            let place = self.held(if holding == Holding::Array { Holding::Flat } else { holding }, v);
            if let Some(ends) = self.ends_of_source() {
                return self.read_point(ends, &place);
            }
            let index = self.index_on(Side::Input, &place).0;
            match self.pass.chirp {
                Some(n) => self.row_or_zero(n, &place, &index),
                None if given < self.pass.radix => self.given_row(given, &place, &index),
                None => self.source(&index),
            }
        };
        (0..self.pass.rows(holding)).map(row).collect()
    }

    fn store(&self, holding: Holding, rows: Vec<Number>) {
        let keeps_scale = !self.algebra().scale_bytes(self.pass.scale).is_empty();
        let rows = if keeps_scale {
            let at = self.context.integer(Type::U32, 0);
            self.for_rows(rows, |_, x| x.mul(&self.table(self.tables.scale, &at)))
        } else {
            rows.into_iter().map(|x| x.scaled(self.pass.scale)).collect()
        };
        if let (Holding::Slots(lanes), Some(ends)) = (holding, self.ends_of_target()) {
            return self.store_in_slots(ends, lanes, rows);
        }
        let rows = match self.ends_of_target().filter(|ends| ends.chirp.is_some()) {
            Some(ends) => self.back_from_chirp(ends, holding, rows),
            None => rows,
        };
        let finished = |x: Number| {
            self.held_of(if self.pass.target == Target::Output { x.into_canonical() } else { x.into_components() })
        };
        let rows = match self.ends_of_target().filter(|ends| ends.turns[1].is_some()) {
            Some(ends) => {
                let turned =
                    |(v, x)| self.turned(ends, 1, &self.point(ends, &self.held(holding, v), Side::Output).number, x);
                rows.into_iter().enumerate().map(turned).collect()
            }
            None => rows,
        };
        // All is computed before anything is stored.
        let rows: Vec<_> = rows.into_iter().map(finished).collect();
        if self.pass.tile.staged[1] {
            return self.store_staged(holding, &rows);
        }
        if let Some(pieces) = self.pieces(self.pass.target) {
            return self.store_pieces(&pieces, &rows);
        }
        for (v, components) in rows.into_iter().enumerate() {
            let place = self.held(holding, v);
            if self.is_beyond(self.ends_of_target(), &place) {
                continue;
            }
            if let Some(ends) = self.ends_of_target() {
                for Stored { index, components, exists } in self.written_of(ends, place, components) {
                    self.context.store(Memory::Target, &index, &components, exists.as_ref());
                }
                continue;
            }
            let within = self.pass.chirp.map(|n| self.is_row_of(n, &place));
            let mut components = components;
            if self.reals[1] {
                components.truncate(1);
            }
            let (index, origin) = self.index_on(Side::Output, &place);
            let exists = [origin.exists, place.exists, within].into_iter().flatten().reduce(|a, b| a.and(&b));
            self.context.store(Memory::Target, &index, &components, exists.as_ref());
        }
    }

    /// One stage in registers: m butterflies of radix r, on the rows u, u + m, u + 2m, …
    fn stage(&self, s: usize, mut rows: Vec<Number>) -> Vec<Number> {
        let (r, p) = self.pass.stage(s);
        let butterflies = rows.len() / r;
        let mut threads = self.pass.threads_per_column();
        let Holding::Input(_, lanes) = self.pass.input_of(s) else { unreachable!("what a stage takes") };
        let mut thread = self.thread(lanes).0;
        let swaps = self.pass.swaps_before(s);
        if swaps {
            (thread, threads) = (self.first_of_swapped(&thread), threads / 2);
        }
        let block = self.pass.block(s, self.free);
        if block.first == s && block.before > 1 && block.size > r {
            rows = self.twiddle_block(s, &thread, rows);
        }
        if s > block.first {
            // What is left of the twiddles within the block. Rows u + j·butterflies for j > 0 have one.
            let order = p / block.before * r;
            let others = rows.split_off(butterflies);
            rows.extend(self.for_rows(others, |v, x| {
                let (u, j) = (v.modulo(butterflies), v.over(butterflies).plus(1));
                let k = thread.add(&u.times(threads)).modulo(p).over(block.before);
                self.by_free_root(&x, &k.mul(&j), order)
            }));
        }
        let done = self.pass.done_before(p);
        let one_stage = block.before > 1 && block.size == r;
        if one_stage && self.free > 1 {
            // Rows u + j·butterflies for j > 0, one after the other: products take much text.
            let others = rows.split_off(butterflies);
            rows.extend(self.for_rows(others, |v, x| {
                let (u, j) = (v.modulo(butterflies), v.over(butterflies));
                let k = thread.add(&u.times(threads)).modulo(p);
                x.mul(&self.table(self.tables.stages[s], &j.times(p).add(&k)))
            }));
        }
        for u in 0..butterflies {
            let mut x: Vec<Number> = (0..r).map(|j| rows[u + j * butterflies].clone()).collect();
            if one_stage && self.free == 1 {
                let (b, bound) = if swaps {
                    (thread.plus(threads * u), p)
                } else {
                    let (b, _, bound) = self.butterfly(s, &thread, u);
                    (b, bound)
                };
                let k = b.modulo_if_larger(p, bound);
                let k = if done > 1 { k.over(done) } else { k };
                if swaps && self.knows_roots() {
                    x[1] = x[1].mul_root(self.direction().root(u, r * p));
                } else {
                    x.iter_mut().skip(1).zip(self.stage_roots(s, &k)).for_each(|(x, root)| *x = x.mul(&root));
                }
            }
            codelet::dft(&mut x, self.direction());
            for (j, x) in x.into_iter().enumerate() {
                rows[u + j * butterflies] = x;
            }
        }
        rows
    }

    fn algebra(&self) -> Algebra {
        self.recipe.transform.algebra
    }

    fn direction(&self) -> crate::algebra::Direction {
        self.recipe.transform.inner_direction()
    }

    /// An element of the source, whose components may lie in planes of their own.
    fn source(&self, index: &Symbol) -> Number {
        if self.reals[0] {
            return self.real(None, index);
        }
        let Some(distance) = self.pass.planes else { return self.element(Memory::Source, index) };
        let (word, count) = self.element;
        let plane = |c: usize| self.context.load(Memory::SourceWords, &index.offset(c * distance), (word, 1));
        Number::from_components(self.algebra(), (0..count).flat_map(plane).collect())
    }

    fn element(&self, memory: Memory, index: &Symbol) -> Number {
        let element = Number::from_components(self.algebra(), self.context.load(memory, index, self.element));
        let is_callers = memory == Memory::Source && self.pass.source == Target::Input;
        if memory == Memory::Table || is_callers { element } else { element.of_stored() }
    }

    /// Those of an element's components that a thread has.
    fn held_of(&self, mut components: Vec<Symbol>) -> Vec<Symbol> {
        components.truncate(self.element.1);
        components
    }

    fn table(&self, start: usize, index: &Symbol) -> Number {
        self.element(Memory::Table, &index.offset(start))
    }
}

/// Traces a codelet alone and counts its operations.
pub(super) fn count_operations(algebra: Algebra, n: usize, fuses: bool) -> (usize, usize) {
    let context = Context::fusing(fuses);
    let (word, components) = algebra.layout();
    let element = (Type::from(word), components);
    let index = |j| context.integer(Type::U32, j);
    let mut x: Vec<Number> =
        (0..n).map(|j| Number::from_components(algebra, context.load(Memory::Source, &index(j), element))).collect();
    codelet::dft(&mut x, crate::algebra::Direction::Forward);
    for (j, x) in x.into_iter().enumerate() {
        context.store(Memory::Target, &index(j), &x.into_canonical(), None);
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
