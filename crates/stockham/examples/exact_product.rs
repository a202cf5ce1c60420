//! The square of 2^400000 − 1, exactly and in the base it is written in.
//!
//! `cargo run --release -p stockham --example exact_product`

use stockham::integer::{Integer, multiply};
use stockham::{Device, Result};

fn main() -> Result<()> {
    // 2^400000 − 1 is 100000 hexadecimal digits f.
    let mersenne: Integer = format!("0x{}", "f".repeat(100_000)).parse()?;
    let device = Device::best()?;
    let square = multiply(&device, &mersenne, &mersenne)?;
    // (2^n − 1)² = 2^(2n) − 2^(n+1) + 1.
    let expected = format!("0x{}e{}1", "f".repeat(99_999), "0".repeat(99_999));
    assert_eq!(square.to_string(), expected);
    println!("the square has {} hexadecimal digits, each exact", square.digits().len());
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
