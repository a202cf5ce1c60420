//! `stockham convolve` and `stockham filter`: results by the definition, files kept as they are, and words for what is wrong.

mod support;

use std::f64::consts::PI;
use std::fs;
use std::path::Path;

use image::{DynamicImage, GenericImageView};
use support::{Folder, failed, npy, read_npy, stockham, succeeded, wav};

fn text(path: &Path) -> String {
    path.to_str().expect("a name").to_owned()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn arrays_are_convolved_as_scipy_does() {
    let folder = Folder::new("convolve");
    let array = |name: &str, shape: &str, x: &[f32]| {
        text(
            &folder.write(name, &npy("<f4", false, shape, &x.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())),
        )
    };
    let (a, b) = (array("a.npy", "(2, 3)", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), array("b.npy", "(1, 2)", &[1.0, -1.0]));
    let (y, json) = (folder.path("y.npy"), folder.path("y.json"));
    let cases: [(&[&str], &str, &[f32]); 6] = [
        (&[], "(2, 4)", &[1.0, 1.0, 1.0, -3.0, 4.0, 1.0, 1.0, -6.0]),
        (&["--mode", "same"], "(2, 3)", &[1.0, 1.0, 1.0, 4.0, 1.0, 1.0]),
        (&["--mode", "valid"], "(2, 2)", &[1.0, 1.0, 1.0, 1.0]),
        (&["--mode", "circular"], "(2, 3)", &[-2.0, 1.0, 1.0, -2.0, 1.0, 1.0]),
        (&["--correlate"], "(2, 4)", &[-1.0, -1.0, -1.0, 3.0, -4.0, -1.0, -1.0, 6.0]),
        (&["--correlate", "--mode", "circular"], "(2, 3)", &[-1.0, -1.0, 2.0, -1.0, -1.0, 2.0]),
    ];
    for (options, shape, expected) in cases {
        let files = [a.clone(), b.clone(), text(&y), "--json".into(), text(&json)];
        let arguments: Vec<String> =
            files.into_iter().chain(options.iter().map(|option| (*option).to_owned())).collect();
        assert!(succeeded(&stockham("convolve", &arguments)).contains("takes up to"));
        let (header, data) = read_npy(&y);
        assert!(header.contains("<f4") && header.contains(shape), "{header}, {options:?}");
        let found = floats(&data);
        assert!(found.iter().zip(expected).all(|(y, expected)| (y - expected).abs() < 1e-5), "{found:?}, {options:?}");
        assert!(fs::read_to_string(&json).unwrap().contains("\"transforms\""));
    }
    let line = array("line.npy", "(2,)", &[1.0, 2.0]);
    failed(&stockham("convolve", &[a.clone(), line, text(&y)]), 2, "2 dimensions");
    let wide = array("wide.npy", "(1, 4)", &[1.0; 4]);
    failed(&stockham("convolve", &[a, wide, text(&y), "--mode".into(), "valid".into()]), 2, "contains");
}

/// Tones of half of the full scale in all, by frequency.
fn tones(rate: u32, seconds: f64, frequencies: &[f64]) -> Vec<f64> {
    let count = (f64::from(rate) * seconds) as usize;
    let at = |i: usize| i as f64 / f64::from(rate);
    let tone = |f: &f64, i: usize| (2.0 * PI * f * at(i)).sin();
    (0..count).map(|i| frequencies.iter().map(|f| tone(f, i)).sum::<f64>() / (2 * frequencies.len()) as f64).collect()
}

fn both(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).flat_map(|(x, y)| [*x, *y]).collect()
}

/// Filters a file of 16 bits.
fn filtered(folder: &Folder, options: &[&str]) -> Vec<f64> {
    let files = [text(&folder.path("x.wav")), text(&folder.path("y.wav"))];
    let arguments: Vec<String> = files.into_iter().chain(options.iter().map(|option| (*option).to_owned())).collect();
    succeeded(&stockham("filter", &arguments));
    let mut reader = hound::WavReader::open(folder.path("y.wav")).expect("a WAV file");
    reader.samples::<i16>().map(|x| f64::from(x.expect("a sample")) / 32767.0).collect()
}

#[test]
fn filters_take_out_what_they_say() {
    let folder = Folder::new("filter");
    let rate = 8000;
    let parts = [50.0, 440.0, 2000.0].map(|f| tones(rate, 20.0, &[f]));
    let all: Vec<f64> = (0..parts[0].len()).map(|i| parts.iter().map(|part| part[i] / 3.0).sum()).collect();
    // The other channel has something else.
    wav(&folder.path("x.wav"), rate, 2, &both(&all, &parts[0]));
    let cases: [(&[&str], [f64; 3]); 5] = [
        (&["--lowpass", "1000"], [1.0, 1.0, 0.0]),
        (&["--highpass", "1000"], [0.0, 0.0, 1.0]),
        (&["--bandpass", "200..1000"], [0.0, 1.0, 0.0]),
        (&["--bandstop", "200..1000", "--width", "40"], [1.0, 0.0, 1.0]),
        (&["--notch", "50"], [0.0, 1.0, 1.0]),
    ];
    for (options, passes) in cases {
        let found = filtered(&folder, options);
        assert_eq!(found.len(), 2 * all.len());
        // Away from the ends, where silence before and after is filtered, too.
        for i in 24_000..all.len() - 24_000 {
            let sum = |of: &dyn Fn(usize) -> f64| passes.iter().enumerate().map(|(p, pass)| pass * of(p)).sum::<f64>();
            let expected = [sum(&|p| parts[p][i] / 3.0), passes[0] * parts[0][i]];
            for (found, expected) in found[2 * i..].iter().zip(expected) {
                assert!((found - expected).abs() < 2e-4, "{options:?}: {found}, not {expected} at {i}");
            }
        }
    }
}

/// A file with chunks before and after its samples.
fn file(format: [u16; 3], channels: u16, data: &[u8]) -> Vec<u8> {
    let [tag, bits, bytes] = format;
    let chunk = |id: &[u8], body: &[u8]| {
        let mut chunk = [id, &(body.len() as u32).to_le_bytes(), body].concat();
        chunk.resize(chunk.len().next_multiple_of(2), 0);
        chunk
    };
    let (align, rate) = (channels * bytes, 8000u32);
    let numbers = [tag.to_le_bytes(), channels.to_le_bytes()].concat();
    let rates = [rate.to_le_bytes(), (rate * u32::from(align)).to_le_bytes()].concat();
    let format = [numbers, rates, align.to_le_bytes().to_vec(), bits.to_le_bytes().to_vec()].concat();
    let chunks = [chunk(b"LIST", &[7; 100_001]), chunk(b"fmt ", &format), chunk(b"data", data), chunk(b"cue ", b"end")];
    let chunks = chunks.concat();
    [b"RIFF", &(chunks.len() as u32 + 4).to_le_bytes()[..], b"WAVE", &chunks].concat()
}

/// A filter that lets all pass that there is gives the file back, but for a step of its samples, whatever their format.
#[test]
fn all_that_passes_stays_as_it_was() {
    let folder = Folder::new("filter-formats");
    let slow = |i: usize| 0.5 * (2.0 * PI * i as f64 / 800.0).sin();
    let count = 70_001;
    let bytes_of = |bits: u32, bytes: usize| -> Vec<u8> {
        let value = |i: usize| (slow(i) * f64::from(1u32 << (bits - 1))).round() as i64;
        let offset = if bytes == 1 { 128 } else { 0 };
        let sample = |i: usize| ((value(i) << (8 * bytes as u32 - bits)) + offset).to_le_bytes()[..bytes].to_vec();
        (0..count).flat_map(sample).collect()
    };
    // Integers of so many bytes, and the distance of neighbours; A-law and µ-law bytes of the smallest values.
    let cases = [
        ([1, 8, 1], bytes_of(8, 1), 1),
        ([1, 16, 2], bytes_of(16, 2), 1),
        ([1, 12, 2], bytes_of(12, 2), 1 << 4),
        ([1, 24, 3], bytes_of(24, 3), 16),
        ([6, 8, 1], vec![0xd5; count], 0),
        ([7, 8, 1], vec![0xff; count], 0),
    ];
    for (format, data, step) in cases {
        let width = usize::from(format[2]);
        let x = folder.write("x.wav", &file(format, 1, &data));
        let y = folder.path("y.wav");
        succeeded(&stockham("filter", &[&text(&x), &text(&y), "--lowpass", "2000", "--attenuation", "120"]));
        let (before, after) = (fs::read(&x).unwrap(), fs::read(&y).unwrap());
        assert_eq!(before.len(), after.len());
        let at = before.windows(4).position(|word| word == b"data").unwrap() + 8;
        assert_eq!(before[..at], after[..at], "{format:?}");
        assert_eq!(before[at + data.len()..], after[at + data.len()..], "{format:?}");
        let value = |file: &[u8], i: usize| {
            let sample = &file[at + i * width..][..width];
            let unsigned = sample.iter().rev().fold(0i64, |value, byte| value << 8 | i64::from(*byte));
            if width == 1 { unsigned } else { unsigned << (64 - 8 * width) >> (64 - 8 * width) }
        };
        // The ends hear the silence beside them.
        for i in 1000..count - 1000 {
            let difference = value(&before, i) - value(&after, i);
            assert!(difference.abs() <= step, "{format:?}: {difference} at {i}");
        }
    }
    // Floats are not rounded to steps.
    for (format, bytes) in [([3, 32, 4], 4), ([3, 64, 8], 8)] {
        let data: Vec<u8> = (0..count)
            .flat_map(
                |i| if bytes == 4 { (slow(i) as f32).to_le_bytes().to_vec() } else { slow(i).to_le_bytes().to_vec() },
            )
            .collect();
        let x = folder.write("x.wav", &file(format, 1, &data));
        let y = folder.path("y.wav");
        succeeded(&stockham("filter", &[&text(&x), &text(&y), "--lowpass", "2000", "--attenuation", "120"]));
        let after = fs::read(&y).unwrap();
        let at = after.windows(4).position(|word| word == b"data").unwrap() + 8;
        for i in 1000..count - 1000 {
            let b = &after[at + i * bytes..][..bytes];
            let found = if bytes == 4 {
                f64::from(f32::from_le_bytes(b.try_into().unwrap()))
            } else {
                f64::from_le_bytes(b.try_into().unwrap())
            };
            assert!((found - slow(i)).abs() < 3e-6, "{format:?}: {found} at {i}");
        }
    }
}

#[test]
fn clipping_is_told_and_bad_input_has_words() {
    let folder = Folder::new("filter-faults");
    let (x, y) = (folder.path("x.wav"), text(&folder.path("y.wav")));
    // Sign changes at full scale: what passes of a square is larger.
    let square: Vec<f64> = (0..8000).map(|i| if i / 20 % 2 == 0 { 1.0 } else { -1.0 }).collect();
    wav(&x, 8000, 1, &square);
    let told = succeeded(&stockham("filter", &[&text(&x), &y, "--lowpass", "1000"]));
    assert!(told.contains("clipped") && told.contains("over full scale"), "{told}");

    let bad: [(&[&str], &str); 6] = [
        (&["--lowpass", "4000"], "below 4000, half of the sample rate"),
        (&["--bandpass", "900..300"], "ascending"),
        (&["--lowpass", "100", "--attenuation", "3"], "8 dB"),
        (&["--lowpass", "100", "--width", "0"], "width of the transition"),
        (&["--lowpass", "100", "--notch", "50"], "cannot be used with"),
        (&["--blur", "2"], "ends in .png"),
    ];
    for (options, words) in bad {
        let arguments: Vec<&str> = [x.to_str().unwrap(), &y].into_iter().chain(options.iter().copied()).collect();
        failed(&stockham("filter", &arguments), 2, words);
    }
    let whole = fs::read(&x).unwrap();
    let cut = folder.write("cut.wav", &whole[..whole.len() - 100]);
    failed(&stockham("filter", &[&text(&cut), &y, "--lowpass", "100"]), 2, "truncated");
    let other = folder.write("other.wav", b"something else");
    failed(&stockham("filter", &[&text(&other), &y, "--lowpass", "100"]), 2, "not a recording");
    let empty = folder.write("empty.wav", &file([1, 16, 2], 1, &[]));
    failed(&stockham("filter", &[&text(&empty), &y, "--lowpass", "100"]), 2, "empty");
}

#[test]
fn pictures_are_blurred_and_sharpened_in_their_format() {
    let folder = Folder::new("filter-pictures");
    let (x, y) = (folder.path("x.png"), folder.path("y.png"));
    let filter = |option: &str, sigma: &str| {
        succeeded(&stockham("filter", &[&text(&x), &text(&y), option, sigma]));
        image::open(&y).expect("a picture")
    };
    // A point, whose blur is the Gaussian itself.
    let point =
        image::ImageBuffer::from_fn(31, 21, |x, y| image::Luma([if (x, y) == (15, 10) { 60_000u16 } else { 0 }]));
    point.save(&x).unwrap();
    let blurred = filter("--blur", "1.5");
    assert!(matches!(blurred, DynamicImage::ImageLuma16(_)));
    let weights: f64 = (-6..=6).map(|i| (-f64::from(i * i) / 4.5).exp()).sum();
    for (px, py, value) in blurred.to_luma16().enumerate_pixels() {
        let (dx, dy) = (f64::from(px) - 15.0, f64::from(py) - 10.0);
        let inside = dx.abs() <= 6.0 && dy.abs() <= 6.0;
        let expected = if inside { 60_000.0 * (-(dx * dx + dy * dy) / 4.5).exp() / weights / weights } else { 0.0 };
        assert!((f64::from(value.0[0]) - expected).abs() <= 1.0, "{value:?}, not {expected} at {px}, {py}");
    }
    // What has one colour keeps it, up to the edges; opacity stays as it is.
    let plain = image::ImageBuffer::from_fn(17, 5, |x, _| image::Rgba([200u8, 100, 50, x as u8 * 15]));
    plain.save(&x).unwrap();
    for option in ["--blur", "--sharpen"] {
        let found = filter(option, "9");
        assert!(matches!(found, DynamicImage::ImageRgba8(_)));
        assert_eq!(found.to_rgba8(), plain, "{option}");
    }
    // An edge has more contrast when it is sharpened, and less when it is blurred.
    let edge = image::ImageBuffer::from_fn(40, 9, |x, _| image::Luma([if x < 20 { 100u8 } else { 150 }]));
    edge.save(&x).unwrap();
    let across = |image: &DynamicImage| [19, 20].map(|x| image.get_pixel(x, 4).0[0]);
    let [a, b] = across(&filter("--blur", "2"));
    assert!(100 < a && a < b && b < 150, "{a}, {b}");
    let [a, b] = across(&filter("--sharpen", "2"));
    assert!(a < 100 && b > 150, "{a}, {b}");
    failed(&stockham("filter", &[&text(&x), &text(&y), "--blur", "0"]), 2, "more than 0");
    failed(&stockham("filter", &[&text(&x), &text(&folder.path("y.jpg")), "--blur", "1"]), 2, ".png");
}

/// A tone is where its frequency is, in every segment that has nothing of the ends.
#[test]
fn segments_of_a_tone_have_its_frequency() {
    let folder = Folder::new("stft");
    let (x, y) = (folder.path("x.wav"), folder.path("y.npy"));
    wav(&x, 8000, 1, &tones(8000, 1.0, &[1000.0]));
    let told = succeeded(&stockham("stft", &[&text(&x), &text(&y), "--window", "64", "--hop", "16"]));
    assert!(told.contains("33 frequencies, 125.00 Hz apart"), "{told}");
    let (header, data) = read_npy(&y);
    assert!(header.contains("<c8") && header.contains("(33, 501)"), "{header}");
    let level = |k: usize, segment: usize| {
        let pair = floats(&data[(k * 501 + segment) * 8..][..8]);
        f64::from(pair[0].hypot(pair[1]))
    };
    for segment in 2..498 {
        assert!((level(8, segment) - 0.25).abs() < 1e-3 && level(16, segment) < 1e-3, "segment {segment}");
    }
    failed(&stockham("stft", &[&text(&x), &text(&y), "--window", "8", "--hop", "9"]), 2, "leave samples out");
}
