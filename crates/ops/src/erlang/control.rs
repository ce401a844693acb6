//! Operations that change where control goes: the machine itself does them.

use crate::policy::Policy;
use crate::{Control, Gives, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    control("apply", 2, Control::ApplyFun, Policy::State),
    control("apply", 3, Control::ApplyNamed, Policy::State),
    raising("error", 1, Control::Error),
    raising("error", 2, Control::Error),
    raising("error", 3, Control::Error),
    raising("exit", 1, Control::Exit),
    raising("throw", 1, Control::Throw),
    raising("nif_error", 1, Control::NifError),
    raising("nif_error", 2, Control::NifError),
    // It gives `badarg` back where it cannot be done.
    control("raise", 3, Control::Raise, Policy::Pure),
    control("function_exported", 3, Control::FunctionExported, Policy::Session),
];

const fn control(name: &'static str, arity: u8, control: Control, policy: Policy) -> Operation {
    Operation::vm(name, arity, policy).rule(Rule::Control(control))
}

/// It raises, and does nothing else.
const fn raising(name: &'static str, arity: u8, kind: Control) -> Operation {
    control(name, arity, kind, Policy::Pure).gives(Gives::Nothing)
}
