//! Operands: where an instruction finds its values and puts its result.

use std::fmt;

/// A place in the current frame.
pub type Slot = u16;

/// The slot of a result that is not used.
pub const NOWHERE: Slot = Slot::MAX;

/// An operand: a slot that is read for the last time, a slot that stays alive, or a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Src(u32);

/// The decoded form of a [`Src`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SrcKind {
    Last(Slot),
    Keep(Slot),
    Constant(u32),
}

impl Src {
    const CONSTANT: u32 = 1 << 31;
    const LAST: u32 = 1 << 30;

    /// The last use of a slot.
    pub fn last(slot: Slot) -> Src {
        Src(u32::from(slot) | Src::LAST)
    }

    /// A use of a slot that keeps its value.
    pub fn keep(slot: Slot) -> Src {
        Src(u32::from(slot))
    }

    /// A constant.
    pub fn constant(index: u32) -> Src {
        debug_assert!(index < Src::LAST);
        Src(index | Src::CONSTANT)
    }

    /// True for a constant.
    #[inline(always)]
    pub fn is_constant(self) -> bool {
        self.0 & Src::CONSTANT != 0
    }

    /// True if the slot dies with this reading.
    #[inline(always)]
    pub fn is_last(self) -> bool {
        self.0 & Src::LAST != 0
    }

    /// The number of the slot or constant.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & !(Src::CONSTANT | Src::LAST)) as usize
    }

    /// The kind of operand.
    #[inline(always)]
    pub fn kind(self) -> SrcKind {
        if self.is_constant() {
            SrcKind::Constant(self.index() as u32)
        } else if self.is_last() {
            SrcKind::Last(self.index() as Slot)
        } else {
            SrcKind::Keep(self.index() as Slot)
        }
    }
}

impl fmt::Debug for Src {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            SrcKind::Last(slot) => write!(f, "r{slot}!"),
            SrcKind::Keep(slot) => write!(f, "r{slot}"),
            SrcKind::Constant(index) => write!(f, "#{index}"),
        }
    }
}
