//! The prelude's functions against the operations they stand for: the same value, or the same exception.

use term::{Atom, Call, Mfa};

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
                problems.extend(differences(&plan, &mut rig, &subject, own));
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

/// The function that stands first in a stack trace.
pub type Culprit = Option<(Atom, Atom)>;
