//! Transforms of one algebra over some lengths, measured one after the other.

use std::io::Write;

use serde::Serialize;
use stockham::plan::Choice;
use stockham::{Algebra, Complex32, Complex64, Device, Direction, Goldilocks, Kind, Layout, Transform};

use crate::error::{Error, Result};
use crate::peer::Peer;
use crate::size::Shape;
use crate::{explain, memory, progress, sizes};

use super::digits::Digits;
use super::print::Table;
use super::reals::Reals;
use super::row::{Bench, Row};
use super::subject::{Elements, Subject, side_bytes};

/// The batch so many times on the host: input, result, and one transform in twice the precision …
const HOST_COPIES: usize = 5;
/// … and so many times on the device, its workspace and a peer's result included.
const DEVICE_COPIES: usize = 4;

/// How many transforms at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// So many bytes of elements or of real numbers.
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
    /// Whether of elements or of real numbers.
    pub kind: Kind,
    /// Forward, or of half spectra to real numbers.
    pub direction: Direction,
    /// The lengths of a transform.
    pub sizes: Vec<Shape>,
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
    /// Whether the input was real, or the output of inverse transforms.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub real: bool,
    /// Whether they were inverse transforms.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inverse: bool,
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
    /// The algebra's name, and the layout of its digits if it is not the plain one, or which side is real.
    pub fn title(&self) -> String {
        let kind = if self.real { Kind::Real } else { Kind::Dft };
        let direction = if self.inverse { Direction::Inverse } else { Direction::Forward };
        title(self.algebra, self.layout.unwrap_or(Layout::Plain), (kind, direction))
    }
}

fn title(algebra: Algebra, layout: Layout, kind: (Kind, Direction)) -> String {
    let name = algebra.given();
    match (layout, kind) {
        (Layout::Plain, (Kind::Real, Direction::Forward)) => format!("{name}, real input"),
        (Layout::Plain, (Kind::Real, Direction::Inverse)) => format!("{name}, real output"),
        (Layout::Plain, _) => name.into(),
        (Layout::Sliced, _) => format!("{name}, digits sliced"),
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
        let Self { algebra, layout, kind, direction, .. } = *self;
        let peer = Peer::find(device, algebra);
        let wisdom = self.is_advised(device);
        introduce(device, &peer, &title(algebra, layout, (kind, direction)), out)?;
        match &self.choice {
            Some(choice) => writeln!(out, "by the choice {choice}")?,
            None if wisdom => writeln!(out, "by wisdom, where it knows the length")?,
            None => {}
        }
        let peer = peer.as_ref().ok();
        let mut record = Record {
            algebra,
            layout: algebra.has_digits().then_some(layout),
            real: kind == Kind::Real,
            inverse: direction == Direction::Inverse,
            single: self.load == Load::Single,
            wisdom,
            choice: self.choice.clone(),
            peer: peer.map(Peer::name),
            rows: Vec::new(),
        };
        let table = Table::new(device, &record, &self.sizes);
        table.print_heading(out)?;
        let bar = progress::bar(self.sizes.len());
        let mut take = |row: Result<Row>| {
            record.rows.push(row?);
            keep(&record)?;
            bar.suspend(|| table.print_row(&record.rows[record.rows.len() - 1], out))?;
            bar.inc(1);
            Ok(())
        };
        let begin = |shape: &Shape| bar.set_message(format!("n = {shape}"));
        let measured = match algebra {
            Algebra::ComplexF32 if kind == Kind::Real => {
                self.measure(device, peer, Reals::<f32>::new(direction), &begin, &mut take)
            }
            Algebra::ComplexF64 if kind == Kind::Real => {
                self.measure(device, peer, Reals::<f64>::new(direction), &begin, &mut take)
            }
            Algebra::ComplexF32 => self.measure(device, peer, Elements::<Complex32>::new(), &begin, &mut take),
            Algebra::ComplexF64 => self.measure(device, peer, Elements::<Complex64>::new(), &begin, &mut take),
            Algebra::Goldilocks => self.measure(device, peer, Elements::<Goldilocks>::new(), &begin, &mut take),
            Algebra::BigPrime(prime) if prime.digit_bytes() == 4 => {
                self.measure(device, peer, Digits::<_, u32>::of(prime, layout), &begin, &mut take)
            }
            Algebra::BigPrime(prime) => {
                self.measure(device, peer, Digits::<_, u64>::of(prime, layout), &begin, &mut take)
            }
            Algebra::WordField(field) if field.bytes() == 4 => {
                self.measure(device, peer, Digits::<_, u32>::of(field, layout), &begin, &mut take)
            }
            Algebra::WordField(field) => {
                self.measure(device, peer, Digits::<_, u64>::of(field, layout), &begin, &mut take)
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
        begin: &dyn Fn(&Shape),
        take: &mut dyn FnMut(Result<Row>) -> Result<()>,
    ) -> Result<()> {
        let mut bench = Bench::new(device, peer, subject)?.by(self.choice.as_ref());
        for shape in &self.sizes {
            begin(shape);
            take(bench.row(shape.clone(), self.batch(shape)))?;
        }
        Ok(())
    }

    /// The host's memory that it takes: inputs and results, what they are compared with, and on the CPU the device's.
    pub fn host_bytes(&self, device: &Device) -> usize {
        let of = |shape: &Shape| side_bytes(&self.transform(shape)).into_iter().max().unwrap_or(0);
        let longest = self.sizes.iter().map(of).max().unwrap_or(0);
        memory::of_host(device, longest.saturating_mul(HOST_COPIES), longest.saturating_mul(DEVICE_COPIES))
    }

    /// How many transforms of that shape.
    fn batch(&self, shape: &Shape) -> usize {
        let elements = match self.kind {
            Kind::Real => shape.points().div_ceil(2),
            _ => shape.points(),
        };
        match self.load {
            Load::Single => 1,
            Load::Batch(bytes) => sizes::batch(self.algebra, elements, bytes),
        }
    }

    /// One transform of that shape.
    fn one(&self, shape: &Shape) -> Transform {
        let of = match self.kind {
            Kind::Real => Transform::real,
            _ => Transform::new,
        };
        let forward = of(self.algebra, shape.lengths()).layouts(self.layout, self.layout);
        match self.direction {
            Direction::Forward => forward,
            Direction::Inverse => forward.inverse(),
        }
    }

    /// All transforms of that shape.
    fn transform(&self, shape: &Shape) -> Transform {
        self.one(shape).batch(self.batch(shape))
    }

    /// Checks that such numbers have such transforms, and that their results can be checked.
    pub fn validate(&self) -> Result<()> {
        self.one(&Shape::from(1)).validate()?;
        let is_checked = matches!(self.algebra, Algebra::ComplexF32 | Algebra::ComplexF64 | Algebra::Goldilocks);
        match self.sizes.iter().find(|shape| !shape.is_line() && !is_checked) {
            Some(shape) => {
                Err(Error::input(format!("over {} one dimension is measured, and not {shape}", self.algebra.given())))
            }
            None if self.direction == Direction::Inverse && !self.sizes.iter().all(Shape::is_line) => {
                Err(Error::input("inverse transforms are measured in one dimension".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Whether the device has wisdom that speaks of some of it.
    fn is_advised(&self, device: &Device) -> bool {
        let is_advised = |shape: &Shape| explain::is_advised(device, &self.transform(shape));
        self.choice.is_none() && self.sizes.iter().any(is_advised)
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
