//! What to do next: about a finding, and about what a search has left open.

use search::{DefectKind, Finding, FindingCode, FindingRank, Reason, ReasonKind, ReasonShape};
use session::job::JobResult;
use term::Class;

use super::wording::function_name;

/// Returns the next steps for a finding: the code to change, the rule that silences it, the page that says more.
pub(super) fn help(explored: &JobResult, finding: &Finding) -> String {
    let code = FindingCode::of(&finding.defect).name();
    let (change, rule) = (change(explored, finding), rule(finding));
    format!("{change}; --ignore {rule} silences it, hound explain {code} says more")
}

/// The code to change.
fn change(explored: &JobResult, finding: &Finding) -> String {
    let name = explored.notation().local(explored.function.function, explored.function.arity);
    match finding.ranking.rank {
        FindingRank::Declared => return "nothing, if callers know that it is raised on purpose".to_owned(),
        FindingRank::Doubtful => return format!("narrow the spec of {name} to the inputs that are meant"),
        FindingRank::Bug if finding.ranking.is_unspecified() => {
            return format!("write a -spec for {name} with the inputs that are meant, or handle these");
        }
        FindingRank::Bug => {}
    }
    match FindingCode::of(&finding.defect) {
        FindingCode::Undef => "correct the name, or say where the module is (--pa DIR)".to_owned(),
        FindingCode::Contract => format!("widen the result in the spec of {name}, or give another value"),
        FindingCode::Property | FindingCode::Assertion => {
            "the program or the check is wrong for these inputs: run the call".to_owned()
        }
        FindingCode::Deadlock | FindingCode::Leak => {
            "follow the schedule: a message is missing, or comes in another order".to_owned()
        }
        code => format!("{}, or narrow the spec of {name}", change_at(explored, code, finding)),
    }
}

/// The change where it fails.
fn change_at(explored: &JobResult, code: FindingCode, finding: &Finding) -> String {
    let at = function_name(explored, finding.key.function.unwrap_or(explored.function));
    let text = match code {
        FindingCode::FunctionClause if finding.key.via.is_none() => {
            return format!("add a clause of {at} for these arguments");
        }
        FindingCode::FunctionClause | FindingCode::Badarg => "check the arguments before the call",
        FindingCode::CaseClause | FindingCode::TryClause | FindingCode::ElseClause => "add a clause for this value",
        FindingCode::IfClause => "add a branch that is always true",
        FindingCode::Badmatch => "handle the other values with a case",
        FindingCode::Badarith => "guard the operation",
        FindingCode::Badkey => "give a default, or ask for the key in the type of the map",
        FindingCode::Loop => "let an argument come closer to the end of the loop in each round",
        _ => "handle these inputs",
    };
    text.to_owned()
}

/// The rule of `--ignore` that is about findings of this kind.
fn rule(finding: &Finding) -> String {
    match &finding.key.kind {
        DefectKind::Crash(class, shape) => {
            let class = match class {
                Class::Error => "error",
                Class::Exit => "exit",
                Class::Throw => "throw",
            };
            match shape {
                ReasonShape::Atom(name) | ReasonShape::Tagged(name, _) => crate::shell_word(&format!("{class}:{name}")),
                ReasonShape::Struct(name) => format!("{class}:{}", name.name().trim_start_matches("Elixir.")),
                ReasonShape::Other(_) => class.to_owned(),
            }
        }
        _ => finding.defect.kind_name().to_owned(),
    }
}

/// Returns what lifts a reason: an option where there is one.
pub(crate) fn lifted(reason: &Reason) -> String {
    let text = match reason.kind() {
        ReasonKind::Interrupted => "let it run to its end",
        ReasonKind::Time => "--time SECONDS allows more",
        ReasonKind::TotalTime => "--total-time SECONDS allows more",
        ReasonKind::Yielded => "--total-time SECONDS allows more, and so does exploring it alone",
        ReasonKind::SearchMemory | ReasonKind::RunMemory => "--memory MIB allows more",
        ReasonKind::Runs => "--runs N allows more",
        ReasonKind::Nodes | ReasonKind::Queries => "a narrower spec, or --pre, leaves less to try",
        ReasonKind::Depth => "--depth N allows more",
        ReasonKind::Size => "--size N allows larger ones",
        ReasonKind::Calls => "--calls N allows longer ones",
        ReasonKind::Sequences => "no option makes it a proof; --calls N tries longer ones",
        ReasonKind::Steps => "--steps N allows more",
        ReasonKind::Truncated => "--depth N and --steps N keep runs short",
        ReasonKind::SolverAbsent => "install z3; hound doctor says whether it answers",
        ReasonKind::SolverUnsupported | ReasonKind::SolverBudget => "a narrower spec, or --pre, leaves less to decide",
        ReasonKind::SolverWrong | ReasonKind::SolverBroken | ReasonKind::SolverDisputed => "please report it",
        ReasonKind::FirstInput => "give a call to begin with: 'm:f(1)'",
        ReasonKind::Gap | ReasonKind::Pin => {
            "docs/SUPPORT.md lists what is followed; a call to begin with tries other values"
        }
        ReasonKind::GivenFun => "explore a function that takes no fun",
        ReasonKind::NoCode => "compile its module with +debug_info",
        ReasonKind::Varying if *reason == Reason::NearTimer => "--clock any tries both orders",
        ReasonKind::Varying => "pass what it gives as an argument",
        ReasonKind::Opaque => "--learn FILE has calls to learn from",
        ReasonKind::Generator => "write the property as a function with a spec, for --property",
        ReasonKind::Refused => return refused(reason),
        ReasonKind::Unsupported => "--engine beam runs it on the VM",
        ReasonKind::Broken => "compile the module again",
        ReasonKind::MissingModule => "--pa DIR says where it is",
        ReasonKind::Release => "--erl PATH chooses another Erlang; OTP 25 is tested",
        ReasonKind::CompilerChange => "no option: the source and what was compiled differ there",
        ReasonKind::Vm => "--time SECONDS and --memory MIB allow more; hound doctor looks at the VM",
        ReasonKind::Divergence => "more --runs may reach it in another way",
        ReasonKind::Unconfirmed => "please report it",
        ReasonKind::Replay => "--time SECONDS and --memory MIB allow more",
        ReasonKind::Order => "--runs N tries more orders",
        ReasonKind::Waits => "explore a function that starts the processes which send it",
        ReasonKind::Schedules => "--schedules N and --runs N allow more",
    };
    text.to_owned()
}

fn refused(reason: &Reason) -> String {
    match reason {
        Reason::Refused { function, .. } => format!("--allow {function} lets it run"),
        _ => "--allow M:F/A lets it run".to_owned(),
    }
}
