//! Repeated operations leave what the host's arithmetic makes.

use stockham::algebra::Root;
use stockham::repetition::{Operation, Repetition};
use stockham::{BigPrime, Device, Digit};

use crate::common::devices;

fn check<D: Digit>(device: &Device, prime: BigPrime) {
    let (k, order, field) = (prime.digits(), prime.base_order(), prime.field());
    let (count, times) = (71, 6);
    let x: Vec<D> = stockham::accuracy::random_digits(prime, count, 5);
    let element = |i: usize| -> Vec<u64> { x[i * k..][..k].iter().map(|&d| d.into()).collect() };
    // Six butterflies are three times two, of which each leaves twice what was there.
    let mut eight = vec![0; k];
    eight[0] = 8;
    let product = |i: usize| (0..times).fold(element(i), |x, _| field.multiply(&x, &x));
    let butterfly = |i: usize| if i + 1 == count { element(i) } else { field.multiply(&element(i), &eight) };
    let rotation = |i: usize| {
        let turns = (0..times as usize).map(|t| i + t).sum::<usize>();
        field.multiply(&element(i), &field.root(Root::new(turns % order, order)))
    };
    let expected = |operation: Operation, i: usize| match operation {
        Operation::Product => product(i),
        Operation::Butterfly => butterfly(i),
        Operation::Rotation => rotation(i),
    };
    for operation in [Operation::Product, Operation::Butterfly, Operation::Rotation] {
        let mut data = device.upload(&x).unwrap();
        let repetition = Repetition::plan(device, prime, operation, times).unwrap();
        repetition.run(device.default_stream(), &mut data).unwrap();
        let found = data.to_vec().unwrap();
        for i in 0..count {
            let element: Vec<u64> = found[i * k..][..k].iter().map(|&d| d.into()).collect();
            assert_eq!(element, expected(operation, i), "{operation:?} of element {i} over {prime} on {device:?}");
        }
    }
}

#[test]
fn repeated_operations_are_those_of_the_field() {
    for device in devices() {
        check::<u64>(&device, BigPrime::P1);
        check::<u64>(&device, BigPrime::P3);
        check::<u32>(&device, BigPrime::G8);
    }
}
