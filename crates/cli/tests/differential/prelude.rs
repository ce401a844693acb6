//! The prelude's functions against the operations they stand for: the same value, or the same exception.

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
        for subject in Library::new(rig.vm()).subjects(module.name()) {
            for (_, own) in ops::prelude::replaced().filter(|(function, _)| *function == subject.function) {
                compared += 1;
                if !makes_atoms(subject.function) {
                    problems.extend(differences(&plan, &mut rig, &subject, own));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{} differ\n{}", problems.len(), problems[..problems.len().min(10)].join("\n"));
    assert_eq!(compared, ops::prelude::replaced().count(), "some function was not compared");
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

/// The function that stands first in a stack trace.
pub type Culprit = Option<(Atom, Atom)>;
