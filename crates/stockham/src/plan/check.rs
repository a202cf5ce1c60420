//! Whether a device can run a recipe, which may have been made by hand or read from a file.

use crate::algebra::Algebra;
use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Kind;

use super::choice::PassChoice;
use super::pass_shape::Shape;
use super::recipe::{Arithmetic, Lanes, Method, Pass, Place, Recipe, Tile};
use super::twiddles::TwiddleSource;
use super::{ends, hopper, plane, shape, team};

impl Pass {
    /// Checks that the tile makes DFTs of the pass's length, and has an exchange wherever there must be one.
    fn check_tile(&self, algebra: Algebra) -> Result<()> {
        let Tile { columns, per_thread, stages, exchanges, rounds, .. } = &self.tile;
        let choice = PassChoice::new(*columns, *per_thread, stages.clone());
        let choice = PassChoice { chirp: self.chirp, rader: self.rader.is_some(), beside: self.beside, ..choice };
        // A slice of the rows is whole outputs of every stage, and as many registers of every thread.
        let is_sliced = |whole: usize| rounds.slices > 0 && whole.is_multiple_of(rounds.slices);
        let is_flat = [self.tile.load, self.tile.store].contains(&Lanes::Flat);
        let slices =
            rounds.slices == 1 || !is_flat && stages.last().is_some_and(|r| is_sliced(*r)) && is_sliced(*per_thread);
        // What takes rows by their numbers wants as many of every thread.
        let is_plain = !is_flat && rounds.slices == 1 && (self.tile.team, self.tile.staged) == (1, [false; 2]);
        let is_alone = self.hopper.is_none() && self.target != Place::Cluster;
        let by_tables = self.twiddle.is_none_or(|twiddle| twiddle.source == TwiddleSource::Tables);
        let even = self.is_even() || is_plain && is_alone && by_tables && algebra.free_order() == 1;
        let components = algebra.layout().1;
        let planes = match rounds.planes {
            Some(planes) => planes > 0 && components.is_multiple_of(planes),
            // A place of local memory holds a number's components, but not as many digits.
            None => !algebra.has_digits() || exchanges.is_empty() && self.tile.staged == [false; 2],
        };
        let sound = choice.product() == Some(self.radix) && choice.is_sound(usize::MAX);
        // Nothing to bring into order, and nobody to give rows to.
        let plain = !stages.is_empty() || !(self.hopper.swaps || is_flat);
        let sound = sound && plain && !self.columns.is_empty();
        if !sound || !even || !slices || !planes || exchanges.len() != self.exchanges().len() {
            return Err(Error::InvalidTransform(format!(
                "tiles {choice} with {} exchanges in {rounds:?} do not make DFTs of {} points",
                exchanges.len(),
                self.radix
            )));
        }
        Ok(())
    }
}

impl Pass {
    /// Checks that a device has the threads and the local memory.
    pub(super) fn check_fits(&self, algebra: Algebra, device: &DeviceInfo) -> Result<()> {
        if self.fits(algebra, device) {
            return Ok(());
        }
        let (threads, bytes) = self.needs(algebra);
        Err(Error::InvalidTransform(format!(
            "a pass needs {threads} threads and {bytes} bytes of local memory; {} has {} and {}",
            device.id, device.max_group, device.local_bytes
        )))
    }
}

impl Recipe {
    /// Checks that a device can run the recipe.
    pub(crate) fn check(&self, device: &DeviceInfo) -> Result<()> {
        if matches!(self.method, Method::Axes(_)) {
            shape::check(&self.transform, device)?;
            return self.check_axes(device);
        }
        shape::check_passes(&self.transform, device)?;
        if (device.backend == Backend::Cpu) != (self.method == Method::Host) {
            return Err(Error::InvalidTransform(format!("the recipe is not one for {}", device.id)));
        }
        if self.method == Method::Host && *self != Self::host(&self.transform) {
            return Err(Error::InvalidTransform("the host takes no workspace and no ring".into()));
        }
        if matches!(self.method, Method::Convolution(_)) {
            return self.check_long_chirp(device);
        }
        if let Some(entries) = self.chunk {
            return Err(Error::InvalidTransform(format!(
                "{entries} entries of a batch at a time go through the passes of a convolution alone"
            )));
        }
        let radices = self.passes().iter().try_fold(1usize, |product, pass| product.checked_mul(pass.points()));
        let is_none = self.passes().is_empty();
        let n = self.transform.inner_points();
        if device.backend != Backend::Cpu
            && (is_none || !radices.is_some_and(|points| ends::makes(&self.transform, points)))
        {
            let radices: Vec<usize> = self.passes().iter().map(Pass::points).collect();
            return Err(Error::InvalidTransform(format!("passes of {radices:?} do not make {n} points")));
        }
        self.check_arrays()?;
        if self.transform.dims.len() > 1 {
            plane::check(self)?;
        }
        for pass in self.passes() {
            pass.check_tile(self.transform.algebra)?;
            pass.check_chirp(self.transform.algebra)?;
            pass.check_rader(self.transform.algebra)?;
            pass.check_columns(&self.transform, self.points())?;
        }
        for pass in self.passes() {
            if let Some(twiddle) = pass.twiddle {
                twiddle.source.check(self.transform.algebra)?;
                if twiddle.source.trig().is_some() && pass.threads_per_column() > 1 {
                    let what = "a pass of several threads a column that computes its twiddles";
                    return Err(Error::unsupported(what, "they come from tables"));
                }
            }
            pass.check_staging(&self.transform)?;
            team::check(self, pass, device)?;
            hopper::check_pass(pass, self, device)?;
            pass.check_fits(self.transform.algebra, device)?;
        }
        self.check_scales()?;
        self.check_fused()?;
        self.check_filter()?;
        self.check_moduli()?;
        self.check_real()?;
        hopper::check(self, device)?;
        self.check_reach()
    }

    /// Checks that a transform there and back is one pass whose rows stand in the tile as they were loaded.
    fn check_filter(&self) -> Result<()> {
        let is_plain = |pass: &Pass| {
            let tile = &pass.tile;
            let by_itself = pass.chirp.is_none() && pass.rader.is_none() && pass.array.is_empty();
            let direct = ![tile.load, tile.store].contains(&Lanes::Flat) && tile.rounds.slices == 1;
            // Numbers are found by the transform's own dimensions.
            let is_real = self.transform.kind == Kind::Real;
            let columns = || Shape::of(&self.transform, &[pass.radix], 0).columns;
            let is_placed = pass.filters_halves() == is_real && pass.columns == columns();
            by_itself && is_placed && direct && tile.team == 1 && pass.hopper.is_none() && !tile.stages.is_empty()
        };
        let passes = self.passes();
        let is_one = passes.len() == 1 && passes.iter().all(|pass| pass.filter && is_plain(pass));
        let is_none = !passes.iter().any(|pass| pass.filter);
        let sound = if self.transform.is_filtered() && self.method != Method::Host { is_one } else { is_none };
        if sound {
            return Ok(());
        }
        Err(Error::InvalidTransform("a transform there and back is one pass, in a plain tile".into()))
    }

    /// Checks that what goes through expressions is read and written number by number, and lies nowhere between in the caller's memory.
    fn check_fused(&self) -> Result<()> {
        let last = self.passes().len().saturating_sub(1);
        let goes = |(number, pass): (usize, &Pass)| {
            let tile = &pass.tile;
            let is_inside =
                (number == 0 || pass.source != Place::Input) && (number == last || pass.target != Place::Output);
            let by_number = !pass.hopper.ahead && tile.staged == [false; 2] && tile.arithmetic == Arithmetic::Scalar;
            is_inside && pass.source != Place::Output && pass.planes.is_none() && by_number
        };
        let plain = self.chunk.is_none() && self.ring.is_none() && self.passes().iter().enumerate().all(goes);
        if plain || !self.transform.is_fused() {
            return Ok(());
        }
        Err(Error::InvalidTransform(
            "numbers that go through expressions are read and written one by one, from the input to the output".into(),
        ))
    }
}
