//! The same over prime fields of one machine word: values by the definition, strides, products, misuse.

use stockham::accuracy::random_words;
use stockham::algebra::{MachineWord, Numbers, PrimeField, Residue, Ring, Root, WordElement, WordField};
use stockham::polynomial::{Multiplier, Product};
use stockham::{Algebra, Device, Digit, Dim, Direction, Error, Goldilocks, Layout, Normalization, Transform, naive};

use crate::common::{DIRECTIONS, devices, is_slow};

/// Every seventh is at an edge.
fn residues<W: Digit + MachineWord>(field: WordField, n: usize, seed: u64) -> Vec<W> {
    let edges = [0, 1, field.modulus() - 1, field.modulus() / 2];
    let mut values: Vec<W> = random_words(field, n, seed);
    values.iter_mut().step_by(7).enumerate().for_each(|(i, x)| *x = W::truncated(edges[i % 4]));
    values
}

fn elements<W: Digit + MachineWord>(field: WordField, values: &[W]) -> Vec<WordElement<W>> {
    values.iter().map(|&value| WordElement::new(field, value).unwrap()).collect()
}

fn values<W: Digit + MachineWord>(name: &str, lengths: &[usize]) {
    values_on::<W>(&devices(), name, lengths);
}

fn values_on<W: Digit + MachineWord>(devices: &[Device], name: &str, lengths: &[usize]) {
    let field: WordField = name.parse().unwrap();
    for device in devices {
        let few = if is_slow(device) { 1 } else { lengths.len() };
        for &n in &lengths[lengths.len() - few..] {
            for &direction in &DIRECTIONS {
                let x = residues::<W>(field, 3 * n, n as u64);
                let transform = Transform::new(Algebra::WordField(field), n).batch(3).direction(direction);
                let of_line = |line: &[W]| -> Vec<W> {
                    let line = naive::dft(&elements(field, line), direction);
                    line.into_iter().map(|y| y.scaled(transform.scale()).value()).collect()
                };
                let expected: Vec<W> = x.chunks(n).flat_map(of_line).collect();
                // Slow devices take each place one way.
                let takes = |in_place| !is_slow(device) || in_place == (direction == Direction::Forward);
                if takes(false) {
                    let input = device.upload(&x).unwrap();
                    let mut output = device.alloc::<W>(3 * n).unwrap();
                    device.plan(&transform).unwrap().run(&input, &mut output).unwrap();
                    let found = output.to_vec().unwrap();
                    assert!(found == expected, "{field}, n = {n}, {direction:?}, {:?}", device.info().id);
                }
                if takes(true) {
                    let mut data = device.upload(&x).unwrap();
                    device.plan(&transform.in_place()).unwrap().run_in_place(&mut data).unwrap();
                    assert!(data.to_vec().unwrap() == expected, "{field}, n = {n}, {direction:?}, in place");
                }
            }
        }
    }
}

#[test]
fn values_over_words_of_32_bits() {
    values::<u32>("babybear", &[1, 2, 4, 32, 256, 2048]);
    values::<u32>("koalabear", &[8, 512]);
    values::<u32>("998244353", &[16, 1024]);
    values::<u32>("babybear@risc0", &[64]);
    values::<u32>("17", &[4, 16]);
}

#[test]
fn values_over_words_of_64_bits() {
    values::<u64>("0x3fffffee00000001", &[2, 16, 512]);
    values::<u64>("0x7ffffff900000001", &[1024]);
}

/// All short lengths that have roots on the CPU, and some elsewhere: of codelets, by convolutions, beside others.
#[test]
fn values_of_all_lengths() {
    let cpu = [Device::cpu()];
    let of = |name: &str, most: usize| -> Vec<usize> {
        let field: WordField = name.parse().unwrap();
        (1..=most).filter(|n| field.has_root(*n)).collect()
    };
    // p − 1 is 2^27·3·5, 2·3²·7·11·31·151·331, and 2^24·127.
    values_on::<u32>(&cpu, "babybear", &of("babybear", 130));
    values_on::<u32>(&cpu, "2147483647", &of("2147483647", 160));
    values_on::<u32>(&cpu, "koalabear/montgomery", &of("koalabear", 260));
    // 2^16·3·5·7·37·k.
    values_on::<u64>(&cpu, "0x10008330001", &of("0x10008330001", 120));
    values::<u32>("babybear", &[15]);
    values::<u32>("koalabear/montgomery", &[127]);
}

/// Those whose convolutions take several passes.
#[test]
fn values_of_long_prime_lengths() {
    let n = 65_537;
    for device in devices() {
        let x: Vec<Goldilocks> = (0..n as u64).map(|j| Goldilocks::reduce(j * j + 5)).collect();
        let input = device.upload(&x).unwrap();
        let (mut output, mut back) = (device.alloc::<Goldilocks>(n).unwrap(), device.alloc::<Goldilocks>(n).unwrap());
        let forward = Transform::new(Algebra::Goldilocks, n);
        device.plan(&forward).unwrap().run(&input, &mut output).unwrap();
        let y = output.to_vec().unwrap();
        for k in [0, 1, 2, n / 2, n - 1] {
            let root = Goldilocks::reduce(0).integer(1).root_of_unity(Root::new(k, n));
            let expected = x.iter().rev().fold(Goldilocks::reduce(0), |sum, x| sum.mul(&root).add(x));
            assert_eq!(y[k], expected, "output {k} on {:?}", device.info().id);
        }
        // The way back is the same kernels by other roots.
        if is_slow(&device) {
            continue;
        }
        device.plan(&forward.inverse()).unwrap().run(&output, &mut back).unwrap();
        assert!(back.to_vec().unwrap() == x, "{:?}", device.info().id);
    }
}

/// Outputs of long transforms at some places, and the way back.
#[test]
fn several_passes() {
    let field: WordField = "koalabear".parse().unwrap();
    for device in devices() {
        let n = if is_slow(&device) { 1 << 16 } else { 1 << 20 };
        let x = residues::<u32>(field, n, 1);
        let forward = Transform::new(Algebra::WordField(field), n);
        let input = device.upload(&x).unwrap();
        let (mut output, mut back) = (device.alloc::<u32>(n).unwrap(), device.alloc::<u32>(n).unwrap());
        device.plan(&forward).unwrap().run(&input, &mut output).unwrap();
        let y = output.to_vec().unwrap();
        for k in [0, 1, 2, n / 2, n / 3, n - 1] {
            let root = field.root(stockham::algebra::Root::new(k, n));
            assert_eq!(u64::from(y[k]), field.evaluate(&x, 0..n, root), "output {k} on {:?}", device.info().id);
        }
        device.plan(&forward.inverse()).unwrap().run(&output, &mut back).unwrap();
        assert!(back.to_vec().unwrap() == x, "{:?}", device.info().id);
    }
}

/// A matrix whose columns are transformed: strides.
#[test]
fn columns_of_a_matrix() {
    let (field, n, width): (WordField, _, _) = ("babybear".parse().unwrap(), 256, 48);
    let x = residues::<u32>(field, n * width, 5);
    let transform = Transform::new(Algebra::WordField(field), n)
        .with_dims([Dim::new(n, width)])
        .with_batch([Dim::new(width, 1)])
        .in_place();
    let column = |c: usize| -> Vec<u32> { (0..n).map(|j| x[j * width + c]).collect() };
    for device in devices() {
        let mut data = device.upload(&x).unwrap();
        device.plan(&transform).unwrap().run_in_place(&mut data).unwrap();
        let y = data.to_vec().unwrap();
        for c in [0, 1, 31, 32, 47] {
            let expected = naive::dft(&elements(field, &column(c)), Direction::Forward);
            assert!((0..n).all(|k| y[k * width + c] == expected[k].value()), "column {c} on {:?}", device.info().id);
        }
    }
}

/// Negacyclic, which takes every step: (x^n + 1 = 0).
#[test]
fn products_of_polynomials() {
    let (n, field): (_, WordField) = (64, "998244353".parse().unwrap());
    let (a, b) = (residues::<u32>(field, n, 1), residues::<u32>(field, n, 2));
    let (x, y) = (elements(field, &a), elements(field, &b));
    let mut expected = vec![x[0].sub(&x[0]); n];
    for (i, a) in x.iter().enumerate() {
        for (j, b) in y.iter().enumerate() {
            let c = &mut expected[(i + j) % n];
            *c = if i + j < n { c.add(&a.mul(b)) } else { c.sub(&a.mul(b)) };
        }
    }
    let expected: Vec<u32> = expected.iter().map(WordElement::value).collect();
    for device in devices() {
        let mut multiplier = Multiplier::plan(&device, Algebra::WordField(field), Product::Negacyclic, n, n).unwrap();
        assert!(multiplier.multiply(&a, &b).unwrap() == expected, "{:?}", device.info().id);
    }
}

#[test]
fn misuse_is_an_error() {
    let algebra: Algebra = "998244353".parse().unwrap();
    let device = Device::cpu();
    let plan = |n| device.plan(&Transform::new(algebra, n)).map(drop);
    for n in [3, 1 << 24] {
        assert!(matches!(plan(n), Err(Error::Unsupported { .. })), "{n}");
    }
    let executable = device.plan(&Transform::new(algebra, 4).in_place()).unwrap();
    let error = executable.run_in_place(&mut device.upload(&[1u32, 998_244_353, 2, 3]).unwrap()).unwrap_err();
    let (value, modulus) = (998_244_353, 998_244_353);
    assert_eq!(error, Error::FieldValue { index: 1, value, field: "998244353", modulus });
    assert!(matches!(executable.run_in_place(&mut device.upload(&[1u64; 4]).unwrap()), Err(Error::ElementType { .. })));
    for transform in [
        Transform::new(algebra, 4).normalization(Normalization::Ortho),
        Transform::new(algebra, 4).layouts(Layout::Sliced, Layout::Sliced),
    ] {
        assert!(device.plan(&transform).is_err(), "{transform:?}");
    }
}

/// Roots are given by name or by value, and others are refused.
#[test]
fn roots_are_presets_or_values() {
    let babybear: Algebra = "babybear".parse().unwrap();
    assert_eq!(babybear.with_root("plonky3").unwrap(), babybear);
    assert_eq!(babybear.with_root("0x1a427a41").unwrap(), babybear);
    let risc0 = babybear.with_root("risc0").unwrap();
    assert_ne!(risc0, babybear);
    assert_eq!(risc0.with_root("137").unwrap(), risc0);
    assert_eq!(risc0.with_root("plonky3").unwrap(), babybear);
    assert_eq!((risc0.name(), risc0.name().parse::<Algebra>().unwrap()), ("babybear@0x89", risc0));
    let bn254: Algebra = "bn254".parse().unwrap();
    assert_ne!(bn254.with_root("halo2").unwrap(), bn254);
    // 1, −1, a root of half the order, a non-residue of no such order, and what is no number.
    let squared = (137u64 * 137).to_string();
    for root in ["0", "1", "2013265920", &squared, "31"] {
        let error = babybear.with_root(root).unwrap_err();
        assert_eq!(error, Error::Root { field: "babybear", root: root.into(), two_adicity: 27 });
    }
    assert!(matches!(babybear.with_root("halo2"), Err(Error::Syntax { .. })));
    assert!(matches!(babybear.with_root("2013265921"), Err(Error::Syntax { .. })));
    assert_eq!(Algebra::Goldilocks.with_root("plonky3").unwrap(), Algebra::Goldilocks);
    assert!(matches!(Algebra::Goldilocks.with_root("plonky2"), Err(Error::Unsupported { .. })));
    assert!(matches!(Algebra::ComplexF32.with_root("1"), Err(Error::Unsupported { .. })));
}

/// Values of a polynomial on a coset, in either order and of any number of coefficients, and the way back; over every field that
/// has them, and by other strides.
fn domains<D: stockham::Data + Copy>(device: &Device, algebra: Algebra, x: &[D], shift: &[u64], zero: D) {
    let (n, width) = (x.len(), 3);
    let run = |transform: &Transform, x: &[D]| -> Vec<D> {
        let input = device.upload(x).unwrap();
        let mut output = device.alloc::<D>(transform.output_len()).unwrap();
        device.plan(transform).unwrap().run(&input, &mut output).unwrap();
        output.to_vec().unwrap()
    };
    let reverse =
        |x: &[D]| -> Vec<D> { (0..x.len()).map(|i| x[i.reverse_bits() >> (usize::BITS - x.len().ilog2())]).collect() };
    let name = &device.info().id;
    let coset = || Transform::new(algebra, n).on_coset(shift);
    let values = run(&coset(), x);
    assert!(values != run(&Transform::new(algebra, n), x), "{name}");
    assert!(run(&coset().inverse(), &values) == x, "{name}");
    let reversed = run(&coset().bit_reversed(false, true), x);
    assert!(reversed == reverse(&values), "{name}");
    assert!(run(&coset().inverse().bit_reversed(true, false), &reversed) == x, "{name}");
    // Where memory begins within a vector.
    let mut shifted = device.upload(&[&[zero][..], x, &reversed].concat()).unwrap();
    let forward = device.plan(&coset().bit_reversed(false, true)).unwrap();
    let mut output = device.upload(&vec![zero; n + 5]).unwrap();
    forward.run(shifted.slice(1..n + 1).unwrap(), output.slice_mut(3..n + 3).unwrap()).unwrap();
    let expected = [&[zero; 3][..], &reversed, &[zero; 2]].concat();
    assert!(output.to_vec().unwrap() == expected, "{name}");
    let back = device.plan(&coset().inverse().bit_reversed(true, false).in_place()).unwrap();
    back.run_in_place(shifted.slice_mut(n + 1..2 * n + 1).unwrap()).unwrap();
    assert!(shifted.to_vec().unwrap()[n + 1..] == *x, "{name}");
    // Zeros that are not there are those that are.
    let half = &x[..n / 2];
    let padded: Vec<D> = half.iter().copied().chain(std::iter::repeat_n(zero, n / 2)).collect();
    assert!(run(&coset().padded_from(n / 2), half) == run(&coset(), &padded), "{name}");
    // Columns of a matrix.
    let columns = coset().with_dims([Dim::new(n, width)]).with_batch([Dim::new(width, 1)]).bit_reversed(false, true);
    let matrix: Vec<D> = x.iter().flat_map(|x| [*x; 3]).collect();
    let expected: Vec<D> = reversed.iter().flat_map(|y| [*y; 3]).collect();
    assert!(run(&columns, &matrix) == expected, "{name}");
}

#[test]
fn cosets_orders_and_zeros() {
    for device in devices() {
        let field: WordField = "babybear".parse().unwrap();
        let lengths: &[usize] = if is_slow(&device) { &[64] } else { &[4, 64, 1 << 12, 1 << 17] };
        for &n in lengths {
            domains(&device, Algebra::WordField(field), &residues::<u32>(field, n, 1), &[31], 0);
            let x: Vec<Goldilocks> = stockham::accuracy::random(n, 2);
            domains(&device, Algebra::Goldilocks, &x, &[7], Goldilocks::reduce(0));
        }
    }
}

/// Values of polynomials over a field of several words on cosets, that of a cube root of one among them (halo2's), and back.
#[test]
fn cosets_of_long_residues() {
    let field: PrimeField = "bn254".parse().unwrap();
    let algebra = Algebra::PrimeField(field);
    // 5 generates the field's units.
    let third = field.modulus().iter().rev().fold((Vec::new(), 0u128), |(mut third, rest), &word| {
        let word = rest << 64 | u128::from(word - u64::from(third.len() == 3));
        third.insert(0, (word / 3) as u64);
        (third, word % 3)
    });
    assert_eq!(third.1, 0, "3 divides p - 1");
    let five = Residue::<4>::new(field, [5, 0, 0, 0]).unwrap();
    let one = Residue::<4>::new(field, [1, 0, 0, 0]).unwrap();
    let bits = third.0.iter().rev().flat_map(|word| (0..64).rev().map(move |bit| word >> bit & 1));
    let zeta = bits.fold(one, |power, bit| if bit == 1 { power.mul(&power).mul(&five) } else { power.mul(&power) });
    assert!(zeta != one && zeta.mul(&zeta).mul(&zeta) == one);
    for device in devices() {
        let lengths: &[usize] = if is_slow(&device) { &[16] } else { &[1, 2, 16, 1 << 10, 1 << 13] };
        for (&n, shift) in lengths.iter().flat_map(|n| [(n, [5, 0, 0, 1]), (n, zeta.words())]) {
            let x = stockham::accuracy::random_residues(field, Layout::Plain, 2 * n, 3);
            let transform = Transform::new(algebra, n).batch(2).on_coset(shift);
            let input = device.upload(&x).unwrap();
            let mut values = device.alloc::<u64>(8 * n).unwrap();
            device.plan(&transform).unwrap().run(&input, &mut values).unwrap();
            let found = values.to_vec().unwrap();
            let shift = Residue::<4>::new(field, shift).unwrap();
            for k in [0, 1, n / 2, n - 1].into_iter().filter(|&k| k < n) {
                let place = shift.mul_root(Root::new(k, n)).words();
                let expected = field.evaluate(&x, Layout::Plain, n..2 * n, &place);
                assert_eq!(found[4 * (n + k)..][..4], expected, "{k} of {n}, {}", device.info().id);
            }
            let mut back = device.alloc::<u64>(8 * n).unwrap();
            device.plan(&transform.inverse()).unwrap().run(&values, &mut back).unwrap();
            assert!(back.to_vec().unwrap() == x, "n = {n}, {}", device.info().id);
        }
    }
}

#[test]
fn domains_that_make_no_sense_are_refused() {
    let babybear: Algebra = "babybear".parse().unwrap();
    let one = || Transform::new(babybear, 16);
    for transform in [
        one().on_coset([0]),
        one().padded_from(3),
        one().padded_from(32),
        one().padded_from(8).inverse(),
        one().padded_from(8).in_place(),
        one().padded_from(8).bit_reversed(true, false),
        Transform::new(babybear, [4, 4]).on_coset([3]),
        Transform::new(Algebra::ComplexF32, 16).bit_reversed(false, true),
        Transform::new(Algebra::Goldilocks, 15).bit_reversed(false, true),
    ] {
        assert!(matches!(Device::cpu().plan(&transform), Err(Error::InvalidTransform(_))), "{transform:?}");
    }
    let error = |transform: Transform| Device::cpu().plan(&transform).map(drop).unwrap_err();
    assert!(matches!(error(one().on_coset([2_013_265_921])), Error::FieldValue { value: 2_013_265_921, .. }));
    assert!(matches!(error(one().on_coset([1, 0])), Error::BufferLength { expected: 1, found: 2, .. }));
    let big = Transform::new(Algebra::BigPrime(stockham::BigPrime::P3), 16).on_coset([3]);
    assert!(matches!(error(big), Error::Unsupported { .. }));
}

/// Extensions are values of the polynomial that has the given ones.
#[test]
fn extensions() {
    let (field, n, blowup): (WordField, _, _) = ("koalabear".parse().unwrap(), 64, 4);
    let x = residues::<u32>(field, n, 9);
    for device in devices() {
        let base = Transform::new(Algebra::WordField(field), n);
        let input = device.upload(&x).unwrap();
        let mut values = device.alloc::<u32>(n).unwrap();
        device.plan(&base).unwrap().run(&input, &mut values).unwrap();
        let onto = stockham::Domain { coset: vec![3], reversed: [false, true], ..Default::default() };
        let mut extension = stockham::extension::Extension::<u32>::plan(&device, &base.batch(1), blowup, onto).unwrap();
        let mut output = device.alloc::<u32>(extension.output_len()).unwrap();
        extension.run(device.default_stream(), &values, &mut output).unwrap();
        let y = output.to_vec().unwrap();
        assert_eq!(y.len(), n * blowup);
        for (at, y) in y.into_iter().enumerate() {
            let k = at.reverse_bits() >> (usize::BITS - 8);
            let root = field.root(stockham::algebra::Root::new(k, n * blowup));
            assert_eq!(
                u64::from(y),
                field.evaluate(&x, 0..n, field.multiply(3, root)),
                "{k} on {:?}",
                device.info().id
            );
        }
    }
}

/// From one coset to another, and to the same one, over fields of one word and of several.
#[test]
fn extensions_from_cosets() {
    for device in devices() {
        from_cosets(&device, Algebra::Goldilocks, Goldilocks::reduce);
        from_cosets(&device, "bn254".parse().unwrap(), |word| word);
    }
}

fn from_cosets<T: stockham::Data + PartialEq>(device: &Device, algebra: Algebra, value: fn(u64) -> T) {
    use stockham::extension::Extension;
    let (n, blowup, k) = (32, 2, algebra.layout().1);
    let words = |s: u64| -> Vec<u64> { [s].into_iter().chain(std::iter::repeat(0)).take(k).collect() };
    let x: Vec<T> = (0..n * k).map(|i| value((i * i * i % 1009) as u64)).collect();
    let cpu = Device::cpu();
    let run = |transform: &Transform, x: &[T]| {
        let mut y = cpu.alloc::<T>(transform.output_len() * k).unwrap();
        cpu.plan(transform).unwrap().run(&cpu.upload(x).unwrap(), &mut y).unwrap();
        y.to_vec().unwrap()
    };
    let values = |n: usize, s: u64| Transform::new(algebra, n).on_coset(words(s));
    let onto = |coset: Vec<u64>| stockham::Domain { coset, ..Default::default() };
    for [from, to] in [[5, 3], [3, 3], [1, 3], [3, 1]] {
        let given = run(&values(n, from), &x);
        let padded: Vec<T> = x.iter().copied().chain(std::iter::repeat(value(0))).take(blowup * x.len()).collect();
        let mut extension = Extension::<T>::plan(device, &values(n, from), blowup, onto(words(to))).unwrap();
        let mut found = device.alloc::<T>(extension.output_len() * k).unwrap();
        extension.run(device.default_stream(), &device.upload(&given).unwrap(), &mut found).unwrap();
        let is_right = found.to_vec().unwrap() == run(&values(n * blowup, to), &padded);
        assert!(is_right, "{} from {from} onto {to} on {}", algebra.name(), device.info().id);
    }
    for wrong in [words(0), vec![], vec![1; 9]] {
        let plan = Extension::<T>::plan(device, &Transform::new(algebra, n), blowup, onto(wrong.clone())).map(drop);
        assert_eq!(plan.is_err(), !wrong.is_empty(), "{wrong:?}");
    }
}

/// In place they are the same, some lines at a time: columns of which the last ones are fewer, lines, and a single one.
#[test]
fn extensions_in_place() {
    use stockham::extension::{Extension, InPlaceExtension};
    let (n, blowup) = (1 << 7, 4);
    let onto = || stockham::Domain { coset: vec![7], reversed: [false, true], ..Default::default() };
    for device in devices() {
        let columns = |width| {
            let transform = Transform::new(Algebra::Goldilocks, n);
            transform.with_dims([Dim::new(n, width)]).with_batch([Dim::new(width, 1)])
        };
        let lines = Transform::new(Algebra::Goldilocks, n).with_batch([Dim::new(45, n * blowup)]);
        let single = Transform::new(Algebra::Goldilocks, n);
        for transform in [columns(150), columns(3), lines, single] {
            let mut extension = InPlaceExtension::<Goldilocks>::plan(&device, &transform, blowup, onto()).unwrap();
            let x: Vec<Goldilocks> = stockham::accuracy::random(extension.len(), 3);
            let mut data = device.upload(&x).unwrap();
            extension.run(device.default_stream(), &mut data).unwrap();
            // Out of place lines follow each other closely.
            let close = |d: &Dim| Dim::new(d.n, if d.input_stride > n { n } else { d.input_stride });
            let apart = transform.batch.iter().any(|d| d.input_stride > n);
            let there = transform.clone().with_batch(transform.batch.iter().map(close).collect::<Vec<_>>());
            let mut plain = Extension::<Goldilocks>::plan(&device, &there, blowup, onto()).unwrap();
            let given = |line: &[Goldilocks]| line[..n].to_vec();
            let input =
                if apart { x.chunks(n * blowup).flat_map(given).collect() } else { x[..there.input_len()].to_vec() };
            let mut output = device.alloc(plain.output_len()).unwrap();
            plain.run(device.default_stream(), &device.upload(&input).unwrap(), &mut output).unwrap();
            assert!(data.to_vec().unwrap() == output.to_vec().unwrap(), "{transform:?} on {}", device.info().id);
            let mut short = device.alloc::<Goldilocks>(extension.len() - 1).unwrap();
            let refusal = extension.run(device.default_stream(), &mut short);
            assert!(matches!(refusal, Err(Error::BufferLength { .. })));
        }
        let close = Transform::new(Algebra::Goldilocks, n).batch(2);
        let refusal = InPlaceExtension::<Goldilocks>::plan(&device, &close, blowup, onto()).map(drop);
        assert!(matches!(refusal, Err(Error::InvalidTransform(_))));
    }
}

/// Columns over Goldilocks of which the first rows are given, many of them at an edge, are those whose zeros are there.
#[test]
fn columns_of_few_given_rows() {
    let edges = [0, 1, Goldilocks::MODULUS - 1, 1 << 32, (1 << 32) - 1, 1 << 63];
    for device in devices() {
        for (n, given, lines) in
            [(1 << 12, 1 << 9, 37), (1 << 9, 1 << 8, 2), (1 << 9, 1 << 5, 7), (1 << 13, 1 << 12, 3)]
        {
            let columns = |n: usize| {
                let transform = Transform::new(Algebra::Goldilocks, n);
                transform.with_dims([Dim::new(n, lines)]).with_batch([Dim::new(lines, 1)])
            };
            let mut x: Vec<Goldilocks> = stockham::accuracy::random(given * lines, n as u64);
            x.iter_mut().step_by(3).enumerate().for_each(|(i, x)| *x = Goldilocks::reduce(edges[i % edges.len()]));
            let run = |transform: &Transform, x: &[Goldilocks]| {
                let mut y = device.alloc::<Goldilocks>(n * lines).unwrap();
                device.plan(transform).unwrap().run(&device.upload(x).unwrap(), &mut y).unwrap();
                y.to_vec().unwrap()
            };
            let y = run(&columns(n).padded_from(given), &x);
            x.resize(n * lines, Goldilocks::reduce(0));
            assert!(y == run(&columns(n), &x), "{given} of {n} rows on {}", device.info().id);
        }
    }
}
