//! Cosine and sine transforms of all types and classes of lengths, of one pass and of several, against the host's.

use num_complex::Complex;

use super::lengths::SMOOTH;
use super::{Bits, devices, interpreted_words};
use crate::algebra::{Algebra, ComplexElement, Real};
use crate::device::Device;
use crate::device_info::DeviceInfo;
use crate::plan::plan;
use crate::transform::{Kind, Normalization, Transform, TrigType};

const TYPES: [TrigType; 4] = [TrigType::I, TrigType::II, TrigType::III, TrigType::IV];

/// A real number's bits.
trait Word: Real {
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
}
impl Word for f32 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
    fn of_bits(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }
}
impl Word for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
    fn of_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// Says whether the device takes it.
fn check<T: Bits + ComplexElement>(transform: &Transform, device: &DeviceInfo) -> bool
where
    T::Real: Word + Into<Complex<T::Real>>,
    Complex<T::Real>: Into<T>,
{
    let Ok(recipe) = plan(transform, device) else { return false };
    let real = |i: usize| T::Real::of_bits(T::sample(i).to_bits()[0]);
    let input: Vec<T::Real> = (0..transform.input_len()).map(real).collect();
    let filler: Vec<T::Real> = (0..transform.output_len()).map(|_| real(77)).collect();
    let bits = |x: &[T::Real]| x.iter().map(|x| x.bits()).collect::<Vec<u64>>();
    let found = interpreted_words(&recipe, bits(&input), bits(&filler));
    let found = found.unwrap_or_else(|fault| panic!("{fault}\n{recipe}"));
    let cpu = Device::cpu();
    let mut expected = cpu.upload(&filler).unwrap();
    cpu.plan(transform).unwrap().run(&cpu.upload(&input).unwrap(), &mut expected).unwrap();
    let complex = |x: T::Real| -> T { Into::<Complex<T::Real>>::into(x).into() };
    let found: Vec<T> = found.into_iter().map(|x| complex(T::Real::of_bits(x))).collect();
    let expected: Vec<T> = expected.to_vec().unwrap().into_iter().map(complex).collect();
    assert!(T::close(&found, &expected), "wrong result\n{recipe}\n{found:?}\n{expected:?}");
    true
}

#[test]
fn all_types_and_classes_of_lengths() {
    let devices = devices();
    for (case, n) in (1..=26).chain(SMOOTH.into_iter().filter(|n| (27..400).contains(n))).chain([74, 512]).enumerate() {
        // The last one's tiles hold few rows.
        let device = &devices[case % 3];
        for (of, is_sine) in TYPES.into_iter().flat_map(|of| [(of, false), (of, true)]) {
            if (n, of, is_sine) == (1, TrigType::I, false) {
                continue;
            }
            let kind = if is_sine { Kind::Sine(of) } else { Kind::Cosine(of) };
            let lines = Transform::along(Algebra::ComplexF64, kind, &[2, n], &[1]).unwrap();
            assert!(check::<Complex<f64>>(&lines, device), "{lines:?}");
            let columns = Transform::along(Algebra::ComplexF32, kind, &[n, 3], &[0]).unwrap();
            let columns = columns.inverse().normalization(Normalization::Ortho).orthogonalize();
            assert!(check::<Complex<f32>>(&columns, device), "{columns:?}");
        }
    }
}

#[test]
fn several_passes() {
    for device in devices() {
        for n in [4096, 3000, 3001, 2 * 1155] {
            for (of, is_sine) in TYPES.into_iter().flat_map(|of| [(of, false), (of, true)]) {
                let kind = if is_sine { Kind::Sine(of) } else { Kind::Cosine(of) };
                let lines = Transform::along(Algebra::ComplexF64, kind, &[2, n], &[1]).unwrap();
                assert!(check::<Complex<f64>>(&lines, &device), "{lines:?}");
            }
        }
    }
}
