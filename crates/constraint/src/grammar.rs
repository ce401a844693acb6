//! The grammar of inputs, a regular tree grammar.
//!
//! A rule is a union of shapes, and the parts of a shape are rules again; a recursive type is a recursive rule.

use std::cell::OnceCell;

use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use term::{Atom, Term};

/// The number of a rule in its grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct RuleId(pub u32);

/// A union of shapes; no shape at all is a type without values (`none()`).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GrammarRule {
    /// The declared type this rule is an instance of.
    pub name: Option<(Atom, Atom)>,
    /// The shapes, each of which a value may have.
    pub shapes: Vec<Shape>,
}

/// One shape of a value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Shape {
    /// Any term whatever.
    Any,
    /// A single atom, integer or the empty list, or a value of an opaque type.
    Literal(Term),
    /// Any atom.
    Atom,
    /// Bounds included; `None` is unbounded.
    Integer { low: Option<BigInt>, high: Option<BigInt> },
    /// Any float.
    Float,
    /// A list cell: head and tail.
    Cons(RuleId, RuleId),
    /// A tuple of any size.
    AnyTuple,
    /// A tuple of these elements.
    Tuple(Vec<RuleId>),
    /// A map of these fields.
    Map(Vec<MapField>),
    /// `base` bits and any number of times `unit` more; a unit of 0 means none.
    Bits { base: u64, unit: u64 },
    /// `None`: any arity.
    Fun { params: Option<Vec<RuleId>>, result: RuleId },
    /// Any pid.
    Pid,
    /// Any port.
    Port,
    /// Any reference.
    Reference,
    /// All shapes of another rule; gone once the grammar is closed.
    Rule(RuleId),
}

impl Shape {
    /// The rules of its parts.
    pub fn parts(&self) -> Vec<RuleId> {
        match self {
            Shape::Cons(head, tail) => vec![*head, *tail],
            Shape::Tuple(rules) => rules.clone(),
            Shape::Map(fields) => fields.iter().flat_map(|field| [field.key, field.value]).collect(),
            Shape::Fun { params, result } => params.iter().flatten().copied().chain([*result]).collect(),
            Shape::Rule(rule) => vec![*rule],
            _ => Vec::new(),
        }
    }
}

/// A field of a map type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MapField {
    /// The rule of the key.
    pub key: RuleId,
    /// The rule of the value.
    pub value: RuleId,
    /// `:=`, as against `=>`.
    pub mandatory: bool,
}

/// A regular tree grammar, as data the list of its rules.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<GrammarRule>", into = "Vec<GrammarRule>")]
pub struct Grammar {
    rules: Vec<GrammarRule>,
    /// The hash of the rules, once it was asked for.
    hash: OnceCell<GrammarHash>,
}

/// The hash of a grammar's content: the same in every process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct GrammarHash([u8; 32]);

impl From<Vec<GrammarRule>> for Grammar {
    fn from(rules: Vec<GrammarRule>) -> Grammar {
        Grammar { rules, hash: OnceCell::new() }
    }
}

impl From<Grammar> for Vec<GrammarRule> {
    fn from(grammar: Grammar) -> Vec<GrammarRule> {
        grammar.rules
    }
}

impl Grammar {
    /// The rules, in the order of their numbers.
    pub fn rules(&self) -> &[GrammarRule] {
        &self.rules
    }

    /// The rule with this number.
    pub fn rule(&self, id: RuleId) -> &GrammarRule {
        &self.rules[id.0 as usize]
    }

    /// True if a rule is wanted, or one that values of it have parts of.
    pub fn reaches(&self, rule: RuleId, wanted: impl Fn(RuleId) -> bool) -> bool {
        let (mut seen, mut at) = (vec![rule], 0);
        while at < seen.len() {
            if wanted(seen[at]) {
                return true;
            }
            for part in self.rule(seen[at]).shapes.iter().flat_map(Shape::parts) {
                if !seen.contains(&part) {
                    seen.push(part);
                }
            }
            at += 1;
        }
        false
    }

    /// The number of rules.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// True if there is no rule.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// A rule to be filled later: a recursive type refers to itself before it is known.
    pub fn reserve(&mut self) -> RuleId {
        self.push(GrammarRule { name: None, shapes: Vec::new() })
    }

    /// As [`Grammar::reserve`], for an instance of a declared type.
    pub fn reserve_named(&mut self, module: Atom, name: Atom) -> RuleId {
        self.push(GrammarRule { name: Some((module, name)), shapes: Vec::new() })
    }

    /// The hash of its content, by which others refer to it: computed once after each change.
    pub fn hash(&self) -> GrammarHash {
        *self.hash.get_or_init(|| {
            // A literal has no external form only if it is larger than that form can say; its text stands for it then.
            let bytes = postcard::to_stdvec(&self.rules);
            let bytes = bytes.unwrap_or_else(|_| format!("{:?}", self.rules).into_bytes());
            GrammarHash(*blake3::hash(&bytes).as_bytes())
        })
    }

    fn change(&mut self) {
        self.hash = OnceCell::new();
    }

    fn push(&mut self, rule: GrammarRule) -> RuleId {
        self.change();
        self.rules.push(rule);
        RuleId(self.rules.len() as u32 - 1)
    }

    /// Gives a reserved rule its shapes.
    pub fn fill(&mut self, id: RuleId, shapes: Vec<Shape>) {
        self.change();
        self.rules[id.0 as usize].shapes = shapes;
    }

    /// The rule of these shapes: an existing one if there is one, so that equal instances of a parametric type meet.
    pub fn intern(&mut self, shapes: Vec<Shape>) -> RuleId {
        if let [Shape::Rule(id)] = shapes[..] {
            return id;
        }
        let rule = GrammarRule { name: None, shapes };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grammar_reads_back_with_its_hash() {
        let mut grammar = Grammar::default();
        let any = grammar.intern(vec![Shape::Any]);
        let name = grammar.reserve_named(Atom::new("m"), Atom::new("t"));
        let before = grammar.hash();
        let field = MapField { key: any, value: name, mandatory: true };
        let shapes = vec![
            Shape::Literal(Term::atom_named("a")),
            Shape::Integer { low: Some(3.into()), high: None },
            Shape::Cons(any, name),
            Shape::Tuple(vec![name, any]),
            Shape::Map(vec![field]),
            Shape::Bits { base: 3, unit: 8 },
            Shape::Fun { params: Some(vec![any]), result: RuleId(0) },
            Shape::Rule(any),
        ];
        grammar.fill(name, [shapes, vec![Shape::Atom, Shape::Float, Shape::AnyTuple, Shape::Pid]].concat());
        let bytes = postcard::to_stdvec(&grammar).expect("it is written");
        let read: Grammar = postcard::from_bytes(&bytes).expect("it is read");
        assert_eq!(read.rules(), grammar.rules());
        assert_eq!(read.hash(), grammar.hash());
        assert_ne!(before, grammar.hash());
    }
}
