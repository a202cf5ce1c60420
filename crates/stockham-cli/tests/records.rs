//! `devices`, `explain`, `bench`, `survey` and `verify`: what they print and write, and what they refuse.

mod support;

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use support::{Folder, binary, device, failed, stockham, succeeded};

#[test]
fn devices_are_listed_under_their_names() {
    let output = Command::new(binary()).arg("devices").output().unwrap();
    let text = succeeded(&output);
    assert!(text.lines().any(|line| line.starts_with("cpu")) && text.contains("memory: "), "{text}");
}

#[test]
fn a_reader_that_goes_is_no_failure() {
    let mut child = Command::new(binary())
        .args(["explain", "8", "--device", &device()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(child.wait().unwrap().success() && err.is_empty(), "{err}");
}

#[test]
fn transforms_are_explained() {
    let text = succeeded(&stockham("explain", &["2^10", "--batch", "3", "--precision", "f64"]));
    assert!(text.contains("complex-f64") && text.contains("1024"), "{text}");
    let text = succeeded(&stockham("explain", &["1024", "--field", "goldilocks"]));
    assert!(text.contains("goldilocks"), "{text}");
    failed(&stockham("explain", &["7", "--field", "goldilocks"]), 2, "n must divide p - 1");
    let json = |options: &[&str]| -> serde_json::Value {
        let text = succeeded(&stockham("explain", &[options, &["--json", "-"]].concat()));
        serde_json::from_str(&text).unwrap()
    };
    let transform = &json(&["12x2^4", "--batch", "3"])["recipe"]["transform"];
    let lengths: Vec<_> = transform["dims"].as_array().unwrap().iter().map(|dim| &dim["n"]).collect();
    assert_eq!((lengths, transform.get("kind")), (vec![&12.into(), &16.into()], None));
    let transform = &json(&["12x16", "--real", "--inverse", "--precision", "f64"])["recipe"]["transform"];
    assert_eq!((&transform["kind"], &transform["dims"][0]["input_stride"]), (&"real".into(), &9.into()));
    failed(&stockham("explain", &["8", "--real", "--field", "goldilocks"]), 2, "'--real' cannot be used with '--field");
    let by_hand = ["2^10", "--choice", "1x16x16.8.8"];
    if device() == "cpu" {
        failed(&stockham("explain", &["8", "--source"]), 2, "runs no kernels");
        failed(&stockham("explain", &by_hand), 2, "makes no passes");
    } else {
        assert!(succeeded(&stockham("explain", &["8", "--source"])).contains("pass0"));
        assert!(succeeded(&stockham("explain", &by_hand)).contains("stages 16·8·8"));
        let options = ["--from", "2^10", "--to", "2^10", "--bytes", "64Ki", "--choice", "1x16x16.8.8"];
        assert!(succeeded(&stockham("bench", &options)).contains("by the choice 1x16x16.8.8"));
    }
    failed(&stockham("explain", &["2^10", "--choice", "1x16x16.8"]), 2, "choice");
}

#[test]
fn wrong_usage_ends_with_2() {
    for arguments in [
        &["0"][..],
        &["x"],
        &["2^64"],
        &["4x"],
        &["4x0"],
        &["2^32x2^32"],
        &["8", "--batch", "0"],
        &["8", "--precision", "f16"],
        &["8", "--precision", "f64", "--field", "goldilocks"],
        &["8", "--field", "mersenne"],
    ] {
        failed(&stockham("explain", arguments), 2, "");
    }
    failed(&stockham("explain", &[] as &[&str]), 2, "<SHAPE>");
    failed(&stockham("bench", &["--from", "3"]), 2, "3 is not a power of two");
    failed(&stockham("bench", &["--from", "2^5", "--to", "2^4"]), 2, "--from 2^5 is larger");
    failed(&stockham("verify", &["--from", "2^5", "--to", "2^4"]), 2, "--from 2^5 is larger");
    failed(&stockham("tune", &["--sizes", "8,4x4"]), 2, "takes one dimension, and 4x4 has several");
    failed(&stockham("bench", &["--sizes", "4x4", "--field", "P3"]), 2, "one dimension is measured, and not 4x4");
    failed(&stockham("bench", &["--real", "--field", "P3"]), 2, "P3 has no real numbers");
    failed(&stockham("bench", &["--suite", "hopper", "--real"]), 2, "cannot be used with");
    failed(&stockham("bench", &["--suite", "hopper", "--to", "2^4"]), 2, "cannot be used with");
    failed(&stockham("bench", &["--suite", "turing"]), 2, "hopper");
    failed(&stockham("bench", &["--choice", "1x16"]), 2, "is no choice");
}

#[test]
fn a_suite_is_several_benchmarks() {
    let folder = Folder::new("suite");
    let json = folder.path("s.json");
    let options = ["--suite", "hopper", "--bytes", "256", "--json", json.to_str().unwrap()];
    let text = succeeded(&stockham("bench", &options));
    assert!(text.contains("complex-f64") && text.contains("goldilocks"), "{text}");
    let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let rows: Vec<usize> =
        record["sweeps"].as_array().unwrap().iter().map(|sweep| sweep["rows"].as_array().unwrap().len()).collect();
    assert_eq!((record["suite"].as_str(), &rows[..]), (Some("hopper"), &[5, 4, 5, 5, 5][..]));
}

/// Every workload of fields is measured, and right.
#[test]
fn the_suite_of_fields_is_right() {
    let folder = Folder::new("suite-fields");
    let json = folder.path("s.json");
    let text = succeeded(&stockham("bench", &["--suite", "fields", "--quick", "--json", json.to_str().unwrap()]));
    let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let rows = record["rows"].as_array().unwrap();
    assert_eq!((record["suite"].as_str(), rows.len()), (Some("fields"), 24), "{text}");
    for row in rows {
        assert!(row["right"] == true && row["ms"].as_f64().unwrap() > 0.0, "{row}");
    }
    failed(&stockham("bench", &["--quick"]), 2, "--suite");
}

#[test]
fn a_benchmark_is_printed_written_and_drawn() {
    let folder = Folder::new("bench");
    let (json, plot) = (folder.path("b.json"), folder.path("b.png"));
    let files = ["--json", json.to_str().unwrap(), "--plot", plot.to_str().unwrap()];
    let options = [&["--from", "2^4", "--to", "2^5", "--bytes", "64KiB"][..], &files].concat();
    let text = succeeded(&stockham("bench", &options));
    assert!(text.contains("÷copy") && text.contains("2^4") && text.contains("2^5"), "{text}");
    let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!(record["device"]["id"], device().as_str());
    let rows = record["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["n"], &rows[0]["batch"]), (2, &16.into(), &512.into()));
    for row in rows {
        assert!(row["ms"].as_f64().unwrap() > 0.0 && row["copy_ms"].as_f64().unwrap() > 0.0);
        assert_eq!(row["right"], true);
        // On CUDA the peer is there where cuFFT is.
        if !device().starts_with("cuda") {
            assert_eq!(row["peer_ms"].is_f64(), device() == "cpu");
        }
    }
    assert_eq!(&fs::read(&plot).unwrap()[..4], b"\x89PNG");
    assert_eq!(folder.files(), ["b.json", "b.png"]);

    let single = ["--from", "2^6", "--to", "2^6", "--single", "--field", "goldilocks"];
    let text = succeeded(&stockham("bench", &single));
    assert!(text.contains("exact") && text.contains("no peer"), "{text}");
    failed(&stockham("bench", &["--plot", "b.pdf"]), 2, ".png or .svg");
}

#[test]
fn shapes_and_real_numbers_are_measured() {
    let folder = Folder::new("bench-shapes");
    let json = folder.path("b.json");
    let options = ["--sizes", "12x10,16x16,32", "--bytes", "64KiB", "--json", json.to_str().unwrap()];
    for kind in [&[][..], &["--real"], &["--real", "--precision", "f64"]] {
        let text = succeeded(&stockham("bench", &[&options[..], kind].concat()));
        assert!(text.contains("12x10") && text.contains("16x16"), "{text}");
        let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        let is_real = !kind.is_empty();
        assert_eq!(record.get("real"), is_real.then_some(&true.into()));
        assert_eq!(text.contains("real input"), is_real, "{text}");
        let rows = record["rows"].as_array().unwrap();
        let shapes: Vec<_> = rows.iter().map(|row| (row["n"].as_u64().unwrap(), row.get("shape"))).collect();
        let [first, second] = [[12, 10], [16, 16]].map(serde_json::Value::from);
        assert_eq!(shapes, [(120, Some(&first)), (256, Some(&second)), (32, None)]);
        // As many as the bytes hold; a half spectrum takes some more than its real numbers.
        let bytes = if kind.len() > 1 { 8 } else { 4 };
        let batch = (1 << 16) / if is_real { bytes * 256 } else { 8 * 256 };
        let spectrum = if is_real { 16 * 9 } else { 16 * 16 };
        assert_eq!((&rows[1]["batch"], &rows[1]["bytes"]), (&batch.into(), &(batch * spectrum * 2 * bytes).into()));
        for (row, line) in rows.iter().zip([false, false, true]) {
            assert!(row["ms"].as_f64().unwrap() > 0.0 && row["right"] == true, "{row}");
            if device() == "cpu" {
                assert_eq!(row["peer_ms"].is_f64(), line && !is_real, "{row}");
                assert_eq!(row["note"].is_string(), !line || is_real, "{row}");
            }
        }
    }
    let text = succeeded(&stockham("bench", &["--sizes", "4x8x2", "--single", "--field", "goldilocks"]));
    assert!(text.contains("exact") && text.contains("4x8x2"), "{text}");
    let text = succeeded(&stockham("bench", &["--from", "2", "--to", "2^3", "--real", "--single"]));
    assert!(text.contains("2^1") && text.contains("2^3"), "{text}");

    let back = ["--sizes", "2,7,32,1000", "--bytes", "64KiB", "--real", "--inverse", "--json", json.to_str().unwrap()];
    let text = succeeded(&stockham("bench", &back));
    assert!(text.contains("real output"), "{text}");
    let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!((&record["real"], &record["inverse"]), (&true.into(), &true.into()));
    assert!(record["rows"].as_array().unwrap().iter().all(|row| row["right"] == true), "{record}");
    failed(&stockham("bench", &["--sizes", "8x8", "--real", "--inverse"]), 2, "one dimension");
    failed(&stockham("bench", &["--sizes", "8", "--inverse"]), 2, "--real");
}

#[test]
fn big_primes_are_measured_and_checked() {
    let folder = Folder::new("bench-digits");
    let json = folder.path("b.json");
    let sizes = ["--from", "4", "--to", "16", "--bytes", "4096", "--json", json.to_str().unwrap()];
    for (field, layout, element) in [("P3", "plain", 64), ("2^63+2^34,8", "sliced", 64), ("G8", "sliced", 32)] {
        let text = succeeded(&stockham("bench", &[&sizes[..], &["--field", field, "--layout", layout]].concat()));
        assert_eq!(text.matches("exact").count(), 3, "{text}");
        assert!(text.contains("Gelem/s") && text.contains("no peer"), "{text}");
        assert_eq!(text.contains("digits sliced"), layout == "sliced", "{text}");
        let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        assert_eq!(record["layout"], layout);
        let rows = record["rows"].as_array().unwrap();
        assert_eq!((rows.len(), &rows[2]["batch"]), (3, &(4096 / element / 16).into()));
        for row in rows {
            assert_eq!((&row["right"], &row["bytes"], &row["l2_error"]), (&true.into(), &4096.into(), &0.0.into()));
            assert_eq!(row["passes"].is_u64(), device() != "cpu");
        }
    }
    let single = ["--from", "16", "--to", "16", "--single", "--field", "G8"];
    assert!(succeeded(&stockham("bench", &single)).contains("exact"));
    for algebra in [&["--precision", "f64"], &["--field", "goldilocks"]] {
        let options = [&algebra[..], &["--layout", "sliced"]].concat();
        failed(&stockham("bench", &options), 2, "no digits to slice");
    }
    failed(&stockham("verify", &["--field", "G8"]), 2, "`stockham bench --field G8`");
}

#[test]
fn accuracy_is_printed_and_written() {
    let folder = Folder::new("verify");
    let json = folder.path("v.json");
    let text = succeeded(&stockham("verify", &["--to", "2^6", "--json", json.to_str().unwrap()]));
    assert!(text.contains("pass") && !text.contains("FAIL"), "{text}");
    let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!(record["records"].as_array().unwrap().len(), 6);
    let text = succeeded(&stockham("verify", &["--to", "2^6", "--field", "goldilocks", "--inverse"]));
    assert!(text.contains("exact"), "{text}");
    failed(&stockham("verify", &["--sizes", "0"]), 2, "at least 1");
    let text = succeeded(&stockham("verify", &["--sizes", "6,1000"]));
    assert!(text.contains("1000") && text.contains("pass") && !text.contains("2^"), "{text}");
}

#[test]
fn a_survey_goes_on_where_it_was() {
    let folder = Folder::new("survey");
    let (record, plot) = (folder.path("s.jsonl"), folder.path("s.png"));
    let record = record.to_str().unwrap();
    let options = [record, "--lengths", "1..40", "--bytes", "16KiB", "--sample", "5"];
    let text = succeeded(&stockham("survey", &options));
    assert!(text.contains("5 of 5 lengths are to be measured") && text.contains("factors to 7"), "{text}");
    let before = fs::read_to_string(record).unwrap();
    assert_eq!(before.lines().count(), 6);
    let entry: serde_json::Value = serde_json::from_str(before.lines().nth(1).unwrap()).unwrap();
    assert!(entry["ms"].as_f64().unwrap() > 0.0 && entry["right"] == true && entry["l2_units"].is_f64(), "{entry}");
    if device() == "cpu" {
        assert!(entry["peer_ms"].is_f64() && entry["peer_l2_units"].is_f64(), "{entry}");
    }

    // A run that was killed within a line: the others stay, it is measured again.
    let cut = &before[..before.len() - 9];
    fs::write(record, cut).unwrap();
    let options = [&options[..5], &["--sample", "8", "--plot", plot.to_str().unwrap()]].concat();
    assert!(succeeded(&stockham("survey", &options)).contains("4 of 8 lengths are to be measured"));
    let after = fs::read_to_string(record).unwrap();
    assert!(after.starts_with(&cut[..=cut.rfind('\n').unwrap()]) && after.lines().count() == 9, "{after}");
    assert_eq!(&fs::read(&plot).unwrap()[..4], b"\x89PNG");

    // Without lengths nothing is measured.
    assert!(succeeded(&stockham("survey", &[record])).contains("factors to 7"));
    assert_eq!(fs::read_to_string(record).unwrap(), after);
    failed(&stockham("survey", &[record, "--lengths", "1..4"]), 2, "batches of 16384 bytes");
    let other = [record, "--lengths", "1..4", "--bytes", "16KiB", "--precision", "f64"];
    failed(&stockham("survey", &other), 2, "complex-f32");
    assert_eq!(fs::read_to_string(record).unwrap(), after);
    failed(&stockham("survey", &[folder.path("none").to_str().unwrap()]), 2, "none");
    let picture = folder.path("p.txt");
    fs::write(&picture, "words\n").unwrap();
    let words = [picture.to_str().unwrap(), "--lengths", "1..4"];
    failed(&stockham("survey", &words), 2, "line 1");
    assert_eq!(fs::read_to_string(&picture).unwrap(), "words\n");
    failed(&stockham("survey", &[record, "--sample", "3"]), 2, "--lengths");

    // Errors alone are a record of their own.
    failed(&stockham("survey", &[record, "--lengths", "1..4", "--bytes", "16KiB", "--errors"]), 2, "errors of");
    let errors = folder.path("e.jsonl");
    let options = [errors.to_str().unwrap(), "--lengths", "1..4", "--bytes", "16KiB", "--errors"];
    let options = [&options[..], &["--plot", plot.to_str().unwrap()]].concat();
    assert!(succeeded(&stockham("survey", &options)).contains("factors to 7"));
    let text = fs::read_to_string(&errors).unwrap();
    assert!(text.contains("l2_units") && !text.contains("\"ms\""), "{text}");
}
