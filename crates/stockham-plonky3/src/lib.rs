#![doc = include_str!("../README.md")]

mod dft;
mod encoder;
mod field;

pub use dft::StockhamDft;
pub use encoder::ReedSolomon;
pub use field::DeviceField;
