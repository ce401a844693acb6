//! The rank of a finding: how likely it is that its author wants to hear of it, and why.
//!
//! A crash is *declared* if the program raised it on purpose. Otherwise it is blamed on the last condition of its cause
//! that asks about a value it failed on: where that is a question of kind about a part of an input that no spec narrows, the
//! crash is *doubtful*. Everything else is a *bug*.

mod assertion;
mod blame;
mod doubt;
mod parts;
mod purpose;
mod root;
mod untaken;

use constraint::{Condition, Decision, Evaluator};
use exec::forward::{Object, Place};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use term::{Exception, Mfa, Notation, Term};

use crate::finding::Defect;
use crate::subject::{EntryPoint, TestSubject};

pub(crate) use assertion::is_assertion;
pub use blame::{BlameKey, Operands, Wish};
pub use doubt::DefectConditions;
pub(crate) use parts::{InputParts, PartType};
pub use root::{FindingRoot, entered};

/// The ranks, the most interesting first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, strum::EnumIter)]
pub enum FindingRank {
    /// The program breaks its own promise on inputs that it allows.
    Bug,
    /// The blame lies on a part of the input that no spec narrows.
    Doubtful,
    /// Raised on purpose.
    Declared,
}

impl FindingRank {
    /// The name in reports and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FindingRank::Bug => "bug",
            FindingRank::Doubtful => "doubtful",
            FindingRank::Declared => "declared",
        }
    }
}

/// A rank with its reason in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ranking {
    pub rank: FindingRank,
    pub reason: String,
}

/// The reason of a bug on inputs of which only the code says something.
const UNSPECIFIED: &str = "without a spec, but its code takes inputs of these kinds";

impl Ranking {
    /// True for a bug of which no spec says that its inputs are allowed.
    pub fn is_unspecified(&self) -> bool {
        self.rank == FindingRank::Bug && self.reason == UNSPECIFIED
    }

    /// A rank with its reason.
    pub fn new(rank: FindingRank, reason: impl Into<String>) -> Ranking {
        Ranking { rank, reason: reason.into() }
    }
}

/// A defect of a run, as far as its rank depends on it.
pub struct RankedDefect<'a> {
    pub subject: &'a dyn TestSubject,
    pub entry_point: &'a EntryPoint,
    /// Names that runs have given to processes and tables.
    pub named: &'a FxHashSet<Object>,
    /// The clause of the spec.
    pub signature: usize,
    pub inputs: &'a [Term],
    pub defect: &'a Defect,
    pub operands: &'a Operands,
}

impl<'a> RankedDefect<'a> {
    /// The rank of a crash that its exception decides.
    fn by_exception(&self, exception: &Exception) -> Option<Ranking> {
        if let Some(words) = assertion::words(&exception.reason) {
            return Some(Ranking::new(FindingRank::Bug, words));
        }
        if let Some(reason) = purpose::declared(exception, self.entry_point) {
            let of_property = Ranking::new(FindingRank::Bug, "a property has to give true, and this one raises");
            let is_property = self.entry_point.facts.is_property;
            return Some(if is_property { of_property } else { Ranking::new(FindingRank::Declared, reason) });
        }
        self.excluded().map(|reason| Ranking::new(FindingRank::Doubtful, reason))
    }

    /// The rank, given the conditions that the defect depends on.
    pub fn rank(&self, conditions: &DefectConditions<'_>) -> Ranking {
        let exception = match self.defect {
            Defect::Crash(exception) => Some(exception),
            Defect::Loop(_) | Defect::Contract(_) => None,
            Defect::Property(_) => return Ranking::new(FindingRank::Bug, "a property has to give true"),
            Defect::Deadlock(_) | Defect::Leak(_) => return Ranking::new(FindingRank::Bug, "a process waits for ever"),
        };
        if let Some(ranking) = exception.and_then(|exception| self.by_exception(exception)) {
            return ranking;
        }
        match self.doubt(&mut self.parts(), conditions) {
            Some(reason) => Ranking::new(FindingRank::Doubtful, reason),
            None if matches!(self.defect, Defect::Contract(_)) => {
                Ranking::new(FindingRank::Bug, "the spec does not have this value")
            }
            None if self.entry_point.facts.is_property => {
                Ranking::new(FindingRank::Bug, "a property has to give true, and this one raises")
            }
            None if self.operands.are_own()
                && !self.operands.are_of_unseen(self.subject.arena(), &conditions.needed) =>
            {
                Ranking::new(FindingRank::Bug, "it fails on a value that the program itself made")
            }
            None if self.entry_point.specified => Ranking::new(FindingRank::Bug, "the spec allows these inputs"),
            None => Ranking::new(FindingRank::Bug, UNSPECIFIED),
        }
    }

    /// True if the program raised it on purpose.
    pub fn is_declared(&self) -> bool {
        let is_property = self.entry_point.facts.is_property;
        let is_raised = |raised| purpose::declared(raised, self.entry_point).is_some();
        !is_property && self.defect.exception().is_some_and(is_raised)
    }

    /// The identity of the blame, by the decisions of the path and the places of the exception's stack; calls of recursive
    /// functions do not count.
    pub fn blame_key(&self, path: &[&Decision], trace: &[Place], recursive: &FxHashSet<Mfa>) -> BlameKey {
        let mut parts = self.parts();
        let needed: Vec<&Condition> = path.iter().map(|decision| &decision.condition).collect();
        let blamed = blame::blamed(&parts, &needed, self.operands);
        let is_tested = |place: &&Place| self.entry_point.modules.contains(&place.function.module);
        let asks = blame::asking(&parts, self.operands);
        let mut asked = path.iter().rev().filter(|decision| asks(&decision.condition));
        let place = asked.find_map(|decision| self.subject.branch(decision.site).filter(|place| is_tested(&place)));
        drop(asks);
        let calls = trace.iter().filter(|place| is_tested(place) && !recursive.contains(&place.function));
        let line = place.map(|place| (place.function, place.line));
        let is_doubtful = self.is_doubtful(&mut parts, DefectConditions { needed, is_cause: false, path });
        BlameKey::of(&mut parts, (self.defect, blamed), line, calls, is_doubtful)
    }

    /// The identity of a value that breaks the contract.
    pub fn contract_key(&self) -> BlameKey {
        let conditions = DefectConditions { needed: Vec::new(), is_cause: false, path: &[] };
        BlameKey::of_value(self.is_doubtful(&mut self.parts(), conditions))
    }

    fn is_doubtful(&self, parts: &mut InputParts<'_>, conditions: DefectConditions<'_>) -> bool {
        self.excluded().is_some() || self.doubt(parts, &conditions).is_some()
    }

    /// The function whose spec excludes the inputs of one without a spec, in words.
    fn excluded(&self) -> Option<String> {
        let wanted = self.entry_point.facts.wanted.as_ref()?;
        wanted.excluded(self.subject.grammar(), self.entry_point, self.inputs, self.defect.exception()?)
    }

    /// The values of the kind that the program asks for, if it may fail on them as it does on one of an odd kind.
    pub fn wish(&self, conditions: &[&Condition]) -> Option<Wish> {
        let mut parts = self.parts();
        let blamed = blame::blamed(&parts, conditions, self.operands)?;
        blame::wide_part(&mut parts, blamed).and_then(|part| part.wish(blamed))
    }

    fn parts(&self) -> InputParts<'a> {
        InputParts {
            arena: self.subject.arena(),
            grammar: self.subject.grammar(),
            rules: &self.entry_point.signatures[self.signature].inputs,
            values: Evaluator::new(self.subject.arena(), self.inputs),
            notation: Notation { language: self.entry_point.facts.language, ..Notation::ERLANG },
        }
    }
}
