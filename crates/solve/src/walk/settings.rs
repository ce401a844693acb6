//! The parts of the walk and their length, so that the worth of each part can be measured.

/// Steps that a variable rests usually.
const RESTING: u32 = 3;

/// The parameters of a walk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WalkSettings {
    /// Points looked at, in all.
    pub evaluations: u64,
    /// Steps before the walk starts afresh somewhere else, for each relation.
    pub steps: u64,
    /// Random neighbours looked at in a step.
    pub neighbours: u32,
    /// Steps that a variable rests which did not help, at most: half as many as there are variables, or as many if this is
    /// more than [`RESTING`]; 0 for none.
    pub tabu: u32,
    /// True if neighbours are also estimated from two others.
    pub bisection: bool,
    /// True if variables are set to what makes a relation hold, by going back through its operations.
    pub inversion: bool,
    /// True if all variables move together along the slopes.
    pub gradient: bool,
    /// True if linear equalities are kept while walking.
    pub linear: bool,
    /// True if there is more than one starting point.
    pub restarts: bool,
    /// Another number, another walk; else the condition alone decides.
    pub seed: u64,
    /// Only what the text has: plain errors, normally distributed steps.
    pub plain: bool,
}

impl WalkSettings {
    /// The steps that one of so many variables rests which did not help.
    pub fn rest(&self, variables: usize) -> u32 {
        let variables = if self.tabu > RESTING { variables as u32 } else { variables as u32 / 2 };
        variables.clamp(1, self.tabu.max(1))
    }

    /// All there is.
    pub fn new(evaluations: u64) -> WalkSettings {
        WalkSettings {
            evaluations,
            steps: 8,
            neighbours: 6,
            tabu: RESTING,
            bisection: true,
            inversion: true,
            gradient: true,
            linear: true,
            restarts: true,
            seed: 0,
            plain: false,
        }
    }

    /// The text's algorithm with the text's parameters.
    pub fn baseline(evaluations: u64) -> WalkSettings {
        WalkSettings {
            steps: 150,
            neighbours: 10,
            inversion: false,
            gradient: false,
            restarts: false,
            plain: true,
            ..WalkSettings::new(evaluations)
        }
    }
}
