//! The text of a field's primitive functions, for kernels: a template and the field's constants.

mod ptx;

use std::fmt::Write;

pub(super) use ptx::registers;

use super::BigPrime;
use crate::algebra::Primitives;
use crate::algebra::traced::SumNumber;

/// The constants, the functions for any operands, among them the sums of the given numbers, and, in PTX where that suits,
/// fast variants. Only among those does a rotation leave its result one less. A team of threads has the digits.
pub(in crate::algebra) fn primitives(prime: BigPrime, ptx: bool, sums: &[usize], team: usize) -> Primitives {
    let fast = if ptx && team == 1 { ptx::primitives(prime, sums) } else { None };
    let mut text = common(prime, fast.is_some(), team);
    for number in sums {
        let SumNumber { turn, .. } = SumNumber::of(*number, 2 * prime.digits());
        writeln!(text, "\nFUNCTION big bp_sum_{number}(big a, big b) {{ return bp_sum(a, b, {turn}); }}")
            .expect("writing to a string does not fail");
    }
    match fast {
        Some(fast) => Primitives { text: (text + &fast).into(), fast: ptx::FAST },
        None => Primitives { text: text.into(), fast: &[] },
    }
}

/// The constants, the template, and the functions that take digits apart and together.
/// Where there are fast variants the functions for any operands are to be small: they seldom run.
fn common(prime: BigPrime, are_rare: bool, team: usize) -> String {
    let (k, bits) = (prime.digits() / team, 8 * prime.digit_bytes());
    let (digit, suffix) = if bits == 32 { ("u32", "u") } else { ("u64", "ul") };
    let shift = prime.radix().leading_zeros() as usize - (64 - bits);
    let normalised = prime.radix() << shift;
    // floor((2^2w − 1) / d) − 2^w, where 2^2w − 1 − 2^w·d does not overflow.
    let highest = if bits == 64 { u128::MAX } else { u128::from(u64::MAX) };
    let reciprocal = (highest - (u128::from(normalised) << bits)) / u128::from(normalised);
    let constant = |x: u128| format!("({digit}){x:#x}{suffix}");
    let triple = |words: [u64; 3]| words.map(|w| constant(w.into())).join(", ");
    let (first, offset) = offsets(prime);
    let mut text = format!("typedef {digit} digit;\n");
    text.push_str(RARELY);
    writeln!(text, "#define ANY {}", if are_rare { "RARELY" } else { "FUNCTION" })
        .expect("writing to a string does not fail");
    let defines = [
        ("BP_K", k.to_string()),
        ("BP_TEAM", team.to_string()),
        ("BP_BITS", bits.to_string()),
        ("BP_R", constant(prime.radix().into())),
        // A carry of a sum or of a product is at most k + 4: in a digit larger than that it goes over once.
        ("BP_REPEAT", if prime.radix() > prime.digits() as u64 + 4 { "if" } else { "while" }.into()),
        ("BP_SHIFT", shift.to_string()),
        ("BP_D", constant(normalised.into())),
        ("BP_V", constant(reciprocal)),
        ("BP_FIRST", triple(first)),
        ("BP_OFFSET", triple(offset)),
        ("MUL_HIGH(a, b)", if bits == 32 { "((u32)((u64)(a) * (b) >> 32))".into() } else { "mul_hi64(a, b)".into() }),
        ("HIGH_BITS(x)", if shift == 0 { format!("({digit})0") } else { format!("((x) >> {})", bits - shift) }),
    ];
    for (name, value) in defines {
        writeln!(text, "#define {name} {value}").expect("writing to a string does not fail");
    }
    text.push_str(include_str!("digits.h"));
    if team > 1 {
        text.push_str(include_str!("team.h"));
    } else {
        let rolled = if are_rare || k > UNROLLED { "#pragma unroll 1" } else { "" };
        text.push_str(&include_str!("element.h").replace("ROLLED", rolled));
    }
    let list = |f: &dyn Fn(usize) -> String, between: &str| (0..k).map(f).collect::<Vec<_>>().join(between);
    write!(
        text,
        "\nFUNCTION big bp_pack({}) {{\n    big z;\n    {}\n    return z;\n}}\n\n\
         FUNCTION digit bp_digit(big x, u64 i) {{ return x.d[i]; }}\n",
        list(&|i| format!("digit d{i}"), ", "),
        list(&|i| format!("z.d[{i}] = d{i};"), " "),
    )
    .expect("writing to a string does not fail");
    text
}

/// Elements of more digits do not stay in registers, and their loops would fill the text.
const UNROLLED: usize = 4;

const RARELY: &str = "\
#ifdef __CUDACC__
#define RARELY static __device__ __noinline__
#else
#define RARELY __attribute__((noinline))
#endif
";

/// k·r², and k·r² − k·r, as three words of a digit's width.
fn offsets(prime: BigPrime) -> ([u64; 3], [u64; 3]) {
    let bits = 8 * prime.digit_bytes() as u32;
    let (r, k) = (u128::from(prime.radix()), prime.digits() as u128);
    let words = |low: u128, high: u128| {
        // low + high·2^w, both below 2^128
        let mask = (1 << bits) - 1;
        let (w0, rest) = ((low & mask) as u64, high + (low >> bits));
        [w0, (rest & mask) as u64, (rest >> bits) as u64]
    };
    // k·r·(r − c) = k·(low + high·2^w)
    let product = |c: u128| {
        let square = r * (r - c);
        let (low, high) = (square & ((1 << bits) - 1), square >> bits);
        words(low * k, high * k)
    };
    (product(0), product(1))
}
