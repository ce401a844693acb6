//! Findings that several functions show: a crash in what they call is one.

use std::collections::BTreeMap;

use search::{DefectKind, Finding, FindingKey, FindingRank};
use session::job::{JobResult, Novelty};
use term::{Atom, Mfa};

use super::roots;
use super::text::{explored_name, headline};
use crate::notation;

/// Functions of a module that show bugs of one family of roots in full: more of them are how the module is meant.
const SHOWN: u32 = 2;

/// The findings of the functions explored so far.
#[derive(Default)]
pub struct KnownFindings {
    findings: Vec<KnownFinding>,
    /// By family of roots, and by module unless it is that of functions without a spec: the functions that have shown one.
    families: BTreeMap<(Option<Atom>, String), u32>,
}

/// A finding, with the functions that show it.
struct KnownFinding {
    key: FindingKey,
    rank: FindingRank,
    /// What the VM says of it.
    text: String,
    /// Its place and what it is, in words.
    headline: String,
    /// The first function with what it is.
    name: String,
    /// In the order they were explored.
    functions: Vec<Mfa>,
    /// Their names, each in its language.
    names: Vec<String>,
    /// True if it is a bug that is not shown in full.
    is_short: bool,
    /// True if a baseline has it.
    is_old: bool,
}

/// The place of a finding among those of its function and of others.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// The function that showed it before.
    pub same_as: Option<Mfa>,
    /// The finding of the same function that it is shown with.
    pub(super) head: Option<usize>,
    /// The number of functions of its module that showed a bug of its family of roots, if they are many.
    pub(super) usual: Option<u32>,
}

impl KnownFinding {
    /// True if a function of the same name but another arity gives the same value, which neither spec has, or fails in
    /// the same way in the same library function: one of them has default arguments.
    fn is_of_other_arity(&self, finding: &Finding) -> bool {
        let (key, other) = (&self.key, &finding.key);
        let name = |key: &FindingKey| key.function.map(|function| (function.module, function.function));
        let is_same = match key.kind {
            DefectKind::Contract => self.text == finding.text,
            _ => key.via.is_some() && key.via == other.via && key.function != other.function,
        };
        is_same && key.kind == other.kind && name(key) == name(other)
    }
}

impl KnownFindings {
    /// Adds those of a function; returns, for each, its standing. Several causes at one place are taken for those of another
    /// function in their order.
    pub fn add(&mut self, explored: &JobResult) -> Vec<Standing> {
        let added: Vec<(usize, bool)> =
            (0..explored.exploration.findings.len()).map(|at| self.add_one(explored, at)).collect();
        let first =
            |(known, is_new): (usize, bool)| self.findings[known].functions.first().copied().filter(|_| !is_new);
        let same_as: Vec<Option<Mfa>> = added.iter().map(|one| first(*one)).collect();
        let heads = roots::heads(explored, &same_as);
        let mut standings = Vec::new();
        for (at, (known, is_new)) in added.into_iter().enumerate() {
            let is_head = roots::is_new(explored, at) && is_new && heads[at].is_none();
            let family = roots::family(&explored.exploration.findings[at]).filter(|_| is_head);
            let usual = family.and_then(|family| self.add_family(explored.function.module, family));
            self.findings[known].is_short |= is_new && (heads[at].is_some() || usual.is_some());
            standings.push(Standing { same_as: same_as[at], head: heads[at], usual });
        }
        standings
    }

    /// Adds one finding; returns its index, and true if no other function has shown it.
    fn add_one(&mut self, explored: &JobResult, at: usize) -> (usize, bool) {
        let (function, finding) = (explored.function, &explored.exploration.findings[at]);
        let (key, rank) = (&finding.key, finding.ranking.rank);
        let is_alike = |known: &KnownFinding| {
            let is_same = &known.key == key || known.is_of_other_arity(finding);
            is_same && known.rank == rank && !known.functions.contains(&function)
        };
        if let Some(known) = self.findings.iter().position(is_alike) {
            self.findings[known].functions.push(function);
            self.findings[known].names.push(notation::name(explored));
            return (known, false);
        }
        let headline = headline(explored, (finding, &explored.details[at]));
        self.findings.push(KnownFinding {
            key: key.clone(),
            rank,
            text: finding.text.clone(),
            headline,
            name: explored_name(explored),
            functions: vec![function],
            names: vec![notation::name(explored)],
            is_short: false,
            is_old: explored.details[at].novelty == Some(Novelty::Known),
        });
        (self.findings.len() - 1, true)
    }

    /// Counts a bug of a family of roots; returns how many functions showed one before, if that is many.
    fn add_family(&mut self, module: Atom, family: &str) -> Option<u32> {
        let module = Some(module).filter(|_| family != roots::NO_SPEC);
        let count = self.families.entry((module, family.to_owned())).or_default();
        *count += 1;
        Some(*count - 1).filter(|before| *before >= SHOWN)
    }

    /// The number of findings of a rank, each once.
    pub(super) fn count(&self, rank: FindingRank) -> usize {
        self.findings.iter().filter(|known| known.rank == rank).count()
    }

    /// The number of bugs that are not shown in full.
    pub(super) fn short(&self) -> usize {
        self.findings.iter().filter(|known| known.is_short).count()
    }

    /// The bugs that are shown in full, and findings that several functions show, a line each; all of them if all are.
    pub(super) fn recap(&self, all: bool) -> String {
        let is_bug = |known: &KnownFinding| known.rank == FindingRank::Bug || known.functions.len() > 1;
        let shown = self.findings.iter().filter(|known| all || !known.is_short && !known.is_old && is_bug(known));
        let mut lines: Vec<String> = Vec::new();
        for known in shown {
            let shown = match &known.names[..] {
                [_] => format!("in {}", known.name),
                names => format!("through {}", names.join(", ")),
            };
            let line = format!("{} {shown}\n", known.headline);
            // Several causes at one place may be shown by the same functions.
            lines.extend(Some(line).filter(|line| !lines.contains(line)));
        }
        lines.concat()
    }
}
