//! The portfolio: slices, caches and checks change no answer.

use std::cell::Cell;
use std::rc::Rc;

use constraint::{Arena, Condition, Evaluator, Expr, Grammar, Node, Op, RuleId, Shape, Test, Type, Undefined};
use solve::integer::Arithmetic;
use solve::structural::{Structural, accepts};
use solve::{Answer, Budget, Executor, Portfolio, Query, Smt, SmtError, Solvers, UnknownReason};
use term::Term;

const BUDGET: Budget = Budget { choices: 2000, rlimit: 0, walk: 0 };

/// Lists of integers, a small integer, an integer, a pair of integers.
fn grammar() -> (Grammar, Vec<RuleId>) {
    let mut grammar = Grammar::default();
    let integer = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
    let small = grammar.intern(vec![Shape::Integer { low: Some((-3).into()), high: Some(3.into()) }]);
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(Term::list([])), Shape::Cons(integer, list)]);
    let pair = grammar.intern(vec![Shape::Tuple(vec![integer, small])]);
    grammar.close();
    (grammar, vec![list, small, integer, pair])
}

/// As a run would find it: the program computes what was not simplified.
fn holds(arena: &Arena, condition: &Condition, inputs: &[Term]) -> Result<bool, Undefined> {
    Evaluator::new(arena, inputs).of_originals().holds(condition)
}

struct World {
    arena: Arena,
    random: fastrand::Rng,
}

impl World {
    fn inputs(&mut self) -> Vec<Term> {
        let length = self.random.usize(0..4);
        let list: Vec<Term> = (0..length).map(|_| Term::int(self.random.i64(-5..6))).collect();
        let pair = Term::tuple([Term::int(self.random.i64(-9..10)), Term::int(self.random.i64(-3..4))]);
        vec![Term::list(list), Term::int(self.random.i64(-3..4)), Term::int(self.random.i64(-20..20)), pair]
    }

    /// Some integer made of inputs; it may not be defined.
    fn integer(&mut self, depth: u32) -> Expr {
        match self.random.u32(0..if depth == 0 { 6 } else { 9 }) {
            0 => self.arena.input(1),
            1 => self.arena.input(2),
            2 => self.element(),
            3 | 4 => self.cell(),
            5 => {
                let value = self.random.i64(-6..7);
                self.arena.integer(value)
            }
            _ => {
                let ops = [Op::Add, Op::Sub, Op::Mul, Op::Rem, Op::Div, Op::Band];
                let op = ops[self.random.usize(0..ops.len())];
                let args = [self.integer(depth - 1), self.integer(depth - 1)];
                self.arena.apply(op, &args)
            }
        }
    }

    fn element(&mut self) -> Expr {
        let pair = self.arena.input(3);
        let at = self.random.u32(0..2);
        self.arena.element(pair, at)
    }

    fn rest(&mut self) -> Expr {
        let list = self.arena.input(0);
        (0..self.random.u32(0..3)).fold(list, |list, _| self.arena.tail(list))
    }

    fn cell(&mut self) -> Expr {
        let rest = self.rest();
        self.arena.head(rest)
    }

    fn test(&mut self) -> Test {
        match self.random.u32(0..6) {
            0 => Test::Cons(self.rest()),
            1 => Test::Type(self.cell(), Type::Integer),
            2 => {
                let list = self.arena.input(0);
                let length = self.arena.apply(Op::Length, &[list]);
                Test::Less(length, self.integer(0))
            }
            3 => Test::Same(self.integer(1), self.integer(1)),
            _ => Test::Less(self.integer(1), self.integer(1)),
        }
    }

    /// Conditions of which all but the last hold, as a run would give them.
    fn path(&mut self, near: &[Term]) -> Vec<Condition> {
        let mut path: Vec<Condition> = Vec::new();
        for list in 0..3 {
            let cells = (0..list).fold(self.arena.input(0), |rest, _| self.arena.tail(rest));
            let condition = Condition { test: Test::Cons(cells), holds: true };
            match holds(&self.arena, &condition, near) {
                Ok(holds) => path.push(Condition { holds, ..condition }),
                Err(_) => break,
            }
        }
        while path.len() < 9 {
            let condition = Condition { test: self.test(), holds: true };
            if let Ok(holds) = holds(&self.arena, &condition, near) {
                path.push(Condition { holds, ..condition });
            }
        }
        let last = path.pop().unwrap();
        path.push(last.negated());
        path
    }
}

#[test]
fn answers_are_those_of_the_members_alone() {
    let (grammar, rules) = grammar();
    let mut world = World { arena: Arena::new(), random: fastrand::Rng::with_seed(7) };
    let mut portfolio = Portfolio::new(None);
    let mut alone = Structural::new(Arithmetic);
    let mut answered = [0; 3];
    for _ in 0..2000 {
        let near = world.inputs();
        let conditions = world.path(&near);
        let query =
            Query { arena: &world.arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
        let shown: Vec<String> = conditions.iter().map(|condition| world.arena.show_condition(condition)).collect();
        let answer = portfolio.solve(&query, &BUDGET);
        match (&answer, alone.solve(&query, &BUDGET)) {
            (Answer::Sat(inputs), truth) => {
                assert!(query.is_met_by(inputs), "{shown:?}");
                assert!(rules.iter().zip(inputs).all(|(rule, input)| accepts(&grammar, *rule, input)), "{shown:?}");
                assert!(!matches!(truth, Answer::Unsat), "{shown:?} {inputs:?}");
                answered[0] += 1;
            }
            (Answer::Unsat, truth) => {
                assert!(!matches!(truth, Answer::Sat(_)), "{shown:?}");
                answered[1] += 1;
            }
            (Answer::Unknown(_), _) => answered[2] += 1,
        }
        let again = portfolio.solve(&query, &BUDGET);
        match (answer, again) {
            (Answer::Sat(first), Answer::Sat(second)) => assert_eq!(first, second),
            (Answer::Unsat, Answer::Unsat) | (Answer::Unknown(_), Answer::Unknown(_)) => {}
            _ => panic!("another answer the second time: {shown:?}"),
        }
    }
    let stats = portfolio.stats();
    assert!(answered[0] > 600 && answered[1] > 600 && answered[2] < 100, "{answered:?} {stats:?}");
    assert!(stats.wrong == 0 && stats.known >= 1800, "{stats:?}");
}

#[test]
fn what_no_condition_speaks_of_stays() {
    let (grammar, rules) = grammar();
    let mut arena = Arena::new();
    let (small, free, five) = (arena.input(1), arena.input(2), arena.integer(5));
    let near = [Term::list([Term::int(9)]), Term::int(2), Term::int(3), Term::tuple([Term::int(8), Term::int(1)])];
    let conditions = [
        Condition { test: Test::Less(small, five), holds: true },
        Condition { test: Test::Less(five, free), holds: true },
    ];
    let query = Query { arena: &arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
    let Answer::Sat(inputs) = Portfolio::new(None).solve(&query, &BUDGET) else { panic!("no inputs") };
    assert_eq!((&inputs[0], &inputs[1], &inputs[3]), (&near[0], &near[1], &near[3]));
}

#[test]
fn a_set_that_contains_an_impossible_one_is_impossible() {
    let (grammar, rules) = grammar();
    let mut arena = Arena::new();
    let (small, free, five) = (arena.input(1), arena.input(2), arena.integer(5));
    let near = [Term::list([]), Term::int(2), Term::int(3), Term::tuple([Term::int(8), Term::int(1)])];
    let small_is_large = Condition { test: Test::Less(five, small), holds: true };
    let tied = Condition { test: Test::Less(free, small), holds: false };
    let mut portfolio = Portfolio::new(None);
    for (conditions, known) in [(vec![small_is_large.clone()], 0), (vec![tied, small_is_large], 1)] {
        let query = Query { arena: &arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
        assert!(matches!(portfolio.solve(&query, &BUDGET), Answer::Unsat));
        assert_eq!(portfolio.stats().known, known);
    }
}

/// Functions with equal specs have equal grammars, and their expressions equal numbers: what is known of one says nothing
/// about the other.
#[test]
fn answers_over_one_arena_are_none_over_another() {
    let (grammar, rules) = grammar();
    let near = [Term::list([]), Term::int(2), Term::int(3), Term::tuple([Term::int(8), Term::int(1)])];
    let mut portfolio = Portfolio::new(None);
    for wanted in [7, 8, 7] {
        let mut arena = Arena::new();
        let (free, value) = (arena.input(2), arena.integer(wanted));
        let same = Condition { test: Test::Same(free, value), holds: true };
        let conditions = [same.clone()];
        let query = Query { arena: &arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
        let Answer::Sat(inputs) = portfolio.solve(&query, &BUDGET) else { panic!("{wanted}: no inputs") };
        assert_eq!(inputs[2], Term::int(wanted));
    }
    // The first arena's conditions contradict each other; those of the second have the same numbers and do not.
    for (bounds, possible) in [([5, 5], false), ([5, 7], true)] {
        let mut arena = Arena::new();
        let free = arena.input(2);
        let [low, high] = bounds.map(|bound| arena.integer(bound));
        let conditions = [Test::Less(low, free), Test::Less(free, high)].map(|test| Condition { test, holds: true });
        let query = Query { arena: &arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
        assert_eq!(matches!(portfolio.solve(&query, &BUDGET), Answer::Sat(_)), possible, "{bounds:?}");
    }
}

/// Solvers see simplified conditions; the check of their answers sees what was simplified.
#[test]
fn an_answer_built_on_a_wrong_simplification_is_rejected() {
    let (grammar, rules) = grammar();
    let mut arena = Arena::new();
    let (small, free) = (arena.input(1), arena.input(2));
    let [zero, one, seven] = [0, 1, 7].map(|value| arena.integer(value));
    let quotient = arena.apply(Op::Div, &[one, small]);
    let near = [Term::list([]), Term::int(0), Term::int(3), Term::tuple([Term::int(8), Term::int(1)])];
    // A sum is not its operand, and a difference is not 0 where it fails.
    let sum = arena.rewritten(&Node::Apply(Op::Add, [free, one].into()), free);
    let nothing = arena.rewritten(&Node::Apply(Op::Sub, [quotient, quotient].into()), zero);
    let planted = arena.apply(Op::Add, &[nothing, free]);
    for (value, others) in [(sum, 0), (planted, 0), (sum, 1), (planted, 1)] {
        let is_seven = Condition { test: Test::Same(value, seven), holds: true };
        let other = Condition { test: Test::Less(small, seven), holds: true };
        let conditions: Vec<Condition> = std::iter::repeat_n(other, others).chain([is_seven]).collect();
        let query = Query { arena: &arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
        let mut portfolio = Portfolio::new(None);
        let answer = portfolio.solve(&query, &BUDGET);
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Wrong)), "{value:?}");
        assert_eq!(portfolio.stats().wrong, 1);
        assert!([6, 7].iter().any(|free| {
            let right = [near[0].clone(), Term::int(1), Term::int(*free), near[3].clone()];
            query.is_met_by(&right)
        }));
    }
}

/// A solver outside that knows nothing and counts who asks.
struct Asked(Rc<Cell<u32>>);

impl Smt for Asked {
    fn exchange(&mut self, _: &str) -> Result<String, SmtError> {
        self.0.set(self.0.get() + 1);
        Ok("unknown\n".to_owned())
    }
}

#[test]
fn who_knows_nothing_but_integers_is_asked_only_where_they_are_the_trouble() {
    let (grammar, rules) = grammar();
    let mut world = World { arena: Arena::new(), random: fastrand::Rng::with_seed(11) };
    let asked = Rc::new(Cell::new(0));
    let mut solvers = Solvers::new(Some(Box::new(Asked(asked.clone()))));
    let (mut spent, mut stumped) = (0, 0);
    for _ in 0..400 {
        let near = world.inputs();
        let conditions = world.path(&near);
        let query =
            Query { arena: &world.arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
        asked.set(0);
        // Too little for most choices.
        let response = solvers.respond(&query, &Budget { choices: 0, rlimit: 1, walk: 0 });
        if matches!(response.answer, Answer::Unknown(_)) {
            assert_eq!(response.external, asked.get() > 0, "{}", asked.get());
            spent += u32::from(!response.external);
            stumped += u32::from(response.external);
        }
    }
    assert!(spent > 20 && stumped > 2, "{spent} {stumped}");
}
