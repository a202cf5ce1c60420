//! `stockham fft`: results equal the definition, and every bad input has its words.

mod support;

use std::path::Path;
use std::process::Command;

use stockham::algebra::Numbers;
use stockham::{Complex32, Complex64, Direction, Goldilocks, naive};
use support::{Folder, binary, failed, npy, read_npy, stockham, succeeded};

/// Numbers without structure.
fn numbers(count: usize) -> Vec<f64> {
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    (0..count).map(|_| next()).collect()
}

fn complex(count: usize) -> Vec<Complex64> {
    numbers(2 * count).chunks(2).map(|pair| Complex64::new(pair[0], pair[1])).collect()
}

fn bytes<T: bytemuck::Pod>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}

fn complex128(data: &[u8]) -> Vec<Complex64> {
    let number = |b: &[u8]| f64::from_le_bytes(b.try_into().unwrap());
    data.chunks(16).map(|b| Complex64::new(number(&b[..8]), number(&b[8..]))).collect()
}

fn complex64(data: &[u8]) -> Vec<Complex64> {
    let number = |b: &[u8]| f64::from(f32::from_le_bytes(b.try_into().unwrap()));
    data.chunks(8).map(|b| Complex64::new(number(&b[..4]), number(&b[4..]))).collect()
}

fn lines(x: &[Complex64], n: usize, direction: Direction, factor: f64) -> Vec<Complex64> {
    x.chunks(n).flat_map(|line| naive::dft(line, direction)).map(|y| y * factor).collect()
}

fn assert_close(found: &[Complex64], expected: &[Complex64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let distance: f64 = found.iter().zip(expected).map(|(a, b)| (a - b).norm_sqr()).sum();
    let norm: f64 = expected.iter().map(|b| b.norm_sqr()).sum();
    assert!((distance / norm).sqrt() < tolerance, "relative error {}", (distance / norm).sqrt());
}

/// Runs on a file and returns header and data of the result.
fn fft(folder: &Folder, file: &[u8], options: &[&str]) -> (String, Vec<u8>) {
    let (input, output) = (folder.write("in.npy", file), folder.path("out.npy"));
    let mut arguments = vec![input.to_str().unwrap(), output.to_str().unwrap()];
    arguments.extend(options);
    succeeded(&stockham("fft", &arguments));
    assert_eq!(folder.files(), ["in.npy", "out.npy"]);
    read_npy(&output)
}

#[test]
fn complex_arrays_of_both_precisions() {
    let folder = Folder::new("fft-complex");
    let x = complex(3 * 16);
    let expected = lines(&x, 16, Direction::Forward, 1.0);
    let (header, data) = fft(&folder, &npy("<c16", false, "(3, 16)", bytes(&x)), &[]);
    assert_eq!(header, "{'descr': '<c16', 'fortran_order': False, 'shape': (3, 16), }");
    assert_close(&complex128(&data), &expected, 1e-15);

    let single: Vec<Complex32> = x.iter().map(|x| Complex32::new(x.re as f32, x.im as f32)).collect();
    let (header, data) = fft(&folder, &npy("<c8", false, "(3, 16)", bytes(&single)), &[]);
    assert!(header.contains("'<c8'"), "{header}");
    assert_close(&complex64(&data), &expected, 5e-7);
}

#[test]
fn real_arrays_become_complex_ones() {
    let folder = Folder::new("fft-real");
    let x = numbers(32);
    let wide: Vec<Complex64> = x.iter().map(Complex64::from).collect();
    let expected = lines(&wide, 32, Direction::Forward, 1.0);
    let (header, data) = fft(&folder, &npy("<f8", false, "(32,)", bytes(&x)), &[]);
    assert!(header.contains("'<c16'") && header.contains("(32,)"), "{header}");
    assert_close(&complex128(&data), &expected, 1e-15);

    let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let (header, data) = fft(&folder, &npy("<f4", false, "(32,)", bytes(&single)), &[]);
    assert!(header.contains("'<c8'"), "{header}");
    assert_close(&complex64(&data), &expected, 5e-7);
}

/// As numpy.fft takes them: integers and truth values in double precision, float16 in single.
#[test]
fn numbers_of_every_kind() {
    let folder = Folder::new("fft-kinds");
    let x: Vec<f64> = (0..8).map(|i| f64::from((7 * i + 3) % 11)).collect();
    let wide = |x: &[f64]| x.iter().map(Complex64::from).collect::<Vec<_>>();
    let expected = lines(&wide(&x), 8, Direction::Forward, 1.0);
    macro_rules! integers {
        ($($code:literal $number:ty),*) => {
            [$(($code, x.iter().flat_map(|x| (*x as $number).to_ne_bytes()).collect::<Vec<u8>>())),*]
        };
    }
    let files = integers!("|i1" i8, "<i2" i16, "<i4" i32, "<i8" i64, "|u1" u8, "<u2" u16, "<u4" u32, "<u8" u64);
    for (code, data) in files {
        let (header, data) = fft(&folder, &npy(code, false, "(8,)", &data), &[]);
        assert!(header.contains("'<c16'"), "{code}: {header}");
        assert_close(&complex128(&data), &expected, 1e-15);
    }
    let negative = x.iter().flat_map(|x| (-(*x as i32)).to_be_bytes()).collect::<Vec<u8>>();
    let (_, data) = fft(&folder, &npy(">i4", false, "(8,)", &negative), &[]);
    assert_close(&complex128(&data), &expected.iter().map(|y| -y).collect::<Vec<_>>(), 1e-15);

    let truths = [1, 0, 1, 1, 0, 0, 1, 0];
    let (header, data) = fft(&folder, &npy("|b1", false, "(8,)", &truths), &[]);
    assert!(header.contains("'<c16'"), "{header}");
    let truths = wide(&truths.map(f64::from));
    assert_close(&complex128(&data), &lines(&truths, 8, Direction::Forward, 1.0), 1e-15);

    // 1.5, -2, 65504, 2^-24 and zeros as IEEE's binary16.
    let halves: [u16; 8] = [0x3e00, 0xc000, 0x7bff, 0x0001, 0, 0x8000, 0, 0];
    let values = [1.5, -2.0, 65504.0, 2f64.powi(-24), 0.0, 0.0, 0.0, 0.0];
    let (header, data) = fft(&folder, &npy("<f2", false, "(8,)", bytes(&halves)), &[]);
    assert!(header.contains("'<c8'"), "{header}");
    assert_close(&complex64(&data), &lines(&wide(&values), 8, Direction::Forward, 1.0), 5e-7);
}

#[test]
fn empty_axes_have_no_elements_however_long_others_are() {
    let folder = Folder::new("fft-empty");
    for order in [false, true] {
        let shape = "(1152921504606846976, 1152921504606846976, 0, 4)";
        let (header, data) = fft(&folder, &npy("<c8", order, shape, &[]), &[]);
        assert!(header.contains(shape) && data.is_empty(), "{header}");
    }
}

#[test]
fn directions_and_norms() {
    let folder = Folder::new("fft-norms");
    let (x, n) = (complex(8), 8.0_f64);
    let file = npy("<c16", false, "(8,)", bytes(&x));
    for (norm, forward, inverse) in [
        ("backward", 1.0, 1.0 / n),
        ("ortho", 1.0 / n.sqrt(), 1.0 / n.sqrt()),
        ("forward", 1.0 / n, 1.0),
        ("none", 1.0, 1.0),
    ] {
        let (_, data) = fft(&folder, &file, &["--norm", norm]);
        assert_close(&complex128(&data), &lines(&x, 8, Direction::Forward, forward), 1e-15);
        let (_, data) = fft(&folder, &file, &["--inverse", "--norm", norm]);
        assert_close(&complex128(&data), &lines(&x, 8, Direction::Inverse, inverse), 1e-15);
    }
}

#[test]
fn fortran_order_and_foreign_byte_order() {
    let folder = Folder::new("fft-orders");
    let (x, n) = (complex(2 * 3 * 8), 8);
    let mut turned = Vec::new();
    for k in 0..n {
        for j in 0..3 {
            for i in 0..2 {
                turned.push(x[(i * 3 + j) * n + k]);
            }
        }
    }
    let expected = lines(&x, n, Direction::Forward, 1.0);
    let (header, data) = fft(&folder, &npy("<c16", true, "(2, 3, 8)", bytes(&turned)), &[]);
    assert!(header.contains("False") && header.contains("(2, 3, 8)"), "{header}");
    assert_close(&complex128(&data), &expected, 1e-15);

    let swapped: Vec<u8> = x.iter().flat_map(|x| [x.re.to_be_bytes(), x.im.to_be_bytes()].concat()).collect();
    let (header, data) = fft(&folder, &npy(">c16", false, "(6, 8)", &swapped), &[]);
    assert!(header.contains("'<c16'"), "{header}");
    assert_close(&complex128(&data), &expected, 1e-15);
}

#[test]
fn the_field_is_exact() {
    let folder = Folder::new("fft-field");
    let values: Vec<u64> = (0..32u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % Goldilocks::MODULUS).collect();
    let x: Vec<Goldilocks> = values.iter().map(|v| Goldilocks::reduce(*v)).collect();
    let expected: Vec<u64> = x.chunks(16).flat_map(|l| naive::dft(l, Direction::Forward)).map(|y| y.value()).collect();
    let file = npy("<u8", false, "(2, 16)", bytes(&values));
    let (header, data) = fft(&folder, &file, &["--field", "goldilocks"]);
    assert!(header.contains("'<u8'"), "{header}");
    assert_eq!(data, bytes(&expected));
    // And back.
    let (_, data) = fft(&folder, &npy("<u8", false, "(2, 16)", &data), &["--field", "goldilocks", "--inverse"]);
    assert_eq!(data, bytes(&values));
    assert_eq!(x[0].scaled(stockham::Scale::One), x[0]);
}

#[test]
fn empty_batches_and_single_points() {
    let folder = Folder::new("fft-small");
    let (header, data) = fft(&folder, &npy("<c8", false, "(0, 8)", &[]), &[]);
    assert!(header.contains("(0, 8)") && data.is_empty(), "{header}");
    let x = complex(3);
    let (_, data) = fft(&folder, &npy("<c16", false, "(3, 1)", bytes(&x)), &[]);
    assert_eq!(data, bytes(&x));
}

#[test]
fn the_output_may_be_the_input() {
    let folder = Folder::new("fft-same");
    let x = complex(8);
    let file = folder.write("x.npy", &npy("<c16", false, "(8,)", bytes(&x)));
    succeeded(&stockham("fft", &[&file, &file]));
    assert_close(&complex128(&read_npy(&file).1), &lines(&x, 8, Direction::Forward, 1.0), 1e-15);
}

#[test]
fn bad_inputs_are_told_and_leave_no_file() {
    let folder = Folder::new("fft-bad");
    let good = npy("<c16", false, "(8,)", bytes(&complex(8)));
    let modulus = bytes(&[0, 1, Goldilocks::MODULUS, 3]).to_vec();
    let field = ["--field", "goldilocks"];
    let mut v9 = good.clone();
    v9[6] = 9;
    let cases: Vec<(Vec<u8>, &[&str], &str)> = vec![
        (vec![], &[], "not a .npy file"),
        (b"RIFF....WAVEfmt ".to_vec(), &[], "not a .npy file"),
        (v9, &[], "version 9"),
        (good[..40].to_vec(), &[], "ends within its header"),
        (good[..good.len() - 1].to_vec(), &[], "truncated"),
        (npy("<U4", false, "(8,)", &[0; 128]), &[], "dtype '<U4'"),
        (npy("<c16", false, "()", &[0; 16]), &[], "needs an axis"),
        (npy("<c16", false, "(2, 0)", &[]), &[], "at least one point"),
        (npy("<c16", false, "(1099511627776, 1099511627776)", &[]), &[], "too large"),
        // 2^61 times 8 bytes, or the header's bytes more than that, wrap.
        (npy("<f8", false, "(2305843009213693951,)", &[]), &[], "too large"),
        (npy("<f8", false, "(1152921504606846976,)", &[]), &[], "too large"),
        (npy("<c16", false, "(oops,)", &[]), &[], "malformed"),
        (good.clone(), &field, "takes uint64"),
        (npy("<u8", false, "(4,)", &modulus), &field, "in.npy: element 2 is 18446744069414584321"),
        (npy("<u8", false, "(7,)", &[0; 56]), &field, "n must divide p - 1"),
        (npy("<u8", false, "(4,)", &[0; 32]), &["--field", "goldilocks", "--norm", "ortho"], "ortho"),
    ];
    for (file, options, words) in cases {
        let input = folder.write("in.npy", &file);
        let output = folder.path("out.npy");
        let mut arguments = vec![input.to_str().unwrap(), output.to_str().unwrap()];
        arguments.extend(options);
        failed(&stockham("fft", &arguments), 2, words);
        assert_eq!(folder.files(), ["in.npy"], "{words}");
    }
}

#[test]
fn bad_names_are_told() {
    let folder = Folder::new("fft-names");
    let good = folder.write("in.npy", &npy("<c16", false, "(8,)", bytes(&complex(8))));
    let nowhere = folder.path("nowhere.npy");
    failed(&stockham("fft", &[&nowhere, &nowhere]), 2, "nowhere.npy");
    failed(&stockham("fft", &[good.as_path(), &folder.path("no/out.npy")]), 1, "cannot write");
    failed(&stockham("fft", &[good.as_path(), good.parent().unwrap()]), 2, "folder");
    failed(&stockham("fft", &[good.parent().unwrap(), &nowhere]), 2, "folder");
    let run = |arguments: &[&Path], device: &str| {
        let mut command = Command::new(binary());
        command.arg("fft").args(arguments).args(["--device", device]).output().unwrap()
    };
    failed(&run(&[&good, &nowhere], "abacus"), 2, "there is no device 'abacus'");
    assert_eq!(folder.files(), ["in.npy"]);
}
