//! The kinds of values that invented programs work on.

use fastrand::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    Float,
    Atom,
    Boolean,
    List,
    Tuple,
    Map,
    Binary,
}

impl Kind {
    const ALL: [Kind; 8] =
        [Kind::Integer, Kind::Float, Kind::Atom, Kind::Boolean, Kind::List, Kind::Tuple, Kind::Map, Kind::Binary];

    pub fn any(rng: &mut Rng) -> Kind {
        Kind::ALL[rng.usize(..Kind::ALL.len())]
    }

    fn literals(self) -> &'static [&'static str] {
        match self {
            Kind::Integer => &["0", "1", "2", "3", "-1", "7", "255", "65536", "12345678901234567890"],
            Kind::Float => &["1.0", "2.5", "-0.5"],
            Kind::Atom => &["a", "b", "ok", "error"],
            Kind::Boolean => &["true", "false"],
            Kind::List => &["[]", "[1,2,3]", "[a,b]", "[{a,1},{b,2}]", "\"abc\"", "[true,[]]"],
            Kind::Tuple => &["{a,1}", "{}", "{ok,[1,2]}", "{1,2,3}"],
            Kind::Map => &["#{}", "#{a => 1}", "#{1 => b,c => [1]}"],
            Kind::Binary => &["<<>>", "<<1,2,3>>", "<<\"ab\">>", "<<2,8,7,6>>"],
        }
    }

    pub fn literal(self, rng: &mut Rng) -> &'static str {
        pick(rng, self.literals())
    }
}

/// A variable and what it holds; patterns bind variables of which nothing is known.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Option<Kind>,
}

pub fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.usize(..from.len())]
}

/// True in so many of a hundred cases.
pub fn chance(rng: &mut Rng, percent: u32) -> bool {
    rng.u32(..100) < percent
}
