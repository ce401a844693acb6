//! Exceptions: how they are raised, by the program and by its operations, and how they are caught.

use super::body::{Kind, Variable, Writer};

/// What a clause of a handler catches, and what kind of value it binds.
const HEADS: [(&str, Option<Kind>); 24] = [
    ("error:badarith", None),
    ("error:badarg", None),
    ("error:{badmatch, NAME}", Some(Kind::Other)),
    ("error:{case_clause, NAME}", Some(Kind::Other)),
    ("error:{try_clause, NAME}", Some(Kind::Other)),
    ("error:if_clause", None),
    ("error:function_clause", None),
    ("error:{badkey, NAME}", Some(Kind::Other)),
    ("error:{badmap, _}", None),
    ("error:{_, NAME}", Some(Kind::Other)),
    ("error:oops", None),
    ("error:NAME", Some(Kind::Other)),
    ("error:NAME", Some(Kind::Other)),
    ("throw:NAME", Some(Kind::Integer)),
    ("throw:{bad, NAME}", Some(Kind::Integer)),
    ("NAME", Some(Kind::Integer)),
    ("{bad, NAME}", Some(Kind::Integer)),
    ("exit:NAME", Some(Kind::Other)),
    ("exit:{bad, NAME}", Some(Kind::Integer)),
    ("_:{bad, NAME}", Some(Kind::Integer)),
    ("_:NAME", Some(Kind::Other)),
    ("NAME:_", Some(Kind::Other)),
    ("NAME:{bad, 1}", Some(Kind::Other)),
    ("_:_", None),
];

impl Writer<'_> {
    pub fn attempt(&mut self, scope: &[Variable], depth: u32) -> String {
        if self.chance(20) {
            return self.caught(scope, depth);
        }
        let mut text = format!("try\n{}\n", self.tried(scope, depth));
        if self.chance(30) {
            text += &format!("of\n{}\n", self.clauses(scope, None, false, depth.saturating_sub(1)));
        }
        let handlers: Vec<String> = (0..self.rng.usize(0..=3)).map(|_| self.handler(scope, depth)).collect();
        if !handlers.is_empty() {
            text += &format!("catch\n{}\n", handlers.join(";\n"));
        }
        if handlers.is_empty() || self.chance(20) {
            text += &format!("after\n{}\n", self.aftermath(scope));
        }
        text + "end"
    }

    /// A body that is likely to raise something.
    fn tried(&mut self, scope: &[Variable], depth: u32) -> String {
        match self.chance(40) {
            true => format!("{},\n{}", self.failure(scope), self.body(scope, depth.saturating_sub(1))),
            false => self.body(scope, depth),
        }
    }

    fn handler(&mut self, scope: &[Variable], depth: u32) -> String {
        if self.chance(12) {
            return self.again(scope);
        }
        let (head, kind) = *self.pick(&HEADS);
        let name = self.fresh();
        let mut inner = scope.to_vec();
        inner.extend(kind.map(|kind| Variable { name: name.clone(), kind }));
        let trace = match head.contains(':') && self.chance(20) {
            true => format!(":{}", self.fresh()),
            false => String::new(),
        };
        let guard = if self.chance(25) { format!(" when {}", self.guard(&inner)) } else { String::new() };
        let body = if self.chance(10) { self.failure(&inner) } else { self.body(&inner, depth.saturating_sub(1)) };
        format!("{}{trace}{guard} ->\n{body}", head.replace("NAME", &name))
    }

    /// Catches everything, and raises it again.
    fn again(&mut self, scope: &[Variable]) -> String {
        let (class, reason, trace) = (self.fresh(), self.fresh(), self.fresh());
        let first = self.effect(scope);
        format!("{class}:{reason}:{trace} ->\n{first},\nerlang:raise({class}, {reason}, {trace})")
    }

    /// The old way.
    fn caught(&mut self, scope: &[Variable], depth: u32) -> String {
        let tried = self.tried(scope, depth);
        let mut inner = scope.to_vec();
        let name = self.fresh();
        inner.push(Variable { name: name.clone(), kind: Kind::Other });
        let first = *self.pick(&[
            "{'EXIT', {badarith, _}}",
            "{'EXIT', {NAME, _}}",
            "{'EXIT', NAME}",
            "{bad, NAME}",
            "{'EXIT', {{bad, NAME}, [_ | _]}}",
        ]);
        let held = if first.contains("NAME") { &inner[..] } else { scope };
        let first = format!("{} ->\n{}", first.replace("NAME", &name), self.body(held, depth.saturating_sub(1)));
        let rest = self.clauses(scope, None, false, depth.saturating_sub(1));
        format!("case (catch begin\n{tried}\nend) of\n{first};\n{rest}\nend")
    }

    /// What comes after an attempt: its value is not used, but it can raise.
    fn aftermath(&mut self, scope: &[Variable]) -> String {
        match self.rng.u32(..6) {
            0 => self.value(scope, Kind::Integer, 1),
            1 => format!("{},\n{}", self.effect(scope), self.value(scope, Kind::Integer, 2)),
            _ => self.effect(scope),
        }
    }

    /// Something that is done for its effect.
    pub fn effect(&mut self, scope: &[Variable]) -> String {
        let key = *self.pick(&["k", "seen"]);
        let value = self.value(scope, Kind::Integer, 1);
        match self.rng.u32(..6) {
            0 => format!("get({key})"),
            1 => format!("erase({key})"),
            2 => format!("(catch {})", self.failure(scope)),
            3 => format!("(catch {value})"),
            _ => format!("put({key}, {value})"),
        }
    }

    /// Raises, or may raise.
    pub fn failure(&mut self, scope: &[Variable]) -> String {
        let class = *self.pick(&["error", "throw", "exit", "error", "throw"]);
        let value = self.value(scope, Kind::Integer, 1);
        let other = self.leaf(scope, Kind::Integer);
        match self.rng.u32(..14) {
            0 => format!("{class}({{bad, {value}}})"),
            1 => (*self.pick(&["error(oops)", "throw(oops)", "exit(oops)"])).to_owned(),
            2 => format!("{class}({value})"),
            3 => format!("error({{bad, {value}}}, [{other}])"),
            4..8 => format!("fail({other}, {value})"),
            8 => format!("dig(abs({value}) rem 4, {other})"),
            9 => format!("hd(lists:seq(2, {value} rem 4))"),
            10 => format!("10 div {value}"),
            11 => format!("element({value}, {{{other}, 2}})"),
            12 => format!("{} = {value}", self.rng.i64(-1..=3)),
            _ => format!("shield(fun() -> fail({other}, {value}) end)"),
        }
    }
}
