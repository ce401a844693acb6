//! Flat bodies made by hand: what no Erlang source gives, labels, lifting, errors, and depth.

use ir::{Location, Primitive, Receive, Unit};
use term::{Atom, Term};

use super::{LowerError, lower};
use crate::flat::{
    Action, Body, Callee, Case, Clause, Function, Lambda, LetStep, Letrec, Module, Name, Pattern, Try, Value, Var,
};

fn atom(name: &str) -> Value {
    Value::Literal(Term::atom_named(name))
}

fn var(number: u32) -> Value {
    Value::Var(Var(number))
}

fn name(function: &str, arity: u8) -> Name {
    Name { function: Atom::new(function), arity }
}

fn step(bind: u32, action: Action) -> LetStep {
    LetStep { binds: vec![Var(bind)], action, location: Location::NONE }
}

fn lambda<const N: usize>(params: [u32; N], body: Body) -> Lambda {
    Lambda { params: params.map(Var).to_vec(), body, location: Location::NONE, lifted: None }
}

/// `let V = action in V`.
fn tail(bind: u32, action: Action) -> Body {
    Body::new(vec![step(bind, action)], vec![var(bind)])
}

fn plain(value: Value) -> Body {
    Body::new(vec![], vec![value])
}

fn apply<const N: usize>(function: &str, args: [Value; N]) -> Action {
    Action::Apply { function: Callee::Local(name(function, N as u8)), args: args.to_vec() }
}

fn erlang<const N: usize>(function: &str, args: [Value; N]) -> Action {
    Action::Call { module: atom("erlang"), function: atom(function), args: args.to_vec() }
}

fn clause(pattern: Pattern, body: Body) -> Clause {
    let guard = plain(atom("true"));
    Clause { patterns: vec![pattern], guard, body, location: Location::NONE, generated: false }
}

fn case<const N: usize>(arg: Value, clauses: [Clause; N]) -> Action {
    Action::Case(Case { args: vec![arg], clauses: clauses.into() })
}

fn literal(name: &str) -> Pattern {
    Pattern::Literal(Term::atom_named(name))
}

fn letrec<const N: usize>(functions: [(&str, Lambda); N], body: Body) -> Action {
    let functions = functions.map(|(function, lambda)| (name(function, lambda.params.len() as u8), lambda));
    Action::Letrec(Letrec { functions: functions.into(), body, goto: false })
}

fn labels<const N: usize>(functions: [(&str, Lambda); N], body: Body) -> Action {
    match letrec(functions, body) {
        Action::Letrec(letrec) => Action::Letrec(Letrec { goto: true, ..letrec }),
        other => other,
    }
}

fn try_lower(arity: u8, body: Body) -> Result<Unit, LowerError> {
    let params = (0..u32::from(arity)).map(Var).collect();
    let lambda = Lambda { params, body, location: Location::NONE, lifted: None };
    let names = (0..300).map(|number| format!("V{number}")).collect();
    let function = Function { name: Atom::new("f"), arity, lambda, names };
    let (name, files) = (Atom::new("m"), vec!["m.erl".to_string()]);
    let module = Module { name, exports: vec![], attributes: vec![], functions: vec![], files };
    lower(&module, &function)
}

fn lowered(arity: u8, body: Body) -> Unit {
    try_lower(arity, body).unwrap_or_else(|error| panic!("{error}"))
}

/// The graph without the lines that say nothing here.
fn text(arity: u8, body: Body) -> String {
    let text = lowered(arity, body).to_string();
    let lines = text.lines().filter(|line| !line.starts_with("file") && !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn parameters_of_a_label_change_all_at_once() {
    let again = tail(6, apply("loop", [var(3), var(2)]));
    let stop = plain(Value::Tuple(vec![var(2), var(3)]));
    let choice = tail(5, case(var(2), [clause(literal("a"), again), clause(Pattern::Var(Var(7)), stop)]));
    let body = tail(8, labels([("loop", lambda([2, 3], choice))], tail(9, apply("loop", [var(0), var(1)]))));
    let wanted = "\
function m:f/2 (%0, %1) captured 0 registers 6
b0:
  %2 = copy %0
  %3 = copy %1
  jump b1
b1:
  branch literal a (%2) yes b2 no b3
b2:
  %4 = copy %2
  %2 = copy %3
  %3 = copy %4
  jump b1
b3:
  %5 = tuple(%2, %3)
  return %5
";
    assert_eq!(text(2, body), wanted);
}

#[test]
fn a_label_gives_its_value_to_the_place_of_its_definition() {
    let label = lambda([2], plain(Value::Cons(Box::new((var(2), atom("x"))))));
    let choice = case(
        var(0),
        [clause(literal("a"), tail(3, apply("l", [var(0)]))), clause(Pattern::Var(Var(4)), plain(atom("no")))],
    );
    let inner = labels([("l", label)], tail(5, choice));
    let body = Body::new(vec![step(6, inner)], vec![Value::Tuple(vec![var(6)])]);
    let wanted = "\
function m:f/1 (%0) captured 0 registers 3
b0:
  branch literal a (%0) yes b1 no b3
b1:
  %1 = cons(%0, x)
  jump b2
b2:
  %2 = tuple(%1)
  return %2
b3:
  %1 = copy no
  jump b2
";
    assert_eq!(text(1, body), wanted);
}

#[test]
fn a_function_called_under_a_handler_of_its_own_is_lifted() {
    let part = Try {
        body: tail(3, apply("l", [var(0)])),
        vars: vec![Var(4)],
        ok: plain(var(4)),
        caught: vec![Var(5), Var(6), Var(7)],
        handler: plain(var(6)),
    };
    let label = lambda([2], plain(Value::Tuple(vec![var(1), var(2)])));
    let body = tail(9, labels([("l", label)], tail(8, Action::Try(Box::new(part)))));
    let wanted = "\
function m:f/2 (%0, %1) captured 0 registers 4
b0: handler b1
  %2 = call local m:'-f/2-l/1-0-'/2(%0, %1)
  return %2
b1: catch(_, %3, _)
  return %3
function m:'-f/2-l/1-0-'/2 (%0, %1) captured 1 registers 3
b0:
  %2 = tuple(%1, %0)
  return %2
";
    assert_eq!(text(2, body), wanted);
}

#[test]
fn functions_that_call_each_other_share_what_they_capture() {
    let odd = lambda([2], Body::new(vec![step(3, apply("even", [var(2)]))], vec![Value::Tuple(vec![var(3), var(0)])]));
    let even = lambda([4], tail(5, apply("odd", [var(4)])));
    let body = tail(7, letrec([("odd", odd), ("even", even)], plain(Value::Function(name("even", 1)))));
    let wanted = "\
function m:f/1 (%0) captured 0 registers 2
b0:
  %1 = closure m:'-f/1-even/1-1-'/2(%0)
  return %1
function m:'-f/1-odd/1-0-'/2 (%0, %1) captured 1 registers 4
b0:
  %2 = call local m:'-f/1-even/1-1-'/2(%0, %1)
  %3 = tuple(%2, %1)
  return %3
function m:'-f/1-even/1-1-'/2 (%0, %1) captured 1 registers 2
b0:
  tailcall local m:'-f/1-odd/1-0-'/2(%0, %1)
";
    assert_eq!(text(1, body), wanted);
}

#[test]
fn no_clause_that_fits_is_an_error() {
    let body = tail(1, case(var(0), [clause(literal("a"), plain(atom("yes")))]));
    let found = text(1, body);
    assert!(found.ends_with("  %1 = tuple(case_clause, %0)\n  raise error(%1)\n"), "{found}");
}

#[test]
fn an_operation_with_several_values_gives_a_tuple() {
    let peek = Action::Primop { op: Primitive::Receive(Receive::Peek), args: vec![] };
    let both = LetStep { binds: vec![Var(1), Var(2)], action: peek, location: Location::NONE };
    let found = text(0, Body::new(vec![both], vec![var(2)]));
    let wanted = "  %0 = primitive recv_peek_message()\n  branch tuple 2 (%0) -> (_, %1) yes b1 no b2\n";
    assert!(found.contains(wanted), "{found}");
}

#[test]
fn a_condition_that_is_used_twice_is_computed_once() {
    let compare = step(1, erlang(">", [var(0), Value::Literal(Term::int(1))]));
    let choice = case(var(1), [clause(literal("true"), plain(var(1))), clause(literal("false"), plain(var(0)))]);
    let found = text(1, Body::new(vec![compare, step(2, choice)], vec![var(2)]));
    assert_eq!(found.matches("erlang:'>'").count(), 1, "{found}");
    assert!(found.contains("branch literal true (%1)"), "{found}");
}

#[test]
fn boolean_operations_on_unknown_values_are_calls() {
    let compare = step(1, erlang("is_atom", [var(0)]));
    let found = text(1, Body::new(vec![compare, step(2, erlang("and", [var(1), var(0)]))], vec![var(2)]));
    assert!(found.contains("%2 = call remote erlang:'and'(%1, %0)"), "{found}");
}

#[test]
fn errors_name_function_and_problem() {
    let problem = |arity, body| try_lower(arity, body).err().unwrap().to_string();
    assert_eq!(problem(1, plain(var(7))), "m:f/1 at 0:0: V7 is not bound");
    let two = Body::new(vec![], vec![atom("a"), atom("b")]);
    assert_eq!(problem(0, two), "m:f/0 at 0:0: 2 values where one is expected");
    let patterns = vec![literal("a"), literal("b")];
    let wide = Clause { patterns, ..clause(literal("a"), plain(atom("a"))) };
    assert_eq!(problem(1, tail(1, case(var(0), [wide]))), "m:f/1 at 0:0: 2 patterns for 1 values");
}

#[test]
fn deep_bodies_need_no_stack() {
    let mut body = plain(var(0));
    for _ in 0..20_000 {
        body = tail(1, case(var(0), [clause(literal("a"), body), clause(Pattern::Var(Var(2)), plain(atom("b")))]));
    }
    assert_eq!(lowered(1, body).functions[0].blocks.len(), 40_001);
}

#[test]
fn deep_conditions_need_no_stack() {
    let mut steps = vec![step(10, erlang("is_atom", [var(0)]))];
    for number in 10..50_010 {
        steps.push(step(number + 1, erlang("and", [var(number), atom("true")])));
    }
    let outcomes = [clause(literal("true"), plain(atom("a"))), clause(literal("false"), plain(atom("b")))];
    steps.push(step(1, case(var(50_010), outcomes)));
    let unit = lowered(1, Body::new(steps, vec![var(1)]));
    assert_eq!(unit.functions[0].blocks.len(), 3);
}

#[test]
fn a_list_is_built_from_its_end() {
    let cell = |head, tail| Value::Cons(Box::new((head, tail)));
    let found = text(1, plain(cell(var(0), cell(cell(atom("a"), var(0)), atom("b")))));
    assert!(found.ends_with("  %1 = cons(a, %0)\n  %2 = cons(%1, b)\n  %3 = cons(%0, %2)\n  return %3\n"), "{found}");
}
