//! Every operation with a symbolic rule, its inputs held to generated values: rule, machine and VM agree.
//!
//! The operations are the rows of the inversion suite, so that one table serves both, and a rule without a row fails.

use std::path::{Path, PathBuf};
use std::process::Command;

use ops::{Control, Operation, Rule};
use term::{Mfa, Term};

use crate::generate::Pool;
use crate::rig::{Rig, own_modules};
use crate::subjects::Library;
use crate::suite::Plan;
use crate::symbolic::{Tally, run_subject};

/// How many calls of each row are made.
const CALLS: usize = 60;

/// Set in the process that makes the calls.
const ALONE: &str = "HOUND_ALONE";

/// In a process of its own: the calls make atoms, which other tests of this one could take for known ones.
#[test]
fn every_rule_agrees_with_machine_and_vm() {
    if std::env::var_os(ALONE).is_some() {
        return agree();
    }
    let mut own = Command::new(std::env::current_exe().expect("this program"));
    own.args(["--exact", "rules::every_rule_agrees_with_machine_and_vm", "--nocapture"]);
    let output = own.env(ALONE, "1").output().expect("this program runs");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success() && out.contains("1 passed"), "{out}{err}");
}

fn agree() {
    let called = written();
    let all = operations();
    let missing: Vec<String> = all.iter().filter(|it| !called.contains(it)).map(Mfa::to_string).collect();
    assert!(missing.is_empty(), "no row of tests/inversion/rows.term calls {missing:?}");
    let plan = Plan::from_environment();
    let mut rig = Rig::new();
    let subjects = Library::new(&mut rig.vm()).subjects("hound_rows");
    let mut tally = Tally::default();
    let mut idle = Vec::new();
    for subject in &subjects {
        let before = tally.steps + tally.marked;
        run_subject(&plan, &mut rig, subject, &mut Pool::default(), &mut tally, CALLS, true);
        if tally.steps + tally.marked == before {
            idle.push(subject.function.to_string());
        }
    }
    let Tally { calls, steps, pinned, marked, problems, .. } = tally;
    println!("{} operations, {calls} calls: {steps} conditions, {pinned} pinned, {marked} expressions", subjects.len());
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems[..problems.len().min(20)].join("\n"));
    assert!(idle.is_empty(), "nothing is asked and nothing stands for anything: {idle:?}");
    assert!(pinned * 20 < steps, "{pinned} of {steps} conditions only hold values");
}

/// Every operation that a symbolic run follows: by a rule, or by code of our own.
fn operations() -> Vec<Mfa> {
    // `nif_error` stands only in stubs, and the options of `error` only in explanations.
    let left_out = |function: &Mfa| match ops::rule(*function) {
        Rule::Control(Control::NifError) => true,
        Rule::Control(Control::Error) => function.arity > 2,
        _ => ops::prelude::is_prelude(function.module),
    };
    let ruled = ops::all().filter(|operation| is_followed(operation.rule)).map(Operation::mfa);
    let ruled = ruled.filter(|function| !left_out(function));
    let replaced = ops::prelude::replaced().map(|(operation, _)| operation);
    // What is written has no inverse.
    let replaced = replaced.filter(|operation| operation.module.name() != "io");
    let mut all: Vec<Mfa> = ruled.chain(replaced).collect();
    all.sort();
    all.dedup();
    all
}

/// Compiles a module with a function for each row. Gives the operations that they call.
fn written() -> Vec<Mfa> {
    let folder = own_modules();
    let rows = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/inversion/rows.term");
    compile(&folder, &rows.with_file_name("hound_inversion.erl"));
    let words = [&rows, &folder].map(|path| format!("{:?}", path.to_string_lossy())).join(", ");
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", &format!("hound_inversion:rows([{words}]).")]);
    let output = erl.arg("-pa").arg(&folder).output().expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    compile(&folder, &folder.join("hound_rows.erl"));
    text.lines().map(|line| named(line).unwrap_or_else(|| panic!("not an operation: {line}"))).collect()
}

fn compile(folder: &Path, source: &Path) {
    let status = Command::new("erlc").args(["+debug_info", "-W0", "-o"]).arg(folder).arg(source).status();
    assert!(status.expect("erlc runs").success(), "{} does not compile", source.display());
}

/// `{Module, Function, Arity}`.
fn named(line: &str) -> Option<Mfa> {
    let term = Term::read(line).ok()?;
    let [module, function, arity] = term.as_tuple()? else { return None };
    Some(Mfa { module: module.as_atom()?, function: function.as_atom()?, arity: arity.as_i64()?.try_into().ok()? })
}

/// Returns true if symbolic runs follow an operation by the rule, instead of holding its arguments.
fn is_followed(rule: Rule) -> bool {
    let held = matches!(rule, Rule::Control(Control::MakeFun) | Rule::Process(_) | Rule::Service);
    let outside = matches!(rule, Rule::Ets(_) | Rule::Array(..) | Rule::Persistent(_));
    let outside = outside || matches!(rule, Rule::Fresh(_) | Rule::Number(_));
    !held && !outside && !matches!(rule, Rule::None | Rule::Existing)
}
