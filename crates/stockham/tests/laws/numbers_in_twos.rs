//! Real numbers of few bytes, which kernels read and write in twos where lines begin at even places of memory: they are the same
//! wherever a buffer's part begins, and however far its lines are apart.

use half::f16;
use stockham::{Access, Algebra, Device, Dim, Executable, Expr, Format, Transform};

use crate::common::devices;

/// Lines of so many samples, padded with zeros to `n`, through a filter that turns phases, at a distance of each other.
fn padded(n: usize, samples: usize, distance: usize) -> Transform {
    let access = |format| Access::default().extent([samples]).format(format);
    let turned = Expr::value() * Expr::complex_along(0, &vec![stockham::Complex64::new(0.6, -0.8); n / 2 + 1]);
    Transform::real(Algebra::ComplexF32, n)
        .with_batch([Dim::new(3, distance)])
        .filtered(turned)
        .with_load(access(Format::I16))
        .with_store(access(Format::F16))
}

/// The outputs, where the input begins at one place of a buffer and the output at another.
fn run(executable: &Executable, [from, to]: [usize; 2]) -> Vec<f16> {
    let (device, transform) = (executable.device(), executable.transform());
    let samples = (0..from + transform.input_len()).map(|i| ((i - i.min(from)) * 7919 % 2001) as i16 - 1000);
    let input = device.upload(&samples.collect::<Vec<_>>()).unwrap();
    let mut output = device.alloc::<f16>(to + transform.output_len()).unwrap();
    executable.run(input.slice(from..).unwrap(), output.slice_mut(to..).unwrap()).unwrap();
    output.to_vec().unwrap().split_off(to)
}

#[test]
fn parts_of_buffers_begin_anywhere() {
    for device in devices() {
        // Pairs of samples, a half that is none, distances that are odd, and an odd length.
        for (n, samples, distance) in [(64, 64, 64), (64, 32, 64), (64, 31, 64), (64, 64, 71), (45, 45, 45)] {
            let transform = padded(n, samples, distance);
            let executable = device.plan(&transform).unwrap();
            let expected = run(&executable, [0, 0]);
            assert!(expected.iter().any(|x| x.to_f32().abs() > 100.0));
            for places in [[1, 0], [0, 1], [3, 5], [2, 4]] {
                let found = run(&executable, places);
                assert!(found == expected, "{samples} of {n} at {places:?} on {}", device.info().id);
            }
            let on_host = run(&Device::cpu().plan(&transform).unwrap(), [0, 0]);
            let most = on_host.iter().map(|x| x.to_f32().abs()).fold(0.0, f32::max);
            for (a, b) in expected.iter().zip(&on_host) {
                assert!((a.to_f32() - b.to_f32()).abs() <= 2e-3 * most, "{a} and not {b} on {}", device.info().id);
            }
        }
    }
}
