//! Changed recipes on an OpenCL device that is a CPU, with the caller's memory between pages that nobody may touch: what is not
//! refused must not touch them. It runs in a process of its own, which a touch would end.

use std::ffi::c_void;
use std::process::Command;
use std::ptr;

use cl3::memory::{
    CL_MEM_CONTEXT, CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR, create_buffer, get_mem_object_data, release_mem_object,
};
use stockham::interop;
use stockham::plan::{Choice, Recipe, plan};
use stockham::{Algebra, Buffer, Complex32, Data, Device, Goldilocks, Layout, Placement, Transform};

use crate::common::{devices, is_slow};

use crate::mutations::{Random, change};

/// Memory between pages without access.
struct Guarded {
    start: *mut u8,
    pages: usize,
    bytes: usize,
}

const PAGE: usize = 4096;

/// What kernels may load at once; memory begins and ends at multiples of it, or begins at one.
const VECTOR: usize = 16;

impl Guarded {
    fn new(bytes: usize) -> Self {
        let pages = bytes.div_ceil(PAGE).max(1);
        let (all, none) = ((pages + 2) * PAGE, libc::PROT_NONE);
        // SAFETY: new memory of its own; the pages in its middle are its own, too.
        let start = unsafe {
            let all = libc::mmap(ptr::null_mut(), all, none, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
            assert!(all != libc::MAP_FAILED, "pages for a test");
            let start = all.cast::<u8>().add(PAGE);
            let code = libc::mprotect(start.cast(), pages * PAGE, libc::PROT_READ | libc::PROT_WRITE);
            assert_eq!(code, 0, "access to the pages in the middle");
            start
        };
        Self { start, pages, bytes }
    }

    /// So many bytes from the first page on, or up to the last one.
    fn place(&self, at_end: bool) -> *mut c_void {
        let room = (self.pages * PAGE - self.bytes) / VECTOR * VECTOR;
        // SAFETY: within the pages.
        unsafe { self.start.add(if at_end { room } else { 0 }) }.cast()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: what was mapped, once.
        unsafe { libc::munmap(self.start.sub(PAGE).cast(), (self.pages + 2) * PAGE) };
    }
}

/// The context that a device's memory belongs to.
fn context(device: &Device) -> *mut c_void {
    let any = device.alloc::<u64>(1).unwrap();
    let memory = interop::opencl::memory(&any).expect("an OpenCL device");
    let bytes: Vec<u8> = get_mem_object_data(memory, CL_MEM_CONTEXT).expect("a context");
    ptr::with_exposed_provenance_mut(usize::from_ne_bytes(bytes[..].try_into().expect("a pointer")))
}

/// A buffer over that memory.
fn buffer<T: Data>(device: &Device, memory: &Guarded, at_end: bool, len: usize) -> Buffer<T> {
    let flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    // SAFETY: the memory outlives the buffer, and nobody else uses it.
    unsafe {
        let bytes = (len * size_of::<T>()).max(1);
        let object = create_buffer(context(device), flags, bytes, memory.place(at_end)).expect("a buffer");
        let buffer = interop::opencl::buffer(device, object, len).unwrap();
        release_mem_object(object).expect("a reference of its own");
        buffer
    }
}

/// Runs a recipe between pages without access; whether the device took it.
fn run<T: Data>(device: &Device, recipe: &Recipe, at_end: bool) -> bool {
    let transform = &recipe.transform;
    let most = |elements: usize| elements <= 1 << 16;
    if !most(transform.input_len()) || !most(transform.output_len()) || !most(recipe.workspace_len) {
        return false;
    }
    let Ok(executable) = device.prepare(recipe.clone()) else { return false };
    let per_element = T::per_element(transform.algebra).expect("the field's digits");
    let lens = [transform.input_len(), transform.output_len(), executable.workspace_len()].map(|len| len * per_element);
    let memories = lens.map(|len| Guarded::new(len * size_of::<T>()));
    let [mut input, mut output, mut workspace] = [0, 1, 2].map(|i| buffer::<T>(device, &memories[i], at_end, lens[i]));
    let stream = device.default_stream();
    let result = match transform.placement {
        Placement::OutOfPlace => executable.run_on(stream, &input, &mut output, &mut workspace),
        Placement::InPlace => executable.run_in_place_on(stream, &mut input, &mut workspace),
    };
    result.and_then(|()| stream.synchronize()).expect("a recipe that was not refused runs");
    true
}

type Run = fn(&Device, &Recipe, bool) -> bool;

/// Recipes of every kind that such a device takes.
fn recipes(device: &Device) -> Vec<(Recipe, Run)> {
    let mut all: Vec<(Recipe, Run)> = Vec::new();
    for (algebra, run) in [(Algebra::ComplexF32, run::<Complex32> as Run), (Algebra::Goldilocks, run::<Goldilocks>)] {
        for (choice, n, batch) in [("2x4x4.4", 16, 3), ("3x8x4.2f", 8, 7), ("3x4x4.2/5x4x4.2", 64, 5)] {
            let transform = Transform::new(algebra, n).batch(batch);
            let recipe = choice.parse::<Choice>().unwrap().realise(&transform, device.info()).unwrap();
            all.push((recipe, run));
        }
    }
    for (name, n, run) in [("P1", 8, run::<u64> as Run), ("G4", 8, run::<u32>), ("0xfffffffc00000001", 16, run::<u64>)]
    {
        let algebra: Algebra = name.parse().unwrap();
        for layout in [Layout::Plain, Layout::Sliced] {
            let transform = Transform::new(algebra, n).batch(3).layouts(layout, layout);
            all.push((plan(&transform, device.info()).unwrap(), run));
        }
    }
    let words = Transform::new("babybear".parse().unwrap(), 16).batch(3);
    all.push((plan(&words, device.info()).unwrap(), run::<u32>));
    all
}

/// Names the part of a run in the process of its own: how many recipes, or the fault that is planted.
const PART: &str = "STOCKHAM_TEST_GUARDED";

#[test]
fn changed_recipes_touch_no_page_around_their_memory() {
    let runs = std::env::var("STOCKHAM_GUARDED_RUNS").unwrap_or_else(|_| "24".into());
    assert!(in_a_process_of_its_own(&runs), "a recipe that was not refused touched what is not its own, see above");
}

#[test]
fn a_touch_of_a_page_ends_the_process() {
    let has_device = devices().iter().any(is_slow);
    assert!(!has_device || !in_a_process_of_its_own("planted"));
}

fn in_a_process_of_its_own(part: &str) -> bool {
    let this = std::env::current_exe().expect("this test");
    let arguments = ["--exact", "guards::between_pages", "--ignored", "--nocapture", "--test-threads=1"];
    let output = Command::new(this).args(arguments).env(PART, part).output().expect("this test again");
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        println!("{}\n{}", text.lines().last().unwrap_or_default(), String::from_utf8_lossy(&output.stderr));
    }
    output.status.success()
}

/// The process of its own.
#[test]
#[ignore = "it is started by the other tests"]
fn between_pages() {
    let Ok(part) = std::env::var(PART) else { return };
    for device in devices().iter().filter(|device| is_slow(device)) {
        if part == "planted" {
            let executable = device.plan(&Transform::new(Algebra::ComplexF32, 1024)).unwrap();
            // There is one vector less than the buffers say.
            let memories = [1022, 1024].map(|len| Guarded::new(len * size_of::<Complex32>()));
            let [input, mut output] = [0, 1].map(|i| buffer::<Complex32>(device, &memories[i], true, 1024));
            executable.run(&input, &mut output).expect("it does not come so far");
            continue;
        }
        changed(device, part.parse().expect("a number of recipes"));
    }
}

fn changed(device: &Device, runs: usize) {
    let recipes = recipes(device);
    let seed = std::env::var("STOCKHAM_MUTATIONS_SEED").ok().and_then(|text| text.parse().ok());
    let mut random = Random(seed.unwrap_or(7));
    for (recipe, run) in &recipes {
        assert!(run(device, recipe, false) && run(device, recipe, true), "{recipe}");
    }
    let mut done = 0;
    for turn in (0..recipes.len()).cycle() {
        if done >= runs {
            break;
        }
        let (recipe, run) = &recipes[turn];
        let document = change(&serde_json::to_value(recipe).unwrap(), &mut random);
        let Ok(changed) = serde_json::from_value::<Recipe>(document.clone()) else { continue };
        if changed == *recipe {
            continue;
        }
        // The last line before the process ends tells which it was.
        println!("{document}");
        done += usize::from(run(device, &changed, done % 2 == 0));
    }
}
