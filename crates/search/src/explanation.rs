//! The opaque functions that a finding depends on, and the strategy that leads to its inputs, in words: which parts are
//! set to what a function gives for others, whatever that is, and what it gave.

use constraint::{Arena, Condition, Evaluator, Expr, ExprNames, Node, Op, Path, Test};
use num_bigint::{BigInt, Sign};
use solve::opaque::{above, all_parts_of, in_order, parts_of};
use term::{Mfa, Term};

/// Applications that are explained; a path may have many.
const EXPLAINED: usize = 32;
/// Steps that are shown, at the beginning and at the end.
const FIRST: usize = 9;
const LAST: usize = 2;
/// Samples that are shown.
const SAMPLES: usize = 8;
/// Characters of a term or an expression, and those at its end if it is longer.
const LONG: usize = 100;
const ENDING: usize = 20;
/// Nodes of an expression that is shown as one.
const NODES: usize = 24;

/// The opaque functions that a path depends on, and a strategy that leads there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    pub functions: Vec<Mfa>,
    /// `set X2 to 10, then set X1 to m:hash(X2), whatever it is`; empty without such functions.
    pub strategy: String,
    /// The values that the functions gave for these inputs: `m:hash(10) gives 66`.
    pub samples: Vec<String>,
}

/// Explains a path that inputs have taken.
pub fn explain(arena: &Arena, path: &Path, inputs: &[Term]) -> Explanation {
    if !arena.has_opaque() {
        return Explanation::default();
    }
    let conditions: Vec<Condition> = path.iter().map(|decision| decision.condition.clone()).collect();
    let calls = in_order(arena, &conditions);
    let mut functions = Vec::new();
    for call in &calls {
        if let Node::Opaque(function, _) = arena.node(*call)
            && !functions.contains(function)
        {
            functions.push(*function);
        }
    }
    let mut explainer = Explainer::new(arena, &conditions, inputs);
    calls.iter().take(EXPLAINED).for_each(|call| explainer.call(*call));
    explainer.rest();
    let count = explainer.samples.len();
    explainer.samples.truncate(SAMPLES);
    explainer.samples.extend((count > SAMPLES).then(|| format!("… {} more", count - SAMPLES)));
    Explanation { functions, strategy: joined(explainer.steps), samples: explainer.samples }
}

/// The steps as one text; of many the middle is left out.
fn joined(mut steps: Vec<String>) -> String {
    if steps.len() > FIRST + LAST + 1 {
        let left = steps.len() - FIRST - LAST;
        steps.splice(FIRST..FIRST + left, [format!("… {left} steps more")]);
    }
    steps.join(", then ")
}

/// An equation one side of which is free of opaque functions: what that is has to be what the other one gives.
struct Relation {
    /// The place of its condition.
    at: usize,
    /// The side without applications.
    free: Expr,
    /// The side with applications, and all applications in it.
    given: Expr,
    calls: Vec<Expr>,
    is_used: bool,
}

struct Explainer<'a> {
    arena: &'a Arena,
    conditions: &'a [Condition],
    evaluator: Evaluator<'a>,
    /// Names of elements of lists.
    names: ExprNames,
    relations: Vec<Relation>,
    /// Applications whose outcome some condition tests in another way.
    tested: Vec<Expr>,
    /// Applications whose arguments are known.
    handled: Vec<Expr>,
    /// Parts of inputs that were set.
    known: Vec<Expr>,
    steps: Vec<String>,
    samples: Vec<String>,
}

impl<'a> Explainer<'a> {
    /// An expression as text, if it is not too long to read.
    fn short(&self, expr: Expr) -> Option<String> {
        let mut nodes = 0;
        self.arena.visit([expr], |_, _| {
            nodes += 1;
            nodes <= NODES
        });
        let shown = (nodes <= NODES).then(|| self.arena.show_named(expr, &self.names))?;
        (shown.chars().count() <= LONG).then_some(shown)
    }

    fn new(arena: &'a Arena, conditions: &'a [Condition], inputs: &'a [Term]) -> Explainer<'a> {
        let (mut relations, mut tested) = (Vec::new(), Vec::new());
        let mut evaluator = Evaluator::new(arena, inputs);
        for (at, condition) in conditions.iter().enumerate() {
            match relation(arena, at, condition) {
                Some(relation) => relations.push(relation),
                None if is_about_values(condition) && !is_of_twins(arena, &mut evaluator, condition) => {
                    tested.extend(direct_calls(arena, condition));
                }
                None => {}
            }
        }
        Explainer {
            arena,
            conditions,
            evaluator,
            names: names(arena, conditions),
            relations,
            tested,
            handled: Vec::new(),
            known: Vec::new(),
            steps: Vec::new(),
            samples: Vec::new(),
        }
    }

    /// Sets the parts in the arguments of an application; where its outcome has to be a certain one, says so.
    fn call(&mut self, call: Expr) {
        let Node::Opaque(_, args) = self.arena.node(call) else { return };
        let before = self.known.len();
        args.iter().for_each(|arg| parts_of(self.arena, *arg).into_iter().for_each(|part| self.set(part, call)));
        let is_new = self.known.len() > before;
        self.handled.push(call);
        let Some((shown, given)) = self.sample(call) else { return };
        let sample = format!("{shown} {given}");
        if is_new && self.tested.contains(&call) {
            let shown = self.short(call).unwrap_or(shown);
            self.steps.last_mut().into_iter().for_each(|last| last.push_str(&format!(", so that {shown} {given}")));
        }
        if !self.samples.contains(&sample) {
            self.samples.push(sample);
        }
    }

    /// An application with its arguments as they are, and its outcome.
    fn sample(&mut self, call: Expr) -> Option<(String, String)> {
        let Node::Opaque(function, args) = self.arena.node(call) else { return None };
        let values: Result<Vec<Term>, _> = args.iter().map(|arg| self.evaluator.value(*arg)).collect();
        let (values, outcome) = (values.ok()?, self.evaluator.value(call).ok()?);
        let given = match outcome.as_tuple() {
            Some([value]) => format!("gives {}", folded(&value.to_string())),
            Some([class, reason]) => format!("raises {class}:{}", folded(&reason.to_string())),
            _ => return None,
        };
        let args: Vec<String> = values.iter().map(|value| folded(&value.to_string())).collect();
        Some((format!("{}:{}({})", function.module, function.function, args.join(", ")), given))
    }

    /// Sets a part of the inputs: to what an equation says, to another part, or to its value.
    fn set(&mut self, part: Expr, call: Expr) {
        if self.known.contains(&part) {
            return;
        }
        if let Some(at) = self.relations.iter().position(|it| self.gives(it, part)) {
            return self.relate(at);
        }
        let Ok(value) = self.evaluator.value(part) else { return };
        self.known.push(part);
        let name = self.arena.show_named(part, &self.names);
        let step = match self.twin(part, call) {
            Some(other) => format!("set {name} to {}", self.arena.show_named(other, &self.names)),
            None if self.is_free(part, call) => format!("fix {name} at {}", folded(&value.to_string())),
            None => format!("set {name} to {}", folded(&value.to_string())),
        };
        self.steps.push(step);
    }

    /// True if a relation gives a part by applications that are known.
    fn gives(&self, relation: &Relation, part: Expr) -> bool {
        let is_it = shifted(self.arena, relation.free).0 == part;
        is_it && !relation.is_used && relation.calls.iter().all(|call| self.handled.contains(call))
    }

    /// Describes a relation.
    fn relate(&mut self, at: usize) {
        self.relations[at].is_used = true;
        let Relation { free, given, .. } = self.relations[at];
        let condition = &self.conditions[self.relations[at].at];
        let (part, shift) = shifted(self.arena, free);
        let fresh = parts_of(self.arena, part).into_iter().filter(|it| !self.known.contains(it)).collect::<Vec<_>>();
        self.known.extend(&fresh);
        let shown = match self.short(given) {
            Some(shown) => shifted_text(strip(&shown), shift),
            None => match self.evaluator.value(given) {
                Ok(value) => folded(&value.to_string()),
                Err(_) => return,
            },
        };
        let name = self.short(part).unwrap_or_else(|| "the rest".to_owned());
        let is_open = fresh.len() == 1 && fresh[0] == part && self.is_open(at);
        let (but, whatever) = match (condition.holds, is_open) {
            (true, true) => ("", ", whatever it is"),
            (true, false) => ("", ""),
            (false, _) => ("anything but ", ""),
        };
        self.steps.push(format!("set {name} to {but}{shown}{whatever}"));
    }

    /// True if any value on its other side will do: nothing else is asked of it, nor of the part that is set to it.
    fn is_open(&self, at: usize) -> bool {
        let Relation { at: condition, free, calls, .. } = &self.relations[at];
        let part = shifted(self.arena, *free).0;
        !calls.iter().any(|call| self.tested.contains(call)) && !self.is_compared(part, Some(*condition))
    }

    /// True if any value of a part will do that is not compared with anything, in an application that is not tested.
    fn is_free(&self, part: Expr, call: Expr) -> bool {
        !self.tested.contains(&call) && !self.is_compared(part, None)
    }

    /// True if a condition other than one compares a part, or something that it is a part of or that is a part of it.
    fn is_compared(&self, part: Expr, except: Option<usize>) -> bool {
        let touches = |other: Expr| is_within(self.arena, other, part) || is_within(self.arena, part, other);
        self.conditions.iter().any(|condition| {
            let is_same = except.is_some_and(|except| self.conditions[except].test == condition.test);
            let is_other = !is_same && is_about_values(condition);
            is_other && condition.test.exprs().any(|expr| parts_of(self.arena, expr).into_iter().any(touches))
        }) || self.tested.iter().any(|call| match self.arena.node(*call) {
            Node::Opaque(_, args) => args.iter().any(|arg| parts_of(self.arena, *arg).into_iter().any(touches)),
            _ => false,
        })
    }

    /// The part at the same place in another application that an equation says to be the same, if it is the same too.
    fn twin(&mut self, part: Expr, call: Expr) -> Option<Expr> {
        let Node::Opaque(function, args) = self.arena.node(call) else { return None };
        let at = args.iter().position(|arg| *arg == part)?;
        for other in self.handled.clone() {
            let Node::Opaque(others, args) = self.arena.node(other) else { continue };
            let place = *args.get(at)?;
            if others == function
                && self.are_equal(call, other)
                && self.known.contains(&place)
                && self.evaluator.value(place).ok()? == self.evaluator.value(part).ok()?
            {
                return Some(place);
            }
        }
        None
    }

    /// True if an equation says that two applications give the same.
    fn are_equal(&self, call: Expr, other: Expr) -> bool {
        let of = |side: Expr| match self.arena.node(side) {
            Node::Element(of, 0) => Some(*of),
            _ => None,
        };
        self.conditions.iter().any(|it| match it.test {
            Test::Same(a, b) | Test::Equal(a, b) if it.holds => {
                let sides = [of(a), of(b)];
                sides == [Some(call), Some(other)] || sides == [Some(other), Some(call)]
            }
            _ => false,
        })
    }

    /// Describes the equations that set what no application depends on.
    fn rest(&mut self) {
        for at in 0..self.relations.len() {
            let Relation { at: condition, free, is_used, .. } = self.relations[at];
            let holds = self.conditions[condition].holds;
            let is_new = parts_of(self.arena, free).iter().any(|part| !self.known.contains(part));
            let is_part =
                matches!(self.arena.node(shifted(self.arena, free).0), Node::Bits { .. } | Node::Slice { .. });
            if !is_used && self.steps.len() < 2 * EXPLAINED && (is_new || holds && is_part) {
                self.relate(at);
            }
        }
    }
}

/// A comparison of what applications give with something else that is not a constant.
fn relation(arena: &Arena, at: usize, condition: &Condition) -> Option<Relation> {
    let (Test::Same(a, b) | Test::Equal(a, b)) = condition.test else { return None };
    let is_constant = |expr: Expr| arena.as_literal(expr).is_some();
    let has = |expr: Expr| !calls_in(arena, expr).is_empty();
    let (free, given) = match (has(a), has(b)) {
        (false, true) if !is_constant(a) => (a, b),
        (true, false) if !is_constant(b) => (b, a),
        _ => return None,
    };
    Some(Relation { at, free, given, calls: calls_in(arena, given), is_used: false })
}

/// All applications in an expression, those in arguments of others included.
fn calls_in(arena: &Arena, expr: Expr) -> Vec<Expr> {
    in_order(arena, &[Condition { test: Test::Defined(expr), holds: true }])
}

/// The applications that a condition is about, but not those in their arguments.
fn direct_calls(arena: &Arena, condition: &Condition) -> Vec<Expr> {
    let mut found = Vec::new();
    arena.visit(condition.test.exprs(), |expr, node| {
        let is_call = matches!(node, Node::Opaque(..));
        found.extend(is_call.then_some(expr));
        !is_call
    });
    found
}

/// True if a condition compares values, rather than to ask what kind of a value something is or whether there is one.
fn is_about_values(condition: &Condition) -> bool {
    let is_failure = matches!(condition.test, Test::Tuple(_, 1)) && !condition.holds;
    let is_comparison = matches!(condition.test, Test::Same(..) | Test::Equal(..) | Test::Less(..) | Test::HasKey(..));
    is_failure || is_comparison
}

/// The part that a constant is added to, and that constant.
fn shifted(arena: &Arena, expr: Expr) -> (Expr, Option<BigInt>) {
    if let Node::Apply(Op::Add, args) = arena.node(expr)
        && let [of, added] = args[..]
        && let Some(added) = arena.as_literal(added).and_then(Term::as_bigint)
    {
        return (of, Some(added.clone()));
    }
    (expr, None)
}

/// A text less a constant.
fn shifted_text(text: &str, shift: Option<BigInt>) -> String {
    match shift {
        Some(added) if added.sign() == Sign::Minus => format!("{text} + {}", -added),
        Some(added) => format!("{text} - {added}"),
        None => text.to_owned(),
    }
}

/// Without the brackets around it.
fn strip(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')']) || is_balanced(inner)).unwrap_or(text)
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().all(|char| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        depth >= 0
    }) && depth == 0
}

/// Elements and tails of lists that are parts of inputs, by their places.
fn names(arena: &Arena, conditions: &[Condition]) -> ExprNames {
    let mut names = ExprNames::default();
    for call in in_order(arena, conditions) {
        all_parts_of(arena, call).into_iter().for_each(|part| name(arena, part, &mut names));
    }
    for condition in conditions {
        let exprs: Vec<Expr> = condition.test.exprs().collect();
        exprs.into_iter().flat_map(|expr| parts_of(arena, expr)).for_each(|part| name(arena, part, &mut names));
    }
    names
}

fn name(arena: &Arena, part: Expr, names: &mut ExprNames) {
    if names.contains_key(&part) {
        return;
    }
    let (is_element, list) = match arena.node(part) {
        Node::Head(list) => (true, *list),
        Node::Tail(_) => (false, part),
        _ => return,
    };
    let all: Vec<Expr> = tails(arena, list).collect();
    let (Some(whole), count) = (all.last(), all.len() - 1) else { return };
    name(arena, *whole, names);
    if let Some(above) = above(arena, *whole) {
        name(arena, above, names);
    }
    let of = arena.show_named(*whole, names);
    match (is_element, count) {
        (true, 0) | (false, 1) => {}
        (true, count) => drop(names.insert(part, format!("lists:nth({}, {of})", count + 1))),
        (false, count) => drop(names.insert(part, format!("lists:nthtail({count}, {of})"))),
    }
}

/// A list, the list that it is the tail of, and so on.
fn tails(arena: &Arena, list: Expr) -> impl Iterator<Item = Expr> {
    std::iter::successors(Some(list), |at| match arena.node(*at) {
        Node::Tail(of) => Some(*of),
        _ => None,
    })
}

/// True if a condition says that two applications of one function to the same arguments give the same.
fn is_of_twins(arena: &Arena, evaluator: &mut Evaluator<'_>, condition: &Condition) -> bool {
    let (Test::Same(a, b) | Test::Equal(a, b), true) = (condition.test, condition.holds) else { return false };
    let mut point = |side: Expr| match arena.node(side) {
        Node::Element(call, 0) => match arena.node(*call) {
            Node::Opaque(function, args) => {
                let args: Result<Vec<Term>, _> = args.iter().map(|arg| evaluator.value(*arg)).collect();
                args.ok().map(|args| (*function, args))
            }
            _ => None,
        },
        _ => None,
    };
    let first = point(a);
    first.is_some() && first == point(b)
}

/// A text whose middle is left out if it is long.
fn folded(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONG {
        return text.to_owned();
    }
    let first: String = text.chars().take(LONG - ENDING).collect();
    let last: String = text.chars().skip(count - ENDING).collect();
    format!("{first}…{last} ({count} characters)")
}

fn is_within(arena: &Arena, part: Expr, whole: Expr) -> bool {
    std::iter::successors(Some(part), |at| above(arena, *at)).any(|at| at == whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_folded() {
        assert_eq!(folded("[1,2]"), "[1,2]");
        let long = folded(&"ab".repeat(400));
        assert!(long.starts_with("abab") && long.ends_with("ab (800 characters)") && long.contains('…'), "{long}");
        assert!(long.chars().count() < 130);
    }

    #[test]
    fn many_steps_are_folded() {
        let steps = |count: usize| joined((0..count).map(|at| at.to_string()).collect());
        assert_eq!(steps(3), "0, then 1, then 2");
        assert!(steps(40).contains("then 8, then … 29 steps more, then 38, then 39"), "{}", steps(40));
    }

    #[test]
    fn only_brackets_around_the_whole_are_left_out() {
        assert_eq!(strip("(f(X1) + 1)"), "f(X1) + 1");
        assert_eq!(strip("(A + B) * (C + D)"), "(A + B) * (C + D)");
    }
}
