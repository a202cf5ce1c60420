//! The header: a magic number, a version, a length, and a Python dictionary that names dtype, order and shape.

/// What the elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `bool`, a byte each.
    Bool,
    /// `int8`.
    I8,
    /// `int16`.
    I16,
    /// `int32`.
    I32,
    /// `int64`.
    I64,
    /// `uint8`.
    U8,
    /// `uint16`.
    U16,
    /// `uint32`.
    U32,
    /// `uint64`.
    U64,
    /// `float16`.
    F16,
    /// `float32`.
    F32,
    /// `float64`.
    F64,
    /// `complex64`.
    C64,
    /// `complex128`.
    C128,
}

/// Kinds, their codes without a byte order, NumPy's names for them, and the bytes of an element.
const KINDS: [(Kind, &str, &str, usize); 14] = [
    (Kind::Bool, "b1", "bool", 1),
    (Kind::I8, "i1", "int8", 1),
    (Kind::I16, "i2", "int16", 2),
    (Kind::I32, "i4", "int32", 4),
    (Kind::I64, "i8", "int64", 8),
    (Kind::U8, "u1", "uint8", 1),
    (Kind::U16, "u2", "uint16", 2),
    (Kind::U32, "u4", "uint32", 4),
    (Kind::U64, "u8", "uint64", 8),
    (Kind::F16, "f2", "float16", 2),
    (Kind::F32, "f4", "float32", 4),
    (Kind::F64, "f8", "float64", 8),
    (Kind::C64, "c8", "complex64", 8),
    (Kind::C128, "c16", "complex128", 16),
];

impl Kind {
    fn row(self) -> (&'static str, &'static str, usize) {
        let row = KINDS.iter().find(|row| row.0 == self);
        row.map_or(("", "", 1), |row| (row.1, row.2, row.3))
    }

    /// The dtype's code without its byte order.
    pub fn code(self) -> &'static str {
        self.row().0
    }

    /// NumPy's name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        self.row().2
    }

    /// Bytes of one of its components: what a byte order applies to.
    pub fn component_bytes(self) -> usize {
        if matches!(self, Self::C64 | Self::C128) { self.bytes() / 2 } else { self.bytes() }
    }
}

/// What the header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The elements.
    pub kind: Kind,
    /// Whether the bytes of each component stand in this machine's reverse order.
    pub swapped: bool,
    /// Whether the first axis is the fastest.
    pub fortran: bool,
    /// The lengths of the axes.
    pub shape: Vec<usize>,
}

impl Header {
    /// The bytes of all elements and so many before them; nothing if they do not fit this machine.
    pub fn file_bytes(&self, start: usize) -> Option<usize> {
        // What has an empty axis is empty, however long others are.
        if self.shape.contains(&0) {
            return Some(start);
        }
        let bytes = self.shape.iter().try_fold(self.kind.bytes(), |bytes, n| bytes.checked_mul(*n))?;
        bytes.checked_add(start).filter(|&bytes| isize::try_from(bytes).is_ok())
    }

    /// Reads the dictionary.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut scan = Scan { rest: text };
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        scan.expect('{')?;
        while !scan.accept('}') {
            let key = scan.string()?;
            scan.expect(':')?;
            match key {
                "descr" if scan.peek() == Some('[') => {
                    return Err("its elements are records; transforms take plain numbers".into());
                }
                "descr" => descr = Some(scan.string()?),
                "fortran_order" => fortran = Some(scan.boolean()?),
                "shape" => shape = Some(scan.tuple()?),
                _ => return Err(format!("its header has an unknown entry '{key}'")),
            }
            if !scan.accept(',') {
                scan.expect('}')?;
                break;
            }
        }
        let missing = |what: &str| format!("its header has no entry '{what}'");
        let (kind, swapped) = dtype(descr.ok_or_else(|| missing("descr"))?)?;
        let fortran = fortran.ok_or_else(|| missing("fortran_order"))?;
        let shape = shape.ok_or_else(|| missing("shape"))?;
        Ok(Self { kind, swapped, fortran, shape })
    }
}

fn dtype(descr: &str) -> Result<(Kind, bool), String> {
    let (order, code) = match descr.split_at_checked(1) {
        Some((order @ ("<" | ">" | "=" | "|"), code)) => (order, code),
        _ => ("=", descr),
    };
    let Some((kind, ..)) = KINDS.into_iter().find(|row| row.1 == code) else {
        return Err(format!(
            "its elements are of dtype '{descr}'; transforms take complex64, complex128, float16 to float64, bool, and \
             integers of 8 to 64 bits"
        ));
    };
    let foreign = if cfg!(target_endian = "little") { ">" } else { "<" };
    Ok((kind, order == foreign))
}

/// The few forms of Python literals that headers are made of.
struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.rest = &self.rest[c.len_utf8()..];
        }
        found
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.accept(c) { Ok(()) } else { Err(format!("its header is malformed: '{c}' is missing")) }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.accept('"') { '"' } else { self.expect('\'').map(|()| '\'')? };
        let (text, rest) = self.rest.split_once(quote).ok_or("its header is malformed: a string does not end")?;
        self.rest = rest;
        Ok(text)
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        self.rest = &rest[end..];
        &rest[..end]
    }

    fn boolean(&mut self) -> Result<bool, String> {
        match self.word() {
            "True" => Ok(true),
            "False" => Ok(false),
            other => Err(format!("its header is malformed: '{other}' stands where True or False belongs")),
        }
    }

    fn tuple(&mut self) -> Result<Vec<usize>, String> {
        let mut items = Vec::new();
        self.expect('(')?;
        while !self.accept(')') {
            let word = self.word();
            // Python 2 wrote long integers with an L.
            let digits = word.strip_suffix('L').unwrap_or(word);
            items.push(
                digits.parse().map_err(|_| format!("its header is malformed: '{word}' is no length of an axis"))?,
            );
            if !self.accept(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(items)
    }
}
