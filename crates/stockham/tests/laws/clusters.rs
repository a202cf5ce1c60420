//! Transforms in one launch that exchanges through clusters of work-groups, on the devices that have them: those that the
//! planner takes, and others by hand.

use stockham::accuracy::random;
use stockham::plan::{PassChoice, Wisdom, realise_in_clusters};
use stockham::{Complex32, Complex64, Device, Dim, Direction, Goldilocks, Placement, Transform};

use crate::common::{Poison, assert_close, batch_case, devices, reference, run, same_bits};

/// The devices with clusters, which plan by the model, whatever is known to be faster.
fn with_clusters() -> Vec<Device> {
    let found = devices().into_iter().filter(|device| device.info().max_cluster.is_some());
    found.map(|device| device.with_wisdom(Wisdom::default())).collect()
}

/// Lines of a batch that are compared with the reference: where work-groups, and the batch, begin and end.
fn some_lines(batch: usize) -> impl Iterator<Item = usize> {
    [0, 1, batch / 2, batch - 1].into_iter()
}

/// What the planner takes, with a batch that just fills the device, out of place and in place, forth and back.
#[test]
fn planned_transforms_go_through_clusters() {
    fn agree<T: Poison>(device: &Device, (log, blocks): (u32, usize), placement: Placement) {
        let n = 1usize << log;
        if device.info().max_cluster.is_none_or(|most| blocks > most) {
            return;
        }
        let batch = (device.info().compute_units << 12).div_ceil(n).max(2);
        let transform = Transform::new(T::ALGEBRA, n).batch(batch).placement(placement);
        let recipe = device.plan(&transform).unwrap().recipe().clone();
        assert_eq!((recipe.launches().len(), recipe.passes().len()), (1, 2), "{recipe}");
        let x = random::<T>(n * batch, u64::from(log));
        let y = run(device, &transform, &x).unwrap();
        for line in some_lines(batch) {
            let place = line * n..(line + 1) * n;
            assert_close(&y[place.clone()], &reference(&x[place], &transform), n, 1.0, || format!("{transform:?}"));
        }
        assert!(same_bits(&run(device, &transform, &x).unwrap(), &y), "another result of {transform:?}");
        // All lines.
        let back = run(device, &transform.clone().direction(Direction::Inverse), &y).unwrap();
        let wide: Vec<T::Wide> = x.iter().map(|v| v.widen()).collect();
        assert_close(&back, &wide, n, 2.0, || format!("there and back, {transform:?}"));
    }
    for device in with_clusters() {
        for placement in [Placement::OutOfPlace, Placement::InPlace] {
            for case in [(15, 8), (16, 16)] {
                agree::<Complex32>(&device, case, placement);
            }
            for case in [(14, 8), (15, 16)] {
                agree::<Complex64>(&device, case, placement);
            }
        }
    }
}

/// Rows with gaps between them, in the input and otherwise in the output.
#[test]
fn gaps_between_rows_stay_as_they_were() {
    for device in with_clusters() {
        let (n, batch) = (1usize << 15, device.info().compute_units);
        let rows = Dim { n: batch, input_stride: n + 3, output_stride: n + 8 };
        let transform = Transform::new(stockham::Algebra::ComplexF32, n).with_batch([rows]);
        let x = random::<Complex32>(transform.input_len(), 5);
        let y = run(&device, &transform, &x).unwrap();
        for line in some_lines(batch) {
            let input = &x[line * (n + 3)..][..n];
            let output = &y[line * (n + 8)..][..n];
            assert_close(output, &reference(input, &transform), n, 1.0, || format!("{transform:?}"));
        }
        assert!(y.chunks(n + 8).flat_map(|row| row.iter().skip(n)).all(|gap| gap.re.is_nan()), "a gap was written");
    }
}

/// Every size of clusters, with work-groups that send one row to each of the others and ones that send many.
#[test]
fn transforms_by_hand() {
    fn agree<T: Poison>(device: &Device) {
        for (blocks, per_thread, first, second) in [
            (2, 8, &[8, 8][..], &[8, 4][..]),
            (4, 16, &[16], &[16, 2]),
            (8, 4, &[4, 4], &[4, 4]),
            (16, 2, &[2, 2, 2, 2], &[2, 2, 2, 2]),
            (4, 16, &[16, 8], &[16, 8]),
            (16, 16, &[16, 16], &[16, 16]),
        ] {
            if device.info().max_cluster.is_none_or(|most| blocks > most) {
                continue;
            }
            let radix = |stages: &[usize]| stages.iter().product::<usize>();
            let choice = |columns: usize, stages: &[usize]| PassChoice::new(columns / blocks, per_thread, stages);
            let n = radix(first) * radix(second);
            let transform = Transform::new(T::ALGEBRA, n).batch(5);
            let choices = [choice(radix(second), first), choice(radix(first), second)];
            let recipe = realise_in_clusters(&transform, device.info(), blocks, &choices).unwrap();
            let executable = device.prepare(recipe).unwrap();
            let (x, expected) = batch_case::<T>(&transform, 23);
            let input = device.upload(&x).unwrap();
            let mut output = device.upload(&vec![T::poison(); x.len()]).unwrap();
            executable.run(&input, &mut output).unwrap();
            assert_close(&output.to_vec().unwrap(), &expected, n, 1.0, || format!("{:?}", executable.recipe()));
        }
    }
    for device in with_clusters() {
        agree::<Complex32>(&device);
        agree::<Complex64>(&device);
        agree::<Goldilocks>(&device);
    }
}

/// The stages of each pass.
type Stages = &'static [&'static [usize]];

/// Work-groups of a cluster, rows of a thread, neighbouring lines, and passes: one launch of two, or two.
type Lines = (usize, usize, usize, Stages);

fn lines_agree<T: Poison>(device: &Device, (blocks, per_thread, wide, stages): Lines, batch: usize) {
    if device.info().max_cluster.is_none_or(|most| blocks > most) {
        return;
    }
    let radix = |a: usize| stages[a].iter().product::<usize>();
    let choice = |a: usize| PassChoice::new(radix(a ^ 1) / blocks * wide, per_thread, stages[a]);
    let choices: Vec<PassChoice> = (0..stages.len()).map(choice).collect();
    let n = (0..stages.len()).map(radix).product();
    for transform in [Transform::new(T::ALGEBRA, n).batch(batch), Transform::new(T::ALGEBRA, n).batch(2).inverse()] {
        let recipe = realise_in_clusters(&transform, device.info(), blocks, &choices).unwrap();
        assert_eq!(recipe.launches().len(), stages.len() / 2);
        let executable = device.prepare(recipe).unwrap();
        let (x, expected) = batch_case::<T>(&transform, 29);
        let input = device.upload(&x).unwrap();
        let mut output = device.upload(&vec![T::poison(); x.len()]).unwrap();
        executable.run(&input, &mut output).unwrap();
        let once = output.to_vec().unwrap();
        assert_close(&once, &expected, n, 1.0, || format!("{:?}", executable.recipe()));
        executable.run(&input, &mut output).unwrap();
        assert!(same_bits(&output.to_vec().unwrap(), &once), "another result of {transform:?}");
    }
    let in_place = Transform::new(T::ALGEBRA, n).in_place().batch(2);
    let executable = device.prepare(realise_in_clusters(&in_place, device.info(), blocks, &choices).unwrap()).unwrap();
    let (x, expected) = batch_case::<T>(&in_place, 31);
    let mut data = device.upload(&x).unwrap();
    executable.run_in_place(&mut data).unwrap();
    assert_close(&data.to_vec().unwrap(), &expected, n, 1.0, || format!("{:?}", executable.recipe()));
}

fn all_lines_agree(cases: &[Lines], batch: usize) {
    for device in with_clusters() {
        for &case in cases {
            lines_agree::<Complex32>(&device, case, batch);
            lines_agree::<Complex64>(&device, case, batch);
            lines_agree::<Goldilocks>(&device, case, batch);
        }
    }
}

/// Two launches, each of which takes some neighbouring lines of a rectangle, and clusters that take some neighbouring
/// transforms of a batch: forth and back, in place too, and the same bit for bit from run to run.
#[test]
fn clusters_take_neighbouring_lines() {
    let cases: [Lines; 3] = [
        (2, 4, 4, &[&[4, 2], &[4], &[4, 2], &[4, 2]]),
        (4, 8, 4, &[&[8], &[8, 4], &[8], &[8, 2]]),
        (4, 8, 2, &[&[8, 8], &[8, 4]]),
    ];
    all_lines_agree(&cases, 6);
}

/// The same of millions of points, which sanitizers would watch for many minutes.
#[test]
fn clusters_take_neighbouring_long_lines() {
    let cases: [Lines; 2] =
        [(8, 16, 8, &[&[16], &[16, 8], &[16], &[16, 4]]), (16, 16, 4, &[&[16], &[16, 16], &[16], &[16, 8]])];
    all_lines_agree(&cases, 2);
}
