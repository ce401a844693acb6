//! Floats that are short to write.

use super::interval::FloatInterval;

/// A float of the span with as few digits as can be; of those with as many, the one closest to zero.
pub fn shortest_in(span: FloatInterval) -> f64 {
    if span.has_zero() {
        return 0.0;
    }
    if span.high < 0.0 {
        return -shortest_in(span.neg());
    }
    for digits in 0..17 {
        let found = rounded(span.low, digits, 0).filter(|value| span.contains(*value));
        if let Some(value) = found.or_else(|| rounded(span.low, digits, 1).filter(|value| span.contains(*value))) {
            return value;
        }
    }
    span.low
}

/// A positive float rounded down to so many digits behind its first, plus so many of the last one's unit.
fn rounded(value: f64, digits: usize, more: u64) -> Option<f64> {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let (exponent, number) = (exponent.parse::<i32>().ok()?, mantissa.replace('.', "").parse::<u64>().ok()?);
    let shown = |number: u64| format!("{number}e{}", exponent - digits as i32).parse::<f64>().ok();
    let number = if shown(number)? > value { number - 1 } else { number };
    shown(number + more).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits_are_found() {
        let span = FloatInterval::new;
        assert_eq!(shortest_in(span(-1.0, 7.0)), 0.0);
        assert_eq!(shortest_in(span(1.5f64.next_up(), 100.0)), 2.0);
        assert_eq!(shortest_in(span(1.5, 1.75)), 1.5);
        assert_eq!(shortest_in(span(-0.37, -0.31)), -0.31);
        assert_eq!(shortest_in(span(36.61, 36.79)), 36.7);
        assert_eq!(shortest_in(span(1234.5, 1e9)), 2000.0);
        assert_eq!(shortest_in(span(9.97, 10.2)), 10.0);
        assert_eq!(shortest_in(span(1.7e308, f64::MAX)), 1.7e308);
        assert_eq!(shortest_in(FloatInterval::point(0.1 + 0.2)), 0.1 + 0.2);
        assert_eq!(shortest_in(FloatInterval::point(f64::MAX)), f64::MAX);
        assert_eq!(shortest_in(span(f64::from_bits(1), 1e-300)), f64::from_bits(1).max(5e-324));
    }

    #[test]
    fn what_is_found_is_inside() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..20_000 {
            let value = |random: &mut fastrand::Rng| loop {
                let value = f64::from_bits(random.u64(..));
                if value.is_finite() {
                    return value;
                }
            };
            let (a, b) = (value(&mut random), value(&mut random));
            let wide = FloatInterval::new(a.min(b), a.max(b));
            let narrow = FloatInterval::new(a, (0..random.u32(0..9)).fold(a, |at, _| at.next_up()).min(f64::MAX));
            assert!(wide.contains(shortest_in(wide)), "{wide:?}");
            assert!(narrow.contains(shortest_in(narrow)), "{narrow:?}");
        }
    }
}
