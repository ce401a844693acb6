//! Functions, pids, ports and references as values: what they say about themselves.

use term::{Atom, Closure, Fun, Handle, HandleKind, Mfa, Style, Term, known};

use super::ask;
use crate::policy::Policy;
use crate::raise::{OrBadarg, badarg};
use crate::{Control, Environment, Eval, Fresh, Gives, HandleView, Number, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::pure("make_fun", 3, make_fun).rule(Rule::Control(Control::MakeFun)),
    Operation::running("fun_info", 2, fun_info).rule(Rule::FunInfo),
    Operation::running("fun_info_mfa", 1, fun_info_mfa).rule(Rule::FunInfo),
    Operation::running("fun_to_list", 1, fun_to_list).gives(Gives::List),
    Operation::running("pid_to_list", 1, |run, args| handle_to_list(run, "pid_to_list", args, HandleKind::Pid))
        .gives(Gives::List)
        .shows_handles(HandleView::Numbers),
    Operation::running("port_to_list", 1, |run, args| handle_to_list(run, "port_to_list", args, HandleKind::Port))
        .gives(Gives::List)
        .shows_handles(HandleView::Numbers),
    Operation::running("ref_to_list", 1, |run, args| handle_to_list(run, "ref_to_list", args, HandleKind::Reference))
        .gives(Gives::List)
        .shows_handles(HandleView::Numbers),
    Operation::pure("node", 0, |_| Ok(Term::atom_named(LOCAL))).guard().policy(Policy::Session),
    Operation::pure("node", 1, |args| Ok(Term::atom(handle(&args[0]).or_badarg()?.node))).guard(),
    Operation::running("self", 0, |run, _| Ok(run.own_pid()))
        .rule(Rule::Fresh(Fresh::Pid))
        .guard()
        .policy(Policy::State),
    Operation::running("make_ref", 0, |run, _| Ok(run.fresh_reference()))
        .rule(Rule::Fresh(Fresh::Reference))
        .policy(Policy::State),
    Operation::vm("unique_integer", 0, Policy::Session).rule(Rule::Number(Number::Unique)).gives(Gives::Integer),
    Operation::vm("unique_integer", 1, Policy::Session).rule(Rule::Number(Number::Unique)).gives(Gives::Integer),
    Operation::vm("system_info", 1, Policy::Session).rule(Rule::Number(Number::OfSystem)),
];

/// The name of a VM that is not part of a network.
const LOCAL: &str = "nonode@nohost";

fn handle(value: &Term) -> Option<&Handle> {
    match value {
        Term::Handle(_, handle) => Some(handle),
        _ => None,
    }
}

/// Things of other nodes are shown with numbers that the VM gives to those nodes.
fn handle_to_list(run: &mut dyn Environment, function: &str, args: &[Term], kind: HandleKind) -> Eval {
    let handle = handle(&args[0]).filter(|handle| handle.kind == kind).or_badarg()?;
    if handle.node.name() == LOCAL {
        return Ok(Term::string(&args[0].write(Style::Plain)));
    }
    ask(run, function, args)
}

fn fun_to_list(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    match &args[0] {
        Term::Fun(_, fun) if matches!(**fun, Fun::Foreign { .. } | Fun::Table(_)) => ask(run, "fun_to_list", args),
        Term::Fun(..) => Ok(Term::string(&args[0].write(Style::Plain))),
        _ => badarg(),
    }
}

fn fun_info(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let item = args[1].as_atom();
    let Term::Fun(_, fun) = &args[0] else { return badarg() };
    let value = match &**fun {
        Fun::External(mfa) => of_external(*mfa, item.or_badarg()?.name()),
        Fun::Closure(closure) if item.is_some_and(|item| item.name() == "new_uniq") => Some(digest(run, closure)?),
        Fun::Closure(closure) => of_closure(run, closure, item.or_badarg()?.name()),
        Fun::Table(table) if item.is_some_and(|item| item.name() == "arity") => {
            Some(Term::int(i64::from(table.arity())))
        }
        Fun::Foreign { .. } | Fun::Table(_) => return ask(run, "fun_info", args),
    };
    Ok(Term::tuple([args[1].clone(), value.or_badarg()?]))
}

/// `fun M:F/A`, whether there is such a function or not.
fn make_fun(args: &mut [Term]) -> Eval {
    let (module, function) = (args[0].as_atom().or_badarg()?, args[1].as_atom().or_badarg()?);
    let arity = args[2].as_i64().and_then(|arity| u8::try_from(arity).ok()).or_badarg()?;
    Ok(Term::fun(Fun::External(Mfa { module, function, arity })))
}

/// Module, name and arity at once.
fn fun_info_mfa(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let Term::Fun(_, fun) = &args[0] else { return badarg() };
    let (module, name, arity) = match &**fun {
        Fun::External(mfa) => (mfa.module, mfa.function, mfa.arity),
        Fun::Closure(closure) => (closure.module, closure.name, closure.arity),
        Fun::Foreign { .. } | Fun::Table(_) => return ask(run, "fun_info_mfa", args),
    };
    Ok(Term::tuple([Term::atom(module), Term::atom(name), Term::int(i64::from(arity))]))
}

fn of_external(mfa: Mfa, item: &str) -> Option<Term> {
    match item {
        "type" => Some(Term::atom_named("external")),
        "module" => Some(Term::atom(mfa.module)),
        "name" => Some(Term::atom(mfa.function)),
        "arity" => Some(Term::int(i64::from(mfa.arity))),
        "env" => Some(Term::nil()),
        "index" | "new_index" | "new_uniq" | "uniq" | "pid" | "refc" => Some(Term::atom(known::UNDEFINED)),
        _ => None,
    }
}

/// Of the compiled module, which only the VM has.
fn digest(run: &mut dyn Environment, closure: &Closure) -> Eval {
    let info = Mfa { module: closure.module, function: Atom::new("module_info"), arity: 1 };
    run.ask(info, &[Term::atom_named("md5")])
}

fn of_closure(run: &mut dyn Environment, closure: &Closure, item: &str) -> Option<Term> {
    match item {
        "type" => Some(Term::atom_named("local")),
        "module" => Some(Term::atom(closure.module)),
        "name" => Some(Term::atom(closure.name)),
        "arity" => Some(Term::int(i64::from(closure.arity))),
        "env" => Some(Term::list(closure.captured.iter().cloned())),
        "index" | "new_index" => Some(Term::int(i64::from(closure.index))),
        "uniq" => Some(Term::int(i64::from(closure.uniq))),
        "pid" => Some(run.own_pid()),
        _ => None,
    }
}
