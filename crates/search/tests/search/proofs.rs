//! A search that calls itself complete has run every path there is: checked against all inputs of small grammars.

use std::collections::BTreeSet;

use constraint::{Arena, Condition, Decision, Expr, Grammar, Op, RuleId, Shape, Site, Stimulus, Test, Type, holds};
use exec::forward::{Ending, Place};
use search::{
    ConcolicRun, ContractCheck, EntryFacts, EntryPoint, ExplorationOptions, Go, Signature, Strategy, TestSubject,
    Verdict, explore,
};
use solve::{Budget, Portfolio};
use term::{Atom, Term};

use crate::fake::{Vm, crash, mfa, place, value};

/// A program that asks what the answers so far and a seed make it ask.
struct Wild {
    seed: u64,
    arena: Arena,
    grammar: Grammar,
    entry_point: EntryPoint,
}

/// `leaf: 0..3 | a | []`, `pair: leaf | {leaf, leaf} | [leaf | rest]`, `rest: [] | [leaf | []]`.
fn grammar() -> (Grammar, RuleId) {
    let mut grammar = Grammar::default();
    let atom = Shape::Literal(Term::atom_named("a"));
    let range = Shape::Integer { low: Some(0.into()), high: Some(3.into()) };
    let nil = Shape::Literal(Term::nil());
    let leaf = grammar.intern(vec![range.clone(), atom.clone(), nil.clone()]);
    let end = grammar.intern(vec![nil.clone()]);
    let rest = grammar.intern(vec![nil.clone(), Shape::Cons(leaf, end)]);
    let pair = vec![range, atom, nil, Shape::Tuple(vec![leaf, leaf]), Shape::Cons(leaf, rest)];
    let pair = grammar.intern(pair);
    (grammar, pair)
}

fn values() -> Vec<Term> {
    let leaves: Vec<Term> = (0..4).map(Term::int).chain([Term::atom_named("a"), Term::nil()]).collect();
    let rests: Vec<Term> = leaves.iter().map(|leaf| Term::list([leaf.clone()])).chain([Term::nil()]).collect();
    let both = |others: &[Term], join: fn(Term, Term) -> Term| -> Vec<Term> {
        leaves.iter().flat_map(|a| others.iter().map(move |b| join(a.clone(), b.clone()))).collect()
    };
    let tuples = both(&leaves, |a, b| Term::tuple([a, b]));
    let lists = both(&rests, Term::cons);
    leaves.iter().cloned().chain(tuples).chain(lists).collect()
}

impl Wild {
    fn new(seed: u64) -> Wild {
        let (grammar, pair) = grammar();
        let signature = Signature { inputs: vec![pair, pair], result: None, no_return: false };
        let entry_point = EntryPoint {
            function: mfa("m", "f", 2),
            signatures: vec![signature],
            specified: true,
            modules: vec![Atom::new("m")],
            facts: EntryFacts::default(),
        };
        Wild { seed, arena: Arena::new(), grammar, entry_point }
    }

    /// A question about what is known: parts only of what was found to have them, arithmetic only on integers.
    fn question(&mut self, random: &mut fastrand::Rng, known: &[Expr], integers: &[Expr]) -> Test {
        let of = known[random.usize(..known.len())];
        let other = known[random.usize(..known.len())];
        let literals = [Term::int(random.i64(0..4)), Term::atom_named("a"), Term::nil()];
        let literal = self.arena.literal(literals[random.usize(..3)].clone());
        match random.u8(..9) {
            0 | 1 => Test::Cons(of),
            2 => Test::Tuple(of, 2),
            3 => Test::Type(of, [Type::Integer, Type::Atom, Type::ProperList][random.usize(..3)]),
            4 => Test::Same(of, literal),
            5 => Test::Same(of, other),
            6 => Test::Less(of, other),
            _ if integers.is_empty() => Test::Type(of, Type::Integer),
            kind => {
                let (a, b) = (integers[random.usize(..integers.len())], integers[random.usize(..integers.len())]);
                let op = [Op::Add, Op::Mul, Op::Sub][random.usize(..3)];
                let (sum, limit) = (self.arena.apply(op, &[a, b]), self.arena.integer(random.i64(0..7)));
                if kind == 7 { Test::Less(sum, limit) } else { Test::Equal(sum, limit) }
            }
        }
    }
}

impl TestSubject for Wild {
    fn run(&mut self, stimulus: &Stimulus) -> ConcolicRun {
        let inputs = &stimulus.inputs;
        let mut state = self.seed;
        let mut known = vec![self.arena.input(0), self.arena.input(1)];
        let mut integers = Vec::new();
        let mut path: Vec<Decision> = Vec::new();
        for depth in 0..7 {
            let mut random = fastrand::Rng::with_seed(state);
            let test = self.question(&mut random, &known, &integers);
            let yes = holds(&self.arena, &Condition { test, holds: true }, inputs) == Ok(true);
            path.push(Decision::branch(Site(depth), Condition { test, holds: yes }));
            match test {
                Test::Cons(list) if yes => known.extend([self.arena.head(list), self.arena.tail(list)]),
                Test::Tuple(tuple, 2) if yes => {
                    known.extend([self.arena.element(tuple, 0), self.arena.element(tuple, 1)])
                }
                Test::Type(integer, Type::Integer) if yes => integers.push(integer),
                _ => {}
            }
            state = random.u64(..).wrapping_add(u64::from(yes));
        }
        let ending = if state.is_multiple_of(5) { crash("bug", (state % 100) as u32) } else { value() };
        ConcolicRun {
            ending,
            path,
            gaps: Vec::new(),
            steps: 1,
            fresh: 0,
            branches: std::rc::Rc::new([]),
            truncated: false,
            in_domain: true,
            is_possible: true,
            contract: ContractCheck::default(),
            unmatched: false,
            trace: Vec::new(),
            events: Default::default(),
            others: Vec::new(),
            consequences: Vec::new(),
            leaks: Vec::new(),
        }
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

/// All paths, as answers, and all lines that crash, by running every input.
fn truth(subject: &mut Wild) -> (BTreeSet<Vec<bool>>, BTreeSet<String>) {
    let (mut paths, mut crashes) = (BTreeSet::new(), BTreeSet::new());
    let values = values();
    for first in &values {
        for second in &values {
            let run = subject.run(&Stimulus::from(vec![first.clone(), second.clone()]));
            paths.insert(run.path.iter().map(|it| it.condition.holds).collect());
            if let Ending::Raised(exception) = run.ending {
                crashes.insert(exception.stack.to_string());
            }
        }
    }
    (paths, crashes)
}

#[test]
fn a_complete_search_has_all_paths_and_all_crashes() {
    let mut complete = 0;
    for seed in 0..60 {
        let (paths, crashes) = truth(&mut Wild::new(seed));
        let strategy = Strategy::ALL[seed as usize % 4];
        let mut solver = Portfolio::new(None);
        let budget = Budget { choices: 300, rlimit: 0, walk: 0 };
        let options = ExplorationOptions { strategy, budget, ..ExplorationOptions::default() };
        let mut subject = Wild::new(seed);
        let found = explore(&mut subject, &mut solver, &mut Vm::default(), &options, &mut |_| Go::On);
        assert_eq!(found.statistics.divergences, 0, "seed {seed}");
        assert!(found.statistics.paths <= paths.len() as u64, "seed {seed}: a path that no input takes");
        if found.complete {
            complete += 1;
            assert_eq!(found.statistics.paths, paths.len() as u64, "seed {seed}");
            let lines: BTreeSet<String> = found
                .findings
                .iter()
                .map(|finding| finding.defect.exception().map_or_else(String::new, |it| it.stack.to_string()))
                .collect();
            assert_eq!(lines, crashes, "seed {seed}");
            assert_eq!(found.verdict == Verdict::Safe, crashes.is_empty());
        }
    }
    assert!(complete >= 50, "only {complete} of 60 searches were complete");
}
