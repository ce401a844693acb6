//! The kinds that a guard asks for.

use constraint::{Grammar, MapField, Shape};

use super::demand::literal_atom;
use crate::flat::{Action, Body, Value, Var};

/// Returns the shapes of the kinds that a guard asks a variable to be of; nothing if it does not, or if it asks for others
/// not to be.
pub(super) fn kinds(grammar: &mut Grammar, guard: &Body, vars: &[Var]) -> Option<Vec<Shape>> {
    let mut tests = Vec::new();
    let mut is_negated = false;
    collect(guard, vars, &mut tests, &mut is_negated);
    let shapes: Vec<Shape> = tests.iter().filter_map(|test| kind(grammar, test)).flatten().collect();
    (!is_negated && !shapes.is_empty()).then_some(shapes)
}

/// Collects the names of tests of the variables.
fn collect(body: &Body, vars: &[Var], tests: &mut Vec<String>, is_negated: &mut bool) {
    for step in &body.steps {
        match &step.action {
            Action::Call { module, function, args } => {
                let Some((module, function)) = literal_atom(module).zip(literal_atom(function)) else { continue };
                let is_asked = args.first().is_some_and(|arg| matches!(arg, Value::Var(var) if vars.contains(var)));
                *is_negated |= function.name() == "not";
                if module.name() == "erlang" && is_asked {
                    tests.push(function.name().to_owned());
                }
            }
            Action::Case(case) => {
                for clause in &case.clauses {
                    collect(&clause.guard, vars, tests, is_negated);
                    collect(&clause.body, vars, tests, is_negated);
                }
            }
            Action::Letrec(letrec) => collect(&letrec.body, vars, tests, is_negated),
            Action::Try(protected) => collect(&protected.body, vars, tests, is_negated),
            _ => {}
        }
    }
}

/// The shapes of a test of kind.
fn kind(grammar: &mut Grammar, test: &str) -> Option<Vec<Shape>> {
    let any = grammar.intern(vec![Shape::Any]);
    let integer = Shape::Integer { low: None, high: None };
    Some(match test {
        "is_integer" => vec![integer],
        "is_float" => vec![Shape::Float],
        "is_number" => vec![integer, Shape::Float],
        "is_atom" => vec![Shape::Atom],
        "is_boolean" => [true, false].map(|it| Shape::Literal(term::Term::bool(it))).to_vec(),
        "is_binary" | "byte_size" => vec![Shape::Bits { base: 0, unit: 8 }],
        "is_bitstring" | "bit_size" => vec![Shape::Bits { base: 0, unit: 1 }],
        "is_list" | "length" => vec![Shape::Rule(list(grammar, any))],
        "is_tuple" | "tuple_size" => vec![Shape::AnyTuple],
        "is_map" | "map_size" => vec![Shape::Map(vec![MapField { key: any, value: any, mandatory: false }])],
        "is_function" => vec![Shape::Fun { params: None, result: any }],
        "is_pid" => vec![Shape::Pid],
        "is_port" => vec![Shape::Port],
        "is_reference" => vec![Shape::Reference],
        _ => return None,
    })
}

/// The rule of lists of a rule.
pub(super) fn list(grammar: &mut Grammar, of: constraint::RuleId) -> constraint::RuleId {
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(term::Term::nil()), Shape::Cons(of, list)]);
    list
}
