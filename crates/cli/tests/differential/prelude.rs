//! The prelude's functions against the operations they stand for: the same value, or the same exception.

use ops::policy::Policy;
use term::{Atom, Call, Mfa, Term};

use crate::calls::Calls;
use crate::generate::Pool;
use crate::rig::Rig;
use crate::subjects::{Library, Subject};
use crate::suite::Plan;

/// How many calls of each function are made.
const CALLS: usize = 300;

#[test]
fn the_prelude_means_what_the_operations_mean() {
    let plan = Plan::from_environment();
    let mut rig = Rig::new();
    let mut problems = Vec::new();
    let mut compared = 0;
    let mut modules: Vec<Atom> = ops::prelude::replaced().map(|(function, _)| function.module).collect();
    modules.sort_unstable();
    modules.dedup();
    for module in modules {
        let subjects = Library::new(&mut rig.vm()).subjects(module.name());
        for subject in subjects {
            for (_, own) in ops::prelude::replaced().filter(|(function, _)| *function == subject.function) {
                compared += 1;
                if !makes_atoms(subject.function) {
                    problems.extend(differences(&plan, &mut rig, &subject, own));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{} differ\n{}", problems.len(), problems[..problems.len().min(10)].join("\n"));
    let others = ops::prelude::replaced().filter(|(function, _)| !has_state(*function));
    assert_eq!(compared, others.count(), "some function was not compared");
}

fn differences(plan: &Plan, rig: &mut Rig, subject: &Subject, replacement: Mfa) -> Vec<String> {
    let mut calls = Calls { subject, rng: plan.rng(subject.function) };
    let pool = Pool::default();
    let compare = |_| {
        let call = calls.next(&pool);
        let own = Call { module: replacement.module, function: replacement.function, args: call.args.clone() };
        let (operation, prelude) = (rig.ours_traced(&call), rig.ours_traced(&own));
        let same = operation.0.agrees(&prelude.0) && operation.1 == prelude.1;
        (!same).then(|| format!("{call}\n   {} {:?}\n   {} {:?}", operation.0, operation.1, prelude.0, prelude.1))
    };
    (0..CALLS).filter_map(compare).collect()
}

/// Whether atoms are left behind that other tests of this process could take for known ones.
fn makes_atoms(function: Mfa) -> bool {
    function.function.name().ends_with("to_atom")
}

#[test]
fn the_prelude_makes_atoms_of_the_same_texts() {
    let mut rig = Rig::new();
    let odd = ["[104|b]", "[-1]", "[104,55296]", "[104,c]", "[1114112]", "a", "<<104,255>>", "<<195>>", "<<1:1>>"];
    let plain = ["", "hound made it", "hound é", "hound \u{1f600}", "hound \u{d7ff}\u{e000}"];
    let texts = plain.iter().flat_map(|text| [Term::string(text), Term::binary(*text)]);
    let long = [255, 256].map(|count| Term::string(&"h".repeat(count)));
    let bytes = [255, 256].map(|count| Term::binary("h".repeat(count)));
    let texts = texts.chain(odd.iter().map(|text| Term::read(text).expect("a term"))).chain(long).chain(bytes);
    let encodings = ["latin1", "utf8", "unicode", "other"].map(Term::atom_named);
    let made: Vec<(Mfa, Mfa)> = ops::prelude::replaced().filter(|(function, _)| makes_atoms(*function)).collect();
    assert!(made.len() >= 2, "{made:?} make atoms");
    for text in texts {
        for (function, own) in &made {
            for encoding in &encodings[..if function.arity == 1 { 1 } else { 4 }] {
                let args: Vec<Term> = [text.clone(), encoding.clone()][..usize::from(function.arity)].to_vec();
                let call = Call { module: function.module, function: function.function, args: args.clone() };
                let same = Call { module: own.module, function: own.function, args };
                let (operation, prelude) = (rig.ours_traced(&call), rig.ours_traced(&same));
                assert!(operation.0.agrees(&prelude.0) && operation.1 == prelude.1, "{call}");
            }
        }
    }
}

#[test]
fn the_prelude_reads_the_same_digits() {
    let mut rig = Rig::new();
    let most: i64 = 1 << 59;
    let offsets = [0, 256, -256, 1 << 40, most - 256, most, -most, -most - 256];
    let texts = ["1", "f", "Z", "-", "+", "-7", "+a", "10", "1_", "zz", "é"];
    let (mut calls, mut read) = (0, 0);
    for (text, offset) in texts.iter().flat_map(|text| offsets.map(|offset| (text, offset))) {
        for odd in 0..text.chars().count() {
            let item = |(at, c): (usize, char)| Term::int(i64::from(u32::from(c)) + if at == odd { offset } else { 0 });
            let text = Term::list(text.chars().enumerate().map(item).collect::<Vec<Term>>());
            for args in [vec![text.clone()], vec![text.clone(), Term::int(2)], vec![text, Term::int(36)]] {
                let call = |module| Call {
                    module: Atom::new(module),
                    function: Atom::new("list_to_integer"),
                    args: args.clone(),
                };
                let (operation, prelude) =
                    (rig.ours_traced(&call("erlang")), rig.ours_traced(&call("hound_prelude_convert")));
                assert!(operation.0.agrees(&prelude.0) && operation.1 == prelude.1, "{}", call("erlang"));
                assert!(
                    rig.theirs(&call("erlang")).is_some_and(|theirs| operation.0.agrees(&theirs)),
                    "{}",
                    call("erlang")
                );
                calls += 1;
                read += usize::from(offset != 0 && matches!(operation.0, crate::compare::Answer::Value(_)));
            }
        }
    }
    assert!(read > 20 && calls > 200, "{read} of {calls}");
}

/// Those have tests of their own.
fn has_state(function: Mfa) -> bool {
    matches!(ops::policy::policy(function, true), Policy::State | Policy::Session)
}

#[test]
fn the_prelude_writes_the_same_texts() {
    let mut rig = Rig::new();
    let texts = [
        "\"a~p\"",
        "\"~s\"",
        "<<\"~w~n\">>",
        "'~P'",
        "\"~ts~c\"",
        "\"é\"",
        "[256]",
        "[55296]",
        "<<200>>",
        "[a|b]",
        "1",
    ];
    let args = ["[]", "[1]", "[\"a\",$b]", "[[256]]", "[[256],300]", "[a,3]", "a", "[1|2]"];
    let devices = ["standard_io", "no_process", "[]"];
    let written = ops::prelude::replaced().filter(|(function, _)| function.module.name() == "io");
    let mut compared = 0;
    for (function, own) in written {
        let (mut lists, name) = (vec![Vec::new()], function.function.name());
        let with_device = function.arity > if matches!(name, "format" | "fwrite") { 2 } else { u8::from(name != "nl") };
        let kinds = [with_device.then_some(&devices[..]), (name != "nl").then_some(&texts[..])];
        let last = (usize::from(function.arity) > kinds.iter().flatten().count()).then_some(&args[..]);
        for kind in kinds.into_iter().chain([last]).flatten() {
            let longer =
                |list: &Vec<&'static str>| kind.iter().map(|it| [&list[..], &[*it]].concat()).collect::<Vec<_>>();
            lists = lists.iter().flat_map(longer).collect();
        }
        for list in lists {
            let args: Vec<Term> = list.iter().map(|text| Term::read(text).expect("a term")).collect();
            let call = Call { module: function.module, function: function.function, args: args.clone() };
            let same = Call { module: own.module, function: own.function, args };
            let (operation, prelude) = (rig.ours_traced(&call), rig.ours_traced(&same));
            assert!(operation.0.agrees(&prelude.0) && operation.1 == prelude.1, "{call}");
            // What was written before is taken away.
            let _ = rig.our_output(&call);
            assert_eq!(rig.our_output(&call), rig.our_output(&same), "{call}");
            compared += 1;
        }
    }
    assert!(compared > 200, "only {compared} calls");
}

#[test]
fn the_prelude_compiles_the_same_patterns() {
    let mut rig = Rig::new();
    let patterns = ["<<1>>", "[<<1>>]", "[<<1>>,<<2,3>>]", "<<>>", "[]", "[<<>>]", "[<<1>>|a]", "<<1:1>>", "[<<1:1>>]"];
    let others = ["a", "{bm,a}", "[a]", "[[<<1>>]]", "#{}"];
    for text in patterns.iter().chain(&others) {
        let args = vec![Term::read(text).expect("a term")];
        let compile = |module, function| Call { module: Atom::new(module), function, args: args.clone() };
        let operation = rig.ours_traced(&compile("binary", Atom::new("compile_pattern")));
        let prelude = rig.ours_traced(&compile("hound_prelude_binary", Atom::new("compile")));
        assert!(operation.0.agrees(&prelude.0) && operation.1 == prelude.1, "{text}");
    }
}

/// The function that stands first in a stack trace.
pub type Culprit = Option<(Atom, Atom)>;
