//! What a backend tells of the devices that it found.

use super::DeviceInfo;

/// A backend, or a part of one, that is not there.
#[derive(Debug, Clone)]
pub struct Missing {
    /// The backend or the library.
    pub what: String,
    /// Why, and how to get it.
    pub reason: String,
}

/// What a backend found.
pub(super) struct Listing {
    pub(super) found: Vec<Candidate>,
    pub(super) missing: Vec<Missing>,
}

/// A device that a backend found.
pub(super) struct Candidate {
    pub(super) info: DeviceInfo,
    /// Whether it may be chosen for a user who named none.
    pub(super) unasked: bool,
}
