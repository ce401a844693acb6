//! The annotations of a node that mean something to us; all others are passed over.

use ir::Location;
use term::{Atom, Term};

use super::Files;

/// The annotations of a node that matter here.
#[derive(Default)]
pub struct Annotation {
    /// The source place.
    pub location: Location,
    /// The compiler made the node.
    pub generated: bool,
    /// A `letrec` whose functions are labels.
    pub goto: bool,
    /// The third part of `{id, {Index, Uniq, Name}}`.
    pub lifted: Option<Atom>,
}

impl Annotation {
    /// Reads the annotations of a node; files that they name are added to `files`.
    pub fn of(node: &Term, files: &mut Files) -> Annotation {
        let mut annotation = Annotation::default();
        let list = node.as_tuple().and_then(|fields| fields.get(1));
        list.into_iter().flat_map(Term::cells).for_each(|item| annotation.add(item, files));
        annotation
    }

    fn add(&mut self, item: &Term, files: &mut Files) {
        match item {
            Term::Int(_, line) => self.location.line = number(*line),
            Term::Atom(_, name) => self.flag(name.name()),
            Term::Tuple(_, pair) if pair.len() == 2 => self.pair(&pair[0], &pair[1], files),
            _ => {}
        }
    }

    fn flag(&mut self, name: &str) {
        match name {
            "compiler_generated" => self.generated = true,
            "letrec_goto" => self.goto = true,
            _ => {}
        }
    }

    fn pair(&mut self, left: &Term, right: &Term, files: &mut Files) {
        match (left, right) {
            (Term::Int(_, line), Term::Int(_, column)) => {
                self.location.line = number(*line);
                self.location.column = number(*column);
            }
            (Term::Atom(_, key), value) => match key.name() {
                "file" => self.location.file = text(value).map_or(0, |name| files.number(&name)),
                "id" => self.lifted = value.as_tuple().and_then(|id| id.get(2)).and_then(Term::as_atom),
                _ => {}
            },
            _ => {}
        }
    }
}

/// Compiler-made positions can be negative: unknown.
fn number(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(0)
}

fn text(value: &Term) -> Option<String> {
    let point = |item: &Term| item.as_i64().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32);
    value.cells().map(point).collect()
}
