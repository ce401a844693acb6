//! One function to explore, with what holds for it alone.

use search::Ignore;
use term::Mfa;

/// A function to explore.
pub struct Job {
    pub function: Mfa,
    /// Exceptions that are not findings.
    pub ignore: Vec<Ignore>,
    /// A function that is true for the allowed inputs.
    pub precondition: Option<Mfa>,
}
