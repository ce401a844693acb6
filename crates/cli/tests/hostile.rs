//! Hostile programs: none writes a file, reads a secret, connects or outlives the command, by whichever command it is run.
//!
//! Each is tried with the guard and without: then the operating system's walls alone must hold.

mod support;

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use support::folder;

/// The content of a file that no program should see.
const SECRET: &str = "the_secret_of_this_test";

/// A folder to attack, and ports that no program may connect to.
struct Range {
    /// The names of walls that are left out.
    without: &'static str,
    folder: PathBuf,
    programs: PathBuf,
    tcp: TcpListener,
    udp: UdpSocket,
}

impl Range {
    fn new(name: &str) -> Range {
        let programs = folder(&format!("{name}-programs"));
        let target = folder(&format!("{name}-target"));
        for file in ["victim", "secret"] {
            fs::write(target.join(file), SECRET).expect("it can be written");
        }
        let (tcp, udp) = (TcpListener::bind("127.0.0.1:0"), UdpSocket::bind("127.0.0.1:0"));
        let (tcp, udp) = (tcp.expect("a port"), udp.expect("a port"));
        tcp.set_nonblocking(true).expect("it can be set");
        udp.set_nonblocking(true).expect("it can be set");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
        for entry in fs::read_dir(sources).expect("the programs are there").flatten() {
            fs::copy(entry.path(), programs.join(entry.file_name())).expect("it can be copied");
        }
        Range { without: "", folder: target, programs, tcp, udp }
    }

    /// Runs a command in the folder of the programs and holds it to the promise; returns what it printed.
    fn attack(&self, guarded: bool, words: &[&str]) -> String {
        let guarded = guarded || !host::standing_walls().missing().is_empty();
        let port = |address: std::net::SocketAddr| address.port().to_string();
        let mut command = Command::new("timeout");
        command.args(["--signal=KILL", "300", env!("CARGO_BIN_EXE_hound")]).args(words);
        if words[0] != "solve" {
            command.args(["-D", &format!("F={:?}", self.folder.to_str().expect("a plain name"))]);
            command.args(["-D", &format!("PORT={}", port(self.tcp.local_addr().expect("bound")))]);
            command.args(["-D", &format!("UDP={}", port(self.udp.local_addr().expect("bound")))]);
        }
        command.current_dir(&self.programs).env("HOSTILE_TOKEN", SECRET);
        command.env("HOUND_TEST_WITHOUT_WALLS", self.without);
        if !guarded {
            command.env("HOUND_TEST_WITHOUT_GUARD", "1");
        }
        let output = command.output().expect("hound runs");
        let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.code().is_some_and(|code| code <= 2), "{words:?}: {:?}\n{printed}", output.status);
        self.hold(&format!("{words:?}, guarded: {guarded}\n{printed}"), &printed);
        printed
    }

    /// Nothing has come of it.
    fn hold(&self, what: &str, printed: &str) {
        let mut names: Vec<_> =
            fs::read_dir(&self.folder).expect("it is there").flatten().map(|it| it.file_name()).collect();
        names.sort();
        assert_eq!(names, ["secret", "victim"], "{what}");
        let victim = fs::metadata(self.folder.join("victim")).expect("it is there");
        assert_eq!(fs::read_to_string(self.folder.join("victim")).expect("it is text"), SECRET, "{what}");
        assert_eq!(victim.permissions().mode() & 0o777, 0o644, "{what}");
        assert_eq!(victim.nlink(), 1, "{what}");
        assert!(victim.modified().expect("a time").elapsed().expect("past").as_secs() < 7200, "{what}");
        assert!(!printed.contains(SECRET), "a secret was read: {what}");
        assert!(self.tcp.accept().is_err() && self.udp.recv(&mut [0; 8]).is_err(), "it connected: {what}");
        for place in ["/dev/shm/hostile_was_here", "/var/lib/hostile_was_here"] {
            assert!(!Path::new(place).exists(), "{place}: {what}");
        }
        assert!(!is_running("hostile_was_here"), "a process is left: {what}");
    }
}

/// True if a process has that word among its arguments.
fn is_running(word: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let own = std::process::id().to_string();
    processes.filter(|entry| *entry.file_name() != *own).any(|entry| {
        fs::read(entry.path().join("cmdline")).is_ok_and(|text| String::from_utf8_lossy(&text).contains(word))
    })
}

/// The functions without arguments of a program.
fn attacks(module: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/hostile/{module}.erl"));
    let text = fs::read_to_string(path).expect("the program is there");
    let names = text.lines().filter_map(|line| line.split_once("() ->")).map(|(name, _)| name);
    names.filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase())).map(str::to_owned).collect()
}

const MODULES: [&str; 3] = ["files", "cunning", "outside"];

/// Explores every function of the programs on that engine.
fn explored(name: &str, engine: &str, guarded: bool) {
    explored_in(&Range::new(name), &MODULES, engine, guarded);
}

fn explored_in(range: &Range, modules: &[&str], engine: &str, guarded: bool) {
    for module in modules {
        let file = format!("{module}.erl");
        let functions: Vec<String> = attacks(module).iter().map(|name| format!("{name}/0")).collect();
        let words = ["explore", "--engine", engine, "--runs", "20", "--time", "3", "--tests", "eunit", "tests", &file];
        let words: Vec<&str> = words.into_iter().chain(functions.iter().map(String::as_str)).collect();
        let printed = range.attack(guarded, &words);
        assert!(printed.contains(&format!("{module}:")), "{printed}");
    }
}

#[test]
fn there_are_enough_of_them() {
    let all: usize = MODULES.iter().map(|module| attacks(module).len()).sum();
    assert!(all >= 180, "{all}");
}

#[test]
fn explored_on_the_machine() {
    explored("hostile-machine", "machine", true);
}

#[test]
fn explored_on_the_machine_without_a_guard() {
    explored("hostile-machine-open", "machine", false);
}

#[test]
fn explored_on_the_vm() {
    explored("hostile-vm", "beam", true);
}

#[test]
fn explored_on_the_vm_without_a_guard() {
    explored("hostile-vm-open", "beam", false);
}

/// Where namespaces are missing the other walls hold by themselves.
#[test]
fn explored_without_namespaces() {
    let range = Range { without: "namespaces", ..Range::new("hostile-fewer") };
    explored_in(&range, &["outside"], "beam", false);
    let said = range.attack(true, &["run", "1 + 1", "--require-sandbox"]);
    assert_eq!(said, "2\n");
}

/// Runs a sample of the attacks by each of the other commands; HOUND_SEED chooses which.
#[test]
fn run_reached_and_instrumented() {
    const SAMPLE: usize = 23;
    let seed: usize = std::env::var("HOUND_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let range = Range::new("hostile-commands");
    for (number, (module, name)) in
        MODULES.iter().flat_map(|module| attacks(module).into_iter().map(move |name| (module, name))).enumerate()
    {
        // Those that never end are tried where there is a clock.
        let endless = ["memory", "heap", "atoms", "forks", "prints", "waits", "killed_watch"].contains(&name.as_str());
        if endless || number % SAMPLE != seed % SAMPLE {
            continue;
        }
        let file = format!("{module}.erl");
        let guarded = (number / SAMPLE).is_multiple_of(2);
        match number / SAMPLE % 6 {
            0 | 1 => drop(range.attack(guarded, &["instrument", &file, &format!("{module}:{name}()")])),
            2 => drop(range.attack(guarded, &["reach", "--time", "3", &file, &format!("{module}:{name}/0")])),
            _ => drop(range.attack(guarded, &["run", &file, &format!("{module}:{name}()")])),
        }
    }
    let condition = format!("file:write_file({:?}, X) == 1", range.folder.join("new").to_str().expect("a plain name"));
    drop(range.attack(false, &["solve", "--opaque", "file:write_file/2", &condition]));
}

/// A module whose every function writes, reads and connects.
fn evil(range: &Range, name: &str, heads: &[&str]) -> String {
    let folder = range.folder.to_str().expect("a plain name");
    let body = format!(
        "file:write_file(\"{folder}/new\", \"x\"), file:delete(\"{folder}/victim\"), os:cmd(\"touch {folder}/new\"), \
         catch gen_tcp:connect({{127,0,0,1}}, {}, [], 100), {{ok, S}} = catch file:read_file(\"{folder}/secret\"), \
         io:put_chars(user, S), error(S)",
        range.tcp.local_addr().expect("bound").port()
    );
    let functions: Vec<String> = heads.iter().map(|head| format!("{head} -> {body}.\n")).collect();
    format!("-module({name}).\n-compile(export_all).\n-compile(nowarn_export_all).\n{}", functions.concat())
}

/// Code that runs when source is compiled, when a module is read or when it is loaded.
#[test]
fn compiled_read_and_loaded() {
    // No guard stands where code is compiled.
    if !host::standing_walls().missing().is_empty() {
        eprintln!("not tested: this system lacks a wall");
        return;
    }
    let range = Range::new("hostile-compiling");
    let write = |name: &str, text: &str| fs::write(range.programs.join(name), text).expect("it can be written");
    let erlc = |words: &[&str]| support::succeed("erlc", words, &range.programs);
    write("evil_transform.erl", &evil(&range, "evil_transform", &["parse_transform(_, _)"]));
    write("evil_core.erl", &evil(&range, "evil_core", &["core_transform(_, _)"]));
    write("evil_behaviour.erl", &evil(&range, "evil_behaviour", &["behaviour_info(_)"]));
    write("evil_backend.erl", &evil(&range, "evil_backend", &["debug_info(_, _, _, _)"]));
    for name in ["evil_core", "evil_behaviour", "evil_backend"] {
        erlc(&[&format!("{name}.erl")]);
    }
    write(
        "transformed.erl",
        "-module(transformed).\n-export([f/0]).\n-compile({parse_transform, evil_transform}).\nf() -> 1.\n",
    );
    write("listed.erl", "-module(listed).\n-export([f/0]).\n-compile([{core_transform, evil_core}]).\nf() -> 1.\n");
    write("behaving.erl", "-module(behaving).\n-behaviour(evil_behaviour).\n-export([f/0]).\nf() -> 1.\n");
    write("plain.erl", "-module(plain).\n-export([f/0]).\nf() -> 1.\n");
    erlc(&["+{debug_info,{evil_backend,x}}", "plain.erl"]);
    let secret = range.folder.join("secret");
    let included =
        format!("-module(included).\n-export([f/0]).\n-include({:?}).\nf() -> 1.\n", secret.to_str().expect("plain"));
    write("included.erl", &included);
    let loaded = evil(&range, "when_loaded", &["f()", "g()"])
        .replace("-compile(export_all).", "-compile(export_all).\n-on_load(g/0).");
    write("when_loaded.erl", &loaded);
    for guarded in [true, false] {
        for source in ["transformed.erl", "listed.erl", "behaving.erl", "plain.beam", "included.erl", "when_loaded.erl"]
        {
            let name = source.split('.').next().expect("a name");
            range.attack(guarded, &["run", source, &format!("{name}:f()"), "--pa", ".", "--no-cache"]);
            range.attack(guarded, &["explore", "--engine", "beam", source, "--pa", ".", "--no-cache"]);
        }
    }
    // Modules of Erlang's own names in the current folder.
    for (name, heads) in [
        ("compile", "noenv_forms(_, _)"),
        ("cover", "start()"),
        ("logger_std_h", "log(_, _)"),
        ("beam_lib", "chunks(_, _)"),
    ] {
        write(&format!("{name}.erl"), &evil(&range, name, &[heads, "module_info(_, _)"]));
        erlc(&[&format!("{name}.erl")]);
    }
    let printed = range.attack(false, &["run", "files.erl", "1 + 1", "--no-cache"]);
    assert_eq!(printed, "2\n");
}
