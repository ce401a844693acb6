//! Expressions: mostly of the kind that is asked for, now and then of another one.

use super::body::{Kind, Variable, Writer};

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
            Kind::Map => self.map(scope, depth - 1),
            Kind::Bits => self.bits(scope, depth - 1),
            _ => self.leaf(scope, kind),
        }
    }

    /// The name of a fun of that kind, most of the time when there is one.
    fn fun(&mut self, scope: &[Variable], kind: Kind) -> Option<String> {
        let fitting: Vec<&Variable> = scope.iter().filter(|variable| variable.kind == kind).collect();
        (!fitting.is_empty() && self.chance(60)).then(|| self.pick(&fitting).name.clone())
    }

    pub fn leaf(&mut self, scope: &[Variable], kind: Kind) -> String {
        let fitting: Vec<&Variable> = scope.iter().filter(|variable| variable.kind == kind).collect();
        if !fitting.is_empty() && self.chance(85) {
            return self.pick(&fitting).name.clone();
        }
        let number: Vec<&Variable> = scope.iter().filter(|variable| variable.kind == Kind::Integer).collect();
        let number = match !number.is_empty() && self.chance(60) {
            true => self.pick(&number).name.clone(),
            false => self.rng.i64(-2..=4).to_string(),
        };
        let forms: &[&str] = match kind {
            Kind::Integer => return self.rng.i64(-2..=4).to_string(),
            Kind::Boolean => &["(N < 1)", "(N =:= 2)", "(N > 1)", "true", "false"],
            Kind::List => &["[]", "[N]", "[3, N, 2]", "[N, 5]", "[1, 0]"],
            Kind::Tuple => &["{}", "{N}", "{N, -1}", "{1, N, 3}", "{4, 2}"],
            Kind::Map => &["#{}", "#{a => N}", "#{a => 2, b => N}", "#{b => N, 1 => 3}", "#{N => N}"],
            Kind::Bits => &["<<>>", "<<(N):3>>", "<<(N):1>>", "<<9:5>>", "<<(N):2, 1:2>>"],
            _ => {
                let plain: Vec<&Variable> = scope.iter().filter(|variable| !variable.kind.is_fun()).collect();
                return if plain.is_empty() { "none".to_owned() } else { self.pick(&plain).name.clone() };
            }
        };
        self.pick(forms).replace('N', &number)
    }

    fn integer(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, list, tuple) = (of(Kind::Integer), of(Kind::Integer), of(Kind::List), of(Kind::Tuple));
        let (map, bits) = (of(Kind::Map), of(Kind::Bits));
        if let Some(fun) = self.fun(scope, Kind::Local) {
            return self.called(&fun, &a, &list);
        }
        if let Some(fun) = self.fun(scope, Kind::Fun) {
            return format!("{fun}(abs({a}) rem 3)");
        }
        if let Some(fun) = self.fun(scope, Kind::Fold) {
            return match self.chance(50) {
                true => format!("{fun}(abs({a}) rem 2, abs({b}) rem 2)"),
                false => format!("lists:foldl({fun}, 1, [abs(X) rem 2 || X <- {list}])"),
            };
        }
        match self.rng.u32(..40) {
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
            25..28 => self.entry(scope, &map, &a),
            28 => format!("{}({bits})", self.pick(&["bit_size", "byte_size"])),
            29 => format!("fail({a}, {b})"),
            30 => format!("over({a}, {b})"),
            31 => {
                let most = self.leaf(scope, Kind::Integer);
                format!("(fun Go([X | T]) when X < {most} -> X + Go(T); Go(_) -> {b} end)({list})")
            }
            32 => format!("begin {}, {a} end", self.effect(scope)),
            33 => format!("(fun(X) -> X - {a} end)({b})"),
            34..37 if !self.helpers.is_empty() => format!("{}({a}, {b})", self.pick(self.helpers)),
            _ => self.leaf(scope, Kind::Integer),
        }
    }

    pub fn guard(&mut self, scope: &[Variable]) -> String {
        let (a, b) = (self.leaf(scope, Kind::Integer), self.leaf(scope, Kind::Integer));
        let other = self.leaf(scope, Kind::Other);
        let flag = self.leaf(scope, Kind::Boolean);
        let comparison = *self.pick(&["<", ">", "=<", ">=", "=:=", "=/=", "==", "/="]);
        match self.rng.u32(..19) {
            0..4 => format!("{a} {comparison} {b}"),
            4 => format!("{a} rem {b} =:= 1"),
            5 => format!("element({a}, {}) {comparison} {b}", self.leaf(scope, Kind::Tuple)),
            6 => format!("is_{}({other})", self.pick(&["integer", "atom", "tuple", "boolean", "list"])),
            7 => flag,
            8 => format!("{flag}, {a} {comparison} {b}"),
            9 => format!("{flag}; {a} {comparison} {b}"),
            10 => format!("not ({a} {comparison} {b} orelse {flag})"),
            11 => format!("map_get(a, {}) {comparison} {a}", self.leaf(scope, Kind::Map)),
            12 => format!("is_map_key({a}, {}) orelse {flag}", self.leaf(scope, Kind::Map)),
            13 => format!("hd({}) {comparison} {a} andalso {flag}", self.leaf(scope, Kind::List)),
            14 => format!("length({}) {comparison} {a}; {flag}", self.leaf(scope, Kind::List)),
            15 => format!("bit_size({}) {comparison} {a}", self.leaf(scope, Kind::Bits)),
            16 => format!("is_atom({other}) orelse ({a} div {b} {comparison} 1 andalso {flag})"),
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
        match self.rng.u32(..16) {
            0..5 => format!("({a} {} {b})", self.pick(&["<", ">", "=<", ">=", "=:=", "=/=", "==", "/="])),
            5 => format!("({p} {} {q})", self.pick(&["and", "or", "xor", "andalso", "orelse"])),
            6 => format!("(not {p})"),
            7 => format!("lists:member({a}, {list})"),
            8 => format!("({other} {} {b})", self.pick(&["<", ">=", "=:=", "=="])),
            9 => format!("is_{}({other})", self.pick(&["integer", "atom", "tuple", "boolean"])),
            10 => format!("({a} =:= {b} andalso {p})"),
            11 => format!("({p} orelse {a} < {b} andalso {q})"),
            12 => format!("lists:{}(fun(X) -> {a} div X > {b} end, {list})", self.pick(&["any", "all"])),
            13 => format!("maps:is_key({a}, {})", self.leaf(scope, Kind::Map)),
            14 => format!("is_map_key({}, {})", self.key(scope), self.leaf(scope, Kind::Map)),
            _ => format!("lists:any(fun(X) -> X > {a} end, {list})"),
        }
    }

    fn list(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, list, more) = (of(Kind::Integer), of(Kind::Integer), of(Kind::List), of(Kind::List));
        let (tuple, bits) = (of(Kind::Tuple), of(Kind::Bits));
        if let Some(fun) = self.fun(scope, Kind::Local) {
            return format!("lists:map({fun}, {list})");
        }
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
            8 | 9 => self.comprehension(&a, &b, &list, &bits),
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
