//! Scopes: the flat variable of a source variable at a point, and unique names for all of them.

use rustc_hash::{FxHashMap, FxHashSet};
use term::Atom;

use super::{Name, Var};
use crate::core::Variable;

/// Source names may be bound again and again; flat ones are bound once.
#[derive(Default)]
pub struct Scope {
    /// The printed names of all variables, by number.
    pub names: Vec<String>,
    taken: FxHashSet<String>,
    /// The last number given to a name that was taken.
    variants: FxHashMap<String, u32>,
    variables: FxHashMap<Variable, Var>,
    functions: FxHashMap<Name, Name>,
    local_names: FxHashMap<Name, u32>,
    undo: Vec<Undo>,
}

enum Undo {
    Variable(Variable, Option<Var>),
    Function(Name, Option<Name>),
}

/// A point to go back to, see [`Scope::reset`].
#[derive(Clone, Copy)]
pub struct Mark(usize);

impl Scope {
    /// The current state, to return to.
    pub fn mark(&self) -> Mark {
        Mark(self.undo.len())
    }

    /// Forgets what was bound since the mark; names stay taken.
    pub fn reset(&mut self, mark: Mark) {
        while self.undo.len() > mark.0 {
            match self.undo.pop() {
                Some(Undo::Variable(variable, before)) => restore(&mut self.variables, variable, before),
                Some(Undo::Function(name, before)) => restore(&mut self.functions, name, before),
                None => return,
            }
        }
    }

    /// The flat variable of a variable.
    pub fn variable(&self, variable: Variable) -> Option<Var> {
        self.variables.get(&variable).copied()
    }

    /// From here on `variable` means `var`.
    pub fn bind(&mut self, variable: Variable, var: Var) {
        let before = self.variables.insert(variable, var);
        self.undo.push(Undo::Variable(variable, before));
    }

    /// A new variable, named like this one if that name is still free.
    pub fn fresh(&mut self, like: Variable) -> Var {
        self.named(source_name(like))
    }

    /// A new variable for a value that the source gives no name.
    pub fn nameless(&mut self) -> Var {
        self.named("_t".into())
    }

    fn named(&mut self, base: String) -> Var {
        let name = if self.taken.contains(&base) { self.variant(base) } else { base };
        self.taken.insert(name.clone());
        self.names.push(name);
        Var(self.names.len() as u32 - 1)
    }

    /// `base` with the next number that makes it new.
    fn variant(&mut self, base: String) -> String {
        let last = self.variants.entry(base.clone()).or_insert(1);
        loop {
            *last += 1;
            let name = format!("{base}_{last}");
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }

    /// The function that `name` means here: a local one if there is, one of the module otherwise.
    pub fn function(&self, name: Name) -> Name {
        self.functions.get(&name).copied().unwrap_or(name)
    }

    /// From here on `name` is a local function, under the unique name returned.
    pub fn bind_function(&mut self, name: Name) -> Name {
        let count = self.local_names.entry(name).or_insert(0);
        *count += 1;
        let unique = match *count {
            1 => name,
            count => Name { function: Atom::new(&format!("{}^{count}", name.function.name())), arity: name.arity },
        };
        let before = self.functions.insert(name, unique);
        self.undo.push(Undo::Function(name, before));
        unique
    }
}

fn restore<K: std::hash::Hash + Eq, V>(map: &mut FxHashMap<K, V>, key: K, before: Option<V>) {
    match before {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    };
}

/// A name that Core Erlang text takes for a variable.
fn source_name(variable: Variable) -> String {
    let name = match variable {
        Variable::Number(number) => return format!("_{}", number.unsigned_abs()),
        Variable::Named(name) => name.name(),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '@' { c } else { '_' };
    let text: String = name.chars().map(plain).collect();
    match text.chars().next() {
        Some('A'..='Z') => text,
        Some('_') if text.len() > 1 => text,
        _ => format!("_{text}_"),
    }
}
