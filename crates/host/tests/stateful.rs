//! Sessions: state stays between calls and goes with the session.

mod support;

use host::CallLimits;
use support::{call, host, host_with, run, show};

#[test]
fn state_stays_within_a_session_and_not_beyond() {
    let mut host = host();
    let (one, two) = (host.open_process(), host.open_process());
    assert_eq!(show(&host.process_call(one, &call("erlang:put(key,1)"))), "undefined");
    assert_eq!(show(&host.process_call(two, &call("erlang:put(key,2)"))), "undefined");
    assert_eq!(show(&host.process_call(one, &call("erlang:get(key)"))), "1");
    assert_eq!(show(&host.process_call(two, &call("erlang:get(key)"))), "2");
    assert_eq!(run(&mut host, "erlang:get(key)"), "undefined");
}

#[test]
fn tables_live_as_long_as_their_session() {
    let mut host = host();
    let session = host.open_process();
    assert_eq!(show(&host.process_call(session, &call("ets:new(a_table,[named_table])"))), "a_table");
    assert_eq!(show(&host.process_call(session, &call("ets:insert(a_table,{1,2})"))), "true");
    assert_eq!(show(&host.process_call(session, &call("ets:lookup(a_table,1)"))), "[{1,2}]");
    host.close_process(session);
    let next = host.open_process();
    assert_eq!(show(&host.process_call(next, &call("ets:info(a_table,size)"))), "undefined");
    assert_eq!(show(&host.process_call(session, &call("erlang:abs(1)"))), "died: the process was closed");
}

#[test]
fn an_unnamed_table_can_be_handed_back() {
    let mut host = host();
    let session = host.open_process();
    let host::CallResult::Ended(term::Outcome::Value(table)) = host.process_call(session, &call("ets:new(t,[])"))
    else {
        panic!()
    };
    let mut insert = call("ets:insert(x,{1,2})");
    insert.args[0] = table.clone();
    assert_eq!(show(&host.process_call(session, &insert)), "true");
}

#[test]
fn random_numbers_follow_the_sessions_seed() {
    let mut host = host();
    let mut numbers = || {
        let session = host.open_process();
        host.process_call(session, &call("rand:seed(exsss,{1,2,3})"));
        let drawn: Vec<String> =
            (0..3).map(|_| show(&host.process_call(session, &call("rand:uniform(1000000)")))).collect();
        host.close_process(session);
        drawn
    };
    let first = numbers();
    assert_eq!(first, numbers());
    assert_ne!(first[0], first[1]);
}

#[test]
fn output_is_kept_until_it_is_asked_for() {
    let mut host = host();
    let session = host.open_process();
    host.process_call(session, &call("io:format(\"~p ~ts~n\",[{a,1},[955]])"));
    host.process_call(session, &call("io:put_chars([0])"));
    let output = host.process_output(session).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(output, "{a,1} λ\n\0".as_bytes());
    assert_eq!(host.process_output(session), Ok(Vec::new()));
    assert!(show(&host.process_call(session, &call("io:format(\"~p\",[])"))).starts_with("error:badarg"));
}

#[test]
fn a_limit_ends_the_session_and_nothing_else() {
    let mut host = host_with(CallLimits { millis: 200, ..CallLimits::default() });
    let (one, two) = (host.open_process(), host.open_process());
    host.process_call(two, &call("erlang:put(key,2)"));
    assert_eq!(show(&host.process_call(one, &call("timer:sleep(infinity)"))), "timed out");
    assert_eq!(show(&host.process_call(one, &call("erlang:abs(1)"))), "died: the session has ended");
    assert_eq!(show(&host.process_call(two, &call("erlang:get(key)"))), "2");
}

#[test]
fn a_session_is_lost_with_its_vm() {
    let mut host = host();
    let session = host.open_process();
    host.process_call(session, &call("erlang:put(key,2)"));
    assert!(show(&host.process_call(session, &call("erlang:halt()"))).starts_with("died"));
    assert_eq!(
        show(&host.process_call(session, &call("erlang:get(key)"))),
        "died: the process was lost when the VM ended"
    );
    assert!(host.process_output(session).is_err());
    let next = host.open_process();
    assert_eq!(show(&host.process_call(next, &call("erlang:get(key)"))), "undefined");
}

#[test]
fn a_session_is_not_mistaken_for_one_of_a_later_vm() {
    let mut host = host();
    let lost = host.open_process();
    host.process_call(lost, &call("erlang:put(key,2)"));
    let pid = host.os_pid().expect("it runs");
    // SAFETY: the process was started by this test's own host.
    assert_eq!(unsafe { libc::kill(pid as i32, libc::SIGKILL) }, 0);
    std::thread::sleep(std::time::Duration::from_millis(100));
    let next = host.open_process();
    assert_eq!(show(&host.process_call(next, &call("erlang:put(key,3)"))), "undefined");
    assert_eq!(
        show(&host.process_call(lost, &call("erlang:get(key)"))),
        "died: the process was lost when the VM ended"
    );
    assert_eq!(show(&host.process_call(next, &call("erlang:get(key)"))), "3");
}

#[test]
fn many_calls_in_one_session_do_not_hit_the_limit_of_one() {
    let mut host = host_with(CallLimits { reductions: 100_000, ..CallLimits::default() });
    let session = host.open_process();
    for _ in 0..50 {
        assert_eq!(show(&host.process_call(session, &call("lists:sum([1,2,3])"))), "6");
        host.process_call(session, &call("lists:seq(1,20000)"));
    }
}
