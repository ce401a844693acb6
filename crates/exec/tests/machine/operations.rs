//! The readings of operations that this crate has, held to their concrete rules, which tests of `ops` hold to the VM: the
//! instructions and tests of the machine, the relations of backward search, and the shapes that it takes for granted.

use std::rc::Rc;

use constraint::{Arena, Expr, Type, evaluate, holds, is_of};
use exec::backward::{self, Graphs, PartialPath, PathCondition, PathSegment, Program, ProgramPoint, Start, TypeOracle};
use exec::forward::{Ending, Limits, Machine, Options};
use ir::Unit;
use ops::{Gives, Native, Operation, Returns};
use term::{Atom, Call, Mfa, Term};

use crate::world::Texts;

const VALUES: &str = "[0, 1, -7, 2, 3, 16, 9223372036854775807, 1208925819614629174706176, 1.5, -2.0, 0.0, a, b, true, \
    false, <<>>, <<1,2,3>>, <<5:3>>, [], \"abc\", [a|b], {}, {1,2}, {a}, #{}, #{a => 1, 2 => b}, fun lists:map/2]";

/// The concrete rule of an operation of one or two arguments.
fn rule(operation: &Operation) -> Option<fn(&mut [Term]) -> ops::Eval> {
    match operation.native {
        Some(Native::Pure(rule)) if matches!(operation.arity, 1 | 2) => Some(rule),
        _ => None,
    }
}

fn rows(arity: u8) -> Vec<Vec<Term>> {
    let values = Term::read(VALUES).expect("terms").proper_list().expect("a list");
    let two = |first: &Term| values.iter().map(|second| vec![first.clone(), second.clone()]).collect::<Vec<_>>();
    match arity {
        1 => values.iter().map(|value| vec![value.clone()]).collect(),
        _ => values.iter().flat_map(two).collect(),
    }
}

fn call_of(operation: &Operation) -> String {
    let name = operation.mfa().to_string();
    let (name, _) = name.rsplit_once('/').expect("m:f/a");
    format!("call remote {name}({})", ["%0", "%0, %1"][usize::from(operation.arity) - 1])
}

/// Runs a function of two arguments on a row of them.
fn run(machine: &mut Machine, world: &mut Texts, mut args: Vec<Term>) -> Ending {
    args.resize(2, Term::nil());
    machine.run(world, &Call { module: Atom::new("m"), function: Atom::new("f"), args }).ending
}

#[test]
fn instructions_do_what_the_operations_do() {
    let mut calls = 0;
    for operation in ops::all().filter(|operation| operation.module == "erlang" && operation.rule.has_instruction()) {
        let rule = rule(operation).expect("an operation with an instruction is pure");
        let text = format!(
            "function m:f/2 (%0, %1) captured 0 registers 3\nb0:\n  %2 = {} @3:1\n  return %2",
            call_of(operation)
        );
        let (mut machine, mut world) = (Machine::new(Limits::default(), Options::default()), Texts::new(&text));
        for args in rows(operation.arity) {
            let same = match (run(&mut machine, &mut world, args.clone()), rule(&mut args.clone())) {
                (Ending::Value(ours), Ok(theirs)) => ours == theirs,
                (Ending::Raised(ours), Err(theirs)) => ours.reason == theirs.reason && ours.class == theirs.class,
                _ => false,
            };
            assert!(same, "{} of {args:?}", operation.mfa());
            calls += 1;
        }
    }
    assert!(calls > 10_000, "{calls}");
}

#[test]
fn tests_hold_where_the_operations_give_true() {
    let total = |operation: &&Operation| operation.gives == Gives::Boolean && operation.returns == Returns::Always;
    let mut calls = 0;
    for operation in ops::all().filter(total) {
        let args = ["%0", "%0, %1"][usize::from(operation.arity) - 1];
        let text = format!(
            "function m:f/2 (%0, %1) captured 0 registers 2\nb0:\n  branch predicate {}({args}) yes b1 no b2\nb1:\n  \
             return true\nb2:\n  return false",
            operation.mfa()
        );
        let (mut machine, mut world) = (Machine::new(Limits::default(), Options::default()), Texts::new(&text));
        let rule = rule(operation).expect("a test is pure");
        for args in rows(operation.arity) {
            let Ending::Value(ours) = run(&mut machine, &mut world, args.clone()) else { panic!("{args:?}") };
            assert_eq!(ours, rule(&mut args.clone()).expect("a truth value"), "{} of {args:?}", operation.mfa());
            calls += 1;
        }
    }
    assert!(calls > 5_000, "{calls}");
}

struct One(Rc<Unit>);

impl Graphs for One {
    fn unit(&mut self, function: Mfa) -> Option<Rc<Unit>> {
        (self.0.functions[0].name == function).then(|| Rc::clone(&self.0))
    }
}

/// Takes an expression to be of every type that its value has, or of none.
struct ByValue<'a>(Option<&'a [Term]>);

impl TypeOracle for ByValue<'_> {
    fn is(&mut self, arena: &Arena, _: &PathCondition, expr: Expr, kind: Type) -> bool {
        self.0.is_some_and(|inputs| evaluate(arena, expr, inputs).is_ok_and(|value| is_of(&value, kind)))
    }
}

/// What is demanded of a call that gave a value, and the inputs that met it: the arguments, then the value wherever
/// nothing else is known of it.
fn demanded(unit: &Rc<Unit>, inputs: &[Term], certain: bool, holds: bool) -> (Arena, PathCondition) {
    let mut graphs = One(Rc::clone(unit));
    let name = unit.functions[0].name;
    let mut program = Program::new(&mut graphs, &[name]);
    let function = program.find(name).expect("the function");
    let from = ProgramPoint { function, block: 0, at: 0 };
    let way = PartialPath::default()
        .after(PathSegment::Test { function, block: 0, holds })
        .after(PathSegment::Run { from, to: 1 });
    let mut arena = Arena::new();
    let mut certain = ByValue(certain.then_some(inputs));
    let traced = backward::trace(&program, &mut arena, &way, Start::Function(function), &mut certain);
    (arena, traced)
}

#[test]
fn backward_search_demands_what_held_when_a_value_was_given() {
    let (mut values, mut exact) = (0, 0);
    for operation in ops::all() {
        let Some(rule) = rule(operation) else { continue };
        let is_test = operation.gives == Gives::Boolean;
        let wanted = if is_test { "true" } else { "%2" };
        let text = format!(
            "function m:f/3 (%0, %1, %2) captured 0 registers 4\nb0:\n  %3 = {}\n  branch same(%3, {wanted}) yes b1 no \
             b2\nb1:\n  return %3\nb2:\n  return %3",
            call_of(operation)
        );
        let unit = Rc::new(Unit::read(&format!("file \"m.erl\"\n\n{text}\n")).expect("a unit"));
        for args in rows(operation.arity) {
            let Ok(value) = rule(&mut args.clone()) else { continue };
            let holds_so = !is_test || value == Term::bool(true);
            let mut inputs = args.clone();
            inputs.resize(2, Term::nil());
            inputs.push(value.clone());
            for certain in [false, true] {
                let (arena, traced) = demanded(&unit, &inputs, certain, holds_so);
                assert!(!traced.infeasible, "{} of {args:?} gives {value}", operation.mfa());
                let mut all = inputs.clone();
                all.resize(traced.unknowns.len(), value.clone());
                let met = |all: &[Term]| traced.conditions.iter().all(|it| holds(&arena, it, all) == Ok(true));
                assert!(met(&all), "{} of {args:?} gives {value}: {:?}", operation.mfa(), traced.conditions);
                values += 1;
                if traced.unknowns.len() == 3 {
                    all[2] = Term::tuple([value.clone()]);
                    assert!(!met(&all), "{} of {args:?} gives {value} and anything else", operation.mfa());
                    exact += 1;
                }
            }
        }
    }
    assert!(values > 5_000 && exact > 1_000, "{values} values, {exact} of them known exactly");
}
