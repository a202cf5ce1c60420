//! Random expressions, and the same as functions.

use num_complex::Complex64;
use stockham::Expr;

/// What becomes of a number with such indices.
pub type Evaluate = dyn Fn(Complex64, &[usize]) -> Complex64;

/// An expression, and the same as a function.
pub struct Both(pub Expr, pub Box<Evaluate>);

/// Numbers that look random.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }
    pub fn unit(&mut self) -> f64 {
        self.next(1 << 24) as f64 / f64::from(1 << 23) - 1.0
    }
    pub fn numbers(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.unit()).collect()
    }
}

pub fn one(x: f64) -> Complex64 {
    Complex64::new(x, 0.0)
}

/// A real expression over points of a shape.
pub fn real(dice: &mut Dice, shape: &[usize], batch: usize, depth: usize) -> Both {
    let inner = |dice: &mut Dice| real(dice, shape, batch, depth - 1);
    match dice.next(if depth == 0 { 5 } else { 15 }) {
        0 => Both(Expr::value().re(), Box::new(|x, _| one(x.re))),
        1 => {
            let c = dice.unit();
            Both(c.into(), Box::new(move |_, _| one(c)))
        }
        2 => {
            let dim = dice.next(shape.len());
            let scale = 1.0 / shape[dim] as f64;
            Both(Expr::index(dim) * scale, Box::new(move |_, at| one(at[dim] as f64 * scale)))
        }
        3 => {
            let dim = dice.next(shape.len());
            let window = dice.numbers(shape[dim]);
            Both(Expr::along(dim, &window), Box::new(move |_, at| one(window[at[dim]])))
        }
        4 if batch > 0 => {
            let (dim, rank) = (dice.next(batch), shape.len());
            Both(Expr::batch(dim) * 0.125, Box::new(move |_, at| one(at[rank + dim] as f64 * 0.125)))
        }
        4 => Both(Expr::value().norm_sqr(), Box::new(|x, _| one(x.norm_sqr()))),
        5 => {
            let Both(a, f) = complex(dice, shape, batch, depth - 1);
            Both(a.norm_sqr() * 0.5, Box::new(move |x, at| one(0.5 * f(x, at).norm_sqr())))
        }
        6 => {
            let (Both(a, f), Both(b, g)) = (inner(dice), inner(dice));
            Both(a.min(b), Box::new(move |x, at| one(f(x, at).re.min(g(x, at).re))))
        }
        7 => {
            let Both(a, f) = inner(dice);
            Both(a.abs().sqrt(), Box::new(move |x, at| one(f(x, at).re.abs().sqrt())))
        }
        8 => {
            let Both(a, f) = inner(dice);
            Both((a.norm_sqr() + 1.0).log2(), Box::new(move |x, at| one((f(x, at).norm_sqr() + 1.0).log2())))
        }
        9 => {
            let Both(a, f) = inner(dice);
            Both((-a.norm_sqr().min(4.0)).exp2(), Box::new(move |x, at| one((-f(x, at).norm_sqr().min(4.0)).exp2())))
        }
        10 => {
            let dim = dice.next(shape.len());
            // Exactly, as its roots are.
            let half = std::f64::consts::FRAC_1_SQRT_2;
            let cosines = [1.0, half, 0.0, -half, -1.0, -half, 0.0, half];
            Both((Expr::index(dim) * 0.25).cos_pi(), Box::new(move |_, at| one(cosines[at[dim] % 8])))
        }
        11 => {
            let dim = dice.next(shape.len());
            let half = (shape[dim] / 2) as f64;
            let (Both(a, f), Both(b, g)) = (inner(dice), inner(dice));
            let chosen = Expr::index(dim).less(half).select(a, b);
            Both(chosen, Box::new(move |x, at| if (at[dim] as f64) < half { f(x, at) } else { g(x, at) }))
        }
        12 => {
            let (Both(a, f), Both(b, g)) = (inner(dice), inner(dice));
            Both(a / (b.norm_sqr() + 1.0), Box::new(move |x, at| f(x, at) / (g(x, at).norm_sqr() + 1.0)))
        }
        13 => {
            let numbers = dice.numbers(shape.iter().product());
            let of = shape.to_vec();
            let at = move |at: &[usize]| of.iter().zip(at).fold(0, |all, (n, i)| all * n + i);
            Both(Expr::over(shape, &numbers), Box::new(move |_, index| one(numbers[at(index)])))
        }
        _ => {
            let (Both(a, f), Both(b, g)) = (inner(dice), inner(dice));
            Both(a - b * 0.5, Box::new(move |x, at| f(x, at) - g(x, at) * 0.5))
        }
    }
}

/// A complex one.
pub fn complex(dice: &mut Dice, shape: &[usize], batch: usize, depth: usize) -> Both {
    if depth == 0 || dice.next(8) == 0 {
        return Both(Expr::value() + Complex64::ZERO, Box::new(|x, _| x));
    }
    let (Both(a, f), Both(b, g)) = (complex(dice, shape, batch, depth - 1), real(dice, shape, batch, depth - 1));
    match dice.next(6) {
        0 => Both(a.conj() * b, Box::new(move |x, at| f(x, at).conj() * g(x, at))),
        1 => Both(a + b, Box::new(move |x, at| f(x, at) + g(x, at))),
        2 => Both(Expr::complex(b, a.im()), Box::new(move |x, at| Complex64::new(g(x, at).re, f(x, at).im))),
        3 => {
            let Both(c, h) = complex(dice, shape, batch, depth - 1);
            Both(a * c * 0.5, Box::new(move |x, at| f(x, at) * h(x, at) * 0.5))
        }
        4 => Both(b / (a + 3.0), Box::new(move |x, at| g(x, at) / (f(x, at) + 3.0))),
        _ => Both(-a * b, Box::new(move |x, at| -f(x, at) * g(x, at))),
    }
}
