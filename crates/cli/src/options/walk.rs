//! The parameters of the walk, on the command line and in the configuration.

use clap::Args;
use serde::Deserialize;
use solve::walk::WalkSettings;

/// Changes of the walk; all else is as usual.
#[derive(Args, Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
#[command(next_help_heading = "Parameters of the walk (also under [walk] in hound.toml)")]
pub struct WalkOptions {
    /// Begin with the published algorithm and its parameters, not with ours
    #[arg(long = "walk-published", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub published: Option<bool>,

    /// Steps from one starting point, for each relation that is not linear [default: 8; published: 150]
    #[arg(long = "walk-steps", value_name = "N")]
    pub steps: Option<u64>,

    /// Random neighbours that a step looks at [default: 6; published: 10]
    #[arg(long = "walk-neighbours", value_name = "N")]
    pub neighbours: Option<u32>,

    /// Steps that a variable rests which did not help, at most; 0 for none [default: 3]
    #[arg(long = "walk-tabu", value_name = "N")]
    pub tabu: Option<u32>,

    /// Whether neighbours are also estimated from two others [default: true]
    #[arg(long = "walk-bisection", value_name = "BOOL")]
    pub bisection: Option<bool>,

    /// Whether variables are set to what makes a relation hold [default: true; published: false]
    #[arg(long = "walk-inversion", value_name = "BOOL")]
    pub inversion: Option<bool>,

    /// Whether all variables move together along the slopes [default: true; published: false]
    #[arg(long = "walk-slopes", value_name = "BOOL")]
    pub slopes: Option<bool>,

    /// Whether linear equalities are kept while walking [default: true]
    #[arg(long = "walk-polytope", value_name = "BOOL")]
    pub polytope: Option<bool>,

    /// Whether there is more than one starting point [default: true; published: false]
    #[arg(long = "walk-restarts", value_name = "BOOL")]
    pub restarts: Option<bool>,

    /// Another number, another walk [default: 0]
    #[arg(long = "walk-seed", value_name = "N")]
    pub seed: Option<u64>,
}

impl WalkOptions {
    /// Returns these options, and where they say nothing, the others.
    pub fn or(self, others: &WalkOptions) -> WalkOptions {
        WalkOptions {
            published: self.published.or(others.published),
            steps: self.steps.or(others.steps),
            neighbours: self.neighbours.or(others.neighbours),
            tabu: self.tabu.or(others.tabu),
            bisection: self.bisection.or(others.bisection),
            inversion: self.inversion.or(others.inversion),
            slopes: self.slopes.or(others.slopes),
            polytope: self.polytope.or(others.polytope),
            restarts: self.restarts.or(others.restarts),
            seed: self.seed.or(others.seed),
        }
    }

    /// Returns the parameters, with defaults where these say nothing.
    pub fn settings(&self) -> WalkSettings {
        let usual = if self.published == Some(true) { WalkSettings::baseline(0) } else { WalkSettings::new(0) };
        WalkSettings {
            steps: self.steps.unwrap_or(usual.steps),
            neighbours: self.neighbours.unwrap_or(usual.neighbours),
            tabu: self.tabu.unwrap_or(usual.tabu),
            bisection: self.bisection.unwrap_or(usual.bisection),
            inversion: self.inversion.unwrap_or(usual.inversion),
            gradient: self.slopes.unwrap_or(usual.gradient),
            linear: self.polytope.unwrap_or(usual.linear),
            restarts: self.restarts.unwrap_or(usual.restarts),
            seed: self.seed.unwrap_or(usual.seed),
            ..usual
        }
    }
}
