//! The driver on the devices of this machine; skipped where there is none.

use cl3::command_queue::{
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_REFERENCE_COUNT, create_command_queue, get_command_queue_data,
    release_command_queue,
};
use cl3::context::{create_context, release_context};

use crate::device::{Buffer, Device, interop, testing};
use crate::{Algebra, Complex32, Error, Transform};

use super::*;

fn devices() -> Vec<Device> {
    let found = find::devices();
    if found.is_empty() {
        eprintln!("skipped, no OpenCL device: {:?}", find::listing().missing);
    }
    found.iter().map(|found| Device::by_name(&found.info.id).unwrap()).collect()
}

#[test]
fn devices_keep_their_promises() {
    for device in devices() {
        eprintln!("{:#?}", device.info());
        testing::device_keeps_its_promises(&device);
        let opencl = device.driver().as_any().downcast_ref::<OpenCl>().unwrap();
        testing::gpu_keeps_its_promises(opencl, testing::OPENCL_SOURCE);
    }
}

#[test]
fn infos_are_plausible() {
    for device in devices() {
        let info = device.info();
        assert!(info.memory_bytes > 0 && info.max_group > 0 && info.compute_units > 0, "{info:?}");
        assert!(info.simd_width > 0 && info.local_bytes >= 1 << 14, "{info:?}");
        assert!(!info.name.is_empty(), "{info:?}");
    }
}

#[test]
fn foreign_contexts_memory_and_queues_are_used_in_place() {
    for known in find::devices() {
        let raw = known.raw.0;
        let context = create_context(&[raw], ptr::null(), None, ptr::null_mut()).unwrap();
        // SAFETY: all handles are valid, and released once each at the end.
        unsafe {
            let device = interop::opencl::device(context, raw).unwrap();
            let usual = Device::by_name(&known.info.id).unwrap();
            assert!(!device.is_same(&usual));
            assert_eq!(device.info(), usual.info());

            let memory = create_buffer(context, CL_MEM_READ_WRITE, 800, ptr::null_mut()).unwrap();
            let mut buffer: Buffer<Complex32> = interop::opencl::buffer(&device, memory, 100).unwrap();
            let too_long = interop::opencl::buffer::<Complex32>(&device, memory, 101);
            assert!(matches!(too_long, Err(Error::BufferLength { expected: 808, found: 800, .. })));
            let elsewhere = interop::opencl::buffer::<Complex32>(&usual, memory, 100);
            assert!(matches!(elsewhere, Err(Error::DeviceMismatch { .. })));
            let host: Vec<_> = (0..100).map(|i| Complex32::new(i as f32, 1.0)).collect();
            buffer.write(&host).unwrap();
            // Retained: the buffer serves after its maker's reference is gone.
            release_mem_object(memory).unwrap();
            assert_eq!(buffer.to_vec().unwrap(), host);
            assert_eq!(interop::opencl::memory(&buffer), Some(memory));

            let mut words = vec![0u128; 51];
            let odd = words.as_mut_ptr().cast::<u8>().add(8).cast();
            // Not every driver takes the host's memory as it lies.
            if let Ok(memory) = create_buffer(context, CL_MEM_READ_WRITE | cl3::memory::CL_MEM_USE_HOST_PTR, 800, odd) {
                let refused = interop::opencl::buffer::<u64>(&device, memory, 100);
                assert!(matches!(refused, Err(Error::Alignment { alignment: 16, .. })), "{refused:?}");
                release_mem_object(memory).unwrap();
            }

            let queue = create_command_queue(context, raw, CL_QUEUE_PROFILING_ENABLE).unwrap();
            let references = || get_command_queue_data(queue, CL_QUEUE_REFERENCE_COUNT).unwrap();
            let before = references();
            let stream = interop::opencl::stream(&device, queue).unwrap();
            assert_eq!(interop::opencl::handle(&stream), Some(queue));
            let mut copy = device.alloc::<Complex32>(100).unwrap();
            copy.copy_from(&stream, &buffer).unwrap();
            drop(stream);
            assert_eq!(copy.to_vec().unwrap(), host);
            // Drivers may keep the last command of a buffer, and with it the queue.
            drop((copy, buffer));
            // They may also let go of it on a thread of their own, a moment later.
            let let_go = || {
                references() == before || {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                    false
                }
            };
            assert!((0..500).any(|_| let_go()), "{:?} references, before {before:?}", references());
            assert!(matches!(interop::opencl::stream(&usual, queue), Err(Error::DeviceMismatch { .. })));
            release_command_queue(queue).unwrap();

            // Not every device has such queues.
            if let Ok(queue) = create_command_queue(context, raw, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
                assert!(matches!(interop::opencl::stream(&device, queue), Err(Error::Unsupported { .. })));
                release_command_queue(queue).unwrap();
            }
            release_context(context).unwrap();
        }
    }
}

#[test]
fn buffers_of_one_foreign_object_overlap() {
    const N: usize = 16;
    for device in devices() {
        let mut buffer = device.alloc::<Complex32>(2 * N).unwrap();
        let memory = interop::opencl::memory(&buffer).unwrap();
        // SAFETY: the object is alive, and what would use both is refused.
        let mut same: Buffer<Complex32> = unsafe { interop::opencl::buffer(&device, memory, 2 * N).unwrap() };
        let executable = device.plan(&Transform::new(Algebra::ComplexF32, N)).unwrap();
        let input = buffer.slice(..N).unwrap();
        let refused = executable.run(input, same.slice_mut(N - 1..2 * N - 1).unwrap());
        assert_eq!(refused, Err(Error::Overlap { first: "input", second: "output" }));
        executable.run(input, same.slice_mut(N..).unwrap()).unwrap();
        let refused = buffer.copy_from(device.default_stream(), &same);
        assert_eq!(refused, Err(Error::Overlap { first: "source", second: "target" }));
    }
}
