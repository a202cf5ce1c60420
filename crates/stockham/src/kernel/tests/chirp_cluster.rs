//! Convolutions with a chirp in one launch, cluster by cluster on the host.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use super::{Bits, Tables, arguments, interpreted_words, meetings, words_of};
use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::Error;
use crate::kernel::hopper::Meeting;
use crate::kernel::interpret::{Global, run};
use crate::kernel::ir::{Kernel, Memory, Stmt};
use crate::kernel::lower;
use crate::plan::{Choice, Method, Recipe, plan};
use crate::transform::{Access, Dim, Expr, Normalization, Placement, Side, Transform, TrigType};

/// Lengths and shapes: small ones, with one stage and several, threads of a column that the columns of a work-group are a multiple
/// of, or not, clusters of all sizes, and different stages there and back.
const SHAPES: [(usize, &str); 10] = [
    (211, "bc3/16x12x12.2/8x12x12.2.2/16x12x12.2"),
    (199, "bc3/8x12x12.2/8x12x12.2/8x12x6.4"),
    (7, "bc2/2x4x4/2x4x4/2x4x4"),
    (19, "bc2/6x6x6/3x6x6.2/6x6x6"),
    (101, "bc2/8x4x4.4/8x4x4.4/8x4x4.4"),
    (61, "bc4/2x4x4.4/4x4x4.2/2x4x4.4p"),
    (257, "bc4/6x12x12.2/6x12x6.4/6x12x12.2"),
    (277, "bc8/3x6x6.2.2/3x6x6.2.2/3x6x6.2.2"),
    (1009, "bc16/3x12x12.4/3x12x12.4/3x12x12.2.2"),
    (500, "bc4/16x16x16/4x16x16.4/16x16x16"),
];

fn shape(transform: &Transform, choice: &str) -> Recipe {
    choice.parse::<Choice>().unwrap().realise(transform, &hopper(Some(16))).unwrap()
}

fn check_all<T: Bits>() {
    for (n, choice) in SHAPES {
        let base = Transform::new(T::ALGEBRA, n);
        let layouts = [
            base.clone(),
            base.clone().batch(3).normalization(Normalization::Forward),
            base.clone().in_place().batch(2).inverse(),
            base.clone().with_dims([Dim::new(n, 5)]).with_batch([Dim::new(5, 1)]),
            base.clone().with_dims([Dim { n, input_stride: 6, output_stride: 1 }]).with_batch([
                Dim { n: 2, input_stride: 3, output_stride: 3 * (n + 1) },
                Dim { n: 3, input_stride: 1, output_stride: n + 1 },
            ]),
        ];
        for layout in layouts.into_iter().take(if n > 300 { 2 } else { 5 }) {
            check_recipe::<T>(&shape(&layout, choice));
        }
    }
}

#[test]
fn complex_f32() {
    check_all::<Complex<f32>>();
}

#[test]
fn complex_f64() {
    check_all::<Complex<f64>>();
}

/// The numbers of a recipe's output, interpreted.
fn run_recipe(recipe: &Recipe, input: &[u64], output: Vec<u64>) -> Vec<f64> {
    let bits = interpreted_words(recipe, input.to_vec(), output).unwrap_or_else(|fault| panic!("{fault}\n{recipe}"));
    bits.into_iter().map(f64::from_bits).collect()
}

/// Asserts that two ways of the same transform round differently at most.
fn assert_alike([found, expected]: &[Vec<f64>; 2], transform: &Transform) {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    let error = norm(&mut found.iter().zip(expected).map(|(x, y)| x - y));
    let all = norm(&mut expected.iter().copied());
    assert!(all > 0.1 && error <= 16.0 * f64::EPSILON * all, "{error} of {all}, {transform:?}");
}

/// Real numbers, half spectra, cosines and sines: the same as in three passes through memory.
#[test]
fn all_kinds_go_through_clusters() {
    let (algebra, n) = (Algebra::ComplexF64, 101);
    let types = [TrigType::I, TrigType::II, TrigType::III, TrigType::IV];
    let trig = types.into_iter().flat_map(|of| {
        let of_kind = [Transform::cosine(algebra, of, n), Transform::sine(algebra, of, n)];
        of_kind.into_iter().flat_map(|transform| [transform.clone(), transform.inverse()])
    });
    let real = Transform::real(algebra, n);
    for transform in [real.clone(), real.inverse()].into_iter().chain(trig).map(|transform| transform.batch(3)) {
        let words = |side, len: usize| len * if transform.is_real(side) { 1 } else { 2 };
        let sample = |at: usize| Complex::<f64>::sample(at).re.to_bits();
        let input: Vec<u64> = (0..words(Side::Input, transform.array_len(Side::Input))).map(sample).collect();
        let ways = ["bc4/6x12x12.2/6x12x12.2/6x12x12.2", "b/24x12x12.2/24x12x12.2/24x12x12.2"].map(|choice| {
            let output = vec![0; words(Side::Output, transform.array_len(Side::Output))];
            run_recipe(&shape(&transform, choice), &input, output)
        });
        assert_alike(&ways, &transform);
    }
}

/// Products with a spectrum: the same as in one tile, whatever the lines, and for each of a batch its own.
#[test]
fn filters_go_through_clusters() {
    let algebra = Algebra::ComplexF64;
    for (n, tile, choice) in [
        (16, "1x4x4.4", "bc2/2x4x4/2x4x4/2x4x4"),
        (144, "1x12x12.12", "bc2/6x12x12/6x12x12/6x12x12"),
        (256, "1x16x16.16", "bc4/2x8x8.4/8x8x8/2x8x8.4"),
        (256, "1x16x16.16", "bc4x2/8x8x8/2x8x8.4/8x8x8"),
        (288, "1x12x12.6.4", "bc3/8x6x6.2/4x6x6.2.2/8x6x6.2"),
    ] {
        let spectrum: Vec<Complex<f64>> = (0..n).map(Complex::<f64>::sample).collect();
        let product = || Expr::value() * Expr::complex_along(0, &spectrum);
        let each = || product() * (Expr::batch(0) * 3.0 + Expr::batch(1) + 1.0);
        let window: Vec<f64> = (0..n).map(|j| 1.0 + (j % 5) as f64).collect();
        let line = Transform::new(algebra, n);
        let apart = [
            Dim { n: 2, input_stride: 3, output_stride: 3 * (n + 1) },
            Dim { n: 3, input_stride: 1, output_stride: n + 1 },
        ];
        let transforms = [
            line.clone().filtered(product()),
            line.clone().normalization(Normalization::None).batch(3).filtered(product()),
            line.clone().in_place().batch(2).filtered(product()),
            line.clone().with_batch([Dim::new(2, 3 * n), Dim::new(3, n)]).filtered(each()),
            line.clone().with_dims([Dim { n, input_stride: 6, output_stride: 1 }]).with_batch(apart).filtered(each()),
            line.batch(3)
                .filtered(product())
                .with_load(Access::of(Expr::value() * Expr::along(0, &window)).extent([n / 2]))
                .with_store(Access::of(Expr::value() * (Expr::batch(0) + 2.0)).extent([n - 3])),
        ];
        for transform in transforms {
            let input: Vec<u64> =
                (0..2 * transform.array_len(Side::Input)).map(|at| Complex::<f64>::sample(at).re.to_bits()).collect();
            let ways = [choice, tile].map(|choice| {
                let output = match transform.placement {
                    Placement::InPlace => input.clone(),
                    Placement::OutOfPlace => vec![0; 2 * transform.array_len(Side::Output)],
                };
                run_recipe(&shape(&transform, choice), &input, output)
            });
            assert_alike(&ways, &transform);
        }
    }
    // Neither other lengths, nor real numbers one a point, nor passes through memory.
    let refused = |choice: &str, transform: &Transform| {
        choice.parse::<Choice>().unwrap().realise(transform, &hopper(Some(16))).unwrap_err()
    };
    refused("bc2/6x12x12/6x12x12/6x12x12", &Transform::real(algebra, 144).filtered(Expr::value()));
    refused("bc2/6x12x12/6x12x12/6x12x12", &Transform::new(algebra, 72).filtered(Expr::value()));
    let through_memory = refused("b/6x12x12/6x12x12/6x12x12", &Transform::new(algebra, 144).filtered(Expr::value()));
    assert!(matches!(through_memory, Error::Unsupported { .. }), "{through_memory}");
}

/// Pairs of real numbers: the same as in one tile. Clusters of all sizes, work-groups with one column and its image and with several,
/// threads with one pair of butterflies and with two, and radices odd and even.
#[test]
fn filters_of_pairs_go_through_clusters() {
    let algebra = Algebra::ComplexF64;
    for (pairs, choice) in [
        (64, "bc2/4x4x4.2/4x4x4.2/4x4x4.2"),
        (64, "bc4/2x4x4.2/2x4x4.2/2x4x4.2"),
        (256, "bc2/8x8x8.2/8x8x8.2/8x8x8.2"),
        (256, "bc4x2/4x8x8.2/4x8x4.4/4x8x8.2"),
        (128, "bc2/8x4x4.2/4x4x4.2.2/8x4x4.2"),
        (128, "bc2/4x4x4.4/8x4x4.2/4x4x4.4"),
        (144, "bc3/4x12x12/4x12x4.3/4x12x12"),
        (400, "bc2/10x20x20/10x20x10.2/10x20x20"),
    ] {
        let n = 2 * pairs;
        let spectrum: Vec<Complex<f64>> = (0..=pairs).map(Complex::<f64>::sample).collect();
        let product = || Expr::value() * Expr::complex_along(0, &spectrum);
        let each = || product() * (Expr::batch(0) * 3.0 + Expr::batch(1) + 1.0);
        let window: Vec<f64> = (0..n).map(|j| 1.0 + (j % 5) as f64).collect();
        let line = Transform::real(algebra, n).with_dims([Dim { n, input_stride: 1, output_stride: 1 }]);
        let apart = [
            Dim { n: 2, input_stride: 3, output_stride: 3 * (n + 1) },
            Dim { n: 3, input_stride: 1, output_stride: n + 1 },
        ];
        let follow = |count| [Dim::new(count, n)];
        let transforms = [
            line.clone().filtered(product()),
            line.clone().normalization(Normalization::None).with_batch(follow(3)).filtered(product()),
            line.clone().in_place().with_batch(follow(2)).filtered(product()),
            line.clone().with_batch([Dim::new(2, 3 * n), Dim::new(3, n)]).filtered(each()),
            line.clone().with_dims([Dim { n, input_stride: 6, output_stride: 1 }]).with_batch(apart).filtered(each()),
            line.with_batch(follow(3))
                .filtered(product())
                .with_load(Access::of(Expr::value() * Expr::along(0, &window)).extent([pairs]))
                .with_store(Access::of(Expr::value() * (Expr::batch(0) + 2.0)).extent([n - 3])),
        ];
        for transform in transforms {
            let input: Vec<u64> =
                (0..transform.array_len(Side::Input)).map(|at| Complex::<f64>::sample(at).re.to_bits()).collect();
            let in_tile = plan(&transform, &hopper(Some(16))).unwrap();
            assert_eq!(in_tile.passes().len(), 1, "{in_tile}");
            let ways = [shape(&transform, choice), in_tile].map(|recipe| {
                let output = match transform.placement {
                    Placement::InPlace => input.clone(),
                    Placement::OutOfPlace => vec![0; transform.array_len(Side::Output)],
                };
                run_recipe(&recipe, &input, output)
            });
            assert_alike(&ways, &transform);
        }
    }
    // Columns whose images are in other work-groups, one stage, and butterflies that leave threads without a pair.
    for choice in ["bc4/3x12x12/3x12x4.3/3x12x12", "bc2/6x12x12/6x12x12/6x12x12", "bc2/6x6x6.2/6x6x6.2/6x6x6.2"] {
        let transform = Transform::real(algebra, 288).filtered(Expr::value());
        let refused = choice.parse::<Choice>().unwrap().realise(&transform, &hopper(Some(16)));
        assert!(matches!(refused, Err(Error::InvalidTransform(_))), "{refused:?}");
    }
}

/// What the interpreter says of a recipe's launch after a change of its kernel.
fn changed(recipe: &Recipe, change: impl FnOnce(&mut Kernel)) -> Result<(), String> {
    let mut kernel = lower::kernel(recipe, 0..3);
    change(&mut kernel);
    let bytes: Vec<u8> = (0..3).flat_map(|number| Tables::of_recipe(recipe, number)).collect();
    let (transform, first) = (&recipe.transform, &recipe.passes()[0]);
    let mut target = vec![0; 2 * transform.output_len()];
    let source = vec![0; 2 * transform.input_len()];
    let table = &words_of(transform.algebra, &bytes);
    let arguments = arguments(&kernel, recipe, first.column_count());
    run(&kernel, &mut Global { source, target: &mut target, table }, &arguments, first.groups())
}

/// Work-groups receive twice in the same places, or each time in others, as local memory has room for.
fn with_room(apart: bool) -> Recipe {
    let mut device = hopper(Some(16));
    device.local_bytes = if apart { 227 << 10 } else { 3 << 10 };
    let transform = Transform::new(Algebra::ComplexF32, 257).batch(2);
    let choice: Choice = "bc8x8/3x12x12.2/3x12x6.4/3x12x12.2".parse().unwrap();
    choice.realise(&transform, &device).unwrap()
}

#[test]
fn no_barrier_can_be_left_out() {
    // Exchanges: one in each of the outer passes and two in the middle one, a barrier within each and one before those that go where
    // others have received something, which is not so where the middle one turns; and the cluster's.
    for (apart, expected) in [(true, 4 + 2 + 4), (false, 4 + 2 + 4 + 3)] {
        let recipe = with_room(apart);
        let starts: Vec<usize> = recipe.passes()[1..].iter().map(|pass| pass.hopper.cluster.unwrap().start).collect();
        assert_eq!(starts[0] > 0, apart, "{starts:?}");
        assert_eq!(changed(&recipe, |_| {}), Ok(()));
        let all = meetings(&lower::kernel(&recipe, 0..3).body);
        assert_eq!(all.len(), expected);
        for (missing, at) in all.into_iter().enumerate() {
            let found = changed(&recipe, |kernel| drop(kernel.body.remove(at)));
            assert!(found.is_err(), "meeting {missing} is not needed?");
        }
    }
}

#[test]
fn what_is_received_too_early_or_too_late_is_found() {
    for apart in [true, false] {
        let recipe = with_room(apart);
        let whole = lower::kernel(&recipe, 0..3);
        let received =
            |exchange| whole.body.iter().position(|s| *s == Stmt::Meet(Meeting::Received { exchange })).unwrap();
        for exchange in [0, 1] {
            let early = changed(&recipe, |kernel| {
                let statement = kernel.body.remove(received(exchange));
                let loads = |s: &Stmt| matches!(s, Stmt::Load { memory: Memory::Tile, .. });
                let load = kernel.body[received(exchange)..].iter().position(loads).unwrap();
                kernel.body.insert(received(exchange) + load + 1, statement);
            });
            assert!(early.is_err(), "exchange {exchange}");
            let pushes = |s: &Stmt| matches!(s, Stmt::Push { exchange: of, .. } if *of == exchange);
            let push = whole.body.iter().position(pushes).unwrap();
            assert!(changed(&recipe, |kernel| drop(kernel.body.remove(push))).unwrap_err().contains("are expected"));
            let twice = changed(&recipe, |kernel| kernel.body.insert(push, kernel.body[push].clone()));
            assert!(twice.unwrap_err().contains("at the same time"));
        }
        // What goes where the middle pass works, and nobody is done.
        let swapped = changed(&recipe, |kernel| {
            for stmt in &mut kernel.body {
                if let Stmt::Push { exchange, .. } = stmt {
                    *exchange = 1 - *exchange;
                }
            }
        });
        assert!(swapped.is_err());
    }
    // Without a word that they are done, the places have to be others.
    let together = with_room(false);
    let done = changed(&together, |kernel| kernel.body.retain(|s| *s != Stmt::Meet(Meeting::Done)));
    assert!(done.is_err());
}

#[test]
fn choices_that_do_not_fit_are_refused() {
    let transform = Transform::new(Algebra::ComplexF32, 257).batch(2);
    let good = "bc4/6x12x12.2/6x12x6.4/6x12x12.2";
    let realised = |choice: &str, most| choice.parse::<Choice>().unwrap().realise(&transform, &hopper(most));
    assert!(realised(good, Some(4)).is_ok());
    for (choice, most) in [(good, Some(2)), (good, None), ("bc32/1x12x12.2/1x12x6.4/1x12x12.2", Some(16))] {
        let found = realised(choice, most);
        assert!(matches!(found, Err(Error::Unsupported { .. } | Error::InvalidTransform(_))), "{choice}: {found:?}");
    }
    for choice in [
        // Other columns, other radices, shares that are not whole, too short, uneven, not as many threads, too few passes, and too many.
        "bc4/12x12x12.2/6x12x6.4/6x12x12.2",
        "bc4/6x12x12.2/6x12x6.4/6x12x12.4",
        "bc5/4x12x12.2/4x12x6.4/4x12x12.2",
        "bc1/24x12x12.2/24x12x6.4/24x12x12.2",
        "bc0/6x12x12.2/6x12x6.4/6x12x12.2",
        "bc4/4x8x8.2/4x8x8.2/4x8x8.2",
        "bc4/6x10x12.2/6x10x6.4/6x10x12.2",
        "bc4/6x12x12.2/6x6x6.4/6x12x12.2",
        "bc4/6x12x12.2/6x12x6.4",
        "bc4/2x4x4.2/2x4x4.2/2x4x4.2/2x4x4.2/2x4x4.2",
        "bc4x1000/6x12x12.2/6x12x6.4/6x12x12.2",
    ] {
        let found = realised(choice, Some(16));
        assert!(matches!(found, Err(Error::InvalidTransform(_))), "{choice}: {found:?}");
    }
    let field = Transform::new(Algebra::Goldilocks, 257);
    assert!(matches!(
        good.parse::<Choice>().unwrap().realise(&field, &hopper(Some(16))),
        Err(Error::Unsupported { .. })
    ));
    let narrow = DeviceInfo { local_bytes: 1 << 10, ..hopper(Some(16)) };
    assert!(matches!(good.parse::<Choice>().unwrap().realise(&transform, &narrow), Err(Error::InvalidTransform(_))));
}

#[test]
fn recipes_are_data_and_what_is_changed_is_refused() {
    let device = hopper(Some(16));
    for choice in ["bc4/6x12x12.2/6x12x6.4/6x12x12.2p", "bc8x8/3x12x12.2/3x12x6.4/3x12x12.2"] {
        let recipe = shape(&Transform::new(Algebra::ComplexF64, 257).batch(2), choice);
        assert_eq!(serde_json::from_str::<Recipe>(&serde_json::to_string(&recipe).unwrap()).unwrap(), recipe);
        assert_eq!((recipe.check(&device), recipe.launches().len(), recipe.workspace_len), (Ok(()), 1, 0));
        assert!(recipe.to_string().contains("in the same launch"), "{recipe}");
        let changes: [fn(&mut Vec<crate::plan::Pass>); 6] = [
            |passes| passes[1].hopper.cluster.as_mut().unwrap().start = 0,
            |passes| passes[2].hopper.cluster.as_mut().unwrap().exchange = 0,
            |passes| passes[1].hopper.cluster = None,
            |passes| passes[0].hopper.share = None,
            |passes| passes[2].hopper.cluster.as_mut().unwrap().blocks = 2,
            |passes| passes[1].tile.registers = 1 << 20,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = recipe.clone();
            let Method::Convolution(passes) = &mut changed.method else { panic!("a convolution") };
            change(passes);
            assert!(changed.check(&device).is_err(), "change {number}");
        }
    }
}

/// Batches that fill the device; single transforms, and those that codelets or a tile make, do without clusters.
#[test]
fn what_the_planner_takes_is_right() {
    let few_units = hopper(Some(16));
    let device = DeviceInfo { compute_units: 132, ..few_units.clone() };
    let planned =
        |algebra, n, batch, device: &DeviceInfo| plan(&Transform::new(algebra, n).batch(batch), device).unwrap();
    let in_clusters =
        |recipe: &Recipe| (recipe.passes().len(), recipe.launches().len(), recipe.workspace_len) == (3, 1, 0);
    for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
        for n in [10_007, 16_411] {
            let [batch, single] = [64, 1].map(|batch| planned(algebra, n, batch, &device));
            assert!(in_clusters(&batch) && !in_clusters(&single), "{batch}{single}");
        }
        for n in [1_000_003, 4096, 1009] {
            assert!(!in_clusters(&planned(algebra, n, 1000, &device)), "{n}");
        }
    }
    for recipe in
        [planned(Algebra::ComplexF32, 10_007, 1, &few_units), planned(Algebra::ComplexF64, 4099, 2, &few_units)]
    {
        assert!(in_clusters(&recipe), "{recipe}");
        match recipe.transform.algebra {
            Algebra::ComplexF32 => check_recipe::<Complex<f32>>(&recipe),
            _ => check_recipe::<Complex<f64>>(&recipe),
        }
    }
}
