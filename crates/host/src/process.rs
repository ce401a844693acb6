//! One emulator's process and its pipes: starting, asking, noticing its end, killing.

use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::wall::Wall;
use crate::wire::{Frame, FrameError};

/// Bytes of the VM's output that are kept to explain its end.
const KEPT_OUTPUT: usize = 4096;

/// The most memory the VM may have for data, so that one call cannot take the whole machine.
const MAX_DATA: u64 = 8 << 30;

/// The time in which a VM ends that is no longer wanted.
const PATIENCE: Duration = Duration::from_millis(500);

/// Bytes that are read from the pipe at once.
const CHUNK: usize = 64 << 10;

/// The reason why no answer came.
#[derive(Debug)]
pub(crate) enum ProcessError {
    Died(String),
    TimedOut,
    Garbage(String),
}

impl ProcessError {
    /// The reason in words.
    pub fn detail(self) -> String {
        match self {
            ProcessError::Died(detail) => detail,
            ProcessError::TimedOut => "it gave no answer".to_string(),
            ProcessError::Garbage(detail) => format!("it wrote garbage: {detail}"),
        }
    }
}

/// A running VM. Dropping it kills it.
pub(crate) struct Process {
    /// The VM's warden, or the VM where there is none.
    child: Child,
    /// Open as long as the VM is wanted: its warden sees it closed even if this process is killed.
    lifeline: Option<PipeWriter>,
    requests: File,
    answers: File,
    buffer: Vec<u8>,
    chunk: Box<[u8]>,
    printed: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    /// Starts it with pipes on its descriptors 3 and 4.
    pub fn spawn(launch: &Launch) -> io::Result<Process> {
        let wall = launch.wall()?;
        let (child_requests, requests) = io::pipe()?;
        let (answers, child_answers) = io::pipe()?;
        let (printed_from, printed_to) = io::pipe()?;
        let (child_lifeline, lifeline) = io::pipe()?;
        let ours = [high(child_requests.into())?, high(child_answers.into())?, high(child_lifeline.into())?];
        let (requests, answers) = (OwnedFd::from(requests), OwnedFd::from(answers));
        let low = occupied()?;
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .env_clear()
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&launch.folder)
            .stdin(Stdio::null())
            .stdout(printed_to.try_clone()?)
            .stderr(printed_to);
        let descriptors = [&ours[0], &ours[1], &ours[2]].map(AsRawFd::as_raw_fd);
        // SAFETY: between fork and exec only calls are made that a signal handler may make.
        unsafe { command.pre_exec(move || prepare(descriptors, &wall)) };
        let child = command.spawn()?;
        drop((ours, low));
        set_nonblocking(&requests)?;
        set_nonblocking(&answers)?;
        let printed = Arc::default();
        drain(printed_from, Arc::clone(&printed));
        Ok(Process {
            child,
            lifeline: Some(lifeline),
            requests: requests.into(),
            answers: answers.into(),
            buffer: Vec::new(),
            chunk: vec![0; CHUNK].into(),
            printed,
        })
    }

    /// Returns the operating system's number for the process.
    pub fn os_pid(&self) -> u32 {
        self.child.id()
    }

    /// True if the VM is gone.
    pub fn is_over(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Writes a whole request, or gives up at the deadline.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), ProcessError> {
        while !bytes.is_empty() {
            match self.requests.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(self.requests.as_raw_fd(), libc::POLLOUT, deadline)?
                }
                Err(_) => return Err(ProcessError::Died(self.end_description())),
            }
        }
        Ok(())
    }

    /// The next frame from the VM.
    pub fn receive(&mut self, deadline: Instant) -> Result<Frame, ProcessError> {
        loop {
            if let Some(frame) = Frame::take(&mut self.buffer).map_err(garbage)? {
                return Ok(frame);
            }
            self.read_more(deadline)?;
        }
    }

    fn read_more(&mut self, deadline: Instant) -> Result<(), ProcessError> {
        loop {
            match self.answers.read(&mut self.chunk) {
                Ok(0) => return Err(ProcessError::Died(self.end_description())),
                Ok(len) => {
                    self.buffer.extend_from_slice(&self.chunk[..len]);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(self.answers.as_raw_fd(), libc::POLLIN, deadline)?
                }
                Err(error) => return Err(ProcessError::Died(format!("its pipe broke: {error}"))),
            }
        }
    }

    /// Returns how the VM ended, and the last things it printed. It has closed the pipe, so it is ending or broken.
    fn end_description(&mut self) -> String {
        let status = self.ended(Duration::from_millis(500));
        let how = status.map_or_else(|| "it closed its pipe".to_string(), describe);
        let printed = self.printed.lock().map(|bytes| String::from_utf8_lossy(&bytes).trim().to_string());
        match printed {
            Ok(text) if !text.is_empty() => format!("{how}; it printed: {text}"),
            _ => how,
        }
    }

    fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The warden ends the VM; where there is none, or it does not, the process is killed. That fails only if it is gone.
        drop(self.lifeline.take());
        if self.ended(PATIENCE).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn garbage(error: FrameError) -> ProcessError {
    ProcessError::Garbage(error.to_string())
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it exited with status {code}"),
        (_, Some(signal)) => format!("it was ended by signal {signal}"),
        _ => "it ended".to_string(),
    }
}

/// Waits until the descriptor is ready.
fn wait(fd: RawFd, events: libc::c_short, deadline: Instant) -> Result<(), ProcessError> {
    let mut poll = libc::pollfd { fd, events, revents: 0 };
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ProcessError::TimedOut);
        }
        let millis = i32::try_from(left.as_millis() + 1).unwrap_or(i32::MAX);
        // SAFETY: one valid pollfd is passed.
        match unsafe { libc::poll(&mut poll, 1, millis) } {
            0 => return Err(ProcessError::TimedOut),
            ready if ready > 0 => return Ok(()),
            _ if io::Error::last_os_error().kind() == ErrorKind::Interrupted => {}
            _ => return Err(ProcessError::Died(format!("waiting failed: {}", io::Error::last_os_error()))),
        }
    }
}

/// Keeps the end of what the VM prints, and keeps the pipe empty so that printing never blocks it.
fn drain(mut from: PipeReader, into: Arc<Mutex<Vec<u8>>>) {
    thread::spawn(move || {
        let mut chunk = [0; 1024];
        while let Ok(len @ 1..) = from.read(&mut chunk) {
            let Ok(mut kept) = into.lock() else { return };
            kept.extend_from_slice(&chunk[..len]);
            let excess = kept.len().saturating_sub(KEPT_OUTPUT);
            kept.drain(..excess);
        }
    });
}

/// The same file on a descriptor well above 3 and 4.
pub(crate) fn high(fd: OwnedFd) -> io::Result<OwnedFd> {
    // SAFETY: the new descriptor has no other owner.
    unsafe { Ok(OwnedFd::from_raw_fd(check(libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 10))?)) }
}

/// Takes descriptors 3 and 4 if they are free: the pipe through which a failed start is reported must not get them.
fn occupied() -> io::Result<Vec<File>> {
    let mut held = Vec::new();
    loop {
        let file = File::open("/dev/null")?;
        if file.as_raw_fd() > 4 {
            return Ok(held);
        }
        held.push(file);
    }
}

fn set_nonblocking(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: the descriptor is open.
    unsafe { check(libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK)).map(drop) }
}

/// In the child, before it becomes the emulator: its limits, its pipes, its walls.
fn prepare([requests, answers, lifeline]: [RawFd; 3], wall: &Wall) -> io::Result<()> {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let data = libc::rlimit { rlim_cur: MAX_DATA, rlim_max: MAX_DATA };
    // SAFETY: all arguments are valid; these calls are safe after fork. A limit that cannot be set is no reason to fail.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        libc::setrlimit(libc::RLIMIT_DATA, &data);
        check(libc::dup2(requests, 3))?;
        check(libc::dup2(answers, 4))?;
        // A process group of its own, so that an interrupt at the terminal goes to us alone.
        check(libc::setpgid(0, 0))?;
        wall.enter(lifeline)
    }
}

fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
