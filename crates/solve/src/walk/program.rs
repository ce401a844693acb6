//! A problem compiled once: a flat row of typed instructions, and what each variable touches.

use constraint::{FloatOp, Op};
use term::math::Math;

use super::operations::{Instruction, domain, kind_of, takes};
use super::problem::{NumberProblem, Source};
use super::value::{Kind, Num};
use crate::problem::{Constraint, Expression};

/// A register that an oracle fills.
#[derive(Clone, Debug)]
pub struct OracleRegister {
    /// The number of the question.
    pub question: usize,
    /// The register of the answer.
    pub out: u32,
    /// The variables it depends on.
    pub variables: Vec<usize>,
}

/// See the module. Registers are numbered from 0; the first are the variables.
pub struct CompiledProblem {
    /// The type of each register.
    pub kinds: Vec<Kind>,
    /// Constants in their registers; the others are undefined.
    pub registers: Vec<Num>,
    /// Filled before any instruction runs.
    pub asked: Vec<OracleRegister>,
    /// The operations, in order.
    pub code: Vec<Instruction>,
    /// The relations between registers.
    pub tests: Vec<Constraint>,
    /// The instruction that makes a register.
    pub made_by: Vec<Option<u32>>,
    /// For each variable the instructions that depend on it, in order.
    pub touched: Vec<Vec<u32>>,
    /// For each variable the tests that depend on it.
    pub tests_of: Vec<Vec<u32>>,
    /// For each test its variables.
    pub variables_of: Vec<Vec<usize>>,
    /// For each register whether some variable is in it.
    pub varies: Vec<bool>,
}

impl CompiledProblem {
    /// `None` if an operation gets what it never takes: then no point is a solution.
    pub fn of(problem: &NumberProblem) -> Option<CompiledProblem> {
        let mut compiler = Compiler::new(problem);
        let used = problem.used();
        let mut places = vec![u32::MAX; problem.exprs.len()];
        for (at, expr) in problem.exprs.iter().enumerate().filter(|(at, _)| used[*at]) {
            places[at] = match expr {
                Expression::Variable(variable) => *variable as u32,
                Expression::Constant(Source::Number(value)) => compiler.register(value.kind()?, value.clone()),
                Expression::Apply(op, args) => {
                    let args: Vec<u32> = args.iter().map(|arg| places[*arg]).collect();
                    compiler.operation(*op, &args)?
                }
                Expression::Constant(Source::Oracle { question, kind, variables }) => {
                    let out = compiler.register(*kind, Num::Undefined);
                    compiler.asked.push(OracleRegister { question: *question, out, variables: variables.clone() });
                    out
                }
            };
        }
        let place = |at: usize| places[at] as usize;
        let mut tests: Vec<Constraint> = problem.relations.iter().map(|relation| relation.moved(place)).collect();
        compiler.bounds(problem, &mut tests);
        Some(compiler.finish(problem.variables.len(), tests))
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.touched.len()
    }
}

struct Compiler {
    kinds: Vec<Kind>,
    registers: Vec<Num>,
    asked: Vec<OracleRegister>,
    code: Vec<Instruction>,
    made_by: Vec<Option<u32>>,
}

impl Compiler {
    fn new(problem: &NumberProblem) -> Compiler {
        let kinds: Vec<Kind> = problem.variables.iter().map(|variable| variable.kind).collect();
        let count = kinds.len();
        let registers = vec![Num::Undefined; count];
        Compiler { kinds, registers, asked: Vec::new(), code: Vec::new(), made_by: vec![None; count] }
    }

    fn register(&mut self, kind: Kind, value: Num) -> u32 {
        self.kinds.push(kind);
        self.registers.push(value);
        self.made_by.push(None);
        self.kinds.len() as u32 - 1
    }

    fn push(&mut self, op: Op, kind: Kind, left: u32, right: u32) -> u32 {
        let out = self.register(kind, Num::Undefined);
        self.made_by[out as usize] = Some(self.code.len() as u32);
        self.code.push(Instruction { op, left, right, out });
        out
    }

    /// `None` if it gets what it never takes.
    fn operation(&mut self, op: Op, args: &[u32]) -> Option<u32> {
        let (left, right) = match *args {
            [arg] => (arg, arg),
            [left, right] => (left, right),
            _ => return None,
        };
        let fits = [left, right].iter().all(|arg| self.kinds[*arg as usize] == takes(op));
        fits.then(|| kind_of(op)).flatten().map(|kind| self.push(op, kind, left, right))
    }

    /// The bounds of variables are tests as any other, and so is that operations are defined: a point that is not yet
    /// inside then knows how far it is.
    fn bounds(&mut self, problem: &NumberProblem, tests: &mut Vec<Constraint>) {
        for (at, variable) in problem.variables.iter().enumerate() {
            if let Some(low) = &variable.low {
                let low = self.register(variable.kind, low.clone());
                tests.push(Constraint::AtMost(low as usize, at));
            }
            if let Some(high) = &variable.high {
                let high = self.register(variable.kind, high.clone());
                tests.push(Constraint::AtMost(at, high as usize));
            }
        }
        for at in 0..self.code.len() {
            self.domain(self.code[at], tests);
        }
    }

    fn domain(&mut self, instruction: Instruction, tests: &mut Vec<Constraint>) {
        let (left, right) = (instruction.left as usize, instruction.right as usize);
        let mut constant = |value: f64| self.register(Kind::Float, Num::Float(value)) as usize;
        match instruction.op {
            Op::Div | Op::Rem => {
                let zero = self.register(Kind::Integer, Num::ZERO) as usize;
                tests.push(Constraint::Differ(right, zero));
            }
            Op::Float(FloatOp::Div | FloatOp::Math(Math::Fmod)) => tests.push(Constraint::Differ(right, constant(0.0))),
            Op::Float(FloatOp::Math(math)) => {
                let Some((low, high, included)) = domain(math) else { return };
                let between = |a, b| if included { Constraint::AtMost(a, b) } else { Constraint::Less(a, b) };
                if low.is_finite() {
                    tests.push(between(constant(low), left));
                }
                if high.is_finite() {
                    tests.push(between(left, constant(high)));
                }
            }
            _ => {}
        }
    }

    fn finish(self, variables: usize, mut tests: Vec<Constraint>) -> CompiledProblem {
        let mut needs: Vec<Vec<usize>> = (0..variables).map(|at| vec![at]).collect();
        needs.resize(self.kinds.len(), Vec::new());
        self.asked.iter().for_each(|asked| needs[asked.out as usize] = asked.variables.clone());
        let mut touched = vec![Vec::new(); variables];
        for (at, instruction) in self.code.iter().enumerate() {
            let mut needed = needs[instruction.left as usize].clone();
            needed.extend(&needs[instruction.right as usize]);
            needed.sort_unstable();
            needed.dedup();
            needed.iter().for_each(|variable| touched[*variable].push(at as u32));
            needs[instruction.out as usize] = needed;
        }
        let mut seen = rustc_hash::FxHashSet::default();
        tests.retain(|test| {
            let (a, b) = test.sides();
            // A test of constants decides for itself; only one that does not hold matters.
            let varies = !needs[a].is_empty() || !needs[b].is_empty();
            seen.insert(*test)
                && (varies || self.made_by[a].is_some() || self.made_by[b].is_some() || !holds(test, &self.registers))
        });
        let mut tests_of = vec![Vec::new(); variables];
        let mut variables_of = Vec::new();
        for (at, test) in tests.iter().enumerate() {
            let (a, b) = test.sides();
            let mut needed: Vec<usize> = needs[a].iter().chain(&needs[b]).copied().collect();
            needed.sort_unstable();
            needed.dedup();
            needed.iter().for_each(|variable| tests_of[*variable].push(at as u32));
            variables_of.push(needed);
        }
        let varies = needs.iter().map(|needs| !needs.is_empty()).collect();
        let Compiler { kinds, registers, asked, code, made_by } = self;
        CompiledProblem { kinds, registers, asked, code, tests, made_by, touched, tests_of, variables_of, varies }
    }
}

/// Returns true if a test holds of the values in registers.
pub fn holds(test: &Constraint, registers: &[Num]) -> bool {
    let (a, b) = test.sides();
    registers[a].compare(&registers[b]).is_some_and(|order| test.holds(order))
}
