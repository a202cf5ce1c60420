//! Fields of one machine word: their arithmetic is in the kernels' own language, and so is run here with its words.

use super::*;
use crate::algebra::{Gathered, MachineWord, Numbers, Ring, WordElement, WordField};
use crate::kernel::ir::Type;
use crate::naive;

/// Residues of which every third is near an end.
fn sample(field: WordField, i: usize) -> u64 {
    let p = field.modulus();
    match i % 9 {
        0 => p - 1,
        3 => 0,
        6 => p / 2 + 1,
        _ => noise(i) % p,
    }
}

fn expected<W: crate::Digit + MachineWord>(field: WordField, transform: &Transform, input: &[u64]) -> Vec<u64> {
    let element = |x: &u64| WordElement::<W>::gather(field, 0, &[*x]).unwrap();
    let scaled = |x: WordElement<W>| x.scaled(transform.scale()).scatter()[0];
    let n = transform.dims[0].n;
    let lines = input.chunks(n).map(|line| line.iter().map(element).collect::<Vec<_>>());
    lines.flat_map(|line| naive_or_split(&line, transform)).map(scaled).collect()
}

/// The definition; of long lines the definition of columns and rows.
fn naive_or_split<R: Numbers>(line: &[R], transform: &Transform) -> Vec<R> {
    let (n, direction) = (line.len(), transform.direction);
    if n <= 1 << 10 {
        return naive::dft(line, direction);
    }
    let (rows, columns) = (1usize << (n.ilog2() / 2), n >> (n.ilog2() / 2));
    let mut middle = vec![line[0]; n];
    for c in 0..columns {
        let column: Vec<R> = (0..rows).map(|r| line[r * columns + c]).collect();
        for (k, x) in naive::dft(&column, direction).into_iter().enumerate() {
            middle[k * columns + c] = x.mul_root(direction.root(c * k, n));
        }
    }
    let mut output = middle.clone();
    for (k, row) in middle.chunks(columns).enumerate() {
        for (l, x) in naive::dft(row, direction).into_iter().enumerate() {
            output[l * rows + k] = x;
        }
    }
    output
}

fn check(field: WordField, n: usize, batch: usize, device: &DeviceInfo) {
    let forward = Transform::new(Algebra::WordField(field), n).batch(batch);
    for transform in [forward.clone(), forward.inverse()] {
        let recipe = plan(&transform, device).expect("a supported transform");
        let input: Vec<u64> = (0..n * batch).map(|i| sample(field, i)).collect();
        let found = interpreted_words(&recipe, input.clone(), vec![1; n * batch]);
        let found = found.unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
        let expected = match field.word() {
            Word::U32 => expected::<u32>(field, &transform, &input),
            _ => expected::<u64>(field, &transform, &input),
        };
        assert!(found == expected, "{field}, n = {n}\n{recipe:#?}");
    }
}

fn field(text: &str) -> WordField {
    text.parse().unwrap()
}

#[test]
fn transforms_over_words() {
    // Two multiples of p in a word, four, very many, and words of 64 bits.
    let of_32 = ["babybear", "koalabear", "998244353", "65537", "koalabear/montgomery"];
    let of_64 = [
        "0x3fffffee00000001",
        "0x7ffffff900000001",
        "0x3fffffee00000001/montgomery",
        "0x1fffffffffe00001",
        "0xffffffffffc0001/montgomery",
        "0x80140001",
    ];
    for text in of_32.into_iter().chain(of_64) {
        let Ok(field) = text.parse::<WordField>() else { panic!("{text} is no prime") };
        for device in devices() {
            for bits in (0..=12).filter(|&bits| bits <= field.max_log_len()) {
                check(field, 1 << bits, (1 << 11 >> bits).clamp(1, 5), &device);
            }
        }
    }
}

/// Codelets of odd lengths, convolutions alone and beside others.
#[test]
fn lengths_that_are_no_powers_of_two() {
    // Convolutions over fields have few lengths, which little local memory does not hold.
    let devices: Vec<_> = devices().into_iter().filter(|device| device.local_bytes >= 16 << 10).collect();
    for (text, most) in [("babybear", 100), ("2147483647", 400), ("koalabear", 300), ("0x10008330001", 120)] {
        let field = field(text);
        let lengths = (3usize..most).filter(|n| !n.is_power_of_two() && field.has_root(*n));
        for (case, n) in lengths.enumerate() {
            check(field, n, 2, &devices[case % devices.len()]);
        }
    }
}

#[test]
fn several_passes_over_words() {
    for device in devices() {
        check(field("babybear"), 1 << 16, 2, &device);
        check(field("0x3fffffee00000001"), 1 << 15, 1, &device);
        check(field("0xffffffffffc0001"), 1 << 15, 1, &device);
        check(field("babybear"), 3 << 13, 1, &device);
        check(field("koalabear"), 127 << 7, 1, &device);
    }
}

/// What the last launch of a recipe makes of words in its source.
fn by_last_launch(recipe: &Recipe, source: Vec<u64>) -> Vec<u64> {
    let launch = recipe.schedule().into_iter().last().expect("a launch");
    let bytes: Vec<u8> = launch.passes.clone().flat_map(|number| Tables::of_recipe(recipe, number)).collect();
    let mut target = vec![0; recipe.transform.output_len()];
    let table = words_of(recipe.transform.algebra, &bytes);
    let kernel = lower::kernel(recipe, launch.passes);
    let mut global = Global { source, target: &mut target, table: &table };
    run(&kernel, &mut global, &[launch.columns as u64], launch.groups).unwrap();
    target
}

/// A pass leaves words below 2p, where there is room for no more: what takes all of them as if they were below p overflows.
#[test]
fn passes_take_what_others_leave() {
    for (text, n) in [("koalabear", 127 << 7), ("babybear", 1 << 16), ("babybear", 3 << 13)] {
        let field = field(text);
        let recipes = devices().into_iter().map(|device| plan(&Transform::new(Algebra::WordField(field), n), &device));
        let recipes: Vec<Recipe> = recipes.map(Result::unwrap).filter(|recipe| recipe.passes().len() > 1).collect();
        assert!(!recipes.is_empty(), "{text}, n = {n}");
        let residues: Vec<u64> = (0..n).map(|i| sample(field, i)).collect();
        let larger: Vec<u64> = residues.iter().map(|x| x + field.modulus()).collect();
        for recipe in recipes {
            let found = by_last_launch(&recipe, larger.clone());
            assert!(found == by_last_launch(&recipe, residues.clone()), "{text}, n = {n}\n{recipe:#?}");
        }
    }
}

/// No word overflows: kernels over the field compute in words of 32 bits, and with products alone in words of 64.
#[test]
fn values_are_words_of_the_field() {
    let transform = Transform::new(Algebra::WordField(field("babybear")), 1 << 10).batch(8);
    let recipe = plan(&transform, &device(227 << 10, 1024, 32)).unwrap();
    let kernel = lower::kernel(&recipe, 0..1);
    assert_eq!((kernel.element, kernel.tile, kernel.calls()), ((Type::U32, 1), (Type::U32, 1), false));
    assert!(kernel.digit_strides.is_none());
}

/// What a transform over a domain gives, by the definition.
fn by_definition_of<W: crate::Digit + MachineWord>(field: WordField, transform: &Transform, input: &[u64]) -> Vec<u64> {
    let (n, domain, direction) = (transform.dims[0].n, &transform.domain, transform.direction);
    let one = <WordElement<W> as Gathered<1>>::one(field);
    let place = |side: usize, j: usize| {
        if domain.reversed[side] { crate::transform::reversed_bits(j, n.ilog2()) } else { j }
    };
    let given = domain.given.unwrap_or(n);
    let shift = transform.coset_factor().map_or(one, |s| one.integer(s[0]));
    let powers: Vec<_> = std::iter::successors(Some(one), |x| Some(x.mul(&shift))).take(n).collect();
    let power = |j: usize| powers[j];
    let is_forward = direction == crate::Direction::Forward;
    let line = |line: &[u64]| -> Vec<u64> {
        let x: Vec<_> = (0..n)
            .map(|j| {
                let word = if j < given { line[place(0, j)] } else { 0 };
                let x = WordElement::<W>::gather(field, j, &[word]).unwrap();
                if is_forward { x.mul(&power(j)) } else { x }
            })
            .collect();
        let y = naive_or_split(&x, transform);
        let mut output = vec![0; n];
        for (k, y) in y.into_iter().enumerate() {
            let y = if is_forward { y } else { y.mul(&power(k)) };
            output[place(1, k)] = y.scaled(transform.scale()).scatter()[0];
        }
        output
    };
    input.chunks(given).flat_map(line).collect()
}

/// Cosets, zeros behind the input and bit-reversed orders, in one pass and in several, with as many clusters as there may be.
#[test]
fn domains() {
    domains_over(field("babybear"));
}

/// The same over words of 64 bits, whose roots are pairs.
#[test]
fn domains_of_long_words() {
    domains_over(field("0xffffffffffc0001"));
}

fn domains_over(field: WordField) {
    let clusters = DeviceInfo {
        backend: Backend::Cuda,
        compute_capability: Some((9, 0)),
        max_cluster: Some(16),
        registers: Some(1 << 16),
        ..device(227 << 10, 1024, 32)
    };
    let mut of_sectors = 0;
    for device in [vec![clusters], devices()].concat() {
        for bits in [0, 1, 3, 5, 8, 10, 12] {
            let n = 1usize << bits;
            let base = || Transform::new(Algebra::WordField(field), n);
            let mut all = vec![
                base().on_coset([31]),
                base().bit_reversed(false, true),
                base().bit_reversed(true, false).on_coset([0x7800_0000 - 5]),
                base().bit_reversed(true, true),
                base().negacyclic().bit_reversed(false, true),
            ];
            all.extend(all.clone().into_iter().map(Transform::inverse));
            let given = [n / 2, n / 4].into_iter().filter(|&given| given > 0);
            all.extend(given.map(|given| base().padded_from(given).bit_reversed(false, bits % 2 == 0).on_coset([3])));
            for transform in all {
                let transform = transform.batch(3);
                let input: Vec<u64> = (0..transform.input_len()).map(|i| sample(field, i)).collect();
                let expected = match field.word() {
                    Word::U32 => by_definition_of::<u32>(field, &transform, &input),
                    _ => by_definition_of::<u64>(field, &transform, &input),
                };
                let recipe = match plan(&transform, &device) {
                    // First passes of few rows have none of many zeros.
                    Err(Error::Unsupported { .. }) if transform.domain.given.is_some() => continue,
                    recipe => recipe.unwrap(),
                };
                of_sectors += recipe.passes().iter().filter(|pass| pass.tile.sectors).count();
                let found = interpreted_words(&recipe, input, vec![1; expected.len()]);
                let found = found.unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
                assert!(found == expected, "{recipe:#?}");
            }
        }
    }
    assert!(of_sectors > 8, "{of_sectors} passes share sectors");
}

/// Lists of primes in one launch a pass, each with its own constants and roots: it equals what each gives by itself.
#[test]
fn lists_of_primes() {
    let of_32 = ["babybear", "koalabear/montgomery", "998244353", "65537"];
    let of_64 = ["0x3fffffee00000001", "0x7ffffff900000001", "0x3fffffee00000001/montgomery", "65537"];
    let of_60_bits = ["0xffffffffffc0001", "0x800000000b80001", "0x80140001", "0xffffffffffc0001/montgomery"];
    let fields = |texts: &[&str], word: Word| -> Vec<WordField> {
        texts.iter().map(|text| field(text)).filter(|field| field.word() == word).collect()
    };
    for fields in [fields(&of_32, Word::U32), fields(&of_64, Word::U64), fields(&of_60_bits, Word::U64)] {
        for device in devices() {
            for (bits, batch) in [(0, 3), (1, 1), (4, 5), (7, 8), (10, 1), (12, 1)] {
                let one = Transform::new(Algebra::WordField(fields[0]), 1 << bits).batch(batch);
                let all = [
                    one.clone(),
                    one.clone().negacyclic().bit_reversed(false, true),
                    one.negacyclic().bit_reversed(true, false).inverse(),
                ];
                for one in all {
                    let recipe = crate::plan::plan_over(&one.in_place(), &fields, &device).unwrap();
                    let inputs: Vec<Vec<u64>> =
                        fields.iter().map(|&field| (0..batch << bits).map(|i| sample(field, i)).collect()).collect();
                    let found = interpreted_words(&recipe, inputs.concat(), vec![1; recipe.transform.output_len()]);
                    let found = found.unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
                    for ((field, input), found) in fields.iter().zip(inputs).zip(found.chunks(batch << bits)) {
                        let transform = Transform { algebra: (*field).into(), ..recipe.transform.clone() };
                        let expected = match field.word() {
                            Word::U32 => by_definition_of::<u32>(*field, &transform, &input),
                            _ => by_definition_of::<u64>(*field, &transform, &input),
                        };
                        assert!(found == expected, "{field}, n = 2^{bits}\n{recipe:#?}");
                    }
                }
            }
        }
    }
}

/// The circle FFT in one pass and in several, there and back, beside that of the host.
#[test]
fn circles() {
    use crate::circle::{CircleGenerator, CircleOrder, CircleTransform};
    let field = field("2147483647");
    for (generator, device) in
        [CircleGenerator::Stwo, CircleGenerator::Plonky3].into_iter().cycle().zip([devices(), devices()].concat())
    {
        for bits in (1..=12).chain([15]) {
            let (n, batch) = (1usize << bits, (1 << 11 >> bits).clamp(1, 3));
            let forward = Transform::circle(n, generator).unwrap().batch(batch);
            let columns = forward.clone().with_dims([Dim::new(n, batch)]).with_batch([Dim::new(batch, 1)]);
            let host = CircleTransform::new(n, generator, CircleOrder::BitReversed).unwrap();
            for transform in [&forward, &columns].into_iter().flat_map(|of| [of.clone(), of.clone().inverse()]) {
                let recipe = plan(&transform, &device).unwrap();
                // Among others the least, the largest, and p, which stands for 0.
                let value = |i: usize| match i * i % 13 {
                    1 => 0,
                    3 => field.modulus() as u32 - 1,
                    9 => field.modulus() as u32,
                    _ => sample(field, i) as u32,
                };
                let mut lines: Vec<u32> = (0..n * batch).map(value).collect();
                let stride = transform.dims[0].input_stride;
                let place = |i: usize| if stride == 1 { i } else { i % n * stride + i / n };
                let mut input = vec![0; n * batch];
                lines.iter().enumerate().for_each(|(i, &x)| input[place(i)] = u64::from(x));
                let found = interpreted_words(&recipe, input, vec![1; n * batch]);
                let found = found.unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
                match transform.direction {
                    crate::Direction::Forward => host.evaluate(&mut lines).unwrap(),
                    crate::Direction::Inverse => host.interpolate(&mut lines).unwrap(),
                }
                let found: Vec<u32> = (0..n * batch).map(|i| found[place(i)] as u32).collect();
                assert!(found == lines, "n = {n}\n{recipe:#?}");
            }
        }
    }
}
