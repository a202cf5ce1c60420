//! The chunk `fmt `: what the samples are.

use crate::spectrum::sound::Fault;

/// How a sample is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Integers of so many bytes, 1 to 4. Fewer bits lie at the upper end, as the standard puts them, so that all of
    /// them can be read alike.
    Integer(usize),
    /// IEEE's 32 bits.
    Single,
    /// IEEE's 64 bits.
    Double,
    /// G.711's logarithmic bytes of Europe.
    ALaw,
    /// G.711's logarithmic bytes of America and Japan.
    MuLaw,
}

impl Encoding {
    /// Bytes of a sample.
    pub fn bytes(self) -> usize {
        match self {
            Self::Integer(bytes) => bytes,
            Self::Single => 4,
            Self::Double => 8,
            Self::ALaw | Self::MuLaw => 1,
        }
    }
}

/// What the samples are.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Channels, at least one.
    pub channels: usize,
    /// Samples a second, more than 0.
    pub rate: u32,
    /// How each is kept.
    pub encoding: Encoding,
    /// Bits of a sample that say something.
    pub bits: u16,
}

const PCM: u16 = 1;
const FLOAT: u16 = 3;
const A_LAW: u16 = 6;
const MU_LAW: u16 = 7;
const EXTENSIBLE: u16 = 0xfffe;
/// What follows the two bytes of a plain format in the name of an extensible one.
const SUBFORMAT: [u8; 14] = [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71];

impl Format {
    /// Reads the chunk.
    pub fn parse(body: &[u8]) -> Result<Self, Fault> {
        if body.len() < 16 {
            return Err(Fault::Header(format!("its chunk \"fmt \" has {} bytes, fewer than 16", body.len())));
        }
        let number = |at: usize| u16::from_le_bytes([body[at], body[at + 1]]);
        let rate = u32::from(number(4)) | u32::from(number(6)) << 16;
        let (mut tag, channels, align, mut bits) =
            (number(0), usize::from(number(2)), usize::from(number(12)), number(14));
        if channels == 0 || rate == 0 {
            return Err(Fault::Header("its header names no channels or no sample rate".to_owned()));
        }
        let contradiction =
            || Fault::Header(format!("{channels} channels of {bits} bits are not {align} bytes together"));
        let bytes = if align == 0 { usize::from(bits.div_ceil(8)) } else { align / channels };
        if (align != 0 && align % channels != 0) || bytes * 8 < usize::from(bits) || bytes == 0 {
            return Err(contradiction());
        }
        if tag == EXTENSIBLE {
            if body.len() < 40 {
                return Err(Fault::Header(format!("its chunk \"fmt \" has {} bytes, fewer than 40", body.len())));
            }
            if body[26..40] != SUBFORMAT {
                return Err(Fault::Encoding("an extensible format that is none of Microsoft's".to_owned()));
            }
            tag = number(24);
            let valid = number(18);
            if valid != 0 && usize::from(valid) <= bytes * 8 {
                bits = valid;
            }
        }
        let encoding = match (tag, bytes) {
            (PCM, 1..=4) => Encoding::Integer(bytes),
            (FLOAT, 4) => Encoding::Single,
            (FLOAT, 8) => Encoding::Double,
            (A_LAW, 1) => Encoding::ALaw,
            (MU_LAW, 1) => Encoding::MuLaw,
            (PCM | FLOAT | A_LAW | MU_LAW, _) => {
                return Err(Fault::Encoding(format!("{}, {bytes} bytes a sample", name(tag))));
            }
            _ => return Err(Fault::Encoding(name(tag))),
        };
        Ok(Self { channels, rate, encoding, bits: if bits == 0 { bytes as u16 * 8 } else { bits } })
    }

    /// Bytes of a sample of every channel.
    pub fn frame(&self) -> usize {
        self.encoding.bytes() * self.channels
    }

    /// `16-bit`, `24-bit in 32`, `32-bit float`, `A-law`.
    pub fn words(&self) -> String {
        let room = self.encoding.bytes() * 8;
        match self.encoding {
            Encoding::Integer(_) if usize::from(self.bits) == room => format!("{room}-bit"),
            Encoding::Integer(_) => format!("{}-bit in {room}", self.bits),
            Encoding::Single | Encoding::Double => format!("{room}-bit float"),
            Encoding::ALaw => "A-law".to_owned(),
            Encoding::MuLaw => "µ-law".to_owned(),
        }
    }
}

/// The names of formats that people have.
fn name(tag: u16) -> String {
    match tag {
        PCM => "PCM".to_owned(),
        FLOAT => "floating point".to_owned(),
        A_LAW => "A-law".to_owned(),
        MU_LAW => "µ-law".to_owned(),
        0x02 => "Microsoft's ADPCM".to_owned(),
        0x11 => "IMA ADPCM".to_owned(),
        0x31 => "GSM 6.10".to_owned(),
        0x50 | 0x55 => "MPEG audio".to_owned(),
        _ => format!("format {tag:#06x}"),
    }
}
