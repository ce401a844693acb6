//! Atoms as names: the text that an atom is, and the atom that a text is.

use term::{Atom, Term};

use crate::{Arena, Evaluator, Expr, Node, Undefined};

impl Arena {
    /// The characters of an atom, as a list.
    pub fn name(&mut self, atom: Expr) -> Expr {
        self.make(Node::Name(atom))
    }

    /// The atom of these characters.
    pub fn atom(&mut self, text: Expr) -> Expr {
        self.make(Node::Atom(text))
    }

    pub(crate) fn simplify_name(&mut self, atom: Expr) -> Option<Expr> {
        match self.node(atom) {
            Node::Atom(text) => Some(*text),
            Node::Literal(Term::Atom(_, atom)) => {
                let text = Term::string(atom.name());
                Some(self.literal(text))
            }
            _ => None,
        }
    }

    pub(crate) fn simplify_atom(&mut self, text: Expr) -> Option<Expr> {
        if let Node::Name(atom) = self.node(text) {
            return Some(*atom);
        }
        let atom = self.as_literal(text).and_then(of_text)?;
        Some(self.literal(Term::atom(atom)))
    }
}

/// Returns true if a term is the number of a character.
pub fn is_character(term: &Term) -> bool {
    term.as_i64().and_then(|point| u32::try_from(point).ok()).and_then(char::from_u32).is_some()
}

/// The atom whose name a list of characters is; nothing if it is none, or too long.
pub fn of_text(text: &Term) -> Option<Atom> {
    let mut name = String::new();
    let mut cells = text.cells();
    for (at, cell) in cells.by_ref().enumerate() {
        let point = u32::try_from(cell.as_i64()?).ok()?;
        name.push(char::from_u32(point).filter(|_| at < Atom::MAX_CHARS)?);
    }
    matches!(cells.rest(), Term::Nil(_)).then(|| Atom::new(&name))
}

impl Evaluator<'_> {
    pub(crate) fn name_of(&mut self, atom: Expr) -> Result<Term, Undefined> {
        let atom = self.value(atom)?.as_atom().ok_or(Undefined)?;
        Ok(Term::string(atom.name()))
    }

    pub(crate) fn atom_of(&mut self, text: Expr) -> Result<Term, Undefined> {
        of_text(&self.value(text)?).map(Term::atom).ok_or(Undefined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate;

    #[test]
    fn a_name_and_its_atom_are_each_other() {
        let mut arena = Arena::new();
        let (atom, text) = (arena.input(0), arena.input(1));
        let (name, made) = (arena.name(atom), arena.atom(text));
        assert_eq!(arena.atom(name), atom);
        assert_eq!(arena.name(made), text);
        let inputs = [Term::atom_named("née"), Term::string("ok")];
        assert_eq!(evaluate(&arena, name, &inputs), Ok(Term::string("née")));
        assert_eq!(evaluate(&arena, made, &inputs), Ok(Term::atom_named("ok")));
        assert_eq!(evaluate(&arena, name, &[Term::int(1)]), Err(Undefined));
    }

    #[test]
    fn not_every_list_is_a_name() {
        assert_eq!(of_text(&Term::nil()), Some(term::known::EMPTY));
        assert_eq!(of_text(&Term::list([Term::int(0xd800)])), None);
        assert_eq!(of_text(&Term::list([Term::int(0x11_0000)])), None);
        assert_eq!(of_text(&Term::string(&"x".repeat(256))), None);
        assert!(of_text(&Term::string(&"é".repeat(255))).is_some());
    }
}
