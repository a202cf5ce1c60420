//! What every device that compiles kernels must do, tested on the devices of this machine.

use std::sync::Arc;

use crate::error::Error;
use crate::kernel::KernelText;

use super::driver::{Location, Memory, Queue};
use super::gpu::{Argument, Gpu, Kernel};
use super::{Device, cpu};

pub(super) const OPENCL_SOURCE: &str =
    "kernel void twice(global const float *x, ulong from, global float *y, ulong n) {
    size_t i = get_global_id(0);
    if (i < n) y[i] = 2.0f * x[from + i];
}";

pub(super) const CUDA_SOURCE: &str = "extern \"C\" __global__ void twice(
    const float *x, unsigned long long from, float *y, unsigned long long n) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[from + i];
}";

const GROUP: usize = 64;
const N: usize = 1000;

fn text(source: &str) -> KernelText {
    KernelText {
        alignment: 1,
        name: "twice".into(),
        source: source.into(),
        group: GROUP,
        cluster: 1,
        stays: false,
        cooperates: false,
        boxes: None,
        registers: 32,
        exact: false,
        local_bytes: 0,
        waits: false,
    }
}

fn floats(memory: &dyn Memory, queue: &dyn Queue, n: usize) -> Vec<f32> {
    let mut host = vec![0f32; n];
    queue.read(memory, 0, bytemuck::cast_slice_mut(&mut host)).unwrap();
    host
}

fn ramp(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32).collect()
}

/// The parts of the interface that kernels need not be generated for.
pub(super) fn gpu_keeps_its_promises(gpu: &dyn Gpu, source: &str) {
    let kernels = gpu.compile(&[text(source), text(source)]).unwrap();
    launches_write_what_they_should(gpu, &*kernels[0]);
    launches_from_many_threads_do_not_mix(gpu, &kernels[1]);
    marks_order_and_time(gpu, &*kernels[0]);
    dropped_streams_finish_their_work(gpu, &*kernels[0]);
    mistakes_are_errors(gpu, source, &*kernels[0]);
    // Both went into the cache, or came from there already.
    let again = gpu.compile(&[text(source)]).unwrap();
    assert_eq!(again[0].report(), kernels[0].report());
    launches_write_what_they_should(gpu, &*again[0]);
}

fn launch(kernel: &dyn Kernel, queue: &dyn Queue, x: &dyn Memory, from: usize, y: &dyn Memory, n: usize) {
    let arguments = [Argument::Memory(x), Argument::U64(from as u64), Argument::Memory(y), Argument::U64(n as u64)];
    kernel.launch(queue, n.div_ceil(GROUP), &arguments).unwrap();
}

fn launches_write_what_they_should(gpu: &dyn Gpu, kernel: &dyn Kernel) {
    let queue = gpu.new_stream().unwrap();
    let (x, y) = (gpu.allocate(N * 4).unwrap(), gpu.allocate(N * 4).unwrap());
    queue.write(&*x, 0, bytemuck::cast_slice(&ramp(N))).unwrap();
    queue.write(&*y, 0, bytemuck::cast_slice(&vec![-1f32; N])).unwrap();
    launch(kernel, &*queue, &*x, 10, &*y, N - 10);
    queue.flush().unwrap();
    let expected = |i: usize| if i < N - 10 { 2.0 * (i + 10) as f32 } else { -1.0 };
    assert_eq!(floats(&*y, &*queue, N), (0..N).map(expected).collect::<Vec<_>>());
    // Ranges: the second half of one to the first of the other.
    let (source, target) = (Location { memory: &*x, offset: N * 2 }, Location { memory: &*y, offset: 0 });
    queue.copy(source, target, N * 2).unwrap();
    assert_eq!(floats(&*y, &*queue, N / 2), ramp(N)[N / 2..]);
    let mut one = [0f32];
    queue.read(&*x, 28, bytemuck::cast_slice_mut(&mut one)).unwrap();
    assert_eq!(one, [7.0]);
    kernel.launch(&*queue, 0, &[]).unwrap();
    assert_eq!(kernel.report().name, "twice");
}

fn launches_from_many_threads_do_not_mix(gpu: &dyn Gpu, kernel: &Arc<dyn Kernel>) {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                let queue = gpu.new_stream().unwrap();
                let (x, y) = (gpu.allocate(N * 4).unwrap(), gpu.allocate(N * 4).unwrap());
                queue.write(&*x, 0, bytemuck::cast_slice(&ramp(N))).unwrap();
                for round in 0..20 {
                    let from = thread * 100 + round;
                    launch(&**kernel, &*queue, &*x, from, &*y, N - from);
                    let expected: Vec<_> = ramp(N)[from..].iter().map(|x| 2.0 * x).collect();
                    assert_eq!(floats(&*y, &*queue, N - from), expected);
                }
            });
        }
    });
}

fn marks_order_and_time(gpu: &dyn Gpu, kernel: &dyn Kernel) {
    let n = 1 << 22;
    let (first, second) = (gpu.new_stream().unwrap(), gpu.new_stream().unwrap());
    let [x, y, z] = [0; 3].map(|_| gpu.allocate(n * 4).unwrap());
    first.write(&*x, 0, bytemuck::cast_slice(&ramp(n))).unwrap();
    let start = first.record().unwrap();
    for _ in 0..8 {
        launch(kernel, &*first, &*x, 0, &*y, n);
    }
    let end = first.record().unwrap();
    second.wait(&*end).unwrap();
    launch(kernel, &*second, &*y, 0, &*z, n);
    let after = second.record().unwrap();
    assert_eq!(floats(&*z, &*second, n), ramp(n).iter().map(|x| 4.0 * x).collect::<Vec<_>>());
    after.wait().unwrap();
    let (eight, nine) = (end.milliseconds_since(&*start).unwrap(), after.milliseconds_since(&*start).unwrap());
    // 256 MiB were moved: no device does that in a microsecond, and none takes a minute.
    assert!(eight > 1e-3 && eight < 6e4, "{eight} ms");
    assert!(nine > eight && nine < 6e4, "{eight} ms, {nine} ms");
    assert!(start.milliseconds_since(&*end).unwrap() <= 0.0);
    eprintln!("{}: 8 launches over {} MiB took {eight:.3} ms", gpu.info().name, (n * 8) >> 20);
}

fn dropped_streams_finish_their_work(gpu: &dyn Gpu, kernel: &dyn Kernel) {
    let n = 1 << 20;
    let (x, y) = (gpu.allocate(n * 4).unwrap(), gpu.allocate(n * 4).unwrap());
    let queue = gpu.new_stream().unwrap();
    queue.write(&*x, 0, bytemuck::cast_slice(&ramp(n))).unwrap();
    for _ in 0..4 {
        launch(kernel, &*queue, &*x, 0, &*y, n);
    }
    drop(queue);
    gpu.synchronize().unwrap();
    let queue = gpu.new_stream().unwrap();
    assert_eq!(floats(&*y, &*queue, n)[n - 1], 2.0 * (n - 1) as f32);
}

fn mistakes_are_errors(gpu: &dyn Gpu, source: &str, kernel: &dyn Kernel) {
    let queue = gpu.new_stream().unwrap();
    let memory = gpu.allocate(16).unwrap();
    assert_eq!(memory.bytes(), 16);
    assert!(matches!(queue.write(&*memory, 8, &[0; 9]), Err(Error::BufferLength { found: 16, .. })));
    assert!(matches!(queue.read(&*memory, usize::MAX, &mut [0; 2]), Err(Error::BufferLength { .. })));
    let (near, far) = (Location { memory: &*memory, offset: 0 }, Location { memory: &*memory, offset: 12 });
    assert!(matches!(queue.copy(near, far, 8), Err(Error::BufferLength { .. })));
    // Objects of another device.
    let host = cpu::open(0).unwrap();
    let (foreign_memory, foreign_queue) = (host.allocate(16).unwrap(), host.new_stream().unwrap());
    let foreign_mark = foreign_queue.record().unwrap();
    assert!(matches!(queue.write(&*foreign_memory, 0, &[0]), Err(Error::DeviceMismatch { .. })));
    assert!(matches!(queue.wait(&*foreign_mark), Err(Error::DeviceMismatch { .. })));
    assert!(matches!(kernel.launch(&*foreign_queue, 1, &[]), Err(Error::DeviceMismatch { .. })));
    let arguments = [Argument::Memory(&*foreign_memory)];
    assert!(matches!(kernel.launch(&*queue, 1, &arguments), Err(Error::DeviceMismatch { .. })));
    // Sources that do not compile, and ones that do but do not fit.
    let compile = |text: KernelText| gpu.compile(&[text]).err().expect("an error");
    match compile(KernelText { source: source.replace("2.0f", "undeclared"), ..text(source) }) {
        Error::Compile { kernel, log, .. } => assert!(kernel == "twice" && log.contains("undeclared"), "{log}"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(compile(KernelText { group: 1 << 20, ..text(source) }), Error::Compile { .. }));
    assert!(matches!(compile(KernelText { name: "thrice".into(), ..text(source) }), Error::Driver { .. }));
    match gpu.allocate(1 << 50) {
        Err(Error::OutOfMemory { requested, .. }) => assert_eq!(requested, 1 << 50),
        other => panic!("{:?}", other.err()),
    }
}

/// The same through the public interface.
pub(super) fn device_keeps_its_promises(device: &Device) {
    let host: Vec<_> = (0..1000).map(|i| num_complex::Complex32::new(i as f32, -0.5)).collect();
    let mut first = device.upload(&host).unwrap();
    let mut second = device.alloc(host.len()).unwrap();
    let stream = device.new_stream().unwrap();
    second.copy_from(&stream, &first).unwrap();
    let event = stream.record().unwrap();
    device.default_stream().wait_for(&event).unwrap();
    event.synchronize().unwrap();
    assert_eq!(second.to_vec().unwrap(), host);
    first.write(&host[..0]).unwrap_err();
    device.synchronize().unwrap();
}
