//! Samples to bytes, full scale at ±1.

use std::sync::OnceLock;

use super::format::{Encoding, Format};
use super::samples;

/// Appends samples as a file has them, each rounded to the next value that there is. Gives how many were clipped, as they were
/// beyond all values.
pub fn encode(format: &Format, samples: &[f32], bytes: &mut Vec<u8>) -> usize {
    let mut clipped = 0;
    match format.encoding {
        Encoding::Integer(width) => {
            let full = 2f64.powi(i32::from(format.bits) - 1);
            let shift = 8 * width as u32 - u32::from(format.bits);
            // Bytes alone have no sign.
            let offset = if width == 1 { 128 } else { 0 };
            for x in samples {
                let value = (f64::from(*x) * full).round();
                let within = value.clamp(-full, full - 1.0);
                clipped += usize::from(within != value);
                bytes.extend_from_slice(&(((within as i64) << shift) + offset).to_le_bytes()[..width]);
            }
        }
        Encoding::Single => samples.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes())),
        Encoding::Double => samples.iter().for_each(|x| bytes.extend_from_slice(&f64::from(*x).to_le_bytes())),
        Encoding::ALaw | Encoding::MuLaw => {
            let codes = codes(format.encoding);
            let largest = codes[codes.len() - 1].0;
            for x in samples {
                clipped += usize::from(x.abs() > largest);
                bytes.push(nearest(codes, *x));
            }
        }
    }
    clipped
}

/// The values of G.711's 256 bytes in ascending order.
fn codes(encoding: Encoding) -> &'static [(f32, u8)] {
    static CODES: [OnceLock<Vec<(f32, u8)>>; 2] = [OnceLock::new(), OnceLock::new()];
    CODES[usize::from(encoding == Encoding::MuLaw)].get_or_init(|| {
        let mut codes: Vec<_> = (0..=255).map(|code| (samples::decode(encoding, &[code])[0], code)).collect();
        // Of µ-law's two zeros the one that silence is.
        codes.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        codes.dedup_by_key(|code| code.0.to_bits());
        codes
    })
}

fn nearest(codes: &[(f32, u8)], x: f32) -> u8 {
    let above = codes.partition_point(|(value, _)| *value < x).min(codes.len() - 1);
    let below = above.saturating_sub(1);
    let [a, b] = [codes[below], codes[above]];
    if x - a.0 < b.0 - x { a.1 } else { b.1 }
}
