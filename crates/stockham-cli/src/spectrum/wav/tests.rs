//! Files made in memory, in every format, with everything that lies between a header and its samples, and with faults.

use proptest::prelude::*;

use super::*;
use crate::spectrum::sound;

const SUBFORMAT: [u8; 14] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];
const CHUNK_GUID: [u8; 12] = [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a];
const FILE_GUID: [u8; 12] = [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0, 0];

/// The chunk `fmt ` of two channels at 8 kHz.
fn format(tag: u16, bits: u16, container: u16) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend([tag, 2].map(u16::to_le_bytes).concat());
    body.extend([8000, 16_000 * u32::from(container)].map(u32::to_le_bytes).concat());
    body.extend([2 * container, bits].map(u16::to_le_bytes).concat());
    body
}

/// The same in the extensible form: the container's bits, and how many of them are valid.
fn extensible(tag: u16, bits: u16, container: u16) -> Vec<u8> {
    let mut body = format(0xfffe, 8 * container, container);
    body.extend([22, bits, 3, 0, tag].map(u16::to_le_bytes).concat());
    body.extend(SUBFORMAT);
    body
}

fn chunk(id: &[u8; 4], size: u32, body: &[u8]) -> Vec<u8> {
    let mut chunk = [&id[..], &size.to_le_bytes(), body].concat();
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

fn whole(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    chunk(id, body.len() as u32, body)
}

fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    let chunks = chunks.concat();
    [&b"RIFF"[..], &(chunks.len() as u32 + 4).to_le_bytes(), b"WAVE", &chunks].concat()
}

/// Samples of 16 bits, which every integer format of as many holds exactly.
const SAMPLES: [i16; 8] = [0, 1, -1, 16_384, -16_384, 32_767, -32_768, 1234];

fn expected() -> Vec<f32> {
    SAMPLES.map(|x| f32::from(x) / 32768.0).to_vec()
}

fn pcm16() -> Vec<u8> {
    SAMPLES.map(i16::to_le_bytes).concat()
}

fn plain() -> Vec<u8> {
    riff(&[whole(b"fmt ", &format(1, 16, 2)), whole(b"data", &pcm16())])
}

/// Decodes a file of those samples.
fn read(format: &[u8], data: &[u8]) -> Sound {
    sound::decode(&riff(&[whole(b"fmt ", format), whole(b"data", data)])).unwrap()
}

#[test]
fn integers_lie_at_the_upper_end_of_their_bytes() {
    for (bits, container) in [(8, 1), (12, 2), (16, 2), (20, 3), (24, 3), (20, 4), (24, 4), (32, 4)] {
        let full = 2f64.powi(bits - 1);
        let values: Vec<i64> = SAMPLES.iter().map(|x| (f64::from(*x) / 32768.0 * full).floor() as i64).collect();
        let bytes = |value: &i64| {
            let offset = if bits == 8 { 128 } else { 0 };
            ((value + offset) << (8 * container - bits)).to_le_bytes()[..container as usize].to_vec()
        };
        let data: Vec<u8> = values.iter().flat_map(bytes).collect();
        let wanted: Vec<f32> = values.iter().map(|value| (*value as f64 / full) as f32).collect();
        for header in [format, extensible].map(|make| make(1, bits as u16, container as u16)) {
            let sound = read(&header, &data);
            assert_eq!(sound.samples, wanted, "{bits} bits in {container} bytes");
            assert_eq!((sound.rate, sound.channels), (8000, 2));
            let room = 8 * container;
            let words = if room == bits { format!("{bits}-bit") } else { format!("{bits}-bit in {room}") };
            assert_eq!(sound.encoding, words);
        }
    }
}

#[test]
fn floats_are_read_as_they_are() {
    let wanted = [0.5f32, -0.25, 1.5, 1e-20];
    let double: Vec<u8> = wanted.iter().flat_map(|x| f64::from(*x).to_le_bytes()).collect();
    for make in [format, extensible] {
        assert_eq!(read(&make(3, 32, 4), &wanted.map(f32::to_le_bytes).concat()).samples, wanted);
        assert_eq!(read(&make(3, 64, 8), &double).samples, wanted);
    }
}

#[test]
fn logarithmic_bytes_are_those_of_g711() {
    // In units of 2^-15: the ends of both signs, the values next to 0, and some between, as libsndfile reads them.
    let of = |tag: u16, codes: [u8; 8]| {
        read(&format(tag, 8, 1), &codes).samples.iter().map(|x| x * 32768.0).collect::<Vec<_>>()
    };
    let a_law = [32256.0, -32256.0, 8.0, -8.0, -5504.0, 5504.0, -344.0, 720.0];
    assert_eq!(of(6, [0xaa, 0x2a, 0xd5, 0x55, 0x00, 0x80, 0x40, 0xf3]), a_law);
    let mu_law = [32124.0, -32124.0, 0.0, 0.0, -15996.0, 15996.0, -1884.0, 1692.0];
    assert_eq!(of(7, [0x80, 0x00, 0xff, 0x7f, 0x10, 0x90, 0x40, 0xc3]), mu_law);
}

#[test]
fn long_sizes_are_read() {
    for id in [b"RF64", b"BW64"] {
        let body = |file: u64, data: u64| [&file.to_le_bytes()[..], &data.to_le_bytes(), &[0; 12]].concat();
        let file = |data: u64, after: &[u8]| {
            let chunks = [
                whole(b"ds64", &body(4 + 36 + 24 + 24, data)),
                whole(b"fmt ", &format(1, 16, 2)),
                chunk(b"data", u32::MAX, &pcm16()),
            ];
            [&id[..], &u32::MAX.to_le_bytes(), b"WAVE", &chunks.concat(), after].concat()
        };
        // What follows the samples is none of them.
        let sound = sound::decode(&file(16, &whole(b"LIST", b"something"))).unwrap();
        assert_eq!((sound.samples, sound.notes), (expected(), vec![]));
        let fault = sound::decode(&file(1 << 33, &[])).unwrap_err();
        assert!(fault.to_string().contains("its samples should have 8589934592 bytes, and the file has 16"), "{fault}");
    }
}

/// A W64 file with that size of the samples' chunk, which counts its own header.
fn w64(data_size: u64) -> Vec<u8> {
    let chunk = |id: &[u8; 4], size: u64, body: &[u8]| {
        let mut chunk = [&id[..], &CHUNK_GUID, &size.to_le_bytes(), body].concat();
        chunk.resize(chunk.len().next_multiple_of(8), 0);
        chunk
    };
    let chunks =
        [chunk(b"odd ", 27, b"odd"), chunk(b"fmt ", 40, &format(1, 16, 2)), chunk(b"data", data_size, &pcm16())]
            .concat();
    let size = 40 + chunks.len() as u64;
    [&b"riff"[..], &FILE_GUID, &size.to_le_bytes(), b"wave", &CHUNK_GUID, &chunks].concat()
}

#[test]
fn w64_is_read() {
    for size in [40, i64::MAX as u64, u64::MAX] {
        assert_eq!(sound::decode(&w64(size)).unwrap().samples, expected());
    }
    assert!(matches!(sound::decode(&w64(42)), Err(Fault::Truncated { .. })));
}

#[test]
fn chunks_before_the_samples_are_passed_over() {
    let (format, data) = (whole(b"fmt ", &format(1, 16, 2)), whole(b"data", &pcm16()));
    for other in [&b""[..], b"1", b"even", b"is odd.", b"data"] {
        let other = whole(b"LIST", other);
        for order in [[&other, &format, &data], [&format, &other, &data]] {
            let chunks: Vec<Vec<u8>> = order.into_iter().cloned().collect();
            assert_eq!(sound::decode(&riff(&chunks)).unwrap().samples, expected());
        }
    }
    let late = riff(&[data, format]);
    assert_eq!(sound::decode(&late).unwrap_err(), Fault::Missing("chunk \"fmt \" before its samples"));
}

#[test]
fn sizes_that_are_written_into_pipes_mean_all_that_follows() {
    let format = whole(b"fmt ", &format(1, 16, 2));
    for size in [u32::MAX, u32::MAX - 36, 0x7fff_f000, 0x7fff_effe, i32::MAX as u32, 0x7fff_ffdc, 0x8000_0000] {
        let sound = sound::decode(&riff(&[format.clone(), chunk(b"data", size, &pcm16())])).unwrap();
        assert_eq!((sound.samples, sound.notes), (expected(), vec![]), "{size:#x}");
    }
    // Others are taken at their word.
    for size in [17, 100, 1 << 30, 0x7ffe_0000, 0x9000_0000] {
        let fault = sound::decode(&riff(&[format.clone(), chunk(b"data", size, &pcm16())])).unwrap_err();
        assert!(fault.to_string().contains("truncated"), "{size:#x}: {fault}");
    }
}

#[test]
fn a_header_that_was_never_finished_is_told() {
    for size in [0u32, 36] {
        let mut file = plain();
        file[4..8].copy_from_slice(&size.to_le_bytes());
        file[40..44].fill(0);
        let sound = sound::decode(&file).unwrap();
        assert_eq!(sound.samples, expected());
        assert!(sound.notes[0].contains("never finished"), "{:?}", sound.notes);
    }
    // This one is empty, and something follows the samples.
    let empty = riff(&[whole(b"fmt ", &format(1, 16, 2)), whole(b"data", b""), whole(b"LIST", b"more")]);
    assert_eq!(sound::decode(&empty).unwrap_err(), Fault::Empty);
}

#[test]
fn bytes_that_are_no_whole_frame_are_left_out_and_told() {
    let sound = read(&format(1, 16, 2), &[&pcm16()[..], &[1, 2, 3]].concat());
    assert_eq!(sound.samples, expected());
    assert_eq!(sound.notes, ["its last 3 bytes are not a sample of every channel, and were left out"]);
}

#[test]
fn every_beginning_of_a_file_has_its_fault() {
    for file in [plain(), w64(40)] {
        for length in 0..file.len() {
            let fault = sound::decode(&file[..length]).unwrap_err();
            let typed = matches!(fault, Fault::Truncated { .. } | Fault::Missing(_) | Fault::Unknown);
            assert!(typed, "{length}: {fault}");
        }
    }
}

#[test]
fn headers_that_contradict_themselves_are_told() {
    let fault = |header: &[u8]| {
        sound::decode(&riff(&[whole(b"fmt ", header), whole(b"data", &pcm16())])).unwrap_err().to_string()
    };
    let with = |at: usize, value: u16| {
        let mut header = format(1, 16, 2);
        header[at..at + 2].copy_from_slice(&value.to_le_bytes());
        fault(&header)
    };
    assert!(with(2, 0).contains("no channels"));
    assert!(with(4, 0).contains("no sample rate"));
    assert!(with(12, 3).contains("2 channels of 16 bits are not 3 bytes together"));
    assert!(with(14, 24).contains("2 channels of 24 bits are not 4 bytes together"));
    assert!(with(0, 2).contains("not supported (Microsoft's ADPCM)"));
    assert!(with(0, 3).contains("not supported (floating point, 2 bytes a sample)"));
    assert!(with(0, 0xfffe).contains("fewer than 40"));
    assert!(fault(&format(1, 16, 2)[..14]).contains("fewer than 16"));
    let mut other = extensible(1, 16, 2);
    other[39] = 0;
    assert!(fault(&other).contains("none of Microsoft's"));
    let not_finite = riff(&[
        whole(b"fmt ", &format(3, 32, 4)),
        whole(b"data", &[0.0, 0.0, 0.5, f32::INFINITY].map(f32::to_le_bytes).concat()),
    ]);
    assert_eq!(
        sound::decode(&not_finite).unwrap_err(),
        Fault::NotFinite { index: 1, channel: 2, value: f32::INFINITY }
    );
}

fn files() -> impl Strategy<Value = Vec<u8>> {
    let long = [
        &b"RF64"[..],
        &u32::MAX.to_le_bytes(),
        b"WAVE",
        &whole(b"ds64", &[&[100, 0, 0, 0, 0, 0, 0, 0, 16][..], &[0; 19]].concat()),
    ];
    let long =
        [&long.concat()[..], &whole(b"fmt ", &extensible(1, 16, 2)), &chunk(b"data", u32::MAX, &pcm16())].concat();
    prop_oneof![Just(plain()), Just(w64(40)), Just(long)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever a header says, the result is a sound or a fault.
    #[test]
    fn mutated_headers_are_no_trouble(
        file in files(),
        changes in proptest::collection::vec((0usize..140, prop_oneof![any::<u8>(), Just(0), Just(1), Just(0xff), Just(0x7f)]), 1..6),
        cut in 0usize..200,
    ) {
        let mut file = file;
        for (at, value) in changes {
            if let Some(byte) = file.get_mut(at) {
                *byte = value;
            }
        }
        file.truncate(file.len() - cut.min(file.len()) / 2);
        if let Ok(sound) = sound::decode(&file) {
            prop_assert!(sound.rate > 0 && sound.channels > 0 && sound.samples.len() >= sound.channels);
            prop_assert_eq!(sound.samples.len() % sound.channels, 0);
            prop_assert!(sound.samples.iter().all(|x| x.is_finite()));
        }
    }
}
