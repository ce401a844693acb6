//! The operations of the `ets` module. The machine has the tables of a run.

use crate::policy::Policy;
use crate::{EtsOp, Operation, Rule};

pub(crate) const OPERATIONS: &[Operation] = &[
    table("all", 0, EtsOp::All),
    table("delete", 1, EtsOp::Delete),
    table("delete", 2, EtsOp::Delete),
    table("delete_object", 2, EtsOp::DeleteObject),
    table("first", 1, EtsOp::First),
    table("give_away", 3, EtsOp::GiveAway),
    table("info", 1, EtsOp::Info),
    table("info", 2, EtsOp::Info),
    table("insert", 2, EtsOp::Insert),
    table("insert_new", 2, EtsOp::InsertNew),
    table("internal_delete_all", 2, EtsOp::DeleteAll),
    table("internal_select_delete", 2, EtsOp::SelectDelete).prelude("ets", "select_delete"),
    table("is_compiled_ms", 1, EtsOp::IsCompiled),
    table("last", 1, EtsOp::Last),
    table("lookup", 2, EtsOp::Lookup),
    table("lookup_element", 3, EtsOp::LookupElement),
    table("match", 1, EtsOp::Continue),
    table("match", 2, EtsOp::Match).prelude("ets", "match"),
    table("match", 3, EtsOp::Match),
    table("match_object", 1, EtsOp::Continue),
    table("match_object", 2, EtsOp::MatchObject).prelude("ets", "match_object"),
    table("match_object", 3, EtsOp::MatchObject),
    table("match_spec_compile", 1, EtsOp::Compile),
    table("match_spec_run_r", 3, EtsOp::RunCompiled),
    table("member", 2, EtsOp::Member),
    table("new", 2, EtsOp::New),
    table("next", 2, EtsOp::Next),
    table("prev", 2, EtsOp::Prev),
    table("rename", 2, EtsOp::Rename),
    table("safe_fixtable", 2, EtsOp::SafeFixtable),
    table("select", 1, EtsOp::Continue),
    table("select", 2, EtsOp::Select).prelude("ets", "select"),
    table("select", 3, EtsOp::Select),
    table("select_count", 2, EtsOp::SelectCount).prelude("ets", "select_count"),
    table("select_replace", 2, EtsOp::SelectReplace),
    table("select_reverse", 1, EtsOp::Continue),
    table("select_reverse", 2, EtsOp::SelectReverse).prelude("ets", "select_reverse"),
    table("select_reverse", 3, EtsOp::SelectReverse),
    table("setopts", 2, EtsOp::SetOptions),
    table("slot", 2, EtsOp::Slot),
    table("take", 2, EtsOp::Take),
    table("update_counter", 3, EtsOp::UpdateCounter).prelude("ets", "update_counter"),
    table("update_counter", 4, EtsOp::UpdateCounter).prelude("ets", "update_counter"),
    table("update_element", 3, EtsOp::UpdateElement).prelude("ets", "update_element"),
    table("whereis", 1, EtsOp::Whereis),
    Operation::code("tab2list", 1).rule(Rule::Ets(EtsOp::List)),
];

const fn table(name: &'static str, arity: u8, operation: EtsOp) -> Operation {
    Operation::vm(name, arity, Policy::State).rule(Rule::Ets(operation))
}
