//! Every record of an operation: which readings it has, and that its flags and shapes are those of the VM.

mod gives;
#[allow(dead_code, reason = "each test program takes what it needs")]
mod vm;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use gives::covers;
use ops::{Gives, Native, Operation, Returns, Rule, Sampling};
use term::{Atom, Mfa, Term};
use vm::Vm;

/// The table of readings, one line per record; written anew if `HOUND_WRITE` is set.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test may read and write its own table")]
fn the_table_of_readings_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readings.txt");
    let table = table();
    if std::env::var_os("HOUND_WRITE").is_some() {
        fs::write(&path, &table).expect("the table is written");
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(known == table, "the readings have changed: run this test with HOUND_WRITE=1 and look at the difference");
    assert!(table.lines().count() > 300);
}

fn table() -> String {
    let mut lines: Vec<String> = ops::all().map(line).collect();
    lines.sort();
    let mut table = String::from(
        "# function: value, meaning, values, ends, readings; of value `-` the machine or the VM computes it\n",
    );
    lines.iter().for_each(|line| writeln!(table, "{line}").expect("a string takes everything"));
    table
}

fn line(operation: &Operation) -> String {
    let value = match operation.native {
        Some(Native::Pure(_)) => "rust",
        Some(Native::Running(_)) => "rust+run",
        None => "-",
    };
    let flags = [
        (operation.guard, "guard"),
        (operation.module == "erlang" && operation.rule.has_instruction(), "instruction"),
        (operation.prelude.is_some(), "prelude"),
        (operation.detour.is_some(), "detour"),
        (operation.guess.is_some(), "guess"),
        (operation.sampling() == Sampling::Always && operation.native.is_some(), "sampled"),
    ];
    let flags: Vec<&str> = flags.iter().filter(|(has, _)| *has).map(|(_, flag)| *flag).collect();
    let policy = operation.policy.map_or("Code".to_owned(), |policy| format!("{policy:?}"));
    let Operation { rule, gives, returns, .. } = operation;
    format!("{}: {value}, {rule:?}, {gives:?}, {returns:?}, {policy} {}", operation.mfa(), flags.join(" "))
        .trim_end()
        .to_owned()
}

fn mfa(module: &str, function: &str, arity: u8) -> Mfa {
    Mfa { module: Atom::new(module), function: Atom::new(function), arity }
}

#[test]
fn each_function_has_one_record() {
    let mut names: Vec<Mfa> = ops::all().map(Operation::mfa).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "a function has two records");
}

#[test]
fn guards_may_call_what_the_vm_lets_them_call() {
    let mut vm = Vm::start();
    let mut says = |question: &str, function: Mfa| {
        let args = [Term::atom(function.function), Term::int(i64::from(function.arity))];
        vm.call(mfa("erl_internal", question, 2), &args).expect("an answer") == Term::bool(true)
    };
    let mut guards = 0;
    for operation in ops::all().filter(|operation| operation.module == "erlang") {
        let questions = ["guard_bif", "new_type_test", "arith_op", "bool_op", "comp_op"];
        let allowed = questions.iter().any(|question| says(question, operation.mfa()));
        assert_eq!(operation.guard, allowed, "{}", operation.mfa());
        let is_test = matches!(operation.rule, Rule::Type(_) | Rule::IsFunction | Rule::IsRecord);
        assert_eq!(is_test, says("new_type_test", operation.mfa()), "{}", operation.mfa());
        guards += usize::from(allowed);
    }
    let exported = vm.call(mfa("erlang", "module_info", 1), &[Term::atom_named("exports")]).expect("a list");
    for export in exported.proper_list().expect("a list") {
        let [Term::Atom(_, name), arity] = export.as_tuple().expect("a pair") else { panic!("{export}") };
        let function = mfa("erlang", name.name(), arity.as_i64().expect("an arity") as u8);
        if vm.call(mfa("erl_internal", "guard_bif", 2), &[Term::atom(*name), arity.clone()]).expect("an answer")
            == Term::bool(true)
        {
            assert!(ops::find(function).is_some_and(|operation| operation.guard), "{function}");
        }
    }
    assert!(guards > 60, "{guards}");
}

/// Values of all kinds, at which every function with a shape is called on the VM.
const VALUES: &str = "[0, -7, 2, 16, 4294967295, 1208925819614629174706176, 1.5, -2.0, a, true, false, <<>>, <<1,2,3>>, \
    <<5:3>>, [], \"abc\", \"12\", <<\"12\">>, [a], {1,2}, {a}, #{}, #{a => 1}, [1|2], [<<9>>,[7]], [compressed], sha256, \
    md5, fun lists:map/2]";

#[test]
fn the_values_of_the_vm_have_the_shapes_of_the_records() {
    let values = Term::read(VALUES).expect("terms").proper_list().expect("a list");
    let mut vm = Vm::start();
    let handles = ["self", "make_ref"].map(|name| vm.call(mfa("erlang", name, 0), &[]).expect("a handle"));
    let ports = vm.call(mfa("erlang", "ports", 0), &[]).expect("a list").proper_list().expect("a list");
    let all: Vec<Term> = values.into_iter().chain(handles).chain(ports.into_iter().take(1)).collect();
    let known = |it: &&Operation| it.gives != Gives::Anything || it.returns != Returns::Perhaps;
    let (mut wrong, mut idle, mut functions) = (Vec::new(), Vec::new(), 0);
    for operation in ops::all().filter(known).filter(|it| !ops::prelude::is_prelude(Atom::new(it.module))) {
        let mut given = 0;
        for args in rows(&all, operation.arity) {
            match vm.call(operation.mfa(), &args) {
                Ok(value) if !covers(operation.gives, &args, &value) => {
                    wrong.push(format!("{} of {args:?} gives {value}", operation.mfa()));
                }
                Ok(_) => given += 1,
                Err(_) if !may_raise(operation, &args) => wrong.push(format!("{} of {args:?} fails", operation.mfa())),
                Err(_) => {}
            }
        }
        functions += 1;
        if given == 0 && operation.gives != Gives::Nothing {
            idle.push(operation.mfa());
        }
    }
    assert!(wrong.is_empty(), "{} problems\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    assert!(idle.is_empty(), "no arguments give values of {idle:?}");
    assert!(functions > 100, "{functions}");
}

fn may_raise(operation: &Operation, args: &[Term]) -> bool {
    match operation.returns {
        Returns::Always => false,
        Returns::OfBinary => !args.iter().all(|arg| arg.as_bits().is_some_and(term::Bits::is_binary)),
        Returns::Perhaps => true,
    }
}

/// All rows of so many values; of long rows some.
fn rows(values: &[Term], arity: u8) -> Vec<Vec<Term>> {
    let values = if arity > 2 { values.iter().step_by(3).cloned().collect() } else { values.to_vec() };
    (0..arity).fold(vec![Vec::new()], |rows, _| {
        let longer = |row: &Vec<Term>| {
            values.iter().map(|value| [row.as_slice(), std::slice::from_ref(value)].concat()).collect()
        };
        rows.iter().flat_map(|row| -> Vec<Vec<Term>> { longer(row) }).collect()
    })
}
