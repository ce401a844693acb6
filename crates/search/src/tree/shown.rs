//! The first decisions of a tree as data, to be shown.

use constraint::{Arena, Condition};
use exec::forward::Place;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Below, Flip, NodeId, Tree, TreeSlot};

/// The decisions of an exploration, as many as were wanted.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct DecisionTree {
    /// The beginnings of paths: one per clause of the spec and schedule.
    pub roots: Vec<ShownBranch>,
    /// In the order they were met; one comes after those above it.
    pub decisions: Vec<ShownDecision>,
    /// The number of decisions that are not among these.
    pub left_out: usize,
}

/// A decision with both outcomes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShownDecision {
    /// Its condition, negated and as it is.
    pub conditions: [String; 2],
    /// The place in the program, if it is known.
    pub at: Option<Place>,
    /// The sequels of `false` and of `true`.
    pub branches: [ShownBranch; 2],
}

/// The sequel of an outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ShownBranch {
    /// Other decisions, by index: several where runs with the same outcomes go on differently.
    Decisions(Vec<usize>),
    /// A path ends, with its number among the executions that were kept.
    End(Option<usize>),
    /// The path goes on beyond what is shown.
    Cut,
    /// No run had this outcome.
    Open(OpenBranch),
}

/// The state of an outcome that no run had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OpenBranch {
    /// It was not tried.
    Waiting,
    /// A proof that no inputs have it.
    Infeasible,
    /// No solver knew inputs for it.
    Unknown,
    /// It depends on the result of an opaque function.
    Undecided,
    /// Other parts of the search have it.
    Elsewhere,
    /// Inputs that should have it took another path.
    Diverged,
    /// It is beyond a bound on inputs.
    OutOfBounds,
}

impl OpenBranch {
    fn of(flip: Flip) -> OpenBranch {
        match flip {
            Flip::Queued | Flip::Taken => OpenBranch::Waiting,
            Flip::Infeasible => OpenBranch::Infeasible,
            Flip::Unknown(_) => OpenBranch::Unknown,
            Flip::Undecided => OpenBranch::Undecided,
            Flip::Elsewhere | Flip::Run => OpenBranch::Elsewhere,
            Flip::Diverged => OpenBranch::Diverged,
            Flip::OutOfBounds => OpenBranch::OutOfBounds,
        }
    }

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            OpenBranch::Waiting => "waiting",
            OpenBranch::Infeasible => "infeasible",
            OpenBranch::Unknown => "unknown",
            OpenBranch::Undecided => "undecided",
            OpenBranch::Elsewhere => "elsewhere",
            OpenBranch::Diverged => "diverged",
            OpenBranch::OutOfBounds => "out_of_bounds",
        }
    }
}

/// The ends of paths whose executions are kept, with their numbers.
pub type PathEnds = FxHashMap<TreeSlot, usize>;

impl Tree {
    /// Returns the first so many decisions, with the places that the subject knows.
    pub fn shown(
        &self,
        most: usize,
        ends: &PathEnds,
        arena: &Arena,
        place: &dyn Fn(constraint::Site) -> Option<Place>,
    ) -> DecisionTree {
        if most == 0 {
            return DecisionTree::default();
        }
        let count = self.nodes.len().min(most);
        let beside = self.beside_of(count);
        let branch = |slot: TreeSlot| self.shown_branch(slot, count, ends, &beside);
        let decision = |at: usize| {
            let (node, id) = (&self.nodes[at], NodeId(at as u32));
            let text = |holds| arena.show_condition(&Condition { test: node.test, holds });
            let branches = [false, true].map(|holds| branch(TreeSlot::Answer(id, holds)));
            ShownDecision { conditions: [text(false), text(true)], at: place(node.site), branches }
        };
        DecisionTree {
            roots: (0..self.roots.len()).map(|root| branch(TreeSlot::Root(root as u32))).collect(),
            decisions: (0..count).map(decision).collect(),
            left_out: self.nodes.len() - count,
        }
    }

    fn shown_branch(
        &self,
        slot: TreeSlot,
        count: usize,
        ends: &PathEnds,
        beside: &FxHashMap<TreeSlot, Vec<usize>>,
    ) -> ShownBranch {
        match self.below(slot) {
            Below::Nothing => self.open(slot),
            Below::End => ShownBranch::End(ends.get(&slot).copied()),
            Below::Cut => ShownBranch::Cut,
            Below::Node(NodeId(first)) => {
                let others = beside.get(&slot).into_iter().flatten().copied();
                let all = std::iter::once(first as usize).chain(others);
                let shown: Vec<usize> = all.filter(|at| *at < count).collect();
                if shown.is_empty() { ShownBranch::Cut } else { ShownBranch::Decisions(shown) }
            }
        }
    }

    /// The nodes that hang beside another one, by their slot, in the order they were made.
    fn beside_of(&self, count: usize) -> FxHashMap<TreeSlot, Vec<usize>> {
        let mut found: FxHashMap<TreeSlot, Vec<usize>> = FxHashMap::default();
        for ((slot, ..), id) in &self.beside {
            if (id.0 as usize) < count {
                found.entry(*slot).or_default().push(id.0 as usize);
            }
        }
        found.values_mut().for_each(|nodes| nodes.sort_unstable());
        found
    }

    fn open(&self, slot: TreeSlot) -> ShownBranch {
        match slot {
            TreeSlot::Root(_) => ShownBranch::Open(OpenBranch::Waiting),
            TreeSlot::Answer(id, _) => ShownBranch::Open(OpenBranch::of(self.node(id).flip)),
        }
    }
}
