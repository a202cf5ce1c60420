//! Folders that the user alone writes to: what lies there may be run.

use std::fs::{self, DirBuilder, Metadata};
use std::io;
use std::path::Path;

/// Makes a folder, and what is missing above it, for the user alone.
pub(super) fn make(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Why others may have written to a folder; nothing where it is the user's alone, or is not there.
pub(super) fn distrust(path: &Path) -> Option<String> {
    match fs::metadata(path) {
        Ok(folder) if !folder.is_dir() => Some("it is no folder".into()),
        Ok(folder) => others(&folder),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(error.to_string()),
    }
}

/// Why others may have written to what these are the data of. Where files have no owners and modes, that is not known.
#[cfg(unix)]
pub(super) fn others(found: &Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: it takes nothing, and cannot fail.
    let user = unsafe { libc::geteuid() };
    if found.uid() != user {
        return Some(format!("it belongs to user {}, and this is user {user}", found.uid()));
    }
    (found.mode() & 0o022 != 0).then(|| format!("others may write to it (its mode is {:03o})", found.mode() & 0o777))
}

/// The same.
#[cfg(not(unix))]
pub(super) fn others(_: &Metadata) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn folders_of_the_user_alone_are_trusted() {
        let above = std::env::temp_dir().join(format!("stockham-private-test-{}", std::process::id()));
        let _ = fs::remove_dir_all(&above);
        let path = above.join("inside");
        assert_eq!(distrust(&path), None);
        make(&path).unwrap();
        for made in [&above, &path] {
            assert_eq!(fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700);
        }
        make(&path).unwrap();
        for (mode, is_trusted) in [(0o700, true), (0o755, true), (0o500, true), (0o770, false), (0o702, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(distrust(&path).is_none(), is_trusted, "{mode:o}");
        }
        fs::remove_dir_all(&above).unwrap();
        fs::write(&above, b"").unwrap();
        assert!(distrust(&above).is_some());
        fs::remove_file(&above).unwrap();
    }

    /// Where tests are run by the superuser, folders can be given away.
    #[test]
    fn folders_of_others_are_not_trusted() {
        use std::os::unix::fs::{MetadataExt, chown};
        let path = std::env::temp_dir().join(format!("stockham-others-test-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        make(&path).unwrap();
        let other = fs::metadata(&path).unwrap().uid() + 1;
        if chown(&path, Some(other), None).is_ok() {
            assert!(distrust(&path).is_some_and(|reason| reason.contains(&other.to_string())));
        }
        fs::remove_dir_all(&path).unwrap();
    }
}
