//! Convolutions of several long transforms, whose work-groups go through slices of all of them.

use stockham::accuracy::random;
use stockham::{Complex32, Complex64, Device, Dim, Transform};

use crate::common::{Poison, assert_close, devices, is_cpu, run};

/// Each of a batch is what it is alone, whatever else is between them.
#[test]
fn long_convolutions_agree_with_one_alone() {
    fn agree<T: Poison>(device: &Device, n: usize) {
        let alone = Transform::new(T::ALGEBRA, n);
        let batches = [vec![Dim::new(3, n)], vec![Dim::new(2, 2 * (n + 5)), Dim::new(2, n + 5)]];
        for batch in batches {
            let (lines, gap) = (batch.iter().map(|dim| dim.n).product::<usize>(), batch.last().unwrap().input_stride);
            let transform = alone.clone().with_batch(batch);
            let x = random::<T>(transform.input_len(), n as u64);
            let y = run(device, &transform, &x).unwrap();
            for line in 0..lines {
                let place = line * gap..line * gap + n;
                let expected = run(device, &alone, &x[place.clone()]).unwrap();
                let expected: Vec<T::Wide> = expected.iter().map(|v| v.widen()).collect();
                assert_close(&y[place], &expected, n, 2.0, || format!("line {line} of {transform:?}"));
            }
        }
    }
    for device in devices().into_iter().filter(|device| !is_cpu(device)) {
        agree::<Complex32>(&device, 300_007);
        agree::<Complex64>(&device, 140_009);
    }
}
