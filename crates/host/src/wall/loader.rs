//! The loader of a program: the one that its own file names, wherever an installation keeps it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The type of the segment that names the loader.
const INTERPRETER: u32 = 3;

/// The part of a program that is read: its headers and the name of the loader come first.
const HEAD: u64 = 1 << 16;

/// Returns the loader that a program of 64 bits asks for, if it asks for one.
pub(super) fn loader_of(program: &Path) -> Option<PathBuf> {
    let mut file = Vec::new();
    File::open(program).ok()?.take(HEAD).read_to_end(&mut file).ok()?;
    let is_known = file.starts_with(b"\x7fELF\x02\x01");
    let word = |at: usize| Some(u64::from_le_bytes(file.get(at..at.checked_add(8)?)?.try_into().ok()?) as usize);
    let half = |at: usize| Some(u16::from_le_bytes(file.get(at..at.checked_add(2)?)?.try_into().ok()?) as usize);
    let (first, size, count) = (word(0x20)?, half(0x36)?, half(0x38)?);
    let headers = (0..count).filter_map(|number| file.get(first.checked_add(number * size)?..));
    let named = headers.filter(|_| is_known).find(|header| header.starts_with(&INTERPRETER.to_le_bytes()))?;
    let field = |at: usize| Some(u64::from_le_bytes(named.get(at..at + 8)?.try_into().ok()?) as usize);
    let (begin, length) = (field(8)?, field(32)?);
    let name = file.get(begin..begin.checked_add(length)?)?.split(|&byte| byte == 0).next()?;
    Some(PathBuf::from(OsStr::from_bytes(name)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_program_names_its_loader() {
        let own = std::env::current_exe().expect("this program");
        let loader = loader_of(&own).expect("it is linked with the system's libraries");
        assert!(loader.is_file(), "{}", loader.display());
    }

    #[test]
    fn what_is_no_program_names_none() {
        let folder = std::env::temp_dir().join(format!("hound_loader_{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let own = fs::read(std::env::current_exe().expect("this program")).expect("it can be read");
        for (name, bytes) in
            [("empty", &own[..0]), ("magic", &own[..6]), ("header", &own[..60]), ("text", b"#!/bin/sh\n")]
        {
            let file = folder.join(name);
            fs::write(&file, bytes).expect("a file");
            assert_eq!(loader_of(&file), None, "{name}");
        }
        let mut damaged = own[..4096.min(own.len())].to_vec();
        damaged[0x20..0x28].fill(0xff);
        fs::write(folder.join("damaged"), damaged).expect("a file");
        assert_eq!(loader_of(&folder.join("damaged")), None);
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
