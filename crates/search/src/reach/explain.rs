//! How a goal was reached: the path that phase one found with its condition, and the inputs that phase two tried.

use constraint::{Arena, Condition, Evaluator, ExprNames, Node, Path, Test};
use exec::backward::{FunctionId, Origin, PartialPath, PathCondition, PathSegment, Program, ProgramPoint};
use ir::Op;
use term::{Mfa, Term};

/// Inputs that are shown at the beginning and at the end of phase two.
const MOST_STEPS: usize = 12;
/// Inputs that are remembered.
const MOST_TRIED: usize = 4_000;
/// Conditions shown.
const MOST_CONDITIONS: usize = 24;

/// The path to a goal and the inputs that were tried, or the last of both if it was not reached.
#[derive(Clone, Default, Debug)]
pub struct GoalExplanation {
    /// The last path of phase one whose inputs were run.
    pub backward: Option<BackwardExplanation>,
    /// The conditions of the run that came to the goal.
    pub conditions: Vec<String>,
    /// The inputs that phase two tried, without those in the middle if there are many.
    pub steps: Vec<InputTrial>,
    /// The number of all inputs that were tried.
    pub tried: usize,
}

/// A path from a goal back to an entry point.
#[derive(Clone, Debug)]
pub struct BackwardExplanation {
    /// The entry point.
    pub entry: Mfa,
    /// From the goal back.
    pub path: Vec<PathPlace>,
    /// The path's conditions, those nearest to the goal first.
    pub conditions: Vec<PathFit>,
    /// The inputs that meet them.
    pub inputs: Vec<Term>,
}

/// A segment of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathPlace {
    /// The function.
    pub function: Mfa,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The event there.
    pub what: String,
}

/// A condition of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathFit {
    /// The condition.
    pub text: String,
    /// The inputs that it depends on.
    pub inputs: Vec<u32>,
    /// It is about something that was skipped or has no rule: phase two has to change inputs until it holds.
    pub change: bool,
}

/// Inputs that were run.
#[derive(Clone, Debug)]
pub struct InputTrial {
    /// Their number among all that were tried, from 1.
    pub number: usize,
    /// The inputs.
    pub inputs: Vec<Term>,
    /// The conditions of the run that came to the goal that they meet.
    pub fit: usize,
    /// The first condition that they do not meet, and by how much it is missed where that is a number.
    pub missed: Option<(usize, Option<f64>)>,
    /// The inputs that differ from those of the step before.
    pub changed: Vec<u32>,
}

/// Explains a path of phase one.
pub fn backward(
    program: &Program<'_>,
    arena: &mut Arena,
    (entry, own): (Mfa, usize),
    (path, traced): (&PartialPath, &PathCondition),
    inputs: &[Term],
) -> BackwardExplanation {
    let names = names(program, arena, own, traced);
    let fit = |condition: &Condition| fit(arena, own, condition, &names);
    let conditions = traced.conditions.iter().take(MOST_CONDITIONS).map(fit).collect();
    let mut places: Vec<PathPlace> = path.segments().map(|segment| place(program, segment)).collect();
    places.reverse();
    places.dedup();
    BackwardExplanation { entry, path: places, conditions, inputs: inputs.to_vec() }
}

/// Names of the unknowns that are no inputs of the entry point.
fn names(program: &Program<'_>, arena: &mut Arena, own: usize, traced: &PathCondition) -> ExprNames {
    let mut names = ExprNames::default();
    for (at, unknown) in traced.unknowns.iter().enumerate().skip(own) {
        let name = match unknown.origin {
            Origin::Call(point) => program.callee(point).map(|callee| format!("<{callee}>")),
            Origin::Skipped(function, block) => {
                Some(format!("<skipped to line {}>", first_line(program, function, block)))
            }
            Origin::Before | Origin::NoRule => None,
        };
        names.insert(arena.input(at as u32), name.unwrap_or_else(|| format!("<unknown {}>", at + 1 - own)));
    }
    names
}

fn fit(arena: &Arena, own: usize, condition: &Condition, names: &ExprNames) -> PathFit {
    let mut inputs = Vec::new();
    arena.visit(condition.test.exprs(), |_, node| {
        if let Node::Input(at) = node {
            inputs.push(*at);
        }
        true
    });
    inputs.sort_unstable();
    inputs.dedup();
    let change = inputs.iter().any(|at| *at as usize >= own);
    inputs.retain(|at| (*at as usize) < own);
    PathFit { text: arena.show_condition_named(condition, names), inputs, change }
}

fn place(program: &Program<'_>, segment: PathSegment) -> PathPlace {
    let name = |function| program.function(function).name;
    let at = |point: ProgramPoint, what: String| (point.function, line_of(program, point), what);
    let first = |function, block, what: &str| (function, first_line(program, function, block), what.to_owned());
    let last =
        |function, block, what: &str| (function, line_of(program, program.end(function, block)), what.to_owned());
    let (function, line, what) = match segment {
        PathSegment::Run { from, to } => at(ProgramPoint { at: to, ..from }, "runs".to_owned()),
        PathSegment::Test { function, block, holds } => last(function, block, &format!("the test is {holds}")),
        PathSegment::Skip { function, block } => first(function, block, "skips what every path passes"),
        PathSegment::Raised { function, block } => first(function, block, "an exception is caught"),
        PathSegment::Call { at: point, callee } => at(point, format!("calls {}", name(callee))),
        PathSegment::Fun { at: point, callee } => at(point, format!("makes the fun {}", name(callee))),
        PathSegment::Return { function, block, .. } => last(function, block, "returns"),
        PathSegment::Tail { function, block, .. } => last(function, block, "ends with a call that is not entered"),
    };
    PathPlace { function: name(function), line, what }
}

/// The line of a place: that of the last mark before it in its block, or else the first behind it.
fn line_of(program: &Program<'_>, point: ProgramPoint) -> u32 {
    let body = &program.function(point.function).blocks[point.block as usize].body;
    let line = |op: &Op| if let Op::Line(line) = op { Some(*line) } else { None };
    let before = body.iter().take(point.at as usize).rev().find_map(|it| line(&it.op));
    before.or_else(|| body.iter().find_map(|it| line(&it.op))).unwrap_or(0)
}

fn first_line(program: &Program<'_>, function: FunctionId, block: u32) -> u32 {
    line_of(program, ProgramPoint { function, block, at: 0 })
}

/// The inputs that were tried for a goal, in order.
#[derive(Clone, Default)]
pub struct TriedInputs {
    all: Vec<(Mfa, Vec<Term>)>,
    count: usize,
}

impl TriedInputs {
    /// Adds inputs of an entry point.
    pub fn add(&mut self, entry: Mfa, inputs: &[Term]) {
        self.count += 1;
        if self.all.len() < MOST_TRIED {
            self.all.push((entry, inputs.to_vec()));
        }
    }

    /// The steps of phase two, by the conditions of the run that came to the goal; the last step is that run.
    pub fn explain(&self, arena: &Arena, path: &Path, entry: Mfa, inputs: &[Term], explanation: &mut GoalExplanation) {
        let conditions: Vec<Condition> = path.iter().map(|decision| decision.condition.clone()).collect();
        explanation.conditions =
            conditions.iter().take(MOST_CONDITIONS).map(|condition| arena.show_condition(condition)).collect();
        let mut tried: Vec<&[Term]> =
            self.all.iter().filter(|(function, _)| *function == entry).map(|(_, inputs)| &inputs[..]).collect();
        if tried.last() != Some(&inputs) {
            tried.push(inputs);
        }
        explanation.tried = self.count.max(tried.len());
        let last = tried.len().saturating_sub(MOST_STEPS / 2);
        let shown = (0..tried.len()).filter(|at| *at < MOST_STEPS / 2 || *at >= last);
        explanation.steps = shown.map(|at| trial(arena, &conditions, &tried, at)).collect();
    }
}

/// The conditions that inputs met and missed, beside those that were tried before.
fn trial(arena: &Arena, conditions: &[Condition], tried: &[&[Term]], at: usize) -> InputTrial {
    let inputs = tried[at];
    let met: Vec<bool> = conditions.iter().map(|condition| holds(arena, inputs, condition)).collect();
    let missed = met.iter().position(|met| !met).map(|at| (at, distance(arena, inputs, &conditions[at])));
    let before = at.checked_sub(1).map(|before| tried[before]);
    let changed = (0..inputs.len()).filter(|at| before.is_some_and(|before| before.get(*at) != inputs.get(*at)));
    InputTrial {
        number: at + 1,
        inputs: inputs.to_vec(),
        fit: met.iter().filter(|met| **met).count(),
        missed,
        changed: changed.map(|at| at as u32).collect(),
    }
}

fn holds(arena: &Arena, inputs: &[Term], condition: &Condition) -> bool {
    Evaluator::new(arena, inputs).of_originals().holds(condition) == Ok(true)
}

/// The difference of both sides of a comparison of numbers that does not hold.
fn distance(arena: &Arena, inputs: &[Term], condition: &Condition) -> Option<f64> {
    let (Test::Same(a, b) | Test::Equal(a, b) | Test::Less(a, b)) = condition.test else { return None };
    let mut evaluator = Evaluator::new(arena, inputs);
    let mut number = |expr| term::number::to_f64(&evaluator.value(expr).ok()?);
    let difference = number(a)? - number(b)?;
    Some(difference.abs())
}
