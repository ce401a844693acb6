//! How an emulator is started: its program, options, environment and walls.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use crate::embedded::Embedded;
use crate::installation::environment;
use crate::wall::{Openings, Reads, Wall};

/// Variables that add to the emulator's options and code path.
pub(crate) const VARIABLES: [&str; 5] = ["ERL_LIBS", "ERL_FLAGS", "ERL_AFLAGS", "ERL_ZFLAGS", "ERL_ROOTDIR"];

/// Options that every VM has. A list of all processes costs as much as there could be.
const OPTIONS: &str = "-noshell -noinput -boot no_dot_erlang -nostick -kernel logger_level none +t 4194304 +P 32768 +S 1:1 \
                       +SDcpu 1:1 +SDio 1 +A 1";

/// A VM to be started.
#[derive(Clone)]
pub(crate) struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// All of its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Where it starts: a folder in which nothing can be taken for a module of Erlang's own. It moves on when it is up.
    pub folder: PathBuf,
    /// The files that it can read.
    pub reads: Reads,
    /// The effects that are allowed.
    pub openings: Openings,
}

impl Launch {
    /// A VM that knows the installation's code alone, and so can run no other.
    pub fn of_installation(embedded: &Embedded, elixir: &[PathBuf]) -> Launch {
        let installation = &embedded.installation;
        let mut reads = Reads::default();
        reads.tree(&installation.root);
        reads.tree(&embedded.directory);
        installation.code_path.iter().for_each(|folder| reads.code_path(folder));
        elixir.iter().for_each(|folder| reads.code_path(folder));
        reads.programs(&installation.programs);
        let mut arguments: Vec<OsString> = OPTIONS.split_whitespace().map(OsString::from).collect();
        let here = env::current_dir().unwrap_or_else(|_| PathBuf::from(MAIN_SEPARATOR_STR));
        elixir.iter().for_each(|folder| arguments.extend(["-pz".into(), folder.into()]));
        // Last, hence first in the path: no module of the same name comes before ours.
        arguments.extend(["-pa".into(), embedded.directory.clone().into(), "-s".into(), "hound_host".into()]);
        arguments.extend(["-hound_folder".into(), here.into()]);
        let own = [
            ("ROOTDIR", installation.root.as_os_str()),
            ("BINDIR", installation.programs.as_os_str()),
            ("EMU", "beam".as_ref()),
            ("PROGNAME", "erl".as_ref()),
            ("ERL_CRASH_DUMP", "/dev/null".as_ref()),
            ("ERL_CRASH_DUMP_SECONDS", "0".as_ref()),
        ];
        let own = own.into_iter().map(|(name, value)| (name.into(), value.to_owned()));
        Launch {
            program: installation.emulator(),
            arguments,
            environment: environment().chain(own).collect(),
            folder: embedded.directory.clone(),
            reads,
            openings: Openings::default(),
        }
    }

    /// The same with the user's folders of code first, and what the user's variables add.
    pub fn with_paths(mut self, paths: &[PathBuf]) -> Launch {
        let paths: Vec<PathBuf> = paths.iter().map(|path| absolute(path)).collect();
        let first = paths.iter().flat_map(|path| [OsString::from("-pa"), path.into()]);
        self.arguments = first.chain(self.arguments).collect();
        let user = VARIABLES.into_iter().filter_map(|name| Some((name.into(), env::var_os(name)?)));
        self.environment.extend(user);
        paths.iter().for_each(|path| self.reads.code_path(path));
        if let Some(libraries) = env::var_os("ERL_LIBS") {
            env::split_paths(&libraries).for_each(|folder| self.reads.tree(absolute(&folder)));
        }
        self
    }

    /// The walls around it.
    pub fn wall(&self) -> io::Result<Wall> {
        Wall::around(&self.reads, self.openings)
    }
}

/// The path as seen from anywhere.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
