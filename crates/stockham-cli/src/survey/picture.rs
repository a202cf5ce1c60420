//! A survey as a picture: above times, if there are some, below errors, of both, a dot a length.

use crate::plot::{Anchor, Axis, Color, Frame, Picture, Text};
use crate::size;

use super::record::{Entry, Record};

/// Room around the two frames.
const SIZE: (u32, u32) = (1600, 1500);
const SIDES: (f64, f64) = (118.0, 1560.0);
const ABOVE: (f64, f64) = (122.0, 790.0);
const BELOW: (f64, f64) = (900.0, 1404.0);

/// What is drawn of a length: ours, and the peer's.
type Value = fn(&Entry) -> Option<(f64, Option<f64>)>;

/// Draws all lengths.
pub fn draw(record: &Record) -> Picture {
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    let heading = &record.heading;
    let (device, bytes) = (&heading.origin.device, size::bytes(heading.bytes as u64));
    let title = format!("{} transforms of {} lengths on {}", heading.algebra.name(), record.entries.len(), device.id);
    let subtitle = format!("{}  ·  {}  ·  batches of {bytes}", device.name, device.driver);
    let times: Value = |entry| Some((entry.copies()?, entry.peer_copies()));
    let errors: Value = |entry| Some((entry.l2_units, entry.peer_l2_units));
    let peer = heading.peer.as_deref().map(|name| (name, Color::CONTRAST));
    let legend: Vec<_> = [("stockham", Color::ACCENT)].into_iter().chain(peer).collect();
    let of_errors = Axis::linear(0.0, highest(record, errors).max(1.0) * 1.1, "relative L2 error ÷ u·√log2 n");
    let first = if heading.errors_only {
        panel(&mut picture, record, (ABOVE.0, BELOW.1), of_errors, errors)
    } else {
        let most = highest(record, times).max(4.0);
        let of_times = Axis::logarithmic(0.8, most * 1.3, "time ÷ time of a copy of the same bytes");
        panel(&mut picture, record, BELOW, of_errors, errors).labels(&mut picture, "", "");
        panel(&mut picture, record, ABOVE, of_times, times)
    };
    first.labels(&mut picture, &title, &subtitle);
    first.legend(&mut picture, &legend, 0.0);
    if record.entries.is_empty() {
        let middle = (f64::from(SIZE.0) / 2.0, (ABOVE.0 + ABOVE.1) / 2.0);
        picture.text(Text::new(middle, "nothing measured yet").anchor(Anchor::Middle).color(Color::FAINT_INK));
    }
    picture
}

fn highest(record: &Record, value: Value) -> f64 {
    let values = record.entries.values().filter_map(value);
    values.map(|(ours, peer)| peer.map_or(ours, |peer| peer.max(ours))).fold(0.0, f64::max)
}

/// A frame with its dots; the peer's are under ours.
fn panel(picture: &mut Picture, record: &Record, (top, bottom): (f64, f64), y: Axis, value: Value) -> Frame {
    let ends = [record.entries.keys().next(), record.entries.keys().next_back()].map(|n| n.map_or(1.0, |n| *n as f64));
    // Decades have round numbers only if there is one between the ends.
    let x = Axis::logarithmic(ends[0] * 0.9, (ends[1] * 1.1).max(ends[0] * 10.0), "points of a transform");
    let frame = Frame { area: (SIDES.0, top, SIDES.1, bottom), x, y };
    frame.grid(picture);
    let radius = if record.entries.len() > 4000 { 1.6 } else { 2.6 };
    let dots = |of: fn((f64, Option<f64>)) -> Option<f64>| {
        record.entries.values().filter_map(move |entry| Some((entry.n as f64, of(value(entry)?)?)))
    };
    for (n, y) in dots(|(_, peer)| peer) {
        picture.dot(frame.at(n, y), radius, Color::CONTRAST.opacity(0.5));
    }
    for (n, y) in dots(|(ours, _)| Some(ours)) {
        picture.dot(frame.at(n, y), radius, Color::ACCENT.opacity(0.6));
    }
    frame
}
