//! The path condition of a partial path: it is read forward, with expressions in the place of values.
//!
//! All that comes before the path, was skipped or has no rule is unknown: an input of its own. Each unknown has its
//! origin, so that the search can refine it if it matters.

use constraint::{Arena, Condition, Expr, Test, Type, holds};
use ir::{Op, Operand, PairKind, Reg, SegmentFormat, SegmentKind, Terminator};
use rustc_hash::FxHashMap;
use term::{Term, known};

use super::natives::{self, Given};
use super::path::{PartialPath, PathSegment};
use super::program::{FunctionId, Program, ProgramPoint};

/// The beginning of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the beginning of a function, whose parameters are the first inputs.
    Function(FunctionId),
    /// At the beginning of some block.
    Block(FunctionId),
}

/// The origin of an unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A parameter, or a register that was written before the path begins.
    Before,
    /// A register that is written on skipped paths to that block.
    Skipped(FunctionId, u32),
    /// The result of a call that was not entered.
    Call(ProgramPoint),
    /// An operation without a rule, an exception, an argument of a fun.
    NoRule,
}

/// An input of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown {
    pub origin: Origin,
    /// The register that holds it.
    pub register: Option<(FunctionId, Reg)>,
}

/// The conditions of a path, over its unknowns.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    /// Those nearest to the goal come first.
    pub conditions: Vec<Condition>,
    /// One for each input.
    pub unknowns: Vec<Unknown>,
    /// No input takes the path.
    pub infeasible: bool,
}

/// Knows the types of expressions over unknowns.
pub trait TypeOracle {
    /// True if an expression is of a type whenever all that was traced holds.
    fn is(&mut self, arena: &Arena, traced: &PathCondition, expr: Expr, kind: Type) -> bool;
}

/// Returns the path condition of a partial path.
pub fn trace(
    program: &Program<'_>,
    arena: &mut Arena,
    path: &PartialPath,
    start: Start,
    certain: &mut dyn TypeOracle,
) -> PathCondition {
    let mut trace = Trace {
        program,
        arena,
        certain,
        frames: vec![Frame::of(start.function())],
        truths: FxHashMap::default(),
        traced: PathCondition::default(),
    };
    if let Start::Function(function) = start {
        for param in &program.function(function).params {
            let expr = trace.held(Origin::Before, Some((function, *param)));
            trace.set(*param, expr);
        }
    }
    for segment in path.segments() {
        trace.follow(segment);
        if trace.traced.infeasible {
            break;
        }
    }
    trace.traced.conditions.reverse();
    trace.traced
}

/// The registers of a function that is running.
#[derive(Default)]
struct Frame {
    function: Option<FunctionId>,
    registers: FxHashMap<Reg, Expr>,
    /// Registers that were written on skipped paths.
    lost: FxHashMap<Reg, Origin>,
}

impl Frame {
    fn of(function: FunctionId) -> Frame {
        Frame { function: Some(function), ..Frame::default() }
    }
}

impl Start {
    fn function(self) -> FunctionId {
        match self {
            Start::Function(function) | Start::Block(function) => function,
        }
    }
}

/// A path's conditions and frames, as far as it has been read.
pub(super) struct Trace<'a, 'g> {
    program: &'a Program<'g>,
    pub arena: &'a mut Arena,
    certain: &'a mut dyn TypeOracle,
    frames: Vec<Frame>,
    /// Unknowns that are `true` exactly where a test has this answer, and else `false`.
    truths: FxHashMap<Expr, (Test, bool)>,
    traced: PathCondition,
}

impl<'a> Trace<'a, '_> {
    fn follow(&mut self, segment: PathSegment) {
        let running = self.frames.last().and_then(|frame| frame.function);
        debug_assert!(running.is_none_or(|it| it == segment.function()), "{segment:?} while {running:?} runs");
        match segment {
            PathSegment::Run { from, to } => self.run(from, to),
            PathSegment::Test { function, block, holds } => self.test(function, block, holds),
            PathSegment::Skip { function, block } => self.skip(function, block),
            PathSegment::Raised { function, block } => self.raised(function, block),
            PathSegment::Call { at, callee } => self.call(at, callee),
            PathSegment::Fun { at, callee } => self.fun(at, callee),
            PathSegment::Return { function, block, to } => {
                let Terminator::Return(value) = &self.block(function, block).end else { return };
                let value = self.operand(value);
                self.give(to, value);
            }
            PathSegment::Tail { function, block, to } => {
                let at = self.program.end(function, block);
                let value = self.called(at);
                self.give(to, value);
            }
        }
    }

    fn block(&self, function: FunctionId, block: u32) -> &'a ir::BasicBlock {
        &self.program.function(function).blocks[block as usize]
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// An input of its own.
    pub fn unknown(&mut self, origin: Origin) -> Expr {
        self.held(origin, None)
    }

    fn held(&mut self, origin: Origin, register: Option<(FunctionId, Reg)>) -> Expr {
        self.traced.unknowns.push(Unknown { origin, register });
        self.arena.input(self.traced.unknowns.len() as u32 - 1)
    }

    fn set(&mut self, register: Reg, value: Expr) {
        self.frame().registers.insert(register, value);
    }

    fn operand(&mut self, operand: &Operand) -> Expr {
        match operand {
            Operand::Literal(term) => self.arena.literal(term.clone()),
            Operand::Reg(register) => self.register(*register),
        }
    }

    fn register(&mut self, register: Reg) -> Expr {
        let frame = self.frame();
        if let Some(known) = frame.registers.get(&register) {
            return *known;
        }
        let origin = frame.lost.get(&register).copied().unwrap_or(Origin::Before);
        let holder = frame.function.map(|function| (function, register));
        let expr = self.held(origin, holder);
        self.set(register, expr);
        expr
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<Expr> {
        operands.iter().map(|operand| self.operand(operand)).collect()
    }

    /// The path demands this.
    pub fn demand(&mut self, test: Test, holds_so: bool) {
        let condition = Condition { test, holds: holds_so };
        let constant = test.exprs().all(|expr| self.arena.as_literal(expr).is_some());
        match holds(self.arena, &condition, &[]) {
            Ok(met) if constant => self.traced.infeasible |= !met,
            _ if self.traced.conditions.contains(&condition) => {}
            _ => {
                self.traced.infeasible |= self.traced.conditions.contains(&condition.negated());
                self.traced.conditions.push(condition);
            }
        }
    }

    /// True if an expression is certainly of a type.
    pub fn is(&mut self, expr: Expr, kind: Type) -> bool {
        self.certain.is(self.arena, &self.traced, expr, kind)
    }

    fn lose(&mut self, registers: impl IntoIterator<Item = Reg>, origin: Origin) {
        let frame = self.frame();
        for register in registers {
            frame.registers.remove(&register);
            frame.lost.insert(register, origin);
        }
    }

    fn skip(&mut self, function: FunctionId, block: u32) {
        if let Some(dominator) = self.program.flow(function).dominator(block) {
            self.lose(dominator.written.iter().copied(), Origin::Skipped(function, block));
        }
    }

    fn raised(&mut self, function: FunctionId, block: u32) {
        let body = self.block(function, block);
        let written: Vec<Reg> = body.body.iter().filter_map(|it| it.op.written()).collect();
        let catch = body.handler.and_then(|handler| self.block(function, handler.0).catch);
        self.lose(written.into_iter().chain(catch.iter().flat_map(|catch| catch.registers())), Origin::NoRule);
    }

    fn run(&mut self, from: ProgramPoint, to: u32) {
        let body = &self.block(from.function, from.block).body;
        for at in from.at..to {
            self.instruction(&body[at as usize].op, ProgramPoint { at, ..from });
        }
    }

    fn instruction(&mut self, op: &Op, at: ProgramPoint) {
        let value = match op {
            Op::Copy { from, .. } => self.operand(from),
            Op::Cons { head, tail, .. } => {
                let (head, tail) = (self.operand(head), self.operand(tail));
                self.arena.cons(head, tail)
            }
            Op::Tuple { items, .. } => {
                let items = self.operands(items);
                self.arena.tuple(items)
            }
            Op::Map { base, pairs, .. } => self.map(base, pairs),
            Op::Bits { .. } => {
                let bits = self.unknown(Origin::NoRule);
                self.demand(Test::Type(bits, Type::Bitstring), true);
                bits
            }
            Op::Closure { function, captured, .. } => {
                let fun = self.unknown(Origin::NoRule);
                let arity = usize::from(function.arity).saturating_sub(captured.len());
                self.demand(Test::Arity(fun, arity as u8), true);
                fun
            }
            Op::Call { .. } => self.called(at),
            Op::Primitive { .. } => self.unknown(Origin::NoRule),
            Op::Enter { .. } | Op::Line(_) => return,
        };
        if let Some(to) = op.written() {
            self.set(to, value);
        }
    }

    fn map(&mut self, base: &Operand, pairs: &[(PairKind, Operand, Operand)]) -> Expr {
        let mut map = self.operand(base);
        self.demand(Test::Type(map, Type::Map), true);
        for (kind, key, value) in pairs {
            let (key, value) = (self.operand(key), self.operand(value));
            if *kind == PairKind::Update {
                self.demand(Test::HasKey(map, key), true);
            }
            map = self.arena.map_put(map, key, value);
        }
        map
    }

    /// The value of the call there, which is not entered.
    fn called(&mut self, at: ProgramPoint) -> Expr {
        let program = self.program;
        let Some((callee, args)) = program.call(at) else { return self.unknown(Origin::NoRule) };
        let args = self.operands(args);
        if let ir::Callee::Fun(fun) = callee {
            let fun = self.operand(fun);
            self.demand(Test::Arity(fun, args.len() as u8), true);
        }
        let given = program.callee(at).map_or(Given::Anything, |callee| natives::given(self, callee, &args));
        match given {
            Given::Value(value) => value,
            Given::Truth(test, holds) => {
                let value = self.unknown(Origin::NoRule);
                self.demand(Test::Type(value, Type::Boolean), true);
                self.truths.insert(value, (test, holds));
                value
            }
            Given::Some => self.unknown(Origin::NoRule),
            Given::Anything => self.unknown(Origin::Call(at)),
            Given::Never => {
                self.traced.infeasible = true;
                self.unknown(Origin::NoRule)
            }
        }
    }

    fn call(&mut self, at: ProgramPoint, callee: FunctionId) {
        let program = self.program;
        let Some((_, args)) = program.call(at) else { return };
        let args = self.operands(args);
        if at == program.end(at.function, at.block) {
            self.frames.pop();
        }
        self.enter(callee, args.into_iter().enumerate());
    }

    fn fun(&mut self, at: ProgramPoint, callee: FunctionId) {
        let program = self.program;
        let body = &self.block(at.function, at.block).body;
        let Some(Op::Closure { captured, .. }) = body.get(at.at as usize).map(|it| &it.op) else { return };
        let captured = self.operands(captured);
        let function = program.function(callee);
        let first = function.params.len() - captured.len().min(function.params.len());
        self.enter(callee, captured.into_iter().enumerate().map(|(at, value)| (first + at, value)));
        let params = function.params[..first].to_vec();
        self.lose(params, Origin::NoRule);
    }

    fn enter(&mut self, callee: FunctionId, args: impl Iterator<Item = (usize, Expr)>) {
        let params = &self.program.function(callee).params;
        let registers = args.filter_map(|(at, value)| Some((*params.get(at)?, value))).collect();
        self.frames.push(Frame { registers, ..Frame::of(callee) });
    }

    /// The function that is running ends, and a call has its value.
    fn give(&mut self, to: ProgramPoint, value: Expr) {
        self.frames.pop();
        if self.frames.is_empty() {
            self.frames.push(Frame::of(to.function));
        }
        let body = &self.block(to.function, to.block).body;
        if let Some(register) = body.get(to.at as usize).and_then(|it| it.op.written()) {
            self.set(register, value);
        }
    }

    fn test(&mut self, function: FunctionId, block: u32, holds: bool) {
        let Terminator::Branch { test, args, outs, .. } = &self.block(function, block).end else { return };
        let values = self.operands(args);
        let found = self.ask(test, &values, holds);
        if holds {
            let mut found = found.into_iter();
            for out in outs {
                let value = found.next();
                if let Some(register) = out {
                    let value = value.unwrap_or_else(|| self.unknown(Origin::NoRule));
                    self.set(*register, value);
                }
            }
        }
    }

    /// Demands an answer; gives what a successful test reveals, as far as that is known.
    fn ask(&mut self, test: &ir::Test, args: &[Expr], holds: bool) -> Vec<Expr> {
        match (test, args) {
            (ir::Test::Literal(literal), [value]) => {
                let literal = self.arena.literal(literal.clone());
                self.same(*value, literal, holds);
            }
            (ir::Test::Same, [a, b]) => self.same(*a, *b, holds),
            (ir::Test::Cons, [list]) => {
                self.demand(Test::Cons(*list), holds);
                return vec![self.arena.head(*list), self.arena.tail(*list)];
            }
            (ir::Test::Tuple(size), [tuple]) => {
                self.demand(Test::Tuple(*tuple, *size), holds);
                return (0..*size).map(|at| self.arena.element(*tuple, at)).collect();
            }
            (ir::Test::Predicate(predicate), args) => {
                if let Some((test, yes)) = natives::truth(self, ops::rule(*predicate), args) {
                    self.demand(test, holds == yes);
                }
            }
            (ir::Test::MapKey, [map, key]) => return self.map_key(*map, *key, holds),
            (ir::Test::Segment(segment), [bits, size]) => return self.segment(*segment, *bits, *size, holds),
            (ir::Test::BitsEnd, [bits]) => {
                let (size, zero) = (self.arena.bit_size(*bits), self.arena.integer(0));
                self.demand(Test::Same(size, zero), holds);
            }
            _ => {}
        }
        Vec::new()
    }

    /// The value of a test that is asked about is the test itself.
    fn same(&mut self, a: Expr, b: Expr, holds: bool) {
        let truth = |value, literal: Expr| {
            let known = self.truths.get(&value)?;
            let wanted = self.arena.as_literal(literal)?.as_bool()?;
            Some((known.0, known.1 == wanted))
        };
        if let Some((test, yes)) = truth(a, b).or_else(|| truth(b, a)) {
            self.demand(test, yes == holds);
        }
        self.demand(Test::Same(a, b), holds);
    }

    fn map_key(&mut self, map: Expr, key: Expr, holds: bool) -> Vec<Expr> {
        if holds {
            self.demand(Test::Type(map, Type::Map), true);
            self.demand(Test::HasKey(map, key), true);
            return vec![self.arena.map_value(map, key)];
        }
        if self.is(map, Type::Map) {
            self.demand(Test::HasKey(map, key), false);
        }
        Vec::new()
    }

    /// Integers and parts of sizes that are known; of others only that they are there.
    fn segment(&mut self, segment: SegmentFormat, bits: Expr, size: Expr, holds: bool) -> Vec<Expr> {
        let size = self.arena.as_literal(size).cloned();
        if size.as_ref().and_then(Term::as_atom) == Some(known::ALL) {
            let fits = segment.kind == SegmentKind::Bits && segment.unit == 1;
            let nothing = self.arena.literal(Term::bits(term::BitsBuilder::new().finish()));
            return if fits && holds { vec![bits, nothing] } else { Vec::new() };
        }
        let units = size.as_ref().and_then(Term::as_i64).and_then(|size| u32::try_from(size).ok());
        let Some(wanted) = units.and_then(|units| units.checked_mul(u32::from(segment.unit))) else {
            return Vec::new();
        };
        if !matches!(segment.kind, SegmentKind::Integer | SegmentKind::Bits) || wanted > 4096 {
            return Vec::new();
        }
        let (all, size) = (self.arena.bit_size(bits), self.arena.integer(i64::from(wanted)));
        self.demand(Test::Less(all, size), !holds);
        if !holds {
            return Vec::new();
        }
        let zero = self.arena.integer(0);
        let value = match segment.kind {
            SegmentKind::Bits => self.arena.slice(bits, zero, size),
            _ => self.arena.segment(bits, 0, wanted, segment.signed, segment.little),
        };
        vec![value, self.arena.rest(bits, size)]
    }
}
