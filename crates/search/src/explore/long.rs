//! The share of long inputs in an exploration: how much of it they get, and what becomes of those that gain.

use constraint::Stimulus;
use exec::forward::{Ending, Place};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use term::Term;

use super::Explorer;
use super::merge::RunRequest;
use crate::finding::{Defect, FindingKey};
use crate::limits::{RUNS, SHRINK_STEPS};
use crate::long::{Gain, LongInput, LongInputs, longest_calls};
use crate::parts;
use crate::reason::Reason;
use crate::shrink::{Candidate, shrink};
use crate::subject::{ConcolicRun, ConcreteRun};

/// The round after which long inputs begin: a function that is done by then needs none.
const BEGINNING: u64 = 16;

/// Steps of long inputs at their beginning, in every round after that, and by the end of a search without flips. They do
/// not depend on the bound on runs: what a search has found when it ends at a bound, one with more runs finds too.
const OPENING: u64 = 400_000;
const PER_ROUND: u64 = 15_000;
const CLOSING: u64 = 5_000_000;

/// Steps of long inputs for every run that was made, if they always gain.
const ALL: u64 = 8_000;

/// Steps without a gain after which there are only those, and the steps that inputs of another run are good for.
const QUIET: u64 = 600_000;
const OFFER: u64 = 50_000;

/// Long runs may make so many times as many steps as others if those that they were made from were long, too.
const PATIENCE: u64 = 8;
const GROWTH: u64 = 64;

/// Long inputs may have so many times as many parts as others, where a byte of a binary is one.
const SIZE: usize = 12;

/// Tries to make an input smaller that comes to a new branch.
const TRIMMED: u32 = 80;

/// The steps that are as much work as to make an input, besides one for each of its parts.
const MAKING: u64 = 300;

/// The bits of an integer that may count the repetitions of a run without an end.
const COUNT_BITS: u64 = 12;

/// The longest path that joins the tree: each of its flips is a query as long as that.
const JOINED: usize = 300;

/// Inputs of the solver that wait to be run concretely.
const OFFERED: usize = 200;

/// The long inputs of an exploration.
#[derive(Default)]
pub struct LongShare {
    inputs: LongInputs,
    /// Inputs of other runs that covered something, with the clauses of the spec.
    offered: Vec<(usize, Vec<Term>)>,
    /// The work so far, in steps, and by when something was gained last.
    spent: u64,
    gained: u64,
    /// The part of it that was made because something had been gained.
    extra: u64,
    /// By input, the least integer with which a run had no end within its bounds.
    endless: Vec<Option<BigInt>>,
    /// Kinds of crashes that were looked into.
    judged: FxHashSet<FindingKey>,
    /// The number of runs that joined the tree.
    joined: u64,
    /// True once a run has ended within its bounds.
    has_ended: bool,
    /// True if the subject has no concrete runs, or no memory for longer ones.
    is_off: bool,
}

impl LongShare {
    /// Long inputs that a seed decides.
    pub fn new(seed: u64) -> LongShare {
        LongShare { inputs: LongInputs::new(seed), ..LongShare::default() }
    }

    /// Takes inputs that covered something, to make long ones from.
    pub fn offer(&mut self, signature: usize, inputs: &[Term]) {
        if !self.is_off && self.offered.len() < OFFERED {
            self.offered.push((signature, inputs.to_vec()));
        }
    }

    /// Notes if a run has come to an end of its own: while none does, longer ones do not either.
    pub fn note_end(&mut self, ending: &Ending) {
        let is_cut = matches!(ending, Ending::OutOfSteps { .. } | Ending::OutOfMemory { .. } | Ending::Endless(_));
        self.has_ended |= !is_cut;
    }

    /// Remembers the integers of inputs whose run has no end within its bounds.
    fn note_endless(&mut self, inputs: &[Term]) {
        self.endless.resize(inputs.len(), None);
        for (least, input) in self.endless.iter_mut().zip(inputs) {
            let Some(value) = input.as_bigint().filter(|value| value.bits() > COUNT_BITS) else { continue };
            let is_less = least.as_ref().is_none_or(|least: &BigInt| value.magnitude() < least.magnitude());
            *least = if is_less { Some(value) } else { least.take() };
        }
    }

    /// True if inputs are likely to have no end either.
    fn is_endless(&self, inputs: &[Term]) -> bool {
        let is_more = |(least, input): (&Option<BigInt>, &Term)| {
            let value = input.as_bigint();
            least.as_ref().zip(value).is_some_and(|(least, value)| value.magnitude() >= least.magnitude())
        };
        self.endless.iter().zip(inputs).any(is_more)
    }

    /// True if runs have gained nothing for long.
    fn is_quiet(&self) -> bool {
        self.spent - self.gained > QUIET
    }
}

impl Explorer<'_> {
    /// Runs long inputs beside the flips of a round; returns true if any joined the tree.
    pub fn run_long_share(&mut self) -> bool {
        let Some(rounds) = self.rounds.checked_sub(BEGINNING) else { return false };
        self.run_long(OPENING.saturating_add(rounds.saturating_mul(PER_ROUND)))
    }

    /// Runs long inputs when no flip is left, if the search is no proof and no bound ends it; returns true if any joined
    /// the tree.
    pub fn run_last_long(&mut self) -> bool {
        let is_proof = self.causes.is_empty() && self.tree.queued() == 0 && self.undecided.is_empty();
        !is_proof && self.stop.reason.is_none() && self.run_long(CLOSING)
    }

    /// Runs long inputs until so much was spent, and further while they gain something.
    fn run_long(&mut self, until: u64) -> bool {
        let before = self.long.joined;
        let has_inputs = self.entry_point.function.arity > 0;
        self.long.is_off |= self.causes.has(&Reason::Memory) || !has_inputs;
        if self.long.has_ended {
            self.run_offered();
        }
        let most = self.statistics.runs.min(RUNS).saturating_mul(ALL);
        while self.long.has_ended && !self.long.is_off && self.allowance().0 > 0 && self.may_go_on() {
            let LongShare { spent, extra, .. } = self.long;
            if spent - extra >= until && (self.long.is_quiet() || spent >= most) {
                break;
            }
            let is_extra = spent - extra >= until;
            self.long.spent += MAKING;
            let Explorer { long, subject, entry_point, .. } = self;
            if let Some(input) = long.inputs.next(subject.grammar(), &entry_point.signatures) {
                self.run_one_long(input);
            }
            self.long.extra += if is_extra { self.long.spent - spent } else { 0 };
        }
        self.long.joined > before
    }

    /// Runs the inputs of other runs on values alone: what they come to is not new.
    fn run_offered(&mut self) {
        for (signature, inputs) in std::mem::take(&mut self.long.offered) {
            if !self.may_go_on() {
                return;
            }
            let stimulus = Stimulus::from(inputs);
            let Some(run) = self.run_on_values(&stimulus, self.subject.steps()) else { return };
            if has_ended(&run) {
                self.long.inputs.enter(&run.places);
                self.long.inputs.keep_found(signature, stimulus.inputs, run.cost);
                self.long.gained = self.long.gained.max((self.long.spent + OFFER).saturating_sub(QUIET));
            }
        }
    }

    fn run_on_values(&mut self, stimulus: &Stimulus, steps: u64) -> Option<ConcreteRun> {
        let run = self.subject.run_concretely(stimulus, steps);
        self.statistics.long_runs += 1;
        match &run {
            Some(run) => {
                self.long.spent += run.cost;
                self.long.note_end(&run.run.ending);
            }
            None => self.long.is_off = true,
        }
        run
    }

    fn run_one_long(&mut self, input: LongInput) {
        let LongInput { signature, inputs, cost } = input;
        let most = SIZE.saturating_mul(self.options.max_input_size);
        let Some(size) = parts::count(&inputs, most) else {
            self.long.spent += most as u64;
            return;
        };
        self.long.spent += size as u64;
        if !self.entry_point.signatures[signature].allows(self.subject.grammar(), &inputs) {
            return;
        }
        let usual = self.subject.steps();
        let steps = cost.saturating_mul(GROWTH).clamp(usual, usual.saturating_mul(PATIENCE));
        if steps == usual && self.long.is_endless(&inputs) {
            return;
        }
        let stimulus = Stimulus::from(inputs);
        let Some(run) = self.run_on_values(&stimulus, steps) else { return };
        if run.run.counts() {
            self.take_long(signature, stimulus, run);
        } else {
            self.run_beginnings(signature, &stimulus.inputs, steps);
        }
    }

    /// Where a call that was to make an input has failed, the function is called with what those before it make, and with
    /// the arguments of the one that failed: it may be the same function.
    fn run_beginnings(&mut self, signature: usize, inputs: &[Term], steps: u64) {
        let Some((at, calls)) = longest_calls(inputs).filter(|(_, calls)| calls.len() > self.options.max_calls) else {
            return;
        };
        let with = |count| {
            let mut inputs = inputs.to_vec();
            inputs[at] = calls.value(count);
            inputs
        };
        let (mut found, mut least, mut most) = (None, 0, calls.len());
        while least < most {
            let count = least.midpoint(most - 1);
            let stimulus = Stimulus::from(with(count));
            let Some(run) = self.may_go_on().then(|| self.run_on_values(&stimulus, steps)).flatten() else { return };
            if run.run.counts() {
                (found, least) = (Some((stimulus, run)), count + 1);
            } else {
                most = count;
            }
        }
        let Some((stimulus, run)) = found else { return };
        self.take_long(signature, stimulus, run);
        let failed = calls.args(least - 1, inputs);
        let is_allowed = |args: &Vec<Term>| self.entry_point.signatures[signature].allows(self.subject.grammar(), args);
        if let Some(stimulus) = failed.filter(is_allowed).map(Stimulus::from)
            && let Some(run) = self.run_on_values(&stimulus, steps)
            && run.run.counts()
        {
            self.take_long(signature, stimulus, run);
        }
    }

    /// Looks at a long run with inputs that count.
    fn take_long(&mut self, signature: usize, stimulus: Stimulus, run: ConcreteRun) {
        let is_endless = matches!(run.run.ending, Ending::Endless(_));
        if is_endless || matches!(run.run.ending, Ending::OutOfSteps { .. } | Ending::OutOfMemory { .. }) {
            self.long.note_endless(&stimulus.inputs);
        }
        if is_endless && self.is_new_crash(&run) {
            self.long.gained = self.long.spent;
            self.judge_long(signature, stimulus, &run);
            return;
        }
        if !has_ended(&run) {
            return;
        }
        let is_new_crash = self.is_new_crash(&run);
        let new = self.long.inputs.new_places(&run.places);
        let gain = self.long.inputs.enter(&run.places);
        if gain >= Gain::Record || is_new_crash {
            self.long.gained = self.long.spent;
        }
        if is_new_crash {
            self.judge_long(signature, stimulus, &run);
        } else if gain == Gain::Place {
            let stimulus = self.trimmed(signature, stimulus, &new);
            self.long.inputs.keep(signature, stimulus.inputs.clone(), run.cost);
            self.join(signature, stimulus);
        } else if gain > Gain::Nothing && matches!(run.run.ending, Ending::Value(_)) {
            self.long.inputs.keep(signature, stimulus.inputs, run.cost);
        }
    }

    /// True if a run shows a crash that was not looked into.
    fn is_new_crash(&mut self, run: &ConcreteRun) -> bool {
        let is_outside = run.run.unmatched && !self.entry_point.specified;
        let new = self.crashes(run).into_iter().filter(|key| !is_outside && !self.triage.knows(key));
        let new: Vec<FindingKey> = new.collect();
        new.into_iter().filter(|key| self.long.judged.insert(key.clone())).count() > 0
    }

    fn crashes(&self, run: &ConcreteRun) -> Vec<FindingKey> {
        let key = |(defect, trace): (Defect, &[Place])| FindingKey::of(&defect, trace, &self.entry_point).0;
        run.run.defects().map(key).collect()
    }

    /// Makes the inputs of a crash small, on values alone, and runs them with expressions: they join the tree, and the
    /// crash the findings.
    fn judge_long(&mut self, signature: usize, stimulus: Stimulus, run: &ConcreteRun) {
        let wanted = self.crashes(run);
        let usual = self.subject.steps();
        let steps = usual.max(run.run.steps.saturating_mul(2));
        let mut spent = 0;
        let small = shrink(stimulus, self.options.max_shrink, |candidate| {
            if !self.entry_point.signatures[signature].allows(self.subject.grammar(), &candidate.inputs) {
                return Candidate::Refused;
            }
            if spent > SHRINK_STEPS || !self.may_go_on() {
                return Candidate::Over;
            }
            self.statistics.shrink_runs += 1;
            let Some(run) = self.subject.run_concretely(candidate, steps) else { return Candidate::Over };
            spent += run.run.steps;
            let is_it = run.run.counts() && self.crashes(&run).iter().any(|key| wanted.contains(key));
            if is_it { Candidate::Kept } else { Candidate::Lost }
        });
        self.subject.allow_steps(steps);
        let run = self.subject.run(&small);
        if self.allowance().0 > 0 && run.path.len() <= JOINED {
            self.join_run(signature, small, &run);
        } else {
            self.triage(signature, &small, &run);
        }
        self.subject.allow_steps(usual);
    }

    /// The smallest stimulus that is found to come to one of these places.
    fn trimmed(&mut self, signature: usize, stimulus: Stimulus, places: &[u32]) -> Stimulus {
        let steps = self.subject.steps();
        shrink(stimulus, TRIMMED, |candidate| {
            if !self.entry_point.signatures[signature].allows(self.subject.grammar(), &candidate.inputs) {
                return Candidate::Refused;
            }
            if !self.may_go_on() {
                return Candidate::Over;
            }
            let Some(run) = self.run_on_values(candidate, steps) else { return Candidate::Over };
            let comes_there = run.places.iter().any(|(place, _)| places.contains(place));
            if has_ended(&run) && comes_there { Candidate::Kept } else { Candidate::Lost }
        })
    }

    /// Enters a run into the tree; it is none of those that the user bounds.
    fn join_run(&mut self, signature: usize, stimulus: Stimulus, run: &ConcolicRun) {
        self.merge_run(RunRequest { root: signature, generation: 0, flip: None }, stimulus, run);
        self.statistics.runs -= 1;
        self.statistics.long_runs += 1;
        self.long.joined += 1;
    }

    /// Runs inputs with expressions: their path joins the tree.
    fn join(&mut self, signature: usize, stimulus: Stimulus) {
        if self.allowance().0 == 0 || !self.may_go_on() {
            return;
        }
        let run = self.subject.run(&stimulus);
        if matches!(run.ending, Ending::Value(_) | Ending::Raised(_)) && run.path.len() <= JOINED {
            self.join_run(signature, stimulus, &run);
        }
    }
}

/// True if the run came to an end of its own, with inputs that count.
fn has_ended(run: &ConcreteRun) -> bool {
    matches!(run.run.ending, Ending::Value(_) | Ending::Raised(_)) && run.run.counts()
}
