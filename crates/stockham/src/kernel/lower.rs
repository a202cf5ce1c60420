//! Lowering: a pass of a recipe becomes a kernel, or two that exchange through a cluster.
//!
//! A work-group takes a tile of `columns` DFTs of length R. Thread τ of a column holds the rows τ + T·v in registers,
//! for T threads a column; that holds for the input of every stage, so that a stage reads what it needs from local
//! memory (the first: from the source), and only the places it writes depend on the stage (Stockham's autosort).

mod chirp;
mod circle;
mod domain;
mod ends;
mod exchange;
mod filter;
mod halves;
mod hopper;
mod images;
mod mirror;
mod mirror_plane;
mod neighbours;
mod paired;
mod pairs;
mod rader;
mod rows;
mod stage;
mod staged;
mod trig;
mod twiddle;

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use crate::algebra::{Algebra, Layout, Ring, Scalar, Traced};
use crate::plan::Place as Target;
use crate::plan::circle::Layers;
use crate::plan::{Arithmetic, Holding, Pass, Recipe, StageRoots};
use crate::transform::{Format, Placement, Side, Transform, TrigType};

use super::access::{self, Accesses};
use super::ir::{Kernel, Lookups, Memory, Op, Type};
use super::symbol::{Context, Symbol, all_of};
use super::tables::{Beside, Tables, has_scale_in_twiddle};
use super::vectors::vectorise;

use rows::{Origin, Place};
pub(super) use stage::count_operations;

type Number = Traced<Symbol>;

/// The argument that says how long lines are.
pub(super) const POINTS: &str = "points";

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
    let sides = transform.array_len(Side::Input).max(transform.array_len(Side::Output));
    let farthest = sides.max(recipe.workspace_len);
    let index_type = if u32::try_from(farthest).is_ok() { Type::U32 } else { Type::U64 };
    let (free, mut start) = (transform.algebra.free_order(), 0);
    let ends = (passes[0].source, passes[passes.len() - 1].target);
    let tables_end = passes.iter().fold(0, |end, pass| Tables::of(pass, free, Beside::default(), end).end);
    let context = Context::fusing(fuses(recipe, passes)).by(Accesses::of(recipe, ends, tables_end));
    let context = context.with_root_power(transform.domain.power).with_circle(transform.domain.circle.is_some());
    let lengths = recipe.lengths();
    for (number, pass) in passes.iter().enumerate() {
        let coset = recipe.coset_step(launch.start + number);
        let tables = Tables::in_recipe(recipe, launch.start + number, start);
        start = tables.end;
        let element = (element.0, element.1 / pass.tile.team);
        let reals = reals(recipe, (pass.source, pass.target));
        let field = recipe.groups_of_modulus(pass).map(|groups| {
            let number = context.value(index_type, Op::Group).over(groups).cast(Type::U64);
            context.look_up_modulus(&number.times(tables.end / 2), element.0, pass);
            number.times(tables.end)
        });
        let layers = recipe.layers(launch.start + number);
        let lowering = Lowering {
            context: &context,
            pass,
            recipe,
            element,
            reals,
            index_type,
            free,
            tables,
            coset,
            field,
            layers,
            lengths: lengths.clone(),
            after: passes.get(number + 1),
            powers: RefCell::default(),
        };
        lowering.run();
    }
    let (values, body) = context.take().finish();
    let (first, last) = (&passes[0], &passes[passes.len() - 1]);
    let registers = passes.iter().map(|pass| pass.tile.registers).max().unwrap_or(0);
    let radices: Vec<String> = passes.iter().map(|pass| pass.radix.to_string()).collect();
    Kernel {
        name: format!("pass{}_radix{}", launch.start, radices.join("_")),
        registers: registers
            + registers_of_indices(transform.algebra, index_type)
            + registers_of_coset(recipe, passes)
            + registers_of_thirds(transform)
            + registers_of_lines(passes),
        group: first.threads(),
        team: first.tile.team,
        hopper: hopper::of_launch(recipe, (first, last)),
        element,
        reals: of_memory(recipe, ends).map(|(_, is_real)| is_real),
        formats: of_memory(recipe, ends).map(|(format, _)| format),
        tile: if first.tile.rounds.planes.is_some() { (element.0, 1) } else { element },
        tile_len: passes
            .iter()
            .map(|pass| pass.tile_len(transform.algebra).max(hopper::places(pass, transform.algebra)))
            .max()
            .unwrap_or(0),
        constants: Vec::new(),
        digit_strides: digit_strides(recipe, (first.source, last.target)),
        in_place: is_in_place(recipe, (first.source, last.target)),
        lookups: lookups(passes),
        arguments: if lengths.is_some() { &[POINTS, "columns"] } else { &["columns"] },
        index_type,
        values,
        body,
    }
}

/// How early tables are looked up. In clusters, which wait for more than barriers, late ones take longer; and so they do at their place
/// in filters of complex numbers, which have fewer of them.
fn lookups(passes: &[Pass]) -> Lookups {
    match passes {
        [pass] if pass.chirp.is_some() || pass.rader.is_some() || pass.filter && pass.ends.is_some() => {
            Lookups::AtTheirPlace
        }
        [pass] if pass.convolves() => Lookups::Late,
        _ => Lookups::Early,
    }
}

/// Whether codelets are made of fused products and sums, which take fewer cycles and more registers: in clusters, which the
/// multiprocessors' cycles limit, and in near rings, where roots by products leave the registers. Other rings were up to a tenth
/// slower, by spills, and passes through memory no faster.
pub(super) fn fuses(recipe: &Recipe, passes: &[Pass]) -> bool {
    let is_near = recipe.ring.is_some_and(|ring| ring.near.is_some());
    let has_room = || recipe.passes().first().is_some_and(|pass| pass.tile.roots == StageRoots::Products);
    is_near && has_room() || passes.iter().any(|pass| pass.target == Target::Cluster)
}

/// Registers that indices of 64 bits take beside what the tile has: the Goldilocks field's sums of 96 bits leave no room.
fn registers_of_indices(algebra: Algebra, index_type: Type) -> usize {
    if algebra == Algebra::Goldilocks && index_type == Type::U64 { 20 } else { 0 }
}

/// Registers that a pass takes for a coset's factors, or its twiddles, or both: of words of 64 bits these leave no room.
fn registers_of_coset(recipe: &Recipe, passes: &[Pass]) -> usize {
    let is_long = matches!(recipe.transform.algebra, Algebra::WordField(field) if field.bytes() == 8);
    let is_coset = recipe.transform.domain.is_coset();
    let is_apart = |pass: &Pass| pass.twiddle.is_some_and(|twiddle| !twiddle.odd);
    match (is_coset && passes.iter().any(is_apart), is_coset || passes.iter().any(|pass| pass.twiddle.is_some())) {
        _ if !is_long => 0,
        (true, _) => 16,
        (_, true) => 8,
        _ => 0,
    }
}

/// Registers that a cosine or sine transform of type III of an odd length takes beside: its tables and the image of each number.
fn registers_of_thirds(transform: &Transform) -> usize {
    let is_third = transform.trig().is_some_and(|(_, of)| of == TrigType::III);
    if is_third && !transform.points().is_multiple_of(2) { 32 } else { 0 }
}

/// Registers that the images of an array's points take beside, along all of its dimensions.
fn registers_of_lines(passes: &[Pass]) -> usize {
    let has_lines = |pass: &Pass| pass.ends.as_ref().is_some_and(|ends| !ends.lines.is_empty());
    if passes.iter().any(has_lines) { 32 } else { 0 }
}

/// Whether what is written is where it was read.
fn is_in_place(recipe: &Recipe, ends: (Target, Target)) -> bool {
    let is_whole = ends == (Target::Input, Target::Output);
    ends.0 == ends.1 || is_whole && recipe.transform.placement == Placement::InPlace
}

/// Whether the source, and the target, are of real numbers.
fn reals(recipe: &Recipe, (source, target): (Target, Target)) -> [bool; 2] {
    let is_real = |side| recipe.transform.is_real(side);
    [source == Target::Input && is_real(Side::Input), target == Target::Output && is_real(Side::Output)]
}

/// How the numbers of the source, and of the target, lie in memory, and whether they are real.
fn of_memory(recipe: &Recipe, (source, target): (Target, Target)) -> [(Option<Format>, bool); 2] {
    let of = |side, is_there| if is_there { access::format_of(recipe, side) } else { (None, false) };
    [of(Side::Input, source == Target::Input), of(Side::Output, target == Target::Output)]
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
    /// The layers of a circle FFT that it makes, if it does not make DFTs.
    layers: Option<Layers>,
    /// The lengths that it is for, if the length of a line is an argument.
    lengths: Option<RangeInclusive<usize>>,
    /// The side and the step of the powers by which rows are multiplied.
    coset: Option<(Side, usize)>,
    /// Elements of the table before those of the work-group's field, where fields are data.
    field: Option<Symbol>,
    /// The pass that goes on from it in the same launch.
    after: Option<&'a Pass>,
    /// The powers of a primitive root that were looked up, behind their exponents.
    powers: RefCell<Vec<(Symbol, Symbol)>>,
}

impl Lowering<'_> {
    /// The pass.
    fn run(&self) {
        let (load, store) = self.pass.ends();
        let mut exchanges = self.pass.exchanges().into_iter().enumerate();
        self.begin();
        let mut rows = match self.received(load) {
            Some(rows) => rows,
            None if self.pass.tile.staged[0] => self.load_staged(load),
            None => self.twiddle(load, self.load(load)),
        };
        rows = self.by_coset(Side::Input, load, rows);
        if let Some(n) = self.pass.points_by_chirp() {
            rows = self.convolve(n, load, rows);
            return self.store(store, rows);
        }
        if self.pass.rader.is_some() {
            return self.store(store, self.by_powers(rows));
        }
        if self.pass.middle.is_some() {
            rows = self.there_and_back(rows);
            return self.hand_on(store, rows);
        }
        if self.pass.filter {
            rows = self.filter(rows);
            return self.hand_on(store, self.back_from_filter(rows));
        }
        for s in 0..self.pass.tile.stages.len() {
            if self.pass.swaps_before(s) {
                rows = self.swap(rows);
            } else if s > 0 || load.is_apart() {
                rows = self.exchange(exchanges.next().expect("one before this stage"), rows);
            }
            rows = match self.layers {
                Some(layers) => self.circle_stage(layers, s, rows),
                None => self.stage(s, rows),
            };
        }
        if let Some(last) = exchanges.next() {
            rows = self.exchange(last, rows);
        }
        rows = self.by_coset(Side::Output, store, rows);
        self.hand_on(store, self.back_from_filter(rows));
    }

    fn load(&self, holding: Holding) -> Vec<Number> {
        if let (Holding::Slots(lanes), Some(ends)) = (holding, self.ends_of_source()) {
            return self.load_in_slots(ends, lanes);
        }
        if let Some(ends) = self.ends_of_source().filter(|_| self.pass.has_images_in_stage(0)) {
            return self.load_with_images(ends);
        }
        if self.has_pairs(Side::Input) {
            return self.load_pairs(holding);
        }
        if let Some(rows) = self.load_neighbours(holding) {
            return rows;
        }
        let given = self.recipe.given_rows(self.pass).expect("the recipe was checked");
        let row = |v| {
            // As it lies in memory.
            let place = self.place_at(if holding == Holding::Array { Holding::Flat } else { holding }, v);
            if let Some(ends) = self.ends_of_source() {
                return self.read_point(ends, &place);
            }
            let index = self.index_on(Side::Input, &place).0;
            match self.pass.chirp.filter(|_| self.pass.beside[0] == 0) {
                Some(n) => self.row_or_zero(n, &place, &index),
                None if given < self.pass.points() => self.given_row(given, &place, &index),
                None => self.source(self.apart(&place).as_ref(), &index),
            }
        };
        (0..self.pass.rows(holding)).map(row).collect()
    }

    fn store(&self, holding: Holding, rows: Vec<Number>) {
        let keeps_scale = !self.algebra().scale_bytes(self.pass.scale).is_empty();
        let rows = if has_scale_in_twiddle(self.pass, self.free) || self.lengths.is_some() {
            rows
        } else if keeps_scale {
            let at = self.context.integer(Type::U32, 0);
            self.for_rows(rows, |_, x| x.mul(&self.table(self.tables.scale, &at)))
        } else {
            rows.into_iter().map(|x| x.scaled(self.pass.scale)).collect()
        };
        if let (Holding::Slots(lanes), Some(ends)) = (holding, self.ends_of_target()) {
            return self.store_in_slots(ends, lanes, rows);
        }
        if let Some(ends) = self.ends_of_target().filter(|_| self.pass.has_images_in_stage(1)) {
            return self.store_with_images(ends, rows);
        }
        if self.has_pairs(Side::Output) {
            return self.store_pairs(holding, rows);
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
        if self.store_neighbours(holding, &rows) {
            return;
        }
        for (v, components) in rows.into_iter().enumerate() {
            let place = self.place_at(holding, v);
            if self.is_beyond(self.ends_of_target(), &place) {
                continue;
            }
            if let Some(ends) = self.ends_of_target() {
                self.store_all(self.written_of(ends, place, components));
                continue;
            }
            let within = self.pass.points_by_chirp().map(|n| self.is_row_of(n, &place));
            let mut components = components;
            if self.reals[1] {
                components.truncate(1);
            }
            let place = self.in_ring(v, place);
            let (index, origin) = self.index_on(Side::Output, &place);
            let exists = all_of([origin.exists, place.exists, within]);
            self.context.store(Memory::Target, &index, &components, exists.as_ref());
        }
    }

    fn algebra(&self) -> Algebra {
        self.recipe.transform.algebra
    }

    fn direction(&self) -> crate::algebra::Direction {
        self.recipe.transform.inner_direction()
    }

    /// An element of the source, whose components may lie in planes of their own.
    fn source(&self, exists: Option<&Symbol>, index: &Symbol) -> Number {
        if self.reals[0] {
            return self.real(exists, index);
        }
        let Some(distance) = self.pass.planes else {
            let components = self.context.load_where(exists, Memory::Source, index, self.element);
            let element = Number::from_components(self.algebra(), components);
            return if self.pass.source == Target::Input { element } else { element.of_stored() };
        };
        let (word, count) = self.element;
        let plane =
            |c: usize| self.context.load_where(exists, Memory::SourceWords, &index.offset(c * distance), (word, 1));
        Number::from_components(self.algebra(), (0..count).flat_map(plane).collect())
    }

    /// Whether there is a place, where a column or a butterfly beyond the last must not read what the last one's thread writes:
    /// in place, and without a barrier between.
    fn apart(&self, place: &Place) -> Option<Symbol> {
        let is_in_place = is_in_place(self.recipe, (self.pass.source, self.pass.target));
        let meets = self.pass.convolves() && !self.pass.filter || !self.pass.exchanges().is_empty();
        if !is_in_place || meets {
            return None;
        }
        all_of([self.digits(&place.column).1, place.exists.clone()])
    }

    fn element(&self, memory: Memory, index: &Symbol) -> Number {
        let element = Number::from_components(self.algebra(), self.context.load(memory, index, self.element));
        if memory == Memory::Table { element } else { element.of_stored() }
    }

    /// Those of an element's components that a thread has.
    fn held_of(&self, mut components: Vec<Symbol>) -> Vec<Symbol> {
        components.truncate(self.element.1);
        components
    }

    /// A root of a stage, or a power of a coset's number: that of such a place and index in the table that begins there.
    fn factor(&self, (start, place): (usize, usize), index: &Symbol) -> Number {
        if self.pass.tile.roots != StageRoots::Pairs {
            return self.table(start + place, index);
        }
        let index = index.offset(start / 2 + place);
        let index = self.field.as_ref().map_or(index.clone(), |field| index.add(&field.over(2)));
        let pair = self.context.load(Memory::TablePairs, &index, (self.element.0, 2));
        Number::from_pair(self.algebra(), pair)
    }

    /// x times such a factor.
    fn by_factor(&self, x: &Number, (start, place): (usize, usize), index: &Symbol) -> Number {
        if self.pass.tile.roots != StageRoots::Pairs || !self.algebra().has_digits() {
            return x.mul(&self.factor((start, place), index));
        }
        let index = index.times(2);
        let [root, quotient] = [0, 1].map(|half| self.table(start + 2 * place + half, &index));
        x.by_pair(root, quotient)
    }

    fn table(&self, start: usize, index: &Symbol) -> Number {
        let index = index.offset(start);
        self.element(Memory::Table, &self.field.as_ref().map_or(index.clone(), |field| index.add(field)))
    }
}
