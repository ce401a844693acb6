//! Equality of results of two machines: processes, references and closures have other names on each, and unique integers
//! are others.

mod names;

use std::ops::Range;

use exec::forward::Ending;
use host::CallResult;
use term::{Exception, Map, Outcome, Term};

/// True if a call ended on the VM as on our machine.
pub fn is_same_ending(ours: &Ending, theirs: &CallResult) -> bool {
    match (ours, theirs) {
        (Ending::Value(ours), CallResult::Ended(Outcome::Value(theirs))) => is_same_term(ours, theirs),
        (Ending::Raised(ours), CallResult::Ended(Outcome::Raised(theirs))) => is_same_exception(ours, theirs),
        _ => false,
    }
}

/// True if class and reason are the same.
pub fn is_same_exception(a: &Exception, b: &Exception) -> bool {
    a.class == b.class && is_same_term(&a.reason, &b.reason)
}

/// The first integer that `unique_integer/0` gives, and about where its last would be if a VM ran for years.
const UNIQUE: Range<i64> = -(1 << 59)..-(1 << 59) + (1 << 40);

/// True if two terms are the same but for the names of processes, references and closures, and for unique integers.
pub fn is_same_term(a: &Term, b: &Term) -> bool {
    a == b || term::deeper(|| has_same_parts(a, b))
}

fn has_same_parts(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Tuple(_, a), Term::Tuple(_, b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(pair),
        (Term::Cons(..), Term::Cons(..)) => are_same_lists(a, b),
        (Term::Map(_, a), Term::Map(_, b)) => are_same_maps(a, b),
        (Term::Handle(..), Term::Handle(..)) => sort(a) == sort(b),
        (Term::Int(_, a), Term::Int(_, b)) => UNIQUE.contains(a) && UNIQUE.contains(b),
        (Term::Bits(_, a), Term::Bits(_, b)) => match (a.as_bytes(), b.as_bytes()) {
            (Some(a), Some(b)) => names::without(a) == names::without(b),
            _ => false,
        },
        (Term::Fun(..), Term::Fun(..)) => a.to_string() == b.to_string(),
        _ => false,
    }
}

fn pair((a, b): (&Term, &Term)) -> bool {
    is_same_term(a, b)
}

/// Cell by cell: a list may be longer than a stack is deep.
fn are_same_lists(a: &Term, b: &Term) -> bool {
    if is_trace(a) && is_trace(b) {
        return true;
    }
    if let (Some(a), Some(b)) = (text(a), text(b)) {
        return names::without(a.as_bytes()) == names::without(b.as_bytes());
    }
    let (mut a, mut b) = (a, b);
    while let (Term::Cons(_, left), Term::Cons(_, right)) = (a, b) {
        if !is_same_term(&left.head, &right.head) {
            return false;
        }
        (a, b) = (&left.tail, &right.tail);
    }
    is_same_term(a, b)
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

/// The text that a list of characters is.
fn text(list: &Term) -> Option<String> {
    let mut cells = list.cells();
    let character = |cell: &Term| cell.as_i64().and_then(|point| u32::try_from(point).ok()).and_then(char::from_u32);
    let text: Option<String> = cells.by_ref().map(character).collect();
    text.filter(|_| matches!(cells.rest(), Term::Nil(_)))
}

/// Handles as keys are compared by their number only: which is which cannot be known.
fn are_same_maps(a: &Map, b: &Map) -> bool {
    let only =
        |one: &Map, other: &Map| -> Vec<Term> { one.keys().filter(|key| other.get(key).is_none()).cloned().collect() };
    let (only_a, only_b) = (only(a, b), only(b, a));
    only_a.len() == only_b.len()
        && only_a.iter().chain(&only_b).all(|key| matches!(key, Term::Handle(..)))
        && a.iter().filter_map(|(key, value)| Some((value, b.get(key)?))).all(pair)
}

/// The sort of a handle: `<` for processes, `#Ref` for references, `#Port` for ports.
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
    fn unique_integers_are_not_compared() {
        let [ours, theirs] = ["{id,-576460752303423487}", "{id,-576460752303423399}"].map(read);
        assert!(is_same_term(&ours, &theirs) && !is_same_term(&ours, &read("{id,5}")));
    }

    #[test]
    fn stack_traces_in_reasons_are_not_compared() {
        let ours = read("{'EXIT', {e, [{maps, get, [a, #{}], []}, {m, f, 1, []}]}}");
        let theirs = "{'EXIT', {e, [{erlang, map_get, [a, #{}], []}, {m, f, 1, []}, {hound_run, applied, 4, []}]}}";
        assert!(is_same_term(&ours, &read(theirs)) && is_same_term(&read(theirs), &ours));
        for other in ["{'EXIT', {d, [{m, f, 1, []}]}}", "{'EXIT', {e, [{m, f, 1}]}}", "{'EXIT', {e, []}}"] {
            assert!(!is_same_term(&ours, &read(other)) && !is_same_term(&read(other), &ours), "{other}");
        }
    }

    #[test]
    fn names_in_texts_are_not_compared() {
        let same = [
            (
                "<<\"owner: #PID<0.0.1>, ref: #Reference<0.1.0.7>.\">>",
                "<<\"owner: #PID<0.85.0>, ref: #Reference<0.38.4.1>.\">>",
            ),
            ("{no, \"process <0.1.0> of #Port<0.3>\"}", "{no, \"process <0.97.0> of #Port<0.12>\"}"),
        ];
        for (ours, theirs) in same {
            assert!(is_same_term(&read(ours), &read(theirs)), "{ours} {theirs}");
        }
        let other = [
            ("<<\"<0.1.0> is gone\">>", "<<\"<0.1.0> is here\">>"),
            ("<<\"<0.1.0>\">>", "<<\"#Ref<0.1.0>\">>"),
            ("<<\"<1.2>\">>", "<<\"<1.3>\">>"),
            ("\"1.2.3\"", "\"1.2.4\""),
            ("[1, 2]", "[1, 3]"),
            ("<<1, 2>>", "<<1, 3>>"),
        ];
        for (ours, theirs) in other {
            assert!(!is_same_term(&read(ours), &read(theirs)), "{ours} {theirs}");
        }
    }

    #[test]
    fn only_names_may_differ() {
        for text in ["[1, 2.0, \"x\" | y]", "{a, #{b => <<1>>}}", "fun lists:sort/1"] {
            assert!(is_same_term(&read(text), &read(text)), "{text}");
        }
        for (a, b) in
            [("1", "1.0"), ("{a, b}", "{a, c}"), ("[a]", "[a, a]"), ("#{a => 1}", "#{a => 2}"), ("#{a => 1}", "#{}")]
        {
            assert!(!is_same_term(&read(a), &read(b)) && !is_same_term(&read(b), &read(a)), "{a} {b}");
        }
    }
}
