//! The opaque functions that a finding depends on, and how its inputs were found, in words.

use constraint::{Arena, Condition, Evaluator, Expr, Node, Path, Test};
use solve::opaque::{in_order, parts_of};
use term::{Mfa, Term};

/// Applications that are explained; a path may have many.
const EXPLAINED: usize = 16;

/// The opaque functions that a path depends on, and a strategy that leads there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    pub functions: Vec<Mfa>,
    /// `set X2 = 10, where m:hash(10) = 66, then set X1 = 66`; empty without such functions.
    pub strategy: String,
}

/// Explains a path that inputs have taken.
pub fn explain(arena: &Arena, path: &Path, inputs: &[Term]) -> Explanation {
    if !arena.has_opaque() {
        return Explanation::default();
    }
    let conditions: Vec<Condition> = path.iter().map(|decision| decision.condition.clone()).collect();
    let calls = in_order(arena, &conditions);
    let mut explainer =
        Explainer { arena, evaluator: Evaluator::new(arena, inputs), known: Vec::new(), phrases: Vec::new() };
    let mut functions = Vec::new();
    for call in &calls {
        let Node::Opaque(function, _) = arena.node(*call) else { continue };
        if !functions.contains(function) {
            functions.push(*function);
        }
        if explainer.phrases.len() < EXPLAINED {
            explainer.call(*call);
        }
    }
    conditions.iter().for_each(|condition| explainer.equation(condition));
    let left = (explainer.phrases.len() > 2 * EXPLAINED).then(|| "…".to_owned());
    explainer.phrases.truncate(2 * EXPLAINED);
    Explanation { functions, strategy: explainer.phrases.into_iter().chain(left).collect::<Vec<_>>().join(", then ") }
}

struct Explainer<'a> {
    arena: &'a Arena,
    evaluator: Evaluator<'a>,
    /// Parts of inputs that were mentioned.
    known: Vec<Expr>,
    phrases: Vec<String>,
}

impl Explainer<'_> {
    /// The arguments, and what the function gives for them.
    fn call(&mut self, call: Expr) {
        let Node::Opaque(function, args) = self.arena.node(call) else { return };
        args.iter().for_each(|arg| self.parts(*arg));
        let values: Option<Vec<String>> =
            args.iter().map(|arg| self.evaluator.value(*arg).ok().map(|value| value.to_string())).collect();
        let (Some(args), Ok(outcome)) = (values, self.evaluator.value(call)) else { return };
        let given = match outcome.as_tuple() {
            Some([value]) => format!("gives {value}"),
            Some([class, reason]) => format!("raises {class}:{reason}"),
            _ => return,
        };
        self.phrases.push(format!("{}:{}({}) {given}", function.module, function.function, args.join(", ")));
    }

    fn parts(&mut self, expr: Expr) {
        for part in parts_of(self.arena, expr) {
            if let Ok(value) = self.evaluator.value(part)
                && !self.known.contains(&part)
            {
                self.known.push(part);
                self.phrases.push(format!("set {} = {value}", self.arena.show(part)));
            }
        }
    }

    /// The parts of inputs that an equation with an application sets.
    fn equation(&mut self, condition: &Condition) {
        let (Test::Same(a, b) | Test::Equal(a, b), true) = (condition.test, condition.holds) else { return };
        if in_order(self.arena, std::slice::from_ref(condition)).is_empty() {
            return;
        }
        self.parts(a);
        self.parts(b);
    }
}
