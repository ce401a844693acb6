//! The shapes of the values that operations give. Tests hold them to the VM.

use constraint::Type;

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
}
