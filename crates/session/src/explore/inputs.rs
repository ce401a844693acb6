//! The inputs of an exploration: those that a spec allows, that the generators of a property make, or that calls make.

use constraint::{Grammar, count_calls};
use exec::forward::{Machine, Recorder, World};
use search::{Defect, Finding, MachineSubject, Reason, Signature};
use term::Mfa;

use super::detail::detail;
use super::language::native;
use super::records::record_call;
use crate::domain::{Domain, SequenceDomain, declared_domain, domain};
use crate::job::{FindingDetail, Job};
use crate::private::door;
use crate::{Session, proper};

/// The inputs of an exploration.
pub(crate) struct Inputs {
    pub domain: Domain,
    /// The function that makes them by calls.
    pub driver: Option<Mfa>,
    /// The declared types of what it makes.
    declared: Option<(Grammar, Vec<Signature>)>,
    /// Of a property of PropEr: true if nothing is built of what its generators make.
    proper: Option<bool>,
    /// The reasons why these are not all inputs.
    pub left_out: Vec<Reason>,
}

impl Inputs {
    /// Inputs of the function of a job, as they are.
    pub fn of_domain(job: &Job, session: &Session, mut domain: Domain) -> Inputs {
        domain.target.facts.is_property |= job.is_property;
        domain.target.facts.is_private = job.is_private;
        domain.target.facts.language = session.language(job.function.module);
        Inputs { domain, driver: None, declared: None, proper: None, left_out: Vec::new() }
    }

    /// The inputs of the spec, or of the generators of a property of PropEr.
    pub fn without_calls(job: &Job, session: &Session) -> Inputs {
        let modules = &job.settings.tested;
        let own = || Inputs::of_domain(job, session, domain(session, job.function, modules.clone()));
        match proper::property(session, job.function, modules.clone()) {
            Some(Ok(property)) => {
                let inputs = Inputs::of_domain(job, session, property.domain);
                Inputs { proper: Some(property.is_plain), left_out: property.reasons, ..inputs }
            }
            Some(Err(why)) => {
                let what = format!("it is a property of PropEr that was not explored as one: {why}");
                Inputs { left_out: vec![Reason::Generator { what }], ..own() }
            }
            None => own(),
        }
    }

    /// The inputs that calls make.
    pub fn of_calls(
        job: &Job,
        session: &Session,
        SequenceDomain { domain, driver, is_typed, .. }: SequenceDomain,
    ) -> Inputs {
        let declared = is_typed.then(|| {
            let declared = declared_domain(session, job.function, job.settings.tested.clone());
            (declared.grammar, declared.target.signatures)
        });
        Inputs { driver: Some(driver), declared, ..Inputs::of_domain(job, session, domain) }
    }

    /// Inputs that another function takes in the place of the job's own, and then calls it.
    pub fn through(job: &Job, session: &Session, domain: Domain, driver: Mfa) -> Inputs {
        Inputs { driver: Some(driver), ..Inputs::of_domain(job, session, domain) }
    }

    /// True if they are those of a property of PropEr.
    pub fn is_proper(&self) -> bool {
        self.proper.is_some()
    }

    /// The function that the VM calls with them.
    pub fn called(&self, job: &Job) -> Mfa {
        let own = if job.is_private { door(job.function) } else { self.domain.target.function };
        self.driver.unwrap_or(own)
    }

    /// The program that takes them.
    pub fn subject<'w>(
        &self,
        job: &Job,
        (machine, recorder): (Machine, Recorder),
        world: &'w mut dyn World,
    ) -> MachineSubject<'w> {
        let Domain { target, grammar, .. } = &self.domain;
        // A precondition is asked about values, not about the calls that make them.
        let precondition = job.precondition.filter(|_| self.driver.is_none());
        let mut program = MachineSubject::new(machine, recorder, world, grammar.clone(), target.clone(), precondition);
        self.driver.into_iter().for_each(|driver| program.enter_through(driver, self.declared.clone()));
        program
    }

    /// The details of a finding. That of a property of PropEr is shown by what the generators make.
    pub fn detail(
        &self,
        job: &Job,
        session: &Session,
        program: &mut MachineSubject<'_>,
        finding: &mut Finding,
    ) -> FindingDetail {
        let mut detail = detail(session, program, finding);
        detail.native = native(session, program, finding, self.called(job));
        if let Some(is_plain) = self.proper {
            detail.call = proper::shown(session, job.function, self.domain.target.function, &finding.stimulus.inputs);
            if matches!(finding.defect, Defect::Property(_)) {
                detail.begin_at(session, job.function);
            }
            // Of what is built the conditions on its parts say little.
            finding.cause = finding.cause.take().filter(|_| is_plain);
        }
        let at = finding.at.as_ref().filter(|at| at.line > 0).map(|at| at.function);
        detail.read_source(session, at, job.function, finding.signature);
        if detail.call.is_none() && count_calls(&finding.stimulus.inputs) == 0 {
            detail.record_call = record_call(session, job.function, &finding.stimulus.inputs);
        }
        detail
    }
}
