//! Comparing recompiled modules with the originals, in fresh VMs.

// Each test takes what it needs of this. The crate is pure; its tests ask the real VM.
#![allow(dead_code, clippy::disallowed_types, clippy::disallowed_methods)]

#[path = "../check/mod.rs"]
pub mod check;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use check::check;
use frontend::core;
use frontend::flat::{self, Style};
use term::{Term, etf};

/// Where this folder's files are.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth").join(name)
}

/// A place for one comparison: extracted trees, printed text, compiled code and answers.
pub struct Comparison {
    dir: PathBuf,
    code: PathBuf,
}

impl Comparison {
    pub fn new(name: &str) -> Comparison {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("flat-{name}"));
        let _ = fs::remove_dir_all(&dir);
        let code = dir.join("code");
        fs::create_dir_all(&code).unwrap();
        let comparison = Comparison { dir, code };
        comparison.build("flat_truth.erl");
        comparison
    }

    /// Compiles a source of this folder, with debug information.
    pub fn build(&self, name: &str) -> PathBuf {
        let built = Command::new("erlc").args(["+debug_info", "-W0", "-o"]).arg(&self.code).arg(source(name)).output();
        let built = built.unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
        self.code.join(name).with_extension("beam")
    }

    /// What a fresh VM prints.
    pub fn eval(&self, code: &str) -> String {
        let code = format!("try {code} catch C:R:S -> io:format(\"failed: ~p\", [{{C,R,S}}]) end, halt().");
        let mut erl = Command::new("erl");
        let out = erl.args(["-noshell", "-pa"]).arg(&self.code).args(["-eval", &code]).output().unwrap();
        assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
        text(&out.stdout)
    }

    /// Extracts, flattens, checks, prints and compiles the modules; returns how many there are.
    pub fn recompile(&self, beams: &str) -> usize {
        let trees = self.extracted(beams);
        for tree in &trees {
            fs::write(tree.with_extension("core"), flat_text(tree)).unwrap();
        }
        assert_eq!(self.eval(&format!("io:format(\"~tp\", [flat_truth:compile({:?}, [])])", self.dir)), "[]");
        trees.len()
    }

    /// The Core Erlang of the modules.
    pub fn extract(&self, beams: &str) -> Vec<Term> {
        self.extracted(beams).iter().map(|file| tree(file).1).collect()
    }

    fn extracted(&self, beams: &str) -> Vec<PathBuf> {
        let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/erl");
        let code = format!("flat_truth:extract({host:?}, {beams:?}, {:?})", self.dir);
        assert_eq!(self.eval(&code), "");
        let files = fs::read_dir(&self.dir).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|kind| kind == "etf")).collect()
    }

    /// Makes the calls in a file of this folder with the originals and with the recompiled modules; returns how many.
    pub fn assert_same_answers(&self, calls: &str) -> usize {
        let before = self.answers("none", calls, "before");
        let after = self.answers(&format!("{:?}", self.dir), calls, "after");
        assert_eq!(before.len(), after.len());
        let different: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
        let some = &different[..different.len().min(20)];
        assert!(different.is_empty(), "{} of {} differ, such as {some:#?}", different.len(), before.len());
        before.len()
    }

    fn answers(&self, modules: &str, calls: &str, name: &str) -> Vec<String> {
        let out = self.code.join(name);
        let code = format!("flat_truth:answers({modules}, {:?}, {out:?})", source(calls));
        assert_eq!(self.eval(&code), "");
        fs::read_to_string(out).unwrap().lines().map(str::to_string).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Main file and Core Erlang of an extracted module.
fn tree(file: &Path) -> (String, Term) {
    let extracted = etf::decode(&fs::read(file).unwrap()).unwrap();
    let [_, main, tree] = extracted.as_tuple().unwrap() else { panic!("{} is no extraction", file.display()) };
    (text(&main.as_bits().unwrap().to_bytes()), tree.clone())
}

/// The printed flat form of an extracted module.
fn flat_text(file: &Path) -> String {
    let (main, tree) = tree(file);
    let module = core::read(&tree).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (module, errors) = flat::flatten_module(&module, &main);
    assert!(errors.is_empty(), "{}: {errors:?}", file.display());
    let flaws = check(&module);
    assert!(flaws.is_empty(), "{}: {flaws:#?}", file.display());
    flat::print(&module, Style::default())
}
