//! The functions of the `math` module, on floats. They are the C library's, as the VM's are.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

// Functions of the C library that have no counterpart in Rust's, or one that gives other last digits.
unsafe extern "C" {
    safe fn acosh(x: f64) -> f64;
    safe fn asinh(x: f64) -> f64;
    safe fn atanh(x: f64) -> f64;
    safe fn erf(x: f64) -> f64;
    safe fn erfc(x: f64) -> f64;
}

/// A function of `math`.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum Math {
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Ceil,
    Cos,
    Cosh,
    Erf,
    Erfc,
    Exp,
    Floor,
    Fmod,
    Log,
    Log10,
    Log2,
    Pow,
    Sin,
    Sinh,
    Sqrt,
    Tan,
    Tanh,
}

impl Math {
    /// All of them, in the order of their names.
    pub const ALL: &[Math] = Math::VARIANTS;

    /// Returns its name in `math`.
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the number of its arguments.
    pub const fn arity(self) -> usize {
        if matches!(self, Math::Atan2 | Math::Fmod | Math::Pow) { 2 } else { 1 }
    }

    /// Its value; none where that is no finite number.
    pub fn compute(self, args: &[f64]) -> Option<f64> {
        let value = match *args {
            [x] => self.of_one(x)?,
            [x, y] => self.of_two(x, y)?,
            _ => return None,
        };
        value.is_finite().then_some(value)
    }

    fn of_one(self, x: f64) -> Option<f64> {
        Some(match self {
            Math::Acos => x.acos(),
            Math::Acosh => acosh(x),
            Math::Asin => x.asin(),
            Math::Asinh => asinh(x),
            Math::Atan => x.atan(),
            Math::Atanh => atanh(x),
            Math::Ceil => x.ceil(),
            Math::Cos => x.cos(),
            Math::Cosh => x.cosh(),
            Math::Erf => erf(x),
            Math::Erfc => erfc(x),
            Math::Exp => x.exp(),
            Math::Floor => x.floor(),
            Math::Log => x.ln(),
            Math::Log10 => x.log10(),
            Math::Log2 => x.log2(),
            Math::Sin => x.sin(),
            Math::Sinh => x.sinh(),
            Math::Sqrt => x.sqrt(),
            Math::Tan => x.tan(),
            Math::Tanh => x.tanh(),
            Math::Atan2 | Math::Fmod | Math::Pow => return None,
        })
    }

    fn of_two(self, x: f64, y: f64) -> Option<f64> {
        match self {
            Math::Atan2 => Some(x.atan2(y)),
            Math::Fmod => Some(x % y),
            Math::Pow => Some(x.powf(y)),
            _ => None,
        }
    }
}
