//! The shapes of the values that operations give. Tests hold them to the VM.

use constraint::Type;
use term::Term;

/// When a function ends with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    Always,
    /// If its only argument is a binary; otherwise nothing is known.
    OfBinary,
    Perhaps,
}

/// The shape of a function's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    Anything,
    /// It has no value: it raises.
    Nothing,
    Boolean,
    Integer,
    /// An integer, bounds included.
    Between(i64, i64),
    Float,
    /// A number of a kind that one of the arguments has.
    Number,
    Binary,
    /// A binary of that many bytes.
    Bytes(u32),
    /// A proper list.
    List,
    /// The head of the first argument.
    Head,
    /// The tail of the first argument.
    Tail,
    /// A list of the elements of the first argument, which ends with the second one, or properly if there is none.
    Elements,
}

/// The least and the greatest number of 32 bits.
pub(crate) const WORD: Gives = Gives::Between(0, u32::MAX as i64);

impl Gives {
    /// Returns the type of all values, if there is one.
    pub fn kind(self) -> Option<Type> {
        match self {
            Gives::Boolean => Some(Type::Boolean),
            Gives::Integer | Gives::Between(..) => Some(Type::Integer),
            Gives::Float => Some(Type::Float),
            Gives::Number => Some(Type::Number),
            Gives::Binary | Gives::Bytes(_) => Some(Type::Binary),
            Gives::List => Some(Type::ProperList),
            Gives::Anything | Gives::Nothing | Gives::Head | Gives::Tail | Gives::Elements => None,
        }
    }

    /// Returns true if a value that a function gave for these arguments is of this shape.
    pub fn covers(self, args: &[Term], value: &Term) -> bool {
        let bytes = value.as_bits().filter(|bits| bits.is_binary()).map(|bits| bits.byte_len());
        match self {
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
}
