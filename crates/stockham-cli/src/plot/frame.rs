//! The frame of a plot: title, axes, grid, and where values lie within it.

use super::picture::Text;
use super::{Anchor, Axis, Color, Picture};

/// A plot's area with its two axes.
pub struct Frame {
    /// Left, top, right, bottom.
    pub area: (f64, f64, f64, f64),
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
}

const LABEL: f64 = 22.0;
const TITLE: f64 = 23.0;

impl Frame {
    /// A frame that leaves room for labels around it and `right` pixels beside it.
    pub fn new(picture: &Picture, x: Axis, y: Axis, right: f64) -> Self {
        let (width, height) = (f64::from(picture.size.0), f64::from(picture.size.1));
        Self { area: (118.0, 122.0, width - right, height - 96.0), x, y }
    }

    /// The point of a pair of values.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let (left, top, right, bottom) = self.area;
        (left + (right - left) * self.x.place(x), bottom - (bottom - top) * self.y.place(y))
    }

    /// The grid, to be drawn under the data.
    pub fn grid(&self, picture: &mut Picture) {
        let (left, top, right, bottom) = self.area;
        let (across, up) = self.ticks();
        // The faint lines first, so that no labelled line is crossed by one.
        for labelled in [false, true] {
            let (color, width) = if labelled { (Color::GRID, 1.5) } else { (Color::FAINT_GRID, 1.0) };
            for tick in across.iter().filter(|tick| tick.label.is_some() == labelled) {
                let x = left + (right - left) * tick.place;
                picture.line(vec![(x, top), (x, bottom)], color, width);
            }
            for tick in up.iter().filter(|tick| tick.label.is_some() == labelled) {
                let y = bottom - (bottom - top) * tick.place;
                picture.line(vec![(left, y), (right, y)], color, width);
            }
        }
    }

    /// Title, subtitle, axes and their labels, to be drawn over the data.
    pub fn labels(&self, picture: &mut Picture, title: &str, subtitle: &str) {
        let (left, top, right, bottom) = self.area;
        let (across, up) = self.ticks();
        for tick in &across {
            let x = left + (right - left) * tick.place;
            let length = if tick.label.is_some() { 9.0 } else { 5.0 };
            picture.line(vec![(x, bottom), (x, bottom + length)], Color::FAINT_INK, 1.5);
            if let Some(label) = &tick.label {
                picture.text(Text::new((x, bottom + 27.0), label).size(LABEL).anchor(Anchor::Middle));
            }
        }
        for tick in &up {
            let y = bottom - (bottom - top) * tick.place;
            if let Some(label) = &tick.label {
                picture.line(vec![(left - 9.0, y), (left, y)], Color::FAINT_INK, 1.5);
                picture.text(Text::new((left - 15.0, y), label).size(LABEL).anchor(Anchor::End));
            }
        }
        let outline = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        picture.line(outline, Color::FAINT_INK, 1.5);
        let below = ((left + right) / 2.0, bottom + 66.0);
        picture.text(Text::new(below, &self.x.title).size(TITLE).anchor(Anchor::Middle));
        let beside = (30.0, (top + bottom) / 2.0);
        picture.text(Text::new(beside, &self.y.title).size(TITLE).anchor(Anchor::Middle).upwards());
        picture.text(Text::new((left, 46.0), title).size(33.0).bold());
        picture.text(Text::new((left, 88.0), subtitle).size(LABEL).color(Color::FAINT_INK));
    }

    /// The names of lines, over the data, in the upper left corner or so many pixels to its right.
    pub fn legend(&self, picture: &mut Picture, entries: &[(&str, Color)], shift: f64) {
        let (left, top) = (self.area.0 + shift, self.area.1);
        for (i, (name, color)) in entries.iter().enumerate() {
            let (x, y) = (left + 28.0, top + 30.0 + 32.0 * i as f64);
            picture.line(vec![(x, y), (x + 44.0, y)], *color, 3.0);
            picture.dot((x + 22.0, y), 6.0, *color);
            picture.text(Text::new((x + 58.0, y), *name).size(23.0));
        }
    }

    fn ticks(&self) -> (Vec<super::axis::Tick>, Vec<super::axis::Tick>) {
        (self.x.ticks(10), self.y.ticks(8))
    }
}
