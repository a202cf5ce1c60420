//! A transform by a residue number system, timed in its parts and checked.

use rayon::prelude::*;
use stockham::accuracy;
use stockham::algebra::ResidueSystem;
use stockham::residues::ResidueTransform;
use stockham::{Device, Layout};

use crate::bench::check::spread;
use crate::bench::digits::Digits;
use crate::bench::subject::SEED;
use crate::bench::timing;
use crate::error::Result;

use super::record::ResidueTimes;

/// The primes are 1 modulo 2^this, or as much more as the length needs.
const TWO_ADICITY: u32 = 26;

/// Integers whose residues are compared with the host's.
const CHECKED: usize = 1 << 12;

/// The times of one transform of `n` integers of so many words, by as many primes, and what came out wrong.
pub fn measure(device: &Device, words: usize, n: usize) -> Result<(ResidueTimes, Vec<String>)> {
    let system = ResidueSystem::new(words, TWO_ADICITY.max(n.ilog2()))?;
    let stream = device.new_stream()?;
    let mut transform = ResidueTransform::plan(device, system, n)?;
    let host = random(system, n)?;
    let mut integers = transform.upload(&host)?;
    let mut residues = device.alloc(host.len())?;

    let reduce_ms = timing::measure(&stream, &mut || Ok(transform.reduce(&stream, &integers, &mut residues)?))?;
    let reduced = residues.to_vec()?;
    let transforms_ms = timing::measure(&stream, &mut || Ok(transform.forward(&stream, &mut residues)?))?;
    let submit = &mut || Ok(transform.recombine(&stream, &residues, &mut integers)?);
    let recombine_ms = timing::measure(&stream, submit)?;
    let times = ResidueTimes { primes: system.primes(), reduce_ms, transforms_ms, recombine_ms };

    // All again, once.
    residues.write(&reduced)?;
    transform.forward(&stream, &mut residues)?;
    stream.synchronize()?;
    let transformed = residues.to_vec()?;
    transform.inverse(&stream, &mut residues)?;
    transform.recombine(&stream, &residues, &mut integers)?;
    stream.synchronize()?;

    let mut wrong = wrong_residues(system, &host, &reduced);
    for (field, (x, y)) in system.fields()?.into_iter().zip(reduced.chunks(n).zip(transformed.chunks(n))) {
        let verdict = Digits::<_, u64>::of(field, Layout::Plain).judge(x, y, n);
        let note = verdict.note.unwrap_or_default();
        wrong.extend((!verdict.right).then(|| format!("residues modulo {field}: {note}")));
    }
    if integers.to_vec()? != host {
        wrong.push("residues: other integers after the inverse transform".to_owned());
    }
    Ok((times, wrong))
}

/// Integers below the product of the primes: random digits of a mixed radix, so to speak, of which the highest is small.
fn random(system: ResidueSystem, n: usize) -> Result<Vec<u64>> {
    let k = system.primes();
    let field = system.fields()?.remove(0);
    let product = system.product();
    // 62 random bits a word; the highest words, which may be empty, are below those of the product.
    let mut words = accuracy::random_residues(field, Layout::Plain, n * k, SEED);
    for integer in words.chunks_mut(k) {
        for (word, most) in integer.iter_mut().zip(&product).rev() {
            *word %= (*most).max(1);
            if *most > 1 {
                break;
            }
        }
    }
    Ok(words)
}

fn wrong_residues(system: ResidueSystem, integers: &[u64], residues: &[u64]) -> Vec<String> {
    let (k, moduli) = (system.primes(), system.moduli());
    let n = integers.len() / k;
    let places = spread(n, CHECKED);
    let residue = |integer: &[u64], q: u64| {
        // Below 2^62·2^64.
        let step = |rest: u128, &word: &u64| ((rest << 64) + u128::from(word)) % u128::from(q);
        integer.iter().rev().fold(0, step) as u64
    };
    let is_wrong = |i: &&usize| {
        let integer = &integers[**i * k..][..k];
        moduli.iter().enumerate().any(|(j, &q)| residues[j * n + **i] != residue(integer, q))
    };
    let wrong = places.par_iter().filter(is_wrong).count();
    (wrong > 0).then(|| format!("residues: those of {wrong} of {} integers", places.len())).into_iter().collect()
}
