//! The prelude's classes of characters are the library's: both are compared on the VM, for every character there is.

mod support;

#[test]
fn grapheme_clusters_are_those_of_the_library() {
    let modules = [
        "../ops/erl/hound_prelude_graphemes.erl",
        "../ops/erl/hound_prelude_unicode_util.erl",
        "tests/graphemes/hound_prelude.erl",
        "tests/graphemes/hound_graphemes.erl",
    ];
    support::compared("graphemes", &modules, "hound_graphemes:compare().");
}
