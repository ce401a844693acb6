//! The options of `hound explain`, `hound completions` and `hound man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Say what a code means: of a finding, a rank, a verdict, a reason or an error
///
/// Codes stand in brackets behind `error`, before the reasons of what is not complete, and as `code` in JSON. Without a code
/// all are listed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExplainOptions {
    /// The code: badmatch, doubtful, incomplete, bound-runs, no_file
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// Print a script that completes the words of hound's command line
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub struct CompletionsOptions {
    /// The shell that reads it
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Write the manual pages, or print that of hound
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub struct ManOptions {
    /// The folder for a page of each command: hound.1, hound-explore.1, …
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  hound explain
  hound explain badmatch
  hound explain bound-runs";

const COMPLETIONS: &str = "\
Examples:
  hound completions bash > ~/.local/share/bash-completion/completions/hound
  hound completions zsh > ~/.zfunc/_hound
  hound completions fish > ~/.config/fish/completions/hound.fish";

const MAN: &str = "\
Examples:
  hound man ~/.local/share/man/man1
  hound man | man -l -";
