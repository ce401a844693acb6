//! Core Erlang that is not as the compiler makes it: errors that say where and what, whatever the input.

mod truth;

use frontend::core::{self, CoreError, Files, Name};
use frontend::flat::{self, Style};
use term::{Atom, Term};
use truth::Comparison;
use truth::check::check;

/// A module whose one function `f/1` has this body; its parameter is `X`.
fn module(body: &str) -> Term {
    let text = format!(
        "{{c_module,[],{{c_literal,[],m}},[{{c_var,[],{{f,1}}}}],[],
          [{{{{c_var,[],{{f,1}}}},{{c_fun,[{{7,3}}],[{{c_var,[],'X'}}],{body}}}}}]}}"
    );
    Term::read(&text).unwrap()
}

fn flatten(body: &str) -> Result<flat::Function, CoreError> {
    let module = core::read(&module(body)).unwrap();
    flat::flatten(&module.definitions[0], &mut Files::new("m.erl"))
}

fn problem(body: &str) -> String {
    match flatten(body) {
        Ok(_) => panic!("{body} is taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_function_line_and_node() {
    assert_eq!(problem("{c_call,[12],x}"), "f/1: line 12: a `c_call` node has 2 fields and should have 4");
    assert_eq!(
        problem("{c_seq,[{3,1}],{c_cat,[],1},{c_literal,[],a}}"),
        "f/1: line 3: expected an expression, found a `c_cat` node"
    );
    assert_eq!(problem("17"), "f/1: expected an expression, found an integer");
    assert_eq!(problem("{c_tuple,[],[a|b]}"), "f/1: expected a list of expressions, found a list");
    assert_eq!(problem("{c_var,[],'Y'}"), "f/1: the variable Y is not bound");
    assert_eq!(problem("{c_var,[],{f,300}}"), "f/1: an arity is not a number from 0 to 255");
    assert_eq!(problem("{c_case,[5],{c_var,[],'X'},[]}"), "f/1: line 5: a `c_case` node has no clauses");
    assert_eq!(problem("{c_values,[],[{c_var,[],'X'},{c_var,[],'X'}]}"), "f/1: 2 values stand where 1 should");
    assert_eq!(
        problem("{c_receive,[8],[],{c_literal,[],infinity},{c_literal,[],true}}"),
        "f/1: line 8: a `receive` of a compiler before OTP 24"
    );
    assert_eq!(problem("{c_apply,[],{c_var,[],{f,1}},[]}"), "f/1: 0 arguments for f/1");
    let clause = "{c_clause,[4],[{c_tuple,[],[{c_var,[],a},{c_var,[],a}]}],{c_literal,[],true},{c_literal,[],b}}";
    assert_eq!(
        problem(&format!("{{c_case,[],{{c_var,[],'X'}},[{clause}]}}")),
        "f/1: line 4: a variable is bound twice in one clause"
    );
}

#[test]
fn errors_of_the_module_itself() {
    let read = |text: &str| core::read(&Term::read(text).unwrap()).err().map(|error| error.to_string());
    assert_eq!(read("[]").unwrap(), "expected a `c_module` node, found an empty list");
    assert_eq!(read("{c_module,[],a,[],[],[]}").unwrap(), "expected a `c_literal` node, found an atom");
    assert_eq!(read("{c_module,[],{c_literal,[],m},[],[],[x]}").unwrap(), "expected a definition, found an atom");
    assert_eq!(read("{c_module,[],{c_literal,[],m},[],[],[]}"), None);
}

#[test]
fn a_broken_function_leaves_the_others_alone() {
    let text = "{c_module,[],{c_literal,[],m},[],[],
        [{{c_var,[],{bad,0}},{c_fun,[],[],{c_oops,[]}}}, {{c_var,[],{good,0}},{c_fun,[],[],{c_literal,[],1}}}]}";
    let module = core::read(&Term::read(text).unwrap()).unwrap();
    let (flat, errors) = flat::flatten_module(&module, "m.erl");
    assert_eq!(flat.functions.len(), 1);
    assert_eq!(errors[0].function, Some(Name { function: Atom::new("bad"), arity: 0 }));
}

/// Any number of levels of `open … close` around a core.
fn nested(levels: usize, core: &str, layer: impl Fn(Term) -> Term) -> Term {
    (0..levels).fold(Term::read(core).unwrap(), |inner, _| layer(inner))
}

fn node<const N: usize>(name: &str, fields: [Term; N]) -> Term {
    let start = [Term::atom_named(name), Term::nil()];
    Term::tuple(start.into_iter().chain(fields).collect::<Vec<_>>())
}

fn survives(body: Term) {
    let definition = Term::tuple([
        Term::read("{c_var,[],{f,1}}").unwrap(),
        node("c_fun", [Term::read("[{c_var,[],'X'}]").unwrap(), body]),
    ]);
    let name = Term::read("{c_literal,[],m}").unwrap();
    let tree = node("c_module", [name, Term::nil(), Term::nil(), Term::list([definition])]);
    let module = core::read(&tree).unwrap();
    let (module, errors) = flat::flatten_module(&module, "m.erl");
    assert_eq!(errors, []);
    assert_eq!(check(&module), []);
    assert!(flat::print(&module, Style::default()).len() > 100_000);
    drop(module.functions[0].lambda.clone());
}

#[test]
fn depth_does_not_matter() {
    let read = |text: &str| Term::read(text).unwrap();
    let call = read("{c_call,[1],{c_literal,[],erlang},{c_literal,[],self},[]}");
    let (vars, truth) = (read("[{c_var,[],'Y'}]"), read("{c_literal,[],true}"));
    let var = "{c_var,[],'X'}";
    survives(nested(50_000, var, |inner| node("c_let", [vars.clone(), call.clone(), inner])));
    survives(nested(50_000, var, |inner| {
        node("c_call", [read("{c_literal,[],m}"), read("{c_literal,[],f}"), Term::list([inner])])
    }));
    survives(nested(50_000, var, |inner| node("c_cons", [read(var), inner])));
    survives(nested(50_000, var, |inner| node("c_tuple", [Term::list([inner])])));
    survives(nested(20_000, var, |inner| {
        let clause = node("c_clause", [read("[{c_tuple,[],[{c_var,[],'Y'}]}]"), truth.clone(), inner]);
        node("c_case", [read(var), Term::list([clause])])
    }));
    survives(nested(20_000, var, |inner| node("c_catch", [inner])));
    survives(nested(20_000, var, |inner| node("c_fun", [Term::nil(), inner])));
}

/// A small generator of numbers, so that a failure can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

fn parts(term: &Term) -> usize {
    1 + match term {
        Term::Cons(_, cell) => parts(&cell.head) + parts(&cell.tail),
        Term::Tuple(_, items) => items.iter().map(parts).sum(),
        _ => 0,
    }
}

/// The `at`th part of a term; `at` becomes what is left to count.
fn part<'t>(term: &'t Term, at: &mut usize) -> Option<&'t Term> {
    if *at == 0 {
        return Some(term);
    }
    *at -= 1;
    match term {
        Term::Cons(_, cell) => part(&cell.head, at).or_else(|| part(&cell.tail, at)),
        Term::Tuple(_, items) => items.iter().find_map(|item| part(item, at)),
        _ => None,
    }
}

/// The term with its `at`th part replaced.
fn replaced(term: &Term, at: &mut isize, by: &Term) -> Term {
    *at -= 1;
    match term {
        _ if *at == -1 => by.clone(),
        _ if *at < -1 => term.clone(),
        Term::Cons(_, cell) => {
            let head = replaced(&cell.head, at, by);
            Term::cons(head, replaced(&cell.tail, at, by))
        }
        Term::Tuple(_, items) => Term::tuple(items.iter().map(|item| replaced(item, at, by)).collect::<Vec<_>>()),
        _ => term.clone(),
    }
}

/// Whatever stands in a tree: no panic, and what is flattened keeps the rules that flattening is about.
#[test]
fn damaged_trees_are_refused_or_flattened_properly() {
    let comparison = Comparison::new("damage");
    let beam = comparison.build("flat_shapes.erl");
    let tree = comparison.extract(beam.to_str().unwrap()).remove(0);
    let fields = tree.as_tuple().unwrap();
    let junk = [
        "[]",
        "x",
        "-1",
        "{}",
        "{c_literal,[],#{}}",
        "{c_var,[],'X'}",
        "{c_var,[],{f,1}}",
        "[{c_var,[],0}]",
        "\"str\"",
    ];
    let junk: Vec<Term> = junk.iter().map(|text| Term::read(text).unwrap()).collect();
    let (mut numbers, mut taken, mut refused) = (Numbers(1), 0, 0);
    for definition in fields[5].cells() {
        for _ in 0..150 {
            let size = parts(definition);
            let by = match numbers.below(2) {
                0 => junk[numbers.below(junk.len())].clone(),
                _ => part(definition, &mut numbers.below(size)).unwrap().clone(),
            };
            let damaged = replaced(definition, &mut (numbers.below(size) as isize), &by);
            match outcome(fields, damaged) {
                true => taken += 1,
                false => refused += 1,
            }
        }
    }
    assert!(taken > 500 && refused > 500, "{taken} taken, {refused} refused");
}

/// Whether a module with this one definition is flattened.
fn outcome(fields: &[Term], definition: Term) -> bool {
    let mut fields = fields.to_vec();
    fields[5] = Term::list([definition]);
    let Ok(module) = core::read(&Term::tuple(fields)) else { return false };
    let (module, errors) = flat::flatten_module(&module, "m.erl");
    for flaw in check(&module) {
        let excused = ["there is no function", "a guard", "a try in a guard", "the label", "a literal"];
        assert!(excused.iter().any(|start| flaw.problem.starts_with(start)), "{flaw}");
    }
    flat::print(&module, Style { marks: true, ..Style::default() });
    errors.is_empty()
}
