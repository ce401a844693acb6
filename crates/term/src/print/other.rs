//! Names, calls and outcomes as text.

use std::fmt;

use super::{Style, name};
use crate::{Atom, Call, Class, Exception, Mfa, Outcome, Term};

/// Quoted where Erlang source needs it.
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        name::write_atom(f, self.name(), false)
    }
}

impl fmt::Display for Mfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.module, self.function, self.arity)
    }
}

/// As it can be pasted into the shell.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write(Style::Paste))
    }
}

impl Call {
    /// The call as text, with its arguments in a style.
    pub fn write(&self, style: Style) -> String {
        let args: Vec<String> = self.args.iter().map(|arg| arg.write(style)).collect();
        format!("{}:{}({})", self.module, self.function, args.join(", "))
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.atom())
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.class, self.reason)
    }
}

impl fmt::Debug for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        match &self.stack {
            Term::Nil(_) => Ok(()),
            stack => write!(f, " at {stack}"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Value(value) => write!(f, "{value}"),
            Outcome::Raised(exception) => write!(f, "{exception}"),
        }
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Value(value) => write!(f, "Value({value})"),
            Outcome::Raised(exception) => write!(f, "Raised({exception:?})"),
        }
    }
}
