//! What is told of a picture in words, and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::origin::Origin;
use crate::table::{Align, Table};

use super::peaks::Wave;
use super::raster::Raster;

/// Prints the picture and its waves.
pub fn print(raster: &Raster, waves: &[Wave], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}, grey by luminance", raster.name, raster.describe())?;
    if waves.is_empty() {
        return writeln!(out, "\nno wave stands out");
    }
    writeln!(
        out,
        "\nstrongest waves, in cycles a pixel (0 dB: a sine from black to white; 0°: to the right, 90°: upwards)"
    )?;
    let titles = ["right", "up", "period", "degrees", "dB"];
    let mut table = Table::new(&titles.map(|title| (title, Align::Right)));
    for wave in waves {
        let frequencies = [wave.right, wave.up].map(|frequency| format!("{:.4}", frequency + 0.0));
        let [right, up] = frequencies;
        let period = format!("{:.2}", wave.period());
        table.row([right, up, period, format!("{:.1}", wave.degrees()), format!("{:.1}", wave.level)]);
    }
    table.print(out)
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    origin: Origin,
    picture: &'a str,
    width: usize,
    height: usize,
    waves: Vec<WaveRecord>,
}

#[derive(Serialize)]
struct WaveRecord {
    /// Cycles a pixel.
    right: f64,
    up: f64,
    /// Pixels.
    period: f64,
    degrees: f64,
    /// The level of a sine there: 0 is one from black to white.
    db: f64,
}

/// The same as a record.
pub fn document(origin: Origin, raster: &Raster, waves: &[Wave]) -> impl Serialize {
    let wave = |wave: &Wave| WaveRecord {
        right: wave.right,
        up: wave.up,
        period: wave.period(),
        degrees: wave.degrees(),
        db: wave.level,
    };
    let waves = waves.iter().map(wave).collect();
    Document { origin, picture: &raster.name, width: raster.width, height: raster.height, waves }
}
