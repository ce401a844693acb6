//! Causes of findings: inputs of a cause end as the finding does, and none of its conditions can go.
//!
//! `HOUND_SEED` chooses the programs, `HOUND_PROGRAMS` their number.

mod support;

use std::fmt::Write;

use fastrand::Rng;
use serde_json::Value;
use support::{file, folder, hound, number, succeed};

/// A program: nested conditions over two integers and a list of tagged integers, some of which end in an error.
fn program(rng: &mut Rng, name: usize) -> String {
    let mut errors = 0;
    let body = branch(rng, 3, name, &mut errors);
    format!("-spec p{name}(integer(), integer(), [{{a | b, integer()}}]) -> ok.\np{name}(A, B, L) -> {body}.\n")
}

fn branch(rng: &mut Rng, depth: u32, name: usize, errors: &mut u32) -> String {
    if depth == 0 || rng.u32(..6) == 0 {
        return if rng.u32(..2) == 0 {
            *errors += 1;
            format!("error({{boom, {name}, {errors}}})")
        } else {
            "ok".to_owned()
        };
    }
    let yes = branch(rng, depth - 1, name, errors);
    let no = branch(rng, depth - 1, name, errors);
    let constant = rng.i32(-4..5);
    match rng.u32(..8) {
        0 => format!("case A < {constant} of true -> {yes}; false -> {no} end"),
        1 => format!("case B =:= {constant} of true -> {yes}; false -> {no} end"),
        2 => format!("case A + B > {constant} of true -> {yes}; false -> {no} end"),
        3 => format!("case A - 2 * B =:= {constant} of true -> {yes}; false -> {no} end"),
        4 => format!("case A > B of true -> {yes}; false -> {no} end"),
        5 => format!("case L of [{{a, _}} | _] -> {yes}; _ -> {no} end"),
        6 => format!("case L of [_, {{_, {constant}}} | _] -> {yes}; _ -> {no} end"),
        _ => format!("case L of [{{_, N}} | _] when N < {constant} -> {yes}; _ -> {no} end"),
    }
}

/// A condition of a cause as an Erlang guard.
fn guard(condition: &str) -> String {
    match condition.split_once(" =/= ") {
        Some((part, "[_ | _]")) => format!("not is_list({part}) orelse {part} =:= []"),
        Some((part, pattern)) if pattern.starts_with("{_") => {
            format!("not is_tuple({part}) orelse tuple_size({part}) =/= {}", pattern.matches('_').count())
        }
        _ => condition.to_owned(),
    }
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The check of a finding: the function, its reason, the inputs of its cause, and those without each of its conditions.
fn check(function: &str, finding: &Value) -> Option<String> {
    let (inputs, conditions) = (texts(&finding["cause"]["inputs"]), texts(&finding["cause"]["conditions"]));
    let member = |left_out: Option<usize>| {
        let guards = conditions.iter().enumerate().filter(|(at, _)| Some(*at) != left_out).map(|(_, it)| guard(it));
        let guards = guards.map(|guard| format!("({guard})")).collect::<Vec<_>>().join(", ");
        let when = if guards.is_empty() { String::new() } else { format!(" when {guards}") };
        format!("fun({}){when} -> true; (_, _, _) -> false end", inputs.join(", "))
    };
    let wider = (0..conditions.len()).map(|at| member(Some(at))).collect::<Vec<_>>().join(", ");
    let reason = finding["reason"].as_str()?;
    (!inputs.is_empty()).then(|| format!("{{fun p:{function}/3, {reason}, {}, [{wider}]}}", member(None)))
}

/// Tries the checks with many inputs, and prints those that fail.
const CHECKER: &str = r#"
main() ->
    rand:seed(exsss, {1, 2, 3}),
    Inputs = [inputs() || _ <- lists:seq(1, 4000)],
    Check = fun(At) -> check(At, apply(?MODULE, list_to_atom("c" ++ integer_to_list(At)), []), Inputs) end,
    lists:foreach(Check, lists:seq(1, count())).

inputs() -> [small(), small(), [{lists:nth(rand:uniform(2), [a, b]), small()} || _ <- lists:seq(1, rand:uniform(4) - 1)]].
small() -> rand:uniform(13) - 7.

check(At, {Function, Reason, IsMember, Wider}, Inputs) ->
    Ends = fun(Args) -> try apply(Function, Args) of _ -> false catch error:Other -> Other =:= Reason end end,
    Members = [Args || Args <- Inputs, apply(IsMember, Args)],
    Wrong = [Args || Args <- Members, not Ends(Args)],
    length(Wrong) * 100 =< length(Members) orelse io:format("~p: ~p ends otherwise~n", [At, hd(Wrong)]),
    Others = Inputs -- Members,
    Without = [{Which, [Args || Args <- Others, apply(Is, Args)]} || {Which, Is} <- lists:enumerate(Wider)],
    [io:format("~p: condition ~p can go~n", [At, Which]) || {Which, Found} <- Without, length(Found) >= 100, lists:all(Ends, Found)],
    io:format("members ~p~n", [length(Members)]).
"#;

#[test]
fn causes_are_enough_and_none_of_their_conditions_can_go() {
    let mut rng = Rng::with_seed(number("HOUND_SEED", 5));
    let programs: Vec<String> = (0..number("HOUND_PROGRAMS", 60) as usize).map(|at| program(&mut rng, at)).collect();
    let folder = folder("causes");
    let exports = "-compile([export_all, nowarn_export_all]).\n";
    let path = file(&folder, "p.erl", &format!("-module(p).\n{exports}{}", programs.concat()));
    let functions = hound(&["explore", "--format", "json", &path]).functions();
    let (mut checks, mut findings) = (Vec::new(), 0);
    for (function, line) in &functions {
        let name = function.trim_start_matches("p:").trim_end_matches("/3");
        for finding in line["findings"].as_array().into_iter().flatten() {
            findings += 1;
            checks.extend(check(name, finding));
        }
    }
    let mut text = format!("-module(causes_checker).\n{exports}count() -> {}.\n", checks.len());
    for (at, check) in checks.iter().enumerate() {
        writeln!(text, "c{}() -> {check}.", at + 1).expect("a text");
    }
    text.write_str(CHECKER).expect("a text");
    file(&folder, "causes_checker.erl", &text);
    succeed("erlc", &["-W0", "p.erl", "causes_checker.erl"], &folder);
    let erl = std::process::Command::new("erl")
        .current_dir(&folder)
        .args(["-noshell", "-s", "causes_checker", "main", "-s", "init", "stop"])
        .output();
    let out = String::from_utf8_lossy(&erl.expect("Erlang is installed").stdout).into_owned();
    let (members, wrong): (Vec<&str>, Vec<&str>) = out.lines().partition(|line| line.starts_with("members "));
    assert_eq!(members.len(), checks.len(), "{out}");
    let shown: Vec<String> = wrong
        .iter()
        .map(|line| {
            let at = line.split(':').next().and_then(|at| at.parse::<usize>().ok()).unwrap_or(1);
            format!("{line}\n  {}", checks[at - 1])
        })
        .collect();
    println!("{} causes of {findings} findings", checks.len());
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
    assert!(findings > 40 && checks.len() * 10 >= findings * 9, "{} causes of {findings} findings", checks.len());
}
