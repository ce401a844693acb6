//! Printing values and patterns.

use ir::{SegmentFormat, SegmentKind};

use super::Printer;
use crate::flat::{Pattern, Value};

impl Printer<'_> {
    /// Prints a value.
    pub fn value(&mut self, value: &Value) {
        term::deeper(|| match value {
            Value::Var(var) => self.var(*var),
            Value::Literal(term) => self.literal(term),
            Value::Function(name) => self.name(*name),
            Value::Tuple(items) => self.braced(items, Printer::value),
            Value::Cons(parts) => self.bracketed(&parts.0, &parts.1, Printer::value),
        });
    }

    /// Prints a pattern.
    pub fn pattern(&mut self, pattern: &Pattern) {
        term::deeper(|| match pattern {
            Pattern::Var(var) => self.var(*var),
            Pattern::Literal(term) => self.literal(term),
            Pattern::Tuple(items) => self.braced(items, Printer::pattern),
            Pattern::Cons(parts) => self.bracketed(&parts.0, &parts.1, Printer::pattern),
            Pattern::Map(pairs) => self.map_pattern(pairs),
            Pattern::Bits(segments) => self.segments(segments, |printer, segment| {
                printer.pattern(&segment.pattern);
                (segment.size.clone(), segment.format)
            }),
            Pattern::Alias(var, pattern) => {
                self.var(*var);
                self.text(" = ");
                self.pattern(pattern);
            }
        });
    }

    fn braced<T>(&mut self, items: &[T], item: fn(&mut Self, &T)) {
        self.text("{");
        self.separated(items, item);
        self.text("}");
    }

    fn bracketed<T>(&mut self, head: &T, tail: &T, part: fn(&mut Self, &T)) {
        self.text("[");
        part(self, head);
        self.text("|");
        part(self, tail);
        self.text("]");
    }

    fn map_pattern(&mut self, pairs: &[(Value, Pattern)]) {
        self.text("~{");
        self.separated(pairs, |printer, (key, pattern)| {
            printer.value(key);
            printer.text(":=");
            printer.pattern(pattern);
        });
        self.text("}~");
    }

    /// `open` prints what a segment holds and returns its size and format.
    pub fn segments<T>(&mut self, segments: &[T], open: impl Fn(&mut Self, &T) -> (Value, SegmentFormat)) {
        self.text("#{");
        self.separated(segments, |printer, segment| {
            printer.text("#<");
            let (size, format) = open(printer, segment);
            printer.text(">(");
            printer.value(&size);
            printer.format(format);
            printer.text(")");
        });
        self.text("}#");
    }

    fn format(&mut self, format: SegmentFormat) {
        let kind = match format.kind {
            SegmentKind::Bits => "binary",
            kind => kind.name(),
        };
        let unit = match format.kind {
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => "'undefined'".into(),
            _ => format.unit.to_string(),
        };
        let sign = if format.signed { "signed" } else { "unsigned" };
        let order = if format.little { "little" } else { "big" };
        self.text(&format!(",{unit},'{kind}',['{sign}'|['{order}']]"));
    }
}
