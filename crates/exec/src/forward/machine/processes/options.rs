//! The lists of options that operations on processes take.

use term::Term;

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
                        "max_heap_size" => {
                            (matches!(value, Term::Map(..)) || value.as_i64().is_some_and(|size| size >= 0))
                                .then_some(())?;
                        }
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

impl MonitorOptions {
    /// The options of a list.
    pub fn of(list: &Term) -> Option<MonitorOptions> {
        let mut options = MonitorOptions::default();
        for option in list.proper_list()? {
            match option.as_tuple()? {
                [name, value] => match name.as_atom()?.name() {
                    "alias" => options.alias = Some(AliasMode::of(value).filter(|mode| *mode != AliasMode::Reply)?),
                    "tag" => options.tag = Some(value.clone()),
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(options)
    }
}
