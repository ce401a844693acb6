//! Strategies against functions of all kinds: models hold, and proofs too.

use constraint::{Arena, Condition, Expr, Grammar, Learned, Op, RuleId, Shape, Test, Type};
use term::{Atom, Mfa, Term, known};

use super::{Limits, OpaqueAnswer, OpaqueQuery, Sampler, solve};
use crate::integer::{Arithmetic, Components};
use crate::query::{Answer, Budget, Query};
use crate::structural::Structural;

const BUDGET: Budget = Budget { choices: 2_000, rlimit: 0, walk: 0 };

/// A function that can be called on its own.
struct Lab {
    arena: Arena,
    grammar: Grammar,
    members: Structural<Components<Arithmetic>>,
    function: fn(&[i64]) -> i64,
    observed: u32,
}

impl Sampler for Lab {
    fn arena(&mut self) -> &mut Arena {
        &mut self.arena
    }

    fn terms(&self) -> (&Arena, &Grammar) {
        (&self.arena, &self.grammar)
    }

    fn solve(&mut self, inputs: &[RuleId], conditions: &[Condition], near: &[Term]) -> Option<Answer> {
        let query = Query { arena: &self.arena, grammar: &self.grammar, inputs, conditions, near };
        Some(self.members.solve(&query, &BUDGET))
    }

    fn observe(&mut self, function: Mfa, args: &[Term], _: &[Term]) -> Option<Term> {
        self.observed += 1;
        let numbers: Option<Vec<i64>> = args.iter().map(Term::as_i64).collect();
        let outcome = match numbers {
            Some(numbers) => Term::tuple([Term::int((self.function)(&numbers))]),
            None => Term::tuple([Term::atom(known::ERROR), Term::atom_named("badarg")]),
        };
        let learned = self.arena.samples.learn(function, args, outcome.clone());
        (learned == Learned::Fact).then_some(outcome)
    }

    fn certain(&mut self, _: Mfa, _: Expr, _: bool) -> Vec<Condition> {
        Vec::new()
    }
}

/// Inputs between bounds, and an opaque function of them.
struct Setting {
    sampler: Lab,
    inputs: Vec<RuleId>,
    outcome: RuleId,
    near: Vec<Term>,
}

fn hash() -> Mfa {
    Mfa { module: Atom::new("m"), function: Atom::new("h"), arity: 1 }
}

impl Setting {
    fn new(function: fn(&[i64]) -> i64, near: &[i64], bounds: Option<(i64, i64)>) -> Setting {
        let mut grammar = Grammar::default();
        let (low, high) = (bounds.map(|(low, _)| low.into()), bounds.map(|(_, high)| high.into()));
        let integer = grammar.intern(vec![Shape::Integer { low, high }]);
        let any = grammar.intern(vec![Shape::Any]);
        let outcome = grammar.intern(vec![Shape::Tuple(vec![any]), Shape::Tuple(vec![any, any])]);
        let members = Structural::new(Components(Arithmetic));
        let sampler = Lab { arena: Arena::new(), grammar, members, function, observed: 0 };
        let inputs = vec![integer; near.len()];
        Setting { sampler, inputs, outcome, near: near.iter().map(|value| Term::int(*value)).collect() }
    }

    fn input(&mut self, at: u32) -> Expr {
        self.sampler.arena.input(at)
    }

    /// The call, which returns, and its value; it was observed at the inputs to start from.
    fn call(&mut self, arg: Expr, conditions: &mut Vec<Condition>) -> Expr {
        let call = self.sampler.arena.opaque(hash(), vec![arg]);
        if let Ok(value) = constraint::evaluate(&self.sampler.arena, arg, &self.near.clone()) {
            self.sampler.observe(hash(), &[value], &[]);
            self.sampler.observed = 0;
        }
        conditions.push(Condition { test: Test::Tuple(call, 1), holds: true });
        self.sampler.arena.element(call, 0)
    }

    fn solve(&mut self, conditions: &[Condition]) -> OpaqueAnswer {
        let Setting { sampler, inputs, outcome, near } = self;
        let task = OpaqueQuery { inputs, outcome: *outcome, conditions, near, limits: Limits::default() };
        solve(sampler, task).expect("there is a function in it")
    }
}

fn same(a: Expr, b: Expr) -> Condition {
    Condition { test: Test::Same(a, b), holds: true }
}

fn scrambled(args: &[i64]) -> i64 {
    (args[0].wrapping_mul(0x9e37_79b9_7f4a_7c15u64 as i64) >> 33).abs() + 1
}

/// The result of a loop that adds 17 and takes 1 in turn.
fn looped(args: &[i64]) -> i64 {
    let turns = args[0].clamp(0, 1_000_000);
    17 * (turns / 2) - (turns - turns / 2)
}

#[test]
fn a_walk_finds_how_often_a_loop_must_go_round() {
    let mut setting = Setting::new(looped, &[0, 3], None);
    let (x, y) = (setting.input(0), setting.input(1));
    let mut conditions = Vec::new();
    let value = setting.call(x, &mut conditions);
    let square = setting.sampler.arena.apply(Op::Mul, &[y, y]);
    let sum = setting.sampler.arena.apply(Op::Add, &[value, square]);
    let wanted = setting.sampler.arena.integer(8192 + 49);
    conditions.push(same(sum, wanted));
    let (inputs, ..) = found(setting.solve(&conditions));
    assert_eq!(looped(&inputs[..1]) + inputs[1] * inputs[1], 8192 + 49);
    let alone = setting.sampler.arena.integer(8192);
    conditions.pop();
    conditions.push(same(value, alone));
    let (inputs, ..) = found(setting.solve(&conditions));
    assert_eq!(looped(&inputs[..1]), 8192, "{inputs:?}");
}

fn found(verdict: OpaqueAnswer) -> (Vec<i64>, u32, bool) {
    match verdict {
        OpaqueAnswer::Sat(inputs, strategy) => {
            (inputs.iter().filter_map(Term::as_i64).collect(), strategy.samples, strategy.undirected)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_input_is_set_to_what_the_function_gives_for_another() {
    let mut at = Setting::new(scrambled, &[33, 42], None);
    let mut conditions = Vec::new();
    let (x, y) = (at.input(0), at.input(1));
    let value = at.call(y, &mut conditions);
    conditions.push(same(x, value));
    assert_eq!(found(at.solve(&conditions)), (vec![scrambled(&[42]), 42], 0, false));
    let ten = at.sampler.arena.integer(10);
    conditions.push(same(y, ten));
    assert_eq!(found(at.solve(&conditions)), (vec![scrambled(&[10]), 10], 1, false));
}

#[test]
fn a_chain_of_any_length_takes_as_many_samples() {
    for length in 2..=6 {
        let near: Vec<i64> = (0..length).collect();
        let mut at = Setting::new(scrambled, &near, None);
        let inputs: Vec<Expr> = (0..length as u32).map(|input| at.input(input)).collect();
        let mut conditions = Vec::new();
        for pair in inputs.windows(2) {
            let value = at.call(pair[1], &mut conditions);
            conditions.push(same(pair[0], value));
        }
        let ten = at.sampler.arena.integer(10);
        conditions.push(same(inputs[inputs.len() - 1], ten));
        let (values, samples, undirected) = found(at.solve(&conditions));
        assert!(values.windows(2).all(|pair| pair[0] == scrambled(&pair[1..])), "{values:?}");
        assert_eq!((samples, undirected), (length as u32 - 1, false));
    }
}

#[test]
fn equal_arguments_give_equal_results() {
    let mut at = Setting::new(scrambled, &[1, 20], None);
    let mut conditions = Vec::new();
    let (x, y) = (at.input(0), at.input(1));
    let (one, other) = (at.call(x, &mut conditions), at.call(y, &mut conditions));
    let fifty = at.sampler.arena.integer(50);
    conditions.push(Condition { test: Test::Less(fifty, x), holds: true });
    conditions.push(same(one, other));
    let (values, _, undirected) = found(at.solve(&conditions));
    assert!(values[0] == values[1] && values[0] > 50 && !undirected, "{values:?}");
}

#[test]
fn observed_points_invert_the_function() {
    let mut at = Setting::new(scrambled, &[1], None);
    for point in [5, 77, 1234] {
        at.sampler.observe(hash(), &[Term::int(point)], &[]);
    }
    let mut conditions = Vec::new();
    let x = at.input(0);
    let value = at.call(x, &mut conditions);
    let (wanted, three) = (at.sampler.arena.integer(scrambled(&[77]) + 3), at.sampler.arena.integer(3));
    let sum = at.sampler.arena.apply(Op::Add, &[value, three]);
    conditions.push(same(sum, wanted));
    assert_eq!(found(at.solve(&conditions)), (vec![77], 0, false));
}

#[test]
fn a_function_of_itself_is_followed_inwards() {
    let mut at = Setting::new(scrambled, &[1, 2], None);
    let mut conditions = Vec::new();
    let (x, y) = (at.input(0), at.input(1));
    let inner = at.call(y, &mut conditions);
    let outer = at.call(inner, &mut conditions);
    let ten = at.sampler.arena.integer(10);
    conditions.extend([same(y, ten), same(x, outer)]);
    let (values, ..) = found(at.solve(&conditions));
    assert_eq!(values, [scrambled(&[scrambled(&[10])]), 10]);
}

#[test]
fn who_must_be_his_own_image_is_left_alone() {
    let mut at = Setting::new(scrambled, &[33, 42], None);
    let mut conditions = Vec::new();
    let (x, y) = (at.input(0), at.input(1));
    let (of_y, of_x) = (at.call(y, &mut conditions), at.call(x, &mut conditions));
    conditions.extend([same(x, of_y), same(y, of_x)]);
    assert!(matches!(at.solve(&conditions), OpaqueAnswer::Undecided(function) if function == hash()));
    let Limits { samples, walk, trials, .. } = Limits::default();
    assert!(u64::from(at.sampler.observed) <= u64::from(samples + trials) + walk, "{}", at.sampler.observed);
}

#[test]
fn no_function_can_help_what_contradicts_itself() {
    let mut at = Setting::new(scrambled, &[33], None);
    let mut conditions = Vec::new();
    let x = at.input(0);
    let value = at.call(x, &mut conditions);
    let (one, two) = (at.sampler.arena.integer(1), at.sampler.arena.integer(2));
    conditions.push(Condition { test: Test::Type(value, Type::Integer), holds: true });
    conditions.push(Condition { test: Test::Less(value, one), holds: true });
    conditions.push(Condition { test: Test::Less(two, value), holds: true });
    assert!(matches!(at.solve(&conditions), OpaqueAnswer::Unsat));
    assert_eq!(at.sampler.observed, 0);
}

/// `h(x) - h(2y + 1)` is 0 where x is 2y + 1, whatever h is.
#[test]
fn equal_arguments_have_one_outcome() {
    let mut at = Setting::new(scrambled, &[3, 1], None);
    let mut conditions = Vec::new();
    let (x, y) = (at.input(0), at.input(1));
    let (one, two, zero) = (at.sampler.arena.integer(1), at.sampler.arena.integer(2), at.sampler.arena.integer(0));
    let twice = at.sampler.arena.apply(Op::Mul, &[two, y]);
    let odd = at.sampler.arena.apply(Op::Add, &[twice, one]);
    conditions.push(same(x, odd));
    let (first, second) = (at.call(x, &mut conditions), at.call(odd, &mut conditions));
    for value in [first, second] {
        conditions.push(Condition { test: Test::Type(value, Type::Integer), holds: true });
    }
    let difference = at.sampler.arena.apply(Op::Sub, &[first, second]);
    conditions.push(Condition { test: Test::Same(difference, zero), holds: false });
    assert!(matches!(at.solve(&conditions), OpaqueAnswer::Unsat));
}

/// One value in 256 has it: no strategy leads there, but it is not far.
#[test]
fn what_a_few_hundred_points_have_is_found() {
    let mut at = Setting::new(|args| scrambled(args).rem_euclid(256), &[1_000, 5], Some((0, 10_000)));
    let mut conditions = Vec::new();
    let (x, y) = (at.input(0), at.input(1));
    let value = at.call(x, &mut conditions);
    let seven = at.sampler.arena.integer(7);
    conditions.extend([Condition { test: Test::Less(y, x), holds: true }, same(value, seven)]);
    let (values, _, undirected) = found(at.solve(&conditions));
    assert!(undirected && scrambled(&values).rem_euclid(256) == 7 && values[1] < values[0], "{values:?}");
}

/// Small ranges, so that all inputs can be tried.
#[test]
fn proofs_and_findings_agree_with_enumeration() {
    let functions: [fn(&[i64]) -> i64; 4] =
        [|a| a[0].rem_euclid(3), |a| a[0] * a[0] - 2, |_| 1, |a| (a[0] * 7 + 3).rem_euclid(5)];
    let mut random = fastrand::Rng::with_seed(11);
    let (mut inputs_found, mut proofs, mut undecided) = (0, 0, 0);
    for _ in 0..600 {
        let function = functions[random.usize(0..functions.len())];
        let near = [random.i64(0..4), random.i64(0..4)];
        let mut at = Setting::new(function, &near, Some((0, 3)));
        let mut conditions = Vec::new();
        let inputs = [at.input(0), at.input(1)];
        let mut terms = inputs.to_vec();
        for _ in 0..random.usize(1..4) {
            let arg = terms[random.usize(0..terms.len())];
            let value = at.call(arg, &mut conditions);
            let by = at.sampler.arena.integer(random.i64(-1..2));
            terms.push(at.sampler.arena.apply(Op::Add, &[value, by]));
        }
        let constant = at.sampler.arena.integer(random.i64(-2..6));
        terms.push(constant);
        for _ in 0..random.usize(1..4) {
            let (a, b) = (terms[random.usize(0..terms.len())], terms[random.usize(0..terms.len())]);
            let test = if random.bool() { Test::Same(a, b) } else { Test::Less(a, b) };
            conditions.push(Condition { test, holds: random.bool() });
        }
        let verdict = at.solve(&conditions);
        let holds = |at: &mut Setting, inputs: &[Term]| loop {
            let mut evaluator = constraint::Evaluator::new(&at.sampler.arena, inputs);
            let holds = conditions.iter().all(|condition| evaluator.holds(condition) == Ok(true));
            match evaluator.missing().cloned() {
                Some((function, args)) => drop(at.sampler.observe(function, &args, &[])),
                None => return holds,
            }
        };
        let all = (0..4).flat_map(|x| (0..4).map(move |y| [Term::int(x), Term::int(y)]));
        let any = all.filter(|inputs| holds(&mut at, inputs)).count() > 0;
        match verdict {
            OpaqueAnswer::Sat(inputs, _) => {
                assert!(holds(&mut at, &inputs), "{inputs:?}");
                inputs_found += 1;
            }
            OpaqueAnswer::Unsat => {
                assert!(
                    !any,
                    "{}",
                    conditions.iter().map(|it| at.sampler.arena.show_condition(it) + "; ").collect::<String>()
                );
                proofs += 1;
            }
            _ => undecided += 1,
        }
    }
    assert!(inputs_found > 150 && proofs > 150 && undecided < 60, "{inputs_found} {proofs} {undecided}");
}
