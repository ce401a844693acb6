//! Landlock: the files that a VM can read, the programs it can start, and nothing to write.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, Scope,
};

use super::Openings;
use super::loader::loader_of;
use super::namespaces::check;

/// Places of the system without which no program runs: libraries, time zones.
const SYSTEM: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/lib",
    "/usr/share",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/sys/devices/system",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Places of the system that scripts and the programs that they start need besides.
const TOOLS: &[&str] = &["/bin", "/sbin", "/usr", "/etc", "/opt", "/proc/self", "/proc/filesystems", "/proc/version"];

/// Folders in which the loader of programs may lie.
const LOADERS: &[&str] =
    &["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu"];

/// Files that are source or compiled code, by their endings.
const CODE: &[&str] = &["erl", "hrl", "core", "beam", "app", "src", "yrl", "xrl", "ex", "exs", "gleam", "asn1", "S"];

/// Files that say where a project begins.
const PROJECT: &[&str] = &["rebar.config", "mix.exs", "gleam.toml", "erlang.mk", "rebar.config.script"];

/// The files that a VM can read besides those of the system.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Reads {
    trees: BTreeSet<PathBuf>,
    /// Folders of which only the code is readable, and not what lies deeper.
    folders: BTreeSet<PathBuf>,
    programs: BTreeSet<PathBuf>,
}

impl Reads {
    /// Everything below a folder, or one file.
    pub fn tree(&mut self, path: impl Into<PathBuf>) {
        self.trees.insert(path.into());
    }

    /// The emulator's programs in a folder.
    pub fn programs(&mut self, path: impl Into<PathBuf>) {
        self.programs.insert(path.into());
    }

    /// A folder of compiled code: all of it when its name says that nothing else is there.
    pub fn code_path(&mut self, folder: &Path) {
        match folder.file_name() == Some(OsStr::new("ebin")) {
            true => self.trees.insert(folder.to_path_buf()),
            false => self.folders.insert(folder.to_path_buf()),
        };
    }

    /// A source file's folder, the folders beside it that files are included from, and its project.
    pub fn source(&mut self, file: &Path) {
        let Some(folder) =
            file.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
        else {
            return;
        };
        let Ok(folder) = fs::canonicalize(folder) else { return };
        self.folders.extend([folder.clone(), folder.join("../include")]);
        if let Some(project) = folder.ancestors().find(|place| PROJECT.iter().any(|name| place.join(name).is_file())) {
            self.project(project);
        }
        self.folders.insert(folder);
    }

    /// The folders of a project but for hidden ones, and the code beside them.
    fn project(&mut self, root: &Path) {
        self.folders.insert(root.to_path_buf());
        let entries = fs::read_dir(root).into_iter().flatten().flatten();
        let is_hidden = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
        let folders = entries.filter(|entry| !is_hidden(entry) && entry.path().is_dir());
        self.trees.extend(folders.map(|entry| entry.path()));
    }

    /// True if all that `other` has can be read.
    pub fn covers(&self, other: &Reads) -> bool {
        other.trees.is_subset(&self.trees) && other.folders.is_subset(&self.folders)
    }

    /// Adds what another has.
    pub fn extend(&mut self, other: &Reads) {
        self.trees.extend(other.trees.iter().cloned());
        self.folders.extend(other.folders.iter().cloned());
    }
}

/// The ruleset that says so. `None`: there is nothing to be refused.
pub(super) fn ruleset(reads: &Reads, open: Openings) -> io::Result<Option<OwnedFd>> {
    if open.files && open.network {
        return Ok(None);
    }
    let mut rules = Ruleset::default().scope(Scope::from_all(ABI::V6)).map_err(io::Error::other)?;
    if !open.files {
        rules = rules.handle_access(AccessFs::from_all(ABI::V6)).map_err(io::Error::other)?;
    }
    if !open.network {
        rules = rules.handle_access(AccessNet::from_all(ABI::V6)).map_err(io::Error::other)?;
    }
    let mut created = rules.create().map_err(io::Error::other)?;
    if !open.files {
        created = with_rules(created, reads)?;
    }
    Ok(created.into())
}

/// The ruleset of a tool that runs other programs: it reads and runs what is in `reads`, and changes files below `writes` alone.
pub(super) fn tool_ruleset(reads: &[PathBuf], writes: &[PathBuf]) -> io::Result<Option<OwnedFd>> {
    let all = AccessFs::from_all(ABI::V6);
    let read = AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute;
    let mut rules = Ruleset::default()
        .scope(Scope::from_all(ABI::V6))
        .and_then(|rules| rules.handle_access(all))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V6)))
        .and_then(|rules| rules.create())
        .map_err(io::Error::other)?;
    let system = SYSTEM.iter().chain(TOOLS).map(PathBuf::from).map(|path| (path, read));
    let reads = reads.iter().map(|path| (path.clone(), read));
    let sink = [(PathBuf::from("/dev/null"), AccessFs::WriteFile | AccessFs::Truncate | AccessFs::ReadFile)];
    for (path, access) in system.chain(reads).chain(writes.iter().map(|path| (path.clone(), all))).chain(sink) {
        let Ok(fd) = PathFd::new(&path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V6) };
        rules = rules.add_rule(PathBeneath::new(fd, access)).map_err(io::Error::other)?;
    }
    Ok(rules.into())
}

fn with_rules(mut rules: RulesetCreated, reads: &Reads) -> io::Result<RulesetCreated> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let trees = SYSTEM.iter().map(PathBuf::from).chain(reads.trees.iter().cloned());
    let trees = trees.map(|path| (path, read));
    let folders = reads.folders.iter().flat_map(|folder| {
        let listed = iter::once((folder.clone(), BitFlags::from(AccessFs::ReadDir)));
        listed.chain(code_in(folder).map(|file| (file, BitFlags::from(AccessFs::ReadFile))))
    });
    let own = reads.programs.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let own: BTreeSet<PathBuf> = own.filter_map(|entry| loader_of(&entry.path())).collect();
    let programs =
        reads.programs.iter().cloned().chain(loaders()).chain(own).map(|path| (path, read | AccessFs::Execute));
    let sink = [(PathBuf::from("/dev/null"), AccessFs::WriteFile | AccessFs::Truncate)];
    for (path, access) in trees.chain(folders).chain(programs).chain(sink) {
        // What is not there cannot be read either.
        let Ok(fd) = PathFd::new(&path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V6) };
        rules = rules.add_rule(PathBeneath::new(fd, access)).map_err(io::Error::other)?;
    }
    Ok(rules)
}

fn code_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().and_then(OsStr::to_str).is_some_and(|ending| CODE.contains(&ending)))
}

fn loaders() -> impl Iterator<Item = PathBuf> {
    let entries = LOADERS.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"ld-")).map(|entry| entry.path())
}

/// Puts the calling process behind the ruleset.
///
/// # Safety
/// The descriptor is that of a ruleset.
pub(super) unsafe fn restrict(ruleset: RawFd) -> io::Result<()> {
    // SAFETY: the call takes two integers.
    unsafe { check(libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0) as libc::c_int).map(drop) }
}
