//! A progress bar on standard error; nothing where that is no terminal.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// A bar of that many steps, which goes when it is dropped.
pub fn bar(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64).with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}") {
        bar.set_style(style);
    }
    bar
}
