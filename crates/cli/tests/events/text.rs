//! The example that the events were defined with: appending a list to itself.

use std::path::{Path, PathBuf};

use host::Source;
use term::{Atom, Call};

use crate::rig::Rig;

/// The nine events of `main([a])`. Bound variables are those of the definition; the patterns' are among them.
const EVENTS: [&str; 9] = [
    "call([X],[W],W,[X,X])",
    "case([X,Y],[W1,W2,H,T],2,X,[H|T],[(1,X,[]),(2,X,[H|T])])",
    "call([X,Y],[W1,W2,H,T],W2,[T,Y])",
    "case([X,Y],[W1,W2,H,T],1,X,[],[(1,X,[]),(2,X,[H|T])])",
    "exitcase([X,Y],[W1,W2,H,T],W1,Y)",
    "exit([X,Y],[W1,W2,H,T],W1)",
    "exitcase([X,Y],[W1,W2,H,T],W1,[H|W2])",
    "exit([X,Y],[W1,W2,H,T],W1)",
    "exit([X],[W],W)",
];

pub fn append() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instrument/append.core")
}

#[test]
fn the_example_tells_its_nine_events_on_both() {
    let mut rig = Rig::new(std::env::temp_dir());
    let module = rig.outside.library.add(&mut rig.outside.host, Source::CoreFile(append())).expect("a program");
    let table = rig.instrument(module);
    let call = Call { module: Atom::new("append"), ..Call::read("append:main([a])").expect("a call") };
    assert_eq!(rig.told(&call, &table), EVENTS);
    assert_eq!(rig.observed(&call, &table), EVENTS);
}
