//! Runs that were made on the VM, replayed on the machine.

use std::rc::Rc;

use exec::forward::{Directions, Ending, Place, RecordedRun, RunStopped, Script};
use term::{Call, Mfa, Outcome, Term};

use super::MachineSubject;

impl MachineSubject<'_> {
    /// Replays a run. Where the machine could not make a call outside it begins anew, and takes what the VM got.
    pub(super) fn replay(&mut self, entry: &Call, inputs: &[Term], recorded: &RecordedRun) -> exec::forward::Run {
        if recorded.outcome.is_err() {
            // How far the VM came before its limit is chance; what the machine finds out by itself is not.
            let run = self.machine.go_on_symbolic(self.world, entry, &mut self.recorder, Directions::default());
            if !cannot_do(&run.ending) {
                return run;
            }
            self.begin_again(inputs);
        }
        let raised = match &recorded.outcome {
            Ok(Outcome::Raised(exception)) => Some(exception.clone()),
            _ => None,
        };
        loop {
            let given = self.on_vm.clone().unwrap_or_default();
            let mut script =
                Script::new(Rc::clone(&recorded.events), Rc::clone(&recorded.numbers), raised.clone(), given);
            let run = self.machine.go_on_symbolic(
                self.world,
                entry,
                &mut self.recorder,
                Directions { script: Some(&mut script), schedule: None, local: false },
            );
            let stuck = script.open_call().filter(|_| cannot_do(&run.ending));
            let new = stuck.is_some_and(|call| self.on_vm.as_mut().is_some_and(|given| given.insert(call)));
            if !new {
                return self.settled(run, recorded);
            }
            self.begin_again(inputs);
        }
    }

    /// The VM is right about how a run ends.
    fn settled(&mut self, run: exec::forward::Run, recorded: &RecordedRun) -> exec::forward::Run {
        let ending = match (&run.ending, &recorded.outcome) {
            (Ending::Value(_), Ok(Outcome::Value(_))) => return run,
            (Ending::Raised(ours), Ok(Outcome::Raised(theirs))) if ours.class == theirs.class => return run,
            (_, Ok(Outcome::Value(value))) => Ending::Value(value.clone()),
            (_, Ok(Outcome::Raised(exception))) => Ending::Raised(exception.clone()),
            (Ending::Refused { function: ours, .. }, Err(RunStopped::Refused { function, .. })) if ours == function => {
                return run;
            }
            (_, Err(stop)) => stopped(stop, self.entry_point.function),
        };
        // What the run asked after the two parted is not known.
        self.recorder.truncated = true;
        exec::forward::Run { ending, ..run }
    }
}

/// Endings that say something about the machine, not about the program.
fn cannot_do(ending: &Ending) -> bool {
    matches!(ending, Ending::Unsupported { .. } | Ending::Refused { .. } | Ending::Broken { .. } | Ending::Vm { .. })
}

/// The end of a run that the VM did not let end by itself; where it was is not known.
fn stopped(stop: &RunStopped, entry: Mfa) -> Ending {
    let at = Place { function: entry, file: String::new(), line: 0, column: 0 };
    match stop {
        RunStopped::Refused { function, effect } => {
            Ending::Refused { function: *function, effect: effect.to_string(), at }
        }
        RunStopped::Other(what) => Ending::Vm { function: entry, what: what.clone(), at },
    }
}
