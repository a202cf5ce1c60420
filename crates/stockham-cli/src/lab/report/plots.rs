//! The study's pictures.

use crate::plot::{Anchor, Axis, Color, Frame, Picture, Text, power_of_two};
use crate::size;

use super::super::primes::record::PrimeTimes;
use super::super::record::{Entry, Reading, Study};
use super::super::sections::{ENGINE, STORED};
use super::super::variants::{PROGRAMS, RADICES, TRIGS, trig_name};
use super::findings::{of_radix, rung};

/// A line through points, with its name.
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// Lines in a frame.
fn draw(picture: &mut Picture, frame: &Frame, series: &[Series]) {
    for (series, color) in series.iter().zip(Color::SERIES) {
        let points: Vec<(f64, f64)> = series.points.iter().map(|p| frame.at(p.0, p.1)).collect();
        if points.len() > 1 {
            picture.line(points.clone(), color, 3.0);
        }
        points.iter().for_each(|at| picture.dot(*at, 6.0, color));
    }
}

/// The names of lines, with their colours.
fn names(series: &[Series]) -> Vec<(&str, Color)> {
    series.iter().map(|s| s.name.as_str()).zip(Color::SERIES).collect()
}

fn subtitle(study: &Study) -> String {
    let device = &study.origin.device;
    let date = study.origin.date.split('T').next().unwrap_or_default();
    format!("{}  ·  {}  ·  {date}", device.name, device.driver)
}

/// The time of chains against their radix, a line for each way to have sines.
pub fn chains(study: &Study) -> Option<Picture> {
    let line = |name: String, of: &dyn Fn(usize) -> Option<f64>| {
        let point = |radix: usize| Some(((radix as f64).log2(), of(radix)?));
        Series { name, points: RADICES.into_iter().filter_map(point).collect() }
    };
    let mut series: Vec<Series> = TRIGS
        .into_iter()
        .map(|trig| {
            let of_trig = |radix| {
                let cells = of_radix(study, radix).filter(|cell| cell.trig == trig);
                cells.filter_map(|cell| cell.outcome.reading()).map(Reading::copies).min_by(f64::total_cmp)
            };
            line(trig_name(trig).to_owned(), &of_trig)
        })
        .collect();
    let stored = |radix| rung(study, radix, true).map(Reading::copies);
    series.push(line(format!("the best of them{STORED}"), &stored));
    let highest = series.iter().flat_map(|s| &s.points).map(|p| p.1).max_by(f64::total_cmp)?;
    let mut picture = Picture::new(1600, 900);
    let x = Axis::linear(0.7, 5.3, "radix of the launches").label(radix_name);
    let y = Axis::linear(0.0, highest * 1.12, "time ÷ time of a copy of the same bytes");
    let frame = Frame::new(&picture, x, y, 50.0);
    frame.grid(&mut picture);
    // What memory alone takes: one copy a launch.
    let bits = study.n.ilog2();
    let trips: Vec<(f64, f64)> = (1..=5u32).map(|b| frame.at(f64::from(b), f64::from(bits.div_ceil(b)))).collect();
    picture.line(trips, Color::FAINT_INK, 2.0);
    draw(&mut picture, &frame, &series);
    let mut names = names(&series);
    names.push(("one trip through memory a launch", Color::FAINT_INK));
    // The lines fall: there is room on the right.
    frame.legend(&mut picture, &names, 820.0);
    let title = format!("One stage a launch, {} points", size::power(study.n));
    frame.labels(&mut picture, &title, &subtitle(study));
    Some(picture)
}

/// Transforms a second against the length.
pub fn programs(study: &Study) -> Option<Picture> {
    let series = PROGRAMS.map(|radix| {
        let of_radix = study.programs.iter().filter(|program| program.radix == radix);
        let point = |n: usize, reading: &Reading| ((n as f64).log2(), reading.per_second());
        let points = of_radix.filter_map(|program| Some(point(program.n, program.outcome.reading()?))).collect();
        Series { name: format!("{radix}-point kernels"), points }
    });
    let all = || series.iter().flat_map(|s| &s.points);
    let rates = || all().map(|p| p.1);
    let (least, most) = (rates().min_by(f64::total_cmp)?, rates().max_by(f64::total_cmp)?);
    let first = all().map(|p| p.0).min_by(f64::total_cmp)?;
    let last = all().map(|p| p.0).max_by(f64::total_cmp)?;
    let mut picture = Picture::new(1600, 900);
    let x = Axis::linear(first - 0.5, last + 0.5, "points of a transform").label(power_of_two);
    let y = Axis::logarithmic(least * 0.7, most * 2.0, "transforms a second").label(thousands);
    let frame = Frame::new(&picture, x, y, 50.0);
    frame.grid(&mut picture);
    draw(&mut picture, &frame, &series);
    frame.legend(&mut picture, &names(&series), 1100.0);
    frame.labels(&mut picture, "One transform at a time, by kernels of one size", &subtitle(study));
    Some(picture)
}

/// How many times as long Montgomery's arithmetic takes, by length.
pub fn to_montgomery(study: &Study) -> Option<Picture> {
    ratios(study, "The same prime in Montgomery's arithmetic", PrimeTimes::to_montgomery)
}

/// How many times as long residues take, by length.
pub fn to_residues(study: &Study) -> Option<Picture> {
    ratios(study, "As many words of residues, by the Chinese remainder theorem", PrimeTimes::to_residues)
}

/// A ratio against the length, a line a field.
fn ratios(study: &Study, title: &str, ratio: fn(&PrimeTimes) -> Option<f64>) -> Option<Picture> {
    let of_field = study.primes.chunk_by(|a, b| a.field == b.field).map(|rows| Series {
        name: format!("{}, k = {}", rows[0].field, rows[0].digits),
        points: rows.iter().filter_map(|row| Some(((row.n as f64).log2(), ratio(row.times()?)?))).collect(),
    });
    let series: Vec<Series> = of_field.collect();
    let all = || series.iter().flat_map(|s| &s.points);
    let highest = all().map(|p| p.1).max_by(f64::total_cmp)?;
    let first = all().map(|p| p.0).min_by(f64::total_cmp)?;
    let last = all().map(|p| p.0).max_by(f64::total_cmp)?;
    let mut picture = Picture::new(1600, 900);
    let x = Axis::linear(first - 0.5, last + 0.5, "points of the transform").label(power_of_two);
    // Room for the names above the lines.
    let y = Axis::linear(0.0, highest.max(1.0) * 1.4, "time ÷ time over the special prime");
    let frame = Frame::new(&picture, x, y, 50.0);
    frame.grid(&mut picture);
    let even = vec![frame.at(first - 0.5, 1.0), frame.at(last + 0.5, 1.0)];
    picture.line(even, Color::FAINT_INK, 2.0);
    draw(&mut picture, &frame, &series);
    frame.legend(&mut picture, &names(&series), 0.0);
    frame.labels(&mut picture, title, &subtitle(study));
    Some(picture)
}

/// The radix itself, at a place that is its logarithm.
fn radix_name(bits: f64) -> String {
    if bits.fract() == 0.0 { format!("{:.0}", bits.exp2()) } else { String::new() }
}

fn thousands(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.0} M", v / 1e6),
        v if v >= 1e3 => format!("{:.0} k", v / 1e3),
        v => format!("{v:.0}"),
    }
}

/// The ladder as bars, a row an entry: copies from left to right.
pub fn ladder(study: &Study) -> Option<Picture> {
    const ROW: f64 = 40.0;
    let rows: Vec<(&Entry, &Reading)> = study.ladder.iter().filter_map(|e| Some((e, e.outcome.reading()?))).collect();
    let longest = rows.iter().map(|(_, reading)| reading.copies()).max_by(f64::total_cmp)?;
    let (left, right, top) = (760.0, 1500.0, 130.0);
    let bottom = top + ROW * rows.len() as f64;
    let mut picture = Picture::new(1600, (bottom + 40.0) as u32);
    let unit = (right - left) / longest;
    for (i, (entry, reading)) in rows.iter().enumerate() {
        let y = top + ROW * (i as f64 + 0.5);
        let end = left + reading.copies() * unit;
        let (above, below) = (y - 0.36 * ROW, y + 0.36 * ROW);
        let color = if reading.launches.is_none() { Color::CONTRAST } else { Color::ACCENT };
        let color = if entry.name == ENGINE { color } else { color.opacity(0.55) };
        picture.area(vec![(left, above), (end, above), (end, below), (left, below)], color);
        // As far as memory alone would take it.
        if let Some(launches) = reading.launches {
            let x = left + (launches as f64).min(longest) * unit;
            picture.line(vec![(x, above), (x, below)], Color::INK, 2.5);
        }
        picture.text(Text::new((left - 14.0, y), &entry.name).size(19.0).anchor(Anchor::End));
        picture.text(Text::new((end.max(left) + 12.0, y), format!("{:.2}", reading.copies())).size(19.0));
    }
    let what = "time ÷ copy (strokes: a trip through memory a launch)";
    let title = format!("The ladder, {} points: {what}", size::power(study.n));
    picture.text(Text::new((60.0, 46.0), title).size(33.0).bold());
    picture.text(Text::new((60.0, 88.0), subtitle(study)).size(22.0).color(Color::FAINT_INK));
    Some(picture)
}
