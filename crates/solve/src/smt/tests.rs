//! Tests of the scripts that are sent and of the answers that are read.

use std::cell::RefCell;
use std::rc::Rc;

use constraint::Op;
use num_bigint::BigInt;

use super::{Smt, SmtError, SmtSolver};
use crate::integer::{IntegerAnswer, IntegerProblem, IntegerSolver, Range, Variable};
use crate::problem::{Constraint, Expression};
use crate::query::{Answer, Budget, UnknownReason};

/// A process that gives prepared answers and keeps what it is sent.
struct Parrot {
    answers: Vec<&'static str>,
    heard: Rc<RefCell<Vec<String>>>,
}

impl Smt for Parrot {
    fn exchange(&mut self, script: &str) -> Result<String, SmtError> {
        self.heard.borrow_mut().push(script.to_owned());
        if self.answers.is_empty() {
            return Err(SmtError::Ended(String::from("nothing more to say")));
        }
        Ok(self.answers.remove(0).to_owned())
    }
}

fn ask(problem: &IntegerProblem, answers: &[&'static str]) -> (IntegerAnswer, Vec<String>) {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let parrot = Parrot { answers: answers.to_vec(), heard: Rc::clone(&heard) };
    let answer = SmtSolver::new(Box::new(parrot)).solve(problem, &Budget { choices: 10, rlimit: 77, walk: 0 });
    let heard = heard.borrow().clone();
    (answer, heard)
}

fn free() -> Variable {
    Variable::default()
}

/// Variables first, then constants, then the operation on these places; it must have the value of the last constant.
fn equation(variables: Vec<Variable>, constants: &[i64], op: Op, args: &[usize]) -> IntegerProblem {
    let mut exprs: Vec<Expression<BigInt>> = (0..variables.len()).map(Expression::Variable).collect();
    exprs.extend(constants.iter().map(|value| Expression::Constant(BigInt::from(*value))));
    exprs.push(Expression::Apply(op, args.to_vec()));
    let relations = vec![Constraint::Equal(exprs.len() - 1, exprs.len() - 2)];
    IntegerProblem { variables, exprs, relations, ..IntegerProblem::default() }
}

/// The line that defines the operation.
fn definition(problem: &IntegerProblem) -> String {
    let mut problem = problem.clone();
    // Nothing can be narrowed by this.
    problem.relations[0] = Constraint::Differ(3, 2);
    let (_, heard) = ask(&problem, &["unknown"]);
    let line = heard[0].lines().find(|line| line.starts_with("(define-fun")).unwrap();
    line.to_owned()
}

#[test]
fn a_whole_script() {
    let variables = vec![Variable { range: Range { low: Some((-2).into()), high: None }, ..free() }, free()];
    let (_, heard) = ask(&equation(variables, &[12], Op::Mul, &[0, 1]), &["unknown"]);
    assert_eq!(
        heard,
        ["(reset)\n(set-option :rlimit 77)\n(declare-const x0 Int)\n(assert (>= x0 (- 2)))\n(declare-const x1 Int)\n\
          (define-fun e3 () Int (* x0 x1))\n(assert (= e3 12))\n(check-sat)\n"]
    );
}

#[test]
fn operations_by_constants_are_among_the_integers() {
    let natural = Variable { range: Range { low: Some(0.into()), high: None }, ..free() };
    let by =
        |variable: &Variable, op, constant| definition(&equation(vec![variable.clone()], &[constant, 3], op, &[0, 1]));
    assert_eq!(by(&free(), Op::Div, 5), "(define-fun e3 () Int (ite (>= x0 0) (div x0 5) (- (div (- x0) 5))))");
    assert_eq!(by(&natural, Op::Rem, -5), "(define-fun e3 () Int (mod x0 (- 5)))");
    assert_eq!(by(&free(), Op::Band, 7), "(define-fun e3 () Int (mod x0 8))");
    assert_eq!(by(&free(), Op::Band, 0x73), "(define-fun e3 () Int (+ (mod x0 4) (- (mod x0 128) (mod x0 16))))");
    assert_eq!(by(&free(), Op::Band, -8), "(define-fun e3 () Int (- x0 (mod x0 8)))");
    assert_eq!(by(&free(), Op::Bor, 1), "(define-fun e3 () Int (- (+ x0 1) (mod x0 2)))");
    assert_eq!(by(&free(), Op::Bxor, 1), "(define-fun e3 () Int (- (+ x0 1) (* 2 (mod x0 2))))");
    assert_eq!(by(&free(), Op::Bsr, 3), "(define-fun e3 () Int (div x0 8))");
    assert_eq!(by(&free(), Op::Bsl, 3), "(define-fun e3 () Int (* x0 8))");
    assert_eq!(by(&free(), Op::Bsl, -1), "(define-fun e3 () Int (div x0 2))");
}

#[test]
fn bounded_bits_get_the_width_they_need() {
    let byte = Variable { range: Range::between(0.into(), 255.into()), near: None };
    let problem = equation(vec![byte.clone(), byte], &[300], Op::Mul, &[0, 1]);
    let mut both = problem.clone();
    both.exprs.push(Expression::Apply(Op::Band, vec![0, 1]));
    both.relations.push(Constraint::Less(2, 4));
    // No `band` of bytes is above 300: narrowing sees that, and nothing is asked.
    assert_eq!(ask(&both, &[]).0, Answer::Unsat);
    both.relations[1] = Constraint::Less(4, 2);
    let (answer, heard) = ask(&both, &["unsat"]);
    assert_eq!(answer, Answer::Unsat);
    assert!(heard[0].contains("(declare-const x0 (_ BitVec 24))"), "{}", heard[0]);
    assert!(heard[0].contains("(define-fun e4 () (_ BitVec 24) (bvand x0 x1))"), "{}", heard[0]);
}

#[test]
fn no_width_alone_makes_a_contradiction() {
    let problem = equation(vec![free(), free()], &[3], Op::Band, &[0, 1]);
    let (answer, heard) = ask(&problem, &["unsat", "unsat", "unsat"]);
    assert_eq!(answer, Answer::Unknown(UnknownReason::Budget));
    let widths = ["BitVec 64", "BitVec 128", "BitVec 256"];
    assert!(heard.len() == 3 && heard.iter().zip(widths).all(|(text, width)| text.contains(width)), "{heard:?}");
}

#[test]
fn values_are_checked() {
    let problem = equation(vec![free(), free()], &[12], Op::Mul, &[0, 1]);
    assert_eq!(ask(&problem, &["sat", "((x0 3) (x1 5))"]).0, Answer::Unknown(UnknownReason::Wrong));
    let values = Answer::Sat(vec![3.into(), 4.into()]);
    assert_eq!(ask(&problem, &["sat", "((x0 3) (x1 4))"]).0, values);
}

#[test]
fn closer_values_are_asked_for() {
    let near = |value: i64| Variable { near: Some(value.into()), ..free() };
    let problem = equation(vec![near(7), near(1000)], &[10], Op::Sub, &[0, 1]);
    let far = ["sat", "((x0 5010) (x1 5000))"];
    let (answer, heard) =
        ask(&problem, &[&far[..], &["unsat", "", "sat", "((x0 7) (x1 (- 3)))", "unsat", ""]].concat());
    assert_eq!(answer, Answer::Sat(vec![7.into(), (-3).into()]));
    assert!(heard[2].contains("(assert (and (<= (- 57) x0) (<= x0 71)))"), "{}", heard[2]);
    let (answer, _) = ask(&problem, &[&far[..], &["unknown", "", "unknown", "", "(error \"x\")", ""]].concat());
    assert_eq!(answer, Answer::Sat(vec![5010.into(), 5000.into()]));
}

#[test]
fn silence_is_absence() {
    let problem = equation(vec![free(), free()], &[12], Op::Mul, &[0, 1]);
    assert_eq!(ask(&problem, &[]).0, Answer::Unknown(UnknownReason::Absent));
}
