//! Functions given by a table: results for some rows of arguments, and one for all others.

use std::mem;

use crate::{Fun, Term};

/// A function without code. It prints as source that means the same, and the VM can be given an equal one.
///
/// Two tables are the same exactly if they give the same results: rows stand in order, none twice, and none gives what
/// would be given anyway. No argument of a row holds a function, because no pattern could be written for one.
pub struct Table {
    arity: u8,
    rows: Box<[Row]>,
    default: Term,
}

/// The result for one list of arguments.
#[derive(Clone)]
pub struct Row {
    /// The arguments.
    pub args: Box<[Term]>,
    /// The value for them.
    pub result: Term,
}

impl Table {
    /// The most arguments that a table can take.
    pub const MAX_ARITY: u8 = 20;

    /// Of rows with the same arguments the first counts. `None` if there are too many arguments, a row has another
    /// number of them, or one of them holds a function.
    pub fn new(arity: u8, rows: Vec<Row>, default: Term) -> Option<Table> {
        let fits = |row: &Row| row.args.len() == usize::from(arity) && !row.args.iter().any(holds_fun);
        if arity > Table::MAX_ARITY || !rows.iter().all(fits) {
            return None;
        }
        let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            if let Err(at) = kept.binary_search_by(|known| compare(&known.args, &row.args)) {
                kept.insert(at, row);
            }
        }
        // Without arguments there is one row at most, and it is all there is.
        let default = if arity == 0 { kept.pop().map_or(default, |row| row.result) } else { default };
        kept.retain(|row| row.result != default);
        Some(Table { arity, rows: kept.into(), default })
    }

    /// The number of arguments.
    pub fn arity(&self) -> u8 {
        self.arity
    }

    /// The VM's index of the fun that it becomes there; funs are ordered by it.
    pub(crate) fn index(&self) -> u32 {
        u32::from(Table::MAX_ARITY - self.arity)
    }

    /// The rows in order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The result for arguments without a row.
    pub fn default(&self) -> &Term {
        &self.default
    }

    /// All arguments and results.
    pub fn parts(&self) -> impl Iterator<Item = &Term> {
        let rows = self.rows.iter().flat_map(|row| row.args.iter().chain([&row.result]));
        rows.chain([&self.default])
    }

    /// The result for these arguments.
    pub fn result(&self, args: &[Term]) -> &Term {
        let row = self.rows.binary_search_by(|row| compare(&row.args, args)).ok().map(|at| &self.rows[at]);
        row.map_or(&self.default, |row| &row.result)
    }

    /// The table as plain data, `{Default, [{[Arg], Result}]}`: what the fun of the VM closes over.
    pub fn data(&self) -> Term {
        let rows = self.rows.iter().map(|row| Term::tuple([Term::list(row.args.to_vec()), row.result.clone()]));
        Term::tuple([self.default.clone(), Term::list(rows.collect::<Vec<_>>())])
    }

    /// The table that the data stand for.
    pub fn of_data(arity: u8, data: &Term) -> Option<Table> {
        let [default, rows] = data.as_tuple()? else { return None };
        let row = |row: Term| match row.as_tuple()? {
            [args, result] => Some(Row { args: args.proper_list()?.into(), result: result.clone() }),
            _ => None,
        };
        let rows = rows.proper_list()?.into_iter().map(row).collect::<Option<Vec<Row>>>()?;
        Table::new(arity, rows, default.clone())
    }
}

/// An order in which rows can stand; `1` and `1.0` differ.
fn compare(a: &[Term], b: &[Term]) -> std::cmp::Ordering {
    a.iter().zip(b).map(|(a, b)| a.compare_exact(b)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
}

/// True if a function stands somewhere in the term.
pub fn holds_fun(term: &Term) -> bool {
    term.any(|part| matches!(part, Term::Fun(..)))
}

impl Term {
    /// A function given by a table.
    pub fn table(table: Table) -> Term {
        Term::fun(Fun::Table(table))
    }

    /// The table, if this is a function given by one.
    pub fn as_table(&self) -> Option<&Table> {
        match self {
            Term::Fun(_, fun) => match &**fun {
                Fun::Table(table) => Some(table),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Tables hold tables, as deep as lists nest.
impl Drop for Table {
    fn drop(&mut self) {
        let (rows, default) = (mem::take(&mut self.rows), mem::take(&mut self.default));
        crate::depth::dropping(move || drop((rows, default)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Term {
        Term::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn shown(text: &str) -> String {
        read(text).to_string()
    }

    #[test]
    fn a_table_prints_as_source_that_reads_back() {
        for text in [
            "fun(3) -> 42; (_) -> 0 end",
            "fun() -> ok end",
            "fun(_) -> 0 end",
            "fun(_, _) -> true end",
            "fun(-1, \"ab\") -> {a,b}; (a, []) -> <<1>>; (_, _) -> [] end",
            "fun(X1) when X1 =:= #{a => 1} -> x; (_) -> y end",
            "fun([], X2) when X2 =:= {#{}} -> x; (_, _) -> y end",
            "fun(1) -> fun(2) -> 3; (_) -> 4 end; (_) -> fun(_) -> fun lists:map/2 end end",
            "fun(1) -> a; (1.0) -> b; (_) -> c end",
        ] {
            assert_eq!(shown(text), text);
            assert_eq!(read(&shown(text)), read(text));
        }
    }

    #[test]
    fn equal_functions_are_the_same_table() {
        assert_eq!(shown("fun(3) -> 1; (2) -> 0; (3) -> 5; (_) -> 0 end"), "fun(3) -> 1; (_) -> 0 end");
        assert_eq!(shown("fun(Y) when Y =:= 4 -> 1; (X) -> 0 end"), "fun(4) -> 1; (_) -> 0 end");
        assert_eq!(read("fun(2) -> a; (1) -> b; (_) -> c end"), read("fun(1) -> b; (2) -> a; (_) -> c end"));
        assert_ne!(read("fun(_) -> 1 end"), read("fun(_, _) -> 1 end"));
        assert_ne!(read("fun(_) -> 1 end"), read("fun(_) -> 2 end"));
    }

    #[test]
    fn the_first_row_with_the_same_arguments_answers() {
        let fun = read("fun(1, a) -> x; (1.0, a) -> y; (_, _) -> z end");
        let table = fun.as_table().expect("a table");
        let result = |text: &str| table.result(&read(text).proper_list().expect("a list")).to_string();
        assert_eq!([result("[1, a]"), result("[1.0, a]"), result("[1, b]")], ["x", "y", "z"]);
    }

    #[test]
    fn data_and_back() {
        let fun = read("fun(1, a) -> x; (2, b) -> fun() -> y end; (_, _) -> z end");
        let table = fun.as_table().expect("a table");
        assert_eq!(Table::of_data(2, &table.data()).map(Term::table), Some(fun.clone()));
        assert!(Table::of_data(1, &table.data()).is_none());
    }

    #[test]
    fn what_is_no_table_is_reported() {
        let error = |text: &str| Term::read(text).expect_err(text).to_string();
        assert_eq!(error("fun(1) -> 2 end"), "1:13: the last clause of a fun must take every argument");
        assert_eq!(error("fun(_, 1) -> 2; (_, _) -> 3 end"), "1:11: a clause must name all its arguments or none");
        assert_eq!(error("fun(1) -> 2; (_, _) -> 3 end"), "1:21: clauses with different numbers of arguments");
        assert_eq!(error("fun(X) -> X end"), "1:11: no term begins with 'X'");
        assert_eq!(
            error("fun(X) when X =:= fun() -> 1 end -> 2; (_) -> 3 end"),
            "1:34: no clause can be written for a function as argument"
        );
    }
}
