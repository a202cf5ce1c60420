//! Two passes in one launch, cluster by cluster on the host.

use num_complex::Complex;

use super::{Bits, changed, device, expected, interpreted, meetings};
use crate::algebra::{Algebra, Goldilocks};
use crate::device_info::{Backend, DeviceInfo};
use crate::error::Error;
use crate::kernel::hopper::Meeting;
use crate::kernel::interpret::{Global, run};
use crate::kernel::ir::{Memory, Stmt};
use crate::kernel::{Dialect, lower, texts};
use crate::plan::{
    Choice, Loading, Method, Padding, PassChoice, Place, Recipe, TwiddleSource, banks, plan, realise,
    realise_in_clusters,
};
use crate::transform::{Dim, Normalization, Transform};

/// Hopper's limits, with so few units that one transform fills them.
pub(super) fn hopper(max_cluster: Option<usize>) -> DeviceInfo {
    DeviceInfo {
        backend: Backend::Cuda,
        registers: Some(65536),
        compute_units: 2,
        max_cluster,
        ..device(227 << 10, 1024, 32)
    }
}

pub(super) fn check_recipe<T: Bits>(recipe: &Recipe) {
    let input: Vec<T> = (0..recipe.transform.input_len()).map(T::sample).collect();
    let output = interpreted(recipe, &input).unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
    assert!(T::close(&output, &expected(&recipe.transform, &input)), "wrong result\n{recipe:#?}");
}

/// Long transforms, by the logarithm of their length and the work-groups of their clusters: those that the planner takes
/// are among them.
const LONG: [(u32, usize); 5] = [(13, 2), (14, 4), (14, 8), (15, 8), (16, 16)];

fn long(algebra: Algebra, (log, blocks): (u32, usize)) -> Recipe {
    let transform = Transform::new(algebra, 1 << log);
    let transform = if log % 2 == 0 { transform } else { transform.inverse() };
    let (r0, r1) = (1usize << log.div_ceil(2), 1usize << (log / 2));
    let stages = |radix: usize| if radix > 256 { vec![16, 8, 4] } else { vec![16, radix / 16] };
    let choices = [PassChoice::new(r1 / blocks, 16, stages(r0)), PassChoice::new(r0 / blocks, 16, stages(r1))];
    realise_in_clusters(&transform, &hopper(Some(16)), blocks, &choices).unwrap()
}

fn check_long<T: Bits>() {
    for case in LONG {
        check_recipe::<T>(&long(T::ALGEBRA, case));
    }
}

#[test]
fn complex_f32() {
    check_long::<Complex<f32>>();
}

#[test]
fn complex_f64() {
    check_long::<Complex<f64>>();
}

#[test]
fn goldilocks() {
    check_long::<Goldilocks>();
}

/// Where rows of a table by columns are long enough, batches that stream through the device look up their twiddles there;
/// others do not, to which the table is new.
#[test]
fn twiddles_of_batches_come_by_columns() {
    let realised = |algebra: Algebra, choice: &str, batch: usize| {
        let choice: Choice = choice.parse().unwrap();
        let points = choice.passes.iter().flat_map(|pass| &pass.stages).product::<usize>();
        choice.realise(&Transform::new(algebra, points).batch(batch), &hopper(Some(16))).unwrap()
    };
    let source = |recipe: &Recipe| recipe.passes()[1].twiddle.unwrap().source;
    let (short, long) = ("c4/128x32x32/8x32x32.16", "c8/128x32x32/4x32x32.32");
    for (algebra, choice, batch, expected) in [
        (Algebra::ComplexF32, short, 1, TwiddleSource::Tables),
        (Algebra::ComplexF32, short, 7, TwiddleSource::Tables),
        (Algebra::ComplexF32, long, 8, TwiddleSource::Tables),
        (Algebra::ComplexF64, long, 8, TwiddleSource::Columns),
        (Algebra::Goldilocks, short, 8, TwiddleSource::Tables),
    ] {
        assert_eq!(source(&realised(algebra, choice, batch)), expected, "{} {choice} × {batch}", algebra.name());
    }
    let recipe = realised(Algebra::ComplexF32, short, 8);
    assert_eq!(source(&recipe), TwiddleSource::Columns);
    check_recipe::<Complex<f32>>(&recipe);
    let recipe = realised(Algebra::ComplexF64, "c2/128x32x32/16x32x8.32", 16);
    assert_eq!(source(&recipe), TwiddleSource::Columns);
    check_recipe::<Complex<f64>>(&recipe);
}

/// Small ones, with one stage and several, more threads a column than a work-group has columns, and all of a pass's
/// columns in as many work-groups.
const SHAPES: [(usize, usize, &[usize], &[usize]); 7] = [
    (2, 4, &[4], &[4]),
    (2, 8, &[8, 8], &[8, 4]),
    (4, 16, &[16], &[16, 2]),
    (8, 4, &[4, 4], &[4, 4]),
    (16, 2, &[2, 2, 2, 2], &[2, 2, 2, 2]),
    (8, 2, &[2, 2, 2, 2, 2], &[2, 2, 2]),
    (4, 32, &[32], &[32]),
];

fn shape(transform: &Transform, (blocks, per_thread, first, second): (usize, usize, &[usize], &[usize])) -> Recipe {
    let radix = |stages: &[usize]| stages.iter().product::<usize>();
    let choices = [
        PassChoice::new(radix(second) / blocks, per_thread, first),
        PassChoice::new(radix(first) / blocks, per_thread, second),
    ];
    realise_in_clusters(transform, &hopper(Some(16)), blocks, &choices).unwrap()
}

#[test]
fn every_shape_is_right() {
    for shape in SHAPES {
        let n = shape.2.iter().chain(shape.3).product();
        let base = Transform::new(Algebra::Goldilocks, n);
        let layouts = [
            base.clone(),
            base.clone().batch(3).normalization(Normalization::Forward),
            base.clone().in_place().batch(2).inverse(),
            base.clone().with_dims([Dim::new(n, 5)]).with_batch([Dim::new(5, 1)]),
            base.clone().with_dims([Dim { n, input_stride: 6, output_stride: 1 }]).with_batch([
                Dim { n: 2, input_stride: 3, output_stride: 3 * (n + 1) },
                Dim { n: 3, input_stride: 1, output_stride: n + 1 },
            ]),
            base.clone().with_dims([Dim { n, input_stride: 0, output_stride: 2 }]),
        ];
        for layout in layouts {
            check_recipe::<Goldilocks>(&self::shape(&layout, shape));
        }
        check_recipe::<Complex<f32>>(&self::shape(&Transform::new(Algebra::ComplexF32, n).batch(2), shape));
        check_recipe::<Complex<f64>>(&self::shape(&Transform::new(Algebra::ComplexF64, n).inverse(), shape));
    }
}

/// Four passes in two launches, each of which takes some neighbouring columns: as wide as a row of the square, narrower, with
/// exchanges in the first passes of both and without.
#[test]
fn long_transforms_take_two_launches() {
    type Stages = &'static [usize];
    let cases: [(usize, usize, usize, [Stages; 4]); 5] = [
        (2, 4, 2, [&[4], &[4], &[4], &[4]]),
        (2, 4, 4, [&[4, 2], &[4], &[4, 2], &[4, 2]]),
        (4, 4, 2, [&[4], &[4, 4], &[4], &[4, 4]]),
        (4, 8, 4, [&[8], &[8, 2], &[8], &[8, 2]]),
        (8, 8, 8, [&[8], &[8, 2], &[8], &[8]]),
    ];
    for (blocks, rows, wide, stages) in cases {
        let radices = stages.map(|stages| stages.iter().product::<usize>());
        let choices: Vec<PassChoice> =
            (0..4).map(|a| PassChoice::new(radices[a ^ 1] / blocks * wide, rows, stages[a])).collect();
        let base = Transform::new(Algebra::Goldilocks, radices.iter().product::<usize>());
        for transform in [base.clone(), base.clone().batch(3).inverse(), base.clone().in_place().batch(2)] {
            let recipe = realise_in_clusters(&transform, &hopper(Some(16)), blocks, &choices).unwrap();
            assert_eq!((recipe.launches().len(), recipe.passes()[2].wide()), (2, wide));
            check_recipe::<Goldilocks>(&recipe);
        }
        let complex = Transform::new(Algebra::ComplexF32, radices.iter().product::<usize>()).batch(2);
        let recipe = realise_in_clusters(&complex, &hopper(Some(16)), blocks, &choices).unwrap();
        check_recipe::<Complex<f32>>(&recipe);
        check_recipe::<Complex<f32>>(&with_twiddles_by_columns(recipe));
    }
}

/// The same where the second pass of each launch has its twiddles in a table by columns, as for streams.
pub(super) fn with_twiddles_by_columns(mut recipe: Recipe) -> Recipe {
    if let Method::Passes(passes) = &mut recipe.method {
        let seconds = passes.iter_mut().skip(1).step_by(2).filter_map(|pass| pass.twiddle.as_mut());
        seconds.for_each(|twiddle| twiddle.source = TwiddleSource::Columns);
    }
    recipe.check(&hopper(Some(16))).unwrap();
    recipe
}

/// A cluster takes several transforms of a batch at once, neighbours or interleaved.
#[test]
fn clusters_take_neighbouring_transforms() {
    let choices = [PassChoice::new(8, 4, [4, 4]), PassChoice::new(16, 4, [4, 2])];
    let base = Transform::new(Algebra::Goldilocks, 1 << 7);
    let interleaved = base.clone().with_dims([Dim::new(1 << 7, 8)]).with_batch([Dim::new(8, 1)]);
    for transform in [base.clone().batch(4), base.clone().in_place().batch(8).inverse(), interleaved] {
        let recipe = realise_in_clusters(&transform, &hopper(Some(16)), 4, &choices).unwrap();
        assert_eq!(recipe.passes()[0].wide(), 4);
        check_recipe::<Goldilocks>(&recipe);
    }
    let odd = realise_in_clusters(&base.batch(6), &hopper(Some(16)), 4, &choices);
    assert!(matches!(odd, Err(Error::InvalidTransform(_))), "{odd:?}");
}

/// All of a transform is read before any of it is written: loads of the source, then what is received of all columns, then
/// stores.
#[test]
fn transforms_in_place_are_read_before_they_are_written() {
    for shape in SHAPES {
        let n = shape.2.iter().chain(shape.3).product::<usize>();
        let transform = Transform::new(Algebra::ComplexF32, n).in_place();
        let kernel = lower::kernel(&self::shape(&transform, shape), 0..2);
        assert!(kernel.in_place);
        let of = |is: fn(&Stmt) -> bool| kernel.body.iter().enumerate().filter(move |(_, s)| is(s)).map(|(at, _)| at);
        let last_load = of(|s| matches!(s, Stmt::Load { memory: Memory::Source, .. })).max().unwrap();
        let first_store = of(|s| matches!(s, Stmt::Store { memory: Memory::Target, .. })).min().unwrap();
        let received = of(|s| *s == Stmt::Meet(Meeting::Received { exchange: 0 })).min().unwrap();
        assert!(last_load < received && received < first_store, "{shape:?}");
    }
}

#[test]
fn no_barrier_can_be_left_out() {
    let recipe = shape(&Transform::new(Algebra::Goldilocks, 1 << 8), (4, 4, &[4, 4], &[4, 4]));
    let barriers = meetings(&lower::kernel(&recipe, 0..2).body);
    // One within each pass, one between what was received and the second pass's exchange; the cluster's three, and one more
    // for what a work-group kept.
    assert_eq!(barriers.len(), 3 + 3 + 1);
    assert_eq!(changed(&recipe, |_| {}), Ok(()));
    for (missing, at) in barriers.into_iter().enumerate() {
        let found = changed(&recipe, |body| drop(body.remove(at)));
        assert!(found.is_err(), "barrier {missing} is not needed?");
    }
}

/// What the work-groups of a cluster do to each other's memory is watched, too.
#[test]
fn pushes_that_go_wrong_are_found() {
    let recipe = shape(&Transform::new(Algebra::Goldilocks, 1 << 8), (4, 4, &[4, 4], &[4, 4]));
    let whole = lower::kernel(&recipe, 0..2);
    let attempt = |change: &dyn Fn(&mut Vec<Stmt>)| {
        let mut kernel = whole.clone();
        change(&mut kernel.body);
        let mut target = vec![0; 1 << 8];
        let table = vec![1; 1 << 8];
        run(&kernel, &mut Global { source: vec![1; 1 << 8], target: &mut target, table: &table }, &[16], 4).unwrap_err()
    };
    let first_push = whole.body.iter().position(|s| matches!(s, Stmt::Push { .. })).unwrap();
    let received = whole.body.iter().position(|s| *s == Stmt::Meet(Meeting::Received { exchange: 0 })).unwrap();
    let too_few = attempt(&|body| drop(body.remove(first_push)));
    assert!(too_few.contains("are expected"), "{too_few}");
    let twice = attempt(&|body| body.insert(first_push, body[first_push].clone()));
    assert!(twice.contains("at the same time"), "{twice}");
    let too_early = attempt(&|body| {
        let statement = body.remove(received);
        let loads = |s: &Stmt| matches!(s, Stmt::Load { memory: Memory::Tile, .. });
        let load = body[received..].iter().position(loads).unwrap();
        body.insert(received + load + 1, statement);
    });
    assert!(too_early.contains("at the same time"), "{too_early}");
    let before_the_rest = attempt(&|body| {
        let begun = body.iter().position(|s| *s == Stmt::Meet(Meeting::ClusterBegun)).unwrap();
        let statement = body.remove(begun);
        body.insert(first_push, statement);
    });
    assert!(before_the_rest.contains("may not have begun"), "{before_the_rest}");
}

/// What a work-group has for itself goes by plain stores over f64, as in small clusters, which no count tells of.
#[test]
fn threads_meet_before_they_read_what_they_kept() {
    let recipe = shape(&Transform::new(Algebra::ComplexF64, 1 << 8), (4, 4, &[4, 4], &[4, 4]));
    let attempt = |without: bool| {
        let mut kernel = lower::kernel(&recipe, 0..2);
        let received = kernel.body.iter().position(|s| *s == Stmt::Meet(Meeting::Received { exchange: 0 })).unwrap();
        assert_eq!(kernel.body[received + 1], Stmt::Barrier);
        if without {
            kernel.body.remove(received + 1);
        }
        let mut target = vec![0; 2 << 8];
        let mut global = Global { source: vec![0; 2 << 8], target: &mut target, table: &[0; 4 << 8] };
        run(&kernel, &mut global, &[16], 4)
    };
    assert_eq!(attempt(false), Ok(()));
    let fault = attempt(true).unwrap_err();
    assert!(fault.contains("at the same time"), "{fault}");
}

/// Or NVIDIA's compiler would ask for most of the input behind the cluster's wait.
#[test]
fn the_input_is_not_said_to_be_constant() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 15).batch(1 << 12);
    let texts = texts(&plan(&transform, &hopper(Some(8))).unwrap(), Dialect::Cuda);
    let [text] = &texts[..] else { panic!("one launch") };
    assert!(!text.waits && text.source.contains("cluster_begun();"));
    assert!(text.source.contains("const float2* source_base"), "{}", text.source);
}

/// Where each element were a sector of its own, there would be four times as many.
#[test]
fn what_is_pushed_fills_sectors() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 17);
    let choices = [PassChoice::new(128, 32, [32, 2]), PassChoice::new(4, 32, [32, 32, 2])];
    let recipe = realise_in_clusters(&transform, &hopper(Some(16)), 16, &choices).unwrap();
    let [first, second] = recipe.passes() else { panic!("two passes") };
    let of = |padding: Option<Padding>| {
        let mut second = second.clone();
        second.hopper.cluster.as_mut().unwrap().padding = padding.unwrap_or(second.hopper.cluster.unwrap().padding);
        banks::cluster_conflicts(first, &second, 8)
    };
    let sectors = 32 * first.group() * 8 / 32;
    let alone = Padding { row: 4, column: 1, shift: 0, skip: 0 };
    assert!(of(Some(alone)) >= 2 * sectors && of(None) < sectors, "{} and {}", of(Some(alone)), of(None));
}

#[test]
fn work_groups_leave_each_other_room() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 10).batch(3);
    let realised = |text: &str| text.parse::<Choice>().unwrap().realise(&transform, &hopper(Some(16)));
    let text = |recipe: &Recipe| texts(recipe, Dialect::Cuda)[0].source.clone();
    for (choice, bounds) in [
        ("c4/8x8x8.4/8x8x8.4", "__launch_bounds__(32, 42)"),
        ("c4x32/8x8x8.4/8x8x8.4", "__launch_bounds__(32, 32)"),
        ("c4x8/8x8x8.4/8x8x8.4", "__launch_bounds__(32, 8)"),
    ] {
        let recipe = realised(choice).unwrap();
        assert!(text(&recipe).contains(bounds), "{choice}: {}", text(&recipe));
        check_recipe::<Complex<f32>>(&recipe);
    }
    for count in ["0", "1000", "18446744073709551615"] {
        let found = realised(&format!("c4x{count}/8x8x8.4/8x8x8.4"));
        assert!(matches!(&found, Err(Error::InvalidTransform(why)) if why.contains("side by side")), "{found:?}");
    }
}

#[test]
fn recipes_with_clusters_are_data() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 15).batch(14);
    let recipe = plan(&transform, &hopper(Some(16))).unwrap();
    assert_eq!(serde_json::from_str::<Recipe>(&serde_json::to_string(&recipe).unwrap()).unwrap(), recipe);
    let text = recipe.to_string();
    for words in
        ["input to cluster", "cluster to output", "clusters of 8 work-groups", "in all: 7 MiB read", "0 B of workspace"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
    // Others have no word of them.
    let plain = plan(&transform, &hopper(None)).unwrap();
    let without = serde_json::to_string(&plain).unwrap();
    assert!(!without.contains("cluster") && !without.contains("hopper"), "{without}");
    assert_eq!(serde_json::from_str::<Recipe>(&without).unwrap(), plain);
}

#[test]
fn recipes_that_do_not_fit_are_refused() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 15).batch(4);
    let recipe = plan(&transform, &hopper(Some(16))).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<crate::plan::Pass>)| {
        let mut changed = recipe.clone();
        if let Method::Passes(passes) = &mut changed.method {
            change(passes);
        }
        assert!(matches!(changed.check(&hopper(Some(16))), Err(Error::InvalidTransform(_))), "{changed:#?}");
    };
    recipe.check(&hopper(Some(16))).unwrap();
    assert!(matches!(recipe.check(&hopper(Some(4))), Err(Error::Unsupported { .. })));
    assert!(matches!(recipe.check(&hopper(None)), Err(Error::Unsupported { .. })));
    refused(&|passes| passes[0].target = Place::Workspace);
    refused(&|passes| passes[1].source = Place::Workspace);
    refused(&|passes| passes[1].hopper.cluster = None);
    refused(&|passes| drop(passes.remove(0)));
    refused(&|passes| drop(passes.remove(1)));
    refused(&|passes| passes.push(passes[1].clone()));
    refused(&|passes| passes[1].hopper.cluster.as_mut().unwrap().blocks = 4);
    refused(&|passes| passes[1].hopper.cluster.as_mut().unwrap().blocks = 0);
    refused(&|passes| passes[1].hopper.cluster.as_mut().unwrap().padding.column = 1 << 20);
    refused(&|passes| passes[1].hopper.cluster.as_mut().unwrap().start = 1 << 20);
    refused(&|passes| passes[0].tile.rounds.planes = Some(1));
    refused(&|passes| passes[0].hopper.share = None);
    refused(&|passes| passes[1].hopper.share.as_mut().unwrap().values = 0);
    refused(&|passes| passes[1].hopper.share.as_mut().unwrap().digit = 2);
    refused(&|passes| passes[0].columns.truncate(1));
    refused(&|passes| passes[1].columns.clear());
    refused(&|passes| passes[1].columns[0].n *= 2);
    refused(&|passes| passes[0].tile.stages.clear());
    refused(&|passes| (passes[0].tile.per_thread, passes[0].tile.stages) = (8, vec![8, 4]));
    let refused = |blocks, first: PassChoice, second: PassChoice| {
        let found = realise_in_clusters(&transform, &hopper(Some(16)), blocks, &[first, second]);
        assert!(matches!(found, Err(Error::InvalidTransform(_) | Error::Unsupported { .. })), "{found:?}");
    };
    let first = || PassChoice::new(16, 16, [16, 16]);
    let second = || PassChoice::new(32, 16, [16, 8]);
    refused(0, first(), second());
    refused(3, first(), second());
    refused(4, first(), second());
    refused(32, first(), second());
    refused(8, PassChoice::new(8, 16, [16, 16]), second());
    refused(8, first(), PassChoice::new(32, 8, [8, 8, 2]));
    refused(8, PassChoice { loading: Loading::Flat, ..first() }, second());
    refused(1, PassChoice::new(1 << 15, 1, []), PassChoice::new(1, 16, [16, 16, 16, 8]));
    // What was said for passes through memory stays so.
    let apart = realise(&transform, &hopper(Some(16)), &[first(), second()]).unwrap();
    assert!(apart.passes().iter().all(|pass| pass.hopper.is_none()), "{apart}");
}
