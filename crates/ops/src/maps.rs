//! The natives of the `maps` module, and of walking a map in the VM's order.

use std::mem;
use std::rc::Rc;

use term::{Atom, Map, Mark, Mfa, Term, known};

use crate::raise::{OrBadarg, Raised, badarg, badkey, badmap};
use crate::{Environment, Eval, HandleView, MapOp, Operation, Rule};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::pure("find", 2, find).prelude("maps", "find"),
    Operation::pure("from_keys", 2, from_keys).prelude("maps", "from_keys"),
    Operation::pure("from_list", 1, from_list).prelude("maps", "from_list"),
    Operation::pure("get", 2, get).rule(Rule::Map(MapOp::Get)),
    Operation::pure("is_key", 2, is_key).rule(Rule::Map(MapOp::HasKey)),
    Operation::running("keys", 1, keys).rule(Rule::OpenMap(0)).shows_handles(HandleView::KeyOrder),
    Operation::pure("merge", 2, merge).rule(Rule::Map(MapOp::Merge)),
    Operation::pure("put", 3, put).rule(Rule::Map(MapOp::Put)),
    Operation::pure("remove", 2, remove).rule(Rule::Map(MapOp::Remove)),
    Operation::pure("take", 2, take).prelude("maps", "take"),
    Operation::pure("update", 3, update).rule(Rule::Map(MapOp::Update)),
    Operation::running("values", 1, values).rule(Rule::OpenMap(0)).shows_handles(HandleView::KeyOrder),
];

/// The functions of `erts_internal` that `maps` stands on.
pub(crate) const INTERNAL: &[Operation] =
    &[Operation::running("map_next", 3, map_next).rule(Rule::OpenMap(1)).shows_handles(HandleView::KeyOrder)];

/// The number of entries that a step of an iterator over a large map takes.
const BATCH: usize = 32;

/// The keys of a map as `maps:keys/1` lists them. Small maps are in the order of their keys; large ones in that of the
/// VM's own hashes, which depend on the numbers it gave to atoms, so that only the VM knows.
pub(crate) fn key_order(run: &mut dyn Environment, map: &Map) -> Raised<Rc<[Term]>> {
    if let Some(order) = map.iteration_order() {
        return Ok(order);
    }
    let bare = Map::from_pairs(map.keys().map(|key| (key.clone(), Term::nil())));
    let maps_keys = Mfa { module: known::MAPS, function: Atom::new("keys"), arity: 1 };
    let answer = run.ask(maps_keys, &[Term::map(bare)])?;
    let keys = answer.proper_list().or_badarg()?;
    map.set_iteration_order(keys);
    map.iteration_order().or_badarg()
}

pub(crate) fn map_of(term: &Term) -> Raised<&Map> {
    match term {
        Term::Map(_, map) => Ok(map),
        other => badmap(other.clone()),
    }
}

/// Takes the map out of the argument, so that it can be changed in place where it has no other owner.
fn take_map(term: &mut Term) -> Raised<Rc<Map>> {
    match mem::take(term) {
        Term::Map(_, map) => Ok(map),
        other => badmap(other),
    }
}

fn shared(map: Rc<Map>) -> Eval {
    Ok(Term::Map(Mark::NONE, map))
}

pub(crate) fn get(args: &mut [Term]) -> Eval {
    match map_of(&args[1])?.get(&args[0]) {
        Some(value) => Ok(value.clone()),
        None => badkey(args[0].clone()),
    }
}

fn find(args: &mut [Term]) -> Eval {
    Ok(match map_of(&args[1])?.get(&args[0]) {
        Some(value) => Term::tuple([Term::atom(known::OK), value.clone()]),
        None => Term::atom(known::ERROR),
    })
}

pub(crate) fn is_key(args: &mut [Term]) -> Eval {
    Ok(Term::bool(map_of(&args[1])?.contains(&args[0])))
}

fn put(args: &mut [Term]) -> Eval {
    let mut map = take_map(&mut args[2])?;
    Rc::make_mut(&mut map).insert_mut(mem::take(&mut args[0]), mem::take(&mut args[1]));
    shared(map)
}

fn update(args: &mut [Term]) -> Eval {
    if !map_of(&args[2])?.contains(&args[0]) {
        return badkey(args[0].clone());
    }
    put(args)
}

fn remove(args: &mut [Term]) -> Eval {
    let mut map = take_map(&mut args[1])?;
    if map.contains(&args[0]) {
        Rc::make_mut(&mut map).remove_mut(&args[0]);
    }
    shared(map)
}

fn take(args: &mut [Term]) -> Eval {
    let mut map = take_map(&mut args[1])?;
    if !map.contains(&args[0]) {
        return Ok(Term::atom(known::ERROR));
    }
    match Rc::make_mut(&mut map).remove_mut(&args[0]) {
        Some(value) => Ok(Term::tuple([value, shared(map)?])),
        None => Ok(Term::atom(known::ERROR)),
    }
}

/// Puts an entry in with its own key: `-0.0` and `0.0` are the same key, but it shows which of them a map holds.
fn place(map: &mut Map, key: Term, value: Term) {
    if matches!(key, Term::Float(_, zero) if zero == 0.0)
        || matches!(key, Term::Cons(..) | Term::Tuple(..) | Term::Map(..))
    {
        map.remove_mut(&key);
    }
    map.insert_mut(key, value);
}

fn from_list(args: &mut [Term]) -> Eval {
    let mut map = Map::new();
    for pair in args[0].proper_list().or_badarg()? {
        let Some([key, value]) = pair.as_tuple() else { return badarg() };
        place(&mut map, key.clone(), value.clone());
    }
    Ok(Term::map(map))
}

fn from_keys(args: &mut [Term]) -> Eval {
    let mut map = Map::new();
    let keys = args[0].proper_list().or_badarg()?;
    keys.into_iter().for_each(|key| place(&mut map, key, args[1].clone()));
    Ok(Term::map(map))
}

/// The second map wins; the larger one is the ground to which the other is added.
fn merge(args: &mut [Term]) -> Eval {
    let mut first = take_map(&mut args[0])?;
    let mut second = take_map(&mut args[1])?;
    if first.len() <= second.len() {
        let missing: Vec<_> = first.iter().filter(|(key, _)| !second.contains(key)).collect();
        if !missing.is_empty() {
            let map = Rc::make_mut(&mut second);
            missing.into_iter().for_each(|(key, value)| map.insert_mut(key.clone(), value.clone()));
        }
        return shared(second);
    }
    if !second.is_empty() {
        let map = Rc::make_mut(&mut first);
        second.iter().for_each(|(key, value)| place(map, key.clone(), value.clone()));
    }
    shared(first)
}

fn keys(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let order = key_order(run, map_of(&args[0])?)?;
    Ok(Term::list(order.iter().cloned().collect::<Vec<_>>()))
}

fn values(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let map = map_of(&args[0])?;
    let order = key_order(run, map)?;
    Ok(Term::list(order.iter().filter_map(|key| map.get(key).cloned()).collect::<Vec<_>>()))
}

/// A step of a walk over a map: all that is left as pairs before a list, or as nested `{Key, Value, Next}` for an
/// iterator. Iterators walk large maps backwards, and a place in one is the number of entries before it.
fn map_next(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let [place, Term::Map(_, map), onto] = &*args else { return badarg() };
    let place =
        place.as_i64().and_then(|place| usize::try_from(place).ok()).filter(|&at| at <= map.len()).or_badarg()?;
    let small = map.len() <= Map::SMALL;
    let order = key_order(run, map)?;
    match onto {
        Term::Nil(_) | Term::Cons(..) => {
            let left = order.len() - if small { 0 } else { place };
            Ok(Term::list_with_tail(pairs(map, &order[..left]), onto.clone()))
        }
        Term::Atom(_, atom) if atom.name() == "iterator" && small => {
            Ok(chain(map, order.iter().rev(), Term::atom(known::NONE)))
        }
        Term::Atom(_, atom) if atom.name() == "iterator" => {
            let left = &order[..order.len() - place];
            let batch = &left[left.len().saturating_sub(BATCH)..];
            let next = match batch.len() == left.len() {
                true => Term::atom(known::NONE),
                false => Term::cons(Term::int((place + batch.len()) as i64), args[1].clone()),
            };
            Ok(chain(map, batch.iter(), next))
        }
        _ => badarg(),
    }
}

fn pairs(map: &Map, keys: &[Term]) -> Vec<Term> {
    keys.iter().filter_map(|key| Some(Term::tuple([key.clone(), map.get(key)?.clone()]))).collect()
}

/// `{Key, Value, {Key, Value, … Last}}`, from the inside out.
fn chain<'a>(map: &Map, keys: impl Iterator<Item = &'a Term>, last: Term) -> Term {
    keys.fold(last, |next, key| match map.get(key) {
        Some(value) => Term::tuple([key.clone(), value.clone(), next]),
        None => next,
    })
}
