//! Projects as the tools make them: files, the command in them, and the real rebar3 and mix.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, ended, folder};

/// A project in a folder of its own.
pub struct Made {
    pub top: PathBuf,
}

impl Made {
    /// Writes the files.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Made {
        let made = Made { top: folder(name).canonicalize().expect("it is there") };
        files.iter().for_each(|(path, text)| made.write(path, text));
        made
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.top.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Writes a file as if some time later.
    pub fn edit(&self, path: &str, text: &str) {
        self.write(path, text);
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
        let file = std::fs::File::options().write(true).open(self.top.join(path)).expect("it is there");
        file.set_modified(later).expect("a time");
    }

    /// Runs a tool that must succeed.
    pub fn tool(&self, folder: &str, words: &str) -> Ran {
        let ran = self.try_tool(folder, words);
        assert_eq!(ran.code, 0, "{words}: {}{}", ran.out, ran.err);
        ran
    }

    /// Runs a tool.
    pub fn try_tool(&self, folder: &str, words: &str) -> Ran {
        let mut words = words.split(' ');
        let mut command = Command::new(words.next().expect("a program"));
        ended(self.environment(command.args(words), folder).env("HOUND", env!("CARGO_BIN_EXE_hound")))
    }

    /// Runs `hound` in a folder of the project.
    pub fn hound(&self, folder: &str, words: &[&str]) -> Ran {
        self.hound_with(folder, words, &[])
    }

    /// The same with variables.
    pub fn hound_with(&self, folder: &str, words: &[&str], variables: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        ended(self.environment(command.args(words), folder).envs(variables.iter().copied()))
    }

    /// Explores in a folder of the project.
    pub fn explored(&self, folder: &str, words: &[&str]) -> Explored {
        let ran =
            self.hound(folder, &[&["explore", "--format", "json", "--runs", "60", "--workers", "1"], words].concat());
        Explored { functions: ran.functions(), ran }
    }

    fn environment<'a>(&self, command: &'a mut Command, folder: &str) -> &'a mut Command {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects_cache");
        std::fs::create_dir_all(&cache).expect("a folder");
        for name in ["MIX_ENV", "REBAR_PROFILE", "REBAR_BASE_DIR", "MIX_BUILD_PATH", "ERL_LIBS"] {
            command.env_remove(name);
        }
        command.env("XDG_CACHE_HOME", cache).env("HOUND_NO_STORE", "1").current_dir(self.top.join(folder))
    }

    /// The files below the top folder, with their bytes.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.top.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                match entry.file_type().expect("a type") {
                    kind if kind.is_dir() => open.push(entry.path()),
                    kind if kind.is_file() => {
                        drop(found.insert(entry.path(), std::fs::read(entry.path()).expect("bytes")))
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

/// An exploration.
pub struct Explored {
    pub ran: Ran,
    pub functions: BTreeMap<String, Value>,
}

impl Explored {
    /// The places of findings, by function: `src/shop.erl:6`.
    pub fn places(&self) -> BTreeMap<&str, Vec<String>> {
        let of = |line: &Value| {
            let findings = line["findings"].as_array().cloned().unwrap_or_default();
            let place = |it: &Value| format!("{}:{}", it["file"].as_str().unwrap_or_default(), it["line"]);
            findings.iter().map(place).collect::<Vec<String>>()
        };
        let found = self.functions.iter().map(|(name, line)| (name.as_str(), of(line)));
        found.filter(|(_, places)| !places.is_empty()).collect()
    }

    /// The functions and the places of their findings are these, and no call of anything is undefined.
    #[track_caller]
    pub fn holds(&self, functions: &[&str], places: &[(&str, &str)]) {
        let names: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        assert_eq!(names, functions, "{:?}", self.ran);
        let found: Vec<(&str, &str)> = self
            .places()
            .iter()
            .flat_map(|(name, all)| all.iter().map(|place| (*name, place.clone())).collect::<Vec<_>>())
            .map(|(name, place)| (name, place.leak() as &str))
            .collect();
        assert_eq!(found, places, "{:?}", self.ran);
        assert!(!self.ran.out.contains("undef"), "{:?}", self.ran);
        assert!(!self.ran.err.contains("is not there"), "{:?}", self.ran);
    }
}
