//! `stockham convolve` of recordings and pictures: by the definition, in every mode, and words for what is wrong.

mod support;

use std::fs;
use std::path::Path;

use image::{DynamicImage, ImageBuffer, Luma, Rgb};
use support::{Folder, failed, stockham, succeeded};

const MODES: [&str; 4] = ["full", "same", "valid", "circular"];

fn text(path: &Path) -> String {
    path.to_str().expect("a name").to_owned()
}

/// Numbers that look random, from −1 to 1.
fn noise(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// A recording of floats, frame by frame.
fn sound(path: &Path, rate: u32, channels: u16, samples: &[f32]) -> String {
    let format =
        hound::WavSpec { channels, sample_rate: rate, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut writer = hound::WavWriter::create(path, format).expect("a file");
    samples.iter().for_each(|x| writer.write_sample(*x).expect("room"));
    writer.finalize().expect("room");
    text(path)
}

fn heard(path: &Path) -> (hound::WavSpec, Vec<f32>) {
    let mut reader = hound::WavReader::open(path).expect("a WAV file");
    (reader.spec(), reader.samples().map(|x| x.expect("a sample")).collect())
}

/// What a mode gives of one line, in double precision.
fn convolved(x: &[f32], kernel: &[f32], mode: &str, is_correlation: bool) -> Vec<f64> {
    let (n, k) = (x.len(), kernel.len());
    let tap = |j: usize| f64::from(if is_correlation { kernel[k - 1 - j] } else { kernel[j] });
    let mut full = vec![0.0; n + k - 1];
    for (i, x) in x.iter().enumerate() {
        (0..k).for_each(|j| full[i + j] += f64::from(*x) * tap(j));
    }
    match mode {
        "same" => full[(k - 1) / 2..][..n].to_vec(),
        "valid" => full[n.min(k) - 1..][..n.abs_diff(k) + 1].to_vec(),
        "circular" => {
            // A correlation begins at the lag 0.
            let first = if is_correlation { k - 1 } else { 0 };
            let at = |i: usize| full.iter().skip((i + first) % n).step_by(n).sum();
            (0..n).map(at).collect()
        }
        _ => full,
    }
}

fn channel(samples: &[f32], channel: usize, channels: usize) -> Vec<f32> {
    samples.iter().copied().skip(channel).step_by(channels).collect()
}

#[test]
fn recordings_are_convolved_channel_by_channel() {
    let folder = Folder::new("convolve-sound");
    let (x, k, y, json) = (folder.path("x.wav"), folder.path("k.wav"), folder.path("y.wav"), folder.path("y.json"));
    // A block is 65536 frames; kernels are shorter and longer than a recording.
    for (seed, (frames, taps, channels, of_kernel)) in
        [(70_001, 33, 2, 1), (500, 801, 2, 2), (1, 5, 1, 1), (40, 1, 3, 3)].into_iter().enumerate()
    {
        let samples = noise(seed as u64, frames * channels);
        let kernel = noise(seed as u64 + 100, taps * of_kernel);
        sound(&x, 8000, channels as u16, &samples);
        sound(&k, 8000, of_kernel as u16, &kernel);
        for mode in MODES {
            for correlate in [false, true] {
                let mut arguments =
                    vec![text(&x), text(&k), text(&y), "--mode".into(), mode.into(), "--json".into(), text(&json)];
                arguments.extend(correlate.then(|| "--correlate".to_owned()));
                let told = succeeded(&stockham("convolve", &arguments));
                assert!(told.contains(if correlate { "correlated" } else { "convolved" }), "{told}");
                let (spec, found) = heard(&y);
                assert_eq!((spec.sample_rate, usize::from(spec.channels)), (8000, channels));
                for c in 0..channels {
                    let kernel = channel(&kernel, c % of_kernel, of_kernel);
                    let expected = convolved(&channel(&samples, c, channels), &kernel, mode, correlate);
                    let found = channel(&found, c, channels);
                    assert_eq!(found.len(), expected.len(), "{frames} by {taps}, {mode}");
                    for (i, (y, expected)) in found.iter().zip(&expected).enumerate() {
                        let difference = f64::from(*y) - expected;
                        assert!(difference.abs() < 1e-4, "{y}, not {expected} at {i}: {frames} by {taps}, {mode}");
                    }
                }
                let record = fs::read_to_string(&json).unwrap();
                assert!(record.contains("\"frames\"") && record.contains("\"clipped\": 0"), "{record}");
            }
        }
    }
}

#[test]
fn results_have_the_format_of_the_recording_and_are_clipped() {
    let folder = Folder::new("convolve-clip");
    let (x, k, y) = (folder.path("x.wav"), folder.path("k.wav"), folder.path("y.wav"));
    // An odd number of bytes, whose file has another one behind.
    let format =
        hound::WavSpec { channels: 1, sample_rate: 8000, bits_per_sample: 8, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(&x, format).unwrap();
    [100i8, -50, 25].iter().for_each(|x| writer.write_sample(*x).unwrap());
    writer.finalize().unwrap();
    sound(&k, 8000, 1, &[1.0, 0.0, 2.0]);
    let told = succeeded(&stockham("convolve", &[text(&x), text(&k), text(&y)]));
    assert!(told.contains("clipped 1 samples"), "{told}");
    let mut reader = hound::WavReader::open(&y).unwrap();
    assert_eq!(reader.spec(), format);
    assert_eq!(reader.samples::<i8>().map(|x| x.unwrap()).collect::<Vec<_>>(), [100, -50, 127, -100, 50]);
    assert_eq!(fs::metadata(&y).unwrap().len() % 2, 0);
    // By the mean of its taps it is not louder than it was.
    succeeded(&stockham("convolve", &[text(&x), text(&k), text(&y), "--normalize".into()]));
    let mut reader = hound::WavReader::open(&y).unwrap();
    assert_eq!(reader.samples::<i8>().map(|x| x.unwrap()).collect::<Vec<_>>(), [33, -17, 75, -33, 17]);
}

#[test]
fn pictures_are_convolved_colour_by_colour() {
    let folder = Folder::new("convolve-picture");
    let (x, k, y, json) = (folder.path("x.png"), folder.path("k.png"), folder.path("y.png"), folder.path("y.json"));
    let (width, height, columns, rows) = (13usize, 9usize, 4usize, 3usize);
    let level = |seed: u64, count: usize, most: f32| -> Vec<u16> {
        noise(seed, count).iter().map(|x| (x.abs() * most) as u16).collect()
    };
    let (values, weights) = (level(1, width * height * 3, 60_000.0), level(2, columns * rows, 20_000.0));
    let at = |x: u32, y: u32, c: usize| values[(y as usize * width + x as usize) * 3 + c];
    let picture =
        ImageBuffer::from_fn(width as u32, height as u32, |x, y| Rgb([at(x, y, 0), at(x, y, 1), at(x, y, 2)]));
    picture.save(&x).unwrap();
    ImageBuffer::from_fn(columns as u32, rows as u32, |x, y| Luma([weights[y as usize * columns + x as usize]]))
        .save(&k)
        .unwrap();
    let unit = f64::from(u16::MAX);
    for mode in MODES {
        for correlate in [false, true] {
            let mut arguments =
                vec![text(&x), text(&k), text(&y), "--mode".into(), mode.into(), "--json".into(), text(&json)];
            arguments.extend(correlate.then(|| "--correlate".to_owned()));
            succeeded(&stockham("convolve", &arguments));
            let DynamicImage::ImageRgb16(found) = image::open(&y).unwrap() else { panic!("another format") };
            let mut clipped = 0;
            for c in 0..3 {
                // Along the rows' neighbours, then along the columns'.
                let mut full = vec![vec![0.0; width + columns - 1]; height + rows - 1];
                for (i, j) in (0..height * width).map(|i| (i / width, i % width)) {
                    for (p, q) in (0..rows * columns).map(|p| (p / columns, p % columns)) {
                        let (r, s) = if correlate { (rows - 1 - p, columns - 1 - q) } else { (p, q) };
                        let weight = f64::from(weights[r * columns + s]) / unit;
                        full[i + p][j + q] += f64::from(values[(i * width + j) * 3 + c]) / unit * weight;
                    }
                }
                let part = |n: usize, k: usize| match mode {
                    "full" => (0, n + k - 1),
                    "same" => ((k - 1) / 2, n),
                    "valid" => (k - 1, n - k + 1),
                    _ => (if correlate { k - 1 } else { 0 }, n),
                };
                let ((top, h), (left, w)) = (part(height, rows), part(width, columns));
                assert_eq!(found.dimensions(), (w as u32, h as u32), "{mode}");
                for (px, py, pixel) in found.enumerate_pixels() {
                    let (i, j) = (py as usize + top, px as usize + left);
                    let expected = if mode == "circular" {
                        let (rows, columns) =
                            ((i % height..full.len()).step_by(height), (j % width..full[0].len()).step_by(width));
                        rows.map(|i| columns.clone().map(|j| full[i][j]).sum::<f64>()).sum::<f64>()
                    } else {
                        full[i][j]
                    };
                    clipped += usize::from(expected > 1.0);
                    let difference = f64::from(pixel.0[c]) - unit * expected.min(1.0);
                    assert!(difference.abs() < 1.0, "{} is not {expected} at {px}, {py}: {mode}", pixel.0[c]);
                }
            }
            let record = fs::read_to_string(&json).unwrap();
            assert!(record.contains(&format!("\"clipped\": {clipped}")), "{clipped}: {record}");
        }
    }
}

#[test]
fn colours_and_opacity_are_kept() {
    let folder = Folder::new("convolve-colours");
    let (x, k, y) = (folder.path("x.png"), folder.path("k.png"), folder.path("y.png"));
    // A kernel of one point for each colour, over grey with opacity.
    ImageBuffer::from_fn(3, 2, |x, _| image::LumaA([100u8, 50 * x as u8])).save(&x).unwrap();
    ImageBuffer::from_fn(1, 1, |_, _| Rgb([255u8, 51, 0])).save(&k).unwrap();
    succeeded(&stockham("convolve", &[text(&x), text(&k), text(&y), "--mode".into(), "same".into()]));
    let expected = ImageBuffer::from_fn(3, 2, |x, _| image::Rgba([100u8, 20, 0, 50 * x as u8]));
    assert!(matches!(image::open(&y).unwrap(), DynamicImage::ImageRgba8(found) if found == expected));
    // What has another size is opaque; a grey kernel that is divided by its sum keeps what is plain within.
    ImageBuffer::from_fn(2, 2, |x, y| Luma([(x + 2 * y) as u8 * 40])).save(&k).unwrap();
    let arguments = [text(&x), text(&k), text(&y), "--mode".into(), "valid".into(), "--normalize".into()];
    succeeded(&stockham("convolve", &arguments));
    let expected = ImageBuffer::from_fn(2, 1, |_, _| Luma([100u8]));
    assert!(matches!(image::open(&y).unwrap(), DynamicImage::ImageLuma8(found) if found == expected));
    ImageBuffer::from_fn(2, 2, |_, _| Luma([0u8])).save(&k).unwrap();
    failed(&stockham("convolve", &arguments), 2, "sum of its values is 0");
}

#[test]
fn what_does_not_fit_has_words() {
    let folder = Folder::new("convolve-faults");
    let stereo = sound(&folder.path("stereo.wav"), 8000, 2, &noise(1, 20));
    let mono = sound(&folder.path("mono.wav"), 8000, 1, &noise(1, 20));
    let three = sound(&folder.path("three.wav"), 8000, 3, &noise(1, 21));
    let fast = sound(&folder.path("fast.wav"), 48_000, 1, &noise(1, 20));
    let empty = sound(&folder.path("empty.wav"), 8000, 1, &[]);
    let broken = sound(&folder.path("broken.wav"), 8000, 1, &[0.0, f32::NAN, 0.0]);
    let silent = sound(&folder.path("silent.wav"), 8000, 1, &[0.0, 0.0]);
    let whole = fs::read(folder.path("stereo.wav")).unwrap();
    let cut = text(&folder.write("cut.wav", &whole[..whole.len() - 8]));
    let other = text(&folder.write("other.wav", b"something else"));
    let picture = folder.path("p.png");
    ImageBuffer::from_fn(3, 2, |_, _| Luma([1u8])).save(&picture).unwrap();
    let (picture, noise_png) = (text(&picture), text(&folder.write("noise.png", b"something else")));
    let (wav, png, npy) = (text(&folder.path("y.wav")), text(&folder.path("y.png")), text(&folder.path("y.npy")));
    let bad: [(&[&String], &[&str], &str); 17] = [
        (&[&mono, &picture, &wav], &[], "all three are of one kind"),
        (&[&mono, &mono, &npy], &[], "all three are of one kind"),
        (&[&picture, &picture, &wav], &[], "all three are of one kind"),
        (&[&npy, &npy, &npy], &["--normalize"], "for recordings and pictures"),
        (&[&mono, &stereo, &wav], &[], "2 channels, and A has 1"),
        (&[&three, &stereo, &wav], &[], "2 channels, and A has 3"),
        (&[&mono, &fast, &wav], &[], "48000 samples a second, and A has 8000"),
        (&[&empty, &mono, &wav], &[], "empty"),
        (&[&mono, &empty, &wav], &[], "empty"),
        (&[&broken, &mono, &wav], &[], "not a finite number"),
        (&[&broken, &mono, &wav], &["--mode", "circular"], "not a finite number"),
        (&[&mono, &broken, &wav], &[], "not a finite number"),
        (&[&mono, &silent, &wav], &["--normalize"], "sum of its values is 0"),
        (&[&cut, &mono, &wav], &[], "truncated"),
        (&[&cut, &mono, &wav], &["--mode", "circular"], "truncated"),
        (&[&other, &mono, &wav], &[], "not a recording that can be convolved"),
        (&[&noise_png, &picture, &png], &[], "noise.png"),
    ];
    for (files, options, words) in bad {
        let arguments: Vec<&str> = files.iter().map(|file| file.as_str()).chain(options.iter().copied()).collect();
        failed(&stockham("convolve", &arguments), 2, words);
        assert!(!Path::new(files[2]).exists(), "{arguments:?}");
    }
}
