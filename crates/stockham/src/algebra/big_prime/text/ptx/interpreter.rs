//! Runs the blocks of assembly on the host, for tests. It knows the operations that are written, and wants registers
//! written before they are read and carry flags taken by operations of the kind that set them.

/// A block as instructions.
pub(super) struct Program {
    instructions: Vec<Instruction>,
    registers: usize,
}

struct Instruction {
    line: String,
    /// The predicate under which it runs, and whether that is to hold.
    guard: Option<(Place, bool)>,
    operation: Vec<String>,
    places: Vec<Place>,
}

#[derive(Clone, PartialEq, Debug)]
enum Place {
    Register(usize),
    /// p and q.
    Predicate(usize),
    /// wx and wy.
    Wide(usize),
    /// %0, …
    Operand(usize),
    Literal(u32),
    Pair(Vec<Place>),
}

struct Machine<'a> {
    registers: Vec<Option<u32>>,
    predicates: [Option<bool>; 2],
    wide: [Option<u64>; 2],
    operands: &'a mut [u64],
    /// The flag, and whether it is a borrow.
    carry: Option<(bool, bool)>,
}

fn place(text: &str) -> Place {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("a place: {text}"));
    if let Some(list) = text.strip_prefix('{') {
        return Place::Pair(list.trim_end_matches('}').split(',').map(|part| place(part.trim())).collect());
    }
    match text {
        "p" => Place::Predicate(0),
        "q" => Place::Predicate(1),
        "wx" => Place::Wide(0),
        "wy" => Place::Wide(1),
        _ if text.starts_with('r') => Place::Register(number(&text[1..])),
        _ if text.starts_with('%') => Place::Operand(number(&text[1..])),
        _ => {
            let value = match text.strip_prefix("0x") {
                Some(digits) => i64::from_str_radix(digits, 16),
                None => text.parse(),
            };
            Place::Literal(value.unwrap_or_else(|_| panic!("a literal: {text}")) as u32)
        }
    }
}

/// Splits at commas that do not stand in braces.
fn places(text: &str) -> Vec<Place> {
    let mut depth = 0;
    let parts = text.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    parts.map(|part| place(part.trim())).collect()
}

impl Program {
    /// The first block of the function of that name.
    pub fn of(text: &str, function: &str) -> Self {
        let start = text.find(&format!("{function}(")).unwrap_or_else(|| panic!("no function {function}"));
        let body = &text[start..];
        let body = &body[body.find("asm(").expect("a block")..];
        let body = &body[..body.find("\"}\" :").expect("the end of the block")];
        let lines = body.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\\n\""));
        let statements = lines.flat_map(|line| line.split(';')).map(str::trim).filter(|line| !line.is_empty());
        let registers = body.split_once("r<").and_then(|(_, rest)| rest.split_once('>')).expect("registers").0;
        Self {
            instructions: statements.map(Instruction::of).collect(),
            registers: registers.parse().expect("a number"),
        }
    }

    /// Runs it on the statement's operands.
    pub fn run(&self, operands: &mut [u64]) {
        let registers = vec![None; self.registers];
        let mut machine = Machine { registers, predicates: [None; 2], wide: [None; 2], operands, carry: None };
        for instruction in &self.instructions {
            let runs = match &instruction.guard {
                Some((place, holds)) => (machine.get(place) != 0) == *holds,
                None => true,
            };
            if runs {
                machine.run(instruction);
            }
        }
    }
}

impl Instruction {
    fn of(line: &str) -> Self {
        let (guard, rest) = match line.strip_prefix('@') {
            Some(guarded) => {
                let (guard, rest) = guarded.split_once(' ').expect("an operation");
                (Some((place(guard.trim_start_matches('!')), !guard.starts_with('!'))), rest)
            }
            None => (None, line),
        };
        let (operation, operands) = rest.split_once(' ').expect("operands");
        let operation = operation.split('.').map(String::from).collect();
        Self { line: line.into(), guard, operation, places: places(operands) }
    }
}

impl Machine<'_> {
    fn get(&self, place: &Place) -> u64 {
        let value = match place {
            Place::Register(i) => self.registers[*i].map(u64::from),
            Place::Predicate(i) => self.predicates[*i].map(u64::from),
            Place::Wide(i) => self.wide[*i],
            Place::Operand(i) => Some(self.operands[*i]),
            Place::Literal(value) => Some(u64::from(*value)),
            Place::Pair(pair) => Some(self.get(&pair[0]) | self.get(&pair[1]) << 32),
        };
        value.unwrap_or_else(|| panic!("{place:?} is read before it is written"))
    }

    fn set(&mut self, place: &Place, value: u64) {
        match place {
            Place::Register(i) => self.registers[*i] = Some(value as u32),
            Place::Predicate(i) => self.predicates[*i] = Some(value != 0),
            Place::Wide(i) => self.wide[*i] = Some(value),
            Place::Operand(i) => self.operands[*i] = value,
            Place::Literal(_) => panic!("a literal is written"),
            Place::Pair(pair) => {
                pair.iter().zip([value, value >> 32]).for_each(|(place, value)| self.set(place, value))
            }
        }
    }

    fn run(&mut self, Instruction { line, operation, places, .. }: &Instruction) {
        let name: Vec<&str> = operation.iter().map(String::as_str).collect();
        let value = |i: usize| self.get(&places[i]);
        // A sum of two or three numbers, perhaps with the flag.
        let with_carry = name[0].ends_with('c') && name[0] != "sc";
        let sets = name.contains(&"cc");
        let borrows = name[0].starts_with("sub");
        let flag = match self.carry {
            _ if !with_carry => 0,
            Some((flag, of_borrow)) if of_borrow == borrows => u64::from(flag),
            _ => panic!("no flag for {line}"),
        };
        let (result, overflow) = match name[..] {
            ["add" | "addc", ..] => (value(1) + value(2) + flag, None),
            ["sub" | "subc", ..] => {
                let less = value(1).wrapping_sub(value(2)).wrapping_sub(flag);
                (less, Some(less >> 63 == 1))
            }
            ["mul", "lo", "u32"] => (value(1) * value(2), None),
            ["mul", "hi", "u32"] => ((value(1) * value(2)) >> 32, None),
            ["mad" | "madc", "lo", ..] => (((value(1) * value(2)) as u32 as u64) + value(3) + flag, None),
            ["mad" | "madc", "hi", ..] => (((value(1) * value(2)) >> 32) + value(3) + flag, None),
            ["shf", "r", "wrap", "b32"] => ((value(1) | value(2) << 32) >> (value(3) % 32), None),
            ["shf", "l", "wrap", "b32"] => (((value(1) | value(2) << 32) << (value(3) % 32)) >> 32, None),
            ["shl", "b32"] => (value(1) << value(2), None),
            ["shr", "u32"] => (value(1) >> value(2), None),
            ["shr", "s32"] => ((i64::from(value(1) as i32) >> value(2)) as u64, None),
            ["and", _] => (value(1) & value(2), None),
            ["or", _] => (value(1) | value(2), None),
            ["xor", _] => (value(1) ^ value(2), None),
            ["not", _] => (!value(1), None),
            ["min", _] => (value(1).min(value(2)), None),
            ["mov", _] => (value(1), None),
            ["selp", _] => (if value(3) != 0 { value(1) } else { value(2) }, None),
            ["setp", comparison, .., "u32" | "u64"] => {
                let (a, b) = (value(1), value(2));
                let holds = match comparison {
                    "lt" => a < b,
                    "ge" => a >= b,
                    "eq" => a == b,
                    "ne" => a != b,
                    _ => panic!("{line}"),
                };
                (u64::from(holds || name[2] == "or" && value(3) != 0), None)
            }
            _ => panic!("an unknown operation: {line}"),
        };
        if sets {
            self.carry = Some((overflow.unwrap_or(result >> 32 != 0), borrows));
        }
        self.set(&places[0], result);
    }
}
