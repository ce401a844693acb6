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

/// How long a batch stays in this thread.
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
            if self.wanted > 0 && batch.open.len() > 1 && began.elapsed() > MOMENT {
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
