//! Every ending as text and as JSON, letter by letter.

use exec::forward::{Ending, Place};
use report::{failure_line, run_line, run_text};
use session::run::{Evaluation, ModuleCoverage};
use term::{Atom, Class, Exception, Mfa, Term};

fn run(ending: Ending) -> Evaluation {
    let call = "m:f(\"é\")".to_owned();
    let (crashes, leaks) = (Vec::new(), Vec::new());
    let (shown, output, coverage, schedule) = (None, String::new(), None, None);
    Evaluation { call, ending, shown, output, steps: 7, coverage, schedule, crashes, leaks }
}

fn mfa(module: &str, function: &str, arity: u8) -> Mfa {
    Mfa { module: Atom::new(module), function: Atom::new(function), arity }
}

fn place() -> Place {
    Place { function: mfa("m", "g", 2), file: "src/m.erl".into(), line: 12, column: 0 }
}

#[test]
fn a_value_stands_after_what_was_printed() {
    let mut value = run(Ending::Value(Term::tuple([Term::atom_named("ok"), Term::string("hi")])));
    value.output = "no newline".into();
    assert_eq!(run_text(&value).out, "no newline\n{ok,\"hi\"}\n");
    assert_eq!(
        run_line(&value),
        "{\"schema\":1,\"kind\":\"run\",\"call\":\"m:f(\\\"é\\\")\",\"outcome\":\"value\",\
         \"value\":\"{ok,\\\"hi\\\"}\",\"output\":\"no newline\",\"stats\":{\"steps\":7}}\n"
    );
}

#[test]
fn an_exception_is_shown_in_the_words_of_the_vm() {
    let raised = Exception { class: Class::Throw, reason: Term::int(1), stack: Term::nil() };
    let mut thrown = run(Ending::Raised(raised));
    assert_eq!(run_text(&thrown).out, "** exception throw: 1\n");
    thrown.shown = Some("** exception throw: 1\n     in call from m:f/1".into());
    assert_eq!(run_text(&thrown).out, "** exception throw: 1\n     in call from m:f/1\n");
    assert_eq!(
        run_line(&thrown),
        "{\"schema\":1,\"kind\":\"run\",\"call\":\"m:f(\\\"é\\\")\",\"outcome\":\"exception\",\"class\":\"throw\",\
         \"reason\":\"1\",\"stack\":\"[]\",\"message\":\"** exception throw: 1\\n     in call from m:f/1\",\
         \"output\":\"\",\"stats\":{\"steps\":7}}\n"
    );
}

#[test]
fn a_refusal_says_what_where_and_how_to_allow_it() {
    let refused =
        run(Ending::Refused { function: mfa("file", "delete", 1), effect: "changes files".into(), at: place() });
    assert_eq!(
        run_text(&refused).err,
        "hound: refused: file:delete/1 changes files; allow it with --allow file:delete/1\n  in m:g/2 (src/m.erl:12)\n"
    );
    let line = run_line(&refused);
    assert!(line.contains("\"outcome\":\"refused\",\"function\":\"file:delete/1\""), "{line}");
    assert!(line.contains("\"place\":{\"function\":\"m:g/2\",\"file\":\"src/m.erl\",\"line\":12}"), "{line}");
}

#[test]
fn what_stops_a_run_goes_to_standard_error() {
    let (function, at) = (mfa("m", "f", 1), place());
    let stops = [
        (
            Ending::Unsupported { function, what: "messages".into(), at: at.clone() },
            "not supported yet: m:f/1: messages",
        ),
        (Ending::OutOfSteps { at: at.clone() }, "stopped after 7 steps; raise the limit with --steps"),
        (Ending::OutOfMemory { at: at.clone() }, "stopped at the memory limit; raise it with --memory"),
        (
            Ending::Broken { module: "x".into(), why: "it is encrypted".into(), at: at.clone() },
            "no code for module x: it is encrypted",
        ),
        (Ending::Vm { function, what: "it died".into(), at }, "the Erlang VM gave no answer for m:f/1: it died"),
    ];
    for (ending, text) in stops {
        let stopped = run(ending);
        assert_eq!(run_text(&stopped).err, format!("hound: {text}\n  in m:g/2 (src/m.erl:12)\n"));
        assert_eq!(run_text(&stopped).out, "");
    }
}

#[test]
fn coverage_is_shown_in_both_forms() {
    let mut value = run(Ending::Value(Term::nil()));
    let lines = ModuleCoverage { module: "m".into(), file: "m.erl".into(), covered: vec![1, 2, 4], total: 5 };
    value.coverage = Some(vec![lines]);
    assert_eq!(run_text(&value).out, "[]\nm: 3 of 5 lines: 1-2,4\n");
    let line = run_line(&value);
    assert!(
        line.ends_with("\"coverage\":[{\"module\":\"m\",\"file\":\"m.erl\",\"covered\":[1,2,4],\"total\":5}]}\n"),
        "{line}"
    );
}

#[test]
fn a_failure_has_a_code() {
    let line = failure_line("no_module", "no module \"x\"");
    assert_eq!(line, "{\"schema\":1,\"kind\":\"error\",\"code\":\"no_module\",\"message\":\"no module \\\"x\\\"\"}\n");
}
