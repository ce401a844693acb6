//! The encoding of a query's conditions as constraints of the store.

use std::rc::Rc;

use constraint::{Arena, Condition, Expr, Kinds, Node, Op, Part, Test, Type};
use rustc_hash::FxHashMap;
use term::{Term, known};

use super::domains::{DomId, IMPROPER, NO_TEXT, PROPER, TEXT, any_prods};
use super::production::Prod;
use super::propagators::{Propagator, TermRelation};
use super::store::{Context, NodeId, Step, Store};
use crate::query::UnknownReason;

/// The nodes of expressions met so far.
pub struct Encoder<'a> {
    /// The expressions of the conditions.
    pub arena: &'a Arena,
    /// The node of each expression met so far.
    pub nodes: FxHashMap<Expr, NodeId>,
}

impl Encoder<'_> {
    /// Adds a condition to the store.
    pub fn encode(&mut self, store: &mut Store, cx: &mut Context, condition: &Condition) -> Step {
        let holds = condition.holds;
        match condition.test {
            Test::Cons(x) => {
                let x = self.node(store, cx, x)?;
                store.keep_kinds(cx, x, if holds { Kinds::CONS } else { Kinds::ALL - Kinds::CONS })
            }
            Test::Tuple(x, size) => {
                let x = self.node(store, cx, x)?;
                if holds {
                    return store.set_size(cx, x, size);
                }
                store.pending.push(Propagator::NotSize(x, size));
                Ok(())
            }
            Test::Type(x, wanted) => {
                let x = self.node(store, cx, x)?;
                encode_type(store, cx, x, wanted, holds)
            }
            Test::Arity(x, arity) => {
                let x = self.node(store, cx, x)?;
                encode_arity(store, cx, x, arity, holds)
            }
            Test::HasKey(map, key) => {
                let (map, key) = (self.node(store, cx, map)?, self.node(store, cx, key)?);
                if holds { store.expand_entry(cx, map, key).map(drop) } else { store.lack(cx, map, key) }
            }
            Test::Same(a, b) => self.encode_pair(store, cx, a, b, (!holds).then_some(TermRelation::Differ)),
            Test::Equal(a, b) => {
                self.encode_pair(store, cx, a, b, Some(if holds { TermRelation::Equal } else { TermRelation::Unequal }))
            }
            Test::Less(a, b) if holds => self.encode_pair(store, cx, a, b, Some(TermRelation::Less)),
            Test::Less(a, b) => self.encode_pair(store, cx, b, a, Some(TermRelation::AtMost)),
            Test::Defined(x) => self.encode_defined(store, cx, x, holds),
        }
    }

    fn encode_defined(&mut self, store: &mut Store, cx: &mut Context, x: Expr, holds: bool) -> Step {
        if holds {
            return self.node(store, cx, x).map(drop);
        }
        match self.arena.node(x) {
            Node::Apply(Op::Float(op), args) => {
                let args = self.nodes(store, cx, args)?;
                store.float_failure(cx, *op, args)
            }
            _ => cx.give_up(UnknownReason::Unsupported),
        }
    }

    fn encode_pair(
        &mut self,
        store: &mut Store,
        cx: &mut Context,
        a: Expr,
        b: Expr,
        relate: Option<TermRelation>,
    ) -> Step {
        let (a, b) = (self.node(store, cx, a)?, self.node(store, cx, b)?);
        match relate {
            None => store.equate(a, b),
            Some(relate) => {
                store.remember_order(relate, a, b);
                store.drop_implied(relate, a, b);
                store.pending.push(Propagator::Pair(relate, a, b));
            }
        }
        Ok(())
    }

    /// The node of an expression, with what must hold for it to have a value.
    pub fn node(&mut self, store: &mut Store, cx: &mut Context, expr: Expr) -> Step<NodeId> {
        if let Some(&id) = self.nodes.get(&expr) {
            return Ok(id);
        }
        let id = term::deeper(|| self.made(store, cx, expr))?;
        self.nodes.insert(expr, id);
        Ok(id)
    }

    fn made(&mut self, store: &mut Store, cx: &mut Context, expr: Expr) -> Step<NodeId> {
        match self.arena.node(expr) {
            Node::Input(at) => store.inputs.get(*at as usize).copied().ok_or(super::store::Conflict),
            Node::Literal(term) => Ok(store.literal(cx, term.clone())),
            // The caller has put something else in its place.
            Node::Opaque(..) => cx.give_up(UnknownReason::Unsupported),
            Node::MapPut(..) | Node::MapRemove(..) | Node::MapMerge(..) => self.made_map(store, cx, expr),
            Node::Build { .. } => self.built(store, cx, expr),
            node @ (Node::Head(part) | Node::Tail(part) | Node::Element(part, _)) => {
                let part = self.node(store, cx, *part)?;
                store.of_parts(cx, node, &[part])
            }
            node => {
                let mut parts = Vec::new();
                node.each_part(|part| parts.push(part));
                let parts = self.nodes(store, cx, &parts)?;
                store.of_parts(cx, node, &parts)
            }
        }
    }

    fn nodes(&mut self, store: &mut Store, cx: &mut Context, exprs: &[Expr]) -> Step<Rc<[NodeId]>> {
        exprs.iter().map(|expr| self.node(store, cx, *expr)).collect()
    }

    /// Something put together: its parts stand in it one after the other.
    fn built(&mut self, store: &mut Store, cx: &mut Context, expr: Expr) -> Step<NodeId> {
        let Node::Build { size, .. } = self.arena.node(expr) else { return Err(super::store::Conflict) };
        let size = self.node(store, cx, *size)?;
        let whole = store.bitstring(cx, size)?;
        let mut at = store.literal(cx, Term::int(0));
        for part in self.flat_parts(expr) {
            let (part, len) = match part {
                Part::Bits(bits) => {
                    let bits = self.node(store, cx, bits)?;
                    (bits, store.bit_size(cx, bits)?)
                }
                Part::Integer { value, from, size } => {
                    let value = self.node(store, cx, value)?;
                    let digits = store.low_bits(cx, value, from, size)?;
                    let len = store.literal(cx, Term::int(i64::from(size)));
                    let bits = store.bitstring(cx, len)?;
                    let number = store.read(cx, bits, 0, size)?;
                    store.equate(number, digits);
                    (bits, len)
                }
            };
            store.pending.push(Propagator::Within { whole, at, part });
            at = store.sum(cx, at, len);
        }
        Ok(whole)
    }

    /// The parts of something put together, and theirs in their place.
    fn flat_parts(&self, expr: Expr) -> Vec<Part> {
        let mut flat = Vec::new();
        let mut todo = vec![Part::Bits(expr)];
        while let Some(part) = todo.pop() {
            match part {
                Part::Bits(bits) => match self.arena.node(bits) {
                    Node::Build { parts, .. } => todo.extend(parts.iter().rev()),
                    _ => flat.push(part),
                },
                Part::Integer { .. } => flat.push(part),
            }
        }
        flat
    }
}

impl Store {
    /// The node of an expression whose parts have nodes.
    fn of_parts(&mut self, cx: &mut Context, expr: &Node, parts: &[NodeId]) -> Step<NodeId> {
        match (expr, parts) {
            (Node::Head(_), [list]) => Ok(self.expand_cell(cx, *list)?.0),
            (Node::Tail(_), [list]) => Ok(self.expand_cell(cx, *list)?.1),
            (Node::Element(_, at), [tuple]) => self.expand_item(cx, *tuple, *at),
            (Node::Cons(..), [head, tail]) => Ok(self.cell(*head, *tail)),
            (Node::Tuple(_), items) => Ok(self.tuple(items.to_vec())),
            (Node::Result(..), [fun, args @ ..]) => self.result(cx, *fun, args),
            (Node::MapValue(..), [map, key]) => self.expand_entry(cx, *map, *key),
            (Node::MapKey(_, at), [map]) => {
                self.close(cx)?;
                self.open_place(cx, *map, *at)
            }
            (Node::Bits { at, size, .. }, [bits]) => self.read(cx, *bits, *at, *size),
            (Node::Slice { .. }, [bits, at, size]) => self.slice(cx, *bits, *at, *size),
            (Node::Name(_), [atom]) => self.expand_name(cx, *atom),
            (Node::Atom(_), [text]) => self.named(cx, *text),
            (Node::Apply(Op::MapSize, _), [map]) => self.map_count(cx, *map),
            (Node::Apply(Op::BitSize, _), [bits]) => self.bit_size(cx, *bits),
            (Node::Apply(Op::ByteSize, _), [bits]) => self.byte_size(cx, *bits),
            (Node::Apply(Op::Length, _), [list]) => self.length(cx, *list),
            (Node::Apply(Op::TupleSize, _), [tuple]) => self.count(cx, *tuple),
            (Node::Apply(Op::Float(op), _), args) => self.float_operation(cx, *op, args.into()),
            (Node::Apply(op, _), args) => self.operation(cx, *op, args.into()),
            _ => cx.give_up(UnknownReason::Wrong),
        }
    }

    fn operation(&mut self, cx: &mut Context, op: Op, args: Rc<[NodeId]>) -> Step<NodeId> {
        for arg in args.iter() {
            self.keep_kinds(cx, *arg, Kinds::INTEGER)?;
        }
        let near: Option<Vec<Term>> = args.iter().map(|arg| self.was(*arg).cloned()).collect();
        let id = self.integer(None, near.and_then(|args| op.compute(&args)));
        self.equations.push((id, op, args));
        Ok(id)
    }
}

fn encode_type(store: &mut Store, cx: &mut Context, x: NodeId, wanted: Type, holds: bool) -> Step {
    let kinds = match wanted {
        Type::ProperList => return store.restrict_to_rule(cx, x, if holds { PROPER } else { IMPROPER }),
        Type::Text => return store.restrict_to_rule(cx, x, if holds { TEXT } else { NO_TEXT }),
        Type::LongText(count) if holds => return store.expand_long_text(cx, x, count),
        // A list is made no longer than it must be.
        Type::LongText(_) => return Ok(()),
        Type::Boolean => return encode_boolean(store, cx, x, holds),
        Type::Binary => return encode_binary(store, cx, x, holds),
        wanted => Kinds::possible(wanted),
    };
    store.keep_kinds(cx, x, if holds { kinds } else { Kinds::ALL - kinds })
}

fn encode_boolean(store: &mut Store, cx: &mut Context, x: NodeId, holds: bool) -> Step {
    if holds {
        let prods: Rc<[Prod]> = Rc::new([Prod::Atom(Some(known::TRUE)), Prod::Atom(Some(known::FALSE))]);
        return store.restrict(cx, x, &prods);
    }
    store.exclude(cx, x, &Term::bool(true))?;
    store.exclude(cx, x, &Term::bool(false))
}

fn encode_binary(store: &mut Store, cx: &mut Context, x: NodeId, holds: bool) -> Step {
    let prods = if holds {
        vec![Prod::Bits { base: 0, unit: 8 }]
    } else {
        let others = any_prods().into_iter().filter(|prod| prod.kind() != Kinds::BITS);
        others.chain((1..8).map(|base| Prod::Bits { base, unit: 8 })).collect()
    };
    store.restrict(cx, x, &prods.into())
}

fn encode_arity(store: &mut Store, cx: &mut Context, x: NodeId, arity: u8, holds: bool) -> Step {
    let of = |arity| Prod::Fun(Some(arity), DomId::ANY);
    let prods = if holds {
        vec![of(arity)]
    } else if store.node(x).kinds.has(Kinds::FUN) {
        let others = any_prods().into_iter().filter(|prod| prod.kind() != Kinds::FUN);
        // From 1 on, because a fun of one argument is the one that can be made most often.
        let arities = (1..=u8::MAX).chain([0]).filter(|other| *other != arity);
        others.chain(arities.map(of)).collect()
    } else {
        return Ok(());
    };
    store.restrict(cx, x, &prods.into())
}
