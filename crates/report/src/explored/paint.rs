//! Colours, where a terminal shows them.

use search::Verdict;

/// Whether to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    Plain,
    Colours,
}

impl Paint {
    pub(super) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    pub(super) fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// A word in the colour of a verdict.
    pub(super) fn verdict(self, verdict: Verdict, text: &str) -> String {
        let code = match verdict {
            Verdict::Crash => "31",
            Verdict::Safe => "32",
            Verdict::Incomplete => "33",
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
