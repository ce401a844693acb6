//! Bytes from the pipe: whatever they are, they are a frame, not yet a frame, or an error.

use host::{Frame, FrameError, MAX_FRAME};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut buffer = bytes.clone();
        let mut taken = 0;
        while let Ok(Some(frame)) = Frame::take(&mut buffer) {
            taken += 4 + 9 + frame.data.len();
        }
        prop_assert_eq!(taken + buffer.len(), bytes.len());
    }

    #[test]
    fn frames_come_back_however_they_are_cut(
        frames in proptest::collection::vec((any::<u64>(), any::<u8>(), proptest::collection::vec(any::<u8>(), 0..50)), 0..5),
        piece in 1usize..40,
    ) {
        let wire: Vec<u8> = frames.iter().flat_map(|(id, tag, data)| Frame::request(*id, *tag, &[data]).expect("small")).collect();
        let (mut buffer, mut read) = (Vec::new(), Vec::new());
        for chunk in wire.chunks(piece) {
            buffer.extend_from_slice(chunk);
            while let Some(frame) = Frame::take(&mut buffer).expect("good frames") {
                read.push((frame.id, frame.tag, frame.data));
            }
        }
        prop_assert_eq!(read, frames);
        prop_assert!(buffer.is_empty());
    }
}

#[test]
fn a_huge_claim_is_refused_before_anything_is_read() {
    let mut buffer = u32::MAX.to_be_bytes().to_vec();
    assert_eq!(Frame::take(&mut buffer), Err(FrameError::TooLong(u32::MAX as usize)));
    let mut buffer = 3u32.to_be_bytes().to_vec();
    assert_eq!(Frame::take(&mut buffer), Err(FrameError::TooShort(3)));
    assert!(Frame::request(1, 0, &[&vec![0; MAX_FRAME]]).is_none());
}
