//! The input grammar: what an input may look like, as a regular tree grammar.
//!
//! A rule is a union of shapes, and the parts of a shape are rules again; a recursive type is a recursive rule.

use std::sync::atomic::{AtomicU64, Ordering};

use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use term::{Atom, Term};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RuleId(pub u32);

/// A union of shapes; no shape at all is a type without values (`none()`).
#[derive(Clone, PartialEq, Debug)]
pub struct Rule<L = Term> {
    /// The declared type this rule is an instance of.
    pub name: Option<(Atom, Atom)>,
    pub shapes: Vec<Shape<L>>,
}

/// One way a value can look; a literal is a term, or stands for one in a form that can travel.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape<L = Term> {
    /// Any term whatever.
    Any,
    /// A single atom, integer or the empty list.
    Literal(L),
    Atom,
    /// Bounds included; `None` is unbounded.
    Integer {
        low: Option<BigInt>,
        high: Option<BigInt>,
    },
    Float,
    Cons(RuleId, RuleId),
    /// A tuple of any size.
    AnyTuple,
    Tuple(Vec<RuleId>),
    Map(Vec<MapField>),
    /// `base` bits and any number of times `unit` more; a unit of 0 means none.
    Bits {
        base: u64,
        unit: u64,
    },
    /// `None`: any arity.
    Fun {
        params: Option<Vec<RuleId>>,
        result: RuleId,
    },
    Pid,
    Port,
    Reference,
    /// All shapes of another rule; gone once the grammar is closed.
    Rule(RuleId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct MapField {
    pub key: RuleId,
    pub value: RuleId,
    /// `:=`, as against `=>`.
    pub mandatory: bool,
}

#[derive(Clone, Default)]
pub struct Grammar {
    rules: Vec<Rule>,
    stamp: u64,
}

/// The stamp of the next change of any grammar.
static STAMPS: AtomicU64 = AtomicU64::new(1);

impl Grammar {
    /// Rules as they stood in another grammar, in the order they had there.
    pub(crate) fn of_rules(rules: Vec<Rule>) -> Grammar {
        let mut grammar = Grammar { rules, stamp: 0 };
        grammar.change();
        grammar
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// A rule to be filled later: a recursive type refers to itself before it is known.
    pub fn reserve(&mut self) -> RuleId {
        self.push(Rule { name: None, shapes: Vec::new() })
    }

    /// As [`Grammar::reserve`], for an instance of a declared type.
    pub fn reserve_named(&mut self, module: Atom, name: Atom) -> RuleId {
        self.push(Rule { name: Some((module, name)), shapes: Vec::new() })
    }

    /// Two grammars with the same stamp are equal: whoever derives something from a grammar can keep it by its stamp.
    /// It says nothing else and differs from run to run.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    fn change(&mut self) {
        self.stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
    }

    fn push(&mut self, rule: Rule) -> RuleId {
        self.change();
        self.rules.push(rule);
        RuleId(self.rules.len() as u32 - 1)
    }

    pub fn fill(&mut self, id: RuleId, shapes: Vec<Shape>) {
        self.change();
        self.rules[id.0 as usize].shapes = shapes;
    }

    /// The rule of these shapes: an existing one if there is one, so that equal instances of a parametric type meet.
    pub fn intern(&mut self, shapes: Vec<Shape>) -> RuleId {
        if let [Shape::Rule(id)] = shapes[..] {
            return id;
        }
        let rule = Rule { name: None, shapes };
        let known = self.rules.iter().position(|known| *known == rule && !rule.shapes.is_empty());
        known.map_or_else(|| self.push(rule), |at| RuleId(at as u32))
    }

    /// Replaces references to whole rules by the shapes they stand for.
    pub fn close(&mut self) {
        self.change();
        let expanded: Vec<Vec<Shape>> = (0..self.rules.len()).map(|at| self.expand(RuleId(at as u32))).collect();
        for (rule, shapes) in self.rules.iter_mut().zip(expanded) {
            rule.shapes = shapes;
        }
    }

    /// The height of the smallest tree of each rule; `None` where a rule has no finite tree.
    pub fn heights(&self) -> Vec<Option<u32>> {
        let mut heights = vec![None; self.rules.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (at, rule) in self.rules.iter().enumerate() {
                let best = rule.shapes.iter().filter_map(|shape| shape.height(&heights)).min();
                if best.is_some() && (heights[at].is_none() || best < heights[at]) {
                    heights[at] = best;
                    changed = true;
                }
            }
        }
        heights
    }

    fn expand(&self, start: RuleId) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let mut seen = FxHashSet::from_iter([start]);
        let mut todo = vec![start];
        while let Some(id) = todo.pop() {
            for shape in &self.rule(id).shapes {
                match shape {
                    Shape::Rule(next) if seen.insert(*next) => todo.push(*next),
                    Shape::Rule(_) => {}
                    shape if shapes.contains(shape) => {}
                    shape => shapes.push(shape.clone()),
                }
            }
        }
        shapes
    }
}

impl Shape {
    /// The height of this shape's smallest tree, given those of the rules it needs.
    pub fn height(&self, rules: &[Option<u32>]) -> Option<u32> {
        let of = |id: &RuleId| rules[id.0 as usize];
        match self {
            Shape::Cons(head, tail) => above([of(head), of(tail)]),
            Shape::Tuple(items) => above(items.iter().map(of)),
            Shape::Map(fields) => {
                above(fields.iter().filter(|field| field.mandatory).flat_map(|f| [of(&f.key), of(&f.value)]))
            }
            Shape::Rule(id) => of(id),
            _ => Some(0),
        }
    }
}

/// One more than the highest part, if all parts have a tree.
fn above(parts: impl IntoIterator<Item = Option<u32>>) -> Option<u32> {
    parts.into_iter().try_fold(0, |most, part| Some(most.max(part?))).map(|most| most + 1)
}
