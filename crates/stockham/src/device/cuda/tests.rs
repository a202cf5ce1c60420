//! The driver on a real device; skipped where there is none.

use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::device::{Buffer, Device, interop, testing};
use crate::{Algebra, Complex32, Error, Transform};

/// Held by the test that has the device: while one captures a stream, the driver lets none wait for the whole device, and one that
/// tries spoils what is captured.
static ALONE: Mutex<()> = Mutex::new(());

fn device() -> Option<(Device, MutexGuard<'static, ()>)> {
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(found) = super::find::devices().first() else {
        eprintln!("skipped, no CUDA device: {:?}", super::find::listing().missing);
        return None;
    };
    Some((Device::by_name(&found.info.id).unwrap(), alone))
}

#[test]
fn a_device_keeps_its_promises() {
    let Some((device, _alone)) = device() else { return };
    eprintln!("{:#?}", device.info());
    testing::device_keeps_its_promises(&device);
    let cuda = device.driver().as_any().downcast_ref::<super::Cuda>().unwrap();
    testing::gpu_keeps_its_promises(cuda, testing::CUDA_SOURCE);
}

/// By pieces and not, from several threads, of which one has the pieces.
#[test]
fn long_copies_arrive() {
    let Some((device, _alone)) = device() else { return };
    let piece = 1 << 20;
    for len in [piece - 1, 2 * piece - 1, 2 * piece, 2 * piece + 1, 8 * piece, 9 * piece + 12345, 31 * piece + 7] {
        std::thread::scope(|scope| {
            for thread in 0..3u64 {
                let device = &device;
                scope.spawn(move || {
                    let host: Vec<u64> =
                        (0..len as u64).map(|i| (i + thread).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
                    let mut buffer = device.alloc::<u64>(len + 3).unwrap();
                    buffer.write(&vec![7; len + 3]).unwrap();
                    buffer.slice_mut(1..=len).unwrap().write(&host).unwrap();
                    assert!(buffer.slice(1..=len).unwrap().to_vec().unwrap() == host, "{len}");
                    let all = buffer.to_vec().unwrap();
                    assert!([all[0], all[len + 1], all[len + 2]] == [7; 3] && all[1..=len] == host, "{len}");
                });
            }
        });
    }
}

#[test]
fn foreign_memory_and_streams_are_used_in_place() {
    let Some((device, _alone)) = device() else { return };
    let host: Vec<_> = (0..100).map(|i| Complex32::new(i as f32, 1.0)).collect();
    let ours = device.upload(&host).unwrap();
    let pointer = interop::cuda::pointer(&ours).unwrap();
    // SAFETY: the memory and the stream outlive what borrows them, and nothing else uses them meanwhile.
    unsafe {
        let theirs: Buffer<Complex32> = interop::cuda::buffer(&device, pointer + 80, 90).unwrap();
        assert_eq!(theirs.to_vec().unwrap(), host[10..]);
        drop(theirs);
        let too_long = interop::cuda::buffer::<Complex32>(&device, pointer, 1 << 30);
        assert!(matches!(too_long, Err(Error::BufferLength { .. })));
        assert!(matches!(interop::cuda::buffer::<Complex32>(&device, pointer + 2, 1), Err(Error::Alignment { .. })));
        assert!(interop::cuda::buffer::<Complex32>(&device, 8, 1).is_err());
        assert!(matches!(
            interop::cuda::buffer::<Complex32>(&Device::cpu(), pointer, 1),
            Err(Error::DeviceMismatch { .. })
        ));
        let raw = interop::cuda::handle(device.default_stream()).unwrap();
        for raw in [raw, ptr::null_mut()] {
            let stream = interop::cuda::stream(&device, raw).unwrap();
            let mut copy = device.alloc::<Complex32>(100).unwrap();
            copy.copy_from(&stream, &ours).unwrap();
            let event = stream.record().unwrap();
            device.default_stream().wait_for(&event).unwrap();
            assert_eq!(copy.to_vec().unwrap(), host);
        }
    }
    // The borrowed memory was not freed.
    assert_eq!(ours.to_vec().unwrap(), host);
}

#[test]
fn the_threads_own_context_is_left_alone() {
    use cudarc::driver::sys;
    let Some((device, _alone)) = device() else { return };
    let current = || {
        let mut context = ptr::null_mut();
        // SAFETY: writes one pointer.
        assert_eq!(unsafe { sys::cuCtxGetCurrent(&raw mut context) }, sys::CUresult::CUDA_SUCCESS);
        context
    };
    let work = || drop(device.upload(&[Complex32::new(1.0, 0.0)]).unwrap());
    // A thread that has no context keeps the first.
    work();
    let before = current();
    assert!(!before.is_null());
    // SAFETY: a context of this process's one CUDA device; popping leaves the thread with none.
    let popped = unsafe { sys::cuCtxPopCurrent_v2(&mut ptr::null_mut()) };
    assert_eq!(popped, sys::CUresult::CUDA_SUCCESS);
    work();
    assert_eq!(current(), before);
    work();
    device.synchronize().unwrap();
    assert_eq!(current(), before);
}

/// A stream that its owner records takes a transform's launches, those of one that was replayed before, too; and meanwhile
/// other streams of that thread take recordings and replays.
#[test]
fn a_recorded_stream_takes_transforms() {
    use cudarc::driver::sys::{self, CUresult, CUstreamCaptureMode};
    const N: usize = 1 << 17;
    let Some((device, _alone)) = device() else { return };
    let executable = device.plan(&Transform::new(Algebra::ComplexF32, N)).unwrap();
    assert!(executable.recipe().launches().len() > 1);
    let host: Vec<_> = (0..N).map(|i| Complex32::new((i % 1009) as f32 - 500.0, (i % 97) as f32)).collect();
    let zeros = vec![Complex32::new(0.0, 0.0); N];
    let input = device.upload(&host).unwrap();
    let [mut output, mut workspace, mut other, mut space] = [0; 4].map(|_| device.upload(&zeros).unwrap());
    let (stream, beside) = (device.new_stream().unwrap(), device.new_stream().unwrap());
    for _ in 0..3 {
        executable.run_on(&stream, &input, &mut output, &mut workspace).unwrap();
    }
    stream.synchronize().unwrap();
    let expected = output.to_vec().unwrap();
    assert!(expected.iter().any(|value| value.norm() > 1.0));
    output.write(&zeros).unwrap();

    let raw = interop::cuda::handle(&stream).unwrap().cast();
    let check = |code| assert_eq!(code, CUresult::CUDA_SUCCESS);
    let (mut graph, mut ready) = (ptr::null_mut(), ptr::null_mut());
    // In the global mode no thread could allocate meanwhile, and other tests do.
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    // SAFETY: the stream is valid; what was recorded uses memory that outlives it.
    unsafe {
        check(sys::cuStreamBeginCapture_v2(raw, mode));
        executable.run_on(&stream, &input, &mut output, &mut workspace).unwrap();
        for _ in 0..3 {
            executable.run_on(&beside, &input, &mut other, &mut space).unwrap();
        }
        check(sys::cuStreamEndCapture(raw, &raw mut graph));
        check(sys::cuGraphInstantiateWithFlags(&raw mut ready, graph, 0));
    }
    assert_eq!(other.to_vec().unwrap(), expected);
    // What was recorded was not computed so far.
    assert_eq!(output.to_vec().unwrap(), zeros);
    // SAFETY: as above.
    check(unsafe { sys::cuGraphLaunch(ready, raw) });
    stream.synchronize().unwrap();
    assert_eq!(output.to_vec().unwrap(), expected);
    // SAFETY: both were made above, and their work has ended.
    unsafe {
        check(sys::cuGraphExecDestroy(ready));
        check(sys::cuGraphDestroy(graph));
    }
}

/// To record is no reason for others to wait, or to fail.
#[test]
fn the_device_may_be_waited_for_while_transforms_are_recorded() {
    let Some((device, _alone)) = device() else { return };
    let executable = device.plan(&Transform::new(Algebra::ComplexF32, 1 << 17)).unwrap();
    let input = device.upload(&vec![Complex32::new(1.0, -2.0); 1 << 17]).unwrap();
    std::thread::scope(|scope| {
        let recording = scope.spawn(|| {
            for _ in 0..200 {
                let mut runner = executable.runner().unwrap();
                let mut output = device.alloc::<Complex32>(1 << 17).unwrap();
                for _ in 0..3 {
                    runner.run(&input, &mut output).unwrap();
                }
                runner.stream().synchronize().unwrap();
            }
        });
        while !recording.is_finished() {
            device.synchronize().unwrap();
        }
    });
}
