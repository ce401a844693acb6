//! Z3 as a process on a pipe: asked in SMT-LIB, ended when it does not answer, started again when it has died.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use solve::{Smt, SmtError};

/// The line at the end of each answer.
const MARKER: &str = "-- end of answer --";
/// The longest answer: a process that prints more is broken.
const MOST_OUTPUT: usize = 4 << 20;
/// Starts in all: what dies this often is as good as missing.
const MOST_STARTS: u32 = 50;
/// The time between two looks whether its answer is still wanted.
const GLANCE: Duration = Duration::from_millis(20);
/// Memory of the process, in MiB.
const MEMORY: u32 = 1024;

/// The solver's program, and the process if it runs. Dropping it ends the process.
pub struct Z3 {
    program: OsString,
    patience: Duration,
    process: Option<Z3Process>,
    starts: u32,
    /// True if the answer is not wanted any more.
    halted: Box<dyn Fn() -> bool>,
    /// The reason why it is not started any more.
    gone: Option<String>,
}

struct Z3Process {
    child: Child,
    /// To the thread that writes: a process that is busy with the beginning of a script does not read its end.
    scripts: Sender<String>,
    lines: Receiver<String>,
}

impl Z3 {
    /// Returns a solver; its process starts with the first query. The patience is a last resort: queries end by the resources they
    /// may use, which does not depend on how busy the machine is.
    pub fn new(program: impl Into<OsString>, patience: Duration) -> Z3 {
        Z3 { program: program.into(), patience, process: None, starts: 0, halted: Box::new(|| false), gone: None }
    }

    /// Returns the same solver, ended in mid-query when `halted` is true.
    pub fn halted_by(self, halted: impl Fn() -> bool + 'static) -> Z3 {
        Z3 { halted: Box::new(halted), ..self }
    }

    /// Returns the number of the process that runs now.
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(|process| process.child.id())
    }

    /// The process that runs, or a new one.
    fn process(&mut self) -> Result<Z3Process, SmtError> {
        match (&self.gone, self.process.take()) {
            (Some(why), _) => Err(SmtError::Missing(why.clone())),
            (None, Some(process)) => Ok(process),
            (None, None) => self.start(),
        }
    }

    fn start(&mut self) -> Result<Z3Process, SmtError> {
        self.starts += 1;
        let started = if self.starts > MOST_STARTS {
            Err(format!("it ended {MOST_STARTS} times"))
        } else {
            Z3Process::spawn(&self.program).map_err(|error| format!("{}: {error}", self.program.to_string_lossy()))
        };
        started.map_err(|why| SmtError::Missing(self.gone.insert(why).clone()))
    }
}

impl Smt for Z3 {
    fn exchange(&mut self, script: &str) -> Result<String, SmtError> {
        let process = self.process()?;
        let answer = process.ask(script, self.patience, &self.halted).map_err(SmtError::Ended)?;
        self.process = Some(process);
        Ok(answer)
    }
}

impl Z3Process {
    fn spawn(program: &OsString) -> std::io::Result<Z3Process> {
        let mut child = Command::new(program)
            // An interrupt at the terminal goes to us alone.
            .process_group(0)
            .args(["-in", "-smt2", &format!("-memory:{MEMORY}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| std::io::Error::other("no pipes"))?;
        let (scripts, written) = channel::<String>();
        thread::spawn(move || {
            let mut input = input;
            // When the process has died, no script can be sent any more.
            written.iter().all(|script| input.write_all(script.as_bytes()).and_then(|()| input.flush()).is_ok())
        });
        let (send, lines) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(line) = read_line(&mut output) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Z3Process { child, scripts, lines })
    }

    fn ask(&self, script: &str, patience: Duration, halted: &dyn Fn() -> bool) -> Result<String, String> {
        let commands = format!("{script}(echo \"{MARKER}\")\n");
        self.scripts.send(commands).map_err(|_| String::from("it does not listen"))?;
        let deadline = Instant::now() + patience;
        let mut answer = String::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) if line.trim() == MARKER => return Ok(answer),
                Ok(line) => answer += &line,
                Err(RecvTimeoutError::Timeout) if halted() => return Err(String::from("it was asked to stop")),
                Err(RecvTimeoutError::Timeout) if left > GLANCE => {}
                Err(RecvTimeoutError::Timeout) => return Err(format!("it took longer than {patience:?}")),
                Err(RecvTimeoutError::Disconnected) => return Err(String::from("it ended")),
            }
            if answer.len() > MOST_OUTPUT {
                return Err(String::from("its answer has no end"));
            }
        }
    }
}

/// A line, or the beginning of one that is too long.
fn read_line(output: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    match output.take(MOST_OUTPUT as u64).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).into_owned()),
    }
}

impl Drop for Z3Process {
    fn drop(&mut self) {
        // It may have ended by itself: both calls then say so, and that is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
