//! Chains of literal tests.

use crate::world::outcome;

/// A function that tests its first argument against literals one after another, with a second test behind each.
fn chain(literals: &[String], second: bool) -> String {
    let mut text = String::from("function m:f/2 (%0, %1) captured 0 registers 3\n");
    for (at, literal) in literals.iter().enumerate() {
        let (own, hit, next) = (at * 3, at * 3 + 1, at * 3 + 3);
        let inner = if second {
            format!("branch literal {} (%1) yes b{} no b{next}", at % 2, at * 3 + 2)
        } else {
            format!("jump b{}", at * 3 + 2)
        };
        text += &format!(
            "b{own}:\n  branch literal {literal} (%0) yes b{hit} no b{next}\nb{hit}:\n  {inner}\nb{}:\n  \
             %2 = tuple({at}, %1)\n  return %2\n",
            at * 3 + 2
        );
    }
    text += &format!("b{}:\n  %2 = tuple(other, %0)\n  return %2", literals.len() * 3);
    text
}

/// What the chain gives, found by reading it.
fn expected(literals: &[String], second: bool, value: &str, with: &str) -> String {
    let hit = literals.iter().enumerate().find(|(at, it)| *it == value && (!second || (at % 2).to_string() == with));
    hit.map_or(format!("{{other,{value}}}"), |(at, _)| format!("{{{at},{with}}}"))
}

#[test]
fn tables_agree_with_the_chain() {
    let dense: Vec<String> = (0..80).map(|it| (it * 7 % 40).to_string()).collect();
    let sparse: Vec<String> = (0..80i64).map(|it| (it * it * 1_000_003 - 5).to_string()).collect();
    let mixed: Vec<String> = ["a", "[]", "1", "b", "a", "4000000000", "-1", "[]", "c", "1"].map(String::from).to_vec();
    for literals in [dense, sparse, mixed] {
        for second in [false, true] {
            let text = chain(&literals, second);
            for value in literals.iter().map(String::as_str).chain(["x", "1.0", "41", "-77", "{a}", "[a]"]) {
                for with in ["0", "1", "2"] {
                    let found = outcome(&text, "f", &format!("{value}, {with}"));
                    assert_eq!(found, expected(&literals, second, value, with), "{value} {with} {second}");
                }
            }
        }
    }
}

#[test]
fn long_chains_link_quickly() {
    let literals: Vec<String> = (0..5000).map(|it| (it * 3).to_string()).collect();
    assert_eq!(outcome(&chain(&literals, true), "f", "14997, 1"), "{4999,1}");
}
