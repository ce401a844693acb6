//! An assignment: the values of variables and of all that depends on them, and the errors of the tests.

use super::error::{Metric, difference};
use super::operations::compute;
use super::program::{CompiledProblem, OracleRegister};
use super::value::Num;

/// Registers at a point. A change computes again only what it touches.
pub struct Assignment<'p> {
    /// The problem.
    pub program: &'p CompiledProblem,
    oracle: Oracle<'p>,
    /// The values of all registers.
    pub registers: Vec<Num>,
    /// The error of each test.
    pub errors: Vec<f64>,
    /// The sum of all errors.
    pub total: f64,
    /// The unit of errors.
    pub metric: Metric,
    /// Points looked at.
    pub evaluations: u64,
    /// Instructions run.
    pub work: u64,
}

/// Computes what the problem itself does not define: the answer to a question, for values of all variables.
pub type Oracle<'p> = &'p dyn Fn(usize, &[Num]) -> Num;

/// New values of variables.
pub type Change = Vec<(usize, Num)>;

impl<'p> Assignment<'p> {
    /// The assignment of these values.
    pub fn new(program: &'p CompiledProblem, oracle: Oracle<'p>, values: &[Num], metric: Metric) -> Assignment<'p> {
        let mut point = Assignment {
            program,
            oracle,
            registers: program.registers.clone(),
            errors: vec![0.0; program.tests.len()],
            total: 0.0,
            metric,
            evaluations: 0,
            work: 0,
        };
        point.jump(values, metric);
        point
    }

    /// To another place altogether.
    pub fn jump(&mut self, values: &[Num], metric: Metric) {
        self.metric = metric;
        self.registers[..values.len()].clone_from_slice(values);
        for asked in &self.program.asked {
            self.ask(asked);
        }
        for at in 0..self.program.code.len() {
            self.step(at);
        }
        for at in 0..self.errors.len() {
            self.judge(at);
        }
        self.work += self.program.code.len() as u64;
        self.sum();
    }

    /// Changes some variables.
    pub fn set(&mut self, change: &[(usize, Num)]) {
        match change {
            [] => {}
            [(variable, value)] => self.set_one(*variable, value),
            change => {
                let mut values = self.values().to_vec();
                change.iter().for_each(|(variable, value)| values[*variable] = value.clone());
                self.jump(&values, self.metric);
            }
        }
    }

    /// Changes one variable.
    pub fn set_one(&mut self, variable: usize, value: &Num) {
        let program = self.program;
        self.registers[variable] = value.clone();
        for asked in program.asked.iter().filter(|asked| asked.variables.contains(&variable)) {
            self.ask(asked);
        }
        for at in &program.touched[variable] {
            self.step(*at as usize);
        }
        for at in &program.tests_of[variable] {
            self.judge(*at as usize);
        }
        self.work += program.touched[variable].len() as u64;
        self.sum();
    }

    fn ask(&mut self, asked: &OracleRegister) {
        let answer = (self.oracle)(asked.question, &self.registers[..self.program.variables()]);
        let fits = answer.kind() == Some(self.program.kinds[asked.out as usize]);
        self.registers[asked.out as usize] = if fits { answer } else { Num::Undefined };
    }

    #[inline]
    fn step(&mut self, at: usize) {
        let instruction = &self.program.code[at];
        let (left, right) = (&self.registers[instruction.left as usize], &self.registers[instruction.right as usize]);
        self.registers[instruction.out as usize] = compute(instruction.op, left, right);
    }

    #[inline]
    fn judge(&mut self, at: usize) {
        let test = &self.program.tests[at];
        let (left, right) = test.sides();
        self.errors[at] = self.metric.error(test, &self.registers[left], &self.registers[right]);
    }

    fn sum(&mut self) {
        self.evaluations += 1;
        self.total = self.errors.iter().sum();
    }

    /// The values of the variables.
    pub fn values(&self) -> &[Num] {
        &self.registers[..self.program.variables()]
    }

    /// Every test holds.
    pub fn is_solution(&self) -> bool {
        self.total == 0.0
    }

    /// Of both sides of a test.
    pub fn difference(&self, test: usize) -> f64 {
        let (left, right) = self.program.tests[test].sides();
        difference(&self.registers[left], &self.registers[right])
    }

    /// The tests that do not hold.
    pub fn unmet(&self) -> impl Iterator<Item = usize> + '_ {
        self.errors.iter().enumerate().filter(|(_, error)| **error > 0.0).map(|(at, _)| at)
    }
}
