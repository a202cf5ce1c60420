//! `stockham intmul`: products are exact, and every bad input has its words.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{Folder, binary, failed, stockham, succeeded};

/// Runs on two texts, with options after the files.
fn intmul(folder: &Folder, a: &[u8], b: &[u8], options: &[&str]) -> (Output, PathBuf) {
    let (a, b, c) = (folder.write("a.txt", a), folder.write("b.txt", b), folder.path("c.txt"));
    let mut arguments = vec![a.to_str().unwrap(), b.to_str().unwrap(), c.to_str().unwrap()];
    arguments.extend(options);
    (stockham("intmul", &arguments), c)
}

fn product(folder: &Folder, a: &[u8], b: &[u8]) -> String {
    let (output, c) = intmul(folder, a, b, &[]);
    succeeded(&output);
    assert_eq!(folder.files(), ["a.txt", "b.txt", "c.txt"]);
    fs::read_to_string(c).unwrap()
}

/// Digits without structure.
fn digits(count: usize, radix: u64, mut state: u64) -> Vec<u8> {
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        b"0123456789abcdef"[(state % radix) as usize]
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn small_products() {
    let folder = Folder::new("intmul-small");
    for (a, b, c) in [
        ("12", "34", "408\n"),
        ("0", "34", "0\n"),
        ("-0", "-5", "0\n"),
        (" -12\n", "+34\r\n", "-408\n"),
        ("-12", "-34", "408\n"),
        ("000999999", "999999", "999998000001\n"),
        ("0xFF", "0x0010", "0xff0\n"),
        ("-0x1", "0xabcdef", "-0xabcdef\n"),
        ("0x0", "0xa", "0x0\n"),
        ("340282366920938463463374607431768211456", "2", "680564733841876926926749214863536422912\n"),
    ] {
        assert_eq!(product(&folder, a.as_bytes(), b.as_bytes()), c, "{a} times {b}");
    }
}

#[test]
fn nines_by_nines() {
    let folder = Folder::new("intmul-nines");
    for n in [9, 1000, 50_000] {
        let nines = "9".repeat(n);
        let expected = format!("{}8{}1\n", "9".repeat(n - 1), "0".repeat(n - 1));
        assert!(product(&folder, nines.as_bytes(), nines.as_bytes()) == expected, "{n} nines");
        let longer = "9".repeat(n + 7);
        let expected = format!("{}89999999{}1\n", "9".repeat(n - 1), "0".repeat(n - 1));
        let found = product(&folder, nines.as_bytes(), longer.as_bytes());
        assert!(found == expected, "{n} by {} nines", n + 7);
    }
}

/// The number modulo q, digit after digit.
fn residue(digits: &[u8], radix: u64, q: u64) -> u64 {
    let step = |sum: u64, digit: &u8| {
        let value = (*digit as char).to_digit(16).unwrap();
        ((u128::from(sum) * u128::from(radix) + u128::from(value)) % u128::from(q)) as u64
    };
    digits.iter().fold(0, step)
}

fn check_residues(a: &[u8], b: &[u8], c: &[u8], radix: u64) {
    // Primes.
    for q in [(1 << 61) - 1, (1 << 31) - 1, 1_000_000_000_000_000_009] {
        let wanted = u128::from(residue(a, radix, q)) * u128::from(residue(b, radix, q)) % u128::from(q);
        assert_eq!(u128::from(residue(c, radix, q)), wanted, "modulo {q}");
    }
}

#[test]
fn random_numbers_modulo_primes() {
    let folder = Folder::new("intmul-random");
    for (lengths, radix) in [((30_000, 29_000), 10), ((65_432, 1234), 16)] {
        let prefix = if radix == 16 { "0x" } else { "" };
        let text = |digits: &[u8]| [prefix.as_bytes(), digits].concat();
        let (a, b) = (digits(lengths.0, radix, 17), digits(lengths.1, radix, 18));
        let c = product(&folder, &text(&a), &text(&b));
        check_residues(&a, &b, c.trim().strip_prefix(prefix).unwrap().as_bytes(), radix);
    }
}

/// On other devices the script that times products does this.
#[test]
fn ten_million_digits() {
    if support::device() != "cpu" {
        return;
    }
    let folder = Folder::new("intmul-long");
    let (a, b) = (digits(10_000_000, 10, 5), digits(9_999_999, 10, 6));
    let (output, c) = intmul(&folder, &a, &b, &["--verify"]);
    let text = succeeded(&output);
    assert!(text.contains("2^22 points, limbs of 6 digits") && text.contains("right modulo"), "{text}");
    check_residues(&a, &b, fs::read_to_string(c).unwrap().trim().as_bytes(), 10);
}

#[test]
fn records_tell_the_parts() {
    let folder = Folder::new("intmul-record");
    let json = folder.path("record.json");
    let options = ["--repeat", "3", "--verify", "--json", json.to_str().unwrap()];
    let (output, _) = intmul(&folder, &digits(5000, 10, 7), &digits(4000, 10, 8), &options);
    let text = succeeded(&output);
    for stage in ["read", "plan", "load", "transform", "carry", "unload", "verify", "write"] {
        assert!(text.lines().any(|line| line.starts_with(stage)), "{stage} is not in {text}");
    }
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let parts = &record["multiplication"];
    assert_eq!((&parts["points"], &parts["runs"]), (&2048.into(), &3.into()));
    let sum: f64 = ["unpack_ms", "forward_ms", "product_ms", "inverse_ms", "carry_ms"]
        .map(|part| parts[part].as_f64().unwrap())
        .iter()
        .sum();
    assert!((sum - parts["total_ms"].as_f64().unwrap()).abs() <= 1e-9 * sum, "{record}");
    assert_eq!(record["primes"].as_array().unwrap().len(), 3);
}

#[test]
fn bad_numbers_are_refused() {
    let folder = Folder::new("intmul-bad");
    let cases: [(&[u8], &[u8], &str); 10] = [
        (b"", b"1", "a.txt: the text is empty where a digit should stand at byte 1"),
        (b"1", b"\n\n", "b.txt: the text is empty"),
        (b"-", b"1", "a.txt: the text ends where a digit should stand at byte 2"),
        (b"0x", b"0x1", "a.txt: the text ends"),
        (b"12", b"12,345", "b.txt: ',' is no decimal digit at byte 3"),
        (b"ff", b"1", "a.txt: 'f' is no decimal digit at byte 1"),
        (b"0x12", b"0xh", "b.txt: 'h' is no hexadecimal digit at byte 3"),
        (b"1\n2\n", b"1", "is no decimal digit at byte 2"),
        (b"\xff\xfe1", b"1", "byte 0xff is no decimal digit at byte 1"),
        (b"12", b"0x12", "b.txt is hexadecimal: write both in one base"),
    ];
    for (a, b, words) in cases {
        let (output, _) = intmul(&folder, a, b, &[]);
        failed(&output, 2, words);
        assert_eq!(folder.files(), ["a.txt", "b.txt"], "{words}");
    }
}

#[test]
fn bad_names_are_told() {
    let folder = Folder::new("intmul-names");
    let good = folder.write("a.txt", b"12");
    let run = |arguments: [&Path; 3]| stockham("intmul", &arguments);
    failed(&run([&good, &folder.path("nowhere.txt"), &folder.path("c.txt")]), 2, "nowhere.txt");
    failed(&run([good.parent().unwrap(), &good, &folder.path("c.txt")]), 2, "folder");
    failed(&run([&good, &good, &folder.path("no/c.txt")]), 1, "cannot write");
    failed(&run([&good, &good, good.parent().unwrap()]), 2, "folder");
    failed(&stockham("intmul", &[&good, &good]), 2, "<OUT.txt>");
    failed(&stockham("intmul", &["--repeat", "0", "a", "b", "c"]), 2, "at least 1");
    let mut command = Command::new(binary());
    let output = command.arg("intmul").args([&good, &good, &folder.path("c.txt")]).args(["--device", "abacus"]);
    failed(&output.output().unwrap(), 2, "there is no device 'abacus'");
    assert_eq!(folder.files(), ["a.txt"]);
}

#[test]
fn the_output_may_replace_an_input() {
    let folder = Folder::new("intmul-replace");
    let a = folder.write("a.txt", b"111");
    succeeded(&stockham("intmul", &[&a, &a, &a]));
    assert_eq!(fs::read_to_string(&a).unwrap(), "12321\n");
    assert_eq!(folder.files(), ["a.txt"]);
}
