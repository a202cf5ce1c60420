//! Signals on every device of this machine, or on the one that the environment variable `STOCKHAM_TEST_DEVICE` names.

#[allow(dead_code, unused_imports, unused_macros)]
#[path = "../laws/common.rs"]
mod common;
mod convolutions;
mod filters;
mod lengths;
mod spectra;
