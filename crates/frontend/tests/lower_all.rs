//! Every function of OTP's stdlib, kernel and compiler: lowered, verified, printed, and read back.

mod truth;

use frontend::{core, flat, lower};
use ir::{Unit, verify};
use term::Term;
use truth::Comparison;

#[derive(Default)]
struct Tally {
    functions: usize,
    lifted: usize,
    problems: Vec<String>,
}

#[test]
fn stdlib_is_lowered() {
    let tally = lower_application("stdlib");
    assert!(tally.functions > 7000, "{} functions", tally.functions);
    assert!(tally.lifted > 1000, "{} lifted", tally.lifted);
}

#[test]
fn kernel_is_lowered() {
    let tally = lower_application("kernel");
    assert!(tally.functions > 4000, "{} functions", tally.functions);
}

#[test]
fn compiler_is_lowered() {
    let tally = lower_application("compiler");
    assert!(tally.functions > 4000, "{} functions", tally.functions);
}

fn lower_application(name: &str) -> Tally {
    let place = Comparison::new(&format!("lower-{name}"));
    let beams = format!("io:format(\"~s\", [filename:join(code:lib_dir({name}), \"ebin/*.beam\")])");
    let mut tally = Tally::default();
    for tree in place.extract(&place.eval(&beams)) {
        lower_module(&tree, &mut tally);
    }
    let problems = &tally.problems;
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems[..problems.len().min(20)].join("\n"));
    tally
}

fn lower_module(tree: &Term, tally: &mut Tally) {
    let module = core::read(tree).unwrap();
    let name = module.name;
    let (module, errors) = flat::flatten_module(&module, "main.erl");
    assert!(errors.is_empty(), "{name}: {errors:?}");
    for function in &module.functions {
        tally.functions += 1;
        match lower::lower(&module, function) {
            Ok(unit) => check(&unit, tally),
            Err(error) => tally.problems.push(error.to_string()),
        }
    }
}

fn check(unit: &Unit, tally: &mut Tally) {
    tally.lifted += unit.functions.len() - 1;
    tally.problems.extend(verify(unit).iter().map(ToString::to_string));
    let text = unit.to_string();
    match Unit::read(&text) {
        Ok(read) if read.to_string() == text => {}
        Ok(_) => tally.problems.push(format!("{} reads back differently", unit.functions[0].name)),
        Err(error) => tally.problems.push(format!("{}: {error}", unit.functions[0].name)),
    }
}
