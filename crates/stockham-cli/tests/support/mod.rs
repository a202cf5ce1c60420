//! What the tests of the command share: running it, a folder of its own for each test, and files to feed it.

// Every test program is compiled with all of it and uses a part.
#![allow(dead_code, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("stockham-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a file for the test");
        path
    }
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<_> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The device under test.
pub fn device() -> String {
    std::env::var("STOCKHAM_TEST_DEVICE").unwrap_or_else(|_| "cpu".into())
}

/// The device under test; or, as the CPU runs no kernels and leaves nothing to choose, an OpenCL device if there is one.
pub fn kernel_device() -> Option<String> {
    let named = device();
    if named != "cpu" {
        return Some(named);
    }
    let found = stockham::Device::list().found;
    found.into_iter().find(|info| info.backend == stockham::Backend::Opencl).map(|info| info.id)
}

/// The command: what cargo built, or what `STOCKHAM_BIN` names where the tests run on another machine.
pub fn binary() -> std::ffi::OsString {
    std::env::var_os("STOCKHAM_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_stockham").into())
}

/// The command on the device under test.
pub fn stockham<S: AsRef<std::ffi::OsStr>>(subcommand: &str, arguments: &[S]) -> Output {
    let mut command = Command::new(binary());
    command.arg(subcommand).args(arguments).args(["--device", &device()]);
    command.output().expect("the command runs")
}

/// Standard output of a command that must have succeeded.
pub fn succeeded(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    out.into_owned()
}

/// Asserts exit code and words of a failure, in one or two lines.
pub fn failed(output: &Output, code: i32, words: &str) {
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{err}");
    assert!(err.starts_with("stockham: ") && err.contains(words), "'{words}' is not in: {err}");
    assert!(err.trim_end().lines().count() <= 2, "{err}");
}

/// A `.npy` file, version 1, with a header of that text.
pub fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

/// Header text and data of a `.npy` file.
pub fn read_npy(path: &Path) -> (String, Vec<u8>) {
    let file = fs::read(path).expect("the result");
    assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
    let start = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    (String::from_utf8_lossy(&file[10..start]).trim_end().to_owned(), file[start..].to_vec())
}

/// A WAV file of 16-bit samples.
pub fn wav(path: &Path, rate: u32, channels: u16, samples: &[f64]) {
    let spec =
        hound::WavSpec { channels, sample_rate: rate, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(path, spec).expect("a WAV file");
    for x in samples {
        writer.write_sample((x * 32767.0).round() as i16).expect("a sample");
    }
    writer.finalize().expect("the end");
}
