//! The program cache on disk: what a device's compiler made of a kernel, kept from process to process.
//!
//! An entry is believed only if its whole key and its checksum are right; anything else is a miss, and the program is
//! compiled again. Failing to write is no error, because the cache only saves time. It is bounded in size: the oldest
//! entries go first, and [`clear`] removes them all.
//!
//! The checksum finds damage, and no malice: who writes to the directory has their programs run on the device, or, where
//! the device is the CPU, in this process. So it is made for the user alone, and on Unix neither read nor written if it is
//! another user's or others may write to it; nor are entries that are links, another user's, or open to others. Who is
//! trusted is the user, the superuser, and whoever sets this process's environment. [`distrusted`] tells.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use xxhash_rust::xxh3::xxh3_128;

use crate::error::Error;
use crate::regular_file::{self, Links};
use crate::whole_file::{self, UNFINISHED_EXTENSION};

use super::private_folder;

mod bound;

pub use bound::{MOST_BYTES, Usage, usage};

/// The environment variable that turns the cache `off`; `on`, it is there as it is without the variable.
pub const SWITCH_VARIABLE: &str = "STOCKHAM_CACHE";
/// The environment variable that names the cache's directory.
pub const DIRECTORY_VARIABLE: &str = "STOCKHAM_CACHE_DIR";

const MAGIC: &[u8; 16] = b"stockham-cache-1";
const CHECKSUM_BYTES: usize = 16;
const ENTRY_EXTENSION: &str = "program";
/// Larger files are no entries of ours, and are not read into memory.
const MAX_ENTRY_BYTES: u64 = 1 << 28;
/// A process trims the cache when it stores its first program, and after so many more: they may be beyond the bound meanwhile.
const STORES_BETWEEN_TRIMS: usize = 64;

/// Checks what [`SWITCH_VARIABLE`] says.
///
/// # Errors
/// [`Error::Syntax`] if it is neither `on` nor `off`.
pub fn check() -> Result<(), Error> {
    match std::env::var_os(SWITCH_VARIABLE) {
        Some(value) if !["", "on", "off"].iter().any(|known| value.eq_ignore_ascii_case(known)) => Err(Error::Syntax {
            what: "a setting of STOCKHAM_CACHE",
            found: value.to_string_lossy().into_owned(),
            expected: "on or off".into(),
        }),
        _ => Ok(()),
    }
}

/// Where compiled programs are kept: `STOCKHAM_CACHE_DIR`, or else `stockham` in the user's cache directory. `None` if
/// the cache is off or no place is known.
pub fn directory() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if variable(SWITCH_VARIABLE).is_some_and(|value| value.eq_ignore_ascii_case("off")) {
        return None;
    }
    if let Some(directory) = variable(DIRECTORY_VARIABLE) {
        return Some(directory.into());
    }
    let home = || variable("HOME").map(PathBuf::from);
    let user_cache = if cfg!(target_os = "windows") {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Caches"))
    } else {
        // The XDG specification says to ignore a relative path.
        let xdg = variable("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        xdg.or_else(|| home().map(|home| home.join(".cache")))
    };
    Some(user_cache?.join("stockham"))
}

/// Why the [directory] is not used although there is one: others may have written to it.
pub fn distrusted() -> Option<String> {
    private_folder::distrust(&directory()?)
}

/// Removes every compiled program from the cache, and says how many there were.
///
/// # Errors
/// What the file system reports; an absent directory is an empty cache.
pub fn clear() -> io::Result<usize> {
    directory().map_or(Ok(0), |directory| clear_at(&directory))
}

fn clear_at(directory: &Path) -> io::Result<usize> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut removed = 0;
    for entry in entries {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some(ENTRY_EXTENSION | UNFINISHED_EXTENSION)) {
            continue;
        }
        match fs::remove_file(&path) {
            Ok(()) => removed += usize::from(extension == Some(ENTRY_EXTENSION)),
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(removed)
}

/// Every text that determines a program.
pub(crate) struct Key(Vec<u8>);

impl Key {
    pub(crate) fn new(parts: &[&str]) -> Self {
        let mut bytes = Vec::new();
        for part in [env!("CARGO_PKG_VERSION")].iter().chain(parts) {
            // The length keeps ("ab", "c") and ("a", "bc") apart.
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
        Self(bytes)
    }

    fn file_name(&self) -> String {
        format!("{:032x}.{ENTRY_EXTENSION}", xxh3_128(&self.0))
    }
}

/// A directory of programs, or none.
pub(crate) struct Cache {
    directory: Option<PathBuf>,
}

impl Cache {
    pub(crate) fn from_environment() -> Self {
        // Unit tests leave the user's own cache alone.
        let tests = || std::env::temp_dir().join("stockham-test-cache");
        Self { directory: if cfg!(test) { Some(tests()) } else { directory() } }
    }

    /// The payload stored under the key.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let directory = self.trusted()?;
        let (file, metadata) = regular_file::open(&directory.join(key.file_name()), Links::Refused).ok()?;
        // The directory may have been exchanged since.
        if private_folder::others(&metadata).is_some() {
            return None;
        }
        let entry = regular_file::read(file, MAX_ENTRY_BYTES).ok()?;
        decode(&entry, key).map(<[u8]>::to_vec)
    }

    /// Stores a payload under the key. Failing is silent: the next process compiles again.
    pub(crate) fn put(&self, key: &Key, payload: &[u8]) {
        let Some(directory) = self.trusted() else { return };
        // An error means that nothing was kept, which a reader sees as a miss.
        let _ = write(directory, key, payload);
    }

    /// The directory, unless others may have written to it.
    fn trusted(&self) -> Option<&Path> {
        self.directory.as_deref().filter(|directory| private_folder::distrust(directory).is_none())
    }
}

fn write(directory: &Path, key: &Key, payload: &[u8]) -> io::Result<()> {
    private_folder::make(directory)?;
    whole_file::write_private(&directory.join(key.file_name()), &encode(key, payload))?;
    // Trimming looks at every entry there is.
    static STORED: AtomicUsize = AtomicUsize::new(0);
    if STORED.fetch_add(1, Ordering::Relaxed).is_multiple_of(STORES_BETWEEN_TRIMS) {
        bound::trim(directory, MOST_BYTES)?;
    }
    Ok(())
}

/// Magic, length of the key, key, payload, checksum of all before.
fn encode(key: &Key, payload: &[u8]) -> Vec<u8> {
    let mut entry = MAGIC.to_vec();
    entry.extend_from_slice(&(key.0.len() as u64).to_le_bytes());
    entry.extend_from_slice(&key.0);
    entry.extend_from_slice(payload);
    let checksum = xxh3_128(&entry);
    entry.extend_from_slice(&checksum.to_le_bytes());
    entry
}

fn decode<'a>(entry: &'a [u8], key: &Key) -> Option<&'a [u8]> {
    let (body, checksum) = entry.split_at_checked(entry.len().checked_sub(CHECKSUM_BYTES)?)?;
    if xxh3_128(body).to_le_bytes() != checksum {
        return None;
    }
    let rest = body.strip_prefix(MAGIC)?;
    let rest = rest.strip_prefix(&(key.0.len() as u64).to_le_bytes())?;
    rest.strip_prefix(key.0.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of its own for each test, removed at its end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("stockham-cache-test-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Self(path)
        }
        fn cache(&self) -> Cache {
            Cache { directory: Some(self.0.clone()) }
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_entry_comes_back_and_only_for_its_key() {
        let scratch = Scratch::new("round-trip");
        let cache = scratch.cache();
        let key = Key::new(&["source", "options"]);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"binary");
        assert_eq!(cache.get(&key).as_deref(), Some(b"binary".as_slice()));
        assert_eq!(cache.get(&Key::new(&["sourceo", "ptions"])), None);
        cache.put(&key, b"");
        assert_eq!(cache.get(&key).as_deref(), Some(b"".as_slice()));
        assert_eq!(clear_at(&scratch.0).unwrap(), 1);
        assert_eq!(cache.get(&key), None);
    }

    #[test]
    fn an_entry_under_another_keys_name_is_a_miss() {
        let (key, other) = (Key::new(&["a"]), Key::new(&["b"]));
        assert_eq!(decode(&encode(&key, b"binary"), &other), None);
    }

    #[test]
    fn a_damaged_entry_is_a_miss_and_is_overwritten() {
        let scratch = Scratch::new("damage");
        let cache = scratch.cache();
        let key = Key::new(&["source"]);
        cache.put(&key, b"binary");
        let path = scratch.0.join(key.file_name());
        let whole = fs::read(&path).unwrap();
        for i in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[i] ^= 1;
            assert_eq!(decode(&damaged, &key), None, "byte {i}");
            assert_eq!(decode(&whole[..i], &key), None, "cut after {i} bytes");
        }
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"binary");
        assert_eq!(cache.get(&key).as_deref(), Some(b"binary".as_slice()));
    }

    #[test]
    fn many_writers_leave_one_whole_entry() {
        let scratch = Scratch::new("writers");
        let key = Key::new(&["source"]);
        let payload = vec![7; 100_000];
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        scratch.cache().put(&key, &payload);
                        assert_eq!(scratch.cache().get(&key).as_ref(), Some(&payload));
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
    }

    #[test]
    fn no_directory_and_an_unwritable_one_are_misses() {
        let key = Key::new(&["source"]);
        let off = Cache { directory: None };
        off.put(&key, b"binary");
        assert_eq!(off.get(&key), None);
        // A file where the directory should be refuses even the superuser, whom permissions do not stop.
        let scratch = Scratch::new("unwritable");
        fs::write(&scratch.0, b"").unwrap();
        let blocked = scratch.cache();
        blocked.put(&key, b"binary");
        assert_eq!(blocked.get(&key), None);
        fs::remove_file(&scratch.0).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_have_written_is_a_miss() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let scratch = Scratch::new("others");
        let cache = scratch.cache();
        let key = Key::new(&["source"]);
        cache.put(&key, b"binary");
        let path = scratch.0.join(key.file_name());
        assert_eq!((mode(&scratch.0), mode(&path)), (0o700, 0o600));

        set_mode(&path, 0o622);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"binary");
        assert_eq!(cache.get(&key).as_deref(), Some(b"binary".as_slice()));

        set_mode(&scratch.0, 0o777);
        assert_eq!(cache.get(&key), None);
        cache.put(&Key::new(&["another"]), b"binary");
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
        set_mode(&scratch.0, 0o700);
        assert_eq!(cache.get(&key).as_deref(), Some(b"binary".as_slice()));

        let elsewhere = scratch.0.join("elsewhere");
        fs::rename(&path, &elsewhere).unwrap();
        symlink(&elsewhere, &path).unwrap();
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"newer");
        assert_eq!(cache.get(&key).as_deref(), Some(b"newer".as_slice()));
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
    }

    /// A pipe that nobody writes to.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_a_miss() {
        let scratch = Scratch::new("pipe");
        let cache = scratch.cache();
        let key = Key::new(&["source"]);
        private_folder::make(&scratch.0).unwrap();
        regular_file::tests::make_pipe(&scratch.0.join(key.file_name()));
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"binary");
        assert_eq!(cache.get(&key), None);
    }
}
