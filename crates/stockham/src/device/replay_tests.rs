//! What is recorded, what is submitted and what is launched one by one, on a device that only takes note.

use std::any::Any;
use std::cell::RefCell;
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

/// A stream that notes the replays; what it records is known by its number.
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
    fn recorded(&self, submit: &mut dyn FnMut(&dyn Queue) -> Result<()>) -> Result<Option<Box<dyn Recording>>> {
        submit(self)?;
        let mut recorded = self.recorded.lock().unwrap();
        *recorded += 1;
        Ok(Some(Box::new(Noted(*recorded))))
    }
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

/// Submits for these addresses, and counts the direct launches: those of recordings, too.
fn submit(replays: &Replays, queue: &Notes, addresses: [Option<u64>; 3], offset: usize) -> usize {
    let memory = addresses.map(Place);
    let [input, output, workspace] = memory.each_ref().map(|memory| Location { memory, offset });
    let launched = RefCell::new(0);
    let mut direct = |_: &dyn Queue| {
        *launched.borrow_mut() += 1;
        Ok(())
    };
    replays.submit(queue, Operands { input, output, workspace: Some(workspace) }, &mut direct).unwrap();
    launched.into_inner()
}

const HERE: [Option<u64>; 3] = [Some(100), Some(200), Some(300)];

#[test]
fn the_second_run_is_recorded_and_later_ones_replay_it() {
    let (replays, queue) = (Replays::new(), Notes::default());
    assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (1, vec![]));
    assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (1, vec![1]));
    for _ in 0..3 {
        assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (0, vec![1]));
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
        assert_eq!((submit(&replays, &queue, addresses, offset), queue.replayed()), (1, vec![]));
    }
    for (number, (addresses, offset)) in others.into_iter().enumerate() {
        assert_eq!((submit(&replays, &queue, addresses, offset), queue.replayed()), (1, vec![number + 1]));
    }
    // The same places by another way.
    let shifted = HERE.map(|address| address.map(|address| address + 8));
    assert_eq!((submit(&replays, &queue, shifted, 0), queue.replayed()), (0, vec![4]));
}

#[test]
fn only_the_latest_used_are_kept() {
    let (replays, queue) = (Replays::new(), Notes::default());
    let at = |number: usize| [Some(number as u64), Some(200), Some(300)];
    for number in 0..=KEPT {
        assert_eq!(submit(&replays, &queue, at(number), 0), 1);
        assert_eq!(submit(&replays, &queue, at(0), 0), usize::from(number == 0));
    }
    // The first was used all the time, the second longest ago.
    assert_eq!((submit(&replays, &queue, at(0), 0), submit(&replays, &queue, at(KEPT), 0)), (0, 1));
    queue.replayed();
    assert_eq!((submit(&replays, &queue, at(1), 0), queue.replayed()), (1, vec![]));
}

#[test]
fn what_cannot_be_recorded_is_launched() {
    let (replays, queue) = (Replays::new(), Notes::default());
    for nowhere in [[None, Some(1), Some(2)], [Some(1), None, Some(2)], [Some(1), Some(2), None]] {
        for _ in 0..3 {
            assert_eq!((submit(&replays, &queue, nowhere, 0), queue.replayed()), (1, vec![]));
        }
    }
    // A stream that takes no recordings, though others do.
    submit(&replays, &queue, HERE, 0);
    submit(&replays, &queue, HERE, 0);
    let refusing = Notes { refuses: true, ..queue.clone() };
    assert_eq!((submit(&replays, &refusing, HERE, 0), queue.replayed()), (1, vec![1]));
    assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (0, vec![1]));
}

#[test]
fn what_is_wrong_with_a_launch_is_told() {
    let (replays, queue) = (Replays::new(), Notes::default());
    let memory = HERE.map(Place);
    let [input, output, workspace] = memory.each_ref().map(|memory| Location { memory, offset: 0 });
    let operands = Operands { input, output, workspace: Some(workspace) };
    for _ in 0..3 {
        let mut failing = |_: &dyn Queue| Err(Error::unsupported("a launch", "this one never works"));
        let told = replays.submit(&queue, operands, &mut failing);
        assert!(matches!(told, Err(Error::Unsupported { .. })), "{told:?}");
    }
    // Then it works, one by one; others are recorded.
    for _ in 0..2 {
        assert_eq!((submit(&replays, &queue, HERE, 0), queue.replayed()), (1, vec![]));
    }
    submit(&replays, &queue, HERE, 8);
    assert_eq!((submit(&replays, &queue, HERE, 8), queue.replayed()), (1, vec![1]));
}
