//! Equations between what functions give for different inputs: `f(X) = f(Y) + 1`. Functions are called at many points of
//! each input on its own, and what they give is joined by an index: where one call in a million would do, some thousand
//! of each side have a pair.

use constraint::{Arena, Condition, Evaluator, Expr, Node, Op, Test, ValueCache};
use fastrand::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use super::trials::changed;
use super::{LOST, OpaqueSearch, Settlement, in_order};
use crate::structural::accepts;

/// The same points every time.
const SEED: u64 = 0x9013;
/// Calls of functions that the program itself has, or whose code cannot be had: these take longer.
const SLOW: u32 = 12_000;
/// Calls where one side alone has to meet the equation: there is nothing to join.
const ALONE: u32 = 4_000;
/// Points of each input where three are joined.
const THREE: usize = 1_024;
/// Points that fit the equation and are looked at whole.
const CANDIDATES: u32 = 64;
/// Changes in a row that lead nowhere new.
const MISSES: u32 = 256;
/// Changes that lead from the inputs there are to a point.
const CHANGES: usize = 3;

/// The part of an equation that depends on the same inputs.
struct Side {
    /// These inputs.
    roots: Vec<usize>,
    /// Factors and what they are factors of.
    sum: Vec<(i128, Expr)>,
    /// The conditions on these inputs alone.
    own: Vec<usize>,
    /// Values of the inputs, and of the sum.
    points: Vec<(Vec<Term>, i128)>,
    /// The points by the value of the sum.
    index: FxHashMap<i128, usize>,
    seen: FxHashSet<Vec<Term>>,
    /// The number of points that were made, those included that were seen before.
    made: i64,
    rng: Rng,
    is_done: bool,
}

impl OpaqueSearch<'_> {
    /// Joins points of the inputs that the newest condition, an equation between numbers, is about.
    pub fn join(&mut self) -> Settlement {
        let Some((mut sides, constant)) = self.sides() else { return LOST };
        let is_slow = self.calls.clone().into_iter().any(|call| self.is_unknown(call));
        let most = if is_slow { SLOW } else { self.left.joined };
        self.left.joined = self.left.joined.min(most).min(if sides.len() == 1 { ALONE } else { u32::MAX });
        let mut candidates = CANDIDATES;
        self.left.trials = self.left.trials.max(4 * CANDIDATES);
        while self.left.joined > 0 && candidates > 0 && !self.stopped && sides.iter().any(|side| !side.is_done) {
            for at in 0..sides.len() {
                let full = sides.len() == 3 && sides[at].points.len() >= THREE;
                if full || sides[at].is_done || !self.grow(&mut sides[at]) {
                    sides[at].is_done = true;
                    continue;
                }
                for chosen in matches(&sides, at, constant) {
                    candidates = candidates.saturating_sub(1);
                    let inputs = self.inputs_at(&sides, &chosen);
                    if self.meets_all(&inputs) {
                        return Settlement::Inputs(inputs, Vec::new());
                    }
                }
            }
        }
        LOST
    }

    /// The inputs that one point of each side is of.
    fn inputs_at(&self, sides: &[Side], chosen: &[usize]) -> Vec<Term> {
        let mut inputs = self.task.near.to_vec();
        for (side, point) in sides.iter().zip(chosen) {
            let values = side.roots.iter().zip(&side.points[*point].0);
            values.for_each(|(root, value)| inputs[*root] = value.clone());
        }
        inputs
    }

    /// The sides of the newest condition, and its constant.
    fn sides(&mut self) -> Option<(Vec<Side>, i128)> {
        let near = self.task.near.len();
        let conditions = self.task.conditions;
        let arena = self.sampler.arena();
        let newest = conditions.last()?;
        let (Test::Same(a, b) | Test::Equal(a, b), true) = (newest.test, newest.holds) else { return None };
        let (mut sum, mut constant) = (Vec::new(), 0);
        add(arena, a, 1, &mut sum, &mut constant)?;
        add(arena, b, -1, &mut sum, &mut constant)?;
        let mut sides = grouped(arena, sum, near)?;
        let fits = |side: &Side| side.sum.iter().any(|(_, expr)| !applications(arena, *expr).is_empty());
        if sides.len() > 3 || !sides.iter().all(fits) {
            return None;
        }
        for (at, condition) in conditions[..conditions.len() - 1].iter().enumerate() {
            let of: Vec<usize> = condition.test.exprs().flat_map(|expr| roots(arena, expr)).collect();
            let side = sides.iter_mut().find(|side| !of.is_empty() && of.iter().all(|root| side.roots.contains(root)));
            side.into_iter().for_each(|side| side.own.push(at));
        }
        Some((sides, constant))
    }

    /// Adds a point to a side; false if there seem to be no more.
    fn grow(&mut self, side: &mut Side) -> bool {
        for _ in 0..MISSES {
            if self.left.joined == 0 || self.stopped {
                return false;
            }
            let Some(values) = self.next_values(side) else { continue };
            match self.value_of(side, &values) {
                Some(Some(value)) => {
                    side.index.entry(value).or_insert(side.points.len());
                    side.points.push((values, value));
                    return true;
                }
                Some(None) => {}
                None => return false,
            }
        }
        false
    }

    /// Values of a side's inputs that were not looked at.
    fn next_values(&mut self, side: &mut Side) -> Option<Vec<Term>> {
        let count = side.made;
        side.made += 1;
        let values: Vec<Term> = if count == 0 {
            side.roots.iter().map(|root| self.task.near[*root].clone()).collect()
        } else {
            let changed = side.rng.usize(..side.roots.len());
            let rng = &mut side.rng;
            let values = side.roots.iter().enumerate().map(|(at, root)| match &self.task.near[*root] {
                near if at == changed => moved(near, count, rng),
                near => near.clone(),
            });
            values.collect()
        };
        let (_, grammar) = self.sampler.terms();
        let inputs = self.task.inputs;
        let is_allowed = side.roots.iter().zip(&values).all(|(root, value)| accepts(grammar, inputs[*root], value));
        (side.seen.insert(values.clone()) && is_allowed).then_some(values)
    }

    /// The value of a side's sum; nothing inside if these inputs do not fit, nothing at all if a function cannot be called.
    #[expect(clippy::option_option, reason = "three ways to end")]
    fn value_of(&mut self, side: &Side, values: &[Term]) -> Option<Option<i128>> {
        let conditions = self.task.conditions;
        let mut inputs = self.task.near.to_vec();
        side.roots.iter().zip(values).for_each(|(root, value)| inputs[*root] = value.clone());
        let Some(known) = self.outcomes(side, &inputs)? else { return Some(None) };
        let mut evaluator = Evaluator::resume(self.sampler.arena(), &inputs, known);
        if side.own.iter().any(|at| evaluator.holds(&conditions[*at]) != Ok(true)) {
            return Some(None);
        }
        Some(side.sum.iter().try_fold(0_i128, |sum, (factor, expr)| {
            let value = evaluator.value(*expr).ok()?.as_i64()?;
            sum.checked_add(factor.checked_mul(i128::from(value))?)
        }))
    }

    /// The outcomes of all applications that a side is about, in the same sense.
    #[expect(clippy::option_option, reason = "three ways to end")]
    fn outcomes(&mut self, side: &Side, inputs: &[Term]) -> Option<Option<ValueCache>> {
        let asked = side.sum.iter().map(|(_, expr)| Condition { test: Test::Defined(*expr), holds: true });
        let own = side.own.iter().map(|at| self.task.conditions[*at].clone());
        let asked: Vec<Condition> = asked.chain(own).collect();
        let mut known = ValueCache::default();
        for call in in_order(self.sampler.arena(), &asked) {
            let arena = self.sampler.arena();
            let Node::Opaque(function, args) = arena.node(call).clone() else { continue };
            let mut evaluator = Evaluator::resume(arena, inputs, std::mem::take(&mut known));
            let args: Result<Vec<Term>, _> = args.iter().map(|arg| evaluator.value(*arg)).collect();
            known = evaluator.into_values();
            let Ok(args) = args else { return Some(None) };
            self.left.joined = self.left.joined.saturating_sub(1);
            let sample = self.sampler.arena().samples.outcome(function, &args).cloned();
            let outcome = sample.or_else(|| self.sampler.call(function, &args))?;
            known.insert(call, Ok(outcome));
        }
        Some(Some(known))
    }
}

impl Side {
    /// A side with one summand, joined with others that share inputs with it.
    fn of(roots: Vec<usize>, summand: (i128, Expr), shared: Vec<Side>) -> Side {
        let mut side = Side {
            roots,
            sum: vec![summand],
            own: Vec::new(),
            points: Vec::new(),
            index: FxHashMap::default(),
            seen: FxHashSet::default(),
            made: 0,
            rng: Rng::with_seed(SEED),
            is_done: false,
        };
        for other in shared {
            side.roots.extend(other.roots);
            side.sum.extend(other.sum);
        }
        side.roots.sort_unstable();
        side.roots.dedup();
        side
    }
}

/// Another value instead of one: of a number the next outwards and any in turn.
fn moved(near: &Term, count: i64, rng: &mut Rng) -> Term {
    match near.as_i64() {
        Some(number) if count % 2 == 0 => {
            let step = count / 2;
            Term::int(number.wrapping_add(if step % 2 == 0 { step / 2 } else { -(step / 2) - 1 }))
        }
        _ => (0..1 + rng.usize(..CHANGES)).fold(near.clone(), |term, _| changed(&term, rng)),
    }
}

/// Summands by the inputs that they depend on, of which there are so many; nothing if one depends on none.
fn grouped(arena: &Arena, sum: Vec<(i128, Expr)>, inputs: usize) -> Option<Vec<Side>> {
    let mut sides: Vec<Side> = Vec::new();
    for (factor, expr) in sum {
        let roots = roots(arena, expr);
        if roots.is_empty() || roots.iter().any(|root| *root >= inputs) {
            return None;
        }
        let (shared, others): (Vec<Side>, Vec<Side>) =
            sides.into_iter().partition(|side| side.roots.iter().any(|root| roots.contains(root)));
        sides = others;
        sides.push(Side::of(roots, (factor, expr), shared));
    }
    Some(sides)
}

/// Points that add up to nothing with the constant, of which the last one of a side is one.
fn matches(sides: &[Side], at: usize, constant: i128) -> Vec<Vec<usize>> {
    let Some(new) = sides[at].points.len().checked_sub(1) else { return Vec::new() };
    let wanted = -(constant + sides[at].points[new].1);
    let others: Vec<usize> = (0..sides.len()).filter(|other| *other != at).collect();
    let chosen = |found: &[(usize, usize)]| {
        let of = |side: usize| found.iter().find(|(other, _)| *other == side).map_or(new, |(_, point)| *point);
        (0..sides.len()).map(of).collect::<Vec<usize>>()
    };
    match others[..] {
        [] if wanted == 0 => vec![vec![new]],
        [other] => sides[other].index.get(&wanted).map(|point| chosen(&[(other, *point)])).into_iter().collect(),
        [one, two] => {
            let pairs = sides[one].points.iter().enumerate().filter_map(|(first, (_, value))| {
                let second = sides[two].index.get(&(wanted - value))?;
                Some(chosen(&[(one, first), (two, *second)]))
            });
            pairs.take(1).collect()
        }
        _ => Vec::new(),
    }
}

/// Adds an expression to a sum of others; nothing if it holds a number that is too large.
fn add(arena: &Arena, expr: Expr, factor: i128, sum: &mut Vec<(i128, Expr)>, constant: &mut i128) -> Option<()> {
    if let Some(value) = arena.as_literal(expr) {
        *constant = constant.checked_add(factor.checked_mul(i128::from(value.as_i64()?))?)?;
        return Some(());
    }
    match arena.node(expr) {
        Node::Apply(Op::Add, args) => args.iter().try_for_each(|arg| add(arena, *arg, factor, sum, constant)),
        Node::Apply(Op::Sub, args) if args.len() == 2 => {
            add(arena, args[0], factor, sum, constant)?;
            add(arena, args[1], -factor, sum, constant)
        }
        Node::Apply(Op::Neg, args) => args.iter().try_for_each(|arg| add(arena, *arg, -factor, sum, constant)),
        Node::Apply(Op::Mul, args) => match factor_of(arena, args) {
            Some((by, of)) => add(arena, of, factor.checked_mul(i128::from(by))?, sum, constant),
            None => {
                sum.push((factor, expr));
                Some(())
            }
        },
        _ => {
            sum.push((factor, expr));
            Some(())
        }
    }
}

/// The constant factor of a product of two, and the other one.
fn factor_of(arena: &Arena, args: &[Expr]) -> Option<(i64, Expr)> {
    let [left, right] = *args else { return None };
    let constant = |expr: Expr| arena.as_literal(expr).and_then(Term::as_i64);
    let first = constant(left).map(|by| (by, right));
    first.or_else(|| constant(right).map(|by| (by, left)))
}

fn applications(arena: &Arena, expr: Expr) -> Vec<Expr> {
    super::rewrite::applications(arena, &[Condition { test: Test::Defined(expr), holds: true }])
}

/// The inputs that an expression depends on, those of arguments included.
fn roots(arena: &Arena, expr: Expr) -> Vec<usize> {
    let mut roots = Vec::new();
    arena.visit([expr], |_, node| {
        if let Node::Input(at) = node {
            roots.push(*at as usize);
        }
        true
    });
    roots.sort_unstable();
    roots.dedup();
    roots
}
