//! From a module in any form to its Core Erlang, through the cache.

use std::fs;
use std::path::{Path, PathBuf};

use term::{Atom, Term, etf};

use crate::cache::Key;
use crate::compile::{COMPILE_MILLIS, messages};
use crate::embedded::sources_hash;
use crate::error::{ExtractError, HostError};
use crate::host::{Host, Role};
use crate::source::{Extraction, Source};

/// A module's Core Erlang and what else there is to know about it.
#[derive(Clone)]
pub struct Extracted {
    /// The module's name.
    pub module: Atom,
    /// The `#c_module{}` record, unoptimised, with a call of `'$hound':line/1` wherever `cover` counts a line.
    /// Annotations that name [`Extracted::file`] are left out.
    /// Each definition's `#c_fun{}` is a binary that holds it in external format, to be decoded when it is needed.
    pub core: Term,
    /// The main file as stack traces name it.
    pub file: Option<String>,
    /// The path of the source as the compiler recorded it.
    pub source: Option<PathBuf>,
    /// The exported functions.
    pub exports: Vec<(Atom, u8)>,
    /// The compiled module's table of funs.
    pub funs: Vec<FunEntry>,
    /// The lines that `cover` would count, sorted. Empty when marks were not asked for, or there were no lines to mark.
    pub executable_lines: Vec<u32>,
    /// The VM's hash of the module.
    pub md5: [u8; 16],
    /// The compiled module, when it was compiled for this.
    pub beam: Option<Vec<u8>>,
    /// A hash of all that this was made from.
    pub hash: [u8; 32],
}

/// A fun as the VM knows it: `#Fun<module.index.uniq>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunEntry {
    /// The lifted function.
    pub name: Atom,
    /// Its number of arguments.
    pub arity: u8,
    /// The place in the module's table.
    pub index: u32,
    /// The hash of its code.
    pub uniq: u32,
    /// The number of captured variables.
    pub free: u32,
}

impl Host {
    /// Returns the module's Core Erlang with line marks.
    pub fn extract(&mut self, source: Source) -> Result<Extracted, ExtractError> {
        self.extract_as(source, true)
    }

    /// The same without line marks.
    pub fn extract_unmarked(&mut self, source: Source) -> Result<Extracted, ExtractError> {
        self.extract_as(source, false)
    }

    fn extract_as(&mut self, source: Source, marks: bool) -> Result<Extracted, ExtractError> {
        let extraction = Extraction::new(self, source)?;
        let extracted = match self.run_extraction(&extraction, marks) {
            Err(error @ (ExtractError::NoDebugInfo { .. } | ExtractError::Encrypted { .. })) => {
                // What cannot be looked into can be called.
                if let Some((module, beam)) = extraction.given.as_ref().and_then(|beam| Some((name(beam)?, beam))) {
                    self.give(Role::Original, module, beam);
                }
                return Err(error);
            }
            other => other?,
        };
        match (&extracted.beam, &extraction.given) {
            (Some(beam), _) => self.give(Role::Original, extracted.module, beam),
            (None, Some(beam)) => self.give(Role::Original, extracted.module, beam),
            (None, None) => {}
        }
        Ok(extracted)
    }

    fn run_extraction(&mut self, extraction: &Extraction, marks: bool) -> Result<Extracted, ExtractError> {
        let key = self.key(extraction, marks);
        if let Some(extracted) = self.cached(&key) {
            return Ok(extracted);
        }
        let options = if marks { Term::nil() } else { Term::list([Term::atom_named("no_marks")]) };
        let request = Term::tuple([Term::atom_named("extract"), extraction.request.clone(), options]);
        let answer = self.ask_compiler(&request, &extraction.reads, COMPILE_MILLIS)?;
        let term = etf::decode(&answer).map_err(|error| HostError::Failed { detail: error.to_string() })?;
        let extracted = read_answer(&term, &extraction.what, &key)?;
        if self.options.use_cache {
            self.cache.write(&key, &pack(&answer, &dependencies(&term)));
        }
        Ok(extracted)
    }

    fn key(&self, extraction: &Extraction, marks: bool) -> Key {
        let marks = [u8::from(marks)];
        let sources = sources_hash();
        let made_from = [sources.bytes(), self.installation().as_bytes(), &marks, extraction.kind.as_bytes()];
        Key::of(&[&made_from[..], &[&extraction.content, extraction.key_extra.as_bytes()]].concat())
    }

    fn cached(&self, key: &Key) -> Option<Extracted> {
        let data = self.options.use_cache.then(|| self.cache.read(key)).flatten()?;
        let (answer, dependencies) = unpack(&data)?;
        let current = dependencies.iter().all(|(path, hash)| file_hash(path) == Some(*hash));
        if !current {
            return None;
        }
        read_answer(&etf::decode(answer).ok()?, "", key).ok()
    }
}

/// The name of a compiled module: the first of its atoms.
fn name(beam: &[u8]) -> Option<Atom> {
    let (length, names) = chunk(beam, b"AtU8")?.get(4..)?.split_first()?;
    std::str::from_utf8(names.get(..usize::from(*length))?).ok().map(Atom::new)
}

/// Returns the path of the source that a compiled module was made from, as its compiler has recorded it.
pub fn compiled_from(beam: &[u8]) -> Option<PathBuf> {
    let facts = etf::decode(chunk(beam, b"CInf")?).ok()?;
    let source = facts.cells().find_map(|fact| match fact.as_tuple() {
        Some([name, value]) if name.as_atom().is_some_and(|name| name.name() == "source") => Some(value),
        _ => None,
    })?;
    let chars = source.cells().map(|char| char::from_u32(u32::try_from(char.as_i64()?).ok()?));
    chars.collect::<Option<String>>().map(PathBuf::from)
}

/// The content of a chunk of a compiled module.
fn chunk<'a>(beam: &'a [u8], wanted: &[u8; 4]) -> Option<&'a [u8]> {
    let mut rest = beam.strip_prefix(b"FOR1")?.get(4..)?.strip_prefix(b"BEAM")?;
    loop {
        let (id, after) = rest.split_first_chunk::<4>()?;
        let (size, after) = after.split_first_chunk::<4>()?;
        let size = u32::from_be_bytes(*size) as usize;
        if id == wanted {
            return after.get(..size);
        }
        rest = after.get(size.next_multiple_of(4)..)?;
    }
}

fn file_hash(path: &Path) -> Option<[u8; 32]> {
    fs::read(path).ok().map(|bytes| *blake3::hash(&bytes).as_bytes())
}

/// Reads a list of lines.
pub(crate) fn lines(list: &Term) -> Option<Vec<u32>> {
    list.cells().map(|line| line.as_i64().and_then(|line| u32::try_from(line).ok())).collect()
}

fn read_answer(answer: &Term, what: &str, key: &Key) -> Result<Extracted, ExtractError> {
    let malformed = || HostError::Failed { detail: format!("{what}: the answer is not an extracted module") };
    match answer.as_tuple() {
        Some([ok, map]) if ok.as_atom() == Some(term::known::OK) => Ok(read_extracted(map, key).ok_or_else(malformed)?),
        Some([_, failure]) => Err(read_failure(failure, what)),
        _ => Err(malformed().into()),
    }
}

fn read_failure(failure: &Term, what: &str) -> ExtractError {
    let what = what.to_string();
    if let Some([tag, detail]) = failure.as_tuple() {
        return match (tag.as_atom().map_or("", Atom::name), detail.as_atom()) {
            ("no_backend", Some(backend)) => ExtractError::NoBackend { what, backend: backend.name().to_string() },
            _ => ExtractError::Compile { messages: messages(failure) },
        };
    }
    match failure.as_atom().map_or("", Atom::name) {
        "no_debug_info" => ExtractError::NoDebugInfo { what },
        "encrypted" => ExtractError::Encrypted { what },
        _ => ExtractError::NotABeam { what },
    }
}

fn read_extracted(map: &Term, key: &Key) -> Option<Extracted> {
    let map = map.as_map()?;
    let get = |name: &str| map.get(&Term::atom_named(name));
    let text = |name: &str| get(name).and_then(bytes).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Some(Extracted {
        module: get("module")?.as_atom()?,
        core: get("core")?.clone(),
        file: text("file"),
        source: text("source").map(PathBuf::from),
        exports: get("exports")?.cells().map(read_export).collect::<Option<_>>()?,
        funs: get("funs")?.cells().map(read_fun).collect::<Option<_>>()?,
        executable_lines: lines(get("lines")?)?,
        md5: bytes(get("md5")?)?.try_into().ok()?,
        beam: get("beam").and_then(bytes),
        hash: *key.bytes(),
    })
}

fn bytes(term: &Term) -> Option<Vec<u8>> {
    term.as_bits().map(|bits| bits.to_bytes().into_owned())
}

fn read_export(export: &Term) -> Option<(Atom, u8)> {
    let [name, arity] = export.as_tuple()? else { return None };
    Some((name.as_atom()?, u8::try_from(arity.as_i64()?).ok()?))
}

fn read_fun(fun: &Term) -> Option<FunEntry> {
    let [name, arity, index, uniq, free] = fun.as_tuple()? else { return None };
    let number = |term: &Term| term.as_i64().and_then(|n| u32::try_from(n).ok());
    Some(FunEntry {
        name: name.as_atom()?,
        arity: u8::try_from(arity.as_i64()?).ok()?,
        index: number(index)?,
        uniq: number(uniq)?,
        free: number(free)?,
    })
}

/// A file and the hash of its content.
type Dependency = (PathBuf, [u8; 32]);

/// Other files the answer was made from, with their content as it is now.
fn dependencies(answer: &Term) -> Vec<Dependency> {
    let map = answer.as_tuple().and_then(|pair| pair.get(1)).and_then(Term::as_map);
    let Some(files) = map.and_then(|map| map.get(&Term::atom_named("files"))) else { return Vec::new() };
    let paths = files.cells().filter_map(bytes).map(|path| PathBuf::from(String::from_utf8_lossy(&path).into_owned()));
    paths.map(|path| (file_hash(&path).unwrap_or_default(), path)).map(|(hash, path)| (path, hash)).collect()
}

/// Dependencies first, then the answer: count, then per file its hash, the length of its path, and the path.
fn pack(answer: &[u8], dependencies: &[Dependency]) -> Vec<u8> {
    let mut data = (dependencies.len() as u32).to_le_bytes().to_vec();
    for (path, hash) in dependencies {
        let path = path.as_os_str().as_encoded_bytes();
        data.extend(hash);
        data.extend((path.len() as u32).to_le_bytes());
        data.extend(path);
    }
    data.extend(answer);
    data
}

fn unpack(data: &[u8]) -> Option<(&[u8], Vec<Dependency>)> {
    let (count, mut rest) = data.split_first_chunk::<4>()?;
    let mut dependencies = Vec::new();
    for _ in 0..u32::from_le_bytes(*count) {
        let (hash, after) = rest.split_first_chunk::<32>()?;
        let (len, after) = after.split_first_chunk::<4>()?;
        let (path, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        dependencies.push((PathBuf::from(std::str::from_utf8(path).ok()?), *hash));
        rest = after;
    }
    Some((rest, dependencies))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dependency() -> Dependency {
        (PathBuf::from("a/file.hrl"), [7; 32])
    }

    #[test]
    fn an_entry_keeps_answer_and_dependencies() {
        let data = pack(b"answer", &[dependency(), dependency()]);
        assert_eq!(unpack(&data), Some((&b"answer"[..], vec![dependency(), dependency()])));
        (0..4 + 2 * 46).for_each(|len| assert_eq!(unpack(&data[..len]), None, "cut to {len} bytes"));
    }

    proptest! {
        #[test]
        fn any_entry_is_read_or_refused(data in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = unpack(&data);
        }

        #[test]
        fn any_answer_is_read_or_refused(at in 0usize..200, byte in any::<u8>()) {
            let map = [("module", "m"), ("core", "c"), ("file", "none")].map(|(key, value)| (Term::atom_named(key), Term::atom_named(value)));
            let lists = ["exports", "funs", "lines"].map(|key| (Term::atom_named(key), Term::nil()));
            let md5 = (Term::atom_named("md5"), Term::binary(vec![0; 16]));
            let map = Term::map(term::Map::from_pairs(map.into_iter().chain(lists).chain([md5])));
            let key = Key::of(&[]);
            let good = Term::tuple([Term::atom_named("ok"), map]);
            prop_assert!(read_answer(&good, "", &key).is_ok());
            let mut bytes = etf::encode(&good).expect("it holds no closure");
            let at = at % bytes.len();
            bytes[at] = byte;
            if let Ok(term) = etf::decode(&bytes) {
                let _ = read_answer(&term, "", &key);
            }
        }
    }
}
