//! Generated programs that tick for ever, held to a search through all states of a model.
//!
//! Tickers send their numbers to a hub whenever their time comes, those of one time in any order; the hub goes from state to
//! state and crashes in one of them on one of the messages. `HOUND_SEED` chooses the programs, `HOUND_PROGRAMS` their number.

use std::collections::BTreeSet;
use std::fmt::Write;

use fastrand::Rng;
use search::Verdict;

use crate::rig::{Explorer, compile, session};
use crate::support::{file, folder, hound, number};

/// A program.
struct Program {
    /// The times of each ticker, one after the other, again and again.
    tickers: Vec<Vec<u32>>,
    /// How each waits.
    ways: Vec<Way>,
    /// Where the hub keeps its state.
    store: Store,
    /// The number of states, the factor and the summand of a step.
    states: u32,
    factor: u32,
    summand: u32,
    /// The message on which the hub crashes in the state that is the input, which is at least this.
    message: usize,
    least: u32,
}

/// The way in which a ticker lets time pass, and sends.
#[derive(Clone, Copy)]
enum Way {
    After,
    Timer,
    /// By a process that it starts each time.
    Worker,
}

/// The place of a state.
#[derive(Clone, Copy)]
enum Store {
    Argument,
    Dictionary,
    Row,
    Counter,
}

/// The largest input.
const MOST: u32 = 5;

impl Program {
    fn new(rng: &mut Rng) -> Program {
        let times = |rng: &mut Rng| (0..rng.usize(1..=2)).map(|_| rng.u32(1..=3)).collect();
        let tickers: Vec<Vec<u32>> = (0..rng.usize(1..=3)).map(|_| times(rng)).collect();
        let ways = tickers.iter().map(|_| [Way::After, Way::Timer, Way::Worker][rng.usize(..3)]).collect();
        let store = [Store::Argument, Store::Dictionary, Store::Row, Store::Counter][rng.usize(..4)];
        let (states, message) = (rng.u32(2..=5), rng.usize(..tickers.len()));
        Program {
            tickers,
            ways,
            store,
            states,
            factor: rng.u32(1..=3),
            summand: rng.u32(..3),
            message,
            least: rng.u32(1..=MOST),
        }
    }

    fn step(&self, state: u32, message: usize) -> u32 {
        (self.factor * state + self.summand + message as u32) % self.states
    }

    /// True if the hub crashes for an input in some order.
    fn crashes(&self) -> bool {
        let begin = (0, self.tickers.iter().map(|times| (0, times[0])).collect());
        let mut seen: BTreeSet<(u32, Vec<(usize, u32)>)> = BTreeSet::from([begin]);
        let mut open: Vec<_> = seen.iter().cloned().collect();
        while let Some((state, mut left)) = open.pop() {
            let passed = left.iter().map(|(_, time)| *time).min().expect("a ticker");
            let mut due = Vec::new();
            for (ticker, (at, time)) in left.iter_mut().enumerate() {
                *time -= passed;
                if *time == 0 {
                    *at = (*at + 1) % self.tickers[ticker].len();
                    *time = self.tickers[ticker][*at];
                    due.push(ticker);
                }
            }
            let mut ends = BTreeSet::new();
            if self.receive(state, &due, &mut ends) {
                return true;
            }
            open.extend(ends.into_iter().map(|end| (end, left.clone())).filter(|next| seen.insert(next.clone())));
        }
        false
    }

    /// Takes messages in every order; returns true if one ends in a crash.
    fn receive(&self, state: u32, messages: &[usize], ends: &mut BTreeSet<u32>) -> bool {
        if messages.is_empty() {
            ends.insert(state);
        }
        messages.iter().enumerate().any(|(at, message)| {
            let rest = [&messages[..at], &messages[at + 1..]].concat();
            let crashes = *message == self.message && (self.least..=MOST).contains(&state);
            crashes || self.receive(self.step(state, *message), &rest, ends)
        })
    }

    /// Its source, as a function of the input.
    fn text(&self, name: &str) -> String {
        let (get, put) = match self.store {
            Store::Argument => ("S", ""),
            Store::Dictionary => ("get(state)", "put(state, N),"),
            Store::Row => ("ets:lookup_element(T, state, 2)", "ets:insert(T, {state, N}),"),
            Store::Counter => ("counters:get(C, 1)", "counters:put(C, 1, N),"),
        };
        let mut text = format!("{name}(X) when X >= {} ->\n    H = spawn(fun() -> ", self.least);
        write!(text, "put(state, 0), C = counters:new(1, []), T = ets:new(t, []), ets:insert(T, {{state, 0}}), ")
            .expect("a text");
        writeln!(text, "{name}(X, 0, C, T) end),").expect("a text");
        for (ticker, (times, way)) in self.tickers.iter().zip(&self.ways).enumerate() {
            let way = match way {
                Way::After => "pause",
                Way::Timer => "timer",
                Way::Worker => "worker",
            };
            writeln!(text, "    spawn(fun() -> {way}(H, {ticker}, {times:?}, {times:?}) end),").expect("a text");
        }
        let Program { factor, summand, states, message, .. } = self;
        writeln!(text, "    ok;\n{name}(_) -> ok.").expect("a text");
        writeln!(text, "{name}(X, S, C, T) ->\n    _ = S, M = receive It -> It end, Old = {get},").expect("a text");
        writeln!(text, "    case M =:= {message} andalso Old =:= X of true -> error(found); false -> ok end,")
            .expect("a text");
        writeln!(text, "    N = ({factor} * Old + {summand} + M) rem {states}, {put} {name}(X, N, C, T).")
            .expect("a text");
        text
    }
}

/// The tickers.
const HELPERS: &str = "
-module(ticking).
-compile([export_all, nowarn_export_all]).
pause(H, N, [], All) -> pause(H, N, All, All);
pause(H, N, [T | Ts], All) -> receive after T -> H ! N, pause(H, N, Ts, All) end.
timer(H, N, [], All) -> timer(H, N, All, All);
timer(H, N, [T | Ts], All) ->
    R = erlang:start_timer(T, self(), tick),
    receive {timeout, R, tick} -> H ! N, timer(H, N, Ts, All) end.
worker(H, N, [], All) -> worker(H, N, All, All);
worker(H, N, [T | Ts], All) -> receive after T -> spawn(fun() -> H ! N end), worker(H, N, Ts, All) end.
";

/// The most runs of an exploration.
const RUNS: u64 = 600;

#[test]
fn generated_tickers_crash_as_their_model_does() {
    let mut rng = Rng::with_seed(number("HOUND_SEED", 1));
    let programs: Vec<Program> = (0..number("HOUND_PROGRAMS", 40)).map(|_| Program::new(&mut rng)).collect();
    let folder = folder("processes_ticks");
    let texts: Vec<String> = programs.iter().enumerate().map(|(at, it)| it.text(&format!("p{at}"))).collect();
    compile(&folder, &[file(&folder, "ticking.erl", &format!("{HELPERS}{}", texts.concat())).into()]);
    let mut explorer = Explorer::new(session(&folder));
    let (mut wrong, mut found, mut proved) = (Vec::new(), 0, 0);
    for (at, program) in programs.iter().enumerate() {
        let explored = explorer.explore_inputs("ticking", &format!("p{at}"), &[MOST], RUNS);
        let verdict = explored.exploration.verdict;
        (found, proved) =
            (found + usize::from(verdict == Verdict::Crash), proved + usize::from(verdict == Verdict::Safe));
        if verdict != Verdict::Incomplete && (verdict == Verdict::Crash) != program.crashes() {
            wrong.push(format!("{verdict:?}: {}", texts[at]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found > 0 && proved > 0 && 4 * (found + proved) > 3 * programs.len(), "{found} found, {proved} proved");
}

/// A server whose state grows with every tick, for ever, and that crashes on one input.
const GROWING: &str = "
-module(growing).
-export([half/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-behaviour(gen_server).
-spec half(integer()) -> integer().
half(N) -> {ok, S} = gen_server:start(?MODULE, [], []), gen_server:call(S, {half, N}).
init(Ticks) -> {ok, _} = timer:send_interval(100, tick), {ok, Ticks}.
handle_call({half, N}, _, Ticks) -> {reply, 1000 div (N - 3), Ticks}.
handle_cast(_, Ticks) -> {noreply, Ticks}.
handle_info(tick, Ticks) -> {noreply, [tick | Ticks]}.
";

#[test]
fn runs_of_a_server_that_grows_are_few() {
    let path = file(&folder("processes_growing"), "growing.erl", GROWING);
    let function = &hound(&["explore", "--format", "json", &path, "half/1"]).functions()["growing:half/1"];
    assert_eq!(function["findings"][0]["call"], "growing:half(3)", "{function}");
    // Each goes to the bound on events, which is as much work as hundreds of others.
    let runs = &function["stats"]["long_runs"];
    assert!(runs.as_u64().is_some_and(|runs| runs < 20), "{runs} long runs");
}
