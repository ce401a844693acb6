//! The lists of options that operations on processes take.

use term::Term;

use super::flags::is_flag_value;

use crate::forward::machine::node::AliasMode;

/// The options of a process that is started.
#[derive(Default)]
pub struct SpawnOptions {
    pub link: bool,
    pub monitor: Option<MonitorOptions>,
    pub reply: ReplyOptions,
    /// True if one of them belongs to requests alone.
    pub for_request: bool,
    /// True if one of them is none.
    pub is_bad: bool,
    /// True if the machine does not have one of them.
    pub is_beyond: bool,
}

/// The answer to a request for a process.
#[derive(Default)]
pub struct ReplyOptions {
    /// True if one is wanted when the process has been started.
    pub on_success: bool,
    /// True if one is wanted when it has not.
    pub on_error: bool,
    /// Its first element.
    pub tag: Term,
}

/// The options of a monitor.
#[derive(Default)]
pub struct MonitorOptions {
    pub alias: Option<AliasMode>,
    /// The first element of its message.
    pub tag: Option<Term>,
}

impl SpawnOptions {
    /// The options of a list; nothing if it is none.
    pub fn of(list: &Term) -> Option<SpawnOptions> {
        let reply = ReplyOptions { on_success: true, on_error: true, tag: Term::atom_named("spawn_reply") };
        let mut options = SpawnOptions { reply, ..SpawnOptions::default() };
        for option in list.proper_list()? {
            options.is_bad |= options.read(&option).is_none();
        }
        Some(options)
    }

    /// The options of `spawn_opt`; nothing if one of them is none there.
    pub fn without_reply(list: &Term) -> Option<SpawnOptions> {
        SpawnOptions::of(list).filter(|options| !options.is_bad && !options.for_request)
    }

    /// Reads an option; nothing if it is none.
    fn read(&mut self, option: &Term) -> Option<()> {
        if let Some(name) = option.as_atom() {
            match name.name() {
                "link" => self.link = true,
                "monitor" => self.monitor = Some(MonitorOptions::default()),
                _ => return None,
            }
            return Some(());
        }
        let [name, value] = option.as_tuple()? else { return None };
        let name = name.as_atom()?;
        match name.name() {
            "monitor" => self.monitor = Some(MonitorOptions::of(value)?),
            "reply_tag" => (self.for_request, self.reply.tag) = (true, value.clone()),
            "reply" => {
                self.for_request = true;
                (self.reply.on_success, self.reply.on_error) = match value.as_atom()?.name() {
                    "yes" => (true, true),
                    "no" => (false, false),
                    "success_only" => (true, false),
                    "error_only" => (false, true),
                    _ => return None,
                };
            }
            "priority" | "message_queue_data" | "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size" => {
                is_flag_value(name, value).then_some(())?;
            }
            "max_heap_size" => match value.as_i64() {
                // Heaps are as large as they need be.
                Some(0) => {}
                Some(1..) => self.is_beyond = true,
                _ => {
                    value.as_map()?;
                    self.is_beyond = true;
                }
            },
            _ => return None,
        }
        Some(())
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
