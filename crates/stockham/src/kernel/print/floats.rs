//! What kernels over floats alone have: vectors of two, sines and cosines, components loaded one by one.

use super::*;
use crate::plan::Trig;

/// CUDA's vectors have no arithmetic of their own.
pub(super) const CUDA_VECTORS: &str =
    "FUNCTION float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
FUNCTION float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
FUNCTION float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
FUNCTION float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }
";

impl Printer<'_> {
    /// The source once more as what its elements are made of, where the kernel loads that.
    pub(super) fn word_pointers(&self, text: &mut String) -> std::fmt::Result {
        let by_word = |stmt: &Stmt| matches!(stmt, Stmt::Load { memory: Memory::SourceWords, .. });
        if !self.kernel.body.iter().any(by_word) {
            return Ok(());
        }
        let (global, word, (_, [restrict, _])) = (self.words.global, name_of(self.kernel.element.0), self.pointed_to());
        writeln!(text, "    {global}const {word}* {restrict} source_words = ({global}const {word}*)source;")
    }

    pub(super) fn sin_cos(&self, text: &mut String, trig: Trig, angle: Id, (sin, cos): (u32, u32)) -> std::fmt::Result {
        let ty = self.kernel.values[angle.0 as usize].0;
        let (name, angle) = (name_of(ty), self.operand(angle));
        let cuda_f32 = self.dialect == Dialect::Cuda && ty == Type::F32;
        let (f, [native_sin, native_cos]) =
            if cuda_f32 { ("f", ["__sinf", "__cosf"]) } else { ("", ["native_sin", "native_cos"]) };
        match (trig, self.dialect) {
            (Trig::SinCos, Dialect::Cuda) => {
                writeln!(text, "    {name} v{sin}, v{cos};\n    sincos{f}({angle}, &v{sin}, &v{cos});")
            }
            (Trig::SinCos, _) => {
                writeln!(text, "    {name} v{cos};\n    const {name} v{sin} = sincos({angle}, &v{cos});")
            }
            (Trig::SinAndCos, _) => {
                writeln!(text, "    const {name} v{sin} = sin{f}({angle});\n    const {name} v{cos} = cos{f}({angle});")
            }
            (Trig::Native, _) => writeln!(
                text,
                "    const {name} v{sin} = {native_sin}({angle});\n    const {name} v{cos} = {native_cos}({angle});"
            ),
        }
    }
}
