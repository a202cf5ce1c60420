//! Numbers that record what is done to them.

use std::cell::RefCell;
use std::rc::Rc;

use crate::algebra::limbs::Unsigned;
use crate::algebra::{Circuit, DoubleDouble, MachineWord, OfModulus, Primitive, Scalar};
use crate::plan::index::Index;
use crate::plan::{Pass, Trig};
use crate::transform::Function;

use super::access::{Accesses, Site};
use super::build::Builder;
use super::hopper::Meeting;
use super::ir::{Id, Memory, Op, Stmt, Type};
use super::moduli::Moduli;

/// A scalar of the kernel under construction. Arithmetic on it adds to the kernel.
#[derive(Debug, Clone)]
pub(super) struct Symbol {
    builder: Rc<RefCell<Builder>>,
    id: Id,
}

/// All of what must be so, where it is not certain.
pub(super) fn all_of(conditions: impl IntoIterator<Item = Option<Symbol>>) -> Option<Symbol> {
    conditions.into_iter().flatten().reduce(|a, b| a.and(&b))
}

/// Where a kernel's values and statements go.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    builder: Rc<RefCell<Builder>>,
    /// What becomes of what is loaded from the source and stored to the target.
    accesses: Rc<Accesses>,
}

impl Context {
    /// With codelets of multiply-adds, if so.
    pub fn fusing(fuses: bool) -> Self {
        let context = Self::default();
        context.builder.borrow_mut().fuses = fuses;
        context
    }

    /// Takes such powers for roots of unity, if some are given.
    pub fn with_root_power(self, power: Option<u64>) -> Self {
        self.builder.borrow_mut().root_power = power;
        self
    }

    /// For elements of a circle FFT, if so.
    pub fn with_circle(self, is_on_circle: bool) -> Self {
        self.builder.borrow_mut().is_on_circle = is_on_circle;
        self
    }

    /// Looks up the field's constants from here on, the first of which is that pair of the table.
    pub fn look_up_modulus(&self, first_pair: &Symbol, word: Type, pass: &Pass) {
        self.builder.borrow_mut().moduli = Some(Moduli::new(first_pair.id, word, pass));
    }

    /// The same in a step over a list of fields.
    pub fn look_up_modulus_of_step(&self, first_pair: &Symbol, word: Type) {
        self.builder.borrow_mut().moduli = Some(Moduli::of_step(first_pair.id, word));
    }

    /// With such ways to the caller's memory.
    pub fn by(self, accesses: Accesses) -> Self {
        Self { accesses: Rc::new(accesses), ..self }
    }

    fn symbol(&self, id: Id) -> Symbol {
        Symbol { builder: self.builder.clone(), id }
    }

    pub fn value(&self, ty: Type, op: Op) -> Symbol {
        let id = self.builder.borrow_mut().value(ty, op);
        self.symbol(id)
    }

    pub fn integer(&self, ty: Type, value: usize) -> Symbol {
        let id = self.builder.borrow_mut().constant(ty, value as u64);
        self.symbol(id)
    }

    pub fn load(&self, memory: Memory, index: &Symbol, element: (Type, usize)) -> Vec<Symbol> {
        self.load_where(None, memory, index, element)
    }

    /// Loads where the guard holds; zeros elsewhere.
    pub fn load_where(
        &self,
        guard: Option<&Symbol>,
        memory: Memory,
        index: &Symbol,
        element: (Type, usize),
    ) -> Vec<Symbol> {
        match &self.accesses.load {
            Some(access) if memory == Memory::Source => access.load(self, guard, &Site::at(index), element.1),
            _ => self.load_memory(guard, memory, index, element),
        }
    }

    /// What a pass there and back makes of a number of the spectrum at a place, if it is one.
    pub fn filtered(&self, site: &Site, components: Vec<Symbol>) -> Vec<Symbol> {
        match &self.accesses.filter {
            Some(filter) => filter.apply(self, site, components),
            None => components,
        }
    }

    /// Loads a number of the caller's, or zeros.
    pub fn load_at(&self, guard: Option<&Symbol>, site: &Site, element: (Type, usize)) -> Vec<Symbol> {
        match &self.accesses.load {
            Some(access) => access.load(self, guard, site, element.1),
            None => self.load_memory(guard, Memory::Source, &site.place.0.plus(site.place.1), element),
        }
    }

    /// Loads two real numbers of the caller's that follow each other, or zeros.
    pub fn load_two(&self, guard: Option<&Symbol>, sites: &[Site; 2], real: Type) -> [Symbol; 2] {
        match &self.accesses.load {
            Some(access) => access.load_two(self, guard, sites),
            None => sites.each_ref().map(|site| self.load_at(guard, site, (real, 1)).remove(0)),
        }
    }

    /// Stores two.
    pub fn store_two(&self, guard: Option<&Symbol>, sites: &[Site; 2], parts: &[Symbol; 2]) {
        match &self.accesses.store {
            Some(access) => access.store_two(self, sites, parts, guard),
            None => sites.iter().zip(parts).for_each(|(site, x)| self.store_at(guard, site, std::slice::from_ref(x))),
        }
    }

    /// Stores a number of the caller's.
    pub fn store_at(&self, guard: Option<&Symbol>, site: &Site, components: &[Symbol]) {
        match &self.accesses.store {
            Some(access) => access.store(self, site, components, guard),
            None => self.store_memory(Memory::Target, &site.place.0.plus(site.place.1), components, guard),
        }
    }

    /// The same as it lies there.
    pub fn load_memory(
        &self,
        guard: Option<&Symbol>,
        memory: Memory,
        index: &Symbol,
        element: (Type, usize),
    ) -> Vec<Symbol> {
        let ids = self.builder.borrow_mut().load(memory, index.id, element, guard.map(|g| g.id));
        ids.into_iter().map(|id| self.symbol(id)).collect()
    }

    /// The sine and the cosine of an angle.
    pub fn sin_cos(&self, trig: Trig, angle: &Symbol) -> [Symbol; 2] {
        let ids = self.builder.borrow_mut().sin_cos(trig, angle.id);
        ids.map(|id| self.symbol(id))
    }

    pub fn store(&self, memory: Memory, index: &Symbol, components: &[Symbol], guard: Option<&Symbol>) {
        match &self.accesses.store {
            Some(access) if memory == Memory::Target => access.store(self, &Site::at(index), components, guard),
            _ => self.store_memory(memory, index, components, guard),
        }
    }

    /// The same as it is.
    pub fn store_memory(&self, memory: Memory, index: &Symbol, components: &[Symbol], guard: Option<&Symbol>) {
        let components = components.iter().map(|c| c.id).collect();
        self.builder.borrow_mut().store(memory, index.id, components, guard.map(|g| g.id));
    }

    /// A loop over rows: what the function makes of each, from its number and itself.
    pub fn for_rows(&self, rows: &[Symbol], each: impl FnOnce(&Symbol, &Symbol) -> Symbol) -> Vec<Symbol> {
        let ids = rows.iter().map(|row| row.id).collect();
        let (counter, row) = self.builder.borrow_mut().begin_rows(ids);
        let result = each(&self.symbol(counter), &self.symbol(row));
        let results = self.builder.borrow_mut().end_rows(result.id, rows.len());
        results.into_iter().map(|id| self.symbol(id)).collect()
    }

    /// Sends an element to a place of the local memory of a work-group of the cluster, in one of the launch's exchanges.
    pub fn push(&self, exchange: usize, block: &Symbol, index: &Symbol, components: &[Symbol]) {
        let components = components.iter().map(|c| c.id).collect();
        self.builder.borrow_mut().statement(Stmt::Push { exchange, block: block.id, index: index.id, components });
    }

    /// A loop of so many rounds: what the last one leaves, if each makes of its number and values those of the next.
    pub fn repeat(
        &self,
        times: &Symbol,
        from: &[Symbol],
        each: impl FnOnce(&Symbol, &[Symbol]) -> Vec<Symbol>,
    ) -> Vec<Symbol> {
        let ids = from.iter().map(|symbol| symbol.id).collect();
        let (counter, values) = self.builder.borrow_mut().begin_repeat(times.id, ids);
        let values: Vec<Symbol> = values.into_iter().map(|id| self.symbol(id)).collect();
        let next = each(&self.symbol(counter), &values).iter().map(|symbol| symbol.id).collect();
        let results = self.builder.borrow_mut().end_repeat(next);
        results.into_iter().map(|id| self.symbol(id)).collect()
    }

    pub fn barrier(&self) {
        self.statement(Stmt::Barrier);
    }

    /// What all threads do together.
    pub fn meet(&self, meeting: Meeting) {
        self.statement(Stmt::Meet(meeting));
    }

    /// From here on values are computed anew.
    pub fn forget(&self) {
        self.builder.borrow_mut().forget();
    }

    /// A statement without a result.
    pub fn statement(&self, stmt: Stmt) {
        self.builder.borrow_mut().statement(stmt);
    }

    pub fn take(&self) -> Builder {
        self.builder.take()
    }
}

impl Symbol {
    /// Whether it is the same value of the kernel.
    pub fn is(&self, other: &Self) -> bool {
        self.id == other.id
    }

    fn ty(&self) -> Type {
        self.builder.borrow().type_of(self.id)
    }

    fn make(&self, ty: Type, op: Op) -> Self {
        let id = self.builder.borrow_mut().value(ty, op);
        Self { builder: self.builder.clone(), id }
    }

    fn like(&self, op: Op) -> Self {
        self.make(self.ty(), op)
    }

    fn like_integer(&self, value: usize) -> Self {
        let ty = self.ty();
        let id = self.builder.borrow_mut().constant(ty, value as u64);
        Self { builder: self.builder.clone(), id }
    }

    /// self + a constant.
    pub fn plus(&self, value: usize) -> Self {
        self.add(&self.like_integer(value))
    }

    /// self · a constant.
    pub fn times(&self, value: usize) -> Self {
        self.mul(&self.like_integer(value))
    }

    /// self / a constant.
    pub fn over(&self, value: usize) -> Self {
        self.like(Op::Div(self.id, self.like_integer(value).id))
    }

    /// self mod a constant.
    pub fn modulo(&self, value: usize) -> Self {
        self.like(Op::Rem(self.id, self.like_integer(value).id))
    }

    /// self / another, and what is left over.
    pub fn divided(&self, by: &Self) -> (Self, Self) {
        (self.like(Op::Div(self.id, by.id)), self.like(Op::Rem(self.id, by.id)))
    }

    /// Whether it is known to be even.
    pub fn is_even(&self) -> bool {
        self.builder.borrow().is_even(self.id)
    }

    pub fn min(&self, other: &Self) -> Self {
        self.like(Op::Min(self.id, other.id))
    }

    pub fn less_than(&self, other: &Self) -> Self {
        self.make(Type::Bool, Op::Less(self.id, other.id))
    }

    /// Whether both hold.
    pub fn and(&self, other: &Self) -> Self {
        self.like(Op::And(self.id, other.id))
    }

    /// Whether self is that constant.
    pub fn equals(&self, value: usize) -> Self {
        self.make(Type::Bool, Op::Equal(self.id, self.like_integer(value).id))
    }

    /// `then` where self, a truth, holds, else `otherwise`.
    pub fn select(&self, then: &Self, otherwise: &Self) -> Self {
        then.like(Op::Select(self.id, then.id, otherwise.id))
    }

    /// The same of the thread so far away.
    pub fn of_partner(&self, distance: usize) -> Self {
        self.like(Op::Partner(self.id, distance as u32))
    }

    /// The number whose lower bits, so many, are those of self, below 2^bits, from right to left.
    pub fn reversed(&self, bits: u32) -> Self {
        self.like(Op::Reverse(self.id, bits))
    }

    /// The number by which the kernel knows it: equal ones are the same value.
    pub fn number(&self) -> u32 {
        self.id.0
    }

    pub fn cast(&self, ty: Type) -> Self {
        self.make(ty, Op::Cast(self.id))
    }

    /// A function of real numbers like this one.
    pub fn function(&self, function: Function, operands: &[&Self]) -> Self {
        self.like(Op::Function(function, operands.iter().map(|operand| operand.id).collect()))
    }
}

impl Scalar for Symbol {
    fn fuses(&self) -> bool {
        self.builder.borrow().fuses
    }
    fn add(&self, rhs: &Self) -> Self {
        self.like(Op::Add(self.id, rhs.id))
    }
    fn sub(&self, rhs: &Self) -> Self {
        self.like(Op::Sub(self.id, rhs.id))
    }
    fn mul(&self, rhs: &Self) -> Self {
        self.like(Op::Mul(self.id, rhs.id))
    }
    fn neg(&self) -> Self {
        self.like(Op::Neg(self.id))
    }
    fn mul_add(&self, a: &Self, b: &Self) -> Self {
        self.like(Op::Fma(self.id, a.id, b.id))
    }
    fn constant(&self, value: DoubleDouble) -> Self {
        let bits = match self.ty() {
            Type::F32 => u64::from(value.to_f32().to_bits()),
            _ => value.to_f64().to_bits(),
        };
        let ty = self.ty();
        let id = self.builder.borrow_mut().constant(ty, bits);
        Self { builder: self.builder.clone(), id }
    }
    fn times_exactly(&self, value: DoubleDouble) -> Self {
        let high = self.constant(value);
        let rounded = match self.ty() {
            Type::F32 => f64::from(value.to_f32()),
            _ => value.to_f64(),
        };
        let rest = value.sub(&rounded.into());
        if rest.to_f64() == 0.0 {
            return self.mul(&high);
        }
        self.mul_add(&high, &self.mul(&self.constant(rest)))
    }
}

impl Circuit for Symbol {
    fn call(&self, primitive: Primitive, operands: &[&Self]) -> Self {
        self.make(primitive.gives.into(), Op::Call(primitive.name, operands.iter().map(|s| s.id).collect()))
    }
    fn word(&self, value: u64) -> Self {
        let id = self.builder.borrow_mut().constant(Type::U64, value);
        Self { builder: self.builder.clone(), id }
    }
    fn known(&self) -> Option<u64> {
        self.builder.borrow().constant_of(self.id)
    }
    fn called(&self) -> Option<(&'static str, Vec<Self>)> {
        let (name, operands) = self.builder.borrow().call_of(self.id)?;
        let symbol = |id| Self { builder: self.builder.clone(), id };
        Some((name, operands.into_iter().map(symbol).collect()))
    }
    fn is_on_circle(&self) -> bool {
        self.builder.borrow().is_on_circle
    }
    fn root_power(&self) -> u64 {
        self.builder.borrow().root_power.unwrap_or(1)
    }
    fn of_modulus(&self, constant: OfModulus) -> Option<[Self; 2]> {
        let pair = self.builder.borrow_mut().of_modulus(constant)?;
        Some(pair.map(|id| Self { builder: self.builder.clone(), id }))
    }
}

impl Unsigned for Symbol {
    fn sum(&self, rhs: &Self) -> Self {
        self.add(rhs)
    }
    fn difference(&self, rhs: &Self) -> Self {
        self.sub(rhs)
    }
    fn product(&self, factor: u64) -> Self {
        self.mul(&self.word(factor))
    }
    fn quotient(&self, divisor: u64) -> Self {
        self.like(Op::Div(self.id, self.word(divisor).id))
    }
    fn remainder(&self, divisor: u64) -> Self {
        self.like(Op::Rem(self.id, self.word(divisor).id))
    }
    fn if_equal(&self, value: u64, then: &Self, otherwise: &Self) -> Self {
        self.make(Type::Bool, Op::Equal(self.id, self.word(value).id)).select(then, otherwise)
    }
    fn literal(&self, value: u64) -> Self {
        self.word(value)
    }
}

impl MachineWord for Symbol {
    fn plus(&self, rhs: &Self) -> Self {
        self.add(rhs)
    }
    fn minus(&self, rhs: &Self) -> Self {
        self.sub(rhs)
    }
    fn times(&self, rhs: &Self) -> Self {
        self.mul(rhs)
    }
    fn times_high(&self, rhs: &Self) -> Self {
        let [_, high] = self.times_wide(rhs);
        high
    }
    fn times_wide(&self, rhs: &Self) -> [Self; 2] {
        if self.ty() == Type::U64 {
            return [self.mul(rhs), self.like(Op::MulHigh(self.id, rhs.id))];
        }
        // Both words of one product of 64 bits.
        let product = self.cast(Type::U64).mul(&rhs.cast(Type::U64));
        let high = product.like(Op::Shr(product.id, 32));
        [product.cast(self.ty()), high.cast(self.ty())]
    }
    fn is_less(&self, rhs: &Self) -> Self {
        self.less_than(rhs).cast(self.ty())
    }
    fn least(&self, rhs: &Self) -> Self {
        self.min(rhs)
    }
    fn less_at_most(&self, bound: &Self) -> Self {
        self.less_than(bound).select(self, &self.sub(bound))
    }
    fn literal(&self, value: u64) -> Self {
        let ty = self.ty();
        let id = self.builder.borrow_mut().constant(ty, value);
        Self { builder: self.builder.clone(), id }
    }
}

impl Index for Symbol {
    type Truth = Self;

    fn sum(&self, other: &Self) -> Self {
        self.add(other)
    }
    fn increased(&self, by: usize) -> Self {
        self.plus(by)
    }
    fn multiple(&self, times: usize) -> Self {
        self.times(times)
    }
    fn quotient(&self, divisor: usize) -> Self {
        self.over(divisor)
    }
    fn remainder(&self, divisor: usize) -> Self {
        self.modulo(divisor)
    }
    fn at_most(&self, greatest: usize) -> Self {
        self.min(&self.like_integer(greatest))
    }
    fn is_below(&self, bound: usize) -> Self {
        self.less_than(&self.like_integer(bound))
    }
    fn is_positive_below(&self, bound: usize) -> Self {
        self.like_integer(0).less_than(self).and(&self.is_below(bound))
    }
    fn mirrored(&self, in_all: usize) -> Self {
        self.equals(0).select(&self.like_integer(in_all / 2), &self.like_integer(in_all).sub(self))
    }
}
