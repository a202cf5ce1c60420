//! The ends of transforms that take or give other numbers than the elements of a DFT: real numbers, half spectra, and those of
//! cosine and sine transforms. What is between the ends is a DFT of elements.
//!
//! Of an even number N of real numbers two make a point, so that the DFT has N/2: its points Z_p and Z_{N/2 − p} and those of the
//! half spectrum, X_p and X_{N/2 − p}, are made of each other (J. W. Cooley, P. A. W. Lewis and P. D. Welch, "The fast Fourier
//! transform algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms", 1970).

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::transform::{Kind, Placement, Side, Transform, TrigType};

use super::across::across;
use super::pass_shape::Shape;
use super::plane;
use super::recipe::{Arithmetic, Column, Pass, Place, Recipe};

/// The points of the DFT that a pass reads from the input, or writes to the output, where numbers there are no points: row i of
/// a column with digits d is point i·`row` + Σ `digits`·d. The digits that have no part in that are those of the batch, and have
/// strides in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    /// Whether it reads from the input so, and whether it writes to the output.
    pub sides: [bool; 2],
    /// Points of the DFT.
    pub points: usize,
    /// Distance between numbers of a line in memory, in the input and in the output.
    pub strides: (usize, usize),
    /// Points between rows.
    pub row: usize,
    /// Points between the values of each column's digit.
    pub digits: Vec<usize>,
    /// The roots that points are multiplied by when they are read, and before they are written.
    pub turns: [Option<Turn>; 2],
    /// Whether two real numbers make a point. Then there is a half spectrum on the other side.
    #[serde(default)]
    pub packed: bool,
    /// Whether it reads points of a half spectrum, and whether it writes such, that are made two at a time.
    #[serde(default)]
    pub mirrored: [bool; 2],
    /// Whether it is a pass of a plane, whose points have their mirror images along both dimensions. What is said of points here is
    /// of those of its lines along the last dimension, which the pass at the half spectrum goes along.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plane: bool,
    /// For an array of such lines in one tile, whose points have their mirror images along all dimensions: the other dimensions' lengths.
    /// Rows are points of all lines then, one line after the other, and the distance between rows is that between lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<usize>,
    /// For DFTs by a chirp in several passes ([`Method::Convolution`](super::Method::Convolution)): their length. The points that are read, and those that are
    /// written, are multiplied by the chirp, and behind its end there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chirp: Option<usize>,
}

/// Point j is multiplied by ω_order^(step·j + first), in the direction of the DFT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The order of the roots.
    pub order: usize,
    /// How much the exponent grows from point to point.
    pub step: usize,
    /// The exponent of point 0.
    pub first: usize,
}

/// The turns of a cosine or sine transform of n numbers.
fn turns(of: TrigType, n: usize) -> [Option<Turn>; 2] {
    let turn = |order, step, first| Some(Turn { order, step, first });
    match of {
        TrigType::II => [None, turn(4 * n, 1, 0)],
        TrigType::III => [turn(4 * n, 1, 0), None],
        TrigType::IV if n.is_multiple_of(2) => [turn(8 * n, 4, 1), turn(2 * n, 1, 0)],
        TrigType::I | TrigType::IV => [None, None],
    }
}

/// The turns of a pass that has these sides.
pub(super) fn turns_at(transform: &Transform, sides: [bool; 2]) -> [Option<Turn>; 2] {
    let turns = transform.trig().map_or([None; 2], |(_, of)| turns(of, transform.dims[0].n));
    [0, 1].map(|side| turns[side].filter(|_| sides[side]))
}

/// Whether the numbers of a side make points of the DFT, or are made of them, and are no such points themselves.
fn has_ends(transform: &Transform, side: Side) -> bool {
    transform.half_side() == Some(side) || transform.trig().is_some()
}

/// The side of the half spectrum, if the DFT has so many points that two real numbers make one.
pub(super) fn spectrum_of_pairs(transform: &Transform, points: usize) -> Option<Side> {
    let side = match transform.trig() {
        None => transform.half_side()?,
        Some((_, TrigType::I | TrigType::II)) => Side::Output,
        Some((_, TrigType::III)) => Side::Input,
        Some((_, TrigType::IV)) => return None,
    };
    (Some(transform.inner_points()) == points.checked_mul(2)).then_some(side)
}

/// Whether it is a transform there and back over so many points, of which each is two real numbers on both sides.
fn is_filter_of_pairs(transform: &Transform, points: usize) -> bool {
    let is_real = transform.kind == Kind::Real && transform.is_filtered();
    is_real && Some(transform.inner_points()) == points.checked_mul(2)
}

/// The points of the DFT if two real numbers make one. A DFT of one point has no stages.
pub(super) fn pairs(transform: &Transform) -> Option<usize> {
    let half = transform.inner_points() / 2;
    let are_pairs = spectrum_of_pairs(transform, half).is_some() || is_filter_of_pairs(transform, half);
    (half > 1 && are_pairs).then_some(half)
}

/// The points of the DFT of a transform there and back: of complex numbers, or of pairs of real ones; nothing of others.
pub(super) fn points_there_and_back(transform: &Transform) -> Option<usize> {
    if transform.kind == Kind::Dft { Some(transform.points()) } else { pairs(transform) }
}

/// Whether passes over so many points make the transform: of all of them, or of pairs of real numbers.
pub(super) fn makes(transform: &Transform, points: usize) -> bool {
    points == transform.inner_points() || pairs(transform) == Some(points)
}

/// Real numbers of which one makes a point at most: a thread has all of so short a line, or few threads have, and memory is read
/// and written in as many pieces.
const MOST_UNPAIRED: usize = 512;

/// The same where it pays.
pub(super) fn paying_pairs(transform: &Transform) -> Option<usize> {
    pairs(transform).filter(|half| *half > MOST_UNPAIRED / 2)
}

/// What the pass of number `a` of so many knows of the ends, for the radices before it and after it. Its columns are in the
/// planner's order: from `first` on the digits, then the batch.
pub(super) fn of(
    transform: &Transform,
    (before, radix, inner): (usize, usize, usize),
    (a, last): (usize, usize),
    first: usize,
    columns: &[Column],
) -> Option<Ends> {
    let dim = transform.dims[0];
    let points = before.saturating_mul(radix).saturating_mul(inner);
    let spectrum = spectrum_of_pairs(transform, points);
    let packed = spectrum.is_some() || is_filter_of_pairs(transform, points);
    let has_ends = |side| packed || has_ends(transform, side);
    let sides = [a == 0 && has_ends(Side::Input), a == last && has_ends(Side::Output)];
    if sides == [false; 2] {
        return None;
    }
    let within = |c: usize| columns[first..c].iter().fold(1usize, |points, column| points.saturating_mul(column.n));
    let point_of = |c: usize| match (a, c.checked_sub(first)) {
        // The digits inside of the first one are one column, or two in clusters of neighbouring lines.
        (0, Some(_)) => Some(within(c)).filter(|points| *points < inner).unwrap_or(0),
        // The digits before the last one have their final order.
        (_, Some(digit)) if digit < a => columns[c].weight,
        _ => 0,
    };
    Some(Ends {
        sides,
        points,
        strides: (dim.input_stride, dim.output_stride),
        row: if a == 0 { inner } else { before },
        digits: (0..columns.len()).map(point_of).collect(),
        turns: turns_at(transform, sides),
        packed,
        mirrored: [sides[0] && spectrum == Some(Side::Input), sides[1] && spectrum == Some(Side::Output)],
        plane: false,
        lines: Vec::new(),
        chirp: None,
    })
}

/// Whether pairs of real numbers may go through rings: those of the input follow each other without gaps, line after line or plane after
/// plane, and a half spectrum is no part of the output.
pub(super) fn go_through_rings(transform: &Transform) -> bool {
    let mut len = 1usize;
    let mut inner_first = transform.dims.iter().rev().chain(transform.batch.iter().rev()).filter(|dim| dim.n > 1);
    match transform.half_side() {
        Some(Side::Input) => transform.placement == Placement::OutOfPlace,
        Some(Side::Output) => inner_first.all(|dim| {
            let follows = dim.input_stride == len;
            len = len.saturating_mul(dim.n);
            follows
        }),
        None => false,
    }
}

/// What pass `a` of a plane of real numbers knows of the ends. The pairs are the last dimension's, which is that of the pass at the half
/// spectrum.
pub(super) fn of_plane(transform: &Transform, a: usize, columns: &[Column]) -> Option<Ends> {
    let ([first, second], spectrum) = (plane::lengths(transform)?, transform.half_side()?);
    let dim = transform.dims[1];
    spectrum_of_pairs(transform, first * second)?;
    let sides = [a == 0, a == 1];
    let mirrored = [sides[0] && spectrum == Side::Input, sides[1] && spectrum == Side::Output];
    let is_along_last = mirrored != [false; 2];
    Some(Ends {
        sides,
        points: dim.n / 2,
        strides: (dim.input_stride, dim.output_stride),
        row: usize::from(is_along_last),
        digits: (0..columns.len()).map(|c| usize::from(!is_along_last && c == 0)).collect(),
        turns: [None; 2],
        packed: true,
        mirrored,
        plane: true,
        lines: Vec::new(),
        chirp: None,
    })
}

/// What the pass of an array of real numbers in one tile knows of the ends.
pub(super) fn of_array(transform: &Transform, columns: &[Column]) -> Option<Ends> {
    let ((last, others), spectrum) = (transform.dims.split_last()?, transform.half_side()?);
    let lines: Vec<usize> = others.iter().map(|dim| dim.n).collect();
    spectrum_of_pairs(transform, lines.iter().fold(last.n / 2, |points, n| points.saturating_mul(*n)))?;
    Some(Ends {
        sides: [true; 2],
        points: last.n / 2,
        strides: (last.input_stride, last.output_stride),
        row: 1,
        digits: vec![0; columns.len()],
        turns: [None; 2],
        packed: true,
        mirrored: [spectrum == Side::Input, spectrum == Side::Output],
        plane: true,
        lines,
        chirp: None,
    })
}

impl Ends {
    /// Lines of an array in one tile; one elsewhere.
    pub(crate) fn lines_in_tile(&self) -> usize {
        self.lines.iter().fold(1, |lines, n| lines.saturating_mul(*n))
    }

    /// The farthest point of so many rows, and of all values of the digits.
    fn farthest(&self, rows: usize, columns: &[Column]) -> Option<usize> {
        let of_rows = (rows.checked_div(self.lines_in_tile())?.checked_sub(1)?).checked_mul(self.row)?;
        let mut digits = columns.iter().zip(&self.digits);
        digits.try_fold(of_rows, |far, (column, points)| far.checked_add((column.n - 1).checked_mul(*points)?))
    }

    /// Whether the columns of a pass are some and their [images](super::mirror).
    pub(super) fn has_images(&self) -> bool {
        let is_plane = self.plane && self.lines.is_empty();
        self.mirrored != [false; 2] && (is_plane || self.has_digits())
    }

    /// Whether columns are digits of the points' numbers.
    pub(super) fn has_digits(&self) -> bool {
        self.digits.first().is_some_and(|points| *points > 0)
    }

    /// Points that a [turn](Ends::turns) is for.
    pub(crate) fn turned_points(&self) -> usize {
        self.points + usize::from(self.packed)
    }

    /// The distance of a column's values in memory: points have theirs by their number.
    pub(crate) fn stride_of(&self, column: usize, stride: usize) -> usize {
        if self.digits[column] == 0 { stride } else { 0 }
    }

    /// The same of rows.
    pub(crate) fn stride_of_rows(&self, stride: usize) -> usize {
        if self.row == 0 { stride } else { 0 }
    }
}

impl Recipe {
    /// Checks that what is no plain DFT goes through memory, in plain tiles, or in pairs through clusters and rings.
    pub(super) fn check_real(&self) -> Result<()> {
        let in_pairs = spectrum_of_pairs(&self.transform, self.points()).is_some();
        let is_plain = |pass: &Pass| {
            let tile = &pass.tile;
            let goes = pass.hopper.cluster.is_none() && pass.target != Place::Cluster && pass.hopper.share.is_none();
            (goes || in_pairs)
                && pass.source != Place::Output
                && pass.planes.is_none()
                && (self.ring.is_some() || !pass.hopper.ahead)
                && tile.arithmetic == Arithmetic::Scalar
        };
        let at_half = match self.transform.half_side() {
            Some(Side::Input) => self.passes().first(),
            Some(Side::Output) => self.passes().last(),
            None => None,
        };
        let through_ring = in_pairs && at_half.is_some_and(Pass::has_images);
        let plain = (self.ring.is_none() || through_ring) && self.passes().iter().all(is_plain);
        if plain || self.transform.kind == Kind::Dft {
            return Ok(());
        }
        Err(Error::InvalidTransform(
            "real numbers go through memory in plain tiles, from the input to the output".into(),
        ))
    }

    /// Checks that a pass has the ends that its transform has there, with all points. Gives the index of the farthest number,
    /// if those of that place are no points.
    pub(super) fn check_ends(&self, number: usize, pass: &Pass, place: Place) -> Result<Option<usize>> {
        let points = |passes: &[Pass]| passes.iter().fold(1usize, |all, pass| all.saturating_mul(pass.points()));
        let (before, behind) = (points(&self.passes()[..number]), points(&self.passes()[number + 1..]));
        let last = self.passes().len() - 1;
        let first = usize::from(last > 0 && across(&self.transform).is_some());
        let expected = match self.transform.dims.len() {
            1 => of(&self.transform, (before, pass.points(), behind), (number, last), first, &pass.columns),
            _ if last == 0 => of_array(&self.transform, &pass.columns),
            _ => of_plane(&self.transform, number, &pass.columns),
        };
        let invalid = || {
            Error::InvalidTransform(format!("pass {number} does not have the ends of its transform: {:?}", pass.ends))
        };
        if pass.ends != expected {
            return Err(invalid());
        }
        let (side, of_side) = match place {
            Place::Input => (0, Side::Input),
            Place::Output => (1, Side::Output),
            _ => return Ok(None),
        };
        let Some(ends) = pass.ends.as_ref() else { return Ok(None) };
        // Where a pass reads and writes may have been changed.
        if !ends.sides[side] {
            return if has_ends(&self.transform, of_side) { Err(invalid()) } else { Ok(None) };
        }
        if ends.farthest(pass.points(), &pass.columns) != Some(ends.points - 1) {
            return Err(invalid());
        }
        pass.check_mirrors()?;
        // Numbers of lines are found by the transform's own dimensions.
        if pass.has_lines_of_pairs() && pass.columns != Shape::of(&self.transform, &[pass.radix], 0).columns {
            return Err(invalid());
        }
        let stride = if side == 0 { ends.strides.0 } else { ends.strides.1 };
        let number = self.transform.dims.len() - 1;
        let far = self.transform.count(of_side, number) - 1;
        let columns = pass.columns.iter().map(|c| if side == 0 { c.input_stride } else { c.output_stride }).enumerate();
        let mut batch = columns.map(|(c, stride)| (pass.columns[c].n, ends.stride_of(c, stride)));
        let stride_of_rows = if side == 0 { pass.row_strides.0 } else { pass.row_strides.1 };
        let rows = match ends.lines_in_tile() {
            1 => (pass.points() - 1).checked_mul(ends.stride_of_rows(stride_of_rows)),
            lines => (lines - 1).checked_mul(stride_of_rows),
        };
        let far = far
            .checked_mul(stride)
            .and_then(|far| far.checked_add(rows?))
            .and_then(|far| batch.try_fold(far, |far, (n, stride)| far.checked_add((n - 1).checked_mul(stride)?)));
        far.map(Some).ok_or_else(invalid)
    }
}
