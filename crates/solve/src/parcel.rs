//! A query without pointers, and its reply: what one thread sends another.

use std::sync::Arc;

use constraint::{Grammar, PlainConditions, PlainGrammar, PlainTerm, RuleId};
use term::Term;

use crate::members::{Members, Reply, Walk};
use crate::query::{Answer, Budget, Query, Unknown};
use crate::smt::SmtError;

/// A query on its way, with all that its answer depends on.
pub struct Parcel {
    grammar: Arc<PlainGrammar>,
    inputs: Vec<RuleId>,
    conditions: PlainConditions,
    near: Vec<PlainTerm>,
    budget: Budget,
}

/// A reply on its way back.
pub struct PlainReply {
    answer: PlainAnswer,
    outside: bool,
    error: Option<SmtError>,
    walk: Option<Walk>,
}

enum PlainAnswer {
    Inputs(Vec<PlainTerm>),
    None,
    Unknown(Unknown),
}

impl Parcel {
    /// `None` if something in it cannot travel.
    pub fn of(query: &Query<'_>, grammar: &Arc<PlainGrammar>, budget: &Budget) -> Option<Parcel> {
        Some(Parcel {
            grammar: Arc::clone(grammar),
            inputs: query.inputs.to_vec(),
            conditions: PlainConditions::of(query.arena, query.conditions)?,
            near: plain(query.near)?,
            budget: *budget,
        })
    }
}

/// Members that are asked by parcel.
pub struct Desk {
    members: Members,
    /// The grammar asked about last: there is hardly ever another.
    grammar: Option<(Arc<PlainGrammar>, Grammar)>,
}

impl Desk {
    pub fn new(members: Members) -> Desk {
        Desk { members, grammar: None }
    }

    /// `None` if parcel or reply cannot be read or written.
    pub fn reply(&mut self, parcel: &Parcel) -> Option<PlainReply> {
        let (arena, conditions) = parcel.conditions.unpacked()?;
        let near: Vec<Term> = parcel.near.iter().map(PlainTerm::term).collect::<Option<_>>()?;
        if !self.grammar.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, &parcel.grammar)) {
            self.grammar = Some((Arc::clone(&parcel.grammar), parcel.grammar.grammar()?));
        }
        let (_, grammar) = self.grammar.as_ref()?;
        let query = Query { arena: &arena, grammar, inputs: &parcel.inputs, conditions: &conditions, near: &near };
        PlainReply::of(self.members.reply(&query, &parcel.budget))
    }
}

impl PlainReply {
    fn of(reply: Reply) -> Option<PlainReply> {
        let answer = match reply.answer {
            Answer::Sat(inputs) => PlainAnswer::Inputs(plain(&inputs)?),
            Answer::Unsat => PlainAnswer::None,
            Answer::Unknown(why) => PlainAnswer::Unknown(why),
        };
        Some(PlainReply { answer, outside: reply.outside, error: reply.error, walk: reply.walk })
    }

    pub fn reply(self) -> Option<Reply> {
        let answer = match self.answer {
            PlainAnswer::Inputs(inputs) => Answer::Sat(inputs.iter().map(PlainTerm::term).collect::<Option<_>>()?),
            PlainAnswer::None => Answer::Unsat,
            PlainAnswer::Unknown(why) => Answer::Unknown(why),
        };
        Some(Reply { answer, outside: self.outside, error: self.error, walk: self.walk })
    }
}

fn plain(terms: &[Term]) -> Option<Vec<PlainTerm>> {
    terms.iter().map(PlainTerm::of).collect()
}
