//! Equations between what functions give for different inputs: `f(X) = f(Y) + 1`. Functions are called at many points of
//! each input on its own, and what they give is joined by an index: where one call in a million would do, some thousand
//! of each side have a pair. Elements of one list or tuple are inputs of their own. An order that few values of one
//! function have (`f(X) > 134000000`) is met at one of many points, too.

use constraint::{Arena, Condition, Evaluator, Expr, Node, Test, ValueCache};
use fastrand::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use super::order::{above, all_parts_of, is_within};
use super::sums::add;
use super::trials::changed;
use super::{LOST, OpaqueSearch, Settlement, in_order};
use crate::structural::accepts;

/// The same points every time.
const SEED: u64 = 0x9013;
/// Calls of functions that the program itself has, or whose code cannot be had: these take longer.
const SLOW: u32 = 12_000;
/// Calls where one side alone has to meet the condition: there is nothing to join.
const ALONE: u32 = 16_000;
/// The same of functions that take longer.
const ALONE_SLOW: u32 = 1_000;
/// Points of each input where three are joined.
const THREE: usize = 2_048;
/// Points that fit the equation and are looked at whole; many of them may be alike, so that they do not meet the rest.
const CANDIDATES: u32 = 512;
/// Of these so many for each new point.
const PAIRS: usize = 8;
/// Changes in a row that lead nowhere new.
const MISSES: u32 = 256;
/// Changes that lead from the inputs there are to a point.
const CHANGES: usize = 3;

/// The part of an equation that depends on the same parts of inputs.
struct Side {
    /// These parts, of which none is in another.
    roots: Vec<Expr>,
    /// Factors and what they are factors of.
    sum: Vec<(i128, Expr)>,
    /// The conditions on these parts alone.
    own: Vec<usize>,
    /// Values of the parts, and of the sum.
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
    /// Joins points of the inputs that the newest condition, an equation between numbers or an order, is about.
    pub fn join(&mut self) -> Settlement {
        let Some((mut sides, constant)) = self.sides() else { return LOST };
        let is_slow = self.calls.clone().into_iter().any(|call| self.is_unknown(call));
        let most = match (sides.len(), is_slow) {
            (1, true) => ALONE_SLOW,
            (1, false) => ALONE,
            (_, true) => SLOW,
            (_, false) => self.left.joined,
        };
        self.left.joined = self.left.joined.min(most);
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
    fn inputs_at(&mut self, sides: &[Side], chosen: &[usize]) -> Vec<Term> {
        let mut inputs = self.task.near.to_vec();
        for (side, point) in sides.iter().zip(chosen) {
            self.set(&mut inputs, side, &side.points[*point].0);
        }
        inputs
    }

    /// Gives the parts that a side is about these values.
    fn set(&mut self, inputs: &mut [Term], side: &Side, values: &[Term]) {
        let arena = self.sampler.arena();
        side.roots.iter().zip(values).for_each(|(root, value)| set_part(arena, inputs, *root, value.clone()));
    }

    /// The sides of the newest condition, and its constant.
    fn sides(&mut self) -> Option<(Vec<Side>, i128)> {
        let conditions = self.task.conditions;
        let newest = conditions.last()?;
        let (mut sides, constant) = match (newest.test, newest.holds) {
            (Test::Same(a, b) | Test::Equal(a, b), true) => self.equated(a, b)?,
            (Test::Less(..), _) => (vec![self.ordered(newest)?], 0),
            _ => return None,
        };
        let arena = self.sampler.arena();
        for (at, condition) in conditions[..conditions.len() - 1].iter().enumerate() {
            let of: Vec<Expr> = condition.test.exprs().flat_map(|expr| all_parts_of(arena, expr)).collect();
            let is_own = |side: &&mut Side| !of.is_empty() && of.iter().all(|part| side.has(arena, *part));
            sides.iter_mut().find(is_own).into_iter().for_each(|side| side.own.push(at));
        }
        Some((sides, constant))
    }

    /// The sides of an equation; what is no application and has nothing to do with any stays as it is.
    fn equated(&mut self, a: Expr, b: Expr) -> Option<(Vec<Side>, i128)> {
        let near = self.task.near;
        let arena = self.sampler.arena();
        let (mut sum, mut constant) = (Vec::new(), 0);
        add(arena, a, 1, &mut sum, &mut constant)?;
        add(arena, b, -1, &mut sum, &mut constant)?;
        let is_applied = |side: &Side| side.sum.iter().any(|(_, expr)| !applications(arena, *expr).is_empty());
        let (sides, held): (Vec<Side>, Vec<Side>) = grouped(arena, sum, near.len())?.into_iter().partition(is_applied);
        for (factor, expr) in held.iter().flat_map(|side| &side.sum) {
            let value = Evaluator::new(arena, near).value(*expr).ok()?.as_i64()?;
            constant = constant.checked_add(factor.checked_mul(i128::from(value))?)?;
        }
        (!sides.is_empty() && sides.len() <= 3).then_some((sides, constant))
    }

    /// A side that is about all parts in a condition, and has to meet that.
    fn ordered(&mut self, newest: &Condition) -> Option<Side> {
        let (near, last) = (self.task.near.len(), self.task.conditions.len() - 1);
        let arena = self.sampler.arena();
        let roots: Vec<Expr> = newest.test.exprs().flat_map(|expr| all_parts_of(arena, expr)).collect();
        let is_input = |part: &Expr| input_of(arena, *part).is_some_and(|at| at < near);
        if roots.is_empty() || !roots.iter().all(is_input) {
            return None;
        }
        let mut side = Side::of(arena, roots, None, Vec::new());
        side.own.push(last);
        Some(side)
    }

    /// Adds a point to a side; false if there seem to be no more.
    fn grow(&mut self, side: &mut Side) -> bool {
        let mut misses = MISSES;
        while misses > 0 {
            if self.left.joined == 0 || self.stopped {
                return false;
            }
            let Some(values) = self.next_values(side) else {
                misses -= 1;
                continue;
            };
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
        let mut inputs = self.task.near.to_vec();
        let mut evaluator = Evaluator::new(self.sampler.arena(), &inputs);
        let values: Result<Vec<Term>, _> = side.roots.iter().map(|root| evaluator.value(*root)).collect();
        let mut values = values.ok()?;
        if count > 0 {
            let changed = side.rng.usize(..side.roots.len());
            values[changed] = moved(&values[changed], count, &mut side.rng);
        }
        self.set(&mut inputs, side, &values);
        let (arena, grammar) = self.sampler.terms();
        let is_allowed =
            |root: &Expr| input_of(arena, *root).is_some_and(|at| accepts(grammar, self.task.inputs[at], &inputs[at]));
        let is_allowed = side.roots.iter().all(is_allowed);
        (side.seen.insert(values.clone()) && is_allowed).then_some(values)
    }

    /// The value of a side's sum; nothing inside if these inputs do not fit, nothing at all if a function cannot be called.
    #[expect(clippy::option_option, reason = "three ways to end")]
    fn value_of(&mut self, side: &Side, values: &[Term]) -> Option<Option<i128>> {
        let conditions = self.task.conditions;
        let mut inputs = self.task.near.to_vec();
        self.set(&mut inputs, side, values);
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
            self.charge(&outcome);
            known.insert(call, Ok(outcome));
        }
        Some(Some(known))
    }
}

impl Side {
    /// A side with one summand, joined with others that share parts with it.
    fn of(arena: &Arena, roots: Vec<Expr>, summand: Option<(i128, Expr)>, shared: Vec<Side>) -> Side {
        let mut side = Side {
            roots,
            sum: summand.into_iter().collect(),
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
        let all = side.roots.clone();
        side.roots.retain(|root| !all.iter().any(|other| other != root && is_within(arena, *root, *other)));
        side
    }

    /// Returns true if it is about a part of an input, or about the whole that this is in.
    fn has(&self, arena: &Arena, part: Expr) -> bool {
        self.roots.iter().any(|root| is_within(arena, part, *root))
    }

    /// Returns true if a part has anything to do with those it is about.
    fn touches(&self, arena: &Arena, part: Expr) -> bool {
        self.has(arena, part) || self.roots.iter().any(|root| is_within(arena, *root, part))
    }
}

/// Puts a value into inputs in the place of a part.
fn set_part(arena: &Arena, inputs: &mut [Term], part: Expr, value: Term) {
    let whole = |of: Expr, inputs: &[Term]| Evaluator::new(arena, inputs).value(of).ok();
    match arena.node(part) {
        Node::Input(at) => inputs[*at as usize] = value,
        Node::Head(list) => {
            if let Some(Term::Cons(_, cell)) = whole(*list, inputs) {
                let changed = Term::cons(value, cell.tail.clone());
                set_part(arena, inputs, *list, changed);
            }
        }
        Node::Tail(list) => {
            if let Some(Term::Cons(_, cell)) = whole(*list, inputs) {
                let changed = Term::cons(cell.head.clone(), value);
                set_part(arena, inputs, *list, changed);
            }
        }
        Node::Element(tuple, at) => {
            let items = whole(*tuple, inputs).and_then(|whole| whole.as_tuple().map(<[Term]>::to_vec));
            if let Some(mut items) = items.filter(|items| (*at as usize) < items.len()) {
                items[*at as usize] = value;
                set_part(arena, inputs, *tuple, Term::tuple(items));
            }
        }
        _ => {}
    }
}

/// The input that a part is of.
fn input_of(arena: &Arena, part: Expr) -> Option<usize> {
    let top = std::iter::successors(Some(part), |at| above(arena, *at)).last()?;
    match arena.node(top) {
        Node::Input(at) => Some(*at as usize),
        _ => None,
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

/// Summands by the parts of inputs that they depend on, of which there are so many; nothing if one depends on none.
fn grouped(arena: &Arena, sum: Vec<(i128, Expr)>, inputs: usize) -> Option<Vec<Side>> {
    let mut sides: Vec<Side> = Vec::new();
    for (factor, expr) in sum {
        let roots = all_parts_of(arena, expr);
        if roots.is_empty() || roots.iter().any(|root| input_of(arena, *root).is_none_or(|at| at >= inputs)) {
            return None;
        }
        let (shared, others): (Vec<Side>, Vec<Side>) =
            sides.into_iter().partition(|side| roots.iter().any(|root| side.touches(arena, *root)));
        sides = others;
        sides.push(Side::of(arena, roots, Some((factor, expr)), shared));
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
            pairs.take(PAIRS).collect()
        }
        _ => Vec::new(),
    }
}

fn applications(arena: &Arena, expr: Expr) -> Vec<Expr> {
    super::rewrite::applications(arena, &[Condition { test: Test::Defined(expr), holds: true }])
}
