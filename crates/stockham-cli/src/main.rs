//! The `stockham` command.
fn main() {}
