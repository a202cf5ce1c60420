//! Writes kernels to a folder, for golden files and for compilers that run without a device: those of transforms, and
//! those of the steps beside them.
//!
//! `cargo run --example print_kernels -- FOLDER cuda|opencl|opencl-nvidia JOB …`, a job being
//! - ALGEBRA:LOG2N for the planner's recipe, with `:chunks` behind for the same by chunks, or a choice of passes, as
//!   `1x32x32.16.16` or `c8/16x16x16.16/32x16x16.8`;
//! - ALGEBRA:LOG2N:RADIX:GROUP:TWIDDLES for a chain of one stage a launch, whose twiddles are `tables`, or a sine
//!   (`sincos`, `sin+cos`, `native`) for each or (`powers-sincos` …) once a thread, with `-vectors` behind for arithmetic
//!   on vectors;
//! - STEP:NUMBER, where a step is product or twist over Goldilocks, product-FIELD or twist-FIELD over a big prime, for
//!   2^NUMBER points, or limbs, of NUMBER digits, or residues, modulo
//!   NUMBER primes, or repeat-FIELD, whatever the number.

use std::path::Path;

use stockham::algebra::ResidueSystem;
use stockham::kernel::{Dialect, step_texts, texts};
use stockham::plan::{
    Arithmetic, Chain, Choice, FirstStore, Input, Operation, Recipe, Step, Trig, TwiddleSource, chain, plan,
};
use stockham::{Algebra, Backend, BigPrime, DeviceInfo, Direction, Scale, Transform};

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

/// A big prime, or any other.
fn field(name: &str) -> Result<Algebra, stockham::Error> {
    name.parse().map(Algebra::BigPrime).or_else(|_| name.parse().map(Algebra::PrimeField))
}

/// The steps of that name.
fn steps(name: &str, number: u32) -> Result<Vec<Step>, stockham::Error> {
    let n = 1usize << number.min(30);
    let scale = Scale::Inverse(n);
    let (name, algebra) = match name.split_once('-') {
        Some(("repeat", prime)) => return repeated(prime.parse()?),
        Some((name @ ("product" | "twist"), field)) => (name, self::field(field)?),
        _ => (name, Algebra::Goldilocks),
    };
    Ok(match name {
        "product" => vec![Step::Product { algebra, scale }, Step::Square { algebra, scale }],
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

fn recipe(job: &str, device: &DeviceInfo) -> Result<Recipe, Failure> {
    let parts: Vec<&str> = job.split(':').collect();
    let [name, bits, rest @ ..] = &parts[..] else { return Err("a job is ALGEBRA:LOG2N or a chain".into()) };
    let named = [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks];
    let algebra = match named.into_iter().find(|a| a.name() == *name) {
        Some(algebra) => algebra,
        None => field(name)?,
    };
    let transform = Transform::new(algebra, 1usize << bits.parse::<u32>()?);
    match rest {
        [] => Ok(plan(&transform.batch(1 << 8), device)?),
        ["chunks"] => Ok(plan(&transform.batch(1 << 8), device)?.in_chunks(8)?),
        [radix, group, twiddles] => Ok(chain(&transform, device, &choice(&transform, radix, group, twiddles)?)?),
        [choice] => Ok(choice.parse::<Choice>()?.realise(&transform.batch(1 << 8), device)?),
        _ => Err("a recipe is ALGEBRA:LOG2N, with :chunks, :CHOICE or :RADIX:GROUP:TWIDDLES behind".into()),
    }
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
        let parts: Vec<&str> = job.split(':').collect();
        let [name, number, rest @ ..] = &parts[..] else { return Err("a job is NAME:NUMBER".into()) };
        let of_step = steps(name, number.parse()?)?;
        let (title, texts) = if of_step.is_empty() {
            let recipe = recipe(job, &h200(dialect))?;
            ([&[*name, &format!("2^{number}")], rest].concat().join("-"), texts(&recipe, dialect))
        } else {
            let texts = of_step.iter().flat_map(|step| step_texts(step, &h200(dialect), dialect)).collect();
            (format!("{name}-{number}"), texts)
        };
        for text in texts {
            let file = format!("{title}-{}.{suffix}", text.name);
            std::fs::write(Path::new(folder).join(file.replace('/', "-")), text.source)?;
        }
    }
    Ok(())
}
