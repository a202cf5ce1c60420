//! What is not there is refused before it is needed: memory, threads, settings; and what was measured is kept.

#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use support::{Folder, binary, failed, npy, stockham as run_on_device, succeeded};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env("STOCKHAM_DEVICE", support::device());
    command
}

#[test]
fn memory_that_is_not_there_is_refused_before_the_work() {
    if support::device() != "cpu" {
        return;
    }
    for arguments in [&["--to", "2^40"][..], &["--to", "2^40", "--field", "goldilocks"]] {
        let output = run_on_device("verify", arguments);
        failed(&output, 1, "of memory, and");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("pass"));
    }
    failed(&run_on_device("bench", &["--from", "2", "--to", "2", "--bytes", "1000TiB"]), 1, "of memory, and");
    assert!(succeeded(&run_on_device("verify", &["--to", "2"])).contains("takes up to"));
}

/// Under a limit of address space, commands end well or with words, and not by a signal.
#[test]
fn short_memory_is_told() {
    if support::device() != "cpu" {
        return;
    }
    let folder = Folder::new("limits-memory");
    let digits = folder.write("digits", &b"7".repeat(300_000));
    let elements = folder.write("x.npy", &npy("<u8", false, "(65536,)", &vec![0; 8 << 16]));
    let out = folder.path("out");
    let [digits, elements, out] = [&digits, &elements, &out].map(|path| path.to_str().unwrap());
    let run = |mebibytes: usize, arguments: &[&str]| {
        let limit = format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes << 10);
        let mut shell = Command::new("sh");
        shell.args(["-c", &limit]).arg(binary()).args(arguments).args(["--device", "cpu", "--threads", "2"]);
        shell.output().unwrap()
    };
    // What the program takes by itself depends on how it is built.
    let least =
        (16..).step_by(16).take(100).find(|&mebibytes| run(mebibytes, &["explain", "8"]).status.success()).unwrap();
    let mut told = 0;
    for arguments in [
        &["intmul", digits, digits, out][..],
        &["polymul", "--field", "goldilocks", elements, elements, out],
        &["verify", "--from", "2^14", "--to", "2^14", "--precision", "f64"],
        &["fft", elements, out],
    ] {
        for more in [4, 16, 48] {
            let output = run(least + more, arguments);
            let words = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?} in {least} + {more} MiB: {output:?}");
            assert!(output.status.success() || words.starts_with("stockham: "), "{words}");
            told += usize::from(!output.status.success());
        }
    }
    assert!(told > 0, "some of it takes more");
}

/// The most memory that a process has had at a time, in bytes.
fn peak(mut command: Command) -> (u64, Output) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let watch = std::thread::spawn(move || {
        let mut peak = 0;
        while let Ok(text) = fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let Some(line) = line else { break };
            peak = line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10;
            std::thread::sleep(Duration::from_millis(2));
        }
        peak
    });
    let output = child.wait_with_output().unwrap();
    (watch.join().unwrap(), output)
}

#[test]
fn a_long_transform_takes_twice_its_file() {
    if support::device() != "cpu" || !cfg!(target_os = "linux") {
        return;
    }
    let folder = Folder::new("limits-file");
    // So long that the program itself, in debug builds with all its text, counts little.
    let n = 3 << 24;
    let input = folder.write("in.npy", &npy("<c8", false, &format!("({n},)"), &vec![0; 8 * n]));
    let output = folder.path("out.npy");
    let bytes = fs::metadata(&input).unwrap().len();
    let (peak, run) = peak(command(&["fft", input.to_str().unwrap(), output.to_str().unwrap()]));
    succeeded(&run);
    assert_eq!(fs::metadata(&output).unwrap().len(), bytes);
    // Less than the data and a workspace would mean that nobody looked.
    assert!(peak > bytes && peak * 10 <= bytes * 22, "{:.2} times the file", peak as f64 / bytes as f64);
}

#[test]
fn what_was_measured_is_printed_and_kept() {
    let folder = Folder::new("limits-kept");
    let json = folder.path("v.json");
    for (subcommand, options) in [("verify", &[][..]), ("bench", &["--bytes", "2^12"])] {
        let arguments = [subcommand, "--from", "2^4", "--to", "2^20", "--json", json.to_str().unwrap()];
        let arguments = [&arguments[..], options].concat();
        let mut child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let row = lines.map(|line| line.unwrap()).find(|line| line.trim_start().starts_with("2^4 "));
        assert!(row.is_some());
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        child.wait().unwrap();
        let record: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        let rows = record[if subcommand == "verify" { "records" } else { "rows" }].as_array().unwrap();
        assert_eq!(rows[0]["n"], 16, "{subcommand}");
        assert_eq!(folder.files(), ["v.json"]);
    }
}

#[test]
fn threads_are_bounded() {
    failed(&command(&["explain", "8", "--threads", "100000"]).output().unwrap(), 2, "this machine takes 1 to");
    failed(&command(&["explain", "8", "--threads", "0"]).output().unwrap(), 2, "at least 1");
    let many = command(&["devices"]).env("RAYON_NUM_THREADS", "100000").output().unwrap();
    assert!(succeeded(&many).contains(&format!("threads: {}", stockham::threads::most())));
    let device = || command(&["devices", "--threads", "3"]).env_remove("RAYON_NUM_THREADS").output().unwrap();
    assert!(succeeded(&device()).contains("threads: 3"));
}

#[test]
fn settings_that_mean_nothing_are_told() {
    let banana = command(&["explain", "8"]).env("STOCKHAM_CACHE", "banana").output().unwrap();
    failed(&banana, 2, "'banana' is not a setting of STOCKHAM_CACHE: expected on or off");
    for value in ["", "on", "OFF"] {
        succeeded(&command(&["explain", "8"]).env("STOCKHAM_CACHE", value).output().unwrap());
    }
}

#[test]
fn the_cache_is_shown_and_cleared() {
    let folder = Folder::new("limits-cache");
    for name in ["a.program", "b.program", "mine.txt"] {
        folder.write(name, &[0; 512]);
    }
    let cache = |arguments: &[&str]| {
        let mut command = command(&[&["cache"], arguments].concat());
        succeeded(&command.env("STOCKHAM_CACHE_DIR", folder.path("")).env_remove("STOCKHAM_CACHE").output().unwrap())
    };
    assert!(cache(&[]).starts_with("2 compiled kernels in"));
    assert!(cache(&[]).contains("take 1 KiB"));
    assert!(cache(&["--clear"]).starts_with("removed 2"));
    assert_eq!(folder.files(), ["mine.txt"]);
    let off = command(&["cache"]).env("STOCKHAM_CACHE", "off").output().unwrap();
    assert!(succeeded(&off).contains("not kept"));
}

#[test]
fn shells_and_manuals_know_the_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = succeeded(&command(&["completions", shell]).output().unwrap());
        assert!(text.contains("polymul") && text.contains("stockham"), "{shell}");
    }
    assert!(succeeded(&command(&["man"]).output().unwrap()).contains("Exit codes"));
    assert!(succeeded(&command(&["man", "intmul"]).output().unwrap()).contains("verify"));
    failed(&command(&["man", "abacus"]).output().unwrap(), 2, "no command 'abacus'");
    assert!(succeeded(&command(&["--help"]).output().unwrap()).contains("Exit codes: 0"));
}

#[test]
fn lists_are_written_as_json() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&succeeded(&command(&[arguments, &["--json", "-"]].concat()).output().unwrap())).unwrap()
    };
    let devices = json(&["devices"]);
    assert_eq!(devices["default"], support::device().as_str());
    assert!(devices["found"].as_array().unwrap().iter().any(|device| device["id"] == "cpu"));
    let fields = json(&["fields"]);
    let field = |name: &str| fields.as_array().unwrap().iter().find(|field| field["name"] == name).unwrap().clone();
    assert_eq!((&field("babybear")["generator"], &field("babybear")["root"]), (&31.into(), &"440564289".into()));
    assert_eq!(field("goldilocks")["root"], "1753635133440165772");
    assert_eq!((&field("P3")["radix"][1], &field("P3")["two_adicity"]), (&8.into(), &272.into()));
    assert!(json(&["explain", "8"])["recipe"].is_object());
}
