//! Large terms as expressions: each has on the VM the value that it stands for.

use term::{Bits, Style, Term};

use crate::support::compared;

/// Terms in which much repeats, and their neighbours in which it nearly does.
fn terms() -> Vec<Term> {
    let ints = |values: Vec<i64>| Term::list(values.into_iter().map(Term::int));
    let bits = |bytes: Vec<u8>, length: usize| Term::bits(Bits::from_bits(bytes, length));
    let mut terms = Vec::new();
    for count in [1, 23, 24, 25, 121] {
        terms.push(ints(vec![0; count]));
        terms.push(ints(vec![97; count]));
        terms.push(ints((1..=count as i64).collect()));
        terms.push(ints((-5..count as i64).chain([7, 7]).collect()));
        terms.push(ints([3, 1].into_iter().chain(vec![9; count]).chain([2]).chain(0..count as i64).collect()));
        terms.push(bits(vec![0; count], count * 8));
        terms.push(bits(vec![0; count + 1], count * 8 + 3));
        terms.push(bits(b"ab".repeat(count), count * 16));
        terms.push(bits([b"ab".repeat(count), vec![1]].concat(), count * 16 + 8));
        terms.push(bits(vec![255; count + 1], count * 8 + 1));
        terms.push(Term::list(vec![Term::tuple([Term::atom_named("a b"), ints(vec![1; count])]); count]));
        terms.push(Term::list_with_tail(vec![Term::int(1); count], Term::int(2)));
        terms.push(Term::list(vec![Term::float(-0.0); count]));
    }
    let text = "a text, with \"quotes\", that is long enough to be folded if it were not one";
    terms.push(Term::string(text));
    terms.push(ints(('a'..='z').map(|char| i64::from(u32::from(char))).collect()));
    terms
}

#[test]
fn a_folded_term_is_the_term() {
    let terms = terms();
    let folded: Vec<String> = terms.iter().map(|term| term.write(Style::Folded)).collect();
    assert!(folded.iter().filter(|text| text.contains("lists:duplicate(")).count() > 10);
    assert!(
        folded.iter().any(|text| text.contains("lists:seq("))
            && folded.iter().any(|text| text.contains("binary:copy("))
    );
    let pairs = terms.iter().zip(&folded).map(|(term, folded)| format!("{{{}, {folded}}}", term.write(Style::Plain)));
    let expression = format!(
        "[] = [N || {{N, {{A, B}}}} <- lists:enumerate([{}]), A =/= B orelse term_to_binary(A) =/= term_to_binary(B)], halt().",
        pairs.collect::<Vec<_>>().join(",\n")
    );
    compared("folded", &[], &expression);
}
