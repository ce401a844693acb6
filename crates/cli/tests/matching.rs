//! What the prelude makes of the rows of a table is what the VM makes of them: both are compared there.

mod support;

/// How many operations are compared.
const OPERATIONS: usize = 20_000;

#[test]
fn operations_that_look_into_rows_do_as_the_vm_does() {
    let modules =
        ["../ops/erl/hound_prelude_ets.erl", "../ops/erl/hound_prelude_match.erl", "tests/matching/hound_matching.erl"];
    support::compared("matching", &modules, &format!("hound_matching:compare({OPERATIONS})."));
}
