//! The natives of the `unicode` module.

use term::{Mfa, Term};

use crate::detour::{Detour, Subject, mfa};
use crate::erlang::iodata::{Leaf, walk};
use crate::erlang::text::Encoding;
use crate::{Environment, Eval, Operation};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::pure("bin_is_7bit", 1, bin_is_7bit).prelude("unicode", "bin_is_7bit"),
    Operation::running("characters_to_binary", 2, characters_to_binary)
        .detour(Detour { rule: other_to_binary, subject: Subject::Ignored })
        .prelude("unicode", "characters_to_binary"),
    Operation::running("characters_to_list", 2, characters_to_list)
        .detour(Detour { rule: other_to_list, subject: Subject::Ignored })
        .prelude("unicode", "characters_to_list"),
];

/// The functions of `unicode_util`, of which the prelude has versions that ask less.
pub(crate) const UTIL: &[Operation] = &[
    util("casefold"),
    util("gc"),
    util("lowercase"),
    util("nfc"),
    util("nfd"),
    util("nfkc"),
    util("nfkd"),
    util("titlecase"),
    util("uppercase"),
];

const fn util(name: &'static str) -> Operation {
    Operation::code(name, 1).prelude("unicode_util", name)
}

/// Other encodings than these two are the library's business.
fn other_to_binary(_: &mut dyn Environment, args: &[Term]) -> Option<(Mfa, Vec<Term>)> {
    Encoding::of(&args[1]).is_none().then(|| (mfa("unicode", "characters_to_binary_int", 2), args.to_vec()))
}

fn other_to_list(_: &mut dyn Environment, args: &[Term]) -> Option<(Mfa, Vec<Term>)> {
    Encoding::of(&args[1]).is_none().then(|| (mfa("unicode", "characters_to_list_int", 2), args.to_vec()))
}

fn bin_is_7bit(args: &mut [Term]) -> Eval {
    let plain = args[0].as_bits().is_some_and(|bits| bits.is_binary() && bits.to_bytes().is_ascii());
    Ok(Term::bool(plain))
}

fn characters_to_binary(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    match Encoding::of(&args[1]).and_then(|encoding| encoding.read(&args[0])) {
        Some(text) => Ok(Term::binary(text.into_bytes())),
        None => ask(run, "characters_to_binary", args),
    }
}

fn characters_to_list(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    match Encoding::of(&args[1]).and_then(|encoding| encoding.read(&args[0])) {
        Some(text) => Ok(Term::string(&text)),
        None => ask(run, "characters_to_list", args),
    }
}

/// The VM's answer to data that is not all good text. What it gives back of the rest follows the way in which it took
/// the data apart, so it is the one to say.
fn ask(run: &mut dyn Environment, name: &str, args: &[Term]) -> Eval {
    run.ask(mfa("unicode", name, 2), args)
}

impl Encoding {
    /// The text that a nested list of characters and binaries spells, if it spells text.
    fn read(self, data: &Term) -> Option<String> {
        let mut text = Text { encoding: self, done: String::new(), bytes: Vec::new() };
        walk(data, |leaf| match leaf {
            Leaf::Int(point) => text.point(point),
            Leaf::Bits(bits) => bits.is_binary().then(|| text.bytes(&bits.to_bytes())),
        })?;
        text.finish()
    }
}

/// Text as it grows. A character may be spread over binaries that follow each other, so bytes wait until they end.
struct Text {
    encoding: Encoding,
    done: String,
    bytes: Vec<u8>,
}

impl Text {
    fn bytes(&mut self, bytes: &[u8]) {
        match self.encoding {
            Encoding::Latin1 => self.done.extend(bytes.iter().map(|&byte| char::from(byte))),
            Encoding::Utf8 => self.bytes.extend_from_slice(bytes),
        }
    }

    fn point(&mut self, point: i64) -> Option<()> {
        self.flush()?;
        let character = u32::try_from(point).ok().and_then(char::from_u32)?;
        if self.encoding == Encoding::Latin1 && point > 255 {
            return None;
        }
        self.done.push(character);
        Some(())
    }

    fn flush(&mut self) -> Option<()> {
        if !self.bytes.is_empty() {
            self.done.push_str(str::from_utf8(&self.bytes).ok()?);
            self.bytes.clear();
        }
        Some(())
    }

    fn finish(mut self) -> Option<String> {
        self.flush()?;
        Some(self.done)
    }
}
