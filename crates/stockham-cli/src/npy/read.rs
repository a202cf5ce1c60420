//! Reading: elements in C order and in this machine's byte order, whatever the file's are.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::input;

use super::Header;

/// What files begin with.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// An open file, past its header.
pub struct Reader {
    path: PathBuf,
    header: Header,
    source: Source,
}

enum Source {
    /// In C order, as it comes.
    Stream(BufReader<File>),
    /// In Fortran order, which has to be read whole to be turned.
    Whole { bytes: Vec<u8>, index: Vec<usize>, strides: Vec<usize> },
}

impl Reader {
    /// Opens a file and checks that it is whole.
    pub fn open(path: &Path) -> Result<Self> {
        Self::of(BufReader::with_capacity(1 << 18, input::open(path)?), path)
    }

    /// The same for a file of that path, which is open already.
    pub fn of(mut stream: BufReader<File>, path: &Path) -> Result<Self> {
        let metadata = stream.get_ref().metadata().map_err(Error::read(path))?;
        let (header, start) = read_header(&mut stream, path)?;
        let broken = |why: String| Error::input(format!("{}: {why}", path.display()));
        let expected = header.file_bytes(start);
        let expected = expected.ok_or_else(|| broken(format!("its shape {:?} is too large", header.shape)))?;
        let wanted = (expected - start) as u64;
        // A pipe has no length; it is found to be truncated when it is read.
        if metadata.is_file() && metadata.len() < expected as u64 {
            return Err(broken(format!("the file is truncated: {} of {expected} bytes are there", metadata.len())));
        }
        let source = if header.fortran && header.shape.len() > 1 && wanted > 0 {
            let mut bytes = Vec::new();
            stream.take(wanted).read_to_end(&mut bytes).map_err(Error::read(path))?;
            if bytes.len() as u64 != wanted {
                return Err(broken("the file is truncated".into()));
            }
            let strides = header.shape.iter().scan(1, |stride, n| {
                let this = *stride;
                *stride *= n;
                Some(this)
            });
            Source::Whole { bytes, index: vec![0; header.shape.len()], strides: strides.collect() }
        } else {
            Source::Stream(stream)
        };
        Ok(Self { path: path.to_owned(), header, source })
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Fills `target` with the next elements.
    pub fn fill(&mut self, target: &mut [u8]) -> Result<()> {
        match &mut self.source {
            Source::Stream(stream) => match stream.read_exact(target) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(Error::input(format!("{}: the file is truncated", self.path.display())));
                }
                result => result.map_err(Error::read(&self.path))?,
            },
            Source::Whole { bytes, index, strides } => {
                let size = self.header.kind.bytes();
                for element in target.chunks_exact_mut(size) {
                    let offset: usize = index.iter().zip(&*strides).map(|(i, stride)| i * stride).sum();
                    element.copy_from_slice(&bytes[offset * size..][..size]);
                    advance(index, &self.header.shape);
                }
            }
        }
        if self.header.swapped {
            target.chunks_exact_mut(self.header.kind.component_bytes()).for_each(<[u8]>::reverse);
        }
        Ok(())
    }
}

/// The next index in C order.
fn advance(index: &mut [usize], shape: &[usize]) {
    for (i, n) in index.iter_mut().zip(shape).rev() {
        *i += 1;
        if *i < *n {
            return;
        }
        *i = 0;
    }
}

/// The header, and where the elements start.
fn read_header(stream: &mut impl Read, path: &Path) -> Result<(Header, usize)> {
    let broken = |why: &str| Error::input(format!("{}: {why}", path.display()));
    let mut exactly = |count: usize| -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        stream.take(count as u64).read_to_end(&mut bytes).map_err(Error::read(path))?;
        if bytes.len() == count { Ok(bytes) } else { Err(broken("the file ends within its header")) }
    };
    let not_npy = || broken("it is not a .npy file (it does not start with the bytes \\x93NUMPY)");
    let magic =
        exactly(MAGIC.len()).map_err(|error| if matches!(error, Error::Input(_)) { not_npy() } else { error })?;
    if magic != MAGIC {
        return Err(not_npy());
    }
    let version = exactly(2)?;
    let width = match version[0] {
        1 => 2,
        2 | 3 => 4,
        major => return Err(broken(&format!("it is a .npy file of version {major}; versions 1 to 3 are known"))),
    };
    let len = exactly(width)?.iter().rev().fold(0, |len, byte| len << 8 | usize::from(*byte));
    let text = String::from_utf8_lossy(&exactly(len)?).into_owned();
    let header = Header::parse(&text).map_err(|why| broken(&why))?;
    Ok((header, 8 + width + len))
}
