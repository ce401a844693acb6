//! Texts that a regular expression may match, and some beside them.

use std::collections::BTreeMap;

use super::pattern::{Choice, Item, Piece};

/// Texts given at most.
const MOST: usize = 32;
/// Characters of a text at most.
const LONGEST: usize = 4_096;

/// The wishes for a match.
#[derive(Default, Debug)]
pub struct Wanted {
    /// The texts that groups have captured.
    pub texts: BTreeMap<u32, Vec<u32>>,
    /// The lengths of captured texts.
    pub lengths: Vec<u32>,
}

/// Texts to try: those with what is wanted first, then matches that differ in alternatives, repetitions and characters,
/// then some that hardly match.
pub fn subjects(pattern: &Choice, wanted: &Wanted) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = wanted.texts.get(&0).into_iter().cloned().collect();
    for texts in sets(&wanted.texts) {
        let extras = wanted.lengths.iter().flat_map(|length| [*length, length.saturating_sub(1)]);
        for extra in [1, 0].into_iter().chain(extras) {
            add(&mut found, write(pattern, Plan { extra, branch: 0, char: 0 }, &texts));
        }
        add(&mut found, write(pattern, Plan { extra: 1, branch: 1, char: 1 }, &texts));
    }
    let plain = BTreeMap::new();
    for extra in [2, 4] {
        add(&mut found, write(pattern, Plan { extra, branch: 0, char: 0 }, &plain));
    }
    for turn in 2..=8 {
        add(&mut found, write(pattern, Plan { extra: turn as u32 % 3, branch: turn, char: turn }, &plain));
    }
    found.truncate(MOST - 4);
    if let Some(first) = found.first().cloned() {
        add(&mut found, first[..first.len().saturating_sub(1)].to_vec());
        add(&mut found, first.iter().skip(1).copied().collect());
        add(&mut found, first.iter().copied().chain([33]).collect());
        add(&mut found, std::iter::once(33).chain(first).collect());
    }
    found
}

/// All that is wanted, each part of it, and nothing.
fn sets(wanted: &BTreeMap<u32, Vec<u32>>) -> Vec<BTreeMap<u32, Vec<u32>>> {
    let single = |(number, text): (&u32, &Vec<u32>)| BTreeMap::from([(*number, text.clone())]);
    let mut sets = vec![wanted.clone()];
    sets.extend(wanted.iter().map(single).filter(|_| wanted.len() > 1));
    sets.push(BTreeMap::new());
    sets
}

fn add(found: &mut Vec<Vec<u32>>, text: Vec<u32>) {
    if !found.contains(&text) && text.len() <= LONGEST {
        found.push(text);
    }
}

/// The choices where there is one.
#[derive(Clone, Copy)]
struct Plan {
    /// Repetitions beyond those that must be.
    extra: u32,
    branch: usize,
    char: usize,
}

struct Writer<'a> {
    plan: Plan,
    wanted: &'a BTreeMap<u32, Vec<u32>>,
    captured: BTreeMap<u32, Vec<u32>>,
    text: Vec<u32>,
}

fn write(pattern: &Choice, plan: Plan, wanted: &BTreeMap<u32, Vec<u32>>) -> Vec<u32> {
    let mut writer = Writer { plan, wanted, captured: BTreeMap::new(), text: Vec::new() };
    writer.choice(pattern);
    writer.text
}

impl Writer<'_> {
    fn choice(&mut self, choice: &Choice) {
        if let Some(branch) = choice.get(self.plan.branch % choice.len().max(1)) {
            branch.iter().for_each(|piece| self.piece(piece));
        }
    }

    fn piece(&mut self, piece: &Piece) {
        let times = piece.least.saturating_add(self.plan.extra);
        let times = piece.most.map_or(times, |most| times.min(most.max(piece.least)));
        for turn in 0..times as usize {
            if self.text.len() > LONGEST {
                return;
            }
            self.item(&piece.item, turn);
        }
    }

    fn item(&mut self, item: &Item, turn: usize) {
        match item {
            Item::Set(set) => self.text.push(member(set, self.plan.char + turn * self.plan.char.min(1))),
            Item::Same(number) => {
                let text = self.captured.get(number).cloned().unwrap_or_default();
                self.text.extend(text);
            }
            Item::Group { inside, number, .. } => {
                let start = self.text.len();
                match number.and_then(|number| self.wanted.get(&number)) {
                    Some(text) => self.text.extend(text),
                    None => self.choice(inside),
                }
                if let Some(number) = number {
                    self.captured.insert(*number, self.text[start..].to_vec());
                }
            }
        }
    }
}

/// Characters that people use come first.
const USUAL: &str = "a0Azx9Z1_- .:/b5=,mM";

/// The member of a set with this number, counted around.
fn member(set: &[(u32, u32)], number: usize) -> u32 {
    let within = |point: u32| set.iter().any(|(low, high)| (*low..=*high).contains(&point));
    let usual = USUAL.chars().map(u32::from).filter(|point| within(*point));
    let ends = set.iter().flat_map(|(low, high)| [*low, *high]).filter(|point| char::from_u32(*point).is_some());
    let all: Vec<u32> = usual.chain(ends).collect();
    all.get(number % all.len().max(1)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::pattern::parse;
    use super::*;

    fn texts(pattern: &str) -> Vec<String> {
        let parsed = parse(pattern, false).expect(pattern);
        let text = |points: &Vec<u32>| points.iter().filter_map(|point| char::from_u32(*point)).collect();
        subjects(&parsed, &Wanted::default()).iter().map(text).collect()
    }

    #[test]
    fn what_is_written_is_of_the_pattern() {
        assert_eq!(texts("^[a-z]+=[0-9]+$")[..3], ["aa=00", "a=0", "zx=91"]);
        assert_eq!(texts("^(get|put|delete) /\\w{2}$")[..3], ["get /aa", "put /0A", "delete /Az"]);
        assert!(texts("(a|b)\\1x").contains(&"bbx".to_owned()));
        assert_eq!(texts("\\x41\\.[[:digit:]]{2,3}")[0], "A.000");
        assert!(texts("(?i)(?:ab){2}(?=c)c?")[0].starts_with("abab"));
    }

    #[test]
    fn what_makes_no_sense_is_no_pattern() {
        for pattern in ["(", "[a", "a)", "\\", "[]", "(?P>x)", "[[:nothing:]]"] {
            assert_eq!(parse(pattern, false), None, "{pattern}");
        }
    }

    #[test]
    fn captured_texts_are_put_in() {
        let parsed = parse("^(\\w+)=(\\d+)$", false).expect("a pattern");
        let wanted = Wanted { texts: BTreeMap::from([(2, vec![52, 50])]), lengths: Vec::new() };
        assert_eq!(subjects(&parsed, &wanted)[0], [97, 97, 61, 52, 50]);
    }
}
