//! Which values registers can hold, by what flows where, whatever the order in which it happens.
//!
//! Every register, every place where something is built and every rule of an input is a cell: a rule of one grammar
//! whose shapes are found by letting them flow until nothing changes. Shapes come from the specs of entry points and
//! from the program's text, so there are only so many. What code does that nobody looks into can be anything, and so can
//! the arguments of funs that such code gets hold of.

use constraint::{Grammar, MapField, RuleId, Shape};
use ir::Reg;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, known};

use super::program::{FunctionId, Program};

/// A set of values: a rule of the grammar.
pub(super) type Cell = RuleId;

/// What can be in a cell.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Form {
    Shape(Shape),
    /// The fun of a lifted function.
    Closure(FunctionId),
}

/// What becomes of everything in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Pipe {
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
    /// Somebody gets hold of it who is not looked into.
    Lost,
}

/// A call of a fun.
pub(super) struct Call {
    pub args: Vec<Cell>,
    pub to: Cell,
}

/// More shapes than these are anything.
const MOST_SHAPES: usize = 48;
/// More cells than these, and nothing is known.
const MOST_CELLS: usize = 60_000;

/// Registers and the rules of what they can hold.
pub struct Values {
    grammar: Grammar,
    any: RuleId,
    registers: FxHashMap<(FunctionId, Reg), RuleId>,
    looked: FxHashSet<FunctionId>,
    /// Every function that can run was looked into, so that others have no values.
    whole: bool,
    none: RuleId,
    /// Rules that no value has.
    empty: Vec<bool>,
}

/// An entry point: its function, and for each clause of its spec the rules of its parameters.
pub struct Door<'a> {
    pub function: FunctionId,
    pub grammar: &'a Grammar,
    pub signatures: Vec<Vec<RuleId>>,
}

impl Values {
    /// Lets values flow from the entry points; functions in `open` may be called with anything. Gives also the rules
    /// that the signatures have here.
    pub fn of(
        program: &mut Program<'_>,
        doors: &[Door<'_>],
        open: &FxHashSet<FunctionId>,
    ) -> (Values, Vec<Vec<Vec<RuleId>>>) {
        let mut flows = Flows::new();
        let mut rules = Vec::new();
        for door in doors {
            let base = flows.import(door.grammar);
            let moved = |rule: &RuleId| RuleId(rule.0 + base);
            let signatures: Vec<Vec<RuleId>> =
                door.signatures.iter().map(|rules| rules.iter().map(moved).collect()).collect();
            for signature in &signatures {
                let params = program.function(door.function).params.clone();
                for (param, rule) in params.into_iter().zip(signature) {
                    let cell = flows.register(door.function, param);
                    flows.pipe(*rule, Pipe::To(cell));
                }
            }
            flows.call(door.function);
            rules.push(signatures);
        }
        for function in open {
            flows.call_with_anything(program, *function);
        }
        flows.settle(program);
        (flows.finish(), rules)
    }

    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The rule of anything.
    pub fn any(&self) -> RuleId {
        self.any
    }

    /// Whether it is known what the registers of a function can hold.
    pub fn knows(&self, function: FunctionId) -> bool {
        self.looked.contains(&function)
    }

    /// Whether a rule has no value.
    pub fn is_empty(&self, rule: RuleId) -> bool {
        self.empty[rule.0 as usize]
    }

    /// What a register can hold.
    pub fn rule(&self, function: FunctionId, register: Reg) -> RuleId {
        if !self.knows(function) {
            return if self.whole { self.none } else { self.any };
        }
        self.registers.get(&(function, register)).copied().unwrap_or(self.any)
    }
}

/// Cells and what flows between them.
pub(super) struct Flows {
    cells: Vec<Vec<Form>>,
    pipes: Vec<Vec<Pipe>>,
    known_pipes: FxHashSet<(Cell, Pipe)>,
    pub any: Cell,
    /// What stands in stack traces.
    pub traces: Cell,
    registers: FxHashMap<(FunctionId, Reg), Cell>,
    results: FxHashMap<FunctionId, Cell>,
    literals: FxHashMap<Term, Cell>,
    pub calls: Vec<Call>,
    /// Functions that somebody calls, in the order in which that was found; how many of them were looked into.
    called: Vec<FunctionId>,
    is_called: FxHashSet<FunctionId>,
    /// What was put into cells and has not flowed on.
    fresh: Vec<(Cell, Form)>,
    /// Too much: nothing is known.
    lost: bool,
    /// A function that can run was not looked into.
    pub capped: bool,
    none: Cell,
}

impl Flows {
    fn new() -> Flows {
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
            none: RuleId(0),
        };
        flows.any = flows.cell();
        flows.traces = flows.cell();
        flows.none = flows.cell();
        flows.add(flows.any, Form::Shape(Shape::Any));
        flows
    }

    pub fn cell(&mut self) -> Cell {
        self.lost |= self.cells.len() > MOST_CELLS;
        self.cells.push(Vec::new());
        self.pipes.push(Vec::new());
        RuleId(self.cells.len() as u32 - 1)
    }

    pub fn register(&mut self, function: FunctionId, register: Reg) -> Cell {
        if let Some(known) = self.registers.get(&(function, register)) {
            return *known;
        }
        let cell = self.cell();
        self.registers.insert((function, register), cell);
        cell
    }

    /// What a function gives.
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
        stacker::maybe_grow(64 << 10, 4 << 20, || {
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

    pub fn some_map(&self) -> Shape {
        Shape::Map(vec![MapField { key: self.any, value: self.any, mandatory: false }])
    }

    pub fn add(&mut self, cell: Cell, form: Form) {
        let known = &mut self.cells[cell.0 as usize];
        if known.contains(&form) || known.contains(&Form::Shape(Shape::Any)) {
            return;
        }
        let closure = matches!(form, Form::Closure(_));
        let form = if known.len() < MOST_SHAPES || closure { form } else { Form::Shape(Shape::Any) };
        known.push(form.clone());
        self.fresh.push((cell, form));
    }

    pub fn add_shape(&mut self, cell: Cell, shape: Shape) {
        self.add(cell, Form::Shape(shape));
    }

    pub fn pipe(&mut self, from: Cell, pipe: Pipe) {
        if !self.known_pipes.insert((from, pipe)) {
            return;
        }
        self.pipes[from.0 as usize].push(pipe);
        for form in self.cells[from.0 as usize].clone() {
            self.flow(&form, pipe);
        }
    }

    /// Somebody calls a function.
    pub fn call(&mut self, function: FunctionId) {
        if self.is_called.insert(function) {
            self.called.push(function);
        }
    }

    fn call_with_anything(&mut self, program: &Program<'_>, function: FunctionId) {
        let callee = program.function(function);
        let free = callee.params.len() - callee.captured as usize;
        for param in &callee.params[..free] {
            let cell = self.register(function, *param);
            self.add_shape(cell, Shape::Any);
        }
        self.call(function);
    }

    /// The rules of another grammar become cells; gives by how much their numbers move.
    fn import(&mut self, grammar: &Grammar) -> u32 {
        let base = self.cells.len() as u32;
        grammar.rules().iter().for_each(|_| _ = self.cell());
        for (at, rule) in grammar.rules().iter().enumerate() {
            for shape in &rule.shapes {
                self.add_shape(RuleId(base + at as u32), moved(shape, base));
            }
        }
        base
    }

    fn settle(&mut self, program: &mut Program<'_>) {
        let mut looked = 0;
        while !self.lost {
            if let Some((cell, form)) = self.fresh.pop() {
                for pipe in self.pipes[cell.0 as usize].clone() {
                    self.flow_in(program, &form, pipe);
                }
            } else if looked < self.called.len() {
                let function = self.called[looked];
                looked += 1;
                super::flows::look(self, program, function);
            } else {
                return;
            }
        }
    }

    fn flow(&mut self, form: &Form, pipe: Pipe) {
        // What needs the program waits for its turn.
        let cell = match pipe {
            Pipe::To(cell) => return self.add(cell, form.clone()),
            Pipe::Head(cell)
            | Pipe::Tail(cell)
            | Pipe::Element(_, _, cell)
            | Pipe::Each(cell)
            | Pipe::Value(cell)
            | Pipe::Number(cell) => cell,
            Pipe::Called(_) | Pipe::Lost => return self.later(form, pipe),
        };
        let Form::Shape(shape) = form else { return };
        match (pipe, shape) {
            (Pipe::Number(_), Shape::Integer { .. }) => {
                self.add_shape(cell, Shape::Integer { low: None, high: None });
            }
            (Pipe::Number(_), Shape::Literal(term)) if term.is_integer() => {
                self.add_shape(cell, Shape::Integer { low: None, high: None });
            }
            (Pipe::Number(_), Shape::Float) => self.add_shape(cell, Shape::Float),
            (Pipe::Number(_), Shape::Any) => {
                self.add_shape(cell, Shape::Integer { low: None, high: None });
                self.add_shape(cell, Shape::Float);
            }
            (Pipe::Number(_), _) => {}
            (_, Shape::Any | Shape::Rule(_)) => self.add_shape(cell, Shape::Any),
            (Pipe::Head(_), Shape::Cons(head, _)) => self.pipe(*head, Pipe::To(cell)),
            (Pipe::Tail(_), Shape::Cons(_, tail)) => self.pipe(*tail, Pipe::To(cell)),
            (Pipe::Each(_), Shape::Cons(head, tail)) => {
                self.pipe(*head, Pipe::To(cell));
                self.pipe(*tail, pipe);
            }
            (Pipe::Element(at, size, _), Shape::Tuple(items))
                if size.is_none_or(|size| items.len() == size as usize) =>
            {
                if let Some(item) = items.get(at as usize) {
                    self.pipe(*item, Pipe::To(cell));
                }
            }
            (Pipe::Element(..), Shape::AnyTuple) => self.add_shape(cell, Shape::Any),
            (Pipe::Value(_), Shape::Map(fields)) => {
                fields.iter().for_each(|field| self.pipe(field.value, Pipe::To(cell)));
            }
            _ => {}
        }
    }

    fn later(&mut self, form: &Form, pipe: Pipe) {
        let cell = self.cell();
        self.pipes[cell.0 as usize].push(pipe);
        self.cells[cell.0 as usize].push(form.clone());
        self.fresh.push((cell, form.clone()));
    }

    fn flow_in(&mut self, program: &mut Program<'_>, form: &Form, pipe: Pipe) {
        match (pipe, form) {
            (Pipe::Called(number), Form::Closure(function)) => self.call_closure(program, number, *function),
            (Pipe::Called(number), Form::Shape(Shape::Any | Shape::Fun { .. })) => {
                let Call { args, to } = &self.calls[number as usize];
                let (args, to) = (args.clone(), *to);
                args.into_iter().for_each(|arg| self.pipe(arg, Pipe::Lost));
                self.add_shape(to, Shape::Any);
            }
            (Pipe::Called(_), _) => {}
            (Pipe::Lost, Form::Closure(function)) => self.call_with_anything(program, *function),
            (Pipe::Lost, Form::Shape(Shape::Cons(head, tail))) => {
                [*head, *tail].into_iter().for_each(|part| self.pipe(part, Pipe::Lost));
            }
            (Pipe::Lost, Form::Shape(Shape::Tuple(items))) => {
                items.iter().for_each(|part| self.pipe(*part, Pipe::Lost));
            }
            (Pipe::Lost, Form::Shape(Shape::Map(fields))) => {
                fields.iter().for_each(|field| {
                    self.pipe(field.key, Pipe::Lost);
                    self.pipe(field.value, Pipe::Lost);
                });
            }
            (Pipe::Lost, _) => {}
            (pipe, form) => self.flow(form, pipe),
        }
    }

    /// Arguments flow into the parameters, and the result back.
    fn call_closure(&mut self, program: &Program<'_>, number: u32, function: FunctionId) {
        let callee = program.function(function);
        let free = callee.params.len() - callee.captured as usize;
        let Call { args, to } = &self.calls[number as usize];
        let (args, to) = (args.clone(), *to);
        if args.len() != free {
            return;
        }
        for (arg, param) in args.into_iter().zip(&callee.params) {
            let cell = self.register(function, *param);
            self.pipe(arg, Pipe::To(cell));
        }
        let result = self.result(function);
        self.pipe(result, Pipe::To(to));
        self.call(function);
    }

    fn finish(self) -> Values {
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
        Values { grammar, any, registers: self.registers, looked, whole, none: self.none, empty }
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
pub(super) fn booleans() -> [Shape; 2] {
    [known::TRUE, known::FALSE].map(|atom| Shape::Literal(Term::atom(atom)))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::backward::Graphs;
    use ir::Unit;
    use term::{Atom, Mfa};

    struct Text(Vec<Rc<Unit>>);

    impl Graphs for Text {
        fn unit(&mut self, function: Mfa) -> Option<Rc<Unit>> {
            self.0.iter().find(|unit| unit.functions.iter().any(|it| it.name == function)).cloned()
        }
    }

    fn name(function: &str, arity: u8) -> Mfa {
        Mfa { module: Atom::new("m"), function: Atom::new(function), arity }
    }

    /// The shapes of the first register of a function, if `m:f/1` takes what the shapes say.
    fn first(text: &str, takes: Vec<Shape>, of: Mfa) -> Vec<Shape> {
        let mut graphs = Text(text.split("\n\n").map(|unit| Rc::new(Unit::read(unit).unwrap())).collect());
        let names: Vec<Mfa> = graphs.0.iter().map(|unit| unit.functions[0].name).collect();
        let mut program = Program::new(&mut graphs, &names);
        let mut grammar = Grammar::default();
        let rule = grammar.intern(takes);
        let function = program.find(name("f", 1)).unwrap();
        let door = Door { function, grammar: &grammar, signatures: vec![vec![rule]] };
        let (values, _) = Values::of(&mut program, &[door], &FxHashSet::default());
        let id = program.find(of).unwrap();
        values.grammar().rule(values.rule(id, Reg(0))).shapes.clone()
    }

    const LOOP: &str = "
function m:f/1 (%0) captured 0 registers 2
b0:
  %1 = cons(%0, [])
  tailcall local m:g/1(%1)

function m:g/1 (%0) captured 0 registers 3
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b2
b1:
  tailcall local m:g/1(%2)
b2:
  return %0
";

    #[test]
    fn a_list_that_is_walked_stays_a_list() {
        let shapes = first(LOOP, vec![Shape::Float], name("g", 1));
        assert_eq!(shapes.len(), 2, "{shapes:?}");
        assert!(shapes.contains(&Shape::Literal(Term::nil())));
        assert!(shapes.iter().any(|shape| matches!(shape, Shape::Cons(..))));
    }

    #[test]
    fn a_fun_takes_what_it_is_called_with_and_anything_once_it_is_lost() {
        let text = "
function m:f/1 (%0) captured 0 registers 3
b0:
  %1 = closure m:'-f/1-fun-0-'/1()
  %2 = call fun %1(%0)
  return %2
function m:'-f/1-fun-0-'/1 (%0) captured 0 registers 1
b0:
  return %0
";
        let fun = name("-f/1-fun-0-", 1);
        assert_eq!(first(text, vec![Shape::Float], fun), [Shape::Float]);
        let lost = text.replace("return %2\n", "%2 = call remote ets:insert(t, %1)\n  return %2\n");
        assert_eq!(first(&lost, vec![Shape::Float], fun), [Shape::Any]);
        let never = text.replace("%2 = call fun %1(%0)", "%2 = copy 1");
        assert_eq!(first(&never, vec![Shape::Float], fun), []);
    }
}
