//! WAV files, and their relatives for more than 4 GiB, RF64 and W64.
//!
//! Crates for them take 24 bits from the wrong end of 32, or know no sizes of 64 bits, or none of those that are written
//! into pipes; the format is small.

mod chunks;
mod format;
mod samples;
#[cfg(test)]
mod tests;

use super::sound::{Fault, Sound};

use chunks::{Chunks, Extent};
use format::Format;

/// Decodes a whole file.
pub fn decode(bytes: &[u8]) -> Result<Sound, Fault> {
    let mut chunks = Chunks::of(bytes)?;
    let mut format = None;
    while let Some(chunk) = chunks.next() {
        match &chunk.id {
            b"fmt " => format = Some(Format::parse(chunk.whole("the chunk \"fmt \"")?)?),
            b"ds64" => chunks.take_sizes(chunk.whole("the chunk \"ds64\"")?)?,
            b"data" => {
                let format = format.ok_or(Fault::Missing("chunk \"fmt \" before its samples"))?;
                return sound(&format, &chunks.extent(&chunk)?);
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
    let frame = format.encoding.bytes() * format.channels;
    let (whole, rest) = extent.data.split_at(extent.data.len() / frame * frame);
    if !rest.is_empty() {
        notes.push(format!("its last {} bytes are not a sample of every channel, and were left out", rest.len()));
    }
    let samples = samples::decode(format.encoding, whole);
    Ok(Sound { rate: format.rate, channels: format.channels, encoding: format.words(), samples, notes })
}
