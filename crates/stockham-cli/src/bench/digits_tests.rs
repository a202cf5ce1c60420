//! A right result is found to be right; planted faults are found.

use super::*;
use stockham::algebra::PrimeField;
use stockham::{BigPrime, Buffer, Device};

const N: usize = 256;
const LINES: usize = 3;

/// The input, and the result on the CPU.
fn right<D: Digit, F: ExactField<D>>(subject: &Digits<F, D>) -> (Vec<D>, Vec<D>) {
    let device = Device::cpu();
    let x = subject.random(N * LINES);
    let (input, mut output) = (device.upload(&x).unwrap(), device.alloc(x.len()).unwrap());
    device.plan(&subject.transform(N).batch(LINES)).unwrap().run(&input, &mut output).unwrap();
    (x, output.to_vec().unwrap())
}

/// The verdict of the whole check on `found`, the result of the transforms of `x`.
fn verdict<D: Digit, F: ExactField<D>>(subject: &Digits<F, D>, x: &[D], found: &[D]) -> Verdict {
    let device = Device::cpu();
    let (mut input, output): (Buffer<D>, _) = (device.upload(x).unwrap(), device.upload(found).unwrap());
    let transform = subject.transform(N).batch(LINES);
    let stream = device.default_stream();
    subject.check(Timed { stream, transform: &transform, host: x, input: &mut input, output: &output }).unwrap()
}

/// A digit that makes an element none of the field's, and its place.
fn faults_are_found<D: Digit, F: ExactField<D>>(field: F, layout: Layout, (place, none): (usize, u64)) {
    let subject = Digits::of(field, layout);
    let (x, y) = right(&subject);
    let found = verdict(&subject, &x, &y);
    assert!(found.right && found.l2_error == 0.0 && found.note.is_none(), "{found:?}");

    let refused = |fault: &dyn Fn(&mut [D])| {
        let mut y = y.clone();
        fault(&mut y);
        let found = verdict(&subject, &x, &y);
        assert!(!found.right && found.l2_error > 0.0 && found.note.is_some(), "{found:?}");
        found.note.unwrap_or_default()
    };
    // One wrong digit, wherever it is: an even one and the next are digits both.
    for place in (0..y.len()).step_by(601).chain([y.len() - 1]) {
        let note = refused(&|y| y[place] = D::truncated(y[place].into() ^ 1));
        assert!(note.contains(&format!("1 of {LINES} sums")) && note.contains("after the inverse"), "{note}");
    }
    let note = refused(&|y| y[place] = D::truncated(none));
    assert!(note.contains("element"), "{note}");
    // What the sums do not show.
    let note = refused(&|y| y.copy_from_slice(&x));
    assert!(note.contains("outputs compared"), "{note}");
}

#[test]
fn one_wrong_digit_is_found() {
    let (p3, g8) = (BigPrime::P3, BigPrime::G8);
    let residues: PrimeField = "0x3fffffee00000001".parse().unwrap();
    for layout in [Layout::Plain, Layout::Sliced] {
        faults_are_found::<u64, _>(p3, layout, (5, p3.radix()));
        faults_are_found::<u32, _>(g8, layout, (5, g8.radix()));
        faults_are_found(residues, layout, (5, residues.modulus()[0]));
    }
    faults_are_found(PrimeField::of(p3).unwrap(), Layout::Plain, (7, u64::MAX));
}

/// Each of the three checks on its own: the outputs of a line exchanged have the right sum, and the inverse transform
/// of what is wrong may be wrong in the same way.
#[test]
fn each_check_finds_what_it_is_for() {
    let subject = Digits::<_, u64>::of(BigPrime::P3, Layout::Plain);
    let (x, y) = right(&subject);
    let mut exchanged = y.clone();
    exchanged.chunks_mut(N * 8).for_each(|line| line.rotate_left(8));
    let found = subject.compare(&x, &exchanged, N);
    assert_eq!((found.outputs, found.sums.wrong), (Part { wrong: MOST, of: MOST }, 0), "{found:?}");
    let mut back = x.clone();
    back[7] ^= 1;
    assert_eq!(Part::differing(&x, &back), Part { wrong: 1, of: x.len() });
    assert_eq!(Part::differing(&x, &x).wrong, 0);
}
