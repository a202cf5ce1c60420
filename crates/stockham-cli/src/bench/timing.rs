//! The library's timing, of submissions that may fail as the command does.

use stockham::Stream;
use stockham::timing;

use crate::error::Result;

pub use stockham::timing::Patience;

/// The median time of one submission, in milliseconds, for figures.
pub fn measure(stream: &Stream, submit: &mut dyn FnMut() -> Result<()>) -> Result<f64> {
    measure_with(Patience::FIGURE, stream, submit)
}

/// The same with more or less patience.
pub fn measure_with(patience: Patience, stream: &Stream, submit: &mut dyn FnMut() -> Result<()>) -> Result<f64> {
    timing::measure(patience, stream, submit)
}
