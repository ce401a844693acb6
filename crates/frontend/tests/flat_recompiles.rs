//! Modules read, flattened, printed, compiled from that text by OTP, loaded, and called: the answers are the same.
//! Answers include stack traces with their lines.

mod truth;

use truth::Comparison;

#[test]
fn all_of_stdlib_answers_as_before() {
    let comparison = Comparison::new("stdlib");
    let beams = comparison.eval("io:format(\"~s\", [filename:join(code:lib_dir(stdlib), \"ebin/*.beam\")])");
    let modules = comparison.recompile(&beams);
    assert!(modules > 80, "stdlib has more than {modules} modules");
    let calls = comparison.assert_same_answers("stdlib_calls.config");
    assert!(calls > 50_000, "only {calls} calls");
}

#[test]
fn tricky_shapes_answer_as_before() {
    let comparison = Comparison::new("shapes");
    let beam = comparison.build("flat_shapes.erl");
    assert_eq!(comparison.recompile(beam.to_str().unwrap()), 1);
    let calls = comparison.assert_same_answers("shapes_calls.config");
    assert!(calls > 200, "only {calls} calls");
}
