//! A world whose code is text.

use std::rc::Rc;

use exec::forward::{Code, CodeSource, Ending, Limits, Machine, Options, Run, SampleStore, Stop, Vm, VmAnswer, VmCall};
use ir::Unit;
use term::{Call, Mfa, Term};

/// Graphs by the functions they hold first; the VM answers `vm:echo/1` only.
pub struct Texts(Vec<Rc<Unit>>);

impl Texts {
    /// Functions separated by lines of dashes; lifted functions stay with the one before them.
    pub fn new(text: &str) -> Texts {
        let units = text.split("\n---\n").map(|text| {
            let text = format!("file \"m.erl\"\n\n{}\n", text.trim_start());
            Rc::new(Unit::read(&text).unwrap_or_else(|error| panic!("{error} in\n{text}")))
        });
        Texts(units.collect())
    }
}

impl CodeSource for Texts {
    fn code(&mut self, function: Mfa, _local: bool) -> Code {
        if function.module.name() == "broken" {
            return Code::Broken("it is no module".into());
        }
        match self.0.iter().find(|unit| unit.functions[0].name == function) {
            Some(unit) => Code::Graph(Rc::clone(unit)),
            None => Code::Undefined,
        }
    }
}

impl Vm for Texts {
    fn vm_call(&mut self, _kind: VmCall, _function: Mfa, args: &[Term]) -> VmAnswer {
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

pub fn run_with(text: &str, name: &str, args: &str, limits: Limits, options: Options) -> Run {
    let call = Call { module: term::Atom::new("m"), function: term::Atom::new(name), args: terms(args) };
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
