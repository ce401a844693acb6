//! The exit codes: every code of every command, with its sentence in the help.

use exec::forward::Ending;
use search::{DefectKind, Finding, Verdict};
use session::JobResult;
use session::interrupt;
use session::job::{FindingDetail, Novelty};
use session::reach::Reached;
use session::solve::Solution;

use crate::options::{BASELINE_EXAMPLES, BASELINE_USAGE, FailOn, WATCH_EXAMPLES, WATCH_USAGE};

/// The end of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// `run`: the expression has a value.
    Value,
    /// `run`, `instrument`: the expression raised an exception.
    Exception,
    /// `baseline`: the findings were written down.
    Recorded,
    /// `explore`: nothing was found that counts.
    NoCrash,
    /// `explore`: a finding was made that counts.
    Crash,
    /// `reach`: no target was reached.
    NotReached,
    /// `reach`: a target was reached.
    Reached,
    /// `solve`: there is an assignment.
    Solved,
    /// `solve`: there is none, or none was found.
    NotSolved,
    /// `instrument`, `explain`, `completions`, `man`: what was asked for was printed.
    Printed,
    /// `diff`: no difference was found.
    Alike,
    /// `diff`: functions differ.
    Different,
    /// `watch`: it was ended.
    Watched,
    /// `doctor`: programs can be run.
    Healthy,
    /// The tool or its use failed.
    Failed,
    /// An interrupt ended the command before it had a result.
    Interrupted,
}

/// The exit codes of each command, in the order of the help.
const TABLE: [(&str, &[(Exit, &str)]); 12] = [
    ("run", &[(Exit::Value, "a value"), (Exit::Exception, "an exception"), (Exit::Failed, "anything else")]),
    ("baseline", &[(Exit::Recorded, "written"), (Exit::Failed, "the tool or its use failed")]),
    (
        "explore",
        &[
            (Exit::NoCrash, "no bug found"),
            (Exit::Crash, "at least one bug, or what --fail-on says"),
            (Exit::Failed, "the tool or its use failed"),
            (Exit::Interrupted, "interrupted before a bug was found"),
        ],
    ),
    (
        "reach",
        &[
            (Exit::NotReached, "nothing reached"),
            (Exit::Reached, "at least one target reached"),
            (Exit::Failed, "the tool or its use failed"),
            (Exit::Interrupted, "interrupted before anything was reached"),
        ],
    ),
    (
        "solve",
        &[
            (Exit::Solved, "an assignment"),
            (Exit::NotSolved, "none exists or none was found"),
            (Exit::Failed, "the tool or its use failed"),
        ],
    ),
    (
        "instrument",
        &[
            (Exit::Printed, "printed"),
            (Exit::Exception, "the call ended with an exception"),
            (Exit::Failed, "the tool or its use failed"),
        ],
    ),
    ("explain", &[(Exit::Printed, "printed"), (Exit::Failed, "no such code")]),
    ("completions", &[(Exit::Printed, "printed"), (Exit::Failed, "the tool or its use failed")]),
    ("man", &[(Exit::Printed, "printed or written"), (Exit::Failed, "the tool or its use failed")]),
    (
        "diff",
        &[
            (Exit::Alike, "no difference found"),
            (Exit::Different, "functions differ"),
            (Exit::Failed, "the tool or its use failed"),
            (Exit::Interrupted, "interrupted before a difference was found"),
        ],
    ),
    (
        "watch",
        &[
            (Exit::Watched, "interrupted after the first round"),
            (Exit::Failed, "the tool or its use failed"),
            (Exit::Interrupted, "interrupted before its end"),
        ],
    ),
    ("doctor", &[(Exit::Healthy, "programs can be run"), (Exit::Failed, "they cannot")]),
];

impl Exit {
    /// Returns the number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Recorded | Exit::Alike | Exit::Watched => 0,
            Exit::Value | Exit::NoCrash | Exit::NotReached | Exit::Solved | Exit::Printed | Exit::Healthy => 0,
            Exit::Different | Exit::Exception | Exit::Crash | Exit::Reached | Exit::NotSolved => 1,
            Exit::Failed => 2,
            // The shell's code of a command that SIGINT ended.
            Exit::Interrupted => 130,
        }
    }

    /// Returns the exit of a run.
    pub fn of_run(ending: &Ending) -> Exit {
        match ending {
            Ending::Value(_) => Exit::Value,
            Ending::Raised(_) => Exit::Exception,
            _ => Exit::Failed,
        }
    }

    /// Returns the exit of an exploration: what counts does so whatever else failed. Leaks alone do not.
    pub fn of_explored(all: &[JobResult], fail_on: FailOn, failed: bool) -> Exit {
        let counts = |(finding, detail): (&Finding, &FindingDetail)| {
            let is_known = detail.novelty == Some(Novelty::Known);
            !is_known && finding.key.kind != DefectKind::Leak && finding.ranking.rank <= fail_on.rank()
        };
        let is_open = |one: &JobResult| fail_on == FailOn::Incomplete && one.exploration.verdict == Verdict::Incomplete;
        let found = all.iter().any(|one| is_open(one) || one.exploration.findings.iter().zip(&one.details).any(counts));
        if found { Exit::Crash } else { Exit::without_result(failed, Exit::NoCrash) }
    }

    /// Returns the exit of a search for targets.
    pub fn of_reached(all: &[Reached], failed: bool) -> Exit {
        let found = all.iter().any(Reached::is_reached);
        if found { Exit::Reached } else { Exit::without_result(failed, Exit::NotReached) }
    }

    /// Returns the exit of a comparison.
    pub fn of_compared(differs: bool) -> Exit {
        if differs { Exit::Different } else { Exit::without_result(false, Exit::Alike) }
    }

    /// Returns the exit of a condition.
    pub fn of_solution(solution: &Solution) -> Exit {
        match solution {
            Solution::Sat(_) => Exit::Solved,
            Solution::Unsat | Solution::Unknown => Exit::NotSolved,
        }
    }

    fn without_result(failed: bool, nothing: Exit) -> Exit {
        match failed {
            true => Exit::Failed,
            false if interrupt::is_wanted() => Exit::Interrupted,
            false => nothing,
        }
    }
}

/// Adds the sentence on exit codes to the help of every command.
pub fn with_exit_codes(command: clap::Command) -> clap::Command {
    let command = command.mut_subcommand("baseline", |baseline| {
        // The options of an exploration bring texts of their own.
        baseline.override_usage(BASELINE_USAGE).after_help(BASELINE_EXAMPLES)
    });
    let command = command.mut_subcommand("watch", |watch| watch.override_usage(WATCH_USAGE).after_help(WATCH_EXAMPLES));
    TABLE.iter().fold(command, |command, (name, _)| {
        command.mut_subcommand(name, |subcommand| {
            let about = subcommand.get_long_about().map(|about| about.to_string()).unwrap_or_default();
            subcommand.long_about(format!("{about}\n\n{}", sentence(name)))
        })
    })
}

/// `Exit code: 0 a value, 1 an exception, 2 anything else.`
fn sentence(command: &str) -> String {
    let rows = TABLE.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, rows)| rows);
    let codes: Vec<String> = rows.iter().map(|(exit, meaning)| format!("{} {meaning}", exit.code())).collect();
    format!("Exit code: {}.", codes.join(", "))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_has_its_exit_codes_in_the_help() {
        let command = with_exit_codes(crate::options::CommandLine::command());
        let names: Vec<&str> = command.get_subcommands().map(|it| it.get_name()).collect();
        assert_eq!(names.len(), TABLE.len(), "{names:?}");
        for subcommand in command.get_subcommands() {
            let about = subcommand.get_long_about().expect("a text").to_string();
            assert!(about.ends_with(&sentence(subcommand.get_name())), "{about}");
            assert_eq!(about.matches("Exit code").count(), 1, "{about}");
        }
    }

    #[test]
    fn codes_of_a_command_differ() {
        for (name, rows) in TABLE {
            let mut codes: Vec<u8> = rows.iter().map(|(exit, _)| exit.code()).collect();
            codes.dedup();
            assert_eq!(codes.len(), rows.len(), "{name}");
        }
    }

    #[test]
    fn the_pages_agree() {
        let pages = [
            include_str!("../../../README.md"),
            include_str!("../../../docs/FINDINGS.md"),
            include_str!("../../../docs/RUN.md"),
        ];
        for page in &pages {
            assert!(page.contains("Exit code: "), "{}", &page[..40]);
        }
        for text in pages.join("\n").replace('\n', " ").split("Exit code: ").skip(1) {
            let known = TABLE.iter().any(|(name, _)| {
                let sentence = sentence(name);
                text.starts_with(sentence.trim_start_matches("Exit code: ").trim_end_matches('.'))
            });
            assert!(known, "{}", &text[..60]);
        }
    }
}
