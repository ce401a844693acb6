//! One example per feature of the structural member.

use constraint::{Arena, Condition, Expr, Grammar, Op, RuleId, Shape, Test, Type};
use num_bigint::BigInt;
use solve::integer::Arithmetic;
use solve::structural::{Structural, accepts, smallest};
use solve::{Answer, Budget, Query, UnknownReason};
use term::{Map, Term};

const BUDGET: Budget = Budget { choices: 10_000, rlimit: 1_000_000, walk: 0 };

/// A grammar, an arena and conditions under construction.
struct Case {
    grammar: Grammar,
    arena: Arena,
    inputs: Vec<RuleId>,
    conditions: Vec<Condition>,
    near: Vec<Term>,
}

impl Case {
    fn new(shapes: impl IntoIterator<Item = Vec<Shape>>) -> Case {
        let mut grammar = Grammar::default();
        let inputs = shapes.into_iter().map(|shapes| grammar.intern(shapes)).collect();
        Case { grammar, arena: Arena::new(), inputs, conditions: Vec::new(), near: Vec::new() }
    }

    fn any(count: usize) -> Case {
        Case::new(vec![vec![Shape::Any]; count])
    }

    fn x(&mut self, at: u32) -> Expr {
        self.arena.input(at)
    }

    fn term(&mut self, text: &str) -> Expr {
        let term = read(text);
        self.arena.literal(term)
    }

    fn is(&mut self, test: Test) -> &mut Case {
        self.conditions.push(Condition { test, holds: true });
        self
    }

    fn not(&mut self, test: Test) -> &mut Case {
        self.conditions.push(Condition { test, holds: false });
        self
    }

    fn answer(&self) -> Answer {
        let query = Query {
            arena: &self.arena,
            grammar: &self.grammar,
            inputs: &self.inputs,
            conditions: &self.conditions,
            near: &self.near,
        };
        Structural::new(Arithmetic).solve(&query, &BUDGET)
    }

    #[track_caller]
    fn found(&self) -> Vec<Term> {
        match self.answer() {
            Answer::Sat(inputs) => {
                assert!(inputs.iter().zip(&self.inputs).all(|(input, rule)| accepts(&self.grammar, *rule, input)));
                inputs
            }
            Answer::Unsat => panic!("none: {}", self.show()),
            Answer::Unknown(why) => panic!("{why:?}: {}", self.show()),
        }
    }

    #[track_caller]
    fn none(&self) {
        assert!(matches!(self.answer(), Answer::Unsat), "{}", self.show());
    }

    fn show(&self) -> String {
        self.conditions.iter().map(|condition| self.arena.show_condition(condition)).collect::<Vec<_>>().join(", ")
    }
}

fn read(text: &str) -> Term {
    Term::read(text).unwrap_or_else(|_| panic!("not a term: {text}"))
}

fn int(low: i64, high: i64) -> Shape {
    Shape::Integer { low: Some(BigInt::from(low)), high: Some(BigInt::from(high)) }
}

fn atom(name: &str) -> Shape {
    Shape::Literal(Term::atom_named(name))
}

fn list_of(grammar: &mut Grammar, item: Vec<Shape>) -> RuleId {
    let item = grammar.intern(item);
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(Term::nil()), Shape::Cons(item, list)]);
    list
}

#[test]
fn nothing_asked_gives_small_inputs() {
    let mut case = Case::new([vec![Shape::Any], vec![Shape::Atom], vec![int(3, 9)], vec![Shape::AnyTuple]]);
    let list = list_of(&mut case.grammar, vec![Shape::Any]);
    case.inputs.push(list);
    assert_eq!(Term::list(case.found()), read("[0, a, 3, {}, []]"));
}

#[test]
fn types_and_their_negations() {
    for wanted in [Type::Atom, Type::Boolean, Type::Integer, Type::Float, Type::Number, Type::List, Type::ProperList] {
        let mut case = Case::any(1);
        let x = case.x(0);
        case.is(Test::Type(x, wanted)).found();
        case.not(Test::Type(x, wanted)).none();
        let mut case = Case::any(1);
        let x = case.x(0);
        case.not(Test::Type(x, wanted)).found();
    }
    for wanted in
        [Type::Tuple, Type::Map, Type::Binary, Type::Bitstring, Type::Function, Type::Pid, Type::Port, Type::Reference]
    {
        let mut case = Case::any(1);
        let x = case.x(0);
        case.is(Test::Type(x, wanted)).found();
        let mut case = Case::any(1);
        let x = case.x(0);
        case.not(Test::Type(x, wanted)).found();
    }
}

#[test]
fn an_odd_number_of_bits_is_a_bitstring_and_no_binary() {
    let mut case = Case::any(1);
    let x = case.x(0);
    let found = case.is(Test::Type(x, Type::Bitstring)).not(Test::Type(x, Type::Binary)).found();
    assert_eq!(found, [read("<<0:1>>")]);
}

#[test]
fn a_list_that_ends_in_something_else() {
    let mut case = Case::any(1);
    let x = case.x(0);
    let found = case.is(Test::Cons(x)).not(Test::Type(x, Type::ProperList)).found();
    assert!(found[0].proper_list().is_none());
    let tail = case.arena.tail(x);
    let nil = case.term("[]");
    case.is(Test::Same(tail, nil)).none();
}

#[test]
fn arities() {
    let mut case = Case::any(1);
    let x = case.x(0);
    case.is(Test::Type(x, Type::Function)).not(Test::Arity(x, 1)).found();
    case.is(Test::Arity(x, 2)).found();
    case.is(Test::Arity(x, 1)).none();
}

#[test]
fn a_recursive_rule_is_opened_where_asked() {
    // -type e() :: {lit, 0..9} | {add, e(), e()} | {neg, e()}.
    let mut case = Case::new([vec![int(0, 9)], vec![atom("lit")], vec![atom("add")], vec![atom("neg")]]);
    let [number, lit, add, neg] = case.inputs[..] else { unreachable!() };
    let e = case.grammar.reserve();
    let shapes = vec![Shape::Tuple(vec![lit, number]), Shape::Tuple(vec![add, e, e]), Shape::Tuple(vec![neg, e])];
    case.grammar.fill(e, shapes);
    case.inputs = vec![e];
    let x = case.x(0);
    let [tag, left] = [0, 1].map(|at| case.arena.element(x, at));
    let (lit, zero) = (case.term("lit"), case.term("0"));
    case.is(Test::Tuple(x, 2)).not(Test::Same(tag, lit));
    assert_eq!(case.found(), [read("{neg, {lit, 0}}")]);
    let [inner, value] = [0, 1].map(|at| case.arena.element(left, at));
    case.is(Test::Same(inner, lit)).not(Test::Same(value, zero));
    assert_eq!(case.found(), [read("{neg, {lit, 1}}")]);
    let ten = case.term("9");
    case.is(Test::Less(ten, value)).none();
}

#[test]
fn parts_of_a_union_depend_on_each_other() {
    // {a, 1..3} | {b, x | y}
    let mut case = Case::new([vec![atom("a")], vec![int(1, 3)], vec![atom("b")], vec![atom("x"), atom("y")]]);
    let [a, number, b, name] = case.inputs[..] else { unreachable!() };
    let pair = case.grammar.intern(vec![Shape::Tuple(vec![a, number]), Shape::Tuple(vec![b, name])]);
    case.inputs = vec![pair];
    let x = case.x(0);
    let [tag, value] = [0, 1].map(|at| case.arena.element(x, at));
    let (a, y) = (case.term("a"), case.term("y"));
    case.is(Test::Type(value, Type::Atom));
    assert_eq!(case.found(), [read("{b, x}")]);
    case.is(Test::Same(value, y));
    assert_eq!(case.found(), [read("{b, y}")]);
    case.is(Test::Same(tag, a)).none();
}

#[test]
fn sameness_goes_down_and_never_round() {
    let mut case = Case::any(2);
    let (x, y) = (case.x(0), case.x(1));
    let one = case.term("1");
    let list = case.arena.cons(one, y);
    case.is(Test::Same(x, list));
    let found = case.found();
    assert_eq!(found[0], Term::cons(Term::int(1), found[1].clone()));
    case.is(Test::Same(x, y)).none();
}

#[test]
fn a_literal_is_checked_against_the_rule() {
    let mut case = Case::new([vec![Shape::Bits { base: 0, unit: 8 }, Shape::Map(vec![])]]);
    let x = case.x(0);
    let (bytes, bits) = (case.term("<<\"ab\">>"), case.term("<<1:3>>"));
    case.is(Test::Same(x, bytes));
    assert_eq!(case.found(), [read("<<\"ab\">>")]);
    let mut other = Case::new([vec![Shape::Bits { base: 0, unit: 8 }]]);
    let bits = other.arena.literal(case.arena.as_literal(bits).expect("a literal").clone());
    let x = other.x(0);
    other.is(Test::Same(x, bits)).none();
    let mut map = Case::any(1);
    let literal = map.arena.literal(Term::map(Map::from_pairs([(Term::int(1), Term::int(2))])));
    let x = map.x(0);
    map.is(Test::Same(x, literal));
    assert_eq!(map.found(), [read("#{1 => 2}")]);
}

#[test]
fn disequalities_take_the_next_smallest() {
    let mut case = Case::new([vec![Shape::Atom], vec![Shape::Atom], vec![atom("a"), atom("b")]]);
    let [x, y, z] = [0, 1, 2].map(|at| case.x(at));
    case.not(Test::Same(x, y)).not(Test::Same(y, z)).not(Test::Same(x, z));
    let found = case.found();
    assert!(found[0] != found[1] && found[1] != found[2] && found[0] != found[2]);
    let (a, b) = (case.term("a"), case.term("b"));
    case.not(Test::Same(z, a));
    assert_eq!(case.found()[2], read("b"));
    case.not(Test::Same(z, b)).none();
}

#[test]
fn three_different_ones_of_two_are_none() {
    let two = || vec![atom("a"), atom("b")];
    let mut case = Case::new([two(), two(), two()]);
    let [x, y, z] = [0, 1, 2].map(|at| case.x(at));
    case.not(Test::Same(x, y)).not(Test::Same(y, z)).not(Test::Same(x, z)).none();
}

#[test]
fn different_lists() {
    let mut case = Case::any(2);
    let list = list_of(&mut case.grammar, vec![int(0, 1)]);
    case.inputs = vec![list, list];
    let (x, y) = (case.x(0), case.x(1));
    let (left, right) = (case.arena.apply(Op::Length, &[x]), case.arena.apply(Op::Length, &[y]));
    let two = case.term("2");
    case.is(Test::Same(left, two)).is(Test::Same(right, two)).not(Test::Same(x, y));
    let found = case.found();
    assert!(found[0] != found[1]);
}

#[test]
fn lengths_are_integers() {
    let mut case = Case::any(1);
    let x = case.x(0);
    let length = case.arena.apply(Op::Length, &[x]);
    let (three, tail) = (case.term("3"), case.arena.tail(x));
    case.is(Test::Less(length, three)).is(Test::Cons(x)).is(Test::Cons(tail));
    assert_eq!(case.found(), [read("[0, 0]")]);
    let rest = case.arena.apply(Op::Length, &[tail]);
    case.not(Test::Less(rest, length)).none();
}

#[test]
fn lengths_that_a_rule_does_not_allow() {
    // Lists of pairs of cells: only even lengths.
    let mut case = Case::new([vec![int(0, 5)]]);
    let number = case.inputs[0];
    let even = case.grammar.reserve();
    let odd = case.grammar.intern(vec![Shape::Cons(number, even)]);
    case.grammar.fill(even, vec![Shape::Literal(Term::nil()), Shape::Cons(number, odd)]);
    case.inputs = vec![even];
    let x = case.x(0);
    let length = case.arena.apply(Op::Length, &[x]);
    let (two, four) = (case.term("2"), case.term("4"));
    case.is(Test::Less(two, length)).not(Test::Less(four, length));
    assert_eq!(case.found()[0].proper_list().map(|items| items.len()), Some(4));
    case.is(Test::Less(length, four)).none();
}

#[test]
fn sizes_are_integers() {
    let mut case = Case::any(1);
    let x = case.x(0);
    let size = case.arena.apply(Op::TupleSize, &[x]);
    let second = case.arena.element(x, 1);
    let (two, a) = (case.term("2"), case.term("a"));
    case.not(Test::Same(size, two)).is(Test::Same(second, a));
    assert_eq!(case.found(), [read("{0, a, 0}")]);
    case.not(Test::Tuple(x, 3)).is(Test::Less(two, size));
    assert_eq!(case.found()[0].as_tuple().map(<[Term]>::len), Some(4));
    case.is(Test::Less(size, two)).none();
}

#[test]
fn numbers_of_both_types() {
    let mut case = Case::any(1);
    let x = case.x(0);
    let one = case.term("1");
    case.is(Test::Equal(x, one)).not(Test::Same(x, one));
    assert_eq!(case.found(), [read("1.0")]);
    case.is(Test::Type(x, Type::Integer)).none();
    let mut case = Case::any(1);
    let x = case.x(0);
    let (one, two) = (case.term("{1}"), case.term("{1.0}"));
    case.is(Test::Equal(x, one)).not(Test::Same(x, one)).not(Test::Equal(x, two)).none();
}

#[test]
fn integers_beside_floats() {
    let mut case = Case::new([vec![int(0, 9)]]);
    let x = case.x(0);
    let (low, high) = (case.term("2.5"), case.term("3.0"));
    case.is(Test::Less(low, x)).not(Test::Less(high, x));
    assert_eq!(case.found(), [read("3")]);
    case.is(Test::Less(x, high)).none();
}

#[test]
fn the_order_of_types() {
    let mut case = Case::new([vec![Shape::Any], vec![Shape::Atom]]);
    let (x, y) = (case.x(0), case.x(1));
    case.is(Test::Less(x, y)).not(Test::Type(x, Type::Number)).found();
    case.is(Test::Type(x, Type::Tuple)).none();
    let mut case = Case::any(1);
    let list = case.term("[1]");
    case.is(Test::Less(list, x)).is(Test::Type(x, Type::Tuple)).none();
}

#[test]
fn the_order_of_atoms() {
    let mut case = Case::new([vec![Shape::Atom], vec![atom("b"), atom("d"), atom("f")]]);
    let (x, y) = (case.x(0), case.x(1));
    let (c, e) = (case.term("c"), case.term("e"));
    case.is(Test::Less(c, y)).is(Test::Less(y, e));
    assert_eq!(case.found()[1], read("d"));
    case.is(Test::Less(c, x)).is(Test::Less(x, y));
    case.found();
    let empty = case.term("''");
    case.is(Test::Less(x, empty)).none();
}

#[test]
fn the_order_of_lists_and_tuples() {
    let mut case = Case::any(1);
    let x = case.x(0);
    let (low, high) = (case.term("[1, 2]"), case.term("[1, 3]"));
    case.is(Test::Less(low, x)).is(Test::Less(x, high)).found();
    let mut case = Case::new([vec![int(0, 3)]]);
    let number = case.inputs[0];
    let pair = case.grammar.intern(vec![Shape::Tuple(vec![number, number])]);
    case.inputs = vec![pair];
    let x = case.x(0);
    let (low, high) = (case.term("{1, 2}"), case.term("{2, 0}"));
    case.is(Test::Less(low, x)).is(Test::Less(x, high));
    assert_eq!(case.found(), [read("{1, 3}")]);
    let last = case.term("{1, 3}");
    case.not(Test::Same(x, last)).none();
}

#[test]
fn only_what_must_move_moves() {
    let mut case = Case::any(2);
    case.near = vec![read("{point, [7, 8], <<\"name\">>}"), read("#{k => 5}")];
    let x = case.x(0);
    let list = case.arena.element(x, 1);
    let tail = case.arena.tail(list);
    let head = case.arena.head(tail);
    let eight = case.term("8");
    case.is(Test::Tuple(x, 3)).is(Test::Cons(list)).is(Test::Cons(tail)).not(Test::Same(head, eight));
    let found = case.found();
    assert_eq!(found[1], read("#{k => 5}"));
    let parts = found[0].as_tuple().expect("a tuple");
    assert_eq!(parts[0], read("point"));
    assert_eq!(parts[2], read("<<\"name\">>"));
    assert_eq!(parts[1].proper_list().map(|items| items[0].clone()), Some(Term::int(7)));
}

#[test]
fn operations_need_integers() {
    let mut case = Case::any(1);
    let x = case.x(0);
    let two = case.term("2");
    let double = case.arena.apply(Op::Mul, &[x, two]);
    let six = case.term("6");
    case.is(Test::Same(double, six));
    assert_eq!(case.found(), [read("3")]);
    case.is(Test::Type(x, Type::Atom)).none();
}

#[test]
fn a_value_that_ranges_leave_out() {
    let mut case = Case::new([vec![int(0, 2), int(6, 8)]]);
    let x = case.x(0);
    let (two, six) = (case.term("2"), case.term("6"));
    case.is(Test::Less(two, x));
    assert!(case.found()[0].as_i64() >= Some(6));
    case.is(Test::Less(x, six)).none();
}

#[test]
fn what_is_not_supported_is_not_claimed() {
    let mut case = Case::new([vec![Shape::Fun { params: Some(vec![]), result: RuleId(0) }]]);
    case.inputs = vec![RuleId(0)];
    assert!(matches!(case.answer(), Answer::Unknown(UnknownReason::Unsupported)));
}

#[test]
fn a_rule_without_values_has_no_inputs() {
    let mut case = Case::any(1);
    let endless = case.grammar.reserve();
    case.grammar.fill(endless, vec![Shape::Tuple(vec![endless])]);
    case.inputs = vec![endless];
    case.none();
    assert_eq!(smallest(&case.grammar, endless), None);
}

#[test]
fn long_lists_are_not_deep() {
    let mut case = Case::any(2);
    let items = vec![Term::int(1); 200_000];
    let literal = case.arena.literal(Term::list(items));
    let (x, y) = (case.x(0), case.x(1));
    case.is(Test::Same(x, literal)).is(Test::Same(x, y));
    assert_eq!(case.found()[0], case.found()[1]);
    let mut case = Case::any(1);
    let mut rest = case.x(0);
    for _ in 0..3_000 {
        case.is(Test::Cons(rest));
        rest = case.arena.tail(rest);
    }
    assert_eq!(case.found()[0].cells().count(), 3_000);
}

#[test]
fn maps_are_made_of_their_mandatory_fields() {
    let mut grammar = Grammar::default();
    let [key, value, other] =
        [vec![atom("k")], vec![int(4, 5)], vec![Shape::Atom]].map(|shapes| grammar.intern(shapes));
    let field = |key, value, mandatory| constraint::MapField { key, value, mandatory };
    let rule = grammar.intern(vec![Shape::Map(vec![field(key, value, true), field(other, other, false)])]);
    assert_eq!(smallest(&grammar, rule), Some(read("#{k => 4}")));
    let accepted = |text| accepts(&grammar, rule, &read(text));
    assert!(accepted("#{k => 5, a => b}"));
    for text in ["#{}", "#{k => 6}", "#{k => a}", "#{a => b}", "#{k => 4, a => 1}", "#{k => 4, 1 => a}", "k"] {
        assert!(!accepted(text), "{text}");
    }
}

#[test]
fn a_map_of_the_rule_stays_or_is_replaced() {
    let mut case = Case::any(1);
    let any = case.inputs[0];
    let field = constraint::MapField { key: any, value: any, mandatory: false };
    let map = case.grammar.intern(vec![Shape::Map(vec![field])]);
    case.inputs = vec![map];
    case.near = vec![read("#{a => 1}")];
    let x = case.x(0);
    let near = case.term("#{a => 1}");
    assert_eq!(case.found(), [read("#{a => 1}")]);
    case.not(Test::Same(x, near));
    assert_eq!(case.found(), [read("#{}")]);
    case.is(Test::Type(x, Type::Tuple)).none();
}

#[test]
fn lists_of_many_rules_are_followed_together() {
    let mut grammar = Grammar::default();
    let [a, b] = ["a", "b"].map(|name| grammar.intern(vec![atom(name)]));
    let (ends, goes) = (grammar.reserve(), grammar.reserve());
    // Lists of a whose last but one item is b.
    grammar.fill(ends, vec![Shape::Literal(Term::nil())]);
    let last = grammar.intern(vec![Shape::Cons(a, ends), Shape::Cons(b, ends)]);
    grammar.fill(goes, vec![Shape::Cons(a, goes), Shape::Cons(b, goes), Shape::Cons(b, last)]);
    let items = |count: usize, second: &str| {
        let mut items = vec![Term::atom_named("b"); count];
        items.extend([Term::atom_named(second), Term::atom_named("a")]);
        Term::list(items)
    };
    assert!(accepts(&grammar, goes, &items(10_000, "b")));
    assert!(!accepts(&grammar, goes, &items(10_000, "a")));
}

#[test]
fn literals_with_parts_are_told_apart() {
    let queues = ["{[],[]}", "{[0],[]}", "{[0],[1]}"].map(|text| Shape::Literal(read(text)));
    let mut case = Case::new([queues.to_vec()]);
    let x = case.x(0);
    let (first, second, nil) = (case.arena.element(x, 0), case.arena.element(x, 1), case.arena.literal(Term::nil()));
    case.not(Test::Same(first, nil)).not(Test::Same(second, nil));
    assert!(matches!(case.answer(), Answer::Sat(inputs) if inputs == [read("{[0],[1]}")]));
    case.conditions.clear();
    case.not(Test::Tuple(x, 2));
    assert!(matches!(case.answer(), Answer::Unsat));
    case.conditions.clear();
    let size = case.arena.apply(Op::TupleSize, &[x]);
    let two = case.arena.integer(2);
    case.is(Test::Less(size, two));
    assert!(matches!(case.answer(), Answer::Unsat));
}

#[test]
fn an_atom_that_differs_from_another_may_have_to_stand_before_a_third() {
    let mut case = Case::new([vec![Shape::Atom], vec![Shape::Atom]]);
    let (x, y, bound) = (case.x(0), case.x(1), case.term("'B'"));
    case.not(Test::Same(x, y)).is(Test::Less(x, bound));
    case.near = vec![read("ok"), read("no")];
    case.found();
}
