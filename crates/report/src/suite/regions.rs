//! Files of which parts are written again: what a person has written between these parts, or changed in them, stays.
//!
//! A part stands between two comments. The first one names it and has a hash of its text: where the text has another hash,
//! a person has changed it.

/// Text with parts that are ours.
#[derive(Debug)]
pub(super) struct Regions {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
enum Piece {
    /// Lines of a person.
    Own(String),
    Part(Region),
}

/// A part that hound has written.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The name, without spaces.
    pub key: String,
    /// The hash of the text when it was written.
    pub hash: String,
    /// Whole lines.
    pub body: String,
    /// The first and the last line as they stand there; empty for a part that is not in a file yet.
    marks: [String; 2],
}

/// The words that begin a part, and those that end it.
const BEGIN: &str = "hound: begin ";
const END: &str = "hound: end";

impl Region {
    /// A part that is new.
    pub fn new(key: String, body: String) -> Region {
        Region { key, hash: hash(&body), body, marks: Default::default() }
    }

    fn is_changed(&self) -> bool {
        hash(&self.body) != self.hash
    }

    /// The text with its comments, which begin with these characters.
    fn text(&self, comment: &str) -> String {
        let [begin, end] = &self.marks;
        if begin.is_empty() {
            let Region { key, hash, body, .. } = self;
            return format!("{comment} {BEGIN}{key} {hash}\n{body}{comment} {END}\n");
        }
        format!("{begin}{}{end}", self.body)
    }
}

impl Regions {
    /// Reads a file; an error has the number of a line. A file without our parts is none of ours.
    pub fn read(text: &str) -> Result<Option<Regions>, (usize, String)> {
        let mut pieces = Vec::new();
        let mut open: Option<(usize, Region)> = None;
        for (line, number) in text.split_inclusive('\n').zip(1..) {
            let words = line.trim().trim_start_matches(['%', '#']).trim_start();
            if let Some(name) = words.strip_prefix(BEGIN) {
                let Some((key, hash)) = name.split_once(' ') else {
                    return Err((number, format!("`{BEGIN}` wants a name and a hash")));
                };
                if let Some((before, _)) = open {
                    return Err((before, format!("`{}` without `{END}`", BEGIN.trim_end())));
                }
                let (key, hash) = (key.to_owned(), hash.trim().to_owned());
                let marks = [line.to_owned(), String::new()];
                open = Some((number, Region { key, hash, body: String::new(), marks }));
            } else if words.trim_end() == END {
                let Some((_, mut region)) = open.take() else {
                    return Err((number, format!("`{END}` without `{}`", BEGIN.trim_end())));
                };
                region.marks[1] = line.to_owned();
                pieces.push(Piece::Part(region));
            } else if let Some((_, region)) = &mut open {
                region.body.push_str(line);
            } else if let Some(Piece::Own(own)) = pieces.last_mut() {
                own.push_str(line);
            } else {
                pieces.push(Piece::Own(line.to_owned()));
            }
        }
        if let Some((number, _)) = open {
            return Err((number, format!("`{}` without `{END}`", BEGIN.trim_end())));
        }
        let is_ours = pieces.iter().any(|piece| matches!(piece, Piece::Part(_)));
        Ok(is_ours.then_some(Regions { pieces }))
    }

    /// A new file that begins with these lines.
    pub fn new(opening: String) -> Regions {
        Regions { pieces: vec![Piece::Own(opening)] }
    }

    /// Writes parts again. Parts that are gone are left out if `is_over` says so of their names, but not those that a
    /// person has changed.
    pub fn update(&mut self, new: Vec<Region>, is_over: impl Fn(&str) -> bool) {
        let is_new = self.pieces.iter().all(|piece| matches!(piece, Piece::Own(_)));
        let mut open: Vec<Option<Region>> = new.into_iter().map(Some).collect();
        let mut pieces: Vec<Piece> = Vec::new();
        for piece in std::mem::take(&mut self.pieces) {
            let Piece::Part(old) = piece else {
                pieces.push(piece);
                continue;
            };
            let same = open.iter_mut().find(|new| new.as_ref().is_some_and(|new| new.key == old.key));
            let new = same.and_then(Option::take);
            match new {
                _ if old.is_changed() => pieces.push(Piece::Part(old)),
                Some(new) => pieces.push(Piece::Part(new)),
                None if is_over(&old.key) => drop_blank_line(&mut pieces),
                None => pieces.push(Piece::Part(old)),
            }
        }
        self.pieces = pieces;
        for region in open.into_iter().flatten() {
            if is_new || self.is_missing(&region.key) {
                self.insert(region);
            }
        }
    }

    /// True for a test that is not there in any form: a person may have made it their own, or taken away what is no test.
    fn is_missing(&self, key: &str) -> bool {
        let has = |piece: &Piece, number: &str| matches!(piece, Piece::Own(text) if text.contains(number));
        key.rsplit_once('-').is_some_and(|(_, number)| !self.pieces.iter().any(|piece| has(piece, number)))
    }

    /// Puts a part behind the last one of its function, or before the foot of the file.
    fn insert(&mut self, region: Region) {
        let family = |key: &str| key.rsplit_once('-').map_or(String::new(), |(name, _)| name.to_owned());
        let own = family(&region.key);
        let keys = || self.pieces.iter().map(|piece| if let Piece::Part(part) = piece { &part.key[..] } else { "" });
        let last = keys().rposition(|key| !own.is_empty() && family(key) == own).map(|at| at + 1);
        let at = last.or_else(|| keys().position(|key| key == FOOT)).unwrap_or(self.pieces.len());
        let is_first = self.pieces.iter().all(|piece| matches!(piece, Piece::Own(_)));
        let blank = Piece::Own("\n".to_owned());
        match (at == self.pieces.len(), is_first) {
            (true, true) => self.pieces.push(Piece::Part(region)),
            (true, false) => self.pieces.extend([blank, Piece::Part(region)]),
            (false, _) if last.is_some() => drop(self.pieces.splice(at..at, [blank, Piece::Part(region)])),
            (false, _) => drop(self.pieces.splice(at..at, [Piece::Part(region), blank])),
        }
    }

    /// The number of parts that are tests.
    pub fn tests(&self) -> usize {
        let is_test = |piece: &&Piece| matches!(piece, Piece::Part(part) if part.key.contains('-'));
        self.pieces.iter().filter(is_test).count()
    }

    /// The file; comments of new parts begin with these characters.
    pub fn text(&self, comment: &str) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Own(text) => text.clone(),
            Piece::Part(region) => region.text(comment),
        };
        self.pieces.iter().map(text).collect()
    }
}

/// The name of the part at the end of a file.
pub(super) const FOOT: &str = "foot";

/// Takes away the empty line before a part that is left out.
fn drop_blank_line(pieces: &mut [Piece]) {
    if let Some(Piece::Own(text)) = pieces.last_mut()
        && text.ends_with('\n')
        && (text == "\n" || text.ends_with("\n\n"))
    {
        text.pop();
    }
}

/// Eight hexadecimal digits of a text: FNV-1a, the same in every version.
pub(super) fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(key: &str, body: &str) -> Region {
        Region::new(key.to_owned(), body.to_owned())
    }

    fn written(regions: &[Region]) -> String {
        let mut file = Regions::new("%% Ours.\n".to_owned());
        file.update(regions.to_vec(), |_| false);
        file.text("%%")
    }

    fn again(text: &str, new: &[Region]) -> String {
        let mut file = Regions::read(text).expect("it reads").expect("it is ours");
        file.update(new.to_vec(), |key| key != "head");
        file.text("%%")
    }

    #[test]
    fn the_same_parts_give_the_same_file() {
        let parts = [region("head", "-module(m).\n"), region("f/1-01", "a.\n"), region("f/1-02", "b.\n")];
        let text = written(&parts);
        assert_eq!(again(&text, &parts), text);
        assert!(text.starts_with("%% Ours.\n%% hound: begin head "), "{text}");
    }

    #[test]
    fn what_a_person_has_written_stays() {
        let old =
            [region("head", "h.\n"), region("f/1-01", "a.\n"), region("g/1-02", "b.\n"), region("g/1-03", "c.\n")];
        let text = written(&old)
            .replace("b.\n", "mine.\n")
            .replace("%% hound: begin g/1-03", "my_test() -> ok.\n\n%% hound: begin g/1-03");
        let new = [region("head", "new.\n"), region("f/1-04", "d.\n"), region("g/1-02", "changed.\n")];
        let text = again(&text, &new);
        for kept in ["new.\n", "d.\n", "mine.\n", "my_test() -> ok.\n"] {
            assert!(text.contains(kept), "{kept} in {text}");
        }
        for gone in ["h.\n", "a.\n", "c.\n", "changed.\n"] {
            assert!(!text.contains(&format!("\n{gone}")), "{gone} in {text}");
        }
        assert_eq!(again(&text, &new), text);
    }

    #[test]
    fn a_test_that_lost_its_comments_is_the_persons() {
        let parts = [region("head", "h.\n"), region("f/1-0a1b", "f_1_0a1b_test() -> ok.\n")];
        let text = written(&parts);
        let without: String =
            text.split_inclusive('\n').filter(|line| !line.contains("f/1-0a1b") && !line.ends_with("end\n")).collect();
        let without = without.replace("h.\n", "h.\n%% hound: end\n");
        assert_eq!(again(&without, &parts), without);
    }

    #[test]
    fn broken_comments_are_errors_with_their_line() {
        assert_eq!(Regions::read("a\n%% hound: begin x 1\nb\n").expect_err("no end").0, 2);
        assert_eq!(Regions::read("%% hound: begin x 1\n# hound: begin y 1\n").expect_err("no end").0, 1);
        assert_eq!(Regions::read("a\n  # hound: end\n").expect_err("no begin").0, 2);
        assert_eq!(Regions::read("%% hound: begin x\n").expect_err("no hash").0, 1);
        assert!(Regions::read("-module(m).\n").expect("it reads").is_none());
    }
}
