//! Closures as data: a tuple that names the lifted function and has the captured values, so that a call with a closure
//! is an application like others, and can be made again.

use term::{Call, Closure, Fun, Mfa, Term};

use super::super::program::Program;

/// The first element of such a tuple.
const TAG: &str = "$hound_closure";
/// The elements before the captured values.
const HEAD: usize = 6;

/// The value, a closure as the tuple that stands for it. Marks of captured values stay.
pub fn closure_data(term: &Term) -> Term {
    match term {
        Term::Fun(_, fun) if let Fun::Closure(closure) = &**fun => term::deeper(|| {
            let numbers =
                [u32::from(closure.arity), closure.index, closure.uniq].map(|number| Term::int(number.into()));
            let names = [Term::atom_named(TAG), Term::atom(closure.module), Term::atom(closure.name)];
            let captured = closure.captured.iter().map(closure_data);
            Term::tuple(names.into_iter().chain(numbers).chain(captured).collect::<Vec<Term>>())
        }),
        _ => term.clone(),
    }
}

/// Returns true if a term is a tuple that stands for a closure.
pub fn is_closure_data(term: &Term) -> bool {
    let first = term.as_tuple().filter(|items| items.len() >= HEAD).and_then(|items| items[0].as_atom());
    first.is_some_and(|tag| tag.name() == TAG)
}

impl Program {
    /// The call with closures in the place of the tuples that stand for them; `None` if the program lacks one.
    pub fn with_closures(&mut self, call: &Call) -> Option<Call> {
        let args = call.args.iter().map(|arg| self.closure(arg)).collect::<Option<Vec<Term>>>()?;
        Some(Call { args, ..*call })
    }

    fn closure(&mut self, term: &Term) -> Option<Term> {
        if !is_closure_data(term) {
            return Some(term.clone());
        }
        let items = term.as_tuple()?;
        let number = |at: usize| items[at].as_bigint().and_then(|value| u32::try_from(value).ok());
        let (module, name) = (items[1].as_atom()?, items[2].as_atom()?);
        let (arity, index, uniq) = (u8::try_from(number(3)?).ok()?, number(4)?, number(5)?);
        let captured = items[HEAD..].iter().map(|item| self.closure(item)).collect::<Option<Box<[Term]>>>()?;
        let lifted = Mfa { module, function: name, arity: arity.checked_add(u8::try_from(captured.len()).ok()?)? };
        let code = self.mention(lifted);
        // A function that was not called yet captures nothing.
        let is_known = captured.is_empty() || self.functions[code as usize].graph.is_some();
        is_known.then(|| Term::fun(Fun::Closure(Closure { module, name, arity, code, index, uniq, captured })))
    }
}
