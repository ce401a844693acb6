//! Answers from the grammar alone, whatever path led there: they need no solver.

use std::rc::Rc;

use constraint::{Arena, Condition, Expr, Grammar, Kinds, Node, Op, RuleId, Shape, Test, Type, is_of};
use rustc_hash::FxHashMap;
use term::Term;

use crate::integer::interval::Range;
use crate::query::{Answer, UnknownReason};
use crate::structural::{accepts, smallest};

/// The smallest inputs of these rules.
pub fn smallest_inputs(grammar: &Grammar, inputs: &[RuleId]) -> Answer {
    let heights = grammar.heights();
    if inputs.iter().any(|rule| heights[rule.0 as usize].is_none()) {
        return Answer::Unsat;
    }
    let values: Option<Vec<Term>> = inputs.iter().map(|rule| smallest(grammar, *rule)).collect();
    values.map_or(Answer::Unknown(UnknownReason::Unsupported), Answer::Sat)
}

/// The rules that parts of inputs may have, over one arena and one grammar.
pub struct Shapes {
    inputs: Vec<RuleId>,
    /// `None`: anything.
    rules: FxHashMap<Expr, Option<Rc<[RuleId]>>>,
}

/// The answers that a test can have.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Answers {
    yes: bool,
    no: bool,
}

const YES: Answers = Answers { yes: true, no: false };
const NO: Answers = Answers { yes: false, no: true };
const BOTH: Answers = Answers { yes: true, no: true };

impl Shapes {
    /// The shapes of inputs of these rules.
    pub fn new(inputs: Vec<RuleId>) -> Shapes {
        Shapes { inputs, rules: FxHashMap::default() }
    }

    /// Returns true if no input of the rules meets the condition and those before it; false if that is not known.
    pub fn refute(&mut self, arena: &Arena, grammar: &Grammar, condition: &Condition, before: &[Condition]) -> bool {
        self.refute_shape(arena, grammar, condition, before) || self.refute_range(arena, grammar, condition)
    }

    /// A number that is compared with a constant, where its least and greatest value decide.
    fn refute_range(&mut self, arena: &Arena, grammar: &Grammar, condition: &Condition) -> bool {
        let (Test::Less(a, b) | Test::Same(a, b) | Test::Equal(a, b)) = condition.test else { return false };
        let constant = |expr| arena.as_literal(expr).and_then(Term::as_bigint);
        let (expr, value, is_left) = match (constant(a), constant(b)) {
            (None, Some(value)) => (a, value, true),
            (Some(value), None) => (b, value, false),
            _ => return false,
        };
        let Some(Range { low, high }) = self.range(arena, grammar, expr) else { return false };
        let above = low.as_ref().is_some_and(|low| *low > value);
        let below = high.as_ref().is_some_and(|high| *high < value);
        let from = low.is_some_and(|low| low >= value);
        let up_to = high.is_some_and(|high| high <= value);
        match (condition.test, condition.holds, is_left) {
            (Test::Less(..), true, true) => from,
            (Test::Less(..), true, false) => up_to,
            (Test::Less(..), false, true) => below,
            (Test::Less(..), false, false) => above,
            (_, true, _) => above || below,
            (_, false, _) => from && up_to,
        }
    }

    /// The least and the greatest value of a part that is an integer, or of the size of one that is a tuple.
    fn range(&mut self, arena: &Arena, grammar: &Grammar, expr: Expr) -> Option<Range> {
        let (part, bounds): (Expr, fn(&Shape) -> Option<Range>) = match arena.node(expr) {
            Node::Apply(Op::TupleSize, args) => (*args.first()?, sizes),
            _ => (expr, integers),
        };
        let rules = self.rules(arena, grammar, part)?;
        let mut shapes = rules.iter().flat_map(|rule| &grammar.rule(*rule).shapes);
        let first = bounds(shapes.next()?)?;
        shapes.try_fold(first, |all, shape| Some(all.hull(&bounds(shape)?)))
    }

    fn refute_shape(&mut self, arena: &Arena, grammar: &Grammar, condition: &Condition, before: &[Condition]) -> bool {
        let Some(question) = Question::of(arena, condition) else { return false };
        let Some(rules) = self.rules(arena, grammar, question.part) else { return false };
        if let Some(literal) = question.literal.filter(|_| condition.holds)
            && !rules.is_empty()
            && !rules.iter().any(|rule| accepts(grammar, *rule, literal))
        {
            return true;
        }
        let known = before.iter().filter_map(|condition| Question::of(arena, condition));
        let known: Vec<Question<'_>> = known.filter(|known| known.part == question.part).collect();
        let mut shapes = rules.iter().flat_map(|rule| &grammar.rule(*rule).shapes).peekable();
        let any = shapes.peek().is_some();
        any && shapes.all(|shape| question.is_refuted_by(shape) || known.iter().any(|it| it.is_refuted_by(shape)))
    }

    /// The rules that a part may have; `None` where it may be anything, or is no part of an input.
    fn rules(&mut self, arena: &Arena, grammar: &Grammar, part: Expr) -> Option<Rc<[RuleId]>> {
        let mut below = Vec::new();
        let mut at = part;
        let mut rules = loop {
            if let Some(known) = self.rules.get(&at) {
                break known.clone();
            }
            below.push(at);
            match arena.node(at) {
                Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) | Node::Result(inner, _) => at = *inner,
                Node::Input(input) => {
                    below.pop();
                    let rules = self.inputs.get(*input as usize).map(|rule| Rc::from([*rule]));
                    self.rules.insert(at, rules.clone());
                    break rules;
                }
                _ => break None,
            }
        };
        for expr in below.into_iter().rev() {
            rules = rules.and_then(|rules| parts(grammar, &rules, arena.node(expr)));
            self.rules.insert(expr, rules.clone());
        }
        rules
    }
}

/// A condition about one part of an input.
struct Question<'a> {
    part: Expr,
    /// The constant it is compared with.
    literal: Option<&'a Term>,
    condition: &'a Condition,
}

impl<'a> Question<'a> {
    fn of(arena: &'a Arena, condition: &'a Condition) -> Option<Question<'a>> {
        let (part, literal) = match condition.test {
            Test::Cons(x) | Test::Tuple(x, _) | Test::Type(x, _) => (x, None),
            Test::Same(a, b) => match (arena.as_literal(a), arena.as_literal(b)) {
                (None, Some(literal)) => (a, Some(literal)),
                (Some(literal), None) => (b, Some(literal)),
                _ => return None,
            },
            _ => return None,
        };
        Some(Question { part, literal, condition })
    }

    /// Returns true if no value of that shape meets the condition.
    fn is_refuted_by(&self, shape: &Shape) -> bool {
        let answers = match (self.condition.test, self.literal) {
            (Test::Cons(_), _) => is_cell(shape),
            (Test::Tuple(_, size), _) => has_size(shape, size),
            (Test::Type(_, wanted), _) => has_type(shape, wanted),
            (_, Some(literal)) => is_value(shape, literal),
            _ => BOTH,
        };
        answers == if self.condition.holds { NO } else { YES }
    }
}

/// The rules of a part of a value of these rules.
fn parts(grammar: &Grammar, rules: &[RuleId], part: &Node) -> Option<Rc<[RuleId]>> {
    let mut found: Vec<RuleId> = Vec::new();
    for shape in rules.iter().flat_map(|rule| &grammar.rule(*rule).shapes) {
        let rule = match (shape, part) {
            (Shape::Cons(head, _), Node::Head(_)) => Some(*head),
            (Shape::Cons(_, tail), Node::Tail(_)) => Some(*tail),
            (Shape::Tuple(items), Node::Element(_, at)) => items.get(*at as usize).copied(),
            (Shape::Fun { params, result }, Node::Result(_, args)) => {
                params.as_ref().is_none_or(|params| params.len() == args.len()).then_some(*result)
            }
            (Shape::Any | Shape::Rule(_), _) | (Shape::AnyTuple, Node::Element(..)) => return None,
            (Shape::Literal(Term::Cons(..) | Term::Tuple(..)), _) => return None,
            _ => None,
        };
        found.extend(rule.filter(|rule| !found.contains(rule)));
    }
    Some(found.into())
}

/// The integers of a shape; `None` if there are other terms.
pub(crate) fn integers(shape: &Shape) -> Option<Range> {
    match shape {
        Shape::Integer { low, high } => Some(Range { low: low.clone(), high: high.clone() }),
        Shape::Literal(term) => term.as_bigint().map(Range::point),
        _ => None,
    }
}

/// The sizes of a shape; `None` if there are other terms.
fn sizes(shape: &Shape) -> Option<Range> {
    match shape {
        Shape::Tuple(items) => Some(Range::point(items.len().into())),
        _ => None,
    }
}

fn is_cell(shape: &Shape) -> Answers {
    match shape {
        Shape::Any | Shape::Rule(_) => BOTH,
        Shape::Cons(..) | Shape::Literal(Term::Cons(..)) => YES,
        _ => NO,
    }
}

fn is_value(shape: &Shape, value: &Term) -> Answers {
    match (shape, value) {
        (Shape::Literal(only), _) if only == value => YES,
        (Shape::Literal(_), _) => NO,
        (Shape::Atom, Term::Atom(..)) | (Shape::Cons(..), Term::Cons(..)) => BOTH,
        (Shape::Tuple(_), Term::Tuple(..)) => BOTH,
        (Shape::Integer { .. }, _) if value.is_integer() => BOTH,
        (Shape::Atom | Shape::Cons(..) | Shape::Tuple(_) | Shape::Integer { .. }, _) => NO,
        _ => BOTH,
    }
}

fn has_size(shape: &Shape, size: u32) -> Answers {
    let known = |length: usize| if length == size as usize { YES } else { NO };
    match shape {
        Shape::Any | Shape::Rule(_) | Shape::AnyTuple => BOTH,
        Shape::Tuple(items) => known(items.len()),
        Shape::Literal(Term::Tuple(_, items)) => known(items.len()),
        _ => NO,
    }
}

fn has_type(shape: &Shape, wanted: Type) -> Answers {
    let kinds = match shape {
        Shape::Literal(term) => return if is_of(term, wanted) { YES } else { NO },
        Shape::Atom => Kinds::ATOM,
        Shape::Integer { .. } => Kinds::INTEGER,
        Shape::Float => Kinds::FLOAT,
        Shape::Cons(..) => Kinds::CONS,
        Shape::AnyTuple | Shape::Tuple(_) => Kinds::TUPLE,
        Shape::Map(_) => Kinds::MAP,
        Shape::Bits { .. } => Kinds::BITS,
        Shape::Fun { .. } => Kinds::FUN,
        _ => return BOTH,
    };
    Answers { yes: Kinds::possible(wanted).has(kinds), no: !Kinds::certain(wanted).has(kinds) }
}
