//! The operations of the `crypto` module.

use crate::policy::Policy;
use crate::{Gives, Operation};

pub(crate) const OPERATIONS: &[Operation] = &[Operation::vm("hash", 2, Policy::Pure).gives(Gives::Binary)];
