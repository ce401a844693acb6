//! Frames: what goes over the pipe, in both directions.
//!
//! A frame is a length (32 bits, big endian) and that many bytes. A request holds an id, an operation and its data, an
//! answer the same id, a tag and its data.

use thiserror::Error;

/// The most bytes a frame may claim; a larger claim is garbage.
pub const MAX_FRAME: usize = 288 << 20;

/// Bytes before the data: id and tag.
const HEAD: usize = 9;

/// One answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The number of the request.
    pub id: u64,
    /// The kind of answer.
    pub tag: u8,
    /// The answer.
    pub data: Vec<u8>,
}

/// The reason why bytes from the host are no frame.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FrameError {
    /// It claims more bytes than are allowed.
    #[error("a frame of {0} bytes, more than the {MAX_FRAME} allowed")]
    TooLong(usize),
    /// It claims fewer bytes than its head has.
    #[error("a frame of {0} bytes, fewer than its head has")]
    TooShort(usize),
}

impl Frame {
    /// Takes a frame off the front of the buffer, if it is complete.
    pub fn take(buffer: &mut Vec<u8>) -> Result<Option<Frame>, FrameError> {
        let Some(len) = Frame::length(buffer)? else { return Ok(None) };
        if buffer.len() < 4 + len {
            return Ok(None);
        }
        let rest = buffer.split_off(4 + len);
        let mut bytes = std::mem::replace(buffer, rest);
        let head = &bytes[4..4 + HEAD];
        let id = u64::from_be_bytes(head[..8].try_into().expect("eight bytes"));
        let tag = head[8];
        Ok(Some(Frame { id, tag, data: bytes.split_off(4 + HEAD) }))
    }

    /// The number of bytes after the length field, if that field has arrived.
    pub fn length(buffer: &[u8]) -> Result<Option<usize>, FrameError> {
        let Some(bytes) = buffer.first_chunk::<4>() else { return Ok(None) };
        match u32::from_be_bytes(*bytes) as usize {
            len if len > MAX_FRAME => Err(FrameError::TooLong(len)),
            len if len < HEAD => Err(FrameError::TooShort(len)),
            len => Ok(Some(len)),
        }
    }

    /// A request with its length before it. `None` when it is too long to be sent.
    pub fn request(id: u64, operation: u8, parts: &[&[u8]]) -> Option<Vec<u8>> {
        let len = HEAD + parts.iter().map(|part| part.len()).sum::<usize>();
        if len > MAX_FRAME {
            return None;
        }
        let mut bytes = Vec::with_capacity(4 + len);
        bytes.extend((len as u32).to_be_bytes());
        bytes.extend(id.to_be_bytes());
        bytes.push(operation);
        parts.iter().for_each(|part| bytes.extend(*part));
        Some(bytes)
    }
}

/// The kinds of requests.
pub(crate) mod operation {
    pub(crate) const REQUEST: u8 = 0;
    pub(crate) const CALL: u8 = 1;
    pub(crate) const STATEFUL_CALL: u8 = 2;
    pub(crate) const OBSERVED_CALL: u8 = 3;
    pub(crate) const GUARDED_CALL: u8 = 4;
    pub(crate) const CONDUCTED_CALL: u8 = 5;
}

/// The kinds of answers.
pub(crate) mod tag {
    pub(crate) const VALUE: u8 = 0;
    pub(crate) const RAISED: u8 = 1;
    pub(crate) const TIMED_OUT: u8 = 2;
    pub(crate) const OUT_OF_REDUCTIONS: u8 = 3;
    pub(crate) const OUT_OF_MEMORY: u8 = 4;
    pub(crate) const KILLED: u8 = 5;
    pub(crate) const ANSWER: u8 = 6;
    pub(crate) const TOO_LARGE: u8 = 7;
    pub(crate) const FAILED: u8 = 8;
    pub(crate) const NO_PROCESS: u8 = 9;
    pub(crate) const EVENTS: u8 = 10;
    pub(crate) const REFUSED: u8 = 11;
    pub(crate) const WAITED: u8 = 12;
    pub(crate) const CONDUCTED: u8 = 13;
    pub(crate) const STRAYED: u8 = 14;
}
