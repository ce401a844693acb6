//! What flattening makes of hand-written Core Erlang, as text; and that the checker sees every kind of flaw.

mod check;

use check::check;
use frontend::core;
use frontend::flat::{self, Action, Body, Callee, Function, LetStep, Module, Name, Pattern, Style, Value, Var};
use term::{Atom, Term};

/// A module whose one function `f/2` has this body; its parameters are `X` and `Y`.
fn module(body: &str) -> Module {
    let text = format!(
        "{{c_module,[],{{c_literal,[],m}},[{{c_var,[],{{f,2}}}}],[],
          [{{{{c_var,[],{{f,2}}}},{{c_fun,[],[{{c_var,[],'X'}},{{c_var,[],'Y'}}],{body}}}}}]}}"
    );
    let (module, errors) = flat::flatten_module(&core::read(&Term::read(&text).unwrap()).unwrap(), "m.erl");
    assert_eq!(errors, []);
    module
}

/// The body as it prints, lines trimmed.
fn printed(body: &str) -> String {
    let module = module(body);
    assert_eq!(check(&module), []);
    let text = flat::print_function(&module.functions[0], &module.files, Style { marks: true, ..Style::PLAIN });
    let lines: Vec<&str> = text.lines().skip(2).map(str::trim).collect();
    lines.join("\n").replace(" -| [{'function',{'f',2}}] )", "")
}

fn var(name: &str) -> String {
    format!("{{c_var,[],'{name}'}}")
}

fn bind(name: &str, arg: &str, body: &str) -> String {
    format!("{{c_let,[],[{}],{arg},{body}}}", var(name))
}

fn call(name: &str, args: &[&str]) -> String {
    format!("{{c_call,[],{{c_literal,[],m}},{{c_literal,[],{name}}},[{}]}}", args.join(","))
}

#[test]
fn nested_arguments_are_evaluated_left_to_right() {
    let inner = call("b", &[&call("c", &[])]);
    let body = call("a", &[&inner, "{c_literal,[],1}", &call("d", &[])]);
    assert_eq!(
        printed(&body),
        "let <_t> = call 'm':'c' () in\nlet <_t_2> = call 'm':'b' (_t) in\nlet <_t_3> = call 'm':'d' () in\n\
         let <_t_4> = call 'm':'a' (_t_2,1,_t_3) in\n_t_4"
    );
}

#[test]
fn a_let_inside_an_argument_ends_there() {
    let body = call("a", &[&bind("X", &call("b", &[]), &var("X")), &var("X")]);
    assert_eq!(printed(&body), "let <X_2> = call 'm':'b' () in\nlet <_t> = call 'm':'a' (X_2,X) in\n_t");
}

#[test]
fn a_name_bound_again_is_another_variable() {
    let body = bind("X", &call("a", &[&var("X")]), &bind("X", &call("b", &[&var("X")]), &var("X")));
    assert_eq!(printed(&body), "let <X_2> = call 'm':'a' (X) in\nlet <X_3> = call 'm':'b' (X_2) in\nX_3");
}

#[test]
fn variables_of_a_let_see_the_outside_until_all_are_bound() {
    let swap = format!(
        "{{c_let,[],[{},{}],{{c_values,[],[{},{}]}},{{c_tuple,[],[{},{}]}}}}",
        var("X"),
        var("Y"),
        var("Y"),
        var("X"),
        var("X"),
        var("Y")
    );
    assert_eq!(printed(&swap), "{Y,X}");
}

#[test]
fn a_pattern_binds_anew_and_its_sizes_and_keys_look_outside() {
    let segment = |value: &str, size: &str| {
        format!(
            "{{c_bitstr,[],{value},{size},{{c_literal,[],1}},{{c_literal,[],integer}},{{c_literal,[],[unsigned,big]}}}}"
        )
    };
    let bits = format!("{{c_binary,[],[{},{}]}}", segment(&var("Y"), &var("X")), segment(&var("Z"), &var("Y")));
    let map = format!(
        "{{c_map,[],{{c_literal,[],#{{}}}},[{{c_map_pair,[],{{c_literal,[],exact}},{},{}}}],true}}",
        var("Y"),
        var("X")
    );
    let clause = format!(
        "{{c_clause,[],[{{c_tuple,[],[{map},{bits}]}}],{{c_literal,[],true}},{{c_tuple,[],[{},{},{}]}}}}",
        var("X"),
        var("Y"),
        var("Z")
    );
    let text = printed(&format!("{{c_case,[],{},[{clause}]}}", var("X")));
    assert!(text.contains("~{Y:=X_2}~"), "{text}");
    assert!(text.contains("#<Y_2>(X,1,") && text.contains("#<Z>(Y_2,1,"), "{text}");
    assert!(text.contains("{X_2,Y_2,Z}"), "{text}");
}

#[test]
fn line_marks_are_steps_of_their_own_and_hidden_unless_wanted() {
    let mark = "{c_call,[],{c_literal,[],'$hound'},{c_literal,[],line},[{c_literal,[],12}]}";
    let body = format!("{{c_seq,[],{mark},{}}}", var("X"));
    assert_eq!(printed(&body), "do call '$hound':'line' (12)\nX");
    let module = module(&body);
    assert!(!flat::print(&module, Style::default()).contains("$hound"));
    assert!(matches!(module.functions[0].lambda.body.steps[0].action, Action::Line(12)));
}

#[test]
fn local_functions_of_one_name_are_distinguished() {
    let letrec =
        |inner: &str, body: &str| format!("{{c_letrec,[],[{{{{c_var,[],{{g,0}}}},{{c_fun,[],[],{inner}}}}}],{body}}}");
    let apply = "{c_apply,[],{c_var,[],{g,0}},[]}";
    let text = printed(&letrec(&letrec(apply, apply), apply));
    assert!(text.contains("'g'/0 =") && text.contains("'g^2'/0 ="), "{text}");
    assert!(text.matches("apply 'g^2'/0 ()").count() == 2 && text.matches("apply 'g'/0 ()").count() == 1, "{text}");
}

#[test]
fn several_values_and_none() {
    let clause = |values: &str, body: &str| format!("{{c_clause,[],[{values}],{{c_literal,[],true}},{body}}}");
    let none = format!("{{c_case,[],{},[{}]}}", var("X"), clause(&var("Z"), "{c_values,[],[]}"));
    let text = printed(&format!("{{c_let,[],[],{none},{}}}", var("Y")));
    assert!(text.starts_with("let <> ="), "{text}");
    let two = format!(
        "{{c_case,[],{},[{}]}}",
        var("X"),
        clause(&var("Z"), &format!("{{c_values,[],[{},{}]}}", var("Z"), var("X")))
    );
    let text = printed(&format!("{{c_let,[],[{},{}],{two},{}}}", var("A"), var("B"), var("B")));
    assert!(text.starts_with("let <A,B> =") && text.contains("<Z,X>"), "{text}");
}

#[test]
fn literals_are_joined() {
    let list = "{c_cons,[],{c_literal,[],1},{c_tuple,[],[{c_literal,[],a},{c_literal,[],<<255,1:1>>}]}}";
    assert_eq!(
        printed(list),
        "[1|{'a',#{#<255>(8,1,'integer',['unsigned'|['big']]),#<1>(1,1,'integer',['unsigned'|['big']])}#}]"
    );
}

/// A function with a label, a case with a guard, a call and a fun, to be damaged.
fn sound() -> Module {
    let guard = "{c_call,[],{c_literal,[],erlang},{c_literal,[],is_atom},[{c_var,[],'Z'}]}";
    let jump = "{c_apply,[],{c_var,[],{l,0}},[]}";
    let case = format!("{{c_case,[],{},[{{c_clause,[],[{}],{guard},{jump}}}]}}", var("X"), var("Z"));
    let label = format!("{{c_letrec,[letrec_goto],[{{{{c_var,[],{{l,0}}}},{{c_fun,[],[],{}}}}}],{case}}}", var("Y"));
    module(&bind("A", &call("a", &[&var("X")]), &label))
}

fn flaws(damage: impl FnOnce(&mut Function)) -> String {
    let mut module = sound();
    assert_eq!(check(&module), []);
    damage(&mut module.functions[0]);
    let flaws = check(&module);
    flaws.first().map(|flaw| flaw.problem.clone()).unwrap_or_default()
}

fn letrec(function: &mut Function) -> &mut flat::Letrec {
    match &mut function.lambda.body.steps[1].action {
        Action::Letrec(letrec) => letrec,
        _ => panic!("the second step is a letrec"),
    }
}

fn clause(function: &mut Function) -> &mut flat::Clause {
    match &mut letrec(function).body.steps[0].action {
        Action::Case(case) => &mut case.clauses[0],
        _ => panic!("the letrec has a case"),
    }
}

fn step(action: Action) -> LetStep {
    LetStep { binds: Vec::new(), action, location: ir::Location::NONE }
}

fn apply(name: &str) -> Action {
    let name = Name { function: Atom::new(name), arity: 0 };
    Action::Apply { function: Callee::Local(name), args: Vec::new() }
}

#[test]
fn the_checker_sees_variables_out_of_place() {
    assert_eq!(flaws(|f| f.lambda.body.steps[0].binds = vec![Var(0)]), "variable 0 is bound a second time");
    assert_eq!(flaws(|f| f.lambda.body.steps[0].binds = vec![Var(99)]), "variable 99 has no name");
    assert_eq!(flaws(|f| f.names[1] = "X".into()), "two variables print as X");
    assert_eq!(
        flaws(|f| f.lambda.body.result = vec![Value::Var(clause_var(f))]),
        "variable 3 is used out of its scope"
    );
    assert_eq!(
        flaws(|f| f.lambda.body.steps[0].action = Action::Values(vec![Value::Var(Var(2))])),
        "variable 2 is used before it is bound"
    );
}

/// What the clause's pattern binds.
fn clause_var(function: &mut Function) -> Var {
    match clause(function).patterns[0] {
        Pattern::Var(var) => var,
        _ => panic!("the pattern is a variable"),
    }
}

#[test]
fn the_checker_counts() {
    assert_eq!(flaws(|f| clause(f).body = Body::new(Vec::new(), Vec::new())), "a body has 0 values where 1 are needed");
    assert_eq!(flaws(|f| clause(f).patterns.clear()), "a clause has not as many patterns as the case has arguments");
    assert_eq!(flaws(|f| f.arity = 1), "the parameters are not as many as the arity");
}

#[test]
fn the_checker_sees_labels_and_functions_out_of_place() {
    assert_eq!(flaws(|f| f.lambda.body.steps.push(step(apply("missing")))), "there is no function missing/0 here");
    assert_eq!(flaws(|f| f.lambda.body.steps.push(step(apply("l")))), "there is no function l/0 here");
    assert_eq!(flaws(|f| letrec(f).body.steps.insert(0, step(apply("l")))), "the label l is not called last");
    let label = Value::Function(Name { function: Atom::new("l"), arity: 0 });
    assert_eq!(flaws(|f| clause(f).body = Body::new(Vec::new(), vec![label])), "the label l is used as a value");
}

#[test]
fn the_checker_sees_what_no_guard_may_hold() {
    let guarded = |action: Action| flaws(|f| clause(f).guard.steps.push(step(action)));
    assert_eq!(guarded(apply("f")), "a guard holds what no guard may");
    let atom = |name: &str| Value::Literal(Term::atom_named(name));
    let io = Action::Call { module: atom("io"), function: atom("nl"), args: Vec::new() };
    assert_eq!(guarded(io), "a guard calls io:nl/0");
    assert_eq!(guarded(Action::Catch(Body::new(Vec::new(), vec![atom("a")]))), "a guard holds what no guard may");
}
