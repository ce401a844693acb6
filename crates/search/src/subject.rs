//! The interfaces of the search: a program to run, and a real VM to confirm with.

use std::rc::Rc;

use constraint::{Arena, Grammar, Path, RuleId, Site, Stimulus};
use exec::forward::{
    CalledFunction, Ending, Gap, GapKind, Patterns, Place, ProcessEvent, RoundVisit, WaitingProcess, unmarked,
};
use rustc_hash::FxHashSet;
use solve::structural::accepts;
use term::{Atom, Exception, Language, Mfa, Term};

use crate::contract::ContractCheck;
use crate::finding::{Defect, Finding};
use crate::schedules::FollowingCrash;
use crate::wanted::Wanted;

/// Calls that a search may take as opaque for a while.
#[derive(Clone, Copy, PartialEq)]
pub enum Around {
    /// Loops, whose rounds are many branches.
    Loops,
    /// Calls of functions of a library that others undo, so that these solve them.
    Undone,
}

/// The program under test, run with values and expressions at once.
///
/// A run must be a function of its stimulus: the same one gives the same path and ending, whatever ran before.
pub trait TestSubject {
    /// Makes one run.
    fn run(&mut self, stimulus: &Stimulus) -> ConcolicRun;
    /// Makes one run in which chance decides which process goes on.
    fn run_sampled(&mut self, inputs: &[Term], seed: u64) -> ConcolicRun {
        let _ = seed;
        self.run(&Stimulus { inputs: inputs.to_vec(), schedule: Vec::new() })
    }
    /// Makes one run on values alone, of at most so many steps; nothing if there are no such runs.
    fn run_concretely(&mut self, stimulus: &Stimulus, steps: u64) -> Option<ConcreteRun> {
        let _ = (stimulus, steps);
        None
    }
    /// The steps that a run may make.
    fn steps(&self) -> u64 {
        u64::MAX
    }
    /// Lets runs make so many steps from now on.
    fn allow_steps(&mut self, steps: u64) {
        let _ = steps;
    }
    fn arena(&self) -> &Arena;
    fn arena_mut(&mut self) -> &mut Arena;
    fn grammar(&self) -> &Grammar;
    fn entry_point(&self) -> &EntryPoint;
    /// The rule of how calls end, if there are opaque functions: `{Value}` or `{Class, Reason}`.
    fn outcome_rule(&self) -> Option<RuleId> {
        None
    }
    /// Calls an opaque function on its own and adds what it gives to the samples; nothing if that cannot be done.
    fn sample(&mut self, function: Mfa, args: &[Term]) {
        let _ = (function, args);
    }
    /// Calls an opaque function on its own, without adding a sample.
    fn outcome(&mut self, function: Mfa, args: &[Term]) -> Option<Term> {
        let _ = (function, args);
        None
    }
    /// Observes an opaque function where earlier explorations of the same code did.
    fn recall(&mut self, function: Mfa) {
        let _ = function;
    }
    /// Says whether the patterns of a `receive` take a message.
    fn takes(&mut self, patterns: &Patterns, message: &Term) -> PatternMatch {
        let _ = (patterns, message);
        PatternMatch::UNKNOWN
    }
    /// Returns true if the code of a function cannot be had, so that the VM was asked for its values.
    fn is_closed(&mut self, function: Mfa) -> bool {
        let _ = function;
        false
    }
    /// Returns true if there is a module of that name.
    fn has_module(&mut self, module: Atom) -> bool {
        let _ = module;
        true
    }
    /// Returns true unless its module is known and does not export a function.
    fn is_exported(&mut self, function: Mfa) -> bool {
        let _ = function;
        true
    }
    /// Returns the functions of the tested modules that may call themselves, be it through others.
    fn recursive(&mut self) -> Rc<FxHashSet<Mfa>> {
        Rc::default()
    }
    /// Makes one run for the calls of the tested modules' functions.
    fn visits(&mut self, stimulus: &Stimulus) -> Option<LoopRounds> {
        let _ = stimulus;
        None
    }
    /// Takes some calls as opaque from now on, or none but those that were before; returns false if there are none.
    fn go_around(&mut self, calls: Option<Around>) -> bool {
        let _ = calls;
        false
    }
    /// Keeps what was observed for explorations to come.
    fn keep_samples(&mut self) {}
    /// The place of a site in the program, if it is known.
    fn place(&self, site: Site) -> Option<Place>;
    /// The place of a site that is a branch of the program, as against a question that an operation asks.
    fn branch(&self, site: Site) -> Option<Place> {
        self.place(site)
    }
    /// The function that a site belongs to, if it is in none of the tested modules.
    fn library(&self, site: Site) -> Option<Mfa> {
        let _ = site;
        None
    }
    /// The place of decision `at` of a run's path: in the tool's own code, that is where the program called it. `None`
    /// where the site itself says it.
    fn place_of_decision(&mut self, site: Site, inputs: &[Term], at: usize) -> Option<Place> {
        let _ = (site, inputs, at);
        None
    }
}

/// The answer of the patterns of a `receive` to a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternMatch {
    /// True if they take it, with the inputs of the run.
    pub takes: bool,
    /// True if inputs decide that.
    pub is_open: bool,
}

impl PatternMatch {
    /// Nothing is known.
    pub const UNKNOWN: PatternMatch = PatternMatch { takes: true, is_open: true };

    /// They take it with no inputs.
    pub const NEVER: PatternMatch = PatternMatch { takes: false, is_open: false };

    /// The answer for all inputs, if there is one.
    pub fn for_all(self) -> Option<bool> {
        (!self.is_open).then_some(self.takes)
    }
}

/// The function under test, and what its author said about it.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    pub function: Mfa,
    /// One per clause of the spec; a function without a spec has one of `any()`.
    pub signatures: Vec<Signature>,
    /// True if there is a spec: without one, inputs that no clause of the function takes are no findings.
    pub specified: bool,
    /// The modules whose code is being tested, as against libraries.
    pub modules: Vec<Atom>,
    /// The facts that no spec has.
    pub facts: EntryFacts,
}

/// The facts about a function under test that no spec has.
#[derive(Clone, Default, Debug)]
pub struct EntryFacts {
    /// The language of its module.
    pub language: Language,
    /// True if it has to give `true` for all inputs.
    pub is_property: bool,
    /// True if its module does not export it.
    pub is_private: bool,
    /// Without a spec: the inputs that its code asks for.
    pub wanted: Option<Wanted>,
    /// True if only its own program is to call it: the documentation hides it.
    pub is_internal: bool,
    /// True if a behaviour of its module calls it.
    pub is_callback: bool,
    /// The records of its module: tag, and size of the tuple.
    pub records: Vec<(Atom, usize)>,
    /// By input: the name of an opaque type in it whose values no calls make.
    pub unmade: Vec<Option<String>>,
}

/// One clause of a spec.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The rule of each input.
    pub inputs: Vec<RuleId>,
    /// The rule of the result, if all its values are known.
    pub result: Option<RuleId>,
    /// The result is `no_return()`: an exception is what the author promises.
    pub no_return: bool,
}

impl Signature {
    /// Returns true if inputs are of its rules.
    pub fn allows(&self, grammar: &Grammar, inputs: &[Term]) -> bool {
        let accepted = |(rule, input): (&RuleId, &Term)| accepts(grammar, *rule, input);
        self.inputs.len() == inputs.len() && self.inputs.iter().zip(inputs).all(accepted)
    }
}

/// A run of the subject, with its path.
#[derive(Clone)]
pub struct ConcolicRun {
    pub ending: Ending,
    pub path: Path,
    /// Operations without a symbolic rule that met symbolic values.
    pub gaps: Vec<Gap>,
    pub steps: u64,
    /// The number of branches that this run was the first of its subject to take.
    pub fresh: u32,
    /// The branches that it took, as far as they are recorded: which test, and whether it held.
    pub branches: Rc<[(Site, bool)]>,
    /// The path goes on after what was recorded.
    pub truncated: bool,
    /// The precondition held, or there is none.
    pub in_domain: bool,
    /// One node can have its schedule.
    pub is_possible: bool,
    /// No clause of the function under test takes the inputs, or the parts of them that it calls itself with.
    pub unmatched: bool,
    /// The place where an exception was raised and the calls it came through, with columns.
    pub trace: Vec<Place>,
    /// The roots among the crashes of its processes besides the one that the run ends with, each with its places.
    pub others: Vec<(Exception, Vec<Place>)>,
    /// The crashes that follow from others.
    pub consequences: Vec<FollowingCrash>,
    /// Processes that wait when the run has its value, and that nothing can reach.
    pub leaks: Vec<WaitingProcess>,
    /// The events of the program's processes; none if it has one that no other sees.
    pub events: Rc<[ProcessEvent]>,
    /// Its value against the spec's results.
    pub contract: ContractCheck,
}

impl ConcolicRun {
    /// The defects of the run, in order, with the places of an exception: the roots among its crashes first.
    pub fn defects(&self) -> impl Iterator<Item = (Defect, &[Place])> {
        let first = match &self.ending {
            Ending::Raised(exception) => Some((Defect::Crash(exception.clone()), &self.trace[..])),
            Ending::Deadlock { processes } if self.is_deadlock() => {
                Some((Defect::Deadlock(processes.clone()), &[][..]))
            }
            Ending::Value(value) if self.contract.is_property && self.contract.is_broken => {
                Some((Defect::Property(unmarked(value)), &self.trace[..]))
            }
            Ending::Value(value) if self.contract.is_broken => Some((Defect::Contract(value.clone()), &self.trace[..])),
            // What differs from run to run may end it the next time.
            Ending::Endless(endless) if !self.varies() => Some((Defect::Loop(endless.clone()), &[][..])),
            _ => None,
        };
        let others = self.others.iter().map(|(exception, trace)| (Defect::Crash(exception.clone()), &trace[..]));
        let leaks = self.leaks.iter().map(|process| (Defect::Leak(process.clone()), &[][..]));
        first.into_iter().chain(others).chain(leaks)
    }

    /// True if what it shows counts.
    pub fn counts(&self) -> bool {
        self.in_domain && self.is_possible
    }

    /// True if its processes wait for each other; what waits alone waits for the world outside.
    pub fn is_deadlock(&self) -> bool {
        matches!(self.ending, Ending::Deadlock { .. }) && self.events.iter().any(ProcessEvent::is_spawn)
    }

    /// True if another run with the same inputs may take another path in the same environment.
    pub fn varies(&self) -> bool {
        self.gaps.iter().any(|gap| matches!(gap.kind, GapKind::Varying | GapKind::NearTimer))
    }

    /// True if another run with the same inputs may take another path in another environment.
    pub fn varies_elsewhere(&self) -> bool {
        self.gaps.iter().any(|gap| matches!(gap.kind, GapKind::Elsewhere(_)))
    }
}

/// Calls of a symbolic run, each with its place in the path.
#[derive(Clone, Default)]
pub struct LoopRounds {
    pub visits: Vec<RoundVisit>,
    /// The functions that were called.
    pub called: Vec<CalledFunction>,
    pub path: Path,
}

/// A run on values alone.
#[derive(Clone)]
pub struct ConcreteRun {
    /// The run, without a path. It counts as unmatched if it may be.
    pub run: ConcolicRun,
    /// Each place of the program that it came to, with the number of times.
    pub places: Vec<(u32, u32)>,
    /// The work that it was, in steps.
    pub cost: u64,
}

/// A defect with what shows it.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The inputs.
    pub inputs: &'a [Term],
    /// The events of the run's processes.
    pub events: &'a [ProcessEvent],
    /// The expected defect.
    pub defect: &'a Defect,
}

/// The real VM.
pub trait Confirm {
    /// Calls the function with these inputs, under the schedule of these events, and compares.
    fn confirm(&mut self, evidence: Evidence<'_>) -> Confirmation;
    /// Hears of a finding that was confirmed; its cause and its rank may change until the end of the search.
    fn accepted(&mut self, _: &Finding) {}
}

/// The result of a witness on the real VM.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The same; with the VM's own text of an exception.
    Same { text: String },
    /// The same, in a run that did not follow the schedule.
    Unscheduled { text: String },
    /// Something else, in words.
    Different { got: String },
    /// A limit of time or memory ended the call.
    Limit { what: String },
    /// The VM died and did not come back.
    Dead { what: String },
}

/// Confirms everything without a VM, for searches whose crashes are of no interest.
pub struct ConfirmAll;

impl Confirm for ConfirmAll {
    fn confirm(&mut self, _: Evidence<'_>) -> Confirmation {
        Confirmation::Same { text: String::new() }
    }
}
