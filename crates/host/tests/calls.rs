//! Calls on the real VM: what they answer, and that limits hold.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use host::{CallLimits, CallResult};
use support::{call, host, host_with, run, show};
use term::{Class, Outcome};

#[test]
fn a_call_answers_with_its_value() {
    let mut host = host();
    assert_eq!(run(&mut host, "lists:sort([3,1,2])"), "[1,2,3]");
    assert_eq!(run(&mut host, "maps:put(a,1.5,#{b => <<1,2,3:3>>})"), "#{a => 1.5,b => <<1,2,3:3>>}");
    assert_eq!(run(&mut host, "erlang:'bsl'(1,100)"), "1267650600228229401496703205376");
    assert_eq!(run(&mut host, "erlang:make_fun(lists,sort,1)"), "fun lists:sort/1");
}

#[test]
fn a_call_answers_with_its_exception() {
    let mut host = host();
    assert_eq!(run(&mut host, "erlang:hd([])"), "error:badarg");
    assert_eq!(run(&mut host, "erlang:throw(x)"), "throw:x");
    assert_eq!(run(&mut host, "erlang:exit(normal)"), "exit:normal");
    assert_eq!(run(&mut host, "lists:nonsense(1)"), "error:undef");
    assert_eq!(run(&mut host, "no_such_module:f(1)"), "error:undef");
}

#[test]
fn tables_are_funs_of_the_vm_and_come_back_as_tables() {
    let mut host = host();
    let table = "fun(3) -> 42; (a) -> {1.0}; (_) -> 0 end";
    assert_eq!(run(&mut host, &format!("lists:map({table}, [3,a,3.0,b])")), "[42,{1.0},0,0]");
    assert_eq!(run(&mut host, "lists:sort(fun(1, 2) -> false; (_, _) -> true end, [1,2])"), "[2,1]");
    assert_eq!(run(&mut host, "erlang:apply(fun() -> ok end, [])"), "ok");
    assert_eq!(run(&mut host, &format!("erlang:is_function({table}, 1)")), "true");
    assert_eq!(run(&mut host, &format!("erlang:is_function({table}, 2)")), "false");
    let nested = "#{f => [fun(1) -> fun(_, _) -> b end; (_) -> #{} end|t]}";
    assert_eq!(run(&mut host, &format!("erlang:hd([{nested}])")), nested);
    let wide = format!("fun({}) -> x end", vec!["_"; 20].join(", "));
    assert_eq!(run(&mut host, &format!("erlang:hd([{wide}])")), wide);
    assert_eq!(run(&mut host, "erlang:apply(fun(_) -> 0 end, [1,2])"), "error:{badarity,{fun(_) -> 0 end,[1,2]}}");
    assert_eq!(
        run(
            &mut host,
            "erlang:apply(fun(#{}) -> 0; (_) -> 1 end, [#{}])".replace("(#{})", "(X) when X =:= #{}").as_str()
        ),
        "0"
    );
}

#[test]
fn tables_stand_in_the_order_of_the_vm() {
    let mut host = host();
    let texts = [
        "fun() -> 0 end",
        "fun() -> 1 end",
        "fun(_) -> 0 end",
        "fun(_) -> 0.0 end",
        "fun(1) -> a; (_) -> 0 end",
        "fun(1) -> b; (_) -> 0 end",
        "fun(1) -> a; (2) -> a; (_) -> 0 end",
        "fun(_) -> [] end",
        "fun(_, _) -> 0 end",
        "fun lists:map/2",
        "a",
        "{}",
    ];
    for (left, a) in texts.iter().map(|text| (text, term::Term::read(text).expect("a term"))) {
        for (right, b) in texts.iter().map(|text| (text, term::Term::read(text).expect("a term"))) {
            let vm = |host: &mut _, name: &str| run(host, &format!("erlang:'{name}'({left}, {right})"));
            assert_eq!(vm(&mut host, "<"), a.compare(&b).is_lt().to_string(), "{left} < {right}");
            assert_eq!(vm(&mut host, "=:="), (a == b).to_string(), "{left} =:= {right}");
            assert_eq!(vm(&mut host, "=="), a.num_eq(&b).to_string(), "{left} == {right}");
        }
    }
}

#[test]
fn the_stack_holds_no_frame_of_ours() {
    let mut host = host();
    let CallResult::Ended(Outcome::Raised(raised)) = host.call(&call("lists:map(a,[1])")) else { panic!() };
    assert_eq!(raised.class, Class::Error);
    let stack = raised.stack.to_string();
    assert!(stack.contains("lists") && !stack.contains("hound"), "{stack}");
}

#[test]
fn an_endless_loop_runs_out_of_time() {
    let mut host = host_with(CallLimits { millis: 200, reductions: 0, ..CallLimits::default() });
    assert_eq!(run(&mut host, "erlang:abs(-1)"), "1");
    let started = Instant::now();
    assert_eq!(run(&mut host, "timer:sleep(infinity)"), "timed out");
    host.extract(host::Source::Expression("(fun F() -> F() end)()".to_string()))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run(&mut host, "hound_expression:main()"), "timed out");
    assert!(started.elapsed() < Duration::from_secs(20), "long after the limit");
    assert_eq!(run(&mut host, "erlang:abs(-1)"), "1");
}

#[test]
fn a_busy_loop_runs_out_of_reductions() {
    let mut host = host_with(CallLimits { millis: 60_000, reductions: 1_000_000, heap_words: 0 });
    let pid = host.os_pid();
    assert_eq!(run(&mut host, "lists:seq(1,100000000)"), "out of reductions");
    assert_eq!(host.os_pid(), pid, "no restart was needed");
}

#[test]
fn a_heap_bomb_runs_out_of_memory() {
    let mut host = host_with(CallLimits { heap_words: 1 << 20, ..CallLimits::default() });
    assert_eq!(run(&mut host, "lists:seq(1,100000000)"), "out of memory");
    assert_eq!(run(&mut host, "erlang:abs(-1)"), "1");
}

#[test]
fn being_killed_is_not_being_out_of_memory() {
    let mut host = host();
    let CallResult::Ended(Outcome::Value(own)) = host.call(&call("erlang:self()")) else { panic!() };
    assert!(own.to_string().starts_with('<'));
    let source = host::Source::Expression("exit(self(), kill)".to_string());
    host.extract(source).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run(&mut host, "hound_expression:main()"), "killed: killed");
    host.extract(host::Source::Expression("spawn_link(fun() -> exit(why) end), receive x -> y end".to_string()))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run(&mut host, "hound_expression:main()"), "killed: why");
}

#[test]
fn a_value_whose_sharing_would_explode_is_refused() {
    let mut host = host_with(CallLimits { millis: 500, ..CallLimits::default() });
    let text = "lists:foldl(fun(_, A) -> [A|A] end, [], lists:seq(1, 60))";
    host.extract(host::Source::Expression(text.to_string())).unwrap_or_else(|error| panic!("{error}"));
    let result = show(&host.call(&call("hound_expression:main()")));
    assert!(["out of memory", "timed out", "out of reductions"].contains(&result.as_str()), "{result}");
    assert_eq!(run(&mut host, "erlang:abs(-1)"), "1");
}

#[test]
fn processes_that_a_call_leaves_behind_are_ended() {
    let mut host = host();
    host.extract(host::Source::Expression(
        "[spawn(fun() -> receive x -> y end end) || _ <- lists:seq(1, 50)], ok".to_string(),
    ))
    .unwrap_or_else(|error| panic!("{error}"));
    let count = |host: &mut host::Host| -> i64 {
        let CallResult::Ended(Outcome::Value(value)) = host.call(&call("erlang:system_info(process_count)")) else {
            panic!()
        };
        value.as_i64().expect("a number")
    };
    let before = count(&mut host);
    (0..20).for_each(|_| assert_eq!(run(&mut host, "hound_expression:main()"), "ok"));
    assert!(count(&mut host) < before + 50);
}

#[test]
fn nothing_is_printed_and_reading_ends_at_once() {
    let mut host = host();
    assert_eq!(run(&mut host, "io:format(\"~p~n\",[x])"), "ok");
    assert_eq!(run(&mut host, "io:get_line(\"prompt\")"), "eof");
    assert_eq!(run(&mut host, "io:read(\"prompt\")"), "eof");
    assert_eq!(run(&mut host, "logger:error(\"oops\")"), "ok");
    assert_eq!(run(&mut host, "error_logger:error_msg(\"oops\")"), "ok");
    assert_eq!(run(&mut host, "io:columns()"), "{error,enotsup}");
}

#[test]
fn values_and_exceptions_print_as_in_the_shell() {
    let mut host = host();
    let CallResult::Ended(Outcome::Value(value)) = host.call(&call("lists:seq(1,40)")) else { panic!() };
    let text = host.format(&value).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.starts_with("[1,2,3,") && text.contains('\n'), "{text}");
    let CallResult::Ended(Outcome::Raised(raised)) = host.call(&call("erlang:'+'(a,1)")) else { panic!() };
    let text = host.format_exception(&raised).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        text.starts_with("** exception error: an error occurred when evaluating an arithmetic expression"),
        "{text}"
    );
    assert!(text.contains("in operator  +/2") || text.contains("in function  erlang:'+'/2"), "{text}");
}

/// What the real shell prints for each expression.
fn shell(expressions: &[&str]) -> Vec<String> {
    let input: String = expressions.iter().map(|text| format!("{text}.\n")).collect();
    let mut erl = Command::new("erl")
        .args(["-boot", "no_dot_erlang"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("erl starts");
    erl.stdin.take().expect("it was asked for").write_all(input.as_bytes()).expect("erl reads");
    let output = erl.wait_with_output().expect("erl ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answer = |number: usize| {
        let (from, to) = (format!("\n{number}> "), format!("\n{}> ", number + 1));
        let start = text.find(&from)? + from.len();
        let end = start + text[start..].find(&to)?;
        Some(text[start..end].trim_end().to_string())
    };
    (1..=expressions.len()).map(|number| answer(number).unwrap_or_else(|| panic!("{number} in {text}"))).collect()
}

#[test]
fn exceptions_print_word_for_word_as_in_the_shell() {
    let calls = [
        "lists:map(a,[1])",
        "erlang:hd([])",
        "erlang:'+'(1,a)",
        "lists:nonsense(1)",
        "no_such_module:f()",
        "erlang:throw(x)",
        "erlang:exit({a,b})",
        "erlang:error({custom,[1,2,3],<<\"text\">>})",
        "lists:sort(a)",
        "maps:get(a,#{})",
        "maps:fold(fun lists:append/2,0,#{a => b})",
        "ets:lookup(no_such_table,1)",
        "erlang:binary_to_atom(1)",
        "erlang:list_to_integer(\"12x\")",
        "calendar:day_of_the_week(2023,2,29)",
        "lists:nth(0,[a])",
        "binary:part(<<1,2,3>>,5,1)",
        "erlang:error({badmatch,lists})",
        "string:length({})",
    ];
    let mut host = host();
    for (text, expected) in calls.iter().zip(shell(&calls)) {
        let CallResult::Ended(Outcome::Raised(raised)) = host.call(&call(text)) else { panic!("{text} raises") };
        let printed = host.format_exception(&raised).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(printed.trim_end(), expected, "{text}");
    }
}

#[test]
fn values_print_word_for_word_as_in_the_shell() {
    let calls = [
        "lists:seq(1,24)",
        "maps:from_list([{a,1},{\"b\",[2.5,-0.0]},{<<\"c\">>,x}])",
        "lists:duplicate(3,\"text\")",
        "erlang:list_to_binary([1,2,200])",
        "erlang:list_to_bitstring([<<1:3>>])",
        "lists:zip([a,b],[{1,2},{3,4}])",
        "string:uppercase(\"abc\")",
        "math:pow(2,70)",
    ];
    let mut host = host();
    for (text, expected) in calls.iter().zip(shell(&calls)) {
        let CallResult::Ended(Outcome::Value(value)) = host.call(&call(text)) else { panic!("{text} has a value") };
        assert_eq!(host.format(&value).unwrap_or_else(|error| panic!("{error}")), expected, "{text}");
    }
}
