//! Places in the source.

/// A place in a source file; line 0 means that the compiler made it up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Location {
    /// Index into [`crate::Unit::files`].
    pub file: u16,
    pub line: u32,
    pub column: u32,
}

impl Location {
    /// The location of compiler-made code.
    pub const NONE: Location = Location { file: 0, line: 0, column: 0 };

    /// True if the source has a line for it.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}
