//! Headers: what NumPy writes is read, what it does not write is refused.

use super::write::header;
use super::{Header, Kind};

#[test]
fn written_headers_are_read_back() {
    for shape in [vec![], vec![8], vec![2, 3], vec![0, 8], vec![1; 30000]] {
        let bytes = header(Kind::C128, &shape);
        assert_eq!(bytes.len() % 64, 0);
        let start = if bytes[6] == 1 { 10 } else { 12 };
        let read = Header::parse(std::str::from_utf8(&bytes[start..]).unwrap()).unwrap();
        assert_eq!(read, Header { kind: Kind::C128, swapped: false, fortran: false, shape });
    }
}

#[test]
fn a_header_is_what_numpy_writes() {
    let bytes = header(Kind::C64, &[8]);
    let text = "{'descr': '<c8', 'fortran_order': False, 'shape': (8,), }";
    assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00v\x00");
    assert_eq!(std::str::from_utf8(&bytes[10..]).unwrap(), format!("{text:<117}\n"));
}

#[test]
fn other_spellings_are_read() {
    let header = Header::parse("{\"shape\":(2L,3L),'fortran_order':True,'descr':'>f4'}\n").unwrap();
    assert_eq!(header, Header { kind: Kind::F32, swapped: true, fortran: true, shape: vec![2, 3] });
}

#[test]
fn malformed_headers_are_refused() {
    for text in [
        "",
        "{",
        "{}",
        "{'descr': '<c8'}",
        "{'descr': '<c8', 'fortran_order': Maybe, 'shape': ()}",
        "{'descr': '<c8', 'fortran_order': True, 'shape': (-1,)}",
        "{'descr': '<c8', 'fortran_order': True, 'shape': (99999999999999999999,)}",
        "{'descr': '<U4', 'fortran_order': True, 'shape': ()}",
        "{'descr': 'é', 'fortran_order': True, 'shape': ()}",
        "{'descr': [('a', '<f4')], 'fortran_order': True, 'shape': ()}",
        "{'descr: '<c8'",
        "{'color': 'red'}",
    ] {
        assert!(Header::parse(text).is_err(), "{text}");
    }
}

#[test]
fn sizes_beyond_all_memory_are_known() {
    let header = |kind, shape: &[usize]| Header { kind, swapped: false, fortran: false, shape: shape.to_vec() };
    assert_eq!(header(Kind::U64, &[1 << 40, 1 << 40]).file_bytes(64), None);
    // These wrap, or are not to be addressed, once elements or the header's bytes are counted.
    for shape in [&[1 << 60][..], &[(1 << 61) - 1], &[1 << 61], &[1 << 30, 1 << 31], &[3, usize::MAX / 24]] {
        assert_eq!(header(Kind::U64, shape).file_bytes(128), None, "{shape:?}");
    }
    assert_eq!(header(Kind::C128, &[3, 5]).file_bytes(64), Some(64 + 15 * 16));
    assert_eq!(header(Kind::C128, &[1 << 60, 1 << 60, 0]).file_bytes(64), Some(64));
}
