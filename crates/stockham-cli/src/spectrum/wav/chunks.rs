//! The chunks of a file: RIFF with sizes of 32 bits, RF64 that has the long ones in a chunk of their own, and W64, whose
//! names are GUIDs and whose sizes have 64 bits.

use crate::spectrum::sound::Fault;

/// Which of the three a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Riff,
    Rf64,
    W64,
}

/// Behind the four letters in W64's names: of the file itself, and of what is in it.
const W64_FILE: [u8; 12] = [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00];
const W64_CHUNK: [u8; 12] = [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a];

/// A chunk.
pub struct Chunk<'a> {
    /// Its four letters.
    pub id: [u8; 4],
    /// What it holds, as far as the file goes.
    body: &'a [u8],
    /// Where that begins in the file.
    pub start: usize,
    /// The size in its header.
    size: u64,
}

impl<'a> Chunk<'a> {
    /// What it holds, all of it.
    pub fn whole(&self, part: &'static str) -> Result<&'a [u8], Fault> {
        if self.size > self.body.len() as u64 {
            return Err(truncated(part, self.size, self.body.len()));
        }
        Ok(self.body)
    }
}

/// The samples' bytes.
pub struct Extent<'a> {
    /// The bytes.
    pub data: &'a [u8],
    /// Whether the header says that there are none, because nobody came back to write how many.
    pub unfinished: bool,
}

/// The chunks one after the other.
pub struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
    form: Form,
    /// Where the file ends by its header.
    end: u64,
    /// The samples' size, if it stands in a chunk of its own.
    data_size: Option<u64>,
}

impl<'a> Chunks<'a> {
    /// Those of a file.
    pub fn of(bytes: &'a [u8]) -> Result<Self, Fault> {
        let form = match bytes.get(..4) {
            Some(b"RIFF") => Form::Riff,
            Some(b"RF64" | b"BW64") => Form::Rf64,
            Some(b"riff") if bytes.get(4..16).is_none_or(|rest| rest == W64_FILE) => Form::W64,
            Some(b"RIFX") => return Err(Fault::Encoding("RIFX, whose numbers are big-endian".to_owned())),
            _ => return Err(Fault::Unknown),
        };
        let head = if form == Form::W64 { 40 } else { 12 };
        let Some(header) = bytes.get(..head) else {
            return Err(truncated("its header", head as u64, bytes.len()));
        };
        let is_wave = match form {
            Form::W64 => header[24..28] == *b"wave" && header[28..] == W64_CHUNK,
            Form::Riff | Form::Rf64 => header[8..] == *b"WAVE",
        };
        if !is_wave {
            return Err(Fault::Unknown);
        }
        let end = if form == Form::W64 { long(header, 16) } else { u64::from(short(header, 4)) + 8 };
        Ok(Self { bytes, at: head, form, end, data_size: None })
    }

    /// The next one; nothing at the end, whatever odd bytes may be left there.
    pub fn next(&mut self) -> Option<Chunk<'a>> {
        let rest = &self.bytes[self.at..];
        let head = if self.form == Form::W64 { 24 } else { 8 };
        let header = rest.get(..head)?;
        let mut id = [header[0], header[1], header[2], header[3]];
        let size = if self.form == Form::W64 {
            if header[4..16] != W64_CHUNK {
                id = [0; 4];
            }
            // This size counts its own header.
            long(header, 16).saturating_sub(24)
        } else {
            u64::from(short(header, 4))
        };
        let body = &rest[head..];
        let body = &body[..usize::try_from(size).map_or(body.len(), |size| size.min(body.len()))];
        let start = self.at + head;
        // A chunk of an odd length is followed by a byte that belongs to nobody; in W64 up to seven do.
        let step =
            (start as u64).saturating_add(size).checked_next_multiple_of(if self.form == Form::W64 { 8 } else { 2 });
        self.at = step.and_then(|at| usize::try_from(at).ok()).map_or(self.bytes.len(), |at| at.min(self.bytes.len()));
        Some(Chunk { id, body, start, size })
    }

    /// RF64's long sizes: the file's and the samples', in the first 16 bytes of that chunk.
    pub fn take_sizes(&mut self, body: &[u8]) -> Result<(), Fault> {
        if body.len() < 16 {
            return Err(Fault::Header(format!("its chunk \"ds64\" has {} bytes, too few for two sizes", body.len())));
        }
        if self.form == Form::Rf64 {
            self.end = long(body, 0).saturating_add(8);
            self.data_size = Some(long(body, 8));
        }
        Ok(())
    }

    /// How many bytes of samples the header tells, and whether there must be as many: without a size they go on to the end.
    pub fn promised(&self, chunk: &Chunk<'a>) -> (u64, bool) {
        let size = self.size(chunk);
        let is_unfinished = size == 0 && self.end <= chunk.start as u64;
        if is_unfinished { (u64::MAX, false) } else { (size, !is_unknown(size)) }
    }

    fn size(&self, chunk: &Chunk<'a>) -> u64 {
        match self.data_size {
            Some(long) if chunk.size == u64::from(u32::MAX) => long,
            _ => chunk.size,
        }
    }

    /// Where the samples are. A program that writes into a pipe knows no size yet and puts the largest, or none.
    pub fn extent(&self, chunk: &Chunk<'a>) -> Result<Extent<'a>, Fault> {
        let rest = &self.bytes[chunk.start..];
        let size = self.size(chunk);
        if size == 0 && self.end <= chunk.start as u64 && !rest.is_empty() {
            return Ok(Extent { data: rest, unfinished: true });
        }
        if let Some(data) = usize::try_from(size).ok().and_then(|size| rest.get(..size)) {
            return Ok(Extent { data, unfinished: false });
        }
        if is_unknown(size) {
            return Ok(Extent { data: rest, unfinished: false });
        }
        Err(truncated("its samples", size, rest.len()))
    }
}

/// Whether a size says only that there is no end: about 2^31 (SoX, ALSA), 2^32 (FFmpeg) or 2^63 (FFmpeg's W64), less
/// than which some put to make room for headers or to have whole samples.
fn is_unknown(size: u64) -> bool {
    matches!(size, 0x7fff_0000..=0x8000_0000 | 0xffff_0000..=0xffff_ffff | 0x4000_0000_0000_0000..)
}

pub fn truncated(part: &'static str, expected: u64, found: usize) -> Fault {
    Fault::Truncated { part, expected: format!("{expected} bytes"), found: found.to_string() }
}

/// The number of 32 bits at a place.
fn short(bytes: &[u8], at: usize) -> u32 {
    (0..4).rev().fold(0, |number, i| number << 8 | u32::from(bytes[at + i]))
}

/// The number of 64 bits at a place.
fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from(short(bytes, at)) | u64::from(short(bytes, at + 4)) << 32
}
