//! What is rebuilt from the events of the example: the symbolic run, its alternatives, the test cases.

use constraint::{Grammar, Shape};
use frontend::core::Name;
use frontend::instrument::EventTable;
use host::{RecordedEvent, Source};
use rebuild::{Inputs, answers, symbolic, tests, texts, trace};
use term::{Atom, Call, Term};

use crate::rig::{Rig, compiled};
use crate::text::append;

fn events(rig: &mut Rig, call: &Call) -> Vec<RecordedEvent> {
    let (_, events) = rig.session.host().call_observed(call, 1 << 20);
    events.expect("events")
}

fn numbered(events: &[RecordedEvent]) -> Vec<(u32, Option<&Term>)> {
    events.iter().map(|event| (event.number, event.value.as_ref())).collect()
}

/// `Res`, then the parameters.
fn rebuilt(table: &EventTable, function: Name, events: &[RecordedEvent]) -> Vec<String> {
    let run = symbolic(table, function, &numbered(events)).expect("the events fit together");
    texts(&[&[run.result], &run.params[..]].concat())
}

fn all(table: &EventTable, function: Name, events: &[RecordedEvent]) -> Vec<(String, Vec<u32>)> {
    let found = answers(table, function, &numbered(events));
    found.into_iter().map(|(params, trace)| (texts(&params).join(", "), trace)).collect()
}

#[test]
fn the_example_is_rebuilt() {
    let mut rig = Rig::new(std::env::temp_dir());
    let module = rig.session.add(Source::CoreFile(append())).expect("a program");
    let table = rig.instrument(module);
    let main = Name { function: Atom::new("main"), arity: 1 };
    let events = events(&mut rig, &Call::read("append:main([a])").expect("a call"));
    assert_eq!(rebuilt(&table, main, &events), ["[X,X]", "[X]"]);
    assert_eq!(trace(&table, &numbered(&events)), [2, 1]);
    let three = [("[]", &[1][..]), ("[X]", &[2, 1]), ("[X,Y|R]", &[2, 2])];
    assert_eq!(all(&table, main, &events), three.map(|(vars, trace)| (vars.to_owned(), trace.to_vec())));
}

#[test]
fn the_procedure_gives_the_four_test_cases() {
    let mut rig = Rig::new(std::env::temp_dir());
    let module = rig.session.add(Source::CoreFile(append())).expect("a program");
    let table = rig.instrument(module);
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let function = Name { function: Atom::new("main"), arity: 1 };
    let inputs = Inputs { table: &table, function, grammar: &grammar, signatures: &[vec![any]], depth: 3 };
    let first = Call::read("append:main([a])").expect("a call");
    let cases = tests(&inputs, first.args.clone(), 100, None, &mut |args| {
        let call = Call { args: args.to_vec(), ..first.clone() };
        Some(events(&mut rig, &call).into_iter().map(|event| (event.number, event.value)).collect())
    });
    let texts: Vec<String> = cases.iter().map(|args| args[0].to_string()).collect();
    assert_eq!(texts, ["[a]", "[]", "[a,b]", "[a,b,c]"]);
}

const PROGRAM: &str = "-module(shapes).
-export([same/2, twice/1, apart/2, counted/1, guarded/1, outside/1, keys/1, bytes/1, catching/1]).
twice(L) -> F = fun(X) -> {X, L} end, pairs(F, L).
pairs(_, []) -> [];
pairs(F, [X | T]) -> [F(X) | pairs(F, T)].
apart({A, B}, C) -> try first(A) of D -> {D, B, C} catch throw:E -> {E, B} end.
first([X | _]) -> X;
first(other) -> throw(gone).
counted(L) -> [X || {ok, X} <- L].
guarded(N) when N > 3 -> {big, N};
guarded(N) -> {small, N + 1}.
keys(#{a := A} = M) -> keys(M, A).
keys(#{b := [H | _]}, A) -> M = #{k => H, c => 1}, #{c := C} = M#{c := {A}}, {C, M}.
bytes(<<N, B:N/binary, R:4/little, _/bits>>) -> {B, N, <<R:16, B/binary>>}.
catching(X) -> case catch first(X) of {'EXIT', {R, _}} -> {out, R}; V -> V end.
outside(L) -> {ordsets:to_list(L), L}.
same({X, X}, [X | _]) -> {X};
same(A, A) -> same;
same([A | T], B) when A =:= B, T =:= [] -> one;
same([A | T], B) when A =:= {B} andalso hd(T) =:= B, is_list(T) -> two;
same([A | T], B) when A =:= B orelse T =:= [] -> three;
same(_, _) -> other.
";

#[test]
fn funs_handlers_comprehensions_and_functions_outside_are_followed() {
    let mut rig = Rig::new(compiled("events_shapes", &[("shapes.erl".to_owned(), PROGRAM.to_owned())]));
    let table = rig.instrument(Atom::new("shapes"));
    let mut of = |text: &str| {
        let call = Call::read(text).expect("a call");
        let name = Name { function: call.function, arity: call.args.len() as u8 };
        let events = events(&mut rig, &call);
        rebuilt(&table, name, &events).join("; ")
    };
    assert_eq!(of("shapes:twice([1,2])"), "[{X,[X,Y]},{Y,[X,Y]}]; [X,Y]");
    assert_eq!(of("shapes:apart({[1],2},3)"), "{X,Y,Z}; {[X|R],Y}; Z");
    assert_eq!(of("shapes:apart({other,2},3)"), "{gone,X}; {other,X}; Y");
    assert_eq!(of("shapes:counted([{ok,1},no])"), "[X]; [{ok,X},Y]");
    assert_eq!(of("shapes:guarded(1)"), "{small,erlang:'+'(X,1)}; X");
    assert_eq!(of("shapes:outside([1,2])"), "{[1,2],X}; X");
    let map = "#{a := X,b := [Y|R]}";
    assert_eq!(of("shapes:keys(#{a => 1, b => [2], z => 3})"), format!("{{{{X}},#{{c => 1,k => Y}}}}; {map}"));
    let bits = "<<Y,<<X:Y/binary,Z:4/little,X1/bits>>/bits>>";
    assert_eq!(of("shapes:bytes(<<1,2,3>>)"), format!("{{X,Y,<<Z:16,X/binary>>}}; {bits}"));
    assert_eq!(of("shapes:same({1,1},[1])"), "{X}; {X,X}; [X|R]");
    assert_eq!(of("shapes:same(1,1)"), "same; X; X");
    assert_eq!(of("shapes:same([1],1)"), "one; [X]; X");
    assert_eq!(of("shapes:same([{1},1],1)"), "two; [{X}|R]; X");
    assert_eq!(of("shapes:same([1],2)"), "three; [X|R]; Y");
    assert_eq!(of("shapes:catching(other)"), "gone; other");
    assert_eq!(of("shapes:catching(none)"), "{out,function_clause}; X");
}
