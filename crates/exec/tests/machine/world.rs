//! A world whose code is text.

use std::rc::Rc;

use exec::forward::{Code, CodeSource, Ending, Limits, Machine, Options, Run, SampleStore, Stop, Vm, VmAnswer, VmCall};
use ir::Unit;
use term::{Atom, Call, Handle, HandleKind, Mfa, Term};

/// Graphs by the functions they hold first; the VM answers `vm:echo/1` and keeps one ETS table.
#[derive(Clone)]
pub struct Texts {
    units: Vec<Rc<Unit>>,
    rows: Vec<Term>,
}

impl Texts {
    /// Functions separated by lines of dashes; lifted functions stay with the one before them.
    pub fn new(text: &str) -> Texts {
        let units = text.split("\n---\n").map(|text| {
            let text = format!("file \"m.erl\"\n\n{}\n", text.trim_start());
            Rc::new(Unit::read(&text).unwrap_or_else(|error| panic!("{error} in\n{text}")))
        });
        Texts { units: units.collect(), rows: Vec::new() }
    }
}

impl CodeSource for Texts {
    fn code(&mut self, function: Mfa, _local: bool) -> Code {
        if function.module.name() == "broken" {
            return Code::Broken("it is no module".into());
        }
        match self.units.iter().find(|unit| unit.functions[0].name == function) {
            Some(unit) => Code::Graph(Rc::clone(unit)),
            None => Code::Undefined,
        }
    }
}

impl Vm for Texts {
    fn vm_call(&mut self, _kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer {
        if matches!(function.module.name(), "ets" | "lists") {
            return self.ets(function.function.name(), args);
        }
        match args.first() {
            Some(Term::Fun(..)) => VmAnswer::Unsendable,
            Some(value) => VmAnswer::Value(value.clone()),
            None => VmAnswer::Failed("it died".into()),
        }
    }

    fn allowed(&self, _function: Mfa) -> bool {
        false
    }
}

impl SampleStore for Texts {}

impl Stop for Texts {}

impl Texts {
    /// A table of kind `set` with its key in the first place.
    fn ets(&mut self, name: &str, args: &[Term]) -> VmAnswer {
        VmAnswer::Value(match (name, args) {
            ("new", _) => {
                self.rows.clear();
                let (kind, node) = (HandleKind::Reference, Atom::new("nonode@nohost"));
                Term::handle(Handle { kind, node, creation: 0, words: [1, 2, 3].into() })
            }
            ("insert", [_, row]) => self.insert(row),
            // Rows that were put off come together.
            ("zipwith", [_, _, rows]) => Term::list(rows.cells().map(|row| self.insert(row)).collect::<Vec<_>>()),
            ("lookup", [_, wanted]) => Term::list(
                self.rows.iter().filter(|row| key(row).as_ref() == Some(wanted)).cloned().collect::<Vec<_>>(),
            ),
            ("member", [_, wanted]) => Term::bool(self.rows.iter().any(|row| key(row).as_ref() == Some(wanted))),
            _ => return VmAnswer::Failed(format!("no ets:{name}")),
        })
    }

    fn insert(&mut self, row: &Term) -> Term {
        self.rows.retain(|other| key(other) != key(row));
        self.rows.push(row.clone());
        Term::bool(true)
    }
}

fn key(row: &Term) -> Option<Term> {
    row.as_tuple().map(|row| row[0].clone())
}

pub fn run_with(text: &str, name: &str, args: &str, limits: Limits, options: Options) -> Run {
    let call = Call { module: Atom::new("m"), function: Atom::new(name), args: terms(args) };
    Machine::new(limits, options).run(&mut Texts::new(text), &call)
}

pub fn terms(args: &str) -> Vec<Term> {
    let list = Term::read(&format!("[{args}]")).unwrap_or_else(|error| panic!("{error} in {args}"));
    list.proper_list().expect("a list")
}

/// A term in the form in which outcomes are shown.
pub fn shown(text: &str) -> String {
    Term::read(text).unwrap_or_else(|error| panic!("{error} in {text}")).to_string()
}

/// How a call ends, as text.
pub fn outcome(text: &str, name: &str, args: &str) -> String {
    match run_with(text, name, args, Limits::default(), Options::default()).ending {
        Ending::Value(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}
