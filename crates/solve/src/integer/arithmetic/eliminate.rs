//! Elimination of equalities: columns are replaced by forms over others.
//!
//! An equality with a factor of 1 or -1 gives a column as a form over the others. One without is first brought closer
//! to that by a change of columns, which is how a greatest common divisor is computed; so equalities over the integers
//! are decided completely, congruences among them.

use constraint::Op;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::int::Int;
use super::super::interval::{Empty, Interval};
use super::definition::{Definition, DefinitionKind};
use super::form::Form;
use super::propagate::Propagator;
use super::system::{LinearRow, RowKind, System};

/// Rounds of eliminating and narrowing: each may turn up new constants for the other.
const MOST_ROUNDS: usize = 8;

/// The same system in fewer columns.
pub fn reduced(mut system: System) -> Result<System, Empty> {
    for _ in 0..MOST_ROUNDS {
        tidy(&mut system)?;
        while system.rows.iter().any(|row| row.is == RowKind::Zero) {
            // Eliminating makes equalities only in place of others, tidying also from what has become simple.
            while let Some(at) = system.rows.iter().rposition(|row| row.is == RowKind::Zero) {
                let row = system.rows.swap_remove(at);
                eliminate(&mut system, row)?;
            }
            tidy(&mut system)?;
        }
        let mut columns = std::mem::take(&mut system.columns);
        let narrowed = Propagator::new(&system, columns.len()).all(&mut columns);
        system.columns = columns;
        narrowed?;
        if !fix_points(&mut system) {
            break;
        }
    }
    Ok(system)
}

/// Makes constants of columns with one value; returns true if there were any.
fn fix_points(system: &mut System) -> bool {
    let mut mentioned = vec![false; system.columns.len()];
    for form in forms(system) {
        form.terms.iter().for_each(|(at, _)| mentioned[*at] = true);
    }
    let points: Vec<(usize, Int)> = (0..system.columns.len())
        .filter(|at| mentioned[*at])
        .filter_map(|at| Some((at, system.columns[at].value()?.clone())))
        .collect();
    for (at, value) in &points {
        replace(system, *at, &Form::constant(value.clone()));
    }
    !points.is_empty()
}

fn forms(system: &System) -> impl Iterator<Item = &Form> {
    let rows = system.rows.iter().map(|row| &row.form);
    let definitions = system.definitions.iter().flat_map(|d| std::iter::once(&d.result).chain(&d.args));
    rows.chain(definitions)
}

fn replace(system: &mut System, column: usize, by: &Form) {
    let rows = system.rows.iter_mut().map(|row| &mut row.form);
    let definitions = system.definitions.iter_mut().flat_map(|d| std::iter::once(&mut d.result).chain(&mut d.args));
    for form in rows.chain(definitions) {
        if let Some(replaced) = form.replaced(column, by) {
            *form = replaced;
        }
    }
}

/// Uses up an equality.
fn eliminate(system: &mut System, row: LinearRow) -> Result<(), Empty> {
    let Some(row) = row.normal()? else { return Ok(()) };
    let units = row.form.terms.iter().filter(|(_, factor)| factor.abs().is_one());
    // A column without bounds leaves no rows behind; of others the one with the most room leaves the weakest.
    let best = units.max_by_key(|(at, _)| room(&system.columns[*at])).cloned();
    match best {
        Some((at, factor)) => {
            // factor · column + rest = 0, and the factor is its own inverse.
            let by = row.form.minus(&Form::column(at).scaled(&factor)).scaled(&factor.neg());
            dissolve(system, at, by);
        }
        None => change_columns(system, row),
    }
    Ok(())
}

fn room(column: &Interval) -> (bool, u64) {
    column.width().map_or((true, 0), |width| (false, width.bits()))
}

/// Puts a form in the place of a column everywhere; the column's bounds become rows.
fn dissolve(system: &mut System, at: usize, by: Form) {
    replace(system, at, &by);
    let bounds = std::mem::take(&mut system.columns[at]);
    if let Some(low) = &bounds.low {
        system.row(by.scaled(&Int::from(-1)).plus_constant(low), RowKind::AtMostZero);
    }
    if let Some(high) = &bounds.high {
        system.row(by.clone().plus_constant(&high.neg()), RowKind::AtMostZero);
    }
    system.gone.push((at, by));
}

/// With `t = x + Σ qᵢ·xᵢ` in the place of the column `x` with the smallest factor, the other factors become their
/// remainders by that one.
fn change_columns(system: &mut System, row: LinearRow) {
    let Some((at, factor)) = row.form.terms.iter().min_by_key(|(_, factor)| factor.abs()).cloned() else { return };
    let mut new = Form::column(at);
    for (other, others) in row.form.terms.iter().filter(|(other, _)| *other != at) {
        new = new.plus(&others.floor_div(&factor), &Form::column(*other));
    }
    let near = new.value(&system.near);
    let column = system.column(Interval::ALL, near);
    let by = Form::column(column).minus(&new.minus(&Form::column(at)));
    system.rows.push(row);
    dissolve(system, at, by);
}

/// Brings rows and definitions into their simplest form.
fn tidy(system: &mut System) -> Result<(), Empty> {
    let definitions = std::mem::take(&mut system.definitions);
    let mut seen: FxHashSet<Definition> = FxHashSet::default();
    for definition in definitions {
        match simplified(&definition)? {
            Some(row) => system.rows.push(row),
            None if !seen.insert(definition.clone()) => {}
            None => system.definitions.push(definition),
        }
    }
    let rows = std::mem::take(&mut system.rows);
    let mut known: FxHashMap<Vec<(usize, Int)>, usize> = FxHashMap::default();
    let mut others: FxHashSet<LinearRow> = FxHashSet::default();
    for row in rows {
        let Some(row) = row.normal()? else { continue };
        if row.is == RowKind::AtMostZero && !absorb(system, &mut known, &row)? {
            continue;
        }
        if row.is == RowKind::AtMostZero || others.insert(row.clone()) {
            system.rows.push(row);
        }
    }
    Ok(())
}

/// Returns true if an inequality says something that bounds and other inequalities with the same factors do not.
fn absorb(
    system: &mut System,
    known: &mut FxHashMap<Vec<(usize, Int)>, usize>,
    row: &LinearRow,
) -> Result<bool, Empty> {
    if row.form.terms.len() == 1 {
        row.narrow(&mut system.columns, &mut |_| ())?;
        return Ok(false);
    }
    if let Some(at) = known.get(&row.form.terms) {
        if system.rows[*at].is == RowKind::Zero {
            return Ok(true);
        }
        let constant = &mut system.rows[*at].form.constant;
        if *constant < row.form.constant {
            *constant = row.form.constant.clone();
        }
        return Ok(false);
    }
    let opposite = row.form.scaled(&Int::from(-1));
    if let Some(at) = known.get(&opposite.terms).filter(|at| system.rows[**at].is == RowKind::AtMostZero) {
        let sum = system.rows[*at].form.constant.add(&row.form.constant);
        if sum.is_positive() {
            return Err(Empty);
        }
        if sum.is_zero() {
            system.rows[*at].is = RowKind::Zero;
            return Ok(false);
        }
    }
    known.insert(row.form.terms.clone(), system.rows.len());
    Ok(true)
}

/// The row that a definition has come down to, if it has.
fn simplified(definition: &Definition) -> Result<Option<LinearRow>, Empty> {
    let constants: Vec<Option<&Int>> = definition.args.iter().map(Form::as_constant).collect();
    let args: Option<Vec<Int>> = constants.iter().map(|constant| constant.cloned()).collect();
    if let Some(value) = args.and_then(|args| definition.kind.compute(&args)) {
        return Ok(Some(equal(&definition.result, &Form::constant(value))));
    }
    let linear = match (definition.kind, &constants[..]) {
        (DefinitionKind::Op(Op::Mul), [Some(by), None]) => Some(definition.args[1].scaled(by)),
        (DefinitionKind::Op(Op::Mul), [None, Some(by)]) => Some(definition.args[0].scaled(by)),
        (DefinitionKind::Op(Op::Div) | DefinitionKind::Op(Op::Rem), [_, Some(by)]) if by.is_zero() => {
            return Err(Empty);
        }
        (DefinitionKind::Op(Op::Bsl), [None, Some(Int::Small(by))]) if (0..64).contains(by) => {
            Some(definition.args[0].scaled(&Int::power_of_two(*by as u64)))
        }
        _ => None,
    };
    Ok(linear.map(|form| equal(&definition.result, &form)))
}

fn equal(a: &Form, b: &Form) -> LinearRow {
    LinearRow { form: a.minus(b), is: RowKind::Zero }
}
