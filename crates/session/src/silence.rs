//! Defects that sources and configured lines silence: `-hound([{ignore, ["throw"]}])` in Erlang, `@hound` in Elixir.
//!
//! An attribute has the rules of its module, `{ignore, Rules}`, or of one function, `{f/1, [{ignore, Rules}]}`, alone or in
//! a list. Elixir keeps an attribute in the compiled module if it is registered with `persist: true`.

use search::{Ignore, LineName};
use term::{Atom, Mfa, Term};

use crate::explore::modules;
use crate::library::LoadedModule;
use crate::{Failure, Session};

/// The rules that the sources of some modules have.
#[derive(Default)]
pub struct SourceRules {
    modules: Vec<(Atom, Ignore)>,
    /// Each holds within its function.
    functions: Vec<Ignore>,
}

impl SourceRules {
    /// Reads those of the modules of these functions.
    pub fn read(session: &Session, functions: &[Mfa]) -> Result<SourceRules, Failure> {
        let mut rules = SourceRules::default();
        for module in modules(functions) {
            let loaded = session.module(module)?;
            for value in loaded.silenced() {
                let wrong = |why| Failure::BadConfig(format!("{}: -hound({value}): {why}", loaded.file));
                rules.add(&loaded, value).map_err(wrong)?;
            }
        }
        Ok(rules)
    }

    /// Returns the rules for the exploration of a function.
    pub fn of(&self, function: Mfa) -> Vec<Ignore> {
        let own = self.modules.iter().filter(|(module, _)| *module == function.module).map(|(_, rule)| rule);
        own.chain(&self.functions).cloned().collect()
    }

    fn add(&mut self, module: &LoadedModule, value: &Term) -> Result<(), String> {
        if let Some(items) = value.proper_list() {
            return items.iter().try_for_each(|item| self.add(module, item));
        }
        match value.as_tuple() {
            Some([key, rules]) if key.as_atom().is_some() => {
                let rules = ignored(key, rules)?;
                self.modules.extend(rules.into_iter().map(|rule| (module.name, rule)));
                Ok(())
            }
            Some([name, options]) => self.add_function(module, name, options),
            _ => Err(format!("{value} is neither {{ignore, Rules}} nor {{Function/Arity, [{{ignore, Rules}}]}}")),
        }
    }

    fn add_function(&mut self, module: &LoadedModule, name: &Term, options: &Term) -> Result<(), String> {
        let function = function(module.name, name).ok_or_else(|| format!("{name} is no name of a function"))?;
        if !module.has(function.function, function.arity) {
            return Err(module.missing_anywhere(function).to_string());
        }
        let options = options.proper_list().unwrap_or_else(|| vec![options.clone()]);
        for option in &options {
            let Some([key, rules]) = option.as_tuple() else {
                return Err(format!("{option} is not {{ignore, Rules}}"));
            };
            self.functions.extend(ignored(key, rules)?.into_iter().map(|rule| rule.within(function)));
        }
        Ok(())
    }
}

/// `f/1`, which the compiler makes `{f, 1}`.
fn function(module: Atom, name: &Term) -> Option<Mfa> {
    let [function, arity] = name.as_tuple()? else { return None };
    Some(Mfa { module, function: function.as_atom()?, arity: u8::try_from(arity.as_i64()?).ok()? })
}

/// The rules of `{ignore, Rules}`.
fn ignored(key: &Term, rules: &Term) -> Result<Vec<Ignore>, String> {
    if key.as_atom().is_none_or(|key| key.name() != "ignore") {
        return Err(format!("unknown key {key}; there is ignore"));
    }
    let texts = match (text(rules), rules.proper_list()) {
        (Some(one), _) => vec![one],
        (None, Some(items)) => {
            let read = |item: &Term| text(item).ok_or_else(|| format!("{item} is no text of a rule"));
            items.iter().map(read).collect::<Result<_, _>>()?
        }
        (None, None) => return Err(format!("{rules} is no list of rules")),
    };
    if texts.is_empty() {
        return Err("there is nothing to ignore".to_owned());
    }
    texts.iter().map(|text| Ignore::parse(text).map_err(|why| why.to_string())).collect()
}

/// A rule as a string, a binary or an atom.
fn text(term: &Term) -> Option<String> {
    if let Some(atom) = term.as_atom() {
        return Some(atom.name().to_owned());
    }
    if let Some(bits) = term.as_bits() {
        return String::from_utf8(bits.to_bytes().into_owned()).ok();
    }
    let char = |item: &Term| item.as_i64().and_then(|char| char::from_u32(u32::try_from(char).ok()?));
    term.proper_list().filter(|items| !items.is_empty())?.iter().map(char).collect()
}

/// Returns why a configured line silences nothing: it has no code, in a file of an explored module. Of others nothing is
/// known.
pub fn check_line(session: &Session, functions: &[Mfa], line: &LineName) -> Result<(), String> {
    let explored = modules(functions).into_iter().filter_map(|module| session.module(module).ok());
    let of_file: Vec<_> = explored.filter(|module| line.is_of(&module.file)).collect();
    if of_file.is_empty() || of_file.iter().any(|module| has_code(session, module, line.line)) {
        return Ok(());
    }
    Err(format!("there is no code at {line}"))
}

fn has_code(session: &Session, module: &LoadedModule, line: u32) -> bool {
    module.names().any(|name| {
        let function = Mfa { module: module.name, function: name.function, arity: name.arity };
        session.unit(function, true).is_ok_and(|unit| unit.functions.iter().any(|function| is_at(function, line)))
    })
}

fn is_at(function: &ir::Function, line: u32) -> bool {
    let blocks = function
        .blocks
        .iter()
        .flat_map(|block| block.body.iter().map(|instruction| instruction.location).chain([block.end_location]));
    let clauses = function.cases.iter().flat_map(|case| case.clauses.iter().copied().chain([case.location]));
    blocks.chain(clauses).chain([function.location]).any(|location| location.line == line)
}
