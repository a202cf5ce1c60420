//! A transform, a random filter and the way back are one, with expressions at both ends.

use num_complex::Complex64;
use stockham::{Access, Algebra, Device, Expr, Transform};

use crate::common::{devices, is_cpu};
use crate::expressions::{Layout, all_finite, cases, reference, run};
use crate::random_expressions::{Both, Dice, complex, one};

/// A transform there and back with a random filter, and with accesses at both ends in every second case.
fn check_filter(device: &Device, seed: u64, algebra: Algebra) {
    let mut dice = Dice(seed * 104_729 + 3);
    (0..8).for_each(|_| _ = dice.next(2));
    let lengths = [1, 2, 12, 16, 37, 60, 100, 128, 243, 1000, 1009, 1024, 2048, 4096, 4100, 16384];
    let shape: Vec<usize> = match dice.next(3) {
        0 => vec![[3, 8, 16][dice.next(3)], [4, 16, 30, 37][dice.next(4)]],
        1 if seed.is_multiple_of(4) => vec![2, 6, [8, 11][dice.next(2)]],
        _ => vec![lengths[dice.next(lengths.len())]],
    };
    let is_real = dice.next(3) == 0;
    let batch = [0, 1, 3][dice.next(3)];
    let of = |algebra| {
        let t = if is_real { Transform::real(algebra, &shape[..]) } else { Transform::new(algebra, &shape[..]) };
        if batch > 0 { t.batch(batch) } else { t }
    };
    let mut counts = shape.clone();
    if let (true, Some(last)) = (is_real, counts.last_mut()) {
        *last = *last / 2 + 1;
    }
    let batches = if batch > 0 { vec![batch] } else { Vec::new() };
    let Both(value, filter) = complex(&mut dice, &counts, batches.len(), 3);
    let mut transform = of(algebra);
    // The output lies as the input does.
    for (to, from) in
        transform.dims.iter_mut().chain(&mut transform.batch).zip(of(algebra).dims.iter().chain(&of(algebra).batch))
    {
        to.output_stride = from.input_stride;
    }
    transform = transform.filtered(value);
    let accesses = seed.is_multiple_of(2);
    if accesses {
        transform = transform
            .with_load(Access::of(Expr::value() * 0.5))
            .with_store(Access::of(Expr::value() * (Expr::index(0) * 0.01 + 1.0)));
    }
    let len = shape.iter().product::<usize>() * batch.max(1);
    let numbers: Vec<Complex64> =
        (0..len).map(|_| Complex64::new(dice.unit(), if is_real { 0.0 } else { dice.unit() })).collect();
    let read: Vec<Complex64> = numbers.iter().map(|x| if accesses { x * 0.5 } else { *x }).collect();
    let forward = of(Algebra::ComplexF64);
    let mut spectrum = reference(&forward, &read);
    let layout = |of: &[usize]| [of, &batches].concat();
    let all = Layout::of(&layout(&counts), shape.len(), &layout(&counts), true);
    for (at, place, _) in &all.places {
        spectrum[*place] = filter(spectrum[*place], at);
    }
    let mut expected = reference(&forward.inverse(), &spectrum);
    let whole = Layout::of(&layout(&shape), shape.len(), &layout(&shape), true);
    if accesses {
        whole.places.iter().for_each(|(at, place, _)| expected[*place] *= 1.0 + 0.01 * at[0] as f64);
    }
    let what = || format!("seed {seed} on {}: {transform:?}", device.info().id);
    let found = match (is_real, algebra) {
        (false, Algebra::ComplexF32) => {
            let x: Vec<stockham::Complex32> =
                numbers.iter().map(|x| stockham::Complex32::new(x.re as f32, x.im as f32)).collect();
            run::<_, stockham::Complex32>(device, &transform, &x)
                .map(|y| y.iter().map(|x| Complex64::new(x.re.into(), x.im.into())).collect())
        }
        (false, _) => run::<_, Complex64>(device, &transform, &numbers),
        (true, Algebra::ComplexF32) => {
            let x: Vec<f32> = numbers.iter().map(|x| x.re as f32).collect();
            run::<_, f32>(device, &transform, &x).map(|y| y.iter().map(|x| one(f64::from(*x))).collect::<Vec<_>>())
        }
        (true, _) => {
            let x: Vec<f64> = numbers.iter().map(|x| x.re).collect();
            run::<_, f64>(device, &transform, &x).map(|y| y.iter().map(|x| one(*x)).collect())
        }
    };
    let found: Vec<Complex64> = found.unwrap_or_else(|error| panic!("{error}: {}", what()));
    let most = expected.iter().chain(&spectrum).map(|x| x.norm()).fold(1e-9, f64::max);
    if !(all_finite(&expected) && all_finite(&spectrum)) || most > 1e12 {
        return;
    }
    let bound = 4000.0 * algebra.unit_roundoff().unwrap() * most.max(most * most);
    for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!((found - expected).norm() <= bound, "{found}, not {expected} ± {bound:e}, number {place}: {}", what());
    }
}

#[test]
fn filters_are_transforms_there_and_back() {
    for device in devices() {
        for seed in 0..2 * cases(&device) {
            check_filter(&device, seed, Algebra::ComplexF32);
            if device.info().has_f64 {
                check_filter(&device, seed + 1000, Algebra::ComplexF64);
            }
        }
    }
}

#[test]
fn filters_that_fit_a_tile_are_one_kernel() {
    for device in devices().into_iter().filter(|device| !is_cpu(device)) {
        for n in [64, 100, 1024, 2048] {
            let by = |points: usize| Expr::value() * Expr::along(0, &vec![0.5; points]);
            let complex = Transform::new(Algebra::ComplexF32, n).batch(7).filtered(by(n));
            let real = Transform::real(Algebra::ComplexF32, 2 * n).batch(7).filtered(by(n + 1));
            for transform in [complex, real] {
                let kernels = device.plan(&transform).unwrap().kernel_reports().len();
                assert_eq!(kernels, 1, "{n} points on {}", device.info().id);
            }
        }
    }
}
