//! Operations that the schedules take for independent give the same in either order.

use ops::{EtsOp, Eval};
use term::{Atom, Mfa, Term};

use super::operations::used_by;
use super::table::TableUse;
use super::{EtsTable, RefKey, TableName, TableType, Tables};
use crate::forward::machine::run_state::RunState;
use crate::forward::world::{Code, CodeSource, SampleStore, Stop, Vm, VmAnswer, VmCall};

struct Nowhere;

impl CodeSource for Nowhere {
    fn code(&mut self, _: Mfa, _: bool) -> Code {
        Code::Undefined
    }
}

impl Vm for Nowhere {
    fn vm_call(&mut self, _: VmCall, _: Mfa, _: &[Term]) -> VmAnswer {
        VmAnswer::Failed("there is no VM".to_owned())
    }

    fn allowed(&self, _: Mfa) -> bool {
        false
    }
}

impl SampleStore for Nowhere {}

impl Stop for Nowhere {}

fn read(text: &str) -> Term {
    Term::read(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Operations with their arguments after the table. The hashes of 10 and 24 put both keys into one slot.
fn operations() -> Vec<(EtsOp, Vec<Term>)> {
    let texts: &[(EtsOp, &[&str])] = &[
        (EtsOp::Insert, &["{1,a}", "{2,b}", "{10,c}", "{24,d}", "[{1,e},{2,e}]", "[]", "x", "{1.0,f}", "[{10,g}]"]),
        (EtsOp::InsertNew, &["{1,a}", "{3,a}", "{24,a}", "[{3,a},{10,a}]"]),
        (EtsOp::Lookup, &["1", "2", "10", "24", "1.0", "3"]),
        (EtsOp::Member, &["1", "3", "24"]),
        (EtsOp::Delete, &["1", "2", "10", "24", "3", "1.0"]),
        (EtsOp::DeleteObject, &["{1,a}", "{2,0}", "{10,0}", "x"]),
        (EtsOp::Take, &["1", "24", "3"]),
        (EtsOp::DeleteAll, &["undefined"]),
        (EtsOp::Next, &["1", "10", "24"]),
        (EtsOp::Match, &["'_'", "{1,'$1'}", "{'$1',a}", "{24,'_'}", "x"]),
        (EtsOp::MatchObject, &["'_'", "{2,'_'}", "{1.0,'_'}"]),
        (EtsOp::Select, &["[{{1,'_'},[],['$_']},{{24,'$1'},[],['$1']}]", "[{'_',[],['$_']}]", "[]"]),
        (EtsOp::SelectCount, &["[{{2,'_'},[],[true]}]", "[{'_',[],[true]}]"]),
        (EtsOp::SelectDelete, &["[{{2,'_'},[],[true]}]", "[{{'_',a},[],[true]}]"]),
        (EtsOp::SafeFixtable, &["true", "false"]),
    ];
    let single = texts.iter().flat_map(|(op, texts)| texts.iter().map(|text| (*op, vec![read(text)])));
    let more =
        [(EtsOp::UpdateCounter, "1", "1"), (EtsOp::UpdateCounter, "2", "{2,3}"), (EtsOp::UpdateElement, "1", "{2,z}")];
    let none = [EtsOp::First, EtsOp::Last].map(|op| (op, Vec::new()));
    single.chain(more.map(|(op, key, change)| (op, vec![read(key), read(change)]))).chain(none).collect()
}

/// A table with a few rows.
fn table(run: &mut RunState<'_>, kind: TableType, (rows, fixed): (&str, bool)) -> (Tables, RefKey, Term) {
    let mut tables = Tables::default();
    let options = Term::list(vec![Term::atom_named(kind.name()), Term::atom_named("public")]);
    let made = tables.without_table(run, EtsOp::New, &[Term::atom(Atom::new("t")), options]);
    let id = made.and_then(Result::ok).expect("a table");
    let TableName::Own(key) = tables.named(&id) else { panic!("{id:?} is no table") };
    tables.operate(run, key, EtsOp::Insert, &[id.clone(), read(rows)]).expect("rows");
    if fixed {
        tables.operate(run, key, EtsOp::SafeFixtable, &[id.clone(), Term::bool(true)]).expect("a fixed table");
    }
    (tables, key, id)
}

/// The results of operations, one after the other, and the rows in the end.
fn results(kind: TableType, rows: (&str, bool), order: &[&(EtsOp, Vec<Term>)]) -> (Vec<Eval>, Eval) {
    let mut world = Nowhere;
    let mut run = RunState::new(&mut world);
    let (mut tables, key, id) = table(&mut run, kind, rows);
    let mut operate = |op: EtsOp, rest: &[Term]| {
        let args: Vec<Term> = std::iter::once(id.clone()).chain(rest.iter().cloned()).collect();
        tables.operate(&mut run, key, op, &args)
    };
    let results = order.iter().map(|(op, rest)| operate(*op, rest)).collect();
    (results, operate(EtsOp::MatchObject, &[Term::atom_named("_")]))
}

fn is_dependent(table: &EtsTable, first: &(EtsOp, Vec<Term>), second: &(EtsOp, Vec<Term>)) -> bool {
    let access = |(op, rest): &(EtsOp, Vec<Term>)| {
        let args: Vec<Term> = std::iter::once(table.tid.clone()).chain(rest.iter().cloned()).collect();
        let frees = *op == EtsOp::SafeFixtable && rest[0].as_bool() == Some(false);
        (table.parts(*op, &args), used_by(*op) == TableUse::Writes || frees)
    };
    let ((first, first_writes), (second, second_writes)) = (access(first), access(second));
    let meet = match (first, second) {
        (Some(first), Some(second)) => first.iter().any(|part| second.contains(part)),
        _ => true,
    };
    meet && (first_writes || second_writes)
}

#[test]
fn independent_operations_give_the_same_in_either_order() {
    let operations = operations();
    let (mut independent, mut dependent, mut wrong) = (0, 0, Vec::new());
    for kind in [TableType::Set, TableType::OrderedSet, TableType::Bag, TableType::DuplicateBag] {
        let states = ["[]", "[{1,0},{2,0}]", "[{10,0},{24,0}]", "[{1,a},{2,0},{24,1}]"];
        for rows in states.into_iter().flat_map(|rows| [(rows, false), (rows, true)]) {
            let mut world = Nowhere;
            let (tables, key, _) = table(&mut RunState::new(&mut world), kind, rows);
            let table = tables.get(key).expect("the table");
            for (first, second) in operations.iter().flat_map(|first| operations.iter().map(move |it| (first, it))) {
                if is_dependent(table, first, second) {
                    dependent += 1;
                    continue;
                }
                independent += 1;
                let (mut there, left) = results(kind, rows, &[second, first]);
                there.reverse();
                let text = |results: &[Eval], left: &Eval| format!("{results:?} {left:?}");
                let (here, end) = results(kind, rows, &[first, second]);
                if text(&here, &end) != text(&there, &left) {
                    wrong.push(format!("{kind:?} {rows:?}: {first:?} and {second:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(20)].join("\n"));
    assert!(independent > 20_000 && dependent > 10_000, "{independent} independent, {dependent} dependent");
}
