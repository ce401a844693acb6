//! The text of a question in SMT-LIB: the datatype of terms, declarations, facts.

use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashSet;

/// Terms, and the functions on them whose meaning is given by facts about the terms of a question.
const PREAMBLE: &str = "\
(declare-datatypes ((T 0)) ((
 (mkint (iv Int)) (mkflt (fv Real)) (mkatm (av Real)) (mkref (ev Int)) (mkfun (uv Int) (arity Int)) (mkprt (pv Int))
 (mkpid (qv Int)) (mktup (tv T)) (mkmap (mv Int)) (mknil) (mkcons (hd T) (tl T)) (mkbin (bv Int)))))
(define-fun isint ((x T)) Bool ((_ is mkint) x))
(define-fun isflt ((x T)) Bool ((_ is mkflt) x))
(define-fun isatm ((x T)) Bool ((_ is mkatm) x))
(define-fun isfun ((x T)) Bool ((_ is mkfun) x))
(define-fun istup ((x T)) Bool ((_ is mktup) x))
(define-fun ismap ((x T)) Bool ((_ is mkmap) x))
(define-fun isnil ((x T)) Bool ((_ is mknil) x))
(define-fun iscons ((x T)) Bool ((_ is mkcons) x))
(define-fun isbin ((x T)) Bool ((_ is mkbin) x))
(define-fun isnum ((x T)) Bool (or (isint x) (isflt x)))
(define-fun nv ((x T)) Real (ite (isint x) (to_real (iv x)) (fv x)))
(define-fun rank ((x T)) Int (ite (isnum x) 0 (ite (isatm x) 1 (ite ((_ is mkref) x) 2 (ite (isfun x) 3
 (ite ((_ is mkprt) x) 4 (ite ((_ is mkpid) x) 5 (ite (istup x) 6 (ite (ismap x) 7 (ite (isnil x) 8 (ite (iscons x) 9 10)
 ))))))))))
(define-fun quo ((x Int) (y Int)) Int (ite (>= x 0) (div x y) (- (div (- x) y))))
(define-fun remainder ((x Int) (y Int)) Int (ite (>= x 0) (mod x y) (- (mod (- x) y))))
(define-fun truncate ((x Real)) Int (ite (>= x 0.0) (to_int x) (- (to_int (- x)))))
(define-fun magnitude ((x Real)) Real (ite (>= x 0.0) x (- x)))
(define-fun ischar ((x T)) Bool (and (isint x) (<= 0 (iv x) 1114111) (not (<= 55296 (iv x) 57343))))
(declare-fun proper (T) Bool)
(declare-fun len (T) Int)
(declare-fun text (T) Bool)
(declare-fun less (T T) Bool)
(declare-fun equal (T T) Bool)
(declare-fun has (T T) Bool)
(declare-fun get (T T) T)
(declare-fun size (T) Int)
(declare-fun bits (T) Int)
(declare-fun chunk (T Int) Int)
(declare-fun name (T) T)
(declare-fun named (T) T)
(declare-fun conj (Int Int) Int)
";

/// Milliseconds for one question, a last resort: some of the solver's work does not count against its budget.
const TIMEOUT: u64 = 1000;

/// Commands, without the question itself.
#[derive(Default)]
pub struct Commands {
    text: String,
    count: usize,
    /// Facts are stated once.
    facts: FxHashSet<String>,
}

impl Commands {
    /// A new constant of a sort.
    pub fn declare(&mut self, sort: &str) -> String {
        let name = self.fresh();
        self.text += &format!("(declare-const {name} {sort})\n");
        name
    }

    /// A name for a value.
    pub fn define(&mut self, sort: &str, value: &str) -> String {
        if !value.starts_with('(') {
            return value.to_owned();
        }
        let name = self.fresh();
        self.text += &format!("(define-fun {name} () {sort} {value})\n");
        name
    }

    /// A function of that many terms that gives a term.
    pub fn function(&mut self, name: &str, sort: &str, arity: usize) {
        let arguments = vec!["T"; arity].join(" ");
        let line = format!("(declare-fun {name} ({arguments}) {sort})\n");
        if self.facts.insert(line.clone()) {
            self.text += &line;
        }
    }

    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("v{}", self.count)
    }

    /// States a fact.
    pub fn assert(&mut self, fact: &str) {
        if fact != "true" && self.facts.insert(fact.to_owned()) {
            self.text += &format!("(assert {fact})\n");
        }
    }

    /// States a fact that holds under a condition.
    pub fn assert_if(&mut self, condition: &str, fact: &str) {
        if fact != "true" {
            self.assert(&implies(condition, fact));
        }
    }

    /// Everything, from a clean slate.
    pub fn question(&self, rlimit: u64) -> String {
        let options = format!(
            "(set-option :rlimit {rlimit})\n(set-option :timeout {TIMEOUT})\n\
             (set-option :pp.min_alias_size 1000000)\n(set-option :pp.max_depth 1000000)\n"
        );
        let floats = format!(
            "(define-fun leastfloat () Real (/ 1.0 {}.0))\n(define-fun mostfloat () Real {})\n\
             (define-fun beyondfloat () Real {}.0)\n",
            power(1074),
            real(f64::MAX),
            power(1024)
        );
        let floats = if self.text.contains("mostfloat") { &*floats } else { "" };
        format!("(reset)\n{options}{PREAMBLE}{floats}{}(check-sat)\n", self.text)
    }
}

/// The conjunction of facts.
pub fn and<S: AsRef<str>>(facts: impl IntoIterator<Item = S>) -> String {
    join("and", "true", facts)
}

/// The disjunction of facts.
pub fn or<S: AsRef<str>>(facts: impl IntoIterator<Item = S>) -> String {
    join("or", "false", facts)
}

fn join<S: AsRef<str>>(word: &str, unit: &str, facts: impl IntoIterator<Item = S>) -> String {
    let mut all: Vec<String> = Vec::new();
    for fact in facts {
        if fact.as_ref() != unit && !all.iter().any(|known| known == fact.as_ref()) {
            all.push(fact.as_ref().to_owned());
        }
    }
    match &all[..] {
        [] => unit.to_owned(),
        [only] => only.clone(),
        all => format!("({word} {})", all.join(" ")),
    }
}

/// One fact under the condition of another.
pub fn implies(condition: &str, fact: &str) -> String {
    if condition == "true" { fact.to_owned() } else { format!("(=> {condition} {fact})") }
}

/// The opposite of a fact.
pub fn not(fact: &str) -> String {
    format!("(not {fact})")
}

/// An integer; SMT-LIB has no negative numerals.
pub fn integer(value: &BigInt) -> String {
    if value.is_negative() { format!("(- {})", value.magnitude()) } else { value.to_string() }
}

/// A number of this program.
pub fn small(value: i64) -> String {
    integer(&BigInt::from(value))
}

/// Two to a power.
pub fn power(exponent: u32) -> BigInt {
    BigInt::from(1) << exponent
}

/// The exact value of a finite float.
pub fn real(value: f64) -> String {
    let Some(ratio) = num_rational::BigRational::from_float(value) else { return String::from("0.0") };
    let magnitude = format!("(/ {}.0 {}.0)", ratio.numer().magnitude(), ratio.denom());
    if ratio.is_negative() { format!("(- {magnitude})") } else { magnitude }
}
