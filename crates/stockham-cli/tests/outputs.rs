//! Where results go: streams are written as they come, files are replaced as a whole or not touched, and what cannot be
//! written is told before the work.

#![cfg(unix)]

mod support;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use support::{Folder, binary, failed, npy, read_npy, succeeded};

const UNFINISHED: &str = ".stockham-unfinished";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env("STOCKHAM_DEVICE", support::device());
    command
}

fn stockham(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command runs")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a name in UTF-8")
}

/// Runs with standard input of those bytes.
fn fed(arguments: &[&str], bytes: &[u8]) -> Output {
    let mut child =
        command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn descriptors_are_written_where_they_stand() {
    let folder = Folder::new("outputs-descriptors");
    let a = folder.write("a", b"12");
    for output in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"] {
        let log = folder.write("log", b"line\n");
        let appended = File::options().append(true).open(&log).unwrap();
        let mut command = command(&["intmul", text(&a), text(&a), output]);
        let run = command.stdout(appended).stderr(Stdio::piped()).output().unwrap();
        // The report does not run into the product.
        assert!(String::from_utf8_lossy(&succeeded_report(&run)).contains("digits make"), "{output}");
        assert_eq!(fs::read_to_string(&log).unwrap(), "line\n144\n", "{output}");
    }
    let link = folder.path("link");
    symlink("/dev/stdout", &link).unwrap();
    assert_eq!(stockham(&["intmul", text(&a), text(&a), text(&link)]).stdout, b"144\n");
    assert_eq!(folder.files(), ["a", "link", "log"]);
}

fn succeeded_report(output: &Output) -> Vec<u8> {
    succeeded(output);
    output.stderr.clone()
}

#[test]
fn other_descriptors_and_pipes_are_written_to() {
    let folder = Folder::new("outputs-pipes");
    let a = folder.write("a", b"12");
    // A shell's descriptor 3, which has a place in its file.
    let script = format!(
        "exec 3>'{0}/three'; echo before >&3; '{1}' intmul '{2}' '{2}' /dev/fd/3 >/dev/null && echo after >&3",
        text(a.parent().unwrap()),
        binary().to_string_lossy(),
        text(&a)
    );
    let run = Command::new("sh").args(["-c", &script]).env("STOCKHAM_DEVICE", support::device()).output().unwrap();
    succeeded(&run);
    assert_eq!(fs::read_to_string(folder.path("three")).unwrap(), "before\n144\nafter\n");

    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    succeeded(&stockham(&["intmul", text(&a), text(&a), text(&pipe)]));
    assert_eq!(reader.join().unwrap(), "144\n");
    assert!(!fs::metadata(&pipe).unwrap().is_file());
    succeeded(&stockham(&["intmul", text(&a), text(&a), "/dev/null", "--json", "/dev/null"]));
    assert_eq!(folder.files(), ["a", "pipe", "three"]);
}

#[test]
fn standard_input_and_output_are_files() {
    let run = fed(&["ntt", "--field", "17", "-", "-", "--quiet"], b"1\n2\n3\n4\n");
    succeeded(&run);
    assert_eq!((run.stdout.iter().filter(|byte| **byte == b'\n').count(), run.stderr.len()), (4, 0));
    // An array in is an array out.
    let folder = Folder::new("outputs-standard");
    let array = npy("<f4", false, "(4,)", bytemuck::cast_slice(&[1f32, 0.0, 0.0, 0.0]));
    for subcommand in [&["fft"][..], &["ntt", "--field", "goldilocks"]] {
        let array = if subcommand[0] == "fft" { array.clone() } else { npy("<u8", false, "(4,)", &[0; 32]) };
        let run = fed(&[subcommand, &["-", "-"]].concat(), &array);
        succeeded(&run);
        assert!(String::from_utf8_lossy(&run.stderr).contains("of 2^2 points on"), "{subcommand:?}");
        assert_eq!(read_npy(&folder.write("out.npy", &run.stdout)).1.len(), 32);
    }
    let a = folder.write("a", b"12");
    let run = fed(&["intmul", "-", text(&a), "-", "-q"], b"-3");
    assert_eq!((succeeded(&run).as_str(), run.stderr.len()), ("-36\n", 0));
    let run = fed(&["polymul", "--field", "17", "-", text(&a), "-", "-q"], b"1\n2\n");
    assert_eq!(succeeded(&run), "12\n7\n");
    failed(&stockham(&["intmul", "-", "-", "-"]), 2, "standard input");
    // A report is no result.
    let run = stockham(&["intmul", text(&a), text(&a), text(&folder.path("c")), "--quiet"]);
    assert_eq!((succeeded(&run).as_str(), run.stderr.len()), ("", 0));
    let run = stockham(&["verify", "--to", "4", "--json", "-"]);
    let record: serde_json::Value = serde_json::from_str(&succeeded(&run)).unwrap();
    assert_eq!(record["records"].as_array().unwrap().len(), 2);
}

/// A command that has begun to write, and does not come to an end: its input is a pipe that gives a part.
fn stuck(folder: &Folder) -> Child {
    let output = folder.path("out.npy");
    let mut command = command(&["fft", "-", text(&output)]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: the call is one that may be made between fork and exec. Shells have what runs in the background ignore
    // interrupts, and the command heeds that.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&npy("<c8", false, "(1024, 1024)", &[0; 4096])).unwrap();
    // The one before it was to see whether there can be one.
    let begun = format!(".{}-1{UNFINISHED}", child.id());
    let start = Instant::now();
    while !folder.files().contains(&begun) {
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", folder.files());
        std::thread::sleep(Duration::from_millis(5));
    }
    // It takes a moment to lock it.
    std::thread::sleep(Duration::from_millis(200));
    child
}

fn kill(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Whether this process ignores a signal, as far as the system tells.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[test]
fn signals_leave_no_unfinished_file() {
    for (name, signal) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        // What nohup starts ignores it, and so does what that starts.
        if is_ignored(signal) {
            continue;
        }
        let folder = Folder::new(&format!("outputs-signal{name}"));
        let kept = folder.write("out.npy", b"what was there");
        let mut child = stuck(&folder);
        kill(&child, name);
        // Its input must not end before it does.
        let input = child.stdin.take();
        // Shells call it 128 + signal.
        assert_eq!(child.wait().unwrap().signal(), Some(signal));
        drop(input);
        assert_eq!(folder.files(), ["out.npy"], "{name}");
        assert_eq!(fs::read(kept).unwrap(), b"what was there");
    }
}

#[test]
fn what_a_killed_process_left_goes_with_the_next_and_a_living_ones_stays() {
    let folder = Folder::new("outputs-left");
    let mut killed = stuck(&folder);
    kill(&killed, "-KILL");
    killed.wait().unwrap();
    let left = folder.files();
    assert_eq!(left.len(), 1, "{left:?}");
    let mut living = stuck(&folder);
    let theirs = folder.files();
    assert!(theirs.len() == 1 && theirs != left, "{theirs:?} after {left:?}");
    // Another process writes beside it, and leaves it alone.
    let a = folder.write("a", b"2");
    succeeded(&stockham(&["intmul", text(&a), text(&a), text(&folder.path("b"))]));
    assert!(folder.files().contains(&theirs[0]), "{:?}", folder.files());
    kill(&living, "-TERM");
    living.wait().unwrap();
    assert_eq!(folder.files(), ["a", "b"]);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new("outputs-two");
    let a = folder.write("a", b"12");
    let out = folder.write("out", b"what was there");
    fs::create_dir(folder.path("sub")).unwrap();
    symlink(&out, folder.path("link")).unwrap();
    fs::hard_link(&out, folder.path("hard")).unwrap();
    let spelled = folder.path("sub/../out");
    let same = [out.clone(), spelled, folder.path("link"), folder.path("hard")];
    for json in &same {
        let run = stockham(&["intmul", text(&a), text(&a), text(&out), "--json", text(json)]);
        failed(&run, 2, "are one file");
    }
    // Neither is there yet.
    let (new, other) = (folder.path("new"), folder.path("sub/../new"));
    failed(&stockham(&["intmul", text(&a), text(&a), text(&new), "--json", text(&other)]), 2, "are one file");
    failed(&stockham(&["intmul", text(&a), text(&a), "-", "--json", "/dev/stdout"]), 2, "are one file");
    failed(&stockham(&["bench", "--to", "2", "--json", text(&new), "--plot", text(&new)]), 2, "");
    // A record is no product: it must not take the place of a number.
    failed(&stockham(&["intmul", text(&a), text(&a), text(&out), "--json", text(&a)]), 2, "it is the input");
    assert_eq!((fs::read(&a).unwrap(), fs::read(&out).unwrap()), (b"12".to_vec(), b"what was there".to_vec()));
}

#[test]
fn protected_files_are_left_alone() {
    let folder = Folder::new("outputs-protected");
    let (a, out) = (folder.write("a", b"12"), folder.write("out", b"what was there"));
    fs::set_permissions(&out, fs::Permissions::from_mode(0o444)).unwrap();
    failed(&stockham(&["intmul", text(&a), text(&a), text(&out)]), 2, "write-protected");
    failed(&stockham(&["verify", "--to", "2", "--json", text(&out)]), 2, "write-protected");
    assert_eq!(fs::read(&out).unwrap(), b"what was there");
    // What is replaced keeps its permissions.
    fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).unwrap();
    succeeded(&stockham(&["intmul", text(&a), text(&a), text(&out)]));
    assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(folder.files(), ["a", "out"]);
}

#[test]
fn a_file_in_a_closed_folder_is_written_in_place() {
    let folder = Folder::new("outputs-closed");
    let (a, out) = (folder.write("a", b"12"), folder.write("out", b"a long text that was there"));
    for (path, mode) in [(&a, 0o644), (&out, 0o666)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::set_permissions(a.parent().unwrap(), fs::Permissions::from_mode(0o555)).unwrap();
    let probe = folder.path("probe");
    let mut run = command(&["intmul", text(&a), text(&a), text(&out)]);
    let mut over = command(&["intmul", text(&out), text(&out), text(&out)]);
    if File::create(&probe).is_ok() {
        // The superuser may write anywhere: somebody else runs it.
        fs::remove_file(probe).unwrap();
        for command in [&mut run, &mut over] {
            command.uid(65534).gid(65534);
        }
    }
    let run = run.output();
    if run.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied) {
        // Nobody else may run what is built here.
        return;
    }
    succeeded(&run.unwrap());
    assert_eq!(fs::read(&out).unwrap(), b"144\n");
    failed(&over.output().unwrap(), 2, "its folder takes no file");
    assert_eq!(fs::read(&out).unwrap(), b"144\n");
    fs::set_permissions(a.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn links_that_lead_nowhere_and_the_longest_names_are_written() {
    let folder = Folder::new("outputs-names");
    let a = folder.write("a", b"12");
    let (link, target) = (folder.path("link"), folder.path("target"));
    symlink("target", &link).unwrap();
    succeeded(&stockham(&["intmul", text(&a), text(&a), text(&link)]));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap(), b"144\n");
    let long = folder.path(&"n".repeat(255));
    succeeded(&stockham(&["intmul", text(&a), text(&a), text(&long)]));
    assert_eq!(fs::read(&long).unwrap(), b"144\n");
    let circle = folder.path("circle");
    symlink("circle", &circle).unwrap();
    failed(&stockham(&["intmul", text(&a), text(&a), text(&circle)]), 1, "symbolic links");
    assert_eq!(folder.files().len(), 5);
}

#[test]
fn every_command_looks_at_its_outputs_first() {
    let folder = Folder::new("outputs-first");
    let (nowhere, directory) = (folder.path("no/file"), folder.path("."));
    // Inputs that are not there would be told of later.
    for arguments in [
        &["fft", "in.npy"][..],
        &["ntt", "--field", "P3", "in.npy"],
        &["intmul", "a", "b"],
        &["polymul", "--field", "P3", "a", "b"],
        &["intmul", "a", "b", "/dev/null", "--json"],
        &["verify", "--json"],
        &["bench", "--json"],
        &["tune", "--json"],
        &["tune", "--wisdom"],
        &["lab", "--json"],
    ] {
        let run = |output: &Path| stockham(&[arguments, &[text(output)]].concat());
        failed(&run(&nowhere), 1, "there is no folder");
        failed(&run(&directory), 2, "it is a folder");
    }
    let named = command(&["tune", "--to", "2"]).env("STOCKHAM_WISDOM", &nowhere).output().unwrap();
    failed(&named, 1, "there is no folder");
    assert!(folder.files().is_empty());
}

#[test]
fn what_is_read_as_it_comes_is_read_to_its_end() {
    // A reader that goes is no failure, and a pipe that ends early is.
    let array = npy("<c8", false, "(64, 1024)", &[0; 100]);
    failed(&fed(&["fft", "-", "/dev/null"], &array), 2, "truncated");
    let mut child = command(&["fft", "-", "-", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(&npy("<c8", false, "(64, 1024)", &vec![0; 64 << 13])).unwrap();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(child.wait().unwrap().success() && told.is_empty(), "{told}");
}
