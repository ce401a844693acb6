//! Names of lifted functions: funs and comprehensions.

use host::FunEntry;
use term::{Atom, Mfa};

/// Returns the function that a lifted one, such as `'-main/1-fun-0-'` or `'-main/1-lc$^0/1-0-'`, was taken out of.
pub fn enclosing(lifted: Mfa) -> Option<Mfa> {
    let name = lifted.function.name().strip_prefix('-')?;
    name.match_indices('/').find_map(|(slash, _)| {
        let arity = name[slash + 1..].split('-').next()?.parse().ok()?;
        Some(Mfa { module: lifted.module, function: Atom::new(&name[..slash]), arity })
    })
}

/// Returns our name of a fun. The VM lists a fun of a module's own function under that function; we lift one that calls
/// it.
pub(super) fn lifted_name(fun: &FunEntry) -> Atom {
    match fun.name.name() {
        name if name.starts_with('-') => fun.name,
        name => Atom::new(&format!("-fun.{name}/{}-", fun.arity)),
    }
}

/// Splits the name of a named fun, such as `'-main/1-Loop/2-0-'`, into its stem and its number.
pub(super) fn numbered(name: &str) -> Option<(&str, u32)> {
    let (stem, number) = name.strip_suffix('-')?.rsplit_once('-')?;
    Some((stem, number.parse().ok()?)).filter(|(stem, _)| !stem.ends_with("-fun"))
}

/// Returns the named funs of one stem, in the order of their numbers.
pub(super) fn with_stem(stem: &str, names: impl Iterator<Item = Atom>) -> Vec<Atom> {
    let number = |name: Atom| numbered(name.name()).filter(|(own, _)| *own == stem).map(|(_, number)| (number, name));
    let mut found: Vec<(u32, Atom)> = names.filter_map(number).collect();
    found.sort_unstable_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifted_name_holds_its_function() {
        let outer = |name: &str| {
            let lifted = Mfa { module: Atom::new("m"), function: Atom::new(name), arity: 2 };
            enclosing(lifted).map(|outer| outer.to_string())
        };
        assert_eq!(outer("-main/1-fun-0-").as_deref(), Some("m:main/1"));
        assert_eq!(outer("-main/3-lc$^0/1-0-").as_deref(), Some("m:main/3"));
        assert_eq!(outer("-a/b/2-blc$^1/1-3-").as_deref(), Some("m:'a/b'/2"));
        assert_eq!(outer("main"), None);
    }

    #[test]
    fn named_funs_are_ordered_by_number() {
        assert_eq!(numbered("-main/1-Loop/2-10-"), Some(("-main/1-Loop/2", 10)));
        assert_eq!(numbered("-main/1-fun-10-"), None);
        let names = ["-f/1-R/1-10-", "-f/1-S/1-3-", "-f/1-R/1-9-", "-f/1-fun-0-"].map(Atom::new);
        assert_eq!(with_stem("-f/1-R/1", names.into_iter()), ["-f/1-R/1-9-", "-f/1-R/1-10-"].map(Atom::new));
    }
}
