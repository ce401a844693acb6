//! The exceptions that operations raise, ready to be returned.

use term::{Exception, Term, known};

/// A value or an exception.
pub(crate) type Raised<T> = Result<T, Box<Exception>>;

#[cold]
pub(crate) fn badarg<T>() -> Raised<T> {
    Err(Box::new(Exception::badarg()))
}

#[cold]
pub(crate) fn badarith<T>() -> Raised<T> {
    Err(Box::new(Exception::badarith()))
}

#[cold]
pub(crate) fn system_limit<T>() -> Raised<T> {
    Err(Box::new(Exception::system_limit()))
}

/// `{badmap, Value}`.
#[cold]
pub(crate) fn badmap<T>(value: Term) -> Raised<T> {
    Err(Box::new(Exception::tagged(known::BADMAP, value)))
}

/// `{badkey, Key}`.
#[cold]
pub(crate) fn badkey<T>(key: Term) -> Raised<T> {
    Err(Box::new(Exception::tagged(known::BADKEY, key)))
}

/// The value, or `badarg` in its place.
pub(crate) trait OrBadarg<T> {
    fn or_badarg(self) -> Raised<T>;
}

impl<T> OrBadarg<T> for Option<T> {
    #[inline]
    fn or_badarg(self) -> Raised<T> {
        match self {
            Some(value) => Ok(value),
            None => badarg(),
        }
    }
}
