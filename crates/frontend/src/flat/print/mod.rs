//! The flat program as Core Erlang text that the OTP compiler takes.

mod action;
mod body;
mod literal;
mod value;

use ir::Location;
use term::Term;

use super::{Action, Function, Lambda, Module, Name, Pattern, Value, Var};

/// The additions to the printed code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style<'a> {
    /// The calls that mark lines for coverage. They are calls of a function that does not exist.
    pub marks: bool,
    /// Annotations that give stack traces their lines.
    pub locations: bool,
    /// A module and notes: behind each step that calls a function of the module with a number stands the note of that
    /// number. Instrumentation adds such calls.
    pub notes: Option<(&'a str, &'a [String])>,
}

impl Style<'_> {
    /// The program alone.
    pub const PLAIN: Style<'static> = Style { marks: false, locations: false, notes: None };
}

impl Default for Style<'_> {
    fn default() -> Self {
        Style { locations: true, ..Style::PLAIN }
    }
}

/// The whole module.
pub fn print(module: &Module, style: Style) -> String {
    Printer::new(&module.files, style).module(module)
}

/// One definition, without the module around it. `files` are those of its module.
pub fn print_function(function: &Function, files: &[String], style: Style) -> String {
    let mut printer = Printer::new(files, style);
    printer.function(function);
    printer.out
}

/// A value of a function whose variables have these names.
pub fn value_text(value: &Value, names: &[String]) -> String {
    text_of(names, |printer| printer.value(value))
}

/// A pattern as text.
pub fn pattern_text(pattern: &Pattern, names: &[String]) -> String {
    text_of(names, |printer| printer.pattern(pattern))
}

/// An action as text.
pub fn action_text(action: &Action, names: &[String]) -> String {
    text_of(names, |printer| printer.action(action, Location::NONE))
}

fn text_of(names: &[String], print: impl FnOnce(&mut Printer<'_>)) -> String {
    let mut printer = Printer::new(&[], Style::PLAIN);
    printer.names = names;
    print(&mut printer);
    printer.out
}

struct Printer<'a> {
    out: String,
    files: &'a [String],
    style: Style<'a>,
    names: &'a [String],
    indent: usize,
    /// The function that a `function_clause` belongs to; none inside of funs.
    owner: Option<Name>,
    /// True if labels can be used here.
    labels: bool,
}

impl<'a> Printer<'a> {
    fn new(files: &'a [String], style: Style<'a>) -> Self {
        Printer { out: String::new(), files, style, names: &[], indent: 0, owner: None, labels: false }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("    ", self.indent.min(MAX_INDENT)));
    }

    /// Prints `inside` one step to the right, on lines of its own.
    fn indented(&mut self, inside: impl FnOnce(&mut Self)) {
        self.indent += 1;
        self.newline();
        inside(self);
        self.indent -= 1;
    }

    fn separated<T>(&mut self, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        for (at, each) in items.into_iter().enumerate() {
            if at > 0 {
                self.text(",");
            }
            item(self, each);
        }
    }

    fn module(mut self, module: &'a Module) -> String {
        self.head(module);
        module.functions.iter().for_each(|function| self.function(function));
        self.text("end\n");
        self.out
    }

    fn head(&mut self, module: &Module) {
        self.text("module ");
        self.atom(module.name.name());
        self.text(" [");
        self.separated(&module.exports, |printer, &(function, arity)| printer.name(Name { function, arity }));
        self.text("]\n    attributes [");
        let shown =
            module.attributes.iter().filter(|(name, value)| !is_type(name) && is_constant(name) && is_constant(value));
        self.separated(shown, |printer, (name, value)| {
            printer.text("\n        ");
            printer.literal(name);
            printer.text(" = ");
            printer.literal(value);
        });
        self.text("]\n");
    }

    fn function(&mut self, function: &'a Function) {
        self.names = &function.names;
        let name = Name { function: function.name, arity: function.arity };
        self.owner = Some(name);
        self.name(name);
        self.text(" =");
        self.indented(|printer| {
            let annotations = [format!("{{'function',{}}}", name_pair(name))];
            printer.annotated(&annotations, function.lambda.location, |printer| printer.lambda(&function.lambda));
        });
        self.owner = None;
        self.text("\n");
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.text("fun (");
        self.vars(&lambda.params);
        self.text(") ->");
        self.indented(|printer| printer.body(&lambda.body));
    }

    fn vars(&mut self, vars: &[Var]) {
        self.separated(vars, |printer, &var| printer.var(var));
    }

    fn var(&mut self, var: Var) {
        match self.names.get(var.0 as usize) {
            Some(name) => self.out.push_str(name),
            None => self.text("_unknown"),
        }
    }

    fn name(&mut self, name: Name) {
        self.atom(name.function.name());
        self.text(&format!("/{}", name.arity));
    }

    /// `( … -| [annotations] )`, or what is inside alone if there are none.
    fn annotated(&mut self, annotations: &[String], location: Location, inside: impl FnOnce(&mut Self)) {
        let mut all = annotations.to_vec();
        all.extend(self.place(location));
        if all.is_empty() {
            return inside(self);
        }
        self.text("( ");
        inside(self);
        self.text(" -| [");
        self.text(&all.join(","));
        self.text("] )");
    }

    fn place(&self, location: Location) -> Vec<String> {
        match self.files.get(usize::from(location.file)) {
            Some(file) if self.style.locations && location.is_known() => {
                vec![location.line.to_string(), format!("{{'file',{}}}", literal::string(file))]
            }
            _ => Vec::new(),
        }
    }
}

/// Beyond this, lines no longer move right: the text of deep programs would grow with the square of their depth.
const MAX_INDENT: usize = 40;

/// `{'f',1}`.
fn name_pair(name: Name) -> String {
    format!("{{{},{}}}", literal::atom(name.function.name()), name.arity)
}

/// Types and specs: the compiler does not look at them, and they would hide the code.
fn is_type(attribute: &Term) -> bool {
    let name = attribute.as_atom().map_or("", |name| name.name());
    matches!(name, "spec" | "type" | "opaque" | "export_type" | "callback" | "optional_callbacks" | "record")
}

/// True for terms that the text form takes as an attribute: no maps, bitstrings or funs.
fn is_constant(term: &Term) -> bool {
    !term.any(|part| matches!(part, Term::Map(..) | Term::Bits(..) | Term::Fun(..) | Term::Handle(..)))
}
