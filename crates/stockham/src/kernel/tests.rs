//! Every recipe, run kernel by kernel on the host, against the naive and the autosort transform.

mod ahead;
mod candidates;
mod chain;
mod chirp_cluster;
mod chirp_lengths;
mod cluster;
mod cluster_choice;
mod expressions;
mod faults;
#[path = "../../tests/support/lengths.rs"]
mod lengths;
mod planes;
mod reach;
mod real;
mod ring;
mod smooth;
mod swap;
mod team;
mod trig;
mod words;
mod zeros;

use bytemuck::Pod;
use num_complex::Complex;

use super::interpret::{Global, run};
use super::ir::{Kernel, Stmt};
use super::{Dialect, Tables, lower, texts};
use crate::accuracy::Measured;
use crate::algebra::{Algebra, DoubleDouble, Goldilocks, Scale, Word};
use crate::autosort::Autosort;
use crate::device_info::{Backend, DeviceInfo};
use crate::error::Error;
use crate::plan::{Method, Pass, Place, Recipe, plan};
use crate::transform::{Dim, Normalization, Side, Transform};

/// A made-up device with so much local memory and so large work-groups.
pub(super) fn device(local_bytes: usize, max_group: usize, simd_width: usize) -> DeviceInfo {
    DeviceInfo {
        id: "opencl:0".into(),
        backend: Backend::Opencl,
        name: "made up".into(),
        driver: String::new(),
        memory_bytes: 1 << 34,
        max_allocation_bytes: 1 << 34,
        max_group,
        local_bytes,
        simd_width,
        compute_units: 8,
        registers: None,
        has_f64: true,
        compute_capability: None,
        max_cluster: None,
    }
}

trait Bits: Measured {
    fn to_bits(self) -> Vec<u64>;
    /// Rounded.
    fn narrow(wide: &Self::Wide) -> Self;
    fn sample(i: usize) -> Self;
    fn close(a: &[Self], b: &[Self]) -> bool;
}

fn noise(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

macro_rules! complex_bits {
    ($t:ty, $narrow:expr) => {
        impl Bits for Complex<$t> {
            fn to_bits(self) -> Vec<u64> {
                vec![u64::from(self.re.to_bits()), u64::from(self.im.to_bits())]
            }
            fn narrow(wide: &Self::Wide) -> Self {
                Complex::new($narrow(wide.re), $narrow(wide.im))
            }
            fn sample(i: usize) -> Self {
                let unit = |x: u64| ((x >> 40) as $t) / (1u64 << 23) as $t - 1.0;
                Complex::new(unit(noise(2 * i)), unit(noise(2 * i + 1)))
            }
            fn close(a: &[Self], b: &[Self]) -> bool {
                let norm = |x: &mut dyn Iterator<Item = Self>| x.map(|z| f64::from(z.norm_sqr())).sum::<f64>().sqrt();
                let error = norm(&mut a.iter().zip(b).map(|(x, y)| x - y));
                error <= 8.0 * f64::from(<$t>::EPSILON) * norm(&mut b.iter().copied())
            }
        }
    };
}
complex_bits!(f32, |x: f64| x as f32);
complex_bits!(f64, DoubleDouble::to_f64);

impl Bits for Goldilocks {
    fn to_bits(self) -> Vec<u64> {
        vec![self.value()]
    }
    fn narrow(wide: &Self) -> Self {
        *wide
    }
    fn sample(i: usize) -> Self {
        Self::reduce(noise(i))
    }
    fn close(a: &[Self], b: &[Self]) -> bool {
        a == b
    }
}

/// The words of elements in a byte buffer.
fn words_of(algebra: Algebra, bytes: &[u8]) -> Vec<u64> {
    match algebra.layout().0 {
        Word::F32 | Word::U32 => bytemuck::pod_collect_to_vec::<u8, u32>(bytes).into_iter().map(u64::from).collect(),
        _ => bytemuck::pod_collect_to_vec(bytes),
    }
}

/// The bits of elements of a byte buffer, word by word.
fn words<T: Bits>(elements: &[T]) -> Vec<u64> {
    elements.iter().flat_map(|x| x.to_bits()).collect()
}

fn elements<T: Bits + Pod>(bits: &[u64]) -> Vec<T> {
    let bytes: Vec<u8> = match T::ALGEBRA.layout().0 {
        Word::F32 => bits.iter().flat_map(|&b| (b as u32).to_ne_bytes()).collect(),
        _ => bits.iter().flat_map(|&b| b.to_ne_bytes()).collect(),
    };
    bytemuck::allocation::pod_collect_to_vec(&bytes)
}

/// What the recipe makes of an input, through the interpreter.
fn interpreted<T: Bits>(recipe: &Recipe, input: &[T]) -> Result<Vec<T>, String> {
    let filler = vec![T::sample(77); recipe.transform.output_len()];
    Ok(elements(&interpreted_words(recipe, words(input), words(&filler))?))
}

/// The same word by word, which are the numbers of a side that is real. Gaps of the output keep what they had.
fn interpreted_words(recipe: &Recipe, input: Vec<u64>, mut output: Vec<u64>) -> Result<Vec<u64>, String> {
    let (transform, algebra) = (&recipe.transform, recipe.transform.algebra);
    let mut workspace = vec![0u64; recipe.workspace_len * algebra.layout().1];
    // Launches are interpreted one after the other, so that a ring is as long as all there is.
    let between = if recipe.ring.is_some() { transform.points() * transform.batch_count() } else { 0 };
    let mut ring = vec![0u64; between * algebra.layout().1];
    let each = |side| algebra.layout().1 / if transform.is_real(side) { 2 } else { 1 };
    let kernels: Vec<_> = recipe.launches().into_iter().map(|launch| lower::kernel(recipe, launch)).collect();
    for launch in recipe.schedule() {
        let mut bytes: Vec<u8> = launch.passes.clone().flat_map(|number| Tables::of_recipe(recipe, number)).collect();
        let passes = &recipe.passes()[launch.passes];
        let (first, last) = (&passes[0], &passes[passes.len() - 1]);
        bytes.extend(super::access::table_bytes(recipe, (first.source, last.target)));
        let source = match first.source {
            Place::Input => input[launch.source * each(Side::Input)..].to_vec(),
            Place::Workspace => workspace.clone(),
            Place::Ring => ring.clone(),
            Place::Output => output[launch.source * each(Side::Output)..].to_vec(),
            Place::Cluster => return Err("a launch begins in device memory".into()),
        };
        let before = if last.target == Place::Output { launch.target * each(Side::Output) } else { 0 };
        let place = match last.target {
            Place::Output => &mut output,
            Place::Ring => &mut ring,
            _ => &mut workspace,
        };
        let mut target = place.split_off(before);
        let kernel = &kernels[launch.number];
        let mut global = Global { source, target: &mut target, table: &words_of(algebra, &bytes) };
        run(kernel, &mut global, &arguments(kernel, recipe, launch.columns), launch.groups)?;
        place.append(&mut target);
    }
    Ok(output)
}

/// The arguments of a recipe's kernel over so many columns.
fn arguments(kernel: &Kernel, recipe: &Recipe, columns: usize) -> Vec<u64> {
    let of = |name: &&str| if *name == lower::POINTS { recipe.transform.points() } else { columns };
    kernel.arguments.iter().map(|name| of(name) as u64).collect()
}

/// What the interpreter says of the first launch of a recipe over Goldilocks after a change of its kernel's body.
fn changed(recipe: &Recipe, change: impl FnOnce(&mut Vec<Stmt>)) -> Result<(), String> {
    changed_launch(recipe, 0, change)
}

/// The same of one of several launches.
fn changed_launch(recipe: &Recipe, number: usize, change: impl FnOnce(&mut Vec<Stmt>)) -> Result<(), String> {
    let launch = recipe.launches().remove(number);
    let mut kernel = lower::kernel(recipe, launch.clone());
    change(&mut kernel.body);
    let (passes, transform) = (&recipe.passes()[launch], &recipe.transform);
    let input: Vec<Goldilocks> = (0..transform.input_len()).map(Goldilocks::sample).collect();
    let of_pass = |pass| Tables::bytes(pass, transform.direction, Algebra::Goldilocks);
    let table: Vec<Goldilocks> =
        bytemuck::allocation::pod_collect_to_vec(&passes.iter().flat_map(of_pass).collect::<Vec<u8>>());
    let mut target = vec![0; input.len()];
    let mut global = Global { source: words(&input), target: &mut target, table: &words(&table) };
    run(&kernel, &mut global, &[passes[0].column_count() as u64], passes[0].groups())
}

/// The places in a kernel's body at which threads meet.
fn meetings(body: &[Stmt]) -> Vec<usize> {
    (0..body.len()).filter(|&at| matches!(body[at], Stmt::Barrier | Stmt::Meet(_))).collect()
}

/// What the transform should give: gaps of the output keep their filler.
fn expected<T: Bits>(transform: &Transform, input: &[T]) -> Vec<T> {
    let dim = transform.dims[0];
    let mut output = vec![T::sample(77); transform.output_len()];
    let autosort = Autosort::new(dim.n, transform.direction);
    for index in 0..transform.batch_count() {
        let (mut rest, mut from, mut to) = (index, 0, 0);
        for d in transform.batch.iter().rev() {
            from += rest % d.n * d.input_stride;
            to += rest % d.n * d.output_stride;
            rest /= d.n;
        }
        let mut line: Vec<T> = (0..dim.n).map(|j| input[from + j * dim.input_stride]).collect();
        match &autosort {
            Some(autosort) => autosort.process(&mut line, &mut vec![T::zero(); dim.n]),
            // The definition adds up as many rounding errors as there are points.
            None => {
                let wide: Vec<T::Wide> = line.iter().map(|x| x.widen()).collect();
                line = crate::naive::dft(&wide, transform.direction).iter().map(T::narrow).collect();
            }
        }
        for (j, x) in line.iter().enumerate() {
            let scale = transform.scale();
            output[to + j * dim.output_stride] = if scale == Scale::One { *x } else { x.scaled(scale) };
        }
    }
    output
}

fn check<T: Bits>(transform: &Transform, device: &DeviceInfo) {
    let recipe = plan(transform, device).expect("a supported transform");
    let input: Vec<T> = (0..transform.input_len()).map(T::sample).collect();
    let output = interpreted(&recipe, &input).unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
    assert!(T::close(&output, &expected(transform, &input)), "wrong result\n{recipe:#?}");
}

fn devices() -> Vec<DeviceInfo> {
    vec![device(227 << 10, 1024, 32), device(48 << 10, 1024, 32), device(1 << 21, 4096, 1), device(2048, 64, 16)]
}

fn check_sizes<T: Bits>(bits: std::ops::RangeInclusive<u32>) {
    for device in devices() {
        for n in bits.clone().map(|b| 1usize << b) {
            let batch = (4096 / n).clamp(1, 37);
            let transform = Transform::new(T::ALGEBRA, n).batch(batch);
            check::<T>(&transform, &device);
            check::<T>(&transform.inverse(), &device);
        }
    }
}

#[test]
fn complex_f32() {
    check_sizes::<Complex<f32>>(0..=13);
}

#[test]
fn complex_f64() {
    check_sizes::<Complex<f64>>(0..=13);
}

#[test]
fn goldilocks() {
    check_sizes::<Goldilocks>(0..=13);
}

#[test]
fn several_passes() {
    for device in devices() {
        let transform = Transform::new(Algebra::Goldilocks, 1 << 16).batch(2);
        check::<Goldilocks>(&transform, &device);
        check::<Goldilocks>(&transform.inverse(), &device);
        check::<Goldilocks>(&Transform::new(Algebra::Goldilocks, 1 << 18), &device);
    }
}

#[test]
fn strided_layouts() {
    for device in devices() {
        for n in [1usize, 4, 32, 256, 1 << 12] {
            let base = Transform::new(Algebra::Goldilocks, n);
            // Batches side by side, padded rows, different layouts in and out, two batch dimensions.
            let layouts = [
                base.clone().with_dims([Dim::new(n, 5)]).with_batch([Dim::new(5, 1)]),
                base.clone().with_batch([Dim::new(3, n + 7)]),
                base.clone().with_dims([Dim { n, input_stride: 6, output_stride: 1 }]).with_batch([Dim {
                    n: 6,
                    input_stride: 1,
                    output_stride: n + 1,
                }]),
                base.clone().with_dims([Dim::new(n, 4)]).with_batch([Dim::new(3, 4 * n), Dim::new(4, 1)]),
                base.clone().with_dims([Dim { n, input_stride: 0, output_stride: 2 }]),
            ];
            for layout in layouts {
                check::<Goldilocks>(&layout.clone().normalization(Normalization::Forward), &device);
                check::<Goldilocks>(&layout.inverse(), &device);
            }
        }
    }
}

#[test]
fn a_missing_barrier_is_found() {
    let recipe = plan(&Transform::new(Algebra::Goldilocks, 4096), &device(48 << 10, 1024, 32)).unwrap();
    let barriers = lower::lower(&recipe, 0..1).body.iter().filter(|s| **s == Stmt::Barrier).count();
    assert!(barriers >= 3, "two exchanges need three barriers");
    for missing in 0..barriers {
        let mut kernel = lower::lower(&recipe, 0..1);
        let mut seen = 0;
        kernel.body.retain(|s| {
            seen += usize::from(*s == Stmt::Barrier);
            *s != Stmt::Barrier || seen != missing + 1
        });
        let input: Vec<Goldilocks> = (0..4096).map(Goldilocks::sample).collect();
        let bytes = Tables::bytes(&recipe.passes()[0], recipe.transform.direction, Algebra::Goldilocks);
        let table: Vec<u64> = bytemuck::allocation::pod_collect_to_vec(&bytes);
        let mut target = vec![0; 4096];
        let mut global = Global { source: words(&input), target: &mut target, table: &table };
        assert!(run(&kernel, &mut global, &[1], 1).is_err(), "barrier {missing} is not needed?");
    }
}

#[test]
fn exchanges_have_no_bank_conflicts() {
    let h200 = device(227 << 10, 1024, 32);
    let mut found = Vec::new();
    for algebra in [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks] {
        for n in (1..=26).map(|b| 1usize << b) {
            let recipe = plan(&Transform::new(algebra, n).batch(1 << 12), &h200).unwrap();
            for (number, pass) in recipe.passes().iter().enumerate() {
                let bytes = pass.place_bytes(algebra);
                for s in 0..pass.tile.exchanges.len() {
                    let conflicts = crate::plan::banks::conflicts(pass, s, bytes);
                    if conflicts > 0 {
                        found.push(format!(
                            "{} n = {n}, pass {number}, exchange {s}: {conflicts} {:?}",
                            algebra.name(),
                            pass.tile
                        ));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Real additions and multiplications of a codelet, as FFTW counts them for its own without fused products.
#[test]
fn codelets_need_no_more_operations_than_fftw() {
    for (n, additions, products) in [(2, 4, 0), (4, 16, 0), (8, 52, 4), (16, 144, 24), (32, 372, 84)] {
        assert_eq!(super::count_operations(Algebra::ComplexF64, n), (additions, products), "radix {n}");
    }
}

/// All of them, where a fused product and sum is one: as many as FFTW's have.
#[test]
fn fused_codelets_need_no_more_operations_than_fftw() {
    for (n, all) in [(2, 4), (4, 16), (8, 52), (16, 144), (32, 372)] {
        let (additions, products) = super::lower::count_operations(Algebra::ComplexF64, n, true);
        assert_eq!(additions + products, all, "radix {n}");
    }
}

#[test]
fn goldilocks_codelets_need_no_general_product() {
    for n in [2, 4, 8, 16, 32] {
        assert_eq!(super::count_operations(Algebra::Goldilocks, n).1, 0, "radix {n}");
    }
}

/// CUDA's short launches wait for the one before them, where the drivers let them begin early; OpenCL's need not.
#[test]
fn short_launches_wait_themselves() {
    let device = DeviceInfo { backend: Backend::Cuda, ..device(227 << 10, 1024, 32) };
    let waits = |batch: usize, dialect| {
        let recipe = plan(&Transform::new(Algebra::ComplexF32, 1 << 20).batch(batch), &device).unwrap();
        let kernels = texts(&recipe, dialect);
        assert_eq!(kernels.len(), 2);
        kernels.iter().for_each(|k| assert_eq!(k.source.contains("\n    LAUNCH_WAIT\n"), k.waits, "{}", k.source));
        kernels.iter().all(|kernel| kernel.waits)
    };
    assert!(waits(1, Dialect::Cuda));
    assert!(!waits(1 << 7, Dialect::Cuda));
    assert!(!waits(1, Dialect::OpenCl));
}

/// What a person may get wrong about a recipe made by hand.
#[test]
fn recipes_that_make_no_transform_are_refused() {
    let cuda = cluster::hopper(None);
    let good = plan(&Transform::new(Algebra::ComplexF32, 1 << 20).batch(4), &cuda).unwrap();
    assert_eq!(good.check(&cuda), Ok(()));
    let changes: [fn(&mut Vec<Pass>); 10] = [
        |passes| passes.truncate(1),
        |passes| passes[0].radix *= 2,
        |passes| passes[0].tile.stages = vec![3],
        |passes| passes[1].tile.stages.clear(),
        |passes| passes[0].tile.per_thread = 0,
        |passes| passes[0].tile.columns = 0,
        |passes| passes[0].columns.clear(),
        |passes| passes[1].tile.exchanges.clear(),
        |passes| passes[0].tile.rounds.slices = 0,
        |passes| passes[0].tile.rounds.planes = Some(0),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut recipe = good.clone();
        let Method::Passes(passes) = &mut recipe.method else { panic!("passes") };
        change(passes);
        assert!(matches!(recipe.check(&cuda), Err(Error::InvalidTransform(_))), "change {number}");
    }
}
