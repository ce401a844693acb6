//! `hound watch`: explorations that follow the files.

mod files;

use std::collections::HashMap;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use report::{Baseline, Output, TextView, WatchedRound};
use search::{ExplorationProgress, Go, Reason};
use session::explore::{self, SelectedFunctions, Selection};
use session::job::Fingerprints;
use session::{Failure, Job, JobResult, Monitor, Opened, Session, interrupt};
use term::Mfa;

use self::files::WatchedFiles;
use crate::config::Config;
use crate::exit::Exit;
use crate::explore::{files as given_files, limit_memory, plan};
use crate::jobs::jobs;
use crate::options::{ExploreOptions, OutputFormat, WatchOptions};
use crate::page::PageFolder;
use crate::screen::Screen;
use crate::streams::print;
use crate::terminal::{is_quiet, paint, width};
use crate::{failed, interrupt as signals};

/// The time between two looks at the files, and that in which several changes are one.
const LOOK: Duration = Duration::from_millis(100);
const TOGETHER: Duration = Duration::from_millis(60);

/// Results that are kept.
const KEPT: usize = 20_000;

/// Removes all from a terminal.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Explores what the words name, again and again, until it is interrupted.
pub(crate) fn watch(options: &WatchOptions) -> Result<(Output, Exit), Failure> {
    signals::listen();
    let options = &options.explore;
    check(options)?;
    let page = options.html.as_deref().map(PageFolder::make).transpose()?;
    let (mut files, mut watch) = (WatchedFiles::of(options), Watch { page, ..Watch::default() });
    let mut changed = Vec::new();
    while !interrupt::is_wanted() {
        match watch.round(options, &mut files, changed) {
            Ok(Some(round)) => print(&watch.written(options, round)),
            Ok(None) => {}
            Err(failure) => print(&failed("", &failure, options.format.stream())),
        }
        changed = files.wait(LOOK, TOGETHER);
    }
    // It was meant to end so, unless nothing was done by then.
    Ok((Output::default(), if watch.rounds > 0 { Exit::Watched } else { Exit::Interrupted }))
}

/// The results so far.
#[derive(Default)]
struct Watch {
    /// By fingerprint.
    known: HashMap<Vec<u8>, JobResult>,
    /// Those of the last round, and the findings of the round before it.
    results: Vec<JobResult>,
    before: Baseline,
    rounds: u64,
    /// The page that each round writes, if it is wanted.
    page: Option<PageFolder>,
}

impl Watch {
    /// Explores what has changed; nothing if the files changed again before its end.
    fn round(
        &mut self,
        options: &ExploreOptions,
        files: &mut WatchedFiles,
        changed: Vec<String>,
    ) -> Result<Option<WatchedRound>, Failure> {
        let began = Instant::now();
        let config = Config::read(options.config.as_deref())?;
        let (opened, selected) = open(options)?;
        let session = &opened.session;
        let jobs = jobs(options, &config, session, &selected)?;
        explore::check_starts(session, &jobs)?;
        limit_memory(&jobs);
        let mut fingerprints = Fingerprints::new(session);
        let prints: Vec<Vec<u8>> = jobs.iter().map(|job| fingerprints.of(job)).collect();
        let open: Vec<usize> = (0..jobs.len()).filter(|at| !self.known.contains_key(&prints[*at])).collect();
        if !self.explore(options, &config, session, (&jobs, &prints, &open), files)? {
            return Ok(None);
        }
        let last = std::mem::take(&mut self.results);
        self.before = Baseline::of(&last);
        self.results = prints.iter().filter_map(|print| self.known.get(print).cloned()).collect();
        self.rounds += 1;
        if let Some(page) = &self.page {
            page.write(session, given_files(options), &self.results)?;
        }
        if self.known.len() > KEPT {
            self.known.retain(|print, _| prints.contains(print));
        }
        Ok(Some(WatchedRound { changed, explored: open.len(), millis: began.elapsed().as_millis() as u64 }))
    }

    /// Explores the open jobs; false if the files changed, or an interrupt came, before the end.
    fn explore(
        &mut self,
        options: &ExploreOptions,
        config: &Config,
        session: &Session,
        (jobs, prints, open): (&[Job], &[Vec<u8>], &[usize]),
        files: &mut WatchedFiles,
    ) -> Result<bool, Failure> {
        let chosen: Vec<Job> = open.iter().map(|at| jobs[*at].clone()).collect();
        let screen = Screen::exploring(chosen.len(), String::new(), options.all);
        let mut monitor = ChangeMonitor { files, looked: Instant::now(), screen };
        let results = explore::explore(session, &chosen, plan(options, config), &mut monitor);
        monitor.screen.finish();
        let results = results?;
        let is_whole = results.len() == chosen.len() && !results.iter().any(is_interrupted);
        let done = open.iter().zip(results).filter(|(_, result)| !is_interrupted(result));
        self.known.extend(done.map(|(at, result)| (prints[*at].clone(), result)));
        Ok(is_whole)
    }

    fn written(&self, options: &ExploreOptions, round: WatchedRound) -> Output {
        let out = match options.format.stream() {
            OutputFormat::Json => report::watched_line(&self.results, &self.before, &round),
            OutputFormat::Text => {
                let view = TextView {
                    files: given_files(options),
                    paint: paint(),
                    all: options.all,
                    width: width(),
                    is_quiet: is_quiet(),
                };
                let clear = if std::io::stdout().is_terminal() { CLEAR } else { "" };
                format!("{clear}{}", report::watched_text(&self.results, &self.before, &round, &view))
            }
        };
        Output { out, ..Output::default() }
    }
}

/// Refuses options of which a watch can make nothing.
fn check(options: &ExploreOptions) -> Result<(), Failure> {
    let given = [
        ("--tests", options.tests.is_some()),
        ("--trace", options.trace.is_some()),
        ("--report", !options.report.is_empty()),
        ("--baseline", options.baseline.is_some()),
        ("--paths", options.paths),
        ("--fail-on", options.fail_on.is_some()),
        ("--format of another tool", options.format.exchange().is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::Unusable(format!("{option}: it is for `hound explore`, not for a watch"))),
        None => Ok(()),
    }
}

/// Opens a session with what the words name.
fn open(options: &ExploreOptions) -> Result<(Opened, SelectedFunctions), Failure> {
    let selection = Selection { private: options.private, properties: options.property.clone() };
    let (opened, selected) = explore::open_selected(&options.words, &options.code.session(), &selection)?;
    // A module that does not compile is being written: until it does, nothing is said of the others.
    let is_mistake = |failure: &&Failure| !matches!(failure, Failure::NoDebugInfo(_));
    if let Some(failure) = opened.failures.iter().map(|(_, failure)| failure).find(is_mistake) {
        return Err(failure.clone());
    }
    let selected = if options.state { explore::callbacks(&opened.session, selected) } else { selected };
    Ok((opened, selected))
}

fn is_interrupted(result: &JobResult) -> bool {
    result.exploration.causes.iter().any(|cause| cause.reason == Reason::Interrupted)
}

/// Ends an exploration whose files have changed; until then a terminal shows how far it is.
struct ChangeMonitor<'a> {
    files: &'a mut WatchedFiles,
    looked: Instant,
    screen: Screen,
}

impl Monitor for ChangeMonitor<'_> {
    fn exploring(&mut self, function: Mfa, progress: &ExplorationProgress) -> Go {
        self.screen.exploring(function, progress);
        if self.looked.elapsed() < LOOK {
            return Go::On;
        }
        self.looked = Instant::now();
        if self.files.have_changed() { Go::Interrupt } else { Go::On }
    }

    fn explored(&mut self, result: &JobResult) -> bool {
        self.screen.explored(result) && !self.files.have_changed()
    }
}
