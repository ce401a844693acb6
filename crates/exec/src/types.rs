//! The type tests of the language: their names, and the conditions that say the same.

/// The type tests of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Atom,
    Boolean,
    Integer,
    Float,
    Number,
    List,
    Tuple,
    Map,
    Binary,
    Bitstring,
    Function,
    Pid,
    Port,
    Reference,
}

pub fn type_named(name: &str) -> Option<Type> {
    Some(match name {
        "is_atom" => Type::Atom,
        "is_boolean" => Type::Boolean,
        "is_integer" => Type::Integer,
        "is_float" => Type::Float,
        "is_number" => Type::Number,
        "is_list" => Type::List,
        "is_tuple" => Type::Tuple,
        "is_map" => Type::Map,
        "is_binary" => Type::Binary,
        "is_bitstring" => Type::Bitstring,
        "is_function" => Type::Function,
        "is_pid" => Type::Pid,
        "is_port" => Type::Port,
        "is_reference" => Type::Reference,
        _ => return None,
    })
}

/// The condition that says the same.
pub fn type_of(kind: Type) -> constraint::Type {
    match kind {
        Type::Atom => constraint::Type::Atom,
        Type::Boolean => constraint::Type::Boolean,
        Type::Integer => constraint::Type::Integer,
        Type::Float => constraint::Type::Float,
        Type::Number => constraint::Type::Number,
        Type::List => constraint::Type::List,
        Type::Tuple => constraint::Type::Tuple,
        Type::Map => constraint::Type::Map,
        Type::Binary => constraint::Type::Binary,
        Type::Bitstring => constraint::Type::Bitstring,
        Type::Function => constraint::Type::Function,
        Type::Pid => constraint::Type::Pid,
        Type::Port => constraint::Type::Port,
        Type::Reference => constraint::Type::Reference,
    }
}
