//! The commands of one query.

use num_bigint::BigInt;
use num_traits::Signed;

use crate::integer::IntegerProblem;
use crate::problem::{Constraint, Expression};

/// Declarations and assertions, and how to ask for more about them.
pub struct Script {
    /// Of the variables, in their order.
    pub names: Vec<String>,
    /// The value each variable would best have.
    near: Vec<BigInt>,
    /// The commands so far.
    pub body: String,
    /// The notation of the comparisons `a < b` and `a <= b`, and of a number.
    orders: [&'static str; 2],
    number: fn(&BigInt, u64) -> String,
    /// The width of bit-vectors.
    pub width: u64,
    /// The command that decides. What is general does well with integers and badly with products of bit-vectors.
    check: &'static str,
}

impl Script {
    /// The script of a problem in the theory of integers.
    pub fn integers(problem: &IntegerProblem) -> Script {
        Script::new(problem, ["<", "<="], |value, _| integer(value), 0, "(check-sat)")
    }

    /// The script of a problem in bit-vectors of a width.
    pub fn bits(problem: &IntegerProblem, width: u64) -> Script {
        Script::new(problem, ["bvslt", "bvsle"], vector, width, "(check-sat-using smt)")
    }

    fn new(
        problem: &IntegerProblem,
        orders: [&'static str; 2],
        number: fn(&BigInt, u64) -> String,
        width: u64,
        check: &'static str,
    ) -> Script {
        let names: Vec<String> = (0..problem.variables.len()).map(|at| format!("x{at}")).collect();
        let near = problem.variables.iter().map(|variable| variable.near.clone().unwrap_or_default()).collect();
        Script { names, near, body: String::new(), orders, number, width, check }
    }

    /// Adds a command.
    pub fn line(&mut self, line: &str) {
        self.body.push_str(line);
        self.body.push('\n');
    }

    /// Adds an assertion.
    pub fn assert(&mut self, condition: &str) {
        self.line(&format!("(assert {condition})"));
    }

    /// A number in the script's theory.
    pub fn number(&self, value: &BigInt) -> String {
        (self.number)(value, self.width)
    }

    /// The condition `a =< b`.
    pub fn at_most(&self, a: &str, b: &str) -> String {
        format!("({} {a} {b})", self.orders[1])
    }

    /// The name of an expression, or the constant that it is.
    pub fn name(&self, problem: &IntegerProblem, at: usize) -> String {
        match &problem.exprs[at] {
            Expression::Variable(variable) => format!("x{variable}"),
            Expression::Constant(value) => self.number(value),
            Expression::Apply(..) => format!("e{at}"),
        }
    }

    /// Asserts the relations of a problem.
    pub fn relations(&mut self, problem: &IntegerProblem) {
        for relation in &problem.relations {
            let (a, b) = relation.sides();
            let (a, b) = (self.name(problem, a), self.name(problem, b));
            let function = match relation {
                Constraint::Equal(..) => "=",
                Constraint::Differ(..) => "distinct",
                Constraint::Less(..) => self.orders[0],
                Constraint::AtMost(..) => self.orders[1],
            };
            self.assert(&format!("({function} {a} {b})"));
        }
    }

    /// Everything, from a clean slate: a model must not depend on what was asked before.
    pub fn question(&self, rlimit: u64) -> String {
        format!("(reset)\n(set-option :rlimit {rlimit})\n{}{}\n", self.body, self.check)
    }

    /// The values of the model found last.
    pub fn values(&self) -> String {
        format!("(get-value ({}))\n", self.names.join(" "))
    }

    /// Variables whose values are not close to what they would best be.
    pub fn far(&self, values: &[BigInt], nearby: i64) -> Vec<usize> {
        let far = |at: &usize| (&values[*at] - &self.near[*at]).abs() > BigInt::from(nearby);
        (0..values.len()).filter(far).collect()
    }

    /// The question asked last, with these variables held close to what they would best be as well.
    pub fn closer(&self, variables: impl IntoIterator<Item = usize>, nearby: i64) -> String {
        let mut text = String::from("(push 1)\n");
        for at in variables {
            let (name, near) = (&self.names[at], &self.near[at]);
            let (low, high) = (self.number(&(near - nearby)), self.number(&(near + nearby)));
            text += &format!("(assert (and {} {}))\n", self.at_most(&low, name), self.at_most(name, &high));
        }
        text + self.check + "\n"
    }
}

/// An integer in SMT-LIB, which has no negative numerals.
pub fn integer(value: &BigInt) -> String {
    if value.is_negative() { format!("(- {})", -value) } else { value.to_string() }
}

fn vector(value: &BigInt, width: u64) -> String {
    let modulus = BigInt::from(1) << width;
    let wrapped = ((value % &modulus) + &modulus) % &modulus;
    format!("(_ bv{wrapped} {width})")
}
