//! Concolic testing by events: run, rebuild, run what is new.

use std::collections::VecDeque;

use constraint::{Grammar, RuleId};
use frontend::core::Name;
use frontend::instrument::{EventEntry, EventTable};
use term::{Term, cut};

use crate::choices::{Choice, RAISED, choices, may_fail};
use crate::eval::alternative;
use crate::ground::ground;
use crate::steer::{Steering, Wanted};

/// Choices of a run that others are looked for at.
const CHOICES: usize = 200;

/// The function under test and what its inputs may be.
pub struct Inputs<'a> {
    /// The events of the instrumented module.
    pub table: &'a EventTable,
    /// The function.
    pub function: Name,
    /// The grammar that the rules belong to.
    pub grammar: &'a Grammar,
    /// The rules of the inputs, by clause of the spec.
    pub signatures: &'a [Vec<RuleId>],
    /// The deepest term that is tried: a list is as deep as it is long, and deeper than what it holds.
    pub depth: usize,
}

/// The events of a recorded run: numbers, and values where there are some.
pub type Events = Vec<(u32, Option<Term>)>;

/// A run that was made.
struct Ran {
    inputs: Vec<Term>,
    events: Events,
    choices: Vec<Choice>,
}

struct Testing<'a, 's, 'w> {
    inputs: &'a Inputs<'a>,
    steering: Option<&'a mut Steering<'s, 'w>>,
    run: &'a mut dyn FnMut(&[Term]) -> Option<Events>,
    pending: VecDeque<Ran>,
    /// The inputs of all runs that were proposed, and what those chose.
    proposed: Vec<Vec<Term>>,
    traces: Vec<Vec<u32>>,
}

/// The test cases that follow from a first one; `run` gives the events of a run, or nothing if it has none. At most `most`
/// cases. Without steering only what unification sees is followed. Nothing is proposed that does not go where it should:
/// that is seen by running it.
pub fn tests(
    inputs: &Inputs<'_>,
    first: Vec<Term>,
    most: usize,
    steering: Option<&mut Steering<'_, '_>>,
    run: &mut dyn FnMut(&[Term]) -> Option<Events>,
) -> Vec<Vec<Term>> {
    let (pending, proposed, traces) = (VecDeque::new(), vec![first.clone()], Vec::new());
    let mut testing = Testing { inputs, steering, run, pending, proposed, traces };
    let mut cases = Vec::new();
    match testing.ran(&first) {
        Some(ran) => testing.propose(ran),
        None => cases.push(first),
    }
    while let Some(ran) = testing.pending.pop_front().filter(|_| cases.len() < most && !cut::wants_stop()) {
        cases.push(ran.inputs.clone());
        testing.follow(&ran);
    }
    cases
}

impl Testing<'_, '_, '_> {
    fn ran(&mut self, inputs: &[Term]) -> Option<Ran> {
        let events = (self.run)(inputs)?;
        let choices = choices(self.inputs.table, events.iter().map(|(number, _)| *number));
        Some(Ran { inputs: inputs.to_vec(), events, choices })
    }

    fn propose(&mut self, ran: Ran) {
        self.traces.push(ran.choices.iter().map(|choice| choice.what).collect());
        self.pending.push_back(ran);
    }

    /// True if a run is known that chose so and then what is wanted.
    fn is_known(&self, before: &[u32], wanted: Wanted) -> bool {
        let goes_there =
            |trace: &Vec<u32>| trace.starts_with(before) && wanted.is_met_by(trace.get(before.len()).copied());
        self.traces.iter().any(goes_there)
    }

    /// Proposes inputs if they are allowed, go where they should, and that is new.
    fn offer(&mut self, inputs: &[Term], before: &[u32], wanted: Wanted) {
        let deep = inputs.iter().any(|term| depth(term) > self.inputs.depth);
        if deep || self.proposed.iter().any(|known| known == inputs) {
            return;
        }
        let Some(ran) = self.ran(inputs) else { return };
        let trace: Vec<u32> = ran.choices.iter().map(|choice| choice.what).collect();
        let is_there = trace.starts_with(before) && wanted.is_met_by(trace.get(before.len()).copied());
        if is_there && !self.traces.iter().any(|visited| visited.starts_with(&trace)) {
            self.proposed.push(inputs.to_vec());
            self.propose(ran);
        }
    }

    /// Proposes runs that share a prefix of this one's choices and take another alternative after it.
    fn follow(&mut self, ran: &Ran) {
        let mut before = Vec::new();
        let mut next = 0;
        for choice in ran.choices.iter().take(CHOICES).take_while(|_| !cut::wants_stop()) {
            self.failures(ran, next..choice.event, &before);
            match choice.what {
                RAISED.. => self.otherwise(ran, choice, &before),
                _ => self.clauses(ran, choice, &before),
            }
            before.push(choice.what);
            next = choice.event + 1;
        }
        if ran.choices.len() <= CHOICES {
            self.failures(ran, next..ran.events.len(), &before);
        }
    }

    /// The other clauses of a case.
    fn clauses(&mut self, ran: &Ran, choice: &Choice, before: &[u32]) {
        let Inputs { table, function, grammar, signatures, .. } = *self.inputs;
        let recorded: Vec<(u32, Option<&Term>)> =
            ran.events[..=choice.event].iter().map(|(number, value)| (*number, value.as_ref())).collect();
        let Some((_, EventEntry::Case { case, .. })) = table.event(recorded[choice.event].0) else { return };
        let all = 1..=case.alternatives.len() as u32;
        for other in all.clone().filter(|other| *other != choice.what) {
            if self.is_known(before, Wanted::This(other)) {
                continue;
            }
            let alternative = alternative(table, function, &recorded, other - 1, Vec::new());
            let inputs = alternative
                .and_then(|alternative| signatures.iter().find_map(|rules| ground(grammar, rules, &alternative)));
            if let Some(inputs) = inputs {
                self.offer(&inputs, before, Wanted::This(other));
            }
        }
        let wanted: Vec<Wanted> = all.map(Wanted::This).filter(|wanted| !self.is_known(before, *wanted)).collect();
        self.steer(ran, before, &wanted);
    }

    /// Looks for runs in which the operation that failed does not.
    fn otherwise(&mut self, ran: &Ran, choice: &Choice, before: &[u32]) {
        let wanted = Wanted::Not(choice.what);
        let asks = self.steering.as_mut().is_some_and(|steering| steering.asks(&ran.inputs, choice.event));
        if asks && !self.is_known(before, wanted) {
            self.steer(ran, before, &[wanted]);
        }
    }

    /// Looks for runs in which an operation fails.
    fn failures(&mut self, ran: &Ran, events: std::ops::Range<usize>, before: &[u32]) {
        let first = events.start;
        for at in events {
            let fails = self.inputs.table.event(ran.events[at].0).is_some_and(|(_, event)| may_fail(event));
            let asks = |steering: &mut &mut Steering<'_, '_>| steering.asks(&ran.inputs, at);
            if !fails || !self.steering.as_mut().is_some_and(asks) {
                continue;
            }
            let wanted = Wanted::This(RAISED + (at - first) as u32);
            if !self.is_known(before, wanted) {
                self.steer(ran, before, &[wanted]);
            }
        }
    }

    fn steer(&mut self, ran: &Ran, before: &[u32], wanted: &[Wanted]) {
        let Some(steering) = self.steering.as_mut().filter(|_| !wanted.is_empty()) else { return };
        for (wanted, inputs) in steering.find(&ran.inputs, before, wanted) {
            self.offer(&inputs, before, wanted);
        }
    }
}

/// The depth of a term.
pub fn depth(term: &Term) -> usize {
    term::deeper(|| match term {
        Term::Cons(..) => {
            let mut cells = term.cells();
            let deepest = cells.by_ref().enumerate().map(|(at, item)| at + 1 + depth(item)).max().unwrap_or(0);
            let length = term.cells().count();
            deepest.max(length + depth(cells.rest()))
        }
        Term::Tuple(_, items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Term::Map(_, map) => 1 + map.iter().map(|(key, value)| depth(key).max(depth(value))).max().unwrap_or(0),
        _ => 0,
    })
}
