//! Signals on every device of this machine, or on the one that the environment variable `STOCKHAM_TEST_DEVICE` names.

// Shared with the laws, which use all of it; signals use a part.
#[allow(dead_code, unused_imports, unused_macros)]
#[path = "../laws/common.rs"]
mod common;
mod convolutions;
mod filters;
mod lengths;
mod spectra;
