//! Bytes to samples, full scale at ±1.

use super::format::Encoding;

/// The samples of whole frames.
pub fn decode(encoding: Encoding, bytes: &[u8]) -> Vec<f32> {
    let each = bytes.chunks_exact(encoding.bytes());
    match encoding {
        Encoding::Integer(1) => each.map(|b| (f32::from(b[0]) - 128.0) / 128.0).collect(),
        Encoding::Integer(_) => each.map(integer).collect(),
        Encoding::Single => each.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(),
        Encoding::Double => {
            each.map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]) as f32).collect()
        }
        Encoding::ALaw => each.map(|b| a_law(b[0])).collect(),
        Encoding::MuLaw => each.map(|b| mu_law(b[0])).collect(),
    }
}

/// Two to four bytes with the sign at the upper end, which is put at the upper end of 32 bits.
fn integer(bytes: &[u8]) -> f32 {
    let upper =
        bytes.iter().rev().fold((0u32, 24), |(number, shift), b| (number | u32::from(*b) << shift, shift - 8)).0;
    (f64::from(upper as i32) / 2f64.powi(31)) as f32
}

/// G.711: a sign, an exponent of three bits and four bits of a mantissa, every second bit inverted; 13 bits in all,
/// at the upper end of 16.
fn a_law(code: u8) -> f32 {
    let code = code ^ 0x55;
    let (exponent, mantissa) = (code >> 4 & 7, i32::from(code & 15));
    let magnitude = match exponent {
        0 => (mantissa << 4) + 8,
        _ => ((mantissa << 4) + 0x108) << (exponent - 1),
    };
    (if code & 0x80 != 0 { magnitude } else { -magnitude }) as f32 / 32768.0
}

/// G.711: as A-law, all bits inverted, with an offset instead of denormals; 14 bits in all, at the upper end of 16.
fn mu_law(code: u8) -> f32 {
    let code = !code;
    let (exponent, mantissa) = (code >> 4 & 7, i32::from(code & 15));
    let magnitude = (((mantissa << 3) + 0x84) << exponent) - 0x84;
    (if code & 0x80 != 0 { -magnitude } else { magnitude }) as f32 / 32768.0
}
