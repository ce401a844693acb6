//! The real VM as judge: text, external form, order, arithmetic and bits of generated terms.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test may start the VM")]

mod generate;

use std::cmp::Ordering;
use std::path::Path;
use std::process::Command;
use std::{env, fs, process};

use generate::Source;
use term::{Bits, BitsBuilder, Exception, Map, Style, Term, etf, known, number};

const COUNT: usize = 3000;

/// A seed of one's own in `HOUND_SEED`.
fn source() -> Source {
    Source::new(env::var("HOUND_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(25))
}

/// Asks the VM; without a VM the test fails.
fn ask(name: &str, requests: Vec<Term>) -> Vec<Term> {
    let (folder, count) = (env::temp_dir(), requests.len());
    let (input, output) = (format!("{name}-{}.in", process::id()), format!("{name}-{}.out", process::id()));
    let (input, output) = (folder.join(input), folder.join(output));
    fs::write(&input, etf::encode(&Term::list(requests)).expect("requests hold no closures")).expect("a request file");
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle.erl");
    let run = Command::new("escript").arg(oracle).args([&input, &output]).output().expect("escript can be started");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "the VM failed: {said}{}", String::from_utf8_lossy(&run.stderr));
    let answers = etf::decode(&fs::read(&output).expect("an answer file")).expect("answers decode");
    let _ = (fs::remove_file(&input), fs::remove_file(&output));
    let answers = answers.proper_list().expect("a list of answers");
    assert_eq!(answers.len(), count, "one answer for each request");
    answers
}

fn request(name: &str, parts: Vec<Term>) -> Term {
    Term::tuple([vec![Term::atom_named(name)], parts].concat())
}

fn text(term: &Term) -> String {
    String::from_utf8(term.as_bits().expect("text").to_bytes().into_owned()).expect("UTF-8")
}

/// Stricter than `=:=`: the two zeros differ.
fn same(a: &Term, b: &Term) -> bool {
    a == b && a.write(Style::PlainUnicode) == b.write(Style::PlainUnicode)
}

fn outcome(result: Option<Term>) -> Term {
    raised(result.ok_or(Exception::badarith()))
}

fn raised(result: Result<Term, Exception>) -> Term {
    match result {
        Ok(value) => Term::tuple([Term::atom(known::OK), value]),
        Err(exception) => Term::tuple([Term::atom(exception.class.atom()), exception.reason]),
    }
}

/// Collects disagreements, so that one run shows them all, and counts what was compared.
#[derive(Default)]
struct Report {
    checked: usize,
    wrong: Vec<String>,
}

impl Report {
    fn check(&mut self, agrees: bool, message: impl FnOnce() -> String) {
        self.checked += 1;
        if !agrees {
            self.wrong.push(message().chars().take(1000).collect());
        }
    }

    fn finish(self, at_least: usize) {
        let shown: Vec<&String> = self.wrong.iter().take(20).collect();
        assert!(shown.is_empty(), "{} disagreements, first:\n{shown:#?}", self.wrong.len());
        assert!(self.checked >= at_least, "only {} of {at_least} were compared", self.checked);
    }
}

#[test]
fn text_and_external_form_agree() {
    let mut source = source();
    let terms: Vec<Term> = (0..COUNT).map(|at| source.term(at % 4)).collect();
    let answers = ask("terms", terms.iter().map(|term| request("term", vec![term.clone()])).collect());
    let mut report = Report::default();
    terms.iter().zip(&answers).for_each(|(term, answer)| check_forms(&mut report, term, answer));
    report.finish(COUNT * 4);
}

/// Large maps, once it is known how the VM walks them.
#[test]
fn large_maps_agree() {
    let mut source = source();
    let maps: Vec<Term> = (0..100).map(|_| source.large_map()).collect();
    let answers = ask("large", maps.iter().map(|map| request("large", vec![map.clone()])).collect());
    let mut report = Report::default();
    for (map, answer) in maps.iter().zip(&answers) {
        let [keys, answer] = answer.as_tuple().expect("two answers") else { panic!("two answers") };
        map.as_map().expect("a map").set_iteration_order(keys.proper_list().expect("keys"));
        check_forms(&mut report, map, answer);
    }
    report.finish(400);
}

fn check_forms(report: &mut Report, term: &Term, answer: &Term) {
    let [form, plain, unicode, pretty] = answer.as_tuple().expect("four answers") else { panic!("four answers") };
    let form = form.as_bits().expect("bytes").to_bytes().into_owned();
    let ours = etf::encode(term).expect("no closures");
    report.check(form == ours, || format!("form of {term}:\n{ours:?}\n{form:?}"));
    report.check(etf::decode(&form).is_ok_and(|back| back == *term), || format!("decoding {form:?}"));
    for (style, theirs) in [(Style::Plain, plain), (Style::PlainUnicode, unicode), (Style::Source, pretty)] {
        if style == Style::Source && has_odd_fun(&term.to_string()) {
            continue;
        }
        let (ours, theirs) = (without_nodes(&term.write(style)), without_nodes(&text(theirs)));
        report.check(ours == theirs, || format!("{style:?}\n{}", from_difference(&ours, &theirs)));
    }
}

/// Bytes that no VM wrote: both read the same out of them, or neither reads anything.
#[test]
fn decoding_damaged_forms_agrees() {
    let mut source = source();
    let mut forms: Vec<Vec<u8>> = (0..COUNT * 3)
        .map(|at| {
            let mut form = etf::encode(&source.term(at % 3)).expect("no closures");
            source.damage(&mut form, 1);
            form
        })
        .collect();
    forms.extend(FORMS.iter().map(|form| form.to_vec()));
    let answers = ask("decode", forms.iter().map(|form| request("decode", vec![Term::binary(&form[..])])).collect());
    let mut report = Report::default();
    for (form, answer) in forms.iter().zip(&answers) {
        let [class, value] = answer.as_tuple().expect("a pair") else { panic!("a pair") };
        let theirs = if class.as_atom() == Some(known::OK) { value.as_tuple() } else { None };
        let ours = etf::decode_prefix(form);
        let agrees = match (&ours, theirs) {
            (Ok((ours, used)), Some([form, theirs])) => {
                let theirs_used = theirs.as_i64() == Some(*used as i64);
                etf::encode(ours).expect("no closures") == *form.as_bits().expect("bytes").to_bytes() && theirs_used
            }
            (Err(error), Some(_)) => VM_ONLY.contains(&error.problem.as_str()),
            (ours, theirs) => ours.is_err() && theirs.is_none(),
        };
        report.check(agrees, || format!("{form:?}: {ours:?}, theirs {answer}"));
    }
    report.finish(COUNT * 3);
}

/// Forms that only the VM reads: places in its own atom table, which mean nothing elsewhere, references without a number,
/// for which it looks beyond their end, and names of functions that cannot exist.
const VM_ONLY: [&str; 4] =
    ["unknown tag 73", "unknown tag 75", "a reference of 0 words", "an arity that is no number up to 255"];

/// Forms that `term_to_binary` of today does not give, or that are wrong in ways that chance does not find.
const FORMS: &[&[u8]] = &[
    &[131, 97, 1, 0],
    &[131],
    &[],
    &[130, 97, 1],
    &[131, 99, b'1', b'.', b'5', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    &[131, 115, 1, 233],
    &[131, 119, 2, 195, 169],
    &[131, 119, 1, 233],
    &[131, 118, 0, 1, 97],
    &[131, 100, 1, 0],
    &[131, 108, 0, 0, 0, 0, 106],
    &[131, 108, 0, 0, 0, 0, 97, 1],
    &[131, 108, 0, 0, 0, 1, 97, 1, 97, 2],
    &[131, 107, 0, 0],
    &[131, 110, 0, 0],
    &[131, 110, 1, 1, 0],
    &[131, 110, 2, 0, 1, 0],
    &[131, 110, 1, 2, 5],
    &[131, 110, 8, 1, 0, 0, 0, 0, 0, 0, 0, 128],
    &[131, 111, 0, 0, 0, 1, 0, 7],
    &[131, 77, 0, 0, 0, 1, 0, 255],
    &[131, 77, 0, 0, 0, 1, 8, 255],
    &[131, 77, 0, 0, 0, 1, 9, 255],
    &[131, 77, 0, 0, 0, 0, 0],
    &[131, 77, 0, 0, 0, 0, 3],
    &[131, 77, 0, 0, 0, 1, 3, 255],
    &[131, 70, 127, 240, 0, 0, 0, 0, 0, 0],
    &[131, 70, 128, 0, 0, 0, 0, 0, 0, 0],
    &[131, 116, 0, 0, 0, 2, 97, 1, 97, 1, 97, 1, 97, 2],
    &[131, 105, 0, 0, 0, 1, 97, 1],
    &[131, 105, 255, 255, 255, 255],
    &[131, 113, 119, 1, 97, 119, 1, 98, 97, 1],
    &[131, 113, 119, 1, 97, 119, 1, 98, 98, 0, 0, 0, 1],
    &[131, 103, 119, 3, b'a', b'@', b'b', 0, 0, 0, 1, 0, 0, 0, 2, 1],
    &[131, 102, 119, 3, b'a', b'@', b'b', 0, 0, 0, 1, 1],
    &[131, 101, 119, 3, b'a', b'@', b'b', 0, 0, 0, 1, 1],
    &[131, 114, 0, 2, 119, 3, b'a', b'@', b'b', 1, 0, 0, 0, 1, 0, 0, 0, 2],
    &[131, 80, 0, 0, 0, 4, 120, 156, 203, 102, 96, 100, 2, 0, 1, 120, 0, 111],
];

/// Both texts from a little before they part.
fn from_difference(a: &str, b: &str) -> String {
    let equal = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count().saturating_sub(40);
    let part = |text: &str| text.chars().skip(equal).take(300).collect::<String>();
    format!("{}\n{}", part(a), part(b))
}

/// True if a fun has a name that the VM prints in a way that does not read back.
fn has_odd_fun(text: &str) -> bool {
    let plain =
        |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name != "and" && name != "if";
    let mut funs = text.split("fun ").skip(1);
    !funs.all(|fun| fun.split('/').next().is_some_and(|name| name.split(':').all(plain)))
}

/// The number of a node in `<1.2.3>`, `#Ref<1.…>` and `#Port<1.2>` is each VM's own.
fn without_nodes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        rest = if digits > 0 && after[digits..].starts_with('.') { &after[digits..] } else { after };
    }
    out + rest
}

fn relation(a: &Term, b: &Term) -> [bool; 4] {
    let order = a.compare(b);
    assert_eq!(order, b.compare(a).reverse(), "{a} against {b}");
    assert_eq!(order.is_eq(), a.num_eq(b), "{a} == {b}");
    assert_eq!(a.compare_exact(b).is_eq(), a == b, "{a} =:= {b}");
    [order == Ordering::Less, order == Ordering::Equal, a == b, order == Ordering::Greater]
}

#[test]
fn order_agrees() {
    let mut source = source();
    let pairs: Vec<(Term, Term)> = (0..COUNT * 2)
        .map(|at| {
            let a = if at % 50 == 1 { source.large_map() } else { source.term(at % 4) };
            let b = if at % 3 == 0 { source.term(at % 4) } else { source.neighbour(&a) };
            (a, b)
        })
        .collect();
    let requests = pairs.iter().map(|(a, b)| request("pair", vec![a.clone(), b.clone()])).collect();
    let mut report = Report::default();
    for ((a, b), answer) in pairs.iter().zip(ask("order", requests)) {
        let theirs = answer.as_tuple().expect("a tuple");
        let ours = relation(a, b);
        let agrees = ours.iter().zip(theirs).all(|(ours, theirs)| theirs.as_bool() == Some(*ours));
        report.check(agrees, || {
            let theirs: Vec<Option<bool>> = theirs[..4].iter().map(Term::as_bool).collect();
            format!("ours {ours:?}, theirs {theirs:?}\n{}", from_difference(&a.to_string(), &b.to_string()))
        });
        let map = Map::from_pairs([(a.clone(), Term::nil()), (b.clone(), Term::nil())]);
        let keys: Vec<Term> = map.keys().cloned().collect();
        report.check(same(&Term::list(keys.clone()), &theirs[4]), || format!("keys {keys:?}, theirs {}", theirs[4]));
    }
    report.finish(COUNT * 4);
}

#[test]
fn funs_of_the_vm_agree() {
    let mut source = source();
    let values: Vec<Term> = (0..12).map(|_| source.term(1)).collect();
    let answers = ask("funs", vec![request("funs", vec![Term::list(values)])]);
    let [funs, texts, relations] = answers[0].as_tuple().expect("three answers") else { panic!("three answers") };
    let (funs, texts) = (funs.proper_list().expect("funs"), texts.proper_list().expect("texts"));
    let mut report = Report::default();
    for (fun, theirs) in funs.iter().zip(&texts) {
        report.check(fun.to_string() == text(theirs), || format!("{fun} and {theirs}"));
        let form = etf::encode(fun).expect("funs of the VM go back");
        report.check(etf::decode(&form).is_ok_and(|back| back == *fun), || format!("form of {fun}"));
    }
    let pairs = funs.iter().flat_map(|a| funs.iter().map(move |b| (a, b)));
    for ((a, b), theirs) in pairs.zip(relations.cells()) {
        let ours = Term::tuple(relation(a, b).map(Term::bool));
        report.check(ours == *theirs, || format!("{a} {b} ours {ours} theirs {theirs}"));
    }
    report.finish(200);
}

fn limited(result: Result<Term, number::NumberError>) -> Term {
    raised(result.map_err(Exception::from))
}

/// In the order of the oracle's own list.
fn arithmetic(a: &Term, b: &Term) -> Vec<Term> {
    let bad = |result: Option<Term>| raised(result.ok_or(Exception::badarg()));
    let whole = match a {
        Term::Float(_, value) => Some(number::truncate(*value)),
        _ => Some(a.clone()),
    };
    vec![
        outcome(number::add(a, b)),
        outcome(number::sub(a, b)),
        outcome(number::mul(a, b)),
        outcome(number::divide(a, b)),
        outcome(number::div(a, b)),
        outcome(number::rem(a, b)),
        outcome(number::band(a, b)),
        outcome(number::bor(a, b)),
        outcome(number::bxor(a, b)),
        limited(number::bsl(a, b)),
        limited(number::bsr(a, b)),
        outcome(number::bnot(a)),
        outcome(number::neg(a)),
        bad(number::abs(a)),
        bad(number::to_f64(a).map(Term::float)),
        bad(whole),
    ]
}

#[test]
fn arithmetic_agrees() {
    let mut source = source();
    let mut pairs: Vec<(Term, Term)> = (0..COUNT)
        .map(|at| match at % 3 {
            0 => (source.integer(), Term::int(source.below(200) as i64 - 100)),
            1 => (source.near_a_power(1100), source.number()),
            _ => (source.number(), source.number()),
        })
        .collect();
    let huge = [1i64 << 26, 1 << 40, i64::MAX, 33_554_367, 33_554_368].map(Term::int);
    pairs.extend(huge.iter().map(|by| (Term::int(0), by.clone())));
    pairs.extend([2, 3, 4].map(|at| (Term::int(1), huge[at % 3].clone())));
    // Results of megabytes would only slow the test down, so no number of the first list is that large.
    let sane = |(_, b): &(Term, Term)| b.as_i64().is_none_or(|b| b.unsigned_abs() < 5000 || b.unsigned_abs() > 1 << 25);
    pairs.retain(sane);
    let requests = pairs.iter().map(|(a, b)| request("arith", vec![a.clone(), b.clone()])).collect();
    let mut report = Report::default();
    for ((a, b), theirs) in pairs.iter().zip(ask("arith", requests)) {
        for (at, (ours, theirs)) in arithmetic(a, b).iter().zip(theirs.cells()).enumerate() {
            report.check(same(ours, theirs), || format!("operation {at} on {a} and {b}:\n{ours}\n{theirs}"));
        }
    }
    report.finish(COUNT * 14);
}

fn point(read: Option<(u32, usize)>) -> Option<Term> {
    read.map(|(point, size)| Term::tuple([Term::int(i64::from(point)), Term::int(size as i64)]))
}

fn extraction(bits: &Bits, at: usize, size: usize) -> Vec<Option<Term>> {
    let there = at + size <= bits.bit_len();
    let integer = |signed, little| there.then(|| bits.read_int(at, size, signed, little));
    let float = |little| if there { bits.read_float(at, size, little).map(Term::float) } else { None };
    let here = at <= bits.bit_len();
    let text = |read: Option<(u32, usize)>| if here { point(read) } else { None };
    vec![
        integer(false, false),
        integer(false, true),
        integer(true, false),
        integer(true, true),
        float(false),
        float(true),
        there.then(|| Term::bits(bits.slice(at, size))),
        text(bits.read_utf8(at)),
        text(bits.read_utf16(at, false)),
        text(bits.read_utf16(at, true)),
        text(bits.read_utf32(at, false)),
        text(bits.read_utf32(at, true)),
    ]
}

#[test]
fn reading_bits_agrees() {
    let mut source = source();
    let cases: Vec<(Bits, usize, usize)> = (0..COUNT * 2)
        .map(|_| {
            let bits = source.bits();
            let at = source.below(bits.bit_len() + 1).min(source.below(200));
            let size = match source.below(4) {
                0 => source.pick(&[0, 1, 7, 8, 9, 12, 16, 24, 32, 60, 63, 64, 65, 72, 128]),
                1 => source.pick(&[16, 32, 64]),
                _ => source.below(bits.bit_len() + 2),
            };
            (bits, at, size)
        })
        .collect();
    let number = |value: usize| Term::int(value as i64);
    let ask_for = |(bits, at, size): &(Bits, usize, usize)| {
        request("extract", vec![Term::bits(bits.clone()), number(*at), number(*size)])
    };
    let requests = cases.iter().map(ask_for).collect();
    let mut report = Report::default();
    for ((bits, at, size), answer) in cases.iter().zip(ask("extract", requests)) {
        for (which, (ours, theirs)) in extraction(bits, *at, *size).into_iter().zip(answer.cells()).enumerate() {
            let [class, value] = theirs.as_tuple().expect("a pair") else { panic!("a pair") };
            let theirs = (class.as_atom() == Some(known::OK)).then_some(value);
            let agrees = match (&ours, theirs) {
                (Some(ours), Some(theirs)) => same(ours, theirs),
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            };
            let bits = Term::bits(bits.clone());
            report.check(agrees, || format!("{which}: {size} bits of {bits} at {at}: {ours:?}, theirs {theirs:?}"));
        }
    }
    report.finish(COUNT);
}

fn build(prefix: &Bits, push: impl FnOnce(&mut BitsBuilder) -> bool) -> Option<Term> {
    let mut builder = BitsBuilder::new();
    builder.push_bits(prefix);
    push(&mut builder).then(|| Term::bits(builder.finish()))
}

fn push_integer(out: &mut BitsBuilder, value: &Term, size: usize, little: bool) -> bool {
    match value {
        Term::Int(_, value) => out.push_int(*value, size, little),
        Term::Big(_, value) => out.push_bigint(value, size, little),
        _ => return false,
    }
    true
}

fn construction(prefix: &Bits, value: &Term, size: usize) -> Vec<Option<Term>> {
    let float =
        |out: &mut BitsBuilder, little| number::to_f64(value).is_some_and(|value| out.push_f64(value, size, little));
    let point = value.as_i64().and_then(|value| u32::try_from(value).ok());
    vec![
        build(prefix, |out| push_integer(out, value, size, false)),
        build(prefix, |out| push_integer(out, value, size, true)),
        build(prefix, |out| float(out, false)),
        build(prefix, |out| float(out, true)),
        build(prefix, |out| point.is_some_and(|point| out.push_utf8(point))),
        build(prefix, |out| point.is_some_and(|point| out.push_utf16(point, false))),
        build(prefix, |out| point.is_some_and(|point| out.push_utf16(point, true))),
        build(prefix, |out| point.is_some_and(|point| out.push_utf32(point, false))),
        build(prefix, |out| point.is_some_and(|point| out.push_utf32(point, true))),
        build(prefix, |out| {
            out.push_bits(prefix);
            true
        }),
    ]
}

#[test]
fn building_bits_agrees() {
    let mut source = source();
    let cases: Vec<(Bits, Term, usize)> = (0..COUNT * 2)
        .map(|at| {
            let value = if at % 3 == 0 { Term::int(source.below(0x11_1000) as i64) } else { source.number() };
            let size = if at % 2 == 0 { source.below(150) } else { source.pick(&[0, 8, 12, 16, 32, 64, 65, 128]) };
            (source.bits(), value, size)
        })
        .collect();
    let ask_for = |(prefix, value, size): &(Bits, Term, usize)| {
        request("build", vec![Term::bits(prefix.clone()), value.clone(), Term::int(*size as i64)])
    };
    let requests = cases.iter().map(ask_for).collect();
    let mut report = Report::default();
    for ((prefix, value, size), answer) in cases.iter().zip(ask("build", requests)) {
        for (which, (ours, theirs)) in construction(prefix, value, *size).into_iter().zip(answer.cells()).enumerate() {
            let [class, built] = theirs.as_tuple().expect("a pair") else { panic!("a pair") };
            let theirs = (class.as_atom() == Some(known::OK)).then_some(built);
            let prefix = Term::bits(prefix.clone());
            report.check(ours.as_ref() == theirs, || {
                format!("{which}: {value}:{size} after {prefix}: {ours:?}, theirs {theirs:?}")
            });
        }
    }
    report.finish(COUNT * 18);
}

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "1", "-1", "+1", "16#ff", "36#zZ", "2#1010", "1_000_000", "16#dead_beef", "-16#FF", "$a", "$\\n", "$\\x41",
    "$\\x{1F600}", "$\\101", "$\\^a", "$ ", "$\\s", "$\\\\", "1.5", "-1.5e10", "1.0E-5", "1_0.2_5",
    "12345678901234567890123", "a", "'a b'", "'\\x{3bb}'", "\"abc\"", "\"a\\\"b\\n\\t\\e\\d\\0\\12\\1234\"",
    "\"a\" \"b\" % comment\n \"c\"", "[]", "[1,2|3]", "[a|[b]]", "{}", "{1,{2,{3}}}", "#{}",
    "#{a => 1, 1 => 2, 1.0 => 3, a => 4}", "fun lists:map/2", "fun 'A b':'c d'/3", "<<>>", "<<1,2>>", "<<300>>",
    "<<-1>>", "<<5:3>>", "<<5:3,1:13>>", "<<\"abc\">>", "<<\"é\"/utf8>>", "<<\"é\">>", "<<\"ab\":16>>",
    "<<\"a\"/utf16>>", "<<\"a\"/utf32-little>>", "<<1:16/little>>", "<<1:12/little>>", "<<258:2/unit:8>>",
    "<<1.5/float>>", "<<1.5:32/float-little>>", "<<2:32/float>>", "<<(<<1,2>>)/binary,3>>",
    "<<(<<1,2,3>>):2/binary>>", "<<(<<5:3>>)/bitstring>>", "<<(<<5:3>>):2/bits>>", "<<16#10ffff/utf8>>",
    "<<1:(8)/signed-integer-big-unit:1>>", "<<$a, $b>>", "'\\''", "\"\\xff\\x{ff}\"", "{'', []}", "[\"\"]",
    "1.0e308", "-0.0", "0.0", "é", "'É'", "\"λ\"", "(1)", "{(a)}", "maybe", "[$a,$b]", "<<\"\">>", "<<1:0>>",
    "<<\"abc\":4>>", "123456789012345678901234567890:a", "1 2", "[1,]", "{", "'abc", "\"abc", "#{a}", "<<1", "16#",
    "37#1", "1#1", "$", "\\", "fun", "1..2", "1.0e400", "<<1:-1>>", "<<a>>", "<<1/utf9>>", "<<16#d800/utf8>>",
    "and", "=>", "<<(<<5:3>>)/binary>>", "'",
];

#[test]
fn reading_text_agrees() {
    let mut source = Source::readable(source().next());
    let mut texts: Vec<String> = TEXTS.iter().map(|text| text.to_string()).collect();
    texts.extend((0..COUNT).map(|at| source.term(at % 3).to_string()));
    let requests = texts.iter().map(|text| request("read", vec![Term::binary(text.as_bytes())])).collect();
    let mut report = Report::default();
    for (text, answer) in texts.iter().zip(ask("read", requests)) {
        let [class, value] = answer.as_tuple().expect("a pair") else { panic!("a pair") };
        let theirs = (class.as_atom() == Some(known::OK)).then_some(value);
        let ours = Term::read(text);
        let agrees = match (&ours, theirs) {
            (Ok(ours), Some(theirs)) => same(ours, theirs),
            (ours, theirs) => ours.is_err() && theirs.is_none(),
        };
        report.check(agrees, || format!("{text}: {ours:?}, theirs {answer}"));
    }
    report.finish(COUNT);
}
