//! Levels as colours, and the bar that tells which is which.

use crate::plot::{Anchor, Axis, Color, Frame, Picture, Raster, Text};

/// The colour of a place on the scale, 0 to 1.
pub fn color_of(place: f64) -> Color {
    let color = colorous::INFERNO.eval_continuous(place);
    Color(color.r, color.g, color.b, 1.0)
}

/// The bar, to the right of a frame.
pub fn color_bar(picture: &mut Picture, frame: &Frame, scale: &Axis) {
    let (_, top, right, bottom) = frame.area;
    let (left, right) = (right + 36.0, right + 66.0);
    picture.raster(Raster { area: (left, top, right, bottom), color: Box::new(|_, down| color_of(1.0 - down)) });
    let outline = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    picture.line(outline, Color::FAINT_INK, 1.5);
    for tick in scale.ticks(8) {
        let y = bottom - (bottom - top) * tick.place;
        picture.line(vec![(right, y), (right + 7.0, y)], Color::FAINT_INK, 1.5);
        if let Some(label) = tick.label {
            picture.text(Text::new((right + 13.0, y), label).size(21.0));
        }
    }
    let beside = (right + 92.0, (top + bottom) / 2.0);
    picture.text(Text::new(beside, &scale.title).size(22.0).anchor(Anchor::Middle).upwards());
}
