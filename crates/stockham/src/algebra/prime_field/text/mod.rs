//! The text of a prime field's primitive functions, for kernels: a template and the field's constants. The functions
//! have the names of those of big primes, for which −1 alone takes no product: r is −1 here.

mod pairs;
mod ptx;

use std::fmt::Write;

use super::PrimeField;
use crate::algebra::{Primitives, Root};

/// The order of the roots of unity that stand in the text: codelets have so many points at most.
const CODELET: usize = 32;

impl PrimeField {
    /// The constant of the text that a root is, and whether it is to be negated; nothing if it is none of them.
    pub(in crate::algebra) fn root_constant(self, root: Root) -> Option<(u64, bool)> {
        let order = self.codelet_order();
        let k = root.exponent() * (order / root.order());
        order.is_multiple_of(root.order()).then_some(((k % (order / 2)) as u64, k >= order / 2))
    }

    /// The constant that makes the product of two data plain again.
    pub(in crate::algebra) fn square_constant(self) -> u64 {
        (self.codelet_order() / 2) as u64
    }

    fn codelet_order(self) -> usize {
        CODELET.min(1 << self.max_log_len())
    }
}

/// The constants and the functions, for a kernel of so many products; in PTX where carries between words count.
pub(in crate::algebra) fn primitives(field: PrimeField, ptx: bool, products: usize) -> Primitives {
    let words = field.words();
    let ptx = ptx && words > 1;
    let roots: Vec<Root> = (0..field.codelet_order() / 2).map(|k| Root::new(k, field.codelet_order())).collect();
    // A product of two data is plain again after a product with R².
    let forms: Vec<Vec<u64>> = field.roots_in_form(&roots).into_iter().chain([field.modulus.square.to_vec()]).collect();
    let has_pairs = field.has_pairs();
    let constants: Vec<u64> =
        forms.into_iter().flat_map(|form| if has_pairs { field.pair(&form) } else { form }).collect();
    let mut text = String::from(SPACES);
    let list = |words: &[u64]| words.iter().map(|w| format!("(u64){w:#x}ul")).collect::<Vec<_>>().join(", ");
    writeln!(text, "#define BP_K {words}").expect(STRING);
    writeln!(text, "#define BP_INVERSE (u64){:#x}ul", field.modulus.inverse).expect(STRING);
    writeln!(text, "CONSTANT u64 BP_P[{words}] = {{ {} }};", list(field.modulus())).expect(STRING);
    writeln!(text, "CONSTANT u64 BP_CONSTANTS[{}] = {{ {} }};", constants.len(), list(&constants)).expect(STRING);
    let pragma = |unrolls: bool| if unrolls { "#pragma unroll" } else { "#pragma unroll 1" };
    let template = include_str!("primitives.h").replace("ROWS", pragma(words <= 4));
    text.push_str(&template.replace("UNROLL", pragma(words <= 8)).replace("PRODUCT", product_kind(words <= SHORT)));
    if ptx {
        let kind = product_kind(words <= SHORT || words <= SHORT_IN_PTX && products <= FEW);
        text.push_str(&ptx::primitives(field, kind));
        if has_pairs {
            text.push_str(&pairs::product(field, kind));
        }
    } else {
        if has_pairs {
            let minus = list(&field.modulus.negated());
            writeln!(text, "\nCONSTANT u64 BP_MINUS[{words}] = {{ {minus} }};").expect(STRING);
            let template = include_str!("pairs.h").replace("UNROLL", "#pragma unroll");
            text.push_str(&template.replace("PRODUCT", product_kind(words <= SHORT)));
            text.push_str("\n#define bp_mul_pair bp_mul_pair_any");
        }
        text.push_str("\n#define bp_mul bp_mul_any\n#define bp_sum_0 bp_add\n#define bp_sum_1 bp_subtract\n");
    }
    text.push_str(if has_pairs { BY_PAIR } else { BY_FORM });
    text.push_str(COMMON);
    let parameters = (0..words).map(|i| format!("u64 d{i}")).collect::<Vec<_>>().join(", ");
    let members = (0..words).map(|i| format!("z.d[{i}] = d{i};")).collect::<Vec<_>>().join(" ");
    writeln!(text, "\nFUNCTION big bp_pack({parameters}) {{\n    big z;\n    {members}\n    return z;\n}}")
        .expect(STRING);
    Primitives { text: text.into(), fast: &[] }
}

const STRING: &str = "writing to a string does not fail";

/// Words of an element up to which products are part of the kernels.
const SHORT: usize = 2;

/// The same in PTX, where products are shorter and a call moves every operand, in kernels of few: more fill the instruction cache, and
/// compile long.
const SHORT_IN_PTX: usize = 4;
const FEW: usize = 20;

/// How products are declared: as part of the kernels, or as functions of their own.
fn product_kind(is_part: bool) -> &'static str {
    if is_part { "FUNCTION" } else { "APART" }
}

const SPACES: &str = "\
#ifdef __CUDACC__
#define CONSTANT __constant__
#define APART static __device__ __noinline__
#else
#define CONSTANT __constant
#define APART __attribute__((noinline))
#endif
";

const BY_FORM: &str = "
/* x times the constant of that number, which is in Montgomery's form */
FUNCTION big bp_by_constant(big x, u64 number) {
    big y;
#pragma unroll
    for (int i = 0; i < BP_K; i++) y.d[i] = BP_CONSTANTS[number * BP_K + i];
    return bp_mul(x, y);
}
";

const BY_PAIR: &str = "
/* x times the constant of that number, which has its quotient behind it */
FUNCTION big bp_by_constant(big x, u64 number) {
    big y, q;
#pragma unroll
    for (int i = 0; i < BP_K; i++) {
        y.d[i] = BP_CONSTANTS[2 * number * BP_K + i];
        q.d[i] = BP_CONSTANTS[(2 * number + 1) * BP_K + i];
    }
    return bp_mul_pair(x, y, q);
}
";

const COMMON: &str = "
/* x (-1)^s */
FUNCTION big bp_rotate(big x, u32 s) {
    big zero;
#pragma unroll
    for (int i = 0; i < BP_K; i++) zero.d[i] = 0;
    const big minus = bp_sum_1(zero, x);
#pragma unroll
    for (int i = 0; i < BP_K; i++) x.d[i] = s ? minus.d[i] : x.d[i];
    return x;
}

FUNCTION digit bp_digit(big x, u64 i) { return x.d[i]; }
";
