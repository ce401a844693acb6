//! Small systems of linear equations in doubles.

/// A linear system with its right sides in the last column.
pub fn solved(mut matrix: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = matrix.len();
    for column in 0..count {
        let best = (column..count).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        matrix.swap(column, best);
        let pivot = matrix[column][column];
        if pivot.abs() < 1e-300 {
            return None;
        }
        let (above, below) = matrix.split_at_mut(column + 1);
        for row in below {
            let factor = row[column] / pivot;
            row.iter_mut().zip(&above[column]).skip(column).for_each(|(entry, by)| *entry -= factor * by);
        }
    }
    let mut solution = vec![0.0; count];
    for row in (0..count).rev() {
        let rest: f64 = (row + 1..count).map(|at| matrix[row][at] * solution[at]).sum();
        solution[row] = (matrix[row][count] - rest) / matrix[row][row];
    }
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved_or_singular() {
        let system = vec![vec![0.0, 2.0, 1.0, 7.0], vec![1.0, -1.0, 0.0, -1.0], vec![3.0, 0.0, -1.0, 0.0]];
        let solution = solved(system).expect("a solution");
        assert!(solution.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{solution:?}");
        assert_eq!(solved(vec![vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0]]), None);
    }
}
