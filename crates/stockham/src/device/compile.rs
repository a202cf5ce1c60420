//! Several kernels at a time.

use std::panic::resume_unwind;

use crate::error::Result;
use crate::kernel::KernelText;

/// Compiles each text on a thread of its own: compilers take long and use one core.
pub(super) fn in_parallel<T: Send>(
    texts: &[KernelText],
    compile: impl Fn(&KernelText) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let Some((first, others)) = texts.split_first() else { return Ok(Vec::new()) };
    let compile = &compile;
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter().map(|text| scope.spawn(move || compile(text))).collect();
        let mut compiled = vec![compile(first)];
        for other in others {
            compiled.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        compiled.into_iter().collect()
    })
}
