//! A picture as a list of shapes, in pixels from the top left.

/// Red, green, blue and opacity.
#[derive(Debug, Clone, Copy)]
pub struct Color(pub u8, pub u8, pub u8, pub f64);

impl Color {
    /// White.
    pub const PAPER: Self = Self(255, 255, 255, 1.0);
    /// Text.
    pub const INK: Self = Self(31, 41, 55, 1.0);
    /// Lesser text.
    pub const FAINT_INK: Self = Self(107, 114, 128, 1.0);
    /// Lines at round numbers.
    pub const GRID: Self = Self(226, 230, 236, 1.0);
    /// Lines between them.
    pub const FAINT_GRID: Self = Self(242, 244, 247, 1.0);
    /// What a picture is about.
    pub const ACCENT: Self = Self(37, 99, 235, 1.0);
    /// What it is compared with.
    pub const CONTRAST: Self = Self(217, 90, 36, 1.0);

    /// Lines that are told apart by their colours.
    pub const SERIES: [Self; 5] =
        [Self::ACCENT, Self::CONTRAST, Self(22, 138, 92, 1.0), Self(124, 58, 173, 1.0), Self(190, 132, 8, 1.0)];

    /// The same colour, more or less transparent.
    pub fn opacity(self, opacity: f64) -> Self {
        Self(self.0, self.1, self.2, opacity)
    }
}

/// Where a text lies from its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// It starts there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A line of text; `y` is the middle of its height.
#[derive(Debug, Clone)]
pub struct Text {
    /// Its point.
    pub at: (f64, f64),
    /// The words.
    pub words: String,
    /// Height of the letters, roughly, in pixels.
    pub size: f64,
    /// Colour.
    pub color: Color,
    /// Bold letters.
    pub bold: bool,
    /// Where it lies from its point.
    pub anchor: Anchor,
    /// Whether it reads upwards.
    pub upwards: bool,
}

impl Text {
    /// Plain words that start at a point.
    pub fn new(at: (f64, f64), words: impl Into<String>) -> Self {
        let words = words.into();
        Self { at, words, size: 21.0, color: Color::INK, bold: false, anchor: Anchor::Start, upwards: false }
    }
    /// In that size.
    pub fn size(self, size: f64) -> Self {
        Self { size, ..self }
    }
    /// In that colour.
    pub fn color(self, color: Color) -> Self {
        Self { color, ..self }
    }
    /// In bold letters.
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }
    /// Lying otherwise from its point.
    pub fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
    /// Reading upwards.
    pub fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }
}

/// Pixels within a picture. They are asked for at the resolution that the picture is drawn with.
pub struct Raster {
    /// Left, top, right, bottom.
    pub area: (f64, f64, f64, f64),
    /// The colour at a place in 0..1 from the left and 0..1 from the top.
    pub color: Box<dyn Fn(f64, f64) -> Color + Sync>,
}

/// A shape.
pub enum Shape {
    /// Lines from point to point, of that width.
    Line(Vec<(f64, f64)>, Color, f64),
    /// A filled outline.
    Area(Vec<(f64, f64)>, Color),
    /// A filled circle of that radius.
    Dot((f64, f64), f64, Color),
    /// Words.
    Text(Text),
    /// Pixels.
    Raster(Raster),
}

/// Shapes on paper of a size; later ones cover earlier ones.
pub struct Picture {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// The shapes.
    pub shapes: Vec<Shape>,
}

impl Picture {
    /// Blank paper.
    pub fn new(width: u32, height: u32) -> Self {
        Self { size: (width, height), shapes: Vec::new() }
    }

    /// Lines from point to point.
    pub fn line(&mut self, points: Vec<(f64, f64)>, color: Color, width: f64) {
        self.shapes.push(Shape::Line(points, color, width));
    }

    /// A filled outline.
    pub fn area(&mut self, points: Vec<(f64, f64)>, color: Color) {
        self.shapes.push(Shape::Area(points, color));
    }

    /// A filled circle.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, color: Color) {
        self.shapes.push(Shape::Dot(at, radius, color));
    }

    /// Words.
    pub fn text(&mut self, text: Text) {
        self.shapes.push(Shape::Text(text));
    }

    /// Pixels.
    pub fn raster(&mut self, raster: Raster) {
        self.shapes.push(Shape::Raster(raster));
    }
}
