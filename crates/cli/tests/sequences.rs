//! Sequences of calls: values of abstract types and states of callback modules are what calls make, and the calls that a
//! witness prints crash on the real VM as the report says.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{file, folder, hound, succeed};

/// The expected verdict on a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    /// A crash whose witness has so many calls at most, the last one included.
    Crash(usize),
    /// No crash, which is proved.
    Safe,
    /// No crash, and the bound on calls is named.
    Bounded,
}

use Expected::{Bounded, Crash, Safe};

fn source(name: &str) -> String {
    format!("{}/tests/sequences/{name}.erl", env!("CARGO_MANIFEST_DIR"))
}

/// Explores modules and checks each function, then replays all witnesses.
fn check(name: &str, options: &[&str], modules: &[&str], expected: &[(&str, Expected)]) -> BTreeMap<String, Value> {
    let sources: Vec<String> = modules.iter().map(|module| source(module)).collect();
    let mut words: Vec<&str> = vec!["explore", "--format", "json", "--time", "120"];
    words.extend(options);
    words.extend(sources.iter().map(String::as_str));
    let ran = hound(&words);
    let functions = ran.functions();
    for (function, expected) in expected {
        let found = functions.get(*function).unwrap_or_else(|| panic!("{function} in {}{}", ran.out, ran.err));
        check_function(function, found, *expected);
    }
    replay(name, modules, functions.values());
    functions
}

fn check_function(function: &str, found: &Value, expected: Expected) {
    let findings = found["findings"].as_array().expect("findings");
    let has_reason = |code: &str| found["reasons"].as_array().into_iter().flatten().any(|it| it["code"] == code);
    match expected {
        Crash(calls) => {
            let least = findings.iter().filter_map(|it| Some(it["sequence"].as_array()?.len())).min();
            assert!(least.is_some_and(|least| least <= calls), "{function}: {found}");
        }
        Safe => assert!(found["verdict"] == "safe" && findings.is_empty(), "{function}: {found}"),
        Bounded => {
            assert!(found["verdict"] == "incomplete" && findings.is_empty(), "{function}: {found}");
            assert!(has_reason("sequences"), "{function}: {found}");
        }
    }
}

/// Has the VM evaluate what is printed of each witness: as one call, and as statements one after the other.
fn replay<'a>(name: &str, modules: &[&str], functions: impl Iterator<Item = &'a Value>) {
    let folder = folder(&format!("sequences_{name}"));
    for module in modules {
        succeed("erlc", &["-W0", &source(module)], &folder);
    }
    let mut lines = String::new();
    for finding in functions.flat_map(|function| function["findings"].as_array().cloned().unwrap_or_default()) {
        let statements: Vec<&str> =
            finding["sequence"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for text in [finding["call"].as_str().expect("a call").to_owned(), statements.join(", ")] {
            if !text.is_empty() {
                let (class, reason) =
                    (finding["class"].as_str().expect("a class"), finding["reason"].as_str().expect("a reason"));
                lines.push_str(&format!("{{{text:?}, {class}, {reason}}}.\n"));
            }
        }
    }
    let witnesses = file(&folder, "witnesses", &lines);
    let script = format!(
        "{{ok, All}} = file:consult({witnesses:?}), \
         Evaluate = fun(Text) -> {{ok, Tokens, _}} = erl_scan:string(Text ++ \".\"), \
           {{ok, Exprs}} = erl_parse:parse_exprs(Tokens), \
           try erl_eval:exprs(Exprs, []) of Value -> {{value, Value}} catch Class:Reason -> {{Class, Reason}} end end, \
         Wrong = [{{Text, Got}} || {{Text, Class, Reason}} <- All, Got <- [Evaluate(Text)], Got =/= {{Class, Reason}}], \
         io:format(\"~p~n\", [Wrong]), halt(length(Wrong))."
    );
    vm(&folder, &script);
}

fn vm(folder: &Path, script: &str) {
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", script]).arg("-pa").arg(folder);
    let output = erl.output().expect("erl runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}

#[test]
fn containers_are_made_by_calls() {
    check(
        "containers",
        &["--runs", "600"],
        &["containers"],
        &[
            ("containers:queue_of_three/1", Crash(4)),
            ("containers:set_of_three/1", Crash(4)),
            ("containers:tree/1", Crash(4)),
            ("containers:dict/1", Crash(3)),
            ("containers:array/1", Crash(4)),
            ("containers:gb_set/1", Crash(3)),
            ("containers:two_queues/1", Crash(4)),
            ("containers:in_tuple/1", Crash(3)),
            ("containers:rear/1", Crash(3)),
            ("containers:untouched/1", Safe),
            ("containers:sum/1", Bounded),
            ("containers:empty_is_fine/1", Safe),
        ],
    );
}

#[test]
fn opaque_types_of_the_module_itself_are_made_by_calls() {
    let functions = check(
        "stack",
        &["--runs", "400"],
        &["stack"],
        &[
            ("stack:top/1", Crash(2)),
            ("stack:audit/1", Crash(5)),
            ("stack:sum_of_two/1", Crash(4)),
            ("stack:push/2", Safe),
            ("stack:pop/1", Bounded),
            ("stack:consistent/1", Bounded),
        ],
    );
    let audit = &functions["stack:audit/1"]["findings"][0];
    let expected = ["S0 = stack:new()", "S1 = stack:push(0, S0)", "S2 = stack:push(0, S1)", "S3 = stack:push(42, S2)"];
    assert_eq!(audit["sequence"].as_array().expect("a sequence")[..4], expected);
    assert_eq!(audit["call"], "stack:audit(stack:push(42, stack:push(0, stack:push(0, stack:new()))))");
}

#[test]
fn opaque_types_of_other_modules_are_made_by_calls() {
    let expected = [("stack_user:drain/1", Crash(4)), ("stack_user:keep/1", Safe)];
    check("stack_user", &["--runs", "400"], &["stack_user", "stack"], &expected);
}

#[test]
fn results_that_are_no_values_of_the_type_are_left_out() {
    let expected = [("tally:fifth/1", Crash(7)), ("tally:below/1", Bounded), ("tally:read/1", Bounded)];
    check("tally", &["--runs", "400"], &["tally"], &expected);
}

#[test]
fn records_of_one_module_are_made_by_calls() {
    let expected = [
        ("account:monthly/1", Crash(4)),
        ("account:negative/1", Bounded),
        ("account:deposit/2", Safe),
        ("account:overdrawn/1", Safe),
    ];
    check("account", &["--runs", "800"], &["account"], &expected);
}

#[test]
fn types_that_say_nothing_are_made_by_calls() {
    let expected = [("bag:total/1", Crash(3)), ("bag:size/1", Bounded), ("bag:put/3", Bounded)];
    let functions = check("bag", &["--runs", "200"], &["bag"], &expected);
    let ranks = functions.values().flat_map(|it| it["findings"].as_array().into_iter().flatten()).map(|it| &it["rank"]);
    assert!(ranks.eq(["bug"]), "{functions:?}");
}

#[test]
fn records_of_headers_are_whatever_their_declaration_says() {
    let functions = check("shared", &[], &["shared"], &[("shared:origin/0", Safe)]);
    let slope = &functions["shared:slope/1"];
    assert!(slope["verdict"] == "crash" && slope["findings"][0]["sequence"].is_null(), "{slope}");
}

#[test]
fn many_calls_of_one_kind_are_tried() {
    check("buffer", &[], &["buffer"], &[("buffer:flush/1", Crash(33))]);
}

#[test]
fn a_server_fails_after_so_many_calls() {
    let expected = [("turnstile:handle_call/3", Crash(32)), ("turnstile:handle_cast/2", Bounded)];
    check("turnstile", &["--state"], &["turnstile"], &expected);
    let expected = [("mailboxes:handle_call/3", Crash(12)), ("mailboxes:handle_cast/2", Bounded)];
    check("mailboxes", &["--state"], &["mailboxes"], &expected);
}

#[test]
fn servers_are_called_in_states_that_calls_make() {
    let expected =
        [("server:handle_call/3", Crash(2)), ("server:handle_cast/2", Crash(4)), ("server:handle_info/2", Crash(4))];
    let functions = check("server", &["--state", "--runs", "2500"], &["server"], &expected);
    assert!(!functions.contains_key("server:start_link/0"), "only callbacks are explored");
}

#[test]
fn servers_do_not_crash_in_states_that_no_call_makes() {
    let expected = [
        ("quiet_server:init/1", Safe),
        ("quiet_server:handle_call/3", Bounded),
        ("quiet_server:handle_cast/2", Bounded),
    ];
    check("quiet_server", &["--state", "--runs", "400"], &["quiet_server"], &expected);
}

#[test]
fn states_of_servers_with_specs_are_made_by_calls_without_an_option() {
    let expected = [("typed_server:handle_call/3", Crash(4)), ("typed_server:handle_cast/2", Bounded)];
    check("typed_server", &["--runs", "800"], &["typed_server"], &expected);
}

#[test]
fn servers_continue() {
    let expected = [("continued:handle_continue/2", Crash(3)), ("continued:handle_call/3", Crash(4))];
    check("continued", &["--state", "--runs", "400"], &["continued"], &expected);
}

#[test]
fn state_machines_are_called_in_states_that_events_make() {
    let expected = [("door:locked/3", Crash(4)), ("door:open/3", Crash(3))];
    check("door", &["--state", "--runs", "4000"], &["door"], &expected);
    check("light", &["--state", "--runs", "1500"], &["light"], &[("light:handle_event/4", Crash(5))]);
}

#[test]
fn types_that_new_gives_are_states() {
    let expected = [("meter:rate/1", Crash(4)), ("meter:odd/1", Bounded)];
    check("meter", &["--state", "--runs", "800"], &["meter"], &expected);
    let plain = hound(&["explore", "--format", "json", &source("meter")]).functions();
    assert_eq!(plain["meter:odd/1"]["verdict"], "crash", "without the option the type is what it says");
}

#[test]
fn tests_are_written_with_their_calls() {
    let folder = folder("sequences_suites");
    for module in ["door", "stack"] {
        let folder_name = folder.to_str().expect("UTF-8");
        let ran = hound(&["explore", "--state", "--runs", "60", "--tests", "eunit", folder_name, &source(module)]);
        assert!(ran.code <= 1, "{}", ran.err);
        succeed("erlc", &["-W0", &source(module)], &folder);
        let suite =
            std::fs::read_dir(&folder).expect("a folder").filter_map(|it| it.ok()?.file_name().into_string().ok());
        let suites: Vec<String> = suite.filter(|name| name.starts_with(module) && name.ends_with(".erl")).collect();
        assert_eq!(suites.len(), 1, "{suites:?}");
        let text = std::fs::read_to_string(folder.join(&suites[0])).expect("a suite");
        assert!(!text.contains("$call") && text.contains("begin "), "{text}");
        succeed("erlc", &["-W0", &suites[0]], &folder);
        let name = suites[0].trim_end_matches(".erl");
        vm(&folder, &format!("halt(case eunit:test({name}) of ok -> 0; _ -> 1 end)."));
    }
}

#[test]
fn the_bound_on_calls_is_an_option() {
    let functions = check("bounded", &["--calls", "4"], &["tally"], &[("tally:below/1", Bounded)]);
    let reasons = functions["tally:below/1"]["reasons"].to_string();
    assert!(reasons.contains("tally:tally/0 that sequences of at most 4 calls make"), "{reasons}");
    assert!(functions["tally:below/1"]["runs"].as_u64() < Some(100), "{functions:?}");
}

#[test]
fn any_number_of_workers_finds_the_same() {
    let found = |workers: &str| {
        let words = ["explore", "--format", "json", "--runs", "300", "--workers", workers, &source("account")];
        let functions = hound(&words).functions();
        functions.into_values().map(|it| [it["findings"].clone(), it["reasons"].clone()]).collect::<Vec<_>>()
    };
    assert_eq!(found("1"), found("4"));
}

#[test]
fn calls_without_an_end_make_no_value() {
    let ran = hound(&["explore", "--format", "json", "--runs", "200", &source("spinner"), "look/1", "wait/1"]);
    let functions = ran.functions();
    check_function("spinner:look/1", &functions["spinner:look/1"], Bounded);
    let findings = functions["spinner:wait/1"]["findings"].as_array().cloned().unwrap_or_default();
    let [found] = &findings[..] else { panic!("{findings:?}") };
    let sequence = found["sequence"].as_array().expect("a sequence");
    assert!(found["kind"] == "loop" && sequence.len() == 3, "{found}");
    assert!(!found["call"].to_string().contains("turn(7"), "{found}");
}

#[test]
fn properties_take_what_calls_make() {
    let words = ["explore", "--format", "json", "--property", "is_low/1", &source("spinner")];
    let functions = hound(&words).functions();
    let findings = functions["spinner:is_low/1"]["findings"].as_array().cloned().unwrap_or_default();
    let [found] = &findings[..] else { panic!("{findings:?}") };
    assert!(found["kind"] == "property" && found["reason"] == "false", "{found}");
    assert_eq!(found["call"], "spinner:is_low(spinner:turn(4, spinner:new()))", "{found}");
}
