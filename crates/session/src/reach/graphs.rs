//! Graphs for the search, from the library.

use std::rc::Rc;

use search::reach::Graphs;
use term::Mfa;

use crate::session::{Outside, Shared};

pub struct Shelf(pub Shared);

impl Graphs for Shelf {
    fn unit(&mut self, function: Mfa) -> Option<Rc<ir::Unit>> {
        let mut outside = self.0.borrow_mut();
        let Outside { host, library, .. } = &mut *outside;
        library.graph(host, function).map(|(unit, _)| unit)
    }
}
