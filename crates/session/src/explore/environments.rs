//! Explorations of what one leaves open that depends on the environment of a run: on the order of processes or references, or
//! on the number of schedulers that are online.
//!
//! Where no run looks at the order of more than two, the opposite order is all that there is besides theirs. Of more, which
//! are few over all runs, every order is explored. Numbers of schedulers are one as long as they have the same answers to all
//! that was asked of them. What the VM does not confirm in an environment that is not its own stays open.

use std::ops::RangeInclusive;

use exec::forward::NameOrder;
use search::{Exploration, IgnoredCrashes, MachineSubject, NameOrders, Verdict};

/// The numbers of schedulers that a VM can have online.
const SCHEDULERS: RangeInclusive<i64> = 1..=1024;

/// The most numbers of schedulers that are tried.
const NUMBERS: usize = 6;

/// Explores a function in other environments, if nothing else is missing to a proof.
pub fn complete(
    first: Exploration,
    program: &mut MachineSubject<'_>,
    explore: &mut dyn FnMut(&mut MachineSubject<'_>) -> Exploration,
) -> Exploration {
    if !first.lacks_other_environments() {
        return first;
    }
    let mut environments = Environments { program, explore, ignored: Vec::new() };
    let end = environments.explore_all(first.depends_on_order());
    environments.program.order_names(NameOrder::default());
    environments.program.assume_schedulers(None);
    match end {
        Ok(()) => first.completed(environments.ignored),
        Err(crash) => crash.map_or(first, |crash| *crash),
    }
}

/// The exploration of other environments.
struct Environments<'a, 'w> {
    program: &'a mut MachineSubject<'w>,
    explore: &'a mut dyn FnMut(&mut MachineSubject<'_>) -> Exploration,
    ignored: Vec<IgnoredCrashes>,
}

/// The exploration that shows a crash; nothing if something is left open.
type Stop = Option<Box<Exploration>>;

impl Environments<'_, '_> {
    fn explore_all(&mut self, mut depends_on_order: bool) -> Result<(), Stop> {
        let mut left: Vec<i64> = SCHEDULERS.collect();
        for _ in 0..NUMBERS {
            if depends_on_order {
                self.explore_orders()?;
            }
            left.retain(|schedulers| !self.program.answers_hold_for(*schedulers));
            let Some(number) = left.first().copied() else { return Ok(()) };
            self.program.assume_schedulers(Some(number));
            depends_on_order = self.explore_here()?.depends_on_order();
        }
        Err(None)
    }

    /// Explores all orders but that of the numbers. Other orders may lead to looks at others.
    fn explore_orders(&mut self) -> Result<(), Stop> {
        let mut explored = None;
        loop {
            let orders = NameOrders::of(&self.program.recorder);
            if explored.as_ref() == Some(&orders) {
                self.program.order_names(NameOrder::default());
                return Ok(());
            }
            for order in orders.others().ok_or(None)? {
                self.program.order_names(order);
                self.explore_here()?;
            }
            explored = Some(orders);
        }
    }

    /// Explores the environment that is set; it has to leave nothing open.
    fn explore_here(&mut self) -> Result<Exploration, Stop> {
        match (self.explore)(self.program) {
            crash if crash.verdict == Verdict::Crash => Err(Some(Box::new(crash))),
            complete if complete.is_complete_here() => {
                self.ignored.extend(complete.ignored.iter().cloned());
                Ok(complete)
            }
            _ => Err(None),
        }
    }
}
