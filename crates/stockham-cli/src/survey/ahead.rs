//! Plans that are made while others are measured: compilers take longer than measurements.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use stockham::{Device, Executable, Transform};

use crate::error::Result;

/// Plans transforms in threads of their own, with what else is made of each, and takes them as they come, until `take` says that it is
/// enough.
pub fn plan<B: Send>(
    device: &Device,
    transforms: &[Transform],
    beside: impl Fn(&Transform) -> B + Sync,
    mut take: impl FnMut(stockham::Result<Executable>, B) -> Result<bool>,
) -> Result<()> {
    // One core is for whoever measures.
    let threads = thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
    let next = AtomicUsize::new(0);
    let (sender, receiver) = sync_channel(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, beside) = (sender.clone(), &next, &beside);
            scope.spawn(move || {
                while let Some(transform) = transforms.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody waits for more.
                    if sender.send((device.plan(transform), beside(transform))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        for (executable, beside) in &receiver {
            match take(executable, beside) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        drop(receiver);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::Algebra;

    #[test]
    fn all_are_planned_or_as_many_as_are_wanted() {
        let transforms: Vec<Transform> = (1..=40).map(|n| Transform::new(Algebra::ComplexF32, n)).collect();
        for wanted in [100, 5] {
            let mut seen = Vec::new();
            plan(&Device::cpu(), &transforms, Transform::points, |executable, points| {
                assert_eq!(executable?.transform().points(), points);
                seen.push(points);
                Ok(seen.len() < wanted)
            })
            .unwrap();
            assert_eq!(seen.len(), wanted.min(40));
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), wanted.min(40));
        }
        let failed = plan(&Device::cpu(), &transforms, |_| (), |_, ()| Err(crate::error::Error::input("no")));
        assert!(failed.is_err());
    }
}
