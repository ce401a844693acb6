//! Functions about what the other generators leave out: no specs, funs of every kind, both zeros, several modules.

use std::fmt::Write as _;

use fastrand::Rng;

use crate::finite::Module;

/// The patterns of functions without specs, in the order in which they may call themselves.
const STATES: [&str; 5] = ["a", "b", "1", "{}", "c"];

/// Functions without specs, which call themselves: by `made:` with values of their own, by `passed:` with their second
/// argument too.
pub fn unspecified(rng: &mut Rng, count: usize) -> Module {
    let mut module = Module::default();
    for at in 0..count {
        let clauses: Vec<String> = (0..rng.usize(2..=5)).map(|clause| unspecified_clause(rng, at, clause)).collect();
        _ = writeln!(module.functions, "\n{}.", clauses.join(";\n"));
        // `zz` stands for all values that no pattern has.
        let values = format!("[{}, zz]", STATES.join(", "));
        module.inputs.push(format!("{{n{at}, [[X, Y] || X <- {values}, Y <- {values}]}}"));
        module.names.push(format!("n{at}/2"));
    }
    module
}

fn unspecified_clause(rng: &mut Rng, function: usize, clause: usize) -> String {
    let state = rng.usize(..STATES.len());
    let second = [STATES[rng.usize(..STATES.len())], "Y"][rng.usize(..2)];
    let body = match (rng.u32(..6), STATES.get(state + 1)) {
        (0, _) => format!("error({{bug, {clause}}})"),
        (1, Some(later)) if second == "Y" => format!("{{done, passed:n{function}({later}, Y)}}"),
        (1..4, Some(later)) => format!("{{done, made:n{function}({later}, {})}}", STATES[rng.usize(..STATES.len())]),
        _ => "ok".to_owned(),
    };
    format!("n{function}({}, {second}) ->\n{body}", STATES[state])
}

/// Functions that look at the funs they are given.
pub fn funs(rng: &mut Rng, count: usize) -> Module {
    let mut module = Module::default();
    let values = "[{'$fun', 1, [0, 1, 0]}, {'$call', fun erlang:abs/1}, {'$call', fun math:sin/1}]";
    let spec = "fun((0..2) -> number())";
    for at in 0..count {
        let tests: Vec<String> = (0..rng.usize(1..=2)).map(|bug| fun_test(rng, bug)).collect();
        _ = writeln!(module.functions, "\n-spec u{at}({spec}, {spec}) -> term().\nu{at}(F, G) ->\n{{done, [");
        _ = writeln!(module.functions, "{}, is_function(G)]}}.", tests.join(",\n"));
        module.inputs.push(format!("{{u{at}, [[X, Y] || X <- {values}, Y <- {values}]}}"));
        module.names.push(format!("u{at}/2"));
    }
    module
}

fn fun_test(rng: &mut Rng, bug: usize) -> String {
    let tests = [
        ("erlang:fun_info(F, type)", "{type, external}"),
        ("erlang:fun_info(F, type)", "{type, local}"),
        ("erlang:fun_info(F, module)", "{module, erlang}"),
        ("erlang:fun_info(F, name)", "{name, abs}"),
        ("erlang:fun_info(F, env)", "{env, []}"),
        ("erlang:fun_info(F, arity)", "{arity, 2}"),
        ("erlang:fun_info(F, arity)", "{arity, x}"),
        ("lists:keyfind(type, 1, erlang:fun_info(F))", "{type, external}"),
        ("is_function(F, 1)", "false"),
        ("is_function(F)", "false"),
        ("F > 5", "false"),
        ("F < {}", "false"),
        ("F =:= fun erlang:abs/1", "true"),
        ("F =:= G", "true"),
        ("F =:= G", "false"),
        ("F < G", "true"),
        ("lists:sort([F, G]) =:= [G, F]", "true"),
        ("maps:size(#{F => 1, G => 2})", "1"),
        ("hd(erlang:fun_to_list(F))", "$f"),
        ("binary:at(term_to_binary(F), 1)", "113"),
        ("erlang:phash2(F, 2)", "0"),
        ("is_tuple({F})", "false"),
    ];
    let (look, answer) = tests[rng.usize(..tests.len())];
    format!("case {look} of\n{answer} ->\nerror({{bug, {bug}}});\n_ ->\nok\nend")
}

/// Functions of floats that are zero, with the constant `-0.0` or without.
pub fn zeros(rng: &mut Rng, count: usize, negative: bool) -> Module {
    let mut module = Module::default();
    for at in 0..count {
        let mut lines = String::new();
        for bug in 0..rng.usize(1..=3) {
            let (a, b) = (float(rng, negative, 2), float(rng, negative, 1));
            let (look, answer) = match rng.u32(..9) {
                6.. => {
                    let [c, d] = [(); 2].map(|()| if negative && rng.bool() { "-0.0" } else { "0.0" });
                    let look = format!("<<(element(2, case B of true -> {{x, {c}}}; false -> {{x, {d}}} end))/float>>");
                    (look, ["<<1:1, _:63>>", "<<0:64>>"][rng.usize(..2)])
                }
                0 => (format!("{{x, {a}}} =:= {{x, {b}}}"), ["true", "false"][rng.usize(..2)]),
                1 => (format!("float_to_list({a}, [{{decimals, 1}}])"), "\"-0.0\""),
                2 => (format!("{{{a}, y}}"), "{0.0, _}"),
                3 => (format!("{a} < {b}"), ["true", "false"][rng.usize(..2)]),
                _ => (format!("<<({a})/float>>"), ["<<1:1, _:63>>", "<<0:64>>"][rng.usize(..2)]),
            };
            _ = writeln!(lines, "case {look} of\n{answer} ->\nerror({{bug, {bug}}});\n_ ->\nok\nend,");
        }
        _ = writeln!(
            module.functions,
            "\n-spec z{at}(-1..2, boolean()) -> term().\nz{at}(N, B) ->\n{lines}{{done, N, B}}."
        );
        module.inputs.push(format!("{{z{at}, [[N, B] || N <- [-1, 0, 1, 2], B <- [true, false]]}}"));
        module.names.push(format!("z{at}/2"));
    }
    module
}

fn float(rng: &mut Rng, negative: bool, depth: u32) -> String {
    let part = |rng: &mut Rng| float(rng, negative, depth.saturating_sub(1));
    match rng.u32(..if depth == 0 { 4 } else { 10 }) {
        0 => "0.0".to_owned(),
        1 if negative => "-0.0".to_owned(),
        1 | 2 => "float(N)".to_owned(),
        3 => "1.0".to_owned(),
        4 => format!("(N * {})", part(rng)),
        5 => format!("({} * {})", part(rng), part(rng)),
        6 => format!("({} + {})", part(rng), part(rng)),
        7 => format!("({} - {})", part(rng), part(rng)),
        8 => format!("case B of true -> {}; false -> {} end", part(rng), part(rng)),
        _ => format!("element(1, {{{}, B}})", part(rng)),
    }
}

/// Functions whose values go through another module and the process dictionary; the second is that module.
pub fn modules(rng: &mut Rng, count: usize) -> (Module, String) {
    let (mut module, mut other) = (Module::default(), "-module(other).\n-compile([export_all]).\n".to_owned());
    for at in 0..count {
        let (limit, key) = (rng.i64(-2..=5), ["k", "N", "{N, B}"][rng.usize(..3)]);
        let fails = ["error({bug, N})", "throw({bug, V})", "exit({bug, V})", "1 div (N - N)", "hd([])"][rng.usize(..5)];
        let test = ["V > LIMIT", "V =:= LIMIT", "V rem 3 =:= LIMIT", "B, V < LIMIT"][rng.usize(..4)];
        let test = test.replace("LIMIT", &limit.to_string());
        let value = ["N", "N * 2", "N - 3", "other:same(N)", "if B -> N; true -> -N end"][rng.usize(..5)];
        let back = ["get", "erase"][rng.usize(..2)];
        _ = writeln!(other, "o{at}(N, B, V) when {test} ->\n{{never, {fails}}};\no{at}(_, _, V) ->\nV.");
        _ = writeln!(module.functions, "\n-spec m{at}(-2..3, boolean()) -> term().\nm{at}(N, B) ->");
        _ = writeln!(module.functions, "put({key}, {value}),\nV = {back}({key}),");
        let again = rng.usize(..=at);
        let call = if rng.bool() {
            format!("fun other:o{again}/3")
        } else {
            format!("fun(X, Y, Z) -> other:o{again}(X, Y, Z) end")
        };
        _ = writeln!(module.functions, "Call = {call},\n{{done, other:through(Call, [N, B, V])}}.");
        module.inputs.push(format!("{{m{at}, [[N, B] || N <- lists:seq(-2, 3), B <- [true, false]]}}"));
        module.names.push(format!("m{at}/2"));
    }
    other.push_str("same(X) ->\nX.\nthrough(F, Args) ->\n[apply(F, Args)].\n");
    (module, other)
}
