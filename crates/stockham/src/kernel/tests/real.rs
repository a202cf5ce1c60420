//! Real numbers and half spectra: every class of lengths, of one pass and of several, on every kind of device.

use num_complex::Complex;

use super::faults::Trial;
use super::lengths::{LONG_SMOOTH, ROUGH, SMOOTH};
use super::{Bits, devices, interpreted_words};
use crate::algebra::{Algebra, Direction, Numbers};
use crate::autosort::Autosort;
use crate::device_info::DeviceInfo;
use crate::error::Error;
use crate::kernel::{Dialect, texts};
use crate::naive;
use crate::plan::{Choice, Launches, Method, PassChoice, Recipe, Ring, choose, plan, realise};
use crate::transform::{Dim, Kind, Normalization, Side, Transform};

trait OverReals: Bits {
    fn from_words(words: &[u64]) -> Self;
    /// The same with an imaginary part of 0, and the conjugate.
    fn re(self) -> Self;
    fn conjugate(self) -> Self;
}

macro_rules! over_reals {
    ($t:ty, $bits:ty) => {
        impl OverReals for Complex<$t> {
            fn from_words(words: &[u64]) -> Self {
                let part = |at: usize| words.get(at).map_or(0.0, |bits| <$t>::from_bits(*bits as $bits));
                Complex::new(part(0), part(1))
            }
            fn re(self) -> Self {
                self.re.into()
            }
            fn conjugate(self) -> Self {
                self.conj()
            }
        }
    };
}
over_reals!(f32, u32);
over_reals!(f64, u64);

/// The transform of a line of so many numbers, and of its mirror image on the way back.
fn line<T: OverReals>(x: &[T], transform: &Transform) -> Vec<T> {
    let n = transform.points();
    let of = |k: usize| match (transform.direction, k) {
        (Direction::Forward, k) => x[k].re(),
        (Direction::Inverse, k) if k == 0 || 2 * k == n => x[k].re(),
        (Direction::Inverse, k) if k < x.len() => x[k],
        (Direction::Inverse, k) => x[n - k].conjugate(),
    };
    let mut wide: Vec<T::Wide> = (0..n).map(|k| of(k).widen()).collect();
    match Autosort::new(n, transform.direction) {
        Some(autosort) => {
            let mut scratch = wide.clone();
            autosort.process(&mut wide, &mut scratch);
        }
        None => wide = naive::dft(&wide, transform.direction),
    }
    let narrow = |x: &T::Wide| T::narrow(&x.scaled(transform.scale()));
    match transform.direction {
        Direction::Forward => wide[..n / 2 + 1].iter().map(narrow).collect(),
        Direction::Inverse => wide.iter().map(|x| narrow(x).re()).collect(),
    }
}

fn check<T: OverReals>(transform: &Transform, device: &DeviceInfo) {
    check_recipe::<T>(&plan(transform, device).unwrap_or_else(|error| panic!("{transform:?}: {error}")));
}

fn check_recipe<T: OverReals>(recipe: &Recipe) {
    check_lines(recipe, &expected_lines::<T>(&recipe.transform));
}

/// The numbers that are transformed.
fn input<T: OverReals>(transform: &Transform) -> Vec<T> {
    (0..transform.input_len()).map(T::sample).collect()
}

/// What becomes of each line of them.
fn expected_lines<T: OverReals>(transform: &Transform) -> Vec<Vec<T>> {
    let (dim, batch, input) = (transform.dims[0], transform.batch[0], input::<T>(transform));
    let given = if transform.direction == Direction::Forward { dim.n } else { dim.n / 2 + 1 };
    let of = |i: usize| (0..given).map(|j| input[i * batch.input_stride + j * dim.input_stride]).collect::<Vec<_>>();
    (0..batch.n).map(|i| line(&of(i), transform)).collect()
}

fn check_lines<T: OverReals>(recipe: &Recipe, expected: &[Vec<T>]) {
    let transform = &recipe.transform;
    let is_forward = transform.direction == Direction::Forward;
    let words_of = |x: T, is_real: bool| x.to_bits()[..if is_real { 1 } else { 2 }].to_vec();
    let input: Vec<T> = input(transform);
    let input_words = input.iter().flat_map(|x| words_of(*x, is_forward)).collect();
    let filler: Vec<u64> = (0..transform.output_len()).flat_map(|_| words_of(T::sample(77), !is_forward)).collect();
    let found = interpreted_words(recipe, input_words, filler.clone());
    let found = found.unwrap_or_else(|fault| panic!("{fault}\n{recipe}"));
    let (dim, batch) = (transform.dims[0], transform.batch[0]);
    let taken = if is_forward { dim.n / 2 + 1 } else { dim.n };
    let each = if is_forward { 2 } else { 1 };
    let mut is_result = vec![false; transform.output_len()];
    for (i, expected) in expected.iter().enumerate() {
        let places = (0..taken).map(|j| i * batch.output_stride + j * dim.output_stride);
        let of: Vec<T> = places.clone().map(|at| T::from_words(&found[at * each..][..each])).collect();
        assert!(T::close(&of, expected), "line {i} is wrong\n{recipe}");
        places.for_each(|at| is_result[at] = true);
    }
    for (at, _) in is_result.iter().enumerate().filter(|(_, is_result)| !**is_result) {
        assert_eq!(found[at * each..][..each], filler[at * each..][..each], "{at} was overwritten\n{recipe}");
    }
}

#[test]
fn every_class_of_lengths_there_and_back() {
    let devices = devices();
    let powers = (0..=12).map(|log| 1usize << log);
    for (case, n) in powers.chain(SMOOTH).chain(ROUGH.into_iter().filter(|n| *n < 1000)).enumerate() {
        let device = &devices[case % devices.len()];
        let packed = Transform::real(Algebra::ComplexF32, n).batch(1 + 300 / n);
        check::<Complex<f32>>(&packed, device);
        check::<Complex<f32>>(&packed.inverse(), device);
        // Neighbours side by side, on either side; lines with gaps.
        let algebra = Algebra::ComplexF64;
        let columns = Transform::along(algebra, Kind::Real, &[n, 3], &[0]).unwrap();
        check::<Complex<f64>>(&columns, device);
        check::<Complex<f64>>(&columns.normalization(Normalization::Ortho).inverse(), device);
        let gaps = Dim { n: 2, input_stride: 2 * n + 3, output_stride: 3 * n + 1 };
        let spread = Transform::real(algebra, n).with_dims([Dim { n, input_stride: 2, output_stride: 3 }]);
        check::<Complex<f64>>(&spread.with_batch([gaps]), device);
    }
}

#[test]
fn several_passes() {
    for n in LONG_SMOOTH.into_iter().chain([1 << 14, 2 * 4099]) {
        let lines = Transform::real(Algebra::ComplexF64, n).batch(2);
        for transform in [lines.clone(), lines.inverse()] {
            let expected = expected_lines::<Complex<f64>>(&transform);
            for device in devices() {
                check_lines(&plan(&transform, &device).unwrap(), &expected);
            }
        }
    }
}

/// Two numbers to a point, in one pass and in two, with even and odd numbers of rows and of columns, whose images are in their
/// tile.
#[test]
fn points_of_two_numbers() {
    let device = &devices()[0];
    let stages: [&[usize]; 8] = [&[2], &[3], &[4], &[5], &[6], &[3, 2], &[4, 4], &[5, 3]];
    let radix = |stages: &[usize]| stages.iter().product::<usize>();
    let choice = |columns, stages: &[usize]| PassChoice::new(columns, stages[0], stages);
    for (case, first) in stages.into_iter().enumerate() {
        let short = Transform::real(Algebra::ComplexF64, 2 * radix(first)).batch(3);
        for transform in [short.clone(), short.inverse()] {
            check_recipe::<Complex<f64>>(&realise(&transform, device, &[choice(1 + case % 2, first)]).unwrap());
        }
        for second in stages {
            let long = Transform::real(Algebra::ComplexF32, 2 * radix(first) * radix(second)).batch(1 + case % 3);
            for transform in [long.clone(), long.inverse()] {
                let width = 2 + case % 2 * 2;
                let recipe = realise(&transform, device, &[choice(width, first), choice(width, second)]).unwrap();
                check_recipe::<Complex<f32>>(&recipe);
            }
        }
    }
    // Three passes.
    for [first, second] in [[2usize, 2], [4, 2], [2, 6], [6, 4], [4, 8]] {
        for last in [2usize, 3, 4, 5] {
            let long = Transform::real(Algebra::ComplexF32, 2 * first * second * last).batch(2);
            for transform in [long.clone(), long.inverse()] {
                let choices = [choice(2, &[first]), choice(2, &[second]), choice(2, &[last])];
                check_recipe::<Complex<f32>>(&realise(&transform, device, &choices).unwrap());
            }
        }
    }
    // Images have no tile of one column, and odd numbers of columns of two digits have none.
    let long = |n| Transform::real(Algebra::ComplexF32, n);
    assert!(realise(&long(32), device, &[choice(1, &[4]), choice(1, &[4])]).is_err());
    assert!(realise(&long(48), device, &[choice(2, &[3]), choice(2, &[2]), choice(2, &[4])]).is_err());
}

/// Threads have butterflies with their images: even and odd numbers of them, of even and odd radices, and fewer of them than threads
/// have room for.
#[test]
fn butterflies_with_their_images() {
    let device = &devices()[0];
    let with_images: [(usize, &[usize]); 12] = [
        (4, &[4, 2]),
        (4, &[2, 2]),
        (8, &[8, 4, 4]),
        (8, &[4, 8, 2, 2]),
        (16, &[8, 8, 8]),
        (8, &[3, 5]),
        (5, &[5, 3]),
        (8, &[4, 3]),
        (12, &[7, 6]),
        (10, &[10, 10, 5]),
        (12, &[5, 7]),
        (16, &[16, 9]),
    ];
    let to_slots: [(usize, &[usize]); 4] = [(4, &[4, 4]), (6, &[6, 2]), (8, &[5, 3]), (2, &[4, 2])];
    let with = with_images.map(|tile| (tile, true)).into_iter();
    for (case, ((per_thread, stages), has_images)) in with.chain(to_slots.map(|tile| (tile, false))).enumerate() {
        let pairs = stages.iter().product::<usize>();
        let back: Vec<usize> = stages.iter().rev().copied().collect();
        let choice = |stages: &[usize]| [PassChoice::new(1 + case % 2, per_thread, stages)];
        let exchanges = |recipe: &Recipe| recipe.passes()[0].tile.exchanges.len();
        for real in [
            Transform::real(Algebra::ComplexF64, 2 * pairs).batch(3),
            Transform::along(Algebra::ComplexF64, Kind::Real, &[2 * pairs, 3], &[0]).unwrap(),
        ] {
            for (recipe, last) in [
                (realise(&real, device, &choice(stages)).unwrap(), stages.len() - 1),
                (realise(&real.inverse(), device, &choice(&back)).unwrap(), 0),
            ] {
                assert_eq!(recipe.passes()[0].has_mirrored_butterflies(last), has_images, "{recipe}");
                assert_eq!(exchanges(&recipe), stages.len() - usize::from(has_images));
                check_recipe::<Complex<f64>>(&recipe);
                let mut pass = recipe.passes()[0].clone();
                pass.tile.exchanges.push(pass.tile.exchanges[0]);
                let wrong = Recipe { method: Method::Passes(vec![pass]), ..recipe };
                assert!(matches!(wrong.check(device), Err(Error::InvalidTransform(_))));
            }
        }
    }
    // The planner has them wherever a stage is short.
    for n in [1000, 2048, 3000, 4096, 1 << 14] {
        let real = Transform::real(Algebra::ComplexF32, n);
        for real in [real.clone(), real.inverse()] {
            let recipe = plan(&real.batch(3), &super::cluster::hopper(None)).unwrap();
            let pass = &recipe.passes()[0];
            assert_eq!(pass.tile.exchanges.len() + 1, pass.tile.stages.len(), "{recipe}");
        }
    }
}

/// No barrier may be left out, and no table's roots may be others; nor is there a column that is another's.
#[test]
fn faults_at_butterflies_with_their_images_are_found() {
    let device = super::cluster::hopper(None);
    for real in [Transform::real(Algebra::ComplexF64, 1000), Transform::real(Algebra::ComplexF64, 1000).inverse()] {
        let recipe = plan(&real.clone().batch(2), &device).unwrap();
        let pass = &recipe.passes()[0];
        let [given, taken] = [Side::Input, Side::Output].map(|side| match real.is_real(side) {
            true => 2000,
            false => 4 * 501,
        });
        let input: Vec<u64> = (0..given).map(|i| Complex::<f64>::sample(i).re.to_bits()).collect();
        let trial = Trial::of(&recipe, input, taken);
        assert_eq!(pass.tile.exchanges.len(), pass.tile.stages.len() - 1, "{recipe}");
        assert!(trial.barriers() + 1 >= 2 * pass.tile.exchanges.len(), "{recipe}");
        // Of two points that are each other's image, one's root does.
        let (len, unread) = trial.unread(7);
        assert!(7 * unread <= pass.radix + 16, "{unread} of every seventh of {len} are not read");
        let mut pass = pass.clone();
        pass.columns[0].weight += 1;
        let wrong = Recipe { method: Method::Passes(vec![pass]), ..recipe };
        assert!(wrong.check(&device).is_err());
    }
}

/// Columns and their images have butterflies with their images, on either side, in one tile through memory, in clusters, and in those
/// of neighbouring lines.
#[test]
fn columns_have_butterflies_with_their_images() {
    let device = super::cluster::hopper(Some(16));
    let at_half: [(usize, &[usize]); 8] = [
        (4, &[4, 2]),
        (8, &[8, 4]),
        (8, &[4, 4]),
        (8, &[8, 2]),
        (8, &[2, 4, 2]),
        (12, &[4, 6]),
        (6, &[2, 3]),
        (10, &[4, 5]),
    ];
    let check_both = |choice: &dyn Fn(bool) -> Choice, pairs: usize, batch: usize| {
        for (real, is_back) in [false, true].map(|is_back| (Transform::real(Algebra::ComplexF64, 2 * pairs), is_back)) {
            let real = if is_back { real.inverse() } else { real };
            let recipe = choice(is_back).realise(&real.batch(batch), &device).unwrap();
            let passes = recipe.passes();
            let (pass, side) = if is_back { (&passes[0], 0) } else { (&passes[passes.len() - 1], 1) };
            assert!(pass.has_images() && pass.has_images_in_stage(side), "{recipe}");
            assert_eq!(pass.tile.exchanges.len() + 1, pass.tile.stages.len(), "{recipe}");
            check_recipe::<Complex<f64>>(&recipe);
        }
    };
    let reversed = |stages: &[usize]| stages.iter().rev().copied().collect::<Vec<_>>();
    for (case, (rows, stages)) in at_half.into_iter().enumerate() {
        let half = |columns: usize, is_back: bool| {
            PassChoice::new(columns, rows, if is_back { reversed(stages) } else { stages.to_vec() })
        };
        let radix = stages.iter().product::<usize>();
        let other = |n: usize| PassChoice::new(2, n, vec![n]);
        let through_memory = |others: &[usize], is_back: bool| {
            let mut passes: Vec<PassChoice> = others.iter().map(|n| other(*n)).collect();
            passes.insert(if is_back { 0 } else { others.len() }, half(2 + case % 2 * 2, is_back));
            Choice { passes, launches: Launches::Apart }
        };
        check_both(
            &|is_back| through_memory(&[[4, 8, 6][case % 3]], is_back),
            radix * [4, 8, 6][case % 3],
            1 + case % 3,
        );
        check_both(&|is_back| through_memory(&[2, 4], is_back), radix * 8, 2);
    }
    for [first, second] in [["8x8x8.4", "8x8x8.4"], ["4x4x4.4", "4x4x4.2.2"], ["16x8x8.8", "16x8x8.2.4"]] {
        let text = |is_back: bool| {
            let half =
                second.rsplit_once('x').map(|(tile, stages)| (tile, stages.split('.').rev().collect::<Vec<_>>()));
            let (tile, back) = half.unwrap();
            let back = format!("c4/{tile}x{}/{first}", back.join("."));
            let text = if is_back { back } else { format!("c4/{first}/{second}") };
            text.parse::<Choice>().unwrap()
        };
        let pairs = text(false).passes.iter().flat_map(|pass| &pass.stages).product();
        check_both(&text, pairs, 2);
    }
    for (wide, stages) in [(4, [&[4][..], &[4], &[4], &[4, 2]]), (8, [&[4], &[4, 4], &[4], &[4, 2]])] {
        let choice = |is_back: bool| {
            let stages: Vec<Vec<usize>> = if is_back {
                stages.iter().rev().map(|of| reversed(of)).collect()
            } else {
                stages.map(Vec::from).to_vec()
            };
            let radices: Vec<usize> = stages.iter().map(|of| of.iter().product()).collect();
            let passes = (0..4).map(|a| PassChoice::new(radices[a ^ 1] / 2 * wide, 4, stages[a].clone())).collect();
            Choice { passes, launches: "c2/1x1x1".parse::<Choice>().unwrap().launches }
        };
        check_both(&choice, stages.iter().flat_map(|of| *of).product(), 3);
    }
}

#[test]
fn points_of_two_numbers_in_clusters() {
    let device = super::cluster::hopper(Some(16));
    for choice in
        ["c2/8x4x4.4/8x4x4.4", "c4/4x4x4.4/4x4x4.4", "c2/8x4x4.4/8x4x4.2.2", "c2/4x4x4.4/8x4x4.2", "c4/8x8x8.4/8x8x8.4"]
    {
        let choice: Choice = choice.parse().unwrap();
        let pairs: usize = choice.passes.iter().map(|pass| pass.stages.iter().product::<usize>()).product();
        let real = Transform::real(Algebra::ComplexF64, 2 * pairs).batch(3);
        for real in [real.clone(), real.inverse()] {
            let recipe = choice.realise(&real, &device).unwrap();
            assert_eq!((recipe.passes().len(), recipe.launches().len()), (2, 1), "{recipe}");
            check_recipe::<Complex<f64>>(&recipe);
        }
    }
    let planned = Transform::real(Algebra::ComplexF32, 1 << 16);
    for planned in [planned.clone(), planned.inverse()] {
        let recipe = plan(&planned.batch(2), &device).unwrap();
        assert!(recipe.passes()[1].hopper.cluster.is_some(), "{recipe}");
        check_recipe::<Complex<f32>>(&recipe);
    }
}

/// Four passes in two launches: a tile has some neighbouring lines and their images at the half spectrum.
#[test]
fn neighbouring_lines_have_their_images_in_clusters() {
    let device = super::cluster::hopper(Some(16));
    type Stages = &'static [usize];
    let cases: [(usize, usize, usize, [Stages; 4]); 7] = [
        (2, 4, 8, [&[4], &[4], &[4], &[4]]),
        (2, 4, 2, [&[4], &[4], &[4], &[4]]),
        (2, 4, 4, [&[4, 2], &[4], &[2, 4], &[4, 2]]),
        (4, 4, 2, [&[4], &[4, 4], &[4], &[4, 4]]),
        (4, 8, 4, [&[8], &[8, 2], &[8], &[8, 2]]),
        (2, 4, 8, [&[4, 4], &[4, 4], &[2, 4], &[4]]),
        (8, 8, 8, [&[8], &[8, 2], &[8], &[8]]),
    ];
    for (blocks, rows, wide, stages) in cases {
        let radices = stages.map(|stages| stages.iter().product::<usize>());
        let passes = (0..4).map(|a| PassChoice::new(radices[a ^ 1] / blocks * wide, rows, stages[a])).collect();
        let choice = Choice { passes, launches: format!("c{blocks}/1x1x1").parse::<Choice>().unwrap().launches };
        let real = Transform::real(Algebra::ComplexF64, 2 * radices.iter().product::<usize>());
        for real in [real.clone().batch(1), real.clone().batch(3).in_place()] {
            for real in [real.clone(), real.inverse()] {
                let recipe = choice.realise(&real, &device).unwrap();
                assert_eq!((recipe.launches().len(), recipe.passes()[2].wide()), (2, wide), "{recipe}");
                check_recipe::<Complex<f64>>(&recipe);
                check_recipe::<Complex<f64>>(&super::cluster::with_twiddles_by_columns(recipe));
            }
        }
    }
}

/// The half spectrum's columns have their images in their tile, which stands in the ring as it is fetched; and on the way back rows
/// are fetched that such a tile has stored.
#[test]
fn points_of_two_numbers_through_rings() {
    let device = super::ring::device();
    let shapes = [
        ("8x4x4.4", "8x4x4.4a"),
        ("8x4x4.4", "4x4x4.4.2a"),
        ("16x8x8", "2x8x8.8a"),
        ("16x16x16.16", "16x16x16.16a"),
        ("8x8x8.4", "4x8x4.8.2ap"),
        ("8x4x4.4", "4x4x4.4.2e"),
        ("4x8x8.8", "16x8x8.2a"),
    ];
    for (first, second) in shapes {
        for launches in ["r", "n"] {
            let there: Choice = format!("{launches}/{first}a/{second}").parse().unwrap();
            let back: Choice = format!("{launches}/{first}/{}", second.replace('e', "a")).parse().unwrap();
            let pairs: usize = there.passes.iter().map(|pass| pass.stages.iter().product::<usize>()).product();
            let gaps = |n: usize| Dim { n: 3, input_stride: n, output_stride: n / 2 + 5 };
            for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
                let real = Transform::real(algebra, 2 * pairs);
                for real in [real.clone().batch(3), real.with_batch([gaps(2 * pairs)])] {
                    for (choice, real) in [(&there, real.clone()), (&back, real.inverse())] {
                        let recipe = choice.realise(&real, &device).unwrap();
                        assert!(recipe.ring.is_some_and(|ring| ring.loads == (choice == &back)), "{recipe}");
                        match algebra {
                            Algebra::ComplexF32 => check_recipe::<Complex<f32>>(&recipe),
                            _ => check_recipe::<Complex<f64>>(&recipe),
                        }
                        let [text] = &texts(&recipe, Dialect::Cuda)[..] else { panic!("one kernel") };
                        assert_eq!((text.cooperates, text.boxes.is_some()), (true, choice == &there));
                    }
                }
            }
        }
    }
    // Numbers with gaps are no pairs, and a spectrum in place of its numbers is read while others are written.
    let choice: Choice = "r/8x4x4.4a/8x4x4.4a".parse().unwrap();
    let back: Choice = "r/8x4x4.4/8x4x4.4a".parse().unwrap();
    let real = Transform::real(Algebra::ComplexF32, 512).batch(3);
    let spread = Transform::real(Algebra::ComplexF32, 512).with_dims([Dim::new(512, 2)]).batch(3);
    let in_place = real.clone().in_place();
    for (choice, other) in [(&choice, in_place.clone()), (&choice, spread), (&back, in_place.inverse())] {
        let recipe = choice.realise(&other, &device).unwrap();
        assert!(recipe.ring.is_none(), "{recipe}");
    }
    // Images have no tile of one column, and the threads of half spectra load them themselves.
    let refused = |real: &Transform, choice: &str| {
        let found = choice.parse::<Choice>().unwrap().realise(real, &device);
        assert!(matches!(found, Err(Error::InvalidTransform(_))), "{choice}: {found:?}");
    };
    for wrong in ["r/64x8x8a/1x8x8a", "r/1x8x8.8a/8x8x8a", "r/4x8x8/4x8x8a"] {
        refused(&Transform::real(Algebra::ComplexF32, 128).batch(3), wrong);
    }
    for wrong in ["r/4x8x8a/4x8x8a", "r/4x8x8/4x8x8", "n/4x8x8/4x8x8e", "r/1x8x8/64x8x8a"] {
        refused(&Transform::real(Algebra::ComplexF32, 128).inverse().batch(3), wrong);
    }
    let recipe = back.realise(&real.inverse(), &device).unwrap();
    recipe.check(&device).unwrap();
    let changed = Recipe { ring: recipe.ring.map(|ring| Ring { loads: false, ..ring }), ..recipe };
    assert!(matches!(changed.check(&device), Err(Error::InvalidTransform(_))));
}

#[test]
fn the_planner_takes_rings_for_streams_of_pairs() {
    let h100 = DeviceInfo { compute_units: 132, ..super::ring::device() };
    let chosen = |transform: &Transform| choose(transform, &h100).unwrap().to_string();
    let lines = |log: u32| Transform::real(Algebra::ComplexF32, 1usize << log).batch(1 << (28 - log));
    // To half spectra of long lines, and of doubles from them, two launches of clusters are faster.
    let with_clusters = DeviceInfo { max_cluster: Some(16), ..h100.clone() };
    let in_clusters = |transform: &Transform| choose(transform, &with_clusters).unwrap().to_string();
    let doubles = Transform::real(Algebra::ComplexF64, 1 << 23).batch(1 << 5);
    let alone = Transform::real(Algebra::ComplexF32, 1 << 24);
    let single = "c16/256x16x16/32x16x16.8/512x16x16/32x16x16.2.8";
    for (transform, choice) in [
        (lines(24), single),
        (alone, single),
        (doubles.clone(), "c16/128x16x16/16x16x16.8/128x16x16/16x16x16.8"),
        (doubles.inverse(), "c16/16x16x8.16/128x16x16/128x16x16/16x16x16.8"),
    ] {
        assert_eq!(in_clusters(&transform), choice);
    }
    for other in [lines(24).inverse(), lines(20), Transform::real(Algebra::ComplexF32, 1 << 23)] {
        assert!(in_clusters(&other).matches('/').count() < 4, "{other:?}");
    }
    // Where rows of memory are of half the columns, there are twice as many of these.
    for (log, there, back) in [
        (18, "n/16x32x32.16a/32x32x32.8a", "n/32x32x8.32/16x32x32.16a"),
        (19, "n/32x32x32.16a/32x32x32.16a", "n/32x32x16.32/32x32x32.16a"),
        (20, "n/16x32x32.32a/32x32x32.16a", "n/32x32x16.32/16x32x32.32a"),
    ] {
        assert_eq!([chosen(&lines(log)), chosen(&lines(log).inverse())], [there, back]);
    }
    let long = Transform::real(Algebra::ComplexF64, 1 << 18).batch(1 << 9);
    assert_eq!(chosen(&long), "n/8x32x32.16a/16x32x16.16a");
    let long = Transform::real(Algebra::ComplexF64, 1 << 20).batch(1 << 7);
    assert_eq!(chosen(&long), "r/8x32x32.32a/16x32x32.16e");
    for other in [
        long.inverse(),
        lines(17),
        lines(22),
        lines(20).in_place().inverse(),
        Transform::real(Algebra::ComplexF32, 1 << 20),
    ] {
        assert!(!chosen(&other).starts_with(['r', 'n']), "{other:?}");
    }
}
