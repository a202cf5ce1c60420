//! What the figures say, in sentences: a bullet a study.

use crate::size;

use super::super::published::{LEAST_MS, LENGTH};
use super::super::record::{Cell, Entry, Outcome, Reading, Study};
use super::super::sections::{ENGINE, STORED};
use super::super::variants::{FAMILIES, PROGRAMS, RADICES};
use super::tables::{milliseconds, name};

fn bullets(studies: &[Study], say: impl Fn(&Study) -> Option<String>) -> String {
    studies.iter().filter_map(|study| Some(format!("- {}: {}\n", name(study), say(study)?))).collect()
}

/// `a, b and c`.
fn list<T>(values: &[T], show: impl Fn(&T) -> String) -> String {
    let shown: Vec<String> = values.iter().map(show).collect();
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

/// The one that takes least time.
fn fastest<'a, T>(all: impl Iterator<Item = (T, &'a Outcome)>) -> Option<(T, &'a Reading)> {
    all.filter_map(|(what, outcome)| Some((what, outcome.reading()?))).min_by(|a, b| a.1.ms.total_cmp(&b.1.ms))
}

/// The cells of a radix, whatever their variant.
pub fn of_radix(study: &Study, radix: usize) -> impl Iterator<Item = &Cell> {
    let is_named = move |name: &str| FAMILIES.iter().any(|family| family.name == name && family.radix == radix);
    study.chains.iter().filter(move |cell| is_named(&cell.family))
}

/// The fastest chain of that radix on the ladder, with its first store exchanged or not.
pub fn rung(study: &Study, radix: usize, stored: bool) -> Option<&Reading> {
    let words = format!("radix {radix},");
    let rungs = study.ladder.iter().filter(|rung| rung.name.contains(&words) && rung.name.ends_with(STORED) == stored);
    fastest(rungs.map(|rung| ((), &rung.outcome))).map(|(_, reading)| reading)
}

/// How close a launch of each radix comes to its trip through memory, and what keeps it from that.
pub fn chains(studies: &[Study]) -> String {
    bullets(studies, |study| {
        let of = |radix| fastest(of_radix(study, radix).map(|cell| (radix, &cell.outcome)));
        let several = |(_, reading): &(usize, &Reading)| reading.launch_ms.len() > 1;
        let best: Vec<(usize, &Reading)> = RADICES.into_iter().filter_map(of).filter(several).collect();
        let first = |(_, r): &(usize, &Reading)| format!("{:.2}", r.launch_ms[0] / r.copy_ms);
        let others = |(_, r): &(usize, &Reading)| {
            let later = &r.launch_ms[1..];
            format!("{:.2}", later.iter().sum::<f64>() / later.len() as f64 / r.copy_ms)
        };
        let (cell, least) = fastest(study.chains.iter().map(|cell| (cell, &cell.outcome)))?;
        let then = if study.n == LENGTH { format!(" The pages' least was {LEAST_MS} ms.") } else { String::new() };
        Some(format!(
            "at radix {} the first launch takes {} copies, the mean of the others {}. The least time is that of {}: \
             {} ms.{then}",
            list(&best, |(radix, _)| radix.to_string()),
            list(&best, first),
            list(&best, others),
            cell.name(),
            milliseconds(least.ms)
        ))
    })
}

/// What larger kernels bring to AMD's program.
pub fn programs(studies: &[Study]) -> String {
    bullets(studies, |study| {
        let longest = study.programs.iter().map(|program| program.n).max()?;
        let of = |radix: usize, n: usize| {
            study.programs.iter().find(|program| program.radix == radix && program.n == n)?.outcome.reading()
        };
        let rates: Vec<f64> = PROGRAMS.into_iter().filter_map(|radix| Some(of(radix, longest)?.per_second())).collect();
        let steps: Vec<f64> = rates.windows(2).map(|pair| pair[1] / pair[0]).collect();
        let (_, shortest) = fastest(study.programs.iter().map(|program| ((), &program.outcome)))?;
        Some(format!(
            "at {} points the steps from {} points a kernel make {} times as many transforms. The shortest transform \
             takes {:.1} µs.",
            size::power(longest),
            PROGRAMS.map(|radix| radix.to_string()).join(" to "),
            list(&steps, |step| format!("{step:.2}")),
            1e3 * shortest.ms
        ))
    })
}

/// What company does for short transforms.
pub fn batches(studies: &[Study]) -> String {
    bullets(studies, |study| {
        let (one, all) = (study.batches.first()?.outcome.reading()?, study.batches.last()?.outcome.reading()?);
        let gain = all.per_second() / one.per_second();
        Some(format!(
            "{} at a time take {:.2} copies. That is {:.*} times as many in a second as one at a time.",
            all.batch,
            all.copies(),
            usize::from(gain < 10.0),
            gain
        ))
    })
}

/// From the first line of the ladder to the last.
pub fn ladder(studies: &[Study]) -> String {
    bullets(studies, |study| {
        let first = study.ladder.first()?.outcome.reading()?;
        let engine = study.ladder.iter().find(|entry| entry.name == ENGINE)?.outcome.reading()?;
        let mut said = format!(
            "the engine's recipe takes {:.2} copies, the first line {:.1}: {:.1} times as long.",
            engine.copies(),
            first.copies(),
            first.ms / engine.ms
        );
        let pair = |radix| Some((radix, rung(study, radix, false)?, rung(study, radix, true)?));
        let pairs: Vec<(usize, &Reading, &Reading)> = RADICES.into_iter().filter_map(pair).collect();
        if !pairs.is_empty() {
            said += &format!(
                " The exchange of the first store takes the chains of radix {} from {} copies to {}.",
                list(&pairs, |(radix, ..)| radix.to_string()),
                list(&pairs, |(_, before, _)| format!("{:.2}", before.copies())),
                list(&pairs, |(.., after)| format!("{:.2}", after.copies()))
            );
        }
        let by_peer = |entry: &Entry| entry.outcome.reading().filter(|reading| reading.launches.is_none()).cloned();
        let peer = study.ladder.iter().find_map(|entry| Some((entry, by_peer(entry)?)));
        if let Some((entry, peer)) = peer {
            said += &format!(
                " {} takes {:.2} copies, {:.2} times as long as the engine's recipe.",
                entry.name,
                peer.copies(),
                peer.ms / engine.ms
            );
        }
        Some(said)
    })
}
