//! Names of processes, ports and references in texts: `<0.85.0>`, `#Ref<0.1.2.3>`, `#PID<0.85.0>`, `#Port<0.5>`.

/// A text whose names have no numbers; their sort is left. Where there are any it has no blanks either: a printer breaks its
/// lines as long names have it.
pub fn without(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let (mut rest, mut is_named) = (text, false);
    while let Some((byte, after)) = rest.split_first() {
        out.push(*byte);
        rest = match numbers(after) {
            Some((count, behind)) if *byte == b'<' && (count >= 3 || out.ends_with(b"#Port<")) => {
                is_named = true;
                behind
            }
            _ => after,
        };
    }
    out.retain(|byte| !is_named || !byte.is_ascii_whitespace());
    out
}

/// The count of numbers with points between them, and the text from the `>` on that follows them.
fn numbers(text: &[u8]) -> Option<(usize, &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
    let (inner, behind) = text.split_at(end);
    let mut parts = inner.split(|byte| *byte == b'.');
    (behind.starts_with(b">") && parts.clone().all(|part| !part.is_empty())).then(|| (parts.by_ref().count(), behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_as_names_have_it() {
        assert_eq!(without(b"%T{pid: #PID<0.1.1>}"), without(b"%T{\n  pid: #PID<0.11785.0>\n}"));
        assert_eq!(without(b"a  <0.1> b"), b"a  <0.1> b");
    }
}
