//! Chains: one Stockham stage a launch, out of place, every launch one trip through memory.
//!
//! This is how the first FFTs in OpenCL were written (E. Bainville, "OpenCL Fast Fourier Transform", 2010; AMD, "OpenCL
//! Optimization Case Study: Fast Fourier Transform", 2011). After launches whose radices have the product p, thread i
//! of T = n/r takes the elements i + T·v, multiplies them by ω_{pr}^{k·v} with k = i mod p, transforms them and leaves
//! them at (i − k)·r + k + p·v. As a pass: DFTs of radix r whose columns are the digits k and (i − k)/p, and whose
//! threads hold a whole column each.

use crate::algebra::{Algebra, Scale};
use crate::codelet;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::{Kind, Placement, Transform};

use super::cost::{self, Limits};
use super::finish;
use super::hopper::Hopper;
use super::pass_shape;
use super::realise::MOST_GROUP;
use super::recipe::{Arithmetic, Column, Lanes, Method, Pass, Place, Recipe, Rounds, StageRoots, Tile, Twiddle};
use super::shape;
use super::twiddles::TwiddleSource;

/// What there is to choose about a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The radices of the launches, the first one first.
    pub radices: Vec<usize>,
    /// Where the twiddle factors come from.
    pub twiddles: TwiddleSource,
    /// Threads of a work-group.
    pub group: usize,
    /// How the first launch, whose threads have their outputs side by side, writes them.
    pub first_store: FirstStore,
    /// How the input lies in memory.
    pub input: Input,
    /// Whether components are computed one by one or in vectors.
    pub arithmetic: Arithmetic,
}

/// How the first launch writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstStore {
    /// Each thread writes its own r neighbouring outputs.
    Direct,
    /// The work-group exchanges them in local memory, so that neighbouring threads write neighbouring elements.
    Exchanged,
}

/// How the input of a chain lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Components side by side.
    Interleaved,
    /// All real parts, then all imaginary parts; a launch of its own interleaves them.
    PlanarPacked,
    /// All real parts, then all imaginary parts; the first launch loads them so.
    PlanarFused,
}

/// The recipe of a chain.
///
/// # Errors
/// [`Error::InvalidTransform`] if the radices do not make the transform, [`Error::Unsupported`] if it is not one
/// contiguous dimension out of place, or the algebra has no such twiddles.
pub fn chain(transform: &Transform, device: &DeviceInfo, chain: &Chain) -> Result<Recipe> {
    shape::check_line(transform, device)?;
    if transform.kind != Kind::Dft {
        return Err(Error::unsupported("a chain of real numbers", "its launches are of elements"));
    }
    let n = transform.points();
    let product = chain.radices.iter().try_fold(1usize, |p, r| p.checked_mul(*r));
    if product != Some(n) || !chain.radices.iter().all(|r| codelet::RADICES.contains(r)) || chain.group == 0 {
        return Err(Error::InvalidTransform(format!("{chain:?} does not make a transform of {n} points")));
    }
    // Before anything is laid out for so many.
    let (group, most) = (chain.group, device.max_group.min(MOST_GROUP));
    if group > most {
        return Err(Error::InvalidTransform(format!("a pass needs {group} threads; {} has {most}", device.id)));
    }
    let packed = Transform::new(transform.algebra, n).batch(transform.batch_count());
    let is_packed = transform.dims == packed.dims && (transform.batch.is_empty() || transform.batch == packed.batch);
    if !is_packed || transform.placement == Placement::InPlace {
        let reason = "its launches go back and forth between packed arrays";
        return Err(Error::unsupported("a chain over strides or in place", reason));
    }
    if chain.input != Input::Interleaved && transform.algebra.has_digits() {
        let reason = "the digits of a big prime's elements lie as the transform's input layout says";
        return Err(Error::unsupported("planar input of big primes", reason));
    }
    if chain.arithmetic == Arithmetic::Vectors && transform.algebra != Algebra::ComplexF32 {
        return Err(Error::unsupported(format!("vectors of {}", transform.algebra.name()), "they are pairs of f32"));
    }
    let limits = Limits::of(device, transform.algebra);
    let separate = chain.input == Input::PlanarPacked;
    let launches = chain.radices.len() + usize::from(separate);
    let len = transform.input_len();
    let mut passes = Vec::with_capacity(launches);
    let mut p = 1;
    for launch in 0..launches {
        // Back and forth between output and workspace, so that the last one writes the output.
        let target = |launch: usize| if (launches - launch) % 2 == 1 { Place::Output } else { Place::Workspace };
        let place = (if launch == 0 { Place::Input } else { target(launch - 1) }, target(launch));
        let radix = if separate && launch == 0 { 1 } else { chain.radices[launch - usize::from(separate)] };
        let mut pass = stage(chain, transform, (radix, p), place, &limits);
        pass.planes = (launch == 0 && chain.input != Input::Interleaved).then_some(len);
        if launch + 1 == launches {
            pass.scale = transform.scale();
        }
        finish::lay_out(&mut pass, &limits);
        passes.push(pass);
        p *= radix;
    }
    let recipe = Recipe {
        transform: transform.clone(),
        method: Method::Passes(passes),
        workspace_len: if launches > 1 { len } else { 0 },
        chunk: None,
        ring: None,
        moduli: Vec::new(),
    };
    recipe.check(device)?;
    Ok(recipe)
}

/// The launch of radix r after launches of product p.
fn stage(chain: &Chain, transform: &Transform, (r, p): (usize, usize), place: (Place, Place), limits: &Limits) -> Pass {
    let (n, batch) = (transform.points(), transform.batch_count());
    let threads = n / r;
    let mut columns = vec![
        Column { n: p, input_stride: 1, output_stride: 1, weight: 1 },
        Column { n: threads / p, input_stride: p, output_stride: p * r, weight: 0 },
        Column { n: batch, input_stride: n, output_stride: n, weight: 0 },
    ];
    columns.retain(|c| c.n > 1);
    if columns.is_empty() {
        columns.push(Column { n: 1, input_stride: 0, output_stride: 0, weight: 0 });
    }
    let exchanged = p == 1 && r > 1 && chain.first_store == FirstStore::Exchanged;
    let order = p * r;
    let split = pass_shape::twiddle_split(order, transform.algebra);
    let twiddle = Twiddle { order, split, source: chain.twiddles, odd: false };
    Pass {
        source: place.0,
        target: place.1,
        planes: None,
        radix: r,
        chirp: None,
        middle: None,
        filter: false,
        rader: None,
        beside: [0; 2],
        array: Vec::new(),
        ends: None,
        row_strides: (threads, p),
        columns,
        twiddle: (p > 1).then_some(twiddle),
        scale: Scale::One,
        tile: Tile {
            columns: chain.group,
            per_thread: r,
            stages: if r > 1 { vec![r] } else { Vec::new() },
            load: Lanes::Columns,
            store: if exchanged { Lanes::Flat } else { Lanes::Columns },
            exchanges: Vec::new(),
            registers: cost::registers(r, limits),
            rounds: Rounds::ONE,
            staged: [false; 2],
            sectors: false,
            team: 1,
            arithmetic: chain.arithmetic,
            roots: StageRoots::Lookups,
        },
        hopper: Hopper::default(),
    }
}
