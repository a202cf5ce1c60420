//! Sums and products in PTX, where carries cost no instruction of their own.

use super::PrimeField;
use crate::algebra::ptx::{Block, Limb, zero};

/// The functions `bp_sum_0`, `bp_sum_1` and `bp_mul`.
pub(super) fn primitives(field: PrimeField, kind: &str) -> String {
    let writer = Writer { words: field.words() };
    [constant("BP_LIMBS", field.modulus()), writer.add(), writer.subtract(), writer.product(kind)].concat()
}

/// A number as 32-bit limbs in constant memory: the compiler must not know them, or it takes the products apart.
pub(super) fn constant(name: &str, words: &[u64]) -> String {
    let limbs = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]);
    let list: Vec<String> = limbs.map(|limb| format!("{limb:#x}u")).collect();
    format!("\nCONSTANT u32 {name}[{}] = {{ {} }};\n", list.len(), list.join(", "))
}

/// The limbs of a number whose words are operands from a place on.
pub(super) fn limbs(block: &mut Block, words: usize, first: usize) -> Vec<Limb> {
    let word = |place| {
        let pair = [block.register(), block.register()];
        block.line(format!("mov.b64 {{{}, {}}}, %{place};", pair[0], pair[1]));
        pair
    };
    (first..first + words).flat_map(word).collect()
}

/// The statement that gives the number of that name those limbs, from numbers and other operands.
pub(super) fn finish(mut block: Block, z: &[Limb], name: &str, numbers: &[&str], others: &[String]) -> String {
    for (place, pair) in z.chunks(2).enumerate() {
        block.line(format!("mov.b64 %{place}, {{{}, {}}};", pair[0], pair[1]));
    }
    let of = |constraint: &str, name: &str| -> Vec<String> {
        (0..z.len() / 2).map(|i| format!("\"{constraint}\"({name}.d[{i}])")).collect()
    };
    let inputs: Vec<String> = numbers.iter().flat_map(|name| of("l", name)).chain(others.iter().cloned()).collect();
    block.statement(&of("=l", name), &inputs)
}

/// So many limbs of a constant as operands.
pub(super) fn operands_of(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("\"r\"({name}[{i}])")).collect()
}

struct Writer {
    words: usize,
}

/// What stands before a block, and after it.
struct Operands {
    x: Vec<Limb>,
    y: Vec<Limb>,
    p: Vec<Limb>,
}

impl Writer {
    fn limbs(&self) -> usize {
        2 * self.words
    }

    /// Outputs are the first operands, then the words of x and y, then the limbs of p, then the inverse.
    fn operands(&self, block: &mut Block) -> Operands {
        let [x, y] = [self.words, 2 * self.words].map(|first| limbs(block, self.words, first));
        let p = (0..self.limbs()).map(|i| format!("%{}", 3 * self.words + i)).collect();
        Operands { x, y, p }
    }

    fn function(&self, kind: &str, name: &str, block: Block, z: &[Limb]) -> String {
        let mut others = operands_of("BP_LIMBS", self.limbs());
        others.push("\"r\"((u32)BP_INVERSE)".to_owned());
        let statement = finish(block, z, "z", &["x", "y"], &others);
        format!("\n{kind} big {name}(big x, big y) {{\n    big z;\n{statement}    return z;\n}}\n")
    }

    /// sum − p, or the sum where that is negative.
    fn reduced(&self, block: &mut Block, sum: &[Limb], p: &[Limb]) -> Vec<Limb> {
        let mut less = block.sub(sum, p, false, true);
        let borrow = less.pop().expect("the borrow");
        block.line(format!("setp.ne.u32 p, {borrow}, 0;"));
        sum.iter().zip(&less).map(|(sum, less)| block.op("selp.u32", &[sum, less, "p"])).collect()
    }

    fn add(&self) -> String {
        let mut block = Block::default();
        let Operands { x, y, p } = self.operands(&mut block);
        let sum = block.add(&x, &y, false, false);
        let z = self.reduced(&mut block, &sum, &p);
        self.function("FUNCTION", "bp_sum_0", block, &z)
    }

    fn subtract(&self) -> String {
        let mut block = Block::default();
        let Operands { x, y, p } = self.operands(&mut block);
        let mut difference = block.sub(&x, &y, false, true);
        let borrow = difference.pop().expect("the borrow");
        let back = block.masked(&p, &borrow);
        let z = block.add(&difference, &back, false, false);
        self.function("FUNCTION", "bp_sum_1", block, &z)
    }

    /// Montgomery's product, a limb of x at a time. Products of two limbs are two limbs long: those that begin at even
    /// places are summed in one array, those that begin at odd places in another, each in one chain of carries. When the
    /// lowest limb is cleared and falls off, the arrays change roles.
    fn product(&self, kind: &str) -> String {
        let n = self.limbs();
        let mut block = Block::default();
        let Operands { x, y, p } = self.operands(&mut block);
        let inverse = format!("%{}", 3 * self.words + n);
        // Limb i of `even` has place i, limb i of `odd` place i + 1.
        let (mut even, mut odd): (Vec<Limb>, Vec<Limb>) = (Vec::new(), Vec::new());
        for (row, a) in x.iter().enumerate() {
            if row == 0 {
                (even, odd) = (first_products(&mut block, &y, 0, a), first_products(&mut block, &y, 1, a));
            } else {
                // `even` were the odd ones until now, and `odd` has yet to fall by two places. Its limb 1 has place 0.
                even[0] = block.op("add.cc.u32", &[&even[0].clone(), &odd[1]]);
                let mut fallen: Vec<Limb> = odd[2..].to_vec();
                fallen.extend([zero(), zero()]);
                odd = products(&mut block, &fallen, &y, 1, a, true);
                even = products(&mut block, &even, &y, 0, a, false);
                odd[n - 1] = block.op("addc.u32", &[&odd[n - 1].clone(), "0"]);
            }
            let m = block.op("mul.lo.u32", &[&even[0], &inverse]);
            odd = products(&mut block, &odd, &p, 1, &m, false);
            even = products(&mut block, &even, &p, 0, &m, false);
            odd[n - 1] = block.op("addc.u32", &[&odd[n - 1].clone(), "0"]);
            std::mem::swap(&mut even, &mut odd);
        }
        // `odd` has yet to fall: its limb 1 has place 0.
        let mut falling: Vec<Limb> = odd[1..].to_vec();
        falling.push(zero());
        let sum = block.add(&even, &falling, false, false);
        let z = self.reduced(&mut block, &sum, &p);
        self.function(kind, "bp_mul", block, &z)
    }
}

/// The products of a with every second limb of y.
fn first_products(block: &mut Block, y: &[Limb], first: usize, a: &str) -> Vec<Limb> {
    let pair = |b: &Limb| [block.op("mul.lo.u32", &[b, a]), block.op("mul.hi.u32", &[b, a])];
    y.iter().skip(first).step_by(2).flat_map(pair).collect()
}

/// sums + a·y, for every second limb of y, in one chain of carries, which ends in the carry flag: nothing is lost if the
/// next line takes it, and in the last array it is 0.
fn products(block: &mut Block, sums: &[Limb], y: &[Limb], first: usize, a: &str, carry_in: bool) -> Vec<Limb> {
    let mut out = Vec::with_capacity(sums.len());
    for (i, b) in y.iter().skip(first).step_by(2).enumerate() {
        let carry = if i == 0 && !carry_in { "" } else { "c" };
        out.push(block.op(&format!("mad{carry}.lo.cc.u32"), &[b, a, &sums[2 * i]]));
        out.push(block.op("madc.hi.cc.u32", &[b, a, &sums[2 * i + 1]]));
    }
    out
}
