//! Residues: a system without a solution modulo some small number has none at all.
//!
//! Squares and products keep residues, so `x * x` is never 3 modulo 4, and no even factor has an odd product. For each
//! modulus the columns take their residues one after the other; what no residues meet, no integers do.

use constraint::Op;

use super::super::int::Int;
use super::super::interval::Interval;
use super::definition::{Definition, DefinitionKind};
use super::form::Form;
use super::system::{LinearRow, RowKind, System};
use term::cut;

/// Moduli that are always tried: powers of the smallest primes, then primes.
const MODULI: [u64; 6] = [16, 9, 5, 7, 11, 13];
/// Factors of the system up to this one are moduli, too.
const MOST_MODULUS: u64 = 256;
/// Moduli at most.
const MOST_MODULI: usize = 16;
/// Residues tried for each modulus.
const MOST_TRIED: u32 = 20_000;
/// Longer systems are not looked at.
const MOST_CONSTRAINTS: usize = 400;

/// Returns true if the system has no solution modulo some number; `false` says nothing.
pub fn is_contradictory(system: &System) -> bool {
    let has_products = system.definitions.iter().any(|definition| keeps_residues(definition.kind, 16));
    let is_short = system.rows.len() + system.definitions.len() <= MOST_CONSTRAINTS;
    has_products && is_short && moduli(system).into_iter().any(|modulus| Residues::new(system, modulus).refuted())
}

/// Returns true if the residues of the arguments say something about the residue of the result.
fn keeps_residues(kind: DefinitionKind, modulus: u64) -> bool {
    match kind {
        DefinitionKind::Square | DefinitionKind::Op(Op::Mul | Op::Abs) => true,
        DefinitionKind::Op(Op::Band | Op::Bor | Op::Bxor) => modulus.is_power_of_two(),
        _ => false,
    }
}

fn moduli(system: &System) -> Vec<u64> {
    let mut found = MODULI.to_vec();
    let rows = system.rows.iter().map(|row| &row.form);
    let forms = rows.chain(system.definitions.iter().flat_map(|it| std::iter::once(&it.result).chain(&it.args)));
    for (_, factor) in forms.flat_map(|form| &form.terms) {
        let size = factor.abs().to_i64().and_then(|size| u64::try_from(size).ok());
        if let Some(size) = size.filter(|size| (3..=MOST_MODULUS).contains(size) && !found.contains(size)) {
            found.push(size);
        }
    }
    found.truncate(MOST_MODULI);
    found
}

/// A relation that must hold modulo a number.
enum Constraint<'a> {
    /// The form is 0.
    Zero(&'a Form),
    /// The comparison holds for the values that the residues stand for.
    Exact(&'a LinearRow),
    /// The result is that of the arguments.
    Result(&'a Definition),
    /// The result is that of the arguments, for the values that the residues stand for.
    ExactResult(&'a Definition),
}

struct Residues<'a> {
    modulus: u64,
    constraints: Vec<Constraint<'a>>,
    /// The columns of each constraint.
    columns: Vec<Vec<usize>>,
    /// The residues that each column can have.
    allowed: Vec<Vec<u64>>,
    /// The least value of a column whose residues stand for one value each.
    least: Vec<Option<Int>>,
    left: u32,
}

impl<'a> Residues<'a> {
    fn new(system: &'a System, modulus: u64) -> Residues<'a> {
        let mut residues = Residues {
            modulus,
            constraints: Vec::new(),
            columns: Vec::new(),
            allowed: Vec::with_capacity(system.columns.len()),
            least: Vec::with_capacity(system.columns.len()),
            left: MOST_TRIED,
        };
        system.columns.iter().for_each(|column| residues.add_column(column));
        system.rows.iter().for_each(|row| residues.add_row(row));
        system.definitions.iter().for_each(|definition| residues.add_definition(definition));
        residues.peel();
        residues
    }

    fn add_column(&mut self, column: &Interval) {
        let modulus = self.modulus;
        let width = column.width().and_then(|width| u64::try_from(width.to_i64()?).ok());
        match (width, &column.low) {
            (Some(width), Some(low)) if width < modulus => {
                let first = residue(low, modulus);
                self.allowed.push((0..=width).map(|more| (first + more) % modulus).collect());
                self.least.push(Some(low.clone()));
            }
            _ => {
                self.allowed.push((0..modulus).collect());
                self.least.push(None);
            }
        }
    }

    fn add_row(&mut self, row: &'a LinearRow) {
        let columns = columns_of([&row.form]);
        if columns.iter().all(|at| self.least[*at].is_some()) {
            self.constraints.push(Constraint::Exact(row));
        } else if row.is == RowKind::Zero {
            self.constraints.push(Constraint::Zero(&row.form));
        } else {
            return;
        }
        self.columns.push(columns);
    }

    fn add_definition(&mut self, definition: &'a Definition) {
        let columns = columns_of(std::iter::once(&definition.result).chain(&definition.args));
        if columns.iter().all(|at| self.least[*at].is_some()) {
            self.constraints.push(Constraint::ExactResult(definition));
        } else if keeps_residues(definition.kind, self.modulus) {
            self.constraints.push(Constraint::Result(definition));
        } else {
            return;
        }
        self.columns.push(columns);
    }

    /// Takes away constraints that some column that occurs nowhere else can always be made to meet.
    fn peel(&mut self) {
        loop {
            let mut counts = vec![0u32; self.allowed.len()];
            self.columns.iter().flatten().for_each(|at| counts[*at] += 1);
            let loose: Vec<bool> = (0..self.constraints.len()).map(|at| self.is_loose(at, &counts)).collect();
            if !loose.contains(&true) {
                return;
            }
            let mut keep = loose.iter().map(|loose| !loose);
            self.constraints.retain(|_| keep.next().unwrap_or(true));
            let mut keep = loose.iter().map(|loose| !loose);
            self.columns.retain(|_| keep.next().unwrap_or(true));
        }
    }

    /// Returns true if a column that occurs nowhere else takes whatever residue the constraint asks for.
    fn is_loose(&self, at: usize, counts: &[u32]) -> bool {
        let (form, args) = match &self.constraints[at] {
            Constraint::Zero(form) => (*form, Vec::new()),
            Constraint::Result(definition) => (&definition.result, columns_of(&definition.args)),
            Constraint::Exact(_) | Constraint::ExactResult(_) => return false,
        };
        form.terms.iter().any(|(column, factor)| {
            counts[*column] == 1
                && !args.contains(column)
                && self.allowed[*column].len() as u64 == self.modulus
                && coprime(residue(factor, self.modulus), self.modulus)
        })
    }

    fn refuted(&mut self) -> bool {
        if !self.constraints.iter().any(|it| matches!(it, Constraint::Result(_) | Constraint::ExactResult(_))) {
            return false;
        }
        let mut values = vec![None; self.allowed.len()];
        let open: Vec<usize> = (0..self.constraints.len()).collect();
        self.is_empty(&mut values, &open)
    }

    /// Returns true if no residues of the open columns meet the open constraints.
    fn is_empty(&mut self, values: &mut Vec<Option<u64>>, open: &[usize]) -> bool {
        let missing = |at: &usize| self.columns[*at].iter().filter(|column| values[**column].is_none()).count();
        let mut rest: Vec<usize> = Vec::with_capacity(open.len());
        for at in open {
            if missing(at) > 0 {
                rest.push(*at);
            } else if !self.holds(*at, values) {
                return true;
            }
        }
        let Some(next) = rest.iter().min_by_key(|at| missing(at)) else { return false };
        let Some(column) = self.columns[*next].iter().copied().find(|column| values[*column].is_none()) else {
            return false;
        };
        self.allowed[column].clone().into_iter().all(|residue| self.excludes(column, residue, values, &rest))
    }

    /// Returns true if a residue of a column leaves the open constraints without a solution.
    fn excludes(&mut self, column: usize, residue: u64, values: &mut Vec<Option<u64>>, open: &[usize]) -> bool {
        cut::work(1);
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        values[column] = Some(residue);
        let is_empty = self.is_empty(values, open);
        values[column] = None;
        is_empty
    }

    /// Returns true unless the residues of all its columns contradict a constraint.
    fn holds(&self, at: usize, values: &[Option<u64>]) -> bool {
        match &self.constraints[at] {
            Constraint::Zero(form) => self.form(form, values) == 0,
            Constraint::Exact(row) => {
                let value = self.value(&row.form, values);
                match row.is {
                    RowKind::Zero => value.is_zero(),
                    RowKind::NotZero => !value.is_zero(),
                    RowKind::AtMostZero => !value.is_positive(),
                }
            }
            Constraint::Result(definition) => self.has_result(definition, values),
            Constraint::ExactResult(definition) => {
                let args: Vec<Int> = definition.args.iter().map(|arg| self.value(arg, values)).collect();
                let result = self.value(&definition.result, values);
                definition.kind.compute(&args).is_none_or(|value| value == result)
            }
        }
    }

    fn has_result(&self, definition: &Definition, values: &[Option<u64>]) -> bool {
        let args: Vec<u64> = definition.args.iter().map(|arg| self.form(arg, values)).collect();
        let result = self.form(&definition.result, values);
        let modulus = self.modulus;
        match (definition.kind, &args[..]) {
            (DefinitionKind::Square, [a]) => a * a % modulus == result,
            (DefinitionKind::Op(Op::Mul), [a, b]) => a * b % modulus == result,
            (DefinitionKind::Op(Op::Abs), [a]) => *a == result || (modulus - a) % modulus == result,
            (DefinitionKind::Op(Op::Band), [a, b]) => a & b == result,
            (DefinitionKind::Op(Op::Bor), [a, b]) => a | b == result,
            (DefinitionKind::Op(Op::Bxor), [a, b]) => a ^ b == result,
            _ => true,
        }
    }

    /// The residue of a form.
    fn form(&self, form: &Form, values: &[Option<u64>]) -> u64 {
        form.terms.iter().fold(residue(&form.constant, self.modulus), |sum, (at, factor)| {
            (sum + residue(factor, self.modulus) * values[*at].unwrap_or_default()) % self.modulus
        })
    }

    /// The value of a form whose columns have one value for each residue.
    fn value(&self, form: &Form, values: &[Option<u64>]) -> Int {
        form.terms.iter().fold(form.constant.clone(), |sum, (at, factor)| {
            let (Some(least), Some(value)) = (&self.least[*at], values[*at]) else { return sum };
            let above = (value + self.modulus - residue(least, self.modulus)) % self.modulus;
            sum.add(&least.add(&Int::from(above as i64)).mul(factor))
        })
    }
}

fn columns_of<'a>(forms: impl IntoIterator<Item = &'a Form>) -> Vec<usize> {
    let mut columns: Vec<usize> = forms.into_iter().flat_map(|form| &form.terms).map(|(at, _)| *at).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

fn residue(value: &Int, modulus: u64) -> u64 {
    value.floor_mod(&Int::from(modulus as i64)).to_i64().unwrap_or_default() as u64
}

fn coprime(a: u64, b: u64) -> bool {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}
