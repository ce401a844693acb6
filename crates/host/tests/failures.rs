//! A VM that ends, hangs or writes garbage: the call is reported, everything else goes on.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use host::{CallLimits, Host, HostError, Options, Source};
use support::{call, empty_directory, host, host_with, run, shared_cache, show, start};

fn signal(pid: u32, signal: i32) {
    // SAFETY: the process was started by the test's own host.
    assert_eq!(unsafe { libc::kill(pid as i32, signal) }, 0);
}

#[test]
fn a_vm_that_is_killed_between_calls_is_replaced() {
    let mut host = host();
    assert_eq!(run(&mut host, "erlang:abs(-1)"), "1");
    signal(host.os_pid().expect("it runs"), libc::SIGKILL);
    thread::sleep(Duration::from_millis(100));
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn a_vm_that_is_killed_during_a_call_is_replaced() {
    let mut host = host();
    run(&mut host, "erlang:abs(-1)");
    let pid = host.os_pid().expect("it runs");
    let killer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        signal(pid, libc::SIGKILL);
    });
    assert_eq!(run(&mut host, "timer:sleep(3000)"), "died: it was ended by signal 9");
    killer.join().expect("the killer ends");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn calls_that_halt_the_vm_are_reported() {
    let mut host = host();
    assert_eq!(run(&mut host, "erlang:halt()"), "died: it exited with status 0");
    assert_eq!(run(&mut host, "erlang:halt(3)"), "died: it exited with status 3");
    assert!(run(&mut host, "erlang:halt(abort)").starts_with("died: it was ended by signal"));
    let result = run(&mut host, "erlang:halt(\"a slogan\")");
    assert!(result.starts_with("died: it exited with status 1"), "{result}");
    assert_eq!(run(&mut host, "init:stop()"), "ok");
    let stopping = host.os_pid();
    let mut replaced = (0..200).map(|_| {
        thread::sleep(Duration::from_millis(20));
        run(&mut host, "erlang:abs(-2)");
        host.os_pid() != stopping
    });
    assert!(replaced.any(|replaced| replaced), "stopping is noticed");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

/// The VM behind its warden.
fn vm_of(warden: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{warden}/task/{warden}/children")).expect("the warden runs");
    children.trim().parse().expect("it has one child")
}

/// A signal takes its time on a busy machine, and a VM that has not got it yet would answer.
fn wait_until_stopped(pid: u32) {
    let state = || fs::read_to_string(format!("/proc/{pid}/stat")).expect("it is there");
    let stopped = (0..500).any(|_| {
        thread::sleep(Duration::from_millis(10));
        state().rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
    });
    assert!(stopped, "{}", state());
}

#[test]
fn a_vm_that_hangs_is_killed() {
    let mut host = host_with(CallLimits { millis: 200, ..CallLimits::default() });
    run(&mut host, "erlang:abs(-1)");
    let pid = vm_of(host.os_pid().expect("it runs"));
    signal(pid, libc::SIGSTOP);
    wait_until_stopped(pid);
    let started = Instant::now();
    assert_eq!(run(&mut host, "erlang:abs(-1)"), "timed out");
    assert!(started.elapsed() < Duration::from_secs(20), "long after the limit");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn garbage_on_the_pipe_is_noticed() {
    let mut host = host();
    for bytes in ["\"hello, this is no frame\"", "<<0,0,0,1,7>>", "<<0,0,0,10,0,0,0,0,0,0,0,0,6,131>>"] {
        let text = format!("port_command(open_port({{fd, 4, 4}}, [out]), {bytes}), timer:sleep(200), ok");
        host.extract(Source::Expression(text)).unwrap_or_else(|error| panic!("{error}"));
        let result = run(&mut host, "hound_expression:main()");
        assert!(result.starts_with("died: it wrote garbage"), "{bytes}: {result}");
        assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
    }
}

#[test]
fn closing_the_pipe_is_noticed() {
    let mut host = host();
    let text = "[catch port_close(P) || P <- erlang:ports(), erlang:port_info(P, name) =:= {name, \"3/4\"}], timer:sleep(1000)";
    host.extract(Source::Expression(text.to_string())).unwrap_or_else(|error| panic!("{error}"));
    let result = run(&mut host, "hound_expression:main()");
    assert!(result.starts_with("died"), "{result}");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn killing_every_process_of_the_vm_is_noticed() {
    let mut host = host();
    let text = "[exit(P, kill) || P <- processes(), P =/= self()], timer:sleep(1000)";
    host.extract(Source::Expression(text.to_string())).unwrap_or_else(|error| panic!("{error}"));
    let result = run(&mut host, "hound_expression:main()");
    assert!(result.starts_with("died"), "{result}");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn a_binary_larger_than_the_machine_may_take_is_refused() {
    let mut host = host();
    let result = run(&mut host, "binary:copy(<<0>>,20000000000)");
    assert!(result.starts_with("died") || result == "error:system_limit", "{result}");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn binaries_count_as_memory() {
    let mut host = host_with(CallLimits { heap_words: 4 << 20, ..CallLimits::default() });
    let text = "F = fun F(L) -> F([binary:copy(<<0>>, 1000000) | L]) end, F([])";
    host.extract(Source::Expression(text.to_string())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run(&mut host, "hound_expression:main()"), "out of memory");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn tables_count_as_memory() {
    let mut host = host_with(CallLimits { heap_words: 4 << 20, ..CallLimits::default() });
    let text = "T = ets:new(t, []), F = fun F(N) -> ets:insert(T, {N, lists:seq(1, 1000)}), F(N + 1) end, F(0)";
    host.extract(Source::Expression(text.to_string())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run(&mut host, "hound_expression:main()"), "out of memory");
    assert_eq!(run(&mut host, "erlang:abs(-2)"), "2");
}

#[test]
fn modules_outlive_the_vm_they_were_given_to() {
    let mut host = host();
    host.extract(Source::Expression("forty_two".to_string())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run(&mut host, "hound_expression:main()"), "forty_two");
    run(&mut host, "erlang:halt()");
    assert_eq!(run(&mut host, "hound_expression:main()"), "forty_two");
}

#[test]
fn a_replaced_module_is_run_and_the_original_confirmed() {
    let mut host = host();
    host.extract(Source::Expression("original".to_string())).unwrap_or_else(|error| panic!("{error}"));
    let core = "module 'hound_expression' ['main'/0] attributes [] 'main'/0 = fun () -> 'replaced' end";
    let beam = host.compile_core(core, &[]).unwrap_or_else(|error| panic!("{error}"));
    host.load(term::Atom::new("hound_expression"), &beam).unwrap_or_else(|error| panic!("{error}"));
    let main = call("hound_expression:main()");
    assert_eq!(show(&host.call(&main)), "replaced");
    assert_eq!(show(&host.confirm(&main)), "original");
    assert_eq!(show(&host.call(&main)), "replaced");
    run(&mut host, "erlang:halt()");
    assert_eq!(show(&host.confirm(&main)), "original");
    assert_eq!(show(&host.call(&main)), "replaced");
}

#[test]
fn a_replaced_library_module_comes_back_from_its_file() {
    let mut host = host();
    let core = "module 'gb_sets' ['new'/0] attributes [] 'new'/0 = fun () -> 'replaced' end";
    let beam = host.compile_core(core, &[]).unwrap_or_else(|error| panic!("{error}"));
    host.load(term::Atom::new("gb_sets"), &beam).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(show(&host.call(&call("gb_sets:new()"))), "replaced");
    assert_eq!(show(&host.confirm(&call("gb_sets:new()"))), "{0,nil}");
}

#[test]
fn no_erlang_is_said_clearly() {
    let options = Options { erl: PathBuf::from("no-such-erl"), cache_dir: Some(shared_cache()), ..Options::default() };
    let Err(error) = Host::start(options) else { panic!("there is no such command") };
    assert_eq!(error, HostError::NoErlang { erl: PathBuf::from("no-such-erl") });
    assert!(error.to_string().contains("install Erlang/OTP"));
}

/// A command that stands in for `erl`.
fn impostor(name: &str, script: &str) -> Options {
    let directory = empty_directory(name);
    let erl = directory.join("erl");
    fs::write(&erl, format!("#!/bin/sh\n{script}\n")).expect("the script can be written");
    fs::set_permissions(&erl, fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    Options { erl, cache_dir: Some(directory.join("cache")), ..Options::default() }
}

#[test]
fn a_command_that_is_no_erlang_is_said_clearly() {
    let Err(error) = Host::start(impostor("no-erl", "echo what a pity; exit 1")) else { panic!("it is no Erlang") };
    assert!(error.to_string().contains("what a pity"), "{error}");
}

#[test]
fn a_host_that_greets_with_garbage_is_an_error() {
    // Compiling goes to the real one; what it says of the emulator is changed.
    let options = impostor("garbage-erl", "erl \"$@\"; sed -i \"s|^bindir.*|bindir\\t$(dirname $0)|\" installation");
    let emulator = options.erl.with_file_name("erlexec");
    let greeting = "#!/bin/sh\necho no frame at all, no greeting >&4; sleep 5\n";
    fs::write(&emulator, greeting).expect("it can be written");
    fs::set_permissions(&emulator, fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    let error = match Host::start(options) {
        Err(error) => error.to_string(),
        Ok(mut host) => run(&mut host, "erlang:abs(-1)"),
    };
    assert!(error.contains("garbage") || error.contains("did not start"), "{error}");
}

#[test]
fn a_damaged_erlang_half_is_compiled_again() {
    let cache = empty_directory("damaged-half");
    let options = Options { cache_dir: Some(cache.clone()), ..Options::default() };
    assert_eq!(run(&mut start(options.clone()), "erlang:abs(-1)"), "1");
    let mut damaged = 0;
    for entry in fs::read_dir(&cache).expect("it is there").flatten() {
        for name in ["hound_run.beam", "hound_host.beam"] {
            let beam = entry.path().join(name);
            if beam.is_file() {
                fs::write(beam, b"not a module").expect("it can be damaged");
                damaged += 1;
            }
        }
    }
    assert_eq!(damaged, 2);
    assert_eq!(run(&mut start(options), "erlang:abs(-1)"), "1");
}

#[test]
fn the_vm_ends_with_its_owner() {
    let mut host = host();
    run(&mut host, "erlang:abs(-1)");
    let warden = host.os_pid().expect("it runs");
    let vm = vm_of(warden);
    drop(host);
    for pid in [warden, vm] {
        assert!(!PathBuf::from(format!("/proc/{pid}")).exists());
    }
}

#[test]
fn the_vm_ends_when_its_owner_is_killed() {
    let own = std::env::current_exe().expect("the test knows itself");
    let arguments = ["--exact", "starts_a_vm_and_kills_itself", "--ignored", "--nocapture"];
    let output = std::process::Command::new(own).args(arguments).output().expect("the test can run itself");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let pid: u32 =
        printed.split("pid=").nth(1).and_then(|rest| rest.split('.').next()).expect("a pid").parse().expect("a number");
    let gone = (0..100).any(|_| {
        thread::sleep(Duration::from_millis(20));
        !PathBuf::from(format!("/proc/{pid}")).exists()
    });
    assert!(gone, "process {pid} is still there");
}

#[test]
#[ignore = "the other half of the test above"]
fn starts_a_vm_and_kills_itself() {
    let mut host = host();
    run(&mut host, "erlang:abs(-1)");
    println!("pid={}.", vm_of(host.os_pid().expect("it runs")));
    signal(std::process::id(), libc::SIGKILL);
}
