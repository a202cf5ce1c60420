//! The kernels of products, squares, inner products and twists: every element by itself.

use crate::algebra::{Algebra, Ring, Scalar, Traced};
use crate::plan::{Step, StepFields, twist_split};

use super::hopper::Hopper;
use super::ir::{Kernel, Lookups, Memory, Op, Type};
use super::moduli;
use super::symbol::{Context, Symbol};

type Number = Traced<Symbol>;

/// Elements of a thread: enough loads under way to hide their latency.
fn per_thread(algebra: Algebra) -> usize {
    match algebra {
        _ if algebra.has_digits() => 1,
        _ => 4,
    }
}

/// Registers that a thread should not exceed.
pub(super) fn registers(algebra: Algebra) -> usize {
    let product = match algebra {
        Algebra::BigPrime(prime) => prime.product_registers(),
        _ if algebra.has_digits() => algebra.element_bytes(),
        _ => 0,
    };
    product.next_multiple_of(32).clamp(64, 255)
}

/// Elements of a work-group.
pub(crate) fn elements(algebra: Algebra, group: usize) -> usize {
    group * per_thread(algebra)
}

/// The kernel of a product, a square or a twist. Source and target are the array, the table is the other array or the
/// roots. Of an inner product the target is an array of its own.
pub(super) fn lower(step: &Step, algebra: Algebra, group: usize) -> Kernel {
    lower_over(step, algebra, group, None)
}

/// Work-groups of a step over so many elements.
pub(crate) fn groups(algebra: Algebra, group: usize, len: usize) -> usize {
    len.div_ceil(elements(algebra, group))
}

/// The same over a list of fields, the algebra being that of the largest prime: each work-group is over one of them.
pub(super) fn lower_over(step: &Step, algebra: Algebra, group: usize, list: Option<&StepFields>) -> Kernel {
    let context = &Context::default();
    let (word, components) = algebra.layout();
    let element = (Type::from(word), components);
    let thread = context.value(Type::U32, Op::Thread);
    let count = context.value(Type::U32, Op::Argument("count"));
    let number = context.value(Type::U32, Op::Group);
    // Which work-group of its field it is, elements of the field, and those of all fields before.
    let (number, len, before) = match list {
        None => (number, count.clone(), None),
        Some(list) => {
            let of_field = groups(algebra, group, list.len);
            let field = number.over(of_field);
            context.look_up_modulus_of_step(&field.cast(Type::U64).times(moduli::PAIRS_OF_STEP), element.0);
            (number.modulo(of_field), context.integer(Type::U32, list.len), Some(field.times(list.len)))
        }
    };
    let terms = if let Step::InnerProduct { terms, .. } = *step { terms } else { 1 };
    let behind = |index: &Symbol, terms: usize| match &before {
        Some(before) => index.add(&before.times(terms)),
        None => index.clone(),
    };
    let first = number.times(elements(algebra, group)).add(&thread);
    let (mut name, mut results) = ("", Vec::new());
    // Where a product's other factor begins.
    let other = |index: &Symbol| index.add(&context.value(Type::U32, Op::Argument("first")));
    for k in 0..per_thread(algebra) {
        let index = first.plus(k * group);
        let exists = index.less_than(&len);
        let (target, index) = (behind(&index, 1), behind(&index, terms));
        let load = |memory, index: &Symbol| {
            let components = context.load_where(Some(&exists), memory, &index.cast(Type::U64), element);
            Number::from_components(algebra, components)
        };
        let x = load(Memory::Source, &index);
        let (called, result) = match *step {
            Step::Product { scale, .. } => ("product", x.product(&load(Memory::Table, &other(&index))).scaled(scale)),
            Step::InnerProduct { .. } => {
                let first = x.product(&load(Memory::Table, &other(&index)));
                let sum = (1..terms).fold(first, |sum, k| {
                    let index = index.add(&len.times(k));
                    sum.add(&load(Memory::Source, &index).product(&load(Memory::Table, &other(&index))))
                });
                ("inner_product", sum)
            }
            Step::Square { scale, .. } => ("square", x.product(&x).scaled(scale)),
            Step::Twist { n, scale, .. } => ("twist", twisted(&x, &index, n, &load).scaled(scale)),
            _ => unreachable!("the kernels of limbs and of residues are elsewhere"),
        };
        name = called;
        results.push((target, exists, result));
    }
    for (index, exists, result) in results {
        context.store(Memory::Target, &index.cast(Type::U64), &result.into_canonical(), Some(&exists));
    }
    let (values, body) = context.take().finish();
    Kernel {
        name: name.into(),
        group,
        team: 1,
        hopper: Hopper::default(),
        registers: registers(algebra),
        element,
        reals: [false; 2],
        formats: [None; 2],
        tile: element,
        tile_len: 0,
        constants: list.map(|list| moduli::constants_of_step(&list.fields)).unwrap_or_default(),
        digit_strides: algebra.has_digits().then_some([(components, 1); 2]),
        in_place: !matches!(step, Step::InnerProduct { .. }),
        lookups: Lookups::Early,
        // A product's other factor begins where it likes.
        arguments: match step {
            Step::Product { .. } | Step::InnerProduct { .. } => &["count", "first"],
            _ => &["count"],
        },
        index_type: Type::U32,
        values,
        body,
    }
}

/// x · ω_{2n}^i, the root as the product of an entry of each table.
fn twisted(x: &Number, i: &Symbol, n: usize, load: &impl Fn(Memory, &Symbol) -> Number) -> Number {
    let split = twist_split(n);
    let fine = x.mul(&load(Memory::Table, &i.modulo(split)));
    if split < n { fine.mul(&load(Memory::Table, &i.over(split).plus(split))) } else { fine }
}
