//! Registered names: what is done with a name depends on which of those that are registered it is.

use constraint::Type;
use term::Term;

use super::watch::Watch;

const IS_ATOM: u32 = 1;
const NAME: u32 = 2;

impl Watch<'_> {
    /// Asks whether a value that carries a mark is an atom, and which of these names it is.
    pub fn registered_name(&mut self, value: &Term, names: &[Term]) {
        let Some(expr) = self.expr_of(value) else { return };
        if self.is(IS_ATOM, value, Type::Atom) {
            self.is_one_of(NAME, expr, value, names.iter().cloned());
        }
    }
}
