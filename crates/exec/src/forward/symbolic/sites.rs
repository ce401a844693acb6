//! Places of tests: numbers that depend on nothing but the program.

use constraint::Site;
use ir::{Location, Primitive, Replay, Terminator};
use term::Mfa;

use super::recorder::Recorder;
use crate::forward::code::Address;
use crate::forward::program::{Function, Origin, Program};

/// The place of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteInfo {
    /// The function.
    pub function: Mfa,
    /// The source file.
    pub file: String,
    /// The source place.
    pub location: Location,
    /// The block of the function's graph, and the operation in it; nothing for the block's end.
    pub block: u32,
    /// The operation, if the site belongs to one.
    pub operation: Option<u32>,
}

/// A branch of a function's graph: two outcomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The site.
    pub site: Site,
    /// The source place.
    pub location: Location,
}

/// A site and its rank, kept by the instruction that decides there.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The site.
    pub site: Site,
    /// See [`constraint::Decision::minor`].
    pub minor: bool,
}

/// A decision at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// One of its own.
    Ordinal(u32),
    /// The test of the chain that a switch stands for, by its block.
    Block(u32),
}

/// The site of decision `ordinal` of an operation.
pub fn site(function: Mfa, block: u32, operation: u32, ordinal: u32) -> Site {
    let mut hash = Hash::new();
    hash.bytes(function.module.name().as_bytes());
    hash.bytes(b":");
    hash.bytes(function.function.name().as_bytes());
    for number in [u32::from(function.arity), block, operation, ordinal] {
        hash.bytes(&number.to_le_bytes());
    }
    Site(hash.0)
}

/// The site of the test at the end of a block.
pub fn branch_site(function: Mfa, block: u32) -> Site {
    site(function, block, Origin::END, 0)
}

/// The FNV hash: the same in every run.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

impl Recorder {
    /// Addresses mean nothing to another program.
    pub(in crate::forward) fn belong_to(&mut self, program: &Program) {
        if self.program != program.id {
            self.asked.clear();
            self.program = program.id;
        }
    }

    /// The site of decision `ordinal` of the instruction at an address.
    pub(super) fn site_at(&mut self, program: &Program, at: Address, ordinal: u32) -> Known {
        self.known((at, Asked::Ordinal(ordinal)), || program.site_at(at, ordinal))
    }

    /// The site of the test at the end of a block.
    pub(super) fn site_of_block(&mut self, program: &Program, at: Address, block: u32) -> Known {
        self.known((at, Asked::Block(block)), || program.site_of_block(at, block))
    }

    fn known(&mut self, asked: (Address, Asked), find: impl FnOnce() -> (Site, SiteInfo)) -> Known {
        let Recorder { sites, .. } = self;
        *self.asked.entry(asked).or_insert_with(|| {
            let (site, info) = find();
            let minor = ops::prelude::is_table(info.function);
            sites.insert(site, info);
            Known { site, minor }
        })
    }
}

impl Program {
    /// The site of a question that the instruction at an address asks, and what is known of it.
    pub fn site_at(&self, at: Address, ordinal: u32) -> (Site, SiteInfo) {
        let Some((function, origin)) = self.owner(at).and_then(|it| Some((it, it.origin(at)?))) else {
            return outside(ordinal);
        };
        let location = function.location(at);
        (site(function.name, origin.block, origin.operation, ordinal), info(function, origin, location))
    }

    /// The site of the test at the end of a block of the function that an address belongs to.
    pub fn site_of_block(&self, at: Address, block: u32) -> (Site, SiteInfo) {
        let Some(function) = self.owner(at) else { return outside(0) };
        let origin = Origin { start: at, block, operation: Origin::END };
        let body = function.graph.as_ref().and_then(|(unit, it)| unit.functions[*it].blocks.get(block as usize));
        let location = body.map_or(Location::NONE, |body| body.end_location);
        (branch_site(function.name, block), info(function, origin, location))
    }

    /// The branches of a function that was called or taken up with one that was.
    pub fn branches(&self, name: Mfa) -> Option<Vec<Branch>> {
        let (unit, at) = self.graph(name)?;
        let function = &unit.functions[*at];
        let mut reached = vec![false; function.blocks.len()];
        let mut todo = vec![0usize];
        while let Some(block) = todo.pop() {
            let Some(body) = function.blocks.get(block).filter(|_| !reached[block]) else { continue };
            reached[block] = true;
            todo.extend(body.targets().map(|it| it.0 as usize));
        }
        let branches =
            function.blocks.iter().enumerate().filter(|(at, block)| {
                reached[*at] && matches!(block.end, Terminator::Branch { .. }) && !is_added(block)
            });
        let branch = |(at, block): (usize, &ir::BasicBlock)| Branch {
            site: branch_site(name, at as u32),
            location: block.end_location,
        };
        Some(branches.map(branch).collect())
    }
}

fn info(function: &Function, origin: Origin, location: Location) -> SiteInfo {
    SiteInfo {
        function: function.name,
        file: function.file(location).to_string(),
        location,
        block: origin.block,
        operation: (origin.operation != Origin::END).then_some(origin.operation),
    }
}

/// True if a graph that emits its events asks at the end of a block what no program asks: whether a replay has a value.
fn is_added(block: &ir::BasicBlock) -> bool {
    let last = block.body.last().map(|instruction| &instruction.op);
    matches!(last, Some(ir::Op::Primitive { op: Primitive::Replay(Replay::Result), .. }))
}

/// A question that no instruction of a function asks: the call that a run starts with.
fn outside(ordinal: u32) -> (Site, SiteInfo) {
    let name = term::known::NONE;
    let function = Mfa { module: name, function: name, arity: 0 };
    let info = SiteInfo { function, file: String::new(), location: Location::NONE, block: 0, operation: None };
    (site(function, 0, 0, ordinal), info)
}
