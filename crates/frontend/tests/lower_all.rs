//! Every function of OTP's stdlib, kernel and compiler: lowered, verified, printed, and read back.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use frontend::{core, flat, lower};
use ir::{Unit, verify};
use term::etf;

#[derive(Default)]
struct Tally {
    functions: usize,
    lifted: usize,
    blocks: usize,
    problems: Vec<String>,
}

#[test]
fn stdlib_is_lowered() {
    let tally = lower_application("stdlib");
    assert!(tally.functions > 7000, "{} functions", tally.functions);
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
    let dir = fresh_dir(name);
    extract(name, &dir);
    let mut tally = Tally::default();
    for file in extracted(&dir) {
        lower_module(&file, &mut tally);
    }
    let Tally { functions, lifted, blocks, problems } = &tally;
    println!("{name}: {functions} functions, {lifted} lifted, {blocks} blocks");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems[..problems.len().min(20)].join("\n"));
    tally
}

fn lower_module(file: &Path, tally: &mut Tally) {
    let extracted = etf::decode(&fs::read(file).unwrap()).unwrap();
    let [_, main, tree] = extracted.as_tuple().unwrap() else { panic!("{} is no extraction", file.display()) };
    let main = String::from_utf8(main.as_bits().unwrap().to_bytes().into_owned()).unwrap();
    let module = core::read(tree).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (module, errors) = flat::flatten_module(&module, &main);
    assert!(errors.is_empty(), "{}: {errors:?}", file.display());
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
    tally.blocks += unit.functions.iter().map(|function| function.blocks.len()).sum::<usize>();
    tally.problems.extend(verify(unit).iter().map(ToString::to_string));
    let text = unit.to_string();
    match Unit::read(&text) {
        Ok(read) if read.to_string() == text => {}
        Ok(_) => tally.problems.push(format!("{} reads back differently", unit.functions[0].name)),
        Err(error) => tally.problems.push(format!("{}: {error}", unit.functions[0].name)),
    }
}

fn extracted(dir: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|kind| kind == "etf")).collect();
    files.sort();
    files
}

/// Writes the marked Core Erlang of an application's modules.
fn extract(application: &str, dir: &Path) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/erlang/flat_truth.erl");
    let built = Command::new("erlc").arg("-o").arg(dir).arg(sources).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/erl");
    let beams = format!("filename:join(code:lib_dir({application}), \"ebin/*.beam\")");
    let code = format!("flat_truth:extract({:?}, {beams}, {:?}), halt().", host, dir);
    let out = Command::new("erl").args(["-noshell", "-pa"]).arg(dir).args(["-eval", &code]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

fn fresh_dir(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lower-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}
