//! Wrong calls are refused with the right error, and leave everything fit for the next call.

use stockham::accuracy::random;
use stockham::plan::{Method, Pass, Place, Recipe, Wisdom};
use stockham::{
    Algebra, Complex32, Complex64, Device, Dim, Error, Executable, Goldilocks, Normalization, Result, Transform,
};

use crate::common::{assert_close, computes, devices, is_cpu, reference};

const N: usize = 64;

fn planned(device: &Device) -> Executable {
    device.plan(&Transform::new(Algebra::ComplexF32, N)).unwrap()
}

/// The successful call after each refused one.
fn still_works(executable: &Executable) {
    let device = executable.device();
    let x = random::<Complex32>(N, 43);
    let input = device.upload(&x).unwrap();
    let mut output = device.alloc::<Complex32>(N).unwrap();
    executable.run(&input, &mut output).unwrap();
    let expected = reference(&x, executable.transform());
    assert_close(&output.to_vec().unwrap(), &expected, N, 2.0, || format!("{executable:?} after misuse"));
}

macro_rules! refused {
    ($executable:expr, $result:expr, $pattern:pat) => {{
        let result: Result<_> = $result;
        assert!(matches!(result, Err($pattern)), "{:?}: {result:?}", $executable);
        still_works($executable);
    }};
}

#[test]
fn wrong_lengths() {
    for device in devices() {
        let executable = &planned(&device);
        let good = device.alloc::<Complex32>(N).unwrap();
        let mut out = device.alloc::<Complex32>(N).unwrap();
        for len in [0, 1, N - 1, N + 1, 2 * N] {
            let input = device.alloc::<Complex32>(len).unwrap();
            let mut output = device.alloc::<Complex32>(len).unwrap();
            let result = executable.run(&input, &mut out);
            let expected = Error::BufferLength { buffer: "input", expected: N, found: len };
            assert_eq!(result, Err(expected));
            still_works(executable);
            let expected = Error::BufferLength { buffer: "output", expected: N, found: len };
            assert_eq!(executable.run(&good, &mut output), Err(expected));
            still_works(executable);
        }
        let slice = out.slice_mut(1..).unwrap();
        refused!(executable, executable.run(&good, slice), Error::BufferLength { found: 63, .. });
        refused!(executable, good.slice(1..N + 2).map(drop), Error::BufferLength { .. });
        refused!(executable, out.write(&[Complex32::default(); 3]), Error::BufferLength { .. });
        refused!(executable, out.read(&mut [Complex32::default(); 3]), Error::BufferLength { .. });

        // By the model, which takes a workspace for it; wisdom may know of clusters, which take none.
        let long = &device.with_wisdom(Wisdom::default()).plan(&Transform::new(Algebra::ComplexF32, 1 << 15)).unwrap();
        let needed = long.workspace_len();
        if needed > 0 {
            let x = device.upload(&random::<Complex32>(1 << 15, 1)).unwrap();
            let mut y = device.alloc::<Complex32>(1 << 15).unwrap();
            let mut workspace = device.alloc::<Complex32>(needed - 1).unwrap();
            let result = long.run_on(device.default_stream(), &x, &mut y, &mut workspace);
            assert_eq!(result, Err(Error::BufferLength { buffer: "workspace", expected: needed, found: needed - 1 }));
            let mut larger = device.alloc::<Complex32>(needed + 3).unwrap();
            long.run_on(device.default_stream(), &x, &mut y, &mut larger).unwrap();
        }
    }
}

#[test]
fn wrong_elements() {
    for device in devices() {
        let executable = &planned(&device);
        let wide = device.alloc::<Complex64>(N).unwrap();
        let mut wide_out = device.alloc::<Complex64>(N).unwrap();
        refused!(executable, executable.run(&wide, &mut wide_out), Error::ElementType { expected: "complex-f32", .. });
        // The same size in bytes must not deceive.
        let field = device.alloc::<Goldilocks>(N).unwrap();
        let mut field_out = device.alloc::<Goldilocks>(N).unwrap();
        refused!(executable, executable.run(&field, &mut field_out), Error::ElementType { found: "goldilocks", .. });
        refused!(executable, executable.runner::<Goldilocks>().map(drop), Error::ElementType { .. });
    }
}

#[test]
fn wrong_placement() {
    for device in devices() {
        let executable = &planned(&device);
        let mut data = device.alloc::<Complex32>(N).unwrap();
        refused!(executable, executable.run_in_place(&mut data), Error::Placement { .. });
        let mut runner = executable.runner::<Complex32>().unwrap();
        refused!(executable, runner.run_in_place(&mut data), Error::Placement { .. });

        let inside = device.plan(&Transform::new(Algebra::ComplexF32, N).in_place()).unwrap();
        let input = device.alloc::<Complex32>(N).unwrap();
        refused!(executable, inside.run(&input, &mut data), Error::Placement { .. });
        inside.run_in_place(&mut data).unwrap();
    }
}

#[test]
fn another_device() {
    let all: Vec<Device> = Device::list().found.iter().map(|info| Device::by_name(&info.id).unwrap()).collect();
    for device in devices() {
        let executable = &planned(&device);
        let here = device.alloc::<Complex32>(N).unwrap();
        let mut here_out = device.alloc::<Complex32>(N).unwrap();
        for other in all.iter().filter(|other| other.info().id != device.info().id) {
            let there = other.alloc::<Complex32>(N).unwrap();
            let mut there_out = other.alloc::<Complex32>(N).unwrap();
            let mut workspace = device.alloc::<Complex32>(executable.workspace_len()).unwrap();
            refused!(executable, executable.run(&there, &mut here_out), Error::DeviceMismatch { .. });
            refused!(executable, executable.run(&here, &mut there_out), Error::DeviceMismatch { .. });
            let stream = other.default_stream();
            let call = executable.run_on(stream, &here, &mut here_out, &mut workspace);
            refused!(executable, call, Error::DeviceMismatch { .. });
            let mark = other.new_stream().unwrap().record().unwrap();
            refused!(executable, device.default_stream().wait_for(&mark), Error::DeviceMismatch { .. });
            refused!(executable, here_out.copy_from(device.default_stream(), &there), Error::DeviceMismatch { .. });
        }
        // The same device, asked for again, is the same.
        let again = Device::by_name(&device.info().id).unwrap();
        executable.run(&again.upload(&[Complex32::default(); N]).unwrap(), &mut here_out).unwrap();
    }
    let nowhere = Device::by_name("nowhere:7").map(drop);
    assert!(matches!(nowhere, Err(Error::DeviceNotFound { .. })), "{nowhere:?}");
}

#[test]
fn more_than_there_is() {
    for device in devices() {
        let executable = &planned(&device);
        refused!(executable, device.alloc::<Complex32>(usize::MAX).map(drop), Error::OutOfMemory { .. });
        refused!(executable, device.alloc::<Complex32>(1 << 50).map(drop), Error::OutOfMemory { .. });
    }
}

/// Recipes are plain data, which anybody may change: those that would leave the buffers of a run are refused.
#[test]
fn recipes_that_leave_memory() {
    let changes: [fn(&mut Pass); 5] = [
        |pass| pass.row_strides.0 *= 2,
        |pass| pass.row_strides.1 += 1,
        |pass| pass.columns[0].n += 1,
        |pass| pass.source = Place::Workspace,
        |pass| pass.tile.columns = 0,
    ];
    for device in devices().into_iter().filter(|device| !is_cpu(device)) {
        let executable = &planned(&device);
        for change in changes {
            let mut recipe = executable.recipe().clone();
            let Method::Passes(passes) = &mut recipe.method else { panic!("a device with kernels has passes") };
            change(&mut passes[0]);
            refused!(executable, device.prepare(recipe).map(drop), Error::InvalidTransform(_));
        }
    }
}

/// What the planner refuses is refused where a recipe comes from elsewhere, too.
#[test]
fn recipes_of_transforms_that_are_not_executed() {
    for device in devices() {
        let executable = &planned(&device);
        for algebra in [Algebra::ComplexF32, Algebra::Goldilocks] {
            for sides in [[8, 8], [64, 1], [1, 64], [2, 32]] {
                let dims = [Dim::new(sides[0], sides[1]), Dim::new(sides[1], 1)];
                let plane = Transform::new(algebra, N).with_dims(dims);
                let recipe = if is_cpu(&device) {
                    Recipe::host(&plane)
                } else {
                    Recipe { transform: plane, ..executable.recipe().clone() }
                };
                // GPUs execute planes, but not by the passes of a line.
                let is_refused = |error: &Error| match error {
                    Error::InvalidTransform(_) => !is_cpu(&device) && sides[0] > 1 && sides[1] > 1,
                    error => matches!(error, Error::Unsupported { .. }),
                };
                let error = device.prepare(recipe).map(drop).unwrap_err();
                assert!(is_refused(&error), "{sides:?} on {}: {error}", device.info().id);
                still_works(executable);
            }
        }
    }
}

#[test]
fn what_is_not_executed() {
    for device in devices() {
        let executable = &planned(&device);
        // Of several dimensions, each is to be executed.
        device.plan(&Transform::new(Algebra::Goldilocks, [8, 8])).unwrap();
        let plane = Transform::new(Algebra::Goldilocks, [7, 8]);
        refused!(executable, device.plan(&plane).map(drop), Error::Unsupported { .. });
        let ortho = Transform::new(Algebra::Goldilocks, 8).normalization(Normalization::Ortho);
        refused!(executable, device.plan(&ortho).map(drop), Error::Unsupported { .. });
        let rootless = Transform::new(Algebra::Goldilocks, 7);
        refused!(executable, device.plan(&rootless).map(drop), Error::Unsupported { .. });
        if !computes(&device, Algebra::ComplexF64) {
            let wide = Transform::new(Algebra::ComplexF64, 8);
            refused!(executable, device.plan(&wide).map(drop), Error::Unsupported { .. });
        }
        // Any length over ℂ, and nothing beyond what GPUs count.
        device.plan(&Transform::new(Algebra::ComplexF32, 65_537)).unwrap();
        if !is_cpu(&device) {
            let long = Transform::new(Algebra::ComplexF32, (1 << 30) + 1);
            refused!(executable, device.plan(&long).map(drop), Error::Unsupported { .. });
        }
    }
}
