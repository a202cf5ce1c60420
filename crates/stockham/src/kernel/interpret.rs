//! Running kernels on the host, statement by statement, with every access checked: the test of planner and lowering
//! that needs no device. It finds wrong results, accesses out of bounds, and races between barriers.

use super::ir::{Id, Kernel, Memory, Op, Stmt, Type};
use crate::algebra::{Goldilocks, Ring};

/// Global memory: the bits of the components, element after element.
pub(super) struct Global<'a> {
    pub source: Vec<u64>,
    pub target: &'a mut Vec<u64>,
    pub table: &'a [u64],
}

/// Who touched a place of local memory since the last barrier.
#[derive(Clone, Copy, Default)]
struct Touched {
    writer: Option<usize>,
    reader: Option<usize>,
    shared: bool,
}

/// Runs all work-groups one after the other, with these scalar arguments.
pub(super) fn run(kernel: &Kernel, global: &mut Global<'_>, arguments: &[u64], groups: usize) -> Result<(), String> {
    assert_eq!(arguments.len(), kernel.arguments.len(), "the kernel takes {:?}", kernel.arguments);
    for group in 0..groups {
        run_group(kernel, global, arguments, group)?;
    }
    Ok(())
}

// A thread is a row of several tables, not a place of one.
#[allow(clippy::needless_range_loop)]
fn run_group(kernel: &Kernel, global: &mut Global<'_>, arguments: &[u64], group: usize) -> Result<(), String> {
    let mut values = vec![vec![0u64; kernel.group]; kernel.values.len()];
    for (row, (_, op)) in values.iter_mut().zip(&kernel.values) {
        match op {
            Op::Const(bits) => row.fill(*bits),
            Op::Argument(name) => {
                let place = kernel.arguments.iter().position(|a| a == name);
                row.fill(arguments[place.ok_or_else(|| format!("no argument '{name}'"))?]);
            }
            _ => {}
        }
    }
    let mut tile = vec![0u64; kernel.tile_len * kernel.tile.1];
    let mut touched = vec![Touched::default(); kernel.tile_len];
    for stmt in &kernel.body {
        match stmt {
            Stmt::Barrier => touched.fill(Touched::default()),
            Stmt::Rows { .. } | Stmt::EndRows { .. } | Stmt::Repeat { .. } | Stmt::EndRepeat { .. } => {
                return Err("loops are not interpreted".into());
            }
            Stmt::Let(id) => {
                let (ty, op) = &kernel.values[id.0 as usize];
                if matches!(op, Op::Const(_) | Op::Argument(_)) {
                    continue;
                }
                for thread in 0..kernel.group {
                    let get = |id: &Id| values[id.0 as usize][thread];
                    let operand_type = op.operands().first().map_or(*ty, |a| kernel.values[a.0 as usize].0);
                    let result = evaluate(*ty, operand_type, op, &get, (thread, group));
                    values[id.0 as usize][thread] = result;
                }
            }
            Stmt::Load { memory, index, components, guard } => {
                for thread in 0..kernel.group {
                    if guard.is_some_and(|g| values[g.0 as usize][thread] == 0) {
                        components.iter().for_each(|id| values[id.0 as usize][thread] = 0);
                        continue;
                    }
                    let at = values[index.0 as usize][thread] as usize;
                    if let [only] = components[..]
                        && kernel.values[only.0 as usize].0 == Type::F32x2
                    {
                        let from = if *memory == Memory::Table { global.table } else { &global.source };
                        let pair = from.get(2 * at..2 * at + 2).ok_or("a vector read out of bounds")?;
                        values[only.0 as usize][thread] = pair[0] | pair[1] << 32;
                        continue;
                    }
                    for (c, id) in components.iter().enumerate() {
                        let from: &[u64] = match memory {
                            Memory::Source | Memory::SourceWords => &global.source,
                            Memory::Target => return Err("a load from the target".into()),
                            Memory::Table => global.table,
                            Memory::Tile => &tile,
                        };
                        let bits = from.get(at * components.len() + c);
                        values[id.0 as usize][thread] =
                            *bits.ok_or_else(|| format!("{memory:?}[{at}] read out of bounds by thread {thread}"))?;
                    }
                    if *memory == Memory::Tile {
                        let t = &mut touched[at];
                        if t.writer.is_some_and(|w| w != thread) {
                            return Err(format!("tile[{at}] read by {thread} and written by {:?}", t.writer));
                        }
                        t.shared |= t.reader.is_some_and(|r| r != thread);
                        t.reader = Some(thread);
                    }
                }
            }
            Stmt::SinCos { angle, sin, cos, .. } => {
                let narrow = kernel.values[angle.0 as usize].0 == Type::F32;
                for thread in 0..kernel.group {
                    let bits = values[angle.0 as usize][thread];
                    let x = if narrow { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
                    for (id, y) in [(sin, x.sin()), (cos, x.cos())] {
                        let bits = if narrow { u64::from((y as f32).to_bits()) } else { y.to_bits() };
                        values[id.0 as usize][thread] = bits;
                    }
                }
            }
            Stmt::Store { memory, index, components, guard } => {
                for thread in 0..kernel.group {
                    if guard.is_some_and(|g| values[g.0 as usize][thread] == 0) {
                        continue;
                    }
                    let at = values[index.0 as usize][thread] as usize;
                    if *memory == Memory::Tile {
                        let t = touched.get_mut(at).ok_or_else(|| format!("tile[{at}] written out of bounds"))?;
                        let other = |who: Option<usize>| who.is_some_and(|w| w != thread);
                        if t.shared || other(t.reader) || other(t.writer) {
                            return Err(format!(
                                "tile[{at}] written by {thread}, touched by {:?}",
                                (t.reader, t.writer)
                            ));
                        }
                        t.writer = Some(thread);
                    }
                    let to: &mut Vec<u64> = match memory {
                        Memory::Target => global.target,
                        Memory::Tile => &mut tile,
                        _ => return Err(format!("a store to {memory:?}")),
                    };
                    if let [only] = components[..]
                        && kernel.values[only.0 as usize].0 == Type::F32x2
                    {
                        let pair = to.get_mut(2 * at..2 * at + 2).ok_or("a vector written out of bounds")?;
                        let bits = values[only.0 as usize][thread];
                        pair.copy_from_slice(&[bits & 0xffff_ffff, bits >> 32]);
                        continue;
                    }
                    for (c, id) in components.iter().enumerate() {
                        let bits = values[id.0 as usize][thread];
                        *to.get_mut(at * components.len() + c)
                            .ok_or_else(|| format!("{memory:?}[{at}] written out of bounds by thread {thread}"))? =
                            bits;
                    }
                }
            }
        }
    }
    Ok(())
}

pub(super) fn evaluate(
    ty: Type,
    operand: Type,
    op: &Op,
    get: &dyn Fn(&Id) -> u64,
    (thread, group): (usize, usize),
) -> u64 {
    let float = |x: u64| if operand == Type::F32 { f64::from(f32::from_bits(x as u32)) } else { f64::from_bits(x) };
    // f32 arithmetic through f64 rounds correctly for a single sum or product.
    let bits = |x: f64| if ty == Type::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
    let wrap = |x: u64| if ty == Type::U32 { x & 0xffff_ffff } else { x };
    // Words and wide values alike stand for their residues.
    let field = |id: &Id| Goldilocks::reduce(get(id));
    let lane = |x: u64, lane: u32| x >> (32 * lane) & 0xffff_ffff;
    if ty == Type::F32x2
        && let Op::Add(..) | Op::Sub(..) | Op::Mul(..) | Op::Neg(..) = op
    {
        let on_lane = |l| evaluate(Type::F32, Type::F32, op, &|id| lane(get(id), l), (thread, group));
        return on_lane(0) | on_lane(1) << 32;
    }
    match op {
        Op::Const(_) | Op::Argument(_) | Op::Loaded => unreachable!("these are given"),
        Op::Vector(a, b) => get(a) | get(b) << 32,
        Op::Lane(a, l) => lane(get(a), *l),
        Op::Group => group as u64,
        Op::Thread => thread as u64,
        Op::Add(a, b) if ty.is_float() => bits(float(get(a)) + float(get(b))),
        Op::Sub(a, b) if ty.is_float() => bits(float(get(a)) - float(get(b))),
        Op::Mul(a, b) if ty.is_float() => bits(float(get(a)) * float(get(b))),
        Op::Add(a, b) => wrap(get(a).wrapping_add(get(b))),
        Op::Sub(a, b) => wrap(get(a).wrapping_sub(get(b))),
        Op::Mul(a, b) => wrap(get(a).wrapping_mul(get(b))),
        Op::MulHigh(a, b) => ((u128::from(get(a)) * u128::from(get(b))) >> 64) as u64,
        Op::Neg(a) => bits(-float(get(a))),
        Op::Fma(a, b, c) => bits(float(get(a)).mul_add(float(get(b)), float(get(c)))),
        Op::Div(a, b) => get(a) / get(b),
        Op::Rem(a, b) => get(a) % get(b),
        Op::Shl(a, s) => wrap(get(a) << s),
        Op::Shr(a, s) => get(a) >> s,
        Op::And(a, b) => get(a) & get(b),
        Op::Min(a, b) => get(a).min(get(b)),
        Op::Less(a, b) => u64::from(get(a) < get(b)),
        Op::Select(a, b, c) => get(if get(a) != 0 { b } else { c }),
        Op::Equal(a, b) => u64::from(get(a) == get(b)),
        Op::Cast(a) if ty.is_float() => bits(get(a) as f64),
        Op::Cast(a) => wrap(get(a)),
        Op::Call("gl_widen" | "gl_narrow" | "gl_reduce", x) => field(&x[0]).value(),
        Op::Call("gl_add", x) => field(&x[0]).add(&field(&x[1])).value(),
        Op::Call("gl_sub", x) => field(&x[0]).sub(&field(&x[1])).value(),
        Op::Call("gl_mul", x) => field(&x[0]).mul(&field(&x[1])).value(),
        Op::Call("gl_shift0", x) => field(&x[0]).mul_pow2(get(&x[1])).value(),
        Op::Call("gl_shift32", x) => field(&x[0]).mul_pow2(get(&x[1]) + 32).value(),
        Op::Call("gl_shift64", x) => field(&x[0]).mul_pow2(get(&x[1]) + 64).value(),
        Op::Call(name, _) => panic!("no primitive {name}"),
    }
}
