//! Multi-word arithmetic in PTX: numbers as lists of 32-bit registers, the lowest first, and the lines that compute them.

/// A register's name, or a literal.
pub(in crate::algebra) type Limb = String;

/// The lines of an assembly block and the registers they use.
#[derive(Default)]
pub(in crate::algebra) struct Block {
    lines: Vec<String>,
    registers: usize,
}

pub(in crate::algebra) fn zero() -> Limb {
    "0".into()
}

fn is_zero(limb: &str) -> bool {
    limb == "0"
}

/// A constant as `count` limbs.
pub(in crate::algebra) fn constant(value: u128, count: usize) -> Vec<Limb> {
    (0..count).map(|i| format!("{:#x}", value.checked_shr(32 * i as u32).unwrap_or(0) as u32)).map(literal).collect()
}

fn literal(text: String) -> Limb {
    if text == "0x0" { zero() } else { text }
}

impl Block {
    pub fn register(&mut self) -> Limb {
        self.registers += 1;
        format!("r{}", self.registers - 1)
    }

    pub fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    /// A new register with what the operation gives.
    pub fn op(&mut self, operation: &str, operands: &[&str]) -> Limb {
        let to = self.register();
        self.line(format!("{operation} {to}, {};", operands.join(", ")));
        to
    }

    /// The statement: the block with its inputs and outputs.
    pub fn statement(&self, outputs: &[String], inputs: &[String]) -> String {
        let body: String = self.lines.iter().map(|line| format!("        \"{line}\\n\"\n")).collect();
        format!(
            "    asm(\"{{ .reg .u32 r<{}>; .reg .pred p; .reg .b64 wx, wy;\\n\"\n{body}        \"}}\" : {} : {});\n",
            self.registers.max(1),
            outputs.join(", "),
            inputs.join(", ")
        )
    }

    /// a + b, as long as the longer, and the carry if it is asked for. `carry_in` is a carry flag that was set just
    /// before.
    pub fn add(&mut self, a: &[Limb], b: &[Limb], carry_in: bool, carry_out: bool) -> Vec<Limb> {
        self.chain("add", a, b, carry_in, carry_out)
    }

    /// a + b, as long as the longer, whose carry stays in the flag.
    pub fn add_to_flag(&mut self, a: &[Limb], b: &[Limb]) -> Vec<Limb> {
        let mut sum = self.add(a, b, false, true);
        sum.pop();
        self.lines.pop();
        self.registers -= 1;
        sum
    }

    /// a − b, likewise, with borrows; the borrow that comes out is 0 or −1.
    pub fn sub(&mut self, a: &[Limb], b: &[Limb], borrow_in: bool, borrow_out: bool) -> Vec<Limb> {
        self.chain("sub", a, b, borrow_in, borrow_out)
    }

    fn chain(&mut self, name: &str, a: &[Limb], b: &[Limb], flag_in: bool, flag_out: bool) -> Vec<Limb> {
        let len = a.len().max(b.len());
        let mut flag = flag_in;
        let mut sum = Vec::new();
        for i in 0..len {
            let (x, y) = (a.get(i).cloned().unwrap_or_else(zero), b.get(i).cloned().unwrap_or_else(zero));
            if !flag && is_zero(&y) {
                sum.push(x);
                continue;
            }
            let sets = if i + 1 < len || flag_out { ".cc" } else { "" };
            let carry = if flag { "c" } else { "" };
            sum.push(self.op(&format!("{name}{carry}{sets}.u32"), &[&x, &y]));
            flag = true;
        }
        if flag_out {
            let out = if flag { self.op(&format!("{name}c.u32"), &["0", "0"]) } else { zero() };
            sum.push(out);
        }
        sum
    }

    /// x += y or x −= y where the predicate holds.
    pub fn update(&mut self, predicate: &str, name: &str, x: &[Limb], y: &[Limb]) {
        let mut flag = "";
        let len = x.len();
        for (i, (x, y)) in x.iter().zip(y).enumerate() {
            if flag.is_empty() && is_zero(y) {
                continue;
            }
            let sets = if i + 1 < len { ".cc" } else { "" };
            self.line(format!("@{predicate} {name}{flag}{sets}.u32 {x}, {x}, {y};"));
            flag = "c";
        }
    }

    /// x >> s, `count` limbs of it.
    pub fn shr(&mut self, x: &[Limb], s: u32, count: usize) -> Vec<Limb> {
        let (words, bits) = (s as usize / 32, s % 32);
        let at = |i: usize| x.get(i).cloned().unwrap_or_else(zero);
        let mut shifted = Vec::new();
        for i in 0..count {
            let (low, high) = (at(i + words), at(i + words + 1));
            shifted.push(match (bits, is_zero(&high)) {
                (0, _) => low,
                _ if is_zero(&low) && is_zero(&high) => zero(),
                (_, true) => self.op("shr.u32", &[&low, &bits.to_string()]),
                _ => self.op("shf.r.wrap.b32", &[&low, &high, &bits.to_string()]),
            });
        }
        shifted
    }

    /// x where the mask is −1, 0 where it is 0.
    pub fn masked(&mut self, x: &[Limb], mask: &str) -> Vec<Limb> {
        x.iter().map(|limb| if is_zero(limb) { zero() } else { self.op("and.b32", &[limb, mask]) }).collect()
    }
}
