//! Small finite types, as a spec says them and as a list of all their values.

use fastrand::Rng;

#[derive(Clone)]
pub enum Domain {
    Boolean,
    Range(i64, i64),
    Atoms(usize),
    Tuple(Vec<Domain>),
    Union(Vec<Domain>),
    /// With the key `a`, and with or without the key `b`.
    Map(Box<Domain>, Box<Domain>),
    /// Of that many bits, fewer than eight.
    Bits(u32),
    /// Of one argument from 0 to 2, or of two that are 0 or 1; only as an argument of its own.
    Fun(u8, Box<Domain>),
}

pub const ATOMS: [&str; 4] = ["ok", "none", "stop", "x"];

impl Domain {
    pub fn invent(rng: &mut Rng, depth: u32) -> Domain {
        let part = |rng: &mut Rng| Domain::invent(rng, depth - 1);
        match rng.u32(..if depth == 0 { 6 } else { 10 }) {
            0 => Domain::Boolean,
            1..5 => {
                let low = rng.i64(-3..=2);
                Domain::Range(low, low + rng.i64(0..=6))
            }
            5 => Domain::Atoms(rng.usize(1..=ATOMS.len())),
            6..9 => Domain::Tuple((0..rng.usize(0..=3)).map(|_| part(rng)).collect()),
            _ => Domain::Union((0..2).map(|_| part(rng)).collect()),
        }
    }

    /// An argument: now and then a fun.
    pub fn argument(rng: &mut Rng) -> Domain {
        match rng.u32(..12) {
            0 => Domain::Fun(1, Box::new(Domain::Range(0, rng.i64(1..=2)))),
            1 => Domain::Fun(2, Box::new(Domain::Range(0, 1))),
            2 => Domain::Fun(rng.u8(1..=2), Box::new(Domain::Boolean)),
            3 => Domain::Map(Box::new(Domain::invent(rng, 0)), Box::new(Domain::invent(rng, 0))),
            4 => Domain::Bits(rng.u32(1..=6)),
            _ => Domain::invent(rng, 2),
        }
    }

    pub fn spec(&self) -> String {
        match self {
            Domain::Boolean => "boolean()".to_owned(),
            Domain::Range(low, high) if low == high => low.to_string(),
            Domain::Range(low, high) => format!("{low}..{high}"),
            Domain::Atoms(count) => ATOMS[..*count].join(" | "),
            Domain::Tuple(items) => format!("{{{}}}", items.iter().map(Domain::spec).collect::<Vec<_>>().join(", ")),
            Domain::Union(items) => items.iter().map(Domain::spec).collect::<Vec<_>>().join(" | "),
            Domain::Map(a, b) => format!("#{{a := {}, b => {}}}", a.spec(), b.spec()),
            Domain::Bits(size) => format!("<<_:{size}>>"),
            Domain::Fun(1, result) => format!("fun((0..2) -> {})", result.spec()),
            Domain::Fun(_, result) => format!("fun((0..1, 0..1) -> {})", result.spec()),
        }
    }

    /// Erlang source of the list of all values.
    pub fn values(&self) -> String {
        match self {
            Domain::Boolean => "[false, true]".to_owned(),
            Domain::Range(low, high) => format!("lists:seq({low}, {high})"),
            Domain::Atoms(count) => format!("[{}]", ATOMS[..*count].join(", ")),
            Domain::Tuple(items) => rows("{", "}", items),
            Domain::Union(items) => {
                let all: Vec<String> = items.iter().map(Domain::values).collect();
                format!("lists:usort({})", all.join(" ++ "))
            }
            Domain::Map(a, b) => {
                let (a, b) = (a.values(), b.values());
                format!("([#{{a => A}} || A <- {a}] ++ [#{{a => A, b => B}} || A <- {a}, B <- {b}])")
            }
            Domain::Bits(size) => format!("[<<X:{size}>> || X <- lists:seq(0, {})]", (1 << size) - 1),
            Domain::Fun(arity, result) => {
                let columns = vec![result.as_ref().clone(); calls(*arity).len()];
                format!("[{{'$fun', {arity}, Rs}} || Rs <- {}]", rows("[", "]", &columns))
            }
        }
    }

    /// How many values there are, at most.
    pub fn size(&self) -> u64 {
        match self {
            Domain::Boolean => 2,
            Domain::Range(low, high) => (high - low + 1) as u64,
            Domain::Atoms(count) => *count as u64,
            Domain::Tuple(items) => items.iter().map(Domain::size).product(),
            Domain::Union(items) => items.iter().map(Domain::size).sum(),
            Domain::Map(a, b) => a.size() * (1 + b.size()),
            Domain::Bits(size) => 1 << size,
            Domain::Fun(arity, result) => result.size().pow(calls(*arity).len() as u32),
        }
    }
}

/// Every list of arguments that a fun is called with.
pub fn calls(arity: u8) -> Vec<Vec<i64>> {
    if arity == 1 { (0..3).map(|at| vec![at]).collect() } else { (0..4).map(|at| vec![at / 2, at % 2]).collect() }
}

/// All rows of values, between these brackets.
pub fn rows(open: &str, close: &str, columns: &[Domain]) -> String {
    // The level of a name keeps it apart from those of the columns' own lists.
    let names: Vec<String> = (0..columns.len()).map(|at| format!("X{at}")).collect();
    let generators: Vec<String> =
        names.iter().zip(columns).map(|(name, column)| format!("{name} <- {}", column.values())).collect();
    match columns {
        [] => format!("[{open}{close}]"),
        _ => format!("[{open}{}{close} || {}]", names.join(", "), generators.join(", ")),
    }
}
