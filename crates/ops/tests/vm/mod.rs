//! The real Erlang VM, to compare answers with.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test may start Erlang")]

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ops::{Dictionary, Environment, Eval};
use term::{Class, Exception, Mfa, Term, etf};

/// An `erl` that answers one call after the other.
pub struct Vm {
    child: Child,
    requests: ChildStdin,
    answers: ChildStdout,
    dictionary: Dictionary,
}

impl Vm {
    pub fn start() -> Vm {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vm/answer.erl");
        let program = format!(
            "{{ok, answer, Code}} = compile:file({source:?}, [binary]), code:load_binary(answer, {source:?}, Code), \
             answer:start()"
        );
        let mut child = Command::new("erl")
            .args(["-noshell", "-noinput", "-eval", &program])
            .env("ERL_CRASH_DUMP_SECONDS", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("erl starts");
        let requests = child.stdin.take().expect("a pipe");
        let answers = child.stdout.take().expect("a pipe");
        Vm { child, requests, answers, dictionary: Dictionary::new() }
    }

    /// What the VM gives for that call.
    pub fn call(&mut self, mfa: Mfa, args: &[Term]) -> Eval {
        let request = Term::tuple([Term::atom(mfa.module), Term::atom(mfa.function), Term::list(args.to_vec())]);
        let request = etf::encode(&request).expect("terms of a test can be encoded");
        self.requests.write_all(&(request.len() as u32).to_be_bytes()).expect("erl listens");
        self.requests.write_all(&request).expect("erl listens");
        let mut size = [0; 4];
        self.answers.read_exact(&mut size).expect("erl answers");
        let mut answer = vec![0; u32::from_be_bytes(size) as usize];
        self.answers.read_exact(&mut answer).expect("erl answers");
        let answer = etf::decode(&answer).expect("what erl encodes can be decoded");
        match answer.as_tuple() {
            Some([_, value]) if named(&answer, "value") => Ok(value.clone()),
            Some([_, class, reason]) if named(&answer, "raised") => {
                let class = class.as_atom().and_then(Class::from_atom).expect("a class");
                Err(Box::new(Exception { class, reason: reason.clone(), stack: Term::nil() }))
            }
            _ => panic!("{mfa:?} died on {args:?}: {answer}"),
        }
    }
}

fn named(answer: &Term, tag: &str) -> bool {
    answer.as_tuple().is_some_and(|items| items[0].as_atom().is_some_and(|atom| atom.name() == tag))
}

impl Drop for Vm {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A run in which every question is answered by the VM.
impl Environment for Vm {
    fn dictionary(&mut self) -> &mut Dictionary {
        &mut self.dictionary
    }

    fn fresh_reference(&mut self) -> Term {
        Term::nil()
    }

    fn own_pid(&mut self) -> Term {
        Term::nil()
    }

    fn ask(&mut self, function: Mfa, args: &[Term]) -> Eval {
        self.call(function, args)
    }
}

/// Both as text, the large maps in no particular order: equal terms differ as text only in the sign of a zero.
pub fn same(ours: &Eval, theirs: &Eval) -> bool {
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => ours == theirs && signs(ours) == signs(theirs),
        (Err(ours), Err(theirs)) => ours.class == theirs.class && ours.reason == theirs.reason,
        _ => false,
    }
}

/// The zeros of a term from left to right, with their signs.
fn signs(term: &Term) -> Vec<bool> {
    let mut found = Vec::new();
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        match term {
            Term::Float(_, zero) if *zero == 0.0 => found.push(zero.is_sign_negative()),
            Term::Cons(_, cell) => left.extend([&cell.tail, &cell.head]),
            Term::Tuple(_, items) => left.extend(items.iter()),
            Term::Map(_, map) => map.iter().for_each(|(key, value)| left.extend([key, value])),
            _ => {}
        }
    }
    found
}

/// An outcome as text, for messages.
pub fn show(outcome: &Eval) -> String {
    match outcome {
        Ok(value) => value.to_string(),
        Err(exception) => format!("{:?}:{}", exception.class, exception.reason),
    }
}
