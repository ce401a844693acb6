//! What the prelude makes of the rows of a table is what the VM makes of them: both are compared there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How many operations are compared.
const OPERATIONS: usize = 20_000;

#[test]
fn operations_that_look_into_rows_do_as_the_vm_does() {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("matching");
    std::fs::create_dir_all(&folder).expect("a folder");
    let prelude = ["hound_prelude_ets.erl", "hound_prelude_match.erl"];
    prelude.iter().for_each(|file| compile(&folder, &own.join("../ops/erl").join(file)));
    compile(&folder, &own.join("tests/matching/hound_matching.erl"));
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", &format!("hound_matching:compare({OPERATIONS}).")]);
    let output = erl.arg("-pa").arg(&folder).output().expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

fn compile(folder: &Path, source: &Path) {
    let status = Command::new("erlc").args(["-W0", "-o"]).arg(folder).arg(source).status();
    assert!(status.expect("erlc runs").success(), "{} does not compile", source.display());
}
