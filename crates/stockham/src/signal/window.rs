//! Windows, as `scipy.signal.windows` has them.

use std::f64::consts::PI;

/// A window's form.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Window {
    /// All ones.
    Rectangular,
    /// One period of a cosine that touches 0.
    Hann,
    /// One period of a cosine, raised so that the first side lobe is small.
    Hamming,
    /// Two cosines, with lower side lobes and a wider main one.
    Blackman,
    /// A Bessel function of that β, which chooses between narrow main lobes (0, rectangular) and low side lobes
    /// (J. F. Kaiser, "Nonrecursive digital filter design using the I₀-sinh window function", 1974).
    Kaiser(f64),
}

impl Window {
    /// `n` values that are the same from both ends: for filters.
    ///
    /// ```
    /// use stockham::signal::Window;
    /// assert_eq!(Window::Hann.symmetric(3), [0.0, 1.0, 0.0]);
    /// assert_eq!(Window::Hann.symmetric(1), [1.0]);
    /// ```
    pub fn symmetric(self, n: usize) -> Vec<f64> {
        (0..n).map(|i| if n == 1 { 1.0 } else { self.value(i, n - 1) }).collect()
    }

    /// `n` values of one period, the last one of the n + 1 symmetric ones being left out: for transforms.
    ///
    /// ```
    /// use stockham::signal::Window;
    /// let window = Window::Hann.periodic(4);
    /// assert!(window.iter().zip([0.0, 0.5, 1.0, 0.5]).all(|(w, expected)| (w - expected).abs() < 1e-15));
    /// ```
    pub fn periodic(self, n: usize) -> Vec<f64> {
        (0..n).map(|i| if n == 1 { 1.0 } else { self.value(i, n) }).collect()
    }

    /// The value at i of a period.
    fn value(self, i: usize, period: usize) -> f64 {
        // The same number for both halves, so that they are equal to the bit.
        let i = i.min(period - i);
        let angle = 2.0 * PI * i as f64 / period as f64;
        match self {
            Self::Rectangular => 1.0,
            Self::Hann => 0.5 - 0.5 * angle.cos(),
            Self::Hamming => 0.54 - 0.46 * angle.cos(),
            Self::Blackman => 0.42 - 0.5 * angle.cos() + 0.08 * (2.0 * angle).cos(),
            Self::Kaiser(beta) => {
                let from_middle = 1.0 - 2.0 * i as f64 / period as f64;
                let x = beta.abs() * ((1.0 - from_middle) * (1.0 + from_middle)).sqrt();
                scaled_bessel(x) / scaled_bessel(beta.abs()) * (x - beta.abs()).exp()
            }
        }
    }
}

/// I₀(x)·e^(−x): the mean of e^(x·(cos θ − 1)) over a circle, which some points of it give to all digits.
fn scaled_bessel(x: f64) -> f64 {
    let count = 16 + (9.0 * x.sqrt()) as usize;
    let value = |i: usize| (x * ((2.0 * PI * i as f64 / count as f64).cos() - 1.0)).exp();
    (0..count).map(value).sum::<f64>() / count as f64
}

/// The β of a [`Window::Kaiser`] whose filters attenuate by so many dB, and let pass as well (Kaiser 1974).
pub fn kaiser_beta(attenuation: f64) -> f64 {
    match attenuation {
        a if a > 50.0 => 0.1102 * (a - 8.7),
        a if a > 21.0 => 0.5842 * (a - 21.0).powf(0.4) + 0.07886 * (a - 21.0),
        _ => 0.0,
    }
}
