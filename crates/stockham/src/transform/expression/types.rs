//! Which numbers expressions are: real, complex, or truths.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Expr, Function, Node};

/// What an expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Real,
    Complex,
    Truth,
}

/// Parts of an expression within each other, at most.
const DEEPEST: usize = 200;

/// Parts of an expression, at most.
const MOST: usize = 2000;

/// The same where parts that are used twice count twice, as files and hashes have them.
const MOST_WRITTEN: usize = 1 << 16;

/// What is known of a part.
#[derive(Clone, Copy)]
struct Known {
    ty: Type,
    /// Parts, those that are used twice counted twice.
    written: usize,
}

impl Expr {
    /// What it is of such a value, in a transform of such a shape and with such a batch; or what is wrong with it.
    pub(crate) fn check(&self, value: Type, shape: &[usize], batch: &[usize]) -> Result<Type, String> {
        let mut parts = 0;
        self.visit(&mut |_| parts += 1);
        if parts > MOST {
            return Err(format!("an expression has {MOST} parts at most, and this one {parts}"));
        }
        let Known { ty, written } = self.typed(value, (shape, batch), &mut HashMap::new(), 0)?;
        if written > MOST_WRITTEN {
            return Err(format!(
                "an expression has {MOST_WRITTEN} parts at most where those that are used twice count twice, and this one {written}"
            ));
        }
        Ok(ty)
    }

    fn typed(
        &self,
        value: Type,
        at: (&[usize], &[usize]),
        known: &mut HashMap<*const Node, Known>,
        depth: usize,
    ) -> Result<Known, String> {
        if let Some(known) = known.get(&Arc::as_ptr(&self.0)) {
            return Ok(*known);
        }
        if depth > DEEPEST {
            return Err(format!("the parts of an expression are within each other {DEEPEST} deep at most"));
        }
        let (mut types, mut written) = (Vec::new(), 1usize);
        for part in self.parts() {
            let part = part.typed(value, at, known, depth + 1)?;
            types.push(part.ty);
            written = written.saturating_add(part.written);
        }
        let found = Known { ty: self.type_of(value, at, &types)?, written };
        known.insert(Arc::as_ptr(&self.0), found);
        Ok(found)
    }

    /// What it is, for what its parts are.
    fn type_of(&self, value: Type, (shape, batch): (&[usize], &[usize]), types: &[Type]) -> Result<Type, String> {
        let all_real = types.iter().all(|ty| *ty == Type::Real);
        let no_truth = !types.contains(&Type::Truth);
        match &*self.0 {
            Node::Value => Ok(value),
            Node::Constant(_) => Ok(Type::Real),
            Node::Index(dim) if *dim >= shape.len() => {
                Err(format!("an index along transform dimension {dim} of {} (they begin at 0)", shape.len()))
            }
            Node::Batch(dim) if *dim >= batch.len() => {
                Err(format!("an index along batch dimension {dim} of {} (they begin at 0)", batch.len()))
            }
            Node::Index(_) | Node::Batch(_) => Ok(Type::Real),
            Node::Array(array) => {
                let count = |dim: usize| shape.iter().chain(batch).nth(dim);
                let fits = array.along.iter().all(|(dim, n)| count(*dim) == Some(n));
                let len = array.along.iter().map(|(_, n)| n).product::<usize>();
                if !fits || array.len() != len {
                    let along: Vec<usize> = array.along.iter().map(|(_, n)| *n).collect();
                    let dims: Vec<usize> = array.along.iter().map(|(dim, _)| *dim).collect();
                    return Err(format!(
                        "an array of {} numbers, of shape {along:?} along dimensions {dims:?}, for points of shape {shape:?} and a batch of {batch:?}",
                        array.len()
                    ));
                }
                Ok(if array.is_complex { Type::Complex } else { Type::Real })
            }
            Node::Complex(..) if all_real => Ok(Type::Complex),
            Node::Complex(..) => Err("a complex number is made of two real ones".into()),
            Node::Conj(_) if no_truth => Ok(types[0]),
            Node::Re(_) | Node::Im(_) | Node::NormSqr(_) if no_truth => Ok(Type::Real),
            Node::Ring(Function::Select, _) if types.first() == Some(&Type::Truth) && types.len() == 3 => match types {
                [_, Type::Real, Type::Real] => Ok(Type::Real),
                [_, Type::Truth, _] | [_, _, Type::Truth] => Err("a choice is among numbers, not among truths".into()),
                _ => Ok(Type::Complex),
            },
            Node::Ring(Function::Select, _) => Err("a choice is by a truth, such as that one number is less".into()),
            Node::Ring(function, operands) => {
                let count = if *function == Function::Neg { 1 } else { 2 };
                let is_ring =
                    matches!(function, Function::Add | Function::Sub | Function::Mul | Function::Div | Function::Neg);
                if !is_ring || operands.len() != count || !no_truth {
                    return Err(format!("{function:?} of {types:?}"));
                }
                Ok(if all_real { Type::Real } else { Type::Complex })
            }
            Node::Real(function, operands) => {
                let count = if matches!(function, Function::Min | Function::Max | Function::Less) { 2 } else { 1 };
                if operands.len() != count || !all_real || matches!(function, Function::Select) {
                    return Err(format!("{function:?} of {types:?}, where real numbers were expected"));
                }
                Ok(if *function == Function::Less { Type::Truth } else { Type::Real })
            }
            _ => Err("numbers are not made of truths".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_from_parts() {
        let of = |expr: &Expr, value| expr.check(value, &[4, 6], &[5]);
        let x = Expr::value();
        assert_eq!(of(&x, Type::Complex), Ok(Type::Complex));
        assert_eq!(of(&(x.clone() * 2.0 + Expr::index(1)), Type::Real), Ok(Type::Real));
        assert_eq!(of(&x.norm_sqr().decibels(1e-9), Type::Complex), Ok(Type::Real));
        assert_eq!(of(&x.phase(), Type::Complex), Ok(Type::Complex));
        assert_eq!(of(&(x.clone() * Expr::along(1, &[0.5; 6])), Type::Real), Ok(Type::Real));
        assert_eq!(of(&Expr::over(&[4, 6], &[1.0; 24]), Type::Real), Ok(Type::Real));
        assert_eq!(of(&Expr::along_dims(&[(1, 6), (0, 4)], &[1.0; 24]), Type::Real), Ok(Type::Real));
        assert_eq!(of(&Expr::complex_along_dims(&[(2, 5)], &[1.0.into(); 5]), Type::Real), Ok(Type::Complex));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let of = |expr: Expr| expr.check(Type::Complex, &[4, 6], &[5]).unwrap_err();
        let x = Expr::value();
        for (expr, expected) in [
            (x.sqrt(), "real numbers were expected"),
            (Expr::index(2), "dimension 2"),
            (Expr::batch(1), "dimension 1"),
            (Expr::along(0, &[1.0; 6]), "[6]"),
            (Expr::along_dims(&[(2, 6)], &[1.0; 6]), "a batch of [5]"),
            (Expr::along_dims(&[(3, 1)], &[1.0]), "dimensions [3]"),
            (x.re().less(0.0) + 1.0, "Truth"),
            (x.select(1.0, 2.0), "by a truth"),
            (Expr::complex(x.clone(), 0.0), "two real"),
        ] {
            assert!(of(expr.clone()).contains(expected), "{expr:?}");
        }
        let deep = (0..3000).fold(x, |deep, _| deep + 1.0);
        assert!(of(deep.clone()).contains("parts"));
        let wide = (0..300).fold(Expr::value(), |deep, _| deep + 1.0);
        assert!(of(wide).contains("deep"));
        // Few parts, but 2^100 of them if each is written where it is used.
        let twice = (0..100).fold(Expr::value(), |x, _| x.clone() * x);
        assert!(of(twice).contains("count twice"));
    }
}
