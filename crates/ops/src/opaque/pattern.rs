//! Regular expressions as trees: as much of them as is needed to guess what they match. What is not understood is left
//! out, since nothing rests on a guess.

/// Alternatives, each a sequence of pieces.
pub type Choice = Vec<Vec<Piece>>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    pub item: Item,
    pub least: u32,
    /// Without a bound if `None`.
    pub most: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// Characters from and to, both included.
    Set(Vec<(u32, u32)>),
    /// What is inside, and the number and name it is captured by.
    Group { inside: Choice, number: Option<u32>, name: Option<String> },
    /// The same text as a group.
    Same(u32),
}

const LAST: u32 = 0x10_ffff;
const DIGITS: &[(u32, u32)] = &[(48, 57)];
const WORD: &[(u32, u32)] = &[(48, 57), (65, 90), (95, 95), (97, 122)];
const SPACE: &[(u32, u32)] = &[(9, 13), (32, 32)];
/// Nesting deeper than this is nobody's pattern.
const DEEPEST: u32 = 64;
/// Repetitions that are written down and more than this are not guessed at.
const MOST_TIMES: u32 = 1_000;

/// Reads a pattern; `extended` is the option to ignore white space and remarks. `None` if it makes no sense here.
pub fn parse(pattern: &str, extended: bool) -> Option<Choice> {
    let mut reader = Reader { text: pattern.chars().collect(), at: 0, groups: 0, depth: 0, extended };
    let choice = reader.choice()?;
    (reader.at == reader.text.len()).then_some(choice)
}

struct Reader {
    text: Vec<char>,
    at: usize,
    groups: u32,
    depth: u32,
    extended: bool,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let there = self.text.iter().skip(self.at).copied().take(wanted.chars().count()).eq(wanted.chars());
        self.at += if there { wanted.chars().count() } else { 0 };
        there
    }

    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.next()? {
                found if found == end => return Some(text),
                other => text.push(other),
            }
        }
    }

    fn choice(&mut self) -> Option<Choice> {
        let mut all = vec![Vec::new()];
        while let Some(next) = self.peek().filter(|next| *next != ')') {
            if next == '|' {
                self.at += 1;
                all.push(Vec::new());
            } else if let Some(piece) = self.piece()? {
                all.last_mut()?.push(piece);
            }
        }
        Some(all)
    }

    /// A piece, unless what stands there matches no text by itself.
    fn piece(&mut self) -> Option<Option<Piece>> {
        let item = match self.next()? {
            '^' | '$' => None,
            '.' => Some(Item::Set(but(&[(10, 10)]))),
            '[' => Some(Item::Set(self.set()?)),
            '(' => self.group()?,
            '\\' => self.escape()?,
            '#' if self.extended => {
                while self.peek().is_some_and(|next| next != '\n') {
                    self.at += 1;
                }
                return Some(None);
            }
            space if self.extended && space.is_whitespace() => return Some(None),
            other => Some(one(other)),
        };
        let (least, most) = self.times();
        Some(item.map(|item| Piece { item, least, most }))
    }

    /// How often what was read may come.
    fn times(&mut self) -> (u32, Option<u32>) {
        let times = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.counted() {
                Some(times) => return self.greedy(times),
                None => return (1, Some(1)),
            },
            _ => return (1, Some(1)),
        };
        self.at += 1;
        self.greedy(times)
    }

    /// Greedy or not, the same texts match.
    fn greedy<T>(&mut self, times: T) -> T {
        if matches!(self.peek(), Some('+' | '?')) {
            self.at += 1;
        }
        times
    }

    /// `{2}`, `{2,}`, `{2,5}`; anything else is plain text.
    fn counted(&mut self) -> Option<(u32, Option<u32>)> {
        let start = self.at;
        self.at += 1;
        let inside = self.until('}');
        let read = inside.and_then(|inside| match inside.split_once(',') {
            None => inside.parse().ok().map(|count| (count, Some(count))),
            Some((least, "")) => Some((least.parse().ok()?, None)),
            Some((least, most)) => Some((least.parse().ok()?, Some(most.parse().ok()?))),
        });
        let read = read.filter(|(least, _): &(u32, _)| *least <= MOST_TIMES);
        if read.is_none() {
            self.at = start;
        }
        read
    }

    fn group(&mut self) -> Option<Option<Item>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let (mut number, mut name, mut looks) = (None, None, false);
        if self.eat("?") {
            if self.eat("#") {
                self.until(')')?;
                self.depth -= 1;
                return Some(None);
            }
            if self.eat("=") || self.eat("!") || self.eat("<=") || self.eat("<!") {
                looks = true;
            } else if self.eat("<") || self.eat("P<") {
                name = Some(self.until('>')?);
            } else if self.eat("'") {
                name = Some(self.until('\'')?);
            } else if !self.eat(":") && !self.eat(">") && !self.eat("|") && self.flags()? == ')' {
                self.depth -= 1;
                return Some(None);
            }
            if name.is_some() {
                self.groups += 1;
                number = Some(self.groups);
            }
        } else {
            self.groups += 1;
            number = Some(self.groups);
        }
        let inside = self.choice()?;
        self.depth -= 1;
        if self.next()? != ')' {
            return None;
        }
        Some((!looks).then_some(Item::Group { inside, number, name }))
    }

    /// `i`, `x`, `-s` and the like, up to what ends them.
    fn flags(&mut self) -> Option<char> {
        let mut on = true;
        loop {
            match self.next()? {
                end @ (')' | ':') => return Some(end),
                '-' => on = false,
                'x' => self.extended = on,
                'i' | 'm' | 's' | 'J' | 'U' | 'X' => {}
                _ => return None,
            }
        }
    }

    /// After a backslash, outside of brackets.
    fn escape(&mut self) -> Option<Option<Item>> {
        let next = self.next()?;
        if let Some(set) = class(next) {
            return Some(Some(Item::Set(set)));
        }
        Some(match next {
            'b' | 'B' | 'A' | 'z' | 'Z' | 'G' | 'K' | 'E' => None,
            'Q' => {
                // Plain text up to the end mark.
                let mut plain = Vec::new();
                while !self.eat("\\E") {
                    let Some(next) = self.next() else { break };
                    plain.push(Piece { item: one(next), least: 1, most: Some(1) });
                }
                Some(Item::Group { inside: vec![plain], number: None, name: None })
            }
            'R' => Some(Item::Set(vec![(10, 10)])),
            '1'..='9' => Some(Item::Same(next.to_digit(10)?)),
            other => Some(Item::Set(vec![self.point(other).map(|point| (point, point))?])),
        })
    }

    /// The character that an escape means.
    fn point(&mut self, escape: char) -> Option<u32> {
        Some(match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'f' => 12,
            'v' => 11,
            'e' => 27,
            'a' => 7,
            '0' => 0,
            'x' if self.eat("{") => u32::from_str_radix(&self.until('}')?, 16).ok().filter(|point| *point <= LAST)?,
            'x' => {
                let digits: String =
                    self.text.iter().skip(self.at).take(2).take_while(|c| c.is_ascii_hexdigit()).collect();
                self.at += digits.len();
                if digits.is_empty() { 0 } else { u32::from_str_radix(&digits, 16).ok()? }
            }
            // Letters without a meaning here have one that is not known.
            letter if letter.is_ascii_alphanumeric() => return None,
            other => other as u32,
        })
    }

    /// After an opening bracket.
    fn set(&mut self) -> Option<Vec<(u32, u32)>> {
        let not = self.eat("^");
        let mut set: Vec<(u32, u32)> = Vec::new();
        let mut first = true;
        loop {
            let low = match self.next()? {
                ']' if !first => break,
                '[' if self.eat(":") => {
                    let name = self.until(':')?;
                    self.eat("]").then_some(())?;
                    set.extend(named(&name)?);
                    first = false;
                    continue;
                }
                '\\' => {
                    let next = self.next()?;
                    match class(next) {
                        Some(class) => {
                            set.extend(class);
                            first = false;
                            continue;
                        }
                        None if next == 'b' => 8,
                        None => self.point(next)?,
                    }
                }
                other => other as u32,
            };
            first = false;
            let ranges = self.peek() == Some('-') && self.text.get(self.at + 1).is_some_and(|next| *next != ']');
            let high = if ranges {
                self.at += 1;
                match self.next()? {
                    '\\' => {
                        let next = self.next()?;
                        self.point(next)?
                    }
                    other => other as u32,
                }
            } else {
                low
            };
            set.push((low, high));
        }
        let set = if not { but(&set) } else { set };
        (!set.is_empty()).then_some(set)
    }
}

fn one(char: char) -> Item {
    Item::Set(vec![(char as u32, char as u32)])
}

/// All characters but these.
fn but(set: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut sorted = set.to_vec();
    sorted.sort_unstable();
    let (mut rest, mut next) = (Vec::new(), 0);
    for (low, high) in sorted {
        if low > next {
            rest.push((next, low - 1));
        }
        next = next.max(high + 1);
    }
    if next <= LAST {
        rest.push((next, LAST));
    }
    rest
}

fn class(letter: char) -> Option<Vec<(u32, u32)>> {
    Some(match letter {
        'd' => DIGITS.to_vec(),
        'w' => WORD.to_vec(),
        's' => SPACE.to_vec(),
        'h' => vec![(9, 9), (32, 32)],
        'D' => but(DIGITS),
        'W' => but(WORD),
        'S' => but(SPACE),
        'N' => but(&[(10, 10)]),
        _ => return None,
    })
}

/// The classes that have names in brackets.
fn named(name: &str) -> Option<Vec<(u32, u32)>> {
    if let Some(name) = name.strip_prefix('^') {
        return named(name).map(|set| but(&set));
    }
    Some(match name {
        "alpha" => vec![(65, 90), (97, 122)],
        "digit" => DIGITS.to_vec(),
        "alnum" => vec![(48, 57), (65, 90), (97, 122)],
        "upper" => vec![(65, 90)],
        "lower" => vec![(97, 122)],
        "space" => SPACE.to_vec(),
        "blank" => vec![(9, 9), (32, 32)],
        "punct" => vec![(33, 47), (58, 64), (91, 96), (123, 126)],
        "xdigit" => vec![(48, 57), (65, 70), (97, 102)],
        "word" => WORD.to_vec(),
        "print" => vec![(32, 126)],
        "graph" => vec![(33, 126)],
        "cntrl" => vec![(0, 31), (127, 127)],
        _ => return None,
    })
}
