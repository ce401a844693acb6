//! What programs print: captured from our machine, the same bytes as captured from the VM.

use term::Call;

use crate::calls::Calls;
use crate::generate::Pool;
use crate::rig::Rig;
use crate::subjects::Library;
use crate::suite::Plan;

/// Calls per function.
const CALLS: usize = 25;

#[test]
fn what_programs_print_is_what_the_vm_prints() {
    let plan = Plan::from_environment();
    let mut rig = Rig::new();
    let subjects = Library::new(&mut rig.vm()).subjects("hound_scenes");
    let printing = subjects.iter().filter(|subject| subject.function.function.name().starts_with("print"));
    let (mut problems, mut bytes) = (Vec::new(), 0);
    for subject in printing {
        let mut calls = Calls { subject, rng: plan.rng(subject.function) };
        for _ in 0..CALLS {
            let call = calls.next(&Pool::default());
            let theirs = rig.their_output(&call);
            bytes += theirs.len();
            problems.extend(difference(&call, &theirs, &rig.our_output(&call)));
        }
    }
    assert!(problems.is_empty(), "{} calls print something else\n{}", problems.len(), problems.join("\n"));
    assert!(bytes > 2_000, "only {bytes} bytes were printed");
}

fn difference(call: &Call, theirs: &[u8], ours: &[u8]) -> Option<String> {
    let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(600).collect::<String>();
    (ours != theirs).then(|| format!("{call}\n    vm {:?}\n  ours {:?}", show(theirs), show(ours)))
}
