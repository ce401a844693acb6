//! Funs that the program makes, comprehensions, maps, and bitstrings of a few bits.

use super::body::{Kind, Variable, Writer};

impl Writer<'_> {
    /// A fun of one argument.
    pub fn closure(&mut self, scope: &[Variable], depth: u32) -> String {
        let name = self.fresh();
        let mut inner = scope.to_vec();
        inner.push(Variable { name: name.clone(), kind: Kind::Integer });
        // A call in the last place leaves a line behind only where the compiler has put the fun in the place of its call.
        let first = match self.rng.u32(..3) {
            0 => format!("{}) ->\nsame({});\n(", self.rng.i64(-1..=3), self.value(scope, Kind::Integer, 1)),
            _ => String::new(),
        };
        let guard = if self.chance(25) { format!(" when {}", self.guard(&inner)) } else { String::new() };
        let body = match self.chance(40) {
            true => format!("begin\n{}\nend", self.body(&inner, depth.saturating_sub(1))),
            false => self.value(&inner, Kind::Integer, 2),
        };
        format!("fun({first}{name}){guard} ->\nsame({body})\nend")
    }

    /// A local fun, called directly or by the library.
    pub fn called(&mut self, fun: &str, a: &str, list: &str) -> String {
        match self.rng.u32(..5) {
            0 => format!("lists:foldl(fun(X, Y) -> Y + {fun}(X) end, {a}, {list})"),
            1 => format!("hd(lists:map({fun}, {list}))"),
            2 => format!("apply({fun}, [{a}])"),
            _ => format!("{fun}({a})"),
        }
    }

    pub fn comprehension(&mut self, a: &str, b: &str, list: &str, bits: &str) -> String {
        let compare = *self.pick(&["<", ">", "=/="]);
        match self.rng.u32(..8) {
            0 => format!("[X || X <- {list}, X {compare} {a}]"),
            1 => format!("[X {} {a} || X <- {list}]", self.pick(&["+", "*", "-", "div"])),
            2 => format!("[X + Y || X <- {list}, Y <- [0, {b}], X {compare} Y]"),
            3 => format!("[X || {{X, _}} <- [{{{a}, 1}}, {b}, {{0, {b}}}]]"),
            4 => format!("[X || <<X:{}>> <= {bits}]", self.rng.u32(1..=3)),
            5 => format!("[X || <<X:1, Y:2>> <= {bits}, X {compare} Y orelse Y =:= {a}]"),
            6 => format!("[{a} div X || X <- {list}, is_integer(X), X {compare} {b}]"),
            _ => format!("[case X of 1 -> {b}; _ -> X end || X <- {list}]"),
        }
    }

    pub fn map(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, map, more) = (of(Kind::Integer), of(Kind::Integer), of(Kind::Map), of(Kind::Map));
        let key = self.key(scope);
        match self.rng.u32(..10) {
            0 | 1 => format!("#{{a => {a}, b => {b}}}"),
            2 => format!("#{{{key} => {a}}}"),
            3 => format!("({map})#{{{key} => {a}}}"),
            // The compiler forgets an update whose value is not needed, and the exception with it.
            4 | 5 => format!("same(({map})#{{{key} := {a}}})"),
            6 => format!("maps:remove({key}, {map})"),
            7 => format!("maps:merge({map}, {more})"),
            8 => format!("maps:put({key}, {a}, {map})"),
            _ => self.leaf(scope, Kind::Map),
        }
    }

    pub fn key(&mut self, scope: &[Variable]) -> String {
        if self.chance(20) { self.leaf(scope, Kind::Integer) } else { (*self.pick(&["a", "b", "c"])).to_owned() }
    }

    /// An integer out of a map.
    pub fn entry(&mut self, scope: &[Variable], map: &str, otherwise: &str) -> String {
        let key = self.key(scope);
        match self.rng.u32(..5) {
            0 => format!("maps:get({key}, {map})"),
            1 => format!("map_get({key}, {map})"),
            2 => format!("maps:get({key}, {map}, {otherwise})"),
            3 => format!("map_size({map})"),
            _ => format!("total(maps:values({map}))"),
        }
    }

    pub fn bits(&mut self, scope: &[Variable], depth: u32) -> String {
        let mut of = |kind| self.value(scope, kind, depth);
        let (a, b, list, bits) = (of(Kind::Integer), of(Kind::Integer), of(Kind::List), of(Kind::Bits));
        match self.rng.u32(..9) {
            0 => format!("<<({a}):3>>"),
            1 => format!("<<({a}):2, ({b}):1>>"),
            2 => format!("<<({a}):({b} band 3)>>"),
            3 => format!("<<({a}):1, ({bits})/bits>>"),
            4 => format!("<< <<X:2>> || X <- {list} >>"),
            5 => format!("<< <<X:3>> || X <- {list}, X > {a} >>"),
            6 => format!("<< <<(X bxor 1):1>> || <<X:1>> <= {bits} >>"),
            7 => format!("<< <<Y:1>> || <<X:2, Y:2>> <= {bits}, X < Y >>"),
            _ => self.leaf(scope, Kind::Bits),
        }
    }
}
