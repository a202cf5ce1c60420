//! One-line calls on arrays of `ndarray`: as those on slices, along any axes, whatever way the array lies.

use ndarray::{Array, ArrayD, ArrayViewD, Axis, IxDyn, Slice};
use proptest::prelude::*;
use stockham::accuracy::random;
use stockham::ndarray as arrays;
use stockham::{Complex64, Error, Goldilocks, TrigType};

/// An array, and what makes a view of it: its axes in another order, each with a step, which may be negative.
#[derive(Debug, Clone)]
struct Case {
    shape: Vec<usize>,
    order: Vec<usize>,
    steps: Vec<isize>,
    axes: Vec<usize>,
}

fn cases() -> impl Strategy<Value = Case> {
    let of_rank = |rank: usize| {
        let axes = (Just((0..rank).collect::<Vec<_>>()).prop_shuffle(), 1..=rank);
        let steps = prop::collection::vec(prop::sample::select(vec![1isize, 1, 1, 2, 3, -1, -2]), rank);
        let order = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
        (prop::collection::vec(2usize..8, rank), order, steps, axes)
            .prop_map(|(shape, order, steps, (axes, count))| Case { shape, order, steps, axes: axes[..count].to_vec() })
    };
    (1usize..5).prop_flat_map(of_rank)
}

fn view<'a, T>(array: &'a ArrayD<T>, case: &Case) -> ArrayViewD<'a, T> {
    let mut view = array.view().permuted_axes(IxDyn(&case.order));
    for (axis, step) in case.steps.iter().enumerate() {
        view.slice_axis_inplace(Axis(axis), Slice::new(0, None, *step));
    }
    view
}

/// Line by line, by the calls on slices.
fn along<T: Copy>(x: &ArrayD<T>, axes: &[usize], line: impl Fn(&mut Vec<T>)) -> ArrayD<T> {
    let mut array = x.to_owned();
    for &axis in axes {
        for mut lane in array.lanes_mut(Axis(axis)) {
            let mut values = lane.to_vec();
            line(&mut values);
            lane.iter_mut().zip(values).for_each(|(to, value)| *to = value);
        }
    }
    array
}

fn complex(shape: &[usize]) -> ArrayD<Complex64> {
    Array::from_shape_vec(IxDyn(shape), random(shape.iter().product(), 5)).unwrap()
}

fn off(a: &ArrayD<Complex64>, b: &ArrayD<Complex64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    assert!(a.is_standard_layout());
    let (difference, size) =
        (a - b).iter().zip(b).fold((0.0, 1e-300), |(d, s), (x, y)| (d + x.norm_sqr(), s + y.norm_sqr()));
    (difference / size).sqrt()
}

fn off_real(a: &ArrayD<f64>, b: &ArrayD<f64>) -> f64 {
    assert!(a.is_standard_layout());
    off(&a.mapv(Complex64::from), &b.mapv(Complex64::from))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn views_are_transformed_as_their_lines(case in cases()) {
        let array = complex(&case.shape);
        let x = view(&array, &case);
        let expected = along(&x.to_owned(), &case.axes, |line| stockham::fft(line).unwrap());
        let found = arrays::fftn(&x, case.axes.iter().copied()).unwrap();
        prop_assert!(off(&found, &expected) < 1e-14);
        let back = arrays::ifftn(&found, case.axes.iter().copied()).unwrap();
        prop_assert!(off(&back, &x.to_owned()) < 1e-14);
    }

    #[test]
    fn half_spectra_are_halves_and_lead_back(case in cases()) {
        let array = complex(&case.shape).mapv(|z| z.re);
        let x = view(&array, &case);
        let last = *case.axes.last().unwrap();
        let n = x.shape()[last];
        let whole = arrays::fftn(&x.mapv(Complex64::from), case.axes.iter().copied()).unwrap();
        let half = arrays::rfftn(&x, case.axes.iter().copied()).unwrap();
        prop_assert!(off(&half, &whole.slice_axis(Axis(last), Slice::from(..n / 2 + 1)).to_owned()) < 1e-14);
        let back = arrays::irfftn(&half, n, case.axes.iter().copied()).unwrap();
        prop_assert!(off_real(&back, &x.to_owned()) < 1e-14);
    }

    #[test]
    fn cosines_and_sines_go_line_by_line(case in cases(), of in prop::sample::select(vec![TrigType::I, TrigType::II, TrigType::III, TrigType::IV])) {
        let array = complex(&case.shape).mapv(|z| z.re);
        let x = view(&array, &case);
        prop_assume!(of != TrigType::I || x.shape().iter().all(|n| *n > 1));
        let axes = || case.axes.iter().copied();
        let expected = along(&x.to_owned(), &case.axes, |line| stockham::dct(line, of).unwrap());
        let found = arrays::dctn(&x, of, axes()).unwrap();
        prop_assert!(off_real(&found, &expected) < 1e-14);
        prop_assert!(off_real(&arrays::idctn(&found, of, axes()).unwrap(), &x.to_owned()) < 1e-14);
        let expected = along(&x.to_owned(), &case.axes, |line| stockham::dst(line, of).unwrap());
        let found = arrays::dstn(&x, of, axes()).unwrap();
        prop_assert!(off_real(&found, &expected) < 1e-14);
        prop_assert!(off_real(&arrays::idstn(&found, of, axes()).unwrap(), &x.to_owned()) < 1e-14);
    }
}

#[test]
fn one_axis_is_as_several() {
    let x = complex(&[3, 4, 5]);
    for axis in 0..3 {
        assert_eq!(arrays::fft(&x, axis).unwrap(), arrays::fftn(&x, [axis]).unwrap());
        let real = x.mapv(|z| z.re);
        let half = arrays::rfft(&real, axis).unwrap();
        assert_eq!(half, arrays::rfftn(&real, [axis]).unwrap());
        assert!(off_real(&arrays::irfft(&half, real.shape()[axis], axis).unwrap(), &real) < 1e-14);
    }
}

#[test]
fn fields_have_arrays_too() {
    let x = Array::from_shape_vec((3, 8), random::<Goldilocks>(24, 3)).unwrap();
    let back = arrays::ifft(&arrays::fft(&x.t(), 0).unwrap(), 0).unwrap();
    assert_eq!(back, x.t());
}

#[test]
fn what_is_not_there_is_refused() {
    let x = complex(&[3, 4]);
    let is_invalid = |result: Result<ArrayD<Complex64>, Error>| matches!(result, Err(Error::InvalidTransform(_)));
    for axes in [vec![], vec![2], vec![1, 1], vec![0, 1, usize::MAX]] {
        assert!(is_invalid(arrays::fftn(&x, axes.iter().copied())), "{axes:?}");
        assert!(is_invalid(arrays::fftn(&x.t(), axes.iter().copied())), "{axes:?}");
    }
    assert!(is_invalid(arrays::fftn(&complex(&[3, 0, 4]), [2])));
    assert!(is_invalid(arrays::fft(&complex(&[]), 0)));
    for n in [0, 5, 8, usize::MAX] {
        let real = arrays::irfft(&x, n, 1).map(|x| x.mapv(Complex64::from));
        assert!(is_invalid(real), "{n}");
    }
}
