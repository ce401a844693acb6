//! Patterns: those that often fit, and any.

use crate::kinds::{Kind, Variable, chance, pick};
use crate::program::Writer;

impl Writer {
    /// A pattern that values of this kind often match.
    pub fn fitting_pattern(&mut self, scope: &[Variable], bound: &mut Vec<Variable>, kind: Kind) -> String {
        match self.rng.u32(..20) {
            0..5 => self.bind(bound, Some(kind)),
            5..7 => "_".to_string(),
            7..9 => self.pattern(scope, bound, 2),
            9..12 if kind != Kind::Map => kind.literal(&mut self.rng).to_string(),
            _ => match kind {
                Kind::List => self.list_pattern(bound),
                Kind::Tuple => self.tuple_pattern(bound),
                Kind::Map => format!("#{{{} := {}}}", pick(&mut self.rng, &["a", "1", "c"]), self.bind(bound, None)),
                Kind::Binary => self.binary_pattern(bound),
                _ => kind.literal(&mut self.rng).to_string(),
            },
        }
    }

    fn bind(&mut self, bound: &mut Vec<Variable>, kind: Option<Kind>) -> String {
        let variable = self.fresh(kind);
        bound.push(variable.clone());
        variable.name
    }

    fn list_pattern(&mut self, bound: &mut Vec<Variable>) -> String {
        let (head, tail) = (self.bind(bound, None), self.bind(bound, Some(Kind::List)));
        match self.rng.bool() {
            true => format!("[{head} | {tail}]"),
            false => format!("[{head}, _ | {tail}]"),
        }
    }

    fn tuple_pattern(&mut self, bound: &mut Vec<Variable>) -> String {
        let tag = match self.rng.bool() {
            true => pick(&mut self.rng, &["a", "ok", "1"]).to_string(),
            false => self.bind(bound, None),
        };
        let rest: Vec<String> = (0..self.rng.usize(..3)).map(|_| format!(", {}", self.bind(bound, None))).collect();
        format!("{{{tag}{}}}", rest.concat())
    }

    fn binary_pattern(&mut self, bound: &mut Vec<Variable>) -> String {
        let (head, rest) = (self.bind(bound, Some(Kind::Integer)), self.bind(bound, Some(Kind::Binary)));
        match self.rng.u32(..7) {
            0 => format!("<<{head}, {rest}/binary>>"),
            1 => format!("<<{head}:4, _:4, {rest}/bits>>"),
            2 => format!("<<1, {head}, {rest}/binary>>"),
            3 => format!("<<{head}:16/little, {rest}/binary>>"),
            4 => format!("<<{head}, {rest}:{head}/binary, _/bits>>"),
            5 => format!("<<{head}/utf8, {rest}/binary>>"),
            _ => format!("<<{head}:8/signed, {rest}:1/binary, _/bits>>"),
        }
    }

    /// Any pattern.
    pub fn pattern(&mut self, scope: &[Variable], bound: &mut Vec<Variable>, size: u32) -> String {
        if size == 0 {
            return self.small_pattern(scope, bound);
        }
        let kind = Kind::any(&mut self.rng);
        let mut inner = |this: &mut Self| this.pattern(scope, bound, size - 1);
        match self.rng.u32(..10) {
            0..3 => self.small_pattern(scope, bound),
            3..5 => {
                let items: Vec<String> = (0..self.rng.usize(..4)).map(|_| inner(self)).collect();
                format!("{{{}}}", items.join(", "))
            }
            5..7 => format!("[{} | {}]", inner(self), inner(self)),
            7 => format!("#{{a := {}}}", inner(self)),
            8 => {
                let whole = inner(self);
                format!("({} = {whole})", self.bind(bound, None))
            }
            _ => self.fitting_pattern(scope, bound, kind),
        }
    }

    fn small_pattern(&mut self, scope: &[Variable], bound: &mut Vec<Variable>) -> String {
        if chance(&mut self.rng, 50) {
            return self.bind(bound, None);
        }
        match scope {
            // A variable that is bound already asks for equality.
            [_, ..] if chance(&mut self.rng, 30) => scope[self.rng.usize(..scope.len())].name.clone(),
            _ => pick(&mut self.rng, &["_", "a", "b", "1", "0", "[]", "true", "\"ab\"", "{a,1}", "1.0", "<<>>"]).into(),
        }
    }
}
