//! The natives of the `math` module.

use crate::Entry;

pub(crate) const NATIVES: &[Entry] = &[];
