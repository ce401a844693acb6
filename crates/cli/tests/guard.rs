//! Runs on the VM under the guard: no way leads to an outside effect, and everything else goes on as ever.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use host::CallResult;
use ops::policy::{Policy, policy};
use session::{Opened, Session, SessionOptions};
use support::{folder, hound, succeed};
use term::{Atom, Call, Mfa, Outcome, Term};

/// Each way of `escapes.erl`, and the function that it is refused at.
const ESCAPES: &[(&str, &str)] = &[
    ("static", "file:delete/1"),
    ("fun_of", "file:delete/1"),
    ("foreach", "file:delete/1"),
    ("map_of_funs", "file:delete/1"),
    ("computed", "file:delete/1"),
    ("computed_tail", "file:delete/1"),
    ("applied", "file:delete/1"),
    ("io_user", "io:request/2"),
    ("via_server", "gen_server:call/2"),
    ("leader_internal", "erts_internal:group_leader/2"),
    ("spawned_internal", "erts_internal:spawn_system_process/3"),
    ("own_guard", "hound_guard:end_run/1"),
    ("own_computed", "hound_guard:rules/1"),
    ("own_leaders", "digraph:del_vertex/2"),
    ("own_leaders_added", "digraph:add_vertex/3"),
    ("own_tables_deleted", "digraph:delete/1"),
    ("own_undo", "digraph:add_vertex/3"),
    ("own_rules", "persistent_term:erase/1"),
    ("own_rules_put", "persistent_term:put/2"),
    ("own_up", "persistent_term:erase/1"),
    ("own_lines", "persistent_term:put/2"),
    ("own_keeper_read", "persistent_term:get/1"),
    ("own_keeper_killed", "erlang:exit/2"),
    ("own_keeper_asked", "erlang:'!'/2"),
    ("own_keeper_acked", "file:delete/1"),
    ("own_keeper_state", "sys:replace_state/2"),
    ("own_keeper_suspended", "erlang:suspend_process/1"),
    ("own_decoder", "hound_table:call/1"),
    ("own_events", "hound_events:record/2"),
    ("own_keeper", "hound_keeper:ask/1"),
    ("own_purged", "erlang:purge_module/1"),
    ("own_deleted", "erlang:delete_module/1"),
    ("own_loaded", "erlang:load_module/2"),
    ("own_prepared", "erlang:prepare_loading/2"),
    ("decoded_closure", "file:delete/1"),
    ("computed_fun", "file:delete/1"),
    ("decoded_fun", "file:delete/1"),
    ("many_arguments", "erlang:halt/1"),
    ("spawned", "file:delete/1"),
    ("spawned_linked", "file:delete/1"),
    ("spawned_opt", "file:delete/1"),
    ("proc_lib", "file:delete/1"),
    ("child", "file:delete/1"),
    ("grandchild", "file:delete/1"),
    ("caught", "file:delete/1"),
    ("trapping", "file:delete/1"),
    ("other_leader", "file:delete/1"),
    ("system_leader", "erlang:group_leader/2"),
    ("io_request", "file:delete/1"),
    ("timer_tc", "file:delete/1"),
    ("timer_after", "file:delete/1"),
    ("timer_own", "file:delete/1"),
    ("timer_send", "timer:send_after/3"),
    ("dependency", "file:delete/1"),
    ("dependency_fun", "file:delete/1"),
    ("dependency_computed", "file:delete/1"),
    ("dependency_loading", "erlang:call_on_load_function/1"),
    ("callback", "file:delete/1"),
    ("cast", "file:delete/1"),
    ("child_spec", "file:delete/1"),
    ("eval", "os:cmd/1"),
    ("eval_fun", "erlang:halt/1"),
    ("server_call", "gen_server:call/2"),
    ("server_named", "gen_server:call/2"),
    ("server_spawned", "gen_server:call/2"),
    ("server_foreach", "gen_server:stop/1"),
    ("stop_message", "erlang:'!'/2"),
    ("stop_send", "erlang:send/2"),
    ("stop_pid", "erlang:'!'/2"),
    ("stop_after", "erlang:send_after/3"),
    ("stop_spawned", "erlang:send/2"),
    ("kill_all", "erlang:exit/2"),
    ("linked_system", "erlang:link/1"),
    ("unregistered", "erlang:unregister/1"),
    ("suspended", "erlang:suspend_process/1"),
    ("state_replaced", "sys:replace_state/2"),
    ("replied", "gen_server:reply/2"),
    ("cast_by_name", "gen_server:abcast/2"),
    ("tables", "ets:delete_all_objects/1"),
    ("settings_table", "ets:insert/2"),
    ("terms", "erlang:halt/1"),
    ("given_away", "ets:give_away/3"),
    ("halt", "erlang:halt/1"),
    ("halt_applied", "erlang:halt/1"),
    ("halt_computed", "erlang:halt/0"),
    ("halt_spawned", "erlang:halt/1"),
    ("halt_foreach", "erlang:halt/1"),
    ("halt_later", "erlang:halt/1"),
    ("init_stop", "init:stop/0"),
    ("command", "os:cmd/1"),
    ("port", "erlang:open_port/2"),
    ("write", "file:write_file/2"),
    ("opened", "file:open/2"),
    ("raw", "prim_file:delete/1"),
    ("loader", "erl_prim_loader:get_file/1"),
    ("tar", "file:open/2"),
    ("listing", "file:open/2"),
    ("tcp", "gen_tcp:connect/3"),
    ("udp", "gen_udp:open/1"),
    ("tls", "ssl:connect/3"),
    ("load_binary", "code:load_binary/3"),
    ("load_native", "erlang:load_nif/2"),
    ("purge", "code:purge/1"),
    ("settings", "application:set_env/3"),
    ("application", "application:ensure_all_started/1"),
    ("flag", "erlang:system_flag/2"),
    ("logger", "logger:set_primary_config/2"),
    ("trace", "erlang:trace/3"),
    ("cookie", "erlang:set_cookie/2"),
];

/// What `harmless.erl` gives for each of its ways.
const HARMLESS: &[(&str, &str)] = &[
    ("spawned", "[1,4,9]"),
    ("server", "3"),
    ("supervised", "7"),
    ("monitored", "gone"),
    ("trapped", "killed"),
    ("timers", "[a,b]"),
    ("applied_later", "c"),
    ("slept", "ok"),
    ("output", "ok"),
    ("graph", "true"),
    ("tables", "[{a,1}]"),
    ("term", "none"),
    ("term", "none"),
    ("dictionary", "1"),
    ("settings", "{undefined,true,true}"),
    ("code", "{false,true,{module,lists},{error,nofile}}"),
    ("undefined", "{no_module,nothing,[1],[]}"),
    ("logged", "ok"),
    ("hashed", "32"),
    ("evaluated", "{value,3,[]}"),
    ("leader", "asked"),
    ("computed", "[3,1]"),
    ("via_fun", "[1]"),
    ("hibernated", "true"),
    ("unknown_name", "badarg"),
    ("no_module", "badarg"),
];

struct Rig {
    session: Session,
    victim: PathBuf,
}

impl Rig {
    /// The modules compiled in a folder of their own, with a file that must not be touched.
    fn new(name: &str, allowed: &[&str]) -> Rig {
        let folder = folder(name);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guarded");
        for module in ["escapes", "helper", "loading", "harmless", "audit"] {
            let source = sources.join(format!("{module}.erl"));
            succeed("erlc", &["+debug_info", source.to_str().expect("UTF-8")], &folder);
        }
        let allow = allowed.iter().map(|text| mfa(text)).collect();
        let options = SessionOptions { allow, paths: vec![folder.clone()], ..SessionOptions::default() };
        let session = Opened::new(&options, &[]).expect("Erlang").session;
        let victim = folder.join("victim");
        fs::write(&victim, "untouched").expect("a file");
        Rig { session, victim }
    }

    fn call(&self, text: &str) -> Call {
        let text = text.replace("FILE", &format!("{:?}", self.victim.to_str().expect("UTF-8")));
        Call::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn observed(&mut self, text: &str) -> String {
        let call = self.call(text);
        show(self.session.host().call_observed(&call, 1 << 20).0)
    }

    /// The result of a call that is not guarded.
    fn freely(&mut self, text: &str) -> String {
        let call = self.call(text);
        show(self.session.host().call(&call))
    }

    fn confirmed(&mut self, text: &str) -> String {
        let call = self.call(text);
        show(self.session.host().confirm(&call))
    }
}

fn mfa(text: &str) -> Mfa {
    let (module, rest) = text.split_once(':').expect("a module");
    let (function, arity) = rest.rsplit_once('/').expect("an arity");
    Mfa { module: Atom::new(module), function: Atom::new(function), arity: arity.parse().expect("a number") }
}

fn show(result: CallResult) -> String {
    match result {
        CallResult::Ended(Outcome::Value(value)) => value.to_string(),
        CallResult::Ended(Outcome::Raised(raised)) => format!("{}:{}", raised.class, raised.reason),
        CallResult::Refused(function) => format!("refused {function}"),
        CallResult::TimedOut => "timed out".to_owned(),
        CallResult::OutOfReductions(_) => "out of reductions".to_owned(),
        CallResult::OutOfMemory => "out of memory".to_owned(),
        CallResult::Waited => "waited".to_owned(),
        CallResult::Killed(reason) => format!("killed {reason}"),
        CallResult::HostDied(how) => format!("died {how}"),
        CallResult::NotSent(why) => format!("not sent {why}"),
    }
}

#[test]
fn no_way_leads_outside() {
    let mut rig = Rig::new("guard_escapes", &[]);
    for instrumented in [false, true] {
        match instrumented {
            true => drop(rig.session.instrument(Atom::new("escapes")).expect("it can be instrumented")),
            false => rig.session.guard().expect("a guard"),
        }
        let pid = rig.session.host().os_pid();
        let mut wrong = Vec::new();
        for (way, refused) in ESCAPES {
            let got = rig.observed(&format!("escapes:go({way}, FILE)"));
            if got != format!("refused {refused}") {
                wrong.push(format!("{way}: {got}"));
            }
            let left = fs::read_to_string(&rig.victim).unwrap_or_default();
            assert_eq!(left, "untouched", "{way}, instrumented: {instrumented}");
            let folder = rig.victim.parent().expect("a folder");
            assert!(!folder.join("x.P").exists(), "{way} wrote a listing");
        }
        assert!(wrong.is_empty(), "instrumented: {instrumented}:\n{}", wrong.join("\n"));
        assert_eq!(rig.session.host().os_pid(), pid, "the VM is another one");
    }
}

#[test]
fn everything_else_goes_on_as_ever() {
    let mut rig = Rig::new("guard_harmless", &[]);
    rig.session.guard().expect("a guard");
    let mut wrong = Vec::new();
    for (way, value) in HARMLESS {
        let call = format!("harmless:go({way})");
        for got in [rig.observed(&call), rig.confirmed(&call)] {
            if got != *value {
                wrong.push(format!("{way}: {got}"));
            }
        }
        // A refusal in between leaves no trace.
        assert_eq!(rig.observed("escapes:go(static, FILE)"), "refused file:delete/1");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Funs among the arguments are no way round the guard.
#[test]
fn a_fun_that_is_given_is_looked_at() {
    let mut rig = Rig::new("guard_given", &[]);
    rig.session.guard().expect("a guard");
    for got in [rig.observed("harmless:call([fun erlang:halt/0])"), rig.confirmed("harmless:call([fun init:stop/0])")] {
        assert!(got.starts_with("refused "), "{got}");
    }
    assert_eq!(rig.observed("harmless:call([fun erlang:is_alive/0])"), "false");
}

#[test]
fn what_is_allowed_by_name_is_done() {
    let mut rig = Rig::new("guard_allowed", &["file:delete/1"]);
    rig.session.guard().expect("a guard");
    assert_eq!(rig.observed("escapes:go(write, FILE)"), "refused file:write_file/2");
    assert_eq!(rig.observed("escapes:go(dependency, FILE)"), "ok");
    assert!(!rig.victim.exists());
    assert_eq!(rig.observed("escapes:go(callback, FILE)"), "{error,enoent}");
}

/// Modules that are not loaded at first, but that the tables name.
const NAMED: &str = "[dets, disk_log, erl_tar, ssl, gen_tcp, gen_udp, gen_sctp, httpc, mnesia, ssh, cover, dbg, c, \
                     shell, socket, net, slave, peer, erpc, rpc, global, inet_res, prim_socket, prim_net, os_mon]";

/// Every function that our machine refuses is refused on the VM, by whatever name it is called, and nothing that is loaded
/// has escaped the patching.
#[test]
fn whatever_the_tables_refuse_is_refused() {
    let mut rig = Rig::new("guard_tables", &[]);
    rig.session.guard().expect("a guard");
    let mut host = rig.session.host();
    let exports = Call::read(&format!("audit:exports({NAMED})")).expect("a call");
    let CallResult::Ended(Outcome::Value(exports)) = host.call(&exports) else { panic!("no exports") };
    let named = |term: &Term| match term.as_tuple() {
        Some([module, function, arity]) => {
            (module.as_atom().expect("a"), function.as_atom().expect("a"), arity.as_i64().expect("a number"))
        }
        _ => panic!("{term}"),
    };
    let (mut refused, mut wrong) = (0, Vec::new());
    for (module, function, arity) in exports.cells().map(named) {
        let mfa = Mfa { module, function, arity: arity as u8 };
        if let Policy::Effect(_) = policy(mfa, true) {
            let args = vec![Term::atom(module), Term::atom(function), Term::int(arity)];
            let call = Call { module: Atom::new("audit"), function: Atom::new("reach"), args };
            refused += 1;
            match host.call_observed(&call, 1 << 20).0 {
                CallResult::Refused(at) if at == mfa => {}
                other => wrong.push(format!("{mfa}: {}", show(other))),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 1_500, "{refused} functions are too few");
    drop(host);
    assert_eq!(rig.freely("audit:unpatched()"), "[]");
}

/// A VM that is started anew is guarded as the one before it was.
#[test]
fn a_new_vm_is_guarded_too() {
    let mut rig = Rig::new("guard_anew", &[]);
    rig.session.guard().expect("a guard");
    // Calls of the library are not guarded.
    let died = rig.session.host().call(&Call::read("erlang:halt(0)").expect("a call"));
    assert!(matches!(died, CallResult::HostDied(_)));
    assert_eq!(rig.confirmed("escapes:go(static, FILE)"), "refused file:delete/1");
    assert!(rig.victim.exists());
}

/// Confirmations and runs whose lines are counted are guarded, whatever engine has explored the function.
#[test]
fn what_confirms_is_guarded() {
    let mut rig = Rig::new("guard_confirms", &[]);
    assert_eq!(rig.confirmed("lists:reverse([1,2])"), "[2,1]");
    assert_eq!(rig.confirmed("harmless:go(spawned)"), "[1,4,9]");
    assert_eq!(rig.confirmed("escapes:go(static, FILE)"), "refused file:delete/1");
    assert_eq!(rig.confirmed("lists:foreach(fun file:delete/1, [FILE])"), "refused file:delete/1");
    let call = rig.call("escapes:go(static, FILE)");
    let host = rig.session.host();
    let mut watch = host::LineWatch::beside(&host).expect("a VM");
    for counted in ["escapes", "helper", "escapes"] {
        let harmless = Call::read("harmless:go(computed)").expect("a call");
        let done = watch.call(&host, &harmless, Atom::new("harmless")).expect("an answer");
        assert_eq!((show(done.result), done.lines.len()), ("[3,1]".to_owned(), 1), "{:?}", done.lines);
        let done = watch.call(&host, &call, Atom::new(counted)).expect("an answer");
        assert_eq!(show(done.result), "refused file:delete/1");
        assert_eq!(done.lines.is_empty(), counted == "helper", "{:?}", done.lines);
    }
    drop((watch, host));
    assert!(rig.victim.exists());
}

/// A program that crashes on our machine alone does not come to its effect where the crash is confirmed.
#[test]
fn a_program_that_knows_the_vm_is_refused_there() {
    let folder = folder("guard_knows");
    let victim = support::file(&folder, "victim", "untouched");
    let text = format!(
        "-module(knows).\n-export([f/1]).\n-spec f(0..3) -> ok.\n\
         f(3) -> case [M || {{M, _, _, _}} <- stack(), M =/= knows] of [] -> error(three); _ -> file:delete({victim:?}) end;\n\
         f(_) -> ok.\nstack() -> try error(x) catch _:_:S -> S end.\n"
    );
    let path = support::file(&folder, "knows.erl", &text);
    let tests = folder.join("tests");
    let ran = hound(&["explore", "--engine", "machine", "--tests", "eunit", tests.to_str().expect("UTF-8"), &path]);
    assert!(ran.out.contains("a refusal of file:delete/1"), "{}{}", ran.out, ran.err);
    let ran = hound(&["reach", &format!("{path}:4")]);
    assert!(!ran.out.contains("internal"), "{}{}", ran.out, ran.err);
    assert!(Path::new(&victim).exists());
}

/// A fun that makes a message for the logger may do what the run may do; a table keeps a fun without calling it.
#[test]
fn a_fun_that_is_logged_is_guarded() {
    for (call, said) in [
        ("logger:macro_log(#{}, error, fun erlang:halt/1, 3)", "refused: erlang:halt/1"),
        ("logger:error(fun file:delete/1, \"no_such_file\")", "refused: file:delete/1"),
        ("logger:macro_log(#{}, error, fun(X) -> halt(X) end, 3)", "refused: erlang:halt/1"),
    ] {
        let ran = hound(&["run", call]);
        assert!(ran.err.contains(said) && ran.code == 2, "{call}: {}{}", ran.out, ran.err);
    }
    let ran = hound(&["run", "T = ets:new(t, []), ets:insert(T, {f, fun erlang:halt/0}), ets:lookup(T, f)"]);
    assert_eq!(ran.out, "[{f,fun erlang:halt/0}]\n");
}

/// Events of a call are emitted up to what is refused.
#[test]
fn a_call_of_an_instrumented_program_is_guarded() {
    let folder = folder("guard_instrumented");
    let victim = support::file(&folder, "victim", "untouched");
    let text = format!(
        "-module(emits).\n-export([go/1]).\ngo(yes) -> X = yes(), file:delete({victim:?}), X;\ngo(no) -> no.\nyes() -> yes.\n"
    );
    let path = support::file(&folder, "emits.erl", &text);
    let ran = hound(&["instrument", &path, "emits:go(yes)"]);
    assert!((ran.out.clone() + &ran.err).contains("file:delete/1"), "{}{}", ran.out, ran.err);
    let events = ran.out.split("%% The events of").nth(1).expect("events");
    assert!(events.contains("yes"), "{events}");
    assert_eq!(ran.code, hound(&["run", "file:delete(\"no_file\")"]).code);
    assert!(Path::new(&victim).exists());
}

/// The report of an exploration names the refused function, and the file is there afterwards.
#[test]
fn explorations_report_what_was_refused() {
    let folder = folder("guard_explored");
    let victim = support::file(&folder, "victim", "untouched");
    let text = format!(
        "-module(removes).\n-export([some/1]).\n-spec some(0..9) -> ok.\n\
         some(N) ->\n    Me = self(),\n    spawn(fun() -> Me ! {{n, N}} end),\n    wait().\n\
         wait() -> receive {{n, 7}} -> file:delete({victim:?}); {{n, 3}} -> error(three); {{n, _}} -> ok end.\n"
    );
    let path = support::file(&folder, "removes.erl", &text);
    for engine in ["beam", "auto"] {
        let ran = hound(&["explore", "--format", "json", "--runs", "60", "--engine", engine, &path]);
        assert!(ran.out.contains("file:delete/1 was refused"), "{engine}: {}", ran.out);
        assert!(ran.out.contains("three"), "{engine}: {}", ran.out);
        assert!(Path::new(&victim).exists(), "{engine}");
    }
    let ran =
        hound(&["explore", "--format", "json", "--runs", "60", "--engine", "beam", "--allow", "file:delete/1", &path]);
    assert!(!ran.out.contains("was refused"), "{}", ran.out);
    assert!(!Path::new(&victim).exists());
}

/// What a given module runs when it is loaded does no harm, and what is harmless in it is done; native code is not there.
#[test]
fn loading_a_given_module_does_no_harm() {
    let folder = folder("guard_given");
    let victim = support::file(&folder, "victim", "untouched");
    let text = |name: &str, first: &str| {
        let text = format!(
            "-module({name}).\n-export([kept/1, native/1, native/0]).\n-on_load(first/0).\nfirst() -> {first}, ok.\n\
             -spec kept(0..9) -> any().\nkept(X) -> case persistent_term:get({name}, 3) of X -> error(kept); _ -> ok end.\n\
             -spec native(0..2) -> any().\nnative(X) -> native() + X.\nnative() -> erlang:nif_error(not_loaded).\n"
        );
        support::file(&folder, &format!("{name}.erl"), &text)
    };
    let puts = text("puts", "persistent_term:put(puts, 5)");
    let deletes = text("deletes", &format!("persistent_term:put(deletes, 6), file:delete({victim:?})"));
    for (path, witness) in [(&puts, "puts:kept(5)"), (&deletes, "deletes:kept(")] {
        for engine in ["machine", "beam", "auto"] {
            let ran = hound(&["explore", "--all", "--fail-on", "any", "--runs", "60", "--engine", engine, path]);
            assert_eq!(ran.code, 1, "{path} on {engine}: {}{}", ran.out, ran.err);
            assert!(
                ran.out.contains(witness) && ran.out.contains("\n1 finding (1 declared);"),
                "{path} on {engine}: {}",
                ran.out
            );
            assert!(ran.out.contains("was refused (runs native code that is not known to be harmless)"), "{}", ran.out);
        }
        let written = hound(&["instrument", "-o", folder.join("written").to_str().expect("a path"), path]);
        assert_eq!(written.code, 0, "{}", written.err);
        assert!(Path::new(&victim).exists(), "{path}");
    }
}
