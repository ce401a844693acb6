//! The part of a line that an expression takes, by a light look at its characters.

/// Returns the end of the expression that begins at a place: a name with its arguments, a literal, an operator.
pub(super) fn extent(line: &str, start: usize) -> usize {
    let rest = &line[start..];
    let length = match rest.chars().next() {
        None => 0,
        Some('"') => quoted(rest).unwrap_or(1),
        Some('[' | '{' | '(') => bracketed(rest).unwrap_or(1),
        Some('<') if rest.starts_with("<<") => rest.find(">>").map_or(2, |at| at + 2),
        Some(first @ ('#' | '%' | '?' | '$')) => literal(rest, first).unwrap_or(1),
        Some(first) if is_of_name(first) || first == '\'' => name(rest),
        Some(_) => operator(rest),
    };
    start + length
}

/// Returns the beginning and the end of the text of a line, without its comment.
pub(super) fn whole(line: &str) -> (usize, usize) {
    let start = line.len() - line.trim_start().len();
    (start, line.trim_end().len().max(start))
}

/// A name with what it stands in (`lists:nth`, `Enum.map`), and the arguments if it is called.
fn name(rest: &str) -> usize {
    let mut end = 0;
    loop {
        let part = &rest[end..];
        end += match part.chars().next() {
            Some('\'') => quoted(part).unwrap_or(part.len()),
            _ => part.find(|char| !is_of_name(char)).unwrap_or(part.len()),
        };
        let mut after = rest[end..].chars();
        let is_joined = matches!(after.next(), Some(':' | '.'))
            && after.next().is_some_and(|next| is_of_name(next) && !next.is_ascii_digit() || next == '\'');
        if !is_joined {
            break;
        }
        end += 1;
    }
    end += rest[end..].chars().take_while(|char| matches!(char, '!' | '?')).count();
    match rest[end..].starts_with('(') {
        true => end + bracketed(&rest[end..]).unwrap_or_else(|| rest[end..].trim_end().len()),
        false => end,
    }
}

fn is_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '@'
}

/// A map, a record, a struct, a macro, or a character.
fn literal(rest: &str, first: char) -> Option<usize> {
    if first == '$' {
        return rest
            .char_indices()
            .nth(if rest.starts_with("$\\") { 3 } else { 2 })
            .map(|(at, _)| at)
            .or(Some(rest.len()));
    }
    let open = rest.find(|char: char| !is_of_name(char) && !matches!(char, '#' | '%' | '?' | '.'))?;
    match rest[open..].starts_with(['{', '(']) {
        true => bracketed(&rest[open..]).map(|length| open + length),
        false => Some(open),
    }
}

/// An operator: the characters that one is made of.
fn operator(rest: &str) -> usize {
    let is_other = |char: char| !"+-*/=<>|&!~^:\\".contains(char);
    rest.find(is_other).filter(|end| *end > 0).unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8))
}

/// The length of a quoted text, if it is closed.
fn quoted(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            char if char == quote => return Some(at + char.len_utf8()),
            _ => {}
        }
    }
    None
}

/// The length up to the bracket that closes the first one, if it is on the line.
fn bracketed(rest: &str) -> Option<usize> {
    let (mut open, mut at) = (0, 0);
    while let Some(char) = rest[at..].chars().next() {
        at += match char {
            '"' | '\'' => quoted(&rest[at..])?,
            '$' => literal(&rest[at..], '$')?,
            _ => char.len_utf8(),
        };
        match char {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marked part of a line, which begins at the `^`.
    fn marked(text: &str) -> String {
        let start = text.find('^').expect("a place");
        let line = text.replacen('^', "", 1);
        line[start..extent(&line, start)].to_owned()
    }

    #[test]
    fn an_expression_is_marked_with_its_arguments() {
        for (text, expected) in [
            ("f(X) -> 10 ^div X.", "div"),
            ("f(X) -> ^lists:nth(X, [1, \")\"]), ok.", "lists:nth(X, [1, \")\"])"),
            ("^change(0, _) -> [];", "change(0, _)"),
            ("f() -> ^'strange name'(1).", "'strange name'(1)"),
            ("f() -> ^error({a, [1]}).", "error({a, [1]})"),
            ("g(X) -> ^ok = X.", "ok"),
            ("g(X) -> ^{ok, Y} = X.", "{ok, Y}"),
            ("g(X) -> X ^=:= 1.", "=:="),
            ("g(X) -> X ^+ $).", "+"),
            ("g(X) -> ^f($), 1).", "f($), 1)"),
            ("  ^case X of", "case"),
            ("  ^call(X,", "call(X,"),
            ("  Enum.map(^String.to_integer!(x), y)", "String.to_integer!(x)"),
            ("  ^#{a => 1}, b", "#{a => 1}"),
            ("  ^%Shop{a: 1}, b", "%Shop{a: 1}"),
            ("  ^<<A, B>> = X", "<<A, B>>"),
            ("  ^\"text\" ++ X", "\"text\""),
            ("  ^X.", "X"),
            ("  ^)", ")"),
            ("  ^ä(é)", "ä(é)"),
        ] {
            assert_eq!(marked(text), expected, "{text}");
        }
        assert_eq!(whole("  a b "), (2, 5));
        assert_eq!((whole(""), whole("  ")), ((0, 0), (2, 2)));
    }
}
