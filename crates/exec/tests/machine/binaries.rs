//! Bitstrings: building and matching.

use crate::world::{outcome, shown};

fn build(segments: &str) -> String {
    format!("function m:f/2 (%0, %1) captured 0 registers 4\nb0:\n  %2 = bits({segments}) @3:1\n  return %2")
}

fn segment(test: &str, size: &str) -> String {
    format!(
        "function m:f/1 (%0) captured 0 registers 6\nb0:\n  branch segment {test} (%0, {size}) -> (%1, %2) yes b1 no b2\n\
         b1:\n  %3 = tuple(%1, %2)\n  return %3\nb2:\n  return %0"
    )
}

#[test]
fn segments_of_every_kind_are_built() {
    let cases = [
        ("integer-unsigned-big-1 %0 16", "258, x", "<<1,2>>"),
        ("integer-unsigned-little-1 %0 16", "258, x", "<<2,1>>"),
        ("integer-signed-big-1 %0 4, integer-signed-big-1 %1 4", "-1, 2", "<<242>>"),
        ("integer-unsigned-big-8 %0 %1", "-2, 3", "<<255,255,254>>"),
        ("float-unsigned-big-1 %0 64", "1, x", "<<63,240,0,0,0,0,0,0>>"),
        ("bits-unsigned-big-8 %0 all, bits-unsigned-big-1 %1 all", "<<1,2>>, <<3:2>>", "<<1,2,3:2>>"),
        ("bits-unsigned-big-8 %0 %1", "<<1,2,3>>, 2", "<<1,2>>"),
        ("utf8-unsigned-big-0 %0 undefined", "8364, x", "<<226,130,172>>"),
        ("utf16-unsigned-little-0 %0 undefined", "65, x", "<<65,0>>"),
    ];
    for (segments, args, value) in cases {
        assert_eq!(outcome(&build(segments), "f", args), shown(value), "{segments}");
    }
}

#[test]
fn values_that_do_not_fit_are_badarg_with_the_cause() {
    let cases = [
        ("integer-unsigned-big-1 %0 8", "a, x", "{1,integer,type,a}"),
        ("integer-unsigned-big-1 1 8, integer-unsigned-big-1 %0 8", "1.5, x", "{2,integer,type,1.5}"),
        ("integer-unsigned-big-1 %0 %1", "1, -1", "{1,integer,size,-1}"),
        ("integer-unsigned-big-1 %0 %1", "1, a", "{1,integer,size,a}"),
        ("integer-unsigned-big-1 %0 8, integer-unsigned-big-1 1 %1", "a, b", "{2,integer,size,b}"),
        ("float-unsigned-big-1 %0 %1", "a, 64", "{1,float,type,a}"),
        ("float-unsigned-big-1 %0 %1", "1.0, 17", "{1,float,invalid,17}"),
        ("bits-unsigned-big-8 %0 all", "<<1:3>>, x", "{1,binary,unit,<<1:3>>}"),
        ("bits-unsigned-big-8 %0 all, integer-unsigned-big-1 %1 8", "<<1>>, x", "{2,integer,type,x}"),
        ("bits-unsigned-big-8 %0 all", "a, x", "{1,binary,type,a}"),
        ("bits-unsigned-big-8 %0 %1", "<<1>>, 2", "{1,binary,short,<<1>>}"),
        ("utf8-unsigned-big-0 %0 undefined", "55296, x", "{1,utf8,type,55296}"),
    ];
    for (segments, args, cause) in cases {
        let info = format!("#{{cause => {cause},function => format_bs_fail,module => erl_erts_errors}}");
        let location = format!("[{{file,\"m.erl\"}},{{line,3}},{{error_info,{info}}}]");
        let wanted = format!("error:badarg {}", shown(&format!("[{{m,f,2,{location}}}]")));
        assert_eq!(outcome(&build(segments), "f", args), wanted, "{segments}");
    }
    let huge = outcome(&build("integer-unsigned-big-1 %0 %1"), "f", "1, 1180591620717411303424");
    assert!(huge.starts_with("error:system_limit"), "{huge}");
}

#[test]
fn segments_of_every_kind_are_matched() {
    let cases = [
        ("integer-unsigned-big-1", "8", "<<200,1>>", "{200,<<1>>}"),
        ("integer-signed-big-1", "8", "<<200,1>>", "{-56,<<1>>}"),
        ("integer-unsigned-big-8", "2", "<<1,2,3>>", "{258,<<3>>}"),
        ("integer-unsigned-little-8", "2", "<<1,2,3>>", "{513,<<3>>}"),
        ("integer-unsigned-big-1", "3", "<<200>>", "{6,<<8:5>>}"),
        ("integer-unsigned-big-1", "8", "<<1:3>>", "<<1:3>>"),
        ("integer-unsigned-big-1", "72", "<<1,0,0,0,0,0,0,0,0>>", "{18446744073709551616,<<>>}"),
        ("float-unsigned-big-1", "64", "<<63,240,0,0,0,0,0,0>>", "{1.0,<<>>}"),
        ("float-unsigned-big-1", "64", "<<255,255,255,255,255,255,255,255>>", "<<255,255,255,255,255,255,255,255>>"),
        ("bits-unsigned-big-8", "all", "<<1,2>>", "{<<1,2>>,<<>>}"),
        ("bits-unsigned-big-8", "all", "<<1,2:3>>", "<<1,2:3>>"),
        ("bits-unsigned-big-8", "1", "<<1,2>>", "{<<1>>,<<2>>}"),
        ("utf8-unsigned-big-0", "undefined", "<<226,130,172,1>>", "{8364,<<1>>}"),
        ("utf8-unsigned-big-0", "undefined", "<<226,130>>", "<<226,130>>"),
    ];
    for (test, size, bits, value) in cases {
        assert_eq!(outcome(&segment(test, size), "f", bits), shown(value), "{test} {bits}");
    }
}

#[test]
fn matching_leaves_a_binary_that_is_still_wanted_alone() {
    let text = "function m:f/2 (%0, %1) captured 0 registers 9
b0:
  branch segment integer-unsigned-big-1 (%0, 8) -> (%2, %3) yes b1 no b4
b1:
  branch segment integer-unsigned-big-1 (%3, 8) -> (%4, %5) yes b2 no b4
b2:
  branch same(%4, %1) yes b3 no b4
b3:
  %6 = tuple(%2, %5, %3)
  return %6
b4:
  return %0";
    assert_eq!(outcome(text, "f", "<<1,2,3>>, 2"), "{1,<<3>>,<<2,3>>}");
    assert_eq!(outcome(text, "f", "<<1,2,3>>, 3"), "<<1,2,3>>");
    assert_eq!(outcome(text, "f", "<<1>>, 3"), "<<1>>");
}

#[test]
fn appending_to_a_dying_binary_gives_the_same_bits() {
    let text = "function m:f/2 (%0, %1) captured 0 registers 9
b0:
  branch cons(%1) -> (%2, %3) yes b1 no b2
b1:
  %4 = bits(bits-unsigned-big-1 %0 all, integer-unsigned-big-1 %2 8)
  tailcall local m:f/2(%4, %3)
b2:
  return %0
---
function m:g/1 (%0) captured 0 registers 9
b0:
  %1 = bits(bits-unsigned-big-1 %0 all, integer-unsigned-big-1 1 8)
  %2 = bits(bits-unsigned-big-1 %0 all, integer-unsigned-big-1 2 8)
  %3 = tuple(%0, %1, %2)
  return %3";
    assert_eq!(outcome(text, "f", "<<0>>, [1,2,3]"), "<<0,1,2,3>>");
    assert!(outcome(text, "f", "<<0>>, [1,a]").starts_with("error:badarg"));
    assert_eq!(outcome(text, "g", "<<0>>"), "{<<0>>,<<0,1>>,<<0,2>>}");
}
