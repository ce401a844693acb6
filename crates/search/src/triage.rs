//! Which runs are findings: defects inside the domain, shrunk and confirmed, each kind once.

use constraint::Stimulus;
use exec::forward::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use crate::finding::{Defect, Finding, FindingKey, IgnoredCrashes, OutsideDomain, Unconfirmed};
use crate::ignore::Ignore;
use crate::limits::CONFIRMATIONS;
use crate::reason::{Causes, Reason};
use crate::schedules::{Consequence, FollowingCrash};
use crate::shrink::{Candidate, shrink};
use crate::subject::{ConcolicRun, Confirm, Confirmation, EntryPoint, Evidence, TestSubject};
use crate::{ExplorationOptions, ExplorationStatistics};

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
}

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
            Confirmation::Same { text } => self.accept(key, at, witness, text, true),
            Confirmation::Unscheduled { text } => self.accept(key, at, witness, text, false),
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

    fn accept(&mut self, key: FindingKey, at: Option<Place>, witness: Witness, text: String, replayed: bool) {
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
