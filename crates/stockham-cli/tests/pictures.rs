//! `stockham spectrum` of pictures: a grating is found and drawn where it belongs, and what is no picture has its words.

mod support;

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;
use std::process::Command;

use image::{ImageBuffer, Luma, Rgb};
use support::{Folder, binary, device, failed, stockham, succeeded};

/// A wave of so many cycles a pixel to the right and upwards, of half the contrast, in a colour.
fn grating(path: &Path, (width, height): (u32, u32), (right, up): (f64, f64), color: [f64; 3]) {
    let pixel = |x: u32, y: u32| {
        let wave = (TAU * (right * f64::from(x) - up * f64::from(y))).sin();
        Rgb(color.map(|part| (255.0 * part * (0.5 + 0.25 * wave)).round() as u8))
    };
    ImageBuffer::from_fn(width, height, pixel).save(path).unwrap();
}

/// The rows of the table: right, up, period, degrees and level.
fn waves(text: &str) -> Vec<[f64; 5]> {
    let rows = text.lines().skip_while(|line| !line.contains("period")).skip(1);
    let numbers = |row: &str| row.split_whitespace().map(|cell| cell.parse().ok()).collect::<Option<Vec<f64>>>();
    rows.map_while(|row| numbers(row)?.try_into().ok()).collect()
}

#[test]
fn a_grating_has_two_peaks_where_they_belong() {
    let folder = Folder::new("spectrum-grating");
    let (output, json) = (folder.path("out.png"), folder.path("out.json"));
    for (name, tolerance) in [("grating.png", 2e-4), ("grating.jpg", 1e-3)] {
        let input = folder.path(name);
        grating(&input, (300, 200), (0.125, 0.31), [1.0; 3]);
        let text = succeeded(&stockham("spectrum", &[&input, &output, Path::new("--json"), &json]));
        let [right, up, period, degrees, level] = waves(&text)[0];
        assert!((right - 0.125).abs() < tolerance && (up - 0.31).abs() < tolerance, "{text}");
        assert!((period - 1.0 / 0.125f64.hypot(0.31)).abs() < 0.02, "{text}");
        assert!((degrees - 0.31f64.atan2(0.125).to_degrees()).abs() < 0.3 && (level + 6.0).abs() < 0.3, "{text}");
        let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        assert_eq!((record["width"].as_u64(), record["height"].as_u64()), (Some(300), Some(200)));
        assert!((record["waves"][0]["up"].as_f64().unwrap() - 0.31).abs() < tolerance);

        // Where the peaks are drawn it is bright, and at their reflections dark: up is up.
        let drawn = image::open(&output).unwrap().into_luma8();
        assert_eq!(drawn.dimensions(), (1188, 1098));
        let at = |right: f64, up: f64| {
            drawn.get_pixel((118.0 + 880.0 * (0.5 + right)) as u32, (122.0 + 880.0 * (0.5 - up)) as u32).0[0]
        };
        assert!(at(0.125, 0.31) > 200 && at(-0.125, -0.31) > 200, "{} {}", at(0.125, 0.31), at(-0.125, -0.31));
        assert!(at(-0.125, 0.31) < 130 && at(0.125, -0.31) < 130 && at(0.0, 0.0) < 200);
    }
}

#[test]
fn colours_are_grey_by_luminance() {
    let folder = Folder::new("spectrum-colour");
    let (input, output) = (folder.path("in.png"), folder.path("out.png"));
    for (color, luminance) in [([1.0, 0.0, 0.0], 0.2126), ([0.0, 1.0, 0.0], 0.7152), ([0.0, 0.0, 1.0], 0.0722)] {
        grating(&input, (128, 128), (0.25, 0.0), color);
        let text = succeeded(&stockham("spectrum", &[&input, &output]));
        let [right, up, .., level] = waves(&text)[0];
        assert!((right - 0.25).abs() < 1e-3 && up.abs() < 1e-3, "{text}");
        assert!((level - 20.0 * (0.5f64 * luminance).log10()).abs() < 0.4, "{text}");
    }
}

#[test]
fn other_pictures_and_none() {
    let folder = Folder::new("spectrum-pictures");
    let output = folder.path("out.png");
    // Sixteen bits, and no wave at all.
    let grey = folder.path("grey.png");
    ImageBuffer::from_pixel(31, 7, Luma([40_000u16])).save(&grey).unwrap();
    assert!(succeeded(&stockham("spectrum", &[&grey, &output])).contains("no wave stands out"));
    let dot = folder.path("dot.png");
    ImageBuffer::from_pixel(1, 1, Luma([7u8])).save(&dot).unwrap();
    assert!(succeeded(&stockham("spectrum", &[&dot, &output])).contains("no wave stands out"));

    let whole = folder.path("whole.png");
    grating(&whole, (64, 64), (0.1, 0.2), [1.0; 3]);
    let bytes = fs::read(&whole).unwrap();
    for length in [8, 20, 40, bytes.len() / 2] {
        let part = folder.write("part.png", &bytes[..length]);
        failed(&stockham("spectrum", &[&part, &output]), 2, "part.png: ");
    }
    for option in [&["--spectrogram"][..], &["--window", "64"], &["--channel", "left"]] {
        let mut command = Command::new(binary());
        command.arg("spectrum").args([&whole, &output]).args(option).args(["--device", &device()]);
        failed(&command.output().unwrap(), 2, "are for recordings");
    }
    failed(&stockham("spectrum", &[&whole, &folder.path("out.svg")]), 2, "is a bitmap");
    // A picture of another kind is no recording either.
    let other = folder.write("other.gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;");
    failed(&stockham("spectrum", &[&other, &output]), 2, "not a recording");
    // Through a pipe, whatever its name.
    let mut command = Command::new(binary());
    command.args(["spectrum", "-"]).arg(&output).args(["--device", &device()]);
    let piped = command.stdin(fs::File::open(&whole).unwrap()).output().unwrap();
    assert!(succeeded(&piped).contains("standard input: 64 × 64 pixels"));
}
