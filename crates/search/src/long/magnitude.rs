//! Lengths, depths and integers far from the smallest: powers of two and ten, their neighbours, and what lies between.

use num_bigint::BigInt;

use super::random::Random;

/// The largest exponents of two for integers: words of 64 bits and a little more.
const INTEGER_BITS: usize = 66;

/// The largest power of ten for integers.
const INTEGER_DIGITS: usize = 20;

/// Lengths below this are all as likely: a count may have to be met exactly.
const FEW: usize = 72;

/// A length or depth of at least 2 and at most `most`, the smaller ones more often.
pub fn length(random: &mut Random, most: usize) -> usize {
    let most = most.max(2);
    if random.one_in(3) {
        return (2 + random.below(FEW)).min(most);
    }
    let bits = usize::BITS as usize - 1 - most.leading_zeros() as usize;
    // Mostly the least of three: twice the length takes twice the time.
    let draws = if random.one_in(32) { 1 } else { 3 };
    let exponent = (0..draws).fold(bits, |least, _| least.min(1 + random.below(bits)));
    let length = match random.below(4) {
        0 => (1 << exponent) + random.below(3) - 1,
        1 => [1, 2, 5][random.below(3)] * 10usize.pow(exponent as u32 * 3 / 10) + random.below(3) - 1,
        _ => (1 << exponent) + random.below(1 << exponent),
    };
    length.clamp(2, most)
}

/// A factor by which something grows.
pub fn factor(random: &mut Random) -> usize {
    match random.below(3) {
        0 => 2,
        1 => 2 + random.below(9),
        _ => 1 << (1 + random.below(9)),
    }
}

/// An integer between the bounds: a power of two or ten or a neighbour of one, a bound or a neighbour of one.
pub fn integer(random: &mut Random, low: Option<&BigInt>, high: Option<&BigInt>) -> BigInt {
    let near = random.below(3) as i64 - 1;
    let power = match random.below(4) {
        0 => BigInt::from(10).pow(random.below(INTEGER_DIGITS) as u32),
        1 => BigInt::from(10).pow(random.below(8) as u32),
        _ => BigInt::from(2).pow(random.below(INTEGER_BITS) as u32),
    };
    let value = match (random.below(8), low, high) {
        (0, Some(low), _) => low + near.abs(),
        (1, _, Some(high)) => high - near.abs(),
        (2, _, _) => -power + near,
        (3, _, _) => BigInt::from(random.below(256)),
        _ => power + near,
    };
    clamp(value, low, high)
}

/// The value, or the bound that it exceeds.
pub fn clamp(value: BigInt, low: Option<&BigInt>, high: Option<&BigInt>) -> BigInt {
    match (low, high) {
        (Some(low), _) if value < *low => low.clone(),
        (_, Some(high)) if value > *high => high.clone(),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_integers_stay_within_their_bounds_and_meet_the_landmarks() {
        let mut random = Random::new(1);
        let lengths: Vec<usize> = (0..20_000).map(|_| length(&mut random, 5_000)).collect();
        assert!(lengths.iter().all(|length| (2..=5_000).contains(length)));
        assert!([9, 10, 63, 64, 65, 100, 101, 255, 256, 257, 1_000].iter().all(|landmark| lengths.contains(landmark)));
        let short = lengths.iter().filter(|length| **length <= 256).count();
        assert!(short > lengths.len() / 2, "{short} short ones");
        let (low, high) = (BigInt::from(-5), BigInt::from(1_000_000));
        let integers: Vec<BigInt> = (0..20_000).map(|_| integer(&mut random, Some(&low), Some(&high))).collect();
        assert!(integers.iter().all(|value| *value >= low && *value <= high));
        assert!([255, 256, 65_536, 999_999, 1_000_000].iter().all(|it| integers.contains(&BigInt::from(*it))));
        let free: Vec<BigInt> = (0..20_000).map(|_| integer(&mut random, None, None)).collect();
        assert!(free.contains(&(BigInt::from(1u64 << 32))) && free.iter().any(|value| *value < BigInt::from(-100_000)));
    }
}
