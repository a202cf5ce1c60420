//! `lab`: what it measures, writes and refuses.

mod support;

use std::fs;
use std::process::{Command, Output};

use support::{Folder, binary, failed, kernel_device, succeeded};

fn lab(arguments: &[&str]) -> Output {
    Command::new(binary()).arg("lab").args(arguments).output().unwrap()
}

#[test]
fn what_makes_no_study_is_refused() {
    failed(&lab(&["--device", "cpu"]), 2, "runs none");
    failed(&lab(&["--size", "8"]), 2, "too short");
    failed(&lab(&["--size", "100"]), 2, "not a power of two");
    failed(&lab(&["--only", "chain"]), 2, "chain");
    failed(&lab(&["--prime", "2^63+2^33,8"]), 2, "is not prime");
    failed(&lab(&["--from-json", "a.json"]), 2, "--report");
    let folder = Folder::new("lab-refused");
    let (missing, rubbish) = (folder.path("missing.json"), folder.write("rubbish.json", b"{}"));
    let report = folder.path("report");
    let from =
        |path: &std::path::Path| lab(&["--report", report.to_str().unwrap(), "--from-json", path.to_str().unwrap()]);
    failed(&from(&missing), 2, "cannot read");
    failed(&from(&rubbish), 2, "is no study");
    assert_eq!(folder.files(), ["rubbish.json"]);
}

#[test]
fn a_study_is_printed_written_and_reported() {
    let Some(device) = kernel_device() else { return };
    let folder = Folder::new("lab");
    let (json, report, again) = (folder.path("s.json"), folder.path("report"), folder.path("again"));
    let files = ["--json", json.to_str().unwrap(), "--report", report.to_str().unwrap()];
    let options = ["--device", &device, "--size", "2^8", "--groups", "16", "--only", "planar,later,batches"];
    let text = succeeded(&lab(&[&options[..], &files].concat()));
    assert!(text.contains("packed by the first load") && !text.contains("WRONG"), "{text}");
    let study: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!((&study["n"], study["device"]["id"].as_str()), (&256.into(), Some(device.as_str())));
    for part in ["planar", "later", "batches"] {
        let entries = study[part].as_array().unwrap();
        assert!(!entries.is_empty());
        for entry in entries {
            let reading = &entry["outcome"]["reading"];
            let number = |name: &str| reading[name].as_f64().unwrap_or(f64::NAN);
            assert!(number("l2") <= number("bound") && number("ms") > 0.0, "{entry}");
        }
    }
    // The same page from the record.
    let from = ["--from-json", json.to_str().unwrap(), "--report", again.to_str().unwrap()];
    succeeded(&lab(&from));
    let read = |folder: &std::path::Path| fs::read_to_string(folder.join("lab.md")).unwrap();
    let page = read(&report);
    // But for the command that made it.
    let but_command =
        |page: &str| page.lines().filter(|line| !line.contains("--report")).collect::<Vec<_>>().join("\n");
    assert_eq!(but_command(&page), but_command(&read(&again)));
    assert!(page.contains("packed by the first load") && !page.contains("{{"), "{page}");
}

#[test]
fn big_primes_are_measured_beside_what_they_have_to_beat() {
    let Some(device) = kernel_device() else { return };
    let folder = Folder::new("lab-primes");
    let (json, report) = (folder.path("s.json"), folder.path("report"));
    let files = ["--json", json.to_str().unwrap(), "--report", report.to_str().unwrap()];
    let options = ["--device", &device, "--size", "2^5", "--groups", "16", "--only", "primes"];
    let text = succeeded(&lab(&[&options[..], &files].concat()));
    assert!(text.contains("Montgomery") && !text.contains("WRONG"), "{text}");
    let mut study: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let rows = study["primes"].as_array().unwrap();
    assert_eq!((&rows[0]["field"], &rows[0]["n"]), (&"P3".into(), &32.into()));
    for row in rows {
        let times = &row["outcome"]["times"];
        assert_eq!((&times["wrong"], &times["missing"]), (&serde_json::json!([]), &serde_json::json!([])));
        for name in ["ms", "sliced_ms", "copy_ms", "montgomery_ms"] {
            assert!(times[name].as_f64().unwrap() > 0.0, "{row}");
        }
        for name in ["reduce_ms", "transforms_ms", "recombine_ms"] {
            assert!(times["residues"][name].as_f64().unwrap() > 0.0, "{row}");
        }
        // Two blocks have products between them; every factor 2 of the length is a sum and a difference.
        let arithmetic = &times["arithmetic"];
        assert!(arithmetic["products"].as_u64().unwrap() <= 32, "{row}");
        assert!(arithmetic["sums"].as_u64().unwrap() >= 32 * 5, "{row}");
    }
    let page = fs::read_to_string(report.join("lab.md")).unwrap();
    assert!(page.contains("P3, k = 8, N = 2^5") && page.contains("(lab/residues-"), "{page}");

    // Records from before there was this part are read as well.
    study.as_object_mut().unwrap().remove("primes");
    let old = folder.write("old.json", study.to_string().as_bytes());
    succeeded(&lab(&["--from-json", old.to_str().unwrap(), "--report", report.to_str().unwrap()]));
    assert!(!fs::read_to_string(report.join("lab.md")).unwrap().contains("N = 2^5"));
}

#[test]
fn what_cannot_be_done_leaves_the_rest() {
    let Some(device) = kernel_device() else { return };
    let folder = Folder::new("lab-rest");
    let file = folder.write("file", b"");
    // What cannot be written is told before anything is measured.
    let unwritable = file.join("report");
    for option in ["--report", "--json"] {
        let options = ["--device", &device, "--size", "2^8", "--only", "planar", option];
        let output = lab(&[&options[..], &[unwritable.to_str().unwrap()]].concat());
        failed(&output, 1, "cannot write");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("packed by the first load"));
    }

    // Work-groups that no device runs leave the rest.
    let output = lab(&["--device", &device, "--size", "2^8", "--groups", "1048576", "--only", "planar,batches"]);
    let text = succeeded(&output);
    assert!(text.contains("a pass needs 1048576 threads") && text.contains("2^8 points"), "{text}");

    // What no memory holds is told before anything is measured.
    let output = lab(&["--device", &device, "--size", "2^50", "--groups", "16", "--only", "planar,batches"]);
    failed(&output, 1, "this takes 80.0 PiB of memory");
    assert!(output.stdout.is_empty());
}
