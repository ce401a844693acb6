//! The declarations of a module: its types, records and specs, found in its attributes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use term::{Atom, Term};

/// The declarations of one module, still as abstract code.
#[derive(Default)]
pub struct Declarations {
    types: FxHashMap<(Atom, usize), TypeDeclaration>,
    records: FxHashMap<Atom, Vec<RecordField>>,
    specs: BTreeMap<(Atom, u8), Vec<Term>>,
}

pub(super) struct TypeDeclaration {
    /// The type variables.
    pub params: Vec<Atom>,
    /// The type in abstract form.
    pub body: Term,
    /// Declared with `-opaque`.
    pub opaque: bool,
}

pub(super) struct RecordField {
    /// Its name.
    pub name: Atom,
    /// `None`: the field has no type.
    pub body: Option<Term>,
}

impl Declarations {
    /// Reads the attributes of a module; what does not look like a declaration is passed over.
    pub fn read(attributes: &[(Term, Term)]) -> Declarations {
        let mut found = Declarations::default();
        for (name, value) in attributes {
            let Some(name) = name.as_atom() else { continue };
            for item in value.cells() {
                found.add(name.name(), item);
            }
        }
        found
    }

    fn add(&mut self, attribute: &str, item: &Term) -> Option<()> {
        let parts = item.as_tuple()?;
        match (attribute, parts) {
            ("type" | "opaque" | "nominal", [name, body, params]) => {
                let params = params.cells().map(variable_name).collect::<Option<Vec<_>>>()?;
                let key = (name.as_atom()?, params.len());
                self.types.insert(key, TypeDeclaration { params, body: body.clone(), opaque: attribute == "opaque" });
            }
            ("record", [name, fields]) => {
                let fields = fields.cells().map(record_field).collect::<Option<Vec<_>>>()?;
                self.records.insert(name.as_atom()?, fields);
            }
            ("spec", [name, clauses]) => {
                self.specs.insert(function_name(name)?, clauses.proper_list()?);
            }
            _ => {}
        }
        Some(())
    }

    pub(super) fn type_named(&self, name: Atom, arity: usize) -> Option<&TypeDeclaration> {
        self.types.get(&(name, arity))
    }

    pub(super) fn record(&self, name: Atom) -> Option<&[RecordField]> {
        self.records.get(&name).map(Vec::as_slice)
    }

    /// All specs, by function.
    pub(super) fn specs(&self) -> impl Iterator<Item = ((Atom, u8), &[Term])> {
        self.specs.iter().map(|(function, clauses)| (*function, clauses.as_slice()))
    }

    /// The clauses of a function's spec.
    pub fn spec(&self, function: Atom, arity: u8) -> Option<&[Term]> {
        self.specs.get(&(function, arity)).map(Vec::as_slice)
    }
}

/// `{f, 1}`, or `{m, f, 1}` as a spec may also say.
fn function_name(name: &Term) -> Option<(Atom, u8)> {
    match name.as_tuple()? {
        [function, arity] | [_, function, arity] => Some((function.as_atom()?, u8::try_from(arity.as_i64()?).ok()?)),
        _ => None,
    }
}

fn variable_name(variable: &Term) -> Option<Atom> {
    match variable.as_tuple()? {
        [_, _, name] => name.as_atom(),
        _ => None,
    }
}

fn record_field(field: &Term) -> Option<RecordField> {
    let parts = field.as_tuple()?;
    match (parts.first()?.as_atom()?.name(), parts) {
        ("typed_record_field", [_, field, body]) => {
            Some(RecordField { body: Some(body.clone()), ..record_field(field)? })
        }
        ("record_field", [_, _, name, ..]) => Some(RecordField { name: atom_literal(name)?, body: None }),
        _ => None,
    }
}

/// The atom in `{atom, Anno, Name}`.
pub(super) fn atom_literal(form: &Term) -> Option<Atom> {
    match form.as_tuple()? {
        [tag, _, name] if tag.as_atom()?.name() == "atom" => name.as_atom(),
        _ => None,
    }
}
