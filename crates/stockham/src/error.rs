//! The one error type of the library: every variant says what was expected and what was found.

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong, with what was expected and what was found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The transform is well described, but this version or this device does not execute it.
    #[error("{what} is not supported: {reason}")]
    Unsupported {
        /// What was asked for.
        what: String,
        /// Why it is not executed, and what would be.
        reason: String,
    },
    /// The description of a transform contradicts itself.
    #[error("invalid transform: {0}")]
    InvalidTransform(String),
    /// A buffer has the wrong number of elements.
    #[error("the {buffer} has {found} elements where the transform needs {expected}")]
    BufferLength {
        /// Which buffer: input, output or workspace.
        buffer: &'static str,
        /// Elements needed.
        expected: usize,
        /// Elements given.
        found: usize,
    },
    /// A buffer holds another algebra's elements.
    #[error("the {buffer} holds {found} elements where the transform works on {expected}")]
    ElementType {
        /// Which buffer.
        buffer: &'static str,
        /// The transform's algebra.
        expected: &'static str,
        /// The buffer's algebra.
        found: &'static str,
    },
    /// Input and output overlap without being the same range, or a workspace overlaps either.
    #[error("the {first} and the {second} overlap: give separate ranges, or plan the transform in place")]
    Overlap {
        /// One range.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// An executable was called in the other placement than the one it was planned for.
    #[error("the transform was planned {expected} and was called {found}")]
    Placement {
        /// The planned placement.
        expected: &'static str,
        /// The placement of the call.
        found: &'static str,
    },
    /// A value outside a field's range.
    #[error("element {index} is {value}, but {field} holds values below {modulus}")]
    FieldValue {
        /// Where the value stands.
        index: usize,
        /// The value.
        value: u64,
        /// The field.
        field: &'static str,
        /// The field's modulus.
        modulus: u64,
    },
    /// No device has that name.
    #[error("there is no device '{name}'; found: {found}")]
    DeviceNotFound {
        /// The name asked for.
        name: String,
        /// The names of the devices found.
        found: String,
    },
    /// Memory, stream and executable belong to different devices.
    #[error("the {what} belongs to another device than {device}")]
    DeviceMismatch {
        /// What was given.
        what: &'static str,
        /// The device that was asked to work on it.
        device: String,
    },
    /// The device's memory does not suffice.
    #[error("{device} has no room for {requested} bytes more (it has {total} bytes in all)")]
    OutOfMemory {
        /// The device.
        device: String,
        /// Bytes asked for.
        requested: u64,
        /// The device's memory in bytes.
        total: u64,
    },
    /// A generated kernel was refused by the device's compiler: a fault of this library or of the driver.
    #[error("{device} could not compile kernel {kernel}: {log}")]
    Compile {
        /// The device.
        device: String,
        /// The kernel's name.
        kernel: String,
        /// The compiler's words.
        log: String,
    },
    /// A driver call failed.
    #[error("{device}: {call} failed: {message}")]
    Driver {
        /// The device.
        device: String,
        /// The driver's function.
        call: &'static str,
        /// The driver's answer.
        message: String,
    },
}

impl Error {
    pub(crate) fn unsupported(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), reason: reason.into() }
    }
}
