use std::fs;
use std::path::PathBuf;

use super::*;
use crate::algebra::{Algebra, BigPrime};
use crate::plan::{Launches, Loading, PassChoice, candidates, choose};
use crate::transform::Dim;

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("stockham-wisdom-test-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn device(name: &str, backend: Backend) -> DeviceInfo {
    DeviceInfo {
        id: "any".into(),
        backend,
        name: name.into(),
        driver: "some".into(),
        memory_bytes: 1 << 34,
        max_allocation_bytes: 1 << 34,
        max_group: 1024,
        local_bytes: 227 << 10,
        simd_width: 32,
        compute_units: 8,
        registers: None,
        has_f64: true,
        compute_capability: None,
        max_cluster: Some(16),
    }
}

fn full(algebra: Algebra, n: usize) -> Transform {
    Transform::new(algebra, n).batch(((1 << 18) / n).max(2))
}

/// The second candidate of some transforms, and what they are for.
fn some_wisdom() -> (Wisdom, Vec<(Transform, Choice)>) {
    let gpu = device("a GPU", Backend::Cuda);
    let transforms = [
        full(Algebra::ComplexF32, 1 << 10),
        Transform::new(Algebra::ComplexF32, 1 << 10),
        full(Algebra::ComplexF64, 1 << 14),
        full(Algebra::BigPrime(BigPrime::P3), 1 << 10),
    ];
    let tuned: Vec<_> = transforms.map(|t| (t.clone(), candidates(&t, &gpu).swap_remove(1))).to_vec();
    let mut wisdom = Wisdom::default();
    for (transform, choice) in &tuned {
        assert!(wisdom.insert(transform, &gpu, choice.clone()));
    }
    (wisdom, tuned)
}

#[test]
fn what_was_saved_is_loaded() {
    let folder = Folder::new("saved");
    let path = folder.0.join("wisdom.json");
    let (wisdom, tuned) = some_wisdom();
    wisdom.save(&path).unwrap();
    let loaded = Wisdom::load(&path).unwrap();
    assert_eq!((&loaded, loaded.len()), (&wisdom, tuned.len()));
    for (transform, choice) in &tuned {
        // Neither the driver nor the direction, the placement or the number of compute units counts.
        let other = DeviceInfo { driver: "another".into(), ..device("a GPU", Backend::Cuda) };
        assert_eq!(loaded.get(&transform.clone().inverse().in_place(), &other), Some(choice));
    }
    // In place of what was there, and with nothing left beside it.
    Wisdom::default().save(&path).unwrap();
    assert!(Wisdom::load(&path).unwrap().is_empty());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

/// A line a choice, so that a file's changes are read as such.
#[test]
fn files_are_pleasant_to_read() {
    let folder = Folder::new("read");
    let path = folder.0.join("wisdom.json");
    let mut wisdom = Wisdom::default();
    let text = |wisdom: &Wisdom| {
        wisdom.save(&path).unwrap();
        assert_eq!(Wisdom::load(&path).unwrap(), *wisdom);
        fs::read_to_string(&path).unwrap()
    };
    assert_eq!(text(&wisdom), "{\n  \"stockham_wisdom\": 1,\n  \"devices\": []\n}\n");
    let choice: Choice = "1x32x32.16.16".parse().unwrap();
    for (algebra, gpu) in [
        (Algebra::ComplexF32, device("a GPU", Backend::Cuda)),
        (Algebra::Goldilocks, device("a GPU", Backend::Cuda)),
        (Algebra::Goldilocks, device("\"no\\GPU", Backend::Opencl)),
    ] {
        assert!(wisdom.insert(&full(algebra, 1 << 13), &gpu, choice.clone()));
    }
    let expected = r#"{
  "stockham_wisdom": 1,
  "devices": [
    {
      "name": "\"no\\GPU",
      "backend": "opencl",
      "choices": [
        {"algebra":"goldilocks","n":8192,"load":"full","choice":"1x32x32.16.16"}
      ]
    },
    {
      "name": "a GPU",
      "backend": "cuda",
      "choices": [
        {"algebra":"complex-f32","n":8192,"load":"full","choice":"1x32x32.16.16"},
        {"algebra":"goldilocks","n":8192,"load":"full","choice":"1x32x32.16.16"}
      ]
    }
  ]
}
"#;
    assert_eq!(text(&wisdom), expected);
}

/// The devices whose wisdom is shipped.
fn h200(backend: Backend) -> DeviceInfo {
    hopper("NVIDIA H200", backend)
}

fn hopper(name: &str, backend: Backend) -> DeviceInfo {
    let is_cuda = backend == Backend::Cuda;
    DeviceInfo {
        memory_bytes: 141 << 30,
        max_allocation_bytes: 141 << 30,
        local_bytes: if is_cuda { 227 << 10 } else { 48 << 10 },
        compute_units: 132,
        registers: Some(65536),
        compute_capability: Some((9, 0)),
        max_cluster: is_cuda.then_some(16),
        ..device(name, backend)
    }
}

#[test]
fn what_is_shipped_fits_its_devices() {
    let shipped = Wisdom::shipped();
    let mut read = Wisdom::default();
    for text in SHIPPED {
        let one = Wisdom::from_json(text.as_bytes()).unwrap();
        assert!(!one.is_empty());
        assert_eq!(one.to_json().unwrap(), text, "a file that tuning did not write");
        read.merge(one);
    }
    assert_eq!(*shipped, read);
    let mut seen = 0;
    for gpu in [h200(Backend::Cuda), h200(Backend::Opencl), hopper("NVIDIA H100 80GB HBM3", Backend::Cuda)] {
        for (transform, choice) in shipped.choices(&gpu) {
            assert_eq!(shipped.get(&transform, &gpu), Some(choice));
            for transform in [transform.clone(), transform.clone().in_place()] {
                for transform in [transform.clone(), transform.inverse()] {
                    let recipe = choice.realise(&transform, &gpu).unwrap_or_else(|error| panic!("{choice}: {error}"));
                    recipe.check(&gpu).unwrap();
                }
            }
            seen += 1;
        }
    }
    // Nothing is of an unknown algebra, or for a device that is not looked at here.
    assert_eq!(seen, shipped.len());
    assert!(seen > 0);
}

#[test]
fn choices_are_listed_with_their_transforms() {
    let (mut wisdom, tuned) = some_wisdom();
    let gpu = device("a GPU", Backend::Cuda);
    wisdom.merge(
        Wisdom::from_json(
            br#"{"stockham_wisdom": 1, "devices": [{"name": "a GPU", "backend": "cuda", "choices": [
            {"algebra": "octonions", "n": 8, "load": "full", "choice": "64x4x4"},
            {"algebra": "complex-f32", "n": 0, "load": "full", "choice": "64x4x4"}]}]}"#,
        )
        .unwrap(),
    );
    let listed: Vec<_> = wisdom.choices(&gpu).collect();
    assert_eq!((listed.len(), wisdom.len()), (tuned.len(), tuned.len() + 2));
    for (transform, choice) in listed {
        let of = |t: &Transform| (t.algebra, t.points(), Load::of(t, &gpu));
        assert!(tuned.iter().any(|(t, c)| (of(t), c) == (of(&transform), choice)), "{transform:?}");
        assert_eq!(wisdom.get(&transform, &gpu), Some(choice));
        let fewer = Transform { batch: Vec::new(), ..transform.clone() }.batch(transform.batch_count() - 1);
        assert!(fewer.batch_count() < 2 || Load::of(&fewer, &gpu).is_none(), "{transform:?}");
    }
    assert_eq!(wisdom.choices(&device("another", Backend::Cuda)).count(), 0);
}

/// What fills a device is advice for what streams, too, but not the other way around.
#[test]
fn what_streams_has_choices_of_its_own() {
    let gpu = device("a GPU", Backend::Cuda);
    let of = |batch| Transform::new(Algebra::ComplexF32, 1 << 17).batch(batch);
    let (full, streaming) = (of(2), of(8));
    assert_eq!([&full, &streaming].map(|t| Load::of(t, &gpu)), [Some(Load::Full), Some(Load::Streaming)]);
    let choices: [Choice; 2] =
        ["16x16x16.16/16x16x16.16.2", "8x16x16.16/8x16x16.16.2"].map(|text| text.parse().unwrap());
    let mut wisdom = Wisdom::default();
    wisdom.insert(&streaming, &gpu, choices[0].clone());
    assert_eq!([&full, &streaming].map(|t| wisdom.get(t, &gpu)), [None, Some(&choices[0])]);
    wisdom.insert(&full, &gpu, choices[1].clone());
    assert_eq!([&full, &streaming].map(|t| wisdom.get(t, &gpu)), [Some(&choices[1]), Some(&choices[0])]);
    let mut wisdom = Wisdom::default();
    wisdom.insert(&full, &gpu, choices[1].clone());
    assert_eq!([&full, &streaming].map(|t| wisdom.get(t, &gpu)), [Some(&choices[1]); 2]);
    // Where there are gaps, a ring is no advice.
    wisdom.insert(&streaming, &gpu, "r/16x16x16.16a/16x16x16.16.2a".parse().unwrap());
    let gaps = of(1).with_batch([Dim::new(8, (1 << 17) + 2)]);
    assert_eq!(wisdom.get(&streaming, &gpu).map(|choice| choice.launches), Some(Launches::Ring));
    assert_eq!(wisdom.get(&gaps, &gpu), Some(&choices[1]));
}

/// A few take what one takes, as long as each of their work-groups finds a unit.
#[test]
fn a_few_find_room_beside_each_other() {
    let gpu = device("a GPU", Backend::Cuda);
    let of = |batch| Transform::new(Algebra::ComplexF32, 1 << 12).batch(batch);
    let mut wisdom = Wisdom::default();
    // Two work-groups at most, on eight units.
    let two: Choice = "64x8x8.8/32x8x8.8".parse().unwrap();
    assert_eq!(two.groups(1 << 12), 2);
    wisdom.insert(&of(1), &gpu, two.clone());
    for batch in 1..8 {
        assert_eq!(Load::of(&of(batch), &gpu), (batch == 1).then_some(Load::Single));
        assert_eq!(wisdom.get(&of(batch), &gpu), (batch <= 4).then_some(&two), "{batch}");
    }
    // What fills the device goes by other advice, though there would be room.
    let small = DeviceInfo { compute_units: 1, ..gpu.clone() };
    assert_eq!(Load::of(&of(2), &small), Some(Load::Full));
    assert_eq!(wisdom.get(&of(2), &small), None);
}

#[test]
fn advice_is_for_its_device_and_its_transforms() {
    let (wisdom, tuned) = some_wisdom();
    let (transform, gpu) = (&tuned[0].0, device("a GPU", Backend::Cuda));
    assert!(wisdom.get(transform, &gpu).is_some());
    assert_eq!(wisdom.get(transform, &device("a GPU", Backend::Opencl)), None);
    assert_eq!(wisdom.get(transform, &device("another", Backend::Cuda)), None);
    let others = [
        full(Algebra::ComplexF32, 1 << 9),
        full(Algebra::Goldilocks, 1 << 10),
        // Some, more than there are compute units, which leave them without enough work.
        Transform::new(Algebra::ComplexF32, 1 << 10).batch(9),
        // Points that are no neighbours.
        Transform::new(Algebra::ComplexF32, 1 << 10).with_dims([Dim::new(1 << 10, 64)]).with_batch([Dim::new(64, 1)]),
        Transform::new(Algebra::ComplexF32, 1 << 10).with_dims([Dim::new(2, 1 << 9), Dim::new(1 << 9, 1)]),
    ];
    for other in others {
        assert_eq!(wisdom.get(&other, &gpu), None, "{other:?}");
    }
    let two = Transform::new(Algebra::ComplexF32, 1 << 10).batch(2);
    let mut wisdom = wisdom;
    let nothing = Choice { passes: Vec::new(), launches: Launches::Apart };
    assert!(!wisdom.insert(transform, &gpu, nothing));
    assert!(!wisdom.insert(&two, &gpu, tuned[0].1.clone()));
    assert_eq!(wisdom.len(), tuned.len());
}

#[test]
fn the_later_wins() {
    let gpu = device("a GPU", Backend::Cuda);
    let (mut wisdom, tuned) = some_wisdom();
    let (transform, new) = (full(Algebra::ComplexF32, 1 << 11), full(Algebra::ComplexF32, 1 << 10));
    let mut later = Wisdom::default();
    for transform in [&transform, &new] {
        later.insert(transform, &gpu, choose(transform, &gpu).unwrap());
    }
    assert_ne!(wisdom.get(&new, &gpu), later.get(&new, &gpu));
    wisdom.merge(later.clone());
    assert_eq!(wisdom.len(), tuned.len() + 1);
    for transform in [&transform, &new] {
        assert_eq!(wisdom.get(transform, &gpu), later.get(transform, &gpu));
    }
    assert_eq!(wisdom.get(&tuned[1].0, &gpu), Some(&tuned[1].1));
}

#[test]
fn damaged_files_are_told_from_missing_ones() {
    let folder = Folder::new("damaged");
    let path = folder.0.join("wisdom.json");
    assert!(matches!(Wisdom::load(&path), Err(Error::ReadFile { .. })));
    assert!(matches!(Wisdom::load(&folder.0), Err(Error::ReadFile { .. })));
    #[cfg(unix)]
    {
        // Neither waited for, nor read without end, nor replaced.
        let pipe = folder.0.join("pipe");
        crate::regular_file::tests::make_pipe(&pipe);
        for path in [&pipe, Path::new("/dev/zero")] {
            assert!(matches!(Wisdom::load(path), Err(Error::ReadFile { .. })), "{}", path.display());
        }
        assert!(matches!(Wisdom::default().save(&pipe), Err(Error::WriteFile { .. })));
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        fs::remove_file(&pipe).unwrap();
    }
    let (wisdom, tuned) = some_wisdom();
    wisdom.save(&path).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let refused = |text: &str, words: &str| {
        fs::write(&path, text).unwrap();
        match Wisdom::load(&path) {
            Err(Error::Wisdom { path: of, reason }) => {
                assert_eq!(of, path.display().to_string());
                assert!(reason.contains(words), "{reason}");
            }
            other => panic!("{other:?} of {text}"),
        }
    };
    refused("", "EOF");
    refused("{}", "stockham_wisdom");
    refused(&whole.replace("\"stockham_wisdom\": 1", "\"stockham_wisdom\": 2"), "version 2");
    refused(&whole.replace("\"cuda\"", "\"abacus\""), "abacus");
    refused(&whole.replace("\"choice\"", "\"passes\""), "missing field `choice`");
    refused(&whole.replace(&tuned[0].1.to_string(), "16x16x16 or so"), "'16x16x16 or so' is no choice: passes are");
    refused(&whole.replace(&tuned[0].1.to_string(), ""), "'' is no choice");
    refused(&whole.replace("\"full\"", "-1"), "");
    for length in 0..whole.trim_end().len() {
        refused(&whole[..length], "");
    }
    fs::write(&path, b"\xff\xfe").unwrap();
    assert!(matches!(Wisdom::load(&path), Err(Error::Wisdom { .. })));
    // Where nothing can be written, nothing is left behind.
    let nowhere = folder.0.join("no folder").join("wisdom.json");
    assert!(matches!(wisdom.save(&nowhere), Err(Error::WriteFile { .. })));
    assert!(matches!(wisdom.save(&folder.0), Err(Error::WriteFile { .. })));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

/// Whatever a file says, realising it is a recipe or an error.
#[test]
fn senseless_choices_are_refused() {
    let gpu = device("a GPU", Backend::Cuda);
    let transform = Transform::new(Algebra::ComplexF32, 1 << 10).batch(1 << 10);
    let good = PassChoice::new(1, 16, [16, 8, 8]);
    let realise = |passes: &[PassChoice], launches| {
        Choice { passes: passes.to_vec(), launches }.realise(&transform, &gpu).map(|recipe| recipe.check(&gpu).unwrap())
    };
    realise(std::slice::from_ref(&good), Launches::Apart).unwrap();
    realise(&[PassChoice { loading: Loading::Flat, ..good.clone() }], Launches::Apart).unwrap();
    for passes in [
        &[][..],
        &[PassChoice::new(0, 16, [16, 8, 8])],
        &[PassChoice::new(1, 0, [16, 8, 8])],
        &[PassChoice::new(usize::MAX, 16, [16, 8, 8])],
        &[PassChoice::new(1, usize::MAX, [16, 8, 8])],
        &[PassChoice::new(1 << 40, 16, [16, 8, 8])],
        &[PassChoice::new(1, 1 << 10, [32, 32])],
        &[PassChoice::new(1, 16, [16, 8])],
        &[PassChoice::new(1, 16, [16, 64])],
        &[PassChoice::new(1, 16, [16, 0, 8])],
        &[PassChoice::new(1, 2048, [16, 8, 8])],
        &[PassChoice::new(1, 65, [32, 32])],
        &[PassChoice::new(1, 16, [32; 60])],
        &[PassChoice::new(1, 16, [])],
        &[good.clone(), good.clone()],
    ] {
        let clusters = [0, 1, 2, usize::MAX].map(Launches::clusters);
        for launches in [Launches::Apart, Launches::Ring, Launches::NearRing].into_iter().chain(clusters) {
            assert!(matches!(realise(passes, launches), Err(Error::InvalidTransform(_))), "{passes:?} {launches:?}");
        }
    }
    let halves = [PassChoice::new(16, 4, [4, 4, 2]), PassChoice::new(16, 4, [4, 4, 2])];
    realise(&halves, Launches::Apart).unwrap();
    realise(&halves, Launches::clusters(2)).unwrap();
    for cluster in [0, 1, 3, 32, usize::MAX] {
        assert!(realise(&halves, Launches::clusters(cluster)).is_err(), "{cluster}");
    }
    assert!(realise(&[good], Launches::clusters(2)).is_err());
    let none = Choice { passes: halves.to_vec(), launches: Launches::Apart };
    let without = DeviceInfo { has_f64: false, ..gpu.clone() };
    assert!(none.realise(&Transform::new(Algebra::ComplexF64, 1 << 10), &without).is_err());
    assert!(none.realise(&Transform::new(Algebra::ComplexF32, 1 << 11), &gpu).is_err());
    assert!(none.realise(&transform, &device("the host", Backend::Cpu)).is_err());
}

/// A choice for packed transforms serves those with gaps, where tiles are not flat.
#[test]
fn flat_tiles_are_for_packed_transforms() {
    use crate::plan::Lanes;
    let gpu = device("a GPU", Backend::Cuda);
    let packed = Transform::new(Algebra::ComplexF32, 8).batch(1 << 16);
    let choice = choose(&packed, &gpu).unwrap();
    assert!(choice.passes[0].loading == Loading::Flat);
    let lanes = |transform: &Transform| choice.realise(transform, &gpu).unwrap().passes()[0].tile.load;
    assert_eq!(lanes(&packed), Lanes::Flat);
    assert_ne!(lanes(&Transform::new(Algebra::ComplexF32, 8).with_batch([Dim::new(1 << 16, 9)])), Lanes::Flat);
}
