//! Products against an independent library, on every device of the machine.

use num_bigint::{BigInt, BigUint};

use super::*;

/// The devices under test.
fn devices() -> Vec<Device> {
    match std::env::var("STOCKHAM_TEST_DEVICE") {
        Ok(name) if !name.is_empty() => vec![Device::by_name(&name).expect("the device under test")],
        _ => Device::list().found.iter().map(|info| Device::by_name(&info.id).expect("a device found")).collect(),
    }
}

fn digits(base: Base, count: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).rotate_left(29).wrapping_add(1);
        b"0123456789abcdef"[((state >> 40) % base.radix()) as usize]
    };
    (0..count).map(|i| if i == 0 { b'1' + next() % 8 } else { next() }).collect()
}

fn number(base: Base, digits: Vec<u8>) -> Integer {
    let prefix = if base == Base::Hexadecimal { "0x" } else { "" };
    Integer::parse([prefix.as_bytes(), &digits].concat()).expect("a number")
}

fn expected(a: &Integer, b: &Integer) -> String {
    let value = |x: &Integer| {
        let digits = if x.is_zero() { b"0" } else { x.digits() };
        let magnitude = BigUint::parse_bytes(digits, x.base().radix() as u32).expect("digits");
        if x.is_negative() { -BigInt::from(magnitude) } else { magnitude.into() }
    };
    let product = value(a) * value(b);
    match a.base() {
        Base::Decimal => product.to_string(),
        Base::Hexadecimal => format!("{product:#x}"),
    }
}

fn check(device: &Device, a: &Integer, b: &Integer) {
    let product = multiply(device, a, b).expect("a product");
    let lengths = (a.digits().len(), b.digits().len());
    // Equality without printing megabytes.
    assert!(product.to_string() == expected(a, b), "{device:?}: {} digits {lengths:?}", a.base().name());
}

const BASES: [Base; 2] = [Base::Decimal, Base::Hexadecimal];

#[test]
fn numbers_of_all_short_lengths() {
    for device in devices() {
        for base in BASES {
            for a in (1..=20).chain([35, 36, 37, 100]) {
                for b in [1, 2, 5, 6, 7, 17, 18, 19, 31] {
                    check(&device, &number(base, digits(base, a, 1)), &number(base, digits(base, b, 2)));
                }
            }
        }
    }
}

#[test]
fn small_values_and_signs() {
    for device in devices() {
        for a in ["0", "1", "-1", "9", "10", "-99", "999999", "1000000", "+123456789012345678901234567890", "-0"] {
            for b in ["0", "-7", "1", "1000001", "999999999999999999"] {
                check(&device, &a.parse().unwrap(), &b.parse().unwrap());
            }
        }
        check(&device, &"-0xff".parse().unwrap(), &"0X10".parse().unwrap());
        check(&device, &"-0x0".parse().unwrap(), &"0x10".parse().unwrap());
    }
}

#[test]
fn long_numbers() {
    for device in devices() {
        for base in BASES {
            for (a, b) in [(1000, 1000), (12_345, 777), (60_000, 60_001), (200_000, 1)] {
                check(&device, &number(base, digits(base, a, 3)), &number(base, digits(base, b, 4)));
            }
            let a = number(base, digits(base, 50_000, 5));
            check(&device, &a, &a);
        }
    }
}

/// All nines make the largest coefficients and, with ones, the longest chains of carries. Products of numbers that are as long
/// are planned once: devices have kernels to compile.
#[test]
fn adversarial_numbers() {
    for device in devices() {
        for (base, nine) in [(Base::Decimal, b'9'), (Base::Hexadecimal, b'f')] {
            for n in [1, 6, 17, 18, 19, 1000, 23_040, 23_041] {
                let of = |digits: Vec<u8>| number(base, digits);
                let nines = of(vec![nine; n]);
                check(&device, &nines, &nines);
                let mut multiplication = Multiplication::plan(&device, base, n, Some(n + 1)).expect("a plan");
                let mut product = |a: &Integer, b: &Integer| {
                    multiplication.load(a, Some(b)).expect("numbers of such lengths");
                    multiplication.run().expect("a product");
                    let product = multiplication.product().expect("a product");
                    assert!(product.to_string() == expected(a, b), "{device:?}: {n} {} digits", base.name());
                };
                let (power, ones) = ([vec![b'1'], vec![b'0'; n]].concat(), vec![b'1'; n + 1]);
                // 99…9·10…01 = 99…99…9: nines all through, one carry away from a power.
                let power_and_one = [vec![b'1'], vec![b'0'; n - 1], vec![b'1']].concat();
                for b in [power_and_one, power, ones, vec![nine; n + 1]].map(of) {
                    product(&nines, &b);
                    product(&of(vec![b'1'; n]), &b);
                }
            }
        }
    }
}

/// Numbers whose every limb is at the edge, times numbers near powers of the base.
#[test]
fn chains_through_many_groups() {
    for device in devices() {
        // (10^n − 1)·(10^m + 1) = 10^(n+m) + 10^n − 10^m − 1, with runs of nines between.
        for (n, m) in [(150_000, 149_999), (150_000, 70_000), (99_999, 3)] {
            let nines = number(Base::Decimal, vec![b'9'; n]);
            let sparse = number(Base::Decimal, [vec![b'1'], vec![b'0'; m - 1], vec![b'1']].concat());
            check(&device, &nines, &sparse);
        }
    }
}

#[test]
fn what_is_no_number_is_told_with_its_place() {
    let cases: [(&[u8], usize, &str); 19] = [
        (b"_1", 1, "'_' is no decimal digit"),
        (b"1__2", 2, "'_' is no decimal digit"),
        (b"1_", 2, "'_' is no decimal digit"),
        (b"0x_f", 3, "'_' is no hexadecimal digit"),
        (b"1\\2", 2, "is no decimal digit"),
        (b"12\\\n\n3", 3, "is no decimal digit"),
        (b"\xef\xbb\xbf", 4, "the text is empty"),
        (b"", 1, "the text is empty"),
        (b" \n", 1, "the text is empty"),
        (b"-", 2, "the text ends"),
        (b"0x", 3, "the text ends"),
        (b"-0x", 4, "the text ends"),
        (b"12a4", 3, "'a' is no decimal digit"),
        (b"0x12g4", 5, "'g' is no hexadecimal digit"),
        (b"12 34", 3, "' ' is no decimal digit"),
        (b"--1", 2, "'-' is no decimal digit"),
        (b"1\n2\n", 2, "'\\n' is no decimal digit"),
        ("1é".as_bytes(), 2, "'é' is no decimal digit"),
        (b"1\xff", 2, "byte 0xff is no decimal digit"),
    ];
    for (text, place, words) in cases {
        match Integer::parse(text.to_vec()) {
            Err(Error::Number { position, reason }) => {
                assert_eq!(position, place, "{reason}");
                assert!(reason.contains(words), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
    let mut long = vec![b'7'; 1_000_000];
    long[654_321] = b'x';
    assert!(matches!(Integer::parse(long), Err(Error::Number { position: 654_322, .. })));
}

#[test]
fn numbers_are_read_and_written() {
    for (text, written) in [
        (" +00012\n", "12"),
        ("-0", "0"),
        ("\t-7\r\n", "-7"),
        ("0xAbC", "0xabc"),
        ("-0X00f", "-0xf"),
        ("0x000", "0x0"),
        ("000", "0"),
        ("\u{feff}-1_000_000", "-1000000"),
        ("1234\\\n5678\\\r\n9", "123456789"),
        ("0xAB_cd", "0xabcd"),
        ("-0_0", "0"),
    ] {
        assert_eq!(text.parse::<Integer>().unwrap().to_string(), written, "{text:?}");
    }
}

#[test]
fn mistakes_are_errors() {
    let device = Device::cpu();
    let (ten, hex): (Integer, Integer) = ("10".parse().unwrap(), "0x10".parse().unwrap());
    assert!(matches!(multiply(&device, &ten, &hex), Err(Error::Bases { .. })));
    assert!(matches!(Multiplication::plan(&device, Base::Decimal, 0, None), Err(Error::InvalidTransform(_))));
    let too_long = Multiplication::plan(&device, Base::Decimal, usize::MAX, None);
    assert!(matches!(too_long, Err(Error::Unsupported { .. })));
    let too_large = Multiplication::plan(&device, Base::Decimal, 1 << 32, Some(1 << 42));
    assert!(matches!(too_large, Err(Error::OutOfMemory { .. })));
    let mut multiplication = Multiplication::plan(&device, Base::Decimal, 2, Some(2)).unwrap();
    assert!(matches!(multiplication.load(&ten, None), Err(Error::BufferLength { .. })));
    assert!(matches!(multiplication.load(&hex, Some(&hex)), Err(Error::Bases { .. })));
    multiplication.load(&ten, Some(&ten)).unwrap();
    multiplication.run().unwrap();
    multiplication.run().unwrap();
    assert_eq!(multiplication.product().unwrap().to_string(), "100");
}
