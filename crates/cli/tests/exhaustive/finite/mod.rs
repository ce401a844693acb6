//! Functions over finite domains: a module of them, with their specs, and a module that lists their inputs.

mod attempt;
mod body;
pub mod domain;
mod operations;
mod parts;

use std::fmt::Write as _;
use std::path::Path;

use fastrand::Rng;

use body::{Kind, Variable, Writer};
use domain::{Domain, rows};

/// The most inputs of one function.
const MOST_INPUTS: u64 = 1500;

/// How many of the functions that only others call are known to each.
const KNOWN_HELPERS: usize = 3;

/// Functions that the invented ones call: each can fail, and two go round.
const HELPERS: &str = "
half(N) when N rem 2 =:= 0 -> N div 2;
half(N) when N > 0 -> half(N - 1).

at(1, [X | _]) -> X;
at(N, [_ | T]) -> at(N - 1, T).

total([]) -> 0;
total([X | T]) when is_integer(X) -> X + total(T);
total([_ | T]) -> total(T).

ratio(A, B) when A > B ->
    A div B;
ratio(A, B) ->
    A * 2 - B.

pair({A, B}) -> {B, A};
pair({A}) -> {A, A}.

same(X) -> X.

fail(0, X) ->
    throw({bad, X});
fail(1, X) ->
    error({bad, X});
fail(2, X) ->
    exit(X);
fail(3, X) ->
    throw(X);
fail(_, X) ->
    X.

dig(0, X) ->
    throw(X);
dig(N, X) ->
    N + dig(N - 1, X).

over(A, B) ->
    try A div B of
        0 -> exit({bad, A});
        Q -> Q
    catch
        error:badarith -> A
    after
        put(seen, B)
    end.

shield(F) ->
    try
        F()
    catch
        throw:X when is_integer(X) ->
            X;
        error:{bad, X} ->
            fail(X, 0);
        C:R:T when C =/= throw ->
            put(k, R),
            erlang:raise(C, R, T)
    end.
";

/// Functions, what to export of them, and their inputs.
#[derive(Default)]
pub struct Module {
    pub functions: String,
    pub names: Vec<String>,
    pub inputs: Vec<String>,
}

impl Module {
    pub fn write(&self, folder: &Path) {
        let Module { functions, names, inputs } = self;
        let code = format!("-module(finite).\n-export([{}]).\n{functions}", names.join(", "));
        let listed = format!("-module(finite_inputs).\n-export([all/0]).\nall() -> [\n{}\n].\n", inputs.join(",\n"));
        std::fs::write(folder.join("finite.erl"), code).expect("the program can be written");
        std::fs::write(folder.join("finite_inputs.erl"), listed).expect("the inputs can be written");
    }
}

pub fn write(folder: &Path, seed: u64, count: usize, depth: u32) {
    let mut rng = Rng::with_seed(seed);
    let mut module = Module { functions: HELPERS.to_owned(), ..Module::default() };
    let mut helpers = Vec::new();
    for at in 0..count {
        let domains = domains(&mut rng);
        let name = format!("f{at}");
        if rng.u32(..100) < 60 {
            module.functions.push_str(&helper(&mut rng, depth, &format!("g{at}"), &helpers));
            helpers.push(format!("g{at}"));
        }
        helpers.drain(..helpers.len().saturating_sub(KNOWN_HELPERS));
        module.functions.push_str(&function(&mut rng, depth, &name, &domains, &helpers));
        module.inputs.push(format!("{{{name}, {}}}", rows("[", "]", &domains)));
        module.names.push(format!("{name}/{}", domains.len()));
    }
    module.write(folder);
}

pub fn specs(domains: &[Domain]) -> String {
    domains.iter().map(Domain::spec).collect::<Vec<_>>().join(", ")
}

fn domains(rng: &mut Rng) -> Vec<Domain> {
    loop {
        // Something to count with is always there.
        let low = rng.i64(-2..=0);
        let mut domains = vec![Domain::Range(low, low + rng.i64(2..=6))];
        domains.extend((0..rng.usize(0..=2)).map(|_| Domain::argument(rng)));
        if domains.iter().map(Domain::size).product::<u64>() <= MOST_INPUTS {
            return domains;
        }
    }
}

/// A function of two integers that only others call, and perhaps itself, with other values than the specs say.
fn helper(rng: &mut Rng, depth: u32, name: &str, helpers: &[String]) -> String {
    let scope = ["B0", "B1"].map(|name| Variable { name: name.to_owned(), kind: Kind::Integer });
    let mut writer = Writer::new(rng, helpers);
    let mut clauses = Vec::new();
    for _ in 0..writer.rng.usize(0..=2) {
        let (head, guard) = match writer.rng.u32(..4) {
            0 => (format!("{} = B0, B1", writer.rng.i64(-2..=4)), String::new()),
            1 => ("B0, B0 = B1".to_owned(), String::new()),
            _ => ("B0, B1".to_owned(), format!(" when {}", writer.guard(&scope))),
        };
        clauses.push(format!("{name}({head}){guard} ->\nsame(begin\n{}\nend)", writer.body(&scope, depth - 1)));
    }
    if writer.chance(30) {
        let value = writer.value(&scope, Kind::Integer, 1);
        clauses.push(format!("{name}(B0, B1) when B0 > 0, B0 < 5 ->\nB1 + {name}(B0 - 1, {value})"));
    }
    if clauses.is_empty() || writer.chance(70) {
        clauses.push(format!("{name}(B0, B1) ->\nsame(begin\n{}\nend)", writer.body(&scope, depth - 1)));
    }
    format!("\n{}.\n", clauses.join(";\n"))
}

fn function(rng: &mut Rng, depth: u32, name: &str, domains: &[Domain], helpers: &[String]) -> String {
    let variables: Vec<Variable> = domains.iter().enumerate().map(|(at, domain)| variable(at, domain)).collect();
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let mut text = String::new();
    _ = writeln!(text, "\n-spec {name}({}) -> term().\n{name}({}) ->", specs(domains), names.join(", "));
    let body = Writer::new(rng, helpers).body(&variables, depth);
    // A call in the last place would leave no line behind.
    _ = writeln!(text, "{{done, begin\n{body}\nend}}.");
    text
}

fn variable(at: usize, domain: &Domain) -> Variable {
    let kind = match domain {
        Domain::Boolean => Kind::Boolean,
        Domain::Range(..) => Kind::Integer,
        Domain::Tuple(_) => Kind::Tuple,
        Domain::Map(..) => Kind::Map,
        Domain::Bits(_) => Kind::Bits,
        Domain::Atoms(_) | Domain::Union(_) => Kind::Other,
        Domain::Fun(1, result) if matches!(**result, Domain::Boolean) => Kind::Test,
        Domain::Fun(_, result) if matches!(**result, Domain::Boolean) => Kind::Order,
        Domain::Fun(1, _) => Kind::Fun,
        Domain::Fun(..) => Kind::Fold,
    };
    Variable { name: format!("A{at}"), kind }
}
