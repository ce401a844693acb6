//! Domains: the values a term can have, as a set of rules that it must all satisfy, expanded only where needed.

use std::rc::Rc;

use constraint::{Grammar, Kinds, MapField, RuleId, Shape, Type, is_of};
use rustc_hash::FxHashMap;
use term::{HandleKind, Term};

use super::accept::{accepts, bits_accept, fields_accept, gives};
use super::funs::ENDLESS;
use super::maps::field_of;
use super::production::{Prod, insert};
use crate::integer::interval::Range;

/// A set of rules; the empty one is [`DomId::ANY`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DomId(u32);

impl DomId {
    /// The domain of all terms.
    pub const ANY: DomId = DomId(0);
}

/// A rule of our own: `[]`, or a cell whose tail is of this rule again.
pub const PROPER: RuleId = RuleId(u32::MAX);
/// The rule of everything else.
pub const IMPROPER: RuleId = RuleId(u32::MAX - 1);
/// A list of characters that ends in `[]`.
pub const TEXT: RuleId = RuleId(u32::MAX - 2);
/// Everything else.
pub const NO_TEXT: RuleId = RuleId(u32::MAX - 3);
const CHARACTER: RuleId = RuleId(u32::MAX - 4);
const NO_CHARACTER: RuleId = RuleId(u32::MAX - 5);

/// The domains of a grammar that were asked for.
pub struct Domains {
    grammar: Grammar,
    sets: Vec<Rc<[RuleId]>>,
    index: FxHashMap<Rc<[RuleId]>, DomId>,
    raw: Vec<Option<Rc<[Prod]>>>,
    alive: Vec<Option<Rc<[Prod]>>>,
    /// Once known, the height of the smallest tree, if there is one.
    heights: Vec<Option<Option<u32>>>,
}

impl Domains {
    /// The domains of a grammar.
    pub fn new(grammar: &Grammar) -> Domains {
        let mut domains = Domains {
            grammar: grammar.clone(),
            sets: Vec::new(),
            index: FxHashMap::default(),
            raw: Vec::new(),
            alive: Vec::new(),
            heights: Vec::new(),
        };
        let any = domains.of_set(Rc::new([]));
        domains.prods(any);
        domains
    }

    fn of_set(&mut self, set: Rc<[RuleId]>) -> DomId {
        if let Some(&id) = self.index.get(&set) {
            return id;
        }
        let id = DomId(self.sets.len() as u32);
        self.index.insert(set.clone(), id);
        self.sets.push(set);
        self.raw.push(None);
        self.alive.push(None);
        self.heights.push(None);
        id
    }

    /// The domain of a rule.
    pub fn of_rule(&mut self, rule: RuleId) -> DomId {
        let is_any = rule < NO_CHARACTER && self.grammar.rule(rule).shapes.contains(&Shape::Any);
        if is_any { DomId::ANY } else { self.of_set(Rc::new([rule])) }
    }

    /// The characters that text is made of.
    pub fn character(&mut self) -> DomId {
        self.of_set(Rc::new([CHARACTER]))
    }

    /// The domain of the values that both allow.
    pub fn meet(&mut self, a: DomId, b: DomId) -> DomId {
        if a == b || b == DomId::ANY {
            return a;
        }
        if a == DomId::ANY {
            return b;
        }
        let mut rules: Vec<RuleId> =
            self.sets[a.0 as usize].iter().chain(self.sets[b.0 as usize].iter()).copied().collect();
        rules.sort_unstable();
        rules.dedup();
        self.of_set(rules.into())
    }

    /// Everything that one of the domains allows.
    pub fn union(&mut self, doms: &[DomId]) -> Rc<[Prod]> {
        if let [dom] = doms {
            return self.prods(*dom);
        }
        let mut all: Vec<Prod> = Vec::new();
        for dom in doms {
            self.prods(*dom).iter().for_each(|prod| insert(&mut all, prod.clone()));
        }
        all.into()
    }

    /// The productions of the domain that have a value each.
    pub fn prods(&mut self, dom: DomId) -> Rc<[Prod]> {
        if let Some(prods) = &self.alive[dom.0 as usize] {
            return prods.clone();
        }
        let raw = self.raw(dom);
        let alive = self.inhabited(raw);
        self.alive[dom.0 as usize] = Some(alive.clone());
        alive
    }

    /// Those that have values.
    fn inhabited(&mut self, prods: Rc<[Prod]>) -> Rc<[Prod]> {
        if prods.iter().all(|prod| self.prod_height(prod).is_some()) {
            return prods;
        }
        prods.iter().filter(|prod| self.prod_height(prod).is_some()).cloned().collect()
    }

    fn raw(&mut self, dom: DomId) -> Rc<[Prod]> {
        if let Some(prods) = &self.raw[dom.0 as usize] {
            return prods.clone();
        }
        let set = self.sets[dom.0 as usize].clone();
        let prods = match &set[..] {
            [] => any_prods().into(),
            [first, rest @ ..] => {
                let first = self.of_one(*first);
                rest.iter().fold(first, |all, rule| {
                    let next = self.of_one(*rule);
                    self.cross(&all, &next)
                })
            }
        };
        self.raw[dom.0 as usize] = Some(prods.clone());
        prods
    }

    fn of_one(&mut self, rule: RuleId) -> Rc<[Prod]> {
        let dom = self.of_set(Rc::new([rule]));
        if let Some(prods) = &self.raw[dom.0 as usize] {
            return prods.clone();
        }
        let prods: Rc<[Prod]> = match rule {
            PROPER => Rc::new([Prod::Nil, Prod::Cons(DomId::ANY, dom)]),
            IMPROPER => {
                let others = any_prods().into_iter().filter(|prod| !Kinds::LIST.has(prod.kind()));
                others.chain([Prod::Cons(DomId::ANY, dom)]).collect()
            }
            TEXT => Rc::new([Prod::Nil, Prod::Cons(self.of_set(Rc::new([CHARACTER])), dom)]),
            NO_TEXT => {
                let others = any_prods().into_iter().filter(|prod| !Kinds::LIST.has(prod.kind()));
                let [fault, character] = [NO_CHARACTER, CHARACTER].map(|rule| self.of_set(Rc::new([rule])));
                others.chain([Prod::Cons(fault, DomId::ANY), Prod::Cons(character, dom)]).collect()
            }
            CHARACTER => CHARACTERS.map(|(low, high)| integers(Some(low), Some(high))).into(),
            NO_CHARACTER => {
                let others = any_prods().into_iter().filter(|prod| prod.kind() != Kinds::INTEGER);
                let [(_, before), (after, last)] = CHARACTERS;
                let gaps = [
                    integers(Some(last + 1), None),
                    integers(None, Some(-1)),
                    integers(Some(before + 1), Some(after - 1)),
                ];
                others.chain(gaps).collect()
            }
            rule => self.of_shapes(rule),
        };
        self.raw[dom.0 as usize] = Some(prods.clone());
        prods
    }

    fn of_shapes(&mut self, rule: RuleId) -> Rc<[Prod]> {
        let mut seen = vec![rule];
        let mut prods = Vec::new();
        let mut at = 0;
        while at < seen.len() {
            for shape in self.grammar.rule(seen[at]).shapes.clone() {
                match shape {
                    Shape::Any => return any_prods().into(),
                    Shape::Rule(next) if seen.contains(&next) => {}
                    Shape::Rule(next) => seen.push(next),
                    shape => prods.extend(Prod::of_shape(&shape, self)),
                }
            }
            at += 1;
        }
        prods.into()
    }

    /// Every production that both rows allow, with or without values.
    fn cross(&mut self, a: &Rc<[Prod]>, b: &Rc<[Prod]>) -> Rc<[Prod]> {
        let mut all: Vec<Prod> = Vec::new();
        for left in a.iter() {
            for right in b.iter().filter(|right| right.kind() == left.kind()) {
                if let Some(prod) = left.meet(right, self) {
                    all.push(prod);
                }
            }
        }
        let mut kept: Vec<Prod> = Vec::with_capacity(all.len());
        for prod in all {
            if kept.iter().any(|known| self.within(&prod, known)) {
                continue;
            }
            kept.retain(|known| !self.within(known, &prod));
            kept.push(prod);
        }
        kept.into()
    }

    /// Every production that both rows allow and that has values.
    pub fn meet_prods(&mut self, a: &Rc<[Prod]>, b: &Rc<[Prod]>) -> Rc<[Prod]> {
        if Rc::ptr_eq(a, b) || self.is_any(b) {
            return a.clone();
        }
        if self.is_any(a) {
            return b.clone();
        }
        let all = self.cross(a, b);
        self.inhabited(all)
    }

    fn is_any(&self, prods: &Rc<[Prod]>) -> bool {
        self.raw[0].as_ref().is_some_and(|any| Rc::ptr_eq(any, prods))
    }

    /// Returns true if the second is known to allow everything that the first does.
    fn within(&self, part: &Prod, whole: &Prod) -> bool {
        match (part, whole) {
            (Prod::Cons(a, b), Prod::Cons(c, d)) => self.dom_within(*a, *c) && self.dom_within(*b, *d),
            (Prod::Tuple(_), Prod::Tuple(None)) => true,
            (Prod::Tuple(Some(a)), Prod::Tuple(Some(b))) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.dom_within(*a, *b))
            }
            (Prod::Atom(_), Prod::Atom(None)) => true,
            (Prod::Fun(a, r), Prod::Fun(b, s)) => (b.is_none() || a == b) && self.dom_within(*r, *s),
            (Prod::Map(a), Prod::Map(b)) => b.iter().all(|row| a.contains(row)),
            (part, whole) => part == whole,
        }
    }

    /// More rules allow less.
    fn dom_within(&self, part: DomId, whole: DomId) -> bool {
        part == whole || {
            let (part, whole) = (&self.sets[part.0 as usize], &self.sets[whole.0 as usize]);
            whole.iter().all(|rule| part.contains(rule))
        }
    }

    /// The height of the smallest tree; `None` where there is none.
    pub fn height(&mut self, dom: DomId) -> Option<u32> {
        if self.heights[dom.0 as usize].is_none() {
            self.measure(dom);
        }
        self.heights[dom.0 as usize].flatten()
    }

    /// The least heights of everything that the domain can reach.
    fn measure(&mut self, start: DomId) {
        let mut reached = vec![start];
        let mut rows: Vec<Rc<[Prod]>> = Vec::new();
        let mut at = 0;
        while at < reached.len() {
            let prods = self.raw(reached[at]);
            let parts: Vec<DomId> = prods.iter().flat_map(|prod| self.parts(prod)).collect();
            for part in parts {
                if self.heights[part.0 as usize].is_none() && !reached.contains(&part) {
                    reached.push(part);
                }
            }
            rows.push(prods);
            at += 1;
        }
        reached.iter().for_each(|dom| self.heights[dom.0 as usize] = Some(None));
        let mut changed = true;
        while changed {
            changed = false;
            for (dom, prods) in reached.iter().zip(&rows) {
                let best = prods.iter().filter_map(|prod| self.prod_height(prod)).min();
                let known = self.heights[dom.0 as usize].flatten();
                if best.is_some() && (known.is_none() || best < known) {
                    self.heights[dom.0 as usize] = Some(best);
                    changed = true;
                }
            }
        }
    }

    /// The domains that a production needs values of.
    fn parts(&mut self, prod: &Prod) -> Vec<DomId> {
        match prod {
            Prod::Cons(head, tail) => vec![*head, *tail],
            Prod::Tuple(Some(items)) => items.to_vec(),
            Prod::Fun(_, result) => vec![*result],
            Prod::Map(rows) => {
                let mandatory = rows.iter().flat_map(|row| row.iter()).filter(|field| field.mandatory);
                let rules: Vec<RuleId> = mandatory.flat_map(|field| [field.key, field.value]).collect();
                rules.into_iter().map(|rule| self.of_rule(rule)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The height of the smallest term of a production.
    pub fn prod_height(&mut self, prod: &Prod) -> Option<u32> {
        if let Prod::Fun(_, result) = prod {
            // There always is one: it need not return.
            return Some(self.height(*result).map_or(ENDLESS, |height| (height + 1).min(ENDLESS)));
        }
        if !matches!(prod, Prod::Cons(..) | Prod::Tuple(Some(_)) | Prod::Map(_)) {
            return Some(0);
        }
        if matches!(prod, Prod::Map(rows) if !self.rows_agree(rows)) {
            return None;
        }
        let parts = self.parts(prod);
        parts.into_iter().try_fold(0, |most, part| Some(self.height(part)?.max(most))).map(|most| most + 1)
    }

    /// Returns true if no row of fields demands a key that another does not allow, as far as their forms show.
    fn rows_agree(&self, rows: &[Rc<[MapField]>]) -> bool {
        let mandatory = rows.iter().flat_map(|row| row.iter()).filter(|field| field.mandatory);
        rows.len() < 2
            || mandatory
                .filter_map(|field| self.only(field.key))
                .all(|key| rows.iter().all(|row| field_of(self, row, &key).is_some()))
    }

    /// Returns true if a term is in a domain.
    pub fn accepts(&self, dom: DomId, term: &Term) -> bool {
        self.sets[dom.0 as usize].iter().all(|rule| match *rule {
            PROPER => is_of(term, Type::ProperList),
            IMPROPER => !is_of(term, Type::ProperList),
            TEXT => is_of(term, Type::Text),
            NO_TEXT => !is_of(term, Type::Text),
            CHARACTER => constraint::is_character(term),
            NO_CHARACTER => !constraint::is_character(term),
            rule => accepts(&self.grammar, rule, term),
        })
    }

    /// Returns true if a term is a value of a rule.
    pub fn rule_accepts(&self, rule: RuleId, term: &Term) -> bool {
        accepts(&self.grammar, rule, term)
    }

    /// The only value of a rule, where it says it outright.
    pub fn only(&self, rule: RuleId) -> Option<Term> {
        match &self.grammar.rule(rule).shapes[..] {
            [Shape::Literal(term)] => Some(term.clone()),
            [Shape::Rule(next)] if *next != rule => match &self.grammar.rule(*next).shapes[..] {
                [Shape::Literal(term)] => Some(term.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The greatest number of values of a rule that lists them.
    pub fn number_of(&self, rule: RuleId) -> Option<usize> {
        let number = |shape: &Shape| match shape {
            Shape::Literal(_) => Some(1),
            Shape::Integer { low: Some(low), high: Some(high) } => {
                usize::try_from(high - low).ok()?.checked_add(1).filter(|number| *number < 1 << 20)
            }
            _ => None,
        };
        self.grammar.rule(rule).shapes.iter().map(number).sum()
    }

    /// Returns true if a production allows a term.
    pub fn prod_accepts(&self, prod: &Prod, term: &Term) -> bool {
        match (prod, term) {
            (Prod::Integer(range), term) => match term {
                Term::Int(..) if **range == Range::default() => true,
                term => term.as_bigint().is_some_and(|value| range.contains(&value)),
            },
            (Prod::Float, Term::Float(..)) | (Prod::Nil, Term::Nil(_)) | (Prod::Tuple(None), Term::Tuple(..)) => true,
            (Prod::Atom(wanted), Term::Atom(_, atom)) => wanted.is_none_or(|wanted| wanted == *atom),
            (Prod::Cons(head, tail), Term::Cons(_, cell)) => {
                self.accepts(*head, &cell.head) && self.accepts(*tail, &cell.tail)
            }
            (Prod::Tuple(Some(doms)), Term::Tuple(_, items)) => {
                doms.len() == items.len() && doms.iter().zip(items.iter()).all(|(dom, item)| self.accepts(*dom, item))
            }
            (Prod::Map(rows), Term::Map(_, map)) => rows.iter().all(|row| fields_accept(&self.grammar, row, map)),
            (Prod::Bits { base, unit }, Term::Bits(_, bits)) => bits_accept(*base, *unit, bits.bit_len() as u64),
            (Prod::Fun(arity, result), Term::Fun(_, fun)) => {
                arity.is_none_or(|arity| arity == fun.arity()) && gives(term, &mut |value| self.accepts(*result, value))
            }
            (Prod::Handle(kind), Term::Handle(_, handle)) => handle.kind == *kind,
            (Prod::Exact(exact), term) => exact == term,
            _ => false,
        }
    }
}

/// The numbers of characters.
const CHARACTERS: [(i64, i64); 2] = [(0, 0xd7ff), (0xe000, 0x10_ffff)];

fn integers(low: Option<i64>, high: Option<i64>) -> Prod {
    Prod::Integer(Rc::new(Range { low: low.map(Into::into), high: high.map(Into::into) }))
}

/// One production of each kind.
pub fn any_prods() -> Vec<Prod> {
    vec![
        Prod::Integer(Rc::new(Range::default())),
        Prod::Atom(None),
        Prod::Nil,
        Prod::Float,
        Prod::Cons(DomId::ANY, DomId::ANY),
        Prod::Tuple(None),
        Prod::Map(Rc::new([])),
        Prod::Bits { base: 0, unit: 1 },
        Prod::Fun(None, DomId::ANY),
        Prod::Handle(HandleKind::Pid),
        Prod::Handle(HandleKind::Reference),
        Prod::Handle(HandleKind::Port),
    ]
}
