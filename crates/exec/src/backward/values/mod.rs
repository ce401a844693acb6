//! The values that registers can hold, by what flows where, in any order.
//!
//! Every register, every place where something is built and every rule of an input is a cell: a rule of one grammar
//! whose shapes are found by letting them flow until nothing changes. Shapes come from the specs of entry points and
//! from the program's text, so there are only so many. The values of code that is not looked into can be anything, and
//! so can the arguments of funs that such code gets hold of.

mod cells;
mod fixpoint;
mod transfer;

use constraint::{Grammar, RuleId};
use ir::Reg;
use rustc_hash::{FxHashMap, FxHashSet};

use self::cells::{Flows, Pipe};
use super::program::{FunctionId, Program};

/// Registers and the rules of what they can hold.
pub struct Values {
    grammar: Grammar,
    any: RuleId,
    registers: FxHashMap<(FunctionId, Reg), RuleId>,
    looked: FxHashSet<FunctionId>,
    /// Every function that can run was looked into, so that others have no values.
    whole: bool,
    none: RuleId,
    /// Rules that no value has.
    empty: Vec<bool>,
    calls_by_name: bool,
}

/// An entry point: its function, and for each clause of its spec the rules of its parameters.
pub struct EntryRules<'a> {
    pub function: FunctionId,
    pub grammar: &'a Grammar,
    pub signatures: Vec<Vec<RuleId>>,
}

impl Values {
    /// Lets values flow from the entry points; functions in `open` may be called with anything. Gives also the rules
    /// that the signatures have here.
    pub fn of(
        program: &mut Program<'_>,
        entry_points: &[EntryRules<'_>],
        open: &FxHashSet<FunctionId>,
    ) -> (Values, Vec<Vec<Vec<RuleId>>>) {
        let mut flows = Flows::new(program.modules());
        let mut rules = Vec::new();
        for entry in entry_points {
            let base = flows.import(entry.grammar);
            let moved = |rule: &RuleId| RuleId(rule.0 + base);
            let signatures: Vec<Vec<RuleId>> =
                entry.signatures.iter().map(|rules| rules.iter().map(moved).collect()).collect();
            for signature in &signatures {
                let params = program.function(entry.function).params.clone();
                for (param, rule) in params.into_iter().zip(signature) {
                    let cell = flows.register(entry.function, param);
                    flows.pipe(*rule, Pipe::To(cell));
                }
            }
            flows.call(entry.function);
            rules.push(signatures);
        }
        for function in open {
            flows.call_with_anything(program, *function);
        }
        flows.settle(program);
        (flows.finish(), rules)
    }

    /// The grammar of all cells.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The rule of anything.
    pub fn any(&self) -> RuleId {
        self.any
    }

    /// True if it is known what the registers of a function can hold.
    pub fn knows(&self, function: FunctionId) -> bool {
        self.looked.contains(&function)
    }

    /// True if code that is not looked into may call functions under test by name.
    pub fn calls_by_name(&self) -> bool {
        self.calls_by_name
    }

    /// True if a rule has no value.
    pub fn is_empty(&self, rule: RuleId) -> bool {
        self.empty[rule.0 as usize]
    }

    /// The rule of the values that a register can hold.
    pub fn rule(&self, function: FunctionId, register: Reg) -> RuleId {
        if !self.knows(function) {
            return if self.whole { self.none } else { self.any };
        }
        self.registers.get(&(function, register)).copied().unwrap_or(self.any)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::backward::Graphs;
    use constraint::Shape;
    use ir::Unit;
    use term::{Atom, Mfa, Term};

    struct Text(Vec<Rc<Unit>>);

    impl Graphs for Text {
        fn unit(&mut self, function: Mfa) -> Option<Rc<Unit>> {
            self.0.iter().find(|unit| unit.functions.iter().any(|it| it.name == function)).cloned()
        }
    }

    fn name(function: &str, arity: u8) -> Mfa {
        Mfa { module: Atom::new("m"), function: Atom::new(function), arity }
    }

    /// The shapes of the first register of a function, if `m:f/1` takes what the shapes say.
    fn first(text: &str, takes: Vec<Shape>, of: Mfa) -> Vec<Shape> {
        let mut graphs = Text(text.split("\n\n").map(|unit| Rc::new(Unit::read(unit).unwrap())).collect());
        let names: Vec<Mfa> = graphs.0.iter().map(|unit| unit.functions[0].name).collect();
        let mut program = Program::new(&mut graphs, &names);
        let mut grammar = Grammar::default();
        let rule = grammar.intern(takes);
        let function = program.find(name("f", 1)).unwrap();
        let entry = EntryRules { function, grammar: &grammar, signatures: vec![vec![rule]] };
        let (values, _) = Values::of(&mut program, &[entry], &FxHashSet::default());
        let id = program.find(of).unwrap();
        values.grammar().rule(values.rule(id, Reg(0))).shapes.clone()
    }

    const LOOP: &str = "
function m:f/1 (%0) captured 0 registers 2
b0:
  %1 = cons(%0, [])
  tailcall local m:g/1(%1)

function m:g/1 (%0) captured 0 registers 3
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b2
b1:
  tailcall local m:g/1(%2)
b2:
  return %0
";

    #[test]
    fn a_list_that_is_walked_stays_a_list() {
        let shapes = first(LOOP, vec![Shape::Float], name("g", 1));
        assert_eq!(shapes.len(), 2, "{shapes:?}");
        assert!(shapes.contains(&Shape::Literal(Term::nil())));
        assert!(shapes.iter().any(|shape| matches!(shape, Shape::Cons(..))));
    }

    #[test]
    fn a_fun_takes_what_it_is_called_with_and_anything_once_it_is_lost() {
        let text = "
function m:f/1 (%0) captured 0 registers 3
b0:
  %1 = closure m:'-f/1-fun-0-'/1()
  %2 = call fun %1(%0)
  return %2
function m:'-f/1-fun-0-'/1 (%0) captured 0 registers 1
b0:
  return %0
";
        let fun = name("-f/1-fun-0-", 1);
        assert_eq!(first(text, vec![Shape::Float], fun), [Shape::Float]);
        let lost = text.replace("return %2\n", "%2 = call remote ets:insert(t, %1)\n  return %2\n");
        assert_eq!(first(&lost, vec![Shape::Float], fun), [Shape::Any]);
        let never = text.replace("%2 = call fun %1(%0)", "%2 = copy 1");
        assert_eq!(first(&never, vec![Shape::Float], fun), []);
        let signal = text.replace("return %2\n", "%2 = call remote erlang:exit(%0, %1)\n  return %2\n");
        assert_eq!(first(&signal, vec![Shape::Float], fun), [Shape::Any]);
    }

    #[test]
    fn a_fun_among_anything_is_called_with_anything() {
        let text = "
function m:f/1 (%0) captured 0 registers 3
b0:
  %1 = copy %0
  branch literal a (%0) yes b1 no b2
b1:
  %1 = closure m:'-f/1-fun-0-'/1()
  jump b2
b2:
  %2 = call fun %1(1)
  return %2
function m:'-f/1-fun-0-'/1 (%0) captured 0 registers 1
b0:
  return %0
";
        let fun = name("-f/1-fun-0-", 1);
        assert_eq!(first(text, vec![Shape::Any], fun), [Shape::Literal(Term::int(1))]);
        let in_tuple =
            text.replace("%1 = closure m:'-f/1-fun-0-'/1()", "%2 = closure m:'-f/1-fun-0-'/1()\n  %1 = tuple(%2)");
        assert_eq!(first(&in_tuple, vec![Shape::Any], fun), [Shape::Any]);
    }
}
