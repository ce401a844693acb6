//! Extraction: from every kind of source, with every kind of failure, through a cache that is never believed blindly.

mod support;
mod whole;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use host::{ErlOptions, ExtractError, Extracted, Host, Options, Source};
use support::{call, empty_directory, host, run, show, start};
use term::{Atom, Term};
use whole::whole_core;

fn extract(host: &mut Host, source: Source) -> Extracted {
    host.extract(source).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(host: &mut Host, source: Source) -> ExtractError {
    match host.extract(source) {
        Ok(extracted) => panic!("module {} should have been refused", extracted.module.name()),
        Err(error) => error,
    }
}

fn module(name: &str) -> Source {
    Source::Module(name.to_string())
}

fn erl(path: &Path) -> Source {
    Source::ErlFile { path: path.to_path_buf(), options: ErlOptions::default() }
}

fn write(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, text).expect("the file can be written");
    path
}

/// How often a term occurs in another.
fn count(within: &Term, what: &dyn Fn(&Term) -> bool) -> usize {
    let mut open = vec![within.clone()];
    let mut found = 0;
    while let Some(term) = open.pop() {
        found += usize::from(what(&term));
        match &term {
            Term::Tuple(_, items) => open.extend(items.iter().cloned()),
            Term::Cons(..) => open.extend(term.cells().cloned()),
            _ => {}
        }
    }
    found
}

fn is_atom(name: &str) -> impl Fn(&Term) -> bool {
    let atom = Term::atom_named(name);
    move |term| *term == atom
}

#[test]
fn a_library_module_has_all_its_parts() {
    let mut host = host();
    let lists = extract(&mut host, module("lists"));
    assert_eq!(lists.module, Atom::new("lists"));
    assert_eq!(lists.file.as_deref(), Some("lists.erl"));
    assert!(lists.exports.contains(&(Atom::new("sort"), 1)));
    assert!(lists.funs.iter().any(|fun| fun.name == Atom::new("thing_to_list")));
    assert!(lists.executable_lines.len() > 500);
    assert_eq!(lists.core.as_tuple().map(|parts| parts.len()), Some(6));
    let core = whole_core(&lists).expect("every function decodes");
    assert!(count(&core, &is_atom("$hound")) >= lists.executable_lines.len());
    assert!(count(&core, &is_atom("spec")) > 50);
    assert_eq!(count(&core, &is_atom("file")), 0, "its own file is not named again");
    let unmarked = host.extract_unmarked(module("lists")).unwrap_or_else(|error| panic!("{error}"));
    let core = whole_core(&unmarked).expect("every function decodes");
    assert_eq!(count(&core, &is_atom("$hound")), 0);
}

#[test]
fn preloaded_modules_have_files() {
    let mut host = host();
    for name in ["erlang", "init", "prim_file"] {
        let path = host.locate(name);
        assert!(path.is_some_and(|path| path.ends_with(format!("{name}.beam"))), "{name}");
    }
    assert_eq!(host.locate("no_such_module"), None);
    assert!(extract(&mut host, module("erlang")).exports.len() > 100);
}

#[test]
fn elixir_modules_are_read_too() {
    let mut host = host();
    let numbers = extract(&mut host, module("Elixir.Enum"));
    assert_eq!(numbers.file.as_deref(), Some("lib/enum.ex"));
    assert!(numbers.exports.contains(&(Atom::new("map"), 2)));
    assert!(numbers.executable_lines.len() > 300);
    assert_eq!(run(&mut host, "'Elixir.Enum':sum([1,2,3])"), "6");
}

#[test]
fn an_erl_file_with_includes_macros_and_a_parse_transform() {
    let directory = empty_directory("erl-file");
    write(&directory, "values.hrl", "-define(BASE, 40).\n");
    let transform = "-module(add_two).\n-export([parse_transform/2]).\n\
        parse_transform(Forms, _) -> erl_parse:map_anno(fun(A) -> A end, [form(F) || F <- Forms]).\n\
        form({function, A, f, 0, [{clause, B, [], [], [E]}]}) -> \
        {function, A, f, 0, [{clause, B, [], [], [{op, B, '+', E, {integer, B, 2}}]}]};\n\
        form(F) -> F.\n";
    write(&directory, "add_two.erl", transform);
    let text = "-module(included).\n-export([f/0, g/0]).\n-include(\"values.hrl\").\n\
        -compile({parse_transform, add_two}).\nf() -> ?BASE.\ng() -> ?GIVEN.\n";
    let path = write(&directory, "included.erl", text);
    let options = ErlOptions { macros: vec![("GIVEN".to_string(), Some(Term::int(7)))], ..ErlOptions::default() };
    let mut host = host();
    let extracted = extract(&mut host, Source::ErlFile { path: path.clone(), options });
    assert_eq!(extracted.executable_lines, [5, 6]);
    assert!(extracted.beam.is_some());
    assert_eq!(run(&mut host, "included:f()"), "42");
    assert_eq!(run(&mut host, "included:g()"), "7");
}

#[test]
fn the_compilers_messages_come_word_for_word() {
    let directory = empty_directory("bad-erl");
    let path = write(&directory, "bad.erl", "-module(bad).\n-export([f/0]).\nf() -> X + g().\n");
    let name = path.display();
    let ExtractError::Compile { messages } = refused(&mut host(), erl(&path)) else { panic!() };
    assert_eq!(
        messages,
        [format!("{name}:3:8: variable 'X' is unbound"), format!("{name}:3:12: function g/0 undefined")]
    );
    let path = write(&directory, "worse.erl", "-module(worse).\nf( -> ok.\n-include(\"nowhere.hrl\").\n");
    let ExtractError::Compile { messages } = refused(&mut host(), erl(&path)) else { panic!() };
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("worse.erl:2:4: syntax error before: '->'"), "{messages:?}");
    assert!(messages[1].contains("can't find include file \"nowhere.hrl\""), "{messages:?}");
}

#[test]
fn expressions_become_a_function() {
    let mut host = host();
    let text = "lists:map(fun(X) -> X + 1 end, [1, 2])";
    let extracted = extract(&mut host, Source::Expression(text.to_string()));
    assert_eq!(extracted.exports[0], (Atom::new("main"), 0));
    assert_eq!(run(&mut host, "hound_expression:main()"), "[2,3]");
    extract(&mut host, Source::Expression("A = 1, B = 2, {A, B, \"λ\"}.".to_string()));
    assert_eq!(run(&mut host, "hound_expression:main()"), "{1,2,[955]}");
    for (text, message) in [
        ("lists:map(X, [])", "1:11: variable 'X' is unbound"),
        ("f(1", "1:4: syntax error before: '.'"),
        ("{1,\n 2]", "2:3: syntax error before: ']'"),
        ("\"abc", "1:1: unterminated string starting with \"abc\""),
        ("", "1:1: syntax error before: '.'"),
        ("local(1)", "1:1: function local/1 undefined"),
    ] {
        let error = refused(&mut host, Source::Expression(text.to_string()));
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn core_files_are_read() {
    let directory = empty_directory("core-file");
    let text = "module 'small' ['f'/1] attributes [] 'f'/1 = fun (X) -> call 'erlang':'+'(X, 1) end\n";
    let path = write(&directory, "small.core", text);
    let mut host = host();
    assert_eq!(extract(&mut host, Source::CoreFile(path)).module, Atom::new("small"));
    assert_eq!(run(&mut host, "small:f(1)"), "2");
    let path = write(&directory, "bad.core", "module 'bad' ['f'/1] attributes [] 'f'/1 = fun (X) -> Y end\n");
    assert!(matches!(refused(&mut host, Source::CoreFile(path)), ExtractError::Compile { .. }));
    let path = write(&directory, "worse.core", "module (");
    assert!(matches!(refused(&mut host, Source::CoreFile(path)), ExtractError::Compile { .. }));
}

fn erlc(directory: &Path, source: &Path, options: &[&str]) {
    let status = Command::new("erlc").args(options).arg("-o").arg(directory).arg(source).status().expect("erlc runs");
    assert!(status.success());
}

#[test]
fn every_refusal_says_what_is_wrong() {
    let directory = empty_directory("refusals");
    let mut host = host();
    let source = write(&directory, "plain.erl", "-module(plain).\n-export([f/0]).\nf() -> ok.\n");
    assert_eq!(refused(&mut host, module("nowhere")), ExtractError::NoModule { module: "nowhere".to_string() });
    let missing = refused(&mut host, Source::BeamFile(directory.join("missing.beam")));
    assert!(matches!(missing, ExtractError::Unreadable { .. }), "{missing}");
    let none = refused(&mut host, Source::Beam(b"no module".to_vec()));
    assert!(matches!(none, ExtractError::NotABeam { .. }), "{none}");
    erlc(&directory, &source, &[]);
    let bare = refused(&mut host, Source::BeamFile(directory.join("plain.beam")));
    assert!(matches!(bare, ExtractError::NoDebugInfo { .. }), "{bare}");
    assert!(bare.to_string().contains("debug_info"));
    erlc(&directory, &source, &["+{debug_info_key,\"secret key\"}", "+debug_info"]);
    let secret = refused(&mut host, Source::BeamFile(directory.join("plain.beam")));
    assert!(matches!(secret, ExtractError::Encrypted { .. }), "{secret}");
    erlc(&directory, &source, &["+{debug_info,{no_such_backend,[]}}"]);
    let foreign = refused(&mut host, Source::BeamFile(directory.join("plain.beam")));
    assert!(matches!(foreign, ExtractError::NoBackend { .. }), "{foreign}");
    erlc(&directory, &source, &["+debug_info"]);
    assert_eq!(extract(&mut host, Source::BeamFile(directory.join("plain.beam"))).executable_lines, [3]);
    assert_eq!(run(&mut host, "plain:f()"), "ok");
}

#[test]
fn debug_information_that_holds_only_core_will_do() {
    let directory = empty_directory("only-core");
    let text = "-module(only_core).\n-export([debug_info/4]).\n\
        debug_info(core_v1, M, _, _) -> \
        Text = io_lib:format(\"module '~s' ['f'/0] attributes [] 'f'/0 = fun () -> 'ok' end\", [M]), \
        {ok, Tokens, _} = core_scan:string(lists:flatten(Text)), core_parse:parse(Tokens);\n\
        debug_info(_, _, _, _) -> {error, unknown_format}.\n";
    let backend = write(&directory, "only_core.erl", text);
    erlc(&directory, &backend, &[]);
    let source = write(&directory, "coreish.erl", "-module(coreish).\n-export([f/0]).\nf() -> ok.\n");
    erlc(&directory, &source, &["+{debug_info,{only_core,[]}}"]);
    let cache_dir = Some(support::shared_cache());
    let mut host = start(Options { paths: vec![directory], cache_dir, ..Options::default() });
    let extracted = extract(&mut host, module("coreish"));
    assert_eq!(extracted.exports, [(Atom::new("f"), 0)]);
    assert!(extracted.executable_lines.is_empty());
}

#[test]
fn paths_given_come_first_and_are_looked_at_again() {
    let directory = empty_directory("paths");
    let cache = empty_directory("paths-cache");
    let options = Options { paths: vec![directory.clone()], cache_dir: Some(cache), ..Options::default() };
    let mut host = start(options.clone());
    assert!(matches!(refused(&mut host, module("shifty")), ExtractError::NoModule { .. }));
    let source = write(&directory, "shifty.erl", "-module(shifty).\n-export([f/0]).\nf() -> one.\n");
    erlc(&directory, &source, &["+debug_info"]);
    assert_eq!(extract(&mut host, module("shifty")).executable_lines, [3]);
    write(&directory, "shifty.erl", "-module(shifty).\n-export([f/0]).\n\n\nf() -> two.\n");
    erlc(&directory, &source, &["+debug_info"]);
    assert_eq!(extract(&mut start(options), module("shifty")).executable_lines, [5]);
}

/// The entries of a cache.
fn entries(cache: &Path) -> Vec<PathBuf> {
    fs::read_dir(cache.join("modules")).expect("it is there").flatten().map(|entry| entry.path()).collect()
}

#[test]
fn damaged_cache_entries_are_made_again() {
    let cache = empty_directory("damaged-cache");
    let options = Options { cache_dir: Some(cache.clone()), ..Options::default() };
    let first = extract(&mut start(options.clone()), module("queue"));
    let [entry] = &entries(&cache)[..] else { panic!("one module, one entry") };
    let good = fs::read(entry).expect("it can be read");
    let middle = good.len() / 2;
    let mut flipped = good.clone();
    flipped[middle] ^= 4;
    let damages = [good[..middle].to_vec(), flipped, Vec::new(), b"garbage".to_vec(), [&good[..], b"x"].concat()];
    for damage in damages {
        fs::write(entry, &damage).expect("it can be written");
        let again = extract(&mut start(options.clone()), module("queue"));
        assert_eq!(again.core, first.core);
        assert!(fs::read(entry).expect("it is there") == good, "the entry was mended");
    }
    let mut impostor = start(options.clone());
    extract(&mut impostor, module("orddict"));
    let other = entries(&cache).into_iter().find(|path| path != entry).expect("two entries");
    fs::copy(other, entry).expect("it can be copied");
    assert_eq!(extract(&mut start(options), module("queue")).module, Atom::new("queue"));
}

#[test]
fn a_cached_source_is_read_again_when_an_include_changes() {
    let directory = empty_directory("stale-include");
    let options = Options { cache_dir: Some(directory.join("cache")), ..Options::default() };
    write(&directory, "value.hrl", "-define(VALUE, 1).\n");
    let text = "-module(stale).\n-export([f/0]).\n-include(\"value.hrl\").\nf() -> ?VALUE.\n";
    let path = write(&directory, "stale.erl", text);
    let value = |expected: &str| {
        let mut host = start(options.clone());
        extract(&mut host, erl(&path));
        assert_eq!(show(&host.call(&call("stale:f()"))), expected);
    };
    value("1");
    value("1");
    write(&directory, "value.hrl", "-define(VALUE, 2).\n");
    value("2");
}

#[test]
fn a_cache_that_cannot_be_written_is_no_obstacle() {
    let directory = empty_directory("file-not-directory");
    let file = write(&directory, "file", "");
    let mut host = start(Options { cache_dir: Some(file.join("below")), ..Options::default() });
    assert_eq!(extract(&mut host, module("queue")).module, Atom::new("queue"));
}

#[test]
fn elixir_is_found_by_a_call_alone() {
    assert_eq!(run(&mut host(), "'Elixir.Integer':digits(123)"), "[1,2,3]");
    let mut host = host();
    assert_eq!(run(&mut host, "'Elixir.NoSuchModule':f()"), "error:undef");
}
