//! Patterns: tests from left to right, each revealing the parts that the next ones look at.

use constraint::Type;
use ir::{BlockId, Operand, Reg, SegmentKind, Test};
use term::{Bits, Term, known};

use super::Lowering;
use super::condition::type_test;
use crate::flat::{Pattern, SegmentPattern, Value};

/// The value that a pattern is matched with.
#[derive(Clone)]
pub enum Scrutinee<'a> {
    Operand(Operand),
    /// A cons or tuple that is not built yet: its parts are known without a test.
    Parts(&'a Value),
}

impl<'a> Lowering<'_, 'a> {
    /// The values of a choice. A boolean that is not computed yet is computed now, for all clauses.
    pub fn subjects(&mut self, args: &'a [Value]) -> Vec<Scrutinee<'a>> {
        args.iter().map(|arg| self.subject(arg)).collect()
    }

    fn subject(&mut self, value: &'a Value) -> Scrutinee<'a> {
        match value {
            Value::Cons(_) | Value::Tuple(_) => Scrutinee::Parts(value),
            _ => Scrutinee::Operand(self.operand(value)),
        }
    }

    /// Goes on with all variables bound if the patterns match, to `fail` otherwise; whether they can fail.
    pub fn match_all(&mut self, patterns: &'a [Pattern], subjects: &[Scrutinee<'a>], fail: BlockId) -> bool {
        if patterns.len() != subjects.len() {
            self.fail(format!("{} patterns for {} values", patterns.len(), subjects.len()));
        }
        let mut matching = Matching { open: Vec::new(), fail, can_fail: false };
        matching.open.extend(patterns.iter().zip(subjects.iter().cloned()).rev());
        while let Some((pattern, subject)) = matching.open.pop() {
            if !self.builder.is_live() {
                break;
            }
            self.match_one(pattern, subject, &mut matching);
        }
        matching.can_fail
    }

    fn match_one(&mut self, pattern: &'a Pattern, subject: Scrutinee<'a>, matching: &mut Matching<'a>) {
        match (pattern, subject) {
            (Pattern::Var(var), subject) => {
                if self.lifting.uses(*var) > 0 {
                    let operand = self.built(&subject);
                    self.name_operand(*var, operand);
                }
            }
            (Pattern::Alias(var, inner), subject) => {
                // Built once for both, if it must be.
                let subject = if self.lifting.uses(*var) > 0 {
                    let operand = self.built(&subject);
                    self.name_operand(*var, operand.clone());
                    if let Scrutinee::Parts(_) = subject { subject } else { Scrutinee::Operand(operand) }
                } else {
                    subject
                };
                matching.open.push((inner, subject));
            }
            (Pattern::Tuple(patterns), Scrutinee::Parts(Value::Tuple(items))) if patterns.len() == items.len() => {
                let parts: Vec<Scrutinee<'a>> = items.iter().map(|item| self.subject(item)).collect();
                matching.open.extend(patterns.iter().zip(parts).rev());
            }
            (Pattern::Cons(pattern), Scrutinee::Parts(Value::Cons(pair))) => {
                let parts = [self.subject(&pair.0), self.subject(&pair.1)];
                matching.open.extend([&pattern.0, &pattern.1].into_iter().zip(parts).rev());
            }
            (Pattern::Tuple(_) | Pattern::Cons(_), Scrutinee::Parts(_)) => {
                matching.can_fail = true;
                self.builder.jump(matching.fail, self.at);
            }
            (pattern, subject) => {
                let operand = self.built(&subject);
                self.test_one(pattern, operand, matching);
            }
        }
    }

    fn built(&mut self, subject: &Scrutinee<'a>) -> Operand {
        match subject {
            Scrutinee::Operand(operand) => operand.clone(),
            Scrutinee::Parts(value) => self.operand(value),
        }
    }

    fn test_one(&mut self, pattern: &'a Pattern, operand: Operand, matching: &mut Matching<'a>) {
        match pattern {
            Pattern::Literal(literal) => match &operand {
                Operand::Literal(known) if known == literal => {}
                _ => self.match_test(Test::Literal(literal.clone()), [operand], [], matching),
            },
            Pattern::Cons(pair) => self.match_parts(Test::Cons, operand, [&pair.0, &pair.1], matching),
            Pattern::Tuple(items) => self.match_parts(Test::Tuple(items.len() as u32), operand, items, matching),
            Pattern::Map(pairs) => self.match_map(operand, pairs, matching),
            Pattern::Bits(segments) => self.match_bits(operand, segments, matching),
            Pattern::Var(_) | Pattern::Alias(..) => matching.open.push((pattern, Scrutinee::Operand(operand))),
        }
    }

    fn match_test(
        &mut self,
        test: Test,
        args: impl IntoIterator<Item = Operand>,
        outs: impl IntoIterator<Item = Option<Reg>>,
        matching: &mut Matching<'a>,
    ) {
        matching.can_fail = true;
        let next = self.builder.block(self.handler);
        self.test(test, args, outs, next, matching.fail);
        self.builder.start(next);
    }

    /// A register for what a pattern looks at; a variable's own register, and none where it is not read.
    fn out(&mut self, pattern: &'a Pattern) -> Option<Reg> {
        match pattern {
            Pattern::Var(var) => self.wanted_register(*var),
            _ => Some(self.builder.register()),
        }
    }

    fn match_parts(
        &mut self,
        test: Test,
        operand: Operand,
        patterns: impl IntoIterator<Item = &'a Pattern>,
        matching: &mut Matching<'a>,
    ) {
        let patterns: Vec<&'a Pattern> = patterns.into_iter().collect();
        let outs: Vec<Option<Reg>> = patterns.iter().map(|pattern| self.out(pattern)).collect();
        self.match_test(test, [operand], outs.iter().copied(), matching);
        let parts = patterns.into_iter().zip(outs).filter_map(|(pattern, out)| Some((pattern, part(pattern, out)?)));
        matching.open.extend(parts.collect::<Vec<_>>().into_iter().rev());
    }

    fn match_map(&mut self, operand: Operand, pairs: &'a [(Value, Pattern)], matching: &mut Matching<'a>) {
        self.match_test(type_test(Type::Map), [operand.clone()], [], matching);
        let mut parts = Vec::new();
        for (key, pattern) in pairs {
            let key = self.operand(key);
            let out = self.out(pattern);
            self.match_test(Test::MapKey, [operand.clone(), key], [out], matching);
            parts.extend(part(pattern, out).map(|part| (pattern, part)));
        }
        matching.open.extend(parts.into_iter().rev());
    }

    /// Segment after segment from the front; a later size may need an earlier value, so each is matched at once.
    fn match_bits(&mut self, operand: Operand, segments: &'a [SegmentPattern], matching: &mut Matching<'a>) {
        if segments.is_empty() {
            let empty = Term::bits(Bits::empty());
            return self.match_test(Test::Literal(empty), [operand], [], matching);
        }
        self.match_test(type_test(Type::Bitstring), [operand.clone()], [], matching);
        let mut rest = Some(operand);
        for (at, segment) in segments.iter().enumerate() {
            let Some(bits) = rest.take() else { return self.fail("a segment stands behind the rest of a bitstring") };
            let all = segment.size.literal().and_then(Term::as_atom) == Some(known::ALL);
            let last = all && at + 1 == segments.len();
            if last && segment.format.kind == SegmentKind::Bits && segment.format.unit == 1 {
                // Whatever is left: nothing to test.
                let rest = Scrutinee::Operand(bits);
                matching.can_fail |= self.match_all(std::slice::from_ref(&segment.pattern), &[rest], matching.fail);
                continue;
            }
            let left = (!last).then(|| self.builder.register());
            self.match_segment(segment, bits, left, matching);
            rest = left.map(Operand::Reg);
        }
        if let Some(rest) = rest {
            self.match_test(Test::BitsEnd, [rest], [], matching);
        }
    }

    fn match_segment(
        &mut self,
        segment: &'a SegmentPattern,
        bits: Operand,
        left: Option<Reg>,
        matching: &mut Matching<'a>,
    ) {
        let size = self.operand(&segment.size);
        let out = self.out(&segment.pattern);
        self.match_test(Test::Segment(segment.format), [bits, size], [out, left], matching);
        let Some(subject) = part(&segment.pattern, out) else { return };
        matching.can_fail |= self.match_all(std::slice::from_ref(&segment.pattern), &[subject], matching.fail);
    }
}

/// The patterns still to be matched, the next one last.
struct Matching<'a> {
    open: Vec<(&'a Pattern, Scrutinee<'a>)>,
    fail: BlockId,
    can_fail: bool,
}

/// The subject for a part that is not just a variable with a register of its own.
fn part<'a>(pattern: &Pattern, out: Option<Reg>) -> Option<Scrutinee<'a>> {
    match pattern {
        Pattern::Var(_) => None,
        _ => Some(Scrutinee::Operand(out?.into())),
    }
}
