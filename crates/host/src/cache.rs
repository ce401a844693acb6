//! The cache on disk. An entry that is not exactly what was written is as good as none.
//!
//! An entry is a magic word, a version, its key, the length and the checksum of its data, and the data.

use std::fs::Permissions;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io, process};

const MAGIC: &[u8; 8] = b"HOUNDMOD";
/// Changes when the form of an entry does.
const VERSION: u32 = 1;
/// The number of modules that are kept.
const MAX_ENTRIES: usize = 4096;
const HEAD: usize = 8 + 4 + 32 + 8 + 32;

/// Names an entry: a hash of everything its data depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key([u8; 32]);

impl Key {
    /// Hashes the parts one after another, each with its length, so that parts cannot run into each other.
    pub fn of(parts: &[&[u8]]) -> Key {
        let mut hash = blake3::Hasher::new();
        for part in parts {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Key(*hash.finalize().as_bytes())
    }

    /// Returns the whole hash.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the name of the entry's file.
    pub fn hex(&self) -> String {
        self.0[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The folder of the cache.
pub(crate) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// Uses the first folder that is ours alone and can be written to, for what is written there is run; where there is no
    /// room at all, the first from which may be read. The last resort is a new folder in the temporary one.
    pub fn open(given: Option<PathBuf>) -> Cache {
        let shared = env::temp_dir().join(format!("tracehound-{}", own_user()));
        // Erlang could not be given a name that is not UTF-8.
        let candidates = [given, default_directory(), Some(shared)].into_iter().flatten();
        let candidates = candidates.filter(|directory| directory.to_str().is_some());
        let ours: Vec<PathBuf> = candidates.filter(|directory| is_private(directory)).collect();
        let open = ours.iter().find(|directory| writable(directory)).or(ours.first());
        Cache { directory: open.cloned().unwrap_or_else(new_directory) }
    }

    /// Returns the folder of the cache.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    fn file(&self, key: &Key) -> PathBuf {
        self.directory.join("modules").join(key.hex())
    }

    fn samples(&self, key: &Key) -> PathBuf {
        self.directory.join("samples").join(key.hex())
    }

    /// Returns kept samples.
    pub fn read_samples(&self, key: &Key) -> Option<Vec<u8>> {
        read_entry(&self.samples(key), key)
    }

    /// Keeps samples.
    pub fn write_samples(&self, key: &Key, data: &[u8]) {
        let _ = write_entry(&self.samples(key), key, data);
        if key.0[0] < 4 {
            prune(&self.directory.join("samples"), MAX_ENTRIES);
        }
    }

    fn findings(&self, key: &Key) -> PathBuf {
        self.directory.join("findings").join(key.hex())
    }

    /// Returns kept findings.
    pub fn read_findings(&self, key: &Key) -> Option<Vec<u8>> {
        read_entry(&self.findings(key), key)
    }

    /// Keeps findings.
    pub fn write_findings(&self, key: &Key, data: &[u8]) {
        let _ = write_entry(&self.findings(key), key, data);
        if key.0[0] < 4 {
            prune(&self.directory.join("findings"), MAX_ENTRIES);
        }
    }

    /// Returns a kept module.
    pub fn read(&self, key: &Key) -> Option<Vec<u8>> {
        read_entry(&self.file(key), key)
    }

    /// Keeps the data. Not being able to is no error: it is only slower the next time.
    pub fn write(&self, key: &Key, data: &[u8]) {
        let _ = write_entry(&self.file(key), key, data);
        // Looking at every entry takes a while: one write in 64 does it.
        if key.0[0] < 4 {
            prune(&self.directory.join("modules"), MAX_ENTRIES);
        }
    }
}

/// Returns the folder of the cache in which something of that name is built.
pub fn build_folder(name: &str) -> PathBuf {
    Cache::open(None).directory().join("builds").join(name)
}

/// Takes a lock on a file, which lasts until the file is closed; waits for another's, or fails.
pub fn lock(file: &fs::File, is_patient: bool) -> io::Result<()> {
    let operation = if is_patient { libc::LOCK_EX } else { libc::LOCK_EX | libc::LOCK_NB };
    // SAFETY: the descriptor is open.
    match unsafe { libc::flock(file.as_raw_fd(), operation) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Removes the oldest entries when there are too many; half are kept, so that it is not done again at once.
fn prune(directory: &Path, most: usize) {
    let Ok(files) = fs::read_dir(directory) else { return };
    let dated = |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let mut entries: Vec<_> = files.flatten().filter_map(dated).collect();
    if entries.len() > most {
        entries.sort();
        // One that is gone already needs no removing.
        entries.iter().take(entries.len() - most / 2).for_each(|(_, path)| drop(fs::remove_file(path)));
    }
}

fn default_directory() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    Some(base.or_else(|| set("HOME").map(|home| home.join(".cache")))?.join("tracehound"))
}

fn own_user() -> u32 {
    // SAFETY: the call cannot fail.
    unsafe { libc::geteuid() }
}

/// Makes the folder if there is none, and takes from others the right to write there. False: it is not ours.
fn is_private(directory: &Path) -> bool {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
    let Ok(found) = made.and_then(|()| fs::symlink_metadata(directory)) else { return false };
    let ours = found.is_dir() && found.uid() == own_user();
    let closed = found.mode() & 0o022 == 0;
    ours && (closed || fs::set_permissions(directory, Permissions::from_mode(found.mode() & 0o755)).is_ok())
}

/// A folder that is there for this process alone; if even that cannot be made, one in which nothing is found.
fn new_directory() -> PathBuf {
    let directory = env::temp_dir().join(unique_name("tracehound"));
    // Only one that was not there before: another's would be trusted.
    let _ = fs::DirBuilder::new().mode(0o700).create(&directory);
    directory
}

/// True if there is room for more than a name: on a full disk an empty file can still be made.
fn writable(directory: &Path) -> bool {
    let probe = directory.join(unique_name("probe"));
    let written = fs::write(&probe, [0; 4096]);
    // What was not written need not be removed.
    let removed = fs::remove_file(&probe);
    written.is_ok() && removed.is_ok()
}

/// The data of the entry in that file, if it is whole and has that key.
pub(crate) fn read_entry(file: &Path, key: &Key) -> Option<Vec<u8>> {
    let bytes = fs::read(file).ok()?;
    let data = unpack(&bytes, key)?.to_vec();
    Some(data)
}

/// Returns the data of an entry's bytes.
pub(crate) fn unpack<'a>(bytes: &'a [u8], key: &Key) -> Option<&'a [u8]> {
    let (head, data) = bytes.split_at_checked(HEAD)?;
    (head == self::head(key, data)).then_some(data)
}

fn head(key: &Key, data: &[u8]) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEAD);
    head.extend(MAGIC);
    head.extend(VERSION.to_le_bytes());
    head.extend(key.0);
    head.extend((data.len() as u64).to_le_bytes());
    head.extend(blake3::hash(data).as_bytes());
    head
}

/// Writes beside the file and then renames, so that a reader sees the old entry or the new one, never half of one.
pub(crate) fn write_entry(file: &Path, key: &Key, data: &[u8]) -> io::Result<()> {
    let directory = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let work = directory.join(unique_name("new"));
    let mut bytes = head(key, data);
    bytes.extend_from_slice(data);
    let written = fs::write(&work, bytes).and_then(|()| fs::rename(&work, file));
    if written.is_err() {
        let _ = fs::remove_file(&work);
    }
    written
}

/// A name that no other thread or process makes.
pub(crate) fn unique_name(prefix: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!(".{prefix}-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(key: &Key, data: &[u8]) -> Vec<u8> {
        [head(key, data), data.to_vec()].concat()
    }

    #[test]
    fn an_entry_reads_back() {
        let key = Key::of(&[b"a", b"bc"]);
        assert_eq!(unpack(&packed(&key, b"data"), &key), Some(&b"data"[..]));
        assert_eq!(unpack(&packed(&key, b""), &key), Some(&b""[..]));
    }

    #[test]
    fn no_damage_goes_unnoticed() {
        let key = Key::of(&[b"key"]);
        let good = packed(&key, b"some data");
        for len in 0..good.len() {
            assert_eq!(unpack(&good[..len], &key), None, "cut to {len} bytes");
        }
        for at in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[at / 8] ^= 1 << (at % 8);
            assert_eq!(unpack(&bad, &key), None, "bit {at} flipped");
        }
        assert_eq!(unpack(&[good, vec![0]].concat(), &key), None);
        assert_eq!(unpack(&packed(&Key::of(&[b"other"]), b"some data"), &key), None);
    }

    #[test]
    fn a_folder_that_others_could_write_to_is_closed_or_not_used() {
        let directory = env::temp_dir().join(unique_name("owner-test"));
        fs::DirBuilder::new().create(&directory).expect("it can be made");
        fs::set_permissions(&directory, Permissions::from_mode(0o777)).expect("it can be opened");
        assert_eq!(Cache::open(Some(directory.clone())).directory(), directory);
        assert_eq!(fs::metadata(&directory).expect("it is there").mode() & 0o777, 0o755);
        let link = env::temp_dir().join(unique_name("link-test"));
        std::os::unix::fs::symlink(&directory, &link).expect("it can be made");
        assert_ne!(Cache::open(Some(link.clone())).directory(), link);
        fs::remove_file(&link).expect("it can be removed");
        if own_user() == 0 {
            std::os::unix::fs::chown(&directory, Some(1), None).expect("it can be given away");
            assert_ne!(Cache::open(Some(directory.clone())).directory(), directory);
        }
        fs::remove_dir_all(directory).expect("it can be removed");
    }

    #[test]
    fn old_entries_make_room() {
        let cache = Cache::open(Some(env::temp_dir().join(unique_name("prune-test"))));
        let keys: Vec<Key> = (0..10u8).map(|n| Key::of(&[&[n]])).collect();
        keys.iter().for_each(|key| cache.write(key, b"x"));
        let directory = cache.directory().join("modules");
        prune(&directory, 10);
        assert!(keys.iter().all(|key| cache.read(key).is_some()));
        prune(&directory, 8);
        assert_eq!(keys.iter().filter(|key| cache.read(key).is_some()).count(), 4);
        fs::remove_dir_all(cache.directory()).expect("it can be removed");
    }

    #[test]
    fn parts_of_a_key_do_not_run_together() {
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
    }
}
