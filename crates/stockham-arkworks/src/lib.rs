#![doc = include_str!("../README.md")]

mod domain;
mod field;
mod transforms;

pub use domain::{StockhamDomain, use_device};
pub use field::DeviceField;
pub use transforms::DomainTransforms;
