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
        "{'descr': '<i4', 'fortran_order': True, 'shape': ()}",
        "{'descr': 'é', 'fortran_order': True, 'shape': ()}",
        "{'descr': [('a', '<f4')], 'fortran_order': True, 'shape': ()}",
        "{'descr: '<c8'",
        "{'color': 'red'}",
    ] {
        assert!(Header::parse(text).is_err(), "{text}");
    }
    let huge = Header { kind: Kind::U64, swapped: false, fortran: false, shape: vec![1 << 40, 1 << 40] };
    assert_eq!(huge.len(), None);
}
