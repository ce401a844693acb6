//! Colours, where a terminal shows them.

use search::{FindingRank, Verdict};

/// The use of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    Plain,
    Colours,
}

impl Paint {
    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    pub(crate) fn undecided(self, text: &str) -> String {
        self.with("33", text)
    }

    /// A word in the colour of a verdict.
    pub(crate) fn verdict(self, verdict: Verdict, text: &str) -> String {
        let code = match verdict {
            Verdict::Crash => "31",
            Verdict::Safe => "32",
            Verdict::Ignored | Verdict::Incomplete => "33",
        };
        self.with(code, text)
    }

    /// Places and margins of source.
    pub(crate) fn place(self, text: &str) -> String {
        self.with("34", text)
    }

    /// A headline in the colour of a rank.
    pub(crate) fn rank(self, rank: FindingRank, text: &str) -> String {
        let code = match rank {
            FindingRank::Bug => "1;31",
            FindingRank::Doubtful => "1;33",
            FindingRank::Declared => "1;36",
        };
        self.with(code, text)
    }

    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colours => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
