//! Bytes that have a wanted checksum: four of them are free, and the rest stays.

const POLYNOMIAL: u32 = 0xedb8_8320;
/// Data shorter than this is changed at every place, longer data at its ends.
const SHORT: usize = 32;

/// The bytes with any four in a row changed, or four more at the end, so that they have this checksum; `before` is the
/// checksum of what comes before them.
pub fn with_checksum(bytes: &[u8], before: u32, wanted: u32) -> Vec<Vec<u8>> {
    let table = table();
    let mut found = Vec::new();
    if let Some(last) = bytes.len().checked_sub(4) {
        let places: Vec<usize> = if bytes.len() <= SHORT { (0..=last).rev().collect() } else { vec![last, 0] };
        found.extend(places.into_iter().map(|at| changed(&table, bytes, at, before, wanted)));
    }
    let longer = [bytes, &[0; 4]].concat();
    found.push(changed(&table, &longer, bytes.len(), before, wanted));
    found
}

fn changed(table: &[u32; 256], bytes: &[u8], at: usize, before: u32, wanted: u32) -> Vec<u8> {
    let start = bytes[..at].iter().fold(!before, |state, byte| forth(table, state, *byte));
    let end = bytes[at + 4..].iter().rev().fold(!wanted, |state, byte| back(table, state, *byte));
    let free = (0..4).fold(end, |state, _| back(table, state, 0)) ^ start;
    [&bytes[..at], &free.to_le_bytes(), &bytes[at + 4..]].concat()
}

fn forth(table: &[u32; 256], state: u32, byte: u8) -> u32 {
    table[((state ^ u32::from(byte)) & 255) as usize] ^ (state >> 8)
}

/// The state before a byte: the highest byte of an entry of the table gives its place there.
fn back(table: &[u32; 256], state: u32, byte: u8) -> u32 {
    let place = table.iter().position(|entry| entry >> 24 == state >> 24).unwrap_or(0) as u32;
    ((state ^ table[place as usize]) << 8) | (place ^ u32::from(byte))
}

fn table() -> [u32; 256] {
    std::array::from_fn(|byte| {
        (0..8).fold(byte as u32, |state, _| if state & 1 == 1 { POLYNOMIAL ^ (state >> 1) } else { state >> 1 })
    })
}

const PRIME: u64 = 65_521;
/// Bytes enough for any of these checksums.
const ENOUGH: usize = 600;

/// Bytes that have this Adler checksum: as many as there are, if that can be, and many.
pub fn with_adler(length: usize, wanted: u32) -> Vec<Vec<u8>> {
    let (sum, weighted) = (u64::from(wanted & 0xffff), u64::from(wanted >> 16));
    if sum >= PRIME || weighted >= PRIME {
        return Vec::new();
    }
    let found = [length, ENOUGH].into_iter().filter_map(|length| {
        let bytes = length as u64;
        // The sum of the bytes, and the sum where each counts as often as there are bytes from it to the end.
        let rest = (weighted + PRIME * (1 + bytes / PRIME) - bytes % PRIME) % PRIME;
        (0..3).find_map(|turn| {
            let sum = (sum + PRIME - 1) % PRIME + turn * PRIME;
            let least = lightest(sum);
            let weight = least + (rest + PRIME - least % PRIME) % PRIME;
            spread(length, sum, weight)
        })
    });
    found.collect()
}

/// The least weight of bytes with a sum: as many as possible at the end.
fn lightest(sum: u64) -> u64 {
    let (full, rest) = (sum / 255, sum % 255);
    255 * full * (full + 1) / 2 + rest * (full + 1)
}

/// Bytes with a sum and a weight, the heavy ones as large as can be.
fn spread(length: usize, mut sum: u64, mut weight: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    for place in (1..=length as u64).rev() {
        let fits = |byte: &u64| {
            let (sum, weight) = (sum.checked_sub(*byte), weight.checked_sub(byte * place));
            sum.zip(weight).is_some_and(|(sum, weight)| sum <= 255 * (place - 1) && weight >= lightest(sum))
        };
        let byte = (0..=255).rev().find(fits)?;
        (sum, weight) = (sum - byte, weight - byte * place);
        bytes.push(byte as u8);
    }
    (sum == 0 && weight == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checksum(bytes: &[u8], before: u32) -> u32 {
        !bytes.iter().fold(!before, |state, byte| forth(&table(), state, *byte))
    }

    #[test]
    fn every_change_has_the_checksum() {
        // The usual check value.
        assert_eq!(checksum(b"123456789", 0), 0xcbf4_3926);
        for (bytes, before, wanted) in [(&b"hello, world"[..], 0, 7), (b"", 5, 0xffff_ffff), (b"abcd", 77, 0)] {
            let all = with_checksum(bytes, before, wanted);
            assert!(!all.is_empty() && all.iter().all(|bytes| checksum(bytes, before) == wanted));
        }
    }

    #[test]
    fn every_adler_checksum_has_bytes() {
        let adler = |bytes: &[u8]| {
            let sums = bytes.iter().fold((1, 0), |(sum, weighted), byte| {
                let sum = (sum + u64::from(*byte)) % PRIME;
                (sum, (weighted + sum) % PRIME)
            });
            (sums.1 << 16 | sums.0) as u32
        };
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
        for wanted in [0, 1, 2, 65_537, 0x11e6_0398, 0xfff0_fff0, 0x8000_0001, 0x0001_fff0, 0xfff0_0000] {
            let all = with_adler(9, wanted);
            assert!(!all.is_empty() && all.iter().all(|bytes| adler(bytes) == wanted), "{wanted:x} {all:?}");
        }
        assert_eq!(with_adler(9, 0xffff_ffff), Vec::<Vec<u8>>::new());
    }
}
