//! A file of wisdom that several processes may add to at once.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use fs4::FileExt;
use stockham::plan::{Choice, Wisdom};
use stockham::{DeviceInfo, Transform};

use crate::error::{Error, Result};

/// The file, and what is known to be in it.
pub struct WisdomFile {
    path: PathBuf,
    wisdom: Wisdom,
}

impl WisdomFile {
    /// What the file knows: nothing if it is not there yet.
    pub fn load(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), wisdom: read(path)? })
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it knew when it was last looked at.
    pub fn wisdom(&self) -> &Wisdom {
        &self.wisdom
    }

    /// Makes the file if it is not there.
    pub fn make(&self) -> Result<()> {
        self.change(|_| ()).map(|_| ())
    }

    /// Adds a choice to what is in the file by now.
    pub fn remember(&mut self, transform: &Transform, device: &DeviceInfo, choice: &Choice) -> Result<()> {
        self.wisdom = self.change(|wisdom| {
            wisdom.insert(transform, device, choice.clone());
        })?;
        Ok(())
    }

    /// Reads the file, changes what it says, and replaces it, while no other process does.
    fn change(&self, change: impl FnOnce(&mut Wisdom)) -> Result<Wisdom> {
        let _lock = self.lock()?;
        let mut wisdom = read(&self.path)?;
        change(&mut wisdom);
        wisdom.save(&self.path)?;
        Ok(wisdom)
    }

    /// A lock on the file, which is made if it is not there. Whoever replaces the file leaves the lock with the old one:
    /// who gets that looks again.
    fn lock(&self) -> Result<File> {
        loop {
            let file = File::options().read(true).write(true).create(true).truncate(false).open(&self.path);
            let file = file.map_err(Error::write(&self.path))?;
            // Where files cannot be locked, the last one wins.
            if FileExt::lock(&file).is_err() || is_at(&file, &self.path) {
                return Ok(file);
            }
        }
    }
}

fn read(path: &Path) -> Result<Wisdom> {
    match fs::metadata(path) {
        // That is how it is made.
        Ok(metadata) if metadata.len() == 0 => Ok(Wisdom::default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Wisdom::default()),
        _ => Ok(Wisdom::load(path)?),
    }
}

/// Whether the open file is the one that has the name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let node = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|m| (m.dev(), m.ino()));
    node(file.metadata()) == node(fs::metadata(path))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::{Algebra, Device};

    /// A lock belongs to an open file, so threads are to each other what processes are.
    #[test]
    fn what_many_remember_at_once_is_all_there() {
        let folder = std::env::temp_dir().join(format!("stockham-wisdom-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("wisdom.json");
        let info = Device::cpu().info().clone();
        let choice: Choice = "1x16x16.8.8".parse().unwrap();
        let algebras = [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks];
        std::thread::scope(|scope| {
            for algebra in algebras {
                let (path, info, choice) = (&path, &info, &choice);
                scope.spawn(move || {
                    let mut file = WisdomFile::load(path).unwrap();
                    file.make().unwrap();
                    for log in 1..=20 {
                        file.remember(&Transform::new(algebra, 1 << log), info, choice).unwrap();
                    }
                });
            }
        });
        assert_eq!(Wisdom::load(&path).unwrap().len(), 20 * algebras.len());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
