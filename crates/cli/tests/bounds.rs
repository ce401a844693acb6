//! Programs that want more memory or time than they may have: `--memory` and `--time` hold.

mod support;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{file, folder};

/// The bound of the tests, in MiB.
const MEMORY: u64 = 128;

/// The bound of the tests, in seconds.
const TIME: u64 = 3;

const LARGE: &str = "%% Data that doubles, in every way.\n-module(large).\n-compile([export_all, nowarn_export_all]).\n\
    append(L) -> append(L ++ L).\n\
    build(B) -> build(<<B/binary, B/binary>>).\n\
    duplicate(N) -> lists:duplicate(N, x).\n\
    seq(N) -> lists:seq(1, N).\n\
    copy(B) -> copy(binary:copy(B, 7)).\n\
    bytes(L) -> bytes([binary_to_list(list_to_binary(L)), binary_to_list(list_to_binary(L))]).\n\
    join(L) -> join([iolist_to_binary([L, L, L])]).\n\
    tuple(T) -> L = tuple_to_list(T), tuple(list_to_tuple(L ++ L)).\n\
    dictionary(N) -> put(N, lists:seq(1, 100)), dictionary(N + 1).\n\
    stack(N) -> [N | stack(N + 1)].\n\
    digits(N) -> digits(list_to_integer(integer_to_list(N) ++ integer_to_list(N)), []).\n\
    digits(N, L) -> digits(N + 1, [integer_to_list(N bsl 100000) | L]).\n";

const SLOW: &str = "%% Work that takes longer than any test can wait.\n-module(slow).\n-compile([export_all, nowarn_export_all]).\n\
    -spec collatz(pos_integer()) -> non_neg_integer().\n\
    collatz(N) when N > 0 -> collatz(N, 0).\n\
    collatz(1, S) -> S;\n\
    collatz(N, S) when N rem 2 =:= 0 -> collatz(N div 2, S + 1);\n\
    collatz(N, S) -> collatz(3 * N + 1, S + 1).\n\
    grow(0, L) -> L;\ngrow(K, L) -> grow(K - 1, [L, L]).\n\
    -spec doubled(binary()) -> no_return().\ndoubled(B) -> doubled(<<B/binary, B/binary>>).\n\
    -spec size(integer()) -> integer().\nsize(N) -> iolist_size(grow(40, [<<N:8>>])).\n\
    -spec leaves(integer()) -> integer().\nleaves(_) -> iolist_size(grow(40, [<<1>>])).\n\
    -spec equal(integer()) -> boolean().\nequal(_) -> grow(40, [1]) == grow(40, [1]).\n\
    -spec hash(integer()) -> integer().\nhash(_) -> erlang:phash2(grow(40, [1])).\n\
    -spec reason(integer()) -> ok.\nreason(N) when N > 3 -> error(grow(40, [N]));\nreason(_) -> ok.\n\
    -spec large(integer()) -> integer().\nlarge(N) -> squared(N * N + 3).\n\
    squared(X) -> squared(X * X rem ((1 bsl 1000000) + 12345)).\n\
    -spec options(binary()) -> [term()].\n\
    options(<<>>) -> [];\n\
    options(<<T:8, L:8, V:L/binary, R/binary>>) when T < 16 -> [option(T, V) | options(R)];\n\
    options(<<L:16/little, V:L/binary, R/binary>>) -> [options(V) | options(R)].\n\
    option(0, <<N:8, B:N/binary, M:8, C:M/binary-unit:4, _/bits>>) -> {B, C};\n\
    option(1, V) -> options(V);\n\
    option(T, V) -> case V of <<A:T, L:4, X:L/bits, R/bits>> -> {A, X, option(L, R)}; _ -> binary_to_list(V) end.\n\
    -spec ackermann(non_neg_integer(), non_neg_integer()) -> integer().\n\
    ackermann(0, N) -> N + 1;\nackermann(M, 0) -> ackermann(M - 1, 1);\n\
    ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).\n\
    -spec cubes(integer(), integer()) -> integer().\n\
    cubes(X, N) when X * X * X + N * N * N =:= 33, X < N -> error(cubes);\ncubes(X, _) -> X.\n";

/// A command that has ended: the most memory it had, in MiB, its time, and its standard streams.
struct Ended {
    peak: u64,
    time: Duration,
    text: String,
}

fn hound(words: &[&str], out: PathBuf) -> Ended {
    let streams = std::fs::File::create(&out).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    command.args(words).stdin(Stdio::null()).stderr(streams.try_clone().expect("a file")).stdout(streams);
    let began = Instant::now();
    let mut child = command.spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a status").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let most = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(most.unwrap_or(0) / 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    Ended { peak, time: began.elapsed(), text: std::fs::read_to_string(out).expect("text") }
}

#[test]
fn memory_stays_within_its_bound() {
    let folder = folder("bounds_memory");
    let source = file(&folder, "large.erl", LARGE);
    let base = hound(&["run", "1 + 1"], folder.join("out")).peak;
    let most = base + MEMORY + MEMORY / 10;
    let memory = MEMORY.to_string();
    let calls = [
        "append([1])",
        "build(<<1>>)",
        "duplicate(1 bsl 28)",
        "seq(1 bsl 28)",
        "copy(<<1, 2, 3>>)",
        "bytes([1, 2, 3])",
        "join([<<1>>])",
        "tuple({a, b})",
        "dictionary(1)",
        "stack(1)",
        "digits(7)",
    ];
    let mut wrong = Vec::new();
    for call in calls {
        let expression = format!("large:{call}");
        let words = ["run", "--steps", "100000000000", "--memory", &memory, &source, &expression];
        let Ended { peak, text, .. } = hound(&words, folder.join("out"));
        if peak > most || !text.contains("memory limit") {
            wrong.push(format!("{call}: {peak} MiB of {most}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn time_stays_within_its_bound() {
    let folder = folder("bounds_time");
    let source = file(&folder, "slow.erl", SLOW);
    let time = TIME.to_string();
    // Start and extraction are not the search's: a run of another function shows them.
    hound(&["run", &source, "slow:grow(0, [])"], folder.join("out"));
    let start = hound(&["run", &source, "slow:grow(0, [])"], folder.join("out")).time;
    let functions = [
        "collatz/1",
        "doubled/1",
        "size/1",
        "leaves/1",
        "equal/1",
        "hash/1",
        "reason/1",
        "large/1",
        "options/1",
        "ackermann/2",
        "cubes/2",
    ];
    let mut wrong = Vec::new();
    for function in functions {
        let words = ["explore", "--time", &time, "--steps", "1000000000", &source, function];
        let Ended { time, text, .. } = hound(&words, folder.join("out"));
        if time > start + Duration::from_secs(TIME + 1) || !text.contains("slow:") {
            wrong.push(format!("{function}: {time:?}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
