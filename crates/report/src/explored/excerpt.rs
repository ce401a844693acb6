//! Lines of source with what is marked in them, below the place of a finding.

use session::job::{FindingDetail, MarkedLine, SpecLines};

use super::paint::Paint;
use crate::layout::{Layout, columns, spaced, spaced_len, wrapped};
use crate::phrases::place;

/// A source as it is shown.
pub(super) struct Excerpt<'a> {
    pub detail: &'a FindingDetail,
    /// The words behind the place.
    pub after: String,
    /// The words beside the marked part.
    pub label: String,
    /// The same for the spec.
    pub spec_label: String,
    pub paint: Paint,
    pub width: usize,
}

/// A line with its mark.
struct Row<'a> {
    marked: &'a MarkedLine,
    label: &'a str,
    is_failing: bool,
}

impl Excerpt<'_> {
    /// Columns of the numbers of lines.
    pub fn gutter(&self) -> usize {
        let spec = self.detail.spec.iter().flat_map(|spec| &spec.lines);
        let most = self.detail.failing.iter().chain(spec).map(|line| line.line).max();
        most.map_or(1, |line| line.to_string().len())
    }

    /// Writes the place and the lines; only the place if they are not known.
    pub fn write(&self, out: &mut String) {
        let FindingDetail { file, line, column, failing, spec, .. } = self.detail;
        let gutter = " ".repeat(self.gutter());
        let arrow = self.paint.place("-->");
        out.push_str(&format!("{gutter}{arrow} {}{}\n", place(file, *line, *column), self.after));
        let failing = failing.as_ref().map(|marked| Row { marked, label: &self.label, is_failing: true });
        let (here, elsewhere) = match spec {
            Some(spec) if spec.file == *file => (Some(spec), None),
            spec => (None, spec.as_ref()),
        };
        let mut rows: Vec<Row> = here.map_or_else(Vec::new, |spec| self.spec_rows(spec));
        rows.retain(|row| failing.as_ref().is_none_or(|failing| failing.marked.line != row.marked.line));
        rows.extend(failing);
        rows.sort_by_key(|row| row.marked.line);
        self.write_rows(out, &rows);
        if let Some(spec) = elsewhere {
            let line = spec.lines.first().map_or(0, |first| first.line);
            out.push_str(&format!("{gutter}{} {}\n", self.paint.place(":::"), place(&spec.file, line, 0)));
            self.write_rows(out, &self.spec_rows(spec));
        }
    }

    fn spec_rows<'s>(&'s self, spec: &'s SpecLines) -> Vec<Row<'s>> {
        let last = spec.lines.len().saturating_sub(1);
        let row = |(at, marked): (usize, &'s MarkedLine)| Row {
            marked,
            label: if at == last { &self.spec_label } else { "" },
            is_failing: false,
        };
        spec.lines.iter().enumerate().map(row).collect()
    }

    fn write_rows(&self, out: &mut String, rows: &[Row]) {
        if rows.is_empty() {
            return;
        }
        let (width, bar) = (self.gutter(), self.paint.place("|"));
        let empty = format!("{:width$} {bar}", "");
        out.push_str(&format!("{empty}\n"));
        for (at, row) in rows.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| rows[before].marked.line);
            if before.is_some_and(|before| before + 1 < row.marked.line) {
                out.push_str(&format!("{}\n", self.paint.place("...")));
            }
            let (text, start, length) = self.window(row.marked);
            let number = self.paint.place(&format!("{:>width$}", row.marked.line));
            out.push_str(format!("{number} {bar} {text}").trim_end());
            let mark = if row.is_failing { "^" } else { "-" }.repeat(length.max(1));
            let mark = if row.is_failing { self.paint.bad(&mark) } else { self.paint.place(&mark) };
            out.push_str(&format!("\n{empty} {:start$}{mark}", ""));
            self.write_label(out, row, start + length.max(1));
            out.push('\n');
        }
        out.push_str(&format!("{empty}\n"));
    }

    /// Writes what stands beside a mark that ends at a column, or below it where the line has no room.
    fn write_label(&self, out: &mut String, row: &Row, end: usize) {
        let before = self.gutter() + 3;
        let paint = |label: &str| if row.is_failing { self.paint.bad(label) } else { self.paint.place(label) };
        if row.label.is_empty() {
            return;
        }
        if before + end + 1 + columns(row.label) <= self.width {
            out.push_str(&format!(" {}", paint(row.label)));
            return;
        }
        let bar = format!("{:width$} {} ", "", self.paint.place("|"), width = self.gutter());
        for line in wrapped(row.label, Layout::Prose, (before, 0), self.width - before).lines() {
            out.push_str(&format!("\n{bar}{}", paint(line)));
        }
    }

    /// The part of a line that fits, with the first column of its mark and the columns of that.
    fn window(&self, marked: &MarkedLine) -> (String, usize, usize) {
        let MarkedLine { text, start, end, .. } = marked;
        let room = self.width.saturating_sub(self.gutter() + 3).max(20);
        let chars = spaced(text);
        let (start, end) = (spaced_len(&text[..*start]), spaced_len(&text[..*end]));
        let columns = |from: usize, to: usize| chars[from..to].iter().map(|(_, width)| width).sum::<usize>();
        // The mark is in sight, and some of what stands before it.
        let from = if columns(0, end) <= room { 0 } else { start.saturating_sub(room / 4) };
        let mut to = from;
        while to < chars.len() && columns(from, to + 1) + 2 <= room {
            to += 1;
        }
        if columns(from, chars.len()) <= room {
            to = chars.len();
        }
        let (before, after) = (if from > 0 { "…" } else { "" }, if to < chars.len() { "…" } else { "" });
        let shown: String = chars[from..to].iter().map(|(char, _)| char).collect();
        let shift = usize::from(from > 0);
        let (start, end) = (start.clamp(from, to), end.clamp(from, to));
        (format!("{before}{shown}{after}"), columns(from, start) + shift, columns(start, end))
    }
}
