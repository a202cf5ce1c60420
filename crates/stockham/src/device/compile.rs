//! Several kernels at a time.

use rayon::prelude::*;

use crate::error::Result;
use crate::kernel::KernelText;

/// Compiles each text as a task of its own: compilers take long and use one core.
pub(super) fn in_parallel<T: Send>(
    texts: &[KernelText],
    compile: impl Fn(&KernelText) -> Result<T> + Send + Sync,
) -> Result<Vec<T>> {
    texts.par_iter().map(compile).collect()
}
