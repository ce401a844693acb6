//! Calls that no clause of their function matches: whose fault that is, the inputs' or the program's.

use constraint::{Arena, Expr, Node, evaluate};
use ir::{BasicBlock, BlockId, Callee, Function, Op, Operand, Primitive, Raise, Reg, Terminator, Test};
use ops::Native;
use rustc_hash::FxHashMap;
use term::{Mfa, Term, known};

use super::machine::{Machine, take_segment};
use super::symbolic::Recorder;

/// Blocks that are looked at: a head with more is not judged.
const MOST_BLOCKS: usize = 4096;

/// A value in a function's head, by its origin.
#[derive(Clone)]
enum Value {
    /// An input or a part of one, or a constant of the head.
    Given(Term),
    /// Made by the program; parts of inputs may stand in it.
    Made(Term),
    /// Any that the program could have made instead.
    Any,
}

/// A block and the values of the registers there.
struct State {
    block: BlockId,
    registers: FxHashMap<Reg, Value>,
}

/// A function's head, walked with all values that the program could have made in place of those it did.
struct Head<'a> {
    function: &'a Function,
    recorder: &'a Recorder,
    waiting: Vec<State>,
}

impl Machine {
    /// Returns true if a call that no clause matches is due to the inputs: no clause would take these parts of them,
    /// whatever else the program had put beside them.
    pub fn blames_inputs(&self, recorder: &Recorder, function: Mfa, args: &[Term]) -> bool {
        if args.iter().all(|arg| recorder.is_input(arg)) {
            return true;
        }
        let Some((unit, at)) = self.graph(function) else { return false };
        let function = &unit.functions[*at];
        let mut head = Head { function, recorder, waiting: Vec::new() };
        let registers = function.params.iter().copied().zip(args.iter().map(|arg| head.classify(arg))).collect();
        head.waiting.push(State { block: BlockId(0), registers });
        head.never_matches()
    }
}

impl Head<'_> {
    fn never_matches(&mut self) -> bool {
        for _ in 0..MOST_BLOCKS {
            let Some(state) = self.waiting.pop() else { return true };
            if !self.step(state) {
                return false;
            }
        }
        false
    }

    /// Goes through a block; false if control may leave the head by a clause.
    fn step(&mut self, mut state: State) -> bool {
        let function = self.function;
        let block = &function.blocks[state.block.0 as usize];
        for instruction in &block.body {
            if self.is_clause(&instruction.op) {
                return false;
            }
            match self.execute(&instruction.op, block, &mut state) {
                Some(true) => {}
                Some(false) => return true,
                None => return false,
            }
        }
        match &block.end {
            Terminator::Jump(to) => self.waiting.push(State { block: *to, ..state }),
            Terminator::Branch { test, args, outs, yes, no } => self.branch(state, test, args, outs, (*yes, *no)),
            Terminator::Raise(Raise::FunctionClause(_)) => {}
            Terminator::Raise(_) | Terminator::Return(_) | Terminator::TailCall { .. } => return false,
        }
        true
    }

    /// A clause of the source; the one that raises is the compiler's and has no line.
    fn is_clause(&self, op: &Op) -> bool {
        let Op::Enter { case, clause } = op else { return false };
        let clauses = self.function.cases.get(*case as usize).map_or(&[][..], |case| &case.clauses);
        clauses.get(*clause as usize).is_none_or(|clause| clause.line != 0)
    }

    /// Executes an operation of a guard. `Some(false)` if it fails, `None` if it is none of a guard.
    fn execute(&mut self, op: &Op, block: &BasicBlock, state: &mut State) -> Option<bool> {
        let (to, value) = match op {
            Op::Enter { .. } | Op::Line(_) => return Some(true),
            Op::Copy { to, from } => (to, state.value(from)),
            // Events of a recorded run, and what is shown in them.
            Op::Primitive { to, op: Primitive::Event(_), .. } | Op::Cons { to, .. } | Op::Tuple { to, .. } => {
                (to, Value::Any)
            }
            Op::Call { to, callee: Callee::Remote { module, function }, args } => {
                let args: Vec<Value> = args.iter().map(|arg| state.value(arg)).collect();
                match called(module, function, &args) {
                    Some(Ok(value)) => (to, Value::Given(value)),
                    Some(Err(())) => {
                        self.handle(block, state)?;
                        return Some(false);
                    }
                    None => {
                        self.handle(block, state)?;
                        (to, Value::Any)
                    }
                }
            }
            _ => return None,
        };
        state.registers.insert(*to, value);
        Some(true)
    }

    /// The handler of a block goes on where it fails; without one the failure is the program's.
    fn handle(&mut self, block: &BasicBlock, state: &State) -> Option<()> {
        self.waiting.push(State { block: block.handler?, registers: state.registers.clone() });
        Some(())
    }

    fn branch(
        &mut self,
        mut state: State,
        test: &Test,
        args: &[Operand],
        outs: &[Option<Reg>],
        to: (BlockId, BlockId),
    ) {
        let args: Vec<Value> = args.iter().map(|arg| state.value(arg)).collect();
        let settled = args.iter().all(|arg| matches!(arg, Value::Given(_)));
        let found = self.parts(test, &args);
        if !settled || matches!(found, Found::No | Found::Either) {
            self.waiting.push(State { block: to.1, registers: state.registers.clone() });
        }
        if settled && matches!(found, Found::No) {
            return;
        }
        let parts = if let Found::Yes(parts) = found { parts } else { Vec::new() };
        for (at, out) in outs.iter().enumerate() {
            let Some(out) = out else { continue };
            let value = match parts.get(at) {
                Some(part) if settled => self.part(part),
                Some(part) => self.classify(part),
                None => Value::Any,
            };
            state.registers.insert(*out, value);
        }
        self.waiting.push(State { block: to.0, ..state });
    }

    /// The outcome of a test on these very values.
    fn parts(&self, test: &Test, args: &[Value]) -> Found {
        let Some(terms) = args.iter().map(Value::term).collect::<Option<Vec<&Term>>>() else { return Found::Either };
        let holds = |holds: bool| if holds { Found::Yes(Vec::new()) } else { Found::No };
        match (test, &terms[..]) {
            (Test::Literal(literal), [value]) => holds(*value == literal),
            (Test::Same, [a, b]) => holds(a == b),
            (Test::Cons, [Term::Cons(_, cell)]) => Found::Yes(vec![cell.head.clone(), cell.tail.clone()]),
            (Test::Tuple(size), [Term::Tuple(_, items)]) if items.len() == *size as usize => Found::Yes(items.to_vec()),
            (Test::MapKey, [Term::Map(_, map), key]) => {
                map.get(key).map_or(Found::No, |value| Found::Yes(vec![value.clone()]))
            }
            (Test::Segment(format), [Term::Bits(_, bits), size]) => {
                take_segment(*format, bits, size).map_or(Found::No, |(value, rest)| Found::Yes(vec![value, rest]))
            }
            (Test::BitsEnd, [Term::Bits(_, bits)]) => holds(bits.is_empty()),
            (Test::Cons | Test::Tuple(_) | Test::MapKey | Test::Segment(_) | Test::BitsEnd, _) => Found::No,
            (Test::Predicate(function), _) => match native(*function, args) {
                Some(Ok(value)) => holds(value.as_atom() == Some(known::TRUE)),
                Some(Err(())) => Found::No,
                None => Found::Either,
            },
            _ => Found::Either,
        }
    }

    fn classify(&self, term: &Term) -> Value {
        if self.recorder.is_input(term) { Value::Given(term.clone()) } else { Value::Made(term.clone()) }
    }

    /// A part of something given, unless the program put it there.
    fn part(&self, term: &Term) -> Value {
        if term.mark().is_some() { self.classify(term) } else { Value::Given(term.clone()) }
    }
}

/// The outcome of a test, with the parts that a successful one reveals.
enum Found {
    Yes(Vec<Term>),
    No,
    /// It depends on values that are not known.
    Either,
}

impl Value {
    fn term(&self) -> Option<&Term> {
        match self {
            Value::Given(term) | Value::Made(term) => Some(term),
            Value::Any => None,
        }
    }
}

impl State {
    fn value(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Reg(reg) => self.registers.get(reg).cloned().unwrap_or(Value::Any),
            Operand::Literal(literal) => Value::Given(literal.clone()),
        }
    }
}

fn called(module: &Operand, function: &Operand, args: &[Value]) -> Option<Result<Term, ()>> {
    let (Operand::Literal(module), Operand::Literal(function)) = (module, function) else { return None };
    let arity = u8::try_from(args.len()).ok()?;
    native(Mfa { module: module.as_atom()?, function: function.as_atom()?, arity }, args)
}

/// The value of a function of given arguments; `None` if it depends on others.
fn native(function: Mfa, args: &[Value]) -> Option<Result<Term, ()>> {
    let given = |value: &Value| if let Value::Given(term) = value { Some(term.clone()) } else { None };
    let mut args: Vec<Term> = args.iter().map(given).collect::<Option<_>>()?;
    match ops::native(function)? {
        Native::Pure(rule) => Some(rule(&mut args).map_err(drop)),
        Native::Running(_) => None,
    }
}

impl Recorder {
    /// Returns true if a term of the last run is an input or a part of one.
    fn is_input(&self, term: &Term) -> bool {
        let marked = term.mark().is_some();
        let Some(expr) = self.whole(term).filter(|expr| is_part(&self.arena, *expr)) else { return false };
        marked || evaluate(&self.arena, expr, &self.inputs).is_ok_and(|value| value == *term)
    }

    /// The expression that a term has by its mark, or by those of its parts: a value that only an exception still shows
    /// was built anew from them.
    fn whole(&self, term: &Term) -> Option<Expr> {
        let node = |part: &Term| self.whole(part).map(|expr| self.arena.node(expr));
        term::deeper(|| match (self.arena.of_mark(term.mark()), term) {
            (Some(expr), _) => Some(expr),
            (None, Term::Cons(_, cell)) => match (node(&cell.head)?, node(&cell.tail)?) {
                (Node::Head(list), Node::Tail(_)) => Some(*list),
                _ => None,
            },
            (None, Term::Tuple(_, items)) => match node(items.first()?)? {
                Node::Element(tuple, 0) => Some(*tuple),
                _ => None,
            },
            _ => None,
        })
    }
}

fn is_part(arena: &Arena, mut expr: Expr) -> bool {
    loop {
        expr = match *arena.node(expr) {
            Node::Input(_) => return true,
            Node::Head(of) | Node::Tail(of) | Node::Element(of, _) | Node::MapValue(of, _) | Node::MapKey(of, _) => of,
            Node::Bits { of, .. } | Node::Slice { of, .. } => of,
            _ => return false,
        }
    }
}
