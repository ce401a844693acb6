//! Tests of the backward engine on small graphs, held to runs of the forward machine where there is one.

mod flow;
mod trace;
mod values;

use std::rc::Rc;

use constraint::{Arena, Condition, Expr, Test, Type, holds, is_of};
use ir::{Reg, Terminator, Unit};
use term::{Atom, Call, Mfa, Term};

use super::{FunctionId, Graphs, Origin, PartialPath, PathCondition, PathSegment, Program, ProgramPoint};
use super::{Start, TypeOracle};
use crate::forward::{Code, CodeSource, Ending, Limits, Machine, Options, SampleStore, Stop, Vm, VmAnswer, VmCall};

/// Terms of every kind.
const POOL: &str = "[0, 1, -3, 2, 4, 1.5, 2.0, a, true, false, [], [1], [a, b], [1|2], {}, {1}, {a, 2}, {a, b}, #{}, \
    #{a => 1}, #{a => b, 1 => 2}, <<>>, <<7>>, <<1, 2>>, <<5:3>>]";

/// Graphs as text, one after another, lifted functions behind those they come from.
struct Texts(Vec<Rc<Unit>>);

impl Texts {
    fn new(text: &str) -> Texts {
        let unit = |text: &str| Rc::new(Unit::read(text).unwrap_or_else(|error| panic!("{error} in\n{text}")));
        Texts(text.split("\n---").map(|text| unit(&format!("file \"m.erl\"\n\n{}\n", text.trim()))).collect())
    }

    fn names(&self) -> Vec<Mfa> {
        self.0.iter().map(|unit| unit.functions[0].name).collect()
    }
}

impl Graphs for Texts {
    fn unit(&mut self, function: Mfa) -> Option<Rc<Unit>> {
        self.0.iter().find(|unit| unit.functions.iter().any(|it| it.name == function)).cloned()
    }
}

impl CodeSource for Texts {
    fn code(&mut self, function: Mfa, _local: bool) -> Code {
        self.unit(function).map_or(Code::Undefined, Code::Graph)
    }
}

impl Vm for Texts {
    fn vm_call(&mut self, _kind: VmCall, function: Mfa, _args: &[Term]) -> VmAnswer {
        panic!("no test calls {function} on the VM")
    }

    fn allowed(&self, _function: Mfa) -> bool {
        false
    }
}

impl SampleStore for Texts {}

impl Stop for Texts {}

/// Takes an expression to be of the types that the conditions before it state.
struct Stated;

impl TypeOracle for Stated {
    fn is(&mut self, arena: &Arena, traced: &PathCondition, expr: Expr, kind: Type) -> bool {
        let stated = Condition { test: Test::Type(expr, kind), holds: true };
        traced.conditions.contains(&stated) || arena.as_literal(expr).is_some_and(|term| is_of(term, kind))
    }
}

fn mfa(name: &str, arity: u8) -> Mfa {
    Mfa { module: Atom::new("m"), function: Atom::new(name), arity }
}

/// A traced path and the expressions of its conditions.
struct Traced {
    arena: Arena,
    path: PathCondition,
}

impl Traced {
    /// Traces segments that begin with a function, or in the middle of one.
    fn of(program: &Program<'_>, start: Start, segments: &[PathSegment]) -> Traced {
        let path = segments.iter().rev().fold(PartialPath::default(), |path, segment| path.after(*segment));
        let mut arena = Arena::new();
        let path = super::trace(program, &mut arena, &path, start, &mut Stated);
        Traced { arena, path }
    }

    /// The conditions in the order of control.
    fn shown(&self) -> Vec<String> {
        self.path.conditions.iter().rev().map(|condition| self.arena.show_condition(condition)).collect()
    }

    fn origins(&self) -> Vec<Origin> {
        self.path.unknowns.iter().map(|unknown| unknown.origin).collect()
    }

    /// True if inputs meet all conditions; a condition without a value is not met.
    fn meets(&self, inputs: &[Term]) -> bool {
        let met = |condition| holds(&self.arena, condition, inputs) == Ok(true);
        !self.path.infeasible && self.path.conditions.iter().all(met)
    }

    /// True if some condition is known not to hold; unknowns behind the inputs have no value.
    fn refutes(&self, inputs: &[Term]) -> bool {
        let broken = |condition| holds(&self.arena, condition, inputs) == Ok(false);
        self.path.infeasible || self.path.conditions.iter().any(broken)
    }
}

fn at(function: FunctionId, block: u32, at: u32) -> ProgramPoint {
    ProgramPoint { function, block, at }
}

/// The segments of a path through blocks of one function, up to the end of the last one. A block that raised is not run.
fn through(program: &Program<'_>, function: FunctionId, blocks: &[u32]) -> Vec<PathSegment> {
    let mut segments = Vec::new();
    for (place, block) in blocks.iter().copied().enumerate() {
        let body = &program.function(function).blocks[block as usize];
        let next = blocks.get(place + 1);
        if next.is_some_and(|next| body.handler.is_some_and(|handler| handler.0 == *next)) {
            segments.push(PathSegment::Raised { function, block });
            continue;
        }
        segments.push(PathSegment::Run { from: at(function, block, 0), to: body.body.len() as u32 });
        if let (Terminator::Branch { yes, no, .. }, Some(next)) = (&body.end, next) {
            assert!(yes.0 == *next || no.0 == *next, "b{block} does not lead to b{next}");
            segments.push(PathSegment::Test { function, block, holds: yes.0 == *next });
        }
    }
    segments
}

/// Traces a path through blocks of the first function of a text.
fn traced(text: &str, blocks: &[u32]) -> Traced {
    let mut graphs = Texts::new(text);
    let names = graphs.names();
    let mut program = Program::new(&mut graphs, &names);
    let function = program.find(names[0]).expect("the first function");
    Traced::of(&program, Start::Function(function), &through(&program, function, blocks))
}

/// The value that the machine gives for a call of the first function, if it gives one.
fn run(machine: &mut Machine, graphs: &mut Texts, args: &[Term]) -> Option<Term> {
    let function = graphs.names()[0].function;
    match machine.run(graphs, &Call { module: Atom::new("m"), function, args: args.to_vec() }).ending {
        Ending::Value(value) => Some(value),
        Ending::Raised(_) => None,
        other => panic!("{other:?}"),
    }
}

/// All rows of terms of the pool.
fn rows(arity: usize) -> Vec<Vec<Term>> {
    let pool = Term::read(POOL).expect("terms").proper_list().expect("a list");
    let longer = |rows: Vec<Vec<Term>>| {
        let with = |row: &Vec<Term>| {
            pool.iter().map(|term| [&row[..], std::slice::from_ref(term)].concat()).collect::<Vec<_>>()
        };
        rows.iter().flat_map(with).collect()
    };
    (0..arity).fold(vec![Vec::new()], |rows, _| longer(rows))
}

/// Checks that a path demands nothing of inputs that take it: those for which the machine gives `goal`. An `exact` path
/// demands something that all other inputs lack.
fn check(text: &str, blocks: &[u32], goal: &str, exact: bool) -> Traced {
    let found = traced(text, blocks);
    let (mut graphs, mut machine) = (Texts::new(text), Machine::new(Limits::default(), Options::default()));
    let (goal, mut taken) = (Term::read(goal).expect("a term"), 0);
    for row in rows(usize::from(graphs.names()[0].arity)) {
        if run(&mut machine, &mut graphs, &row).as_ref() == Some(&goal) {
            assert!(!found.refutes(&row), "{row:?} takes {blocks:?} of\n{text}\nbut {:?}", found.shown());
            assert!(!exact || found.meets(&row), "{row:?} takes {blocks:?} of\n{text}\nbut {:?}", found.shown());
            taken += 1;
        } else {
            assert!(!exact || !found.meets(&row), "{row:?} takes not {blocks:?} of\n{text}\nbut {:?}", found.shown());
        }
    }
    assert!(taken > 0 || found.path.infeasible, "no input takes {blocks:?} of\n{text}");
    found
}
