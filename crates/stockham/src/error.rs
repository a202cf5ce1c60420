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
    /// What is to be done to a signal makes no sense.
    #[error("the {what} is {found}, where the signal needs {expected}")]
    Signal {
        /// What was given.
        what: &'static str,
        /// What would make sense.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A buffer has the wrong number of values.
    #[error("the {buffer} has {found} values where the transform needs {expected}")]
    BufferLength {
        /// Which buffer: input, output or workspace.
        buffer: &'static str,
        /// Values needed: elements, or digits of a big prime's elements.
        expected: usize,
        /// Values given.
        found: usize,
    },
    /// A buffer holds another algebra's elements.
    #[error("the {buffer} holds {found} values where the transform works on {expected}")]
    ElementType {
        /// Which buffer.
        buffer: &'static str,
        /// The transform's algebra.
        expected: &'static str,
        /// The buffer's values.
        found: &'static str,
    },
    /// Two of input, output and workspace share memory. Views of one buffer cannot, but buffers of foreign memory may.
    #[error("the {first} and the {second} overlap: give separate ranges, or plan the transform in place")]
    Overlap {
        /// One range.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// Memory that begins where numbers of its kind cannot be read: that of another library, or within a complex number.
    #[error("the {what} at {address:#x} does not begin at a multiple of {alignment} bytes")]
    Alignment {
        /// What was given.
        what: &'static str,
        /// Where it begins.
        address: u64,
        /// Bytes at a multiple of which it should.
        alignment: usize,
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
    /// A digit outside the range of a big prime's digits.
    #[error("digit {digit} of element {element} is {value}, but {field} has digits below its radix {radix}")]
    Digit {
        /// The element.
        element: usize,
        /// The digit, the lowest being 0.
        digit: usize,
        /// Its value.
        value: u64,
        /// The field.
        field: &'static str,
        /// The field's radix.
        radix: u64,
    },
    /// A residue that is not below the field's prime.
    #[error("element {element} is not below the prime of the field {field}")]
    Residue {
        /// The element.
        element: usize,
        /// The field.
        field: &'static str,
    },
    /// A number that is no root of unity of the order that a field's transforms come from.
    #[error("{root} is no root of unity of order 2^{two_adicity} in the field {field}")]
    Root {
        /// The field.
        field: &'static str,
        /// The number.
        root: String,
        /// The largest m such that 2^m divides p − 1.
        two_adicity: u32,
    },
    /// An integer beyond a residue number system.
    #[error("integer {element} is not below the product of the {primes} primes of its residues")]
    ResidueRange {
        /// The integer.
        element: usize,
        /// The number of primes.
        primes: usize,
    },
    /// r^k + 1 is not prime.
    #[error("{r}^{k} + 1 is not prime")]
    NotPrime {
        /// The radix.
        r: u64,
        /// The exponent.
        k: u32,
    },
    /// A text that cannot be read.
    #[error("'{found}' is not {what}: expected {expected}")]
    Syntax {
        /// What it should describe.
        what: &'static str,
        /// The text.
        found: String,
        /// What it should look like.
        expected: String,
    },
    /// A text is no number.
    #[error("{reason} at byte {position}")]
    Number {
        /// Where, counted in bytes from 1.
        position: usize,
        /// What stands there, and what should.
        reason: String,
    },
    /// Numbers written in different bases.
    #[error("one number is {first} and the other {second}: write both in one base")]
    Bases {
        /// The base of the first.
        first: &'static str,
        /// The base of the second.
        second: &'static str,
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
    /// The host's threads cannot be so many.
    #[error("cannot compute with {requested} threads: {reason}")]
    Threads {
        /// The threads asked for.
        requested: usize,
        /// Why not.
        reason: String,
    },
    /// A file could not be read.
    #[error("cannot read {path}: {message}")]
    ReadFile {
        /// The file.
        path: String,
        /// The system's words.
        message: String,
    },
    /// A file could not be written.
    #[error("cannot write {path}: {message}")]
    WriteFile {
        /// The file.
        path: String,
        /// The system's words.
        message: String,
    },
    /// A file holds no wisdom that this version can read.
    #[error("{path} is no wisdom file: {reason}")]
    Wisdom {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
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
