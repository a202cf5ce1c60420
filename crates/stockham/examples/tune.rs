//! Times recipes made by hand side by side with a plain copy of the same bytes, on random data, each result checked by
//! the round trip. `stockham tune` tries the planner's candidates by itself and remembers the best.
//!
//! `tune DEVICE ALGEBRA LOG2BYTES JOB …`, a job being LOG2N (the planner's choice) or LOG2N/PASS/PASS…, where a pass is
//! COLUMNSxPER_THREADxSTAGE.STAGE…, with an f for a flat tile and @REGISTERS, for example `16/16x16x16.16/16x16x16.16`.
//! With ~MIB behind LOG2N the batch goes through two passes by chunks of so many MiB: `18~8`.
//! LOG2NcBLOCKS/PASS/PASS is one launch of clusters of so many work-groups, in which each pass has the other's radix
//! divided by BLOCKS as its columns: `16c8/32x16x16.16/32x16x16.16`. Its registers are the larger of the two passes'.
//! ALGEBRA is complex-f32, complex-f64, goldilocks, a big prime as P3 or 2^63+2^34,8, or a prime field as bls12-381, P3/residues or
//! the prime itself.

use stockham::algebra::{BigPrime, Data, PrimeField};
use stockham::plan::{Method, PassChoice, Recipe, plan, realise, realise_in_clusters};
use stockham::{Algebra, Complex32, Complex64, Device, DeviceInfo, Goldilocks, Transform};

type Failure = Box<dyn std::error::Error>;

fn choices(job: &str) -> Result<Vec<PassChoice>, Failure> {
    job.split('/')
        .skip(1)
        .map(|pass| {
            let pass = pass.split('@').next().unwrap_or(pass);
            Ok(pass.parse()?)
        })
        .collect()
}

/// The logarithm of the length, and the work-groups of a cluster, if there are to be any.
fn length(job: &str) -> Result<(u32, Option<usize>), Failure> {
    let (head, _) = chunk(job);
    Ok(match head.split_once('c') {
        Some((log, blocks)) => (log.parse()?, Some(blocks.parse()?)),
        None => (head.parse()?, None),
    })
}

/// What comes before the passes, without and then with the MiB of a chunk.
fn chunk(job: &str) -> (&str, Option<&str>) {
    let head = job.split('/').next().unwrap_or(job);
    head.split_once('~').map_or((head, None), |(head, mib)| (head, Some(mib)))
}

fn recipe(job: &str, transform: &Transform, device: &DeviceInfo) -> Result<Recipe, Failure> {
    let choices = choices(job)?;
    let mut recipe = match length(job)?.1 {
        Some(blocks) => {
            let pair = choices.try_into().map_err(|_| "clusters take two passes")?;
            realise_in_clusters(transform, device, blocks, &pair)?
        }
        None if choices.is_empty() => plan(transform, device)?,
        None => realise(transform, device, &choices)?,
    };
    if let Method::Passes(passes) = &mut recipe.method {
        let asked: Vec<Option<usize>> = registers(job).collect();
        // Passes of one launch share its registers.
        let shared = asked.iter().flatten().max().filter(|_| passes.iter().any(|pass| pass.cluster.is_some()));
        for (pass, registers) in passes.iter_mut().zip(&asked) {
            pass.tile.registers = shared.copied().or(*registers).unwrap_or(pass.tile.registers);
        }
    }
    if let Some(mib) = chunk(job).1 {
        let entry = transform.points() * transform.algebra.element_bytes();
        recipe = recipe.in_chunks((mib.parse::<usize>()? << 20) / entry)?;
    }
    Ok(recipe)
}

/// Sums and differences of the numbers must not be small, as those of neighbours in a plain sequence would be.
fn mixed(i: u64) -> u64 {
    let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 29)
}

/// The registers asked for, pass by pass.
fn registers(job: &str) -> impl Iterator<Item = Option<usize>> {
    job.split('/').skip(1).map(|pass| pass.split_once('@').and_then(|(_, registers)| registers.parse().ok()))
}

/// Median milliseconds of a piece of work submitted to the default stream.
fn time(device: &Device, mut work: impl FnMut() -> stockham::Result<()>) -> stockham::Result<f64> {
    let stream = device.default_stream();
    work()?;
    stream.synchronize()?;
    let mut times = Vec::new();
    for _ in 0..9 {
        let start = stream.record()?;
        work()?;
        times.push(stream.record()?.milliseconds_since(&start)?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn run<T: Data>(
    device: &Device,
    algebra: Algebra,
    bytes: usize,
    jobs: &[String],
    mut sample: impl FnMut(u64) -> T,
) -> Result<(), Failure> {
    let len = bytes / size_of::<T>();
    let host: Vec<T> = (0..len as u64).map(|i| sample(mixed(i + 1))).collect();
    let input = device.upload(&host)?;
    let (mut output, mut back) = (device.alloc::<T>(len)?, device.alloc::<T>(len)?);
    let mut workspace = device.alloc::<T>(len)?;
    let stream = device.default_stream();
    let copy = time(device, || output.copy_from(stream, &input))?;
    println!("copy of {bytes} bytes: {copy:.4} ms");
    for job in jobs {
        let n = 1usize << length(job)?.0;
        let transform = Transform::new(algebra, n).batch(bytes / algebra.element_bytes() / n);
        let mut attempt = || -> Result<String, Failure> {
            let recipe = recipe(job, &transform, device.info())?;
            let clock = std::time::Instant::now();
            let executable = device.prepare(recipe)?;
            let prepared = clock.elapsed().as_secs_f64() * 1e3;
            let inverse = device.plan(&transform.clone().inverse())?;
            let ms = time(device, || executable.run_on(stream, &input, &mut output, &mut workspace))?;
            inverse.run_on(stream, &output, &mut back, &mut workspace)?;
            let round_trip = back.to_vec()?;
            let wrong = differences(algebra, &round_trip, &host);
            let registers: Vec<_> =
                executable.kernel_reports().iter().map(|r| (r.registers, r.spilled_bytes)).collect();
            let shape: Vec<_> = executable
                .recipe()
                .passes()
                .iter()
                .map(|p| {
                    format!(
                        "{}x{}x{:?}{}",
                        p.tile.columns,
                        p.tile.per_thread,
                        p.tile.stages,
                        if p.tile.rounds == stockham::plan::Rounds::ONE {
                            String::new()
                        } else {
                            format!("{:?}", p.tile.rounds)
                        }
                    )
                })
                .collect();
            Ok(format!(
                "{ms:8.4} ms {:6.3} copies  {} {registers:?} prepared in {prepared:.0} ms{}",
                ms / copy,
                shape.join(if executable.recipe().launches().len() < shape.len() { " + " } else { " / " }),
                if wrong > 0 { format!("  WRONG: {wrong} elements") } else { String::new() }
            ))
        };
        println!("{job:44} {}", attempt().unwrap_or_else(|e| format!("failed: {e}").chars().take(300).collect()));
    }
    Ok(())
}

/// Elements that differ by more than rounding.
fn differences<T: Data>(algebra: Algebra, a: &[T], b: &[T]) -> usize {
    fn beyond<F: bytemuck::Pod + Into<f64>, T: Data>(a: &[T], b: &[T], tolerance: f64) -> usize {
        let (a, b): (&[F], &[F]) = (bytemuck::cast_slice(a), bytemuck::cast_slice(b));
        let near = |(x, y): (&F, &F)| ((*x).into() - (*y).into()).abs() < tolerance;
        // What is not near: a NaN is neither near nor far.
        a.iter().zip(b).filter(|p| !near(*p)).count()
    }
    match algebra {
        Algebra::ComplexF32 => beyond::<f32, T>(a, b, 1e-5),
        Algebra::ComplexF64 => beyond::<f64, T>(a, b, 1e-13),
        _ => a.iter().zip(b).filter(|(x, y)| x != y).count(),
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, algebra, log2bytes, jobs @ ..] = &arguments[..] else {
        return Err("DEVICE ALGEBRA LOG2BYTES JOB ...".into());
    };
    let device = Device::by_name(device)?;
    let bytes = 1usize << log2bytes.parse::<u32>()?;
    let unit = |x: u64| (x >> 40) as f32 / 8_388_608.0 - 1.0;
    let wide = |x: u64| (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
    match algebra.as_str() {
        "complex-f32" => {
            run(&device, Algebra::ComplexF32, bytes, jobs, |x| Complex32::new(unit(x), unit(x.rotate_left(23))))
        }
        "complex-f64" => {
            run(&device, Algebra::ComplexF64, bytes, jobs, |x| Complex64::new(wide(x), wide(x.rotate_left(23))))
        }
        "goldilocks" => run(&device, Algebra::Goldilocks, bytes, jobs, Goldilocks::reduce),
        other if other.parse::<BigPrime>().is_err() => {
            let field: PrimeField = other.parse()?;
            // The uppermost word stays below that of p.
            let (words, top) = (field.words(), u128::from(field.modulus()[field.words() - 1]));
            let mut place = 0;
            run(&device, Algebra::PrimeField(field), bytes, jobs, |x| {
                place += 1;
                if place % words == 0 { ((u128::from(x) * top) >> 64) as u64 } else { x }
            })
        }
        other => {
            let prime: BigPrime = other.parse()?;
            let (r, algebra) = (u128::from(prime.radix()), Algebra::BigPrime(prime));
            let digit = |x: u64| ((u128::from(x) * r) >> 64) as u64;
            if prime.digit_bytes() == 4 {
                run(&device, algebra, bytes, jobs, |x| digit(x) as u32)
            } else {
                run(&device, algebra, bytes, jobs, digit)
            }
        }
    }
}
