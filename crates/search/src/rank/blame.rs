//! The condition that a crash is blamed on: the last one about a value it failed on.

use std::collections::BTreeSet;

use constraint::{Arena, Condition, Expr, Grammar, MapField, Node, Op, RuleId, Shape, Test, Type};
use exec::forward::Place;
use term::{Atom, Exception, Mfa, Term, known};

use super::parts::{InputParts, PartType, around};
use crate::finding::{Defect, ReasonShape, StackEntry};

/// Terms of an exception that are looked through for operands.
const LOOKED_AT: usize = 2_000;

/// The values that a crash failed on, as far as its exception shows them.
#[derive(Clone, Default, Debug)]
pub struct Operands {
    /// True if it shows any.
    are_shown: bool,
    /// Those that depend on inputs.
    exprs: Vec<Expr>,
    /// The function that raised the exception.
    raised_in: Option<Mfa>,
}

impl Operands {
    /// The operands of a defect whose terms have the marks of its run.
    pub fn of(defect: &Defect, arena: &Arena) -> Operands {
        let Some(Exception { reason, stack, .. }) = defect.exception() else { return Operands::default() };
        let args = stack.cells().next().and_then(Term::as_tuple).and_then(|entry| entry.get(2)?.proper_list());
        let inside = reason.as_tuple().map_or(&[][..], |items| items.get(1..).unwrap_or_default());
        let raised_in = stack.cells().next().and_then(StackEntry::read).map(|entry| entry.function);
        let mut operands = Operands { are_shown: !inside.is_empty() || args.is_some(), exprs: Vec::new(), raised_in };
        let mut terms: Vec<&Term> = args.iter().flatten().chain(inside).collect();
        let mut left = LOOKED_AT;
        while let (Some(term), true) = (terms.pop(), left > 0) {
            left -= 1;
            match (arena.of_mark(term.mark()), term) {
                (Some(expr), _) => operands.exprs.push(expr),
                (None, Term::Tuple(_, items)) => terms.extend(items.iter()),
                (None, Term::Cons(_, cell)) => terms.extend([&cell.head, &cell.tail]),
                (None, Term::Map(_, map)) => terms.extend(map.iter().flat_map(|(key, value)| [key, value])),
                (None, _) => {}
            }
        }
        operands
    }

    /// True if they do not depend on inputs.
    pub fn are_own(&self) -> bool {
        self.are_shown && self.exprs.is_empty()
    }

    /// True if they are those of a function that no solver sees into: what it was given shows no marks.
    pub fn are_of_unseen(&self, arena: &Arena, conditions: &[&Condition]) -> bool {
        conditions.iter().any(|condition| self.are_asked_unseen(arena, condition))
    }

    fn are_asked_unseen(&self, arena: &Arena, condition: &Condition) -> bool {
        let Test::Tuple(call, 1) = condition.test else { return false };
        let is_raised = |function: &Mfa| !condition.holds && self.raised_in == Some(*function);
        self.are_own() && matches!(arena.node(call), Node::Opaque(function, _) if is_raised(function))
    }
}

/// The last of some conditions that asks about an operand, or the last of all if the operands are not known.
pub fn blamed<'c>(parts: &InputParts<'_>, conditions: &[&'c Condition], operands: &Operands) -> Option<&'c Condition> {
    let asks = asking(parts, operands);
    conditions.iter().rev().find(|condition| asks(condition)).copied()
}

/// The check if a condition asks about an operand.
pub fn asking(parts: &InputParts<'_>, operands: &Operands) -> impl Fn(&Condition) -> bool {
    let failed: Vec<Expr> = operands.exprs.iter().flat_map(|expr| parts.of(*expr)).collect();
    move |condition| {
        let is_asked = |part: Expr| failed.iter().any(|operand| parts.overlap(part, *operand));
        let is_known = !operands.are_shown || operands.are_asked_unseen(parts.arena, condition);
        let asks = || condition.test.exprs().flat_map(|expr| parts.of(expr)).any(is_asked);
        is_known || !failed.is_empty() && asks()
    }
}

/// True if a condition asks about an operand, or about what is in one: else only about what one stands in.
pub fn asks_inside(parts: &InputParts<'_>, condition: &Condition, operands: &Operands) -> bool {
    let mut asked = condition.test.exprs().flat_map(|expr| parts.of(expr));
    asked.any(|part| operands.exprs.iter().any(|operand| parts.is_within(part, *operand)))
}

/// A part of an input that no spec narrows.
pub struct WidePart {
    pub part: Expr,
    width: Width,
}

/// The ways in which a spec leaves a part open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    /// Any term.
    Any,
    /// A list of any terms.
    Elements,
    /// Any atom, where the program asks for certain ones.
    Atom,
    /// Tuples of any size.
    Tuple,
    /// Maps with any keys.
    Map,
    /// Funs of any arity.
    Fun,
    /// The end of a list that is no list.
    Improper,
    /// A number beyond all that anyone computes with floats.
    Huge,
    /// A number beyond what an operation of the VM takes.
    Large,
}

/// Returns the part that a condition asks about if that is a question of what it is, the answer is no, and no spec narrows it.
pub fn wide_part(parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
    if let (Test::Defined(result), false) = (condition.test, condition.holds) {
        return huge(parts, result).map(|part| WidePart { part, width: Width::Huge });
    }
    let part = asked(parts, condition).filter(|_| !condition.holds)?;
    let value = parts.values.value(part).ok()?;
    let types = parts.type_of(part)?;
    let is_any = matches!(types, PartType::Any);
    let has = |is: fn(&Grammar, &Shape) -> bool| types.has(parts.grammar, |shape| is(parts.grammar, shape));
    let width = match condition.test {
        _ if is_improper_end(parts.arena, part, &value) => Width::Improper,
        Test::Type(_, Type::ProperList | Type::Text) if is_improper(&value) => Width::Improper,
        // The program takes it apart as a list, and it is one.
        Test::Cons(_) if matches!(value, Term::Nil(_)) => return None,
        _ if is_any => Width::Any,
        Test::Tuple(..) if has(|_, shape| *shape == Shape::AnyTuple) => Width::Tuple,
        Test::Arity(..) if has(|_, shape| matches!(shape, Shape::Fun { params: None, .. })) => Width::Fun,
        Test::HasKey(..) if has(is_any_map) => Width::Map,
        Test::Same(..) | Test::Equal(..) if value.as_atom().is_some() && has(|_, shape| *shape == Shape::Atom) => {
            Width::Atom
        }
        _ => return None,
    };
    Some(WidePart { part, width })
}

/// The part that a condition asks about, whatever the question, if it is the end of a list that is no list.
pub fn improper_part(parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
    let asked: Vec<Expr> = condition.test.exprs().flat_map(|expr| parts.of(expr)).collect();
    let is_end = |part: &Expr| {
        let value = parts.values.value(*part);
        value.is_ok_and(|value| is_improper_end(parts.arena, *part, &value))
    };
    let part = asked.into_iter().find(is_end)?;
    Some(WidePart { part, width: Width::Improper })
}

/// An operand that is a tuple of which a spec does not say how many elements it has.
pub fn any_tuple(parts: &mut InputParts<'_>, operands: &Operands) -> Option<WidePart> {
    let part = operands.exprs.iter().copied().find(|part| match parts.type_of(*part) {
        Some(PartType::Any) | None => false,
        Some(types) => types.has(parts.grammar, |shape| *shape == Shape::AnyTuple),
    })?;
    Some(WidePart { part, width: Width::Tuple })
}

/// The part that a condition finds to be of a kind, if no spec narrows it: a library that asks wants values of other kinds.
pub fn found_kind(parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
    let is_atom = |expr: Expr| parts.arena.as_literal(expr).is_some_and(|literal| literal.as_atom().is_some());
    let part = match condition.test {
        Test::Type(expr, _) => computed_from(parts, expr),
        Test::Tuple(part, _) | Test::Arity(part, _) | Test::HasKey(part, _) => part,
        Test::Same(part, value) | Test::Equal(part, value) if is_atom(value) => part,
        _ => return None,
    };
    let is_any = condition.holds && matches!(parts.type_of(part)?, PartType::Any);
    is_any.then_some(WidePart { part, width: Width::Any })
}

/// The part that a condition asks about, whatever the question, if it may be anything.
pub fn asked_part(parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
    let asked: Vec<Expr> = condition.test.exprs().flat_map(|expr| parts.of(expr)).collect();
    any_of(parts, asked.into_iter())
}

/// The part that a condition asks about, whatever the question, if it is a list of what may be anything.
pub fn list_of_any(parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
    let asked: Vec<Expr> = condition.test.exprs().flat_map(|expr| parts.of(expr)).collect();
    let part = asked.into_iter().find(|part| {
        let Some(PartType::Rules(rules)) = parts.type_of(*part) else { return false };
        let is_cell = parts.values.value(*part).is_ok_and(|value| matches!(value, Term::Cons(..)));
        let has_any = |head: &RuleId| parts.grammar.rule(*head).shapes.contains(&Shape::Any);
        let is_open = |shape: &Shape| matches!(shape, Shape::Cons(head, _) if has_any(head));
        is_cell && rules.iter().any(|rule| parts.grammar.rule(*rule).shapes.iter().any(is_open))
    })?;
    Some(WidePart { part, width: Width::Elements })
}

/// The part that a condition asks about, whatever the question, if it may be anything and is itself what failed.
pub fn failed_part(parts: &mut InputParts<'_>, condition: &Condition, operands: &Operands) -> Option<WidePart> {
    let asked: Vec<Expr> = condition.test.exprs().flat_map(|expr| parts.of(expr)).collect();
    any_of(parts, asked.into_iter().filter(|part| operands.exprs.contains(part)))
}

/// The part that a condition compares, if it has to be a number that is large, or far below zero: witnesses are as small as
/// can be.
pub fn large_part(parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
    let Test::Less(left, right) = condition.test else { return None };
    let asked: Vec<Expr> = [left, right].into_iter().flat_map(|side| parts.of(side)).collect();
    let mut is_large = |part: &Expr| {
        let value = parts.values.value(*part);
        value.is_ok_and(|value| value.as_bigint().is_some_and(|number| number.bits() > LARGE_BITS))
    };
    let part = asked.into_iter().find(&mut is_large)?;
    Some(WidePart { part, width: Width::Large })
}

/// Bits of numbers that sizes, times and counts of programs have.
const LARGE_BITS: u64 = 31;

/// The part that a condition asks about if it may be anything and is a negative number, where a byte, a character or a
/// size is wanted, or one that is no byte.
pub fn unfit_number(parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
    let Test::Less(left, right) = condition.test else { return None };
    let part = [left, right].into_iter().find(|side| parts.arena.as_literal(*side).is_none())?;
    let value = parts.values.value(part).ok()?;
    let is_negative = value.as_bigint().is_some_and(|number| number < 0.into());
    if is_negative || byte_asked(parts.arena, condition) == Some(part) { open_part(parts, part) } else { None }
}

/// The number that a condition finds to be too large for a byte.
pub fn byte_asked(arena: &Arena, condition: &Condition) -> Option<Expr> {
    let Test::Less(left, right) = condition.test else { return None };
    let is_number = |expr: Expr, wanted| arena.as_literal(expr).and_then(Term::as_i64) == Some(wanted);
    match condition.holds {
        true => Some(right).filter(|_| is_number(left, 255)),
        false => Some(left).filter(|_| is_number(right, 256)),
    }
}

/// The part that a condition asks about, whatever the question, if it is a field of a record of which no spec says what is
/// in it: only the module makes such records. The same for other tuples whose tags the program knows.
pub fn record_part(
    parts: &mut InputParts<'_>,
    condition: &Condition,
    records: &[(Atom, usize)],
    tagged: &[Expr],
) -> Option<WidePart> {
    let asked: Vec<Expr> = condition.test.exprs().flat_map(|expr| parts.of(expr)).collect();
    let mut is_field = |part: Expr| {
        let wholes: Vec<Expr> = around(parts.arena, part)
            .filter_map(|at| match parts.arena.node(at) {
                Node::Element(whole, at) if *at > 0 => Some(*whole),
                _ => None,
            })
            .collect();
        wholes.into_iter().any(|whole| {
            let value = parts.values.value(whole).ok();
            tagged.contains(&whole) || value.is_some_and(|value| is_record(&value, records))
        })
    };
    let fields: Vec<Expr> = asked.into_iter().filter(|part| is_field(*part)).collect();
    any_of(parts, fields.into_iter())
}

fn is_record(value: &Term, records: &[(Atom, usize)]) -> bool {
    let Some(items @ [tag, ..]) = value.as_tuple() else { return false };
    tag.as_atom().is_some_and(|tag| records.contains(&(tag, items.len())))
}

/// An operand that is a part of an input which may be anything, or any atom, and which no condition asks about.
pub fn unasked_part(parts: &mut InputParts<'_>, conditions: &[&Condition], operands: &Operands) -> Option<WidePart> {
    let asked = conditions.iter().flat_map(|condition| condition.test.exprs()).flat_map(|expr| parts.of(expr));
    let asked: Vec<Expr> = asked.collect();
    // What it stands in may be asked about: that says nothing of it.
    let is_asked = |part: Expr| asked.iter().any(|other| parts.is_within(*other, part));
    let unasked: Vec<Expr> = operands.exprs.iter().copied().filter(|part| !is_asked(*part)).collect();
    let atom = unasked.iter().copied().find(|part| {
        let only_atoms = |rule: &RuleId| parts.grammar.rule(*rule).shapes.iter().all(|shape| *shape == Shape::Atom);
        matches!(parts.type_of(*part), Some(PartType::Rules(rules)) if rules.iter().all(only_atoms))
    });
    any_of(parts, unasked.into_iter()).or(atom.map(|part| WidePart { part, width: Width::Atom }))
}

/// An expression that is a part of an input which may be anything.
pub fn open_part(parts: &mut InputParts<'_>, expr: Expr) -> Option<WidePart> {
    any_of(parts, std::iter::once(expr))
}

fn any_of(parts: &mut InputParts<'_>, mut found: impl Iterator<Item = Expr>) -> Option<WidePart> {
    let part = found.find(|part| matches!(parts.type_of(*part), Some(PartType::Any)))?;
    Some(WidePart { part, width: Width::Any })
}

/// A part that is a large number, of what is too large for the operation on floats that has no result: the digits of a text
/// are none.
fn huge(parts: &mut InputParts<'_>, result: Expr) -> Option<Expr> {
    let arena = parts.arena;
    let Node::Apply(Op::Float(_), args) = arena.node(result) else { return None };
    let found = args.iter().copied().find(|arg| has_bits(parts, *arg, HUGE_BITS))?;
    parts.of(found).into_iter().find(|part| has_bits(parts, *part, LARGE_BITS))
}

/// True if the value of an expression is a number of more bits.
fn has_bits(parts: &mut InputParts<'_>, expr: Expr, bits: u64) -> bool {
    match parts.values.value(expr) {
        Ok(Term::Float(_, value)) => value.abs().log2() > bits as f64,
        Ok(value) => value.as_bigint().is_some_and(|value| value.bits() > bits),
        Err(_) => false,
    }
}

/// The bits of the root of the largest float.
const HUGE_BITS: u64 = 512;

/// The part that a condition asks about, if it is a question of what that part is.
pub(super) fn asked(parts: &mut InputParts<'_>, condition: &Condition) -> Option<Expr> {
    let is_literal = |expr: Expr| parts.arena.as_literal(expr).is_some();
    match condition.test {
        Test::Type(expr, _) => Some(computed_from(parts, expr)),
        Test::Cons(part) | Test::Tuple(part, _) | Test::Arity(part, _) => Some(part),
        Test::Same(part, value) | Test::Equal(part, value) if is_literal(value) => Some(part),
        Test::HasKey(map, key) if is_literal(key) => Some(map),
        // All terms have an order: the question is one of kind where it is not about integers.
        Test::Less(left, right) => {
            [left, right].into_iter().find(|side| parts.values.value(*side).is_ok_and(|value| !value.is_integer()))
        }
        _ => None,
    }
}

/// The only part that a number is computed from: a float makes floats.
fn computed_from(parts: &InputParts<'_>, expr: Expr) -> Expr {
    match (parts.arena.node(expr), &parts.of(expr)[..]) {
        (Node::Apply(..), [part]) => *part,
        _ => expr,
    }
}

fn is_improper(value: &Term) -> bool {
    matches!(value, Term::Cons(..)) && value.proper_list().is_none()
}

fn is_improper_end(arena: &Arena, part: Expr, value: &Term) -> bool {
    matches!(arena.node(part), Node::Tail(_)) && !matches!(value, Term::Cons(..) | Term::Nil(_))
}

fn is_any_map(grammar: &Grammar, shape: &Shape) -> bool {
    let is_any = |rule| grammar.rule(rule).shapes.contains(&Shape::Any);
    let takes_all = |field: &MapField| !field.mandatory && is_any(field.key);
    matches!(shape, Shape::Map(fields) if fields.iter().any(takes_all))
}

/// A condition to be met instead of one that asks for another kind: the same crash on a value of the wanted kind is no
/// matter of kinds.
pub enum Wish {
    /// The part is `[]`.
    Empty(Expr),
    /// The part is of a type.
    Type(Expr, Type),
}

impl WidePart {
    /// The values of the kind that the program asks for, for which the answer is no all the same.
    pub fn wish(&self, condition: &Condition) -> Option<Wish> {
        match condition.test {
            Test::Cons(part) => Some(Wish::Empty(part)),
            Test::Less(..) => Some(Wish::Type(self.part, Type::Integer)),
            _ => None,
        }
    }

    /// Says in words why a finding is doubtful.
    pub fn reason(&self, parts: &InputParts<'_>, specified: bool) -> String {
        let around: Vec<Expr> = around(parts.arena, self.part).collect();
        let number = parts.input(self.part).map_or(0, |at| at + 1);
        let is_result = around.iter().any(|part| matches!(parts.arena.node(*part), Node::Result(..)));
        let what = match around.len() {
            1 => format!("argument {number}"),
            _ if is_result => format!("the results of the fun in argument {number}"),
            _ => format!("a part of argument {number}"),
        };
        let kind = match self.width {
            Width::Improper => return format!("argument {number} has an improper list"),
            Width::Huge => return format!("{what} is a number too large to compute with as a float"),
            Width::Large => return format!("{what} is a number too large for what takes it"),
            _ if !specified => return format!("no spec narrows {what}"),
            Width::Elements => return format!("the spec has any() for what is in {what}"),
            Width::Any => "any()",
            Width::Atom => "atom()",
            Width::Tuple => "tuple()",
            Width::Map => "map()",
            Width::Fun => "fun()",
        };
        format!("the spec has {kind} for {what}")
    }
}

/// The identity of a blame: crashes at one place have different causes if different parts of the input are to blame, or
/// if the program comes there in different ways.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct BlameKey {
    /// The parts asked about: the input, and the last step to the part that is not one along a list.
    parts: BTreeSet<(u32, Option<u32>)>,
    is_doubtful: bool,
    /// The shape of the value in the exception's reason.
    value: Option<ReasonShape>,
    /// The line of the last branch of the code under test that asks about a value that the crash failed on.
    line: Option<(Mfa, u32)>,
    /// The calls that led to the crash, in the code under test: function, line and column. Those of recursive functions are
    /// left out.
    calls: BTreeSet<(Mfa, u32, u32)>,
}

impl BlameKey {
    pub(super) fn of<'t>(
        parts: &mut InputParts<'_>,
        (defect, blamed): (&Defect, Option<&Condition>),
        line: Option<(Mfa, u32)>,
        calls: impl Iterator<Item = &'t Place>,
        is_doubtful: bool,
    ) -> BlameKey {
        let asked = blamed.into_iter().flat_map(|condition| condition.test.exprs());
        let asked: Vec<Expr> = asked.flat_map(|expr| parts.of(expr)).collect();
        // Where no clause takes a text, it does not matter which of them asked last, nor what stood before.
        let is_text = has_no_clause(defect) && asked.iter().all(|part| is_bits(parts, *part)) && !asked.is_empty();
        let line = line.map(|(function, line)| (function, if is_text { 0 } else { line }));
        let at = |place: &Place| if is_text { (0, 0) } else { (place.line, place.column) };
        let calls = calls.map(|place| (place.function, at(place).0, at(place).1)).collect();
        BlameKey {
            parts: asked.into_iter().filter_map(|part| Some((parts.input(part)?, step(parts.arena, part)))).collect(),
            is_doubtful,
            value: defect.exception().and_then(|exception| value(&exception.reason, parts.arena)),
            line,
            calls,
        }
    }

    /// The identity of a value that breaks the contract.
    pub(super) fn of_value(is_doubtful: bool) -> BlameKey {
        BlameKey { is_doubtful, ..BlameKey::default() }
    }

    /// True if it is a doubtful one.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// True if both stand for one cause: the same blame, where the way of one to the crash is part of the other's.
    pub fn is_same(&self, other: &BlameKey) -> bool {
        self.is_alike(other) && self.line == other.line
    }

    /// True if both blame the same through the same calls, whatever the question.
    pub fn is_alike(&self, other: &BlameKey) -> bool {
        let is_blame = is_part(&self.parts, &other.parts) && self.is_doubtful == other.is_doubtful;
        is_blame && self.value == other.value && is_part(&self.calls, &other.calls)
    }
}

fn has_no_clause(defect: &Defect) -> bool {
    defect.exception().is_some_and(|exception| exception.reason.as_atom() == Some(known::FUNCTION_CLAUSE))
}

fn is_bits(parts: &mut InputParts<'_>, part: Expr) -> bool {
    parts.values.value(part).is_ok_and(|value| matches!(value, Term::Bits(..)))
}

fn is_part<T: Ord>(left: &BTreeSet<T>, right: &BTreeSet<T>) -> bool {
    left.is_subset(right) || right.is_subset(left)
}

/// The shape of the value that a reason has, as far as inputs do not decide it.
fn value(reason: &Term, arena: &Arena) -> Option<ReasonShape> {
    let [_, value] = reason.as_tuple()? else { return None };
    let first = value.as_tuple().and_then(|items| items.first());
    let is_own = |term: &Term| arena.of_mark(term.mark()).is_none();
    let (is_plain, is_tagged) = (is_own(value), first.is_none_or(is_own));
    Some(ReasonShape::of(value)).filter(|_| is_plain && is_tagged)
}

fn step(arena: &Arena, part: Expr) -> Option<u32> {
    around(arena, part).find_map(|at| match arena.node(at) {
        Node::Element(_, at) => Some(*at),
        // Literals have numbers of their own; all other keys are alike.
        Node::MapValue(_, key) => Some(arena.as_literal(*key).map_or(u32::MAX, |_| key.number() as u32)),
        _ => None,
    })
}
