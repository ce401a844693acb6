//! Floats as the VM writes them: the shortest digits that read back, in the shorter of two notations.

/// The text of a float as `io_lib:format("~w", [F])` gives it.
pub fn float_text(value: f64) -> String {
    let (negative, digits, exponent) = shortest(value);
    let sign = if negative { "-" } else { "" };
    let scientific = scientific(&digits, exponent);
    // Integers beyond this are not exact, so the VM does not spell them out.
    if value.abs() >= (1u64 << 53) as f64 {
        return format!("{sign}{scientific}");
    }
    let decimal = decimal(&digits, exponent);
    format!("{sign}{}", if decimal.len() <= scientific.len() { decimal } else { scientific })
}

/// The sign, the digits without trailing zeros, and the power of ten of the first digit.
fn shortest(value: f64) -> (bool, String, i32) {
    let text = format!("{:e}", value.abs());
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (value.is_sign_negative(), digits.replace('.', ""), exponent.parse().unwrap_or(0))
}

fn scientific(digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at(1);
    format!("{first}.{}e{exponent}", if rest.is_empty() { "0" } else { rest })
}

fn decimal(digits: &str, exponent: i32) -> String {
    let Ok(before) = usize::try_from(exponent + 1) else {
        return format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    };
    if before == 0 {
        format!("0.{digits}")
    } else if digits.len() <= before {
        format!("{digits}{}.0", "0".repeat(before - digits.len()))
    } else {
        let (whole, fraction) = digits.split_at(before);
        format!("{whole}.{fraction}")
    }
}
