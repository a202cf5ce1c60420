//! Half spectra at the [butterflies](crate::plan) of a stage that threads have with their images: points of the half spectrum are
//! stored as the last stage leaves those of the DFT, or loaded as the first one takes them.

use crate::algebra::Scalar;
use crate::plan::Ends;
use crate::transform::Side;

use super::ends::Stored;
use super::halves::{HalfPoint, Parts, Slots};
use super::{Lowering, Number, Place};
use crate::kernel::symbol::{Symbol, all_of};

impl Lowering<'_> {
    /// The rows of the first stage, of the half spectrum in memory.
    pub(super) fn load_with_images(&self, ends: &Ends) -> Vec<Number> {
        let mut rows = vec![Parts::new(); self.pass.butterflies(0) * self.pass.tile.stages[0]];
        for (slots, numbers) in Slots::of_stage(self, ends, 0) {
            let pair = |j: usize| {
                let row = slots.row(j);
                let [mut low, mut high] = slots.points(j, row.clone()).map(|point| slots.load(None, point));
                slots.made_real(j, &mut low);
                slots.made_real(j, &mut high);
                self.joined(|| slots.root(j, &row), [&low, &high]).map(Vec::from)
            };
            let pairs: Vec<[Parts; 2]> = slots.numbers().map(pair).collect();
            let middle = slots.has_middle().then(|| {
                let x = slots.load(slots.is_first.condition(), slots.point_in_middle());
                vec![x[0].add(&x[0]), x[1].add(&x[1]).neg()]
            });
            slots.put(&mut rows, numbers, slots.rows(&pairs, middle.as_ref()));
        }
        rows.into_iter().map(|x| Number::from_components(self.algebra(), x)).collect()
    }

    /// Stores the half spectrum of the rows of the last stage.
    pub(super) fn store_with_images(&self, ends: &Ends, rows: Vec<Number>) {
        let last = self.pass.tile.stages.len() - 1;
        let rows: Vec<Parts> = rows.into_iter().map(Number::into_components).collect();
        let mut stored = Vec::new();
        for (slots, numbers) in Slots::of_stage(self, ends, last) {
            let [own, image] = slots.butterflies(&rows, numbers);
            for j in slots.numbers() {
                let (row, [x, y]) = (slots.row(j), slots.pair(j, &own, &image));
                let halves = self.split(&slots.root(j, &row), [&x, &y]);
                for (point, x) in slots.points(j, row).into_iter().zip(halves) {
                    stored.extend(slots.stored(point, x, slots.exists(j).cloned()));
                }
            }
            if let Some(x) = slots.middle(&own, &image) {
                let exists = all_of([slots.exists(0).cloned(), slots.is_first.condition().cloned()]);
                stored.extend(slots.stored(slots.point_in_middle(), [x[0].clone(), x[1].neg()], exists));
            }
        }
        self.store_all(stored);
    }
}

impl Slots<'_> {
    /// A point of the half spectrum.
    fn load(&self, guard: Option<&Symbol>, HalfPoint { number: (number, offset), range }: HalfPoint) -> Parts {
        let (site, _) = self.lowering.site(Side::Input, &self.column, (&number, offset), range);
        self.lowering.context.load_at(guard, &site, self.lowering.element)
    }

    /// What is stored of it.
    fn stored(
        &self,
        HalfPoint { number: (number, offset), range }: HalfPoint,
        x: [Symbol; 2],
        exists: Option<Symbol>,
    ) -> Vec<Stored> {
        let lowering = self.lowering;
        if let Some(trig) = lowering.recipe.transform.trig() {
            let line = Place::of(lowering.integer(0), 0, self.column.clone());
            let (point, number) = (lowering.point(self.ends, &line, Side::Output), number.plus(offset));
            let exists = all_of([point.exists.clone(), exists]);
            return lowering.write_half_trig(self.ends, trig, (&point, &number), x, exists);
        }
        let (site, is_column) = lowering.site(Side::Output, &self.column, (&number, offset), range);
        vec![Stored { site, components: x.to_vec(), exists: all_of([is_column, exists]) }]
    }
}
