//! Facts that a path condition implies about its expressions, so that no test is recorded twice.

use constraint::{Arena, Expr, Kinds, Node, Test};
use rustc_hash::FxHashMap;
use term::Term;

/// The facts about one expression.
#[derive(Clone, Copy)]
struct Fact {
    /// The run it belongs to.
    run: u32,
    kinds: Kinds,
    /// Of a tuple its number of elements, of a fun that of its arguments.
    size: Option<u32>,
    /// A tuple that has at least that many elements.
    least: u32,
    /// The constant that it is.
    value: Option<Expr>,
}

impl Fact {
    /// A fact of no run.
    const NONE: Fact = Fact { run: 0, kinds: Kinds::ALL, size: None, least: 0, value: None };
}

/// The facts that a path condition implies about single expressions.
#[derive(Default)]
pub struct Facts {
    /// By the numbers of expressions; those of earlier runs count for nothing.
    facts: Vec<Fact>,
    run: u32,
    answers: FxHashMap<Test, bool>,
    /// Keys that maps are known to have.
    keys: FxHashMap<Expr, Vec<Expr>>,
    /// Some expression is known to be a compound constant, so that its parts are known, too.
    compound: bool,
}

impl Facts {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.facts.clear();
            self.run = 1;
        }
        self.answers.clear();
        self.keys.clear();
        self.compound = false;
    }

    #[inline]
    fn fact(&self, expr: Expr) -> Option<&Fact> {
        self.facts.get(expr.number()).filter(|fact| fact.run == self.run)
    }

    fn fact_mut(&mut self, arena: &Arena, expr: Expr) -> &mut Fact {
        let at = expr.number();
        if at >= self.facts.len() {
            self.facts.resize(arena.len() + 1, Fact::NONE);
        }
        let fact = &mut self.facts[at];
        if fact.run != self.run {
            *fact = Fact { run: self.run, kinds: arena.kinds(expr), size: None, least: 0, value: None };
        }
        fact
    }

    /// The kinds of terms that an expression can be.
    pub fn kinds(&self, arena: &Arena, expr: Expr) -> Kinds {
        self.fact(expr).map_or_else(|| arena.kinds(expr), |fact| fact.kinds)
    }

    fn value<'a>(&self, arena: &'a Arena, expr: Expr) -> Option<&'a Term> {
        if let Some(term) = arena.as_literal(expr) {
            return Some(term);
        }
        if let Some(value) = self.fact(expr).and_then(|fact| fact.value) {
            return arena.as_literal(value);
        }
        if self.compound { self.part(arena, expr) } else { None }
    }

    /// The constant that an expression is known to be.
    pub fn constant(&self, arena: &Arena, expr: Expr) -> Option<Expr> {
        match arena.as_literal(expr) {
            Some(_) => Some(expr),
            None => self.fact(expr).and_then(|fact| fact.value),
        }
    }

    /// The constants that are known to be keys of a map, in the order of keys.
    pub fn known_keys(&self, arena: &Arena, map: Expr) -> Vec<Expr> {
        let known = self.keys.get(&map).into_iter().flatten();
        let mut keys: Vec<(&Term, Expr)> = known.filter_map(|key| Some((arena.as_literal(*key)?, *key))).collect();
        keys.sort_by(|a, b| a.0.compare_exact(b.0));
        keys.into_iter().map(|(_, key)| key).collect()
    }

    /// The value of a part of something whose value is known.
    fn part<'a>(&self, arena: &'a Arena, expr: Expr) -> Option<&'a Term> {
        let mut parts = Vec::new();
        let mut at = expr;
        let mut value = loop {
            let up = match *arena.node(at) {
                Node::Head(up) | Node::Tail(up) | Node::Element(up, _) | Node::MapKey(up, _) => up,
                Node::MapValue(up, key) if arena.as_literal(key).is_some() => up,
                _ => return None,
            };
            parts.push(at);
            at = up;
            if let Some(known) = self.fact(at).and_then(|fact| fact.value) {
                break arena.as_literal(known)?;
            }
        };
        for step in parts.into_iter().rev() {
            value = match (arena.node(step), value) {
                (Node::Head(_), Term::Cons(_, cell)) => &cell.head,
                (Node::Tail(_), Term::Cons(_, cell)) => &cell.tail,
                (Node::Element(_, at), Term::Tuple(_, items)) => items.get(*at as usize)?,
                (Node::MapKey(_, at), Term::Map(_, map)) => map.keys().nth(*at as usize)?,
                (Node::MapValue(_, key), Term::Map(_, map)) => map.get(arena.as_literal(*key)?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    fn size(&self, arena: &Arena, expr: Expr) -> Option<u32> {
        match arena.node(expr) {
            Node::Tuple(items) => u32::try_from(items.len()).ok(),
            _ => self.fact(expr).and_then(|fact| fact.size),
        }
    }

    fn least(&self, expr: Expr) -> u32 {
        self.fact(expr).map_or(0, |fact| fact.least)
    }

    /// True if a tuple is known to have that many elements, or not to.
    pub fn has_elements(&self, arena: &Arena, tuple: Expr, count: u32) -> Option<bool> {
        if let Some(value) = self.value(arena, tuple) {
            return Some(value.as_tuple().is_some_and(|items| items.len() >= count as usize));
        }
        match self.size(arena, tuple) {
            Some(size) => Some(size >= count),
            None => (self.least(tuple) >= count).then_some(true),
        }
    }

    /// The tuple has that many elements or more.
    pub fn learn_elements(&mut self, arena: &Arena, tuple: Expr, count: u32) {
        let fact = self.fact_mut(arena, tuple);
        fact.least = fact.least.max(count);
    }

    /// The answer of a test, if the expressions themselves or earlier answers settle it.
    pub fn settled(&self, arena: &Arena, test: Test) -> Option<bool> {
        self.by_kinds(arena, test).or_else(|| self.answers.get(&in_order(test)).copied())
    }

    fn by_kinds(&self, arena: &Arena, test: Test) -> Option<bool> {
        let within = |kinds: Kinds, possible: Kinds, certain: Kinds| {
            if kinds.meets(possible) { certain.has(kinds).then_some(true) } else { Some(false) }
        };
        match test {
            Test::Cons(x) => within(self.known(arena, x), Kinds::CONS, Kinds::CONS),
            Test::Type(x, kind) => within(self.known(arena, x), Kinds::possible(kind), Kinds::certain(kind))
                .or_else(|| Some(constraint::is_of(self.value(arena, x)?, kind))),
            Test::Tuple(x, size) => match self.value(arena, x) {
                Some(value) => Some(value.as_tuple().is_some_and(|items| items.len() == size as usize)),
                None if !self.known(arena, x).meets(Kinds::TUPLE) => Some(false),
                None => match self.size(arena, x) {
                    Some(known) => Some(known == size),
                    None => (size < self.least(x)).then_some(false),
                },
            },
            Test::Arity(x, arity) => match self.value(arena, x) {
                Some(value) => Some(matches!(value, Term::Fun(_, fun) if fun.arity() == arity)),
                None if !self.known(arena, x).meets(Kinds::FUN) => Some(false),
                None => self.fact(x).filter(|fact| fact.kinds == Kinds::FUN)?.size.map(|size| size == u32::from(arity)),
            },
            Test::HasKey(map, key) => {
                let (map, key) = (self.value(arena, map)?, self.value(arena, key)?);
                map.as_map().map(|map| map.contains(key))
            }
            Test::Same(a, b) if are_keys(arena, a, b) => Some(false),
            Test::Same(a, b) => self.pair(arena, a, b, |a, b| a == b, |a, b| (!a.meets(b)).then_some(false), true),
            Test::Equal(a, b) => {
                let apart = |a: Kinds, b: Kinds| (!a.equals().meets(b)).then_some(false);
                self.pair(arena, a, b, Term::num_eq, apart, true)
            }
            Test::Less(a, b) => self.pair(arena, a, b, |a, b| a.compare(b).is_lt(), Kinds::before, false),
            Test::Defined(x) => arena.as_literal(x).map(|_| true),
        }
    }

    /// The kinds of an expression, by its value where that is known.
    fn known(&self, arena: &Arena, expr: Expr) -> Kinds {
        match self.value(arena, expr) {
            Some(value) => Kinds::of(value),
            None => self.kinds(arena, expr),
        }
    }

    fn pair(
        &self,
        arena: &Arena,
        a: Expr,
        b: Expr,
        by_value: impl Fn(&Term, &Term) -> bool,
        by_kind: impl Fn(Kinds, Kinds) -> Option<bool>,
        of_itself: bool,
    ) -> Option<bool> {
        if a == b {
            return Some(of_itself);
        }
        if let (Some(a), Some(b)) = (self.value(arena, a), self.value(arena, b)) {
            return Some(by_value(a, b));
        }
        by_kind(self.known(arena, a), self.known(arena, b))
    }

    /// Takes an answer in.
    pub fn learn(&mut self, arena: &Arena, test: Test, holds: bool) {
        self.answers.insert(in_order(test), holds);
        match test {
            Test::Cons(x) => self.narrow(arena, x, Kinds::CONS, Kinds::CONS, holds),
            Test::Tuple(x, size) => {
                self.narrow(arena, x, Kinds::TUPLE, Kinds::NONE, holds);
                if holds {
                    self.fact_mut(arena, x).size = Some(size);
                }
            }
            Test::Type(x, kind) => self.narrow(arena, x, Kinds::possible(kind), Kinds::certain(kind), holds),
            Test::Arity(x, arity) => {
                self.narrow(arena, x, Kinds::FUN, Kinds::NONE, holds);
                if holds {
                    self.fact_mut(arena, x).size = Some(u32::from(arity));
                }
            }
            Test::Same(a, b) => self.learn_same(arena, a, b, holds),
            Test::Equal(a, b) if holds => {
                let (of_a, of_b) = (self.kinds(arena, a), self.kinds(arena, b));
                self.narrow(arena, a, of_b.equals(), Kinds::NONE, true);
                self.narrow(arena, b, of_a.equals(), Kinds::NONE, true);
            }
            Test::HasKey(map, key) => {
                self.narrow(arena, map, Kinds::MAP, Kinds::NONE, true);
                if holds {
                    self.keys.entry(map).or_default().push(key);
                }
            }
            Test::Equal(..) | Test::Less(..) | Test::Defined(_) => {}
        }
    }

    fn learn_same(&mut self, arena: &Arena, a: Expr, b: Expr, holds: bool) {
        let literal = arena.as_literal(b);
        if !holds {
            if let Some(Term::Nil(_)) = literal {
                self.narrow(arena, a, Kinds::NIL, Kinds::NIL, false);
            }
            return;
        }
        let (of_a, of_b) = (self.kinds(arena, a), self.kinds(arena, b));
        self.narrow(arena, a, of_b, Kinds::NONE, true);
        self.narrow(arena, b, of_a, Kinds::NONE, true);
        if let Some(term) = literal {
            self.fact_mut(arena, a).value = Some(b);
            self.compound |= matches!(term, Term::Cons(..) | Term::Tuple(..) | Term::Map(..));
        }
    }

    fn narrow(&mut self, arena: &Arena, expr: Expr, possible: Kinds, certain: Kinds, holds: bool) {
        let fact = self.fact_mut(arena, expr);
        fact.kinds = if holds { fact.kinds & possible } else { fact.kinds - certain };
    }
}

/// True if they are keys of one map at different places, and so differ.
fn are_keys(arena: &Arena, a: Expr, b: Expr) -> bool {
    matches!((arena.node(a), arena.node(b)), (Node::MapKey(x, i), Node::MapKey(y, j)) if x == y && i != j)
}

/// Questions that mean the same become the same. The order is the arena's own and must not be seen outside.
fn in_order(test: Test) -> Test {
    match test {
        Test::Same(a, b) if b < a => Test::Same(b, a),
        Test::Equal(a, b) if b < a => Test::Equal(b, a),
        other => other,
    }
}
