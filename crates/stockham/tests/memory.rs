//! What does not fit into memory is refused before anything is taken, and what the host says that it takes is enough.
#![cfg(target_os = "linux")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use stockham::accuracy::{self, random};
use stockham::algebra::PrimeField;
use stockham::integer::{Base, Multiplication};
use stockham::plan::HostBytes;
use stockham::polynomial::{Multiplier, Product};
use stockham::{
    Algebra, BigPrime, Complex32, Complex64, Data, Device, Dim, Direction, Error, Executable, Goldilocks, Result,
    Transform,
};

/// The system's allocator, which counts.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What `work` makes, and the bytes that it had at once.
fn counted<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let result = work();
    (result, (MOST.load(Relaxed) - before) as u64)
}

/// What plans and threads have beside tables.
const SLACK: u64 = 1 << 17;

fn check<T: Data>(transform: &Transform) {
    let device = Device::cpu();
    let HostBytes { plan, run } = HostBytes::of(transform);
    let (executable, planned) = counted(|| device.plan(transform).unwrap());
    let n = transform.points();
    let what = || format!("n = {n} by {} over {}", transform.batch_count(), transform.algebra.name());
    assert!(planned <= plan + SLACK, "{planned} bytes to plan {}, and not {plan}", what());
    assert!(plan <= 16 * planned + SLACK, "{planned} bytes to plan {}, and not {plan}", what());
    let values = T::per_element(transform.algebra).unwrap() * transform.input_len();
    let mut data = device.alloc::<T>(values).unwrap();
    let (result, ran) = counted(|| executable.run_in_place(&mut data));
    result.unwrap();
    assert!(ran <= run + SLACK, "{ran} bytes to run {}, and not {run}", what());
}

#[test]
fn estimates_hold() {
    let field = PrimeField::named().next().unwrap();
    let fields = [Algebra::Goldilocks, Algebra::BigPrime(BigPrime::P3), Algebra::PrimeField(field)];
    // Fields know some roots from then on, and threads are there.
    fields.into_iter().for_each(|algebra| drop(Device::cpu().plan(&Transform::new(algebra, 4)).unwrap()));
    let powers = [1 << 4, 1 << 12, 1 << 16, 1 << 17, 1 << 18];
    // Smooth, with primes that lead to convolutions of n − 1 and of more points, and products of these.
    let others =
        [60, 3125, 6561, 16807, 40_960, 88_200, 1009, 65_537, 100_003, 131_101, 2 * 50_021, 64 * 1009, 251 * 257];
    for n in powers.into_iter().chain(others) {
        for batch in [1, 5, 64] {
            if n * batch > 1 << 18 {
                continue;
            }
            let transform = |algebra| Transform::new(algebra, n).batch(batch).in_place();
            check::<Complex32>(&transform(Algebra::ComplexF32));
            check::<Complex64>(&transform(Algebra::ComplexF64));
            check::<Complex64>(&strided(&transform(Algebra::ComplexF64)));
            if [60, 40_960].contains(&n) || n.is_power_of_two() {
                check::<Goldilocks>(&transform(Algebra::Goldilocks));
                check::<Goldilocks>(&strided(&transform(Algebra::Goldilocks)));
            }
            if n.is_power_of_two() && n * batch <= 1 << 16 {
                check::<u64>(&transform(Algebra::BigPrime(BigPrime::P3)));
                check::<u32>(&transform(Algebra::BigPrime(BigPrime::G8)));
                check::<u64>(&transform(Algebra::PrimeField(field)));
            }
        }
    }
}

/// The same with the transforms' points side by side.
fn strided(transform: &Transform) -> Transform {
    let (n, batch) = (transform.points(), transform.batch_count());
    transform.clone().with_dims([Dim::new(n, batch)]).with_batch([Dim::new(batch, 1)])
}

fn is_refused<R>(name: &str, result: Result<R>) {
    let result = result.map(drop);
    assert!(matches!(result, Err(Error::OutOfMemory { .. })), "{name}: {result:?}");
}

#[test]
fn more_than_the_machine_has_is_refused() {
    refuse(&Device::cpu(), 40);
}

/// What takes 2^log points of a table, a buffer or a reference.
fn refuse(device: &Device, log: u32) {
    let n = 1 << log;
    is_refused("a buffer", device.alloc::<Complex64>(n));
    is_refused("a plan over a field", device.plan(&Transform::new(Algebra::BigPrime(BigPrime::P3), n)));
    is_refused("a plan of a prime length", device.plan(&Transform::new(Algebra::ComplexF64, n + 15)));
    for product in [Product::Linear, Product::Cyclic, Product::Negacyclic] {
        is_refused("a product", Multiplier::<Complex32>::plan(device, Algebra::ComplexF32, product, n, n));
    }
    let never = |_: &[Complex64]| -> Result<Vec<Complex64>> { unreachable!("there is no room for the input") };
    is_refused("a reference", accuracy::check(never, n, Direction::Forward, 1));
}

/// KiB of addresses that the process below has.
const LITTLE: usize = 1 << 20;

#[test]
fn more_than_a_process_may_have_is_refused() {
    let shell = Command::new("sh")
        .args(["-c", "ulimit -v \"$1\" && exec \"$0\" --ignored --exact within_little_memory --test-threads 1"])
        .arg(std::env::current_exe().unwrap())
        .arg(LITTLE.to_string())
        .env("RAYON_NUM_THREADS", "2")
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .unwrap();
    let said = [&shell.stdout, &shell.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat();
    assert!(shell.status.success() && said.contains("1 passed"), "{}: {said}", shell.status);
}

/// Data that there is room for, and no scratch memory beside it.
fn refuse_run<T: Data>(device: &Device, executable: &Executable) {
    let transform = executable.transform();
    let values = T::per_element(transform.algebra).unwrap() * transform.input_len();
    let mut data = device.alloc::<T>(values).unwrap();
    is_refused("a run", executable.run_in_place(&mut data));
}

#[test]
#[ignore = "another test runs it in a process that may have little memory"]
fn within_little_memory() {
    let device = Device::cpu();
    assert!(device.info().memory_bytes <= (LITTLE as u64) << 10, "the limit is not seen");
    refuse(&device, 26);
    for base in [Base::Decimal, Base::Hexadecimal] {
        is_refused("an integer product", Multiplication::plan(&device, base, 1 << 30, None));
    }
    for transform in [
        Transform::new(Algebra::ComplexF64, 1 << 25),
        Transform::new(Algebra::ComplexF64, 1 << 19).with_dims([Dim::new(1 << 19, 64)]).with_batch([Dim::new(64, 1)]),
    ] {
        refuse_run::<Complex64>(&device, &device.plan(&transform.in_place()).unwrap());
    }
    let field = Transform::new(Algebra::Goldilocks, 1 << 26).in_place();
    refuse_run::<Goldilocks>(&device, &device.plan(&field).unwrap());
    let digits = Transform::new(Algebra::BigPrime(BigPrime::P3), 1 << 22).in_place();
    refuse_run::<u64>(&device, &device.plan(&digits).unwrap());
    let short = device.plan(&Transform::new(Algebra::ComplexF64, 1 << 10).in_place()).unwrap();
    let mut data = device.upload(&random::<Complex64>(1 << 10, 1)).unwrap();
    short.run_in_place(&mut data).unwrap();
}
