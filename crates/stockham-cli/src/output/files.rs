//! All files of a command together, looked at before its work begins: outputs that cannot be written, two that are one,
//! and those that would destroy an input.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

use super::{OutputFile, Place, unfinished};

/// The files that a command line names.
#[derive(Default)]
pub struct Files<'a> {
    inputs: Vec<&'a Path>,
    outputs: Vec<Output<'a>>,
}

struct Output<'a> {
    path: &'a Path,
    /// Whether it is made of the inputs, which are read by then: it may replace one of them.
    is_result: bool,
}

/// A place by which files are known, whatever they are called.
#[derive(PartialEq, Eq)]
enum Identity {
    /// An open descriptor.
    Descriptor(u32),
    /// Device and number of what is there.
    #[cfg(unix)]
    Node(u64, u64),
    /// The full name.
    Name(PathBuf),
}

impl<'a> Files<'a> {
    /// What is read.
    pub fn read(mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.inputs.extend(paths.into_iter().map(PathBuf::as_path));
        self
    }

    /// What is made of all that is read.
    pub fn make(mut self, path: &'a Path) -> Self {
        self.outputs.push(Output { path, is_result: true });
        self
    }

    /// What is written beside that: records and pictures.
    pub fn record(mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.outputs.extend(paths.into_iter().map(|path| Output { path, is_result: false }));
        self
    }

    /// Whether standard output is one of the outputs.
    pub fn take_standard_output(&self) -> bool {
        self.outputs.iter().any(|output| Place::of(output.path).is_ok_and(|place| place.is_standard_output()))
    }

    /// Refuses what cannot come to a good end. It leaves all files as they are.
    pub fn check(&self) -> Result<()> {
        let standard = self.inputs.iter().filter(|path| super::is_standard(path)).count();
        if standard > 1 {
            return Err(Error::input("standard input can be read once: name it once"));
        }
        let mut seen: Vec<(Identity, &Path)> = Vec::new();
        for output in &self.outputs {
            let place = Place::of(output.path).map_err(Error::write(output.path))?;
            // As much as one likes may go to /dev/null.
            if let Some(identity) = identity(&place).filter(|_| !is_device(&place)) {
                let name = output.path.display();
                if let Some((_, first)) = seen.iter().find(|(other, _)| *other == identity) {
                    let first = first.display();
                    return Err(Error::input(format!("{first} and {name} are one file: write to different ones")));
                }
                seen.push((identity, output.path));
            }
            self.check_output(output, &place)?;
        }
        Ok(())
    }

    fn check_output(&self, output: &Output<'_>, place: &Place) -> Result<()> {
        let name = output.path.display();
        if !matches!(place, Place::File(_) | Place::Folder) {
            // Opening a pipe would already tell its reader something.
            return Ok(());
        }
        let is_in_place = OutputFile::create(output.path)?.is_in_place();
        if output.is_result && !is_in_place {
            return Ok(());
        }
        let identity = identity(place);
        let is_read = |input: &&&Path| {
            !super::is_standard(input)
                && Place::of(input).is_ok_and(|place| !is_device(&place) && self::identity(&place) == identity)
        };
        match self.inputs.iter().find(is_read) {
            None => Ok(()),
            Some(input) if output.is_result => Err(Error::input(format!(
                "cannot write {name}: it is the input {}, and its folder takes no file to put in its place",
                input.display()
            ))),
            Some(input) => Err(Error::input(format!("cannot write {name}: it is the input {}", input.display()))),
        }
    }
}

fn identity(place: &Place) -> Option<Identity> {
    match place {
        Place::Descriptor(number) => Some(
            // Behind it may be a file that has a name, too.
            node(&Path::new("/dev/fd").join(number.to_string())).unwrap_or(Identity::Descriptor(*number)),
        ),
        Place::Folder => None,
        Place::File(path) | Place::Special(path) => Some(node(path).unwrap_or_else(|| {
            // Not there yet: a name in a folder.
            let folder = fs::canonicalize(unfinished::folder(path)).unwrap_or_default();
            Identity::Name(folder.join(path.file_name().unwrap_or_default()))
        })),
    }
}

#[cfg(unix)]
fn node(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).ok()?;
    Some(Identity::Node(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn node(path: &Path) -> Option<Identity> {
    fs::canonicalize(path).ok().map(Identity::Name)
}

/// Whether it is a device, as /dev/null is, and no file or pipe.
#[cfg(unix)]
fn is_device(place: &Place) -> bool {
    use std::os::unix::fs::FileTypeExt;
    matches!(place, Place::Special(path) if fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_char_device()))
}

#[cfg(not(unix))]
fn is_device(_: &Place) -> bool {
    false
}
