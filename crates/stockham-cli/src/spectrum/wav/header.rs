//! What stands before the samples of a new file.

use super::format::{Encoding, Format};

/// What a size of 32 bits says where one of 64 bits is told elsewhere.
const ELSEWHERE: u32 = u32::MAX;

/// The head of a file of so many frames in a format, of which this is the description: WAV, or RF64 beyond 4 GiB. An odd number
/// of bytes of samples is followed by another byte.
pub fn header(format: &Format, description: &[u8], frames: u64) -> Vec<u8> {
    let bytes = frames.saturating_mul(format.frame() as u64);
    let chunk = |id: &[u8; 4], body: &[u8]| {
        let mut chunk = [id, &(body.len() as u32).to_le_bytes()[..], body].concat();
        chunk.resize(chunk.len().next_multiple_of(2), 0);
        chunk
    };
    let mut chunks = chunk(b"fmt ", description);
    let short = |size: u64| u32::try_from(size).unwrap_or(ELSEWHERE);
    if !matches!(format.encoding, Encoding::Integer(_)) {
        chunks.extend(chunk(b"fact", &short(frames).to_le_bytes()));
    }
    let size = |chunks: &[u8]| 4 + chunks.len() as u64 + 8 + bytes.next_multiple_of(2);
    if size(&chunks) < u64::from(ELSEWHERE) {
        let head = [b"RIFF", &short(size(&chunks)).to_le_bytes()[..], b"WAVE"].concat();
        return [head, chunks, [b"data", &short(bytes).to_le_bytes()[..]].concat()].concat();
    }
    let mut sizes = vec![0; 28];
    let mut all = [chunk(b"ds64", &sizes), chunks].concat();
    let long = [size(&all), bytes, frames];
    long.iter().enumerate().for_each(|(i, size)| sizes[8 * i..][..8].copy_from_slice(&size.to_le_bytes()));
    all[8..36].copy_from_slice(&sizes);
    let elsewhere = ELSEWHERE.to_le_bytes();
    [[b"RF64", &elsewhere[..], b"WAVE"].concat(), all, [b"data", &elsewhere[..]].concat()].concat()
}

#[cfg(test)]
mod tests {
    use super::super::head;
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let description = [1u16, 3, 8000, 0, 48000, 0, 6, 16].map(u16::to_le_bytes).concat();
        let format = Format::parse(&description).unwrap();
        for frames in [1, 7, 1 << 29, 1 << 33] {
            let bytes = header(&format, &description, frames);
            let found = head(&bytes).unwrap();
            assert_eq!((found.start, found.bytes, found.is_sure), (bytes.len(), frames * 6, true), "{frames}");
            assert_eq!((found.description, bytes.starts_with(b"RF64")), (description.clone(), frames > 1 << 29));
        }
        // A size of 0 may be of a header that was never finished.
        assert!(!head(&header(&format, &description, 0)).unwrap().is_sure);
        let description = [6u16, 1, 8000, 0, 8000, 0, 1, 8].map(u16::to_le_bytes).concat();
        let bytes = header(&Format::parse(&description).unwrap(), &description, 3);
        assert_eq!(u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize, bytes.len() - 8 + 4);
        assert!(bytes.windows(4).any(|word| word == b"fact"));
    }
}
