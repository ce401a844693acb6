//! `hound run` on calls that end with another process, or while others end.

use crate::rig::sources;
use crate::support::hound;

/// A function, and the last line that is printed.
const ENDS: [(&str, &str); 4] = [
    ("signal", "** exception exit: late"),
    ("killed", "** exception exit: killed"),
    ("busy", "** exception exit: late"),
    ("linked", "** exception exit: late"),
];

#[test]
fn a_signal_ends_the_call() {
    let path = sources().join("ends.erl").display().to_string();
    for (function, shown) in ENDS {
        let ran = hound(&["run", &path, &format!("ends:{function}()")]);
        assert_eq!((ran.out.lines().last(), ran.code), (Some(shown), 1), "{function}: {ran:?}");
    }
}
