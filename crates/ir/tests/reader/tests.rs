//! Text to graph and back.

use proptest::prelude::*;

use crate::{Unit, verify};

const SAMPLE: &str = r##"file "m.erl"
file "a \"b\\.hrl"

function m:f/2 (%0, %1) captured 1 registers 9 @3:1
case 0 function @3:1 [@3:1, @1:4:7, -]
case 1 case [@5:2]
b0:
  enter 0.1 @3:1
  line 12
  %2 = copy 'Hello world' @3:2
  %2 = copy <<1,2,3:3>>
  %2 = copy #{a => [1.5,"x y",{}],'b c' => fun lists:map/2}
  %2 = copy fun 'a b':'c/d'/0 @3:4
  %2 = cons(%0, [])
  %2 = tuple(%0, a, -12, "quo\"te, )")
  %2 = map(#{}, put a %0, update {1,2} [])
  %2 = bits(integer-signed-little-8 %0 4, bits-unsigned-big-1 %1 all, utf8-unsigned-big-0 65 undefined)
  %2 = closure m:'-f/1-fun-0-'/2(%0)
  %2 = call local m:f/2(%0, %1)
  %2 = call remote lists:'+'(%0)
  %2 = call remote %0:%1(%0)
  %2 = call fun %0()
  %2 = call fun fun m:f/1(3)
  %2 = call send erlang:'!'/2(%0, %1)
  %2 = call spawn erlang:spawn_link/1(%0)
  %2 = primitive recv_peek_message()
  %2 = primitive '$event_call'(7, m, %0)
  %2 = primitive build_stacktrace(%2) @1:4:5
  branch literal {a,"b"} (%2) yes b1 no b2
b1:
  branch cons(%2) -> (_, %3) yes b2 no b3
b2:
  branch tuple 2 (%2) -> (%3, _) yes b3 no b3
b3: handler b7
  branch predicate erlang:is_atom/1(%2) yes b4 no b4
b4:
  branch map_key(%2, a) -> (%4) yes b5 no b5
b5:
  branch segment bits-unsigned-big-8 (%2, all) -> (%5, %6) yes b6 no b6
b6:
  branch same(%2, %2) yes b7 no b8
b7: catch(%3, _, %4) handler b9
  raise again(%3, %4)
b8:
  branch bits_end(%0) yes b9 no b10
b9: catch(_, _, _)
  raise function_clause(%0, %1) @3:1
b10:
  raise error({badmatch,1})
b11:
  tailcall fun %0(%1)

function m:'-f/1-fun-0-'/2 (%0, %1) captured 1 registers 2
b0:
  jump b1
b1:
  return %0
"##;

#[test]
fn every_kind_of_line_reads_and_prints_as_it_was() {
    assert_eq!(Unit::read(SAMPLE).unwrap().to_string(), SAMPLE);
}

#[test]
fn errors_name_line_and_column() {
    let error = |text: &str| Unit::read(text).err().unwrap().to_string();
    assert_eq!(error("what"), "1:1: 'file', 'function' or the end of the text expected");
    assert_eq!(error("function m:f/x"), "1:14: a number expected");
    assert_eq!(error("function m:f/300"), "1:14: the number is too large");
    let head = "function m:f/0 () captured 0 registers 0\nb0:\n";
    assert_eq!(error(&format!("{head}  return %a\n")), "3:11: a number expected");
    assert_eq!(error(&format!("{head}  return {{a,]}}\n")), "3:13: a term expected, ']' found");
    assert_eq!(error(&format!("{head}  %0 = copy a\n")), "3:14: the text ends too early");
    assert_eq!(error(&format!("{head}  return a b\n")), "3:11: the end of the line expected");
    assert_eq!(error("file \"abc"), "1:7: a closing '\"' is missing");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        if let Ok(unit) = Unit::read(&text) {
            verify(&unit);
        }
    }

    /// One character of a good text is changed: what still reads prints as text that reads the same.
    #[test]
    fn damaged_text_is_read_or_refused(at in 0..SAMPLE.len(), with in any::<char>(), drop in 0usize..4) {
        let before: String = SAMPLE.chars().take(at).collect();
        let after: String = SAMPLE.chars().skip(at + drop).collect();
        if let Ok(unit) = Unit::read(&format!("{before}{with}{after}")) {
            verify(&unit);
            let text = unit.to_string();
            prop_assert_eq!(Unit::read(&text).unwrap().to_string(), text);
        }
    }

    /// Lines of a good text in any order.
    #[test]
    fn shuffled_lines_are_read_or_refused(lines in prop::collection::vec(0..SAMPLE.lines().count(), 1..60)) {
        let all: Vec<&str> = SAMPLE.lines().collect();
        let text: Vec<&str> = lines.iter().map(|at| all[*at]).collect();
        if let Ok(unit) = Unit::read(&text.join("\n")) {
            verify(&unit);
        }
    }
}
