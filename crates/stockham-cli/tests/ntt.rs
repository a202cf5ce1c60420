//! `stockham ntt` and `stockham fields`: results equal the definition, and every bad input has its words.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use stockham::algebra::{BigElement, Numbers};
use stockham::{BigPrime, Direction, Goldilocks, Scale, naive};
use support::{Folder, binary, failed, npy, read_npy, stockham, succeeded};

/// Elements of a field, the extreme ones among them.
fn elements<const K: usize>(prime: BigPrime, count: usize) -> Vec<BigElement<K>> {
    use stockham::algebra::Ring;
    let field = prime.field();
    let x = BigElement::<K>::from_u64(field, 0x9e37_79b9_7f4a_7c15);
    let element = |i: usize| if i % 5 == 4 { x.integer(i as u64).neg() } else { x.pow(i as u64 + 1) };
    let mut elements: Vec<_> = (0..count).map(element).collect();
    elements[0] = x.integer(1).neg();
    elements
}

fn dft<const K: usize>(x: &[BigElement<K>], n: usize, direction: Direction, scale: Scale) -> Vec<BigElement<K>> {
    x.chunks(n).flat_map(|line| naive::dft(line, direction)).map(|y| y.scaled(scale)).collect()
}

fn plain<const K: usize>(x: &[BigElement<K>]) -> Vec<u8> {
    x.iter().flat_map(|x| x.digits().iter().flat_map(|d| d.to_le_bytes())).collect()
}

fn sliced32<const K: usize>(x: &[BigElement<K>]) -> Vec<u8> {
    (0..K).flat_map(|c| x.iter().flat_map(move |x| (x.digits()[c] as u32).to_le_bytes())).collect()
}

fn text<const K: usize>(x: &[BigElement<K>]) -> String {
    x.iter().map(|x| format!("{x}\n")).collect()
}

/// Runs on a file and returns the name of the result.
fn ntt(folder: &Folder, input: &str, file: &[u8], output: &str, options: &[&str]) -> std::path::PathBuf {
    let (input, output) = (folder.write(input, file), folder.path(output));
    let mut arguments = vec![input.to_str().unwrap(), output.to_str().unwrap()];
    arguments.extend(options);
    succeeded(&stockham("ntt", &arguments));
    output
}

#[test]
fn plain_arrays_of_64_bit_digits() {
    let folder = Folder::new("ntt-plain");
    let x = elements::<8>(BigPrime::P3, 3 * 32);
    let expected = dft(&x, 32, Direction::Forward, Scale::One);
    let file = npy("<u8", false, "(3, 32, 8)", &plain(&x));
    for field in ["P3", "p3", "2^63+2^34,8", "9223372054034644992,8"] {
        let output = ntt(&folder, "in.npy", &file, "out.npy", &["--field", field]);
        let (header, data) = read_npy(&output);
        assert_eq!(header, "{'descr': '<u8', 'fortran_order': False, 'shape': (3, 32, 8), }");
        assert_eq!(data, plain(&expected));
    }
    // And back, scaled in the one direction or the other.
    let file = npy("<u8", false, "(3, 32, 8)", &plain(&expected));
    let output = ntt(&folder, "in.npy", &file, "out.npy", &["--field", "P3", "--inverse"]);
    assert_eq!(read_npy(&output).1, plain(&x));
    let output = ntt(&folder, "in.npy", &file, "out.npy", &["--field", "P3", "--inverse", "--norm", "none"]);
    assert_eq!(read_npy(&output).1, plain(&dft(&expected, 32, Direction::Inverse, Scale::One)));
    let output = ntt(&folder, "in.npy", &file, "out.npy", &["--field", "P3", "--norm", "forward"]);
    assert_eq!(read_npy(&output).1, plain(&dft(&expected, 32, Direction::Forward, Scale::Inverse(32))));
}

#[test]
fn sliced_arrays_of_32_bit_digits() {
    let folder = Folder::new("ntt-sliced");
    let x = elements::<8>(BigPrime::G8, 3 * 16);
    let file = npy("<u4", false, "(8, 3, 16)", &sliced32(&x));
    let options = ["--field", "G8", "--layout", "sliced"];
    let (header, data) = read_npy(&ntt(&folder, "in.npy", &file, "out.npy", &options));
    assert_eq!(header, "{'descr': '<u4', 'fortran_order': False, 'shape': (8, 3, 16), }");
    assert_eq!(data, sliced32(&dft(&x, 16, Direction::Forward, Scale::One)));
    // In Fortran order (8, 3, 16) is the transpose of (16, 3, 8) in C order.
    let turned: Vec<u8> = (0..16)
        .flat_map(|j| (0..3).map(move |b| b * 16 + j))
        .flat_map(|i| x[i].digits().map(|d| (d as u32).to_le_bytes()).concat())
        .collect();
    let (_, again) = read_npy(&ntt(&folder, "in.npy", &npy("<u4", true, "(8, 3, 16)", &turned), "out.npy", &options));
    assert_eq!(again, data);
}

#[test]
fn numbers_as_text() {
    let folder = Folder::new("ntt-text");
    let x = elements::<8>(BigPrime::P3, 64);
    let expected = dft(&x, 64, Direction::Forward, Scale::One);
    let read = |path| std::fs::read_to_string(path).unwrap();
    let output = ntt(&folder, "in.txt", text(&x).as_bytes(), "out.txt", &["--field", "P3"]);
    assert_eq!(read(output), text(&expected));
    // Hexadecimal, blank lines, the line ends of another system.
    let hex: String = x.iter().map(|x| format!("{x:#x}\r\n\r\n")).collect();
    let output = ntt(&folder, "in.txt", hex.as_bytes(), "out.txt", &["--field", "P3", "--layout", "sliced"]);
    assert_eq!(read(output), text(&expected));
    // From text to an array and back.
    let array = ntt(&folder, "in.txt", hex.as_bytes(), "out.npy", &["--field", "P3", "--layout", "sliced"]);
    let (header, data) = read_npy(&array);
    assert!(header.contains("(8, 64)"), "{header}");
    let options = ["--field", "P3", "--layout", "sliced", "--inverse"];
    let output = ntt(&folder, "in.npy", &npy("<u8", false, "(8, 64)", &data), "out.txt", &options);
    assert_eq!(read(output), text(&x));
    let one = ntt(&folder, "in.txt", b"7", "out.txt", &["--field", "G32"]);
    assert_eq!(read(one), "7\n");
}

#[test]
fn goldilocks_too() {
    let folder = Folder::new("ntt-goldilocks");
    let x: Vec<Goldilocks> = (0..32u64).map(|i| Goldilocks::reduce(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let expected: Vec<_> = x.chunks(16).flat_map(|line| naive::dft(line, Direction::Forward)).collect();
    let bytes = |x: &[Goldilocks]| bytemuck::cast_slice(x).to_vec();
    let file = npy("<u8", false, "(2, 16)", &bytes(&x));
    let (_, data) = read_npy(&ntt(&folder, "in.npy", &file, "out.npy", &["--field", "goldilocks"]));
    assert_eq!(data, bytes(&expected));
    let lines = |x: &[Goldilocks]| x.iter().map(|x| format!("{}\n", x.value())).collect::<String>();
    let output = ntt(&folder, "in.txt", lines(&x[..16]).as_bytes(), "out.txt", &["--field", "goldilocks"]);
    assert_eq!(std::fs::read_to_string(output).unwrap(), lines(&expected[..16]));
}

#[test]
fn primes_of_any_form() {
    let folder = Folder::new("ntt-residues");
    // 4 has order 4 modulo 17: the root of order 4 of the smallest non-residue 3 is 3^4 = 13, and x = (1, 2, 3, 4).
    let x = "1\n2\n3\n0x4\n";
    let expected: Vec<u64> =
        (0..4).map(|k| (0..4).map(|j| (j + 1) * 13u64.pow((j * k % 4) as u32)).sum::<u64>() % 17).collect();
    let output = ntt(&folder, "in", x.as_bytes(), "out", &["--field", "17"]);
    let lines: String = expected.iter().map(|y| format!("{y}\n")).collect();
    assert_eq!(std::fs::read_to_string(&output).unwrap(), lines);
    // The same numbers as digits and as residues, and back.
    let x = text(&elements::<8>(BigPrime::P3, 16));
    let digits = ntt(&folder, "digits", x.as_bytes(), "digits.out", &["--field", "P3"]);
    let residues = ntt(&folder, "residues", x.as_bytes(), "residues.out", &["--field", "P3/residues"]);
    let transformed = std::fs::read_to_string(&residues).unwrap();
    assert_eq!(transformed, std::fs::read_to_string(&digits).unwrap());
    let back = ntt(&folder, "there", transformed.as_bytes(), "back", &["--field", "P3/residues", "--inverse"]);
    assert_eq!(std::fs::read_to_string(&back).unwrap(), x);
    // Words of several elements in a row, the lowest first.
    let ones: Vec<u8> = (0..8 * 4).flat_map(|i| u64::from(i % 4 == 0).to_le_bytes()).collect();
    let file = npy("<u8", false, "(8, 4)", &ones);
    let (_, data) = read_npy(&ntt(&folder, "in.npy", &file, "out.npy", &["--field", "bls12-381"]));
    assert_eq!(data[0], 8);
    assert!(data[1..].iter().all(|&byte| byte == 0));
}

/// One rule for integers as text: signs, underscores, continued lines, a byte order mark.
#[test]
fn numbers_are_written_in_many_ways() {
    let folder = Folder::new("ntt-ways");
    let text = "\u{feff}+1_0\n-1\n0x1_0\n1\\\n2\n";
    // (2^63 + 2^53)^2
    let of_p1 = (9_232_379_236_109_516_800_u128).pow(2).to_string();
    for (field, minus_one) in [("17", "16"), ("goldilocks", "18446744069414584320"), ("P1", of_p1.as_str())] {
        let plain = format!("10\n{minus_one}\n16\n12\n");
        let options = ["--field", field];
        let [found, expected] = [text, plain.as_str()]
            .map(|text| std::fs::read_to_string(ntt(&folder, "in", text.as_bytes(), "out", &options)).unwrap());
        assert_eq!(found, expected, "{field}");
    }
}

#[test]
fn empty_batches_and_the_output_on_the_input() {
    let folder = Folder::new("ntt-small");
    let output = ntt(&folder, "in.npy", &npy("<u8", false, "(0, 4, 8)", &[]), "out.npy", &["--field", "P3"]);
    let (header, data) = read_npy(&output);
    assert!(header.contains("(0, 4, 8)") && data.is_empty(), "{header}");
    let x = elements::<8>(BigPrime::P3, 4);
    let path = ntt(&folder, "x.npy", &npy("<u8", false, "(4, 8)", &plain(&x)), "x.npy", &["--field", "P3"]);
    assert_eq!(read_npy(&path).1, plain(&dft(&x, 4, Direction::Forward, Scale::One)));
}

#[test]
fn bad_inputs_are_told_and_leave_no_file() {
    let folder = Folder::new("ntt-bad");
    let zeros = |len| vec![0u8; len];
    let mut digit = zeros(4 * 64);
    digit[64 + 8 * 3..][..8].copy_from_slice(&BigPrime::P3.radix().to_le_bytes());
    let array = |kind, shape, data: &[u8]| ("in.npy", npy(kind, false, shape, data));
    let line = |text: &str| ("in.txt", text.as_bytes().to_vec());
    let cases: Vec<(_, &[&str], &str)> = vec![
        (array("<u8", "(4, 8)", &digit), &["P3"], "digit 3 of element 1 is 9223372054034644992"),
        (array("<u8", "(8, 4)", &digit), &["P3", "--layout", "sliced"], "digit 2 of element 3"),
        (array("<u8", "(4, 8)", &zeros(256)), &["P3", "--layout", "sliced"], "takes [8, ..., N]"),
        (array("<u8", "(4, 7)", &zeros(224)), &["P3"], "has shape [4, 7], but P3 takes [..., N, 8]"),
        (array("<u8", "(8,)", &zeros(64)), &["P3"], "takes [..., N, 8]"),
        (array("<u8", "()", &zeros(8)), &["goldilocks"], "takes [..., N]"),
        (array("<u8", "(4, 8)", &zeros(256)), &["G8"], "holds uint64, but G8 takes uint32"),
        (array("<c16", "(4, 8)", &zeros(512)), &["P3"], "holds complex128, but P3 takes uint64"),
        (array("<u8", "(3, 8)", &zeros(192)), &["P3"], "n must be a power of two up to 2^48"),
        (array("<u8", "(0, 8)", &[]), &["P3"], "at least one element"),
        (array("<u8", "(4, 8)", &zeros(255)), &["P3"], "truncated"),
        (array("<u8", "(4, 8)", &zeros(256)), &["P3", "--norm", "ortho"], "ortho"),
        (array("<u8", "(8,)", &zeros(64)), &["goldilocks", "--layout", "sliced"], "no digits to slice"),
        (array("<u8", "(4,)", &[255; 32]), &["goldilocks"], "in.npy: element 0 is 18446744073709551615"),
        (("in.npy", b"12\n".to_vec()), &["P3"], "not a .npy file"),
        (line(""), &["P3"], "holds no number"),
        (line("1\n2\nthree\n4\n"), &["P3"], "in.txt, line 3: 'three' is not an element of the field"),
        (line("1\n--2\n"), &["P3"], "line 2"),
        (line("1\n1__2\n"), &["P3"], "line 2"),
        (line("1 2\n"), &["P3"], "line 1"),
        (line(&format!("1\n1{}\n", "0".repeat(200))), &["P3"], "line 2: '1000"),
        (line("1\n18446744069414584321\n"), &["goldilocks"], "line 2"),
        (line("1\n2\n3\n"), &["P3"], "n must be a power of two"),
        (("in.txt", vec![0xff, 0xfe, 0, 0]), &["P3"], "neither a .npy file nor text"),
    ];
    for ((name, file), options, words) in cases {
        let (input, output) = (folder.write(name, &file), folder.path("out.npy"));
        let mut arguments = vec![input.to_str().unwrap(), output.to_str().unwrap(), "--field"];
        arguments.extend(options);
        failed(&stockham("ntt", &arguments), 2, words);
        assert_eq!(folder.files(), [name], "{words}");
        std::fs::remove_file(input).unwrap();
    }
    let input = folder.write("in.npy", &npy("<u8", false, "(2, 4, 8)", &zeros(512)));
    let into_text = [input.clone(), folder.path("out.txt"), "--field".into(), "P3".into()];
    failed(&stockham("ntt", &into_text), 2, "holds 2 transforms");
    failed(&stockham("fft", &into_text), 2, "stockham ntt");
    let nowhere = [folder.path("no.txt"), folder.path("out.txt"), "--field".into(), "P3".into()];
    failed(&stockham("ntt", &nowhere), 2, "no.txt");
    let no_folder = [input.clone(), folder.path("no/out.npy"), "--field".into(), "P3".into()];
    failed(&stockham("ntt", &no_folder), 1, "cannot write");
    assert_eq!(folder.files(), ["in.npy"]);
}

#[test]
fn fields_that_are_none_are_told() {
    for (field, words) in [
        ("2^63+2^33,8", "is not prime"),
        ("P8", "'P8' is not a field: expected goldilocks; bls12-381, bn254, babybear, koalabear; P1, P2, P3"),
        ("foo", "or any odd prime of up to 2047 bits as 998244353"),
        ("2^63+2^34,7", "k must be a power of two"),
        ("7,8", "r must be even"),
        ("", "is not a field"),
        ("complex-f32", "is not a field"),
    ] {
        let output = Command::new(binary()).args(["ntt", "in.txt", "out.txt", "--field", field]).output().unwrap();
        failed(&output, 2, words);
    }
    failed(&Command::new(binary()).args(["ntt", "in.txt", "out.txt"]).output().unwrap(), 2, "--field");
}

#[test]
fn fields_are_listed() {
    let output = Command::new(binary()).arg("fields").output().unwrap();
    let text = succeeded(&output);
    let row = |name: &str| {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
    };
    assert_eq!(row("P3"), "P3 2^63+2^34 8 505 16 2^272 uint64");
    assert_eq!(row("G32"), "G32 2^32-2^13 32 1024 64 2^416 uint32");
    // g and the root of the highest order, as other libraries have them.
    assert_eq!(row("babybear"), "babybear 31 uint32 2^27 31 plonky3 440564289 Plonky3, OpenVM");
    assert_eq!(row("risc0"), "risc0 137 RISC Zero, ICICLE, sppark");
    assert!(
        row("bls12-381")
            .starts_with("bls12-381 255 4 uint64 2^32 7 arkworks 102382273577394958236510305758492320625588")
    );
    assert_eq!(text.lines().take_while(|line| !line.is_empty()).count(), 1 + BigPrime::NAMED.len());
}

/// Elements of fields of one word of 32 bits: uint32 comes out of uint32, of uint64, and of what a text says.
#[test]
fn small_primes_are_arrays_of_uint32() {
    let folder = Folder::new("ntt-words");
    let (p, w) = (0x7800_0001u64, 137u64);
    let x: Vec<u64> = (0..32).map(|i| (i * i * 0x1234_5678 + 5) % p).collect();
    let power = |base: u64, e: u64| (0..e).fold(1, |power, _| power * base % p);
    // The root of order 16 is the one of order 2^27 to the power 2^23.
    let w = (0..23).fold(w, |w, _| w * w % p);
    let output = |x: &[u64], k: u64| (0..16).map(|j| x[j as usize] * power(w, j * k % 16) % p).sum::<u64>() % p;
    let dft = |x: &[u64]| (0..16).map(|k| output(x, k) as u32).collect::<Vec<_>>();
    let expected: Vec<u32> = x.chunks(16).flat_map(dft).collect();
    let narrow: Vec<u32> = x.iter().map(|&x| x as u32).collect();
    let files = [("<u4", bytemuck::cast_slice::<u32, u8>(&narrow)), ("<u8", bytemuck::cast_slice(&x))];
    let run = |input: &Path, name: &str, options: &[&str]| {
        let out = folder.path(name);
        let paths = [input.to_str().unwrap(), out.to_str().unwrap()];
        (stockham("ntt", &[&paths[..], &["--field", "babybear"], options].concat()), out)
    };
    for (code, bytes) in files {
        let input = folder.write("x.npy", &npy(code, false, "(2, 16)", bytes));
        let (output, out) = run(&input, "y.npy", &["--root", "risc0"]);
        succeeded(&output);
        let (header, bytes) = read_npy(&out);
        assert!(header.contains("<u4") && header.contains("(2, 16)"), "{header}");
        assert_eq!(bytes, bytemuck::cast_slice::<_, u8>(&expected));
        let (output, back) = run(&out, "z.npy", &["--root", "137", "--inverse"]);
        succeeded(&output);
        assert_eq!(read_npy(&back).1, bytemuck::cast_slice::<_, u8>(&narrow));
    }
    // Text, as the first half.
    let text: String = x[..16].iter().map(|x| format!("{x}\n")).collect();
    let (output, out) = run(&folder.write("x.txt", text.as_bytes()), "y.txt", &["--root", "risc0"]);
    succeeded(&output);
    assert_eq!(fs::read_to_string(out).unwrap(), expected[..16].iter().map(|y| format!("{y}\n")).collect::<String>());
    // Numbers that are none of the field's, roots that are none, and other numbers.
    let wide = folder.write("wide.npy", &npy("<u8", false, "(2,)", bytemuck::cast_slice(&[1u64, 1 << 32])));
    failed(
        &run(&wide, "no.npy", &[]).0,
        2,
        "wide.npy: element 1 is 4294967296, but babybear holds values below 2013265921",
    );
    let narrow = folder.write("narrow.npy", &npy("<u4", false, "(2,)", bytemuck::cast_slice(&[p as u32, 1])));
    failed(&run(&narrow, "no.npy", &[]).0, 2, "narrow.npy: element 0 is 2013265921");
    let floats = folder.write("floats.npy", &npy("<f4", false, "(1,)", &[0; 4]));
    failed(&run(&floats, "no.npy", &[]).0, 2, "holds float32, but babybear takes uint32");
    for (root, words) in [
        ("1", "1 is no root of unity of order 2^27 in the field babybear"),
        ("31", "31 is no root of unity of order 2^27"),
        ("winterfell", "expected plonky3, risc0, or a number below the prime"),
    ] {
        failed(&run(&narrow, "no.npy", &["--root", root]).0, 2, words);
    }
}

/// Cosets, orders, columns and extensions, by the values of a polynomial.
#[test]
fn values_on_cosets_and_in_other_orders() {
    let folder = Folder::new("ntt-domains");
    let (p, w, s) = (0x7800_0001u64, 0x1a42_7a41u64, 31u64);
    // Of order 16, and of order 8.
    let w16 = (0..23).fold(w, |w, _| w * w % p);
    let power = |base: u64, e: u64| (0..e).fold(1, |power, _| power * base % p);
    let x: Vec<u64> = (0..8).map(|i| (i * i * 0x1357_9bdf + 7) % p).collect();
    let at = |z: u64| x.iter().rev().fold(0, |sum, x| (sum * z + x) % p);
    let reversed = |k: u64, bits: u32| k.reverse_bits() >> (64 - bits);
    let on_coset: Vec<u64> = (0..8).map(|k| at(s * power(w16, 2 * k) % p)).collect();
    let extended: Vec<u64> = (0..16).map(|k| at(s * power(w16, reversed(k, 4)) % p)).collect();
    let bytes = |values: &[u64]| -> Vec<u8> { values.iter().flat_map(|&x| (x as u32).to_le_bytes()).collect() };
    let turned = |values: &[u64]| -> Vec<u64> { values.iter().flat_map(|&x| [x, 0, x]).collect() };
    let run = |shape: &str, values: &[u64], options: &[&str]| -> (String, Vec<u8>) {
        let input = folder.write("x.npy", &npy("<u4", false, shape, &bytes(values)));
        let out = folder.path("y.npy");
        let paths = [input.to_str().unwrap(), out.to_str().unwrap()];
        succeeded(&stockham("ntt", &[&paths[..], &["--field", "babybear"], options].concat()));
        read_npy(&out)
    };
    assert_eq!(run("(8,)", &x, &["--coset", "31"]).1, bytes(&on_coset));
    assert_eq!(run("(8,)", &on_coset, &["--coset", "31", "--inverse"]).1, bytes(&x));
    let in_reverse: Vec<u64> = (0..8).map(|k| on_coset[reversed(k, 3) as usize]).collect();
    assert_eq!(run("(8,)", &x, &["--coset", "31", "--order", "nr"]).1, bytes(&in_reverse));
    assert_eq!(run("(8,)", &in_reverse, &["--coset", "31", "--order", "rn", "--inverse"]).1, bytes(&x));
    let (header, columns) = run("(8, 3)", &turned(&x), &["--columns", "--coset", "31"]);
    assert!(header.contains("(8, 3)") && columns == bytes(&turned(&on_coset)), "{header}");
    // Its values on the subgroup, and from there.
    let values: Vec<u64> = (0..8).map(|k| at(power(w16, 2 * k))).collect();
    let lde = ["--lde", "2", "--coset", "31", "--order", "nr"];
    let (header, found) = run("(2, 8)", &[&values[..], &values].concat(), &lde);
    assert!(header.contains("(2, 16)") && found == bytes(&[&extended[..], &extended].concat()), "{header}");
    let (header, found) = run("(8, 3)", &turned(&values), &[&lde[..], &["--columns"]].concat());
    assert!(header.contains("(16, 3)") && found == bytes(&turned(&extended)), "{header}");
    let input = folder.write("one.npy", &npy("<u4", false, "(8,)", &bytes(&x)));
    let input = input.to_str().unwrap().to_owned();
    for (options, words) in [
        (&["--coset", "0"][..], "0 makes no coset"),
        (&["--coset", "2013265921"], "is not an element of the field"),
        (&["--lde", "3"], "is not a power of two"),
        (&["--lde", "2", "--inverse"], "cannot be used with"),
    ] {
        let all = [&[input.as_str(), "no.npy", "--field", "babybear"][..], options].concat();
        failed(&stockham("ntt", &all), 2, words);
    }
}

/// Negacyclic values, the elements of files in Montgomery's form or not, of words of either width; texts are numbers.
#[test]
fn negacyclic_values_in_either_form() {
    let folder = Folder::new("ntt-negacyclic");
    let run = |input: &Path, name: &str, options: &[&str]| {
        let out = folder.path(name);
        let paths = [input.to_str().unwrap(), out.to_str().unwrap()];
        succeeded(&stockham("ntt", &[&paths[..], options].concat()));
        out
    };
    // 3 is a generator modulo 257 and the smallest non-residue: its power 16 has order 16.
    let (p, psi) = (257u64, (0..16).fold(1, |power, _| power * 3 % 257));
    let x: Vec<u64> = (0..8).map(|i| i * i * 37 % p).collect();
    let at = |z: u64| x.iter().rev().fold(0, |sum, x| (sum * z + x) % p);
    let values: Vec<u64> = (0..8u64)
        .map(|i| i.reverse_bits() >> 61)
        .map(|k| at((0..2 * k + 1).fold(1, |power, _| power * psi % p)))
        .collect();
    let bytes = |values: &[u64]| -> Vec<u8> { values.iter().flat_map(|&x| (x as u32).to_le_bytes()).collect() };
    let input = folder.write("x.npy", &npy("<u4", false, "(8,)", &bytes(&x)));
    let options = ["--field", "257", "--negacyclic", "--order", "nr"];
    let out = run(&input, "y.npy", &options);
    assert_eq!(read_npy(&out).1, bytes(&values));
    let back = run(&out, "z.npy", &["--field", "257", "--negacyclic", "--order", "rn", "--inverse"]);
    assert_eq!(read_npy(&back).1, bytes(&x));
    // The smallest of the odd powers of ψ, which are all roots of order 16.
    let smallest = (0..8).map(|k| (0..2 * k + 1).fold(1, |power, _| power * psi % p)).min().unwrap();
    assert_ne!(smallest, psi);
    let values: Vec<u64> = (0..8).map(|k| at((0..2 * k + 1).fold(1, |power, _| power * smallest % p))).collect();
    let of_smallest = ["--field", "257", "--negacyclic", "--root", "smallest"];
    let out = run(&input, "smallest.npy", &of_smallest);
    assert_eq!(read_npy(&out).1, bytes(&values));
    let back = run(&out, "z.npy", &[&of_smallest[..], &["--inverse"]].concat());
    assert_eq!(read_npy(&back).1, bytes(&x));
    // Texts are numbers, files the form: to a file and back to text.
    for (field, p, width) in [("babybear", 0x7800_0001u128, 32), ("4611685941117976577", 4_611_685_941_117_976_577, 64)]
    {
        let text: String = (1..=8).map(|i| format!("{}\n", i * 1_000_003)).collect();
        let input = folder.write("x.txt", text.as_bytes());
        let options = ["--field", field, "--negacyclic"];
        let montgomery = [&options[..], &["--montgomery"]].concat();
        let plain = run(&input, "plain.npy", &options);
        let form = run(&input, "form.npy", &montgomery);
        let of_bytes = |path: &Path| -> Vec<u128> {
            let (_, bytes) = read_npy(path);
            let word = |word: &[u8]| word.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte));
            bytes.chunks(width / 8).map(word).collect()
        };
        let expected: Vec<u128> = of_bytes(&plain).iter().map(|&x| shifted(x, width, p)).collect();
        assert_eq!(of_bytes(&form), expected, "{field}");
        let back = run(&form, "back.txt", &[&montgomery[..], &["--inverse"]].concat());
        assert_eq!(fs::read_to_string(back).unwrap(), text, "{field}");
    }
    let input = input.to_str().unwrap();
    for (options, words) in [
        (&["--field", "257", "--negacyclic", "--coset", "3"][..], "cannot be used with"),
        (&["--field", "41", "--negacyclic"], "n must divide p - 1 = 40, as powers of two up to 2^3 do"),
        (&["--field", "goldilocks", "--montgomery"], "Montgomery's form over goldilocks"),
        (&["--field", "41", "--root", "smallest", "--negacyclic"], "a root of order 16 over 41"),
    ] {
        failed(&stockham("ntt", &[&[input, "no.npy"][..], options].concat()), 2, words);
    }
}

/// x·2^bits mod p.
fn shifted(x: u128, bits: usize, p: u128) -> u128 {
    (0..bits).fold(x, |x, _| 2 * x % p)
}

/// The circle FFT: the polynomials 5, y and x take the points' coordinates, and come back.
#[test]
fn circles() {
    let folder = Folder::new("ntt-circle");
    let run = |input: &Path, name: &str, options: &[&str]| {
        let out = folder.path(name);
        let paths = [input.to_str().unwrap(), out.to_str().unwrap()];
        (stockham("ntt", &[&paths[..], &["--circle", "stwo"], options].concat()), out)
    };
    let x = [5u32, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    let input = folder.write("x.npy", &npy("<u4", false, "(3, 4)", bytemuck::cast_slice(&x)));
    let (output, out) = run(&input, "y.npy", &[]);
    succeeded(&output);
    let values: Vec<u32> = bytemuck::pod_collect_to_vec(&read_npy(&out).1);
    let p = 2_147_483_647u64;
    assert_eq!(values[..4], [5; 4]);
    for (&y, &x) in values[4..8].iter().zip(&values[8..]) {
        assert_eq!((u64::from(x) * u64::from(x) + u64::from(y) * u64::from(y)) % p, 1);
    }
    // Neighbours are conjugates.
    assert_eq!((u64::from(values[4]) + u64::from(values[5]), values[8]), (p, values[9]));
    let (output, back) = run(&out, "z.npy", &["--inverse"]);
    succeeded(&output);
    assert_eq!(read_npy(&back).1, bytemuck::cast_slice::<u32, u8>(&x));
    let paths = [input.to_str().unwrap(), out.to_str().unwrap()];
    let babybear = ["--field", "babybear", "--circle", "stwo"];
    failed(&stockham("ntt", &[&paths[..], &babybear].concat()), 2, "the circle FFT is over 2^31 - 1");
}

/// Plonky2's root of order 64 is 8.
#[test]
fn goldilocks_takes_other_roots() {
    let folder = Folder::new("ntt-plonky2");
    let input = folder.write("x.txt", format!("0\n1\n{}", "0\n".repeat(62)).as_bytes());
    let run = |root: &str| {
        let out = folder.path("y.txt");
        let paths = [input.to_str().unwrap(), out.to_str().unwrap()];
        (stockham("ntt", &[&paths[..], &["--field", "goldilocks", "--root", root]].concat()), out)
    };
    for root in ["plonky2", "0x64fdd1a46201e246", "7277203076849721926"] {
        let (output, out) = run(root);
        succeeded(&output);
        assert!(fs::read_to_string(out).unwrap().starts_with("1\n8\n64\n512\n"), "{root}");
    }
    for (root, words) in
        [("8", "8 is no root of unity of order 2^32"), ("seal", "expected plonky3, plonky2, or a number")]
    {
        failed(&run(root).0, 2, words);
    }
}
