//! Joins execution and solving: the tree of decisions, what to try next, findings and verdicts.
