//! Convolutions of several long transforms, whose work-groups go through slices of all of them.

use stockham::accuracy::random;
use stockham::{Complex32, Complex64, Device, Dim, Transform};

use crate::common::{Poison, assert_close, devices, is_cpu, is_slow, run};

/// Each of a batch is what it is alone, whatever else is between them.
#[test]
fn long_convolutions_agree_with_one_alone() {
    fn agree<T: Poison>(device: &Device, n: usize) {
        let alone = Transform::new(T::ALGEBRA, n);
        let executable = device.plan(&alone).unwrap();
        let of_one = |x: &[T]| {
            let mut y = device.upload(&vec![T::poison(); n]).unwrap();
            executable.run(&device.upload(x).unwrap(), &mut y).unwrap();
            y.to_vec().unwrap()
        };
        let with_gaps = vec![Dim::new(2, 2 * (n + 5)), Dim::new(2, n + 5)];
        let batches = if is_slow(device) { vec![with_gaps] } else { vec![vec![Dim::new(3, n)], with_gaps] };
        for batch in batches {
            let lines = batch.iter().map(|dim| dim.n).product::<usize>();
            let stride = batch.last().unwrap().input_stride;
            let transform = alone.clone().with_batch(batch);
            let x = random::<T>(transform.input_len(), n as u64);
            let y = run(device, &transform, &x).unwrap();
            for line in 0..lines {
                let place = line * stride..line * stride + n;
                let expected: Vec<T::Wide> = of_one(&x[place.clone()]).iter().map(|v| v.widen()).collect();
                assert_close(&y[place], &expected, n, 2.0, || format!("line {line} of {transform:?}"));
            }
        }
    }
    for device in devices().into_iter().filter(|device| !is_cpu(device)) {
        agree::<Complex32>(&device, 300_007);
        if !is_slow(&device) {
            agree::<Complex64>(&device, 140_009);
        }
    }
}
