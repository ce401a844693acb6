//! `hound solve`: conditions written as text.

mod support;

use std::path::Path;

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

/// What raises meets nothing, also where its value would not matter.
#[test]
fn what_cancels_must_not_raise_either() {
    let folder = folder("solve_raises");
    for (at, condition) in
        ["(1 div n) - (1 div n) == 0", "(m + 1 div n) - (1 div n) == m", "(m - 1 rem n) + 1 rem n == m"]
            .iter()
            .enumerate()
    {
        let text = format!("n, m: integer in 0..0\n{condition}\n");
        let ran = hound(&["solve", &file(&folder, &format!("raises{at}.cond"), &text)]);
        assert_eq!((ran.out.as_str(), ran.code), ("there is no solution; proved by structural\n", 1), "{condition}");
    }
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

/// The first line of each condition says in Erlang what its variables must meet.
#[test]
fn conditions_may_ask_functions_of_any_module() {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conditions/asked");
    let mut files: Vec<_> = std::fs::read_dir(set).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let check = text.lines().next().and_then(|line| line.strip_prefix("% ")).unwrap();
        let ran = hound(&["solve", "--json", path.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{} {ran:?}", path.display());
        let line: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let bind = |value: &serde_json::Value| {
            let (name, value) = (value["name"].as_str().unwrap(), value["value"].as_str().unwrap());
            format!("{} = {value}, ", name.to_uppercase())
        };
        let bound: String = line["values"].as_array().unwrap().iter().map(bind).collect();
        let shown = format!("{bound}io:format(\"~p\", [{check}]), halt().");
        let output = std::process::Command::new("erl").args(["-noshell", "-eval", &shown]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "true", "{} {shown}", path.display());
    }
}

#[test]
fn functions_that_cannot_be_asked_are_named_with_their_place() {
    let folder = folder("solve_asked");
    for (name, text, wanted) in [
        ("a.cond", "x: integer\nno_module:knows(x) == 1\n", "a.cond:2:1: there is no function no_module:knows/1"),
        ("b.cond", "x: integer\n1 == lists:seq(x, x)\n", "b.cond:2:6: lists:seq/2 gives no integer for integers"),
        ("c.cond", "x: integer\nos:system_time(x) == 1\n", "c.cond:2:1: os:system_time/1 cannot be asked"),
    ] {
        let ran = hound(&["solve", &file(&folder, name, text)]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(wanted), "{}", ran.err);
    }
}

/// The parameters of the walk are options, and keys of the configuration.
#[test]
fn the_parameters_of_the_walk_can_be_set() {
    let folder = folder("solve_walk");
    let text =
        "x, y: float in 1..10\nsin(x) == cos(y)\nn: integer in 0..1000\nn*n rem 1000 == 889 and not (x + n > 100)\n";
    let wave = file(&folder, "wave.cond", text);
    let usual = hound(&["solve", &wave]).out;
    assert!(usual.contains("found by walk: "), "{usual}");
    let other = hound(&["solve", "--walk-neighbours", "2", "--walk-seed", "5", "--walk-slopes", "false", &wave]).out;
    assert!(other.contains("found by walk: ") && other != usual, "{other}");
    let config = file(&folder, "walk.toml", "[walk]\nneighbours = 2\nseed = 5\nslopes = false\n");
    assert_eq!(hound(&["solve", "--config", &config, &wave]).out, other);
    assert_eq!(hound(&["solve", "--config", &config, "--walk-neighbours", "2", &wave]).out, other);
    let published = hound(&["solve", "--walk-published", "--walk-tabu", "0", &wave]);
    assert!(published.code != 2, "{published:?}");
    let wrong = file(&folder, "wrong.toml", "[walk]\nneighbors = 2\n");
    let ran = hound(&["solve", "--config", &wrong, &wave]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("wrong.toml:2:1"), "{}", ran.err);
}
