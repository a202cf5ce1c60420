//! What is recorded, what is submitted and what is launched one by one, on a device that only takes note.

use std::any::Any;
use std::cell::Cell;
use std::sync::{Arc, Mutex};

use super::*;
use crate::device::driver::{Mark, Memory};
use crate::error::Error;

struct Place(Option<u64>);

impl Memory for Place {
    fn bytes(&self) -> usize {
        1 << 20
    }
    fn address(&self) -> Option<u64> {
        self.0
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A stream that notes the replays; recordings are known by their numbers.
#[derive(Clone, Default)]
struct Notes {
    replayed: Arc<Mutex<Vec<usize>>>,
    recorded: Arc<Mutex<usize>>,
    /// Whether it takes what is recorded.
    refuses: bool,
}

impl Notes {
    fn replayed(&self) -> Vec<usize> {
        std::mem::take(&mut self.replayed.lock().unwrap())
    }

    fn recording(&self) -> Result<Option<Box<dyn Recording>>> {
        let mut recorded = self.recorded.lock().unwrap();
        *recorded += 1;
        Ok(Some(Box::new(Noted(*recorded))))
    }
}

struct Noted(usize);

impl Recording for Noted {
    fn submit(&self, queue: &dyn Queue) -> Result<bool> {
        let notes = queue.as_any().downcast_ref::<Notes>().unwrap();
        if !notes.refuses {
            notes.replayed.lock().unwrap().push(self.0);
        }
        Ok(!notes.refuses)
    }
}

impl Queue for Notes {
    fn write(&self, _: &dyn Memory, _: usize, _: &[u8]) -> Result<()> {
        unreachable!("runs write nothing")
    }
    fn read(&self, _: &dyn Memory, _: usize, _: &mut [u8]) -> Result<()> {
        unreachable!("runs read nothing")
    }
    fn copy(&self, _: Location<'_>, _: Location<'_>, _: usize) -> Result<()> {
        unreachable!("runs of kernels copy nothing")
    }
    fn record(&self) -> Result<Box<dyn Mark>> {
        unreachable!("nobody asks for marks")
    }
    fn wait(&self, _: &dyn Mark) -> Result<()> {
        unreachable!("there are no marks")
    }
    fn finish(&self) -> Result<()> {
        Ok(())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Submits for these addresses, and says whether it launched.
fn submit(replays: &Replays, queue: &Notes, addresses: [Option<u64>; 3], offset: usize) -> bool {
    let memory = addresses.map(Place);
    let [input, output, workspace] = memory.each_ref().map(|memory| Location { memory, offset });
    let operands = Operands { input, output, workspace: Some(workspace) };
    let launched = Cell::new(false);
    let direct = || {
        launched.set(true);
        Ok(())
    };
    replays.submit(queue, operands, direct, || queue.recording()).unwrap();
    launched.get()
}

const HERE: [Option<u64>; 3] = [Some(100), Some(200), Some(300)];

#[test]
fn the_second_run_is_recorded_and_later_ones_replay_it() {
    let (replays, queue) = (Replays::new(), Notes::default());
    assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (true, vec![]));
    for _ in 0..4 {
        assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (false, vec![1]));
    }
}

#[test]
fn other_operands_are_another_recording() {
    let (replays, queue) = (Replays::new(), Notes::default());
    let others = [
        ([Some(101), Some(200), Some(300)], 0),
        ([Some(100), Some(201), Some(300)], 0),
        ([Some(100), Some(200), Some(301)], 0),
        (HERE, 8),
    ];
    submit(&replays, &queue, HERE, 0);
    for (addresses, offset) in others {
        assert_eq!((submit(&replays, &queue, addresses, offset), queue.replayed()), (true, vec![]));
    }
    for (number, (addresses, offset)) in others.into_iter().enumerate() {
        assert_eq!((submit(&replays, &queue, addresses, offset), queue.replayed()), (false, vec![number + 1]));
    }
    // The same places by another way.
    let shifted = HERE.map(|address| address.map(|address| address + 8));
    assert_eq!((submit(&replays, &queue, shifted, 0), queue.replayed()), (false, vec![4]));
}

#[test]
fn only_the_latest_used_are_kept() {
    let (replays, queue) = (Replays::new(), Notes::default());
    let at = |number: usize| [Some(number as u64), Some(200), Some(300)];
    submit(&replays, &queue, at(0), 0);
    for number in 1..=KEPT {
        assert!(submit(&replays, &queue, at(number), 0));
        assert!(!submit(&replays, &queue, at(0), 0));
    }
    // The first was used all the time, the second longest ago.
    assert!(!submit(&replays, &queue, at(0), 0));
    assert!(!submit(&replays, &queue, at(KEPT), 0));
    assert!(submit(&replays, &queue, at(1), 0));
}

#[test]
fn what_cannot_be_recorded_is_launched() {
    let (replays, queue) = (Replays::new(), Notes::default());
    for nowhere in [[None, Some(1), Some(2)], [Some(1), None, Some(2)], [Some(1), Some(2), None]] {
        for _ in 0..3 {
            assert_eq!((submit(&replays, &queue, nowhere, 0), queue.replayed()), (true, vec![]));
        }
    }
    // A stream that takes no recordings, though others do.
    submit(&replays, &queue, HERE, 0);
    submit(&replays, &queue, HERE, 0);
    let refusing = Notes { refuses: true, ..queue.clone() };
    assert_eq!((submit(&replays, &refusing, HERE, 0), queue.replayed()), (true, vec![1]));
    assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (false, vec![1]));
}

#[test]
fn what_is_wrong_with_a_launch_is_told_and_with_a_recording_is_not() {
    let (replays, queue) = (Replays::new(), Notes::default());
    let memory = HERE.map(Place);
    let [input, output, workspace] = memory.each_ref().map(|memory| Location { memory, offset: 0 });
    let operands = Operands { input, output, workspace: Some(workspace) };
    let wrong = || Error::unsupported("a launch", "this one never works");
    for _ in 0..3 {
        let told = replays.submit(&queue, operands, || Err(wrong()), || Err(wrong()));
        assert!(matches!(told, Err(Error::Unsupported { .. })), "{told:?}");
    }
    // Then it works, one by one; others are recorded.
    for _ in 0..2 {
        assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (true, vec![]));
    }
    submit(&replays, &queue, HERE, 8);
    assert_eq!((submit(&replays, &queue, HERE, 8), queue.replayed()), (false, vec![1]));
}
