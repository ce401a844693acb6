//! The operating system's walls hold whatever runs in the VM: no guard stands in these tests.

mod support;

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use host::{Openings, Options, Source, standing_walls};
use support::{empty_directory, run, shared_cache, start};

/// Runs expressions in a VM behind walls; `$F` is a folder with a file `secret` that the VM should not see.
fn outcome(name: &str, openings: Openings, text: &str) -> (String, PathBuf) {
    let folder = empty_directory(name);
    fs::write(folder.join("secret"), "a secret").expect("it can be written");
    let mut host = start(Options { cache_dir: Some(shared_cache()), openings, ..Options::default() });
    let text = text.replace("$F", folder.to_str().expect("a plain name"));
    host.extract(Source::Expression(text)).unwrap_or_else(|error| panic!("{error}"));
    (run(&mut host, "hound_expression:main()"), folder)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What the kernel says of itself, and what was found out by trying.
#[test]
fn every_wall_that_the_kernel_has_is_found() {
    let actions = fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    let unshared = Command::new("unshare").args(["-Upnf", "true"]).status();
    let walls = standing_walls();
    assert_eq!(walls.seccomp, actions.contains("errno"), "{walls:?}");
    assert_eq!(walls.namespaces, unshared.is_ok_and(|status| status.success()), "{walls:?}");
    println!("not walled off here: {:?}", walls.missing());
}

/// True on a system that lacks a wall, where nothing can be tested; it is said.
fn is_open_here() -> bool {
    let missing = standing_walls().missing();
    if !missing.is_empty() {
        eprintln!("not tested: this system has no wall around {missing:?}");
    }
    !missing.is_empty()
}

#[test]
fn nothing_is_written_or_changed() {
    if is_open_here() {
        return;
    }
    let attempts = [
        "file:write_file(\"$F/new\", \"x\")",
        "file:write_file(\"$F/secret\", \"x\", [append])",
        "file:delete(\"$F/secret\")",
        "file:rename(\"$F/secret\", \"$F/other\")",
        "file:make_dir(\"$F/new\")",
        "file:make_symlink(\"/etc/passwd\", \"$F/new\")",
        "file:make_link(\"$F/secret\", \"$F/new\")",
        "file:change_mode(\"$F/secret\", 8#777)",
        "file:change_time(\"$F/secret\", {{2001,1,1},{0,0,0}})",
        "file:change_owner(\"$F/secret\", 1)",
        "prim_file:write_file(\"$F/new\", <<\"x\">>)",
        "case file:open(\"$F/secret\", [read, write]) of {ok, D} -> file:truncate(D); E -> E end",
        "os:cmd(\"touch $F/new\")",
        "os:cmd(\"/lib64/ld-linux-x86-64.so.2 /usr/bin/touch $F/new\")",
        "catch open_port({spawn_executable, \"/usr/bin/touch\"}, [{args, [\"$F/new\"]}])",
        "file:write_file(\"/dev/shm/hound_was_here\", \"x\")",
        "disk_log:open([{name, l}, {file, \"$F/new\"}])",
        "dets:open_file(d, [{file, \"$F/new\"}])",
        "erlang:halt(\"dump\")",
    ];
    for (number, text) in attempts.iter().enumerate() {
        let (result, folder) = outcome(&format!("wall-write-{number}"), Openings::default(), text);
        assert_eq!(names(&folder), ["secret"], "{text}: {result}");
        let kept = fs::metadata(folder.join("secret")).expect("it is there");
        assert_eq!(fs::read_to_string(folder.join("secret")).expect("it is text"), "a secret", "{text}: {result}");
        assert_eq!(kept.permissions().mode() & 0o777, 0o644, "{text}: {result}");
        assert!(kept.modified().expect("a time").elapsed().expect("in the past").as_secs() < 600, "{text}: {result}");
    }
    assert!(!Path::new("/dev/shm/hound_was_here").exists());
}

#[test]
fn secrets_are_not_read() {
    if is_open_here() {
        return;
    }
    // SAFETY: no other thread of this test program reads the environment at this time.
    unsafe { std::env::set_var("HOUND_TEST_TOKEN", "a secret") };
    let attempts = [
        "file:read_file(\"$F/secret\")",
        "file:list_dir(\"$F\")",
        "file:read_file(\"/etc/passwd\")",
        "file:read_file(\"/proc/self/environ\")",
        "file:read_file(\"/proc/1/environ\")",
        "prim_file:read_file(\"$F/secret\")",
        "erl_prim_loader:get_file(\"$F/secret\")",
        "file:consult(\"$F/secret\")",
        "os:cmd(\"cat $F/secret\")",
        "os:getenv(\"HOUND_TEST_TOKEN\")",
        "os:getenv()",
        "file:list_dir(os:getenv(\"HOME\"))",
    ];
    for (number, text) in attempts.iter().enumerate() {
        let (result, _) = outcome(&format!("wall-read-{number}"), Openings::default(), text);
        assert!(
            !result.contains("secret") && !result.contains("root:") && !result.contains("{ok,"),
            "{text}: {result}"
        );
    }
}

#[test]
fn no_connection_is_made() {
    if is_open_here() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("it listens");
    let receiver = UdpSocket::bind("127.0.0.1:0").expect("it listens");
    let tcp = listener.local_addr().expect("a port").port();
    let udp = receiver.local_addr().expect("a port").port();
    for text in [
        format!("gen_tcp:connect({{127,0,0,1}}, {tcp}, [], 1000)"),
        "gen_tcp:listen(0, [])".to_owned(),
        "socket:open(inet, stream)".to_owned(),
        "socket:open(local, stream)".to_owned(),
        format!("case gen_udp:open(0) of {{ok, S}} -> gen_udp:send(S, {{127,0,0,1}}, {udp}, <<1>>); E -> E end"),
        "inet:getaddr(\"localhost\", inet)".to_owned(),
    ] {
        let (result, _) = outcome("wall-network", Openings::default(), &text);
        let refused = ["eperm", "eacces", "error", "nxdomain"].iter().any(|word| result.contains(word));
        assert!(refused && !result.contains("{ok,"), "{text}: {result}");
    }
    listener.set_nonblocking(true).expect("it can be set");
    receiver.set_nonblocking(true).expect("it can be set");
    assert!(listener.accept().is_err() && receiver.recv(&mut [0; 8]).is_err());
}

#[test]
fn no_other_process_is_seen_and_none_outlives_the_vm() {
    if is_open_here() {
        return;
    }
    let own = std::process::id();
    let (result, _) = outcome("wall-pid", Openings::default(), "os:getpid()");
    assert_eq!(result, "\"1\"");
    let kill = format!("os:cmd(\"kill -9 {own}\"), file:read_file(\"/proc/{own}/stat\")");
    let (result, _) = outcome("wall-kill", Openings::default(), &kill);
    assert_eq!(result, "{error,eacces}");
}

#[test]
fn what_is_allowed_is_open() {
    if is_open_here() {
        return;
    }
    let files = Openings { files: true, ..Openings::default() };
    let (result, folder) = outcome("wall-open-files", files, "file:write_file(\"$F/new\", \"x\")");
    assert_eq!((result.as_str(), names(&folder)), ("ok", vec!["new".to_owned(), "secret".to_owned()]));
    let (result, _) = outcome("wall-open-files", files, "element(1, gen_tcp:listen(0, []))");
    assert_eq!(result, "error");
    let network = Openings { network: true, ..Openings::default() };
    let (result, folder) =
        outcome("wall-open-network", network, "file:write_file(\"$F/new\", \"x\"), element(1, gen_tcp:listen(0, []))");
    assert_eq!((result.as_str(), names(&folder)), ("ok", vec!["secret".to_owned()]));
    let programs = Openings { programs: true, ..Openings::default() };
    let (result, folder) = outcome("wall-open-programs", programs, "os:cmd(\"touch $F/new; echo done\")");
    assert_eq!((result.as_str(), names(&folder)), ("\"done\\n\"", vec!["new".to_owned(), "secret".to_owned()]));
}
