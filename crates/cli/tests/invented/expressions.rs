//! Expressions and bodies: mostly of the kind that is asked for, so that most programs get somewhere.

use crate::guards::COMPARISONS;
use crate::kinds::{Kind, Variable, chance, pick};
use crate::program::Writer;

impl Writer {
    /// Expressions with commas between them, the last of this kind.
    pub fn body(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let mut scope = scope.to_vec();
        let mut parts = Vec::new();
        for _ in 0..self.rng.usize(..3) {
            let of = Kind::any(&mut self.rng);
            let value = self.expression(&scope, size, of);
            let mut bound = Vec::new();
            let pattern = match chance(&mut self.rng, 15) {
                true => self.pattern(&scope, &mut bound, 1),
                false => {
                    bound.push(self.fresh(Some(of)));
                    bound[0].name.clone()
                }
            };
            parts.push(format!("{pattern} = {value}"));
            scope.extend(bound);
        }
        parts.push(self.expression(&scope, size, kind));
        parts.join(", ")
    }

    fn leaf(&mut self, scope: &[Variable], kind: Kind) -> String {
        let fitting: Vec<&Variable> = scope.iter().filter(|variable| variable.kind == Some(kind)).collect();
        if !fitting.is_empty() && chance(&mut self.rng, 75) {
            return fitting[self.rng.usize(..fitting.len())].name.clone();
        }
        if chance(&mut self.rng, 5) { self.operand(scope) } else { kind.literal(&mut self.rng).to_string() }
    }

    pub fn expression(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        if size == 0 {
            return self.leaf(scope, kind);
        }
        let kind = if chance(&mut self.rng, 3) { Kind::any(&mut self.rng) } else { kind };
        let less = size - 1;
        match self.rng.u32(..26) {
            0..3 => self.leaf(scope, kind),
            3..7 => self.case(scope, less, kind),
            7 => self.choice(scope, less, kind),
            8..10 => self.attempt(scope, less, kind),
            10 => format!("begin {} end", self.body(scope, less, kind)),
            11 => self.failure(scope, less, kind),
            12 => self.call(scope, less, kind),
            13 => self.applied_fun(scope, less, kind),
            14 => self.loop_fun(scope, less, kind),
            15 => self.caught(scope, less, kind),
            _ => self.operation(scope, less, kind),
        }
    }

    fn case(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let of = Kind::any(&mut self.rng);
        let value = self.expression(scope, size, of);
        let mut clauses: Vec<String> = (0..self.rng.usize(1..4)).map(|_| self.clause(scope, size, of, kind)).collect();
        // The compiler names the wrong one of two booleans when neither `true when …` nor anything else fits.
        if of == Kind::Boolean || chance(&mut self.rng, 80) {
            clauses.push(self.last_clause(scope, size, of, kind));
        }
        format!("case {value} of {} end", clauses.join("; "))
    }

    fn clause(&mut self, scope: &[Variable], size: u32, of: Kind, kind: Kind) -> String {
        let mut bound = Vec::new();
        let pattern = self.fitting_pattern(scope, &mut bound, of);
        let all = [scope, &bound].concat();
        let guard = self.maybe_guard(&all, 35);
        format!("{pattern}{guard} -> {}", self.body(&all, size, kind))
    }

    fn last_clause(&mut self, scope: &[Variable], size: u32, of: Kind, kind: Kind) -> String {
        let value = self.fresh(Some(of));
        let all = [scope, std::slice::from_ref(&value)].concat();
        format!("{} -> {}", value.name, self.body(&all, size, kind))
    }

    fn choice(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let (guard, first) = (self.guard(scope), self.body(scope, size, kind));
        match chance(&mut self.rng, 85) {
            true => format!("if {guard} -> {first}; true -> {} end", self.expression(scope, size, kind)),
            false => format!("if {guard} -> {first} end"),
        }
    }

    fn attempt(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let of = Kind::any(&mut self.rng);
        let head = match self.rng.bool() {
            true => format!("try {}", self.body(scope, size, kind)),
            false => {
                let (body, first) = (self.body(scope, size, of), self.clause(scope, size, of, kind));
                format!("try {body} of {first}; {}", self.last_clause(scope, size, of, kind))
            }
        };
        let handlers: Vec<String> = (0..self.rng.usize(1..3)).map(|_| self.handler(scope, size, kind)).collect();
        let after = match chance(&mut self.rng, 30) {
            true => format!(" after {}", self.body(scope, size / 2, of)),
            false => String::new(),
        };
        format!("{head} catch {}{after} end", handlers.join("; "))
    }

    fn handler(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let class = pick(&mut self.rng, &["throw:", "error:", "exit:", "_:", "_:", ""]);
        let mut bound = Vec::new();
        let pattern = match self.rng.bool() {
            true => "_".to_string(),
            false => self.pattern(scope, &mut bound, 1),
        };
        let all = [scope, &bound].concat();
        let guard = self.maybe_guard(&all, 25);
        format!("{class}{pattern}{guard} -> {}", self.body(&all, size, kind))
    }

    fn failure(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        if chance(&mut self.rng, 60) {
            return self.leaf(scope, kind);
        }
        let reason = Kind::any(&mut self.rng);
        let name = pick(&mut self.rng, &["throw", "error", "exit"]);
        format!("erlang:{name}({})", self.expression(scope, size, reason))
    }

    /// A stack trace begins where the program was called, so it is taken out.
    fn caught(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let (reason, value) = (self.fresh_name(), self.fresh_name());
        let other = self.expression(scope, 0, kind);
        let body = self.expression(scope, size, kind);
        format!(
            "case catch {body} of {{'EXIT', {{{reason}, _}}}} -> element(1, {{{other}, {reason}}}); {value} -> {value} end"
        )
    }

    fn call(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        // Only late ones: programs would run too long otherwise.
        let first = self.functions.len().saturating_sub(5);
        let fitting: Vec<usize> =
            (first..self.functions.len()).filter(|at| self.functions[*at].result == kind).collect();
        if fitting.is_empty() {
            return self.operation(scope, size, kind);
        }
        let function = &self.functions[fitting[self.rng.usize(..fitting.len())]];
        let (name, params) = (function.name.clone(), function.params.clone());
        let args: Vec<String> = params.iter().map(|kind| self.expression(scope, size, *kind)).collect();
        match self.rng.bool() {
            true => format!("{name}({})", args.join(", ")),
            false => format!("(fun {name}/{})({})", params.len(), args.join(", ")),
        }
    }

    fn applied_fun(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let of = Kind::any(&mut self.rng);
        let (first, last) = (self.fun_clause(scope, size, of, kind), self.fresh(Some(of)));
        let all = [scope, std::slice::from_ref(&last)].concat();
        let rest = self.body(&all, size, kind);
        format!("(fun {first}; ({}) -> {rest} end)({})", last.name, self.expression(scope, size, of))
    }

    fn fun_clause(&mut self, scope: &[Variable], size: u32, of: Kind, kind: Kind) -> String {
        let mut bound = Vec::new();
        // What is bound outside is shadowed in the head of a fun.
        let pattern = self.fitting_pattern(&[], &mut bound, of);
        let all = [scope, &bound].concat();
        format!("({pattern}) -> {}", self.body(&all, size, kind))
    }

    /// A fun that calls itself a few times.
    fn loop_fun(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        let (name, count, value) = (self.fresh_name(), self.fresh(Some(Kind::Integer)), self.fresh(Some(kind)));
        let all = [scope, &[count.clone(), value.clone()]].concat();
        let step = self.expression(&all, size, kind);
        let start = self.expression(scope, size, kind);
        let (count, value) = (count.name, value.name);
        format!(
            "(fun {name}({count}, {value}) when {count} > 0 -> {name}({count} - 1, {step}); {name}(_, {value}) -> {value} end)\
             ({}, {start})",
            self.rng.u32(..4)
        )
    }

    fn two(&mut self, scope: &[Variable], size: u32, kind: Kind, signs: &[&str]) -> String {
        let sign = pick(&mut self.rng, signs);
        format!("({} {sign} {})", self.expression(scope, size, kind), self.expression(scope, size, kind))
    }

    fn of(&mut self, function: &str, scope: &[Variable], size: u32, kind: Kind) -> String {
        format!("{function}({})", self.expression(scope, size, kind))
    }

    fn any(&mut self, scope: &[Variable], size: u32) -> String {
        let kind = Kind::any(&mut self.rng);
        self.expression(scope, size, kind)
    }

    /// What makes a value of this kind.
    fn operation(&mut self, scope: &[Variable], size: u32, kind: Kind) -> String {
        match kind {
            Kind::Integer => self.integer(scope, size),
            Kind::Float => self.two(scope, size, Kind::Float, &["+", "-", "*", "/"]),
            Kind::Atom => self.leaf(scope, kind),
            Kind::Boolean => self.boolean(scope, size),
            Kind::List => self.list(scope, size),
            Kind::Tuple => {
                let items: Vec<String> = (0..self.rng.usize(1..4)).map(|_| self.any(scope, size)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Kind::Map => self.map(scope, size),
            Kind::Binary => self.binary(scope, size),
        }
    }

    fn integer(&mut self, scope: &[Variable], size: u32) -> String {
        match self.rng.u32(..7) {
            0..3 => self.two(scope, size, Kind::Integer, &["+", "-", "*", "band", "bor", "bxor", "div", "rem"]),
            3 => self.of("length", scope, size, Kind::List),
            4 => self.of("byte_size", scope, size, Kind::Binary),
            5 => self.of("tuple_size", scope, size, Kind::Tuple),
            _ => self.of("map_size", scope, size, Kind::Map),
        }
    }

    fn boolean(&mut self, scope: &[Variable], size: u32) -> String {
        match self.rng.u32(..7) {
            0..2 => {
                let sign = pick(&mut self.rng, COMPARISONS);
                format!("({} {sign} {})", self.any(scope, size), self.any(scope, size))
            }
            2..5 => self.two(scope, size, Kind::Boolean, &["andalso", "orelse", "and", "or", "xor"]),
            5 => format!("(not {})", self.expression(scope, size, Kind::Boolean)),
            _ => format!("is_list({})", self.any(scope, size)),
        }
    }

    fn list(&mut self, scope: &[Variable], size: u32) -> String {
        match self.rng.u32(..8) {
            0..3 => self.comprehension(scope, size),
            3 => format!("[{} | {}]", self.any(scope, size), self.expression(scope, size, Kind::List)),
            4 => self.two(scope, size, Kind::List, &["++", "--"]),
            5 => self.of("tuple_to_list", scope, size, Kind::Tuple),
            6 => self.of("tl", scope, size, Kind::List),
            _ => self.of("lists:reverse", scope, size, Kind::List),
        }
    }

    fn comprehension(&mut self, scope: &[Variable], size: u32) -> String {
        let mut bound = Vec::new();
        let generator = match self.rng.u32(..3) {
            0 => {
                bound.push(self.fresh(Some(Kind::Integer)));
                let bits = pick(&mut self.rng, &["", ":4", ":16"]);
                format!("<<{}{bits}>> <= {}", bound[0].name, self.expression(scope, size, Kind::Binary))
            }
            kind => {
                let kind = if kind == 1 { Kind::Integer } else { Kind::Tuple };
                let pattern = self.fitting_pattern(&[], &mut bound, kind);
                format!("{pattern} <- {}", self.expression(scope, size, Kind::List))
            }
        };
        let all = [scope, &bound].concat();
        let filter = match self.rng.bool() {
            true => format!(", {}", self.expression(&all, size / 2, Kind::Boolean)),
            false => String::new(),
        };
        format!("[{} || {generator}{filter}]", self.any(&all, size))
    }

    /// No `:=`: the compiler forgets that an update whose value is not used can fail.
    fn map(&mut self, scope: &[Variable], size: u32) -> String {
        match self.rng.u32(..3) {
            0 => {
                let (map, key) = (self.expression(scope, size, Kind::Map), pick(&mut self.rng, &["a", "1", "c"]));
                format!("({map})#{{{key} => {}}}", self.any(scope, size))
            }
            1 => format!("#{{a => {}, {} => {}}}", self.any(scope, size), self.operand(scope), self.any(scope, size)),
            _ => format!("maps:put(b, {}, {})", self.any(scope, size), self.expression(scope, size, Kind::Map)),
        }
    }

    fn binary(&mut self, scope: &[Variable], size: u32) -> String {
        let byte = |this: &mut Self| this.expression(scope, size, Kind::Integer);
        let bytes = |this: &mut Self| this.expression(scope, size, Kind::Binary);
        match self.rng.u32(..5) {
            0 => {
                let head = self.fresh(Some(Kind::Integer));
                let all = [scope, std::slice::from_ref(&head)].concat();
                let value = self.expression(&all, size, Kind::Integer);
                format!("<< <<({value}):8>> || <<{}>> <= {} >>", head.name, bytes(self))
            }
            1 => format!("<<({}):8, ({})/binary>>", byte(self), bytes(self)),
            2 => format!("<<({}):{}, $a>>", byte(self), pick(&mut self.rng, &["16/little", "8/signed", "24"])),
            3 => format!("<<({})/binary, ({})/bits>>", bytes(self), bytes(self)),
            _ => format!("list_to_binary([{}, {}])", bytes(self), bytes(self)),
        }
    }
}
