//! Operations on floats, for tests that try all of them.

use constraint::{FloatOp, Width};

/// Every operation but those of `math`, whose list is `Math::ALL`; of powers of ten, some.
pub const FLOAT_OPS: [FloatOp; 24] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Div,
    FloatOp::Neg,
    FloatOp::Abs,
    FloatOp::Of,
    FloatOp::Trunc,
    FloatOp::Round,
    FloatOp::Floor,
    FloatOp::Ceil,
    FloatOp::Read(Width::Half),
    FloatOp::Read(Width::Single),
    FloatOp::Read(Width::Double),
    FloatOp::Write(Width::Half),
    FloatOp::Write(Width::Single),
    FloatOp::Write(Width::Double),
    FloatOp::Decimal,
    FloatOp::Scaled(0),
    FloatOp::Scaled(2),
    FloatOp::Scaled(20),
    FloatOp::Scaled(-7),
    FloatOp::Digits,
    FloatOp::Power,
];
