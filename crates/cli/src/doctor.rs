//! `hound doctor`: what hound runs on.

use report::Output;
use session::doctor::{Diagnosis, diagnose};
use session::{Failure, SessionOptions};

use crate::exit::Exit;
use crate::options::{DoctorOptions, OutputFormat};

/// Shows versions, places and walls.
pub fn doctor(options: &DoctorOptions) -> Result<(Output, Exit), Failure> {
    let (require_sandbox, erl) = (options.require_sandbox, options.erl.clone());
    let diagnosis = diagnose(&SessionOptions { require_sandbox, erl, ..SessionOptions::default() });
    let exit = if diagnosis.failure.is_none() { Exit::Healthy } else { Exit::Failed };
    let out = match options.format {
        OutputFormat::Text => text(&diagnosis),
        OutputFormat::Json => report::facts_line(&diagnosis.facts, &diagnosis.missing),
    };
    Ok((Output { out, ..Output::default() }, exit))
}

fn text(diagnosis: &Diagnosis) -> String {
    let width = diagnosis.facts.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let facts: String = diagnosis.facts.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect();
    match diagnosis.missing.is_empty() {
        true => facts + "\nEvery wall around programs stands.\n",
        false => format!("{facts}\nOnly the guard keeps programs from: {}\n", diagnosis.missing.join(", ")),
    }
}
