//! One module, explored by the command as a user would, and what its lines of JSON say.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

pub struct Module {
    pub name: String,
    /// The line of each function.
    pub functions: Vec<Value>,
    /// What went wrong with the tool itself.
    pub problems: Vec<String>,
    pub seconds: f64,
}

/// What each function gets.
#[derive(Clone, Copy)]
pub struct Budget {
    pub seconds: u64,
    pub runs: u64,
}

/// Modules with one more, or with more of the last of them.
pub fn joined(mut modules: Vec<Module>, part: Module) -> Vec<Module> {
    match modules.last_mut() {
        Some(last) if last.name == part.name => {
            last.functions.extend(part.functions);
            last.problems.extend(part.problems);
            last.seconds += part.seconds;
        }
        _ => modules.push(part),
    }
    modules
}

impl Module {
    /// Explores some functions of a module; one worker each, as two modules are explored side by side.
    pub fn explore(name: &str, functions: &[String], budget: Budget) -> Module {
        let began = Instant::now();
        let mut module = Module { name: name.to_owned(), functions: Vec::new(), problems: Vec::new(), seconds: 0.0 };
        let (time, runs) = (budget.seconds.to_string(), budget.runs.to_string());
        let done = hound().and_then(|mut hound| {
            let words = ["explore", "--format", "json", "--workers", "1", "--time", &time, "--runs", &runs, name];
            hound.args(words).args(functions).output().map_err(|error| error.to_string())
        });
        match done {
            Ok(output) => {
                module.read(&String::from_utf8_lossy(&output.stdout), budget.seconds);
                if !matches!(output.status.code(), Some(0 | 1)) {
                    module.problems.push(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
                }
            }
            Err(error) => module.problems.push(error),
        }
        if module.functions.len() < functions.len() {
            module.problems.push(format!("{} of {} functions", module.functions.len(), functions.len()));
        }
        module.seconds = began.elapsed().as_secs_f64();
        module
    }

    fn read(&mut self, text: &str, seconds: u64) {
        for line in text.lines() {
            match serde_json::from_str::<Value>(line) {
                Ok(value) if value["kind"] == "function" => {
                    // A run that has begun and a witness that is being made smaller are ended, not cut off.
                    if value["stats"]["wall_ms"].as_u64().unwrap_or(0) > 1000 * (2 * seconds + 10) {
                        self.problems.push(format!("{} took {} ms", value["function"], value["stats"]["wall_ms"]));
                    }
                    self.functions.push(value);
                }
                Ok(_) => {}
                Err(_) => self.problems.push(format!("not a line of JSON: {line}")),
            }
        }
    }

    pub fn verdicts(&self, verdict: &str) -> usize {
        self.functions.iter().filter(|function| function["verdict"] == verdict).count()
    }

    pub fn findings(&self) -> usize {
        self.functions.iter().map(|function| rows(&function["findings"])).sum()
    }

    /// Findings of functions that take values of the module's own opaque types.
    pub fn doubtful(&self) -> usize {
        let own = |function: &&Value| {
            let warnings = function["warnings"].as_array();
            warnings
                .is_some_and(|all| all.iter().any(|one| one.as_str().is_some_and(|one| one.contains("opaque type"))))
        };
        self.functions.iter().filter(own).map(|function| rows(&function["findings"])).sum()
    }

    pub fn unconfirmed(&self) -> usize {
        self.functions.iter().map(|function| rows(&function["unconfirmed"])).sum()
    }

    pub fn divergences(&self) -> u64 {
        self.functions.iter().filter_map(|function| function["stats"]["divergences"].as_u64()).sum()
    }

    pub fn paths(&self) -> u64 {
        self.functions.iter().filter_map(|function| function["paths"].as_u64()).sum()
    }

    /// Lines that can be reached from the functions, added up: covered, and all.
    pub fn lines(&self) -> (u64, u64) {
        let part = |name: &str| -> u64 {
            self.functions.iter().filter_map(|function| function["coverage"]["lines"][name].as_u64()).sum()
        };
        (part("covered"), part("total"))
    }
}

fn rows(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

/// The command that was built beside this program.
fn hound() -> Result<Command, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let hound = here.parent().and_then(Path::parent).map(|folder| folder.join("hound")).unwrap_or_default();
    match hound.exists() {
        true => Ok(Command::new(hound)),
        false => Err(format!("{} is not built", hound.display())),
    }
}
