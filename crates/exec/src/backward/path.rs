//! A way to a goal, as far as it has been followed back: what control did, in the order in which it did it.

use std::rc::Rc;

use super::program::{FunctionId, Spot};

/// A piece of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The instructions of a block from one place to another ended, each with a value.
    Run { from: Spot, to: u32 },
    /// The test at the end of a block had this answer.
    Test { function: FunctionId, block: u32, holds: bool },
    /// From the last block on all ways to this one, on any of them.
    Leap { function: FunctionId, block: u32 },
    /// Something in the block raised an exception that its handler caught.
    Raised { function: FunctionId, block: u32 },
    /// The call there began.
    Call { at: Spot, callee: FunctionId },
    /// The fun that is made there was called, by whomever.
    Fun { at: Spot, callee: FunctionId },
    /// The function ended in that block, and the call there had its value.
    Return { function: FunctionId, block: u32, to: Spot },
    /// The same for a block that ends with a tail call, which nobody looked into.
    Tail { function: FunctionId, block: u32, to: Spot },
}

/// Pieces, the earliest first; shared with the ways that branched off later.
#[derive(Clone, Default)]
pub struct Way(Option<Rc<Link>>);

struct Link {
    piece: Piece,
    next: Way,
}

impl Way {
    /// The same way, with something before it.
    pub fn after(&self, piece: Piece) -> Way {
        Way(Some(Rc::new(Link { piece, next: self.clone() })))
    }

    pub fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        let mut rest = self;
        std::iter::from_fn(move || {
            let link = rest.0.as_ref()?;
            rest = &link.next;
            Some(link.piece)
        })
    }

    /// Straight pieces between two choices.
    pub fn segments(&self) -> u64 {
        self.pieces().filter(|piece| matches!(piece, Piece::Run { .. })).count() as u64
    }
}

impl Drop for Way {
    /// A long way must not end in as many calls.
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
