//! Tools that build projects (rebar3, mix, make, elixirc), run behind walls: without a network, and with one place to write.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use crate::embedded::command;
use crate::installation;
use crate::process::high;
use crate::wall::Wall;

/// The time that a tool has.
const PATIENCE: Duration = Duration::from_secs(600);

/// Folders of the user in which managers of versions and the tools themselves keep programs and libraries.
const HOMES: &[&str] =
    &[".mix", ".asdf", ".kerl", ".kiex", ".exenv", ".evm", ".nix-profile", ".local/bin", ".local/share/mise", "bin"];

/// One run of a tool.
pub struct ToolRun<'a> {
    /// The command, looked up in `PATH`.
    pub program: &'a str,
    pub arguments: &'a [OsString],
    /// The folder that it runs in.
    pub folder: &'a Path,
    /// Variables besides those that a VM gets.
    pub variables: &'a [(&'static str, OsString)],
    /// Files and folders that it may read besides those of the system.
    pub reads: &'a [PathBuf],
    /// Folders that it may write to; its home is in the first.
    pub writes: &'a [PathBuf],
    /// True if its result is not wanted any more.
    pub is_stopped: fn() -> bool,
}

/// The end of a run.
#[derive(Debug)]
pub enum ToolEnd {
    /// There is no such command.
    NotInstalled,
    /// The walls cannot be built here, so that it was not started.
    NoWalls,
    /// It ended, well or not, and printed this.
    Ended { success: bool, output: String },
}

impl ToolRun<'_> {
    /// Runs it to its end.
    pub fn run(&self) -> io::Result<ToolEnd> {
        let Some(program) = command(Path::new(self.program)) else { return Ok(ToolEnd::NotInstalled) };
        let program = std::path::absolute(program)?;
        let home = self.writes.first().map(|folder| folder.join(".home"));
        home.as_ref().map(std::fs::create_dir_all).transpose()?;
        let Some(wall) = Wall::around_tool(&self.readable(&program), self.writes)? else { return Ok(ToolEnd::NoWalls) };
        self.start(&program, wall, home)
    }

    /// Starts it behind the wall and waits for its end.
    fn start(&self, program: &Path, wall: Wall, home: Option<PathBuf>) -> io::Result<ToolEnd> {
        let (lifeline, _held) = io::pipe()?;
        let lifeline = high(lifeline.into())?;
        let (mut from, to) = io::pipe()?;
        let mut tool = self.command(program, home);
        tool.stdin(Stdio::null()).stdout(to.try_clone()?).stderr(to);
        let fd = lifeline.as_raw_fd();
        // SAFETY: between fork and exec only calls are made that a signal handler may make.
        unsafe {
            tool.pre_exec(move || {
                libc::setpgid(0, 0);
                wall.enter(fd)
            })
        };
        let child = tool.spawn()?;
        // It holds the ends of the pipe that the tool writes to.
        drop((tool, lifeline));
        let mut bytes = Vec::new();
        let reader = thread::spawn(move || from.read_to_end(&mut bytes).map(|_| bytes));
        let status = ended(child, self.is_stopped)?;
        let output = reader.join().unwrap_or_else(|_| Ok(Vec::new()))?;
        Ok(ToolEnd::Ended { success: status.success(), output: String::from_utf8_lossy(&output).into_owned() })
    }

    fn command(&self, program: &Path, home: Option<PathBuf>) -> Command {
        let mut tool = Command::new(program);
        tool.args(self.arguments)
            .env_clear()
            .envs(installation::environment())
            .envs(kept())
            .envs(home.iter().flat_map(|home| [("HOME", home), ("TMPDIR", home)]))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder);
        tool
    }

    fn readable(&self, program: &Path) -> Vec<PathBuf> {
        let mut all = self.reads.to_vec();
        all.extend(program.parent().map(Path::to_path_buf));
        all.extend(env::var_os("PATH").iter().flat_map(env::split_paths).filter(|path| path.is_absolute()));
        // What commands are links to, and what lies beside them.
        for name in ["erl", "elixir", self.program] {
            let real = command(Path::new(name)).and_then(|path| path.canonicalize().ok());
            all.extend(real.iter().filter_map(|path| path.ancestors().nth(2)).map(Path::to_path_buf));
        }
        if let Some(home) = env::var_os("HOME").map(PathBuf::from) {
            all.extend(HOMES.iter().map(|name| home.join(name)));
        }
        all
    }
}

/// Variables that say where tools and their libraries are.
fn kept() -> Vec<(OsString, OsString)> {
    const BEGINNINGS: &[&str] = &["REBAR_", "MIX_", "ERL_", "ASDF_", "MISE_", "EXENV_", "NIX_"];
    let is_kept = |name: &OsString| {
        let name = name.to_string_lossy();
        BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
    };
    let mut kept: Vec<(OsString, OsString)> = env::vars_os().filter(|(name, _)| is_kept(name)).collect();
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    for (name, folder) in [("MIX_HOME", ".mix"), ("ASDF_DATA_DIR", ".asdf"), ("MISE_DATA_DIR", ".local/share/mise")] {
        if env::var_os(name).is_none() && home.join(folder).is_dir() {
            kept.push((name.into(), home.join(folder).into()));
        }
    }
    kept
}

/// Waits for the end, which comes in time: the warden ends the tool with itself.
fn ended(mut child: Child, is_stopped: fn() -> bool) -> io::Result<ExitStatus> {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > end || is_stopped() {
            child.kill()?;
        }
        thread::sleep(Duration::from_millis(5));
    }
}
