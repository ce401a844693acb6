//! Cells, their contents, and what flows between them.

use constraint::{Grammar, MapField, RuleId, Shape};
use ir::Reg;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Term, known};

use super::Values;
use crate::backward::program::{FunctionId, Program, has_name};

/// A set of values: a rule of the grammar.
pub type Cell = RuleId;

/// One content of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    Shape(Shape),
    /// The fun of a lifted function.
    Closure(FunctionId),
}

/// A use of everything in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pipe {
    To(Cell),
    Head(Cell),
    Tail(Cell),
    /// Of tuples of that size, or of any.
    Element(u32, Option<u32>, Cell),
    /// All elements of a list.
    Each(Cell),
    /// The value of any key.
    Value(Cell),
    /// It is called: the number of the call.
    Called(u32),
    /// It is an operand of arithmetic that gives numbers of the kinds it gets.
    Number(Cell),
    /// Code that is not looked into gets hold of it.
    Lost(Loss),
}

/// The code that gets hold of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loss {
    /// It keeps the value, or gives it to other code of the program.
    Kept,
    /// It may call functions by the names that the value has.
    Named,
}

/// All integers.
pub const INTEGERS: Shape = Shape::Integer { low: None, high: None };

/// A call of a fun.
#[derive(Clone)]
pub struct Call {
    pub args: Vec<Cell>,
    pub to: Cell,
}

/// More shapes than these are anything.
const MOST_SHAPES: usize = 48;
/// More cells than these, and nothing is known.
const MOST_CELLS: usize = 60_000;

/// Cells and what flows between them.
pub struct Flows {
    pub cells: Vec<Vec<Form>>,
    pub pipes: Vec<Vec<Pipe>>,
    known_pipes: FxHashSet<(Cell, Pipe)>,
    pub any: Cell,
    /// The arguments that stand in stack traces.
    pub traces: Cell,
    registers: FxHashMap<(FunctionId, Reg), Cell>,
    results: FxHashMap<FunctionId, Cell>,
    literals: FxHashMap<Term, Cell>,
    pub calls: Vec<Call>,
    /// Functions that are called, in the order in which that was found.
    pub called: Vec<FunctionId>,
    is_called: FxHashSet<FunctionId>,
    /// Forms that were put into cells and have not flowed on.
    pub fresh: Vec<(Cell, Form)>,
    /// Too much: nothing is known.
    pub lost: bool,
    /// A function that can run was not looked into.
    pub capped: bool,
    /// The modules under test.
    pub modules: FxHashSet<Atom>,
    /// Code that is not looked into may call functions of these modules by name.
    pub calls_by_name: bool,
    /// Such code would have to be run by another process, which gets names.
    pub keeps_names: bool,
    /// A process runs code that is not looked into.
    pub runs_others: bool,
    none: Cell,
}

impl Flows {
    /// No flows yet, and the cells that are always there.
    pub fn new(modules: FxHashSet<Atom>) -> Flows {
        let mut flows = Flows {
            cells: Vec::new(),
            pipes: Vec::new(),
            known_pipes: FxHashSet::default(),
            any: RuleId(0),
            traces: RuleId(0),
            registers: FxHashMap::default(),
            results: FxHashMap::default(),
            literals: FxHashMap::default(),
            calls: Vec::new(),
            called: Vec::new(),
            is_called: FxHashSet::default(),
            fresh: Vec::new(),
            lost: false,
            capped: false,
            modules,
            calls_by_name: false,
            keeps_names: false,
            runs_others: false,
            none: RuleId(0),
        };
        flows.any = flows.cell();
        flows.traces = flows.cell();
        flows.none = flows.cell();
        flows.add(flows.any, Form::Shape(Shape::Any));
        flows
    }

    /// A new cell with nothing in it.
    pub fn cell(&mut self) -> Cell {
        self.lost |= self.cells.len() > MOST_CELLS;
        self.cells.push(Vec::new());
        self.pipes.push(Vec::new());
        RuleId(self.cells.len() as u32 - 1)
    }

    /// The cell of a register.
    pub fn register(&mut self, function: FunctionId, register: Reg) -> Cell {
        if let Some(known) = self.registers.get(&(function, register)) {
            return *known;
        }
        let cell = self.cell();
        self.registers.insert((function, register), cell);
        cell
    }

    /// The cell of a function's result.
    pub fn result(&mut self, function: FunctionId) -> Cell {
        if let Some(known) = self.results.get(&function) {
            return *known;
        }
        let cell = self.cell();
        self.results.insert(function, cell);
        cell
    }

    /// A cell that holds a constant.
    pub fn literal(&mut self, term: &Term) -> Cell {
        if let Some(known) = self.literals.get(term) {
            return *known;
        }
        let cell = self.cell();
        self.literals.insert(term.clone(), cell);
        term::deeper(|| {
            let shape = match term {
                Term::Atom(..) | Term::Nil(_) | Term::Int(..) | Term::Big(..) => Shape::Literal(term.clone()),
                Term::Float(..) => Shape::Float,
                Term::Cons(_, pair) => Shape::Cons(self.literal(&pair.head), self.literal(&pair.tail)),
                Term::Tuple(_, items) => Shape::Tuple(items.iter().map(|item| self.literal(item)).collect()),
                Term::Bits(..) => Shape::Bits { base: 0, unit: 1 },
                Term::Map(..) => self.some_map(),
                Term::Fun(..) | Term::Handle(..) => Shape::Any,
            };
            self.add(cell, Form::Shape(shape));
        });
        cell
    }

    /// A map with any keys and values.
    pub fn some_map(&self) -> Shape {
        Shape::Map(vec![MapField { key: self.any, value: self.any, mandatory: false }])
    }

    /// Puts a form into a cell; a cell with too many holds anything.
    pub fn add(&mut self, cell: Cell, form: Form) {
        let known = &mut self.cells[cell.0 as usize];
        if known.contains(&form) {
            return;
        }
        let is_any = known.contains(&Form::Shape(Shape::Any));
        let form = match form {
            // Whatever takes it out of there calls it.
            Form::Shape(shape) if is_any || known.len() >= MOST_SHAPES => {
                self.lose_parts(&shape, Pipe::Lost(Loss::Kept));
                Form::Shape(Shape::Any)
            }
            form => form,
        };
        if form != Form::Shape(Shape::Any) || !is_any {
            self.cells[cell.0 as usize].push(form.clone());
            self.fresh.push((cell, form));
        }
    }

    /// Loses the parts of a value.
    pub fn lose_parts(&mut self, shape: &Shape, lost: Pipe) {
        match shape {
            Shape::Cons(head, tail) => [*head, *tail].into_iter().for_each(|part| self.pipe(part, lost)),
            Shape::Tuple(items) => items.iter().for_each(|part| self.pipe(*part, lost)),
            Shape::Map(fields) => fields.iter().for_each(|field| {
                self.pipe(field.key, lost);
                self.pipe(field.value, lost);
            }),
            _ => {}
        }
    }

    /// Puts a shape into a cell.
    pub fn add_shape(&mut self, cell: Cell, shape: Shape) {
        self.add(cell, Form::Shape(shape));
    }

    /// Leads all that is in a cell, now or later, through a pipe.
    pub fn pipe(&mut self, from: Cell, pipe: Pipe) {
        if !self.known_pipes.insert((from, pipe)) {
            return;
        }
        self.pipes[from.0 as usize].push(pipe);
        for form in self.cells[from.0 as usize].clone() {
            self.flow(&form, pipe);
        }
    }

    /// Notes that a function is called.
    pub fn call(&mut self, function: FunctionId) {
        if self.is_called.insert(function) {
            self.called.push(function);
        }
    }

    /// Calls a function whose parameters, apart from captured values, hold anything.
    pub fn call_with_anything(&mut self, program: &Program<'_>, function: FunctionId) {
        let callee = program.function(function);
        let free = callee.params.len() - callee.captured as usize;
        for param in &callee.params[..free] {
            let cell = self.register(function, *param);
            self.add_shape(cell, Shape::Any);
        }
        let result = self.result(function);
        self.pipe(result, Pipe::Lost(Loss::Kept));
        self.call(function);
    }

    /// Notes that code gets hold of what may be the name of a module under test.
    pub fn lose_name(&mut self, shape: &Shape, loss: Loss) {
        let names = match shape {
            Shape::Any | Shape::Atom | Shape::AnyTuple | Shape::Rule(_) => true,
            Shape::Literal(term) => has_name(term, &self.modules),
            _ => false,
        };
        match loss {
            Loss::Kept => self.keeps_names |= names,
            Loss::Named => self.calls_by_name |= names,
        }
    }

    /// The rules of another grammar become cells; gives by how much their numbers move.
    pub fn import(&mut self, grammar: &Grammar) -> u32 {
        let base = self.cells.len() as u32;
        grammar.rules().iter().for_each(|_| _ = self.cell());
        for (at, rule) in grammar.rules().iter().enumerate() {
            for shape in &rule.shapes {
                self.add_shape(RuleId(base + at as u32), moved(shape, base));
            }
        }
        base
    }

    /// Turns the cells into the rules of one grammar.
    pub fn finish(self) -> Values {
        let mut grammar = Grammar::default();
        self.cells.iter().for_each(|_| _ = grammar.reserve());
        let any = self.any;
        for (at, forms) in self.cells.into_iter().enumerate() {
            let anything = self.lost || forms.contains(&Form::Shape(Shape::Any));
            let shape = |form: Form| match form {
                Form::Shape(shape) => shape,
                Form::Closure(_) => Shape::Fun { params: None, result: any },
            };
            let mut shapes: Vec<Shape> = Vec::new();
            for shape in forms.into_iter().map(shape) {
                if !shapes.contains(&shape) {
                    shapes.push(shape);
                }
            }
            grammar.fill(RuleId(at as u32), if anything { vec![Shape::Any] } else { shapes });
        }
        let empty = grammar.heights().iter().map(Option::is_none).collect();
        let looked = if self.lost { FxHashSet::default() } else { self.is_called };
        let whole = !self.lost && !self.capped;
        let calls_by_name = self.lost || self.calls_by_name || self.keeps_names && self.runs_others;
        Values { grammar, any, registers: self.registers, looked, whole, none: self.none, empty, calls_by_name }
    }
}

fn moved(shape: &Shape, by: u32) -> Shape {
    let to = |rule: &RuleId| RuleId(rule.0 + by);
    match shape {
        Shape::Cons(head, tail) => Shape::Cons(to(head), to(tail)),
        Shape::Tuple(items) => Shape::Tuple(items.iter().map(to).collect()),
        Shape::Map(fields) => Shape::Map(
            fields
                .iter()
                .map(|field| MapField { key: to(&field.key), value: to(&field.value), ..field.clone() })
                .collect(),
        ),
        Shape::Fun { params, result } => {
            Shape::Fun { params: params.as_ref().map(|params| params.iter().map(to).collect()), result: to(result) }
        }
        Shape::Rule(rule) => Shape::Rule(to(rule)),
        other => other.clone(),
    }
}

/// `true` and `false`.
pub fn booleans() -> [Shape; 2] {
    [known::TRUE, known::FALSE].map(|atom| Shape::Literal(Term::atom(atom)))
}
