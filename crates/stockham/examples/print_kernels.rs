//! Writes kernels to a folder, for golden files and for compilers that run without a device: those of transforms, and
//! those of the steps beside them.
//!
//! `cargo run --example print_kernels -- FOLDER cuda|opencl|opencl-nvidia JOB …`, a job being
//! - ALGEBRA:LOG2N for the planner's recipe, or with a choice of passes behind, as `1x32x32.16.16` or
//!   `c8/16x16x16.16/32x16x16.8`;
//! - ALGEBRA:KIND:LENGTHS for arrays of these lengths, as `64x64`, or with a choice behind: KIND is `fft`, `halves` of numbers of 16 bits, `rfft` or `irfft` of real numbers, `dct1` to
//!   `dst4`, `filter` and `rfilter` for products with a spectrum there and back, `causal` the same for padded lines of each of 64 spectra, in half precision,
//!   `sums` of spectra or `powers` of windowed samples of 16 bits, summed in half precision; or over a field
//!   `negacyclic`, with bit-reversed values, or `moduli`, the same over a list of primes as long as that one, or `circle` and
//!   `icircle`, over 2^31 - 1; with a choice of passes behind, those;
//! - `wisdom`, or ALGEBRA:wisdom, for all choices that are shipped for an H200 and the dialect's backend;
//! - ALGEBRA:LOG2N:RADIX:GROUP:TWIDDLES for a chain of one stage a launch, whose twiddles are `tables`, or a sine
//!   (`sincos`, `sin+cos`, `native`) for each or (`powers-sincos` …) once a thread, with `-vectors` behind for arithmetic
//!   on vectors;
//! - STEP:NUMBER, where a step is product or twist over Goldilocks, product-FIELD or twist-FIELD over another field, for
//!   2^NUMBER points, or inner-FIELD, of NUMBER terms, or limbs, of NUMBER digits, or residues, modulo
//!   NUMBER primes, or repeat-FIELD, whatever the number.

use std::path::Path;

use stockham::algebra::{ResidueSystem, WordField};
use stockham::circle::CircleGenerator;
use stockham::kernel::{Dialect, KernelText, step_texts, texts};
use stockham::plan::{
    Arithmetic, Chain, Choice, FirstStore, Input, Operation, Recipe, Step, Trig, TwiddleSource, Wisdom, chain, plan,
    plan_over,
};
use stockham::{
    Access, Algebra, Backend, BigPrime, Complex64, DeviceInfo, Dim, Direction, Expr, Format, Scale, Transform, TrigType,
};

/// An H200, as its CUDA and OpenCL drivers describe it.
fn h200(dialect: Dialect) -> DeviceInfo {
    let (backend, local_bytes) =
        if dialect == Dialect::Cuda { (Backend::Cuda, 227 << 10) } else { (Backend::Opencl, 48 << 10) };
    DeviceInfo {
        id: "h200".into(),
        backend,
        name: "NVIDIA H200".into(),
        driver: "none".into(),
        memory_bytes: 141 << 30,
        max_allocation_bytes: 141 << 30,
        max_group: 1024,
        local_bytes,
        simd_width: 32,
        compute_units: 132,
        registers: Some(65536),
        has_f64: true,
        compute_capability: Some((9, 0)),
        max_cluster: (dialect == Dialect::Cuda).then_some(16),
    }
}

/// The steps of that name.
fn steps(name: &str, number: u32) -> Result<Vec<Step>, stockham::Error> {
    let n = 1usize << number.min(30);
    let scale = Scale::Inverse(n);
    let (name, algebra) = match name.split_once('-') {
        Some(("repeat", prime)) => return repeated(prime.parse()?),
        Some((name @ ("product" | "inner" | "twist"), field)) => (name, field.parse()?),
        _ => (name, Algebra::Goldilocks),
    };
    Ok(match name {
        "product" => vec![Step::Product { algebra, scale }, Step::Square { algebra, scale }],
        "inner" => vec![Step::InnerProduct { algebra, terms: number as usize }],
        "twist" => vec![Step::Twist { algebra, n, direction: Direction::Forward, scale }],
        "residues" => {
            let system = ResidueSystem::new(number as usize, 26)?;
            vec![Step::Reduce { system }, Step::Recombine { system }]
        }
        "limbs" => vec![Step::Unpack { base: 10u64.pow(number) }, Step::Carry { base: 10u64.pow(number) }],
        _ => Vec::new(),
    })
}

/// The operations that are repeated to measure them.
fn repeated(prime: BigPrime) -> Result<Vec<Step>, stockham::Error> {
    let operations = [Operation::Product, Operation::Butterfly, Operation::Rotation];
    Ok(operations.map(|operation| Step::Repeat { prime, operation, times: 1 }).to_vec())
}

type Failure = Box<dyn std::error::Error>;

/// How many arrays of so many points make a batch: enough that no launch begins early, which other kernels are for.
fn lines(points: usize) -> usize {
    ((1 << 27) / points).max(1 << 8)
}

fn recipe(job: &str, device: &DeviceInfo) -> Result<Recipe, Failure> {
    let parts: Vec<&str> = job.split(':').collect();
    if let [name, "moduli", length] = &parts[..] {
        let one = Transform::new(name.parse()?, length.parse::<usize>()?).negacyclic().bit_reversed(false, true);
        let fields = vec![name.parse::<WordField>()?; 64];
        return Ok(plan_over(&one.batch(1 << 4), &fields, device)?);
    }
    if let [name, kind, lengths, choice @ ..] = &parts[..]
        && let Some(transform) = array(name.parse()?, kind, lengths)?
    {
        return Ok(match choice {
            [choice] => choice.parse::<Choice>()?.realise(&transform, device)?,
            _ => plan(&transform, device)?,
        });
    }
    let [name, bits, rest @ ..] = &parts[..] else { return Err("a job is ALGEBRA:LOG2N or a chain".into()) };
    let transform = Transform::new(name.parse()?, 1usize << bits.parse::<u32>()?);
    match rest {
        [] => Ok(plan(&transform.batch(1 << 8), device)?),
        [radix, group, twiddles] => Ok(chain(&transform, device, &choice(&transform, radix, group, twiddles)?)?),
        [choice] => Ok(choice.parse::<Choice>()?.realise(&transform.batch(1 << 8), device)?),
        _ => Err("a recipe is ALGEBRA:LOG2N, with :CHOICE or :RADIX:GROUP:TWIDDLES behind".into()),
    }
}

/// Arrays of that kind, if it is one.
fn array(algebra: Algebra, kind: &str, lengths: &str) -> Result<Option<Transform>, Failure> {
    const TYPES: [(&str, TrigType); 4] =
        [("1", TrigType::I), ("2", TrigType::II), ("3", TrigType::III), ("4", TrigType::IV)];
    let Ok(lengths) = lengths.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>() else { return Ok(None) };
    let of_type = |name: &str| {
        let number = kind.strip_prefix(name)?;
        TYPES.into_iter().find(|(known, _)| *known == number).map(|(_, of)| of)
    };
    let transform = match (kind, of_type("dct"), of_type("dst")) {
        ("fft", ..) => Transform::new(algebra, lengths),
        ("negacyclic", ..) => Transform::new(algebra, lengths).negacyclic().bit_reversed(false, true),
        ("circle", ..) => Transform::circle(lengths[0], CircleGenerator::Stwo)?,
        ("icircle", ..) => Transform::circle(lengths[0], CircleGenerator::Stwo)?.inverse(),
        ("rfft", ..) => Transform::real(algebra, lengths),
        ("halves", ..) => {
            let numbers = Access::default().format(Format::F16.complex());
            Transform::new(algebra, lengths).with_load(numbers.clone()).with_store(numbers)
        }
        ("sums", ..) => Transform::new(algebra, lengths).with_store(Access::default().accumulate()),
        ("filter", ..) => Transform::new(algebra, &lengths[..]).filtered(product(lengths[0])),
        ("rfilter", ..) => Transform::real(algebra, &lengths[..]).filtered(product(lengths[0] / 2 + 1)),
        ("causal", ..) => return Ok(Some(causal(algebra, lengths[0]))),
        ("powers", ..) => powers(algebra, &lengths),
        ("irfft", ..) => Transform::real(algebra, lengths).inverse(),
        (_, Some(of), _) => Transform::cosine(algebra, of, lengths),
        (_, _, Some(of)) => Transform::sine(algebra, of, lengths),
        _ => return Ok(None),
    };
    let points = transform.points();
    Ok(Some(transform.batch(lines(points))))
}

/// The product with a spectrum of so many points.
fn product(points: usize) -> Expr {
    Expr::value() * Expr::complex_along(0, &vec![Complex64::new(0.5, 0.25); points])
}

/// Convolutions of the first half of lines.
fn causal(algebra: Algebra, n: usize) -> Transform {
    let (kernels, points) = (64, n / 2 + 1);
    let by = Expr::complex_along_dims(&[(2, kernels), (0, points)], &vec![Complex64::new(0.5, 0.25); kernels * points]);
    let half = || Access::default().extent([n / 2]).format(Format::BF16);
    Transform::real(algebra, n)
        .with_batch([Dim::new(32, kernels * n), Dim::new(kernels, n)])
        .filtered(Expr::value() * by)
        .with_load(half())
        .with_store(half())
}

/// Spectra of samples that each line of the batch has a window for.
fn powers(algebra: Algebra, lengths: &[usize]) -> Transform {
    let count = lengths.iter().product::<usize>();
    let of_lines = vec![0.5; lines(count)];
    let windows =
        Expr::along_dims(&[(lengths.len(), of_lines.len())], &of_lines) * Expr::over(lengths, &vec![0.25; count]);
    let store = Access::of(Expr::value().norm_sqr()).format(Format::F16).accumulate();
    Transform::real(algebra, lengths)
        .with_load(Access::of(Expr::value() * windows).format(Format::I16))
        .with_store(store)
}

/// The recipes of the choices that are shipped for a device, of that algebra or of all, and names for them.
fn shipped(algebra: Option<&str>, device: &DeviceInfo) -> Result<Vec<(String, Recipe)>, Failure> {
    let algebra = algebra.map(str::parse::<Algebra>).transpose()?;
    let mut recipes = Vec::new();
    for (transform, choice) in Wisdom::shipped().choices(device) {
        if algebra.is_none_or(|algebra| algebra == transform.algebra) {
            let load = if transform.batch_count() == 1 { "single" } else { "full" };
            let (name, bits) = (transform.algebra.name(), transform.points().ilog2());
            recipes.push((format!("{name}-2^{bits}-{load}-{choice}"), choice.realise(&transform, device)?));
        }
    }
    if recipes.is_empty() {
        return Err(format!("no such wisdom is shipped for {}", device.name).into());
    }
    Ok(recipes)
}

/// The kernels of a job, those of a recipe or of some steps under one name.
fn kernels(job: &str, dialect: Dialect) -> Result<Vec<(String, Vec<KernelText>)>, Failure> {
    let device = h200(dialect);
    let parts: Vec<&str> = job.split(':').collect();
    let (name, number, rest) = match &parts[..] {
        ["wisdom"] | [_, "wisdom"] => {
            let recipes = shipped((parts.len() > 1).then_some(parts[0]), &device)?;
            return Ok(recipes.into_iter().map(|(title, recipe)| (title, texts(&recipe, dialect))).collect());
        }
        [name, number, rest @ ..] => (*name, *number, rest),
        _ => return Err("a job is NAME:NUMBER, or wisdom".into()),
    };
    let steps = number.parse().map_or(Ok(Vec::new()), |number| steps(name, number))?;
    if steps.is_empty() {
        let number = if number.parse::<u32>().is_ok() { format!("2^{number}") } else { number.into() };
        let title = [&[name, &number], rest].concat().join("-");
        return Ok(vec![(title, texts(&recipe(job, &device)?, dialect))]);
    }
    let texts = steps.iter().flat_map(|step| step_texts(step, &device, dialect)).collect();
    Ok(vec![(format!("{name}-{number}"), texts)])
}

fn choice(transform: &Transform, radix: &str, group: &str, twiddles: &str) -> Result<Chain, Failure> {
    let (radix, mut rest) = (radix.parse::<usize>()?, transform.points());
    let mut radices = Vec::new();
    while rest > 1 {
        radices.push(radix.min(rest));
        rest /= radix.min(rest);
    }
    let (words, vectors) = twiddles.strip_suffix("-vectors").map_or((twiddles, false), |words| (words, true));
    let (words, powers) = words.strip_prefix("powers-").map_or((words, false), |words| (words, true));
    let trig = match words {
        "tables" => None,
        "sincos" => Some(Trig::SinCos),
        "sin+cos" => Some(Trig::SinAndCos),
        "native" => Some(Trig::Native),
        other => return Err(format!("no twiddles '{other}'").into()),
    };
    let each = if powers { TwiddleSource::Powers } else { TwiddleSource::Each };
    Ok(Chain {
        radices,
        twiddles: trig.map_or(TwiddleSource::Tables, each),
        group: group.parse()?,
        first_store: FirstStore::Exchanged,
        input: Input::Interleaved,
        arithmetic: if vectors { Arithmetic::Vectors } else { Arithmetic::Scalar },
    })
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, dialect, jobs @ ..] = &arguments[..] else { return Err("FOLDER DIALECT JOB ...".into()) };
    let (dialect, suffix) = match dialect.as_str() {
        "cuda" => (Dialect::Cuda, "cu"),
        "opencl" => (Dialect::OpenCl, "cl"),
        "opencl-nvidia" => (Dialect::OpenClNvidia, "cl"),
        other => return Err(format!("no dialect '{other}'").into()),
    };
    std::fs::create_dir_all(folder)?;
    for job in jobs {
        for (title, texts) in kernels(job, dialect)? {
            for text in texts {
                let file = format!("{title}-{}.{suffix}", text.name);
                std::fs::write(Path::new(folder).join(file.replace('/', "-")), text.source)?;
            }
        }
    }
    Ok(())
}
