//! Expressions as Python describes them: their parts in an order in which each comes after those that it is made of.

use num_complex::Complex64;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use stockham::Expr;

/// A part: what it is; the parts that it is made of by their numbers, or a dimension; a constant; an array.
pub type Part = (String, Vec<usize>, f64, Option<Lookup>);

/// An array's numbers as doubles, whether these are parts of complex ones, and the dimensions along which they lie with the
/// length of each.
pub type Lookup = (PyBackedBytes, bool, Vec<(usize, usize)>);

/// The expression that the last part is.
///
/// # Errors
/// `ValueError` if the parts are not those of one.
pub fn expression(parts: &[Part]) -> PyResult<Expr> {
    let mut known: Vec<Expr> = Vec::with_capacity(parts.len());
    for part in parts {
        let next =
            of(part, &known).ok_or_else(|| PyValueError::new_err(format!("no such part: {} {:?}", part.0, part.1)))?;
        known.push(next);
    }
    known.pop().ok_or_else(|| PyValueError::new_err("an expression has one part at least"))
}

fn of((name, operands, number, lookup): &Part, known: &[Expr]) -> Option<Expr> {
    if let Some(lookup) = lookup {
        return array(lookup);
    }
    match (name.as_str(), operands.as_slice()) {
        ("value", []) => return Some(Expr::value()),
        ("constant", []) => return Some((*number).into()),
        ("index", [dim]) => return Some(Expr::index(*dim)),
        ("batch", [dim]) => return Some(Expr::batch(*dim)),
        _ => {}
    }
    let operands: Vec<Expr> = operands.iter().map(|at| known.get(*at).cloned()).collect::<Option<_>>()?;
    let two = |of: fn(&Expr, Expr) -> Expr| match &operands[..] {
        [a, b] => Some(of(a, b.clone())),
        _ => None,
    };
    let one = |of: fn(&Expr) -> Expr| if let [a] = &operands[..] { Some(of(a)) } else { None };
    match name.as_str() {
        "complex" => two(|a, b| Expr::complex(a.clone(), b)),
        "add" => two(|a, b| a.clone() + b),
        "sub" => two(|a, b| a.clone() - b),
        "mul" => two(|a, b| a.clone() * b),
        "div" => two(|a, b| a.clone() / b),
        "min" => two(|a, b| a.min(b)),
        "max" => two(|a, b| a.max(b)),
        "less" => two(|a, b| a.less(b)),
        "re" => one(Expr::re),
        "im" => one(Expr::im),
        "conj" => one(Expr::conj),
        "norm_sqr" => one(Expr::norm_sqr),
        "neg" => one(|a| -a.clone()),
        "sqrt" => one(Expr::sqrt),
        "rsqrt" => one(Expr::rsqrt),
        "log2" => one(Expr::log2),
        "exp2" => one(Expr::exp2),
        "sin_pi" => one(Expr::sin_pi),
        "cos_pi" => one(Expr::cos_pi),
        "floor" => one(Expr::floor),
        "phase" => one(Expr::phase),
        "select" => match &operands[..] {
            [truth, a, b] => Some(truth.select(a.clone(), b.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn array((bytes, is_complex, along): &Lookup) -> Option<Expr> {
    if bytes.len() % if *is_complex { 16 } else { 8 } != 0 {
        return None;
    }
    let numbers: Vec<f64> = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
    Some(match is_complex {
        true => {
            let numbers: Vec<Complex64> = numbers.chunks_exact(2).map(|x| Complex64::new(x[0], x[1])).collect();
            Expr::complex_along_dims(along, &numbers)
        }
        false => Expr::along_dims(along, &numbers),
    })
}
