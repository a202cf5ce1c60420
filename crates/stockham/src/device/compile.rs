//! Several kernels at a time.

use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Result;
use crate::kernel::KernelText;
use crate::threads;

/// Compilers that live in this process recurse over long texts: PoCL's overflows the 2 MiB of an ordinary thread on
/// kernels over fields of 64 digits. Memory that is not touched costs nothing.
const STACK_BYTES: usize = 64 << 20;

/// The threads that compile.
fn pool() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let builder = || ThreadPoolBuilder::new().num_threads(threads::start(None).unwrap_or(1));
    POOL.get_or_init(|| builder().stack_size(STACK_BYTES).build().ok()).as_ref()
}

/// Compiles something, while the calling thread does something else.
pub(super) fn beside<A: Send, B>(compile: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    let Some(pool) = pool() else { return (compile(), other()) };
    let mut compiled = None;
    let made = pool.in_place_scope(|scope| {
        scope.spawn(|_| compiled = Some(compile()));
        other()
    });
    (compiled.expect("a scope ends when all in it is done"), made)
}

/// Compiles each text as a task of its own, and equal ones once: compilers take long and use one core.
pub(super) fn in_parallel<T: Clone + Send>(
    texts: &[KernelText],
    compile: impl Fn(&KernelText) -> Result<T> + Send + Sync,
) -> Result<Vec<T>> {
    let mut distinct: Vec<&KernelText> = Vec::new();
    let mut place = |text| {
        distinct.iter().position(|&other| other == text).unwrap_or_else(|| {
            distinct.push(text);
            distinct.len() - 1
        })
    };
    let places: Vec<usize> = texts.iter().map(&mut place).collect();
    let all = || distinct.par_iter().map(|text| compile(text)).collect::<Result<Vec<T>>>();
    let compiled = match pool() {
        Some(pool) => pool.install(all),
        None => all(),
    }?;
    Ok(places.into_iter().map(|place| compiled[place].clone()).collect())
}
