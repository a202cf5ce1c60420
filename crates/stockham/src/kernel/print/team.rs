//! What the threads of a team differ in: where their digits begin, and their part of local memory.

use std::fmt::Write;

use super::Printer;
use crate::plan::WARP;

impl Printer<'_> {
    /// The words that the functions of a team are written in.
    pub(super) fn team_words(&self) -> String {
        if self.kernel.team == 1 {
            return String::new();
        }
        let mask = u32::MAX >> (WARP - self.kernel.group.min(WARP));
        format!("#define THREAD {}\n#define WARP_MASK {mask:#x}\n", self.words.thread)
    }

    fn lane(&self) -> String {
        format!("{} % {}", self.words.thread, self.kernel.team)
    }

    /// Moves what points to elements on to a thread's first digit.
    pub(super) fn team_pointers(&self, text: &mut String) -> std::fmt::Result {
        let (team, digits) = (self.kernel.team, self.kernel.element.1);
        let Some([(_, source), (_, target)]) = self.kernel.digit_strides.filter(|_| team > 1) else { return Ok(()) };
        for (name, between) in [("source", source), ("target", target), ("table", 1)] {
            writeln!(text, "    {name} += (u64)({}) * {}ul;", self.lane(), digits / team * between)?;
        }
        Ok(())
    }

    /// The name of the whole tile, and the declaration of a thread's part.
    pub(super) fn team_tile(&self, len: usize, place: &str) -> (&str, String) {
        let team = self.kernel.team;
        if team == 1 {
            return ("tile", String::new());
        }
        ("tiles", format!("    {}{place}* const tile = tiles + {} * {};\n", self.words.local, self.lane(), len / team))
    }
}
