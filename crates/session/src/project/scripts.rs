//! Elixir sources that no project is around: compiled with those beside them, behind walls, into a folder of the cache.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use host::{ToolEnd, ToolRun, preparing};

use super::build::state_of;
use super::copy::Copy;
use super::files_below;
use crate::{Failure, interrupt};

/// Returns the folder of the compiled modules of a source and of those beside it.
pub(crate) fn compiled_scripts(file: &Path) -> Result<PathBuf, Failure> {
    let file = fs::canonicalize(file).map_err(|error| Failure::Unusable(format!("{}: {error}", file.display())))?;
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let beside: Vec<PathBuf> =
        files_below(&folder, &["ex"]).into_iter().filter(|it| it.parent() == Some(&folder)).collect();
    preparing(|| {
        // One beside it that does not compile is not in the way.
        let all = if beside.len() > 1 { compiled(&beside, &folder).ok() } else { None };
        all.map_or_else(|| compiled(std::slice::from_ref(&file), &folder), Ok)
    })
}

fn compiled(files: &[PathBuf], folder: &Path) -> Result<PathBuf, Failure> {
    let unusable = |error: std::io::Error| Failure::Unusable(format!("{}: {error}", folder.display()));
    let copy = Copy::open(&("elixir", files)).map_err(unusable)?;
    let (output, state) = (copy.folder().join("ebin"), state_of(files));
    if copy.is_built(&state) {
        return Ok(output);
    }
    let _ = fs::remove_dir_all(&output);
    fs::create_dir_all(&output).map_err(unusable)?;
    match run(files, folder, &copy).map_err(unusable)? {
        ToolEnd::Ended { success: true, .. } => {
            copy.note_built(&state).map_err(unusable)?;
            Ok(output)
        }
        end => Err(not_compiled(end)),
    }
}

fn run(files: &[PathBuf], folder: &Path, copy: &Copy) -> io::Result<ToolEnd> {
    let mut arguments: Vec<OsString> = vec!["-o".into(), copy.folder().join("ebin").into()];
    arguments.push("--ignore-module-conflict".into());
    arguments.extend(files.iter().map(|file| file.strip_prefix(folder).unwrap_or(file).into()));
    let run = ToolRun {
        program: "elixirc",
        arguments: &arguments,
        folder,
        variables: &[("TERM", "dumb".into())],
        reads: &[folder.to_path_buf()],
        writes: &[copy.folder().to_path_buf()],
        is_stopped: interrupt::is_wanted,
    };
    run.run()
}

fn not_compiled(end: ToolEnd) -> Failure {
    let why = match end {
        ToolEnd::Ended { output, .. } => {
            // Below a message stand the places of the compiler itself.
            let lines = output.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("    ("));
            return Failure::BadSource(lines.map(str::to_owned).collect());
        }
        ToolEnd::NotInstalled => "Elixir was not found: install it (`apt-get install elixir`), or give .beam files",
        ToolEnd::NoWalls => {
            "Elixir sources are compiled behind walls, which this system lacks (see `hound doctor`): compile them with \
             `elixirc`, and give the .beam files"
        }
    };
    Failure::Unusable(why.to_owned())
}
