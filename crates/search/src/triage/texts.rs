//! Crashes on the same text: those that the program also raises on purpose, and those of a text that it checks nowhere.

use term::Mfa;

use super::context::FindingTexts;
use crate::finding::{DefectKind, Finding};
use crate::rank::{FindingRank, FindingRoot, Ranking};

/// Bugs on the texts of one argument which say that these are checked nowhere: all crashes on them have that root.
const MANY: usize = 8;

/// Settles the ranks and roots of crashes that depend on texts, given the texts of each.
pub(super) fn settle(findings: &mut [Finding], texts: &[FindingTexts], function: Mfa) {
    for at in 0..findings.len() {
        let finding = &findings[at];
        let (DefectKind::Crash(class, _), FindingRank::Bug) = (&finding.key.kind, finding.ranking.rank) else {
            continue;
        };
        let is_same = |(other, its): (&Finding, &FindingTexts)| {
            let is_declared = other.ranking.rank == FindingRank::Declared && other.key.kind == finding.key.kind;
            is_declared && its.failed == texts[at].failed
        };
        if let Some(FindingRoot::Text { argument, .. }) = &texts[at].failed
            && findings.iter().zip(texts).any(is_same)
        {
            let reason =
                format!("{function} raises the same {class} on purpose for other texts of argument {argument}");
            (findings[at].ranking, findings[at].root) = (Ranking::new(FindingRank::Declared, reason), None);
        } else if let (Some(text), None) = (&texts[at].last, &finding.root)
            && findings.iter().filter(|other| other.root.as_ref() == Some(text)).count() >= MANY
        {
            findings[at].root = Some(text.clone());
        }
    }
}
