//! The record of a run: its path, the branches it took, the clauses it entered, and what had no symbolic rule.

use std::collections::BTreeSet;

use constraint::{Arena, Condition, Evaluator, Expr, Op, Path, Site, ValueCache};
use ir::Location;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Call, Mark, Mfa, Term};

use super::ets::SymbolicTable;
use super::facts::Facts;
use super::opaque::Concretize;
use super::pin::unmarked;
use super::sites::{Asked, Known, SiteInfo};
use crate::forward::code::Address;
use crate::forward::machine::{HandleName, KnownLoop, RoundWatch};
use crate::forward::outcome::Place;

/// The bounds of a recording.
#[derive(Clone, Copy, Debug)]
pub struct RecorderLimits {
    /// The longest path.
    pub steps: usize,
    /// The most expressions of the arena.
    pub expressions: usize,
    /// The most clauses that are recorded.
    pub events: usize,
}

impl Default for RecorderLimits {
    fn default() -> Self {
        RecorderLimits { steps: 20_000, expressions: 4_000_000, events: 10_000 }
    }
}

/// An operation whose answer the path does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The function.
    pub function: Mfa,
    /// Its source place.
    pub at: Place,
    /// The treatment of its answer.
    pub kind: GapKind,
}

/// The treatment of an answer that the path does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GapKind {
    /// It has no symbolic rule: the marked values that it met are held to what they were.
    Held,
    /// Its answer is taken for what it gives always, although it looked at more than its arguments.
    Loose,
    /// The same of a fun of the caller's that was given a fun of the program.
    GivenFun,
    /// It answers otherwise in another run, for the same arguments.
    Varying,
    /// It starts a timer that strikes before or after something else in the same millisecond.
    NearTimer,
    /// It answers otherwise in another environment, for the same arguments.
    Elsewhere(Elsewhere),
}

/// A part of the environment of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elsewhere {
    /// The order of a few processes or references.
    Order,
    /// The number of schedulers that are online.
    Schedulers,
}

impl GapKind {
    /// Returns true if what follows rests on an answer that nothing holds.
    pub fn is_loose(self) -> bool {
        matches!(self, GapKind::Loose | GapKind::GivenFun)
    }
}

/// A clause that a run entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnteredClause {
    /// The function that has the clause.
    pub function: Mfa,
    /// The case of the function, and its clause, both from 0.
    pub case: u32,
    /// The clause, from 0.
    pub clause: u32,
    /// The kind of case.
    pub kind: ir::CaseKind,
    /// The source file.
    pub file: String,
    /// The source place of the clause.
    pub location: Location,
}

/// Records symbolic runs, one after another; expressions are kept from run to run.
#[derive(Default)]
pub struct Recorder {
    /// May grow by others' hands too, but must stay the same arena: marks and what is kept here name its expressions.
    pub arena: Arena,
    /// The path condition.
    pub path: Path,
    /// The calls whose results carry no expression.
    pub gaps: Vec<Gap>,
    /// The branches that were taken, in the order in which they first were: which test, and whether it held.
    pub branches: Vec<(Site, bool)>,
    /// The clauses entered, if the machine records them.
    pub events: Vec<EnteredClause>,
    /// The path is only the beginning of what was asked: a limit was met.
    pub truncated: bool,
    /// The bounds of a recording.
    pub limits: RecorderLimits,
    /// The treatment of results of opaque functions.
    pub concretize: Concretize,
    /// If wanted: the events that the run emitted, each with the length of the path by then.
    pub emitted: Option<Vec<(u32, usize)>>,
    /// The decision of the path whose place is wanted.
    pub wanted: Option<usize>,
    /// The place of the wanted decision.
    pub found: Option<Place>,
    /// Calls that are known to have no end.
    pub known_loops: Vec<KnownLoop>,
    /// If wanted: a run ends at the head of a loop, unless it is one of these.
    pub known_heads: Option<FxHashSet<Mfa>>,
    /// If wanted: the calls that may be rounds of a loop.
    pub rounds: Option<RoundWatch>,
    /// The arguments of the next calls that carry no mark: they are held to their values.
    pub held: Vec<bool>,
    /// The questions about the number of schedulers online that runs have asked.
    pub asked_of_schedulers: Vec<Condition>,
    /// Samples of calls without marks.
    pub(super) plain_samples: u32,
    /// The pids and references whose order runs have looked at.
    pub ordered: BTreeSet<HandleName>,
    /// The most that one run has looked at.
    pub most_ordered: usize,
    /// Those of this run; when there are too many, no more are needed.
    pub(super) ordered_now: BTreeSet<HandleName>,
    /// The numbers so far that no input decides.
    pub(super) numbers: u32,
    /// A key of the process dictionary carries a mark.
    pub(super) unknown_keys: bool,
    /// The tables of the run whose rows are known.
    pub(super) tables: Vec<SymbolicTable>,
    /// The module under test.
    pub(super) module: Option<term::Atom>,
    /// The inputs of the run.
    pub(in crate::forward) inputs: Vec<Term>,
    pub(super) facts: Facts,
    /// The values of expressions for these inputs, as far as they were evaluated.
    values: ValueCache,
    pub(super) sites: FxHashMap<Site, SiteInfo>,
    /// The sites of decisions by their instruction.
    pub(super) asked: FxHashMap<(Address, Asked), Known>,
    /// The program that these addresses belong to.
    pub(super) program: u64,
    /// Operations on two operands and constant integers whose expressions were made before.
    pub(super) applied: FxHashMap<(Op, Mark, Mark), Expr>,
    pub(super) integers: FxHashMap<i64, Expr>,
    pub(super) known_gaps: FxHashSet<(Mfa, Address)>,
    /// By address: bit 0, the test there held; bit 1, it did not.
    pub(super) taken: Vec<u8>,
    pub(super) taken_switches: FxHashSet<(Address, u32, bool)>,
}

impl Recorder {
    /// Forgets the last run, but not its expressions.
    pub fn begin(&mut self) {
        self.path.clear();
        self.gaps.clear();
        self.branches.clear();
        self.events.clear();
        self.emitted.iter_mut().for_each(Vec::clear);
        self.truncated = false;
        self.ordered_now.clear();
        self.numbers = 0;
        self.unknown_keys = false;
        self.tables.clear();
        self.plain_samples = 0;
        self.facts.clear();
        self.known_gaps.clear();
        self.taken.clear();
        self.taken_switches.clear();
    }

    /// A constant integer.
    pub(super) fn integer(&mut self, value: i64) -> Expr {
        let Recorder { arena, integers, .. } = self;
        *integers.entry(value).or_insert_with(|| arena.integer(value))
    }

    /// An operation on two integers.
    pub(super) fn apply(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        let Recorder { arena, applied, .. } = self;
        *applied.entry((op, a.mark(), b.mark())).or_insert_with(|| arena.apply(op, &[a, b]))
    }

    /// The same call, its arguments marked as the inputs, but for those that are held to their values.
    pub(in crate::forward) fn marked(&mut self, call: &Call) -> Call {
        self.values.clear();
        self.module = Some(call.module);
        self.inputs = call.args.iter().map(unmarked).collect();
        let Recorder { arena, held, .. } = self;
        let mark = |(at, arg): (usize, &Term)| match held.get(at) {
            Some(true) => arg.clone(),
            _ => arg.clone().with_mark(arena.input(at as u32).mark()),
        };
        let args = self.inputs.iter().enumerate().map(mark).collect();
        Call { module: call.module, function: call.function, args }
    }

    /// Returns true if a condition, before it was simplified, is what the run's inputs make of it, as far as the opaque
    /// functions in it were observed.
    pub(super) fn is_true(&mut self, condition: &Condition) -> bool {
        let values = std::mem::take(&mut self.values);
        let mut evaluator = Evaluator::resume(&self.arena, &self.inputs, values).of_originals();
        let is_true = evaluator.holds(condition) == Ok(true);
        if evaluator.missing().is_some() {
            // Nothing is kept that an observation may change.
            return true;
        }
        self.values = evaluator.into_values();
        is_true
    }

    /// The value that an expression has in this run.
    pub(super) fn value(&mut self, expr: Expr) -> Option<Term> {
        let mut evaluator = Evaluator::resume(&self.arena, &self.inputs, std::mem::take(&mut self.values));
        let value = evaluator.value(expr).ok();
        self.values = evaluator.into_values();
        value
    }

    /// The place of a site of any run so far.
    pub fn site(&self, site: Site) -> Option<&SiteInfo> {
        self.sites.get(&site)
    }
}
