//! The same over big primes: values, layouts of strides and digits, long transforms, planted faults, misuse.

use stockham::algebra::{BigElement, Numbers, Ring, Root, Scale};
use stockham::autosort::ShiftingAutosort;
use stockham::{
    Algebra, BigPrime, Complex32, Data, Device, Digit, Direction, Error, Layout, Normalization, Placement, Result,
    Transform, intt, naive, ntt,
};

use crate::common::{DIRECTIONS, devices, is_cpu, is_slow};
use crate::layouts::layouts;

/// The same elements for the same seed; every fifth is one at which carries run through.
fn elements<const K: usize>(prime: BigPrime, n: usize, seed: u64) -> Vec<BigElement<K>> {
    let one = BigElement::<K>::from_u64(prime.field(), 1);
    let mut state = seed;
    let mut digit = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        (state ^ state >> 31) % prime.radix()
    };
    let element = |i: usize| match i % 25 {
        0 => one.neg(),
        5 => one.sub(&one),
        10 => one.mul_pow_r(i / 5),
        15 => one.mul_pow_r(i / 5).sub(&one),
        20 => BigElement::new(prime.field(), [prime.radix() - 1; K]).unwrap(),
        _ => BigElement::new(prime.field(), std::array::from_fn(|_| digit())).unwrap(),
    };
    (0..n).map(element).collect()
}

/// Digits of elements as they lie in a buffer.
fn laid_out<D: Digit, const K: usize>(x: &[[u64; K]], layout: Layout) -> Vec<D> {
    let (next_element, next_digit) = layout.strides(K, x.len());
    let mut values = vec![D::truncated(0); x.len() * K];
    for (i, digits) in x.iter().enumerate() {
        digits.iter().enumerate().for_each(|(c, &d)| values[i * next_element + c * next_digit] = D::truncated(d));
    }
    values
}

fn digits<const K: usize>(x: &[BigElement<K>]) -> Vec<[u64; K]> {
    x.iter().map(|x| *x.digits()).collect()
}

/// The scaled transform of one line: by the definition if it is short, or by the host's algorithm, which is tested
/// against the definition on its own.
fn reference<const K: usize>(line: &[BigElement<K>], transform: &Transform) -> Vec<BigElement<K>> {
    let mut y = line.to_vec();
    if line.len() <= 64 {
        y = naive::dft(line, transform.direction);
    } else {
        let autosort = ShiftingAutosort::over(&line[0], line.len(), transform.direction).unwrap();
        autosort.process(&mut y, &mut line.to_vec());
    }
    y.iter().map(|x| x.scaled(transform.scale())).collect()
}

/// What a place that is not written must keep: no digits of any element.
const POISON: u64 = u64::MAX;

/// Runs the transform in its placement and compares every digit of the output, gaps included.
fn check<D: Digit, const K: usize>(device: &Device, transform: &Transform) {
    let Algebra::BigPrime(prime) = transform.algebra else { panic!("a transform over a big prime") };
    let x = elements::<K>(prime, transform.input_len(), transform.points() as u64);
    let in_place = transform.placement == Placement::InPlace;
    let mut expected = if in_place { digits(&x) } else { vec![[POISON; K]; transform.output_len()] };
    let dim = transform.dims[0];
    for index in 0..transform.batch_count() {
        let (mut rest, mut from, mut to) = (index, 0, 0);
        for d in transform.batch.iter().rev() {
            (from, to) = (from + rest % d.n * d.input_stride, to + rest % d.n * d.output_stride);
            rest /= d.n;
        }
        let line: Vec<_> = (0..dim.n).map(|j| x[from + j * dim.input_stride]).collect();
        for (j, y) in reference(&line, transform).iter().enumerate() {
            expected[to + j * dim.output_stride] = *y.digits();
        }
    }
    let executable = device.plan(transform).unwrap();
    let input = laid_out::<D, K>(&digits(&x), transform.input_layout);
    let mut data = device.upload(&input).unwrap();
    let found = if in_place {
        executable.run_in_place(&mut data).unwrap();
        data.to_vec().unwrap()
    } else {
        let mut output = device.upload(&vec![D::truncated(POISON); transform.output_len() * K]).unwrap();
        executable.run(&data, &mut output).unwrap();
        assert!(data.to_vec().unwrap() == input, "{executable:?} changed its input");
        output.to_vec().unwrap()
    };
    assert!(found == laid_out::<D, K>(&expected, transform.output_layout), "{executable:?}");
}

fn values<D: Digit, const K: usize>(prime: BigPrime, lengths: &[usize]) {
    for device in devices() {
        let of = |n, direction| Transform::new(Algebra::BigPrime(prime), n).batch(3).direction(direction);
        if is_slow(&device) {
            // Kernels over more digits take such a compiler minutes. Each kind of digits goes one way.
            if K <= 16 {
                let n = if K < 16 { lengths[lengths.len() - 1] } else { lengths[1] };
                match size_of::<D>() {
                    8 => check::<D, K>(&device, &of(n, Direction::Inverse)),
                    _ => {
                        check::<D, K>(&device, &of(n, Direction::Forward).in_place().normalization(Normalization::None))
                    }
                }
            }
            continue;
        }
        for (case, &n) in lengths.iter().enumerate() {
            for (turn, direction) in DIRECTIONS.into_iter().enumerate() {
                let transform = of(n, direction);
                let in_place = transform.clone().in_place().normalization(Normalization::None);
                // Every kernel is compiled for itself: the CPU takes all of them, other devices each length both ways.
                if is_cpu(&device) || (case + turn) % 2 == 0 {
                    check::<D, K>(&device, &transform);
                }
                if is_cpu(&device) || (case + turn) % 2 == 1 {
                    check::<D, K>(&device, &in_place);
                }
            }
        }
    }
}

/// A law a prime: each has kernels of its own to compile.
macro_rules! values {
    ($($name:ident: $digit:ty, $k:literal, $prime:expr, $lengths:expr;)*) => {$(
        #[test]
        fn $name() {
            values::<$digit, $k>($prime, &$lengths);
        }
    )*};
}

values! {
    values_over_p1: u64, 2, BigPrime::P1, [1, 2, 4, 8, 64, 1024];
    values_over_p2: u64, 4, BigPrime::P2, [1, 2, 8, 16, 64, 1024];
    values_over_p3: u64, 8, BigPrime::P3, [1, 2, 4, 8, 16, 32, 64, 256, 512, 4096];
    values_over_p4: u64, 16, BigPrime::P4, [2, 16, 32, 64, 1024];
    values_over_p5: u64, 32, BigPrime::P5, [32, 64, 128];
    values_over_p6: u64, 64, BigPrime::P6, [2, 128];
    values_over_p7: u64, 128, BigPrime::P7, [8];
    values_over_a_radix_of_three_bits: u64, 8, BigPrime::new((1 << 59) + (1 << 57) + (1 << 39), 8).unwrap(), [16, 256];
    values_over_g4: u32, 4, BigPrime::G4, [1, 2, 8, 16, 64, 1024];
    values_over_g8: u32, 8, BigPrime::G8, [1, 2, 4, 8, 16, 32, 64, 256, 512, 4096];
    values_over_g16: u32, 16, BigPrime::G16, [2, 16, 32, 64, 1024];
    values_over_g32: u32, 32, BigPrime::G32, [32, 64, 128];
    values_over_g64: u32, 64, BigPrime::G64, [2, 128];
    values_over_g256: u32, 256, BigPrime::G256, [4];
}

/// Every layout of strides and digits.
fn lay_out<D: Digit, const K: usize>(prime: BigPrime) {
    const LAYOUTS: [Layout; 2] = [Layout::Plain, Layout::Sliced];
    for device in devices() {
        for n in [1, 8, 64] {
            for (case, (name, dims, batch)) in layouts(n).into_iter().enumerate() {
                for layout in 0..4 {
                    let takes = is_cpu(&device) || case % 4 == layout;
                    // Of few kernels, each kind of digits has half.
                    let is_left_out = is_slow(&device) && (n != 8 || case % 2 != usize::from(K == 8));
                    if !takes || is_left_out {
                        continue;
                    }
                    println!("{name}, n = {n}, layout {layout}");
                    let (input, output) = (LAYOUTS[layout / 2], LAYOUTS[layout % 2]);
                    let base = Transform::new(Algebra::BigPrime(prime), n).layouts(input, output);
                    let transform = base.with_dims(dims.clone()).with_batch(batch.clone());
                    let transform = if case % 2 == 1 { transform.inverse() } else { transform };
                    check::<D, K>(&device, &transform);
                    let mut all = transform.dims.iter().chain(&transform.batch);
                    if input == output && all.all(|d| d.input_stride == d.output_stride) {
                        check::<D, K>(&device, &transform.in_place());
                    }
                }
            }
        }
    }
}

#[test]
fn every_layout_over_64_bit_digits() {
    lay_out::<u64, 8>(BigPrime::P3);
}

#[test]
fn every_layout_over_32_bit_digits() {
    lay_out::<u32, 4>(BigPrime::G4);
}

/// What needs no reference: single outputs by Horner's rule; ΣX = n·x[0]; and all outputs at once as the coefficients of
/// a polynomial at a random place c: Σ_k c^k X[k] = Σ_j x[j]·(c^n − 1)/(c·ω^j − 1), which a wrong output passes with a
/// probability of n/p at most.
fn obeys<const K: usize>(x: &[BigElement<K>], y: &[BigElement<K>], direction: Direction) -> bool {
    let n = x.len();
    let (zero, one) = (x[0].integer(0), x[0].integer(1));
    let horner = |terms: &[BigElement<K>], at| terms.iter().rev().fold(zero, |sum, term| sum.mul(&at).add(term));
    let single = [1, n / 2, n / 7 * 3].iter().all(|&k| y[k] == horner(x, one.root_of_unity(direction.root(k, n))));
    let sum = y.iter().fold(zero, |sum, y| sum.add(y)) == x[0].mul(&x[0].integer(n as u64));

    let c = elements::<K>(x[0].field().prime(), 2, n as u64)[1];
    let roots = one.roots_of_unity(direction, n, n);
    let divisors: Vec<_> = roots.iter().map(|w| c.mul(w).sub(&one)).collect();
    // One inverse for all: from 1/(d_0 … d_j) and d_0 … d_{j−1} follow 1/d_j and 1/(d_0 … d_{j−1}).
    let mut products = vec![one];
    divisors.iter().for_each(|d| products.push(products[products.len() - 1].mul(d)));
    let mut inverse = products[n].inverse().expect("c is no root of unity");
    let mut quotients = zero;
    for j in (0..n).rev() {
        quotients = quotients.add(&x[j].mul(&inverse.mul(&products[j])));
        inverse = inverse.mul(&divisors[j]);
    }
    single && sum && horner(y, c) == quotients.mul(&c.pow(n as u64).sub(&one))
}

#[test]
fn long_transforms_obey_the_definition_and_invert() {
    fn long<D: Digit, const K: usize>(prime: BigPrime, n: usize) {
        let x = elements::<K>(prime, n, 5);
        let element = |digits: &[D]| BigElement::new(prime.field(), std::array::from_fn(|c| digits[c].into())).unwrap();
        for device in devices() {
            if is_slow(&device) && size_of::<D>() * K != 32 {
                continue;
            }
            for direction in DIRECTIONS.into_iter().take(if is_slow(&device) { 1 } else { 2 }) {
                let there = Transform::new(Algebra::BigPrime(prime), n).direction(direction);
                let there = there.normalization(Normalization::None);
                let back = there.clone().direction(direction.reversed()).normalization(match direction {
                    Direction::Forward => Normalization::Backward,
                    Direction::Inverse => Normalization::Forward,
                });
                let mut data = device.upload(&laid_out::<D, K>(&digits(&x), Layout::Plain)).unwrap();
                let mut output = device.alloc(n * K).unwrap();
                device.plan(&there).unwrap().run(&data, &mut output).unwrap();
                let y: Vec<BigElement<K>> = output.to_vec().unwrap().chunks(K).map(element).collect();
                assert!(obeys(&x, &y, direction), "{prime}, n = {n}, {direction:?}");
                device.plan(&back).unwrap().run(&output, &mut data).unwrap();
                assert!(data.to_vec().unwrap() == laid_out::<D, K>(&digits(&x), Layout::Plain), "{prime}, n = {n}");
            }
        }
    }
    long::<u64, 8>(BigPrime::P3, 1 << 14);
    long::<u32, 8>(BigPrime::G8, 1 << 15);
    long::<u64, 16>(BigPrime::P4, 1 << 11);
    long::<u64, 2>(BigPrime::H2, 1 << 16);
}

/// The faults of published codes among them: a twiddle step that skips half of the elements, an addition that gives
/// the digits of r^k, a sum that is corrupt where a difference is −1.
#[test]
fn planted_faults_are_caught() {
    const K: usize = 8;
    type Element = BigElement<K>;
    let (n, prime) = (1 << 10, BigPrime::P3);
    let x = elements::<K>(prime, n, 11);
    let one = Element::from_u64(prime.field(), 1);
    let mut right = x.clone();
    let autosort = ShiftingAutosort::over(&one, n, Direction::Forward).unwrap();
    autosort.process(&mut right, &mut x.clone());
    assert!(obeys(&x, &right, Direction::Forward));
    // One radix-2 step from two right halves, with twiddles that a function chooses.
    let halves: Vec<Vec<Element>> = (0..2)
        .map(|offset| {
            let mut half: Vec<_> = x.iter().skip(offset).step_by(2).copied().collect();
            let autosort = ShiftingAutosort::over(&one, n / 2, Direction::Forward).unwrap();
            let mut scratch = half.clone();
            autosort.process(&mut half, &mut scratch);
            half
        })
        .collect();
    let joined = |twiddled: &dyn Fn(usize, Element) -> Element,
                  butterfly: &dyn Fn(Element, Element) -> [Element; 2]| {
        let pairs: Vec<_> = (0..n / 2).map(|k| butterfly(halves[0][k], twiddled(k, halves[1][k]))).collect();
        pairs.iter().map(|p| p[0]).chain(pairs.iter().map(|p| p[1])).collect::<Vec<_>>()
    };
    let twiddled = |k: usize, x: Element| x.mul(&one.root_of_unity(Root::new(k, n)));
    let butterfly = |a: Element, b: Element| [a.add(&b), a.sub(&b)];
    assert_eq!(joined(&twiddled, &butterfly), right);
    let changed = |change: &dyn Fn(&mut Vec<Element>)| {
        let mut y = right.clone();
        change(&mut y);
        y
    };
    let faults = [
        ("two outputs swapped", changed(&|y| y.swap(1, 2))),
        ("one output off by one", changed(&|y| y[77] = y[77].add(&one))),
        ("one digit off", changed(&|y| y[78] = y[78].add(&one.mul_pow_r(5)))),
        ("digits rotated", changed(&|y| y[79] = y[79].mul_pow_r(1))),
        ("the last never written", changed(&|y| y[n - 1] = one.sub(&one))),
        ("the other direction", changed(&|y| y[1..].reverse())),
        ("scaled", changed(&|y| y.iter_mut().for_each(|y| *y = y.scaled(Scale::Inverse(n))))),
        ("half of the twiddles skipped", joined(&|k, x| if k % 2 == 0 { twiddled(k, x) } else { x }, &butterfly)),
        ("one twiddle wrong", joined(&|k, x| if k == 333 { x } else { twiddled(k, x) }, &butterfly)),
        (
            "a carry lost",
            joined(&twiddled, &|a, b| {
                let [sum, difference] = butterfly(a, b);
                let carried = sum.digits()[K - 1] < a.digits()[K - 1];
                [if carried { sum.add(&one) } else { sum }, difference]
            }),
        ),
    ];
    for (name, y) in faults {
        assert!(!obeys(&x, &y, Direction::Forward), "{name}");
    }
    // Digits that are no element's are refused where they enter.
    let r = prime.radix();
    for wrong in [[0, 0, 0, 0, 0, 0, r, 0], [1, 0, 0, 0, 0, 0, 0, r], [0, 0, r + 1, 0, 0, 0, 0, 0]] {
        assert!(matches!(Element::new(prime.field(), wrong), Err(Error::Digit { .. })), "{wrong:?}");
    }
}

#[test]
fn misuse_is_an_error() {
    let prime = BigPrime::P3;
    let algebra = Algebra::BigPrime(prime);
    for device in devices() {
        let n = 16;
        let executable = device.plan(&Transform::new(algebra, n)).unwrap();
        let (input, mut output) = (device.upload(&[0u64; 128]).unwrap(), device.alloc::<u64>(128).unwrap());
        executable.run(&input, &mut output).unwrap();
        let refused = |result: Result<()>| result.expect_err("misuse");
        let (narrow, mut narrow_out) = (device.alloc::<u32>(128).unwrap(), device.alloc::<u32>(128).unwrap());
        let error = refused(executable.run(&narrow, &mut narrow_out));
        assert_eq!(error, Error::ElementType { buffer: "input", expected: "P3", found: "u32" });
        let (complex, mut complex_out) = (device.alloc::<Complex32>(n).unwrap(), device.alloc::<Complex32>(n).unwrap());
        assert!(matches!(refused(executable.run(&complex, &mut complex_out)), Error::ElementType { .. }));
        assert!(matches!(refused(executable.runner::<u32>().map(drop)), Error::ElementType { .. }));
        let short = device.alloc::<u64>(n).unwrap();
        let error = refused(executable.run(&short, &mut output));
        assert_eq!(error, Error::BufferLength { buffer: "input", expected: 128, found: 16 });
        let mut other = device.plan(&Transform::new(algebra, n)).unwrap().runner::<u64>().unwrap();
        other.run(&input, &mut output).unwrap();

        let refused = |transform: Transform| device.plan(&transform).map(drop).expect_err("misuse");
        for n in [12, 1 << 49] {
            let error = refused(Transform::new(algebra, n));
            assert!(matches!(error, Error::Unsupported { .. }), "{n}: {error}");
        }
        let error = refused(Transform::new(algebra, 1 << 46));
        assert!(matches!(error, Error::OutOfMemory { .. } | Error::Unsupported { .. }), "{error}");
        let ortho = Transform::new(algebra, n).normalization(Normalization::Ortho);
        assert!(matches!(refused(ortho), Error::Unsupported { .. }));
        let uneven = Transform::new(algebra, n).in_place().layouts(Layout::Plain, Layout::Sliced);
        assert!(matches!(refused(uneven), Error::InvalidTransform(_)));
    }
    assert_eq!((u64::per_element(algebra), u32::per_element(algebra)), (Some(8), None));
    assert_eq!(u64::per_element(Algebra::Goldilocks), None);
}

/// The host's own slices are checked.
#[test]
fn one_line_calls() {
    let prime = BigPrime::G8;
    let x = laid_out::<u32, 8>(&digits(&elements::<8>(prime, 64, 3)), Layout::Plain);
    let mut y = x.clone();
    ntt(prime, &mut y).unwrap();
    assert_ne!(x, y);
    intt(prime, &mut y).unwrap();
    assert_eq!(x, y);
    y[8 * 20 + 3] = u32::MAX;
    let error = ntt(prime, &mut y).unwrap_err();
    assert!(matches!(error, Error::Digit { element: 20, digit: 3, field: "G8", .. }), "{error}");
    assert!(matches!(ntt(prime, &mut y[..60]), Err(Error::BufferLength { expected: 64, found: 60, .. })));
    assert!(matches!(ntt::<u32>(prime, &mut []), Err(Error::InvalidTransform(_))));
    assert!(matches!(ntt(prime, &mut [0u64; 64]), Err(Error::ElementType { .. })));
    assert!(matches!(ntt(prime, &mut [0u32; 24]), Err(Error::Unsupported { .. })));
}

/// Digits that slip into a device's buffer unchecked: the CPU's transforms refuse them all the same.
#[test]
fn the_cpu_refuses_wrong_digits() {
    let device = Device::cpu();
    let executable = device.plan(&Transform::new(Algebra::BigPrime(BigPrime::P3), 16).in_place()).unwrap();
    let mut values = [0u64; 128];
    values[37] = BigPrime::P3.radix();
    let error = executable.run_in_place(&mut device.upload(&values).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Digit { element: 4, digit: 5, .. }), "{error}");
}
