//! Contradictions that are found without a budget: in the linear part, by residues, by what angles and waves can be. What
//! has a solution is never taken for one.

mod support;

use host::{CallResult, ErlOptions, Host, Options, Source};
use serde_json::Value;
use support::{file, folder, hound};
use term::{Call, Outcome};

/// Each has no solution.
const NEVER: [&str; 30] = [
    "x: integer\nx*x rem 4 == 3\n",
    "x: integer\nx*x rem 16 == 12\n",
    "x: integer\nx*x rem 5 > 1 and x*x rem 5 < 4\n",
    "x: integer\nx*x band 3 == 2\n",
    "x: integer\nx*x*x rem 9 == 4\n",
    "x: integer\nx*x rem 29 == 3\n",
    "x, y: integer\nx*x + y*y == 4000003\n",
    "x, y: integer\nx*x - 3*y*y == 2\n",
    "x, y, z: integer\nx*x + y*y + z*z == 800007\n",
    "x: integer\n(x*x + x) rem 2 =/= 0\n",
    "x, y: integer\nx rem 2 == 0 and x*y rem 2 == 1\n",
    "x, y: integer\nx band 1 == 1 and y band 1 == 1 and (x*y) band 1 == 0\n",
    "x, y: integer\nx rem 3 == 0 and x*y*y rem 3 == 2\n",
    "x, y: integer\nx + y > 10\nx + y < 5\nx*x*x - y*y == 17\n",
    "x, y, z: integer\nx - y > 3\ny - z > 3\nz - x > -5\nx*y*z == 1001\n",
    "x, y: integer\n6*x + 15*y == 7\nx*y rem 13 == 5\n",
    "x, y, z: float\nx - y > 1.0\ny - z > 1.0\nz - x > 1.0\nsin(x)*y == z\n",
    "x, y: float\nx + y == 10.0\nx - y == 4.0\nx > 8.0\nexp(y) > x\n",
    "x, y: float in -100..100\n0.1*x + 0.2*y > 3.0\nx + 2*y < 29.0\nsin(x) == cos(y)\n",
    "n: integer\nx: float\nn*n rem 4 == 2 and sin(x + n) > 0.5\n",
    "x, y: float\natan2(x, y) > 3.2\n",
    "x, y: float\natan2(x, y) < -pi\n",
    "x, y: float\nx > 0.0 and atan2(x, y) < -0.1\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) > 1.1\n",
    "x: float\npow(sin(x), 2) + pow(cos(x), 2) < 0.999\n",
    "x: float\n3.0*(sin(x)*sin(x)) + 3.0*(cos(x)*cos(x)) == 4.0\n",
    "x: float\nsin(x) + cos(x) > 1.5\n",
    "x: float\nsin(x)*cos(x) < -0.6\n",
    "x: float\ncosh(x) < 1.0\n",
    "x, y: float\n2*sin(x) - 3*cos(y) > 5.5\n",
];

/// Each has a solution, if only by rounding.
const ONCE: [&str; 12] = [
    "x: integer\nx*x rem 4 == 1 and x > 1000\n",
    "x: integer\nx*x rem 29 == 5\n",
    "x, y: integer\nx*x + y*y == 4000001\n",
    "x, y: integer\nx rem 2 == 1 and x*y rem 2 == 0 and y > 7\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) < 1.0\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) > 1.0\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) == 1.0\n",
    "x: float\nx + 1.0 == x\n",
    "x, y: float\n(x + y) - x /= y and x > 1.0 and y > 1.0\n",
    "x: float\n0.1*x + 0.2*x > 0.30000000000000001*x and x > 1.0\n",
    "x, y: float\natan2(x, y) == pi\n",
    "x: float\nsin(x) + cos(x) > 1.414\n",
];

#[test]
fn contradictions_are_proved_and_solutions_never_refuted() {
    let folder = folder("contradictions");
    for (at, text) in NEVER.iter().enumerate() {
        let ran = hound(&["solve", &file(&folder, &format!("never{at}.cond"), text)]);
        assert!(ran.out.starts_with("there is no solution; proved by ") && ran.code == 1, "{text}: {ran:?}");
    }
    for (at, text) in ONCE.iter().enumerate() {
        let ran = hound(&["solve", "--evaluations", "50000", &file(&folder, &format!("once{at}.cond"), text)]);
        assert!(!ran.out.starts_with("there is no solution"), "{text}: {ran:?}");
    }
}

/// Conditions that `solve` refutes, `explore` refutes too: functions named so can never come to their errors.
#[test]
fn explorations_prove_what_conditions_alone_are_proved_of() {
    let ran = hound(&["explore", "--format", "json", "crates/cli/tests/contradictions/never.erl"]);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut judged = 0;
    for one in lines.filter(|line| line["kind"] == "function") {
        let name = one["function"].as_str().unwrap();
        let wanted = if name.contains("_never/") { "safe" } else { "crash" };
        assert_eq!(one["verdict"], wanted, "{one}");
        judged += 1;
    }
    assert_eq!(judged, 11, "{ran:?}");
}

/// The VM's own functions give nothing outside of the ranges that the proofs rest on.
#[test]
fn the_vm_keeps_to_the_ranges() {
    let mut host = Host::start(Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let path = support::top().join("crates/cli/tests/contradictions/ranges.erl");
    let extracted = host.extract(Source::ErlFile { path, options: ErlOptions::default() }).expect("it compiles");
    let folder = folder("ranges");
    std::fs::write(folder.join("ranges.beam"), extracted.beam.expect("a module")).expect("written");
    let mut truth = Host::start(Options { paths: vec![folder], ..Options::default() }).expect("a VM");
    let call = Call::read("ranges:broken(100000)").expect("a call");
    let CallResult::Ended(Outcome::Value(broken)) = truth.call(&call) else { panic!("it has a value") };
    assert_eq!(broken.to_string(), "[]");
}
