//! A rewrite of kernels: arithmetic on vectors of an element's two components, wherever both are computed alike.
//!
//! It begins at the stores and goes back: two components that are sums of two each are one sum of vectors, and so on
//! until the two are computed differently, which is where a vector is put together from scalars. A product with ±i,
//! which the scalar kernel has as sums of crossed components, is one with components swapped.

use std::collections::HashMap;

use super::ir::{Id, Kernel, Op, Stmt, Type};

/// The same kernel with vectors. Only pairs of `f32` become vectors.
pub(super) fn vectorise(kernel: Kernel) -> Kernel {
    if kernel.element != (Type::F32, 2) {
        return kernel;
    }
    let mut rewrite = Rewrite { old: &kernel, values: Vec::new(), body: Vec::new(), lanes: HashMap::new() };
    let mut done = Memory { scalars: HashMap::new(), pairs: HashMap::new() };
    kernel.body.iter().for_each(|stmt| rewrite.statement(stmt, &mut done));
    let (values, body) = (rewrite.values, rewrite.body);
    Kernel { values, body, ..kernel.clone() }
}

/// What was rewritten already, by the old values.
struct Memory {
    scalars: HashMap<Id, Id>,
    pairs: HashMap<(Id, Id), Id>,
}

struct Rewrite<'a> {
    old: &'a Kernel,
    values: Vec<(Type, Op)>,
    body: Vec<Stmt>,
    /// Old scalars that are lanes of a vector.
    lanes: HashMap<Id, (Id, u32)>,
}

impl Rewrite<'_> {
    fn op(&self, id: Id) -> &Op {
        &self.old.values[id.0 as usize].1
    }

    fn fresh(&mut self, ty: Type, op: Op) -> Id {
        let id = Id(u32::try_from(self.values.len()).expect("fewer than 2^32 values"));
        self.values.push((ty, op));
        id
    }

    fn emit(&mut self, ty: Type, op: Op) -> Id {
        let id = self.fresh(ty, op);
        self.body.push(Stmt::Let(id));
        id
    }

    /// Statements keep their order; values follow where they are needed.
    fn statement(&mut self, stmt: &Stmt, done: &mut Memory) {
        match stmt {
            Stmt::Let(_) => {}
            Stmt::Barrier | Stmt::Meet(_) => self.body.push(stmt.clone()),
            // Only elements of many digits are looped over, and they do not come here.
            Stmt::Rows { .. } | Stmt::EndRows { .. } | Stmt::Repeat { .. } | Stmt::EndRepeat { .. } => {}
            Stmt::Load { memory, index, components, guard } => {
                let index = self.scalar(*index, done);
                let guard = guard.map(|guard| self.scalar(guard, done));
                let components = if let [a, b] = components[..] {
                    let vector = self.fresh(Type::F32x2, Op::Loaded);
                    self.name((a, b), vector, done);
                    vec![vector]
                } else {
                    components.iter().map(|c| self.brought(*c, done)).collect()
                };
                self.body.push(Stmt::Load { memory: *memory, index, components, guard });
            }
            Stmt::Push { exchange, block, index, components } => {
                let (block, index) = (self.scalar(*block, done), self.scalar(*index, done));
                let components = components.iter().map(|c| self.scalar(*c, done)).collect();
                self.body.push(Stmt::Push { exchange: *exchange, block, index, components });
            }
            Stmt::SinCos { trig, angle, sin, cos } => {
                let angle = self.scalar(*angle, done);
                let (sin, cos) = (self.brought(*sin, done), self.brought(*cos, done));
                self.body.push(Stmt::SinCos { trig: *trig, angle, sin, cos });
            }
            Stmt::Store { memory, index, components, guard } => {
                let index = self.scalar(*index, done);
                let components = if let [a, b] = components[..] {
                    vec![self.pair(a, b, done)]
                } else {
                    components.iter().map(|c| self.scalar(*c, done)).collect()
                };
                let guard = guard.map(|guard| self.scalar(guard, done));
                self.body.push(Stmt::Store { memory: *memory, index, components, guard });
            }
        }
    }

    /// A scalar that a statement brings.
    fn brought(&mut self, old: Id, done: &mut Memory) -> Id {
        let new = self.fresh(self.old.values[old.0 as usize].0, Op::Loaded);
        done.scalars.insert(old, new);
        new
    }

    fn name(&mut self, (a, b): (Id, Id), vector: Id, done: &mut Memory) {
        done.pairs.insert((a, b), vector);
        self.lanes.entry(a).or_insert((vector, 0));
        self.lanes.entry(b).or_insert((vector, 1));
    }

    fn scalar(&mut self, old: Id, done: &mut Memory) -> Id {
        if let Some(new) = done.scalars.get(&old) {
            return *new;
        }
        let (ty, op) = &self.old.values[old.0 as usize];
        let new = match self.lanes.get(&old) {
            Some(&(vector, lane)) => self.emit(*ty, Op::Lane(vector, lane)),
            None => {
                let op = op.with_operands(&mut |id| self.scalar(id, done));
                self.emit(*ty, op)
            }
        };
        done.scalars.insert(old, new);
        new
    }

    /// The vector (a, b).
    fn pair(&mut self, a: Id, b: Id, done: &mut Memory) -> Id {
        if let Some(new) = done.pairs.get(&(a, b)) {
            return *new;
        }
        let alike = match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Add(x, y), Op::Add(s, t)) => Some(Op::Add(self.pair(x, s, done), self.pair(y, t, done))),
            (Op::Sub(x, y), Op::Sub(s, t)) => Some(Op::Sub(self.pair(x, s, done), self.pair(y, t, done))),
            (Op::Mul(x, y), Op::Mul(s, t)) => Some(Op::Mul(self.pair(x, s, done), self.pair(y, t, done))),
            (Op::Neg(x), Op::Neg(y)) => Some(Op::Neg(self.pair(x, y, done))),
            // c − id = (c.re + d.im, c.im − d.re); the sum's operands come in any order.
            (Op::Add(x, y), Op::Sub(s, t)) => {
                let ((c, d), y) = if self.belong(x, s) { ((x, s), y) } else { ((y, s), x) };
                Some(self.plus_turned((c, d), (t, y), true, done))
            }
            // c + id = (c.re − d.im, c.im + d.re).
            (Op::Sub(x, y), Op::Add(s, t)) => {
                let ((c, d), t) = if self.belong(x, s) { ((x, s), t) } else { ((x, t), s) };
                Some(self.plus_turned((c, d), (t, y), false, done))
            }
            _ => None,
        };
        let new = match alike {
            Some(op) => {
                let new = self.emit(Type::F32x2, op);
                self.name((a, b), new, done);
                return new;
            }
            None => {
                let (a, b) = (self.scalar(a, done), self.scalar(b, done));
                self.emit(Type::F32x2, Op::Vector(a, b))
            }
        };
        done.pairs.insert((a, b), new);
        new
    }

    /// c ∓ i·d.
    fn plus_turned(&mut self, c: (Id, Id), d: (Id, Id), minus: bool, done: &mut Memory) -> Op {
        let (c, d) = (self.pair(c.0, c.1, done), self.pair(d.0, d.1, done));
        let [re, im] = [0, 1].map(|lane| self.emit(Type::F32, Op::Lane(d, lane)));
        let turned = if minus {
            let negated = self.emit(Type::F32, Op::Neg(re));
            Op::Vector(im, negated)
        } else {
            let negated = self.emit(Type::F32, Op::Neg(im));
            Op::Vector(negated, re)
        };
        Op::Add(c, self.emit(Type::F32x2, turned))
    }

    /// Whether two scalars look like the parts of one element: lanes of one vector, or computed alike and one after the
    /// other. (Only the kernel's beauty depends on it.)
    fn belong(&self, a: Id, b: Id) -> bool {
        match (self.lanes.get(&a), self.lanes.get(&b)) {
            (Some((v, 0)), Some((w, 1))) => v == w,
            _ => std::mem::discriminant(self.op(a)) == std::mem::discriminant(self.op(b)) && b.0.wrapping_sub(a.0) <= 2,
        }
    }
}
