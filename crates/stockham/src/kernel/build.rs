//! Building kernels: values are shared when equal, folded when constant, and simplified by a few algebraic rules.

use std::collections::HashMap;

use crate::plan::Trig;
use crate::transform::reversed_bits;

use super::ir::{Id, Memory, Op, Stmt, Type};
use super::moduli::Moduli;

/// A kernel under construction.
#[derive(Debug, Default)]
pub(super) struct Builder {
    /// Whether codelets are made of multiply-adds.
    pub fuses: bool,
    /// Of which power of the field's own roots Goldilocks' are, if they are no others.
    pub root_power: Option<u64>,
    /// Whether elements are those of a circle FFT.
    pub is_on_circle: bool,
    /// The constants of fields, where those are data.
    pub moduli: Option<Moduli>,
    values: Vec<(Type, Op)>,
    known: HashMap<(Type, Op), Id>,
    body: Vec<Stmt>,
    /// Inside a loop, what was known before it: what is defined inside is not known after it.
    outside: Option<HashMap<(Type, Op), Id>>,
}

impl Builder {
    pub fn type_of(&self, id: Id) -> Type {
        self.values[id.0 as usize].0
    }

    fn op(&self, id: Id) -> &Op {
        &self.values[id.0 as usize].1
    }

    pub fn constant_of(&self, id: Id) -> Option<u64> {
        if let Op::Const(bits) = self.op(id) { Some(*bits) } else { None }
    }

    /// Whether an integer is even by how it comes about.
    pub fn is_even(&self, id: Id) -> bool {
        match *self.op(id) {
            Op::Const(bits) => bits % 2 == 0,
            Op::Shl(a, s) => s > 0 || self.is_even(a),
            Op::Mul(a, b) | Op::And(a, b) => self.is_even(a) || self.is_even(b),
            Op::Add(a, b) | Op::Sub(a, b) => self.is_even(a) && self.is_even(b),
            Op::Cast(a) => !self.type_of(a).is_float() && self.is_even(a),
            _ => false,
        }
    }

    /// The primitive that it is the result of, and its operands.
    pub fn call_of(&self, id: Id) -> Option<(&'static str, Vec<Id>)> {
        if let Op::Call(name, operands) = self.op(id) { Some((name, operands.clone())) } else { None }
    }

    /// The value of a pure operation.
    pub fn value(&mut self, ty: Type, op: Op) -> Id {
        let simplified = if ty.is_float() { self.simplify_float(ty, &op) } else { self.simplify_integer(ty, &op) };
        match simplified {
            Some(id) => id,
            None => self.share(ty, op),
        }
    }

    fn share(&mut self, ty: Type, op: Op) -> Id {
        if let Some(&id) = self.known.get(&(ty, op.clone())) {
            return id;
        }
        let id = self.fresh(ty, op.clone());
        self.known.insert((ty, op), id);
        self.body.push(Stmt::Let(id));
        id
    }

    fn fresh(&mut self, ty: Type, op: Op) -> Id {
        let id = Id(u32::try_from(self.values.len()).expect("fewer than 2^32 values"));
        self.values.push((ty, op));
        id
    }

    pub fn constant(&mut self, ty: Type, bits: u64) -> Id {
        self.share(ty, Op::Const(bits))
    }

    pub fn load(&mut self, memory: Memory, index: Id, element: (Type, usize), guard: Option<Id>) -> Vec<Id> {
        let components: Vec<Id> = (0..element.1).map(|_| self.fresh(element.0, Op::Loaded)).collect();
        self.body.push(Stmt::Load { memory, index, components: components.clone(), guard });
        components
    }

    /// The sine and the cosine of an angle.
    pub fn sin_cos(&mut self, trig: Trig, angle: Id) -> [Id; 2] {
        let ty = self.type_of(angle);
        let [sin, cos] = [(); 2].map(|()| self.fresh(ty, Op::Loaded));
        self.body.push(Stmt::SinCos { trig, angle, sin, cos });
        [sin, cos]
    }

    pub fn store(&mut self, memory: Memory, index: Id, components: Vec<Id>, guard: Option<Id>) {
        self.body.push(Stmt::Store { memory, index, components, guard });
    }

    /// Begins a loop over rows: its counter and its row.
    pub fn begin_rows(&mut self, rows: Vec<Id>) -> (Id, Id) {
        let (counter, row) = (self.fresh(Type::U32, Op::Loaded), self.fresh(self.type_of(rows[0]), Op::Loaded));
        self.outside = Some(self.known.clone());
        self.body.push(Stmt::Rows { rows, counter, row });
        (counter, row)
    }

    /// Ends it, with what becomes of the row: what became of `count` rows.
    pub fn end_rows(&mut self, result: Id, count: usize) -> Vec<Id> {
        let ty = self.type_of(result);
        let results: Vec<Id> = (0..count).map(|_| self.fresh(ty, Op::Loaded)).collect();
        self.known = self.outside.take().expect("a loop that began");
        self.body.push(Stmt::EndRows { result, results: results.clone() });
        results
    }

    /// Values that were computed before are computed anew from here on, so that they need not be kept.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// Begins a loop of so many rounds: its counter and what a round begins with.
    pub fn begin_repeat(&mut self, times: Id, from: Vec<Id>) -> (Id, Vec<Id>) {
        let counter = self.fresh(Type::U32, Op::Loaded);
        let values: Vec<Id> = from.iter().map(|&id| self.fresh(self.type_of(id), Op::Loaded)).collect();
        self.outside = Some(self.known.clone());
        self.body.push(Stmt::Repeat { times, counter, from, values: values.clone() });
        (counter, values)
    }

    /// Ends it, with what the next round begins with: what the last one left.
    pub fn end_repeat(&mut self, next: Vec<Id>) -> Vec<Id> {
        let results: Vec<Id> = next.iter().map(|&id| self.fresh(self.type_of(id), Op::Loaded)).collect();
        self.known = self.outside.take().expect("a loop that began");
        self.body.push(Stmt::EndRepeat { next, results: results.clone() });
        results
    }

    /// A statement without values.
    pub fn statement(&mut self, stmt: Stmt) {
        self.body.push(stmt);
    }

    /// Rules that hold bit for bit in IEEE arithmetic: signs move to where they cost nothing.
    fn simplify_float(&mut self, ty: Type, op: &Op) -> Option<Id> {
        let negated = |b: &Self, id: Id| if let Op::Neg(x) = b.op(id) { Some(*x) } else { None };
        match *op {
            Op::Neg(a) => match negated(self, a) {
                Some(x) => Some(x),
                None => self.constant_of(a).map(|bits| self.constant(ty, negate_bits(ty, bits))),
            },
            Op::Add(a, b) => match (negated(self, a), negated(self, b)) {
                (Some(x), Some(y)) => {
                    let sum = self.value(ty, Op::Add(x, y));
                    Some(self.value(ty, Op::Neg(sum)))
                }
                (Some(x), None) => Some(self.value(ty, Op::Sub(b, x))),
                (None, Some(y)) => Some(self.value(ty, Op::Sub(a, y))),
                (None, None) if b < a => Some(self.value(ty, Op::Add(b, a))),
                _ => None,
            },
            Op::Sub(a, b) => match (negated(self, a), negated(self, b)) {
                (Some(x), Some(y)) => Some(self.value(ty, Op::Sub(y, x))),
                (Some(x), None) => {
                    let sum = self.value(ty, Op::Add(x, b));
                    Some(self.value(ty, Op::Neg(sum)))
                }
                (None, Some(y)) => Some(self.value(ty, Op::Add(a, y))),
                _ => None,
            },
            Op::Mul(a, b) => {
                if let (Some(x), Some(bits)) = (negated(self, a), self.constant_of(b)) {
                    let minus = self.constant(ty, negate_bits(ty, bits));
                    return Some(self.value(ty, Op::Mul(x, minus)));
                }
                (self.constant_of(b) == Some(one_bits(ty))).then_some(a)
            }
            _ => None,
        }
    }

    fn simplify_integer(&mut self, ty: Type, op: &Op) -> Option<Id> {
        let constant = |b: &Self, id: Id| b.constant_of(id);
        let wrap = |x: u64| if ty == Type::U32 { x & 0xffff_ffff } else { x };
        match *op {
            Op::Add(a, b) => match (constant(self, a), constant(self, b)) {
                (Some(x), Some(y)) => Some(self.constant(ty, wrap(x.wrapping_add(y)))),
                (Some(0), _) => Some(b),
                (_, Some(0)) => Some(a),
                // Constants gather on the right, where an address takes them for nothing.
                (Some(_), None) => Some(self.value(ty, Op::Add(b, a))),
                (None, Some(y)) => match *self.op(a) {
                    Op::Add(x, c) if constant(self, c).is_some() => {
                        let sum = wrap(constant(self, c)?.wrapping_add(y));
                        let sum = self.constant(ty, sum);
                        Some(self.value(ty, Op::Add(x, sum)))
                    }
                    _ => None,
                },
                (None, None) => match *self.op(a) {
                    Op::Add(x, c) if constant(self, c).is_some() => {
                        let sum = self.value(ty, Op::Add(x, b));
                        Some(self.value(ty, Op::Add(sum, c)))
                    }
                    _ => None,
                },
            },
            Op::Mul(a, b) => match (constant(self, a), constant(self, b)) {
                (Some(x), Some(y)) => Some(self.constant(ty, wrap(x.wrapping_mul(y)))),
                (Some(_), None) => Some(self.value(ty, Op::Mul(b, a))),
                (None, Some(0)) => Some(b),
                (None, Some(1)) => Some(a),
                (None, Some(y)) if y.is_power_of_two() => Some(self.value(ty, Op::Shl(a, y.trailing_zeros()))),
                _ => None,
            },
            Op::Div(a, b) => match (constant(self, a), constant(self, b)) {
                (_, Some(1)) => Some(a),
                (Some(x), Some(y)) => Some(self.constant(ty, x / y)),
                (None, Some(y)) if y.is_power_of_two() => Some(self.value(ty, Op::Shr(a, y.trailing_zeros()))),
                _ => None,
            },
            Op::Rem(a, b) => match (constant(self, a), constant(self, b)) {
                (_, Some(1)) => Some(self.constant(ty, 0)),
                (Some(x), Some(y)) => Some(self.constant(ty, x % y)),
                (None, Some(y)) if y.is_power_of_two() => {
                    let mask = self.constant(ty, y - 1);
                    Some(self.value(ty, Op::And(a, mask)))
                }
                _ => None,
            },
            Op::Shl(a, 0) | Op::Shr(a, 0) => Some(a),
            Op::Shl(a, s) => constant(self, a).map(|x| self.constant(ty, wrap(x << s))),
            Op::Shr(a, s) => constant(self, a).map(|x| self.constant(ty, x >> s)),
            Op::Reverse(a, bits) => {
                constant(self, a).map(|x| self.constant(ty, reversed_bits(x as usize, bits) as u64))
            }
            Op::And(a, b) => match (constant(self, a), constant(self, b)) {
                (Some(x), Some(y)) => Some(self.constant(ty, x & y)),
                _ => None,
            },
            Op::Cast(a) if self.type_of(a) == ty => Some(a),
            Op::Cast(a) => constant(self, a).map(|x| self.constant(ty, wrap(x))),
            _ => None,
        }
    }

    /// The values and the statements that some store needs, in order.
    pub fn finish(self) -> (Vec<(Type, Op)>, Vec<Stmt>) {
        let mut needed = vec![false; self.values.len()];
        for stmt in self.body.iter().rev() {
            if is_needed(stmt, &needed) {
                uses(&self.values, stmt).into_iter().for_each(|id| needed[id.0 as usize] = true);
            }
        }
        let body = self.body.into_iter().filter(|stmt| is_needed(stmt, &needed)).collect();
        (self.values, body)
    }
}

fn is_needed(stmt: &Stmt, needed: &[bool]) -> bool {
    let any = |ids: &[Id]| ids.iter().any(|id| needed[id.0 as usize]);
    match stmt {
        Stmt::Let(id) => any(&[*id]),
        Stmt::Load { components, .. } => any(components),
        Stmt::SinCos { sin, cos, .. } => any(&[*sin, *cos]),
        Stmt::Store { .. } | Stmt::Rows { .. } | Stmt::EndRows { .. } => true,
        Stmt::Repeat { .. } | Stmt::EndRepeat { .. } => true,
        Stmt::Push { .. } | Stmt::Barrier | Stmt::Meet(_) => true,
    }
}

/// The values that a statement uses.
pub(super) fn uses(values: &[(Type, Op)], stmt: &Stmt) -> Vec<Id> {
    match stmt {
        Stmt::Let(id) => values[id.0 as usize].1.operands(),
        Stmt::Load { index, guard, .. } => [*index].into_iter().chain(*guard).collect(),
        Stmt::SinCos { angle, .. } => vec![*angle],
        Stmt::Store { index, components, guard, .. } => {
            [*index].into_iter().chain(components.iter().copied()).chain(*guard).collect()
        }
        Stmt::Rows { rows, .. } => rows.clone(),
        Stmt::EndRows { result, .. } => vec![*result],
        Stmt::Push { block, index, components, .. } => {
            [*block, *index].into_iter().chain(components.iter().copied()).collect()
        }
        Stmt::Barrier | Stmt::Meet(_) => Vec::new(),
        Stmt::Repeat { times, from, .. } => [*times].into_iter().chain(from.iter().copied()).collect(),
        Stmt::EndRepeat { next, .. } => next.clone(),
    }
}

fn negate_bits(ty: Type, bits: u64) -> u64 {
    match ty {
        Type::F32 => bits ^ (1 << 31),
        _ => bits ^ (1 << 63),
    }
}

fn one_bits(ty: Type) -> u64 {
    match ty {
        Type::F32 => u64::from(1f32.to_bits()),
        _ => 1f64.to_bits(),
    }
}
