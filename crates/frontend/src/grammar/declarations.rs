//! The declarations of a module: its types, records and specs, found in its attributes.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Term};

/// The declarations of one module, still as abstract code.
#[derive(Default)]
pub struct Declarations {
    types: FxHashMap<(Atom, usize), TypeDeclaration>,
    records: FxHashMap<Atom, Vec<RecordField>>,
    specs: BTreeMap<(Atom, u8), Vec<Term>>,
    /// Specs in comments of functions that have no other.
    commented: BTreeMap<(Atom, u8), Vec<Term>>,
    behaviours: Vec<Atom>,
    /// The functions that modules of this behaviour have.
    callbacks: FxHashSet<(Atom, u8)>,
    /// Records that a header declares, so that other modules can have them too.
    shared: FxHashSet<Atom>,
    /// The functions that the documentation hides.
    hidden: FxHashSet<(Atom, u8)>,
    /// True if it hides the module.
    is_hidden: bool,
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

impl TypeDeclaration {
    /// True for another name of `any()`.
    pub(super) fn says_nothing(&self) -> bool {
        let form = self.body.as_tuple();
        let name = form.and_then(|form| Some((form.first()?.as_atom()?, form.get(2)?.as_atom()?)));
        name.is_some_and(|(tag, name)| tag.name() == "type" && matches!(name.name(), "any" | "term"))
    }
}

impl Declarations {
    /// Reads the attributes of a module; what does not look like a declaration is passed over.
    pub fn read(attributes: &[(Term, Term)]) -> Declarations {
        let mut found = Declarations::default();
        for (name, value) in attributes {
            let Some(name) = name.as_atom() else { continue };
            for item in value.cells() {
                found.add_name(name.name(), item);
                found.add(name.name(), item);
            }
        }
        found
    }

    /// Adds an item of an attribute whose items are names.
    fn add_name(&mut self, attribute: &str, item: &Term) {
        match attribute {
            "behaviour" | "behavior" => self.behaviours.extend(item.as_atom()),
            "hound_shared_records" => self.shared.extend(item.as_atom()),
            "hound_hidden" => {
                self.is_hidden |= item.as_atom().is_some();
                self.hidden.extend(function_name(item));
            }
            _ => {}
        }
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
            ("callback", [name, _]) => {
                self.callbacks.insert(function_name(name)?);
            }
            ("hound_edoc_spec", [name, clauses]) => {
                self.commented.insert(function_name(name)?, clauses.proper_list()?);
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

    /// True if the documentation of the module hides a function. It hides callbacks of behaviours, too, which are called
    /// from elsewhere.
    pub fn is_hidden(&self, name: Atom, arity: u8) -> bool {
        self.is_hidden || self.behaviours.is_empty() && self.hidden.contains(&(name, arity))
    }

    /// The records: the tag and the size of each one's tuples, in the order of their names.
    pub fn record_sizes(&self) -> Vec<(Atom, usize)> {
        let mut sizes: Vec<_> = self.records.iter().map(|(name, fields)| (*name, fields.len() + 1)).collect();
        sizes.sort_by_key(|(name, _)| name.name());
        sizes
    }

    /// The fields of a record whose tuples have this tag and size.
    pub fn record_fields(&self, name: Atom, size: usize) -> Option<Vec<Atom>> {
        let fields = self.record(name).filter(|fields| fields.len() + 1 == size)?;
        Some(fields.iter().map(|field| field.name).collect())
    }

    /// The line where a clause of a function's own spec has its parameters, if the source says it.
    pub fn spec_line(&self, function: Atom, arity: u8, clause: usize) -> Option<u32> {
        let anno = self.specs.get(&(function, arity))?.get(clause)?.as_tuple()?.get(1)?;
        let line = anno.as_tuple().and_then(<[Term]>::first).unwrap_or(anno);
        u32::try_from(line.as_i64()?).ok().filter(|line| *line > 0)
    }

    /// True if only this module has the record: no header declares it.
    pub(super) fn is_private_record(&self, name: Atom) -> bool {
        self.records.contains_key(&name) && !self.shared.contains(&name)
    }

    /// True if the spec of a function `new` or `init` gives a type of that name, as a member of a union or an element of
    /// a tuple, too.
    pub(super) fn is_state(&self, name: Atom, arity: usize) -> bool {
        let begins = self.specs.iter().filter(|((function, _), _)| matches!(function.name(), "new" | "init"));
        let mut clauses = begins.flat_map(|(_, clauses)| clauses);
        clauses.any(|clause| gives(clause, (name, arity)))
    }

    /// The behaviours that the module implements.
    pub fn behaviours(&self) -> &[Atom] {
        &self.behaviours
    }

    /// True if modules of this behaviour have a function.
    pub fn has_callback(&self, name: Atom, arity: u8) -> bool {
        self.callbacks.contains(&(name, arity))
    }

    /// All specs, by function.
    pub(super) fn specs(&self) -> impl Iterator<Item = ((Atom, u8), &[Term])> {
        self.specs.iter().map(|(function, clauses)| (*function, clauses.as_slice()))
    }

    /// The clauses of a function's spec, be it one in a comment.
    pub fn spec(&self, function: Atom, arity: u8) -> Option<&[Term]> {
        let own = self.specs.get(&(function, arity));
        own.or_else(|| self.commented.get(&(function, arity))).map(Vec::as_slice)
    }

    /// True if the only spec of a function is one in a comment.
    pub fn is_commented(&self, function: Atom, arity: u8) -> bool {
        let name = (function, arity);
        self.commented.contains_key(&name) && !self.specs.contains_key(&name)
    }
}

/// True if the result of a clause of a spec names a type of the module.
fn gives(clause: &Term, (name, arity): (Atom, usize)) -> bool {
    let parts = clause.as_tuple().unwrap_or_default();
    let args: Vec<&Term> = parts.get(3).map(|args| args.cells().collect()).unwrap_or_default();
    match (parts.get(2).and_then(Term::as_atom).map(Atom::name), &args[..]) {
        (Some("bounded_fun"), [function, _]) => gives(function, (name, arity)),
        (Some("fun"), [_, result]) => names_type(result, (name, arity)),
        _ => false,
    }
}

fn names_type(form: &Term, key: (Atom, usize)) -> bool {
    match form {
        Term::Cons(..) => form.cells().any(|item| names_type(item, key)),
        Term::Tuple(_, items) => match &items[..] {
            [tag, _, name, args] if tag.as_atom().is_some_and(|tag| tag.name() == "user_type") => {
                (name.as_atom(), args.cells().count()) == (Some(key.0), key.1)
            }
            items => items.iter().any(|item| names_type(item, key)),
        },
        _ => false,
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
