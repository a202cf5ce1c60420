//! What one operation gives.

use super::super::ir::{Id, Op, Type};
use crate::algebra::{Goldilocks, MERSENNE_31, Ring};
use crate::transform::{Function, reversed_bits};

pub(in crate::kernel) fn evaluate(
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
        Op::Const(_) | Op::Argument(_) | Op::Loaded | Op::Partner(..) => unreachable!("these are given"),
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
        Op::Reverse(a, bits) => reversed_bits(get(a) as usize, *bits) as u64,
        Op::And(a, b) => get(a) & get(b),
        Op::Min(a, b) => get(a).min(get(b)),
        Op::Less(a, b) if operand.is_float() => u64::from(float(get(a)) < float(get(b))),
        Op::Less(a, b) => u64::from(get(a) < get(b)),
        Op::Select(a, b, c) => get(if get(a) != 0 { b } else { c }),
        Op::Equal(a, b) => u64::from(get(a) == get(b)),
        Op::Cast(a) if operand.is_float() && !ty.is_float() => float(get(a)) as u64,
        Op::Cast(a) if ty.is_float() => bits(get(a) as f64),
        Op::Cast(a) => wrap(get(a)),
        Op::Call("gl_widen" | "gl_narrow" | "gl_reduce", x) => field(&x[0]).value(),
        Op::Call("gl_add", x) => field(&x[0]).add(&field(&x[1])).value(),
        Op::Call("gl_sub", x) => field(&x[0]).sub(&field(&x[1])).value(),
        Op::Call("gl_mul", x) => field(&x[0]).mul(&field(&x[1])).value(),
        Op::Call("gl_shift0", x) => field(&x[0]).mul_pow2(get(&x[1])).value(),
        Op::Call("gl_shift32", x) => field(&x[0]).mul_pow2(get(&x[1]) + 32).value(),
        Op::Call("gl_shift64", x) => field(&x[0]).mul_pow2(get(&x[1]) + 64).value(),
        // Half of an even number is a residue as 2^31 is 1: its low 31 bits, and those above.
        Op::Call("m31_mul", x) => {
            let [x, w] = [0, 1].map(|i| i64::from(get(&x[i]) as u32 as i32));
            let prime = i64::from(MERSENNE_31);
            let half = (x * w - (prime << 31)) / 2;
            wrap(((half >> 31) + (half & prime)) as u64)
        }
        Op::Function(function, x) => {
            let of = |i: usize| float(get(&x[i]));
            bits(match function {
                Function::Div => of(0) / of(1),
                Function::Min => of(0).min(of(1)),
                Function::Max => of(0).max(of(1)),
                Function::Abs => of(0).abs(),
                Function::Sqrt => of(0).sqrt(),
                Function::Rsqrt => of(0).sqrt().recip(),
                Function::Log2 => of(0).log2(),
                Function::Exp2 => of(0).exp2(),
                Function::SinPi => (std::f64::consts::PI * of(0)).sin(),
                Function::CosPi => (std::f64::consts::PI * of(0)).cos(),
                Function::Floor => of(0).floor(),
                other => unreachable!("{other:?} is an operation of its own"),
            })
        }
        Op::Call(name, _) => panic!("no primitive {name}"),
    }
}
