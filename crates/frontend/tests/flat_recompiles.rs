//! Every module of OTP's stdlib: read, flattened, printed, compiled from that text by OTP, loaded, and called.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use frontend::core;
use frontend::flat::{self, Style};
use term::etf;

#[test]
fn stdlib_recompiled_from_its_flat_form_answers_as_before() {
    let dir = fresh_dir("stdlib");
    let erl = Erl::new(&dir);
    let beams = erl.eval("io:format(\"~s\", [filename:join(code:lib_dir(stdlib), \"ebin/*.beam\")])");
    erl.extract(&beams);
    let printed = print_all(&dir);
    assert!(printed > 80, "stdlib has more than {printed} modules");
    assert_eq!(erl.eval(&format!("io:format(\"~tp\", [flat_truth:compile({}, [])])", quoted(&dir))), "[]");
    let (before, after) = (erl.answers("none", "before"), erl.answers(&quoted(&dir), "after"));
    let different: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
    assert_eq!(before.len(), after.len());
    assert!(before.len() > 5000, "{} calls", before.len());
    assert!(
        different.is_empty(),
        "{} of {} differ, such as {:#?}",
        different.len(),
        before.len(),
        &different[..different.len().min(20)]
    );
}

/// Prints the flat form of every extracted module and returns how many there were.
fn print_all(dir: &Path) -> usize {
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "etf")).collect();
    for file in &files {
        fs::write(file.with_extension("core"), flat_text(file)).unwrap();
    }
    files.len()
}

fn flat_text(file: &Path) -> String {
    let extracted = etf::decode(&fs::read(file).unwrap()).unwrap();
    let [_, main, tree] = extracted.as_tuple().unwrap() else { panic!("{} is no extraction", file.display()) };
    let main = String::from_utf8(main.as_bits().unwrap().to_bytes().into_owned()).unwrap();
    let module = core::read(tree).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (module, errors) = flat::flatten_module(&module, &main);
    assert!(errors.is_empty(), "{}: {errors:?}", file.display());
    let flaws = flat::check(&module);
    assert!(flaws.is_empty(), "{}: {flaws:#?}", file.display());
    flat::print(&module, Style::default())
}

struct Erl {
    dir: PathBuf,
    sources: PathBuf,
}

impl Erl {
    fn new(dir: &Path) -> Erl {
        let erl = Erl { dir: dir.join("code"), sources: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/erlang") };
        fs::create_dir_all(&erl.dir).unwrap();
        let source = erl.sources.join("flat_truth.erl");
        let built = Command::new("erlc").arg("-o").arg(&erl.dir).arg(source).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
        erl
    }

    /// What a fresh VM prints.
    fn eval(&self, code: &str) -> String {
        let code = format!("try {code} catch C:R:S -> io:format(\"failed: ~p\", [{{C,R,S}}]) end, halt().");
        let out = Command::new("erl").args(["-noshell", "-pa"]).arg(&self.dir).args(["-eval", &code]).output().unwrap();
        assert!(
            out.status.success(),
            "{}{}",
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).unwrap()
    }

    fn extract(&self, beams: &str) {
        let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/erl");
        let out = self.dir.parent().unwrap();
        let code = format!("flat_truth:extract({}, \"{beams}\", {})", quoted(&host), quoted(out));
        assert_eq!(self.eval(&code), "");
    }

    /// The calls with their answers, with the modules in `modules` loaded first.
    fn answers(&self, modules: &str, name: &str) -> Vec<String> {
        let (calls, out) = (self.sources.join("flat_calls.config"), self.dir.join(name));
        let code = format!("flat_truth:answers({modules}, {}, {})", quoted(&calls), quoted(&out));
        assert_eq!(self.eval(&code), "");
        fs::read_to_string(out).unwrap().lines().map(str::to_string).collect()
    }
}

fn quoted(path: &Path) -> String {
    format!("{:?}", path.to_str().unwrap())
}

fn fresh_dir(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("flat-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}
