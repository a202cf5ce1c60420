//! Several kernels at a time.

use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Result;
use crate::kernel::KernelText;

/// Compilers that live in this process recurse over long texts: PoCL's overflows the 2 MiB of an ordinary thread on
/// kernels over fields of 64 digits. Memory that is not touched costs nothing.
const STACK_BYTES: usize = 64 << 20;

/// Compiles each text as a task of its own: compilers take long and use one core.
pub(super) fn in_parallel<T: Send>(
    texts: &[KernelText],
    compile: impl Fn(&KernelText) -> Result<T> + Send + Sync,
) -> Result<Vec<T>> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| ThreadPoolBuilder::new().stack_size(STACK_BYTES).build().ok());
    let all = || texts.par_iter().map(compile).collect();
    match pool {
        Some(pool) => pool.install(all),
        None => all(),
    }
}
