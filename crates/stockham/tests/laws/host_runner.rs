//! Host slices are transformed as buffers are, whatever is kept.

use stockham::accuracy::random_words;
use stockham::algebra::WordField;
use stockham::{Access, Algebra, Dim, Error, Expr, Fft, HostRunner, Normalization, Transform};

use crate::common::{devices, is_cpu};

fn transforms(field: WordField) -> Vec<Transform> {
    let of = |n| Transform::new(Algebra::WordField(field), n);
    let columns = of(32).with_dims([Dim::new(32, 5)]).with_batch([Dim::new(5, 1)]);
    let apart = of(16).with_dims([Dim { n: 16, input_stride: 2, output_stride: 3 }]);
    vec![of(64), of(8).batch(3).inverse(), columns.clone(), columns.on_coset([31]), apart, of(64).padded_from(8)]
}

#[test]
fn host_slices_are_transformed_as_buffers_are() {
    let field: WordField = "babybear".parse().unwrap();
    for device in devices() {
        let runner = HostRunner::new(device.clone());
        // The second time from what is kept, and by a clone.
        for runner in [runner.clone(), runner] {
            for (seed, transform) in transforms(field).into_iter().enumerate() {
                let x = random_words::<u32>(field, transform.input_len(), seed as u64);
                let mut expected = vec![7; transform.output_len()];
                let mut output = device.upload(&expected).unwrap();
                device.plan(&transform).unwrap().run(&device.upload(&x).unwrap(), &mut output).unwrap();
                output.read(&mut expected).unwrap();
                let mut y = vec![7; expected.len()];
                runner.run(&transform.clone().in_place(), &x, &mut y).unwrap_or_else(|error| {
                    // It is out of place, whatever it says.
                    panic!("{transform:?}: {error}")
                });
                assert_eq!(y, expected, "{transform:?} on {}", device.info().id);
                if transform.input_len() == transform.output_len() {
                    let mut both = x;
                    runner.run_in_place(transform, &mut both).unwrap();
                    assert_eq!(both, expected, "in place on {}", device.info().id);
                }
            }
        }
    }
}

#[test]
fn what_is_added_to_is_read() {
    for device in devices() {
        let store = Access::of(Expr::value().norm_sqr()).real().accumulate();
        let plan = Fft::real::<f32>(4).store(store).plan(&device).unwrap();
        let mut sum = [0f32, 0.0, 5.0];
        for signal in [[1f32, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]] {
            plan.run_host(&signal, &mut sum).unwrap();
        }
        assert_eq!(sum, [17.0, 1.0, 6.0], "{}", device.info().id);
    }
}

/// More than are kept, and the first of them again.
#[test]
fn plans_come_and_go() {
    for device in devices().into_iter().filter(is_cpu) {
        let runner = HostRunner::new(device);
        let field: WordField = "koalabear".parse().unwrap();
        for shift in (1..100).chain(1..3) {
            let mut x = [0u32, 1];
            let transform = Transform::new(Algebra::WordField(field), 2).on_coset([shift]);
            runner.run_in_place(transform.clone(), &mut x).unwrap();
            assert_eq!(u64::from(x[0]), shift);
            assert_eq!(*runner.plan(&transform.clone().in_place()).unwrap().transform(), transform.in_place());
        }
    }
}

#[test]
fn slices_of_other_lengths_are_refused() {
    let field: WordField = "babybear".parse().unwrap();
    let transform = Transform::new(Algebra::WordField(field), 8).normalization(Normalization::None);
    for device in devices() {
        let runner = HostRunner::new(device);
        let refused = |result| matches!(result, Err(Error::BufferLength { .. }));
        assert!(refused(runner.run_in_place(transform.clone(), &mut [1u32; 9])));
        assert!(refused(runner.run(&transform, &[1u32; 7], &mut [1u32; 8])));
        assert!(refused(runner.run(&transform, &[1u32; 8], &mut [1u32; 9])));
        assert!(matches!(runner.run(&transform, &[1u64; 8], &mut [1u32; 8]), Err(Error::ElementType { .. })));
    }
}
