//! `stockham polymul`: products follow the definition, and every bad input has its words.

mod support;

use std::fs;
use std::path::Path;

use support::{Folder, failed, npy, read_npy, stockham, succeeded};

const P: u128 = 0xffff_ffff_0000_0001;

/// Coefficients without structure.
fn coefficients(count: usize, mut state: u64) -> Vec<u64> {
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (u128::from(state) % P) as u64
    };
    (0..count).map(|_| next()).collect()
}

/// The product modulo x^n − 1, or x^n + 1.
fn definition(a: &[u64], b: &[u64], n: usize, negacyclic: bool) -> Vec<u64> {
    let mut c = vec![0u128; n];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let term = u128::from(*x) * u128::from(*y) % P;
            let term = if negacyclic && i + j >= n { P - term } else { term };
            c[(i + j) % n] = (c[(i + j) % n] + term) % P;
        }
    }
    c.into_iter().map(|c| c as u64).collect()
}

fn text(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| format!("{value}\n").into_bytes()).collect()
}

fn polymul(a: &Path, b: &Path, out: &Path, options: &[&str]) -> std::process::Output {
    let mut arguments = vec![a.to_str().unwrap(), b.to_str().unwrap(), out.to_str().unwrap()];
    arguments.extend(["--field", "goldilocks"]);
    arguments.extend(options);
    stockham("polymul", &arguments)
}

#[test]
fn products_follow_the_definition() {
    let folder = Folder::new("polymul-products");
    for (lengths, options, negacyclic) in [
        ((100, 37), &[][..], false),
        ((64, 64), &["--cyclic"], false),
        ((64, 64), &["--negacyclic"], true),
        ((60, 60), &["--negacyclic"], true),
    ] {
        let (a, b) = (coefficients(lengths.0, 3), coefficients(lengths.1, 4));
        let n = if options.is_empty() { lengths.0 + lengths.1 - 1 } else { lengths.0 };
        let expected = definition(&a, &b, n, negacyclic);
        let array = |name: &str, x: &[u64]| {
            folder.write(name, &npy("<u8", false, &format!("({},)", x.len()), bytemuck::cast_slice(x)))
        };
        let (first, second, out) = (array("a.npy", &a), array("b.npy", &b), folder.path("c.npy"));
        succeeded(&polymul(&first, &second, &out, options));
        let (header, data) = read_npy(&out);
        assert_eq!(header, format!("{{'descr': '<u8', 'fortran_order': False, 'shape': ({n},), }}"));
        assert_eq!(data, bytemuck::cast_slice::<_, u8>(&expected));
        // One factor as text, and the product too.
        let (first, out) = (folder.write("a.txt", &text(&a)), folder.path("c.txt"));
        succeeded(&polymul(&first, &second, &out, options));
        assert_eq!(fs::read(&out).unwrap(), text(&expected));
    }
}

/// (a + b·x)(c + d·x) over ℤ/(2^63 + 2^34)^8 + 1, as text and as digits.
#[test]
fn big_primes_have_products() {
    let folder = Folder::new("polymul-big");
    let out = folder.path("c.txt");
    let (a, b) = (folder.write("a.txt", b"2\n3\n"), folder.write("b.txt", b"5\n7\n"));
    let multiply = |a: &Path, b: &Path, out: &Path, options: &[&str]| {
        let mut arguments = vec![a.to_str().unwrap(), b.to_str().unwrap(), out.to_str().unwrap(), "--field", "P3"];
        arguments.extend(options);
        succeeded(&stockham("polymul", &arguments));
    };
    multiply(&a, &b, &out, &[]);
    assert_eq!(fs::read(&out).unwrap(), b"10\n29\n21\n");
    // r^7·x squared is r^14·x² = −r^6·x², and x² = −1.
    let digits: Vec<u64> = (0..16).map(|i| u64::from(i == 15)).collect();
    let x = folder.write("x.npy", &npy("<u8", false, "(2, 8)", bytemuck::cast_slice(&digits)));
    let out = folder.path("c.npy");
    multiply(&x, &x, &out, &["--negacyclic"]);
    let expected: Vec<u64> = (0..16).map(|i| u64::from(i == 6)).collect();
    assert_eq!(read_npy(&out).1, bytemuck::cast_slice::<_, u8>(&expected));
}

#[test]
fn primes_of_any_form_have_products() {
    let folder = Folder::new("polymul-residues");
    // (1 + 2x − x²)·(5 + 7x²) = 5 + 10x + 2x² + 14x³ − 7x⁴, with −1 as it is modulo the first prime
    let (a, b) = (folder.write("a", b"1\n2\n998244352\n"), folder.write("b", b"5\n0\n7\n"));
    let paths = [&a, &b, &folder.path("out")].map(|path| path.to_str().unwrap().to_owned());
    for (field, p) in [("998244353", 998_244_353u64), ("koalabear", 0x7f00_0001)] {
        succeeded(&stockham("polymul", &[&paths[0], &paths[1], &paths[2], "--field", field]));
        let c = fs::read_to_string(&paths[2]).unwrap();
        let expected = [5, 10, (7 + 5 * 998_244_352) % p, 14, 7 * 998_244_352 % p];
        assert_eq!(c, expected.map(|c| format!("{c}\n")).concat(), "{field}");
    }
}

#[test]
fn bad_polynomials_are_refused() {
    let folder = Folder::new("polymul-bad");
    let good = text(&[1, 2, 3]);
    let modulus = b"1\n18446744069414584321\n";
    let cases: [(&str, &[u8], &[&str], &str); 10] = [
        ("a.txt", b"1\n\nx\n", &[], "line 3: 'x' is not an element"),
        ("a.txt", b"1\n1-2\n", &[], "line 2: '1-2' is not an element"),
        ("a.txt", b"18446744073709551616\n", &[], "line 1"),
        ("a.txt", modulus, &[], "line 2: '18446744069414584321' is not an element"),
        ("a.txt", b"\n", &[], "holds no number"),
        ("a.npy", &npy("<u8", false, "(1,)", &[0xff; 8]), &[], "a.npy: element 0 is 18446744073709551615"),
        ("a.txt", b"1\n", &["--cyclic"], "has 1 coefficients"),
        ("a.txt", b"1\n", &["--cyclic", "--negacyclic"], "cannot be used with"),
        ("a.npy", &npy("<c8", false, "(1,)", &[0; 8]), &[], "complex64"),
        ("a.npy", &npy("<u8", false, "(1, 1)", &[0; 8]), &[], "2 axes"),
    ];
    for (name, bytes, options, words) in cases {
        let (a, b) = (folder.write(name, bytes), folder.write("b.txt", &good));
        failed(&polymul(&a, &b, &folder.path("c.txt"), options), 2, words);
        assert_eq!(folder.files(), [name, "b.txt"], "{words}");
        fs::remove_file(a).unwrap();
    }
    let disguised = folder.write("a.txt", &npy("<u8", false, "(1,)", &[0; 8]));
    failed(&polymul(&disguised, &disguised, &folder.path("c.txt"), &[]), 2, "neither a .npy file nor text");
    failed(&stockham("polymul", &["a", "b", "c"]), 2, "--field");
    failed(&polymul(&disguised, &folder.path("nowhere"), &folder.path("c.txt"), &[]), 2, ".npy");
}
