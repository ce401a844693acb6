//! The inversion suite: operations run forward on generated arguments, and inputs asked for that give the same output.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How large arguments are.
pub const GRADES: [&str; 3] = ["small", "middle", "large"];

/// What became of one operation.
#[derive(Clone, Default, Debug)]
pub struct Row {
    pub group: String,
    pub operation: String,
    /// The least share of small outputs, in per cent.
    pub least: usize,
    /// Outputs had again, and all, by grade.
    pub solved: [(usize, usize); 3],
}

/// A function of a written module, with its operation.
struct Target {
    function: String,
    group: String,
    operation: String,
    least: usize,
}

/// The operations.
pub fn rows() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inversion/rows.term"))
}

/// Runs the suite for some grades. `explore` gets a module's file and returns which of its functions failed.
pub fn run(
    folder: &Path,
    grades: &[usize],
    cases: usize,
    mut explore: impl FnMut(&Path) -> Result<BTreeSet<String>, String>,
) -> Result<Vec<Row>, String> {
    let mut all: Vec<Row> = Vec::new();
    for grade in grades {
        let targets = write(folder, GRADES[*grade], cases)?;
        let found = explore(&folder.join(format!("inverted_{}.erl", GRADES[*grade])))?;
        for target in targets {
            let known = all.iter().position(|row| row.operation == target.operation);
            let at = known.unwrap_or_else(|| {
                let Target { group, operation, least, .. } = &target;
                all.push(Row { group: group.clone(), operation: operation.clone(), least: *least, ..Row::default() });
                all.len() - 1
            });
            let (solved, count) = &mut all[at].solved[*grade];
            *solved += usize::from(found.contains(&target.function));
            *count += 1;
        }
    }
    Ok(all)
}

/// Writes the module of a grade.
fn write(folder: &Path, grade: &str, cases: usize) -> Result<Vec<Target>, String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inversion/hound_inversion.erl");
    said(Command::new("erlc").arg("-o").arg(folder).arg(source))?;
    let (file, cases) = (rows(), cases.to_string());
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let words = [&text(&file), &text(folder), grade, &cases, "1"].map(|word| format!("{word:?}")).join(", ");
    let call = format!("hound_inversion:main([{words}]).");
    let printed =
        said(Command::new("erl").args(["-noinput", "-boot", "start_clean", "-pa"]).arg(folder).args(["-eval", &call]))?;
    printed.lines().map(|line| target(line).ok_or_else(|| format!("not a target: {line}"))).collect()
}

fn target(line: &str) -> Option<Target> {
    let [function, group, operation, least] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
    let [function, group, operation] = [function, group, operation].map(str::to_owned);
    Some(Target { function, group, operation, least: least.parse().ok()? })
}

fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(text + &String::from_utf8_lossy(&output.stderr)) }
}
