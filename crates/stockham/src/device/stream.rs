//! Streams of work in order, and events that mark and time them.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, Result};

use super::Device;
use super::driver::{Driver, Mark, Queue};

/// An in-order stream of work on a device (a CUDA stream, an OpenCL queue; on the CPU work is done at once).
#[derive(Clone)]
pub struct Stream {
    driver: Arc<dyn Driver>,
    queue: Arc<dyn Queue>,
}

impl Stream {
    pub(crate) fn new(driver: Arc<dyn Driver>, queue: Arc<dyn Queue>) -> Self {
        Self { driver, queue }
    }

    /// Waits until all work on this stream is done.
    ///
    /// # Errors
    /// What the driver reports, faults of earlier work included.
    pub fn synchronize(&self) -> Result<()> {
        self.queue.finish()
    }

    /// Marks the present end of the stream.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn record(&self) -> Result<Event> {
        Ok(Event { driver: self.driver.clone(), mark: self.queue.record()? })
    }

    /// Makes later work on this stream wait for an event of another stream of the same device.
    ///
    /// # Errors
    /// [`Error::DeviceMismatch`] for another device's event; what the driver reports.
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        self.check_driver(&event.driver)?;
        self.queue.wait(&*event.mark)
    }

    pub(crate) fn queue(&self) -> &dyn Queue {
        &*self.queue
    }

    pub(crate) fn check_device(&self, other: &Device) -> Result<()> {
        self.check_driver(other.driver())
    }

    fn check_driver(&self, other: &Arc<dyn Driver>) -> Result<()> {
        if Arc::ptr_eq(&self.driver, other) {
            Ok(())
        } else {
            Err(Error::DeviceMismatch { what: "stream", device: other.info().id.clone() })
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream on {}", self.driver.info().id)
    }
}

/// A point in a stream's work.
pub struct Event {
    driver: Arc<dyn Driver>,
    mark: Box<dyn Mark>,
}

impl Event {
    /// Waits until the work before the event is done.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn synchronize(&self) -> Result<()> {
        self.mark.wait()
    }

    /// Milliseconds of device time since an earlier event. Waits for both.
    ///
    /// # Errors
    /// [`Error::DeviceMismatch`] for another device's event; what the driver reports.
    pub fn milliseconds_since(&self, earlier: &Event) -> Result<f64> {
        if !Arc::ptr_eq(&self.driver, &earlier.driver) {
            return Err(Error::DeviceMismatch { what: "event", device: self.driver.info().id.clone() });
        }
        self.mark.milliseconds_since(&*earlier.mark)
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event on {}", self.driver.info().id)
    }
}
