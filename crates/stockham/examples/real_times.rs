//! Times of transforms of real numbers and back, with passes by hand where they are given, in copies of the real numbers.
//!
//! `cargo run --release -p stockham --example real_times -- DEVICE BYTES f32|f64 SHAPE[:THERE[:BACK]] …`, as in
//! `real_times cuda 1073741824 f32 1048576 256x256:c8/16x16x16.16/32x16x16.8:-`: a choice for each direction, or one for both, and `-`
//! for the planner's. Some of the batch's arrays, the first and the last among them, are held to the CPU's transform.

use stockham::accuracy::{Measured, random};
use stockham::plan::{Choice, Recipe, plan};
use stockham::timing::{Patience, measure};
use stockham::{Algebra, Complex, Complex32, Complex64, Data, Device, Transform};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, bytes, precision, cases @ ..] = &arguments[..] else {
        return Err("DEVICE BYTES f32|f64 SHAPE[:THERE[:BACK]] ...".into());
    };
    let device = Device::by_name(device)?;
    println!("# {}, {}, {precision}", device.info().name, device.info().driver);
    println!("# shape\tbatch\tdirection\tms\tcopies\tlargest error\trecipe");
    for case in cases {
        let shown = match &precision[..] {
            "f32" => row::<f32, Complex32>(&device, bytes.parse()?, case, |z| [z.re, z.im].map(f64::from)),
            _ => row::<f64, Complex64>(&device, bytes.parse()?, case, |z| [z.re, z.im]),
        };
        shown.unwrap_or_else(|failure| println!("{case}\t{failure}"));
    }
    Ok(())
}

/// Both directions of one case.
fn row<R, T>(device: &Device, bytes: usize, case: &str, parts: fn(&T) -> [f64; 2]) -> Result<(), Failure>
where
    R: Data + Into<f64>,
    T: Measured + Into<Complex<R>>,
{
    let words: Vec<&str> = case.split(':').collect();
    let shape = words[0];
    let choices = [words.get(1), words.get(2).or(words.get(1))];
    let lengths = shape.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let algebra: Algebra = T::ALGEBRA;
    let batch = bytes / (lengths.iter().product::<usize>() * size_of::<R>());
    let one = Transform::real(algebra, lengths);
    let (n, half) = (one.input_len(), one.output_len());
    let elements: Vec<T> = random(half * batch, 1);
    let reals: Vec<R> = elements
        .iter()
        .take(n * batch / 2)
        .flat_map(|z| {
            let z: Complex<R> = (*z).into();
            [z.re, z.im]
        })
        .collect();
    let stream = device.new_stream()?;
    let (from, mut to) = (device.upload(&reals)?, device.alloc::<R>(reals.len())?);
    let copy = measure::<stockham::Error>(Patience::FIGURE, &stream, &mut || to.copy_from(&stream, &from))?;
    drop(to);
    let samples = [0, 1, batch / 3, batch / 2, batch.saturating_sub(2), batch - 1].map(|i| i.min(batch - 1));
    let recipe = |transform: &Transform, number: usize| -> Result<Recipe, Failure> {
        Ok(match choices[number].filter(|choice| **choice != "-") {
            Some(choice) => choice.parse::<Choice>()?.realise(transform, device.info())?,
            None => plan(transform, device.info())?,
        })
    };
    let told = |direction: &str, ms: f64, error: f64, recipe: &Recipe| {
        let passes: Vec<String> =
            recipe.passes().iter().map(|pass| format!("{}x{}", pass.radix, pass.tile.columns)).collect();
        let trips = format!("{} trips {}", recipe.trips(), passes.join("/"));
        println!("{case}\t{batch}\t{direction}\t{ms:.4}\t{:.3}\t{error:.1e}\t{trips}", ms / copy);
    };
    let far = |found: Vec<f64>, expected: Vec<f64>| {
        let most = expected.iter().fold(1e-30, |most: f64, y| most.max(y.abs()));
        found.iter().zip(&expected).fold(0.0, |far: f64, (a, b)| far.max((a - b).abs())) / most
    };
    let cpu = Device::cpu();
    let there = || -> Result<(), Failure> {
        let there = recipe(&one.clone().batch(batch), 0)?;
        let mut spectra = device.alloc::<T>(half * batch)?;
        let executable = device.prepare(there.clone())?;
        let mut workspace = device.alloc::<R>(executable.workspace_len() * 2)?;
        let ms = measure(Patience::FIGURE, &stream, &mut || {
            executable.run_on(&stream, &from, &mut spectra, &mut workspace)
        })?;
        drop(workspace);
        let mut error: f64 = 0.0;
        let on_cpu = cpu.plan(&one)?;
        for i in samples {
            let mut expected = cpu.alloc::<T>(half)?;
            on_cpu.run(&cpu.upload(&reals[n * i..][..n])?, &mut expected)?;
            let all = |values: Vec<T>| values.iter().flat_map(parts).collect::<Vec<f64>>();
            error = error.max(far(all(spectra.slice(half * i..half * (i + 1))?.to_vec()?), all(expected.to_vec()?)));
        }
        told("there", ms, error, &there);
        Ok(())
    };
    there().unwrap_or_else(|failure| println!("{case}\tthere\t{failure}"));
    let back = one.inverse();
    let recipe = recipe(&back.clone().batch(batch), 1)?;
    let (from, mut numbers) = (device.upload(&elements)?, device.alloc::<R>(n * batch)?);
    let executable = device.prepare(recipe.clone())?;
    let mut workspace = device.alloc::<T>(executable.workspace_len())?;
    let ms =
        measure(Patience::FIGURE, &stream, &mut || executable.run_on(&stream, &from, &mut numbers, &mut workspace))?;
    let (mut error, on_cpu): (f64, _) = (0.0, cpu.plan(&back)?);
    for i in samples {
        let mut expected = cpu.alloc::<R>(n)?;
        on_cpu.run(&cpu.upload(&elements[half * i..][..half])?, &mut expected)?;
        let all = |values: Vec<R>| values.into_iter().map(Into::into).collect::<Vec<f64>>();
        error = error.max(far(all(numbers.slice(n * i..n * (i + 1))?.to_vec()?), all(expected.to_vec()?)));
    }
    told("back", ms, error, &recipe);
    Ok(())
}
