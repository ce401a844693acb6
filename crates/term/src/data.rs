//! Terms and atoms as `serde` data: a term is its external format, an atom its name.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::{ByteBuf, Bytes};

use crate::{Atom, Term, etf};

impl Serialize for Atom {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Atom {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Atom, D::Error> {
        let name = String::deserialize(from)?;
        match name.chars().count() {
            0..=Atom::MAX_CHARS => Ok(Atom::new(&name)),
            _ => Err(D::Error::custom("the name of an atom is too long")),
        }
    }
}

/// Marks are not written. A closure of the machine reads back as a fun of the VM: see [`etf::encode_any`].
impl Serialize for Term {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Bytes::new(&etf::encode_any(self).map_err(S::Error::custom)?).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Term {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Term, D::Error> {
        etf::decode(&ByteBuf::deserialize(from)?).map_err(D::Error::custom)
    }
}
