//! Runs every native on generated arguments, beside the real VM: same value, or same class and reason.
#![allow(clippy::disallowed_methods, reason = "a test may take its seed from outside")]

#[path = "../../term/tests/generate/mod.rs"]
mod generate;
mod gives;
mod kinds;
mod vm;

use std::env;

use generate::Source;
use gives::covers;
use kinds::{Kind, Shape, arguments};
use ops::{Dictionary, Environment, Eval, Native, native};
use term::{Atom, Closure, Fun, Mfa, Term, etf, known};
use vm::{Vm, same, show};

use Kind::{
    Any, Arity, Base, Binary, Bitdata, Bits, Bool, Encoding, External, ExternalOptions, Float, FloatOptions, FunItem,
    Handle, Integer, Iodata, KeyOf, Length, List, LongList, Near, Number, Pair, Places, Position, Range, Shift, Size,
    Tuple, Word,
};

/// The kinds of arguments of the functions whose arguments cannot be just any terms. A function may have several rows.
const ROWS: &[(&str, &[Kind])] = &[
    ("+", &[Number, Number]),
    ("-", &[Number, Number]),
    ("*", &[Number, Number]),
    ("/", &[Number, Number]),
    ("div", &[Integer, Integer]),
    ("rem", &[Integer, Integer]),
    ("band", &[Integer, Integer]),
    ("bor", &[Integer, Integer]),
    ("bxor", &[Integer, Integer]),
    ("bnot", &[Integer]),
    ("bsl", &[Integer, Shift]),
    ("bsr", &[Integer, Shift]),
    ("+", &[Number]),
    ("-", &[Number]),
    ("abs", &[Number]),
    ("float", &[Number]),
    ("trunc", &[Number]),
    ("round", &[Number]),
    ("floor", &[Number]),
    ("ceil", &[Number]),
    ("==", &[Any, Near(0)]),
    ("/=", &[Any, Near(0)]),
    ("=:=", &[Any, Near(0)]),
    ("=/=", &[Any, Near(0)]),
    ("<", &[Any, Near(0)]),
    ("=<", &[Any, Near(0)]),
    (">", &[Any, Near(0)]),
    (">=", &[Any, Near(0)]),
    ("max", &[Any, Near(0)]),
    ("min", &[Any, Near(0)]),
    ("not", &[Bool]),
    ("and", &[Bool, Bool]),
    ("or", &[Bool, Bool]),
    ("xor", &[Bool, Bool]),
    ("is_function", &[Kind::Fun, Arity]),
    ("is_record", &[Tuple, Kind::Atom]),
    ("is_record", &[Tuple, Kind::Atom, Size]),
    ("++", &[List, Any]),
    ("append", &[LongList, List]),
    ("--", &[List, List]),
    ("--", &[LongList, LongList]),
    ("subtract", &[List, List]),
    ("hd", &[List]),
    ("tl", &[List]),
    ("length", &[LongList]),
    ("element", &[Position, Tuple]),
    ("setelement", &[Position, Tuple, Any]),
    ("tuple_size", &[Tuple]),
    ("append_element", &[Tuple, Any]),
    ("insert_element", &[Position, Tuple, Any]),
    ("delete_element", &[Position, Tuple]),
    ("make_tuple", &[Size, Any]),
    ("make_tuple", &[Size, Any, Places]),
    ("list_to_tuple", &[LongList]),
    ("tuple_to_list", &[Tuple]),
    ("atom_to_list", &[Kind::Atom]),
    ("atom_to_binary", &[Kind::Atom]),
    ("atom_to_binary", &[Kind::Atom, Encoding]),
    ("list_to_atom", &[Kind::Name(Shape::List)]),
    ("list_to_existing_atom", &[Kind::Name(Shape::List)]),
    ("binary_to_atom", &[Kind::Name(Shape::Binary)]),
    ("binary_to_atom", &[Kind::Name(Shape::Binary), Encoding]),
    ("binary_to_existing_atom", &[Kind::Name(Shape::Binary)]),
    ("binary_to_existing_atom", &[Kind::Name(Shape::Binary), Encoding]),
    ("integer_to_list", &[Integer]),
    ("integer_to_list", &[Integer, Base]),
    ("integer_to_binary", &[Integer]),
    ("integer_to_binary", &[Integer, Base]),
    ("list_to_integer", &[Kind::IntegerText(Shape::List)]),
    ("list_to_integer", &[Kind::IntegerText(Shape::List), Base]),
    ("binary_to_integer", &[Kind::IntegerText(Shape::Binary)]),
    ("binary_to_integer", &[Kind::IntegerText(Shape::Binary), Base]),
    ("float_to_list", &[Float]),
    ("float_to_list", &[Float, FloatOptions]),
    ("float_to_binary", &[Float]),
    ("float_to_binary", &[Float, FloatOptions]),
    ("list_to_float", &[Kind::FloatText(Shape::List)]),
    ("binary_to_float", &[Kind::FloatText(Shape::Binary)]),
    ("byte_size", &[Bits]),
    ("bit_size", &[Bits]),
    ("size", &[Bits]),
    ("size", &[Tuple]),
    ("binary_to_list", &[Binary]),
    ("binary_to_list", &[Binary, Position, Position]),
    ("bitstring_to_list", &[Bits]),
    ("binary_part", &[Binary, Pair]),
    ("binary_part", &[Binary, Position, Position]),
    ("split_binary", &[Bits, Position]),
    ("iolist_to_binary", &[Iodata]),
    ("iolist_size", &[Iodata]),
    ("list_to_binary", &[Iodata]),
    ("list_to_bitstring", &[Bitdata]),
    ("term_to_binary", &[Any, ExternalOptions]),
    ("binary_to_term", &[External]),
    ("binary_to_term", &[External, ExternalOptions]),
    ("phash2", &[Any, Range]),
    ("phash2", &[Number]),
    ("phash2", &[LongList]),
    ("phash2", &[Kind::Map]),
    ("phash2", &[Kind::Atom]),
    ("phash2", &[Handle]),
    ("crc32", &[Iodata]),
    ("crc32", &[Word, Iodata]),
    ("crc32_combine", &[Word, Word, Length]),
    ("adler32", &[Iodata]),
    ("adler32", &[Word, Iodata]),
    ("adler32_combine", &[Word, Word, Length]),
    ("md5", &[Iodata]),
    ("map_size", &[Kind::Map]),
    ("map_get", &[KeyOf(1), Kind::Map]),
    ("is_map_key", &[KeyOf(1), Kind::Map]),
    ("fun_info", &[Kind::Fun, FunItem]),
    ("fun_info_mfa", &[Kind::Fun]),
    ("fun_to_list", &[Kind::Fun]),
    ("make_fun", &[Kind::Atom, Kind::Atom, Arity]),
    ("pid_to_list", &[Handle]),
    ("port_to_list", &[Handle]),
    ("ref_to_list", &[Handle]),
    ("node", &[Handle]),
];

/// Natives that a call by itself cannot compare, and why.
const APART: &[(&str, &str)] = &[
    ("erlang:make_ref/0", "gives another one each time"),
    ("erlang:get/0", "of the dictionary: in a test below"),
    ("erlang:get/1", "of the dictionary: in a test below"),
    ("erlang:get_keys/0", "of the dictionary: in a test below"),
    ("erlang:get_keys/1", "of the dictionary: in a test below"),
    ("erlang:put/2", "of the dictionary: in a test below"),
    ("erlang:erase/0", "of the dictionary: in a test below"),
    ("erlang:erase/1", "of the dictionary: in a test below"),
    ("erlang:self/0", "every process has its own"),
    ("erts_debug:same/2", "what is shared is lost on the way to the VM: in a test below"),
    ("erts_internal:map_next/3", "places in large maps are the machine's own: in the library's tests"),
    ("binary:compile_pattern/1", "compiled patterns are the machine's own: in the library's tests"),
];

/// So many calls of each row; more by `HOUND_CALLS`, others by `HOUND_SEED`, only those whose names contain `HOUND_FUNCTIONS`.
const CALLS: u64 = 200;

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn mfa(name: &str, arity: usize) -> Mfa {
    Mfa { module: Atom::new("erlang"), function: Atom::new(name), arity: arity as u8 }
}

/// Every function of the VM that is written in Rust, in the order of their names.
fn natives() -> Vec<Mfa> {
    let own = |operation: &&ops::Operation| operation.native.is_some();
    let mut all: Vec<Mfa> = ops::all().filter(own).map(ops::Operation::mfa).collect();
    all.retain(|function| !ops::prelude::is_prelude(function.module));
    all.sort();
    all
}

/// With arguments that are shared.
fn run(vm: &mut Vm, function: Mfa, args: &[Term]) -> Eval {
    run_owned(vm, function, args.to_vec())
}

fn run_owned(vm: &mut Vm, function: Mfa, mut args: Vec<Term>) -> Eval {
    match native(function) {
        Some(Native::Pure(rule)) => rule(&mut args),
        Some(Native::Running(rule)) => rule(vm, &mut args),
        None => panic!("{function:?} has no rule"),
    }
}

/// The same arguments, of which no part is shared: a rule may change them in place.
fn copies(args: &[Term]) -> Vec<Term> {
    let copy = |arg| etf::decode(&etf::encode(arg).expect("no closures")).expect("what we encode can be decoded");
    args.iter().map(copy).collect()
}

/// The rows of the table, and one for every native that has none.
fn rows() -> Vec<(Mfa, Vec<Kind>)> {
    let mut rows: Vec<(Mfa, Vec<Kind>)> =
        ROWS.iter().map(|(name, kinds)| (mfa(name, kinds.len()), kinds.to_vec())).collect();
    let apart = |function: &Mfa| APART.iter().any(|(name, _)| *name == format!("{function:?}"));
    for function in natives().into_iter().filter(|function| !apart(function)) {
        if !rows.iter().any(|(known, _)| *known == function) {
            let kind = if function.module.name() == "math" { Number } else { Any };
            rows.push((function, vec![kind; function.arity.into()]));
        }
    }
    let wanted = env::var("HOUND_FUNCTIONS").unwrap_or_default();
    rows.retain(|(function, _)| format!("{function:?}").contains(&wanted));
    rows
}

/// How a row did: what disagreed, and how many calls gave a value.
#[derive(Default)]
struct Tally {
    wrong: Vec<String>,
    values: usize,
}

fn compare(vm: &mut Vm, function: Mfa, kinds: &[Kind], seed: u64) -> Tally {
    let mut source = Source::new(seed);
    let mut tally = Tally::default();
    let limit = Term::atom(known::SYSTEM_LIMIT);
    for _ in 0..if kinds.is_empty() { 1 } else { setting("HOUND_CALLS", CALLS) } {
        let args = arguments(&mut source, kinds);
        let ours = run(vm, function, &args);
        if function.module.name() != "erlang" && ours.as_ref().is_err_and(|raised| raised.reason == limit) {
            // The real VM would die of it.
            continue;
        }
        let alone = run_owned(vm, function, copies(&args));
        let theirs = vm.call(function, &args);
        tally.values += usize::from(theirs.is_ok());
        if let Ok(value) = &theirs
            && !ops::find(function).is_some_and(|operation| covers(operation.gives, &args, value))
        {
            tally.wrong.push(format!("{function:?} {args:?} gives {value}, which its shape does not cover"));
        }
        for ours in [ours, alone] {
            if !same(&ours, &theirs) {
                let call = format!("{function:?} {args:?}\n  ours   {}\n  theirs {}", show(&ours), show(&theirs));
                tally.wrong.push(call.chars().take(2000).collect());
            }
        }
    }
    tally
}

#[test]
fn every_native_answers_as_the_vm_does() {
    let mut vm = Vm::start();
    let (mut wrong, rows) = (Vec::new(), rows());
    assert!(env::var_os("HOUND_FUNCTIONS").is_some() || rows.len() > 180, "{} functions are too few", rows.len());
    for (at, (function, kinds)) in rows.into_iter().enumerate() {
        let tally = compare(&mut vm, function, &kinds, setting("HOUND_SEED", 25) + at as u64);
        wrong.extend(tally.wrong.into_iter().take(2));
        let typed = ROWS.iter().any(|(name, kinds)| mfa(name, kinds.len()) == function);
        if typed && tally.values < CALLS as usize / 20 {
            wrong.push(format!("{function:?} gave only {} values: its arguments do not fit", tally.values));
        }
    }
    assert!(wrong.is_empty(), "{} disagreements\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_stands_apart_exists() {
    let all: Vec<String> = natives().iter().map(|function| format!("{function:?}")).collect();
    for (name, reason) in APART {
        assert!(all.iter().any(|known| known == name), "{name} ({reason}) is no native");
    }
    for (name, kinds) in ROWS {
        assert!(native(mfa(name, kinds.len())).is_some(), "erlang:{name}/{} is no native", kinds.len());
    }
}

/// A random course of calls on a dictionary, each with what it gave; the VM runs the same course in one process.
#[test]
fn the_dictionary_keeps_what_the_vms_keeps() {
    const FUNCTIONS: &[(&str, &[Kind])] = &[
        ("put", &[Position, Position]),
        ("put", &[Kind::Atom, Position]),
        ("put", &[Any, Any]),
        ("get", &[Position]),
        ("get", &[Kind::Atom]),
        ("get", &[]),
        ("get_keys", &[]),
        ("get_keys", &[Position]),
        ("erase", &[Position]),
        ("erase", &[Kind::Atom]),
        ("erase", &[]),
    ];
    let mut vm = Vm::start();
    let mut source = Source::new(setting("HOUND_SEED", 25));
    let mut made = 0;
    for _ in 0..200 {
        *vm.dictionary() = Dictionary::new();
        let len = source.below(25);
        let calls: Vec<(Mfa, Vec<Term>)> = (0..len)
            .map(|_| {
                let (name, kinds) = source.pick(FUNCTIONS);
                let (name, kinds) = if source.below(2) == 0 { FUNCTIONS[source.below(3)] } else { (name, kinds) };
                (mfa(name, kinds.len()), arguments(&mut source, kinds))
            })
            .collect();
        let ours: Vec<Term> =
            calls.iter().map(|(function, args)| run(&mut vm, *function, args).expect("a value")).collect();
        let request = Term::list(
            calls.iter().map(|(function, args)| Term::tuple([Term::atom(function.function), Term::list(args.clone())])),
        );
        let theirs = vm.call(Mfa { module: Atom::new("answer"), function: Atom::new("course"), arity: 1 }, &[request]);
        let theirs = theirs.expect("values").proper_list().expect("a list");
        assert_eq!(theirs.len(), calls.len());
        for ((call, ours), theirs) in calls.iter().zip(&ours).zip(&theirs) {
            assert_eq!(ours, theirs, "{call:?} of {calls:?}");
            made += 1;
        }
    }
    assert!(made > 1_000, "only {made} calls");
}

#[test]
fn same_means_one_value_in_memory() {
    let mut vm = Vm::start();
    let same = Mfa { module: Atom::new("erts_debug"), function: Atom::new("same"), arity: 2 };
    let tuple = Term::tuple([Term::int(1)]);
    for (a, b, expected) in [
        (tuple.clone(), tuple.clone(), true),
        (tuple.clone(), Term::tuple([Term::int(1)]), false),
        (Term::int(1), Term::int(1), true),
        (Term::int(1), Term::float(1.0), false),
        (Term::atom_named("a"), Term::atom_named("a"), true),
    ] {
        assert_eq!(run(&mut vm, same, &[a, b]).expect("a truth value"), Term::bool(expected));
    }
}

#[test]
fn closures_hash_as_the_vms_do() {
    let mut vm = Vm::start();
    let mut source = Source::readable(setting("HOUND_SEED", 25));
    for _ in 0..50 {
        let funs = Mfa { module: Atom::new("answer"), function: Atom::new("funs"), arity: 1 };
        let funs = vm.call(funs, &[source.term(2)]).expect("closures").proper_list().expect("a list");
        assert!(!funs.is_empty());
        for fun in funs {
            let [said, hash] = fun.as_tuple().expect("a pair") else { panic!("a pair") };
            let ours = run(&mut vm, mfa("phash2", 1), &[Term::tuple([Term::atom_named("x"), closure(said)])]);
            assert_eq!(&ours.expect("a hash"), hash, "{said}");
        }
    }
}

/// A closure as the machine has it, from what the VM says of its own.
fn closure(said: &Term) -> Term {
    let said = said.proper_list().expect("a list");
    let number = |at: usize| said[at].as_i64().expect("a number");
    Term::fun(Fun::Closure(Closure {
        module: said[0].as_atom().expect("a name"),
        name: said[1].as_atom().expect("a name"),
        arity: number(2) as u8,
        code: 0,
        index: number(3) as u32,
        uniq: number(4) as u32,
        captured: said[5].proper_list().expect("a list").into(),
    }))
}

#[test]
fn deep_and_long_terms_do_not_exhaust_the_stack() {
    let mut vm = Vm::start();
    let deep = || (0..1_000_000).fold(Term::nil(), |inner, _| Term::list([inner]));
    let long = || Term::list((0..1_000_000).map(|at| Term::int(at % 256)));
    for (name, args) in [
        ("iolist_to_binary", vec![deep()]),
        ("iolist_size", vec![long()]),
        ("phash2", vec![deep()]),
        ("length", vec![long()]),
        ("++", vec![long(), long()]),
        ("--", vec![long(), long()]),
        ("list_to_tuple", vec![long()]),
        ("term_to_binary", vec![deep()]),
    ] {
        let given = run(&mut vm, mfa(name, args.len()), &args);
        assert!(given.is_ok(), "{name}: {}", show(&given));
    }
}
