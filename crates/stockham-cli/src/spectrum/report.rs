//! What is told of a recording in words, and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::origin::Origin;
use crate::table::{Align, Table};

use super::frequency;
use super::harmonics;
use super::note::Note;
use super::peaks::{self, Peak};
use super::recording::Recording;
use super::welch::Spectrum;

/// How many of the strongest peaks are listed and labelled, and how many fundamentals.
const STRONGEST: usize = 8;
const FUNDAMENTALS: usize = 8;

/// A peak that is listed and labelled.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The peak.
    pub peak: Peak,
    /// Its note, if it has one.
    pub note: Option<Note>,
    /// Whether others are its multiples.
    pub fundamental: bool,
    /// Of which fundamental it is a multiple, and how often.
    pub multiple: Option<(Peak, usize)>,
}

/// The strongest peaks and the fundamentals, the strongest of both first.
pub fn entries(spectrum: &Spectrum) -> Vec<Entry> {
    let peaks = peaks::all(spectrum);
    let fundamentals = harmonics::fundamentals(spectrum, &peaks);
    let is_fundamental = |peak: &Peak| fundamentals.iter().any(|f| f.hz == peak.hz);
    let mut places = FUNDAMENTALS;
    let listed = peaks.iter().enumerate().filter(|(i, peak)| {
        let fundamental = is_fundamental(peak) && places > 0;
        places -= usize::from(fundamental);
        *i < STRONGEST || fundamental
    });
    let entry = |(_, peak): (usize, &Peak)| Entry {
        peak: *peak,
        note: Note::of(peak.hz),
        fundamental: is_fundamental(peak),
        multiple: harmonics::multiple(spectrum, &fundamentals, peak),
    };
    listed.map(entry).collect()
}

/// Prints the recording, what to know of it, and the peaks.
pub fn print(recording: &Recording, spectrum: &Spectrum, entries: &[Entry], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", recording.name, recording.describe())?;
    let decimals = frequency::decimals(spectrum.bin_hz);
    writeln!(out, "{}, {:.decimals$} Hz between bins", spectrum.describe(), spectrum.bin_hz)?;
    for note in &recording.notes {
        writeln!(out, "note: {note}")?;
    }
    if entries.is_empty() {
        return writeln!(out, "\nno peak stands out");
    }
    writeln!(out, "\nstrongest peaks and fundamentals (0 dBFS: a sine of full scale)")?;
    let partials = entries.iter().any(|entry| entry.fundamental);
    let columns = [("Hz", Align::Right), ("dBFS", Align::Right), ("note", Align::Left), ("partial", Align::Left)];
    let mut table = Table::new(&columns[..if partials { 4 } else { 3 }]);
    for entry in entries {
        let partial = match entry.multiple {
            _ if entry.fundamental => "fundamental".to_owned(),
            Some((of, times)) => format!("{times} × {:.decimals$}", of.hz),
            None => String::new(),
        };
        let note = entry.note.map(|note| note.to_string()).unwrap_or_default();
        table.row([format!("{:.decimals$}", entry.peak.hz), format!("{:.1}", entry.peak.level), note, partial]);
    }
    table.print(out)
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    origin: Origin,
    recording: RecordingRecord<'a>,
    /// Samples of a frame, how many frames were averaged, and hertz from bin to bin.
    window: usize,
    frames: usize,
    bin_hz: f64,
    peaks: Vec<PeakRecord>,
}

#[derive(Serialize)]
struct RecordingRecord<'a> {
    name: &'a str,
    seconds: f64,
    rate: u32,
    samples: usize,
    encoding: &'a str,
    channels: usize,
    notes: &'a [String],
}

#[derive(Serialize)]
struct PeakRecord {
    hz: f64,
    /// The level of a sine there: 0 is one of full scale.
    dbfs: f64,
    note: Option<String>,
    cents: Option<f64>,
    /// `mix`, or the channel's number from 1.
    channel: String,
    fundamental: bool,
    multiple: Option<MultipleRecord>,
}

#[derive(Serialize)]
struct MultipleRecord {
    of_hz: f64,
    times: usize,
}

/// The same as a record.
pub fn document(origin: Origin, recording: &Recording, spectrum: &Spectrum, entries: &[Entry]) -> impl Serialize {
    let peak = |entry: &Entry| PeakRecord {
        hz: entry.peak.hz,
        dbfs: entry.peak.level,
        note: entry.note.map(Note::name),
        cents: entry.note.map(|note| note.cents),
        channel: recording.channel.to_string(),
        fundamental: entry.fundamental,
        multiple: entry.multiple.map(|(of, times)| MultipleRecord { of_hz: of.hz, times }),
    };
    Document {
        origin,
        recording: RecordingRecord {
            name: &recording.name,
            seconds: recording.seconds(),
            rate: recording.rate,
            samples: recording.samples.len(),
            encoding: &recording.encoding,
            channels: recording.channels,
            notes: &recording.notes,
        },
        window: spectrum.window,
        frames: spectrum.averaged,
        bin_hz: spectrum.bin_hz,
        peaks: entries.iter().map(peak).collect(),
    }
}
