//! `stockham spectrum`: known tones are found, pictures are whole, and bad recordings have their words.

mod support;

use std::f64::consts::TAU;
use std::fs;

use support::{Folder, failed, stockham, succeeded, wav};

fn tones(rate: u32, seconds: f64, tones: &[(f64, f64)]) -> Vec<f64> {
    let sample = |i: usize| {
        let t = i as f64 / f64::from(rate);
        tones.iter().map(|(hz, amplitude)| amplitude * (TAU * hz * t).sin()).sum()
    };
    (0..(seconds * f64::from(rate)) as usize).map(sample).collect()
}

/// The first two columns of the printed peaks.
fn peaks(text: &str) -> Vec<(f64, f64)> {
    let rows = text.lines().skip_while(|line| !line.trim_start().starts_with("Hz")).skip(1);
    rows.map_while(|row| {
        let mut cells = row.split_whitespace();
        Some((cells.next()?.parse().ok()?, cells.next()?.parse().ok()?))
    })
    .collect()
}

fn png_size(path: &std::path::Path) -> (u32, u32) {
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&bytes[bytes.len() - 8..bytes.len() - 4], b"IEND");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn two_tones_are_found_with_their_levels() {
    let folder = Folder::new("spectrum-tones");
    let (input, output) = (folder.path("tones.wav"), folder.path("tones.png"));
    wav(&input, 44_100, 1, &tones(44_100, 1.0, &[(440.0, 0.5), (1000.0, 0.25)]));
    let text = succeeded(&stockham("spectrum", &[&input, &output]));
    let peaks = peaks(&text);
    assert!(peaks.len() >= 2, "{text}");
    assert!((peaks[0].0 - 440.0).abs() < 0.5 && (peaks[0].1 + 6.0).abs() < 0.1, "{text}");
    assert!((peaks[1].0 - 1000.0).abs() < 0.5 && (peaks[1].1 + 12.0).abs() < 0.1, "{text}");
    assert_eq!(png_size(&output), (1600, 900));
    assert_eq!(folder.files(), ["tones.png", "tones.wav"]);
}

#[test]
fn channels_are_averaged() {
    let folder = Folder::new("spectrum-stereo");
    let (input, output) = (folder.path("stereo.wav"), folder.path("stereo.png"));
    let (left, right) = (tones(48_000, 1.0, &[(440.0, 0.5)]), tones(48_000, 1.0, &[(3000.0, 0.5)]));
    let both: Vec<f64> = left.iter().zip(&right).flat_map(|(l, r)| [*l, *r]).collect();
    wav(&input, 48_000, 2, &both);
    let text = succeeded(&stockham("spectrum", &[&input, &output]));
    assert!(text.contains("2 channels averaged to one"), "{text}");
    let mut found: Vec<f64> = peaks(&text).iter().map(|p| p.0).collect();
    found.truncate(2);
    found.sort_by(f64::total_cmp);
    assert!((found[0] - 440.0).abs() < 0.5 && (found[1] - 3000.0).abs() < 0.5, "{text}");
}

#[test]
fn every_format_of_samples_is_read() {
    let folder = Folder::new("spectrum-formats");
    let samples = tones(22_050, 0.5, &[(1000.0, 0.5)]);
    for (bits, float) in [(8, false), (16, false), (24, false), (32, false), (32, true)] {
        let sample_format = if float { hound::SampleFormat::Float } else { hound::SampleFormat::Int };
        let spec = hound::WavSpec { channels: 1, sample_rate: 22_050, bits_per_sample: bits, sample_format };
        let input = folder.path("x.wav");
        let mut writer = hound::WavWriter::create(&input, spec).unwrap();
        for x in &samples {
            if float {
                writer.write_sample(*x as f32).unwrap();
            } else {
                writer.write_sample((x * ((1u64 << (bits - 1)) - 1) as f64).round() as i32).unwrap();
            }
        }
        writer.finalize().unwrap();
        let text = succeeded(&stockham("spectrum", &[&input, &folder.path("x.png")]));
        let first = peaks(&text)[0];
        assert!((first.0 - 1000.0).abs() < 0.5 && (first.1 + 6.0).abs() < 0.1, "{bits} bits: {text}");
    }
}

#[test]
fn spectrograms_and_vector_pictures() {
    let folder = Folder::new("spectrum-kinds");
    let input = folder.path("x.wav");
    wav(&input, 44_100, 1, &tones(44_100, 0.5, &[(440.0, 0.5)]));
    let (png, svg) = (folder.path("x.png"), folder.path("x.svg"));
    succeeded(&stockham("spectrum", &[input.as_os_str(), png.as_os_str(), "--spectrogram".as_ref()]));
    assert_eq!(png_size(&png), (1600, 900));
    succeeded(&stockham("spectrum", &[&input, &svg]));
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.contains("frequency (Hz)") && text.trim_end().ends_with("</svg>"));
    failed(&stockham("spectrum", &[input.as_os_str(), svg.as_os_str(), "--spectrogram".as_ref()]), 2, ".png");
    failed(&stockham("spectrum", &[&input, &folder.path("x.jpg")]), 2, "ends in .png or .svg");
}

#[test]
fn silence_and_single_samples_are_no_trouble() {
    let folder = Folder::new("spectrum-little");
    for samples in [vec![0.0; 4000], vec![0.5], vec![0.5, -0.5], vec![0.1; 7]] {
        let (input, output) = (folder.path("x.wav"), folder.path("x.png"));
        wav(&input, 8000, 1, &samples);
        for options in [&["--spectrogram"][..], &["--window", "3"]] {
            let mut arguments = vec![input.to_str().unwrap(), output.to_str().unwrap()];
            arguments.extend(options);
            succeeded(&stockham("spectrum", &arguments));
            assert_eq!(png_size(&output), (1600, 900));
        }
    }
}

#[test]
fn bad_recordings_are_told_and_leave_no_file() {
    let folder = Folder::new("spectrum-bad");
    let good = folder.path("good.wav");
    wav(&good, 8000, 1, &tones(8000, 0.1, &[(440.0, 0.5)]));
    let good = fs::read(good).unwrap();
    let mut a_law = good.clone();
    a_law[20] = 6;
    let mut empty = good[..44].to_vec();
    empty[40..44].fill(0);
    let mut no_rate = good.clone();
    no_rate[24..32].fill(0);
    let nan = {
        let path = folder.path("nan.wav");
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: 8000,
            bits_per_sample: 32,
            sample_format: hound::SampleFormat::Float,
        };
        let mut writer = hound::WavWriter::create(&path, spec).unwrap();
        writer.write_sample(f32::NAN).unwrap();
        writer.finalize().unwrap();
        fs::read(path).unwrap()
    };
    fs::remove_file(folder.path("nan.wav")).unwrap();
    fs::remove_file(folder.path("good.wav")).unwrap();
    for (bytes, words) in [
        (vec![], "truncated"),
        (b"\x93NUMPY\x01\x00 something else entirely, not a recording".to_vec(), "not a WAV file"),
        (good[..30].to_vec(), "truncated"),
        (good[..good.len() - 10].to_vec(), "truncated"),
        (a_law, "not supported"),
        (empty, "empty"),
        (no_rate, "no sample rate"),
        (nan, "not a finite number"),
    ] {
        let (input, output) = (folder.write("in.wav", &bytes), folder.path("out.png"));
        failed(&stockham("spectrum", &[&input, &output]), 2, words);
        assert_eq!(folder.files(), ["in.wav"], "{words}");
    }
    failed(&stockham("spectrum", &[folder.path("none.wav"), folder.path("out.png")]), 2, "none.wav");
}
