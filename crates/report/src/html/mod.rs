//! An exploration as one page of HTML that needs nothing but itself: its styles, its script and its data are inside.

mod functions;
mod paths;
mod schedules;
mod sources;

use std::collections::BTreeMap;

use serde::Serialize;
use session::JobResult;

use self::functions::{FindingData, FunctionData};
use self::sources::FileData;

/// Executions of a function that a page shows.
pub const PAGE_EXECUTIONS: usize = 200;

const PAGE: &str = include_str!("page.html");
const STYLES: [&str; 3] = [include_str!("frame.css"), include_str!("views.css"), include_str!("code.css")];
const SCRIPTS: [&str; 8] = [
    include_str!("elements.js"),
    include_str!("state.js"),
    include_str!("overview.js"),
    include_str!("functions.js"),
    include_str!("paths.js"),
    include_str!("schedules.js"),
    include_str!("sources.js"),
    include_str!("keys.js"),
];

/// The files that a page shows besides results.
#[derive(Clone, Default, Debug)]
pub struct PageView {
    /// The files that were given, as words of a command, each with a space after it.
    pub words: String,
    /// The folder that files are named from, if they are in it.
    pub folder: Option<String>,
    /// The texts of sources, by the names that places have for them.
    pub sources: BTreeMap<String, String>,
}

/// The data of a page.
#[derive(Serialize)]
struct PageData<'a> {
    version: &'static str,
    modules: Vec<String>,
    functions: Vec<FunctionData<'a>>,
    findings: Vec<FindingData<'a>>,
    files: Vec<FileData<'a>>,
}

/// Returns the page of these results.
pub fn html_page(all: &[JobResult], view: &PageView) -> String {
    let (functions, findings) = functions::data(all, view);
    let mut modules: Vec<String> = Vec::new();
    for module in all.iter().map(|one| one.function.module.to_string()) {
        if !modules.contains(&module) {
            modules.push(module);
        }
    }
    let files = sources::files(all, view);
    let data = PageData { version: env!("CARGO_PKG_VERSION"), modules, functions, findings, files };
    // Strings, numbers and lists of them: everything serialises.
    let data = serde_json::to_string(&data).unwrap_or_default();
    filled(&STYLES.concat(), &SCRIPTS.concat(), &data)
}

/// The template with its parts in their places, whatever marks the parts hold.
fn filled(styles: &str, scripts: &str, data: &str) -> String {
    let data = inert(data);
    let parts = [("/*STYLES*/", styles), ("/*DATA*/", data.as_str()), ("/*SCRIPTS*/", scripts)];
    let (mut out, mut rest) = (String::new(), PAGE);
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out.push_str(before);
        out.push_str(part);
        rest = after;
    }
    out + rest
}

/// JSON that no reader of HTML takes for a tag, a comment or the end of a script.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A file's name as the page has it: from the folder that files are named from.
fn file_name<'a>(file: &'a str, view: &PageView) -> &'a str {
    let inside = |folder: &String| file.strip_prefix(folder.as_str())?.strip_prefix('/');
    view.folder.as_ref().and_then(inside).unwrap_or(file)
}

/// A text of at most so many characters.
fn shortened(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_the_script() {
        let page = filled("", "", "\"</script><!--<script>\"");
        assert_eq!(page.matches("</script>").count(), PAGE.matches("</script>").count());
        assert!(page.contains("\\u003c/script\\u003e"));
    }

    #[test]
    fn marks_in_a_part_stay() {
        let page = filled("a{}/*SCRIPTS*/", "run()", "\"/*SCRIPTS*/\"");
        assert!(page.contains("a{}/*SCRIPTS*/") && page.contains("\"/*SCRIPTS*/\"") && page.contains("run()"));
    }
}
