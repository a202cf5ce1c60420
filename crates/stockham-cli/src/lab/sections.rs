//! The parts of the study, each a list of jobs for the rig.

use stockham::accuracy::{L2_LIMIT, Measured};
use stockham::plan::TwiddleSource::{self, Each, Powers, Tables};
use stockham::plan::{self, Chain, FirstStore, Input, PassChoice, Recipe, Trig};
use stockham::{Algebra, BigPrime, Device, Dim, Normalization, Transform};

use crate::bench::timing::Patience;
use crate::error::Result;
use crate::peer::Peer;
use crate::size;

use super::record::{Cell, Entry, Outcome, Program};
use super::rig::{Job, Rig, Truth};
use super::variants::{self, FAMILIES, Family, PROGRAMS, TRIGS, WAVEFRONT, chain, chain_bound};

/// Short transforms of at most that length.
const SHORT: usize = 1 << 10;

/// Elements that fill any device.
const FULL: usize = 1 << 24;

/// The name of the library's own way.
pub const ENGINE: &str = "the engine's recipe";

/// How the names of chains end whose first launch stores through local memory.
pub const STORED: &str = ", first store through local memory";

/// The lengths of AMD's figures.
const PROGRAM_BITS: std::ops::RangeInclusive<u32> = 4..=23;

/// Reports progress: what comes next.
pub type Tell<'a> = &'a dyn Fn(&str);

/// The parts' common needs.
#[derive(Clone, Copy)]
pub struct Lab<'a> {
    /// The device.
    pub device: &'a Device,
    /// Work-group sizes to try.
    pub groups: &'a [usize],
    /// Big primes to measure; none for the usual ones.
    pub primes: &'a [BigPrime],
    /// The library to compare with.
    pub peer: Option<&'a Peer>,
    /// Told of each job.
    pub tell: Tell<'a>,
}

impl Lab<'_> {
    /// The fastest of a chain's work-group sizes.
    fn chain<T: Measured>(&self, rig: &mut Rig<'_, T>, n: usize, choice: &Chain, groups: &[usize]) -> Outcome {
        let transform = Transform::new(T::ALGEBRA, n).batch(rig.len() / n);
        let recipe = |group: usize| {
            let recipe = plan::chain(&transform, self.device.info(), &Chain { group, ..choice.clone() });
            (Some(group), recipe.map(|recipe| vec![recipe]))
        };
        let job = Job {
            truth: Truth::Lines(n),
            bound: chain_bound(T::ALGEBRA, choice),
            planar: choice.input != Input::Interleaved,
            candidates: groups.iter().map(|group| recipe(*group)).collect(),
        };
        rig.measure(job, Patience::FIGURE)
    }

    /// Bainville's tables.
    pub fn chains<T: Measured>(&self, rig: &mut Rig<'_, T>) -> Vec<Cell> {
        let (n, mut cells) = (rig.len(), Vec::new());
        for family in &FAMILIES {
            for trig in TRIGS {
                for variant in family.variants {
                    let Some(twiddles) = variant.twiddles(trig) else { continue };
                    let mut cell = Cell {
                        family: family.name.to_owned(),
                        variant: variant.name.to_owned(),
                        trig,
                        outcome: Outcome::Missing(String::new()),
                    };
                    (self.tell)(&cell.name());
                    let base = chain(n, family.radix, twiddles, 0);
                    let choice = Chain { arithmetic: variant.arithmetic(), ..base };
                    cell.outcome = self.chain(rig, n, &choice, self.groups);
                    cells.push(cell);
                }
            }
        }
        cells
    }

    /// Planar input, by AMD's 8-point program.
    pub fn planar<T: Measured>(&self, rig: &mut Rig<'_, T>) -> Vec<Entry> {
        let ways = [
            ("interleaved input", Input::Interleaved),
            ("planar input, packed by a launch of its own", Input::PlanarPacked),
            ("planar input, packed by the first load", Input::PlanarFused),
        ];
        let entries = ways.into_iter().map(|(name, input)| {
            (self.tell)(name);
            let choice = Chain { input, ..chain(rig.len(), 8, Each(Trig::Native), 0) };
            Entry { name: name.to_owned(), outcome: self.chain(rig, rig.len(), &choice, self.groups) }
        });
        entries.collect()
    }

    /// AMD's figures: one transform at a time, by kernels of one size.
    pub fn programs<T: Measured>(&self, most: usize, programs: &mut Vec<Program>) -> Result<()> {
        for n in PROGRAM_BITS.map(|bits| 1usize << bits).filter(|n| *n <= most) {
            let mut rig = Rig::<T>::new(self.device, n, Patience::GLANCE)?;
            for radix in PROGRAMS {
                let mut program = Program { radix, n, outcome: Outcome::Missing(String::new()) };
                (self.tell)(&program.name());
                let choice = chain(n, radix, Each(Trig::Native), WAVEFRONT);
                let transform = Transform::new(T::ALGEBRA, n);
                let bound = chain_bound(T::ALGEBRA, &choice);
                let job = Job::one(n, bound, plan::chain(&transform, self.device.info(), &choice));
                program.outcome = rig.measure(job, Patience::GLANCE);
                programs.push(program);
            }
        }
        Ok(())
    }

    fn entry<T: Measured>(&self, rig: &mut Rig<'_, T>, name: String, job: Job) -> Entry {
        (self.tell)(&name);
        Entry { outcome: rig.measure(job, Patience::FIGURE), name }
    }

    fn by_choices(&self, transform: &Transform, choices: &[PassChoice]) -> stockham::Result<Recipe> {
        plan::realise(transform, self.device.info(), choices)
    }

    /// What the pages and the article announce: local memory, registers, in place, two dimensions.
    pub fn later<T: Measured>(&self, rig: &mut Rig<'_, T>) -> Vec<Entry> {
        let (len, info) = (rig.len(), self.device.info());
        let short = len.min(SHORT);
        let transform = Transform::new(T::ALGEBRA, short).batch(len / short);
        let what = format!("{} transforms of {} points", len / short, size::power(short));
        let bound = engine_bound(T::ALGEBRA, short);
        let mut entries = Vec::new();

        let launches = chain(short, 2, Tables, 0);
        let name = format!("{what}: one radix-2 stage a launch");
        (self.tell)(&name);
        entries.push(Entry { outcome: self.chain(rig, short, &launches, self.groups), name });
        for radix in [2usize, 4] {
            let bits = short.ilog2() / radix.ilog2();
            let mut stages = vec![radix; bits as usize];
            stages.extend((short.ilog2() % radix.ilog2() > 0).then_some(2));
            let choice = PassChoice::new(1, radix, stages);
            let name = format!("{what}: a work-group each, radix-{radix} stages through local memory");
            entries.push(self.entry(rig, name, Job::one(short, bound, self.by_choices(&transform, &[choice]))));
        }
        let choice = PassChoice { columns: 1, ..variants::pass(short) };
        let name = format!("{what}: a work-group each, in registers, local memory for exchanges only");
        entries.push(self.entry(rig, name, Job::one(short, bound, self.by_choices(&transform, &[choice]))));
        let name = format!("{what}: {ENGINE}");
        entries.push(self.entry(rig, name, Job::one(short, bound, plan::plan(&transform, info))));
        // Scaled by 1/√n, so that transforms of transforms stay in range while they are timed.
        let in_place = |n: usize| {
            let transform = Transform::new(T::ALGEBRA, n).batch(len / n).in_place();
            transform.normalization(Normalization::Ortho)
        };
        let name = format!("{what}: {ENGINE} in place");
        entries.push(self.entry(rig, name, Job::one(short, bound, plan::plan(&in_place(short), info))));
        if short < len {
            let name = format!("one transform of {} points: {ENGINE} in place", size::power(len));
            let bound = engine_bound(T::ALGEBRA, len);
            entries.push(self.entry(rig, name, Job::one(len, bound, plan::plan(&in_place(len), info))));
        }
        entries.push(self.plane(rig));
        entries
    }

    /// Two dimensions from batches of one: all rows, then all columns in place.
    fn plane<T: Measured>(&self, rig: &mut Rig<'_, T>) -> Entry {
        let (len, info) = (rig.len(), self.device.info());
        let columns = 1usize << len.ilog2().div_ceil(2);
        let rows = len / columns;
        let along_rows = Transform::new(T::ALGEBRA, columns).batch(rows);
        let down_columns = Transform::new(T::ALGEBRA, rows)
            .with_dims([Dim::new(rows, columns)])
            .with_batch([Dim::new(columns, 1)])
            .in_place();
        let recipes = [along_rows, down_columns].iter().map(|transform| plan::plan(transform, info)).collect();
        let name = format!("{rows} × {columns} points in two dimensions: rows, then columns in place");
        let job = Job {
            truth: Truth::Plane(columns),
            bound: engine_bound(T::ALGEBRA, len),
            planar: false,
            candidates: vec![(None, recipes)],
        };
        self.entry(rig, name, job)
    }

    /// More and more short transforms at a time.
    pub fn batches<T: Measured>(&self, most: usize, entries: &mut Vec<Entry>) -> Result<()> {
        let (short, most) = (most.min(SHORT), most.min(FULL));
        for batch in (0..).map(|step| 1usize << (2 * step)).take_while(|batch| *batch <= most / short) {
            let mut rig = Rig::<T>::new(self.device, short * batch, Patience::FIGURE)?;
            let transform = Transform::new(T::ALGEBRA, short).batch(batch);
            let job = Job::one(short, engine_bound(T::ALGEBRA, short), plan::plan(&transform, self.device.info()));
            entries.push(self.entry(&mut rig, format!("{batch} × {} points", size::power(short)), job));
        }
        Ok(())
    }

    /// From radix-2 stages, one a launch, to the engine's own recipe. `known` has the chains that were measured before.
    pub fn ladder<T: Measured>(&self, rig: &mut Rig<'_, T>, known: &[Cell]) -> Vec<Entry> {
        let n = rig.len();
        let transform = Transform::new(T::ALGEBRA, n);
        let mut entries = Vec::new();
        for (radix, twiddles, first_store) in rungs(T::ALGEBRA) {
            let choice = Chain { first_store, ..chain(n, radix, twiddles, 0) };
            let stored = if first_store == FirstStore::Direct { "" } else { STORED };
            let launches = choice.radices.len();
            let name = format!("{launches} launches of radix {radix}, {}{stored}", twiddles.words());
            (self.tell)(&name);
            let plain = first_store == FirstStore::Direct;
            let before = known.iter().find(|cell| plain && cell.is_plain(radix, twiddles));
            let outcome = before.map_or_else(|| self.chain(rig, n, &choice, self.groups), |cell| cell.outcome.clone());
            entries.push(Entry { name, outcome });
        }
        let bound = engine_bound(T::ALGEBRA, n);
        for passes in [4, 3, 2] {
            let radices = variants::cut(n, passes);
            let choices: Vec<PassChoice> = radices.iter().map(|radix| variants::pass(*radix)).collect();
            let radices: Vec<String> = radices.into_iter().map(size::power).collect();
            let name = format!("several stages a launch: {}", radices.join(" · "));
            entries.push(self.entry(rig, name, Job::one(n, bound, self.by_choices(&transform, &choices))));
        }
        let recipe = plan::plan(&transform, self.device.info());
        entries.push(self.entry(rig, ENGINE.to_owned(), Job::one(n, bound, recipe)));
        if let Some(peer) = self.peer.filter(|_| T::ALGEBRA.unit_roundoff().is_some()) {
            (self.tell)(&peer.name());
            // Its accuracy is its own affair; a wrong call would be wrong by more.
            entries.push(Entry { name: peer.name(), outcome: rig.measure_peer(peer, n, 1e-3) });
        }
        entries
    }
}

/// What the relative L2 error of the engine's own transforms may be.
fn engine_bound(algebra: Algebra, n: usize) -> f64 {
    algebra.unit_roundoff().map_or(0.0, |u| L2_LIMIT * u * (n.max(2) as f64).log2().sqrt())
}

/// The chains of the ladder: every radix as the pages have it, then the larger ones with all that helps them.
fn rungs(algebra: Algebra) -> Vec<(usize, TwiddleSource, FirstStore)> {
    let sources = match algebra.unit_roundoff() {
        Some(_) => &[Each(Trig::Native), Each(Trig::SinCos), Tables, Powers(Trig::SinCos)][..],
        None => &[Tables],
    };
    let each = sources.iter().filter(|source| !matches!(source, Powers(_)));
    let direct = variants::RADICES.into_iter().flat_map(|r| each.clone().map(move |t| (r, *t, FirstStore::Direct)));
    let exchanged = [8, 16, 32].into_iter().flat_map(|r| sources.iter().map(move |t| (r, *t, FirstStore::Exchanged)));
    direct.chain(exchanged).collect()
}

impl Cell {
    /// Whether it is the family's first variant of that radix, with those twiddles.
    fn is_plain(&self, radix: usize, twiddles: TwiddleSource) -> bool {
        let family = FAMILIES.iter().find(|f| f.radix == radix);
        let first = |f: &Family| f.name == self.family && f.variants[0].name == self.variant;
        family.is_some_and(|f| first(f) && f.variants[0].twiddles(self.trig) == Some(twiddles))
    }
}
