//! Functions that keep their arguments in a table and look at what is in it.

use std::fmt::Write as _;

use fastrand::Rng;

use crate::finite::domain::{Domain, rows};
use crate::finite::{Module, specs};

/// The most inputs of one function.
const MOST_INPUTS: u64 = 400;

const KINDS: [&str; 4] = ["set", "ordered_set", "bag", "duplicate_bag"];

/// Functions of tables. `listing`: in those that are not ordered, too, rows are listed as the VM likes it.
pub fn tables(rng: &mut Rng, count: usize, listing: bool) -> Module {
    let mut module = Module::default();
    for at in 0..count {
        let domains = domains(rng);
        let name = format!("t{at}");
        let kind = KINDS[rng.usize(..KINDS.len())];
        let mut writer = Writer { rng, kind, listing, arguments: domains.len(), lines: String::new() };
        writer.body();
        let names: Vec<String> = (0..domains.len()).map(|at| format!("A{at}")).collect();
        let lines = writer.lines;
        _ = writeln!(
            module.functions,
            "\n-spec {name}({}) -> term().\n{name}({}) ->",
            specs(&domains),
            names.join(", ")
        );
        _ = writeln!(module.functions, "{lines}{{done, ets:delete(T)}}.");
        module.inputs.push(format!("{{{name}, {}}}", rows("[", "]", &domains)));
        module.names.push(format!("{name}/{}", domains.len()));
    }
    module
}

fn domains(rng: &mut Rng) -> Vec<Domain> {
    loop {
        let low = rng.i64(-1..=0);
        let mut domains = vec![Domain::Range(low, low + rng.i64(2..=4))];
        let row = Domain::Tuple(vec![Domain::Range(0, 1), Domain::Atoms(2)]);
        domains.push(match rng.u32(..4) {
            0 => Domain::Union(vec![row, Domain::Atoms(2), Domain::Tuple(Vec::new())]),
            1 => Domain::Union(vec![row, Domain::Tuple(vec![Domain::Range(0, 2); 3])]),
            _ => Domain::invent(rng, 1),
        });
        domains.push(Domain::invent(rng, 0));
        if domains.iter().map(Domain::size).product::<u64>() <= MOST_INPUTS {
            return domains;
        }
    }
}

struct Writer<'a> {
    rng: &'a mut Rng,
    kind: &'static str,
    listing: bool,
    arguments: usize,
    lines: String,
}

impl Writer<'_> {
    fn body(&mut self) {
        let place = if self.rng.u32(..5) == 0 { 2 } else { 1 };
        _ = writeln!(self.lines, "T = ets:new(t, [{}, {{keypos, {place}}}]),", self.kind);
        for _ in 0..self.rng.usize(1..=4) {
            let step = self.step();
            _ = writeln!(self.lines, "{step},");
        }
        for at in 0..self.rng.usize(1..=3) {
            let (look, answers) = self.look();
            let argument = format!("A{}", self.rng.usize(..self.arguments));
            let answer = answers[self.rng.usize(..answers.len())].replace('V', &argument);
            let other = self.step();
            _ = writeln!(self.lines, "case\n{look}\nof\n{answer} ->\nerror({{bug, {at}}});\n_ ->\n{other}\nend,");
        }
    }

    fn is_unique(&self) -> bool {
        self.kind.ends_with("set")
    }

    /// A value: mostly an argument, or something that one may be.
    fn value(&mut self) -> String {
        let argument = format!("A{}", self.rng.usize(..self.arguments));
        match self.rng.u32(..12) {
            0..6 => argument,
            6..9 => self.rng.i64(-1..=3).to_string(),
            9 => ["ok", "1.0", "true"][self.rng.usize(..3)].to_owned(),
            10 => format!("{{{argument}, 1}}"),
            _ => "A0 + 1".to_owned(),
        }
    }

    fn row(&mut self) -> String {
        match self.rng.u32(..10) {
            0 => format!("A{}", self.rng.usize(..self.arguments)),
            1 => format!("{{{}, {}, {}}}", self.value(), self.value(), self.value()),
            _ => format!("{{{}, {}}}", self.value(), self.value()),
        }
    }

    fn step(&mut self) -> String {
        let (key, value) = (self.value(), self.value());
        match self.rng.u32(..14) {
            0..5 => format!("ets:insert(T, {})", self.row()),
            5 => format!("ets:insert(T, [{}, {}])", self.row(), self.row()),
            6 if self.is_unique() => format!("ets:insert_new(T, [{}, {}])", self.row(), self.row()),
            6 | 7 => format!("ets:insert_new(T, {})", self.row()),
            8 => format!("ets:delete(T, {key})"),
            9 => format!("ets:delete_object(T, {})", self.row()),
            10 => format!("ets:take(T, {key})"),
            11 if self.is_unique() => format!("ets:update_element(T, {key}, {{2, {value}}})"),
            12 if self.is_unique() => format!("ets:update_counter(T, {key}, {{3, 1, 2, 0}}, {{{value}, {value}, 1}})"),
            13 => format!("ets:match_delete(T, {{'_', {value}}})"),
            _ => format!("ets:insert(T, {{{value}, {key}}})"),
        }
    }

    /// What is looked at, and answers that are perhaps given.
    fn look(&mut self) -> (String, &'static [&'static str]) {
        let (key, value) = (self.value(), self.value());
        let ordered = self.kind == "ordered_set";
        let lists: &[&str] = &["[]", "[_]", "[_, _ | _]", "[{1, _} | _]", "[V | _]", "[{_, 2}]", "[[_, _]]"];
        let keys: &[&str] = &["'$end_of_table'", "1", "ok", "V", "{_, _}"];
        let counts: &[&str] = &["0", "1", "2", "3"];
        match self.rng.u32(..16) {
            0..3 => (format!("ets:lookup(T, {key})"), lists),
            3 => (format!("ets:member(T, {key})"), &["true", "false"]),
            4 => ("ets:info(T, size)".to_owned(), counts),
            5 => (format!("ets:lookup_element(T, {key}, 2)"), &["1", "ok", "[_]", "[_, _]", "V"]),
            6 => (format!("ets:take(T, {key})"), lists),
            7 => ("ets:select_count(T, [{{'$1', '_'}, [{'>', '$1', 0}], [true]}])".to_owned(), counts),
            8 => ("ets:select_delete(T, [{{'_', '$1'}, [{is_atom, '$1'}], [true]}])".to_owned(), counts),
            9 if ordered || self.listing => ("ets:first(T)".to_owned(), keys),
            10 if ordered || self.listing => (format!("ets:next(T, {key})"), keys),
            11 if ordered => (format!("ets:prev(T, {key})"), keys),
            12 if ordered || self.listing => ("ets:tab2list(T)".to_owned(), lists),
            13 if ordered || self.listing => (format!("ets:match_object(T, {{'_', {value}}})"), lists),
            14 if ordered || self.listing => ("ets:match(T, {'$1', '$2'})".to_owned(), lists),
            15 if ordered || self.listing => {
                (format!("ets:select(T, [{{{{'$1', '$2'}}, [{{'=:=', '$1', {{const, {value}}}}}], ['$_']}}])"), lists)
            }
            _ => (format!("ets:lookup(T, {value})"), lists),
        }
    }
}
