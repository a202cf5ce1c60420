//! The kernel of an operation that is repeated in registers: a loop, so that its text is no longer than one.

use crate::algebra::{Algebra, BigPrime, Ring, Scalar, Traced};
use crate::plan::Operation;

use super::hopper::Hopper;
use super::ir::{Kernel, Lookups, Memory, Op, Type};
use super::pointwise::registers;
use super::symbol::{Context, Symbol};

/// The kernel of an operation over a big prime, on one element a thread, or two for a butterfly.
pub(super) fn lower(prime: BigPrime, operation: Operation, group: usize) -> Kernel {
    let (context, algebra) = (&Context::default(), Algebra::BigPrime(prime));
    let (word, components) = algebra.layout();
    let element = (Type::from(word), components);
    let argument = |name| context.value(Type::U32, Op::Argument(name));
    let (count, times) = (argument("count"), argument("times"));
    let index = context.value(Type::U32, Op::Group).times(group).add(&context.value(Type::U32, Op::Thread));
    let exists = index.less_than(&count);
    let places =
        if operation == Operation::Butterfly { vec![index.clone(), index.add(&count)] } else { vec![index.clone()] };
    let number = |value: &Symbol| Traced::from_big(algebra, value.clone());
    let load = |index: &Symbol| {
        let components = context.load_where(Some(&exists), Memory::Source, &index.cast(Type::U64), element);
        Traced::from_components(algebra, components).into_big()
    };
    let from: Vec<Symbol> = places.iter().map(load).collect();
    let results = context.repeat(&times, &from, |round, values| {
        let x = number(&values[0]);
        let next = match operation {
            Operation::Product => vec![x.mul(&x)],
            Operation::Butterfly => vec![x.add(&number(&values[1])), x.sub(&number(&values[1]))],
            Operation::Rotation => vec![x.mul_free_root(&index.add(round).modulo(algebra.free_order()))],
        };
        next.into_iter().map(Traced::into_big).collect()
    });
    for (index, result) in places.iter().zip(&results) {
        let components = number(result).into_components();
        context.store(Memory::Target, &index.cast(Type::U64), &components, Some(&exists));
    }
    let (values, body) = context.take().finish();
    let name = match operation {
        Operation::Product => "repeated_product",
        Operation::Butterfly => "repeated_butterfly",
        Operation::Rotation => "repeated_rotation",
    };
    Kernel {
        name: name.into(),
        team: 1,
        hopper: Hopper::default(),
        group,
        registers: registers(algebra),
        element,
        reals: [false; 2],
        formats: [None; 2],
        tile: element,
        tile_len: 0,
        constants: Vec::new(),
        digit_strides: Some([(components, 1); 2]),
        in_place: true,
        lookups: Lookups::Early,
        arguments: &["count", "times"],
        index_type: Type::U32,
        values,
        body,
    }
}
