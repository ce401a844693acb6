//! Places instructions: labels, tables, block after block, and the finished function in the program.

use ir::{BlockId, Catch, Function, Location, Op, Operand, Reg};
use rustc_hash::FxHashMap;
use term::Term;

use super::allocate::Allocation;
use super::edges::Stub;
use super::liveness::{LiveSet, Liveness};
use super::order::Order;
use super::switch::{Plan, plan};
use super::thread::thread;
use crate::forward::code::{Address, Instr, NOWHERE, Slot, Src};
use crate::forward::program::{Handler, Linked, Origin, Program};

/// A place in the code that is not known yet. The first ones are the blocks'.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Label(pub u32);

impl Label {
    /// The label of a block.
    pub fn block(block: BlockId) -> Label {
        Label(block.0)
    }
}

/// The facts about one operation that instruction selection needs.
#[derive(Default)]
pub struct Point {
    /// Registers read here for the last time.
    pub dies: Vec<Reg>,
    /// The lowest slot above everything alive across the operation.
    pub window: Slot,
    /// Nothing reads the result.
    pub unread: bool,
    /// The slots of what only the handler would have read, had the operation raised.
    pub ending: Vec<Slot>,
}

/// Emits the instructions of one function.
pub struct Emitter<'a> {
    /// The program that gets them.
    pub program: &'a mut Program,
    /// The graph.
    pub function: &'a Function,
    /// The order of its blocks.
    pub order: Order,
    /// The live registers.
    pub liveness: Liveness,
    /// The slots of the registers.
    pub allocation: Allocation,
    /// The blocks that become switches.
    pub plan: Plan,
    /// The slots that die at the start of each block.
    pub prologues: Vec<Vec<Slot>>,
    /// The edges that need a stub.
    pub stubs: Vec<Stub>,
    /// The current block.
    pub current: u32,
    /// The source place of what is emitted.
    pub location: Location,
    /// Slots that calls need besides the registers'.
    pub frame: u32,
    /// The switches of this function, whose addresses are labels until the end.
    pub tables: Vec<u32>,
    out: Vec<Instr>,
    /// The place of each label in `out`.
    labels: Vec<u32>,
    lines: Vec<(Address, Location)>,
    origins: Vec<Origin>,
    covered: Vec<(u32, u32, BlockId)>,
    simple: FxHashMap<(u8, i64), u32>,
}

/// The number of the label of the function's beginning, before unread parameters are dropped.
const UNPLACED: u32 = u32::MAX;

/// Links a function into the program; fails on a graph that makes no sense.
pub fn link(program: &mut Program, function: &Function) -> Result<Linked, String> {
    let function = &thread(function, program.options)?;
    let mut order = Order::of(function)?;
    let liveness = Liveness::of(function, &order)?;
    let allocation = Allocation::of(function, &order, &liveness)?;
    let plan = plan(function, &mut order, program.options);
    let blocks = function.blocks.len();
    let emitter = Emitter {
        program,
        function,
        order,
        liveness,
        frame: allocation.used.max(1),
        allocation,
        plan,
        tables: Vec::new(),
        prologues: vec![Vec::new(); blocks],
        stubs: Vec::new(),
        current: 0,
        location: function.location,
        out: Vec::new(),
        labels: vec![UNPLACED; blocks + 1],
        lines: Vec::new(),
        origins: Vec::new(),
        covered: Vec::new(),
        simple: FxHashMap::default(),
    };
    emitter.run()
}

impl Emitter<'_> {
    fn run(mut self) -> Result<Linked, String> {
        let mut live = LiveSet::new(self.function.registers);
        self.place_label(self.beginning());
        self.lines.push((0, self.function.location));
        self.drop_unread_params();
        for place in 0..self.order.blocks.len() {
            let block = self.order.blocks[place];
            if !self.plan.absorbed[block as usize] {
                self.emit_block(block, &mut live)?;
            }
        }
        self.emit_stubs();
        self.finish()
    }

    /// The label of the function's beginning.
    pub fn beginning(&self) -> Label {
        Label(self.function.blocks.len() as u32)
    }

    fn drop_unread_params(&mut self) {
        let function = self.function;
        let unread = function.params.iter().filter(|param| !self.liveness.alive(0, **param));
        let slots: Vec<Slot> = unread.map(|param| self.slot(*param)).collect();
        self.drop_slots(&slots);
    }

    fn emit_block(&mut self, block: u32, live: &mut LiveSet) -> Result<(), String> {
        let body = &self.function.blocks[block as usize];
        self.current = block;
        self.place_label(Label(block));
        let start = self.out.len() as u32;
        let prologue = std::mem::take(&mut self.prologues[block as usize]);
        self.drop_slots(&prologue);
        let points = self.points(block, live);
        for (at, (instruction, point)) in body.body.iter().zip(&points).enumerate() {
            self.location = instruction.location;
            self.note_origin(at as u32);
            self.select_op(&instruction.op, point)?;
            self.drop_slots(&point.ending);
        }
        self.location = body.end_location;
        self.note_origin(Origin::END);
        self.liveness.at_end(self.function, block, live);
        body.end.each_operand(&mut |operand| {
            if let Some(reg) = operand.register() {
                live.insert(reg);
            }
        });
        self.select_end(&body.end, live)?;
        if let Some(handler) = body.handler {
            self.covered.push((start, self.out.len() as u32, handler));
        }
        Ok(())
    }

    /// Sets the operation of the current block that the next instructions belong to.
    fn note_origin(&mut self, operation: u32) {
        let start = self.out.len() as u32;
        match self.origins.last_mut() {
            Some(last) if last.start == start => *last = Origin { start, block: self.current, operation },
            _ => self.origins.push(Origin { start, block: self.current, operation }),
        }
    }

    /// The facts about each operation of a block.
    fn points(&self, block: u32, live: &mut LiveSet) -> Vec<Point> {
        let body = &self.function.blocks[block as usize];
        let mut points: Vec<Point> = body.body.iter().map(|_| Point::default()).collect();
        self.liveness.scan_back(self.function, block, live, &mut |behind| {
            let (after, op) = (behind.live, &body.body[behind.at].op);
            let to = op.written();
            let point = &mut points[behind.at];
            op.each_operand(&mut |operand| {
                if let Some(reg) = operand.register()
                    && (!after.contains(reg) || Some(reg) == to)
                    && !point.dies.contains(&reg)
                {
                    point.dies.push(reg);
                }
            });
            point.unread = to.is_some_and(|to| !after.contains(to));
            point.ending = behind.ending.iter().map(|reg| self.slot(*reg)).collect();
            if matches!(op, Op::Call { .. } | Op::Primitive { .. }) {
                point.window = self.allocation.above(after.iter().filter(|reg| Some(*reg) != to));
            }
        });
        points
    }

    /// The slot of a register.
    pub fn slot(&self, reg: Reg) -> Slot {
        self.allocation.slots[reg.0 as usize]
    }

    /// The slot of a register in a block that is about to be entered; nowhere if it is not read there.
    pub fn slot_in(&self, reg: Option<Reg>, block: BlockId) -> Slot {
        match reg {
            Some(reg) if self.liveness.alive(block.0, reg) => self.slot(reg),
            _ => NOWHERE,
        }
    }

    /// Operands as they are read one after another: the last reading of a dying register takes its value.
    pub fn sources(&mut self, operands: &[&Operand], dies: &[Reg]) -> Vec<Src> {
        let source = |(at, operand): (usize, &&Operand)| match operand {
            Operand::Literal(literal) => self.constant(literal),
            Operand::Reg(reg) => {
                let again = operands[at + 1..].iter().any(|later| later.register() == Some(*reg));
                let slot = self.slot(*reg);
                if dies.contains(reg) && !again { Src::last(slot) } else { Src::keep(slot) }
            }
        };
        operands.iter().enumerate().map(source).collect()
    }

    /// The operand of a literal.
    pub fn constant(&mut self, literal: &Term) -> Src {
        Src::constant(self.constant_index(literal))
    }

    /// The number of a literal among the constants.
    pub fn constant_index(&mut self, literal: &Term) -> u32 {
        let constants = &mut self.program.code.constants;
        let mut add = || {
            constants.push(literal.clone());
            constants.len() as u32 - 1
        };
        match literal {
            Term::Int(_, value) => *self.simple.entry((0, *value)).or_insert_with(add),
            Term::Atom(_, atom) => *self.simple.entry((1, i64::from(atom.index()))).or_insert_with(add),
            Term::Nil(_) => *self.simple.entry((2, 0)).or_insert_with(add),
            _ => add(),
        }
    }

    /// Emits an instruction.
    pub fn push(&mut self, instr: Instr) {
        let known = self.location.is_known();
        if known && self.lines.last().is_none_or(|(_, last)| *last != self.location) {
            self.lines.push((self.out.len() as u32, self.location));
        }
        self.out.push(instr);
    }

    /// A label that is placed later.
    pub fn new_label(&mut self) -> Label {
        self.labels.push(UNPLACED);
        Label(self.labels.len() as u32 - 1)
    }

    /// Places a label at the next instruction.
    pub fn place_label(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.out.len() as u32;
    }

    /// The block that will be emitted after the current one.
    pub fn next_block(&self) -> Option<BlockId> {
        let place = self.order.place[self.current as usize]? as usize;
        let mut later = self.order.blocks[place + 1..].iter().copied();
        later.find(|&block| !self.plan.absorbed[block as usize]).map(BlockId)
    }

    fn finish(mut self) -> Result<Linked, String> {
        let base = self.program.code.instructions.len() as u32;
        let labels = std::mem::take(&mut self.labels);
        let address = |label: u32| match labels.get(label as usize) {
            Some(&at) if at != UNPLACED => Ok(base + at),
            _ => Err(format!("nothing leads to block {label}")),
        };
        for instr in &mut self.out {
            if let Some(target) = target_of(instr) {
                *target = address(*target)?;
            }
        }
        for &table in &self.tables {
            self.program.code.switches[table as usize].resolve(&address)?;
        }
        let handlers = self.handlers(base, &address)?;
        let lines = self.lines.iter().map(|(at, location)| (base + at, *location)).collect();
        let origins = self.origins.iter().map(|it| Origin { start: base + it.start, ..*it }).collect();
        self.program.code.instructions.append(&mut self.out);
        let end = self.program.code.instructions.len() as u32;
        Ok(Linked { entry: base, end, frame: self.frame, handlers, lines, origins })
    }

    fn handlers(&self, base: u32, address: &dyn Fn(u32) -> Result<u32, String>) -> Result<Vec<Handler>, String> {
        let handler = |&(start, end, block): &(u32, u32, BlockId)| {
            let catch = self.function.blocks[block.0 as usize].catch.unwrap_or_default();
            let kept = self.liveness.entry[block.0 as usize].iter().map(|reg| self.slot(*reg)).collect();
            let target = address(block.0)?;
            let [class, reason, raw] = self.catch_slots(catch, block);
            Ok(Handler { start: base + start, end: base + end, target, class, reason, raw, kept })
        };
        self.covered.iter().map(handler).collect()
    }

    /// The slots of the parts of an exception; nowhere if the handler does not read them.
    fn catch_slots(&self, catch: Catch, block: BlockId) -> [Slot; 3] {
        let mut live = LiveSet::new(self.function.registers);
        self.liveness.scan_body(self.function, block.0, &mut live, &mut |_| {});
        [catch.class, catch.reason, catch.raw].map(|reg| match reg {
            Some(reg) if live.contains(reg) => self.slot(reg),
            _ => NOWHERE,
        })
    }
}

/// The label in an instruction that jumps.
fn target_of(instr: &mut Instr) -> Option<&mut Address> {
    match instr {
        Instr::IfNil { no, .. }
        | Instr::IfAtom { no, .. }
        | Instr::IfInt { no, .. }
        | Instr::IfConstant { no, .. }
        | Instr::IfSame { no, .. }
        | Instr::IfEqual { no, .. }
        | Instr::IfLess { no, .. }
        | Instr::IfLessInt { no, .. }
        | Instr::IfMoreInt { no, .. }
        | Instr::IfNotLess { no, .. }
        | Instr::IfNotLessInt { no, .. }
        | Instr::IfNotMoreInt { no, .. }
        | Instr::IfCons { no, .. }
        | Instr::IfTuple { no, .. }
        | Instr::IfType { no, .. }
        | Instr::IfMapKey { no, .. }
        | Instr::IfSegment { no, .. }
        | Instr::IfBytes { no, .. }
        | Instr::IfBitsEnd { no, .. }
        | Instr::IfNative { no, .. } => Some(no),
        Instr::Jump { to } | Instr::Loop { to } => Some(to),
        _ => None,
    }
}
