//! WAV files, and their relatives for more than 4 GiB, RF64 and W64.
//!
//! Crates for them take 24 bits from the wrong end of 32, or know no sizes of 64 bits, or none of those that are written
//! into pipes; the format is small.

mod chunks;
mod encode;
mod format;
mod header;
mod samples;
#[cfg(test)]
mod tests;

use super::sound::{Fault, Sound};

use chunks::{Chunk, Chunks, Extent};

pub use chunks::truncated;
pub use encode::encode;
pub use format::Format;
pub use header::header;
pub use samples::decode as samples;

/// What comes before the samples.
#[derive(Debug)]
pub struct Head {
    /// What the samples are.
    pub format: Format,
    /// The same as the file has it, which may tell where the loudspeakers are.
    pub description: Vec<u8>,
    /// Where they begin.
    pub start: usize,
    /// Bytes of samples at most.
    pub bytes: u64,
    /// Whether there must be as many.
    pub is_sure: bool,
}

/// The head of a file of which these are the first bytes.
///
/// # Errors
/// [`Fault::Truncated`] and [`Fault::Missing`] also if the samples begin beyond these bytes.
pub fn head(bytes: &[u8]) -> Result<Head, Fault> {
    first_samples(bytes, |(format, description), chunks, chunk| {
        let (bytes, is_sure) = chunks.promised(chunk);
        Ok(Head { format, description: description.to_vec(), start: chunk.start, bytes, is_sure })
    })
}

/// Decodes a whole file.
pub fn decode(bytes: &[u8]) -> Result<Sound, Fault> {
    first_samples(bytes, |(format, _), chunks, chunk| sound(&format, &chunks.extent(chunk)?))
}

/// Goes as far as the samples.
fn first_samples<'a, R>(
    bytes: &'a [u8],
    take: impl FnOnce((Format, &'a [u8]), &Chunks<'a>, &Chunk<'a>) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let mut chunks = Chunks::of(bytes)?;
    let mut format = None;
    while let Some(chunk) = chunks.next() {
        match &chunk.id {
            b"fmt " => {
                let body = chunk.whole("the chunk \"fmt \"")?;
                format = Some((Format::parse(body)?, body));
            }
            b"ds64" => chunks.take_sizes(chunk.whole("the chunk \"ds64\"")?)?,
            b"data" => {
                return take(format.ok_or(Fault::Missing("chunk \"fmt \" before its samples"))?, &chunks, &chunk);
            }
            _ => {}
        }
    }
    Err(Fault::Missing(if format.is_some() { "chunk \"data\"" } else { "chunk \"fmt \"" }))
}

fn sound(format: &Format, extent: &Extent) -> Result<Sound, Fault> {
    let mut notes = Vec::new();
    if extent.unfinished {
        notes.push("its header was never finished: all that follows it was taken for samples".to_owned());
    }
    let frame = format.frame();
    let (whole, rest) = extent.data.split_at(extent.data.len() / frame * frame);
    if !rest.is_empty() {
        notes.push(format!("its last {} bytes are not a sample of every channel, and were left out", rest.len()));
    }
    let samples = samples::decode(format.encoding, whole);
    Ok(Sound { rate: format.rate, channels: format.channels, encoding: format.words(), samples, notes })
}
