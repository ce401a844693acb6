//! Programs written as closures, a solver that tries every input of a small domain, and a VM with given answers.

use std::rc::Rc;

use constraint::{Arena, Condition, Decision, Expr, Grammar, Shape, Site, Stimulus, Test, holds};
use exec::forward::{Access, Ending, EventKind, Gap, GapKind, Object, Place, ProcessEvent};
use search::{
    ConcolicRun, Confirm, Confirmation, ContractCheck, EntryFacts, EntryPoint, Evidence, Exploration,
    ExplorationOptions, Go, Signature, Strategy, TestSubject, explore,
};
use solve::{Answer, Budget, Executor, Query, Response, UnknownReason};
use term::{Atom, Exception, Mfa, Term};

/// The number of a shared thing that all others are parts of.
pub const WHOLE: u32 = 0;

/// What a program is given: its inputs, and a record of what it asks.
pub struct Probe<'a> {
    pub arena: &'a mut Arena,
    pub inputs: &'a [Term],
    schedule: std::slice::Iter<'a, u32>,
    pub events: Vec<ProcessEvent>,
    pub run: ConcolicRun,
}

impl Probe<'_> {
    pub fn input(&mut self, at: u32) -> Expr {
        self.arena.input(at)
    }

    pub fn value(&self, at: usize) -> i64 {
        self.inputs[at].as_i64().unwrap_or(0)
    }

    pub fn ask(&mut self, site: u64, test: Test) -> bool {
        let yes = holds(self.arena, &Condition { test, holds: true }, self.inputs) == Ok(true);
        self.run.path.push(Decision::branch(Site(site), Condition { test, holds: yes }));
        yes
    }

    /// The process whose turn it is, as the stimulus wants it, or the one before as long as it can go on.
    pub fn turn(&mut self, ready: &[u32]) -> u32 {
        let wanted = self.schedule.by_ref().find(|wanted| ready.contains(wanted)).copied();
        let last = self.events.last().map(|event| event.process).filter(|last| ready.contains(last));
        wanted.or(last).unwrap_or(ready[0])
    }

    /// An event of a process that touches one shared thing.
    pub fn event(&mut self, process: u32, object: u32, writes: bool) {
        let object = match object {
            WHOLE => Object::PersistentTerms,
            part => Object::PersistentTerm(part.into()),
        };
        let kind = EventKind::Operation { function: mfa("m", "f", 0) };
        let accesses = vec![Access { object, writes }];
        let decisions = self.run.path.len() as u32;
        let event = ProcessEvent::new(process, kind, decisions, Rc::new(place("f", 0)));
        self.events.push(ProcessEvent { accesses, ..event });
    }

    /// Is input `at` that integer?
    pub fn is(&mut self, site: u64, at: u32, value: i64) -> bool {
        let (input, value) = (self.input(at), self.arena.integer(value));
        self.ask(site, Test::Same(input, value))
    }

    /// Is input `at` less than that integer?
    pub fn less(&mut self, site: u64, at: u32, value: i64) -> bool {
        let (input, value) = (self.input(at), self.arena.integer(value));
        self.ask(site, Test::Less(input, value))
    }

    /// An operation without a rule looks at input `at`.
    pub fn pin(&mut self, site: u64, at: usize) -> i64 {
        let (input, literal) = (self.input(at as u32), self.arena.literal(self.inputs[at].clone()));
        let condition = Condition { test: Test::Same(input, literal), holds: true };
        self.run.path.push(Decision { pinned: true, ..Decision::branch(Site(site), condition) });
        self.run.gaps.push(Gap {
            function: mfa("erlang", "phash2", 1),
            at: place("f", site as u32),
            kind: GapKind::Held,
        });
        self.value(at)
    }
}

pub fn mfa(module: &str, function: &str, arity: u8) -> Mfa {
    Mfa { module: Atom::new(module), function: Atom::new(function), arity }
}

pub fn place(function: &str, line: u32) -> Place {
    Place { function: mfa("m", function, 1), file: "m.erl".into(), line, column: 0 }
}

pub fn value() -> Ending {
    Ending::Value(Term::atom_named("ok"))
}

/// An error raised in `m:f` at a line.
pub fn crash(reason: &str, line: u32) -> Ending {
    raise(reason, &format!("[{{m, f, 1, [{{file, \"m.erl\"}}, {{line, {line}}}]}}]"))
}

pub fn raise(reason: &str, stack: &str) -> Ending {
    Ending::Raised(Exception { stack: read(stack), ..Exception::error(read(reason)) })
}

pub fn read(text: &str) -> Term {
    Term::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A program over integers, each in a range from 0.
pub struct Fake<F> {
    program: F,
    arena: Arena,
    pub grammar: Grammar,
    pub entry_point: EntryPoint,
    /// All stimuli ever run.
    pub log: Vec<Stimulus>,
}

impl<F: FnMut(&mut Probe<'_>) -> Ending> Fake<F> {
    pub fn new(inputs: usize, program: F) -> Fake<F> {
        let mut grammar = Grammar::default();
        let rule = grammar.intern(vec![Shape::Integer { low: Some(0.into()), high: None }]);
        let signature = Signature { inputs: vec![rule; inputs], result: None, no_return: false };
        let entry_point = EntryPoint {
            function: mfa("m", "f", inputs as u8),
            signatures: vec![signature],
            specified: true,
            modules: vec![Atom::new("m")],
            facts: EntryFacts::default(),
        };
        Fake { program, arena: Arena::new(), grammar, entry_point, log: Vec::new() }
    }
}

impl<F: FnMut(&mut Probe<'_>) -> Ending> TestSubject for Fake<F> {
    fn run(&mut self, stimulus: &Stimulus) -> ConcolicRun {
        self.log.push(stimulus.clone());
        let run = ConcolicRun {
            ending: value(),
            path: Vec::new(),
            gaps: Vec::new(),
            steps: 1,
            fresh: 0,
            branches: Rc::new([]),
            truncated: false,
            in_domain: true,
            is_possible: true,
            contract: ContractCheck::default(),
            unmatched: false,
            trace: Vec::new(),
            events: Rc::new([]),
            others: Vec::new(),
            consequences: Vec::new(),
            leaks: Vec::new(),
        };
        let (inputs, schedule) = (&stimulus.inputs, stimulus.schedule.iter());
        let mut probe = Probe { arena: &mut self.arena, inputs, schedule, events: Vec::new(), run };
        let ending = (self.program)(&mut probe);
        ConcolicRun { ending, events: probe.events.into(), ..probe.run }
    }

    fn arena(&self) -> &Arena {
        &self.arena
    }

    fn arena_mut(&mut self) -> &mut Arena {
        &mut self.arena
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn entry_point(&self) -> &EntryPoint {
        &self.entry_point
    }

    fn place(&self, site: Site) -> Option<Place> {
        Some(place("f", site.0 as u32))
    }
}

/// Tries all integers below a bound for every input, in order.
pub struct Every {
    pub below: i64,
    /// Queries that it does not answer, by the site's number in the last condition's constant.
    pub refuses: Option<UnknownReason>,
}

impl Every {
    fn answer(&self, query: &Query<'_>) -> Answer {
        if let Some(unknown) = self.refuses {
            return Answer::Unknown(unknown);
        }
        let mut values = vec![0; query.inputs.len()];
        loop {
            let inputs: Vec<Term> = values.iter().map(|value| Term::int(*value)).collect();
            if query.is_met_by(&inputs) {
                return Answer::Sat(inputs);
            }
            let Some(at) = values.iter().position(|value| value + 1 < self.below) else { return Answer::Unsat };
            values[at] += 1;
            values[..at].fill(0);
        }
    }
}

impl Executor for Every {
    fn execute(&mut self, queries: &[Query<'_>], _: &Budget, go_on: &mut dyn FnMut() -> bool) -> Vec<Option<Response>> {
        queries.iter().map(|query| go_on().then(|| Response::from(self.answer(query)))).collect()
    }
}

/// Confirms everything, or gives the answers it was made with.
#[derive(Default)]
pub struct Vm {
    pub answer: Option<Confirmation>,
    pub asked: u32,
}

impl Confirm for Vm {
    fn confirm(&mut self, evidence: Evidence<'_>) -> Confirmation {
        self.asked += 1;
        let text = || evidence.defect.exception().map_or_else(String::new, |it| it.reason.to_string());
        self.answer.clone().unwrap_or_else(|| Confirmation::Same { text: text() })
    }
}

/// Explores with a solver that tries integers below `below`.
pub fn search(subject: &mut dyn TestSubject, below: i64, options: &ExplorationOptions) -> Exploration {
    let mut solver = Every { below, refuses: None };
    explore(subject, &mut solver, &mut Vm::default(), options, &mut |_| Go::On)
}

pub fn with(strategy: Strategy) -> ExplorationOptions {
    ExplorationOptions { strategy, ..ExplorationOptions::default() }
}

/// Reasons by code, with their counts.
pub fn causes(exploration: &Exploration) -> Vec<(&'static str, u64)> {
    exploration.causes.iter().map(|cause| (cause.reason.code(), cause.count)).collect()
}

/// Calls of findings, as text.
pub fn calls(exploration: &Exploration) -> Vec<String> {
    let text = |inputs: &[Term]| inputs.iter().map(Term::to_string).collect::<Vec<_>>().join(", ");
    exploration.findings.iter().map(|finding| text(&finding.stimulus.inputs)).collect()
}
