//! Clauses and outcomes of tests that an exploration has left uncovered.

use std::collections::BTreeSet;

use exec::forward::{ClauseId, asked, branch_site};
use ir::{CaseKind, Function, Op, Operand, Primitive, Reg, Terminator, Test, Unit};
use search::MachineSubject;
use search::reach::Goal;
use term::{Mfa, Term};

use super::RECORDING;
use super::target::{Target, file_of};
use crate::Session;
use crate::library::enclosing;

/// The number of clauses and outcomes of tests: covered by a run, and all.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Those that a run covered.
    pub covered: usize,
    /// All.
    pub total: usize,
}

/// Returns what no run covered in these functions, in the order of the graphs, and the tally.
pub fn targets(session: &Session, functions: &[Mfa], subjects: &[MachineSubject<'_>]) -> (Vec<Target>, Tally) {
    let (mut targets, mut count) = (Vec::new(), Tally::default());
    for function in functions {
        let Ok(unit) = session.unit(*function, true) else { continue };
        for target in unit.functions.iter().flat_map(|graph| all(&unit, graph)) {
            count.total += 1;
            match is_covered(&target.goals[0], subjects) {
                true => count.covered += 1,
                false => targets.push(target),
            }
        }
    }
    (targets, count)
}

/// True if any run of these came to a goal.
fn is_covered(goal: &Goal, subjects: &[MachineSubject<'_>]) -> bool {
    let taken = |tested: &MachineSubject<'_>| {
        let took = |function, block, holds| tested.has_taken(branch_site(function, block), holds);
        goal.is_in(tested.lines(), took)
    };
    subjects.iter().any(taken)
}

/// Every clause of the source, and both outcomes of every test whose outcome is not known before.
fn all(unit: &Unit, graph: &Function) -> Vec<Target> {
    let mut targets = Vec::new();
    for (case, choice) in graph.cases.iter().enumerate() {
        let written: Vec<_> = choice.clauses.iter().enumerate().filter(|(_, at)| at.is_known()).collect();
        // A match that leaves no choice is one with its tests.
        if written.len() < 2 && choice.kind == CaseKind::Case {
            continue;
        }
        for (number, (clause, at)) in written.into_iter().enumerate() {
            let goal = Goal::Clause(ClauseId { function: graph.name, case: case as u32, clause: clause as u32 });
            let kind = if choice.kind == CaseKind::Function { "" } else { "case " };
            let name = format!("{}: {kind}clause {}", owner(graph.name), number + 1);
            targets.push(Target { name, ..at_place(unit, *at, goal) });
        }
    }
    let waiting = waiting(graph);
    for block in asked(graph, RECORDING) {
        let body = &graph.blocks[block as usize];
        let Terminator::Branch { test, args, .. } = &body.end else { continue };
        if matches!(args.first(), Some(Operand::Reg(register)) if waiting.contains(register)) {
            continue;
        }
        for holds in [true, false] {
            let goal = Goal::Branch { function: graph.name, block, holds };
            let name = format!("{}: {} is {holds}", owner(graph.name), words(test, args));
            targets.push(Target { name, ..at_place(unit, body.end_location, goal) });
        }
    }
    targets
}

/// The registers by which a `receive` knows whether there is a message: tests of these are not the program's.
fn waiting(graph: &Function) -> BTreeSet<Reg> {
    let instructions = graph.blocks.iter().flat_map(|block| &block.body);
    let written = instructions.filter(|it| matches!(it.op, Op::Primitive { op: Primitive::Receive(_), .. }));
    let mut registers: BTreeSet<Reg> = written.filter_map(|it| it.op.written()).collect();
    for block in &graph.blocks {
        if let Terminator::Branch { args, outs, .. } = &block.end
            && let ([Operand::Reg(looked)], [Some(found), _]) = (&args[..], &outs[..])
            && registers.contains(looked)
        {
            registers.insert(*found);
        }
    }
    registers
}

fn at_place(unit: &Unit, at: ir::Location, goal: Goal) -> Target {
    let file = file_of(unit, at.file);
    Target { name: String::new(), file, line: at.line, column: at.column, goals: vec![goal] }
}

/// `total/2`, or `a fun in total/2`.
fn owner(function: Mfa) -> String {
    let (outer, before) = match enclosing(function) {
        Some(outer) if function.function.name().contains("c$^") => (outer, "a comprehension in "),
        Some(outer) => (outer, "a fun in "),
        None => (function, ""),
    };
    format!("{before}{}/{}", outer.function, outer.arity)
}

/// A test in the words of the language, `_` for what only the graph has a name for.
fn words(test: &Test, args: &[Operand]) -> String {
    let shown = |at: usize| match args.get(at) {
        Some(Operand::Literal(literal)) => short(literal),
        _ => "_".to_owned(),
    };
    match test {
        Test::Literal(literal) => format!("_ =:= {}", short(literal)),
        Test::Same => format!("{} =:= {}", shown(0), shown(1)),
        Test::Cons => "match [_ | _]".to_owned(),
        Test::Tuple(size) => format!("match {{{}}}", vec!["_"; *size as usize].join(", ")),
        Test::Predicate(function) => {
            let name = function.function.name();
            match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                true => {
                    let given: Vec<String> = (0..args.len()).map(shown).collect();
                    format!("{name}({})", given.join(", "))
                }
                false => format!("{} {name} {}", shown(0), shown(1)),
            }
        }
        Test::MapKey => format!("match #{{{} := _}}", shown(1)),
        Test::Segment(_) => "match <<_, _/bits>>".to_owned(),
        Test::BitsEnd => "match <<>>".to_owned(),
    }
}

/// The longest literal that is shown whole.
const SHOWN: usize = 40;

fn short(literal: &Term) -> String {
    let text = literal.to_string();
    if text.chars().count() <= SHOWN { text } else { format!("{}…", text.chars().take(SHOWN).collect::<String>()) }
}
