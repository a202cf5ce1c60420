//! The readme of the repository shows code that the crate's readme compiles as a test of the documentation.

use std::path::Path;

#[test]
fn the_readmes_show_the_same_code() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A published crate has no repository around it.
    let Ok(shown) = std::fs::read_to_string(package.join("../../README.md")) else { return };
    let compiled = include_str!("../README.md").lines().filter(|line| !line.starts_with("# Ok"));
    let compiled: String = compiled.map(|line| format!("{line}\n")).collect();
    let blocks: Vec<&str> = shown.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        assert!(compiled.contains(block), "not in the crate's readme:\n{block}");
    }
}
