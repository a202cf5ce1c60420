//! The record as a picture: time over copy time against the length.

use stockham::DeviceInfo;

use crate::plot::{Anchor, Axis, Color, Frame, Picture, Text, power_of_two};

use super::row::Row;
use super::sweep::Record;

/// Draws the rows.
pub fn draw(record: &Record, device: &DeviceInfo) -> Picture {
    let (rows, algebra, single) = (&record.rows, record.title(), record.single);
    let mut picture = Picture::new(1600, 900);
    let bits = |row: &Row| (row.n as f64).log2();
    let ours: Vec<(f64, f64)> = rows.iter().map(|row| (bits(row), row.ms / row.copy_ms)).collect();
    let theirs: Vec<(f64, f64)> = rows.iter().filter_map(|row| Some((bits(row), row.peer_ms? / row.copy_ms))).collect();
    let highest = ours.iter().chain(&theirs).map(|p| p.1).fold(1.5, f64::max);
    let (first, last) = (ours.first().map_or(0.0, |p| p.0), ours.last().map_or(1.0, |p| p.0));
    let x = Axis::linear(first - 0.5, last + 0.5, "points of a transform").label(power_of_two);
    let y = Axis::linear(0.0, highest * 1.12, "time ÷ time of a copy of the same bytes");
    let frame = Frame::new(&picture, x, y, 50.0);
    frame.grid(&mut picture);

    let (left, right) = (frame.at(first - 0.5, 1.0), frame.at(last + 0.5, 1.0));
    picture.line(vec![left, right], Color::FAINT_INK, 2.0);
    // Under the line, unless the axis reaches so far that there is no room.
    let room = frame.area.3 - right.1 > 40.0;
    let caption = (right.0 - 12.0, if room { right.1 + 18.0 } else { right.1 - 16.0 });
    picture.text(Text::new(caption, "the copy itself").size(20.0).anchor(Anchor::End).color(Color::FAINT_INK));
    for (points, color) in [(&theirs, Color::CONTRAST), (&ours, Color::ACCENT)] {
        let points: Vec<(f64, f64)> = points.iter().map(|p| frame.at(p.0, p.1)).collect();
        picture.line(points.clone(), color, 3.0);
        points.iter().for_each(|at| picture.dot(*at, 6.0, color));
    }
    let named = record.peer.as_deref().filter(|_| !theirs.is_empty()).map(|name| (name, Color::CONTRAST));
    let entries: Vec<_> = [("stockham", Color::ACCENT)].into_iter().chain(named).collect();
    frame.legend(&mut picture, &entries, 0.0);

    let what = if single { "one transform at a time".into() } else { batch_of(rows) };
    let subtitle = format!("{}  ·  {}  ·  {what}", device.name, device.driver);
    frame.labels(&mut picture, &format!("{algebra} transforms on {}", device.id), &subtitle);
    picture
}

fn batch_of(rows: &[Row]) -> String {
    let bytes = rows.iter().map(|row| row.bytes).min().unwrap_or(0);
    format!("batches of {}", crate::size::bytes(bytes as u64))
}
