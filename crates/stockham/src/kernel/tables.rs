//! The twiddle tables of a pass: one buffer, filled on the host with correctly rounded roots of unity.

use crate::algebra::{Algebra, Direction, Powers, Root, Scale, WordField, doubled};
use crate::circle::{self, CircleGenerator};
use crate::codelet::gain;
use crate::plan::chirp;
use crate::plan::circle::Layers;
use crate::plan::{Block, Pass, Recipe, StageRoots, Turn, TwiddleSource};
use crate::transform::Transform;

use super::{lower, moduli};

/// Where each table of a pass begins, in elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tables {
    /// One for each stage: ω_{pr}^{jk} at (j − 1)·p + k, for the radix r and the product p of the radices before. For a
    /// block of several stages, of size s, one in all: ω_{ps}^{jk} at j·p + k. Of [pairs](StageRoots::Pairs) they are twice as long.
    pub stages: Vec<usize>,
    /// ω^e for e below the split of the pass's own twiddle; or, by columns, ω^(K·i) for every weight K of a column and one of
    /// [`Pass::twiddle_rows`] after the other.
    pub fine: usize,
    /// ω^(split·e).
    pub coarse: usize,
    /// The [chirp](crate::plan::chirp), and its spectrum, where DFTs are made by it.
    pub chirp: usize,
    pub spectrum: usize,
    /// The twiddles ω_{m'q}^{jk} of the points j ≠ 0 of DFTs that are made by the powers of a primitive root, in their order, at
    /// i·m' + k, where stages before them make m' points.
    pub points: usize,
    /// The [powers](crate::plan::Rader), as real parts.
    pub powers: usize,
    /// The [turns](crate::plan::Turn) of points that are read, and of those that are written.
    pub turns: [usize; 2],
    /// For [slots](crate::plan::Pass) of points of a half spectrum: the roots of order N, the number of real numbers, by row and by
    /// column.
    pub mirrors: (usize, usize),
    /// The factor of the output, one element, where the pass has one and the algebra keeps it here.
    pub scale: usize,
    /// The powers of a coset's number by which rows are multiplied.
    pub coset: usize,
    /// The factors of the [layers](crate::plan::circle::Layers) of a circle FFT, instead of all others.
    pub layers: usize,
    /// Where all of them end.
    pub end: usize,
}

/// What a recipe adds to the tables of a pass.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Beside {
    /// Whether it multiplies rows by the powers of a coset's number.
    pub has_coset: bool,
    /// The elements that a chirp takes, if not as many as it has points.
    pub chirp: Option<usize>,
}

/// What else convolutions are told of.
#[derive(Debug, Clone, Copy, Default)]
struct Convolved {
    /// The elements that a chirp takes, and the scale in its spectrum, where kernels serve several lengths.
    chirp: Option<(usize, Scale)>,
    /// What the [constants](gain) of the stages there and back have too much.
    excess: f64,
}

impl Tables {
    /// The tables of a pass that follow `start` elements of others.
    pub fn of(pass: &Pass, free: usize, beside: Beside, start: usize) -> Self {
        let mut len = start;
        let mut take = |count: usize| {
            len += count;
            len - count
        };
        let words = words_of_root(pass);
        let stages = (0..pass.tile.stages.len())
            .map(|s| {
                let block = pass.block(s, free);
                let rows = block.size - first_row(pass, s, block);
                let has_roots = block.first == s && block.before > 1;
                take(if has_roots { words * rows * pass.roots_of_row(s, block.before) } else { 0 })
            })
            .collect();
        let (fine, coarse) = match &pass.twiddle {
            Some(t) if t.source == TwiddleSource::Columns => {
                (take(pass.twiddle_rows().count() * pass.twiddle_columns()), 0)
            }
            Some(t) if t.source != TwiddleSource::Tables => (0, 0),
            Some(t) if t.split * free >= t.table_order() => (take(words_of_twiddle(pass, free) * t.split), 0),
            Some(t) => (take(t.split), take(t.table_order().div_ceil(t.split))),
            None => (0, 0),
        };
        let chirp = take(chirp_points(pass).map_or(0, |n| beside.chirp.unwrap_or(n)));
        let by_powers = pass.rader.map_or(0, |rader| rader.prime - 1);
        let before = pass.before_inner();
        let points = take(if before > 1 { by_powers * before } else { 0 });
        let powers = take(by_powers);
        let spectrum = take(convolution(pass).map_or(by_powers, |(_, m)| m));
        let turns = [0, 1].map(|side| take(turn(pass, side).map_or(0, |(points, _)| points)));
        let (rows, columns) = mirrors(pass);
        let mirrors = (take(rows), take(columns));
        // Pairs begin at even places.
        len += len_to_pairs(pass, len);
        let coset = len;
        len += if beside.has_coset { words * pass.radix } else { 0 };
        let layers = start;
        Self {
            stages,
            fine,
            coarse,
            chirp,
            points,
            powers,
            spectrum,
            turns,
            mirrors,
            coset,
            layers,
            scale: len,
            end: len,
        }
    }

    /// Those of a recipe's pass of that number, which follow `start` elements of others. Where fields are data, those of each.
    pub fn in_recipe(recipe: &Recipe, number: usize, start: usize) -> Self {
        let (pass, free) = (&recipe.passes()[number], recipe.transform.algebra.free_order());
        if let Some(layers) = recipe.layers(number) {
            return Self { end: start + layers.len(), ..Self::of(pass, free, Beside::default(), start) };
        }
        let constants = moduli::constants_len(recipe, pass);
        let chirp = recipe.lengths().map(|lengths| *lengths.end());
        let beside = Beside { has_coset: recipe.coset_step(number).is_some(), chirp };
        let tables = Self::of(pass, free, beside, start + constants);
        // Constants are pairs of words.
        let end = if constants > 0 { tables.end.next_multiple_of(2) } else { tables.end };
        Self { end, ..tables }
    }

    /// All of a recipe's pass of that number as bytes.
    pub fn of_recipe(recipe: &Recipe, number: usize) -> Vec<u8> {
        let (transform, pass) = (&recipe.transform, &recipe.passes()[number]);
        if recipe.moduli.is_empty() {
            return Self::over(recipe, number, transform);
        }
        let len = Self::in_recipe(recipe, number, 0).end * transform.algebra.element_bytes();
        let of_field = |&field: &WordField| {
            let transform = Transform { algebra: field.into(), ..transform.clone() };
            let mut bytes = moduli::constant_bytes(pass, field);
            bytes.extend(Self::over(recipe, number, &transform));
            bytes.resize(len, 0);
            bytes
        };
        recipe.moduli.iter().flat_map(of_field).collect()
    }

    /// The same over one field.
    fn over(recipe: &Recipe, number: usize, transform: &Transform) -> Vec<u8> {
        let pass = &recipe.passes()[number];
        if let (Some(layers), Some(generator)) = (recipe.layers(number), transform.domain.circle) {
            return layer_bytes(transform, generator, layers);
        }
        // Where kernels serve several lengths, the scale is no constant of theirs.
        let chirp = recipe.lengths().map(|lengths| (*lengths.end(), transform.scale()));
        let convolved = Convolved { chirp, excess: excess(recipe, number) };
        let stands_for = |root| transform.root_of(root);
        let mut bytes = Self::bytes_by(pass, transform.inner_direction(), transform.algebra, &stands_for, convolved);
        // Pairs begin at even places.
        let (algebra, element) = (transform.algebra, transform.algebra.element_bytes());
        bytes.resize(bytes.len() + element * len_to_pairs(pass, bytes.len() / element), 0);
        if let Some((_, step)) = recipe.coset_step(number)
            && let Some(s) = transform.coset_factor()
        {
            bytes.extend(match words_of_root(pass) {
                2 => algebra.power_pair_bytes(&s, step, pass.radix),
                _ => algebra.power_bytes(&s, step, pass.radix),
            });
        }
        bytes
    }

    /// The roots of a pass as bytes.
    #[cfg(test)]
    pub fn bytes(pass: &Pass, direction: Direction, algebra: Algebra) -> Vec<u8> {
        Self::bytes_by(pass, direction, algebra, &|root| root, Convolved::default())
    }

    /// The same where other roots stand for the field's own.
    fn bytes_by(
        pass: &Pass,
        direction: Direction,
        algebra: Algebra,
        stands_for: &dyn Fn(Root) -> Root,
        Convolved { chirp, excess }: Convolved,
    ) -> Vec<u8> {
        let [of_stages, others] = Self::roots(pass, direction, algebra.free_order());
        let mut bytes = if words_of_root(pass) == 2 {
            let of_stages: Vec<Root> = of_stages.iter().flat_map(Powers::roots).map(stands_for).collect();
            // Behind those of the stages are those of the pass's own twiddle, if they are pairs.
            let has_own = has_scale_in_twiddle(pass, algebra.free_order());
            let own = pass.twiddle.filter(|_| has_own).map_or(0, |t| t.split);
            let scale = if has_own { pass.scale } else { Scale::One };
            let (stages, own) = of_stages.split_at(of_stages.len() - own);
            [algebra.root_pair_bytes(stages, Scale::One), algebra.root_pair_bytes(own, scale)].concat()
        } else {
            algebra.powers_bytes(&of_stages, stands_for)
        };
        bytes.extend(algebra.powers_bytes(&others, stands_for));
        if let (Some(points), Some((room, _))) = (chirp_points(pass), chirp) {
            bytes.resize(bytes.len() + (room - points) * algebra.element_bytes(), 0);
        }
        if let Some((n, m)) = convolution(pass) {
            let scale = chirp.map_or(Scale::One, |(_, scale)| scale);
            let spectrum = chirp::spectrum_bytes((n, m), direction, (scale, excess), algebra);
            bytes.extend(if pass.has_spectrum_by_column() { transposed(&spectrum, pass.radix, m) } else { spectrum });
        }
        if let Some(rader) = pass.rader {
            bytes.extend(rader.table_bytes(direction, excess, algebra));
        }
        for (points, Turn { order, step, first }) in [0, 1].into_iter().filter_map(|side| turn(pass, side)) {
            let roots = Powers::new(direction, order, (0..points).map(|j| step * j + first));
            bytes.extend(algebra.powers_bytes(&[roots], &|root| root));
        }
        if let Some(ends) = pass.ends.as_ref().filter(|_| pass.is_mirrored() || pass.filters_halves()) {
            let (rows, columns) = mirrors(pass);
            let exponents = (0..rows).map(|row| row * ends.row).chain(0..columns);
            let roots = Powers::new(direction, 2 * ends.points, exponents);
            bytes.extend(algebra.powers_bytes(&[roots], &|root| root));
        }
        bytes
    }

    /// The roots of the stages and the others, in the order of the buffer.
    fn roots(pass: &Pass, direction: Direction, free: usize) -> [Vec<Powers>; 2] {
        let (mut of_stages, mut others) = (Vec::new(), Vec::new());
        for s in 0..pass.tile.stages.len() {
            let block = pass.block(s, free);
            let Block { first, before: p, size } = block;
            if first == s && p > 1 {
                let rows = first_row(pass, s, block)..size;
                let of_row = pass.roots_of_row(s, p);
                let exponents = rows.flat_map(|j| (0..of_row).map(move |k| j * k));
                of_stages.push(Powers::new(direction, p * size, exponents));
            }
        }
        if let Some(t) = pass.twiddle.as_ref().filter(|t| t.source == TwiddleSource::Tables) {
            let order = t.table_order();
            let fine = if words_of_twiddle(pass, free) > 1 { &mut of_stages } else { &mut others };
            fine.push(Powers::new(direction, order, 0..t.split));
            if t.split * free < order {
                let coarse = (0..order.div_ceil(t.split)).map(|e| e * t.split);
                others.push(Powers::new(direction, order, coarse));
            }
        }
        if let Some(t) = pass.twiddle.as_ref().filter(|t| t.source == TwiddleSource::Columns) {
            let of_row = |row: usize| (0..pass.twiddle_columns()).map(move |weight| row * weight);
            others.push(Powers::new(direction, t.order, pass.twiddle_rows().flat_map(of_row)));
        }
        let m = pass.side_by_side();
        others.extend(chirp_points(pass).map(|n| chirp::chirp_beside(n / m, m, direction)));
        if let Some(rader) = pass.rader.filter(|_| pass.before_inner() > 1) {
            let before = pass.before_inner();
            let of_point = |j| (0..before).map(move |k| j * k);
            others.push(Powers::new(direction, rader.prime * before, rader.powers().flat_map(of_point)));
        }
        [of_stages, others]
    }
}

/// Words of a stage's root, and of a power of a coset's number, in units of an element's.
fn words_of_root(pass: &Pass) -> usize {
    if pass.tile.roots == StageRoots::Pairs { 2 } else { 1 }
}

/// The same of a root of the pass's own twiddle that is looked up for one product.
fn words_of_twiddle(pass: &Pass, free: usize) -> usize {
    if pass.twiddle.is_some_and(|t| t.split > 1 && t.is_one_product(free)) { words_of_root(pass) } else { 1 }
}

/// Whether the roots of the pass's own twiddle, which all points are multiplied by, have its scale in them.
pub(crate) fn has_scale_in_twiddle(pass: &Pass, free: usize) -> bool {
    words_of_twiddle(pass, free) > 1
}

/// Elements to leave out so that pairs begin at an even one.
fn len_to_pairs(pass: &Pass, len: usize) -> usize {
    len.next_multiple_of(words_of_root(pass)) - len
}

/// The factors of a circle FFT's layers as bytes, by the digits that they depend on.
fn layer_bytes(transform: &Transform, generator: CircleGenerator, layers: Layers) -> Vec<u8> {
    let (n, is_forward) = (transform.points(), transform.direction == Direction::Forward);
    let of_layers = circle::factors(n, generator);
    // The forward transform takes the layer of one factor first.
    let factors = layers.all().flat_map(|done| {
        let factors = &of_layers[if is_forward { n.ilog2() - 1 - done } else { done } as usize];
        let factors = if is_forward { factors.clone() } else { circle::inverses(factors) };
        let columns = layers.columns(done);
        let of_column = |column| factors.iter().skip(column).step_by(columns).copied();
        (0..columns).flat_map(of_column).collect::<Vec<_>>()
    });
    transform.algebra.word_bytes(factors.map(|factor| doubled(factor).into()))
}

/// The points of the chirp that the pass multiplies by, at both ends of a tile or at one of several passes.
fn chirp_points(pass: &Pass) -> Option<usize> {
    pass.points_by_chirp().or(pass.ends.as_ref().and_then(|ends| ends.chirp))
}

/// The [excess](gain) of all stages around the product with a pass's spectrum: those of all passes there and back, or its own.
fn excess(recipe: &Recipe, number: usize) -> f64 {
    let (passes, pass) = (recipe.passes(), &recipe.passes()[number]);
    if !pass.convolves() {
        return 0.0;
    }
    let around = if pass.middle.is_some() { passes } else { &passes[number..=number] };
    let fuses = lower::fuses(recipe, passes);
    let of = |stages: &[usize]| gain::excess(stages, recipe.transform.algebra, fuses);
    around.iter().map(|pass| of(&pass.tile.stages)).sum::<f64>() + of(&pass.tile.stages[pass.inner()])
}

/// The points of the chirp, and those of its spectrum, if the pass multiplies by that.
fn convolution(pass: &Pass) -> Option<(usize, usize)> {
    let in_tile = pass.chirp.map(|n| (n, pass.radix / pass.side_by_side()));
    in_tile.or_else(|| pass.middle.map(|n| (n, pass.before_middle() * pass.radix)))
}

/// A table of m elements that is a matrix of so many rows, column by column.
fn transposed(table: &[u8], rows: usize, m: usize) -> Vec<u8> {
    let (bytes, columns) = (table.len() / m, m / rows);
    let mut transposed = Vec::with_capacity(table.len());
    for column in 0..columns {
        for row in 0..rows {
            transposed.extend_from_slice(&table[(row * columns + column) * bytes..][..bytes]);
        }
    }
    transposed
}

/// The turn of a side, and of how many points.
fn turn(pass: &Pass, side: usize) -> Option<(usize, Turn)> {
    let ends = pass.ends.as_ref()?;
    Some((ends.turned_points(), ends.turns[side]?))
}

/// Rows and columns whose roots slots take.
fn mirrors(pass: &Pass) -> (usize, usize) {
    // The points of a plane's line are rows.
    let has_columns = pass.has_images() && !pass.is_of_plane();
    let lines = pass.ends.as_ref().map_or(1, |ends| ends.lines_in_tile());
    let of_all = if pass.turns_roots() { pass.radix / 2 } else { pass.radix };
    let rows = if pass.is_mirrored() || pass.filters_halves() { of_all / lines } else { 0 };
    let columns = || pass.columns[0].n * pass.second_digit().unwrap_or(1);
    (rows, if has_columns { columns() } else { 0 })
}

/// Input 0 has no twiddle; but in a block of several stages the threads do not know at compile time which it is.
fn first_row(pass: &Pass, stage: usize, block: Block) -> usize {
    usize::from(block.size == pass.stage(stage).0)
}
