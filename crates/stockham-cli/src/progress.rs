//! A progress bar on standard error; nothing where that is no terminal, or nothing is to be told.

use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// There will be no bars.
pub fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// A bar of that many steps, which goes when it is dropped.
pub fn bar(steps: usize) -> ProgressBar {
    if IS_QUIET.load(Ordering::Relaxed) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64).with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}") {
        bar.set_style(style);
    }
    bar
}

/// What a command does one after the other.
pub struct Stages(ProgressBar);

impl Stages {
    /// So many of them.
    pub fn new(count: usize) -> Self {
        Self(bar(count))
    }

    /// Does something that prints, with the bar out of its way.
    pub fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        self.0.suspend(print)
    }

    /// The next one begins.
    pub fn next(&self, what: &'static str) {
        self.0.set_message(what);
        self.0.inc(1);
    }
}
