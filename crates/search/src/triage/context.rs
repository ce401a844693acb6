//! What the verdict on a run needs: its witness made smaller, its cause, its blame and its rank.

use constraint::{Arena, Condition, Decision, Stimulus, Test, Type};
use exec::forward::{Ending, Object, Place, is_marked};
use rustc_hash::FxHashSet;
use solve::{Answer, Budget, Executor};
use term::{Exception, Map, Mfa, Notation, Term};

use super::Grounds;
use crate::contract::broken_contract;
use crate::failure_cause::{CauseDraft, CauseSearch};
use crate::finding::{Defect, Finding, FindingKey};
use crate::ignore::Ignore;
use crate::limits::SHRINK_STEPS;
use crate::rank::{
    BlameKey, DefectConditions, FindingRank, FindingRoot, Operands, RankedDefect, Ranking, Wish, entered,
};
use crate::reason::Causes;
use crate::round::FlipQuery;
use crate::shrink::{Candidate, readable, shrink};
use crate::subject::{ConcolicRun, Confirm, Confirmation, EntryPoint, Evidence, TestSubject};
use crate::{ExplorationOptions, ExplorationStatistics};

/// The parts of an exploration that the verdict on a run needs.
pub struct TriageContext<'a> {
    pub subject: &'a mut dyn TestSubject,
    pub solver: &'a mut dyn Executor,
    pub confirm: &'a mut dyn Confirm,
    pub options: &'a ExplorationOptions,
    pub entry_point: &'a EntryPoint,
    /// Names that runs have given to processes and tables.
    pub named: &'a FxHashSet<Object>,
    pub causes: &'a mut Causes,
    pub statistics: &'a mut ExplorationStatistics,
    /// Returns true if the search is to stop.
    pub stopped: &'a mut dyn FnMut() -> bool,
}

/// A defect that is to be shown.
pub(super) struct Witness {
    pub signature: usize,
    pub stimulus: Stimulus,
    pub defect: Defect,
    pub run: ConcolicRun,
}

/// The rank of a finding, and what it has in common with others.
pub(super) struct RankedFinding {
    pub ranking: Ranking,
    pub root: Option<FindingRoot>,
    pub texts: FindingTexts,
}

/// The texts that a finding is about.
#[derive(Default)]
pub(super) struct FindingTexts {
    /// The one that it failed on.
    pub failed: Option<FindingRoot>,
    /// The one that it depends on in the end.
    pub last: Option<FindingRoot>,
}

impl From<Ranking> for RankedFinding {
    fn from(ranking: Ranking) -> RankedFinding {
        RankedFinding { ranking, root: None, texts: FindingTexts::default() }
    }
}

/// The identity of a crash: its kind, and what it is blamed on.
pub(super) struct CrashKey {
    pub kind: FindingKey,
    pub blame: BlameKey,
}

impl Witness {
    /// Returns the evidence for the VM.
    pub fn evidence(&self) -> Evidence<'_> {
        Evidence { inputs: &self.stimulus.inputs, events: &self.run.events, defect: &self.defect }
    }
}

impl TriageContext<'_> {
    /// The first rule of the user that covers a defect.
    pub(super) fn ignoring(&self, defect: &Defect, trace: &[Place]) -> Option<&Ignore> {
        self.options.ignore.iter().find(|rule| rule.covers(defect, trace, self.entry_point))
    }

    /// The user does not want to hear of it, or the spec says that these inputs give no value.
    fn is_expected(&self, inputs: &[Term], (defect, trace): (&Defect, &[Place])) -> bool {
        self.ignoring(defect, trace).is_some() || self.is_promised(inputs, defect)
    }

    /// Without a spec, inputs that no clause takes show the function's domain.
    pub(super) fn is_outside(&self, run: &ConcolicRun) -> bool {
        run.unmatched && !self.entry_point.specified
    }

    /// True for an exception that the spec promises.
    pub(super) fn is_promised(&self, inputs: &[Term], defect: &Defect) -> bool {
        let signatures = &self.entry_point.signatures;
        if matches!(defect, Defect::Contract(_) | Defect::Property(_))
            || !signatures.iter().any(|signature| signature.no_return)
        {
            return false;
        }
        let allowing = |at: &usize| self.allows(*at, inputs);
        (0..signatures.len()).filter(allowing).all(|at| signatures[at].no_return)
    }

    fn allows(&self, signature: usize, inputs: &[Term]) -> bool {
        self.entry_point.signatures[signature].allows(self.subject.grammar(), inputs)
    }

    /// A smaller witness of the same kind of crash with the same blame.
    pub(super) fn smaller(&mut self, key: &CrashKey, found: &Witness) -> Witness {
        let (mut last, mut spent) = (None, 0);
        let stays_plain = !self.entry_point.specified && is_plain(&found.stimulus.inputs);
        let grammar = self.subject.grammar().clone();
        let (tries, rules) = (self.options.max_shrink, &self.entry_point.signatures[found.signature].inputs);
        let mut look = |stimulus: &Stimulus| {
            if (self.stopped)() || spent > SHRINK_STEPS {
                return Candidate::Over;
            }
            let is_odd = stays_plain && !is_plain(&stimulus.inputs);
            if is_odd || !self.allows(found.signature, &stimulus.inputs) {
                return Candidate::Refused;
            }
            self.statistics.shrink_runs += 1;
            let run = self.subject.run(stimulus);
            spent += run.steps;
            if !self.shows_blame(key, found.signature, &stimulus.inputs, &run) {
                return Candidate::Lost;
            }
            last = Some(run);
            Candidate::Kept
        };
        let small = shrink(found.stimulus.clone(), tries, &mut look);
        let stimulus = readable(&grammar, rules, small, &mut look);
        let run = last.unwrap_or_else(|| found.run.clone());
        let shown = run.defects().find(|(defect, trace)| self.is_kind(&key.kind, defect, trace));
        let defect = shown.map_or_else(|| found.defect.clone(), |(defect, _)| defect);
        Witness { signature: found.signature, stimulus, defect, run }
    }

    /// Inputs of a clause of the spec that meet conditions.
    pub fn solve(&mut self, signature: usize, conditions: Vec<Condition>, near: &[Term], budget: &Budget) -> Answer {
        let query = FlipQuery { signature: &self.entry_point.signatures[signature], conditions, near };
        self.solver.solve(&query.query(self.subject), budget)
    }

    /// A value that the spec does not allow, in words.
    pub(super) fn broken(&self, signature: usize, value: &Term) -> String {
        broken_contract(Notation::ERLANG, self.subject.grammar(), self.entry_point, signature, value)
    }

    /// The conditions that a defect with its blame depends on.
    fn cause(&mut self, key: &CrashKey, witness: &Witness) -> Option<CauseDraft> {
        // Of a loop whose questions differ from round to round the path has only the first.
        if matches!(witness.defect, Defect::Loop(_)) && witness.run.truncated {
            return None;
        }
        // What inputs make a value is not among the conditions of its path.
        let contract = &witness.run.contract;
        let is_open = contract.is_broken && !contract.is_property;
        if matches!(&witness.run.ending, Ending::Value(value) if is_open && is_marked(value)) {
            return None;
        }
        let conditions: Vec<Condition> = witness.run.path.iter().map(|decision| decision.condition.clone()).collect();
        let (signature, stimulus) = (witness.signature, &witness.stimulus);
        let mut shows = |context: &mut TriageContext<'_>, stimulus: &Stimulus| {
            let run = context.subject.run(stimulus);
            context.shows_blame(key, signature, &stimulus.inputs, &run)
        };
        CauseSearch { context: self, signature, stimulus, shows: &mut shows }.find(conditions)
    }

    /// Leaves out conditions of a cause without which the same crash follows, with whatever blame.
    pub(super) fn widen(&mut self, finding: &Finding, draft: &mut CauseDraft) {
        let Finding { signature, stimulus, key, .. } = finding;
        let mut shows = |context: &mut TriageContext<'_>, stimulus: &Stimulus| {
            let run = context.subject.run(stimulus);
            context.shown(key, &stimulus.inputs, &run).is_some()
        };
        CauseSearch { context: self, signature: *signature, stimulus, shows: &mut shows }.widen(draft);
    }

    fn shows_blame(&mut self, key: &CrashKey, signature: usize, inputs: &[Term], run: &ConcolicRun) -> bool {
        let shown = self.shown(&key.kind, inputs, run);
        shown.is_some_and(|(defect, trace)| self.blame(signature, inputs, run, (&defect, trace)).is_same(&key.blame))
    }

    /// The defect of a kind that a run shows.
    fn shown<'r>(&self, kind: &FindingKey, inputs: &[Term], run: &'r ConcolicRun) -> Option<(Defect, &'r [Place])> {
        let shows = |(defect, trace): &(Defect, &[Place])| {
            self.is_kind(kind, defect, trace) && !self.is_expected(inputs, (defect, trace))
        };
        let counts = run.counts() && !self.is_outside(run);
        run.defects().filter(|_| counts).find(shows)
    }

    /// Returns the blame of a crash, by the path of its run; the same for all defects that have no operands or no doubts.
    pub(super) fn blame(
        &mut self,
        signature: usize,
        inputs: &[Term],
        run: &ConcolicRun,
        (defect, trace): (&Defect, &[Place]),
    ) -> BlameKey {
        let operands = Operands::of(defect, self.subject.arena());
        let recursive = self.subject.recursive();
        let ranked = self.ranked(signature, inputs, defect, &operands);
        if matches!(defect, Defect::Contract(_)) {
            return ranked.contract_key();
        }
        if defect.exception().is_none() || ranked.is_declared() {
            return BlameKey::default();
        }
        ranked.blame_key(&open_decisions(self.subject.arena(), &run.path), trace, &recursive)
    }

    /// The rank of a finding by the conditions of its cause, or by those of its path if that is not known; with the root
    /// of a bug.
    pub(super) fn ranking(
        &mut self,
        signature: usize,
        inputs: &[Term],
        path: &[Decision],
        grounds: &Grounds,
    ) -> RankedFinding {
        let Grounds { draft, operands, defect, names_nothing, is_of_odd_kinds } = grounds;
        let entered = defect.exception().and_then(|exception| self.entered(exception));
        let ranked = self.ranked(signature, inputs, defect, operands);
        if *names_nothing && !ranked.is_declared() {
            let reason = "it calls by a name that stands for no module or process";
            return RankedFinding::from(Ranking::new(FindingRank::Doubtful, reason));
        }
        if *is_of_odd_kinds && !ranked.is_declared() {
            let reason = "it fails on a float or an improper list that no spec allows, and has a value without";
            return RankedFinding::from(Ranking::new(FindingRank::Doubtful, reason));
        }
        let open = open_decisions(self.subject.arena(), path);
        let needed = match draft {
            Some(draft) => draft.kept().collect(),
            None => open.iter().map(|decision| &decision.condition).collect(),
        };
        let path: Vec<&Decision> = path.iter().collect();
        let conditions = DefectConditions { needed, is_cause: draft.is_some(), path: &path };
        let ranking = ranked.rank(&conditions);
        let is_bug = ranking.rank == FindingRank::Bug;
        let root = is_bug.then(|| ranked.root(&conditions, entered)).flatten();
        let texts = FindingTexts { failed: ranked.failed_text(&conditions), last: ranked.last_text(&conditions) };
        RankedFinding { ranking, root, texts }
    }

    /// The library function that an exception comes from, if it failed inside.
    fn entered(&mut self, exception: &Exception) -> Option<String> {
        let entry_point = self.entry_point;
        let is_tested = |function: &Mfa| entry_point.modules.contains(&function.module);
        entered(exception, is_tested, |function| self.subject.is_exported(function))
    }

    fn ranked<'b>(
        &'b self,
        signature: usize,
        inputs: &'b [Term],
        defect: &'b Defect,
        operands: &'b Operands,
    ) -> RankedDefect<'b> {
        let (subject, entry_point, named) = (&*self.subject, self.entry_point, self.named);
        RankedDefect { subject, entry_point, named, signature, inputs, defect, operands }
    }

    /// The cause of a confirmed defect, and what its rank depends on. Where it is doubtful because a value is of an odd
    /// kind, one of the wanted kind that ends the same way is the better witness, with the VM's text of it.
    pub(super) fn grounds(&mut self, key: &CrashKey, witness: Witness) -> (Witness, Grounds, Option<String>) {
        let draft = self.cause(key, &witness);
        let better = draft.as_ref().and_then(|draft| self.better(&key.kind, draft, &witness));
        let (witness, text) = match better {
            Some((better, text)) => (better, Some(text)),
            None => (witness, None),
        };
        let operands = Operands::of(&witness.defect, self.subject.arena());
        let names_nothing = self.names_nothing(&witness);
        let is_of_odd_kinds = self.is_of_odd_kinds(&witness);
        let defect = witness.defect.clone();
        (witness, Grounds { draft, operands, defect, names_nothing, is_of_odd_kinds }, text)
    }

    /// True if the code, which has no spec, gives a value for the plain form of the inputs, and does not ask for floats.
    fn is_of_odd_kinds(&mut self, witness: &Witness) -> bool {
        let Witness { stimulus: Stimulus { inputs, schedule }, run, .. } = witness;
        if self.entry_point.specified || is_plain(inputs) {
            return false;
        }
        let is_own = |place: Place| self.entry_point.modules.contains(&place.function.module);
        let asks_for_float = |decision: &Decision| {
            matches!(decision.condition.test, Test::Type(_, Type::Float))
                && self.subject.branch(decision.site).is_some_and(is_own)
        };
        if run.path.iter().any(asks_for_float) {
            return false;
        }
        self.statistics.shrink_runs += 1;
        let plain = inputs.iter().map(plain).collect();
        let run = self.subject.run(&Stimulus { inputs: plain, schedule: schedule.clone() });
        matches!(run.ending, Ending::Value(_)) && run.counts()
    }

    fn better(&mut self, kind: &FindingKey, draft: &CauseDraft, witness: &Witness) -> Option<(Witness, String)> {
        let Witness { signature, stimulus: Stimulus { inputs, schedule }, defect, .. } = witness;
        let operands = Operands::of(defect, self.subject.arena());
        let kept: Vec<Condition> = draft.kept().cloned().collect();
        let wish = self.ranked(*signature, inputs, defect, &operands).wish(&kept.iter().collect::<Vec<_>>())?;
        let test = match wish {
            Wish::Empty(part) => Test::Same(part, self.subject.arena_mut().literal(Term::nil())),
            Wish::Type(part, wanted) => Test::Type(part, wanted),
        };
        let conditions = kept.into_iter().chain([Condition { test, holds: true }]).collect();
        let Answer::Sat(inputs) = self.solve(*signature, conditions, inputs, &self.options.budget) else { return None };
        let stimulus = Stimulus { inputs, schedule: schedule.clone() };
        self.statistics.shrink_runs += 1;
        let run = self.subject.run(&stimulus);
        let (defect, _) = self.shown(kind, &stimulus.inputs, &run)?;
        let better = Witness { signature: *signature, stimulus, defect, run };
        match self.confirm.confirm(better.evidence()) {
            Confirmation::Same { text } => Some((better, text)),
            _ => None,
        }
    }

    fn is_kind(&self, key: &FindingKey, defect: &Defect, trace: &[Place]) -> bool {
        FindingKey::of(defect, trace, self.entry_point).0 == *key
    }
}

/// True if terms have neither floats of the size of integers nor improper lists.
pub(super) fn is_plain(terms: &[Term]) -> bool {
    terms.iter().all(|term| plain(term) == *term)
}

/// A term with integers for floats, and proper lists for improper ones.
fn plain(term: &Term) -> Term {
    term::deeper(|| match term {
        Term::Float(_, value) if value.abs() < EXACT => Term::int(*value as i64),
        Term::Map(_, map) => Term::map(Map::from_pairs(map.iter().map(|(key, value)| (key.clone(), plain(value))))),
        Term::Tuple(_, items) => Term::tuple(items.iter().map(plain).collect::<Vec<Term>>()),
        Term::Cons(..) => Term::list(term.cells().map(plain).collect::<Vec<Term>>()),
        term => term.clone(),
    })
}

/// Floats below this are those of integers.
const EXACT: f64 = 9.0e15;

/// The decisions of a path, without those that earlier ones decide: what is known to be a tuple is no list.
fn open_decisions<'p>(arena: &Arena, path: &'p [Decision]) -> Vec<&'p Decision> {
    let mut known = FxHashSet::default();
    let mut open = Vec::new();
    for decision in path {
        let Condition { test, holds } = &decision.condition;
        let part = match *test {
            Test::Cons(part) | Test::Tuple(part, _) => Some(part),
            Test::Same(part, value) => arena.as_literal(value).map(|_| part),
            _ => None,
        };
        if !*holds && part.is_some_and(|part| known.contains(&part)) {
            continue;
        }
        known.extend(part.filter(|_| *holds));
        open.push(decision);
    }
    open
}
