//! The shape of results that a record promises, held against values.

use ops::Gives;
use term::Term;

/// Returns true if a value that a function gave for these arguments is of this shape.
pub fn covers(gives: Gives, args: &[Term], value: &Term) -> bool {
    let bytes = value.as_bits().filter(|bits| bits.is_binary()).map(|bits| bits.byte_len());
    match gives {
        Gives::Anything => true,
        Gives::Nothing => false,
        Gives::Boolean => value.as_bool().is_some(),
        Gives::Integer => value.is_integer(),
        Gives::Between(low, high) => value.as_i64().is_some_and(|value| (low..=high).contains(&value)),
        Gives::Float => matches!(value, Term::Float(..)),
        Gives::Number => {
            let like = |arg: &Term| arg.is_number() && arg.is_integer() == value.is_integer();
            value.is_number() && args.iter().any(like)
        }
        Gives::Binary => bytes.is_some(),
        Gives::Bytes(count) => bytes == Some(count as usize),
        Gives::List => value.proper_list().is_some(),
        Gives::Head => matches!(args.first(), Some(Term::Cons(_, cell)) if cell.head == *value),
        Gives::Tail => matches!(args.first(), Some(Term::Cons(_, cell)) if cell.tail == *value),
        Gives::Elements => {
            let Some(items) = args.first().and_then(Term::proper_list) else { return false };
            let mut cells = value.cells();
            let taken = cells.by_ref().take(items.len()).filter(|item| items.contains(item)).count();
            let rest = cells.rest();
            taken == items.len() && args.get(1).map_or(matches!(rest, Term::Nil(_)), |tail| tail == rest)
        }
    }
}
