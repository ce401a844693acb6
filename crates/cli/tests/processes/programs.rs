//! Generated programs for the interpreter.

use std::fmt::Write;
use std::path::Path;

use fastrand::Rng;

use crate::model::{How, Op, Program, Reason, Time, What};
use crate::rig::{Explorer, compile, session, sources};
use crate::support::file;

/// A subject that some programs are about, so that their operations meet.
#[derive(Clone, Copy)]
enum Theme {
    Messages,
    Names,
    Tables,
    Ends,
    Times,
    All,
}

/// Explores the functions `p0`, `p1`, … of a module `generated` in a folder, each of which runs a program.
pub fn explorer(folder: &Path, programs: &[Program]) -> Explorer {
    let mut text = String::from("-module(generated).\n-compile([export_all, nowarn_export_all]).\n");
    for (at, program) in programs.iter().enumerate() {
        writeln!(text, "p{at}() -> {}.", call(program)).expect("a text");
    }
    let generated = file(folder, "generated.erl", &text);
    compile(folder, &[sources().join("interpreter.erl"), generated.into()]);
    Explorer::new(session(folder))
}

/// A program of two to four processes.
pub fn program(rng: &mut Rng) -> Program {
    let themes = [Theme::Messages, Theme::Names, Theme::Tables, Theme::Ends, Theme::Ends, Theme::Times, Theme::All];
    let theme = themes[rng.usize(..themes.len())];
    let first = rng.usize(2..=3);
    let total = rng.usize(4..=9);
    let mut processes: Vec<Vec<Op>> = (0..first).map(|_| Vec::new()).collect();
    for _ in 0..total {
        let me = rng.usize(..first);
        if processes[me].len() < 6 {
            let ops = operation(rng, theme, (me, first), &processes[me]);
            processes[me].push(ops);
        }
    }
    if rng.u8(..4) == 0 {
        let id = processes.len();
        let how = [How::Plain, How::Link, How::Monitor][rng.usize(..3)];
        let mut child = Vec::new();
        for _ in 0..rng.usize(1..=2) {
            child.push(child_operation(rng, first));
        }
        let parent = rng.usize(..first);
        let at = rng.usize(..=processes[parent].len());
        processes[parent].insert(at, Op::Spawn(how, id));
        processes.push(child);
    }
    for ops in &mut processes {
        if rng.u8(..4) == 0 {
            ops.push(Op::Exit(Reason::Shutdown));
        }
    }
    Program { first, processes }
}

fn operation(rng: &mut Rng, theme: Theme, (me, first): (usize, usize), before: &[Op]) -> Op {
    let theme = match theme {
        Theme::All => [Theme::Messages, Theme::Names, Theme::Tables, Theme::Ends, Theme::Times][rng.usize(..5)],
        theme => theme,
    };
    let (to, name, value) = (rng.usize(..first), rng.u8(..2) / 2 + u8::from(rng.u8(..5) == 0), rng.u8(..2));
    match (theme, rng.u8(..12)) {
        (_, 0..=2) => Op::Send(to, value),
        (_, 3..=5) => take(rng, first),
        // The VM does not show a process messages that it has not fetched.
        (Theme::Messages, 6) if to != me => Op::Queue(to),
        (Theme::Messages, _) => Op::Send(to, value),
        (Theme::Names, 6..=7) => Op::Register(name),
        (Theme::Names, 8) => Op::Unregister(name),
        (Theme::Names, 9) => Op::Whereis(name),
        (Theme::Names, 10) => Op::Kill(to, reason(rng)),
        (Theme::Names, _) => Op::SendName(name, value),
        (Theme::Tables, 6..=7) => Op::Table(name),
        (Theme::Tables, 8..=9) => Op::Insert(name, value),
        (Theme::Tables, _) => Op::Lookup(name),
        (Theme::Times, 6..=9) => Op::Later(to, [0, 10, 10, 20][rng.usize(..4)], value),
        (Theme::Times, 10) if before.iter().any(|op| matches!(op, Op::Later(..))) => Op::Cancel,
        (Theme::Times, _) => take(rng, first),
        (_, 6) => Op::Link(to),
        (_, 7) => Op::Monitor(to),
        (_, 8) if before.iter().any(|op| matches!(op, Op::Monitor(_))) => {
            Op::Demonitor { flush: rng.bool(), info: rng.bool() }
        }
        (_, 8) if before.contains(&Op::Link(to)) => Op::Unlink(to),
        (_, 8 | 9) => Op::Kill(to, reason(rng)),
        (_, 10) => Op::Trap(rng.u8(..4) != 0),
        (_, _) => Op::Alive(to),
    }
}

fn child_operation(rng: &mut Rng, first: usize) -> Op {
    let (to, value) = (rng.usize(..first), rng.u8(..2));
    match rng.u8(..5) {
        0 | 1 => Op::Send(to, value),
        2 => Op::Kill(to, reason(rng)),
        3 => Op::Alive(to),
        _ => Op::Monitor(to),
    }
}

fn take(rng: &mut Rng, first: usize) -> Op {
    let what = match rng.u8(..6) {
        0 => What::Value(rng.u8(..2)),
        1 => What::From(rng.usize(..first)),
        2 => What::Message,
        3 => What::Down,
        _ => What::Any,
    };
    let time = match rng.u8(..5) {
        0 => Time::Forever,
        1 | 2 => Time::After(0),
        3 => Time::After(10),
        _ => Time::After(20),
    };
    Op::Take(what, time)
}

fn reason(rng: &mut Rng) -> Reason {
    [Reason::Kill, Reason::Shutdown, Reason::Normal][rng.usize(..3)]
}

/// The call of the interpreter that runs a program.
pub fn call(program: &Program) -> String {
    let processes = (0..program.first).map(|at| format!("{{{}, {}}}", at + 1, list(program, at)));
    format!("interpreter:run({}, [{}])", program.processes.len(), processes.collect::<Vec<_>>().join(", "))
}

fn list(program: &Program, process: usize) -> String {
    let ops = program.processes[process].iter().map(|op| text(program, op));
    format!("[{}]", ops.collect::<Vec<_>>().join(", "))
}

fn text(program: &Program, op: &Op) -> String {
    let time = |time: &Time| match time {
        Time::Forever => "infinity".to_owned(),
        Time::After(time) => time.to_string(),
    };
    let what = |what: &What| match what {
        What::Value(value) => format!("{{value, {value}}}"),
        What::From(from) => format!("{{from, {}}}", from + 1),
        What::Message => "message".to_owned(),
        What::Down => "down".to_owned(),
        What::Any => "any".to_owned(),
    };
    match op {
        Op::Send(to, value) => format!("{{send, {}, {value}}}", to + 1),
        Op::SendName(name, value) => format!("{{send_name, n{name}, {value}}}"),
        Op::Take(wanted, until) => format!("{{take, {}, {}}}", what(wanted), time(until)),
        Op::Register(name) => format!("{{register, n{name}}}"),
        Op::Unregister(name) => format!("{{unregister, n{name}}}"),
        Op::Whereis(name) => format!("{{whereis, n{name}}}"),
        Op::Table(name) => format!("{{table, t{name}}}"),
        Op::Insert(name, value) => format!("{{insert, t{name}, {value}}}"),
        Op::Lookup(name) => format!("{{lookup, t{name}}}"),
        Op::Link(to) => format!("{{link, {}}}", to + 1),
        Op::Unlink(to) => format!("{{unlink, {}}}", to + 1),
        Op::Monitor(to) => format!("{{monitor, {}}}", to + 1),
        Op::Demonitor { flush, info } => {
            let options = [("flush", flush), ("info", info)].into_iter().filter(|(_, wanted)| **wanted);
            format!("{{demonitor, [{}]}}", options.map(|(name, _)| name).collect::<Vec<_>>().join(", "))
        }
        Op::Kill(to, reason) => format!("{{kill, {}, {reason}}}", to + 1),
        Op::Trap(flag) => format!("{{trap, {flag}}}"),
        Op::Alive(to) => format!("{{alive, {}}}", to + 1),
        Op::Queue(to) => format!("{{queue, {}}}", to + 1),
        Op::Spawn(how, id) => {
            let how = format!("{how:?}").to_lowercase();
            format!("{{spawn, {how}, {}, {}}}", id + 1, list(program, *id))
        }
        Op::Later(to, time, value) => format!("{{later, {}, {time}, {value}}}", to + 1),
        Op::Cancel => "cancel".to_owned(),
        Op::Exit(reason) => format!("{{exit, {reason}}}"),
    }
}
