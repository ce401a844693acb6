//! What is printed for programs, against the schemas of its formats: our own for lines of JSON, the official one for SARIF.

mod support;

use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};
use support::{Ran, folder, hound, top};

/// The published schema of a line. `is_strict`: no object has a field that the schema does not name.
fn schema(is_strict: bool) -> Validator {
    let text = std::fs::read_to_string(top().join("docs/schema/hound.schema.json")).expect("the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    if is_strict {
        close(&mut schema);
    }
    jsonschema::validator_for(&schema).expect("a schema")
}

/// Forbids fields without a name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(Value::is_object) && fields.contains_key("required") {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The first thing that is wrong with a value, if there is any.
fn wrong(validator: &Validator, value: &Value) -> Option<String> {
    validator.iter_errors(value).next().map(|error| format!("{error} at {}", error.instance_path()))
}

fn lines(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// Lines of every kind: they have what the schema says and nothing else.
#[test]
fn lines_of_json_meet_the_published_schema() {
    let folder = folder("schemas");
    let place = |name: &str| folder.join(name).display().to_string();
    let baseline = place("old.baseline");
    let recorded = hound(&["baseline", &baseline, "--runs", "20", "examples/till.erl", "eval/1"]);
    assert_eq!(recorded.code, 0, "{}", recorded.err);
    let of_till = ["explore", "--format", "json", "--runs", "30", "--no-store", "--paths", "examples/till.erl"];
    let (tests, traces) = (place("tests"), place("traces"));
    let options = ["--tests", "eunit", &tests, "--trace", &traces, "--baseline", &baseline];
    let till = hound(&[&of_till[..], &options].concat());
    let json = ["explore", "--format", "json", "--runs", "40", "--no-store"];
    let processes = hound(
        &[&json[..], &["crates/cli/tests/sequences/stack.erl", "crates/cli/tests/loops/endless.erl", "gcd/2"]].concat(),
    );
    let ran = [
        till,
        processes,
        hound(&["explore", "--format", "json", "examples/nothing.erl"]),
        hound(&["run", "--format", "json", "--coverage", "examples/till.erl", "till:change(1, [])"]),
        hound(&["run", "--format", "json", "self() ! x, receive y -> ok end"]),
        hound(&["reach", "--format", "json", "examples/till.erl", "examples/till.erl:25"]),
        hound(&["doctor", "--format", "json"]),
    ];
    let mut all: Vec<Value> = ran.iter().flat_map(lines).collect();
    for trace in std::fs::read_dir(&traces).expect("traces") {
        let text = std::fs::read_to_string(trace.expect("a file").path()).expect("UTF-8");
        all.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")));
    }
    let strict = schema(true);
    for line in &all {
        // Which of the kinds it is meant to be makes the message short.
        let kind = line["kind"].as_str().expect("a kind");
        assert_eq!(wrong(&strict, line), None, "{kind}: {line}");
    }
    for kind in ["function", "execution", "tests", "baseline", "summary", "error", "run", "target", "doctor"] {
        assert!(all.iter().any(|line| line["kind"] == kind), "no line of kind {kind}");
    }
    let last = ran[0].out.lines().last().expect("a line");
    assert!(last.starts_with("{\"schema\":1,\"kind\":\"summary\",\"functions\":5,\"left\":0,"), "{last}");
}

#[test]
fn a_schema_that_accepts_everything_would_be_none() {
    let schema = schema(false);
    let error = json!({"schema": 1, "kind": "error", "code": "no_file", "message": "x", "new": 1});
    assert_eq!(wrong(&schema, &error), None, "fields may be added");
    for wrong_line in [
        json!({}),
        json!({"schema": 2, "kind": "error", "code": "a", "message": "b"}),
        json!({"schema": 1, "kind": "error"}),
    ] {
        assert!(wrong(&schema, &wrong_line).is_some(), "{wrong_line}");
    }
}

/// The official schema of SARIF 2.1.0, which stands in a crate that the tests depend on and do not build.
fn sarif_schema() -> Validator {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output =
        Command::new(cargo).args(["metadata", "--format-version", "1"]).current_dir(top()).output().expect("cargo");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("the crate with the schema");
    let manifest = std::path::Path::new(package["manifest_path"].as_str().expect("a path"));
    let text = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    // Its pattern of languages is no regular expression: a bracket is closed that is not open.
    for part in ["run", "toolComponent"] {
        let language = schema["definitions"][part]["properties"]["language"].as_object_mut().expect("an object");
        assert!(language.remove("pattern").is_some());
    }
    assert_eq!(schema["properties"]["version"]["enum"], json!(["2.1.0"]));
    jsonschema::validator_for(&schema).expect("a schema")
}

#[test]
fn sarif_meets_the_official_schema() {
    let schema = sarif_schema();
    let folder = folder("sarif_schema");
    let baseline = folder.join("old.baseline").display().to_string();
    hound(&["baseline", &baseline, "--runs", "20", "examples/till.erl", "eval/1"]);
    let sarif = ["explore", "--format", "sarif", "--runs", "40", "--no-store"];
    let files = [
        "examples/till.erl",
        "crates/cli/tests/sequences/stack.erl",
        "stack:audit/1",
        "stack:sum_of_two/1",
        "till:eval/1",
    ];
    for words in [&files[..], &["--baseline", &baseline, "examples/till.erl"], &["examples/till.erl", "round_up/1"]] {
        let ran = hound(&[&sarif[..], words].concat());
        let mut log: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(wrong(&schema, &log), None, "{words:?}");
        log["runs"][0]["tool"] = json!({});
        assert!(wrong(&schema, &log).is_some(), "the schema asks for a driver");
    }
}
