//! Host slices lent to the CPU device: computed in place of where they lie, and not elsewhere.

use stockham::accuracy::random;
use stockham::interop::cpu::{lend, lend_mut};
use stockham::{Algebra, Backend, Complex64, Device, Dim, Error, Transform, TrigType};

use crate::common::devices;

#[test]
fn lent_slices_are_computed_as_buffers_are() {
    let device = Device::cpu();
    let of = |lengths: [usize; 2]| Transform::new(Algebra::ComplexF64, lengths);
    let strided = of([6, 5]).with_dims([Dim::new(6, 2), Dim::new(5, 13)]).with_batch([Dim::new(2, 70)]);
    for transform in [of([8, 8]), of([7, 12]).inverse(), of([1, 1]), strided] {
        let x = random::<Complex64>(transform.input_len(), 1);
        let executable = device.plan(&transform).unwrap();
        let mut output = device.upload(&vec![Complex64::ONE; transform.output_len()]).unwrap();
        executable.run(&device.upload(&x).unwrap(), &mut output).unwrap();
        let expected = output.to_vec().unwrap();
        let mut y = vec![Complex64::ONE; expected.len()];
        executable.run(&lend(&device, &x).unwrap(), &mut lend_mut(&device, &mut y).unwrap()).unwrap();
        assert_eq!(y, expected);
        let in_place = device.plan(&transform.in_place()).unwrap();
        let mut buffer = device.upload(&x).unwrap();
        in_place.run_in_place(&mut buffer).unwrap();
        // With others before it.
        let mut longer = [[Complex64::ONE; 3].to_vec(), x].concat();
        in_place.run_in_place(&mut lend_mut(&device, &mut longer[3..]).unwrap()).unwrap();
        assert_eq!(longer[..3], [Complex64::ONE; 3]);
        assert_eq!(longer[3..], buffer.to_vec().unwrap());
    }
}

#[test]
fn lent_slices_begin_at_any_value() {
    let device = Device::cpu();
    // Complex numbers of the host are aligned as their parts are.
    let mut words = vec![0f64; 2 * 64 + 1];
    for first in [0, 1] {
        let x: &mut [Complex64] = bytemuck::cast_slice_mut(&mut words[first..first + 128]);
        x.fill(Complex64::ONE);
        let transform = Transform::new(Algebra::ComplexF64, 64).in_place();
        device.plan(&transform).unwrap().run_in_place(&mut lend_mut(&device, x).unwrap()).unwrap();
        assert_eq!((x[0], x[1]), (64.0.into(), Complex64::ZERO));
    }
    let mut real = [1f64, 2.0, 3.0, 9.0];
    let cosine = device.plan(&Transform::cosine(Algebra::ComplexF64, TrigType::II, 3).in_place()).unwrap();
    cosine.run_in_place(&mut lend_mut(&device, &mut real[..3]).unwrap()).unwrap();
    assert!((real[0] - 12.0).abs() < 1e-14 && real[3] == 9.0);
    // Real numbers in place of a half spectrum, in an odd number of them.
    let mut padded = [1f64, 2.0, 3.0, 4.0, 0.0, 0.0, 7.0];
    let real = device.plan(&Transform::real(Algebra::ComplexF64, 4).in_place()).unwrap();
    real.run_in_place(&mut lend_mut(&device, &mut padded[..6]).unwrap()).unwrap();
    assert_eq!(padded, [10.0, 0.0, -2.0, 2.0, -2.0, 0.0, 7.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let device = Device::cpu();
    let executable = device.plan(&Transform::new(Algebra::ComplexF64, 4)).unwrap();
    let (x, mut y) = ([Complex64::ONE; 4], [Complex64::ONE; 3]);
    let short = executable.run(&lend(&device, &x).unwrap(), &mut lend_mut(&device, &mut y).unwrap());
    assert!(matches!(short, Err(Error::BufferLength { buffer: "output", expected: 4, found: 3 })));
    let real = executable.run(&lend(&device, &[0f32; 8]).unwrap(), &mut lend_mut(&device, &mut [x[0]; 4]).unwrap());
    assert!(matches!(real, Err(Error::ElementType { buffer: "input", .. })));
    for device in devices().iter().filter(|device| device.info().backend != Backend::Cpu) {
        assert!(matches!(lend(device, &x), Err(Error::DeviceMismatch { .. })));
    }
}
