//! Guards: tests that cannot fail, and expressions that can.

use crate::kinds::{Kind, Variable, chance, pick};
use crate::program::Writer;

const TESTS: &[&str] = &[
    "is_integer",
    "is_atom",
    "is_list",
    "is_tuple",
    "is_map",
    "is_binary",
    "is_float",
    "is_number",
    "is_boolean",
    "is_bitstring",
    "is_function",
];
pub const COMPARISONS: &[&str] = &[">", "<", ">=", "=<", "==", "/=", "=:=", "=/="];

impl Writer {
    /// ` when …` in so many of a hundred cases.
    pub fn maybe_guard(&mut self, scope: &[Variable], percent: u32) -> String {
        if chance(&mut self.rng, percent) { format!(" when {}", self.guard(scope)) } else { String::new() }
    }

    pub fn guard(&mut self, scope: &[Variable]) -> String {
        let alternatives: Vec<String> = (0..self.few()).map(|_| self.conjunction(scope)).collect();
        alternatives.join("; ")
    }

    fn conjunction(&mut self, scope: &[Variable]) -> String {
        let tests: Vec<String> = (0..self.few()).map(|_| self.guard_test(scope, 2)).collect();
        tests.join(", ")
    }

    /// One, seldom two.
    fn few(&mut self) -> usize {
        1 + usize::from(chance(&mut self.rng, 30))
    }

    fn guard_test(&mut self, scope: &[Variable], size: u32) -> String {
        if size == 0 {
            return format!("{}({})", pick(&mut self.rng, TESTS), self.operand(scope));
        }
        let less = size - 1;
        match self.rng.u32(..16) {
            0..4 => self.guard_test(scope, 0),
            4..8 => {
                let sign = pick(&mut self.rng, COMPARISONS);
                format!("({} {sign} {})", self.guard_value(scope, less), self.guard_value(scope, less))
            }
            8..12 => {
                let word = pick(&mut self.rng, &["andalso", "orelse", "and", "or", "xor"]);
                format!("({} {word} {})", self.guard_test(scope, less), self.guard_test(scope, less))
            }
            12 => format!("(not {})", self.guard_test(scope, less)),
            13 => format!("is_function({}, {})", self.operand(scope), self.operand(scope)),
            14 => format!("is_map_key({}, {})", self.operand(scope), self.operand(scope)),
            _ => self.guard_value(scope, less),
        }
    }

    fn guard_value(&mut self, scope: &[Variable], size: u32) -> String {
        if size == 0 {
            return self.operand(scope);
        }
        let less = size - 1;
        match self.rng.u32(..12) {
            0..3 => self.operand(scope),
            3..6 => {
                let sign = pick(&mut self.rng, &["+", "-", "*", "div", "rem", "band", "bsl"]);
                format!("({} {sign} {})", self.guard_value(scope, less), pick(&mut self.rng, &["0", "1", "2"]))
            }
            6..10 => {
                let names = ["hd", "length", "tuple_size", "map_size", "abs", "byte_size"];
                format!("{}({})", pick(&mut self.rng, &names), self.guard_value(scope, less))
            }
            10 => format!("element({}, {})", pick(&mut self.rng, &["1", "2"]), self.guard_value(scope, less)),
            _ => self.guard_test(scope, less),
        }
    }

    /// A variable or a literal, of any kind.
    pub fn operand(&mut self, scope: &[Variable]) -> String {
        if !scope.is_empty() && chance(&mut self.rng, 70) {
            return scope[self.rng.usize(..scope.len())].name.clone();
        }
        Kind::any(&mut self.rng).literal(&mut self.rng).to_string()
    }
}
