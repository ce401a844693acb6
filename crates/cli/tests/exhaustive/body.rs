//! Bodies: matches, choices, attempts and failures, each part on a line of its own so that crashes can be told apart.

use fastrand::Rng;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Boolean,
    List,
    Tuple,
    Other,
    /// A fun from 0..2 to integers, and one to booleans.
    Fun,
    Test,
    /// A fun of two bits to a bit, and one to a boolean.
    Fold,
    Order,
}

impl Kind {
    pub fn is_fun(self) -> bool {
        matches!(self, Kind::Fun | Kind::Test | Kind::Fold | Kind::Order)
    }
}

#[derive(Clone)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
}

pub struct Writer<'a> {
    pub rng: &'a mut Rng,
    names: u32,
}

const KINDS: [Kind; 6] = [Kind::Integer, Kind::Integer, Kind::Integer, Kind::Boolean, Kind::List, Kind::Tuple];

impl Writer<'_> {
    pub fn new(rng: &mut Rng) -> Writer<'_> {
        Writer { rng, names: 0 }
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
        let kind = *self.pick(&KINDS);
        let value = self.value(scope, kind, depth);
        let name = self.fresh();
        let pattern = match kind {
            Kind::List if self.chance(20) => format!("[_ | {name}]"),
            Kind::Tuple if self.chance(20) => format!("{{_, _}} = {name}"),
            Kind::Boolean if self.chance(8) => format!("true = {name}"),
            _ => name.clone(),
        };
        scope.push(Variable { name, kind });
        format!("{pattern} = {value}")
    }

    /// What a body ends with.
    fn last(&mut self, scope: &[Variable], depth: u32) -> String {
        let kind = *self.pick(&KINDS);
        if depth == 0 {
            return self.value(scope, kind, 1);
        }
        match self.rng.u32(..20) {
            0..8 => self.case(scope, depth - 1),
            8..11 => self.choice(scope, depth - 1),
            11..15 => self.attempt(scope, depth - 1),
            15 => self.failure(scope),
            _ => self.value(scope, kind, depth),
        }
    }

    fn case(&mut self, scope: &[Variable], depth: u32) -> String {
        let kind = *self.pick(&KINDS);
        let of = self.value(scope, kind, 1);
        let mut clauses: Vec<String> = (0..self.rng.usize(1..=3))
            .map(|_| {
                let mut inner = scope.to_vec();
                let head = self.pattern(kind, &mut inner);
                let guard = if self.chance(30) { format!(" when {}", self.guard(&inner)) } else { String::new() };
                format!("{head}{guard} ->\n{}", self.body(&inner, depth))
            })
            .collect();
        if self.chance(75) {
            clauses.push(format!("_ ->\n{}", self.body(scope, depth)));
        }
        format!("case {of} of\n{}\nend", clauses.join(";\n"))
    }

    fn pattern(&mut self, kind: Kind, scope: &mut Vec<Variable>) -> String {
        let name = self.fresh();
        let bind = |scope: &mut Vec<Variable>, kind| scope.push(Variable { name: name.clone(), kind });
        match kind {
            Kind::Integer if self.chance(70) => self.rng.i64(-4..=8).to_string(),
            Kind::Boolean => self.pick(&["true", "false"]).to_string(),
            Kind::List => {
                let form =
                    *self.pick(&["[]", "[_]", "[NAME]", "[NAME | _]", "[_, NAME | _]", "[0 | _]", "[NAME, NAME]"]);
                if form.contains("NAME") {
                    bind(scope, Kind::Integer);
                }
                form.replace("NAME", &name)
            }
            Kind::Tuple => {
                let form =
                    *self.pick(&["{}", "{NAME}", "{_, NAME}", "{NAME, NAME}", "{1, _}", "{_, NAME, _}", "{ok, _}"]);
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

    fn attempt(&mut self, scope: &[Variable], depth: u32) -> String {
        let tried = self.body(scope, depth);
        let name = self.fresh();
        let (head, kind) = *self.pick(&[
            ("error:badarith", None),
            ("error:{badmatch, NAME}", Some(Kind::Other)),
            ("error:NAME", Some(Kind::Other)),
            ("throw:NAME", Some(Kind::Integer)),
            ("_:{bad, NAME}", Some(Kind::Integer)),
            ("error:function_clause", None),
            ("_:_", None),
        ]);
        let mut inner = scope.to_vec();
        inner.extend(kind.map(|kind| Variable { name: name.clone(), kind }));
        let caught = format!("{} ->\n{}", head.replace("NAME", &name), self.body(&inner, depth));
        format!("try\n{tried}\ncatch\n{caught}\nend")
    }

    fn failure(&mut self, scope: &[Variable]) -> String {
        let class = *self.pick(&["error", "throw", "exit", "error", "throw"]);
        let value = self.value(scope, Kind::Integer, 1);
        match self.chance(50) {
            true => format!("{class}({{bad, {value}}})"),
            false => format!("{class}(oops)"),
        }
    }
}
