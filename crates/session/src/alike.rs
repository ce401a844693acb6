//! Whether two machines gave the same: processes, references and closures have other names on each.

use term::{Exception, Map, Term};

/// Class and reason.
pub fn is_same_exception(a: &Exception, b: &Exception) -> bool {
    a.class == b.class && is_alike(&a.reason, &b.reason)
}

pub fn is_alike(a: &Term, b: &Term) -> bool {
    a == b || stacker::maybe_grow(64 << 10, 4 << 20, || has_alike_parts(a, b))
}

fn has_alike_parts(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Tuple(_, a), Term::Tuple(_, b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(pair),
        (Term::Cons(..), Term::Cons(..)) => are_alike_lists(a, b),
        (Term::Map(_, a), Term::Map(_, b)) => are_alike_maps(a, b),
        (Term::Handle(..), Term::Handle(..)) => sort(a) == sort(b),
        (Term::Fun(..), Term::Fun(..)) => a.to_string() == b.to_string(),
        _ => false,
    }
}

fn pair((a, b): (&Term, &Term)) -> bool {
    is_alike(a, b)
}

/// Cell by cell: a list may be longer than a stack is deep.
fn are_alike_lists(a: &Term, b: &Term) -> bool {
    if is_trace(a) && is_trace(b) {
        return true;
    }
    let (mut a, mut b) = (a, b);
    while let (Term::Cons(_, left), Term::Cons(_, right)) = (a, b) {
        if !is_alike(&left.head, &right.head) {
            return false;
        }
        (a, b) = (&left.tail, &right.tail);
    }
    is_alike(a, b)
}

/// A stack trace in a reason counts as little as the exception's own: the compiler leaves calls out and puts others in
/// their place, and the VM calls the function from below.
fn is_trace(list: &Term) -> bool {
    let entry = |entry: &Term| match entry.as_tuple() {
        Some([module, function, args, place]) => {
            let args = args.is_integer() || is_list(args);
            module.as_atom().is_some() && function.as_atom().is_some() && args && is_list(place)
        }
        _ => false,
    };
    let mut cells = list.cells();
    cells.by_ref().all(entry) && matches!(cells.rest(), Term::Nil(_))
}

fn is_list(term: &Term) -> bool {
    matches!(term, Term::Nil(_) | Term::Cons(..))
}

/// Handles as keys are compared by their number only: which is which cannot be known.
fn are_alike_maps(a: &Map, b: &Map) -> bool {
    let known = |map: &Map, key: &Term| map.get(key).is_some();
    let rest = |one: &Map, other: &Map| one.keys().filter(|key| !known(other, key)).count();
    rest(a, b) == rest(b, a)
        && a.keys().filter(|key| !known(b, key)).all(|key| matches!(key, Term::Handle(..)))
        && a.iter().filter_map(|(key, value)| Some((value, b.get(key)?))).all(pair)
}

/// `<` for processes, `#Ref` for references, `#Port` for ports.
fn sort(handle: &Term) -> String {
    handle.to_string().chars().take_while(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Term {
        Term::read(text).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn stack_traces_in_reasons_are_not_compared() {
        let ours = read("{'EXIT', {e, [{maps, get, [a, #{}], []}, {m, f, 1, []}]}}");
        let theirs = "{'EXIT', {e, [{erlang, map_get, [a, #{}], []}, {m, f, 1, []}, {hound_run, applied, 4, []}]}}";
        assert!(is_alike(&ours, &read(theirs)) && is_alike(&read(theirs), &ours));
        for other in ["{'EXIT', {d, [{m, f, 1, []}]}}", "{'EXIT', {e, [{m, f, 1}]}}", "{'EXIT', {e, []}}"] {
            assert!(!is_alike(&ours, &read(other)) && !is_alike(&read(other), &ours), "{other}");
        }
    }

    #[test]
    fn only_names_may_differ() {
        for text in ["[1, 2.0, \"x\" | y]", "{a, #{b => <<1>>}}", "fun lists:sort/1"] {
            assert!(is_alike(&read(text), &read(text)), "{text}");
        }
        for (a, b) in
            [("1", "1.0"), ("{a, b}", "{a, c}"), ("[a]", "[a, a]"), ("#{a => 1}", "#{a => 2}"), ("#{a => 1}", "#{}")]
        {
            assert!(!is_alike(&read(a), &read(b)) && !is_alike(&read(b), &read(a)), "{a} {b}");
        }
    }
}
