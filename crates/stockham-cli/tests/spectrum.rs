//! `stockham spectrum`: known tones are found, pictures are whole, and bad recordings have their words.

mod support;

use std::f64::consts::TAU;
use std::fs::{self, File};
use std::process::{Command, Output};

use support::{Folder, binary, device, failed, stockham, succeeded, wav};

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

/// The command with that file as standard input.
fn piped(input: &std::path::Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.arg("spectrum").args(arguments).args(["--device", &device()]);
    command.stdin(File::open(input).unwrap()).output().unwrap()
}

#[test]
fn the_upper_bits_of_32_are_read_from_a_pipe() {
    let folder = Folder::new("spectrum-pipe");
    // 24 bits at the upper end of 32, extensible, and the sizes that FFmpeg writes where it cannot come back.
    let mut file = b"RIFF\xff\xff\xff\xffWAVEfmt \x28\0\0\0\xfe\xff\x01\0".to_vec();
    file.extend([22_050u32, 88_200].map(u32::to_le_bytes).concat());
    file.extend([4u16, 32, 22, 24, 4, 0, 1].map(u16::to_le_bytes).concat());
    file.extend(b"\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71LIST\x03\0\0\0odd\0data\xff\xff\xff\xff");
    for x in tones(22_050, 0.5, &[(1000.0, 0.5)]) {
        file.extend((((x * 8_388_607.0).round() as i32) << 8).to_le_bytes());
    }
    let (input, output) = (folder.write("x.wav", &file), folder.path("x.png"));
    let text = succeeded(&piped(&input, &["-", output.to_str().unwrap()]));
    assert!(text.contains("standard input: 500.0 ms, 22050 Hz, 24-bit in 32, mono"), "{text}");
    let first = peaks(&text)[0];
    assert!((first.0 - 1000.0).abs() < 0.5 && (first.1 + 6.0).abs() < 0.1, "{text}");
    assert_eq!(png_size(&output), (1600, 900));
    let nothing = folder.write("nothing", b"");
    failed(&piped(&nothing, &["-", output.to_str().unwrap()]), 2, "standard input: not a recording");
}

#[test]
fn compressed_recordings_are_read() {
    let folder = Folder::new("spectrum-compressed");
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for name in ["tones.flac", "tones.mp3", "tones.ogg"] {
        let left = [data.join(name), folder.path("x.png"), "--channel".into(), "left".into()];
        let text = succeeded(&stockham("spectrum", &left));
        let first = peaks(&text)[0];
        assert!((first.0 - 1000.0).abs() < 1.0 && (first.1 + 6.0).abs() < 0.3, "{name}: {text}");
    }
    failed(
        &stockham("spectrum", &[data.join("opus.ogg"), folder.path("x.png")]),
        2,
        "opus.ogg: cannot be read as Ogg Vorbis: ",
    );
}

#[test]
fn one_channel_can_be_asked_for() {
    let folder = Folder::new("spectrum-channel");
    let input = folder.path("stereo.wav");
    let (left, right) = (tones(8000, 1.0, &[(440.0, 0.5)]), tones(8000, 1.0, &[(3000.0, 0.25)]));
    let both: Vec<f64> = left.iter().zip(&right).flat_map(|(l, r)| [*l, *r]).collect();
    wav(&input, 8000, 2, &both);
    let (input, output) = (input.to_str().unwrap(), folder.path("x.png"));
    let of = |channel: &str| stockham("spectrum", &[input, output.to_str().unwrap(), "--channel", channel]);
    for (channel, hz, level) in
        [("left", 440.0, -6.0), ("1", 440.0, -6.0), ("right", 3000.0, -12.0), ("2", 3000.0, -12.0)]
    {
        let text = succeeded(&of(channel));
        let found = peaks(&text);
        assert!(found.len() == 1 && (found[0].0 - hz).abs() < 0.5 && (found[0].1 - level).abs() < 0.1, "{text}");
        assert!(text.contains(" of 2\n") && !text.contains("note: "), "{text}");
    }
    failed(&of("3"), 2, "stereo.wav: there is no channel 3: the recording has 2 channels");
    failed(&of("0"), 2, "expected mix, left, right, or a number from 1");
}

#[test]
fn channels_that_cancel_each_other_are_told() {
    let folder = Folder::new("spectrum-antiphase");
    let (input, output) = (folder.path("x.wav"), folder.path("x.svg"));
    let both: Vec<f64> = tones(8000, 0.5, &[(440.0, 0.5)]).iter().flat_map(|x| [*x, -*x]).collect();
    wav(&input, 8000, 2, &both);
    let text = succeeded(&stockham("spectrum", &[&input, &output]));
    assert!(text.contains("note: the channels cancel each other; --channel 1 shows"), "{text}");
    assert!(fs::read_to_string(&output).unwrap().contains("the channels cancel each other"));
}

/// A series' partials, each weaker by a third than the one before; the first is weaker than all others.
fn series(hz: f64) -> Vec<(f64, f64)> {
    let amplitude = |k: i32| if k == 1 { 0.012 } else { 0.1 * (2.0f64 / 3.0).powi(k - 2) };
    (1..=7).map(|k| (hz * f64::from(k), amplitude(k))).collect()
}

#[test]
fn fundamentals_are_listed_and_labelled_with_their_notes() {
    let folder = Folder::new("spectrum-fundamentals");
    let (input, output, json) = (folder.path("x.wav"), folder.path("x.svg"), folder.path("x.json"));
    let option = std::path::PathBuf::from("--json");
    // A2 and D#3; twelve other partials are stronger, more than have places.
    wav(&input, 44_100, 1, &tones(44_100, 2.0, &[series(110.0), series(155.563)].concat()));
    let text = succeeded(&stockham("spectrum", &[&input, &output, &option, &json]));
    let row = |hz: f64| {
        let first = |line: &str| line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        let found = text.lines().find(|line| first(line).is_some_and(|x| (x - hz).abs() < 0.2));
        found.unwrap_or_else(|| panic!("{hz}: {text}"))
    };
    assert!(row(110.0).contains("A2 +0 cents") && row(110.0).ends_with("fundamental"), "{text}");
    assert!(row(155.563).contains("D#3 +0 cents") && row(155.563).ends_with("fundamental"), "{text}");
    assert!(row(330.0).contains("E4 +2 cents") && row(330.0).contains("  3 × 1"), "{text}");
    let picture = fs::read_to_string(&output).unwrap();
    for words in ["110.0 Hz", "A2 +0¢", "D#3 +0¢", "level (dBFS)"] {
        assert!(picture.contains(words), "{words}");
    }

    let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!(record["recording"]["rate"], 44_100);
    assert_eq!(record["recording"]["encoding"], "16-bit");
    let peaks = record["peaks"].as_array().unwrap();
    let of = |hz: f64| peaks.iter().find(|peak| (peak["hz"].as_f64().unwrap() - hz).abs() < 0.2).unwrap();
    let (fundamental, third) = (of(110.0), of(330.0));
    assert!((fundamental["dbfs"].as_f64().unwrap() + 38.4).abs() < 0.1, "{fundamental}");
    assert_eq!((&fundamental["note"], &fundamental["channel"]), (&"A2".into(), &"1".into()));
    assert!(fundamental["cents"].as_f64().unwrap().abs() < 1.0 && fundamental["fundamental"] == true);
    assert_eq!(third["multiple"]["times"], 3);
    assert_eq!(third["fundamental"], false);
    failed(&stockham("spectrum", &[&input, &output, &option, &output]), 2, "are one file");
}

/// The labels of the axis of frequencies: what stands below the frame.
fn labels_below(svg: &str) -> Vec<String> {
    let texts = svg.split("<text ").skip(1).filter(|text| text.starts_with("x=") && text.contains("y=\"831\""));
    texts.map(|text| text.split('>').nth(1).unwrap().trim_end_matches("</text").trim().to_owned()).collect()
}

#[test]
fn rates_of_all_kinds_have_frequencies_and_labels_of_their_own() {
    let folder = Folder::new("spectrum-rates");
    for rate in [1u32, 10, 1000, 250_000, 2_000_000] {
        let (input, output) = (folder.path("x.wav"), folder.path("x.svg"));
        let hz = f64::from(rate) * 0.15;
        wav(&input, rate, 1, &tones(rate, 4000.0 / f64::from(rate), &[(hz, 0.5)]));
        let text = succeeded(&stockham("spectrum", &[&input, &output]));
        let first = peaks(&text)[0];
        assert!((first.0 / hz - 1.0).abs() < 2e-3 && (first.1 + 6.0).abs() < 0.1, "{text}");
        let labels = labels_below(&fs::read_to_string(&output).unwrap());
        let mut once = labels.clone();
        once.dedup();
        assert!(labels.len() >= 4 && once == labels, "{rate}: {labels:?}");
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
        (vec![], "not a recording"),
        (b"\x93NUMPY\x01\x00 something else entirely, not a recording".to_vec(), "not a recording"),
        (good[..30].to_vec(), "truncated"),
        (good[..good.len() - 10].to_vec(), "truncated"),
        (a_law, "not supported"),
        (empty, "empty"),
        (no_rate, "no sample rate"),
        (nan, "sample 0 (from 0) of channel 1 is NaN, not a finite number"),
    ] {
        let (input, output) = (folder.write("in.wav", &bytes), folder.path("out.png"));
        failed(&stockham("spectrum", &[&input, &output]), 2, words);
        assert_eq!(folder.files(), ["in.wav"], "{words}");
    }
    failed(&stockham("spectrum", &[folder.path("none.wav"), folder.path("out.png")]), 2, "none.wav");
}
