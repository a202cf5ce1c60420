//! Long work in a thread of its own, while the thread that asked for it reports progress, and looks for signals: an exception,
//! such as that of Ctrl-C, comes at once, and the work ends with the stage that it is in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use stockham::Error;

use crate::error::raised;

/// How often signals are looked for.
const EVERY: Duration = Duration::from_millis(50);

/// Bytes of input below which work is done at once by the thread that asks, if no progress is to be told.
const AT_ONCE_BELOW: usize = 1 << 17;

/// What the working thread tells.
enum Told<R> {
    Stage(&'static str),
    Result(Result<R, Error>),
}

/// Where work says which stage begins.
pub struct Stages<'a> {
    /// Returns whether somebody still waits for the result.
    begin: &'a mut (dyn FnMut(&'static str) -> bool + Send),
}

/// What ends work early: an error, or that nobody waits any more.
pub enum Stop {
    Error(Error),
    Abandoned,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl Stages<'_> {
    /// The next stage begins.
    ///
    /// # Errors
    /// [`Stop::Abandoned`] if nobody waits for the result.
    pub fn next(&mut self, what: &'static str) -> Result<(), Stop> {
        if (self.begin)(what) { Ok(()) } else { Err(Stop::Abandoned) }
    }
}

/// Does some work of `count` stages on so many bytes. `progress`, if it is not None, is called with how many are done, with their
/// number, and with the name of the next one, which is empty in the end.
///
/// # Errors
/// The work's, the callback's, and what signal handlers raise.
pub fn watched<R: Send + 'static>(
    py: Python<'_>,
    bytes: usize,
    count: usize,
    progress: &Bound<'_, PyAny>,
    work: impl FnOnce(&mut Stages<'_>) -> Result<R, Stop> + Send + 'static,
) -> PyResult<R> {
    if !progress.is_none() && !progress.is_callable() {
        return Err(PyTypeError::new_err("progress must be None or callable with (done, count, what)"));
    }
    if bytes < AT_ONCE_BELOW && progress.is_none() {
        return py.detach(|| work(&mut Stages { begin: &mut |_| true })).map_err(|stop| match stop {
            Stop::Error(error) => raised(error),
            Stop::Abandoned => PyRuntimeError::new_err("the work was given up"),
        });
    }
    let is_awaited = Arc::new(AtomicBool::new(true));
    let (teller, mut told) = mpsc::channel::<Told<R>>();
    let worker = {
        let is_awaited = is_awaited.clone();
        move || {
            let begin = &mut |what| is_awaited.load(Ordering::Relaxed) && teller.send(Told::Stage(what)).is_ok();
            match work(&mut Stages { begin }) {
                // If nobody waits, there is nobody to tell.
                Ok(result) => drop(teller.send(Told::Result(Ok(result)))),
                Err(Stop::Error(error)) => drop(teller.send(Told::Result(Err(error)))),
                Err(Stop::Abandoned) => {}
            }
        }
    };
    let started = thread::Builder::new().name("stockham-work".into()).spawn(worker);
    started.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let result = wait(py, &mut told, count, progress);
    is_awaited.store(false, Ordering::Relaxed);
    result
}

fn wait<R: Send>(
    py: Python<'_>,
    told: &mut Receiver<Told<R>>,
    count: usize,
    progress: &Bound<'_, PyAny>,
) -> PyResult<R> {
    let report = |done: usize, what: &str| match progress.is_none() {
        true => Ok(()),
        false => progress.call1((done, count, what)).map(|_| ()),
    };
    let mut begun = 0;
    loop {
        // Moved there and borrowed anew, as one thread at a time may listen.
        let listener = &mut *told;
        let news = py.detach(move || listener.recv_timeout(EVERY));
        py.check_signals()?;
        match news {
            Ok(Told::Stage(what)) => {
                report(begun, what)?;
                begun += 1;
            }
            Ok(Told::Result(result)) => {
                let result = result.map_err(raised)?;
                report(count, "")?;
                return Ok(result);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread that worked has ended without a result"));
            }
        }
    }
}
