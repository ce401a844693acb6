//! Terms with unknowns, and their unification.

use std::fmt::Write;
use std::rc::Rc;

use frontend::flat::{Pattern, Value, Var};
use rustc_hash::FxHashMap;
use term::Term;

use super::eval::Env;

/// A term of a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u32);

#[derive(Clone)]
pub enum Node {
    /// An unknown; another term once it is bound.
    Unknown(Option<Id>),
    Literal(Term),
    Cons(Id, Id),
    Tuple(Vec<Id>),
    /// A fun, and the variables around it.
    Fun(Rc<Env>),
    /// What an operation gives: its text and its arguments.
    Applied(String, Vec<Id>),
    /// Something that unification does not look into.
    Other(&'static str),
}

#[derive(Default)]
pub struct Store {
    nodes: Vec<Node>,
}

/// A term with its unknowns: what is left of a store when the run is over.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Numbered from 0 within the answers of one run.
    Unknown(u32),
    Literal(Term),
    Cons(Box<(Answer, Answer)>),
    Tuple(Vec<Answer>),
    Applied(String, Vec<Answer>),
}

impl Store {
    pub fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        Id(self.nodes.len() as u32 - 1)
    }

    pub fn unknown(&mut self) -> Id {
        self.add(Node::Unknown(None))
    }

    /// What a term is bound to in the end.
    pub fn walk(&self, mut id: Id) -> Id {
        while let Node::Unknown(Some(bound)) = self.nodes[id.0 as usize] {
            id = bound;
        }
        id
    }

    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[self.walk(id).0 as usize]
    }

    /// A node with the parts of a literal list or tuple made visible.
    fn open(&mut self, id: Id) -> Node {
        match self.node(id).clone() {
            Node::Literal(Term::Cons(_, cell)) => {
                let (head, tail) = (cell.head.clone(), cell.tail.clone());
                Node::Cons(self.add(Node::Literal(head)), self.add(Node::Literal(tail)))
            }
            Node::Literal(Term::Tuple(_, items)) => {
                Node::Tuple(items.iter().map(|item| self.add(Node::Literal(item.clone()))).collect())
            }
            other => other,
        }
    }

    /// Makes two terms equal; false if they cannot be. Nothing is learned of what unification does not look into.
    pub fn unify(&mut self, a: Id, b: Id) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.walk(a), self.walk(b));
            if a == b {
                continue;
            }
            match (self.node(a).clone(), self.node(b).clone()) {
                (Node::Unknown(_), _) => self.nodes[a.0 as usize] = Node::Unknown(Some(b)),
                (_, Node::Unknown(_)) => self.nodes[b.0 as usize] = Node::Unknown(Some(a)),
                (Node::Literal(x), Node::Literal(y)) => {
                    if x != y {
                        return false;
                    }
                }
                _ => match (self.open(a), self.open(b)) {
                    (Node::Cons(h, t), Node::Cons(i, u)) => open.extend([(t, u), (h, i)]),
                    (Node::Tuple(x), Node::Tuple(y)) if x.len() == y.len() => open.extend(x.into_iter().zip(y)),
                    (x, y) if x.is_opaque() || y.is_opaque() => {}
                    _ => return false,
                },
            }
        }
        true
    }

    /// A value under the variables of a context.
    pub fn value(&mut self, value: &Value, env: &Rc<Env>) -> Id {
        stacker::maybe_grow(64 << 10, 4 << 20, || match value {
            Value::Var(var) => self.variable(*var, env),
            Value::Literal(term) => self.add(Node::Literal(term.clone())),
            Value::Cons(parts) => {
                let (head, tail) = (self.value(&parts.0, env), self.value(&parts.1, env));
                self.add(Node::Cons(head, tail))
            }
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.value(item, env)).collect();
                self.add(Node::Tuple(items))
            }
            Value::Function(_) => self.add(Node::Other("fun")),
        })
    }

    /// A variable of a context, or of one around it; new if nobody has it.
    pub fn variable(&mut self, var: Var, env: &Rc<Env>) -> Id {
        let mut at = Some(env);
        while let Some(here) = at {
            if let Some(id) = here.vars.borrow().get(&var) {
                return *id;
            }
            at = here.outer.as_ref();
        }
        let id = self.unknown();
        env.vars.borrow_mut().insert(var, id);
        id
    }

    pub fn pattern(&mut self, pattern: &Pattern, env: &Rc<Env>) -> Id {
        stacker::maybe_grow(64 << 10, 4 << 20, || match pattern {
            Pattern::Var(var) => self.variable(*var, env),
            Pattern::Literal(term) => self.add(Node::Literal(term.clone())),
            Pattern::Cons(parts) => {
                let (head, tail) = (self.pattern(&parts.0, env), self.pattern(&parts.1, env));
                self.add(Node::Cons(head, tail))
            }
            Pattern::Tuple(items) => {
                let items = items.iter().map(|item| self.pattern(item, env)).collect();
                self.add(Node::Tuple(items))
            }
            Pattern::Map(_) => self.add(Node::Other("map")),
            Pattern::Bits(_) => self.add(Node::Other("bits")),
            Pattern::Alias(var, inner) => {
                let (name, inner) = (self.variable(*var, env), self.pattern(inner, env));
                self.unify(name, inner);
                inner
            }
        })
    }

    /// Terms with their unknowns numbered in the order in which they are met.
    pub fn answers(&self, ids: &[Id]) -> Vec<Answer> {
        let mut numbers = FxHashMap::default();
        ids.iter().map(|id| self.answer(*id, &mut numbers)).collect()
    }

    fn answer(&self, id: Id, numbers: &mut FxHashMap<Id, u32>) -> Answer {
        stacker::maybe_grow(64 << 10, 4 << 20, || match self.node(id) {
            Node::Unknown(_) => {
                let next = numbers.len() as u32;
                Answer::Unknown(*numbers.entry(self.walk(id)).or_insert(next))
            }
            Node::Literal(term) => Answer::Literal(term.clone()),
            Node::Cons(head, tail) => {
                let head = self.answer(*head, numbers);
                Answer::Cons(Box::new((head, self.answer(*tail, numbers))))
            }
            Node::Tuple(items) => Answer::Tuple(items.iter().map(|item| self.answer(*item, numbers)).collect()),
            Node::Applied(name, args) => {
                Answer::Applied(name.clone(), args.iter().map(|arg| self.answer(*arg, numbers)).collect())
            }
            Node::Fun(..) => Answer::Applied("fun".to_owned(), Vec::new()),
            Node::Other(what) => Answer::Applied((*what).to_owned(), Vec::new()),
        })
    }
}

impl Node {
    fn is_opaque(&self) -> bool {
        matches!(self, Node::Applied(..) | Node::Other(_) | Node::Fun(..))
    }
}

/// Answers as text, in which the same unknown has the same name: `X`, `Y`, `Z`, `X1`, … and `R`, `R1`, … for the rests of
/// lists.
pub fn texts(answers: &[Answer]) -> Vec<String> {
    let mut names = Names::default();
    answers.iter().for_each(|answer| names.meet(answer, false));
    answers.iter().map(|answer| names.text(answer)).collect()
}

#[derive(Default)]
struct Names {
    names: FxHashMap<u32, String>,
    elements: u32,
    rests: u32,
}

impl Names {
    fn meet(&mut self, answer: &Answer, rest: bool) {
        match answer {
            Answer::Unknown(number) if !self.names.contains_key(number) => {
                let name = if rest { self.rest() } else { self.element() };
                self.names.insert(*number, name);
            }
            Answer::Unknown(_) | Answer::Literal(_) => {}
            Answer::Cons(parts) => {
                self.meet(&parts.0, false);
                self.meet(&parts.1, true);
            }
            Answer::Tuple(items) | Answer::Applied(_, items) => items.iter().for_each(|item| self.meet(item, false)),
        }
    }

    fn element(&mut self) -> String {
        self.elements += 1;
        let (letter, round) = (["X", "Y", "Z"][(self.elements as usize - 1) % 3], (self.elements - 1) / 3);
        if round == 0 { letter.to_owned() } else { format!("{letter}{round}") }
    }

    fn rest(&mut self) -> String {
        self.rests += 1;
        if self.rests == 1 { "R".to_owned() } else { format!("R{}", self.rests - 1) }
    }

    fn text(&self, answer: &Answer) -> String {
        match answer {
            Answer::Unknown(number) => self.names[number].clone(),
            Answer::Literal(term) => term.to_string(),
            Answer::Cons(_) => self.list(answer),
            Answer::Tuple(items) => format!("{{{}}}", self.row(items)),
            Answer::Applied(name, args) => format!("{name}({})", self.row(args)),
        }
    }

    fn row(&self, items: &[Answer]) -> String {
        items.iter().map(|item| self.text(item)).collect::<Vec<_>>().join(",")
    }

    fn list(&self, mut answer: &Answer) -> String {
        let mut text = String::from("[");
        while let Answer::Cons(parts) = answer {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&self.text(&parts.0));
            answer = &parts.1;
        }
        match answer {
            Answer::Literal(Term::Nil(_)) => {}
            rest => _ = write!(text, "|{}", self.text(rest)),
        }
        text.push(']');
        text
    }
}
