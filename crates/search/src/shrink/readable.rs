//! Witnesses that a person can read: characters of texts that nothing asks about become letters.

use constraint::{Grammar, MapField, RuleId, Shape, Stimulus};
use num_bigint::BigInt;
use term::{Bits, Map, Term};

use super::Candidate;

/// The letter that stands for any.
const LETTER: u8 = b'a';
/// Characters that are tried one by one.
const SINGLE: usize = 24;

/// Replaces characters of texts that are not printable, as far as the stimulus still shows what it is to show; `rules` are
/// those of the inputs.
pub fn readable(
    grammar: &Grammar,
    rules: &[RuleId],
    stimulus: Stimulus,
    mut look: impl FnMut(&Stimulus) -> Candidate,
) -> Stimulus {
    let mut best = stimulus;
    if best.inputs.len() != rules.len() {
        return best;
    }
    let (all, met) = replaced(grammar, rules, &best, None);
    if met == 0 || look(&all) == Candidate::Kept {
        return all;
    }
    let mut skipped = 0;
    for _ in 0..met.min(SINGLE) {
        let (one, _) = replaced(grammar, rules, &best, Some(skipped));
        match look(&one) {
            Candidate::Kept => best = one,
            _ => skipped += 1,
        }
    }
    best
}

/// A stimulus with its characters replaced, all of them or one, and the number of those that could be.
fn replaced(grammar: &Grammar, rules: &[RuleId], stimulus: &Stimulus, only: Option<usize>) -> (Stimulus, usize) {
    let mut texts = Texts { grammar, only, met: 0 };
    let inputs = stimulus.inputs.iter().zip(rules).map(|(input, rule)| texts.input(*rule, input)).collect();
    (Stimulus { inputs, schedule: stimulus.schedule.clone() }, texts.met)
}

/// The replacement of characters, all of them or only one.
struct Texts<'g> {
    grammar: &'g Grammar,
    /// The number of the only one.
    only: Option<usize>,
    /// The characters met so far that are not printable.
    met: usize,
}

impl Texts<'_> {
    /// An input with characters replaced where its rule has texts.
    fn input(&mut self, rule: RuleId, term: &Term) -> Term {
        term::deeper(|| match term {
            Term::Cons(..) => self.list(rule, term),
            Term::Tuple(_, items) => {
                let sized = |shape: &&Shape| matches!(shape, Shape::Tuple(rules) if rules.len() == items.len());
                let is_like = |rules: &[RuleId]| {
                    let literal = self.literal(*rules.first()?);
                    Some(literal.is_none_or(|literal| items.first() == Some(literal)))
                };
                let shapes = &self.grammar.rule(rule).shapes;
                let found = shapes.iter().filter(sized).find(|shape| is_like(&shape.parts()) == Some(true));
                let Some(Shape::Tuple(rules)) = found else { return term.clone() };
                let rules = rules.clone();
                Term::tuple(items.iter().zip(rules).map(|(item, rule)| self.input(rule, item)).collect::<Vec<_>>())
            }
            Term::Map(_, map) => self.map(rule, map),
            Term::Bits(_, bits) if bits.is_binary() && self.has(rule, |shape| matches!(shape, Shape::Bits { .. })) => {
                Term::bits(self.bytes(bits))
            }
            term => term.clone(),
        })
    }

    fn literal(&self, rule: RuleId) -> Option<&Term> {
        match &self.grammar.rule(rule).shapes[..] {
            [Shape::Literal(term)] => Some(term),
            _ => None,
        }
    }

    fn has(&self, rule: RuleId, is: impl Fn(&Shape) -> bool) -> bool {
        self.grammar.rule(rule).shapes.iter().any(is)
    }

    /// A list whose cells follow rules of cells.
    fn list(&mut self, rule: RuleId, list: &Term) -> Term {
        let (mut items, mut rule) = (Vec::new(), Some(rule));
        let mut cells = list.cells();
        for item in cells.by_ref() {
            let cell = rule.and_then(|rule| {
                self.grammar.rule(rule).shapes.iter().find_map(|shape| match shape {
                    Shape::Cons(head, tail) => Some((*head, *tail)),
                    _ => None,
                })
            });
            rule = cell.map(|(_, tail)| tail);
            items.push(match cell {
                Some((head, _)) if self.has(head, is_char) => self.char(item),
                Some((head, _)) => self.input(head, item),
                None => item.clone(),
            });
        }
        Term::list_with_tail(items, cells.rest().clone())
    }

    fn map(&mut self, rule: RuleId, map: &Map) -> Term {
        let fields = self.grammar.rule(rule).shapes.iter().find_map(|shape| match shape {
            Shape::Map(fields) => Some(fields.clone()),
            _ => None,
        });
        let Some(fields) = fields else { return Term::map(map.clone()) };
        let pairs: Vec<(Term, Term)> = map
            .iter()
            .map(|(key, value)| {
                let is_field = |field: &&MapField| self.literal(field.key).is_some_and(|literal| literal == key);
                let rule = fields.iter().find(is_field).map(|field| field.value);
                (key.clone(), rule.map_or_else(|| value.clone(), |rule| self.input(rule, value)))
            })
            .collect();
        Term::map(Map::from_pairs(pairs))
    }

    fn bytes(&mut self, bits: &Bits) -> Bits {
        let bytes: Vec<u8> =
            bits.to_bytes().iter().map(|byte| self.letter(u32::from(*byte)).unwrap_or(*byte)).collect();
        Bits::from_bits(bytes, bits.bit_len())
    }

    fn char(&mut self, term: &Term) -> Term {
        let point = term.as_i64().and_then(|point| u32::try_from(point).ok());
        let letter = point.and_then(|point| self.letter(point));
        letter.map_or_else(|| term.clone(), |letter| Term::int(i64::from(letter)))
    }

    /// The letter for a character that is not printable, if that one is to be replaced.
    fn letter(&mut self, point: u32) -> Option<u8> {
        if matches!(point, 32..=126) {
            return None;
        }
        self.met += 1;
        self.only.is_none_or(|only| only + 1 == self.met).then_some(LETTER)
    }
}

/// True for the integers of `char()`.
fn is_char(shape: &Shape) -> bool {
    let is = |bound: &Option<BigInt>, value: u32| *bound == Some(BigInt::from(value));
    matches!(shape, Shape::Integer { low, high } if is(low, 0) && is(high, 0x10_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grammar with `string()`, `binary()`, `[integer()]` and `{string(), binary()}`.
    fn rules() -> (Grammar, Vec<RuleId>) {
        let mut grammar = Grammar::default();
        let integer = |low: i64, high: i64| Shape::Integer { low: Some(low.into()), high: Some(high.into()) };
        let char = grammar.intern(vec![integer(0, 0x10_ffff)]);
        let any = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
        let mut list = |head: RuleId| {
            let rest = grammar.reserve();
            grammar.fill(rest, vec![Shape::Literal(Term::nil()), Shape::Cons(head, rest)]);
            rest
        };
        let (text, numbers) = (list(char), list(any));
        let binary = grammar.intern(vec![Shape::Bits { base: 0, unit: 8 }]);
        let pair = grammar.intern(vec![Shape::Tuple(vec![text, binary])]);
        grammar.close();
        (grammar, vec![text, binary, numbers, pair])
    }

    fn made_readable(inputs: &str, keeps: impl Fn(&str) -> bool) -> String {
        let (grammar, rules) = rules();
        let inputs = Term::read(inputs).unwrap_or_else(|error| panic!("{error}"));
        let inputs = inputs.proper_list().expect("a list");
        let shown = |inputs: &[Term]| inputs.iter().map(Term::to_string).collect::<Vec<_>>().join(" ");
        let look = |it: &Stimulus| if keeps(&shown(&it.inputs)) { Candidate::Kept } else { Candidate::Lost };
        shown(&readable(&grammar, &rules, Stimulus::from(inputs), look).inputs)
    }

    #[test]
    fn texts_get_letters_and_numbers_stay() {
        let inputs = "[[0, 955], <<0, 255>>, [0, 1], {[0], <<1>>}]";
        assert_eq!(made_readable(inputs, |_| true), "\"aa\" <<\"aa\">> [0,1] {\"a\",<<\"a\">>}");
        assert_eq!(
            made_readable("[\"ok\", <<\"b\">>, [], {[], <<>>}]", |_| panic!("nothing to try")),
            "\"ok\" <<\"b\">> [] {[],<<>>}"
        );
    }

    #[test]
    fn what_is_needed_stays() {
        let needs_a_zero = |text: &str| text.starts_with("[0,") || text.starts_with("[97,0]");
        let seen = made_readable("[[0, 0], <<7>>, [0], {[], <<>>}]", needs_a_zero);
        assert_eq!(seen, "[97,0] <<\"a\">> [0] {[],<<>>}");
    }
}
