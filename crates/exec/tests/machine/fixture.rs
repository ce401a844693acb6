//! A machine that records symbolic runs of a program, and the solver that negates what they recorded.

use constraint::{Condition, Decision, Grammar, Shape, Site, holds};
use exec::forward::{Ending, Limits, Machine, Options, Recorder};
use solve::{Answer, Budget, Executor, Portfolio, Query};
use term::{Atom, Call, Term};

use crate::world::{Texts, terms};

const BUDGET: Budget = Budget { choices: 10_000, rlimit: 0, walk: 100_000 };

/// A machine, a recorder and a program.
pub struct Fixture {
    pub machine: Machine,
    pub recorder: Recorder,
    pub world: Texts,
}

impl Fixture {
    pub fn new(text: &str) -> Fixture {
        Fixture::of(Texts::new(text))
    }

    fn of(world: Texts) -> Fixture {
        let machine = Machine::new(Limits::default(), Options { events: true, mirrors: true, ..Options::default() });
        Fixture { machine, recorder: Recorder::default(), world }
    }

    /// Runs a call; checks that it ends as the concrete run does and that its path is true.
    pub fn run(&mut self, name: &str, args: &str) -> Ending {
        let call = Call { module: Atom::new("m"), function: Atom::new(name), args: terms(args) };
        let concrete = self.machine.run(&mut self.world, &call).ending;
        let ending = self.machine.run_symbolic(&mut self.world, &call, &mut self.recorder).ending;
        assert_eq!(format!("{ending:?}"), format!("{concrete:?}"));
        for condition in self.recorder.path.iter().map(|it| &it.condition) {
            assert_eq!(holds(&self.recorder.arena, condition, &call.args), Ok(true), "{}", self.shown(condition));
        }
        ending
    }

    pub fn shown(&self, condition: &Condition) -> String {
        self.recorder.arena.show_condition(condition)
    }

    /// The path of a call.
    pub fn path(&mut self, name: &str, args: &str) -> Vec<String> {
        self.run(name, args);
        let pin = |pinned| if pinned { "pin " } else { "" };
        let shown = |it: &Decision| Some(format!("{}{}", pin(it.pinned), self.shown(&it.condition)));
        self.recorder.path.iter().filter_map(shown).collect()
    }

    pub fn sites(&mut self, name: &str, args: &str) -> Vec<Site> {
        self.run(name, args);
        self.recorder.path.iter().map(|step| step.site).collect()
    }

    /// Negates each condition of a call's path in turn, with those before it unchanged, and runs the solver's inputs:
    /// they must go the same path up to there, and then the other one. A letter for each condition: `f`lipped, `u`nsat,
    /// `?` for unknown, `p`inned.
    pub fn flips(&mut self, name: &str, args: &str) -> String {
        self.run(name, args);
        let (near, path) = (terms(args), self.recorder.path.clone());
        (0..path.len()).map(|at| self.flip(name, &near, &path[..=at])).collect()
    }

    /// Negates the last of the decisions, whose conditions are those of the recorder's arena.
    fn flip(&mut self, name: &str, near: &[Term], path: &[Decision]) -> char {
        let mut conditions: Vec<Condition> = path.iter().map(|it| it.condition.clone()).collect();
        let last = conditions.pop().expect("a condition");
        conditions.push(last.negated());
        let mut grammar = Grammar::default();
        let any = grammar.intern(vec![Shape::Any]);
        grammar.close();
        let inputs = vec![any; near.len()];
        let query =
            Query { arena: &self.recorder.arena, grammar: &grammar, inputs: &inputs, conditions: &conditions, near };
        match Portfolio::new(None).solve(&query, &BUDGET) {
            _ if path.last().is_some_and(|decision| decision.pinned) => 'p',
            Answer::Sat(model) => {
                let wanted: Vec<String> = conditions.iter().map(|condition| self.shown(condition)).collect();
                let args: Vec<String> = model.iter().map(Term::to_string).collect();
                let mut other = Fixture::of(self.world.clone());
                let path = other.path(name, &args.join(", "));
                assert_eq!(path.get(..wanted.len()), Some(&wanted[..]), "{name}({})", args.join(", "));
                'f'
            }
            Answer::Unsat => 'u',
            Answer::Unknown(_) => '?',
        }
    }
}
