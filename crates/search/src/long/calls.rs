//! Long sequences of calls: an input that calls make is long like a list, with calls in place of elements.

use constraint::{SECOND, call_template};
use term::Term;

use super::pump::{one_changed, repeated};
use super::random::Random;
use crate::parts::with_child;

/// Calls that a change may make.
const MOST_CALLS: usize = 1_000;

/// The calls that make one value, the first one innermost.
#[derive(Clone, Debug)]
pub struct CallChain {
    first: Term,
    /// Calls that take what those before them make, each with the number of that element.
    steps: Vec<(Term, usize)>,
}

impl CallChain {
    /// The calls that a term stands for; nothing if it is a plain value.
    pub fn of(term: &Term) -> Option<CallChain> {
        let (mut rest, mut steps) = (term, Vec::new());
        while let Some(items) = call(rest) {
            match items.iter().rposition(|item| call(item).is_some()) {
                Some(at) => {
                    steps.push((rest.clone(), at));
                    rest = &items[at];
                }
                None => {
                    steps.reverse();
                    return Some(CallChain { first: rest.clone(), steps });
                }
            }
        }
        None
    }

    /// The number of calls after the first.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The value after so many of the calls that follow the first.
    pub fn value(&self, count: usize) -> Term {
        let steps = self.steps.iter().take(count);
        steps.fold(self.first.clone(), |made, (step, at)| with_child(step, *at, made))
    }

    /// The arguments of a call that follows so many others, as inputs in place of these.
    pub fn args(&self, count: usize, inputs: &[Term]) -> Option<Vec<Term>> {
        let (step, at) = self.steps.get(count)?;
        let step = with_child(step, *at, self.value(count));
        let second = inputs.iter().filter(|input| is_second(input));
        let args: Vec<Term> = call(&step)?[1..].iter().chain(second).cloned().collect();
        (args.len() == inputs.len()).then_some(args)
    }
}

/// The elements of a term that stands for a call, its tag first.
fn call(term: &Term) -> Option<&[Term]> {
    term.as_tuple().filter(|items| items.first().and_then(Term::as_atom).and_then(call_template).is_some())
}

/// The longest sequence of calls among inputs, with the number of its input.
pub fn longest(inputs: &[Term]) -> Option<(usize, CallChain)> {
    let chains = inputs.iter().enumerate().filter_map(|(at, input)| Some((at, CallChain::of(input)?)));
    chains.max_by_key(|(_, chain)| chain.len())
}

/// Changes the calls that make an input; false if none does. `others` has inputs to take calls from.
pub fn change(inputs: &mut [Term], others: &[Term], random: &mut Random) -> bool {
    let Some((at, mut chain)) = longest(inputs) else { return false };
    let other = longest(others).map(|(_, chain)| chain);
    match random.below(6) {
        0 => exchange(inputs, at, &mut chain, other, random),
        1 if other.is_some() => chain.steps.extend(other.into_iter().flat_map(|chain| segment(&chain, random))),
        2 if !chain.steps.is_empty() => chain.steps = one_changed(chain.steps, random),
        _ => chain.steps = repeated(&chain.steps, MOST_CALLS, random),
    }
    inputs[at] = chain.value(MOST_CALLS);
    true
}

/// Some calls in a row.
fn segment(chain: &CallChain, random: &mut Random) -> Vec<(Term, usize)> {
    let start = random.below(chain.len());
    let end = (start + 1 + random.below(chain.len() - start.min(chain.len()))).min(chain.len());
    chain.steps.get(start..end).unwrap_or_default().to_vec()
}

/// Lets the call under test become one of those that make its input, and one of those take its place: servers do the
/// same in both.
fn exchange(inputs: &mut [Term], at: usize, chain: &mut CallChain, other: Option<CallChain>, random: &mut Random) {
    let arity = inputs.iter().filter(|input| !is_second(input)).count();
    let of_arity =
        |(step, place): &&(Term, usize)| *place == at + 1 && call(step).is_some_and(|it| it.len() == arity + 1);
    let known = other.map(|chain| chain.steps).unwrap_or_default();
    let like: Vec<(Term, usize)> = chain.steps.iter().chain(&known).filter(of_arity).cloned().collect();
    if let Some((step, place)) = random.pick(&like) {
        let args = inputs.iter().filter(|input| !is_second(input)).enumerate();
        let step = args
            .filter(|(number, _)| *number != at)
            .fold(step.clone(), |step, (number, arg)| with_child(&step, number + 1, arg.clone()));
        chain.steps.push((step, *place));
    }
    if let Some(args) = random.pick(&like).and_then(|(step, _)| call(step)) {
        for (number, arg) in args[1..].iter().enumerate().filter(|(number, _)| *number != at) {
            inputs[number] = arg.clone();
        }
    }
}

fn is_second(term: &Term) -> bool {
    term.as_atom().is_some_and(|atom| atom.name() == SECOND)
}

#[cfg(test)]
mod tests {
    use constraint::call_tag;

    use super::*;

    fn made(template: &str, args: &[Term]) -> Term {
        Term::tuple([&[Term::atom(call_tag(template))], args].concat())
    }

    fn pushed(count: i64) -> Term {
        (0..count).fold(made("new()", &[]), |stack, number| made("push(#1, #2)", &[Term::int(number), stack]))
    }

    #[test]
    fn a_chain_is_read_and_cut() {
        let chain = CallChain::of(&pushed(3)).expect("a chain");
        assert_eq!((chain.len(), chain.value(3), chain.value(1)), (3, pushed(3), pushed(1)));
        let two = [Term::int(0), pushed(0)];
        assert_eq!(chain.args(2, &two), Some(vec![Term::int(2), pushed(2)]));
        assert_eq!((chain.args(2, &two[1..]), chain.args(3, &two)), (None, None));
        assert!(CallChain::of(&Term::int(1)).is_none());
    }

    #[test]
    fn calls_are_repeated() {
        let mut random = Random::new(5);
        let lengths: Vec<usize> = (0..10_000)
            .filter_map(|_| {
                let mut inputs = vec![Term::int(7), pushed(2)];
                change(&mut inputs, &[pushed(3)], &mut random).then_some(())?;
                CallChain::of(&inputs[1]).map(|chain| chain.len())
            })
            .collect();
        assert!(lengths.len() == 10_000 && lengths.iter().any(|length| *length > 100), "{lengths:?}");
        assert!((1..40).all(|length| lengths.contains(&length)), "{lengths:?}");
    }
}
