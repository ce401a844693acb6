//! Expressions: mostly of the kind that is asked for, now and then of another one.

use crate::body::{Kind, Variable, Writer};

impl Writer<'_> {
    pub fn value(&mut self, scope: &[Variable], kind: Kind, depth: u32) -> String {
        let kind = if self.chance(2) { Kind::Other } else { kind };
        if depth == 0 || self.chance(20) {
            return self.leaf(scope, kind);
        }
        match kind {
            Kind::Integer => self.integer(scope, depth - 1),
            Kind::Boolean => self.boolean(scope, depth - 1),
            Kind::List => self.list(scope, depth - 1),
            Kind::Tuple => self.tuple(scope, depth - 1),
            _ => self.leaf(scope, kind),
        }
    }

    /// The name of a fun of that kind, most of the time when there is one.
    fn fun(&mut self, scope: &[Variable], kind: Kind) -> Option<String> {
        let fitting: Vec<&Variable> = scope.iter().filter(|variable| variable.kind == kind).collect();
        (!fitting.is_empty() && self.chance(60)).then(|| self.pick(&fitting).name.clone())
    }

    fn leaf(&mut self, scope: &[Variable], kind: Kind) -> String {
        let fitting: Vec<&Variable> = scope.iter().filter(|variable| variable.kind == kind).collect();
        if !fitting.is_empty() && self.chance(85) {
            return self.pick(&fitting).name.clone();
        }
        match kind {
            Kind::Integer => self.rng.i64(-3..=7).to_string(),
            Kind::Boolean => self.pick(&["true", "false"]).to_string(),
            Kind::List => (*self.pick(&["[]", "[1]", "[3, 1, 2]", "[0, 5]"])).to_owned(),
            Kind::Tuple => (*self.pick(&["{}", "{2}", "{4, -1}", "{1, 2, 3}"])).to_owned(),
            _ => {
                let plain: Vec<&Variable> = scope.iter().filter(|variable| !variable.kind.is_fun()).collect();
                if plain.is_empty() { "none".to_owned() } else { self.pick(&plain).name.clone() }
            }
        }
    }

    fn integer(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, list, tuple) = (of(Kind::Integer), of(Kind::Integer), of(Kind::List), of(Kind::Tuple));
        if let Some(fun) = self.fun(scope, Kind::Fun) {
            return format!("{fun}(abs({a}) rem 3)");
        }
        if let Some(fun) = self.fun(scope, Kind::Fold) {
            return match self.chance(50) {
                true => format!("{fun}(abs({a}) rem 2, abs({b}) rem 2)"),
                false => format!("lists:foldl({fun}, 1, [abs(X) rem 2 || X <- {list}])"),
            };
        }
        match self.rng.u32(..30) {
            0..6 => format!("({a} {} {b})", self.pick(&["+", "-", "*"])),
            6..9 => format!("({a} {} {b})", self.pick(&["div", "rem"])),
            9 => format!("({a} {} {b})", self.pick(&["band", "bor", "bxor"])),
            10 => format!("({a} {} ({b} band 3))", self.pick(&["bsl", "bsr"])),
            11 => format!("{}({a})", self.pick(&["abs", "-", "bnot ", "half"])),
            12 => format!("{}({a}, {b})", self.pick(&["max", "min", "ratio"])),
            13 => format!("length({list})"),
            14..17 => format!("element({a}, {tuple})"),
            17 => format!("hd({list})"),
            18 => format!("lists:nth({a}, {list})"),
            19 => format!("at({a}, {list})"),
            20 => format!("total({list})"),
            21 => format!("tuple_size({tuple})"),
            22 => format!("lists:{}({list})", self.pick(&["sum", "max", "last", "min"])),
            23 => format!("lists:foldl(fun(X, Y) -> X {} Y end, {a}, {list})", self.pick(&["+", "-", "*"])),
            24 => format!("list_to_integer(integer_to_list({a}))"),
            _ => self.leaf(scope, Kind::Integer),
        }
    }

    pub fn guard(&mut self, scope: &[Variable]) -> String {
        let (a, b) = (self.leaf(scope, Kind::Integer), self.leaf(scope, Kind::Integer));
        let other = self.leaf(scope, Kind::Other);
        let flag = self.leaf(scope, Kind::Boolean);
        let comparison = *self.pick(&["<", ">", "=<", ">=", "=:=", "=/=", "==", "/="]);
        match self.rng.u32(..12) {
            0..4 => format!("{a} {comparison} {b}"),
            4 => format!("{a} rem {b} =:= 1"),
            5 => format!("element({a}, {}) {comparison} {b}", self.leaf(scope, Kind::Tuple)),
            6 => format!("is_{}({other})", self.pick(&["integer", "atom", "tuple", "boolean", "list"])),
            7 => flag,
            8 => format!("{flag}, {a} {comparison} {b}"),
            9 => format!("{flag}; {a} {comparison} {b}"),
            10 => format!("not ({a} {comparison} {b} orelse {flag})"),
            _ => format!("{other} {comparison} {a}"),
        }
    }

    fn boolean(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, list) = (of(Kind::Integer), of(Kind::Integer), of(Kind::List));
        let (p, q, other) = (of(Kind::Boolean), of(Kind::Boolean), of(Kind::Other));
        if let Some(fun) = self.fun(scope, Kind::Test) {
            return match self.chance(60) {
                true => format!("{fun}(abs({a}) rem 3)"),
                false => format!("lists:all({fun}, [abs(X) rem 3 || X <- {list}])"),
            };
        }
        if let Some(fun) = self.fun(scope, Kind::Order) {
            return format!("{fun}(abs({a}) rem 2, abs({b}) rem 2)");
        }
        match self.rng.u32(..12) {
            0..5 => format!("({a} {} {b})", self.pick(&["<", ">", "=<", ">=", "=:=", "=/=", "==", "/="])),
            5 => format!("({p} {} {q})", self.pick(&["and", "or", "xor", "andalso", "orelse"])),
            6 => format!("(not {p})"),
            7 => format!("lists:member({a}, {list})"),
            8 => format!("({other} {} {b})", self.pick(&["<", ">=", "=:=", "=="])),
            9 => format!("is_{}({other})", self.pick(&["integer", "atom", "tuple", "boolean"])),
            10 => format!("({a} =:= {b} andalso {p})"),
            _ => format!("lists:any(fun(X) -> X > {a} end, {list})"),
        }
    }

    fn list(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, list, more) = (of(Kind::Integer), of(Kind::Integer), of(Kind::List), of(Kind::List));
        let tuple = of(Kind::Tuple);
        if let Some(fun) = self.fun(scope, Kind::Fun) {
            return format!("lists:map({fun}, [abs(X) rem 3 || X <- {list}])");
        }
        if let Some(fun) = self.fun(scope, Kind::Test) {
            return format!("lists:filter({fun}, [abs(X) rem 3 || X <- {list}])");
        }
        if let Some(fun) = self.fun(scope, Kind::Order) {
            return format!("lists:sort({fun}, [abs(X) rem 2 || X <- {list}])");
        }
        match self.rng.u32(..14) {
            0..3 => format!("[{a}, {b}]"),
            3 => format!("[{a} | {list}]"),
            4 => format!("({list} {} {more})", self.pick(&["++", "--"])),
            5 => format!("tl({list})"),
            6 => format!("tuple_to_list({tuple})"),
            7 => format!("lists:{}({list})", self.pick(&["reverse", "sort", "usort"])),
            8 => format!("[X || X <- {list}, X {} {a}]", self.pick(&["<", ">", "=/="])),
            9 => format!("[X {} {a} || X <- {list}]", self.pick(&["+", "*", "-"])),
            10 => format!("lists:map(fun(X) -> {{X, {a}}} end, {list})"),
            11 => format!("lists:sublist({list}, abs({a}))"),
            12 => format!("lists:seq(0, abs({a}) rem 5)"),
            _ => format!("lists:zip({list}, {more})"),
        }
    }

    fn tuple(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, list, tuple) = (of(Kind::Integer), of(Kind::Integer), of(Kind::List), of(Kind::Tuple));
        match self.rng.u32(..8) {
            0..3 => format!("{{{a}, {b}}}"),
            3 => format!("{{{a}, {b}, {}}}", self.leaf(scope, Kind::Other)),
            4 => format!("setelement({a}, {tuple}, {b})"),
            5 => format!("list_to_tuple({list})"),
            6 => format!("pair({tuple})"),
            _ => self.leaf(scope, Kind::Tuple),
        }
    }
}
