//! Writes Core Erlang at random: every construct of the language, in places where the compiler would not put it.
//!
//! Variables come from a small pool, so that they hide one another. Funs have names of their own: no value contains one,
//! since a fun knows which version of its module made it. What a handler or a label binds is named after what it is for.

use fastrand::Rng;

use crate::kinds::{chance, pick};

/// How deep expressions nest, and how deep one function of each program does.
const SIZE: u32 = 4;
const DEEP: usize = 40;
const FUNCTIONS: usize = 6;
const CALLS: usize = 8;

const LITERALS: &[&str] = &[
    "0",
    "1",
    "2",
    "-7",
    "255",
    "65536",
    "123456789012345678901234567890",
    "1.5",
    "'a'",
    "'b'",
    "'ok'",
    "'true'",
    "'false'",
    "[]",
    "[1|[2|[3]]]",
    "['a'|['b']]",
    "[{'a',1}|[{'b',2}]]",
    "{}",
    "{'a',1}",
    "{'ok',[1|[2]]}",
    "~{}~",
    "~{'k'=>1}~",
    "~{'k'=>{'ok',5},1=>[]}~",
    "#{}#",
    "#{#<1>(8,1,'integer',['unsigned'|['big']])}#",
    "#{#<7>(8,1,'integer',['unsigned'|['big']]),#<513>(16,1,'integer',['unsigned'|['big']])}#",
];

/// Arguments of calls, as Erlang writes them.
const ARGUMENTS: &[&str] = &[
    "0",
    "1",
    "2",
    "-7",
    "255",
    "1.5",
    "a",
    "ok",
    "true",
    "[]",
    "[1,2,3]",
    "[{a,1},{b,2}]",
    "{a,1}",
    "{ok,[1,2]}",
    "#{k => 1}",
    "#{k => {ok,5}}",
    "<<>>",
    "<<1>>",
    "<<7,2,1>>",
    "<<5:3>>",
];

pub struct Program {
    pub name: String,
    pub text: String,
    pub calls: Vec<String>,
}

struct Writer {
    rng: Rng,
    module: String,
    /// Functions of two parameters that were written already.
    functions: Vec<String>,
    last: usize,
}

/// What an expression may use.
#[derive(Clone, Default)]
struct Scope {
    variables: Vec<String>,
    /// Of one parameter.
    funs: Vec<String>,
    /// Local functions of one parameter.
    locals: Vec<String>,
    /// Labels of one parameter that may be jumped to here.
    labels: Vec<String>,
    /// Inside a fun or a local function, where the compiler forgets variables that come before a label.
    in_fun: bool,
}

impl Scope {
    /// The body of a fun or of a local function.
    fn inside(&self, variable: &str) -> Scope {
        Scope { labels: Vec::new(), in_fun: true, ..self.with(&[variable.to_owned()]) }
    }

    fn with(&self, variables: &[String]) -> Scope {
        let mut scope = self.clone();
        scope.variables.extend_from_slice(variables);
        scope
    }

    /// Nothing may follow a jump.
    fn inner(&self) -> Scope {
        Scope { labels: Vec::new(), ..self.clone() }
    }
}

impl Program {
    pub fn new(seed: u64) -> Program {
        let module = format!("flat_{seed}");
        let (functions, rng) = (Vec::new(), Rng::with_seed(seed));
        let mut writer = Writer { rng, module: module.clone(), functions, last: 0 };
        let mut text = String::new();
        let mut exports = vec!["'through'/2".to_owned(), "'deep'/2".to_owned(), "'large'/2".to_owned()];
        for number in 0..FUNCTIONS {
            let name = format!("f{number}");
            text.push_str(&writer.function(&name));
            exports.push(format!("'{name}'/2"));
            writer.functions.push(name);
        }
        text.push_str("'through'/2 =\n    fun (F,X) ->\n        let <P> = apply F (X) in {'through',P}\n");
        text.push_str(&writer.deep());
        text.push_str(&writer.large());
        let text = format!("module '{module}' [{}]\n    attributes []\n{text}end\n", exports.join(","));
        let names = writer.functions.clone().into_iter().chain(["deep".to_owned(), "large".to_owned()]);
        let mut calls = Vec::new();
        for name in names {
            let mut argument = || pick(&mut writer.rng, ARGUMENTS);
            calls.extend((0..CALLS).map(|_| format!("{module}:{name}({}, {})", argument(), argument())));
        }
        Program { name: module, text, calls }
    }
}

impl Writer {
    fn function(&mut self, name: &str) -> String {
        let scope = Scope { variables: vec!["A".to_owned(), "B".to_owned()], ..Scope::default() };
        format!("'{name}'/2 =\n    fun (A,B) ->\n        {}\n", self.expression(&scope, SIZE))
    }

    /// A function whose bodies stand in one another.
    fn deep(&mut self) -> String {
        let mut body = "{'bottom',A,B}".to_owned();
        for level in 0..DEEP {
            body = match level % 4 {
                0 => format!("let <A> = [B|A] in {body}"),
                1 => format!("case A of <[]> when 'true' -> 'empty' <X> when 'true' -> {body} end"),
                2 => format!("try {body} of <X> -> {{X}} catch <HC,HR,HS> -> {{HC,HR}}"),
                _ => format!("do call 'erlang':'tuple_size' ({{A,B}}) {body}"),
            };
        }
        format!("'deep'/2 =\n    fun (A,B) ->\n        {body}\n")
    }

    /// A function with terms that take much room.
    fn large(&mut self) -> String {
        let list: Vec<String> = (0..200).map(|at| format!("{{{at},'x{at}',[{at}]}}")).collect();
        let list = list.iter().rev().fold("[]".to_owned(), |rest, item| format!("[{item}|{rest}]"));
        let number = "9".repeat(80);
        format!(
            "'large'/2 =\n    fun (A,B) ->\n        let <L> = {list} in\n        case call 'lists':'keyfind' (A,1,L) of\n\
             <{{K,N,V}}> when 'true' -> {{N,V,{number}}}\n<'false'> when 'true' -> {{{number},B}} end\n"
        )
    }

    /// A variable of the pool, which may hide another.
    fn name(&mut self) -> String {
        format!("V{}", self.rng.u32(..9))
    }

    fn names(&mut self, count: usize) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        while names.len() < count {
            let name = self.name();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn fresh(&mut self, start: &str) -> String {
        self.last += 1;
        format!("{start}{}", self.last)
    }

    fn leaf(&mut self, scope: &Scope) -> String {
        match chance(&mut self.rng, 75) {
            true => scope.variables[self.rng.usize(..scope.variables.len())].clone(),
            false => pick(&mut self.rng, LITERALS).to_owned(),
        }
    }

    /// Expressions as arguments: those that do something come before, in their order, which is not defined otherwise.
    fn after(&mut self, parts: &[String], make: impl FnOnce(&[String]) -> String) -> String {
        let (mut lets, mut names) = (String::new(), Vec::new());
        for part in parts {
            let plain = LITERALS.contains(&&part[..]) || part.chars().all(|letter| letter.is_alphanumeric());
            if plain {
                names.push(part.clone());
                continue;
            }
            let name = self.fresh("T");
            lets.push_str(&format!("let <{name}> = {part} in "));
            names.push(name);
        }
        lets + &make(&names)
    }

    fn expression(&mut self, scope: &Scope, size: u32) -> String {
        if size == 0 {
            return self.leaf(scope);
        }
        let (less, inner) = (size - 1, scope.inner());
        match self.rng.u32(..36) {
            0 => self.leaf(scope),
            1..3 => {
                let name = self.name();
                let (value, body) =
                    (self.expression(&inner, less), self.expression(&scope.with(std::slice::from_ref(&name)), less));
                format!("let <{name}> = {value} in {body}")
            }
            3..5 => self.several(scope, less),
            5..9 => self.case(scope, less),
            9 => self.wide_case(scope, less),
            10 => format!("do {} {}", self.expression(&inner, less), self.expression(scope, less)),
            11..13 => self.own_call(&inner, less),
            13 => self.counted(scope, less),
            14..16 => self.label(scope, less),
            16..18 => match scope.labels.is_empty() {
                true => self.label(scope, less),
                false => {
                    let label = scope.labels[self.rng.usize(..scope.labels.len())].clone();
                    format!("apply '{label}'/1 ({})", self.leaf(scope))
                }
            },
            18..21 => self.closure(scope, less),
            21..24 => self.attempt(scope, less),
            24 => self.caught(&inner, less),
            25 | 26 => {
                let (list, parts) = (self.rng.bool(), [(); 2].map(|()| self.expression(&inner, less)));
                self.after(&parts, |it| match list {
                    true => format!("[{}|{}]", it[0], it[1]),
                    false => format!("{{{},{}}}", it[0], it[1]),
                })
            }
            27 => self.map(&inner, less),
            28 => self.bits(&inner, less),
            29 => self.known_call(&inner, less),
            30 => self.outside_call(&inner, less),
            31..34 => self.named_call(&inner, less),
            34 => self.failure(&inner),
            _ => self.local_call(scope, less),
        }
    }

    fn several(&mut self, scope: &Scope, size: u32) -> String {
        let (names, inner) = (self.names(2), scope.inner());
        let parts = [(); 2].map(|()| self.expression(&inner, size));
        let pair = self.after(&parts, |it| format!("<{},{}>", it[0], it[1]));
        let values = match self.rng.bool() {
            true => pair,
            false => {
                let guard = self.guard(&inner.variables);
                let other = format!("<{},{}>", self.leaf(&inner), self.leaf(&inner));
                format!("case {} of <X> when {guard} -> {pair} <X> when 'true' -> {other} end", self.leaf(&inner))
            }
        };
        format!("let <{}> = {values} in {}", names.join(","), self.expression(&scope.with(&names), size))
    }

    fn case(&mut self, scope: &Scope, size: u32) -> String {
        // What was passed in has more shapes than what was made.
        let value = match self.rng.bool() {
            true => self.leaf(scope),
            false => self.expression(&scope.inner(), size),
        };
        let mut clauses: Vec<String> = (0..self.rng.usize(1..4)).map(|_| self.clause(scope, size, 1)).collect();
        clauses.push(format!("<V0> when 'true' -> {}", self.expression(scope, size)));
        format!("case {value} of {} end", clauses.join("\n"))
    }

    fn wide_case(&mut self, scope: &Scope, size: u32) -> String {
        let values = format!("<{},{}>", self.leaf(scope), self.expression(&scope.inner(), size));
        let mut clauses: Vec<String> = (0..self.rng.usize(1..3)).map(|_| self.clause(scope, size, 2)).collect();
        clauses.push(format!("<V0,V1> when 'true' -> {}", self.expression(scope, size)));
        format!("case {values} of {} end", clauses.join("\n"))
    }

    fn clause(&mut self, scope: &Scope, size: u32, values: usize) -> String {
        let mut bound = Vec::new();
        let depth = self.rng.u32(1..3);
        let patterns: Vec<String> = (0..values).map(|_| self.pattern(&mut bound, depth)).collect();
        let scope = scope.with(&bound);
        let guard = match chance(&mut self.rng, 50) {
            true => self.guard(&scope.variables),
            false => "'true'".to_owned(),
        };
        format!("<{}> when {guard} -> {}", patterns.join(","), self.expression(&scope, size))
    }

    fn bind(&mut self, bound: &mut Vec<String>) -> String {
        let mut name = self.name();
        while bound.contains(&name) {
            name = self.fresh("W");
        }
        bound.push(name.clone());
        name
    }

    fn pattern(&mut self, bound: &mut Vec<String>, size: u32) -> String {
        if size == 0 {
            return match chance(&mut self.rng, 75) {
                true => self.bind(bound),
                false => pick(&mut self.rng, &["0", "1", "'a'", "'ok'", "'true'", "[]", "{}", "1.5"]).to_owned(),
            };
        }
        let less = size - 1;
        match self.rng.u32(..9) {
            0 => self.pattern(bound, 0),
            1..4 => format!("[{}|{}]", self.pattern(bound, less), self.pattern(bound, less)),
            4..6 => format!("{{{},{}}}", self.pattern(bound, less), self.pattern(bound, less)),
            6 => format!("~{{'k':={}}}~", self.pattern(bound, less)),
            7 => self.bits_pattern(bound),
            _ => {
                let inner = self.pattern(bound, less);
                format!("{} = {inner}", self.bind(bound))
            }
        }
    }

    fn bits_pattern(&mut self, bound: &mut Vec<String>) -> String {
        let (first, rest) = (self.bind(bound), self.bind(bound));
        match self.rng.u32(..3) {
            0 => format!(
                "#{{#<{first}>(8,1,'integer',['unsigned'|['big']]),#<{rest}>('all',1,'binary',['unsigned'|['big']])}}#"
            ),
            1 => format!(
                "#{{#<{first}>(3,1,'integer',['signed'|['big']]),#<{rest}>('all',1,'binary',['unsigned'|['big']])}}#"
            ),
            _ => format!(
                "#{{#<7>(8,1,'integer',['unsigned'|['big']]),#<{first}>(16,1,'integer',['unsigned'|['little']]),#<{rest}>('all',8,'binary',['unsigned'|['big']])}}#"
            ),
        }
    }

    /// One test, or several that are joined: a row of calls, so the compiler writes them. What fails does not hold.
    ///
    /// Calls that can fail come first: behind a test that decides, the compiler leaves them out.
    fn guard(&mut self, variables: &[String]) -> String {
        let (mut first, mut calls) = (Vec::new(), Vec::new());
        let mut all = self.guard_test(variables, &mut first, &mut calls);
        for _ in 0..self.rng.usize(..3) {
            let next = self.guard_test(variables, &mut first, &mut calls);
            let word = pick(&mut self.rng, &["or", "and", "and"]);
            all = self.guard_call(&mut calls, word, &format!("{all},{next}"));
        }
        format!("try {}{}{all} of <Try> -> Try catch <T,R> -> 'false'", first.concat(), calls.concat())
    }

    /// Adds a call and gives the name of its value.
    fn guard_call(&mut self, calls: &mut Vec<String>, function: &str, args: &str) -> String {
        let name = self.fresh("T");
        calls.push(format!("let <{name}> = call 'erlang':'{function}' ({args}) in "));
        name
    }

    fn guard_test(&mut self, variables: &[String], first: &mut Vec<String>, calls: &mut Vec<String>) -> String {
        let variable = variables[self.rng.usize(..variables.len())].clone();
        let (function, args) = match self.rng.u32(..6) {
            0..2 => {
                let kinds = ["is_integer", "is_atom", "is_list", "is_tuple", "is_map", "is_bitstring", "is_number"];
                (pick(&mut self.rng, &kinds), variable)
            }
            2..4 => {
                let other = variables[self.rng.usize(..variables.len())].clone();
                let other = if self.rng.bool() { other } else { "2".to_owned() };
                (pick(&mut self.rng, &[">", "<", "=:=", "/=", ">="]), format!("{variable},{other}"))
            }
            4 => (">", format!("{},2", self.guard_call(first, "+", &format!("{variable},1")))),
            _ => {
                let size = pick(&mut self.rng, &["tuple_size", "length", "byte_size", "map_size"]);
                ("<", format!("{},3", self.guard_call(first, size, &variable)))
            }
        };
        self.guard_call(calls, function, &args)
    }
}

#[path = "core_calls.rs"]
mod calls;
