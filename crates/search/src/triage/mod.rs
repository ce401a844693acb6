//! Which runs are findings: defects inside the domain, shrunk, confirmed and ranked, each cause of each kind once.

mod context;
mod contracts;
mod loops;
mod names;
mod settle;
mod texts;

use constraint::{Condition, Stimulus};
use exec::forward::{Ending, GapKind, LoopProgress, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, known};

use self::context::{CrashKey, RankedFinding, Witness, is_plain};
use self::contracts::ContractSearch;
use self::loops::LoopSearch;
use crate::TermSize;
use crate::failure_cause::CauseDraft;
use crate::finding::{Defect, Finding, FindingKey, IgnoredCrashes, OutsideDomain, Unconfirmed};
use crate::limits::CONFIRMATIONS;
use crate::rank::{BlameKey, FindingRank, Operands};
use crate::reason::Reason;
use crate::schedules::{Consequence, FollowingCrash};
use crate::subject::{ConcolicRun, Confirmation};

pub use context::TriageContext;

/// The crashes of an exploration, each kind and cause once.
#[derive(Default)]
pub struct Triage {
    pub findings: Vec<Finding>,
    pub unconfirmed: Vec<Unconfirmed>,
    pub outside: Option<OutsideDomain>,
    pub ignored: Vec<IgnoredCrashes>,
    /// The kinds of crashes that were ignored.
    ignored_keys: FxHashSet<FindingKey>,
    known: FxHashMap<FindingKey, KnownCrash>,
    /// By finding: the grounds of its cause and its rank.
    grounds: Vec<Grounds>,
    /// Stimuli of runs, each with the findings that it showed.
    seen: Vec<SeenRun>,
    loops: LoopSearch,
    contracts: ContractSearch,
}

/// The grounds on which the cause and the rank of a finding are found.
struct Grounds {
    /// The cause as far as it is known.
    draft: Option<CauseDraft>,
    /// The values that it failed on.
    operands: Operands,
    /// The defect with the marks of its run.
    defect: Defect,
    /// True if the name of a module or a process that is not there led to it.
    names_nothing: bool,
    /// True if code without a spec fails on a float or an improper list only.
    is_of_odd_kinds: bool,
}

/// A run that may refute the cause of a finding.
struct SeenRun {
    signature: usize,
    stimulus: Stimulus,
    conditions: Vec<Condition>,
    keys: Vec<FindingKey>,
    /// Bounds that the spec has for its value.
    bounds: Vec<Condition>,
}

/// Runs that are kept to refute causes, and the size of their inputs and paths.
const SEEN: usize = 4_000;
const SEEN_SIZE: u64 = 200;

/// Blames of one kind of crash that are distinguished.
const BLAMES: usize = 12;

/// The standing of a kind of crash, with its index in the list.
enum KnownCrash {
    /// The VM has it too: its blames, each with its finding.
    Findings(Vec<(BlameKey, usize)>),
    /// The VM does not have it.
    Unconfirmed { at: usize, tries: u32 },
    /// The VM reached a limit with it, every time.
    Unsettled { tries: u32 },
}

impl Triage {
    /// Enters a run: each crash inside the domain becomes a finding, unless it is known or expected.
    pub fn add(&mut self, context: &mut TriageContext<'_>, signature: usize, stimulus: &Stimulus, run: &ConcolicRun) {
        self.see(context, signature, stimulus, run);
        for (defect, trace) in run.defects().filter(|_| run.counts()) {
            self.add_defect(context, signature, stimulus, (run, defect, trace));
        }
        for following in run.consequences.iter().filter(|_| run.counts()) {
            if !self.is_covered(context, run, following) {
                let FollowingCrash { crash, .. } = following;
                let defect = Defect::Crash(crash.exception.clone());
                self.add_defect(context, signature, stimulus, (run, defect, &crash.trace));
            }
        }
    }

    /// True if the crashes of a kind are settled.
    pub fn knows(&self, key: &FindingKey) -> bool {
        match self.known.get(key) {
            Some(KnownCrash::Findings(_)) => true,
            Some(KnownCrash::Unconfirmed { tries, .. } | KnownCrash::Unsettled { tries }) => *tries >= CONFIRMATIONS,
            None => self.ignored_keys.contains(key),
        }
    }

    /// Keeps a run that ended as the program has it.
    fn see(&mut self, context: &TriageContext<'_>, signature: usize, stimulus: &Stimulus, run: &ConcolicRun) {
        let has_ended = matches!(run.ending, Ending::Value(_) | Ending::Raised(_)) && !run.varies();
        let size = TermSize::of(&stimulus.inputs).nodes.max(run.path.len() as u64);
        let is_small = self.seen.len() < SEEN && size <= SEEN_SIZE;
        if has_ended && is_small && run.counts() && !context.is_outside(run) {
            let key = |(defect, trace): (Defect, &[Place])| FindingKey::of(&defect, trace, context.entry_point).0;
            let keys = run.defects().map(key).collect();
            let conditions = run.path.iter().map(|decision| decision.condition.clone()).collect();
            let bounds = run.contract.bounds.clone();
            self.seen.push(SeenRun { signature, stimulus: stimulus.clone(), conditions, keys, bounds });
        }
    }

    /// True if the root of a crash is a finding. One that the user ignores stands for crashes with its reason, not for
    /// those of processes that have met its end.
    fn is_covered(&self, context: &TriageContext<'_>, run: &ConcolicRun, following: &FollowingCrash) -> bool {
        let Some((defect, trace)) = run.defects().nth(following.root) else { return false };
        let is_ignored = following.consequence == Consequence::Carried && context.ignoring(&defect, trace).is_some();
        let (key, _) = FindingKey::of(&defect, trace, context.entry_point);
        is_ignored || matches!(self.known.get(&key), Some(KnownCrash::Findings(_)))
    }

    fn add_defect(
        &mut self,
        context: &mut TriageContext<'_>,
        signature: usize,
        stimulus: &Stimulus,
        (run, defect, trace): (&ConcolicRun, Defect, &[Place]),
    ) {
        let inputs = &stimulus.inputs;
        let outside = context.is_outside(run);
        if let Some(rule) = context.ignoring(&defect, trace).filter(|_| !outside) {
            return self.ignore(rule.text(), inputs, FindingKey::of(&defect, trace, context.entry_point).0);
        }
        if context.is_promised(inputs, &defect) {
            context.statistics.promised += 1;
            // Not to return is promised, but not to take all memory.
            if let Defect::Loop(endless) = &defect
                && endless.progress != LoopProgress::Recurs
            {
                let (_, at) = FindingKey::of(&defect, trace, context.entry_point);
                context.causes.add(Reason::Memory, at);
            }
            return;
        }
        if let (true, Some(exception)) = (outside, defect.exception()) {
            let outside = OutsideDomain { inputs: inputs.clone(), exception: exception.clone(), paths: 0 };
            self.outside.get_or_insert(outside).paths += 1;
            return;
        }
        if let Some(module) = context.missing_module(&defect, inputs) {
            let (_, at) = FindingKey::of(&defect, trace, context.entry_point);
            return context.causes.add(Reason::Missing { module: module.to_string() }, at);
        }
        let (kind, at) = FindingKey::of(&defect, trace, context.entry_point);
        let blame = context.blame(signature, inputs, run, (&defect, trace));
        if let Some(finding) = self.known_finding(context, &kind, &blame, inputs) {
            return self.findings[finding].paths += 1;
        }
        let tries = match self.known.get(&kind) {
            Some(KnownCrash::Findings(_)) => 0,
            Some(KnownCrash::Unconfirmed { at, tries }) if *tries >= CONFIRMATIONS => {
                return self.unconfirmed[*at].paths += 1;
            }
            Some(KnownCrash::Unsettled { tries }) if *tries >= CONFIRMATIONS => return,
            Some(KnownCrash::Unconfirmed { tries, .. } | KnownCrash::Unsettled { tries }) => *tries,
            None => 0,
        };
        let witness = Witness { signature, stimulus: stimulus.clone(), defect, run: run.clone() };
        self.decide(context, CrashKey { kind, blame }, at, witness, tries + 1);
    }

    /// The finding that a crash belongs to: one with the same blame, or with a like one and a cause that its inputs meet.
    /// Where enough are known, or another would be of no interest, that is the first. Inputs of the usual kinds do not belong
    /// to a finding that floats or improper lists are to blame for.
    fn known_finding(
        &mut self,
        context: &TriageContext<'_>,
        kind: &FindingKey,
        blame: &BlameKey,
        inputs: &[Term],
    ) -> Option<usize> {
        let Some(KnownCrash::Findings(known)) = self.known.get_mut(kind) else { return None };
        let is_plain = is_plain(inputs);
        let may_be = |finding: usize| !(is_plain && self.grounds[finding].is_of_odd_kinds);
        if let Some((_, finding)) = known.iter().find(|(other, finding)| other.is_same(blame) && may_be(*finding)) {
            return Some(*finding);
        }
        let rank = |finding: usize| self.findings[finding].ranking.rank;
        let first = known[0].1;
        let is_first_plain = !known.iter().any(|(_, finding)| may_be(*finding));
        let is_enough = !is_first_plain && known.len() >= BLAMES || rank(first) == FindingRank::Declared;
        let found = known.iter().find(|(other, finding)| {
            let draft = self.grounds[*finding].draft.as_ref();
            let is_met = || draft.is_some_and(|draft| draft.is_met(context.subject.arena(), inputs));
            may_be(*finding) && (blame.is_doubtful() || other.is_alike(blame) && is_met())
        });
        let found = found.map(|(_, finding)| *finding);
        let found = if is_enough { Some(found.unwrap_or(first)) } else { found };
        known.extend(found.map(|found| (blame.clone(), found)));
        found
    }

    /// Counts a crash that a rule covers.
    fn ignore(&mut self, rule: &str, inputs: &[Term], key: FindingKey) {
        let known = self.ignored.iter().position(|known| known.rule == rule);
        let at = known.unwrap_or_else(|| {
            let inputs = inputs.to_vec();
            self.ignored.push(IgnoredCrashes { rule: rule.to_owned(), crashes: 0, paths: 0, inputs });
            self.ignored.len() - 1
        });
        self.ignored[at].paths += 1;
        self.ignored[at].crashes += u64::from(self.ignored_keys.insert(key));
    }

    /// Asks the VM about a smaller witness, and about the one that was found if it disagrees.
    fn decide(
        &mut self,
        context: &mut TriageContext<'_>,
        key: CrashKey,
        at: Option<Place>,
        found: Witness,
        tries: u32,
    ) {
        let small = context.smaller(&key, &found);
        let mut answer = context.confirm.confirm(small.evidence());
        let mut witness = small;
        if !matches!(answer, Confirmation::Same { .. }) && witness.stimulus != found.stimulus {
            let second = context.confirm.confirm(found.evidence());
            let is_worse = matches!(answer, Confirmation::Unscheduled { .. })
                && !matches!(second, Confirmation::Same { .. } | Confirmation::Unscheduled { .. });
            if !is_worse {
                (answer, witness) = (second, found);
            }
        }
        match answer {
            Confirmation::Same { text } => self.accept(context, key, at, witness, (text, true)),
            Confirmation::Unscheduled { text } => self.accept(context, key, at, witness, (text, false)),
            // The VM has a crash of this kind, with another cause: there is nothing to say about this one.
            _ if self.is_known(&key.kind) => self.add_blame(key, 0),
            Confirmation::Different { got } => self.reject(context, key.kind, at, witness, got, tries),
            Confirmation::Limit { what } => {
                context.causes.add(Reason::Replay { what }, at);
                self.leave_unsettled(key.kind, tries);
            }
            Confirmation::Dead { what } => {
                context.causes.add(Reason::Vm { what: what.clone() }, at.clone());
                // Where our machine says that there is no room, the VM may end for want of it.
                match is_system_limit(&witness.defect) {
                    true => self.leave_unsettled(key.kind, tries),
                    false => self.reject(context, key.kind, at, witness, what, tries),
                }
            }
        }
    }

    /// The VM could not say; what it has refuted once stays refuted.
    fn leave_unsettled(&mut self, kind: FindingKey, tries: u32) {
        if !matches!(self.known.get(&kind), Some(KnownCrash::Unconfirmed { .. })) {
            self.known.insert(kind, KnownCrash::Unsettled { tries });
        }
    }

    fn is_known(&self, kind: &FindingKey) -> bool {
        matches!(self.known.get(kind), Some(KnownCrash::Findings(_)))
    }

    /// The finding of this index among those of a kind stands for a blame, too; one that is not there yet is the next.
    fn add_blame(&mut self, key: CrashKey, index: usize) {
        let next = self.findings.len();
        match self.known.get_mut(&key.kind) {
            Some(KnownCrash::Findings(known)) => {
                let finding = known.get(index).map_or(next, |(_, finding)| *finding);
                known.push((key.blame, finding));
            }
            _ => drop(self.known.insert(key.kind, KnownCrash::Findings(vec![(key.blame, next)]))),
        }
    }

    fn accept(
        &mut self,
        context: &mut TriageContext<'_>,
        key: CrashKey,
        at: Option<Place>,
        witness: Witness,
        (text, replayed): (String, bool),
    ) {
        let (witness, grounds, better) = context.grounds(&key, witness);
        let Witness { signature, stimulus, run, .. } = witness;
        let RankedFinding { ranking, root, .. } = context.ranking(signature, &stimulus.inputs, &run.path, &grounds);
        // What looks plain on its path may prove to be so in the end.
        let is_doubtful = ranking.rank == FindingRank::Doubtful && key.blame.is_doubtful();
        let same = self.same_rank(&key.kind, FindingRank::Doubtful).filter(|_| is_doubtful);
        let text = match &grounds.defect {
            Defect::Contract(value) => context.broken(signature, value),
            Defect::Property(value) => format!("gives {value}, where a property has to give true"),
            _ => better.unwrap_or(text),
        };
        let kind = key.kind.clone();
        self.add_blame(key, same.unwrap_or(usize::MAX));
        if let Some(same) = same {
            return self.count_path(&kind, same);
        }
        let finding = Finding {
            key: kind,
            signature,
            defect: grounds.defect.clone().named(&stimulus.inputs),
            stimulus,
            at,
            path: run.path,
            text,
            replayed,
            cause: None,
            ranking,
            root,
            paths: 1,
        };
        context.confirm.accepted(&finding);
        self.findings.push(finding);
        self.grounds.push(grounds);
    }

    fn count_path(&mut self, kind: &FindingKey, index: usize) {
        if let Some(KnownCrash::Findings(known)) = self.known.get(kind) {
            self.findings[known[index].1].paths += 1;
        }
    }

    /// The index of a finding of this rank among those of a kind.
    fn same_rank(&self, kind: &FindingKey, rank: FindingRank) -> Option<usize> {
        let Some(KnownCrash::Findings(known)) = self.known.get(kind) else { return None };
        known.iter().position(|(_, finding)| self.findings[*finding].ranking.rank == rank)
    }

    fn reject(
        &mut self,
        context: &mut TriageContext<'_>,
        key: FindingKey,
        at: Option<Place>,
        witness: Witness,
        got: String,
        tries: u32,
    ) {
        // A clock or a die explains it, and is named as a reason by itself. So is the environment, and a search in another
        // does not take that back.
        if witness.run.varies() || witness.run.varies_elsewhere() {
            for gap in witness.run.gaps.iter().filter(|gap| matches!(gap.kind, GapKind::Elsewhere(_))) {
                context.causes.add(Reason::Varying { function: gap.function }, Some(gap.at.clone()));
            }
            return;
        }
        context.causes.add(Reason::Unconfirmed, at.clone());
        if let Some(KnownCrash::Unconfirmed { at, tries: known }) = self.known.get_mut(&key) {
            *known = tries;
            self.unconfirmed[*at].paths += 1;
            return;
        }
        self.known.insert(key.clone(), KnownCrash::Unconfirmed { at: self.unconfirmed.len(), tries });
        let Witness { stimulus, defect, .. } = witness;
        let defect = defect.named(&stimulus.inputs);
        self.unconfirmed.push(Unconfirmed { key, stimulus, defect, at, got, paths: 1 });
    }
}

fn is_system_limit(defect: &Defect) -> bool {
    defect.exception().is_some_and(|exception| exception.reason.as_atom() == Some(known::SYSTEM_LIMIT))
}
