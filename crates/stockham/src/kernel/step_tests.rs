//! Every step, run kernel by kernel on the host.

use super::interpret::{Global, run};
use super::ir::Kernel;
use super::steps;
use crate::algebra::limbs::{self, LIMBS};
use crate::algebra::residue_system::Constants;
use crate::algebra::{Algebra, Direction, Goldilocks, Numbers, NumericRing, ResidueSystem, Ring, Scale};
use crate::algebra::{Digit, Gathered, MachineWord, WordElement, WordField};
use crate::plan::Step;

fn noise(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn sample(count: usize, salt: usize) -> Vec<u64> {
    (0..count).map(|i| noise(i + salt) % Goldilocks::MODULUS).collect()
}

fn launch(kernel: &Kernel, source: &[u64], target: &mut Vec<u64>, table: &[u64], arguments: &[usize], groups: usize) {
    let arguments: Vec<u64> = arguments.iter().map(|&a| a as u64).collect();
    let mut global = Global { source: source.to_vec(), target, table };
    run(kernel, &mut global, &arguments, groups).unwrap_or_else(|fault| panic!("{}: {fault}", kernel.name));
}

fn in_place(step: &Step, group: usize, data: &mut Vec<u64>, table: &[u64]) {
    let kernel = &steps::lower(step, group)[0];
    let (source, count) = (data.clone(), data.len());
    let arguments = &[count, 0][..kernel.arguments.len()];
    launch(kernel, &source, data, table, arguments, steps::groups(Algebra::Goldilocks, group, count));
}

fn elements(words: &[u64]) -> Vec<Goldilocks> {
    words.iter().map(|&word| Goldilocks::new(word).expect("a canonical element")).collect()
}

#[test]
fn products_squares_and_twists() {
    let (algebra, scale) = (Algebra::Goldilocks, Scale::Inverse(1 << 12));
    for (group, n) in [(4, 1), (4, 17), (32, 128), (16, 1 << 12)] {
        let (x, y) = (sample(n, 1), sample(n, n + 1));
        let mut product = x.clone();
        in_place(&Step::Product { algebra, scale }, group, &mut product, &y);
        let mut square = x.clone();
        in_place(&Step::Square { algebra, scale }, group, &mut square, &[]);
        for (i, (x, y)) in elements(&x).iter().zip(elements(&y)).enumerate() {
            assert_eq!(product[i], x.mul(&y).scaled(scale).value(), "product, n = {n}");
            assert_eq!(square[i], x.mul(x).scaled(scale).value(), "square, n = {n}");
        }
        if !n.is_power_of_two() {
            continue;
        }
        for direction in [Direction::Forward, Direction::Inverse] {
            let twist = Step::Twist { algebra, n, direction, scale };
            let table: Vec<u64> = twist.roots().iter().map(|&root| Goldilocks::root(root).value()).collect();
            let mut twisted = x.clone();
            in_place(&twist, group, &mut twisted, &table);
            for (i, x) in elements(&x).iter().enumerate() {
                let root = Goldilocks::root(direction.root(i, 2 * n));
                assert_eq!(twisted[i], x.mul(&root).scaled(scale).value(), "twist, n = {n}");
            }
        }
    }
}

/// Elements of one word as residues and in Montgomery's form, in which a product is one product.
#[test]
fn products_of_words() {
    fn check<W: Digit + MachineWord>(text: &str) {
        let field: WordField = text.parse().unwrap();
        let (algebra, scale, n) = (Algebra::WordField(field), Scale::Inverse(1 << 3), 23usize);
        let words = |salt| -> Vec<u64> { (0..n).map(|i| noise(i + salt) % field.modulus()).collect() };
        let (x, y) = (words(1), words(n));
        let mut product = x.clone();
        in_place(&Step::Product { algebra, scale }, 4, &mut product, &y);
        let p = u128::from(field.modulus());
        // Of three arrays of 7 elements.
        let (terms, len) = (3, 7);
        let kernel = &steps::lower(&Step::InnerProduct { algebra, terms }, 4)[0];
        let mut sums = vec![1; len];
        let groups = steps::groups(algebra, 4, len);
        launch(kernel, &x[..terms * len], &mut sums, &[&[9, 9][..], &y].concat(), &[len, 2], groups);
        for (i, sum) in sums.into_iter().enumerate() {
            let products = (0..terms)
                .map(|k| field.multiply(field.from_memory(x[k * len + i]), field.from_memory(y[k * len + i])));
            let expected = products.fold(0, |sum, product| (sum + product) % field.modulus());
            assert_eq!(field.from_memory(sum), expected, "{field}");
        }
        for ((x, y), product) in x.iter().zip(&y).zip(product) {
            let [x, y, product] = [*x, *y, product].map(|word| u128::from(field.from_memory(word)));
            assert_eq!(product * 8 % p, x * y % p, "{field}");
        }
        let element = |word| WordElement::<W>::gather(field, 0, &[word]).unwrap();
        assert!(x.iter().all(|&x| field.to_memory(element(x).value().into()) == x), "{field}");
    }
    for text in ["babybear", "babybear/montgomery"] {
        check::<u32>(text);
    }
    for text in ["0x3fffffee00000001", "0x3fffffee00000001/montgomery"] {
        check::<u64>(text);
    }
}

/// Products, and sums of three, of every field of a list in one launch.
#[test]
fn products_over_lists_of_primes() {
    let of_32 = ["babybear", "koalabear/montgomery", "65537"];
    let of_64 = ["0x3fffffee00000001", "0xffffffffffc0001", "0x7ffffff900000001/montgomery", "0x80140001"];
    for texts in [&of_32[..], &of_64] {
        let fields: Vec<WordField> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let largest = fields.iter().max_by_key(|field| field.modulus()).unwrap();
        let algebra = Algebra::WordField(*largest);
        for len in [1, 7, 16, 37] {
            let (terms, group) = (3, 4);
            let edge = |i: usize, p: u64| match i % 5 {
                0 => p - 1,
                1 => 0,
                _ => noise(i) % p,
            };
            let sample = |terms: usize, salt: usize| -> Vec<u64> {
                let of_field = |field: &WordField| {
                    let p = field.modulus();
                    (0..terms * len).map(move |i| edge(i + salt, p)).collect::<Vec<_>>()
                };
                fields.iter().flat_map(of_field).collect()
            };
            let list = crate::plan::StepFields { fields: fields.clone(), len };
            let groups = fields.len() * steps::groups(algebra, group, len);
            let times = |field: &WordField, x: u64, y: u64| field.multiply(field.from_memory(x), field.from_memory(y));
            let step = Step::Product { algebra, scale: Scale::One };
            let (x, y) = (sample(1, 1), sample(1, 12));
            let mut product = x.clone();
            let kernel = steps::lower_over(&step, algebra, group, &list);
            launch(&kernel, &x, &mut product, &[&[9, 9][..], &y].concat(), &[x.len(), 2], groups);
            for (i, found) in product.into_iter().enumerate() {
                let field = &fields[i / len];
                assert_eq!(field.from_memory(found), times(field, x[i], y[i]), "{i}, {field}");
            }
            let (x, y) = (sample(terms, 3), sample(terms, 17));
            let mut sums = vec![1; fields.len() * len];
            let kernel = steps::lower_over(&Step::InnerProduct { algebra, terms }, algebra, group, &list);
            launch(&kernel, &x, &mut sums, &y, &[fields.len() * len, 0], groups);
            for (i, found) in sums.into_iter().enumerate() {
                let (field, first) = (&fields[i / len], i / len * terms * len + i % len);
                let products = (0..terms).map(|k| times(field, x[first + k * len], y[first + k * len]));
                let expected = products.fold(0, |sum, product| (sum + product) % field.modulus());
                assert_eq!(field.from_memory(found), expected, "{i}, {field}");
            }
        }
    }
}

#[test]
fn words_become_limbs() {
    for (group, words, limbs) in [(4, 1, 1), (4, 1, 8), (8, 5, 13), (16, 300, 1024), (16, 300, 899)] {
        for base in [10u64, 1_000_000, 1 << 20] {
            let source: Vec<u64> = sample(words, 3).iter().map(|word| word % base.pow(3)).collect();
            let mut target = vec![77; limbs];
            let kernel = &steps::lower(&Step::Unpack { base }, group)[0];
            launch(kernel, &source, &mut target, &[], &[words, limbs], limbs.div_ceil(steps::unpacked(group)));
            for (i, limb) in target.into_iter().enumerate() {
                let word = source.get(i / LIMBS).copied().unwrap_or(0);
                assert_eq!(limb, word / base.pow((i % LIMBS) as u32) % base, "limb {i} of {limbs}");
            }
        }
    }
}

/// The words of a number given by coefficients, one carry after the other.
fn carried(base: u64, coefficients: &[u64], words: usize) -> Vec<u64> {
    let (mut carry, mut limbs) = (0u128, Vec::new());
    for i in 0..words * LIMBS {
        let sum = carry + u128::from(coefficients.get(i).copied().unwrap_or(0));
        limbs.push((sum % u128::from(base)) as u64);
        carry = sum / u128::from(base);
    }
    limbs.chunks(LIMBS).map(|l| l[0] + base * (l[1] + base * l[2])).collect()
}

fn check_carry(base: u64, group: usize, coefficients: &[u64], words: usize) {
    let kernels = steps::lower(&Step::Carry { base }, group);
    let groups = (words * LIMBS).div_ceil(steps::coefficients(group));
    let mut scratch = vec![99; groups + 1];
    launch(&kernels[0], coefficients, &mut scratch, &[], &[coefficients.len()], groups);
    let block = steps::states(group);
    for first in (0..groups).step_by(block) {
        let mut rest = scratch[first..].to_vec();
        launch(&kernels[1], &rest.clone(), &mut rest, &[], &[block.min(groups - first)], 1);
        scratch[first..].copy_from_slice(&rest);
    }
    let mut target = vec![88; words];
    launch(&kernels[2], coefficients, &mut target, &scratch, &[coefficients.len(), words], groups);
    assert_eq!(target, carried(base, coefficients, words), "base {base}, groups of {group}");
}

#[test]
fn coefficients_become_words() {
    for (group, count) in [(4, 1usize), (4, 2), (8, 7), (4, 250), (4, 20_000), (16, 3000), (64, 5000)] {
        for base in [10u64, 1_000_000, 100_000, 1 << 16, 1 << 20] {
            assert!(limbs::check_bound(base, 100));
            let largest = 100 * (base - 1) * (base - 1);
            let words = (count + 4).div_ceil(LIMBS);
            let random: Vec<u64> = sample(count, 5).iter().map(|c| c % (largest + 1)).collect();
            check_carry(base, group, &random, words);
            check_carry(base, group, &vec![largest; count], words);
            check_carry(base, group, &vec![base - 1; count], words);
            check_carry(base, group, &vec![0; count], words);
            // A one that runs through everything, from the very first place and from within.
            for start in [0, count / 3, count - 1] {
                let mut chain = vec![base - 1; count];
                chain[start] = base;
                check_carry(base, group, &chain, words);
                chain[start] = largest;
                check_carry(base, group, &chain, words);
                if start > 0 {
                    chain[..start].fill(0);
                    check_carry(base, group, &chain, words);
                }
            }
        }
    }
}

#[test]
fn integers_have_residues_and_come_back() {
    for (group, k, count) in [
        (4, 1, 9),
        (4, 2, 5),
        (64, 3, 77),
        (64, 8, 40),
        (256, 8, 33),
        (4, 16, 5),
        (64, 16, 65),
        (64, 32, 40),
        (256, 32, 70),
    ] {
        let system = ResidueSystem::new(k, 26).unwrap();
        let (constants, product) = (Constants::of(system), system.product());
        let mut integers = sample(count * k, 9);
        // The highest words are below the product's, but for the largest integer of all.
        integers.iter_mut().skip(k - 1).step_by(k).for_each(|word| *word %= product[k - 1].max(1));
        integers[..k].copy_from_slice(&product);
        integers[0] -= 1;
        let mut residues = vec![99; count * k];
        let groups = |per_group: usize| count.div_ceil(per_group);
        let kernel = &steps::lower(&Step::Reduce { system }, group)[0];
        launch(kernel, &integers, &mut residues, &constants.table(), &[count], groups(steps::reduced(system, group)));
        for (i, residue) in residues.iter().enumerate() {
            let integer = &integers[i % count * k..][..k];
            assert_eq!(*residue, constants.residue(i / count, integer), "residue {i} of {count}, {system:?}");
        }
        let mut back = vec![99; count * k];
        let kernel = &steps::lower(&Step::Recombine { system }, group)[0];
        launch(kernel, &residues, &mut back, &[], &[count], groups(steps::recombined(system, group)));
        assert!(back == integers, "{count} integers, {system:?}");
    }
}
