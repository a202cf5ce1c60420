//! Expressions as arithmetic on whatever stands for real numbers: blocks of numbers on the host, the values of a kernel.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Array, Expr, Function, Node};

/// Arithmetic on what stands for real numbers, and for truths.
pub(crate) trait Values {
    type Number: Clone;
    fn constant(&self, x: f64) -> Self::Number;
    /// The index along a transform dimension, or along a batch dimension.
    fn index(&self, dim: usize) -> Self::Number;
    fn batch(&self, dim: usize) -> Self::Number;
    /// A number of an array, with its imaginary part.
    fn look_up(&self, array: &Array) -> [Self::Number; 2];
    fn apply(&self, function: Function, operands: &[&Self::Number]) -> Self::Number;
}

/// A real number or a truth, or a complex number.
#[derive(Debug, Clone)]
pub(crate) enum Value<N> {
    Real(N),
    Complex(N, N),
}

impl<N: Clone> Value<N> {
    /// The real and the imaginary part.
    pub fn parts(&self, values: &impl Values<Number = N>) -> [N; 2] {
        match self {
            Self::Real(re) => [re.clone(), values.constant(0.0)],
            Self::Complex(re, im) => [re.clone(), im.clone()],
        }
    }

    fn re(&self) -> &N {
        match self {
            Self::Real(re) | Self::Complex(re, _) => re,
        }
    }
}

/// What a sound expression is of a value.
pub(crate) fn trace<V: Values>(expr: &Expr, values: &V, value: &Value<V::Number>) -> Value<V::Number> {
    Trace { values, value, known: HashMap::new() }.of(expr)
}

struct Trace<'a, V: Values> {
    values: &'a V,
    value: &'a Value<V::Number>,
    known: HashMap<*const Node, Value<V::Number>>,
}

impl<V: Values> Trace<'_, V> {
    fn of(&mut self, expr: &Expr) -> Value<V::Number> {
        let at = Arc::as_ptr(&expr.0);
        if let Some(value) = self.known.get(&at) {
            return value.clone();
        }
        let parts: Vec<_> = expr.parts().into_iter().map(|part| self.of(part)).collect();
        let value = self.node(&expr.0, &parts);
        self.known.insert(at, value.clone());
        value
    }

    fn node(&self, node: &Node, parts: &[Value<V::Number>]) -> Value<V::Number> {
        let values = self.values;
        match node {
            Node::Value => self.value.clone(),
            Node::Constant(bits) => Value::Real(values.constant(f64::from_bits(bits.0))),
            Node::Index(dim) => Value::Real(values.index(*dim)),
            Node::Batch(dim) => Value::Real(values.batch(*dim)),
            Node::Array(array) => {
                let [re, im] = values.look_up(array);
                if array.is_complex { Value::Complex(re, im) } else { Value::Real(re) }
            }
            Node::Complex(..) => Value::Complex(parts[0].re().clone(), parts[1].re().clone()),
            Node::Re(_) => Value::Real(parts[0].re().clone()),
            Node::Im(_) => Value::Real(parts[0].parts(values)[1].clone()),
            Node::Conj(_) => match &parts[0] {
                Value::Real(re) => Value::Real(re.clone()),
                Value::Complex(re, im) => Value::Complex(re.clone(), values.apply(Function::Neg, &[im])),
            },
            Node::NormSqr(_) => Value::Real(self.norm_sqr(&parts[0])),
            Node::Real(function, _) => {
                let operands: Vec<_> = parts.iter().map(Value::re).collect();
                Value::Real(values.apply(*function, &operands))
            }
            Node::Ring(function, _) => self.ring(*function, parts),
        }
    }

    fn norm_sqr(&self, x: &Value<V::Number>) -> V::Number {
        let square = |x: &V::Number| self.values.apply(Function::Mul, &[x, x]);
        match x {
            Value::Real(re) => square(re),
            Value::Complex(re, im) => self.values.apply(Function::Add, &[&square(re), &square(im)]),
        }
    }

    fn ring(&self, function: Function, parts: &[Value<V::Number>]) -> Value<V::Number> {
        let apply = |function, operands: &[&V::Number]| self.values.apply(function, operands);
        let two = |a: &V::Number, b: &V::Number, c: &V::Number, d: &V::Number, of| {
            apply(of, &[&apply(Function::Mul, &[a, b]), &apply(Function::Mul, &[c, d])])
        };
        match (function, parts) {
            (Function::Neg, [Value::Complex(re, im)]) => Value::Complex(apply(function, &[re]), apply(function, &[im])),
            (Function::Select, [truth, Value::Real(a), Value::Real(b)]) => {
                Value::Real(apply(function, &[truth.re(), a, b]))
            }
            (Function::Select, [truth, a, b]) => {
                let ([a, c], [b, d]) = (a.parts(self.values), b.parts(self.values));
                Value::Complex(apply(function, &[truth.re(), &a, &b]), apply(function, &[truth.re(), &c, &d]))
            }
            (Function::Mul, [Value::Complex(a, b), Value::Complex(c, d)]) => {
                Value::Complex(two(a, c, b, d, Function::Sub), two(a, d, b, c, Function::Add))
            }
            (Function::Mul, [Value::Complex(a, b), Value::Real(c)] | [Value::Real(c), Value::Complex(a, b)])
            | (Function::Div, [Value::Complex(a, b), Value::Real(c)]) => {
                Value::Complex(apply(function, &[a, c]), apply(function, &[b, c]))
            }
            (Function::Div, [a, Value::Complex(c, d)]) => {
                let ([a, b], size) = (a.parts(self.values), self.norm_sqr(&parts[1]));
                let over = |x: V::Number| apply(Function::Div, &[&x, &size]);
                Value::Complex(over(two(&a, c, &b, d, Function::Add)), over(two(&b, c, &a, d, Function::Sub)))
            }
            (Function::Add | Function::Sub, [a, b]) if !matches!((a, b), (Value::Real(_), Value::Real(_))) => {
                let ([a, c], [b, d]) = (a.parts(self.values), b.parts(self.values));
                Value::Complex(apply(function, &[&a, &b]), apply(function, &[&c, &d]))
            }
            (_, reals) => {
                let operands: Vec<_> = reals.iter().map(Value::re).collect();
                Value::Real(apply(function, &operands))
            }
        }
    }
}
