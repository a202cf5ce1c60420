//! Recipes in which something was changed, as in a file that was edited by hand: each is refused, or its kernels stay within
//! memory. Whether they still compute what they are for is their author's affair.

use num_complex::Complex;
use serde_json::Value;

use super::cluster::hopper;
use super::{Bits, interpreted, texts};
use crate::algebra::{Algebra, BigPrime, Goldilocks};
use crate::device_info::DeviceInfo;
use crate::kernel::Dialect;
use crate::plan::{Arithmetic, Chain, Choice, FirstStore, Input, Recipe, TwiddleSource, chain, plan};
use crate::transform::Transform;

fn device() -> DeviceInfo {
    DeviceInfo { compute_capability: Some((9, 0)), ..hopper(Some(16)) }
}

/// What stands in for what is found.
fn replacements(found: &Value) -> Vec<Value> {
    const NAMES: [&[&str]; 5] = [
        &["Input", "Output", "Workspace", "Ring", "Cluster"],
        &["Rows", "Columns", "Flat"],
        &["scalar", "vectors"],
        &["lookups", "products"],
        &["tables", "columns"],
    ];
    match found {
        Value::Bool(is) => vec![Value::from(!is)],
        Value::Number(number) => {
            let x = number.as_u64().unwrap();
            let near = [0, 1, 2, x.wrapping_sub(1), x + 1, x / 2, 2 * x, x + 1024];
            near.into_iter().chain([1 << 33, u64::MAX]).filter(|other| *other != x).map(Value::from).collect()
        }
        Value::String(name) => {
            let names = NAMES.into_iter().find(|names| names.contains(&name.as_str())).unwrap_or_default();
            names.iter().filter(|other| *other != name).map(|other| Value::from(*other)).collect()
        }
        _ => Vec::new(),
    }
}

/// Where numbers, names and words of yes and no are in a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), found)),
        Value::Object(fields) => fields.iter().for_each(|(name, v)| places(v, &format!("{at}/{name}"), found)),
        Value::Null => {}
        _ => found.push(at.to_owned()),
    }
}

/// Runs what may be run: a launch by chunks is no launch by itself, and workspaces of terabytes are not to be had.
fn run<T: Bits>(recipe: &Recipe) -> Result<(), String> {
    if recipe.chunk.is_some() || recipe.workspace_len > 1 << 20 {
        return Ok(());
    }
    let input: Vec<T> = (0..recipe.transform.input_len()).map(T::sample).collect();
    interpreted(recipe, &input).map(drop)
}

/// Changes one thing after the other; gives how many changes were refused, and how many were not.
fn change(recipe: &Recipe, run: fn(&Recipe) -> Result<(), String>) -> (usize, usize) {
    let (device, document) = (device(), serde_json::to_value(recipe).unwrap());
    let mut found = Vec::new();
    places(&document, "", &mut found);
    let (mut refused, mut passed) = (0, 0);
    for place in found.iter().filter(|place| !place.starts_with("/transform/")) {
        for other in replacements(document.pointer(place).unwrap()) {
            let mut changed = document.clone();
            *changed.pointer_mut(place).unwrap() = other.clone();
            let Ok(changed) = serde_json::from_value::<Recipe>(changed) else { continue };
            if changed.check(&device).is_err() {
                refused += 1;
                continue;
            }
            passed += 1;
            let what = || format!("{place}: {other} in\n{recipe}");
            assert!(!texts(&changed, Dialect::Cuda).is_empty(), "{}", what());
            if let Err(error) = run(&changed) {
                assert!(!error.contains("out of bounds") && !error.contains("rank"), "{error}: {}", what());
            }
        }
    }
    (refused, passed)
}

fn realised<T: Bits>(choice: &str, log: u32, batch: usize) -> Recipe {
    let transform = Transform::new(T::ALGEBRA, 1 << log).batch(batch);
    choice.parse::<Choice>().unwrap().realise(&transform, &device()).unwrap()
}

/// Most changes matter, and are seen.
fn check_change<T: Bits>(recipe: &Recipe) {
    check_change_by(recipe, run::<T>);
}

fn check_change_by(recipe: &Recipe, run: fn(&Recipe) -> Result<(), String>) {
    let (refused, passed) = change(recipe, run);
    assert!(refused > passed && passed > 0, "{refused} changes were refused and {passed} not, in\n{recipe}");
}

#[test]
fn one_pass() {
    check_change::<Complex<f32>>(&realised::<Complex<f32>>("2x4x4.4", 4, 3));
    check_change::<Goldilocks>(&realised::<Goldilocks>("2x8x4.2f", 3, 3));
    check_change::<Complex<f64>>(&realised::<Complex<f64>>("1x4x4.4a", 4, 3));
}

#[test]
fn passes_through_memory() {
    check_change::<Complex<f32>>(&realised::<Complex<f32>>("2x4x4.2/2x4x4/4x2x2", 6, 3));
    check_change::<Goldilocks>(&realised::<Goldilocks>("4x4x4.2/4x4x4.2p", 6, 2));
    let transform = Transform::new(Algebra::ComplexF32, 64).batch(5);
    let choice: Choice = "4x4x4.2/4x4x4.2".parse().unwrap();
    check_change::<Complex<f32>>(&choice.realise(&transform, &device()).unwrap().in_chunks(2).unwrap());
}

#[test]
fn clusters() {
    check_change::<Complex<f32>>(&realised::<Complex<f32>>("c2/4x4x4.2/4x4x4.2", 6, 2));
    check_change::<Goldilocks>(&realised::<Goldilocks>("c4/4x4x4/1x4x4.4", 6, 2));
    check_change::<Complex<f64>>(&realised::<Complex<f64>>("c2/8x4x4.2/8x4x4.2/8x4x4.2/8x4x4.2", 12, 1));
}

#[test]
fn rings() {
    check_change::<Complex<f32>>(&realised::<Complex<f32>>("r/8x4x4.4a/8x4x4.4a", 8, 3));
    check_change::<Complex<f64>>(&realised::<Complex<f64>>("n/8x4x4.4a/8x4x4.4e", 8, 3));
}

#[test]
fn chains() {
    let transform = Transform::new(Algebra::ComplexF32, 64).batch(2);
    let of = Chain {
        radices: vec![4, 4, 4],
        twiddles: TwiddleSource::Tables,
        group: 8,
        first_store: FirstStore::Exchanged,
        input: Input::PlanarFused,
        arithmetic: Arithmetic::Vectors,
    };
    check_change::<Complex<f32>>(&chain(&transform, &device(), &of).unwrap());
}

/// Their kernels have loops, which are not interpreted; but they are printed.
#[test]
fn digits() {
    for (prime, n) in [(BigPrime::P3, 64), (BigPrime::G8, 256), (BigPrime::P5, 128)] {
        let transform = Transform::new(Algebra::BigPrime(prime), n).batch(2);
        check_change_by(&plan(&transform, &device()).unwrap(), |_| Ok(()));
    }
}
