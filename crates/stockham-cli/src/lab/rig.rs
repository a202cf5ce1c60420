//! Measuring: recipes made ready in parallel, the fastest chosen, timed, and its result compared with the truth.

use rayon::prelude::*;
use stockham::accuracy::{self, Errors, Measured};
use stockham::algebra::{Numbers, NumericRing, Scale};
use stockham::autosort::Autosort;
use stockham::plan::Recipe;
use stockham::{Buffer, Device, Direction, Executable, Placement, Stream, Transform};

use crate::bench::beside::time_peer;
use crate::bench::timing::{self, Patience};
use crate::error::{Error, Result};
use crate::peer::{Peer, Work};

use super::record::{Outcome, Reading};

/// What a result is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// Transforms of that length, one after the other.
    Lines(usize),
    /// One transform of two dimensions: rows of that length.
    Plane(usize),
}

/// Recipes that compute the same.
pub struct Job {
    /// What they compute.
    pub truth: Truth,
    /// What their relative L2 error may be.
    pub bound: f64,
    /// Whether the real parts of the input come first, and then the imaginary ones.
    pub planar: bool,
    /// The candidates, by work-group size where that is what tells them apart. A recipe out of place may be followed by
    /// others in place, which go on with its output; a recipe in place alone transforms a copy of the input.
    pub candidates: Vec<(Option<usize>, stockham::Result<Vec<Recipe>>)>,
}

impl Job {
    /// One recipe for transforms of `n` points.
    pub fn one(n: usize, bound: f64, recipe: stockham::Result<Recipe>) -> Self {
        let candidates = vec![(None, recipe.map(|recipe| vec![recipe]))];
        Self { truth: Truth::Lines(n), bound, planar: false, candidates }
    }
}

/// Device memory of one size, and what is known of it.
pub struct Rig<'a, T: Measured> {
    device: &'a Device,
    stream: Stream,
    host: Vec<T>,
    input: Buffer<T>,
    output: Buffer<T>,
    workspace: Buffer<T>,
    copy_ms: f64,
    reference: Option<(Truth, Vec<T::Wide>)>,
}

const SEED: u64 = 1;

/// Runs that launches are timed in, one by one.
const PROFILES: usize = 5;

impl<'a, T: Measured> Rig<'a, T> {
    /// Memory for `len` elements, and the time of a copy of them.
    pub fn new(device: &'a Device, len: usize, patience: Patience) -> Result<Self> {
        let stream = device.new_stream()?;
        // The device first: what is too large for it may be too large for the host as well.
        let (mut input, mut output) = (device.alloc(len)?, device.alloc(len)?);
        let workspace = device.alloc(len)?;
        let host: Vec<T> = accuracy::random(len, SEED);
        input.write(&host)?;
        let copy_ms = timing::measure_with(patience, &stream, &mut || Ok(output.copy_from(&stream, &input)?))?;
        Ok(Self { device, stream, host, input, output, workspace, copy_ms, reference: None })
    }

    /// The elements.
    pub fn len(&self) -> usize {
        self.host.len()
    }

    /// The fastest candidate's time and error.
    pub fn measure(&mut self, job: Job, patience: Patience) -> Outcome {
        self.try_measure(job, patience).map_or_else(|error| Outcome::Missing(error.to_string()), Outcome::Reading)
    }

    fn try_measure(&mut self, job: Job, patience: Patience) -> Result<Reading> {
        let Job { truth, bound, planar, candidates } = job;
        let prepare = |recipes: stockham::Result<Vec<Recipe>>| -> stockham::Result<Vec<Executable>> {
            recipes?.into_par_iter().map(|recipe| self.device.prepare(recipe)).collect()
        };
        let several = candidates.len() > 1;
        let prepared: Vec<_> = candidates.into_par_iter().map(|(group, recipes)| (group, prepare(recipes))).collect();
        if planar {
            self.input.write(&planes(&self.host))?;
        }
        let mut best: Option<(f64, Option<usize>, Vec<Executable>)> = None;
        let mut refusal = None;
        for (group, executables) in prepared {
            let timed = executables.map_err(Error::from).and_then(|executables| {
                let patience = if several { Patience::GLANCE } else { patience };
                Ok((self.time(&executables, patience)?, executables))
            });
            match timed {
                Ok((ms, executables)) if best.as_ref().is_none_or(|(least, ..)| ms < *least) => {
                    best = Some((ms, group, executables));
                }
                Ok(_) => {}
                Err(error) => refusal = Some(error),
            }
        }
        let reading = match (best, refusal) {
            (Some((ms, group, executables)), _) => {
                let ms = if several { self.time(&executables, patience)? } else { ms };
                self.reading(truth, bound, group, ms, &executables)
            }
            (None, Some(error)) => Err(error),
            (None, None) => Err(Error::input("no work-group size to try")),
        };
        if planar {
            self.input.write(&self.host)?;
        }
        reading
    }

    fn time(&mut self, executables: &[Executable], patience: Patience) -> Result<f64> {
        let stream = self.stream.clone();
        timing::measure_with(patience, &stream, &mut || self.submit(executables))
    }

    fn submit(&mut self, executables: &[Executable]) -> Result<()> {
        for executable in executables {
            let (stream, workspace) = (&self.stream, &mut self.workspace);
            match executable.transform().placement {
                Placement::OutOfPlace => executable.run_on(stream, &self.input, &mut self.output, workspace)?,
                Placement::InPlace => executable.run_in_place_on(stream, &mut self.output, workspace)?,
            }
        }
        Ok(())
    }

    fn reading(
        &mut self,
        truth: Truth,
        bound: f64,
        group: Option<usize>,
        ms: f64,
        executables: &[Executable],
    ) -> Result<Reading> {
        // What is in place begins with the input; what is not must not be taken for what ran before.
        self.output.copy_from(&self.stream, &self.input)?;
        self.submit(executables)?;
        self.stream.synchronize()?;
        let found = self.output.to_vec()?;
        let scale = executables.iter().map(|e| e.transform().scale()).find(|s| *s != Scale::One).unwrap_or(Scale::One);
        let errors = self.errors(truth, scale, &found)?;
        let launches = executables.iter().map(|e| e.recipe().launches().len()).sum::<usize>();
        let launch_ms = match executables {
            [one] if one.transform().placement == Placement::OutOfPlace && launches > 1 => self.profile(one)?,
            _ => Vec::new(),
        };
        let n = match truth {
            Truth::Lines(n) => n,
            Truth::Plane(_) => self.len(),
        };
        Ok(Reading {
            n,
            batch: self.len() / n,
            group,
            launches: Some(launches),
            bytes: Some(2 * launches * self.len() * size_of::<T>()),
            ms,
            copy_ms: self.copy_ms,
            launch_ms,
            l2: errors.l2,
            units: units::<T>(errors, n),
            bound,
        })
    }

    /// The least time of each launch over some runs.
    fn profile(&mut self, executable: &Executable) -> Result<Vec<f64>> {
        let mut least: Vec<f64> = Vec::new();
        for _ in 0..PROFILES {
            let times = executable.profile(&self.stream, &self.input, &mut self.output, &mut self.workspace)?;
            if least.is_empty() {
                least = times;
            } else {
                least.iter_mut().zip(times).for_each(|(least, ms)| *least = least.min(ms));
            }
        }
        Ok(least)
    }

    /// A peer's transforms of `n` points on the same memory.
    pub fn measure_peer(&mut self, peer: &Peer, n: usize, bound: f64) -> Outcome {
        let transform = &Transform::new(T::ALGEBRA, n).batch(self.len() / n);
        let (stream, host, input, output) = (&self.stream, &self.host, &self.input, &mut self.output);
        let work = Work { stream, transform, host, input, output };
        let timed = time_peer(peer, Patience::FIGURE, work).and_then(|(ms, _)| {
            let found = self.output.to_vec()?;
            let errors = self.errors(Truth::Lines(n), Scale::One, &found)?;
            Ok(Reading {
                n,
                batch: self.len() / n,
                group: None,
                launches: None,
                bytes: None,
                ms,
                copy_ms: self.copy_ms,
                launch_ms: Vec::new(),
                l2: errors.l2,
                units: units::<T>(errors, n),
                bound,
            })
        });
        timed.map_or_else(|error| Outcome::Missing(error.to_string()), Outcome::Reading)
    }

    fn errors(&mut self, truth: Truth, scale: Scale, found: &[T]) -> Result<Errors> {
        if self.reference.as_ref().is_none_or(|(of, _)| *of != truth) {
            self.reference = None;
            self.reference = Some((truth, reference(truth, &self.host)?));
        }
        let Some((_, reference)) = &self.reference else { return Err(Error::input("no reference")) };
        Ok(match scale {
            Scale::One => accuracy::errors(found, |i| reference[i]),
            _ => accuracy::errors(found, |i| reference[i].scaled(scale)),
        })
    }
}

fn units<T: Measured>(errors: Errors, n: usize) -> Option<f64> {
    T::ALGEBRA.unit_roundoff().map(|u| errors.in_units(Some(u), n).l2)
}

/// The transform in at least twice the precision.
fn reference<T: Measured>(truth: Truth, host: &[T]) -> Result<Vec<T::Wide>> {
    let mut wide: Vec<T::Wide> = host.par_iter().map(|x| x.widen()).collect();
    match truth {
        Truth::Lines(n) => lines::<T>(&mut wide, n)?,
        Truth::Plane(columns) => {
            let rows = wide.len() / columns;
            lines::<T>(&mut wide, columns)?;
            wide = transposed(&wide, columns);
            lines::<T>(&mut wide, rows)?;
            wide = transposed(&wide, rows);
        }
    }
    Ok(wide)
}

fn lines<T: Measured>(wide: &mut [T::Wide], n: usize) -> Result<()> {
    let missing = || Error::input(format!("there is no reference of {n} points"));
    let autosort = Autosort::<T::Wide>::new(n, Direction::Forward).ok_or_else(missing)?;
    let scratch = || vec![T::Wide::zero(); n];
    wide.par_chunks_mut(n).for_each_init(scratch, |scratch, line| autosort.process(line, scratch));
    Ok(())
}

fn transposed<W: Copy + Send + Sync>(x: &[W], columns: usize) -> Vec<W> {
    let rows = x.len() / columns;
    (0..x.len()).into_par_iter().map(|i| x[i % rows * columns + i / rows]).collect()
}

/// The first components of all elements, then the second ones, as elements.
fn planes<T: Measured>(host: &[T]) -> Vec<T> {
    let (_, count) = T::ALGEBRA.layout();
    let word = size_of::<T>() / count;
    let bytes: &[u8] = bytemuck::cast_slice(host);
    let plane = |c: usize| bytes.chunks_exact(word).skip(c).step_by(count);
    let planar: Vec<u8> = (0..count).flat_map(plane).flatten().copied().collect();
    bytemuck::pod_collect_to_vec(&planar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::Complex32;

    #[test]
    fn planes_hold_all_real_parts_first() {
        let host = [Complex32::new(1.0, 2.0), Complex32::new(3.0, 4.0)];
        assert_eq!(planes(&host), [Complex32::new(1.0, 3.0), Complex32::new(2.0, 4.0)]);
    }

    #[test]
    fn a_plane_is_transposed() {
        assert_eq!(transposed(&[1, 2, 3, 4, 5, 6], 3), [1, 4, 2, 5, 3, 6]);
    }
}
