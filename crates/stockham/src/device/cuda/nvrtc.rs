//! NVIDIA's run-time compiler, which does not come with the driver.

use std::ffi::{CString, c_char, c_int};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cudarc::nvrtc::sys::{self, nvrtcProgram, nvrtcResult};

const REMEDY: &str = "NVIDIA's driver is here but NVRTC is not: install the `nvidia-cuda-nvrtc` Python package or the \
                      CUDA toolkit and put libnvrtc on the library path; meanwhile the driver's own OpenCL serves";

/// The compiler that was found.
#[derive(Debug)]
pub(super) struct Nvrtc {
    version: (c_int, c_int),
    /// The architectures it compiles for: 90 is compute capability 9.0.
    architectures: Vec<u32>,
}

impl fmt::Display for Nvrtc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NVRTC {}.{}", self.version.0, self.version.1)
    }
}

impl Nvrtc {
    /// The architecture to compile for: a binary runs on its own capability and on later ones of the same major number.
    pub(super) fn architecture(&self, (major, minor): (u32, u32)) -> Option<u32> {
        self.architectures.iter().copied().filter(|a| a / 10 == major && a % 10 <= minor).max()
    }
}

static NVRTC: OnceLock<Result<Nvrtc, String>> = OnceLock::new();

/// The compiler, looked for once; or why there is none.
pub(super) fn find(driver_major: c_int) -> Result<&'static Nvrtc, String> {
    NVRTC.get_or_init(|| load(driver_major)).as_ref().map_err(Clone::clone)
}

fn load(driver_major: c_int) -> Result<Nvrtc, String> {
    // SAFETY: loads NVIDIA's library, whose initialisation has no conditions.
    if !unsafe { sys::is_culib_present() } {
        preload(driver_major);
        // SAFETY: as above.
        if !unsafe { sys::is_culib_present() } {
            return Err(REMEDY.into());
        }
    }
    let failed = |call: &str, code: nvrtcResult| format!("NVRTC is here but {call} failed: {code:?}");
    let (mut major, mut minor) = (0, 0);
    // SAFETY: writes two numbers.
    let code = unsafe { sys::nvrtcVersion(&raw mut major, &raw mut minor) };
    if code != nvrtcResult::NVRTC_SUCCESS {
        return Err(failed("nvrtcVersion", code));
    }
    // Older ones cannot name their architectures, and their lack of a function would be a panic in the binding.
    if (major, minor) < (11, 2) {
        return Err(format!("NVRTC {major}.{minor} is here, and 11.2 or later is needed"));
    }
    let mut count = 0;
    // SAFETY: writes one number.
    let code = unsafe { sys::nvrtcGetNumSupportedArchs(&raw mut count) };
    if code != nvrtcResult::NVRTC_SUCCESS {
        return Err(failed("nvrtcGetNumSupportedArchs", code));
    }
    let mut architectures = vec![0; count.max(0) as usize];
    // SAFETY: writes as many numbers as it said.
    let code = unsafe { sys::nvrtcGetSupportedArchs(architectures.as_mut_ptr()) };
    if code != nvrtcResult::NVRTC_SUCCESS {
        return Err(failed("nvrtcGetSupportedArchs", code));
    }
    let architectures = architectures.into_iter().filter_map(|a: c_int| u32::try_from(a).ok()).collect();
    Ok(Nvrtc { version: (major, minor), architectures })
}

/// Loads the library from where toolkits and Python packages put it: once loaded, its bare name finds it.
fn preload(driver_major: c_int) {
    // A newer compiler than the driver makes binaries that the driver may refuse, so these come last.
    let mut majors = [13, 12];
    majors.sort_by_key(|&major| major > driver_major);
    let directories = directories();
    let files = majors.iter().flat_map(|&major| {
        let name = if cfg!(windows) { format!("nvrtc64_{major}0_0.dll") } else { format!("libnvrtc.so.{major}") };
        directories.iter().map(move |directory| directory.join(&name))
    });
    for file in files.filter(|file| file.is_file()) {
        if load_for_good(&file) {
            // The compiler looks for this part of its own by its bare name, and only when it compiles.
            let siblings = file.parent().and_then(|directory| std::fs::read_dir(directory).ok());
            for sibling in siblings.into_iter().flatten().flatten() {
                let name = sibling.file_name().to_string_lossy().into_owned();
                if ["libnvrtc-builtins.so", "nvrtc-builtins64_"].iter().any(|start| name.starts_with(start)) {
                    load_for_good(&sibling.path());
                }
            }
            return;
        }
    }
}

/// Loads a library and never unloads it: the binding holds on to its functions.
fn load_for_good(file: &Path) -> bool {
    // SAFETY: loads NVIDIA's library, whose initialisation has no conditions.
    unsafe { libloading::Library::new(file) }.map(std::mem::forget).is_ok()
}

fn directories() -> Vec<PathBuf> {
    let roots = |names: &[&str]| -> Vec<PathBuf> {
        names.iter().filter_map(std::env::var_os).map(PathBuf::from).filter(|root| root.is_absolute()).collect()
    };
    let mut toolkits = roots(&["CUDA_PATH", "CUDA_HOME"]);
    if cfg!(unix) {
        toolkits.push("/usr/local/cuda".into());
    }
    let environments = roots(&["VIRTUAL_ENV", "CONDA_PREFIX"]);
    let mut directories = Vec::new();
    for root in toolkits.iter().chain(&environments) {
        directories.extend(["lib64", "lib", "bin"].map(|folder| root.join(folder)));
    }
    for environment in &environments {
        let mut libraries = vec![environment.join("Lib")];
        if let Ok(entries) = std::fs::read_dir(environment.join("lib")) {
            let pythons = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"));
            libraries.extend(pythons.map(|entry| entry.path()));
        }
        for library in libraries {
            let packages = library.join("site-packages").join("nvidia");
            directories.extend(["cu13/lib", "cu13/bin", "cuda_nvrtc/lib", "cuda_nvrtc/bin"].map(|p| packages.join(p)));
        }
    }
    directories
}

/// The options besides the architecture. Contraction to fused multiply-adds is the compiler's default; denormals are
/// kept. The last one leaves out functions for textures and the like, which take time; compilers before 13.0 may not know it.
const OPTIONS: [&str; 3] = ["-default-device", "--std=c++17", "--minimal"];

/// Those of the compiler that was [found](find).
pub(super) fn options() -> &'static [&'static str] {
    let is_new = matches!(NVRTC.get(), Some(Ok(nvrtc)) if nvrtc.version >= (13, 0));
    if is_new { &OPTIONS } else { &OPTIONS[..2] }
}

/// A program of the compiler.
struct Unit(nvrtcProgram);

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the program is valid and not used again.
        let _ = unsafe { sys::nvrtcDestroyProgram(&raw mut self.0) };
    }
}

/// Compiles a source to a binary for the architecture. The error is the compiler's log.
///
/// The compiler must have been [found](find).
pub(super) fn compile(name: &str, source: &str, architecture: u32) -> Result<Vec<u8>, String> {
    let words = |call: &str, code: nvrtcResult| format!("{call} failed: {code:?}");
    let c_text = |text: &str| CString::new(text).map_err(|error| error.to_string());
    let (source, name) = (c_text(source)?, c_text(&format!("{name}.cu"))?);
    let architecture = c_text(&format!("--gpu-architecture=sm_{architecture}"))?;
    let others = options().iter().map(|option| c_text(option)).collect::<Result<Vec<_>, _>>()?;
    let options: Vec<*const c_char> = std::iter::once(&architecture).chain(&others).map(|o| o.as_ptr()).collect();
    let mut program = std::ptr::null_mut();
    let none = std::ptr::null();
    // SAFETY: both texts end with a zero and outlive the program; there are no headers.
    let code = unsafe { sys::nvrtcCreateProgram(&raw mut program, source.as_ptr(), name.as_ptr(), 0, none, none) };
    if code != nvrtcResult::NVRTC_SUCCESS {
        return Err(words("nvrtcCreateProgram", code));
    }
    let unit = Unit(program);
    // SAFETY: the program is valid, and the options are texts that end with a zero.
    let code = unsafe { sys::nvrtcCompileProgram(unit.0, options.len() as c_int, options.as_ptr()) };
    if code != nvrtcResult::NVRTC_SUCCESS {
        return Err(format!("{}\n{}", words("nvrtcCompileProgram", code), log(&unit)));
    }
    let mut len = 0;
    // SAFETY: the program is valid and compiled.
    let code = unsafe { sys::nvrtcGetCUBINSize(unit.0, &raw mut len) };
    if code != nvrtcResult::NVRTC_SUCCESS || len == 0 {
        return Err(words("nvrtcGetCUBINSize", code));
    }
    let mut binary = vec![0u8; len];
    // SAFETY: writes as many bytes as it said.
    let code = unsafe { sys::nvrtcGetCUBIN(unit.0, binary.as_mut_ptr().cast()) };
    if code != nvrtcResult::NVRTC_SUCCESS {
        return Err(words("nvrtcGetCUBIN", code));
    }
    Ok(binary)
}

fn log(unit: &Unit) -> String {
    let mut len = 0;
    // SAFETY: the program is valid.
    let code = unsafe { sys::nvrtcGetProgramLogSize(unit.0, &raw mut len) };
    let mut log = vec![0u8; len];
    // SAFETY: writes as many bytes as it said.
    if code != nvrtcResult::NVRTC_SUCCESS
        || unsafe { sys::nvrtcGetProgramLog(unit.0, log.as_mut_ptr().cast()) } != nvrtcResult::NVRTC_SUCCESS
    {
        return "no log".into();
    }
    String::from_utf8_lossy(&log).trim_end_matches(['\0', '\n']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_architecture_of_the_same_major_number_serves() {
        let nvrtc = Nvrtc { version: (13, 0), architectures: vec![75, 80, 86, 89, 90, 100, 120] };
        assert_eq!(nvrtc.architecture((9, 0)), Some(90));
        assert_eq!(nvrtc.architecture((8, 7)), Some(86));
        assert_eq!(nvrtc.architecture((10, 3)), Some(100));
        assert_eq!(nvrtc.architecture((7, 0)), None);
        assert_eq!(nvrtc.architecture((11, 0)), None);
    }

    #[test]
    fn kernels_compile_and_errors_carry_the_log() {
        let nvrtc = match find(13) {
            Ok(nvrtc) => nvrtc,
            Err(reason) => return eprintln!("skipped: {reason}"),
        };
        let architecture = nvrtc.architecture((9, 0)).or(nvrtc.architectures.last().copied()).unwrap();
        let source = "int twice(int x) { return 2 * x; }\n\
                      extern \"C\" __global__ void __launch_bounds__(64) test(int *x) { x[threadIdx.x] = twice(3); }";
        let binary = compile("test", source, architecture).unwrap();
        assert!(binary.starts_with(b"\x7fELF"), "{} bytes", binary.len());
        let log = compile("test", "extern \"C\" __global__ void test( {", architecture).unwrap_err();
        assert!(log.contains("test.cu(1)"), "{log}");
        assert!(compile("test", "a\0b", architecture).is_err());
    }
}
