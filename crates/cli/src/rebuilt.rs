//! What is rebuilt from the events of a call, as text: the symbolic run, its alternatives, test cases.

use frontend::core::Name;
use frontend::instrument::Table;
use host::Observed;
use search::rebuild::{Answer, Inputs, alternatives, symbolic, tests, texts, trace};
use term::{Call, Mfa, Term};

use crate::explore::types::domain;
use crate::instrument::MOST;
use crate::world::{Outside, Shared};

/// The most test cases that are looked for.
const CASES: usize = 1_000;

pub struct Rebuilding<'a> {
    pub table: &'a Table,
    pub call: &'a Call,
    pub events: &'a [Observed],
    pub depth: Option<usize>,
}

impl Rebuilding<'_> {
    /// Nothing if the call is not of a function that tells its events.
    pub fn text(&self, outside: Outside) -> String {
        let Ok(arity) = u8::try_from(self.call.args.len()) else { return String::new() };
        let function = Name { function: self.call.function, arity };
        if self.table.function(function).is_none() {
            return String::new();
        }
        let told: Vec<(u32, Option<&Term>)> = self.events.iter().map(|it| (it.number, it.value.as_ref())).collect();
        let mut text = String::from("\n%% The symbolic run.\n");
        match symbolic(self.table, function, &told) {
            Some(run) => {
                let all = texts(&[&[run.result], &run.params[..]].concat());
                text.push_str(&format!("Res = {}, Vars = {}\n", all[0], all[1..].join(", ")));
            }
            None => text.push_str("the events do not fit together\n"),
        }
        let row = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        text.push_str(&format!("trace {}\n\n%% Runs that select another clause.\n", row(&trace(self.table, &told))));
        for other in alternatives(self.table, function, &told) {
            text.push_str(&format!("Vars = {}, trace {}\n", vars(&other.params), row(&other.trace)));
        }
        if let Some(depth) = self.depth {
            text.push_str(&self.cases(outside, function, depth));
        }
        text
    }

    fn cases(&self, outside: Outside, function: Name, depth: usize) -> String {
        let shared = Shared::new(outside);
        let entry = Mfa { module: self.call.module, function: function.function, arity: function.arity };
        let domain = domain(&shared, entry, vec![entry.module]);
        let rules = &domain.target.signatures[0].inputs;
        let inputs = Inputs { table: self.table, function, grammar: &domain.grammar, rules, depth };
        let cases = tests(&inputs, self.call.args.clone(), CASES, &mut |args| {
            let call = Call { args: args.to_vec(), ..self.call.clone() };
            let (_, events) = shared.borrow_mut().host.call_observed(&call, MOST);
            Some(events.ok()?.into_iter().map(|event| (event.number, event.value)).collect())
        });
        let lines = cases.into_iter().map(|args| format!("{}\n", Call { args, ..self.call.clone() }));
        format!("\n%% Test cases.\n{}", lines.collect::<String>())
    }
}

fn vars(params: &[Answer]) -> String {
    texts(params).join(", ")
}
