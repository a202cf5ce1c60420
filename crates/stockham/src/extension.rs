//! Low-degree extensions: of a polynomial's values on a subgroup, those on a coset of a larger one.

use crate::algebra::{Algebra, Data};
use crate::convolution::values;
use crate::device::{Buffer, Device, Executable, Stream};
use crate::error::{Error, Result};
use crate::transform::{Dim, Domain, Placement, Transform};

/// Evaluations on n points become those on n·B, as one plan: a transform to coefficients, and one back to which the other
/// coefficients are zeros that are nowhere in memory.
///
/// ```
/// use stockham::{Algebra, Device, Domain, Transform, extension::Extension};
/// let (device, babybear): (_, Algebra) = (Device::cpu(), "babybear".parse()?);
/// let onto = Domain { coset: vec![31], ..Domain::default() };
/// let mut extension = Extension::<u32>::plan(&device, &Transform::new(babybear, 2), 2, onto)?;
/// // The polynomial 1 + x has the values 2 and 0 at 1 and −1.
/// let (input, mut output) = (device.upload(&[2u32, 0])?, device.alloc(extension.output_len())?);
/// extension.run(device.default_stream(), &input, &mut output)?;
/// device.default_stream().synchronize()?;
/// assert_eq!(output.to_vec()?[0], 32);
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct Extension<T> {
    inverse: Executable,
    forward: Executable,
    coefficients: Buffer<T>,
    workspace: Buffer<T>,
}

impl<T: Data> Extension<T> {
    /// Plans for the values that a transform of n points over a field describes, with its strides, batch and [`Domain`]: the
    /// coset that they are on, and their order. It takes the memory of the coefficients, and that of a workspace.
    ///
    /// The output has n·`blowup` points in the order and on the coset of `onto`. Where the points of the input are
    /// neighbours, lines follow each other so much further apart; columns of a matrix have as many rows.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] unless `blowup` is a power of two and the transform one of one dimension; otherwise as
    /// [`Device::plan`].
    pub fn plan(device: &Device, evaluations: &Transform, blowup: usize, onto: Domain) -> Result<Self> {
        let [inverse, forward] = transforms(evaluations, blowup, onto)?;
        let (inverse, forward) = (device.plan(&inverse)?, device.plan(&forward)?);
        let elements = inverse.workspace_len().max(forward.workspace_len());
        let algebra = evaluations.algebra;
        let workspace = device.alloc(values::<T>(algebra, elements)?)?;
        let coefficients = device.alloc(values::<T>(algebra, inverse.transform().output_len())?)?;
        Ok(Self { inverse, forward, coefficients, workspace })
    }

    /// Elements of the output.
    pub fn output_len(&self) -> usize {
        self.forward.transform().output_len()
    }

    /// Submits it.
    ///
    /// # Errors
    /// As [`Executable::run_on`].
    pub fn run(&mut self, stream: &Stream, input: &Buffer<T>, output: &mut Buffer<T>) -> Result<()> {
        self.inverse.run_on(stream, input, &mut self.coefficients, &mut self.workspace)?;
        self.forward.run_on(stream, &self.coefficients, output, &mut self.workspace)
    }
}

/// The same within one buffer, some lines at a time: it takes little memory beside the output's.
///
/// ```
/// use stockham::{Algebra, Device, Dim, Domain, Goldilocks, Transform, extension::InPlaceExtension};
/// // The columns of 2 rows become those of 4.
/// let columns = Transform::new(Algebra::Goldilocks, 2).with_dims([Dim::new(2, 3)]).with_batch([Dim::new(3, 1)]);
/// let device = Device::cpu();
/// let mut extension = InPlaceExtension::<Goldilocks>::plan(&device, &columns, 2, Domain::default())?;
/// let mut data = device.upload(&[2, 1, 0, 0, 1, 0, 9, 9, 9, 9, 9, 9].map(Goldilocks::reduce))?;
/// extension.run(device.default_stream(), &mut data)?;
/// device.default_stream().synchronize()?;
/// // 1 + x, 1 and 0, at 1, i, −1 and −i.
/// let rows: Vec<u64> = data.to_vec()?.iter().map(|x| x.value()).collect();
/// assert_eq!((&rows[..3], &rows[6..9]), (&[2, 1, 0][..], &[0, 1, 0][..]));
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct InPlaceExtension<T> {
    /// The way to coefficients and back of as many lines as go together, and of those that are left.
    ways: Vec<[Executable; 2]>,
    /// Where such lines begin, in values, and which of the ways they go.
    parts: Vec<(usize, usize)>,
    len: usize,
    /// Values of an element.
    per_element: usize,
    coefficients: Buffer<T>,
    workspace: Buffer<T>,
}

/// Of the output, coefficients and workspace take such a part together, if that is not less than a line.
const PART: usize = 12;

/// Columns that go together at least, so that their rows fill what memory gives at a time.
const COLUMNS: usize = 8;

impl<T: Data> InPlaceExtension<T> {
    /// Plans for values that lie as the transform says, each line where its first n·`blowup` points will be: columns of a matrix are its
    /// first rows, and lines that follow each other are n·`blowup` apart.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] where lines have no room; otherwise as [`Extension::plan`].
    pub fn plan(device: &Device, evaluations: &Transform, blowup: usize, onto: Domain) -> Result<Self> {
        let transforms = |evaluations: &Transform| in_place_transforms(evaluations, blowup, onto.clone());
        let [_, of_all] = transforms(evaluations)?;
        let outer = (0..evaluations.batch.len()).max_by_key(|&i| evaluations.batch[i].n);
        let lines = outer.map_or(1, |outer| evaluations.batch[outer].n);
        let together = outer.map_or(1, |outer| lines_together(lines, evaluations.batch[outer].input_stride));
        let some = |count: usize| {
            let mut some = evaluations.clone();
            outer.into_iter().for_each(|outer| some.batch[outer].n = count);
            transforms(&some)
        };
        let mut counts = vec![together, lines % together];
        counts.retain(|&count| count > 0);
        let plan = |count: &usize| -> Result<[Executable; 2]> {
            let [inverse, forward] = some(*count)?;
            Ok([device.plan(&inverse)?, device.plan(&forward)?])
        };
        let ways = counts.iter().map(plan).collect::<Result<Vec<_>>>()?;
        let per_element = values::<T>(evaluations.algebra, 1)?;
        let most = ways.iter().flatten().map(Executable::workspace_len).max().unwrap_or(0);
        let workspace = device.alloc(most.saturating_mul(per_element))?;
        let coefficients = device.alloc(ways[0][0].transform().output_len().saturating_mul(per_element))?;
        let stride = outer.map_or(0, |outer| evaluations.batch[outer].input_stride * per_element);
        let part = |first: usize| (first * stride, usize::from(first + together > lines));
        let parts = (0..lines).step_by(together).map(part).collect();
        let len = of_all.output_len().saturating_mul(per_element);
        Ok(Self { ways, parts, len, per_element, coefficients, workspace })
    }

    /// Values of the buffer.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Submits it.
    ///
    /// # Errors
    /// [`Error::BufferLength`] for a buffer of another length; otherwise as [`Executable::run_on`].
    pub fn run(&mut self, stream: &Stream, data: &mut Buffer<T>) -> Result<()> {
        if data.len() != self.len {
            return Err(Error::BufferLength { buffer: "data", expected: self.len, found: data.len() });
        }
        for &(first, way) in &self.parts {
            let [inverse, forward] = &self.ways[way];
            let [given, between, made] =
                [inverse.transform().input_len(), inverse.transform().output_len(), forward.transform().output_len()]
                    .map(|elements| elements * self.per_element);
            let (input, coefficients) = (data.slice(first..first + given)?, self.coefficients.slice_mut(..between)?);
            inverse.run_on(stream, input, coefficients, &mut self.workspace)?;
            let output = data.slice_mut(first..first + made)?;
            forward.run_on(stream, self.coefficients.slice(..between)?, output, &mut self.workspace)?;
        }
        Ok(())
    }
}

/// Lines whose coefficients and workspace, of three n and two of the output's, take a [`PART`] of it.
fn lines_together(lines: usize, stride: usize) -> usize {
    let most = lines * 2 / (3 * PART);
    let whole = if stride == 1 { COLUMNS } else { 1 };
    (most / whole * whole).max(whole.min(lines)).max(1)
}

/// What the output's coset makes of coefficients c_j, c_j·s^j, is what the way to them makes of values on that of t/s instead of t:
/// there are fewer of them than of the output's values, which then are on the subgroup.
fn share_coset(algebra: Algebra, from: &mut Domain, onto: &mut Domain) -> Result<()> {
    if onto.coset.is_empty() || from.negacyclic || onto.negacyclic {
        return Ok(());
    }
    algebra.check_residue(&onto.coset)?;
    if from.coset.is_empty() {
        from.coset = algebra.inverse_of(&onto.coset);
    } else {
        algebra.check_residue(&from.coset)?;
        from.coset = algebra.ratio_of(&from.coset, &onto.coset);
        if from.coset[0] == 1 && from.coset[1..].iter().all(|&word| word == 0) {
            from.coset.clear();
        }
    }
    onto.coset.clear();
    Ok(())
}

/// Whether lines of a batch's dimension follow each other, and are not columns side by side.
fn is_outside(batch: &Dim, dim: &Dim) -> bool {
    batch.input_stride >= dim.n.saturating_mul(dim.input_stride)
}

/// To coefficients, which lie as the input does, and back.
fn transforms(evaluations: &Transform, blowup: usize, mut onto: Domain) -> Result<[Transform; 2]> {
    let mut domain = Domain { reversed: [evaluations.domain.reversed[0], false], ..evaluations.domain.clone() };
    share_coset(evaluations.algebra, &mut domain, &mut onto)?;
    let ([dim], true) = (&evaluations.dims[..], blowup.is_power_of_two()) else {
        let reason = "an extension is of one dimension, by a power of two of its points";
        return Err(Error::InvalidTransform(reason.into()));
    };
    let from = |d: &Dim| Dim::new(d.n, d.input_stride);
    let onto_stride = |d: &Dim| {
        let stride = if is_outside(d, dim) { d.input_stride.saturating_mul(blowup) } else { d.input_stride };
        Dim { n: d.n, input_stride: d.input_stride, output_stride: stride }
    };
    let inverse = Transform {
        dims: vec![from(dim)],
        batch: evaluations.batch.iter().map(from).collect(),
        placement: Placement::OutOfPlace,
        domain,
        ..evaluations.clone().inverse()
    };
    let n = dim.n.saturating_mul(blowup);
    let forward = Transform {
        dims: vec![Dim::new(n, dim.input_stride)],
        batch: evaluations.batch.iter().map(onto_stride).collect(),
        placement: Placement::OutOfPlace,
        domain: Domain { given: Some(dim.n), reversed: [false, onto.reversed[1]], ..onto },
        ..evaluations.clone().direction(crate::Direction::Forward)
    };
    Ok([inverse, forward])
}

/// The same from the places of the output's first points, to coefficients without gaps, and back.
fn in_place_transforms(evaluations: &Transform, blowup: usize, onto: Domain) -> Result<[Transform; 2]> {
    let [mut inverse, mut forward] = transforms(evaluations, blowup, onto)?;
    let dim = evaluations.dims[0];
    let n = forward.dims[0].n;
    let has_room = |d: &Dim| d.n < 2 || !is_outside(d, &dim) || d.input_stride >= n.saturating_mul(dim.input_stride);
    if !evaluations.batch.iter().all(has_room) {
        let reason = format!("lines of {} points that become {n} in place are at least as far apart", dim.n);
        return Err(Error::InvalidTransform(reason));
    }
    // The closer numbers are in the buffer, the closer are they without gaps.
    let mut closest: Vec<usize> = (0..=evaluations.batch.len()).collect();
    let of = |i: usize| if i == 0 { dim } else { evaluations.batch[i - 1] };
    closest.sort_by_key(|&i| of(i).input_stride);
    let mut stride = 1;
    for i in closest {
        let (n, far) = (of(i).n, of(i).input_stride);
        let (inverse, forward) = match i {
            0 => (&mut inverse.dims[0], &mut forward.dims[0]),
            i => (&mut inverse.batch[i - 1], &mut forward.batch[i - 1]),
        };
        (inverse.input_stride, inverse.output_stride) = (far, stride);
        (forward.input_stride, forward.output_stride) = (stride, far);
        stride *= n;
    }
    Ok([inverse, forward])
}
