//! What codes mean: a page for each kind of finding, rank, verdict, reason, error of use and ending of a run.

use search::{FindingCode, FindingRank, ReasonKind, Verdict};
use session::Failure;
use strum::{IntoEnumIterator, VariantNames};

use crate::ending::EndingName;
use crate::layout::{Layout, wrapped};

/// The pages, a file for each group of codes.
const FILES: [&str; 4] =
    [include_str!("findings.md"), include_str!("verdicts.md"), include_str!("reasons.md"), include_str!("errors.md")];

/// The likeness from which on a code may have been meant.
const LIKE: f64 = 0.6;

/// A group of codes that are listed together.
struct Group {
    title: &'static str,
    codes: Vec<&'static str>,
}

/// All codes that can be printed.
fn groups() -> [Group; 6] {
    let group = |title, codes| Group { title, codes };
    [
        group("findings", FindingCode::iter().map(FindingCode::name).collect()),
        group("ranks", FindingRank::iter().map(FindingRank::name).collect()),
        group("verdicts", Verdict::iter().map(Verdict::name).collect()),
        group("reasons of incomplete", ReasonKind::iter().map(Into::into).collect()),
        group("errors of use", Failure::VARIANTS.to_vec()),
        group("endings of a run", EndingName::iter().map(Into::into).collect()),
    ]
}

/// The text below each heading, by code.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pages = FILES.iter().flat_map(|file| file.split("\n## ").skip(1));
    pages.filter_map(|page| page.split_once('\n')).map(|(code, text)| (code, text.trim()))
}

/// Returns the page of a code, laid out for a width.
pub fn explained(code: &str, width: usize) -> Option<String> {
    let wanted = code.trim().replace(' ', "-");
    let is_meant = |name: &str| name.eq_ignore_ascii_case(&wanted) || same_but_dashes(name, &wanted);
    let (code, text) = pages().find(|(name, _)| is_meant(name))?;
    let titles: Vec<&str> =
        groups().iter().filter(|group| group.codes.contains(&code)).map(|group| group.title).collect();
    let mut out = format!("{code} ({})\n", titles.join(", "));
    for block in text.split("\n\n") {
        out.push('\n');
        match block.starts_with("    ") {
            true => out.push_str(block),
            false => out.push_str(&wrapped(&block.replace('\n', " "), Layout::Prose, (0, 0), width)),
        }
        out.push('\n');
    }
    Some(out)
}

fn same_but_dashes(left: &str, right: &str) -> bool {
    left.replace('_', "-").eq_ignore_ascii_case(&right.replace('_', "-"))
}

/// Returns the codes by group, each with the beginning of its page.
pub fn explained_codes(width: usize) -> String {
    let mut out = String::new();
    for Group { title, codes } in groups() {
        out.push_str(&format!("{title}:\n"));
        let longest = codes.iter().map(|code| code.len()).max().unwrap_or(0);
        for code in codes {
            let text = pages().find(|(name, _)| *name == code).map_or("", |(_, text)| text);
            let sentence = first_sentence(text);
            let indent = longest + 4;
            out.push_str(&format!(
                "  {code:longest$}  {}\n",
                wrapped(&sentence, Layout::Prose, (indent, indent), width)
            ));
        }
        out.push('\n');
    }
    out.push_str("hound explain CODE says more about one of them\n");
    out
}

/// The first sentence of a page, without what follows a colon.
fn first_sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let end = paragraph.find(". ").or_else(|| paragraph.find(": ")).unwrap_or(paragraph.len());
    paragraph[..end].trim_end_matches('.').to_owned()
}

/// Returns the codes that may have been meant by a word.
pub fn similar_codes(word: &str) -> Vec<&'static str> {
    let word = word.to_lowercase();
    let likeness = |code: &str| strsim::normalized_damerau_levenshtein(code, &word);
    let mut like: Vec<(&str, f64)> = pages().map(|(code, _)| (code, likeness(code))).collect();
    like.retain(|(code, likeness)| *likeness >= LIKE || word.len() > 3 && code.contains(&word));
    like.sort_by(|left, right| right.1.total_cmp(&left.1));
    like.into_iter().take(3).map(|(code, _)| code).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_has_one_page_and_every_page_a_code() {
        let codes: BTreeSet<&str> = groups().iter().flat_map(|group| group.codes.clone()).collect();
        let written: Vec<&str> = pages().map(|(code, _)| code).collect();
        let known: BTreeSet<&str> = written.iter().copied().collect();
        assert_eq!(written.len(), known.len(), "a page is there twice: {written:?}");
        assert_eq!(codes.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "codes without a page");
        assert_eq!(known.difference(&codes).collect::<Vec<_>>(), Vec::<&&str>::new(), "pages without a code");
    }

    #[test]
    fn a_page_says_what_it_means_and_what_to_do() {
        for (code, text) in pages() {
            let blocks: Vec<&str> = text.split("\n\n").filter(|block| !block.starts_with("    ")).collect();
            assert!(blocks.len() >= 2, "{code}: what it means, and what to do: {text}");
            assert!(!first_sentence(text).is_empty(), "{code}");
        }
    }

    #[test]
    fn words_are_found_however_they_are_written() {
        for word in ["bound-runs", "bound_runs", "Bound-Runs", "bound runs"] {
            assert!(explained(word, 80).is_some_and(|page| page.starts_with("bound-runs (reasons")), "{word}");
        }
        assert_eq!(explained("no such thing", 80), None);
        assert_eq!(similar_codes("badmtach").first(), Some(&"badmatch"));
        assert!(similar_codes("zzzzzz").is_empty());
    }

    #[test]
    fn pages_fit_their_width() {
        for (code, _) in pages() {
            let page = explained(code, 60).expect(code);
            let is_example = |line: &str| line.starts_with("    ");
            let long = page.lines().find(|line| line.chars().count() > 60 && !is_example(line));
            assert_eq!(long, None, "{code}");
        }
    }
}
