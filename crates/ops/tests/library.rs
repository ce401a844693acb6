//! Runs the natives of the library modules on generated arguments, beside the real VM.

mod arguments;
mod vm;

use arguments::{Kind, Source};
use ops::{Native, native};
use term::{Atom, Mfa, Term};
use vm::{Vm, same, show};

use Kind::{
    Any, Binaries, Binary, Characters, Count, Data, Encoding, Endian, Index, Integer, Iterate, Key, Keyed, Keys, List,
    Map, Needles, Pairs, Scopes, Splits,
};

/// Every native of the library with the kinds of its arguments.
const FUNCTIONS: &[(&str, &[Kind])] = &[
    ("lists:member", &[Key, List]),
    ("lists:reverse", &[List, Any]),
    ("lists:keyfind", &[Key, Index, Keyed]),
    ("lists:keymember", &[Key, Index, Keyed]),
    ("lists:keysearch", &[Key, Index, Keyed]),
    ("maps:find", &[Key, Map]),
    ("maps:from_keys", &[Keys, Any]),
    ("maps:from_list", &[Pairs]),
    ("maps:get", &[Key, Map]),
    ("maps:is_key", &[Key, Map]),
    ("maps:keys", &[Map]),
    ("maps:merge", &[Map, Map]),
    ("maps:put", &[Key, Any, Map]),
    ("maps:remove", &[Key, Map]),
    ("maps:take", &[Key, Map]),
    ("maps:update", &[Key, Any, Map]),
    ("maps:values", &[Map]),
    // Places in large maps are the machine's own; they are walked in a test below.
    ("erts_internal:map_next", &[Index, Kind::SmallMap, Iterate]),
    ("binary:at", &[Binary, Index]),
    ("binary:copy", &[Binary]),
    ("binary:copy", &[Binary, Count]),
    ("binary:decode_unsigned", &[Binary]),
    ("binary:decode_unsigned", &[Binary, Endian]),
    ("binary:encode_unsigned", &[Integer]),
    ("binary:encode_unsigned", &[Integer, Endian]),
    ("binary:first", &[Binary]),
    ("binary:last", &[Binary]),
    ("binary:list_to_bin", &[Kind::Bytes]),
    ("binary:longest_common_prefix", &[Binaries]),
    ("binary:longest_common_suffix", &[Binaries]),
    ("binary:match", &[Binary, Needles]),
    ("binary:match", &[Binary, Needles, Scopes]),
    ("binary:matches", &[Binary, Needles]),
    ("binary:matches", &[Binary, Needles, Scopes]),
    ("binary:part", &[Binary, Kind::Place]),
    ("binary:part", &[Binary, Index, Index]),
    ("binary:split", &[Binary, Needles]),
    ("binary:split", &[Binary, Needles, Splits]),
    ("unicode:bin_is_7bit", &[Binary]),
    ("unicode:characters_to_binary", &[Data, Encoding]),
    ("unicode:characters_to_list", &[Data, Encoding]),
    ("string:list_to_integer", &[Characters]),
    ("string:list_to_float", &[Characters]),
    ("io:printable_range", &[]),
];

const CALLS: usize = 1500;

fn mfa(name: &str, arity: usize) -> Mfa {
    let (module, function) = name.split_once(':').expect("m:f");
    Mfa { module: Atom::new(module), function: Atom::new(function), arity: arity as u8 }
}

fn run(vm: &mut Vm, function: Mfa, args: &[Term]) -> ops::Eval {
    match native(function) {
        Some(Native::Pure(rule)) => rule(&mut args.to_vec()),
        Some(Native::Running(rule)) => rule(vm, &mut args.to_vec()),
        None => panic!("{function:?} has no rule"),
    }
}

#[test]
fn every_native_of_the_library_is_compared() {
    let modules = ["binary", "io", "lists", "maps", "string", "unicode"];
    let compared: Vec<Mfa> = FUNCTIONS.iter().map(|(name, kinds)| mfa(name, kinds.len())).collect();
    // A compiled pattern is a reference of our own making; what it finds is compared below.
    let apart = mfa("binary:compile_pattern", 1);
    let missing: Vec<Mfa> = ops::all()
        .filter(|operation| operation.native.is_some())
        .map(ops::Operation::mfa)
        .filter(|function| modules.contains(&function.module.name()))
        .filter(|function| *function != apart && !compared.contains(function))
        .collect();
    assert!(compared.len() > 40, "{} functions are too few", compared.len());
    assert!(missing.is_empty(), "not compared with the VM: {missing:?}");
}

#[test]
fn natives_of_the_library_answer_as_the_vm_does() {
    let mut vm = Vm::start();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (name, kinds) in FUNCTIONS {
        let function = mfa(name, kinds.len());
        let mut source = Source::new(function);
        for _ in 0..if kinds.is_empty() { 1 } else { CALLS } {
            let args: Vec<Term> = kinds.iter().map(|&kind| source.argument(kind)).collect();
            let ours = run(&mut vm, function, &args);
            if ours.as_ref().is_err_and(|raised| raised.reason == Term::atom_named("system_limit")) {
                // The real VM would die of it.
                continue;
            }
            let theirs = vm.call(function, &args);
            compared += 1;
            if !same(&ours, &theirs) {
                wrong.push(format!("{function:?} {args:?}\n  ours   {}\n  theirs {}", show(&ours), show(&theirs)));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > FUNCTIONS.len() * CALLS / 2, "only {compared} calls");
}

fn ask(vm: &mut Vm, name: &str, args: &[Term]) -> Term {
    run(vm, mfa(name, args.len()), args).unwrap_or_else(|raised| panic!("{name}: {}", raised.reason))
}

#[test]
fn a_large_map_is_walked_in_the_order_of_the_vm() {
    let mut vm = Vm::start();
    let mut source = Source::new(mfa("maps:iterator", 1));
    for size in [31, 32, 33, 64, 65, 97, 1000] {
        let map = Term::map(source.map_of(size));
        for name in ["maps:keys", "maps:values"] {
            let theirs = vm.call(mfa(name, 1), std::slice::from_ref(&map)).expect("a map");
            assert_eq!(ask(&mut vm, name, std::slice::from_ref(&map)), theirs, "{name} of {size}");
        }
        let theirs = vm.call(mfa("maps:to_list", 1), std::slice::from_ref(&map)).expect("a map");
        let whole = ask(&mut vm, "erts_internal:map_next", &[Term::int(0), map.clone(), Term::nil()]);
        assert_eq!(whole, theirs, "to_list of {size}");
        let iterated = iterate(&mut vm, &map);
        let mut expected = theirs.proper_list().expect("a list");
        if size > 32 {
            expected.reverse();
        }
        assert_eq!(Term::list(iterated), Term::list(expected), "iterator of {size}");
    }
}

/// The pairs that an iterator gives one by one.
fn iterate(vm: &mut Vm, map: &Term) -> Vec<Term> {
    let mut pairs = Vec::new();
    let mut next = Term::cons(Term::int(0), map.clone());
    loop {
        next = match &next {
            Term::Cons(_, cell) => {
                let args = [cell.head.clone(), cell.tail.clone(), Term::atom_named("iterator")];
                ask(vm, "erts_internal:map_next", &args)
            }
            Term::Tuple(_, step) => {
                pairs.push(Term::tuple([step[0].clone(), step[1].clone()]));
                step[2].clone()
            }
            _ => return pairs,
        };
    }
}

#[test]
fn a_compiled_pattern_finds_what_its_source_finds() {
    let mut vm = Vm::start();
    let mut source = Source::new(mfa("binary:compile_pattern", 1));
    let mut compiled_patterns = 0;
    for _ in 0..CALLS {
        let (text, needles) = (source.argument(Binary), source.argument(Needles));
        let theirs = vm.call(mfa("binary:compile_pattern", 1), std::slice::from_ref(&needles));
        let ours = run(&mut vm, mfa("binary:compile_pattern", 1), std::slice::from_ref(&needles));
        let Ok(compiled) = &ours else {
            assert!(same(&ours, &theirs), "{needles}");
            continue;
        };
        let tag = |pattern: &Term| pattern.as_tuple().expect("a tuple")[0].clone();
        assert_eq!(tag(compiled), tag(&theirs.expect("a pattern")), "{needles}");
        let function = mfa("binary:matches", 2);
        let ours = run(&mut vm, function, &[text.clone(), compiled.clone()]);
        let theirs = vm.call(function, &[text.clone(), needles.clone()]);
        assert!(same(&ours, &theirs), "{text} {needles}: {} {}", show(&ours), show(&theirs));
        compiled_patterns += 1;
    }
    assert!(compiled_patterns > CALLS / 4, "only {compiled_patterns} patterns");
}

#[test]
fn huge_copies_are_refused_before_memory_is_taken() {
    let args = [Term::binary([1, 2, 3]), Term::int(1 << 58)];
    let Some(Native::Pure(copy)) = native(mfa("binary:copy", 2)) else { panic!("copy/2 is pure") };
    let raised = copy(&mut args.to_vec()).expect_err("too large");
    assert_eq!(raised.reason, Term::atom_named("system_limit"));
}

#[test]
fn long_lists_are_reversed_without_recursion() {
    let list = Term::list((0..1_000_000).map(Term::int));
    let Some(Native::Pure(reverse)) = native(mfa("lists:reverse", 2)) else { panic!("reverse/2 is pure") };
    let reversed = reverse(&mut [list, Term::nil()]).expect("a list");
    assert!(reversed.cells().map(|item| item.as_i64()).eq((0..1_000_000).rev().map(Some)));
}
