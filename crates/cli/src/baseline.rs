//! Files of baselines: written by `hound baseline`, read by `hound explore --baseline`.

use std::path::Path;

use report::{BASELINE_HEAD, BASELINE_VERSION, Baseline, BaselineEntry, Output};
use serde::Deserialize;
use session::{Failure, JobResult};
use toml::Spanned;

use crate::config::mistake;
use crate::exit::Exit;
use crate::explore;
use crate::options::{BaselineOptions, ExploreFormat};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: Spanned<u32>,
    #[serde(default)]
    finding: Vec<BaselineEntry>,
}

/// Explores what the words name, and writes down what it finds.
pub(crate) fn baseline(options: &BaselineOptions) -> Result<(Output, Exit), Failure> {
    check(&options.file)?;
    let explored = explore::explore_all(&options.explore)?;
    let mut output = explored.output;
    if explored.exit == Exit::Failed || explored.is_interrupted {
        output.err.push_str(&format!("hound: {} was not written\n", options.file.display()));
        return Ok((output, Exit::Failed));
    }
    let kept = write(&options.file, &explored.results)?;
    let noun = if kept == 1 { "finding" } else { "findings" };
    if options.explore.format == ExploreFormat::Text {
        output.out.push_str(&format!("{}: {kept} {noun}\n", options.file.display()));
    }
    Ok((output, Exit::Recorded))
}

/// Reads a baseline; a mistake in it is reported with its place.
pub fn read(file: &Path) -> Result<Baseline, Failure> {
    let unread = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            unusable(file, &format!("there is no such file; `hound baseline {}` writes it", file.display()))
        }
        _ => unusable(file, &error.to_string()),
    };
    let text = std::fs::read_to_string(file).map_err(unread)?;
    let wrong = |error: toml::de::Error| mistake(file, &text, error.span().unwrap_or_default(), error.message().trim());
    let Contents { version, finding } = toml::from_str(&text).map_err(wrong)?;
    if *version.get_ref() != BASELINE_VERSION {
        let why = format!("this is version {}, and hound reads {BASELINE_VERSION}", version.get_ref());
        return Err(mistake(file, &text, version.span(), &why));
    }
    Ok(Baseline { findings: finding })
}

/// Refuses to write over a file that is no baseline.
fn check(file: &Path) -> Result<(), Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) if text.starts_with(BASELINE_HEAD) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Ok(_) => {
            Err(unusable(file, "it is there and was not written by hound baseline: move it, or choose another name"))
        }
        Err(error) => Err(unusable(file, &error.to_string())),
    }
}

fn write(file: &Path, all: &[JobResult]) -> Result<usize, Failure> {
    let baseline = Baseline::of(all);
    std::fs::write(file, baseline.text()).map_err(|error| unusable(file, &error.to_string()))?;
    Ok(baseline.findings.len())
}

fn unusable(file: &Path, why: &str) -> Failure {
    Failure::Unusable(format!("{}: {why}", file.display()))
}
