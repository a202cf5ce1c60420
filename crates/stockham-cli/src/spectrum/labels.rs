//! Labels for peaks: each as low above its dot as it can lie without covering another label, dot or leader.

/// A rectangle: left, top, right, bottom.
type Box4 = (f64, f64, f64, f64);

/// A label that found a place.
pub struct Label {
    /// Which of the dots it belongs to.
    pub index: usize,
    /// The middle of its words.
    pub middle: (f64, f64),
}

/// From a dot to the middle of its label, at least.
const GAP: f64 = 24.0;
const DOT: f64 = 8.0;
const STEP: f64 = 3.0;

/// Places for labels of those widths and of one height over those dots, most important first, all below `ceiling`.
/// Labels that find none are left out.
pub fn arrange(dots: &[(f64, f64)], widths: &[f64], height: f64, ceiling: f64) -> Vec<Label> {
    let mut placed: Vec<(Label, Box4)> = Vec::new();
    for (index, &(x, y)) in dots.iter().enumerate() {
        let free = |middle: (f64, f64), considerate: bool| {
            let area = around(middle, widths[index], height);
            let clear_of_dots = !dots.iter().any(|d| overlap(area, (d.0 - DOT, d.1 - DOT, d.0 + DOT, d.1 + DOT)));
            let clear_of_labels = placed.iter().all(|(label, other)| {
                let dot = dots[label.index];
                !overlap(area, *other)
                    && !overlap(area, leader(dot, other.3))
                    && !overlap(leader((x, y), area.3), *other)
            });
            // Whatever comes later needs the way up from its dot.
            let waiting = dots.iter().skip(index + 1).filter(|_| considerate);
            let clear_ways = waiting.filter(|d| d.1 > area.1).all(|d| d.0 < area.0 - 3.0 || d.0 > area.2 + 3.0);
            area.1 > ceiling && clear_of_dots && clear_of_labels && clear_ways
        };
        let lifts = || (0..100).map(|step| y - GAP - STEP * f64::from(step));
        let sides = [0.0, -0.15, 0.15, -0.3, 0.3, -0.45, 0.45].map(|share| share * widths[index]);
        let places = || lifts().flat_map(|lift| sides.map(|side| (x + side, lift)));
        let middle = places().find(|m| free(*m, true)).or_else(|| places().find(|m| free(*m, false)));
        if let Some(middle) = middle {
            placed.push((Label { index, middle }, around(middle, widths[index], height)));
        }
    }
    placed.into_iter().map(|(label, _)| label).collect()
}

fn around((x, y): (f64, f64), width: f64, height: f64) -> Box4 {
    (x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0)
}

/// The line from a dot up to its label, with some room beside it.
fn leader((x, y): (f64, f64), bottom: f64) -> Box4 {
    (x - 3.0, bottom, x + 3.0, y)
}

fn overlap(a: Box4, b: Box4) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_peaks_get_labels_apart() {
        let dots = [(100.0, 200.0), (130.0, 205.0), (160.0, 195.0), (900.0, 300.0)];
        let labels = arrange(&dots, &[80.0; 4], 24.0, 0.0);
        assert_eq!(labels.len(), 4);
        for (i, a) in labels.iter().enumerate() {
            let boxes = labels.iter().skip(i + 1).map(|b| around(b.middle, 80.0, 24.0));
            boxes.for_each(|b| assert!(!overlap(around(a.middle, 80.0, 24.0), b)));
        }
        assert!(arrange(&dots, &[80.0; 4], 24.0, 1000.0).is_empty());
    }
}
