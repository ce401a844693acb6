//! The functions that a search goes through backward: their graphs, their callers, their returns.

use std::rc::Rc;

use ir::{Callee, Function, Op, Operand, Primitive, Receive, Terminator, Unit};
use ops::policy::{Policy, is_sealed, policy};
use ops::{Control, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Mfa, Term, known};

use super::flow::Flow;
use crate::stub::is_stub;

/// A source of graphs of functions.
pub trait Graphs {
    /// The graph of a function, exported or not.
    fn unit(&mut self, function: Mfa) -> Option<Rc<Unit>>;

    /// True if other modules can call it.
    fn is_exported(&mut self, function: Mfa) -> bool {
        let _ = function;
        true
    }
}

/// A function's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

/// A place in a function: before an instruction of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProgramPoint {
    pub function: FunctionId,
    pub block: u32,
    /// The number of instructions before it; all of them are where the block's end is.
    pub at: u32,
}

/// A place that makes a function run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caller {
    /// The instruction there, or the tail call that ends the block.
    Call(ProgramPoint),
    /// Unknown code that got the fun that is made there.
    Fun(ProgramPoint),
}

impl Caller {
    /// The point of the call, or of the instruction that makes the fun.
    pub fn point(self) -> ProgramPoint {
        match self {
            Caller::Call(point) | Caller::Fun(point) => point,
        }
    }
}

struct Known {
    unit: Rc<Unit>,
    at: usize,
    flow: Flow,
}

/// Graphs that were asked for, and the callers in the functions under test.
pub struct Program<'g> {
    graphs: &'g mut dyn Graphs,
    known: Vec<Known>,
    numbers: FxHashMap<Mfa, Option<FunctionId>>,
    /// The number of functions under test, and of those lifted out of them: they are the first.
    under_test: usize,
    callers: FxHashMap<FunctionId, Vec<Caller>>,
}

impl<'g> Program<'g> {
    /// Finds all calls among these functions and those lifted out of them.
    pub fn new(graphs: &'g mut dyn Graphs, functions: &[Mfa]) -> Program<'g> {
        let (known, numbers, callers) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
        let mut program = Program { graphs, known, numbers, under_test: 0, callers };
        functions.iter().for_each(|function| _ = program.find(*function));
        program.under_test = program.known.len();
        for id in (0..program.known.len()).map(|at| FunctionId(at as u32)) {
            program.note_calls(id);
        }
        program
    }

    /// The graph of a function.
    pub fn function(&self, id: FunctionId) -> &Function {
        let known = &self.known[id.0 as usize];
        &known.unit.functions[known.at]
    }

    /// The flow of control in a function.
    pub fn flow(&self, id: FunctionId) -> &Flow {
        &self.known[id.0 as usize].flow
    }

    /// The unit that holds a function and what is lifted out of it.
    pub fn unit(&self, id: FunctionId) -> &Rc<Unit> {
        &self.known[id.0 as usize].unit
    }

    /// The number of a function, if it has a graph.
    pub fn find(&mut self, function: Mfa) -> Option<FunctionId> {
        if let Some(known) = self.numbers.get(&function) {
            return *known;
        }
        if let Some(unit) = self.graphs.unit(function) {
            for (at, lifted) in unit.functions.iter().enumerate() {
                let id = FunctionId(self.known.len() as u32);
                self.known.push(Known { unit: Rc::clone(&unit), at, flow: Flow::of(lifted) });
                self.numbers.insert(lifted.name, Some(id));
            }
        }
        *self.numbers.entry(function).or_insert(None)
    }

    /// A function that was found already.
    pub fn number(&self, function: Mfa) -> Option<FunctionId> {
        self.numbers.get(&function).copied().flatten()
    }

    /// All functions that were found, in that order.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.known.len() as u32).map(FunctionId)
    }

    /// The places that make a function run, among the functions under test.
    pub fn callers(&self, function: FunctionId) -> &[Caller] {
        self.callers.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The function that the instruction, or the tail call, at a point calls by name.
    pub fn callee(&self, point: ProgramPoint) -> Option<Mfa> {
        let (callee, args) = self.call(point)?;
        callee.named(args.len())
    }

    /// The call at a point.
    pub fn call(&self, point: ProgramPoint) -> Option<(&Callee, &[Operand])> {
        let block = &self.function(point.function).blocks[point.block as usize];
        match (block.body.get(point.at as usize).map(|it| &it.op), &block.end) {
            (Some(Op::Call { callee, args, .. }), _) => Some((callee, args)),
            (None, Terminator::TailCall { callee, args }) => Some((callee, args)),
            _ => None,
        }
    }

    /// The end of a block.
    pub fn end(&self, function: FunctionId, block: u32) -> ProgramPoint {
        let at = self.function(function).blocks[block as usize].body.len() as u32;
        ProgramPoint { function, block, at }
    }

    /// True if a block looks at the next message of a `receive`: it comes again for each message that is passed over, and
    /// nothing is known of them.
    pub fn looks_at_messages(&self, function: FunctionId, block: u32) -> bool {
        let looks = |op: &Op| matches!(op, Op::Primitive { op: Primitive::Receive(Receive::Peek), .. });
        self.function(function).blocks[block as usize].body.iter().any(|it| looks(&it.op))
    }

    /// The blocks in which a function ends with a value.
    pub fn returns(&self, function: FunctionId) -> Vec<u32> {
        let ends = |block: &u32| {
            let end = &self.function(function).blocks[*block as usize].end;
            matches!(end, Terminator::Return(_) | Terminator::TailCall { .. })
        };
        let blocks = 0..self.function(function).blocks.len() as u32;
        blocks.filter(|block| self.flow(function).is_reached(*block)).filter(ends).collect()
    }

    /// The functions under test.
    fn under_test(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.under_test as u32).map(FunctionId)
    }

    /// True if a function is under test.
    pub fn is_under_test(&self, id: FunctionId) -> bool {
        (id.0 as usize) < self.under_test
    }

    /// True if a function of that name is under test.
    pub fn has_under_test(&self, name: Atom, arity: usize) -> bool {
        let names = |id: FunctionId| self.function(id).name;
        self.under_test().map(names).any(|it| it.function == name && usize::from(it.arity) == arity)
    }

    /// The modules under test.
    pub fn modules(&self) -> FxHashSet<Atom> {
        self.under_test().map(|id| self.function(id).name.module).collect()
    }

    /// Functions under test that may be called by name. A fun runs only where one is made: that is followed apart.
    pub fn callable_by_name(&mut self) -> Vec<FunctionId> {
        let exported = |program: &mut Self, id: &FunctionId| {
            let name = program.function(*id).name;
            program.graphs.is_exported(name)
        };
        self.under_test().filter(|id| exported(self, id)).collect()
    }

    /// True if functions under test call others by names that are values, or hand out names.
    pub fn calls_by_name(&self) -> bool {
        let modules = self.modules();
        self.under_test().any(|id| self.names_others(id, &modules))
    }

    /// True if a function calls others by names that are values, or hands out names: of modules, or in funs.
    fn names_others(&self, id: FunctionId, modules: &FxHashSet<Atom>) -> bool {
        // The functions that the compiler adds to every module name it.
        if self.function(id).name.function.name() == "module_info" {
            return false;
        }
        let mut hands_out = false;
        let mut look = |operand: &Operand| match operand {
            Operand::Literal(term) => hands_out |= has_name(term, modules),
            Operand::Reg(_) => {}
        };
        for block in &self.function(id).blocks {
            for instruction in &block.body {
                match &instruction.op {
                    Op::Call { args, .. } => args.iter().for_each(&mut look),
                    op => op.each_operand(&mut look),
                }
            }
            match &block.end {
                Terminator::TailCall { args, .. } => args.iter().for_each(&mut look),
                end => end.each_operand(&mut look),
            }
        }
        hands_out || self.calls_values(id)
    }

    fn calls_values(&self, id: FunctionId) -> bool {
        let blocks = 0..self.function(id).blocks.len() as u32;
        let points = blocks.flat_map(|block| {
            let end = self.end(id, block);
            (0..=end.at).map(move |at| ProgramPoint { at, ..end })
        });
        let applies =
            |function: Mfa| matches!(ops::rule(function), Rule::Control(Control::ApplyFun | Control::ApplyNamed));
        points.filter_map(|point| self.call(point)).any(|(callee, args)| match callee.named(args.len()) {
            Some(function) => applies(function),
            None => matches!(callee, Callee::Remote { .. }),
        })
    }

    /// The functions under test that can come to run again while they run, without those that can lead to one of these
    /// goals.
    pub fn loops(&self, goals: &[FunctionId]) -> Vec<Mfa> {
        let leading = self.leading(goals);
        let loops = self.functions().filter(|id| {
            let before: Vec<FunctionId> = self.callers(*id).iter().map(|caller| caller.point().function).collect();
            !leading.contains(id) && self.leading(&before).contains(id)
        });
        loops.map(|id| self.function(id).name).collect()
    }

    /// These functions, and all that call them, directly or not.
    pub fn leading(&self, functions: &[FunctionId]) -> FxHashSet<FunctionId> {
        let mut found = FxHashSet::default();
        let mut todo = functions.to_vec();
        while let Some(id) = todo.pop() {
            if found.insert(id) {
                todo.extend(self.callers(id).iter().map(|caller| caller.point().function));
            }
        }
        found
    }

    fn note_calls(&mut self, id: FunctionId) {
        let mut found: Vec<(Mfa, Caller)> = Vec::new();
        for (block, body) in self.function(id).blocks.iter().enumerate() {
            if !self.flow(id).is_reached(block as u32) {
                continue;
            }
            let point = |at: usize| ProgramPoint { function: id, block: block as u32, at: at as u32 };
            for (at, instruction) in body.body.iter().enumerate() {
                match &instruction.op {
                    Op::Call { callee, args, .. } => {
                        found.extend(callee.named(args.len()).map(|name| (name, Caller::Call(point(at)))));
                    }
                    Op::Closure { function, .. } => found.push((*function, Caller::Fun(point(at)))),
                    _ => {}
                }
            }
            if let Terminator::TailCall { callee, args } = &body.end {
                found.extend(callee.named(args.len()).map(|name| (name, Caller::Call(point(body.body.len())))));
            }
        }
        for (name, caller) in found {
            if let Some(callee) = self.number(name) {
                self.callers.entry(callee).or_default().push(caller);
            }
        }
    }
}

/// The function of that name, if its graph is what runs.
pub fn can_enter(program: &mut Program<'_>, function: Mfa) -> Option<FunctionId> {
    let coded = match policy(function, true) {
        Policy::Code => true,
        Policy::Pure => !is_sealed(function),
        _ => false,
    };
    let coded = coded && ops::native(function).is_none();
    let id = program.find(function).filter(|_| coded && function.module != known::ERLANG)?;
    (!is_stub(program.unit(id))).then_some(id)
}

/// True if a term holds a fun, or the name of one of these modules.
pub fn has_name(term: &Term, modules: &FxHashSet<Atom>) -> bool {
    let has = |part: &Term| has_name(part, modules);
    term::deeper(|| match term {
        Term::Atom(_, atom) => modules.contains(atom),
        Term::Fun(..) => true,
        Term::Tuple(_, items) => items.iter().any(has),
        Term::Map(_, map) => map.iter().any(|(key, value)| has(key) || has(value)),
        Term::Cons(..) => {
            let mut cells = term.cells();
            cells.by_ref().any(has) || has(cells.rest())
        }
        _ => false,
    })
}
