//! NumPy's `.npy` files: every version of the header, both orders, both endiannesses; elements of the kinds that
//! transforms take.

mod header;
mod read;
mod resized;
mod write;

pub use header::{Header, Kind};
pub use read::{MAGIC, Reader};
pub use resized::Resized;
pub use write::Writer;

#[cfg(test)]
mod tests;
