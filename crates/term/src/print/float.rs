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

/// The sign, the digits without zeros at either end, and the power of ten of the first digit.
fn shortest(value: f64) -> (bool, String, i32) {
    let (number, power) = crate::decimal::shortest(value.abs());
    let digits = number.to_string();
    let exponent = power as i32 + digits.len() as i32 - 1;
    (value.is_sign_negative(), digits, exponent)
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

#[cfg(test)]
mod tests {
    use super::float_text;

    #[test]
    fn the_shorter_notation_wins_and_decimal_when_they_are_equal() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (100.0, "100.0"),
            (1e3, "1.0e3"),
            (123456.0, "123456.0"),
            (0.0001, "0.0001"),
            (0.00012345, "1.2345e-4"),
            (1e-5, "1.0e-5"),
            (9007199254740991.0, "9007199254740991.0"),
            (9007199254740992.0, "9.007199254740992e15"),
            (-889312797535592.0 - 0.25, "-889312797535592.2"),
            (5e-324, "5.0e-324"),
            (1e23, "1.0e23"),
        ];
        cases.iter().for_each(|(value, text)| assert_eq!(float_text(*value), *text));
    }
}
