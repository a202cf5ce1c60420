//! The header: a magic number, a version, a length, and a Python dictionary that names dtype, order and shape.

/// What the elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `float32`.
    F32,
    /// `float64`.
    F64,
    /// `complex64`.
    C64,
    /// `complex128`.
    C128,
    /// `uint32`.
    U32,
    /// `uint64`.
    U64,
}

impl Kind {
    const ALL: [Self; 6] = [Self::F32, Self::F64, Self::C64, Self::C128, Self::U32, Self::U64];

    /// The dtype's code without its byte order.
    pub fn code(self) -> &'static str {
        match self {
            Self::F32 => "f4",
            Self::F64 => "f8",
            Self::C64 => "c8",
            Self::C128 => "c16",
            Self::U32 => "u4",
            Self::U64 => "u8",
        }
    }

    /// NumPy's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::C64 => "complex64",
            Self::C128 => "complex128",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
        }
    }

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 | Self::U32 => 4,
            Self::F64 | Self::C64 | Self::U64 => 8,
            Self::C128 => 16,
        }
    }

    /// Bytes of one of its components: what a byte order applies to.
    pub fn component_bytes(self) -> usize {
        match self {
            Self::F32 | Self::U32 | Self::C64 => 4,
            Self::F64 | Self::C128 | Self::U64 => 8,
        }
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
    /// The number of elements; nothing if it does not fit this machine.
    pub fn len(&self) -> Option<usize> {
        let len = self.shape.iter().try_fold(1usize, |len, n| len.checked_mul(*n))?;
        len.checked_mul(self.kind.bytes())?;
        Some(len)
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
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.code() == code) else {
        return Err(format!(
            "its elements are of dtype '{descr}'; transforms take complex64, complex128, float32, float64, uint32 or uint64"
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
