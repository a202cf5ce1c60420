//! Scales: values to places, and the round numbers on the way.

/// A scale from `from` to `to`.
#[derive(Debug, Clone)]
pub struct Axis {
    from: f64,
    to: f64,
    logarithmic: bool,
    /// What it measures.
    pub title: String,
    label: fn(f64) -> String,
}

/// A round number on an axis.
pub struct Tick {
    /// Its place in 0..1.
    pub place: f64,
    /// Its label; nothing for the lines between the labelled ones.
    pub label: Option<String>,
}

impl Axis {
    /// Equal steps for equal differences.
    pub fn linear(from: f64, to: f64, title: &str) -> Self {
        Self { from, to, logarithmic: false, title: title.to_owned(), label: plain }
    }

    /// Equal steps for equal ratios.
    pub fn logarithmic(from: f64, to: f64, title: &str) -> Self {
        Self { from, to, logarithmic: true, title: title.to_owned(), label: plain }
    }

    /// With other words at its ticks.
    pub fn label(self, label: fn(f64) -> String) -> Self {
        Self { label, ..self }
    }

    /// The place of a value: 0 at the start, 1 at the end, held within them.
    pub fn place(&self, value: f64) -> f64 {
        let place = if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        place.clamp(0.0, 1.0)
    }

    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        if self.logarithmic {
            self.from * (self.to / self.from).powf(place)
        } else {
            self.from + (self.to - self.from) * place
        }
    }

    /// Its first and its last value.
    pub fn range(&self) -> (f64, f64) {
        (self.from, self.to)
    }

    /// The round numbers, about `wanted` of them labelled.
    pub fn ticks(&self, wanted: usize) -> Vec<Tick> {
        if self.logarithmic && self.to / self.from >= 10.0 { self.decades() } else { self.steps(wanted) }
    }

    fn tick(&self, value: f64, labelled: bool) -> Tick {
        Tick { place: self.place(value), label: labelled.then(|| (self.label)(value)) }
    }

    fn steps(&self, wanted: usize) -> Vec<Tick> {
        let rough = (self.to - self.from) / wanted.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough * 0.999).unwrap_or(rough);
        let slack = step * 1e-6;
        let (first, last) = (((self.from - slack) / step).ceil() as i64, ((self.to + slack) / step).floor() as i64);
        let ticks = (first..=last).map(|i| self.tick(i as f64 * step, true));
        // Where there are no words for a place, it is no round number.
        ticks.filter(|tick| tick.label.as_ref().is_some_and(|label| !label.is_empty())).collect()
    }

    /// 1, 2, 5 of each decade with labels, the others without.
    fn decades(&self) -> Vec<Tick> {
        let decades = self.from.log10().floor() as i32..=self.to.log10().ceil() as i32;
        let values = decades.flat_map(|decade| (1..10).map(move |m| (m, f64::from(m) * 10f64.powi(decade))));
        let within = |value: f64| value >= self.from * 0.9999 && value <= self.to * 1.0001;
        let narrow = self.to / self.from < 1e5;
        values
            .filter(|(_, value)| within(*value))
            .map(|(m, value)| self.tick(value, m == 1 || narrow && (m == 2 || m == 5)))
            .collect()
    }
}

/// A label for logarithms: `2¹⁰`; nothing between the whole powers.
pub fn power_of_two(bits: f64) -> String {
    if bits.fract() != 0.0 {
        return String::new();
    }
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: char| digit.to_digit(10).map_or('⁻', |d| RAISED[d as usize]);
    std::iter::once('2').chain((bits as i64).to_string().chars().map(raised)).collect()
}

fn plain(value: f64) -> String {
    // Steps are 1, 2 or 5 of some power of ten: what a float adds to them is beyond the twelfth digit.
    let decimals = (11.0 - value.abs().max(1e-12).log10().floor()).clamp(1.0, 24.0) as usize;
    let text = format!("{:.decimals$}", value + 0.0);
    text.trim_end_matches('0').trim_end_matches('.').replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks(5).into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(&Axis::linear(0.0, 3.1, "")), ["0", "1", "2", "3"]);
        assert_eq!(labels(&Axis::linear(-60.0, 0.0, "")), ["\u{2212}60", "\u{2212}40", "\u{2212}20", "0"]);
        assert_eq!(labels(&Axis::linear(0.0, 0.3, "")), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(&Axis::linear(0.0, 4e-5, "")), ["0", "0.00001", "0.00002", "0.00003", "0.00004"]);
        assert_eq!(labels(&Axis::logarithmic(20.0, 500.0, "")), ["20", "50", "100", "200", "500"]);
    }

    #[test]
    fn places_and_values_are_inverse() {
        for axis in [Axis::linear(-3.0, 7.0, ""), Axis::logarithmic(20.0, 20e3, "")] {
            for place in [0.0, 0.25, 0.5, 1.0] {
                assert!((axis.place(axis.value(place)) - place).abs() < 1e-12);
            }
        }
    }
}
