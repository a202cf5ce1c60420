//! Sizes as people write them: `1048576`, `1_048_576`, `2^20`, `1e6`, `1Mi`, `1MiB`; the shapes made of them, `1024x1024`;
//! and bytes as people read them.

use std::fmt;

use serde::Serialize;

/// Reads a size.
pub fn parse(text: &str) -> Result<usize, String> {
    let expected = || format!("'{text}' is not a size: write 1048576, 2^20, 1e6, 1Mi or 1MiB");
    let too_large = || format!("'{text}' is larger than this machine can address");
    let number = |digits: &str| -> Result<usize, String> {
        // Underscores stand between digits, one at a time.
        if digits.split('_').any(|part| part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit())) {
            return Err(expected());
        }
        digits.replace('_', "").parse().map_err(|_| too_large())
    };
    if let Some((base, exponent)) = text.split_once('^') {
        let exponent = u32::try_from(number(exponent)?).map_err(|_| too_large())?;
        return number(base)?.checked_pow(exponent).ok_or_else(too_large);
    }
    if let Some((digits, exponent)) = text.split_once(['e', 'E']) {
        let exponent = u32::try_from(number(exponent)?).map_err(|_| too_large())?;
        let power = 10usize.checked_pow(exponent).ok_or_else(too_large)?;
        return number(digits)?.checked_mul(power).ok_or_else(too_large);
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: usize = match &text[digits.len()..] {
        "" | "B" => 1,
        "Ki" | "KiB" => 1 << 10,
        "Mi" | "MiB" => 1 << 20,
        "Gi" | "GiB" => 1 << 30,
        "Ti" | "TiB" => 1 << 40,
        _ => return Err(expected()),
    };
    number(digits)?.checked_mul(unit).ok_or_else(too_large)
}

/// A size that is a power of two.
pub fn parse_power_of_two(text: &str) -> Result<usize, String> {
    let size = parse(text)?;
    if size.is_power_of_two() { Ok(size) } else { Err(format!("{size} is not a power of two")) }
}

/// A size of at least one.
pub fn parse_positive(text: &str) -> Result<usize, String> {
    match parse(text)? {
        0 => Err("it must be at least 1".to_owned()),
        size => Ok(size),
    }
}

/// The lengths of a transform's dimensions, outermost first; at least one, and none of them is 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Shape(Vec<usize>);

impl Shape {
    /// Reads `2^20`, `1024x1024`, `64x64x64`.
    pub fn parse(text: &str) -> Result<Self, String> {
        if !text.contains('x') {
            return parse_positive(text).map(Self::from);
        }
        let of = |error: String| format!("of '{text}': {error}");
        let lengths: Vec<usize> = text.split('x').map(parse_positive).collect::<Result<_, _>>().map_err(of)?;
        match lengths.iter().try_fold(1usize, |points, n| points.checked_mul(*n)) {
            Some(_) => Ok(Self(lengths)),
            None => Err(format!("'{text}' has more points than this machine can address")),
        }
    }

    /// That of lengths of which none is 0.
    pub fn of(lengths: &[usize]) -> Self {
        Self(lengths.to_vec())
    }

    /// The lengths.
    pub fn lengths(&self) -> &[usize] {
        &self.0
    }

    /// The points of all dimensions together.
    pub fn points(&self) -> usize {
        self.0.iter().product()
    }

    /// Whether there is one dimension only.
    pub fn is_line(&self) -> bool {
        self.0.len() == 1
    }
}

impl From<usize> for Shape {
    fn from(n: usize) -> Self {
        Self(vec![n])
    }
}

/// `2^20`, `1024x1024`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [n] = self.0[..] {
            return f.pad(&power(n));
        }
        f.pad(&self.0.iter().map(usize::to_string).collect::<Vec<_>>().join("x"))
    }
}

/// `1.50 GiB`, `512 B`.
pub fn bytes(count: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (count as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = if value.fract() == 0.0 { 0 } else { 1 };
    format!("{value:.digits$} {}", units[unit])
}

/// `2^20`, or the digits of a number that is not a power of two.
pub fn power(n: usize) -> String {
    if n.is_power_of_two() { format!("2^{}", n.trailing_zeros()) } else { n.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, size) in [
            ("1", 1),
            ("2^20", 1 << 20),
            ("1Mi", 1 << 20),
            ("64KiB", 65536),
            ("3^2", 9),
            ("0", 0),
            ("1e6", 1_000_000),
            ("10^6", 1_000_000),
            ("1_000", 1000),
        ] {
            assert_eq!(parse(text), Ok(size), "{text}");
        }
        for text in [
            "",
            "x",
            "-1",
            "2^",
            "^2",
            "2^2^2",
            "1.5",
            "1Qi",
            "1e",
            "e6",
            "1e20",
            "1.5e3",
            "1__0",
            "_1",
            "2^64",
            "99999999999999999999",
            "Mi",
            "1µ",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse_power_of_two("3").is_err());
        assert!(parse_positive("0").is_err());
    }

    #[test]
    fn shapes_are_read_and_written() {
        for (text, lengths, written) in [
            ("1000", &[1000][..], "1000"),
            ("1Mi", &[1 << 20], "2^20"),
            ("1024x1024", &[1024, 1024], "1024x1024"),
            ("2^3x1e2x1", &[8, 100, 1], "8x100x1"),
        ] {
            let shape = Shape::parse(text).unwrap();
            assert_eq!((shape.lengths(), &shape.to_string()[..]), (lengths, written));
            assert_eq!((shape.points(), shape.is_line()), (lengths.iter().product(), lengths.len() == 1));
        }
        assert_eq!(serde_json::to_string(&Shape::parse("4x5").unwrap()).unwrap(), "[4,5]");
        for text in ["", "x", "4x", "x4", "4xx4", "0x4", "4x0", "4X4", "4×4", "4,4", "2^32x2^32"] {
            assert!(Shape::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bytes_are_written_as_people_read_them() {
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(1 << 30), "1 GiB");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
    }
}
