//! Everything that is known of the program: functions, what calls lead to, and the linked code.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use ir::{Location, ProcessOp, Unit};
use ops::policy::{Policy, UNKNOWN_NATIVE, is_sealed, policy};
use ops::{Control, Detour, Native, Operation, Rule, Sampling};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Mfa, cut, heap};

use super::code::{Address, Code, CoveragePoint, Instr, Slot, UNLINKED};
use super::link::link;
use super::machine::{NameOrder, PidTable};
use super::outcome::{Options, Place};
use super::passing::passes_on;
use super::world::{self, VmCall, World};
use crate::stub::is_stub;

/// The target of a call.
#[derive(Clone)]
pub enum Callee {
    /// It has not been called yet.
    Unresolved { local: bool },
    /// A function of [`Program::functions`].
    Code(u32),
    /// The same, but symbolic runs do not look inside.
    Opaque(u32),
    /// An operation of [`Program::natives`].
    Native(u32),
    /// Something only the machine itself can do.
    Control(Control),
    /// A function that the VM runs.
    Vm(VmCall),
    /// By its arguments, another call or what stands beside.
    Detour(Detour, Rc<Callee>),
    /// There is no such function.
    Undefined,
    /// Its code cannot be used; the reason.
    Broken(String),
    /// An outside effect that is not allowed.
    Refused(&'static str),
    /// An operation on processes.
    Process(ProcessOp),
    /// A function about processes that is left to the VM.
    Elsewhere,
}

/// An operation written in Rust that linked code calls.
#[derive(Clone, Copy)]
pub struct LinkedNative {
    pub function: Mfa,
    pub native: Native,
    pub operation: &'static Operation,
    /// The calls that are samples.
    pub sampling: Sampling,
}

/// A function with a graph.
pub struct Function {
    /// Its name.
    pub name: Mfa,
    /// Its graph: a unit, and which function of it; nothing as long as it was only mentioned.
    pub graph: Option<(Rc<Unit>, usize)>,
    /// The VM's index and hash of its fun; zero when unknown.
    pub identity: (u32, u32),
    /// Its code, after the first call.
    pub linked: Linked,
}

/// The operation of the graph that the instructions from an address on were made for.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The first instruction.
    pub start: Address,
    /// The block.
    pub block: u32,
    /// [`Origin::END`] for the block's end.
    pub operation: u32,
}

impl Origin {
    /// Stands for the end of a block.
    pub const END: u32 = u32::MAX;
}

/// The code of a function.
#[derive(Default)]
pub struct Linked {
    /// The first instruction; [`UNLINKED`] until the first call.
    pub entry: Address,
    /// The end of its instructions.
    pub end: Address,
    /// The slots of its frame.
    pub frame: u32,
    /// Its exception handlers.
    pub handlers: Vec<Handler>,
    /// Source places by address.
    pub lines: Vec<(Address, Location)>,
    /// Blocks of the graph by address.
    pub origins: Vec<Origin>,
}

/// The handler of exceptions that the instructions from `start` to before `end` raise.
#[derive(Clone)]
pub struct Handler {
    /// The first protected instruction.
    pub start: Address,
    /// The end of the protected instructions.
    pub end: Address,
    /// The handler.
    pub target: Address,
    /// The slot of the class.
    pub class: Slot,
    /// The slot of the reason.
    pub reason: Slot,
    /// The slot of the stack.
    pub raw: Slot,
    /// The slots that the handler reads.
    pub kept: Vec<Slot>,
}

/// Everything that a machine has linked.
#[derive(Default)]
pub struct Program {
    /// Distinguishes this program from others of the same process.
    pub id: u64,
    /// The options of the machine.
    pub options: Options,
    /// The instructions.
    pub code: Code,
    /// The functions that have a graph.
    pub functions: Vec<Function>,
    /// The functions that calls name, and what they lead to.
    pub callees: Vec<(Mfa, Callee)>,
    /// Functions that symbolic runs do not look into.
    pub opaque: FxHashSet<Mfa>,
    /// The operations written in Rust.
    pub natives: Vec<LinkedNative>,
    /// The names of processes, the same in all runs.
    pub pids: PidTable,
    /// The number of schedulers that are online in runs under a schedule.
    pub schedulers: i64,
    /// The order of those names, and of the names of references.
    pub name_order: Rc<NameOrder>,
    function_index: FxHashMap<Mfa, u32>,
    callee_index: FxHashMap<(Mfa, bool), u32>,
    native_index: FxHashMap<Mfa, u32>,
    event_index: FxHashMap<CoveragePoint, u32>,
    /// The function that the code from an address on belongs to; ascending.
    owners: Vec<(Address, u32)>,
    /// Places of instructions that events name.
    places: FxHashMap<Address, Rc<Place>>,
}

/// The schedulers online in runs under a schedule, unless others are explored: as the host has it where it replays them.
pub const SCHEDULERS: i64 = 2;

impl Program {
    /// A program without functions.
    pub fn new(options: Options) -> Program {
        let mut program = Program { id: next_id(), options, schedulers: SCHEDULERS, ..Program::default() };
        program.code.instructions.push(Instr::Halt);
        program
    }

    /// The number under which calls of that function are resolved.
    pub fn callee(&mut self, function: Mfa, local: bool) -> u32 {
        let next = self.callees.len() as u32;
        let index = *self.callee_index.entry((function, local)).or_insert(next);
        if index == next {
            self.callees.push((function, Callee::Unresolved { local }));
        }
        index
    }

    /// The number of an operation written in Rust that does all calls itself.
    pub fn native(&mut self, function: Mfa) -> Option<u32> {
        let operation = ops::find(function).filter(|operation| operation.detour.is_none())?;
        self.operation(function, operation)
    }

    fn operation(&mut self, function: Mfa, operation: &'static Operation) -> Option<u32> {
        if let Some(&index) = self.native_index.get(&function) {
            return Some(index);
        }
        let native = operation.native.filter(|_| !matches!(operation.rule, Rule::Control(_)))?;
        let index = self.natives.len() as u32;
        self.natives.push(LinkedNative { function, native, operation, sampling: operation.sampling() });
        self.native_index.insert(function, index);
        Some(index)
    }

    /// The number of a function whose graph is known.
    fn function(&self, name: Mfa) -> Option<u32> {
        let index = *self.function_index.get(&name)?;
        self.functions[index as usize].graph.is_some().then_some(index)
    }

    /// The number of a function, whether or not its graph is known.
    pub fn mention(&mut self, name: Mfa) -> u32 {
        let next = self.functions.len() as u32;
        let index = *self.function_index.entry(name).or_insert(next);
        if index == next {
            let linked = Linked { entry: UNLINKED, ..Linked::default() };
            self.functions.push(Function { name, graph: None, identity: (0, 0), linked });
        }
        index
    }

    /// The number of an event that is recorded.
    pub fn event(&mut self, event: CoveragePoint) -> u32 {
        let next = self.code.events.len() as u32;
        let index = *self.event_index.entry(event).or_insert(next);
        if index == next {
            self.code.events.push(event);
            self.code.seen.push(false);
        }
        index
    }

    /// True if a function was called whose code cannot be had.
    pub fn is_closed(&self, function: Mfa) -> bool {
        let known = self.callee_index.get(&(function, false)).and_then(|index| self.callees.get(*index as usize));
        matches!(known, Some((_, Callee::Vm(VmCall::Closed))))
    }

    /// Finds out what a call leads to.
    pub fn resolve(&mut self, world: &mut dyn World, index: u32) -> Callee {
        let (function, callee) = &self.callees[index as usize];
        let function = *function;
        let Callee::Unresolved { local } = *callee else { return callee.clone() };
        let found = cut::unlimited(|| heap::uncounted(|| self.find(world, function, local)));
        self.callees[index as usize].1 = found.clone();
        found
    }

    fn find(&mut self, world: &mut dyn World, function: Mfa, local: bool) -> Callee {
        let found = self.find_itself(world, function, local);
        if let Callee::Code(index) = found
            && self.opaque.contains(&function)
        {
            return Callee::Opaque(index);
        }
        match ops::find(function).and_then(|operation| operation.detour) {
            Some(detour) if matches!(found, Callee::Native(_) | Callee::Vm(_)) => {
                Callee::Detour(detour, Rc::new(found))
            }
            _ => found,
        }
    }

    fn find_itself(&mut self, world: &mut dyn World, function: Mfa, local: bool) -> Callee {
        if let Some(operation) = ops::find(function) {
            match operation.rule {
                Rule::Control(control) => return Callee::Control(control),
                Rule::Process(op) if self.does(op) => return Callee::Process(op),
                Rule::Service if self.options.processes => {
                    if let Some(twin) = operation.twin()
                        && let world::Code::Graph(unit) = world.code(twin, false)
                    {
                        return self.adopt(world, twin, &unit);
                    }
                }
                _ => {}
            }
            if let Some(native) = self.operation(function, operation) {
                return Callee::Native(native);
            }
        }
        match self.function(function) {
            Some(index) if local => return Callee::Code(index),
            _ => {}
        }
        match world.code(function, local) {
            world::Code::Broken(why) => Callee::Broken(why),
            world::Code::Closed => Callee::Vm(VmCall::Closed),
            // Each function that the VM implements natively has a stub in its module.
            world::Code::Undefined => Callee::Undefined,
            world::Code::Graph(unit) => self.with_code(world, function, unit),
        }
    }

    fn with_code(&mut self, world: &dyn World, function: Mfa, unit: Rc<Unit>) -> Callee {
        let stub = is_stub(&unit);
        match policy(function, !stub) {
            Policy::Code => self.adopt(world, function, &unit),
            Policy::Process if self.options.processes && !stub => self.adopt(world, function, &unit),
            // A table may name all arities of a function of which some are written in Erlang.
            Policy::Pure if !stub && !is_sealed(function) => self.adopt(world, function, &unit),
            other => treat(world, function, other),
        }
    }

    /// True if the machine does an operation on processes itself, in part at least.
    fn does(&self, op: ProcessOp) -> bool {
        self.options.processes || matches!(op, ProcessOp::Info | ProcessOp::Yield | ProcessOp::Clock)
    }

    /// Takes up the functions of a unit.
    pub fn adopt(&mut self, world: &dyn World, function: Mfa, unit: &Rc<Unit>) -> Callee {
        for (at, graph) in unit.functions.iter().enumerate() {
            let index = self.mention(graph.name);
            let known = &mut self.functions[index as usize];
            if known.graph.is_none() {
                known.graph = Some((Rc::clone(unit), at));
                known.identity = world.fun_identity(graph.name).unwrap_or_default();
            }
        }
        match self.function(function) {
            Some(index) => Callee::Code(index),
            None => Callee::Broken(format!("the graph of {function:?} does not hold it")),
        }
    }

    /// The entry and frame size of a function, linked if it was not.
    pub fn linked(&mut self, index: u32) -> Result<(Address, u32), String> {
        let function = &self.functions[index as usize];
        if function.linked.entry != UNLINKED {
            return Ok((function.linked.entry, function.linked.frame));
        }
        let Some((unit, at)) = function.graph.clone() else {
            return Err(format!("{:?} has no graph", function.name));
        };
        let graph = &unit.functions[at];
        let linked = cut::unlimited(|| heap::uncounted(|| link(self, graph)))
            .map_err(|why| format!("{:?}: {why}", graph.name))?;
        debug_assert!(linked.end as usize == self.code.instructions.len());
        let (entry, frame, code) = (linked.entry, linked.frame, linked.entry..linked.end);
        let is_inside = |it: &Handler| code.contains(&it.target) && code.start <= it.start && it.end <= code.end;
        debug_assert!(linked.handlers.iter().all(is_inside), "a handler of {:?} is outside of it", graph.name);
        self.functions[index as usize].linked = linked;
        self.owners.push((entry, index));
        Ok((entry, frame))
    }

    /// The graph of a function, if it is known.
    pub fn graph(&self, name: Mfa) -> Option<&(Rc<Unit>, usize)> {
        self.functions[*self.function_index.get(&name)? as usize].graph.as_ref()
    }

    /// The function and line of an instruction.
    pub fn place_of(&self, address: Address) -> Place {
        match self.owner(address) {
            Some(function) if address != 0 => {
                let location = function.location(address);
                Place {
                    function: function.name,
                    file: function.file(location).to_string(),
                    line: location.line,
                    column: location.column,
                }
            }
            _ => Place::NOWHERE,
        }
    }

    /// As [`Self::place_of`], made once for each instruction.
    pub fn shared_place(&mut self, address: Address) -> Rc<Place> {
        if let Some(known) = self.places.get(&address) {
            return Rc::clone(known);
        }
        let place = Rc::new(self.place_of(address));
        self.places.insert(address, Rc::clone(&place));
        place
    }

    /// The function that an instruction belongs to.
    pub fn owner(&self, at: Address) -> Option<&Function> {
        let place = self.owners.partition_point(|(start, _)| *start <= at);
        let (_, index) = self.owners.get(place.checked_sub(1)?)?;
        self.functions.get(*index as usize)
    }
}

impl Function {
    /// The source place of an instruction.
    pub fn location(&self, at: Address) -> Location {
        let place = self.linked.lines.partition_point(|(start, _)| *start <= at);
        place.checked_sub(1).map_or(Location::NONE, |place| self.linked.lines[place].1)
    }

    /// The source file of a location, as people find it.
    pub fn file(&self, location: Location) -> &str {
        self.graph.as_ref().map_or("", |(unit, _)| unit.file(location.file))
    }

    /// The source file of a location, as stack traces have it.
    pub fn recorded_file(&self, location: Location) -> &str {
        let files = self.graph.as_ref().map_or(&[][..], |(unit, _)| &unit.files);
        files.get(usize::from(location.file)).map_or("", String::as_str)
    }

    /// The operation of the graph that an instruction was made for.
    pub fn origin(&self, at: Address) -> Option<Origin> {
        let place = self.linked.origins.partition_point(|origin| origin.start <= at);
        place.checked_sub(1).map(|place| self.linked.origins[place])
    }

    /// True if an instruction is a call whose value the function only passes on.
    pub fn passes_on(&self, at: Address) -> bool {
        let (Some((unit, index)), Some(origin)) = (&self.graph, self.origin(at)) else { return false };
        passes_on(&unit.functions[*index], origin.block, origin.operation)
    }

    /// The innermost handler of an instruction.
    pub fn handler(&self, at: Address) -> Option<&Handler> {
        self.linked.handlers.iter().find(|handler| handler.start <= at && at < handler.end)
    }
}

fn treat(world: &dyn World, function: Mfa, policy: Policy) -> Callee {
    match policy {
        Policy::Code => Callee::Undefined,
        Policy::Pure => Callee::Vm(VmCall::Pure),
        Policy::State | Policy::Session => Callee::Vm(VmCall::Stateful),
        Policy::Effect(UNKNOWN_NATIVE) if world.allowed(function) => Callee::Vm(VmCall::Closed),
        Policy::Effect(_) | Policy::Process if world.allowed(function) => Callee::Vm(VmCall::Stateful),
        Policy::Effect(effect) => Callee::Refused(effect),
        Policy::Process => Callee::Elsewhere,
    }
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
