//! The MD5 digest.

/// How far each of a round's four steps turns the sum.
const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

pub(super) fn md5(data: &[u8]) -> [u8; 16] {
    let sines = sines();
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let (blocks, rest) = data.as_chunks::<64>();
    blocks.iter().for_each(|block| digest(&mut state, block, &sines));
    let mut last = rest.to_vec();
    last.push(0x80);
    last.resize(if last.len() > 56 { 120 } else { 56 }, 0);
    last.extend_from_slice(&(data.len() as u64 * 8).to_le_bytes());
    last.as_chunks::<64>().0.iter().for_each(|block| digest(&mut state, block, &sines));
    let mut out = [0; 16];
    for (place, word) in out.chunks_exact_mut(4).zip(state) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    out
}

/// The algorithm's constants: sines of whole numbers, as fractions of 2^32.
fn sines() -> [u32; 64] {
    std::array::from_fn(|at| ((at as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32)
}

fn digest(state: &mut [u32; 4], block: &[u8; 64], sines: &[u32; 64]) {
    let words: [u32; 16] = std::array::from_fn(|at| {
        u32::from_le_bytes([block[at * 4], block[at * 4 + 1], block[at * 4 + 2], block[at * 4 + 3]])
    });
    let [mut a, mut b, mut c, mut d] = *state;
    for at in 0..64 {
        let (mixed, word) = match at / 16 {
            0 => (b & c | !b & d, at),
            1 => (d & b | !d & c, 5 * at + 1),
            2 => (b ^ c ^ d, 3 * at + 5),
            _ => (c ^ (b | !d), 7 * at),
        };
        let sum = a.wrapping_add(mixed).wrapping_add(sines[at]).wrapping_add(words[word % 16]);
        let turned = b.wrapping_add(sum.rotate_left(TURNS[at / 16][at % 4]));
        (a, b, c, d) = (d, turned, b, c);
    }
    for (sum, part) in state.iter_mut().zip([a, b, c, d]) {
        *sum = sum.wrapping_add(part);
    }
}
