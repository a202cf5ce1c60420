//! Transforms of one algebra over some lengths, measured one after the other.

use std::io::Write;

use serde::Serialize;
use stockham::plan::Choice;
use stockham::{Algebra, Complex32, Complex64, Device, Goldilocks, Layout, Transform};

use crate::error::{Error, Result};
use crate::peer::Peer;
use crate::{memory, progress, size, sizes};

use super::digits::Digits;
use super::print::Table;
use super::row::{Bench, Row};
use super::subject::{Elements, Subject};

/// The batch so many times on the host: input, result, and one transform in twice the precision …
const HOST_COPIES: usize = 5;
/// … and so many times on the device, its workspace and a peer's result included.
const DEVICE_COPIES: usize = 4;

/// How many transforms at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// So many bytes of them.
    Batch(usize),
    /// One, timed launch to launch.
    Single,
}

/// What is to be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// Of what.
    pub algebra: Algebra,
    /// How digits lie.
    pub layout: Layout,
    /// Points of a transform.
    pub sizes: Vec<usize>,
    /// How many at a time.
    pub load: Load,
    /// By what they are planned, if not by the device.
    pub choice: Option<Choice>,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Record {
    /// Of what.
    pub algebra: Algebra,
    /// How digits lie, for algebras whose elements have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// Whether one transform ran at a time.
    pub single: bool,
    /// Whether the device had wisdom to plan some of it by.
    pub wisdom: bool,
    /// The choice of passes that it was planned by, if not by the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// The name of what it was compared with.
    pub peer: Option<String>,
    /// A row a length.
    pub rows: Vec<Row>,
}

impl Record {
    /// The algebra's name, and the layout of its digits if it is not the plain one.
    pub fn title(&self) -> String {
        title(self.algebra, self.layout.unwrap_or(Layout::Plain))
    }
}

fn title(algebra: Algebra, layout: Layout) -> String {
    match layout {
        Layout::Plain => algebra.given().into(),
        Layout::Sliced => format!("{}, digits sliced", algebra.given()),
    }
}

impl Sweep {
    /// Measures and prints row by row, and hands what there is so far to `keep`; gives what was measured, and what ended
    /// it early.
    pub fn run(
        &self,
        device: &Device,
        keep: &mut dyn FnMut(&Record) -> Result<()>,
        out: &mut dyn Write,
    ) -> Result<(Record, Result<()>)> {
        let Self { algebra, layout, .. } = *self;
        let peer = Peer::find(device, algebra);
        let wisdom = self.is_advised(device);
        introduce(device, &peer, &title(algebra, layout), out)?;
        match &self.choice {
            Some(choice) => writeln!(out, "by the choice {choice}")?,
            None if wisdom => writeln!(out, "by wisdom, where it knows the length")?,
            None => {}
        }
        let peer = peer.as_ref().ok();
        let mut record = Record {
            algebra,
            layout: algebra.has_digits().then_some(layout),
            single: self.load == Load::Single,
            wisdom,
            choice: self.choice.clone(),
            peer: peer.map(Peer::name),
            rows: Vec::new(),
        };
        let table = Table::new(device, &record);
        table.print_heading(out)?;
        let bar = progress::bar(self.sizes.len());
        let mut take = |row: Result<Row>| {
            record.rows.push(row?);
            keep(&record)?;
            bar.suspend(|| table.print_row(&record.rows[record.rows.len() - 1], out))?;
            bar.inc(1);
            Ok(())
        };
        let begin = |n| bar.set_message(format!("n = {}", size::power(n)));
        let measured = match algebra {
            Algebra::ComplexF32 => self.measure(device, peer, Elements::<Complex32>::new(), &begin, &mut take),
            Algebra::ComplexF64 => self.measure(device, peer, Elements::<Complex64>::new(), &begin, &mut take),
            Algebra::Goldilocks => self.measure(device, peer, Elements::<Goldilocks>::new(), &begin, &mut take),
            Algebra::BigPrime(prime) if prime.digit_bytes() == 4 => {
                self.measure(device, peer, Digits::<_, u32>::of(prime, layout), &begin, &mut take)
            }
            Algebra::BigPrime(prime) => {
                self.measure(device, peer, Digits::<_, u64>::of(prime, layout), &begin, &mut take)
            }
            Algebra::PrimeField(field) => {
                self.measure(device, peer, Digits::<_, u64>::of(field, layout), &begin, &mut take)
            }
            other => Err(Error::input(format!("{} is not measured", other.name()))),
        };
        drop(bar);
        // Without standard output there is nobody to measure for.
        match measured {
            Err(error @ Error::Stdout(_)) => Err(error),
            measured => Ok((record, measured)),
        }
    }

    fn measure<S: Subject>(
        &self,
        device: &Device,
        peer: Option<&Peer>,
        subject: S,
        begin: &dyn Fn(usize),
        take: &mut dyn FnMut(Result<Row>) -> Result<()>,
    ) -> Result<()> {
        let mut bench = Bench::new(device, peer, subject)?.by(self.choice.as_ref());
        for &n in &self.sizes {
            begin(n);
            take(bench.row(n, self.batch(n)))?;
        }
        Ok(())
    }

    /// The host's memory that it takes: inputs and results, what they are compared with, and on the CPU the device's.
    pub fn host_bytes(&self, device: &Device) -> usize {
        let of = |&n: &usize| n.saturating_mul(self.batch(n)).saturating_mul(self.algebra.element_bytes());
        let longest = self.sizes.iter().map(of).max().unwrap_or(0);
        memory::of_host(device, longest.saturating_mul(HOST_COPIES), longest.saturating_mul(DEVICE_COPIES))
    }

    /// How many transforms of that length.
    fn batch(&self, n: usize) -> usize {
        match self.load {
            Load::Single => 1,
            Load::Batch(bytes) => sizes::batch(self.algebra, n, bytes),
        }
    }

    /// Whether the device has wisdom that speaks of some of it.
    fn is_advised(&self, device: &Device) -> bool {
        let transform = |n| Transform::new(self.algebra, n).layouts(self.layout, self.layout).batch(self.batch(n));
        self.choice.is_none() && self.sizes.iter().any(|&n| device.advised(&transform(n)).is_some())
    }
}

/// What runs, and what it is compared with.
fn introduce(
    device: &Device,
    peer: &std::result::Result<Peer, String>,
    title: &str,
    out: &mut dyn Write,
) -> Result<()> {
    let info = device.info();
    writeln!(out, "{} ({}), {}, {title}", info.id, info.name, info.driver)?;
    match peer {
        Ok(peer) => writeln!(out, "compared with {}", peer.name())?,
        Err(reason) => writeln!(out, "compared with nothing: {reason}")?,
    }
    Ok(())
}
