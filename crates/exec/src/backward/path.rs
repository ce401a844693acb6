//! Partial paths: the segments of a path to a goal, as far as it has been followed back, in the order of control.

use std::rc::Rc;

use super::program::{FunctionId, ProgramPoint};

/// A segment of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathSegment {
    /// The instructions of a block from one place to another ended, each with a value.
    Run { from: ProgramPoint, to: u32 },
    /// The test at the end of a block had this answer.
    Test { function: FunctionId, block: u32, holds: bool },
    /// From the dominator of this block to it, on any path.
    Skip { function: FunctionId, block: u32 },
    /// Something in the block raised an exception that its handler caught.
    Raised { function: FunctionId, block: u32 },
    /// The call there began.
    Call { at: ProgramPoint, callee: FunctionId },
    /// The fun that is made there was called by unknown code.
    Fun { at: ProgramPoint, callee: FunctionId },
    /// The function ended in that block, and the call there had its value.
    Return { function: FunctionId, block: u32, to: ProgramPoint },
    /// The same for a block that ends with a tail call, which was not entered.
    Tail { function: FunctionId, block: u32, to: ProgramPoint },
}

impl PathSegment {
    /// The function that runs where the segment begins.
    pub(super) fn function(self) -> FunctionId {
        match self {
            PathSegment::Run { from: at, .. } | PathSegment::Call { at, .. } | PathSegment::Fun { at, .. } => {
                at.function
            }
            PathSegment::Test { function, .. }
            | PathSegment::Skip { function, .. }
            | PathSegment::Raised { function, .. }
            | PathSegment::Return { function, .. }
            | PathSegment::Tail { function, .. } => function,
        }
    }
}

/// Segments, the earliest first; shared with the paths that branched off later.
#[derive(Clone, Default)]
pub struct PartialPath(Option<Rc<Link>>);

struct Link {
    segment: PathSegment,
    next: PartialPath,
}

impl PartialPath {
    /// The same path with a segment before it.
    pub fn after(&self, segment: PathSegment) -> PartialPath {
        PartialPath(Some(Rc::new(Link { segment, next: self.clone() })))
    }

    /// The segments, the earliest first.
    pub fn segments(&self) -> impl Iterator<Item = PathSegment> + '_ {
        let mut rest = self;
        std::iter::from_fn(move || {
            let link = rest.0.as_ref()?;
            rest = &link.next;
            Some(link.segment)
        })
    }

    /// The number of straight segments between two branches.
    pub fn length(&self) -> u64 {
        self.segments().filter(|segment| matches!(segment, PathSegment::Run { .. })).count() as u64
    }
}

impl Drop for PartialPath {
    /// A long path must not end in as many calls.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(link) = rest {
            match Rc::try_unwrap(link) {
                Ok(mut link) => rest = link.next.0.take(),
                Err(_) => break,
            }
        }
    }
}
