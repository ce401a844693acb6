//! Elixir as judge: generated terms, written as Elixir, are evaluated by it and must be the terms again.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test may start the VM")]

mod generate;

use std::process::{self, Command};
use std::{env, fs};

use generate::Source;
use term::{Atom, Fun, Language, Map, Mfa, Notation, Structs, Term, etf};

const COUNT: usize = 3000;

/// Evaluates each text, says which are not the term beside it, and warns where the tokenizer does. Of funs that tables give,
/// which have no external form, the values for arguments are compared with those of the fun that Erlang makes.
const JUDGE: &str = r#"
[file] = System.argv()
erlang = fn text ->
  {:ok, tokens, _} = :erl_scan.string(String.to_charlist(text <> "."))
  {:ok, parsed} = :erl_parse.parse_exprs(tokens)
  {:value, value, _} = :erl_eval.exprs(parsed, [])
  value
end
same = fn a, b -> a === b and :erlang.term_to_binary(a) == :erlang.term_to_binary(b) end
judge = fn
  {:term, text, term} -> same.(elem(Code.eval_string(text), 0), term)
  {:fun, text, source, calls} ->
    {ours, theirs} = {elem(Code.eval_string(text), 0), erlang.(source)}
    Enum.all?(calls, fn args -> same.(apply(ours, args), apply(theirs, args)) end)
end
for request <- :erlang.binary_to_term(File.read!(file)) do
  short = &String.slice(&1, 0, 300)
  right = try do judge.(request) rescue error -> IO.puts(short.(Exception.message(error))); false end
  if not right, do: IO.puts(short.(elem(request, 1)))
end
IO.puts("done")
"#;

fn judged(name: &str, requests: Vec<Term>) {
    let path = |suffix: &str| env::temp_dir().join(format!("elixir-{name}-{}.{suffix}", process::id()));
    let (script, input) = (path("exs"), path("in"));
    fs::write(&script, JUDGE).expect("a script");
    fs::write(&input, etf::encode(&Term::list(requests)).expect("requests hold no closures")).expect("a request file");
    let run = Command::new("elixir").arg(&script).arg(&input).output().expect("elixir can be started");
    let (said, warned) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let _ = (fs::remove_file(&script), fs::remove_file(&input));
    let short = |text: &str| text.chars().take(2000).collect::<String>();
    assert_eq!((short(&said).as_str(), short(&warned).as_str()), ("done\n", ""));
}

fn notation(structs: &Structs) -> Notation<'_> {
    Notation { language: Language::Elixir, structs }
}

fn string(text: &str) -> Term {
    Term::bits(term::Bits::from_bits(text.as_bytes().to_vec(), text.len() * 8))
}

fn request(term: &Term, structs: &Structs) -> Term {
    let text = notation(structs).term(term);
    Term::tuple([Term::atom_named("term"), string(&text), term.clone()])
}

fn read(text: &str) -> Term {
    Term::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn generated_terms_are_themselves_again() {
    let mut source = Source::readable(77);
    let known =
        ["nil", "Elixir.Shop", "Elixir.Shop.Item_1", "Elixir.shop", "Elixir", "Elixir.Elixir.A", "Elixir.", "do"];
    let odd = ["a?", "b!", "a?b", "+", "&&&", "..", "//", "%{}", "{}", "<<>>", "#{", "a#{b}", "\u{202e}", "\u{200b}é"];
    let atoms = known.into_iter().chain(odd).map(Term::atom_named);
    let mut terms: Vec<Term> = atoms.collect();
    terms.extend(terms.clone().into_iter().map(|atom| {
        read("[{a, 1}]").proper_list().map_or(atom.clone(), |_| Term::list([Term::tuple([atom, Term::int(1)])]))
    }));
    let texts = [
        "é\u{202e}",
        "a\u{2028}b",
        "\u{0}",
        "\u{7f}",
        "#{1}",
        "\"\\\n\t\r\u{7}\u{8}\u{b}\u{c}\u{1b}",
        "\u{feff}x",
        "日本😀",
    ];
    terms.extend(texts.map(string));
    terms.extend(texts.map(Term::string));
    terms.extend(
        ["[{a, 1}|b]", "[1|2]", "[{a, 1, 2}]", "#{nil => 1, true => 2}", "[{nil, 1}]", "-0.0", "[-0.0]"].map(read),
    );
    terms.extend((0..COUNT).map(|at| source.term(at % 5)));
    terms.extend((0..20).map(|_| source.large_map()));
    let external = |module: &str, function: &str| {
        Term::fun(Fun::External(Mfa { module: Atom::new(module), function: Atom::new(function), arity: 2 }))
    };
    terms.extend(
        [("Elixir.Enum", "map"), ("lists", "map"), ("erlang", "+"), ("a b", "c d"), ("Elixir.A", "ok?")]
            .map(|(m, f)| external(m, f)),
    );
    judged("terms", terms.iter().map(|term| request(term, Structs::NONE)).collect());
}

#[test]
fn large_terms_are_themselves_again_when_folded() {
    let numbers = |values: Vec<i64>| Term::list(values.into_iter().map(Term::int));
    let mixed = [vec![7, 8], vec![0; 40], (3..=60).collect(), vec![9]].concat();
    let bits = |bytes: Vec<u8>, over: usize| Term::bits(term::Bits::from_bits(bytes.clone(), bytes.len() * 8 - over));
    let terms = [
        numbers(vec![0; 121]),
        numbers(vec![97; 30]),
        numbers((-3..=500).collect()),
        numbers(mixed.clone()),
        Term::tuple([Term::atom_named("a"), Term::list(vec![numbers(mixed); 30])]),
        Term::list(vec![read("{a, nil}"); 30]),
        bits(vec![0; 301], 0),
        bits(vec![0; 301], 3),
        bits(b"ab".repeat(50), 0),
        bits(vec![255; 99], 0),
        string(&"é".repeat(40)),
    ];
    let written = terms.iter().map(|term| notation(Structs::NONE).folded(term)).collect::<Vec<_>>();
    assert!(written.iter().all(|text| text.len() < 150), "{written:?}");
    let request = |(text, term): (String, &Term)| Term::tuple([Term::atom_named("term"), string(&text), term.clone()]);
    judged("folded", written.into_iter().zip(&terms).map(request).collect());
}

#[test]
fn structs_are_themselves_again_with_all_fields_and_with_some() {
    let of = |module: &str, fields: &[(&str, Term)]| {
        let fields = fields.iter().map(|(name, value)| (Term::atom_named(name), value.clone()));
        let made = [(Term::atom_named("__struct__"), Term::atom_named(module))];
        Term::map(Map::from_pairs(made.into_iter().chain(fields)))
    };
    let (one, yes) = (Term::int(1), Term::atom_named("true"));
    let range = of("Elixir.Range", &[("first", one.clone()), ("last", one.clone()), ("step", one.clone())]);
    let error = |is_one: &str| {
        of("Elixir.ArgumentError", &[("message", string("a")), ("__exception__", Term::atom_named(is_one))])
    };
    let mut structs = Structs::default();
    structs.add(Atom::new("Elixir.Range"), &range);
    structs.add(Atom::new("Elixir.ArgumentError"), &error("true"));
    assert_eq!(notation(&structs).term(&range), "%Range{first: 1, last: 1, step: 1}");
    assert_eq!(notation(&structs).term(&error("true")), "%ArgumentError{message: \"a\"}");
    let partial = of("Elixir.Range", &[("first", one)]);
    let more = of("Elixir.ArgumentError", &[("message", yes.clone()), ("__exception__", yes.clone()), ("x", yes)]);
    let terms = [range.clone(), error("true"), error("false"), partial, more, Term::list([range])];
    judged("structs", terms.iter().map(|term| request(term, &structs)).collect());
}

#[test]
fn funs_of_tables_give_the_same_values() {
    let funs = [
        ("fun(3) -> 42; (_) -> 0 end", vec!["[3]", "[4]"]),
        (
            "fun(#{a => 1}, x) -> y; ([1.0|2], <<\"s\">>) -> nil; (_, _) -> #{} end",
            vec!["[#{a => 1}, x]", "[#{a => 1, b => 2}, x]", "[[1.0|2], <<\"s\">>]", "[1, 2]"],
        ),
        ("fun() -> [{a, 1}] end", vec!["[]"]),
        ("fun(\"text\") -> fun(-1) -> a; (_) -> b end; (_) -> fun(_) -> c end end", vec![]),
    ];
    let requests = funs.into_iter().map(|(source, calls)| {
        let text = notation(Structs::NONE).term(&read(source));
        let calls = Term::list(calls.into_iter().map(read));
        Term::tuple([Term::atom_named("fun"), string(&text), string(&read(source).to_string()), calls])
    });
    judged("funs", requests.collect());
}
