//! The last resort against programs that fill the memory: the machine counts its frames itself, this watches the data.

use std::time::Duration;

use exec::forward::{Ending, Place};
use report::Kind;
use session::Run;
use session::memory::taken;
use term::Mfa;

use crate::options::Format;
use crate::{Printed, print};

/// How often to look. Memory fills at a few gigabytes a second.
const GLANCE: Duration = Duration::from_millis(20);

/// What to print when the limit is hit.
pub struct Watch {
    /// Bytes, on top of what the tool itself takes.
    pub limit: usize,
    pub call: String,
    pub main: Mfa,
    pub format: Format,
}

impl Watch {
    /// Ends the whole command when its data outgrows the limit. A run cannot be ended in the middle of an operation.
    pub fn start(self) {
        let Some(before) = taken() else { return };
        std::thread::spawn(move || {
            while taken().is_none_or(|now| now.saturating_sub(before) <= self.limit) {
                std::thread::sleep(GLANCE);
            }
            let (printed, code) = self.stopped();
            print(&printed);
            std::process::exit(code);
        });
    }

    fn stopped(self) -> (Printed, i32) {
        let at = Place { function: self.main, file: String::new(), line: 0, column: 0 };
        let ending = Ending::OutOfMemory { at };
        let code = Kind::of(&ending).exit_code();
        let run = Run { call: self.call, ending, shown: None, output: String::new(), steps: 0, coverage: None };
        (crate::run::printed(&run, self.format), i32::from(code))
    }
}
