//! The threads that share the queries of an exploration, and the one that hands them out and works along.
//!
//! Most batches are answered in less time than it takes to wake somebody: a batch stays in this thread until it has
//! taken a moment, and only then is the rest of it handed out. Helpers take from the end, this thread from the front.
//! Each has solvers of its own. Who answers a query changes nothing in the answer, so neither does the clock.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use constraint::PlainGrammar;
use solve::{Answer, Budget, Crew, Desk, Members, Parcel, PlainReply, Query, Reply, Unknown};

/// How long a batch stays in this thread: some twenty queries of the usual kind.
const MOMENT: Duration = Duration::from_micros(1500);
/// How often somebody who waits looks whether to go on.
const GLANCE: Duration = Duration::from_millis(20);
/// As much as the main thread has.
const STACK: usize = 8 << 20;
/// More would wait for each other: a batch has few queries that take long.
const MOST: usize = 8;

/// As many as there are processors, within reason.
pub fn usual() -> usize {
    thread::available_parallelism().map_or(1, |count| count.get().min(MOST))
}

/// Makes the members of a worker. They are told by the flag that nobody wants their answer any more.
pub type Hire = Arc<dyn Fn(&Arc<AtomicBool>) -> Members + Send + Sync>;

pub struct Workers {
    own: Members,
    helpers: Vec<JoinHandle<()>>,
    /// Helpers wanted; they are started when there is something to do for them.
    wanted: usize,
    hire: Hire,
    board: Arc<Board>,
    replies: Receiver<Done>,
    send: Sender<Done>,
    /// The grammar as it was last handed out, by its stamp.
    grammar: Option<(u64, Arc<PlainGrammar>)>,
    batch: u64,
    /// How long a batch stays in this thread.
    moment: Duration,
}

/// Where jobs are put up.
struct Board {
    jobs: Mutex<VecDeque<Job>>,
    changed: Condvar,
    closed: AtomicBool,
    /// No answer is wanted any more.
    halted: Arc<AtomicBool>,
}

struct Job {
    batch: u64,
    /// The place in the batch.
    at: usize,
    parcel: Parcel,
}

struct Done {
    batch: u64,
    at: usize,
    /// `None` if the helper could not even read the job.
    reply: Option<PlainReply>,
}

impl Workers {
    pub fn new(count: usize, hire: Hire) -> Workers {
        let halted = Arc::new(AtomicBool::new(false));
        let (send, replies) = channel();
        let jobs = Mutex::new(VecDeque::new());
        let board = Board { jobs, changed: Condvar::new(), closed: AtomicBool::new(false), halted };
        Workers {
            own: hire(&board.halted),
            helpers: Vec::new(),
            wanted: count.saturating_sub(1),
            hire,
            board: Arc::new(board),
            replies,
            send,
            grammar: None,
            batch: 0,
            moment: MOMENT,
        }
    }

    /// Puts up what can travel; the rest stays.
    fn hand_out(&mut self, batch: &mut Batch<'_>) {
        let Some(grammar) = self.grammar(batch.queries) else { return };
        let parcel = |at: usize| Parcel::of(&batch.queries[at], &grammar, batch.budget);
        let mut stay = VecDeque::new();
        let mut jobs = VecDeque::new();
        for at in batch.open.drain(..) {
            match parcel(at) {
                Some(parcel) => jobs.push_back(Job { batch: self.batch, at, parcel }),
                None => stay.push_back(at),
            }
        }
        batch.open = stay;
        *self.board.jobs() = jobs;
        self.board.changed.notify_all();
        self.fill_up();
    }

    fn grammar(&mut self, queries: &[Query<'_>]) -> Option<Arc<PlainGrammar>> {
        let grammar = queries.first()?.grammar;
        if self.grammar.as_ref().is_none_or(|(stamp, _)| *stamp != grammar.stamp()) {
            self.grammar = Some((grammar.stamp(), Arc::new(PlainGrammar::of(grammar)?)));
        }
        self.grammar.as_ref().map(|(_, grammar)| Arc::clone(grammar))
    }

    /// Starts the helpers that are missing; whether one had gone.
    fn fill_up(&mut self) -> bool {
        let before = self.helpers.len();
        self.helpers.retain(|helper| !helper.is_finished());
        let gone = self.helpers.len() < before;
        while self.helpers.len() < self.wanted {
            let (board, hire, send) = (Arc::clone(&self.board), Arc::clone(&self.hire), self.send.clone());
            let work = move || board.work(Desk::new(hire(&board.halted)), &send);
            // Without another thread this one does all the work.
            let Ok(thread) = thread::Builder::new().stack_size(STACK).spawn(work) else { break };
            self.helpers.push(thread);
        }
        gone
    }
}

/// A batch on its way.
struct Batch<'a> {
    queries: &'a [Query<'a>],
    budget: &'a Budget,
    replies: Vec<Option<Reply>>,
    /// For this thread to answer.
    open: VecDeque<usize>,
}

impl Batch<'_> {
    /// What a helper says; what it could not read is for this thread.
    fn take(&mut self, at: usize, reply: Option<PlainReply>) {
        match reply.and_then(PlainReply::reply) {
            Some(reply) if self.replies[at].is_none() => self.replies[at] = Some(reply),
            Some(_) => {}
            None => self.open.push_back(at),
        }
    }

    fn missing(&self) -> impl Iterator<Item = usize> {
        (0..self.replies.len()).filter(|at| self.replies[*at].is_none())
    }
}

impl Crew for Workers {
    fn answer(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Reply>> {
        self.batch += 1;
        self.board.halted.store(false, Ordering::Relaxed);
        let replies = queries.iter().map(|_| None).collect();
        let mut batch = Batch { queries, budget, replies, open: (0..queries.len()).collect() };
        self.alone(&mut batch, go_on);
        if batch.missing().next().is_some() && go_on() {
            self.hand_out(&mut batch);
            self.together(&mut batch, go_on);
        }
        if !go_on() {
            self.board.halt();
            // A solver that was told to stop says that it does not know, which it might have done.
            batch.replies.iter_mut().for_each(|reply| *reply = reply.take().filter(|reply| !is_absent(reply)));
        }
        batch.replies
    }
}

fn is_absent(reply: &Reply) -> bool {
    matches!(reply.answer, Answer::Unknown(Unknown::Absent))
}

impl Workers {
    /// Answers one query after the other, for a moment.
    fn alone(&mut self, batch: &mut Batch<'_>, go_on: &mut dyn FnMut() -> bool) {
        let began = Instant::now();
        while !batch.open.is_empty() && go_on() {
            if self.wanted > 0 && batch.open.len() > 1 && began.elapsed() >= self.moment {
                return;
            }
            self.answer_next(batch);
        }
    }

    /// Answers what nobody has taken, then waits for the helpers.
    fn together(&mut self, batch: &mut Batch<'_>, go_on: &mut dyn FnMut() -> bool) {
        while batch.missing().next().is_some() && go_on() {
            while let Ok(done) = self.replies.try_recv() {
                self.receive(batch, done);
            }
            if batch.open.is_empty() {
                batch.open.extend(self.board.jobs().pop_front().map(|job| job.at));
            }
            if !batch.open.is_empty() {
                self.answer_next(batch);
            } else if batch.missing().next().is_some() {
                self.wait(batch);
            }
        }
    }

    fn answer_next(&mut self, batch: &mut Batch<'_>) {
        if let Some(at) = batch.open.pop_front().filter(|at| batch.replies[*at].is_none()) {
            batch.replies[at] = Some(self.own.reply(&batch.queries[at], batch.budget));
        }
    }

    fn receive(&self, batch: &mut Batch<'_>, done: Done) {
        // An answer to a batch that was given up.
        if done.batch == self.batch {
            batch.take(done.at, done.reply);
        }
    }

    fn wait(&mut self, batch: &mut Batch<'_>) {
        match self.replies.recv_timeout(GLANCE) {
            Ok(done) => self.receive(batch, done),
            // A helper that is gone has taken its query with it.
            Err(_) if self.fill_up() => batch.open = batch.missing().collect(),
            Err(_) => {}
        }
    }
}

impl Board {
    fn jobs(&self) -> MutexGuard<'_, VecDeque<Job>> {
        // A queue of jobs is never left half changed.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn halt(&self) {
        self.jobs().clear();
        self.halted.store(true, Ordering::Relaxed);
    }

    /// The life of a helper.
    fn work(&self, mut desk: Desk, send: &Sender<Done>) {
        while let Some(Job { batch, at, parcel }) = self.next() {
            if send.send(Done { batch, at, reply: desk.reply(&parcel) }).is_err() {
                return;
            }
        }
    }

    /// The next job, when there is one; `None` when there will be no other.
    fn next(&self) -> Option<Job> {
        let mut jobs = self.jobs();
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(job) = jobs.pop_back() {
                return Some(job);
            }
            jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.board.halt();
        let jobs = self.board.jobs();
        self.board.closed.store(true, Ordering::Relaxed);
        self.board.changed.notify_all();
        drop(jobs);
        // One that panicked has nothing left to tidy up.
        self.helpers.drain(..).for_each(|helper| _ = helper.join());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use constraint::{Arena, Condition, Grammar, Op, RuleId, Shape, Test};
    use solve::{Smt, SmtError};
    use term::{Atom, Closure, Fun, Term};

    use super::*;

    const BUDGET: Budget = Budget { choices: 1000, rlimit: 0, walk: 0 };

    /// Conditions on three integers, some of which only an outside solver would know.
    struct Questions {
        arena: Arena,
        grammar: Grammar,
        inputs: Vec<RuleId>,
        conditions: Vec<Vec<Condition>>,
        near: Vec<Term>,
    }

    impl Questions {
        fn new(count: i64) -> Questions {
            let mut grammar = Grammar::default();
            let integer = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
            let mut arena = Arena::new();
            let [x, y, z] = [0, 1, 2].map(|at| arena.input(at));
            let mut conditions = Vec::new();
            for number in 0..count {
                let (value, factor) = (arena.integer(1_000_003 * number + 17), arena.integer(number));
                let (product, scaled) = (arena.apply(Op::Mul, &[x, y]), arena.apply(Op::Mul, &[z, factor]));
                let cubes = [x, y, z].map(|it| {
                    let square = arena.apply(Op::Mul, &[it, it]);
                    arena.apply(Op::Mul, &[square, it])
                });
                let (some, never) = (arena.apply(Op::Add, &cubes[..2]), arena.integer(9 * number + 4));
                let sum = arena.apply(Op::Add, &[some, cubes[2]]);
                let hard = Condition { test: Test::Same(sum, never), holds: true };
                let easy = Condition { test: Test::Less(value, scaled), holds: number % 2 == 0 };
                let large = Condition { test: Test::Less(value, product), holds: true };
                conditions.push(if number % 5 == 3 { vec![hard] } else { vec![easy, large] });
            }
            Questions { arena, grammar, inputs: vec![integer; 3], conditions, near: vec![Term::int(0); 3] }
        }

        fn queries(&self) -> Vec<Query<'_>> {
            let Questions { arena, grammar, inputs, conditions, near } = self;
            conditions.iter().map(|conditions| Query { arena, grammar, inputs, conditions, near }).collect()
        }
    }

    fn workers(count: usize, hire: impl Fn(&Arc<AtomicBool>) -> Members + Send + Sync + 'static) -> Workers {
        let mut workers = Workers::new(count, Arc::new(hire));
        workers.moment = Duration::ZERO;
        workers
    }

    fn told(replies: Vec<Option<Reply>>) -> Vec<String> {
        let told = |reply: Reply| match reply.answer {
            Answer::Sat(inputs) => format!("{inputs:?} {}", reply.outside),
            Answer::Unsat => format!("none {}", reply.outside),
            Answer::Unknown(why) => format!("{why:?} {} {:?}", reply.outside, reply.error),
        };
        replies.into_iter().map(|reply| reply.map_or(String::from("no reply"), told)).collect()
    }

    fn alone(questions: &Questions) -> Vec<String> {
        told(Members::new(None).answer(&questions.queries(), &BUDGET, &mut || true))
    }

    #[test]
    fn any_number_of_workers_says_the_same() {
        let questions = Questions::new(40);
        let truth = alone(&questions);
        for kind in ["[", "none", "Budget"] {
            assert!(truth.iter().any(|answer| answer.starts_with(kind)), "no {kind}: {truth:?}");
        }
        for count in 1..5 {
            let mut workers = workers(count, |_| Members::new(None));
            for _ in 0..3 {
                assert_eq!(told(workers.answer(&questions.queries(), &BUDGET, &mut || true)), truth, "{count} workers");
            }
            assert_eq!(workers.helpers.len(), count - 1);
        }
    }

    #[test]
    fn what_cannot_travel_is_answered_here() {
        let mut questions = Questions::new(12);
        let module = Atom::new("m");
        let closure = Closure { module, name: module, arity: 0, code: 1, index: 0, uniq: 0, captured: [].into() };
        let any = questions.grammar.intern(vec![Shape::Any]);
        questions.inputs.push(any);
        questions.near.push(Term::fun(Fun::Closure(closure)));
        let mut workers = workers(3, |_| Members::new(None));
        assert_eq!(told(workers.answer(&questions.queries(), &BUDGET, &mut || true)), alone(&questions));
    }

    #[test]
    fn helpers_that_die_lose_nothing() {
        let questions = Questions::new(20);
        let (hired, main) = (AtomicUsize::new(0), thread::current().id());
        let mut workers = workers(3, move |_| {
            let count = hired.fetch_add(1, Ordering::Relaxed);
            assert!(thread::current().id() == main || count > 4, "the first helpers die before they begin");
            Members::new(None)
        });
        for _ in 0..4 {
            assert_eq!(told(workers.answer(&questions.queries(), &BUDGET, &mut || true)), alone(&questions));
        }
    }

    /// A process that breaks whoever asks it.
    struct Trap;

    impl Smt for Trap {
        fn exchange(&mut self, _: &str) -> Result<String, SmtError> {
            panic!("asked");
        }
    }

    #[test]
    fn a_panic_costs_its_query_and_no_other() {
        let questions = Questions::new(20);
        let without: Vec<String> = alone(&questions)
            .into_iter()
            .map(|answer| match answer.starts_with("Budget") {
                true => String::from("Broken true None"),
                false => answer,
            })
            .collect();
        assert!(without.iter().any(|answer| answer.starts_with("Broken")), "{without:?}");
        for count in [1, 3] {
            let mut workers = workers(count, |_| Members::new(Some(Box::new(Trap))));
            assert_eq!(told(workers.answer(&questions.queries(), &BUDGET, &mut || true)), without);
        }
    }

    #[test]
    fn a_stop_leaves_the_rest_without_reply() {
        let questions = Questions::new(30);
        let truth = alone(&questions);
        for count in [1, 3] {
            let mut workers = workers(count, |_| Members::new(None));
            let mut left = 3;
            let replies = told(workers.answer(&questions.queries(), &BUDGET, &mut || {
                left -= i32::from(left > 0);
                left > 0
            }));
            assert!(replies.iter().any(|reply| reply == "no reply"), "{replies:?}");
            assert!(replies.iter().zip(&truth).all(|(reply, truth)| reply == "no reply" || reply == truth));
            // What helpers still had to say about that batch is not taken for an answer to the next.
            assert_eq!(told(workers.answer(&questions.queries(), &BUDGET, &mut || true)), truth);
        }
    }
}
