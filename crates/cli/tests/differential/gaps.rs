//! The list of functions known not to agree, each with its reason.

use term::{Atom, Mfa};

/// One line of the list: `m:f/a  reason`.
pub struct Gap {
    pub function: Mfa,
    pub reason: String,
}

pub fn read(text: &str) -> Vec<Gap> {
    let lines = text.lines().enumerate();
    let wanted = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    wanted.map(|(at, line)| parse(line).unwrap_or_else(|| panic!("gaps.txt:{}: not `m:f/a reason`", at + 1))).collect()
}

fn parse(line: &str) -> Option<Gap> {
    let (name, reason) = line.split_once(char::is_whitespace)?;
    let (module, rest) = name.split_once(':')?;
    let (function, arity) = rest.rsplit_once('/')?;
    let function = Mfa { module: Atom::new(module), function: Atom::new(function), arity: arity.parse().ok()? };
    (!reason.trim().is_empty()).then(|| Gap { function, reason: reason.trim().to_string() })
}
