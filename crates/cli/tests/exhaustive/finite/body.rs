//! Bodies: matches and choices, each part on a line of its own so that crashes can be distinguished.

use fastrand::Rng;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Boolean,
    List,
    Tuple,
    Map,
    /// A bitstring of a few bits.
    Bits,
    Other,
    /// A fun from 0..2 to integers, and one to booleans.
    Fun,
    Test,
    /// A fun of two bits to a bit, and one to a boolean.
    Fold,
    Order,
    /// A fun of one argument that the program made itself.
    Local,
}

impl Kind {
    pub fn is_fun(self) -> bool {
        matches!(self, Kind::Fun | Kind::Test | Kind::Fold | Kind::Order | Kind::Local)
    }
}

#[derive(Clone)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
}

pub struct Writer<'a> {
    pub rng: &'a mut Rng,
    /// Functions of two integers that may be called.
    pub helpers: &'a [String],
    names: u32,
}

const KINDS: [Kind; 10] = [
    Kind::Integer,
    Kind::Integer,
    Kind::Integer,
    Kind::Integer,
    Kind::Boolean,
    Kind::List,
    Kind::List,
    Kind::Tuple,
    Kind::Map,
    Kind::Bits,
];

impl<'a> Writer<'a> {
    pub fn new(rng: &'a mut Rng, helpers: &'a [String]) -> Writer<'a> {
        Writer { rng, helpers, names: 0 }
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.rng.usize(..from.len())]
    }

    pub fn fresh(&mut self) -> String {
        self.names += 1;
        format!("V{}", self.names)
    }

    /// Some matches, then a value.
    pub fn body(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut scope = scope.to_vec();
        let mut lines = Vec::new();
        for _ in 0..self.rng.usize(..3) {
            lines.push(self.binding(&mut scope, depth));
        }
        lines.push(self.last(&scope, depth));
        lines.join(",\n")
    }

    fn binding(&mut self, scope: &mut Vec<Variable>, depth: u32) -> String {
        let name = self.fresh();
        let (text, kind) = match self.rng.u32(..20) {
            0..3 if depth > 0 => (format!("{name} = {}", self.branches(scope, depth - 1)), Kind::Other),
            3 if depth > 0 => (format!("{name} = {}", self.attempt(scope, depth - 1)), Kind::Other),
            4 | 5 => (format!("{name} = {}", self.closure(scope, depth)), Kind::Local),
            6 => (format!("{name} = {}", self.effect(scope)), Kind::Other),
            _ => return self.matched(scope, name, depth),
        };
        scope.push(Variable { name, kind });
        text
    }

    /// A match that may fail.
    fn matched(&mut self, scope: &mut Vec<Variable>, name: String, depth: u32) -> String {
        let kind = *self.pick(&KINDS);
        let value = self.value(scope, kind, depth);
        let (pattern, kind) = match kind {
            Kind::List if self.chance(20) => (format!("[_ | {name}]"), kind),
            Kind::Tuple if self.chance(20) => (format!("{{_, _}} = {name}"), kind),
            Kind::Boolean if self.chance(8) => (format!("true = {name}"), kind),
            Kind::Map if self.chance(20) => (format!("#{{a := {name}}}"), Kind::Integer),
            Kind::Bits if self.chance(30) => (format!("<<{name}:2, _/bits>>"), Kind::Integer),
            _ => (name.clone(), kind),
        };
        scope.push(Variable { name, kind });
        format!("{pattern} = {value}")
    }

    /// What a body ends with.
    fn last(&mut self, scope: &[Variable], depth: u32) -> String {
        let kind = self.kind();
        if depth == 0 {
            return if self.chance(10) { self.failure(scope) } else { self.value(scope, kind, 1) };
        }
        match self.rng.u32(..20) {
            0..8 => self.branches(scope, depth - 1),
            8..14 => self.attempt(scope, depth - 1),
            14 | 15 => self.failure(scope),
            _ => self.value(scope, kind, depth),
        }
    }

    pub fn kind(&mut self) -> Kind {
        *self.pick(&KINDS)
    }

    fn branches(&mut self, scope: &[Variable], depth: u32) -> String {
        if self.chance(70) { self.case(scope, depth) } else { self.choice(scope, depth) }
    }

    fn case(&mut self, scope: &[Variable], depth: u32) -> String {
        let (of, kind) = self.asked(scope);
        // Of a comparison that no clause takes some versions of the compiler give the opposite.
        let of = if kind == Kind::Boolean { format!("same({of})") } else { of };
        if self.chance(15) {
            let with = self.leaf(scope, Kind::Integer);
            return format!("case {{{of}, {with}}} of\n{}\nend", self.clauses(scope, Some(kind), true, depth));
        }
        format!("case {of} of\n{}\nend", self.clauses(scope, Some(kind), false, depth))
    }

    /// What a case looks at: half of the time something that depends on the inputs for sure.
    fn asked(&mut self, scope: &[Variable]) -> (String, Kind) {
        let plain: Vec<&Variable> = scope.iter().filter(|variable| !variable.kind.is_fun()).collect();
        if !plain.is_empty() && self.chance(50) {
            let variable = *self.pick(&plain);
            return (variable.name.clone(), variable.kind);
        }
        let kind = self.kind();
        (self.value(scope, kind, 1), kind)
    }

    /// Clauses for values of a kind, or of any; with a second value beside it, or alone.
    pub fn clauses(&mut self, scope: &[Variable], kind: Option<Kind>, beside: bool, depth: u32) -> String {
        let mut clauses: Vec<String> = (0..self.rng.usize(1..=3))
            .map(|_| {
                let mut inner = scope.to_vec();
                let kind = kind.unwrap_or_else(|| self.kind());
                let mut head = self.pattern(kind, &mut inner);
                if beside {
                    head = format!("{{{head}, {}}}", self.pattern(Kind::Integer, &mut inner));
                }
                let guard = if self.chance(30) { format!(" when {}", self.guard(&inner)) } else { String::new() };
                format!("{head}{guard} ->\n{}", self.body(&inner, depth))
            })
            .collect();
        if self.chance(75) {
            clauses.push(format!("_ ->\n{}", self.body(scope, depth)));
        }
        clauses.join(";\n")
    }

    pub fn pattern(&mut self, kind: Kind, scope: &mut Vec<Variable>) -> String {
        let name = self.fresh();
        let bind = |scope: &mut Vec<Variable>, kind| scope.push(Variable { name: name.clone(), kind });
        match kind {
            Kind::Other if self.chance(70) => {
                let kind = self.kind();
                if self.chance(30) {
                    (*self.pick(&["ok", "none", "x", "_"])).to_owned()
                } else {
                    self.pattern(kind, scope)
                }
            }
            Kind::Integer if self.chance(70) => self.rng.i64(-2..=4).to_string(),
            Kind::Boolean => self.pick(&["true", "false"]).to_string(),
            Kind::List | Kind::Tuple | Kind::Map | Kind::Bits => {
                let form = *self.pick(forms(kind));
                if form.contains("NAME") {
                    bind(scope, Kind::Integer);
                }
                form.replace("NAME", &name)
            }
            _ => {
                bind(scope, kind);
                name
            }
        }
    }

    fn choice(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut clauses: Vec<String> = (0..self.rng.usize(1..=3))
            .map(|_| format!("{} ->\n{}", self.guard(scope), self.body(scope, depth)))
            .collect();
        if self.chance(70) {
            clauses.push(format!("true ->\n{}", self.body(scope, depth)));
        }
        format!("if\n{}\nend", clauses.join(";\n"))
    }
}

/// Patterns of compound values, with a name for an integer or with none.
fn forms(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::List => {
            &["[]", "[_]", "[NAME]", "[NAME | _]", "[_, NAME | _]", "[0 | _]", "[NAME, NAME]", "[_ | [_ | _]]"]
        }
        Kind::Tuple => &["{}", "{NAME}", "{_, NAME}", "{NAME, NAME}", "{1, _}", "{_, NAME, _}", "{ok, _}"],
        Kind::Map => {
            &["#{a := NAME}", "#{a := 1}", "#{b := NAME}", "#{a := NAME, b := NAME}", "#{a := _, b := NAME}", "#{}"]
        }
        _ => &[
            "<<>>",
            "<<NAME:2, _/bits>>",
            "<<NAME:3>>",
            "<<NAME:1, NAME:1>>",
            "<<NAME:2, _:NAME, _/bits>>",
            "<<_:1, NAME:3/signed, _/bits>>",
            "<<1:1, _/bits>>",
            "<<NAME:2/little-unit:2>>",
        ],
    }
}
