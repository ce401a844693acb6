//! Findings of earlier runs, kept by the place of the code that has them and not by its content.

use crate::cache::Key;
use crate::host::Host;

impl Host {
    /// Returns the data kept under a name, which is made of parts.
    pub fn kept_findings(&self, name: &[&[u8]]) -> Option<Vec<u8>> {
        self.options.use_cache.then(|| self.cache.read_findings(&key(name))).flatten()
    }

    /// Keeps findings under a name.
    pub fn keep_findings(&self, name: &[&[u8]], data: &[u8]) {
        if self.options.use_cache {
            self.cache.write_findings(&key(name), data);
        }
    }
}

fn key(name: &[&[u8]]) -> Key {
    Key::of(&[&[&b"findings"[..]], name].concat())
}
