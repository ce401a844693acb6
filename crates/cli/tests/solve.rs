//! `hound solve`: conditions written as text.

mod support;

use support::{file, folder, hound};

#[test]
fn an_assignment_its_member_and_its_steps() {
    let folder = folder("solve_found");
    let wave = file(&folder, "wave.cond", "x, y: float in 1..10 % both\nsin(x) == cos(y)\n");
    let ran = hound(&["solve", &wave]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (0, 3), "{ran:?}");
    let value = |line: &str, name: &str| line.strip_prefix(name).and_then(|rest| rest.parse::<f64>().ok());
    let (x, y) = (value(lines[0], "x = ").unwrap(), value(lines[1], "y = ").unwrap());
    assert_eq!(x.sin(), y.cos());
    assert!(lines[2].starts_with("found by walk: ") && lines[2].contains(" evaluations, "), "{}", lines[2]);
    assert_eq!(hound(&["solve", &wave]).out, ran.out);
}

#[test]
fn a_proof_and_the_members_that_give_it() {
    let folder = folder("solve_none");
    let ran = hound(&["solve", &file(&folder, "none.cond", "n: integer in 0..100\nn*n == 50\n")]);
    assert_eq!((ran.out.as_str(), ran.code), ("there is no solution; proved by structural\n", 1));
    let either = file(&folder, "either.cond", "n: integer\n(n*n == 50 or n*n == 49) and n < 0\n");
    let ran = hound(&["solve", &either]);
    assert_eq!(ran.out, "n = -7\nfound by structural\nalternatives tried: 2 of 2\n");
}

#[test]
fn json_is_one_object() {
    let folder = folder("solve_json");
    let root = file(
        &folder,
        "root.cond",
        "x: float\ny: float\nsin(x) * y == 3.0 and cos(y) + x == 2.0\nn: integer\nn > 2 and n < 4\n",
    );
    let ran = hound(&["solve", "--json", &root]);
    assert_eq!(ran.code, 0);
    let line: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(line["verdict"], "solved");
    assert_eq!(line["member"], "walk");
    assert_eq!(line["values"][2]["name"], "n");
    assert_eq!(line["values"][2]["value"], "3");
    assert!(line["walk"]["evaluations"].as_u64().is_some_and(|count| count > 0));
    let wrong = file(&folder, "wrong.cond", "x: float\nx ~ 1\n");
    let ran = hound(&["solve", "--json", &wrong]);
    let line: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &line["code"]), (2, &serde_json::json!("bad_condition")));
}

#[test]
fn mistakes_have_a_place() {
    let folder = folder("solve_mistakes");
    let ran = hound(&["solve", &file(&folder, "a.cond", "x: float\n\nx + z > 1\n")]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("a.cond:3:5: z is not declared"), "{}", ran.err);
    std::fs::write(folder.join("b.cond"), b"x: float\nx > \xff\n").unwrap();
    let ran = hound(&["solve", folder.join("b.cond").to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("b.cond:2:5: this is no UTF-8 text"), "{}", ran.err);
    let ran = hound(&["solve", "no/such.cond"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, "hound: no such file or directory: no/such.cond\n"));
}
