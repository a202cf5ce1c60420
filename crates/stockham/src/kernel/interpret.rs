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

/// Runs all work-groups one after the other.
pub(super) fn run(kernel: &Kernel, global: &mut Global<'_>, columns: usize, groups: usize) -> Result<(), String> {
    for group in 0..groups {
        run_group(kernel, global, columns, group)?;
    }
    Ok(())
}

// A thread is a row of several tables, not a place of one.
#[allow(clippy::needless_range_loop)]
fn run_group(kernel: &Kernel, global: &mut Global<'_>, columns: usize, group: usize) -> Result<(), String> {
    let mut values = vec![vec![0u64; kernel.group]; kernel.values.len()];
    for (row, (_, op)) in values.iter_mut().zip(&kernel.values) {
        if let Op::Const(bits) = op {
            row.fill(*bits);
        }
    }
    let mut tile = vec![0u64; kernel.tile_len * kernel.tile.1];
    let mut touched = vec![Touched::default(); kernel.tile_len];
    for stmt in &kernel.body {
        match stmt {
            Stmt::Barrier => touched.fill(Touched::default()),
            Stmt::Let(id) => {
                let (ty, op) = &kernel.values[id.0 as usize];
                for thread in 0..kernel.group {
                    let get = |id: &Id| values[id.0 as usize][thread];
                    let operand_type = op.operands().first().map_or(*ty, |a| kernel.values[a.0 as usize].0);
                    let result = evaluate(*ty, operand_type, op, get, thread, group, columns);
                    values[id.0 as usize][thread] = result;
                }
            }
            Stmt::Load { memory, index, components } => {
                for thread in 0..kernel.group {
                    let at = values[index.0 as usize][thread] as usize;
                    for (c, id) in components.iter().enumerate() {
                        let from: &[u64] = match memory {
                            Memory::Source => &global.source,
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

fn evaluate(
    ty: Type,
    operand: Type,
    op: &Op,
    get: impl Fn(&Id) -> u64,
    thread: usize,
    group: usize,
    columns: usize,
) -> u64 {
    let float = |x: u64| if operand == Type::F32 { f64::from(f32::from_bits(x as u32)) } else { f64::from_bits(x) };
    // f32 arithmetic through f64 rounds correctly for a single sum or product.
    let bits = |x: f64| if ty == Type::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
    let wrap = |x: u64| if ty == Type::U32 { x & 0xffff_ffff } else { x };
    // Words and wide values alike stand for their residues.
    let field = |id: &Id| Goldilocks::reduce(get(id));
    match op {
        Op::Const(c) => *c,
        Op::Argument(_) => columns as u64,
        Op::Group => group as u64,
        Op::Thread => thread as u64,
        Op::Loaded => unreachable!("loads are statements"),
        Op::Add(a, b) if ty.is_float() => bits(float(get(a)) + float(get(b))),
        Op::Sub(a, b) if ty.is_float() => bits(float(get(a)) - float(get(b))),
        Op::Mul(a, b) if ty.is_float() => bits(float(get(a)) * float(get(b))),
        Op::Add(a, b) => wrap(get(a).wrapping_add(get(b))),
        Op::Sub(a, b) => wrap(get(a).wrapping_sub(get(b))),
        Op::Mul(a, b) => wrap(get(a).wrapping_mul(get(b))),
        Op::Neg(a) => bits(-float(get(a))),
        Op::Fma(a, b, c) => bits(float(get(a)).mul_add(float(get(b)), float(get(c)))),
        Op::Div(a, b) => get(a) / get(b),
        Op::Rem(a, b) => get(a) % get(b),
        Op::Shl(a, s) => wrap(get(a) << s),
        Op::Shr(a, s) => get(a) >> s,
        Op::And(a, b) => get(a) & get(b),
        Op::Min(a, b) => get(a).min(get(b)),
        Op::Less(a, b) => u64::from(get(a) < get(b)),
        Op::Equal(a, b) => u64::from(get(a) == get(b)),
        Op::Cast(a) => wrap(get(a)),
        Op::Call("gl_widen" | "gl_narrow" | "gl_reduce", x) => field(&x[0]).value(),
        Op::Call("gl_add", x) => field(&x[0]).add(&field(&x[1])).value(),
        Op::Call("gl_sub", x) => field(&x[0]).sub(&field(&x[1])).value(),
        Op::Call("gl_mul", x) => field(&x[0]).mul(&field(&x[1])).value(),
        Op::Call("gl_shift", x) => field(&x[0]).mul_pow2(get(&x[1])).value(),
        Op::Call(name, _) => panic!("no primitive {name}"),
    }
}
