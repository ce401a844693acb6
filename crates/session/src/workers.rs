//! An executor of queries in several threads: this one hands tasks out and solves along.
//!
//! Most batches are answered in less time than it takes to wake a thread: a batch stays in this thread until it has taken
//! a moment, and only then are the other queries handed out, as bytes. Worker threads take from the end, this thread from
//! the front. Each has solvers of its own. An answer is a function of its query, so it does not depend on the clock which
//! thread gives it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use constraint::{Grammar, GrammarHash};
use solve::{Answer, Budget, Executor, Query, Response, Solvers, Task, UnknownReason};
use term::cut::StopScope;

/// The time that a batch stays in this thread: some twenty queries of the usual kind.
const MOMENT: Duration = Duration::from_micros(1500);
/// The time between two questions of a waiting thread if it is to go on.
const GLANCE: Duration = Duration::from_millis(20);
/// The stack of a worker: as large as the main thread's.
const STACK: usize = 8 << 20;
/// Threads by default at most: a batch has few queries that take long.
const MOST: usize = 8;

/// The number of threads by default: one per processor, within reason.
pub fn usual() -> usize {
    thread::available_parallelism().map_or(1, |count| count.get().min(MOST))
}

/// Makes the solvers of a thread; the flag is set once their answer is not wanted any more.
pub type MakeSolvers = Arc<dyn Fn(&Arc<AtomicBool>) -> Solvers + Send + Sync>;

/// The threads.
pub struct Threads {
    own: Solvers,
    workers: Vec<JoinHandle<()>>,
    /// Workers wanted; they are started when there is something to do for them.
    wanted: usize,
    make: MakeSolvers,
    queue: Arc<Queue>,
    responses: Receiver<Done>,
    send: Sender<Done>,
    /// The bytes of the grammar that tasks were last handed out over.
    grammar: Option<(GrammarHash, Arc<[u8]>)>,
    batch: u64,
    /// The time that a batch stays in this thread.
    moment: Duration,
}

/// The tasks that wait for a worker.
struct Queue {
    tasks: Mutex<VecDeque<Message>>,
    changed: Condvar,
    closed: AtomicBool,
    /// No answer is wanted any more.
    halted: Arc<AtomicBool>,
}

/// A task for a worker.
struct Message {
    batch: u64,
    /// The place in the batch.
    at: usize,
    /// A [`Task`].
    task: Vec<u8>,
    /// Its [`Grammar`].
    grammar: (GrammarHash, Arc<[u8]>),
}

/// A response of a worker.
struct Done {
    batch: u64,
    at: usize,
    /// A [`Response`]; `None` if the worker could not read the task.
    response: Option<Vec<u8>>,
}

impl Threads {
    /// So many threads, this one included.
    pub fn new(count: usize, make: MakeSolvers) -> Threads {
        let halted = Arc::new(AtomicBool::new(false));
        let (send, responses) = channel();
        let tasks = Mutex::new(VecDeque::new());
        let queue = Queue { tasks, changed: Condvar::new(), closed: AtomicBool::new(false), halted };
        Threads {
            own: make(&queue.halted),
            workers: Vec::new(),
            wanted: count.saturating_sub(1),
            make,
            queue: Arc::new(queue),
            responses,
            send,
            grammar: None,
            batch: 0,
            moment: MOMENT,
        }
    }

    /// Hands out the open queries that can be written as data; the others stay.
    fn hand_out(&mut self, batch: &mut Batch<'_>) {
        let mut tasks = VecDeque::new();
        for at in std::mem::take(&mut batch.open) {
            match self.message(batch, at) {
                Some(message) => tasks.push_back(message),
                None => batch.open.push_back(at),
            }
        }
        *self.queue.tasks() = tasks;
        self.queue.changed.notify_all();
        self.fill_up();
    }

    fn message(&mut self, batch: &Batch<'_>, at: usize) -> Option<Message> {
        let query = &batch.queries[at];
        let task = Task::new(query, batch.budget)?;
        if self.grammar.as_ref().is_none_or(|(hash, _)| *hash != task.grammar) {
            self.grammar = Some((task.grammar, postcard::to_stdvec(query.grammar).ok()?.into()));
        }
        let (grammar, task) = (self.grammar.clone()?, postcard::to_stdvec(&task).ok()?);
        Some(Message { batch: self.batch, at, task, grammar })
    }

    /// Starts the workers that are missing; returns true if one had ended.
    fn fill_up(&mut self) -> bool {
        let before = self.workers.len();
        self.workers.retain(|worker| !worker.is_finished());
        let ended = self.workers.len() < before;
        while self.workers.len() < self.wanted {
            let (queue, make, send) = (Arc::clone(&self.queue), Arc::clone(&self.make), self.send.clone());
            let work = move || queue.work(make(&queue.halted), &send);
            // Without another thread this one does all the work.
            let Ok(thread) = thread::Builder::new().stack_size(STACK).spawn(work) else { break };
            self.workers.push(thread);
        }
        ended
    }
}

/// A batch that is being answered.
struct Batch<'a> {
    queries: &'a [Query<'a>],
    budget: &'a Budget,
    responses: Vec<Option<Response>>,
    /// For this thread to answer.
    open: VecDeque<usize>,
}

impl Batch<'_> {
    /// Takes the response of a worker; a query without one that can be read is for this thread.
    fn take(&mut self, at: usize, response: Option<Vec<u8>>) {
        match response.and_then(|bytes| postcard::from_bytes(&bytes).ok()) {
            Some(response) => _ = self.responses[at].get_or_insert(response),
            None => self.open.push_back(at),
        }
    }

    fn missing(&self) -> impl Iterator<Item = usize> {
        (0..self.responses.len()).filter(|at| self.responses[*at].is_none())
    }
}

impl Executor for Threads {
    fn execute(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Response>> {
        self.batch += 1;
        self.queue.halted.store(false, Ordering::Relaxed);
        let responses = queries.iter().map(|_| None).collect();
        let mut batch = Batch { queries, budget, responses, open: (0..queries.len()).collect() };
        self.alone(&mut batch, go_on);
        if batch.missing().next().is_some() && go_on() {
            self.hand_out(&mut batch);
            self.together(&mut batch, go_on);
        }
        if !go_on() {
            self.queue.halt();
            // A solver that was stopped says that it is absent, and might have known.
            let is_absent = |it: &Response| matches!(it.answer, Answer::Unknown(UnknownReason::Absent));
            batch.responses.iter_mut().for_each(|it| *it = it.take().filter(|it| !is_absent(it)));
        }
        batch.responses
    }
}

impl Threads {
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

    /// Answers the tasks that no worker has taken, then waits for the workers.
    fn together(&mut self, batch: &mut Batch<'_>, go_on: &mut dyn FnMut() -> bool) {
        while batch.missing().next().is_some() && go_on() {
            while let Ok(done) = self.responses.try_recv() {
                self.receive(batch, done);
            }
            if batch.open.is_empty() {
                batch.open.extend(self.queue.tasks().pop_front().map(|task| task.at));
            }
            if !batch.open.is_empty() {
                self.answer_next(batch);
            } else if batch.missing().next().is_some() {
                self.wait(batch);
            }
        }
    }

    fn answer_next(&mut self, batch: &mut Batch<'_>) {
        if let Some(at) = batch.open.pop_front().filter(|at| batch.responses[*at].is_none()) {
            batch.responses[at] = Some(self.own.respond(&batch.queries[at], batch.budget));
        }
    }

    fn receive(&self, batch: &mut Batch<'_>, done: Done) {
        // Any other is the response to a batch that was given up.
        if done.batch == self.batch {
            batch.take(done.at, done.response);
        }
    }

    fn wait(&mut self, batch: &mut Batch<'_>) {
        match self.responses.recv_timeout(GLANCE) {
            Ok(done) => self.receive(batch, done),
            // A worker that has ended had taken a query with it.
            Err(_) if self.fill_up() => batch.open = batch.missing().collect(),
            Err(_) => {}
        }
    }
}

impl Queue {
    fn tasks(&self) -> MutexGuard<'_, VecDeque<Message>> {
        // A queue is never left half changed.
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn halt(&self) {
        self.tasks().clear();
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Solves tasks until the queue is closed.
    fn work(&self, solvers: Solvers, send: &Sender<Done>) {
        let mut worker = Worker { solvers, grammar: None };
        let halted = Arc::clone(&self.halted);
        let _stop = StopScope::new(move || halted.load(Ordering::Relaxed));
        while let Some(message) = self.next() {
            let (batch, at, response) = (message.batch, message.at, worker.solve(message));
            if send.send(Done { batch, at, response }).is_err() {
                return;
            }
        }
    }

    /// The next task, when there is one; `None` when there will be no other.
    fn next(&self) -> Option<Message> {
        let mut tasks = self.tasks();
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(message) = tasks.pop_back() {
                return Some(message);
            }
            tasks = self.changed.wait(tasks).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The solvers of a worker, and the grammar of its latest task: there is hardly ever another.
struct Worker {
    solvers: Solvers,
    grammar: Option<(GrammarHash, Grammar)>,
}

impl Worker {
    fn solve(&mut self, Message { task, grammar: (hash, bytes), .. }: Message) -> Option<Vec<u8>> {
        if self.grammar.as_ref().is_none_or(|(known, _)| *known != hash) {
            self.grammar = Some((hash, postcard::from_bytes(&bytes).ok()?));
        }
        let task: Task = postcard::from_bytes(&task).ok()?;
        let response = task.solve(&self.grammar.as_ref()?.1, &mut self.solvers)?;
        postcard::to_stdvec(&response).ok()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.queue.halt();
        let tasks = self.queue.tasks();
        self.queue.closed.store(true, Ordering::Relaxed);
        self.queue.changed.notify_all();
        drop(tasks);
        // One that panicked has nothing left to tidy up.
        self.workers.drain(..).for_each(|worker| _ = worker.join());
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

    /// Numbers of which it is not known if three cubes have them as their sum.
    const OPEN: [i64; 7] = [114, 390, 627, 633, 732, 921, 975];

    /// Conditions on three integers, some of which only an external solver would know.
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
                let open = arena.integer(OPEN[number as usize % OPEN.len()]);
                let some = arena.apply(Op::Add, &cubes[..2]);
                let sum = arena.apply(Op::Add, &[some, cubes[2]]);
                let hard = Condition { test: Test::Same(sum, open), holds: true };
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

    fn threads(count: usize, make: impl Fn(&Arc<AtomicBool>) -> Solvers + Send + Sync + 'static) -> Threads {
        let mut threads = Threads::new(count, Arc::new(make));
        threads.moment = Duration::ZERO;
        threads
    }

    fn texts(executor: &mut dyn Executor, questions: &Questions, go_on: &mut dyn FnMut() -> bool) -> Vec<String> {
        let text = |Response { answer, external, error, .. }| match answer {
            Answer::Sat(inputs) => format!("{inputs:?} {external}"),
            Answer::Unsat => format!("unsat {external}"),
            Answer::Unknown(why) => format!("{why:?} {external} {error:?}"),
        };
        let responses = executor.execute(&questions.queries(), &BUDGET, go_on);
        responses.into_iter().map(|response| response.map_or(String::from("no response"), text)).collect()
    }

    fn all(executor: &mut dyn Executor, questions: &Questions) -> Vec<String> {
        texts(executor, questions, &mut || true)
    }

    fn alone(questions: &Questions) -> Vec<String> {
        all(&mut Solvers::new(None), questions)
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        let questions = Questions::new(40);
        let truth = alone(&questions);
        for kind in ["[", "unsat", "Budget"] {
            assert!(truth.iter().any(|answer| answer.starts_with(kind)), "no {kind}: {truth:?}");
        }
        for count in 1..5 {
            let mut threads = threads(count, |_| Solvers::new(None));
            for _ in 0..3 {
                assert_eq!(all(&mut threads, &questions), truth, "{count} threads");
            }
            assert_eq!(threads.workers.len(), count - 1);
        }
    }

    #[test]
    fn a_query_that_is_not_portable_is_answered_here() {
        let mut questions = Questions::new(12);
        let module = Atom::new("m");
        let closure = Closure { module, name: module, arity: 0, code: 1, index: 0, uniq: 0, captured: [].into() };
        let any = questions.grammar.intern(vec![Shape::Any]);
        questions.inputs.push(any);
        questions.near.push(Term::fun(Fun::Closure(closure)));
        let mut threads = threads(3, |_| Solvers::new(None));
        assert_eq!(all(&mut threads, &questions), alone(&questions));
    }

    #[test]
    fn workers_that_die_lose_nothing() {
        let questions = Questions::new(20);
        let (made, main) = (AtomicUsize::new(0), thread::current().id());
        let mut threads = threads(3, move |_| {
            let count = made.fetch_add(1, Ordering::Relaxed);
            assert!(thread::current().id() == main || count > 4, "the first workers die before they begin");
            Solvers::new(None)
        });
        for _ in 0..4 {
            assert_eq!(all(&mut threads, &questions), alone(&questions));
        }
    }

    /// A process that breaks the solver that asks it.
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
            let mut threads = threads(count, |_| Solvers::new(Some(Box::new(Trap))));
            assert_eq!(all(&mut threads, &questions), without);
        }
    }

    #[test]
    fn a_stop_leaves_the_rest_without_response() {
        let questions = Questions::new(30);
        let truth = alone(&questions);
        for count in [1, 3] {
            let mut threads = threads(count, |_| Solvers::new(None));
            let mut left = 3;
            let responses = texts(&mut threads, &questions, &mut || {
                left -= i32::from(left > 0);
                left > 0
            });
            assert!(responses.iter().any(|response| response == "no response"), "{responses:?}");
            assert!(
                responses.iter().zip(&truth).all(|(response, truth)| response == "no response" || response == truth)
            );
            // A late response to that batch is not taken for one to the next.
            assert_eq!(all(&mut threads, &questions), truth);
        }
    }
}
