//! The sources of modules, and the request that extracts each.

use std::fs;
use std::path::{Path, PathBuf};

use term::Term;

use crate::error::{ExtractError, HostError};
use crate::host::Host;
use crate::launch::absolute;
use crate::wall::Reads;

/// The source of a module.
#[derive(Clone, Debug)]
pub enum Source {
    /// A module on the code path, by name.
    Module(String),
    /// A compiled module.
    BeamFile(PathBuf),
    /// A compiled module in memory.
    Beam(Vec<u8>),
    /// Erlang source.
    ErlFile { path: PathBuf, options: ErlOptions },
    /// Core Erlang text.
    CoreFile(PathBuf),
    /// The text of an Erlang module, without macros and includes, and how its file is called.
    ErlText { file: String, text: String },
    /// Erlang expressions; they become the body of `main/0` in a module named [`EXPRESSION_MODULE`].
    Expression(String),
}

/// The module that an expression becomes.
pub const EXPRESSION_MODULE: &str = "hound_expression";

/// The options with which an .erl file is compiled.
#[derive(Clone, Default, Debug)]
pub struct ErlOptions {
    /// Folders of included files.
    pub include_dirs: Vec<PathBuf>,
    /// Macros; without a value they are `true`.
    pub macros: Vec<(String, Option<Term>)>,
    /// Any other options of the compiler.
    pub others: Vec<Term>,
}

/// One extraction: the request to the VM, and what the answer depends on.
pub(crate) struct Extraction {
    /// The kind of source.
    pub kind: &'static str,
    /// The name in errors.
    pub what: String,
    /// The bytes of the source.
    pub content: Vec<u8>,
    /// Whatever else the answer depends on.
    pub key_extra: String,
    /// The request.
    pub request: Term,
    /// A compiled module that the code path need not have.
    pub given: Option<Vec<u8>>,
    /// The files that the compiler must be able to read.
    pub reads: Reads,
}

impl Extraction {
    /// Reads the source.
    pub fn new(host: &Host, source: Source) -> Result<Extraction, ExtractError> {
        match source {
            Source::Module(name) => {
                let path = host.locate(&name).ok_or_else(|| ExtractError::NoModule { module: name.clone() })?;
                Ok(Extraction { given: None, ..Extraction::beam(format!("module {name}"), read_file(&path)?) })
            }
            Source::BeamFile(path) => Ok(Extraction::beam(path.display().to_string(), read_file(&path)?)),
            Source::Beam(bytes) => Ok(Extraction::beam("the given module".to_string(), bytes)),
            Source::ErlFile { path, .. } | Source::CoreFile(path) if path.to_str().is_none() => {
                Err(HostError::BadName { path }.into())
            }
            Source::ErlFile { path, options } => Extraction::erl(path, &options),
            Source::CoreFile(path) => Extraction::core(path),
            Source::ErlText { file, text } => Ok(Extraction::text(file, text)),
            Source::Expression(text) => Ok(Extraction::expression(text)),
        }
    }

    fn beam(what: String, bytes: Vec<u8>) -> Extraction {
        let request = Term::tuple([Term::atom_named("beam"), Term::binary(bytes.clone())]);
        Extraction {
            kind: "beam",
            what,
            content: bytes.clone(),
            key_extra: String::new(),
            request,
            given: Some(bytes),
            reads: Reads::default(),
        }
    }

    fn erl(path: PathBuf, options: &ErlOptions) -> Result<Extraction, ExtractError> {
        let content = read_file(&path)?;
        let what = path.display().to_string();
        let flags = options.flags();
        let key_extra = format!("{what}\n{flags}");
        let request = Term::tuple([Term::atom_named("erl"), Term::binary(what.as_bytes()), flags]);
        let mut reads = Reads::default();
        reads.source(&path);
        options.include_dirs.iter().for_each(|folder| reads.tree(absolute(folder)));
        Ok(Extraction { kind: "erl", what, content, key_extra, request, given: None, reads })
    }

    fn core(path: PathBuf) -> Result<Extraction, ExtractError> {
        let content = read_file(&path)?;
        let what = path.display().to_string();
        let request = Term::tuple([Term::atom_named("core"), Term::binary(what.as_bytes())]);
        let mut reads = Reads::default();
        reads.source(&path);
        Ok(Extraction { kind: "core", key_extra: what.clone(), what, content, request, given: None, reads })
    }

    fn text(file: String, text: String) -> Extraction {
        let request =
            Term::tuple([Term::atom_named("erl_text"), Term::binary(file.as_bytes()), Term::binary(text.as_bytes())]);
        Extraction {
            kind: "erl_text",
            key_extra: file.clone(),
            what: file,
            content: text.into_bytes(),
            request,
            given: None,
            reads: Reads::default(),
        }
    }

    fn expression(text: String) -> Extraction {
        let name = Term::atom_named(EXPRESSION_MODULE);
        let request = Term::tuple([Term::atom_named("expression"), Term::binary(text.as_bytes()), name]);
        let what = "the expression".to_string();
        Extraction {
            kind: "expression",
            what,
            content: text.into_bytes(),
            key_extra: String::new(),
            request,
            given: None,
            reads: Reads::default(),
        }
    }
}

impl ErlOptions {
    fn flags(&self) -> Term {
        let pair = |tag: &str, value: Term| Term::tuple([Term::atom_named(tag), value]);
        let includes = self.include_dirs.iter().map(|dir| pair("i", Term::string(&dir.display().to_string())));
        let macros = self.macros.iter().map(|(name, value)| match value {
            Some(value) => Term::tuple([Term::atom_named("d"), Term::atom_named(name), value.clone()]),
            None => pair("d", Term::atom_named(name)),
        });
        let flags: Vec<Term> = includes.chain(macros).chain(self.others.iter().cloned()).collect();
        Term::list(flags)
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, ExtractError> {
    fs::read(path).map_err(|error| ExtractError::Unreadable { path: path.to_path_buf(), detail: error.to_string() })
}
