//! `tune`, and what other subcommands make of the wisdom it writes.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use stockham::plan::Wisdom;
use stockham::tuning::Tuned;
use stockham::{Algebra, Device, Transform};
use support::{Folder, binary, device, failed, kernel_device, stockham, succeeded};

/// Whether a single transform over Goldilocks is known without a file.
fn is_shipped(device: &str, n: usize) -> bool {
    let device = Device::by_name(device).unwrap();
    Wisdom::shipped().get(&Transform::new(Algebra::Goldilocks, n), device.info()).is_some()
}

/// The command on a device, with a file of wisdom in its environment.
fn with_wisdom(file: &Path, device: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).args(["--device", device]).env("STOCKHAM_WISDOM", file);
    command.output().expect("the command runs")
}

fn tune(device: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.arg("tune").args(arguments).args(["--device", device]).env_remove("STOCKHAM_WISDOM");
    command.output().expect("the command runs")
}

#[test]
fn wrong_usage_ends_with_2() {
    let folder = Folder::new("tune-usage");
    failed(&tune("cpu", &["--from", "2^5", "--to", "2^4"]), 2, "--from 2^5 is larger");
    failed(&tune("cpu", &["--from", "3"]), 2, "3 is not a power of two");
    failed(&tune("cpu", &["--bytes", "0"]), 2, "at least 1");
    failed(&tune("cpu", &["--bytes", "2^20", "--single"]), 2, "cannot be used with");
    failed(&tune("cpu", &["--single", "--to", "2^4"]), 2, "on the CPU is not supported");
    failed(&tune("none", &["--single"]), 2, "no device 'none'");
    let damaged = folder.write("damaged.json", b"{\"stockham_wisdom\": 1, ");
    failed(&tune("cpu", &["--wisdom", damaged.to_str().unwrap()]), 2, "is no wisdom file");
    let newer = folder.write("newer.json", b"{\"stockham_wisdom\": 99}");
    failed(&tune("cpu", &["--wisdom", newer.to_str().unwrap()]), 2, "version 99");
    let both = folder.path("both.json");
    let both = both.to_str().unwrap();
    failed(&tune("cpu", &["--wisdom", both, "--json", both]), 2, "are one file");
    if let Some(device) = kernel_device() {
        let nowhere = folder.path("no folder").join("wisdom.json");
        failed(&tune(&device, &["--single", "--wisdom", nowhere.to_str().unwrap()]), 1, "cannot write");
        let new = folder.path("new.json");
        let files = ["--wisdom", new.to_str().unwrap(), "--json", nowhere.to_str().unwrap()];
        failed(&tune(&device, &[&["--single"], &files[..]].concat()), 1, "cannot write");
        let few = ["--to", "2^4", "--bytes", "512", "--wisdom", new.to_str().unwrap()];
        failed(&tune(&device, &few), 2, "give more --bytes, or --single");
    }
    // What was refused left no file behind.
    assert_eq!(folder.files(), ["damaged.json", "newer.json"]);
}

#[test]
fn what_was_tuned_is_remembered_and_used() {
    let Some(device) = kernel_device() else { return };
    let folder = Folder::new("tune");
    let path = folder.path("wisdom.json");
    let file = ["--single", "--wisdom", path.to_str().unwrap()];

    let text =
        succeeded(&tune(&device, &[&["--from", "2^3", "--to", "2^4", "--field", "goldilocks"], &file[..]].concat()));
    assert!(text.contains("model ÷copy") && text.contains("2^3") && text.contains("2^4"), "{text}");
    assert!(text.contains("2 choices in") && !text.contains("WRONG"), "{text}");
    assert_eq!(Wisdom::load(&path).unwrap().len(), 2);
    // More of it, and the same again, in the file that the environment names.
    let more = ["tune", "--single", "--from", "2^3", "--to", "2^3"];
    let text = succeeded(&with_wisdom(&path, &device, &more));
    assert!(text.contains("3 choices in"), "{text}");
    succeeded(&with_wisdom(&path, &device, &[&more[..], &["--field", "goldilocks"]].concat()));
    assert_eq!(Wisdom::load(&path).unwrap().len(), 3);
    assert_eq!(folder.files(), ["wisdom.json"]);

    let explain = |n| succeeded(&with_wisdom(&path, &device, &["explain", n, "--field", "goldilocks"]));
    assert!(explain("2^4").contains("by wisdom"), "{}", explain("2^4"));
    assert_eq!(explain("2^5").contains("by wisdom"), is_shipped(&device, 1 << 5), "{}", explain("2^5"));
    let checked = ["verify", "--from", "2^3", "--to", "2^5", "--field", "goldilocks"];
    assert_eq!(succeeded(&with_wisdom(&path, &device, &checked)).matches("pass").count(), 3);

    // The environment may name a file that is still to be made.
    let new = folder.path("new.json");
    succeeded(&with_wisdom(&new, &device, &[&more[..], &["--field", "goldilocks"]].concat()));
    assert_eq!(Wisdom::load(&new).unwrap().len(), 1);
    // Without a file it only tells.
    let text = succeeded(&tune(&device, &["--single", "--from", "8", "--to", "8", "--field", "goldilocks"]));
    assert!(text.contains("nothing remembered"), "{text}");
}

#[test]
fn everything_that_was_tried_is_recorded() {
    let Some(device) = kernel_device() else { return };
    let folder = Folder::new("tune-record");
    let path = folder.write("record.json", b"an older one");
    let json = ["--json", path.to_str().unwrap()];
    let text = succeeded(&tune(&device, &[&["--single", "--from", "2^3", "--to", "2^4"], &json[..]].concat()));
    let record: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert!(record["command"].as_str().unwrap().starts_with("stockham tune --single"), "{record}");
    assert!(record["date"].is_string() && record["machine"]["threads"].is_u64(), "{record}");
    let rows: Vec<Tuned> = serde_json::from_value(record["rows"].clone()).unwrap();
    assert_eq!(rows.iter().map(|row| row.transform.points()).collect::<Vec<_>>(), [8, 16]);
    for row in rows {
        // A line of its own in the table, with its columns under those of the heading.
        let n = format!("2^{}", row.transform.points().ilog2());
        let line = text.lines().find(|line| line.trim_start().starts_with(&n)).unwrap();
        assert!(line.contains(&row.best.to_string()), "{text}");
        let heading = text.lines().find(|line| line.contains("model ÷copy")).unwrap();
        let (before, _) = heading.split_once("tried").unwrap();
        let cell: String = line.chars().skip(before.chars().count()).take("tried".len()).collect();
        assert_eq!(cell.trim(), row.trials.len().to_string(), "{text}");
    }
    assert_eq!(folder.files(), ["record.json"]);
}

#[test]
fn bad_files_of_wisdom_are_told_where_they_would_be_used() {
    let folder = Folder::new("tune-files");
    let damaged = folder.write("damaged.json", b"{}");
    let missing = folder.path("missing.json");
    // The CPU has nothing to choose.
    succeeded(&with_wisdom(&damaged, "cpu", &["explain", "8"]));
    succeeded(&with_wisdom(&missing, "cpu", &["explain", "8"]));
    if let Some(device) = kernel_device() {
        failed(&with_wisdom(&damaged, &device, &["explain", "8"]), 2, "is no wisdom file");
        failed(&with_wisdom(&missing, &device, &["explain", "8"]), 2, "cannot read");
        // An empty name is none.
        succeeded(&with_wisdom(Path::new(""), &device, &["explain", "8"]));
    }
    let text = succeeded(&stockham("explain", &["8", "--field", "goldilocks"]));
    assert_eq!(text.contains("by wisdom"), is_shipped(&device(), 8), "{text}");
}
