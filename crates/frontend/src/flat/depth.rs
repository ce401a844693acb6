//! Cloning and freeing bodies, which nest as deep as the source has statements: a match is a case around all that follows.

use std::mem;

use super::{Body, Value};

impl Clone for Body {
    fn clone(&self) -> Self {
        term::deeper(|| Body { steps: self.steps.clone(), result: self.result.clone() })
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        if !self.steps.is_empty() {
            let steps = mem::take(&mut self.steps);
            term::deeper(|| drop(steps));
        }
    }
}

impl Body {
    /// A body of these steps with this result.
    pub fn new(steps: Vec<super::LetStep>, result: Vec<Value>) -> Body {
        Body { steps, result }
    }
}
