//! Calls of instrumented programs: the events that they emit, then their end.
//!
//! Events come in frames of their own before the answer. Each is a number of seven bits a byte, the lowest first, whose
//! lowest bit says whether a value follows: its length, coded the same way, and the value in external format.

use term::{Call, Term, etf};
use thiserror::Error;

use crate::call::CallResult;
use crate::host::{Host, Role};
use crate::wire::operation;

/// An event that an instrumented program emitted.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedEvent {
    /// The event's number.
    pub number: u32,
    /// A value that only the run knows.
    pub value: Option<Term>,
}

/// The reason why the events of a call cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum EventError {
    /// It emitted more bytes of events than allowed and was ended.
    #[error("the run emits more events than are kept")]
    TooMany,
    /// The bytes are no events.
    #[error("the VM sent something that is no event")]
    Garbage,
}

impl Host {
    /// Runs a call as [`Host::call`] does and returns the events that instrumented modules emitted in the process
    /// of the call; at most `most` bytes of them.
    pub fn call_observed(&mut self, call: &Call, most: u64) -> (CallResult, Result<Vec<RecordedEvent>, EventError>) {
        let mut events = Vec::new();
        let (result, whole) = self.call_observed_by(call, most, &mut |event| events.push(event));
        (result, whole.map(|()| events))
    }

    /// The same, with each event given away when it comes.
    pub fn call_observed_by(
        &mut self,
        call: &Call,
        most: u64,
        observer: &mut dyn FnMut(RecordedEvent),
    ) -> (CallResult, Result<(), EventError>) {
        let (mut bytes, mut garbage) = (0, false);
        let extra = most.to_be_bytes();
        let result = self.call_as(Role::Replacement, operation::OBSERVED_CALL, &extra, call, &mut |data| {
            bytes += data.len() as u64;
            garbage = garbage || read_all(data, observer).is_none();
        });
        let whole = match (garbage, bytes > most) {
            (true, _) => Err(EventError::Garbage),
            (_, true) => Err(EventError::TooMany),
            _ => Ok(()),
        };
        (result, whole)
    }
}

/// Reads whole events until nothing is left.
fn read_all(mut data: &[u8], observer: &mut dyn FnMut(RecordedEvent)) -> Option<()> {
    while !data.is_empty() {
        let word = read_number(&mut data)?;
        let number = u32::try_from(word >> 1).ok()?;
        let value = match word & 1 {
            0 => None,
            _ => {
                let len = usize::try_from(read_number(&mut data)?).ok()?;
                let (etf, rest) = data.split_at_checked(len)?;
                data = rest;
                Some(etf::decode(etf).ok()?)
            }
        };
        observer(RecordedEvent { number, value });
    }
    Some(())
}

fn read_number(data: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = data.split_first()?;
        *data = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_take_seven_bits_a_byte_and_values_follow() {
        let value = etf::encode(&Term::int(7)).expect("a number has an external form");
        let data = [&[4, 0x80, 4, 0x83, 4, value.len() as u8][..], &value].concat();
        let mut events = Vec::new();
        read_all(&data, &mut |event| events.push((event.number, event.value))).expect("events");
        assert_eq!(events, [(2, None), (256, None), (257, Some(Term::int(7)))]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_events_or_refused(data in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = read_all(&data, &mut drop);
        }
    }
}
