//! Guards: a body that decides, in which an exception means no.

use ir::{BlockId, Catch};

use super::Lowering;
use super::place::Place;
use crate::flat::Body;

impl<'a> Lowering<'_, 'a> {
    /// Goes on if the guard holds, to `fail` otherwise; whether it can fail.
    pub fn guard(&mut self, guard: &'a Body, fail: BlockId) -> bool {
        if guard.is_bool(true) || !self.builder.is_live() {
            return false;
        }
        let yes = self.builder.block(self.handler);
        let raised = self.builder.catch_block(self.handler, Catch::default());
        let start = self.builder.block(Some(raised));
        let at = self.at;
        self.builder.jump(start, at);
        self.builder.start(raised);
        self.builder.jump(fail, at);

        self.builder.start(start);
        let outside = (self.handler.replace(raised), std::mem::replace(&mut self.in_guard, true));
        self.body(guard, &Place::Branch { yes, no: fail });
        (self.handler, self.in_guard) = outside;
        self.at = at;
        self.builder.start(yes);
        true
    }
}
