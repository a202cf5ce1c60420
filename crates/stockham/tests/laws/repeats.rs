//! Runs again and again: with the same operands, whose contents change, with others, and in several threads. Short ones are
//! recorded at their second run where a device can.

use stockham::accuracy::random;
use stockham::{Buffer, Device, Executable, Transform};

use crate::common::{Poison, assert_close, batch_case, everywhere, is_slow, run, same_bits};

/// The logarithms of the lengths: on a GPU the last takes several launches, which are what is recorded, and the others one or
/// several.
fn logs(device: &Device) -> &'static [u32] {
    if is_slow(device) { &[12, 13] } else { &[12, 13, 16, 17] }
}

/// The memory of one run after the other.
struct Operands<T> {
    input: Buffer<T>,
    output: Buffer<T>,
    workspace: Buffer<T>,
}

impl<T: Poison> Operands<T> {
    /// Everything begins so many elements behind the beginning of its memory.
    fn new(device: &Device, executable: &Executable, offset: usize) -> Self {
        let alloc = |len: usize| device.upload(&vec![T::poison(); len + offset]).unwrap();
        let n = executable.transform().points();
        Self { input: alloc(n), output: alloc(n), workspace: alloc(executable.workspace_len()) }
    }

    fn run(&mut self, executable: &Executable, x: &[T], offset: usize) -> Vec<T> {
        let (n, space) = (x.len(), executable.workspace_len());
        let stream = executable.device().default_stream();
        self.input.write(&[&vec![T::poison(); offset], x].concat()).unwrap();
        self.output.write(&vec![T::poison(); n + offset]).unwrap();
        let input = self.input.slice(offset..offset + n).unwrap();
        let output = self.output.slice_mut(offset..offset + n).unwrap();
        executable.run_on(stream, input, output, self.workspace.slice_mut(offset..offset + space).unwrap()).unwrap();
        stream.synchronize().unwrap();
        self.output.slice(offset..offset + n).unwrap().to_vec().unwrap()
    }
}

#[test]
fn every_run_computes_what_its_input_asks_for() {
    fn agree<T: Poison>(device: &Device) {
        for log in logs(device) {
            let transform = Transform::new(T::ALGEBRA, 1 << log);
            let executable = device.plan(&transform).unwrap();
            let [first, second] = [1, 2].map(|seed| batch_case::<T>(&transform, seed));
            // The other ones begin within their memory.
            let (mut here, mut there) = (Operands::new(device, &executable, 0), Operands::new(device, &executable, 6));
            let check = |operands: &mut Operands<T>, (x, expected): &(Vec<T>, Vec<T::Wide>), offset: usize| {
                let y = operands.run(&executable, x, offset);
                assert_close(&y, expected, x.len(), 1.5, || format!("{executable:?}"));
                y
            };
            let before = check(&mut here, &first, 0);
            for _ in 0..4 {
                check(&mut here, &second, 0);
                check(&mut there, &second, 6);
                let y = check(&mut there, &first, 6);
                assert!(same_bits(&y, &before), "{executable:?} computes something else another time");
                check(&mut here, &first, 0);
            }
        }
    }
    everywhere!(agree);
}

/// More operands than recordings are kept, and one transform in several threads at once, each with its own stream.
#[test]
fn threads_do_not_mix() {
    fn agree<T: Poison>(device: &Device, n: usize) {
        let transform = Transform::new(T::ALGEBRA, n).in_place();
        let executable = device.plan(&transform).unwrap();
        let cases: Vec<_> = (0..3).map(|seed| batch_case::<T>(&transform, seed)).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (executable, cases) = (&executable, &cases);
                scope.spawn(move || {
                    let mut runners: Vec<_> = (0..3).map(|_| executable.runner::<T>().unwrap()).collect();
                    let mut data: Vec<_> = (0..3).map(|_| device.alloc::<T>(n).unwrap()).collect();
                    for round in 0..6 {
                        for (i, (runner, data)) in runners.iter_mut().zip(&mut data).enumerate() {
                            let (x, expected) = &cases[(thread + round + i) % 3];
                            data.write(x).unwrap();
                            runner.run_in_place(&mut *data).unwrap();
                            runner.stream().synchronize().unwrap();
                            let y = data.to_vec().unwrap();
                            assert_close(&y, expected, n, 1.5, || format!("{executable:?}, round {round}"));
                        }
                    }
                });
            }
        });
    }
    fn at_all_lengths<T: Poison>(device: &Device) {
        logs(device).iter().for_each(|log| agree::<T>(device, 1 << log));
    }
    everywhere!(at_all_lengths);
}

/// What was recorded for memory that is gone serves, or does not, what lies in its place: either way the result is right.
#[test]
fn memory_may_come_and_go() {
    fn agree<T: Poison>(device: &Device) {
        for log in logs(device) {
            let transform = Transform::new(T::ALGEBRA, 1 << log);
            let x = random::<T>(1 << log, 7);
            let expected = run(device, &transform, &x).unwrap();
            let executable = device.plan(&transform).unwrap();
            for _ in 0..6 {
                let mut operands = Operands::new(device, &executable, 0);
                for _ in 0..3 {
                    let y = operands.run(&executable, &x, 0);
                    assert!(same_bits(&y, &expected));
                }
            }
        }
    }
    everywhere!(agree);
}
