//! Which runs are findings: defects inside the domain, shrunk and confirmed, each kind once.

use constraint::{Condition, Stimulus};
use exec::forward::{Ending, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Answer, Budget, Executor};
use term::Term;

use crate::failure_cause::{CauseDraft, CauseSearch};
use crate::finding::{Defect, Finding, FindingKey, IgnoredCrashes, OutsideDomain, Unconfirmed};
use crate::ignore::Ignore;
use crate::limits::{CONFIRMATIONS, QUICK_BUDGET};
use crate::reason::{Causes, Reason};
use crate::round::FlipQuery;
use crate::schedules::{Consequence, FollowingCrash};
use crate::shrink::{Candidate, shrink};
use crate::subject::{ConcolicRun, Confirm, Confirmation, EntryPoint, Evidence, TestSubject};
use crate::{ExplorationOptions, ExplorationStatistics, TermSize};

/// The crashes of an exploration, each kind once.
#[derive(Default)]
pub struct Triage {
    pub findings: Vec<Finding>,
    pub unconfirmed: Vec<Unconfirmed>,
    pub outside: Option<OutsideDomain>,
    pub ignored: Vec<IgnoredCrashes>,
    /// The kinds of crashes that were ignored.
    ignored_keys: FxHashSet<FindingKey>,
    known: FxHashMap<FindingKey, KnownCrash>,
    /// By finding: the cause as far as it is known.
    drafts: Vec<Option<CauseDraft>>,
    /// Stimuli of runs, each with the findings that it showed.
    seen: Vec<SeenRun>,
}

/// A run that may refute the cause of a finding.
struct SeenRun {
    signature: usize,
    stimulus: Stimulus,
    conditions: Vec<Condition>,
    keys: Vec<FindingKey>,
}

/// Runs that are kept to refute causes, and the size of their inputs and paths.
const SEEN: usize = 4_000;
const SEEN_SIZE: u64 = 200;

/// Paths that a solver is asked about to refute one cause.
const REFUTATIONS: usize = 1_000;

/// The standing of a kind of crash, with its index in the list.
enum KnownCrash {
    /// The VM has it too.
    Finding(usize),
    /// The VM does not have it.
    Unconfirmed { at: usize, tries: u32 },
    /// The VM reached a limit with it, every time.
    Unsettled { tries: u32 },
}

/// The parts of an exploration that the verdict on a run needs.
pub struct TriageContext<'a> {
    pub subject: &'a mut dyn TestSubject,
    pub solver: &'a mut dyn Executor,
    pub confirm: &'a mut dyn Confirm,
    pub options: &'a ExplorationOptions,
    pub entry_point: &'a EntryPoint,
    pub causes: &'a mut Causes,
    pub statistics: &'a mut ExplorationStatistics,
    /// Returns true if the search is to stop.
    pub stopped: &'a mut dyn FnMut() -> bool,
}

/// A defect that is to be shown.
struct Witness {
    signature: usize,
    stimulus: Stimulus,
    defect: Defect,
    run: ConcolicRun,
}

impl Witness {
    fn evidence(&self) -> Evidence<'_> {
        Evidence { inputs: &self.stimulus.inputs, events: &self.run.events, defect: &self.defect }
    }
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

    /// Keeps a run that ended as the program has it.
    fn see(&mut self, context: &TriageContext<'_>, signature: usize, stimulus: &Stimulus, run: &ConcolicRun) {
        let has_ended = matches!(run.ending, Ending::Value(_) | Ending::Raised(_)) && !run.varies();
        let size = TermSize::of(&stimulus.inputs).nodes.max(run.path.len() as u64);
        let is_small = self.seen.len() < SEEN && size <= SEEN_SIZE;
        if has_ended && is_small && run.counts() && !context.is_outside(run) {
            let key = |(defect, trace): (Defect, &[Place])| FindingKey::of(&defect, trace, context.entry_point).0;
            let keys = run.defects().map(key).collect();
            let conditions = run.path.iter().map(|decision| decision.condition.clone()).collect();
            self.seen.push(SeenRun { signature, stimulus: stimulus.clone(), conditions, keys });
        }
    }

    /// Settles the causes of all findings.
    pub fn settle_causes(&mut self, context: &mut TriageContext<'_>) {
        for (finding, draft) in self.findings.iter_mut().zip(&mut self.drafts) {
            let Some(draft) = draft else { continue };
            let others = self.seen.iter().filter(|run| {
                let is_alike = run.signature == finding.signature && run.stimulus.schedule == finding.stimulus.schedule;
                is_alike && !run.keys.contains(&finding.key)
            });
            let (mut asked, mut is_refuted) = (0, false);
            for run in others {
                is_refuted |= !draft.refute(context.subject.arena(), &run.stimulus.inputs);
                if asked == REFUTATIONS || (context.stopped)() {
                    continue;
                }
                let Some(conditions) = draft.along(&run.conditions) else { continue };
                asked += 1;
                let near = &run.stimulus.inputs;
                if let Answer::Sat(inputs) = context.solve(run.signature, conditions, near, &QUICK_BUDGET) {
                    is_refuted |= !draft.refute(context.subject.arena(), &inputs);
                }
            }
            finding.cause = draft.describe(context.subject.arena(), &finding.stimulus.inputs).filter(|_| !is_refuted);
        }
    }

    /// True if the root of a crash is a finding. One that the user ignores stands for crashes with its reason, not for
    /// those of processes that have met its end.
    fn is_covered(&self, context: &TriageContext<'_>, run: &ConcolicRun, following: &FollowingCrash) -> bool {
        let Some((defect, trace)) = run.defects().nth(following.root) else { return false };
        let is_ignored = following.consequence == Consequence::Carried && context.ignoring(&defect).is_some();
        let (key, _) = FindingKey::of(&defect, trace, context.entry_point);
        is_ignored || matches!(self.known.get(&key), Some(KnownCrash::Finding(_)))
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
        if let Some(rule) = context.ignoring(&defect).filter(|_| !outside) {
            return self.ignore(rule.text(), inputs, FindingKey::of(&defect, trace, context.entry_point).0);
        }
        if context.is_promised(inputs) {
            context.statistics.promised += 1;
            return;
        }
        if let (true, Some(exception)) = (outside, defect.exception()) {
            let outside = OutsideDomain { inputs: inputs.clone(), exception: exception.clone(), paths: 0 };
            self.outside.get_or_insert(outside).paths += 1;
            return;
        }
        let (key, at) = FindingKey::of(&defect, trace, context.entry_point);
        let tries = match self.known.get(&key) {
            Some(KnownCrash::Finding(at)) => return self.findings[*at].paths += 1,
            Some(KnownCrash::Unconfirmed { at, tries }) if *tries >= CONFIRMATIONS => {
                return self.unconfirmed[*at].paths += 1;
            }
            Some(KnownCrash::Unsettled { tries }) if *tries >= CONFIRMATIONS => return,
            Some(KnownCrash::Unconfirmed { tries, .. } | KnownCrash::Unsettled { tries }) => *tries,
            None => 0,
        };
        let witness = Witness { signature, stimulus: stimulus.clone(), defect, run: run.clone() };
        self.decide(context, key, at, witness, tries + 1);
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
        key: FindingKey,
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
            Confirmation::Different { got } => self.reject(context, key, at, witness, got, tries),
            Confirmation::Limit { what } => {
                context.causes.add(Reason::Replay { what }, at);
                // What the VM has refuted once stays refuted.
                if !matches!(self.known.get(&key), Some(KnownCrash::Unconfirmed { .. })) {
                    self.known.insert(key, KnownCrash::Unsettled { tries });
                }
            }
            Confirmation::Dead { what } => {
                context.causes.add(Reason::Vm { what: what.clone() }, at.clone());
                self.reject(context, key, at, witness, what, tries);
            }
        }
    }

    fn accept(
        &mut self,
        context: &mut TriageContext<'_>,
        key: FindingKey,
        at: Option<Place>,
        witness: Witness,
        (text, replayed): (String, bool),
    ) {
        self.drafts.push(context.cause(&key, &witness));
        self.known.insert(key.clone(), KnownCrash::Finding(self.findings.len()));
        self.findings.push(Finding {
            key,
            signature: witness.signature,
            defect: witness.defect.named(&witness.stimulus.inputs),
            stimulus: witness.stimulus,
            at,
            path: witness.run.path,
            text,
            replayed,
            cause: None,
            paths: 1,
        });
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
        // A clock or a die explains it, and is named as a reason by itself.
        if witness.run.varies() {
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

impl TriageContext<'_> {
    /// The first rule of the user that covers a defect.
    fn ignoring(&self, defect: &Defect) -> Option<&Ignore> {
        let exception = defect.exception()?;
        self.options.ignore.iter().find(|rule| rule.covers(exception))
    }

    /// The user does not want to hear of it, or the spec says that these inputs give no value.
    fn is_expected(&self, inputs: &[Term], defect: &Defect) -> bool {
        self.ignoring(defect).is_some() || self.is_promised(inputs)
    }

    /// Without a spec, inputs that no clause takes show the function's domain.
    fn is_outside(&self, run: &ConcolicRun) -> bool {
        run.unmatched && !self.entry_point.specified
    }

    fn is_promised(&self, inputs: &[Term]) -> bool {
        let signatures = &self.entry_point.signatures;
        if !signatures.iter().any(|signature| signature.no_return) {
            return false;
        }
        let allowing = |at: &usize| self.allows(*at, inputs);
        (0..signatures.len()).filter(allowing).all(|at| signatures[at].no_return)
    }

    fn allows(&self, signature: usize, inputs: &[Term]) -> bool {
        self.entry_point.signatures[signature].allows(self.subject.grammar(), inputs)
    }

    /// A smaller witness of the same kind of crash.
    fn smaller(&mut self, key: &FindingKey, found: &Witness) -> Witness {
        let mut last = None;
        let stimulus = shrink(found.stimulus.clone(), self.options.max_shrink, |stimulus| {
            if (self.stopped)() || !self.allows(found.signature, &stimulus.inputs) {
                return Candidate::Refused;
            }
            self.statistics.shrink_runs += 1;
            let run = self.subject.run(stimulus);
            if !self.shows(key, &stimulus.inputs, &run) {
                return Candidate::Lost;
            }
            last = Some(run);
            Candidate::Kept
        });
        let run = last.unwrap_or_else(|| found.run.clone());
        let shown = run.defects().find(|(defect, trace)| self.is_kind(key, defect, trace));
        let defect = shown.map_or_else(|| found.defect.clone(), |(defect, _)| defect);
        Witness { signature: found.signature, stimulus, defect, run }
    }

    /// Inputs of a clause of the spec that meet conditions.
    pub fn solve(&mut self, signature: usize, conditions: Vec<Condition>, near: &[Term], budget: &Budget) -> Answer {
        let query = FlipQuery { signature: &self.entry_point.signatures[signature], conditions, near };
        self.solver.solve(&query.query(self.subject), budget)
    }

    /// The conditions that a defect depends on.
    fn cause(&mut self, key: &FindingKey, witness: &Witness) -> Option<CauseDraft> {
        let conditions: Vec<Condition> = witness.run.path.iter().map(|decision| decision.condition.clone()).collect();
        let mut shows = |context: &mut TriageContext<'_>, stimulus: &Stimulus| {
            let run = context.subject.run(stimulus);
            context.shows(key, &stimulus.inputs, &run)
        };
        let (signature, stimulus) = (witness.signature, &witness.stimulus);
        CauseSearch { context: self, signature, stimulus, shows: &mut shows }.find(conditions)
    }

    fn shows(&self, key: &FindingKey, inputs: &[Term], run: &ConcolicRun) -> bool {
        let shows = |(defect, trace): (Defect, &[Place])| {
            self.is_kind(key, &defect, trace) && !self.is_expected(inputs, &defect)
        };
        run.counts() && !self.is_outside(run) && run.defects().any(shows)
    }

    fn is_kind(&self, key: &FindingKey, defect: &Defect, trace: &[Place]) -> bool {
        FindingKey::of(defect, trace, self.entry_point).0 == *key
    }
}
