//! The prelude's classes of characters are the library's: both are compared on the VM, for every character there is.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn grapheme_clusters_are_those_of_the_library() {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("graphemes");
    std::fs::create_dir_all(&folder).expect("a folder");
    let prelude = ["hound_prelude_graphemes.erl", "hound_prelude_unicode_util.erl"];
    prelude.iter().for_each(|file| compile(&folder, &own.join("../ops/erl").join(file)));
    let tests = ["hound_prelude.erl", "hound_graphemes.erl"];
    tests.iter().for_each(|file| compile(&folder, &own.join("tests/graphemes").join(file)));
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", "hound_graphemes:compare()."]);
    let output = erl.arg("-pa").arg(&folder).output().expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

fn compile(folder: &Path, source: &Path) {
    let status = Command::new("erlc").args(["-W0", "-o"]).arg(folder).arg(source).status();
    assert!(status.expect("erlc runs").success(), "{} does not compile", source.display());
}
