//! The lists of options that operations on processes take.

use term::{Atom, Term};

use crate::forward::machine::node::AliasMode;

/// The options of a process that is started.
#[derive(Default)]
pub struct SpawnOptions {
    pub link: bool,
    pub monitor: Option<MonitorOptions>,
    /// For a request: the answer is wanted.
    pub replies: bool,
    /// The first element of the answer.
    pub reply_tag: Option<Term>,
}

/// The options of a monitor.
#[derive(Default)]
pub struct MonitorOptions {
    pub alias: Option<AliasMode>,
    /// The first element of its message.
    pub tag: Option<Term>,
}

impl SpawnOptions {
    /// The options of a list; nothing if that is none, and nothing inside if the machine does not have one of them.
    pub fn of(list: &Term) -> Option<Option<SpawnOptions>> {
        let mut options = SpawnOptions { replies: true, ..SpawnOptions::default() };
        for option in list.proper_list()? {
            match option.as_atom().map(|atom| atom.name()) {
                Some("link") => options.link = true,
                Some("monitor") => options.monitor = Some(MonitorOptions::default()),
                Some(_) => return None,
                None => match option.as_tuple()? {
                    [name, value] => match name.as_atom()?.name() {
                        "monitor" => options.monitor = Some(MonitorOptions::of(value)?),
                        "reply_tag" => options.reply_tag = Some(value.clone()),
                        "reply" => options.replies = matches!(value.as_atom()?.name(), "yes" | "success_only"),
                        "priority" => {
                            matches!(value.as_atom()?.name(), "low" | "normal" | "high" | "max").then_some(())?;
                        }
                        "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size" => {
                            value.as_i64().filter(|size| *size >= 0)?;
                        }
                        // Heaps are as large as they need be.
                        "max_heap_size" if value.as_i64() != Some(0) => {
                            (matches!(value, Term::Map(..)) || value.as_i64().is_some_and(|size| size > 0))
                                .then_some(())?;
                            return Some(None);
                        }
                        "max_heap_size" => {}
                        "message_queue_data" => {
                            matches!(value.as_atom()?.name(), "on_heap" | "off_heap").then_some(())?;
                        }
                        "async_dist" => return Some(None),
                        _ => return None,
                    },
                    _ => return None,
                },
            }
        }
        Some(Some(options))
    }
}

/// True if a flag of a process can have a value.
pub fn is_flag_value(flag: Atom, value: &Term) -> bool {
    let is_one = |names: &[&str]| value.as_atom().is_some_and(|atom| names.contains(&atom.name()));
    match flag.name() {
        "priority" => is_one(&["low", "normal", "high", "max"]),
        "message_queue_data" => is_one(&["on_heap", "off_heap"]),
        "sensitive" => value.as_bool().is_some(),
        "error_handler" => value.as_atom().is_some(),
        "save_calls" => value.as_i64().is_some_and(|count| (0..=10_000).contains(&count)),
        _ => value.as_i64().is_some_and(|size| size >= 0),
    }
}

impl MonitorOptions {
    /// The options of a list.
    pub fn of(list: &Term) -> Option<MonitorOptions> {
        let mut options = MonitorOptions::default();
        for option in list.proper_list()? {
            match option.as_tuple()? {
                [name, value] => match name.as_atom()?.name() {
                    "alias" => options.alias = Some(alias_mode(value).filter(|mode| *mode != AliasMode::Reply)?),
                    "tag" => options.tag = Some(value.clone()),
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(options)
    }
}

/// The way an answer about a timer is wanted.
pub struct Waited {
    pub later: bool,
    pub info: bool,
}

impl Default for Waited {
    fn default() -> Waited {
        Waited { later: false, info: true }
    }
}

impl Waited {
    /// The way that a list of options names.
    pub fn of(options: &Term) -> Option<Waited> {
        let mut waited = Waited::default();
        for option in options.proper_list()? {
            let [name, value] = option.as_tuple()? else { return None };
            let value = value.as_bool()?;
            match name.as_atom()?.name() {
                "async" => waited.later = value,
                "info" => waited.info = value,
                _ => return None,
            }
        }
        Some(waited)
    }
}

/// True if a list of options says that the time is a point of the clock; nothing if it is no such list.
pub fn is_absolute(options: &Term) -> Option<bool> {
    let mut absolute = false;
    for option in options.proper_list()? {
        match option.as_tuple()? {
            [name, value] if name.as_atom()?.name() == "abs" => absolute = value.as_bool()?,
            _ => return None,
        }
    }
    Some(absolute)
}

/// The options of the end of a monitor: its message is removed, and the answer says if there was one.
#[derive(Default)]
pub struct DemonitorOptions {
    pub flush: bool,
    pub info: bool,
}

impl DemonitorOptions {
    /// The options of a list.
    pub fn of(list: &Term) -> Option<DemonitorOptions> {
        let mut options = DemonitorOptions::default();
        for option in list.proper_list()? {
            match option.as_atom()?.name() {
                "flush" => options.flush = true,
                "info" => options.info = true,
                _ => return None,
            }
        }
        Some(options)
    }
}

/// The mode that an option of `alias` or `monitor` names.
pub fn alias_mode(option: &Term) -> Option<AliasMode> {
    Some(match option.as_atom()?.name() {
        "explicit_unalias" => AliasMode::Explicit,
        "reply" => AliasMode::Reply,
        "demonitor" => AliasMode::Demonitor,
        "reply_demonitor" => AliasMode::ReplyDemonitor,
        _ => return None,
    })
}
