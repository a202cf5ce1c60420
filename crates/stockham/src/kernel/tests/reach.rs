//! Recipes in which something was changed, as in a file that was edited by hand: each is refused, or its kernels stay within
//! memory. Whether they still compute what they are for is their author's affair.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::arguments;
use super::cluster::hopper;
use crate::algebra::{Algebra, BigPrime, Layout};
use crate::device_info::{Backend, DeviceInfo};
use crate::kernel::interpret::{Computed, Global, run_for};
use crate::kernel::ir::Kernel;
use crate::kernel::{Dialect, Tables, lower, texts};
use crate::plan::{
    Arithmetic, Chain, Choice, FirstStore, Input, Method, Pass, PassChoice, Place, Recipe, TwiddleSource, chain, plan,
    realise,
};
use crate::transform::{Dim, Expr, Kind, Normalization, Side, Transform, TrigType};

#[path = "../../../tests/support/mutations.rs"]
mod mutations;
use mutations::{Random, change};

fn cuda() -> DeviceInfo {
    DeviceInfo { compute_capability: Some((9, 0)), ..hopper(Some(16)) }
}

fn opencl() -> DeviceInfo {
    super::device(48 << 10, 1024, 32)
}

/// Words of memory up to which recipes are run, and statements of threads.
const MOST_WORDS: usize = 1 << 16;
const MOST_STEPS: usize = 1 << 25;

/// The memory of a run, in words.
struct Memories {
    input: Vec<u64>,
    output: Vec<u64>,
    workspace: Vec<u64>,
    /// Launches are interpreted one after the other, so that a ring is as long as all there is.
    ring: Vec<u64>,
}

impl Memories {
    /// Nothing if they would be large.
    fn of(recipe: &Recipe) -> Option<Self> {
        let (transform, components) = (&recipe.transform, recipe.transform.algebra.layout().1);
        let between = if recipe.ring.is_some() { transform.points().checked_mul(transform.batch_count())? } else { 0 };
        let words = |numbers: usize, each: usize| {
            Some(vec![0; numbers.checked_mul(each).filter(|words| *words <= MOST_WORDS)?])
        };
        let of_side = |side| if transform.is_real(side) { 1 } else { components };
        Some(Self {
            input: words(transform.input_len(), of_side(Side::Input))?,
            output: words(transform.output_len(), of_side(Side::Output))?,
            workspace: words(recipe.workspace_len, components)?,
            ring: words(between, components)?,
        })
    }

    /// Runs a kernel between two places.
    fn run(
        &mut self,
        kernel: &Kernel,
        (source, target): (Place, Place),
        table: &[u64],
        arguments: &[u64],
        groups: usize,
    ) -> Result<(), String> {
        let memory = |place: Place| match place {
            Place::Input => Ok(self.input.clone()),
            Place::Output => Ok(self.output.clone()),
            Place::Workspace => Ok(self.workspace.clone()),
            Place::Ring => Ok(self.ring.clone()),
            Place::Cluster => Err("a launch begins and ends in device memory".to_owned()),
        };
        let (source, mut target) = (memory(source)?, memory(target)?);
        let mut global = Global { source, target: &mut target, table };
        run_for(Computed::Places, kernel, &mut global, arguments, groups)
    }
}

/// Runs the kernels of a recipe for the places that they read and write; nothing if that takes too long.
fn reached(recipe: &Recipe) -> Option<Result<(), String>> {
    for axis in recipe.axes() {
        match reached(&axis.recipe) {
            Some(Ok(())) => {}
            other => return other,
        }
    }
    let mut memories = Memories::of(recipe)?;
    let transform = &recipe.transform;
    let components = transform.algebra.layout().1;
    for launch in recipe.launches() {
        let kernel = lower::kernel(recipe, launch.clone());
        let passes = &recipe.passes()[launch.clone()];
        let (first, last) = (&passes[0], &passes[passes.len() - 1]);
        let steps = kernel.body.len().saturating_mul(first.groups()).saturating_mul(kernel.group);
        if steps > MOST_STEPS {
            return None;
        }
        let roots: usize = launch.map(|number| Tables::in_recipe(recipe, number, 0).end).sum();
        let scale = usize::from(!transform.algebra.scale_bytes(last.scale).is_empty());
        let table = vec![0; (roots + scale) * components];
        let (ends, arguments) = ((first.source, last.target), arguments(&kernel, recipe, first.column_count()));
        let run = memories.run(&kernel, ends, &table, &arguments, first.groups());
        if run.is_err() {
            return Some(run);
        }
    }
    Some(Ok(()))
}

/// What came of changes.
#[derive(Default)]
struct Outcome {
    refused: usize,
    passed: usize,
    run: usize,
}

/// Changes a recipe so many times.
fn try_changes(recipe: &Recipe, device: &DeviceInfo, changes: usize, random: &mut Random, outcome: &mut Outcome) {
    let document = serde_json::to_value(recipe).unwrap();
    let dialect = if device.backend == Backend::Cuda { Dialect::Cuda } else { Dialect::OpenCl };
    for _ in 0..changes {
        let changed = change(&document, random);
        let found = catch_unwind(AssertUnwindSafe(|| try_one(&changed, device, dialect, outcome)));
        let fault = match found {
            Ok(Ok(())) => continue,
            // What is not put together right may race, over memory of its own.
            Ok(Err(error)) if error.contains("at the same time") => continue,
            Ok(Err(error)) => error,
            Err(_) => "a panic".into(),
        };
        panic!("{fault}: {changed} of\n{recipe}");
    }
}

fn try_one(changed: &Value, device: &DeviceInfo, dialect: Dialect, outcome: &mut Outcome) -> Result<(), String> {
    let Ok(changed) = serde_json::from_value::<Recipe>(changed.clone()) else {
        outcome.refused += 1;
        return Ok(());
    };
    if changed.check(device).is_err() {
        outcome.refused += 1;
        return Ok(());
    }
    outcome.passed += 1;
    let run = reached(&changed);
    outcome.run += usize::from(run.is_some());
    if run.is_some() {
        assert!(!texts(&changed, dialect).is_empty());
    }
    run.unwrap_or(Ok(()))
}

fn realised(algebra: Algebra, choice: &str, log: u32, batch: usize) -> Recipe {
    let transform = Transform::new(algebra, 1 << log).batch(batch);
    choice.parse::<Choice>().unwrap().realise(&transform, &cuda()).unwrap()
}

fn prime(name: &str) -> Algebra {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every kind of recipe, over every algebra that has it, in several layouts.
fn recipes() -> Vec<(Recipe, DeviceInfo)> {
    let (f32, f64, goldilocks) = (Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks);
    let numbers = [f32, f64, goldilocks];
    let mut on_cuda = Vec::new();
    for algebra in numbers {
        for (choice, log, batch) in [
            ("2x4x4.4", 4, 3),
            ("3x8x4.2f", 3, 7),
            ("3x2x2.2", 2, 5),
            ("1x4x4.4a", 4, 3),
            ("2x4x4.2/2x4x4/4x2x2", 6, 3),
            ("3x4x4.2/5x4x4.2p", 6, 2),
            ("c2/4x4x4.2/4x4x4.2", 6, 2),
            ("c4/4x4x4/1x4x4.4", 6, 2),
            ("r/8x4x4.4a/8x4x4.4a", 8, 3),
            ("n/8x4x4.4a/8x4x4.4a", 8, 3),
        ] {
            on_cuda.push(realised(algebra, choice, log, batch));
        }
        if algebra != goldilocks {
            for (choice, n) in [("3x5x5b3", 3), ("2x9x5.9b23", 23), ("2x3x3.5b8/3x4x4.2", 64), ("1x5x2+5b3", 6)] {
                let lines = Transform::new(algebra, n).batch(3);
                on_cuda.push(choice.parse::<Choice>().unwrap().realise(&lines, &cuda()).unwrap());
            }
        }
        for n in [3, 12, 15, 30, 51, 96, 255] {
            on_cuda.push(plan(&Transform::new(algebra, n).batch(3), &cuda()).unwrap());
        }
        let uneven = Transform::new(algebra, 60).batch(4);
        on_cuda.push("3x7x5.4.3".parse::<Choice>().unwrap().realise(&uneven, &cuda()).unwrap());
        let several = Transform::new(algebra, 120).batch(2);
        on_cuda.push("4x4x4.3/6x5x5.2".parse::<Choice>().unwrap().realise(&several, &cuda()).unwrap());
        on_cuda.push(plan(&Transform::new(algebra, [4, 3, 8]).batch(2), &cuda()).unwrap());
        let lines = Transform::new(algebra, 16).with_dims([Dim::new(16, 6)]).with_batch([Dim::new(3, 1)]).inverse();
        on_cuda.push(plan(&lines, &cuda()).unwrap());
        on_cuda.push(plan(&Transform::new(algebra, 32).batch(3).in_place(), &cuda()).unwrap());
    }
    on_cuda.push(realised(f64, "c2/8x4x4.2/8x4x4.2/8x4x4.2/8x4x4.2", 12, 1));
    on_cuda.push(realised(f64, "n/8x4x4.4a/8x4x4.4e", 8, 3));
    for algebra in [f32, f64] {
        for (choice, n) in [("2x4x4.4", 16), ("3x7x5.7", 35), ("2x3x3.5b8", 8), ("3x4x4.2/2x5x5.2", 80)] {
            let real = Transform::real(algebra, n).batch(3);
            for real in [real.clone(), real.clone().inverse(), real.clone().in_place(), real.in_place().inverse()] {
                on_cuda.push(choice.parse::<Choice>().unwrap().realise(&real, &cuda()).unwrap());
            }
        }
        // Two numbers to a point; lines side by side, and planes.
        for (choice, n) in [
            ("2x4x4.4", 32),
            ("3x7x5.7", 70),
            ("4x4x4.2/2x5x5.2", 160),
            ("2x5x5/4x3x3", 30),
            ("c2/8x4x4.4/8x4x4.4", 512),
        ] {
            let real = Transform::real(algebra, n).batch(3);
            for real in [real.clone(), real.clone().inverse(), real.in_place().inverse()] {
                on_cuda.push(choice.parse::<Choice>().unwrap().realise(&real, &cuda()).unwrap());
            }
        }
        // There and back, of points and of pairs of real numbers.
        let halved = || Expr::value() * 0.5;
        for (choice, n) in [("2x4x4.4", 16), ("3x5x5.3", 15), ("1x4x4.2.2", 16)] {
            let lines = [Transform::new(algebra, n).batch(3), Transform::real(algebra, 2 * n).batch(3)];
            for lines in lines.map(|lines| lines.filtered(halved())) {
                on_cuda.push(choice.parse::<Choice>().unwrap().realise(&lines, &cuda()).unwrap());
            }
        }
        let columns = Transform::along(algebra, Kind::Dft, &[2, 64, 4], &[1]).unwrap();
        for choice in ["4x4x4.2/4x4x4.2", "c2/16x4x4.2/16x4x4.2"] {
            on_cuda.push(choice.parse::<Choice>().unwrap().realise(&columns, &cuda()).unwrap());
        }
        let plane = Transform::new(algebra, [16, 16]).batch(2);
        for choice in ["4x4x4.4/2x4x4.4", "c2/8x4x4.4/8x4x4.4", "r/8x4x4.4a/8x4x4.4a"] {
            on_cuda.push(choice.parse::<Choice>().unwrap().realise(&plane, &cuda()).unwrap());
        }
        for of in [TrigType::I, TrigType::II, TrigType::III, TrigType::IV] {
            for (n, kind) in [(9, Kind::Cosine(of)), (16, Kind::Sine(of)), (12, Kind::Cosine(of))] {
                let lines = Transform::along(algebra, kind, &[3, n], &[1]).unwrap().orthogonalize();
                on_cuda.push(plan(&lines, &cuda()).unwrap());
                on_cuda.push(plan(&lines.in_place(), &cuda()).unwrap());
            }
        }
        let long = "4x4x4.2/3x5x5.2".parse::<Choice>().unwrap();
        for kind in [Kind::Cosine(TrigType::II), Kind::Sine(TrigType::III)] {
            let lines = Transform::along(algebra, kind, &[80, 2], &[0]).unwrap();
            on_cuda.push(long.realise(&lines, &cuda()).unwrap());
        }
        let columns = Transform::along(algebra, Kind::Real, &[9, 5], &[0]).unwrap();
        for real in [columns.clone(), columns.inverse(), Transform::real(algebra, [6, 5, 4]).inverse()] {
            on_cuda.push(plan(&real, &cuda()).unwrap());
        }
    }
    let input = Input::PlanarFused;
    for (arithmetic, first_store) in
        [(Arithmetic::Vectors, FirstStore::Exchanged), (Arithmetic::Scalar, FirstStore::Direct)]
    {
        let twiddles = TwiddleSource::Tables;
        let of = Chain { radices: vec![4, 4, 4], twiddles, group: 8, first_store, input, arithmetic };
        on_cuda.push(chain(&Transform::new(f32, 64).batch(2), &cuda(), &of).unwrap());
    }
    let mut all: Vec<_> = on_cuda.into_iter().map(|recipe| (recipe, cuda())).collect();
    for (name, n) in [("P1", 16), ("P3", 64), ("G8", 32), ("P5", 16), ("bls12-381", 16), ("0xfffffffc00000001", 32)] {
        let packed = Transform::new(prime(name), n).batch(2);
        let planar = packed.clone().layouts(Layout::Sliced, Layout::Sliced);
        let scaled = packed.clone().in_place().inverse().normalization(Normalization::Backward);
        for transform in [packed, planar, scaled] {
            for device in [cuda(), opencl()] {
                all.push((plan(&transform, &device).unwrap(), device));
            }
        }
    }
    all
}

/// As many as the environment variable says: tens of thousands here, and millions in a night.
#[test]
fn changed_recipes_are_refused_or_stay_within_memory() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let changes = setting("STOCKHAM_MUTATIONS").unwrap_or(30_000);
    let mut random = Random(setting("STOCKHAM_MUTATIONS_SEED").unwrap_or(0) as u64);
    let (recipes, mut outcome) = (recipes(), Outcome::default());
    for (recipe, device) in &recipes {
        assert_eq!((recipe.check(device), reached(recipe)), (Ok(()), Some(Ok(()))), "{recipe}");
        try_changes(recipe, device, changes.div_ceil(recipes.len()), &mut random, &mut outcome);
    }
    let Outcome { refused, passed, run } = outcome;
    println!("{changes} changes of {} recipes: {refused} refused, {passed} not, of which {run} ran", recipes.len());
    // Most changes matter, and are seen; but not everything is refused.
    assert!(refused > passed && run > passed / 2 && run > changes / 100);
}

fn passes(recipe: &mut Recipe) -> &mut Vec<Pass> {
    let Method::Passes(passes) = &mut recipe.method else { panic!("a recipe of passes") };
    passes
}

/// What nobody may run: the interpreter must see what it would do, and the check must refuse it.
#[test]
fn what_leaves_memory_is_seen_and_refused() {
    let p3 = Transform::new(Algebra::BigPrime(BigPrime::P3), 8).batch(2);
    let mut staged = realise(&p3, &cuda(), &[PassChoice::new(3, 2, [2, 2, 2])]).unwrap();
    assert_eq!(reached(&staged), Some(Ok(())));
    passes(&mut staged)[0].tile.staged = [true; 2];
    let mut planar = realised(Algebra::ComplexF32, "4x4x4.2/4x4x4.2", 6, 5);
    passes(&mut planar)[0].planes = Some(planar.transform.input_len() + 1);
    let mut far = realised(Algebra::Goldilocks, "2x4x4.4", 4, 3);
    passes(&mut far)[0].row_strides.1 = 2;
    let mut narrow = realised(Algebra::Goldilocks, "4x4x4.4", 4, 3);
    passes(&mut narrow)[0].columns[0].n = 4;
    for recipe in [far, narrow, planar, staged] {
        let device = cuda();
        assert!(recipe.check(&device).is_err(), "{recipe}");
        let seen = catch_unwind(AssertUnwindSafe(|| reached(&recipe)));
        assert!(!matches!(seen, Ok(Some(Ok(())))), "{recipe}");
    }
}
