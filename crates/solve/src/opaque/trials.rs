//! Inputs that are tried without asking a solver: parts of those there are change a little, and opaque functions are
//! called wherever a condition needs them. That finds inputs where one point in a few hundred will do.

use constraint::{Evaluator, Expr, Node, Test, cells};
use fastrand::Rng;
use term::{Map, Term};

use super::{LOST, OpaqueSearch, Settlement};
use crate::structural::accepts;

/// The same trials every time.
const SEED: u64 = 0x7a11;
/// Nodes of a term that a change can reach.
const REACH: usize = 4_096;

/// The cells that a call which comes to no end counts for.
const LOST_CELLS: u64 = 400_000;

/// Bytes and numbers that are gone through one by one.
const SWEPT: usize = 16;

/// The result of a trial.
enum Tried {
    /// So many conditions hold, then one does not.
    Met(usize),
    All,
    /// A function cannot be called.
    Stuck,
}

impl OpaqueSearch<'_> {
    /// Changes the inputs to start from, keeping the changes that meet no fewer conditions.
    pub fn trials(&mut self) -> Settlement {
        let newest = self.task.conditions.last().map(|condition| (condition.test, condition.holds));
        // A function of the VM that has always returned does not fail by chance.
        if matches!(newest, Some((Test::Tuple(call, 1), false)) if self.calls.contains(&call) && !self.is_unknown(call))
        {
            return LOST;
        }
        let roots = self.roots();
        let (mut rng, mut best) = (Rng::with_seed(SEED), self.task.near.to_vec());
        let mut most = match self.tried(&best) {
            Tried::Met(count) => count,
            _ => return LOST,
        };
        // Every byte and small number in turn, then anything.
        let sweeps: Vec<(usize, usize)> =
            roots.iter().flat_map(|at| (0..places(&best[*at])).map(move |place| (*at, place))).take(SWEPT).collect();
        let start = best.clone();
        let mut sweep = (0..=255).flat_map(|value| sweeps.iter().map(move |(at, place)| (*at, *place, value)));
        let half = self.left.trials / 2;
        while self.left.trials > 0 && !self.stopped && !roots.is_empty() {
            self.left.trials -= 1;
            let mut inputs = best.clone();
            match sweep.next().filter(|_| self.left.trials > half) {
                Some((at, place, value)) => inputs[at] = set(&start[at], &mut { place }, value),
                None => {
                    for _ in 0..=rng.u32(..2) {
                        let at = roots[rng.usize(..roots.len())];
                        inputs[at] = changed(&inputs[at], &mut rng);
                    }
                }
            }
            if inputs == best || !self.are_allowed(&inputs) {
                continue;
            }
            match self.tried(&inputs) {
                Tried::All => return Settlement::Inputs(inputs, Vec::new()),
                Tried::Met(count) if count >= most => (best, most) = (inputs, count),
                Tried::Met(_) => {}
                Tried::Stuck => return LOST,
            }
        }
        LOST
    }

    /// Counts the cells of an outcome; after so many no more points are tried or joined.
    pub fn charge(&mut self, outcome: &Term) {
        self.charge_cells(cells(outcome, self.left.cells));
    }

    /// The same of a call that came to no end within its bounds: it gives nothing.
    pub fn charge_lost<T>(&mut self) -> Option<T> {
        self.charge_cells(LOST_CELLS);
        None
    }

    fn charge_cells(&mut self, cells: u64) {
        self.left.cells = self.left.cells.saturating_sub(cells);
        if self.left.cells == 0 {
            (self.left.trials, self.left.joined) = (0, 0);
        }
    }

    /// True if nothing is known of the function of an application.
    pub fn is_unknown(&mut self, call: Expr) -> bool {
        let Node::Opaque(function, _) = *self.sampler.arena().node(call) else { return false };
        self.sampler.is_unknown(function)
    }

    /// Returns true if inputs meet all conditions; functions are called where they have to be.
    pub fn meets_all(&mut self, inputs: &[Term]) -> bool {
        matches!(self.tried(inputs), Tried::All)
    }

    /// The inputs that the arguments of applications depend on.
    fn roots(&mut self) -> Vec<usize> {
        let arena = self.sampler.arena();
        let mut roots: Vec<usize> = Vec::new();
        arena.visit(self.calls.iter().copied(), |_, node| {
            if let Node::Input(at) = node {
                roots.push(*at as usize);
            }
            true
        });
        roots.retain(|at| *at < self.task.near.len());
        roots.sort_unstable();
        roots
    }

    fn are_allowed(&self, inputs: &[Term]) -> bool {
        let (_, grammar) = self.sampler.terms();
        self.task.inputs.iter().zip(inputs).all(|(rule, input)| accepts(grammar, *rule, input))
    }

    /// The number of conditions that inputs meet; functions are called where they have to be.
    fn tried(&mut self, inputs: &[Term]) -> Tried {
        let conditions = self.task.conditions;
        let (mut at, mut calls) = (0, 0);
        while at < conditions.len() {
            let mut evaluator = Evaluator::new(self.sampler.arena(), inputs);
            while at < conditions.len() && evaluator.holds(&conditions[at]) == Ok(true) {
                at += 1;
            }
            let Some((function, args)) = evaluator.missing().cloned() else { break };
            // The first call is part of the trial.
            self.left.trials = self.left.trials.saturating_sub(calls.min(1));
            calls += 1;
            if self.sampler.arena().samples.is_stateful(function) {
                return Tried::Stuck;
            }
            match self.sampler.observe(function, &args, inputs) {
                Some(outcome) => self.charge(&outcome),
                None => return Tried::Stuck,
            }
        }
        if at == conditions.len() { Tried::All } else { Tried::Met(at) }
    }
}

/// The number of bytes and numbers in a term.
fn places(term: &Term) -> usize {
    term::deeper(|| match term {
        Term::Int(..) => 1,
        Term::Bits(_, bits) if bits.is_binary() => bits.byte_len(),
        Term::Tuple(_, items) => items.iter().map(places).sum(),
        Term::Cons(..) => term.cells().map(places).sum(),
        _ => 0,
    })
}

/// The same term with another byte or number at a place; the place counts down to it.
fn set(term: &Term, place: &mut usize, value: u8) -> Term {
    let here = places(term);
    if *place >= here {
        *place -= here;
        return term.clone();
    }
    term::deeper(|| match term {
        Term::Bits(_, bits) => {
            let mut bytes = bits.to_bytes().into_owned();
            bytes[std::mem::replace(place, usize::MAX)] = value;
            Term::binary(bytes)
        }
        Term::Tuple(_, items) => Term::tuple(items.iter().map(|item| set(item, place, value)).collect::<Vec<_>>()),
        Term::Cons(..) => {
            let mut cells = term.cells();
            let items: Vec<Term> = cells.by_ref().map(|item| set(item, place, value)).collect();
            Term::list_with_tail(items, cells.rest().clone())
        }
        _ => {
            *place = usize::MAX;
            Term::int(i64::from(value))
        }
    })
}

/// The same term with one part changed.
pub fn changed(term: &Term, rng: &mut Rng) -> Term {
    term::deeper(|| match term {
        Term::Int(..) => Term::int(number(term.as_i64().unwrap_or(0), rng)),
        Term::Float(_, value) => Term::float(number(*value as i64, rng) as f64 + 0.25 * f64::from(rng.u8(..4))),
        Term::Atom(..) => Term::atom_named(&format!("{}{}", rng.lowercase(), rng.u16(..))),
        Term::Bits(_, bits) if bits.is_binary() => Term::binary(bytes(bits.to_bytes().into_owned(), rng)),
        Term::Tuple(_, items) if !items.is_empty() => {
            let mut items = items.to_vec();
            let at = rng.usize(..items.len());
            items[at] = changed(&items[at], rng);
            Term::tuple(items)
        }
        Term::Nil(..) => Term::list([Term::int(number(97, rng))]),
        Term::Cons(..) => match term.proper_list().filter(|items| items.len() <= REACH) {
            Some(items) => Term::list(listed(items, rng)),
            None => term.clone(),
        },
        Term::Map(_, map) => {
            let mut pairs: Vec<(Term, Term)> = map.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            if pairs.is_empty() {
                return term.clone();
            }
            let at = rng.usize(..pairs.len());
            pairs[at].1 = changed(&pairs[at].1, rng);
            Term::map(Map::from_pairs(pairs))
        }
        other => other.clone(),
    })
}

fn listed(mut items: Vec<Term>, rng: &mut Rng) -> Vec<Term> {
    let at = rng.usize(..items.len());
    match rng.u32(..8) {
        0 => drop(items.remove(at)),
        1 => items.insert(at, items[at].clone()),
        _ => items[at] = changed(&items[at], rng),
    }
    items
}

fn bytes(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    if bytes.is_empty() || rng.u32(..8) == 0 && bytes.len() < REACH {
        bytes.push(rng.u8(..));
    } else if rng.u32(..8) == 0 {
        bytes.pop();
    } else {
        let at = rng.usize(..bytes.len());
        bytes[at] = rng.u8(..);
    }
    bytes
}

fn number(value: i64, rng: &mut Rng) -> i64 {
    match rng.u32(..6) {
        0 => value.wrapping_add(rng.i64(-8..=8)),
        1 => rng.i64(0..=15),
        2 | 3 => rng.i64(0..=255),
        4 => rng.i64(-0x1_0000..=0x1_0000),
        _ => rng.i64(0..=0xffff_ffff),
    }
}
