//! Two kernels as one: its first work-groups do the work of the first, the others that of the second.

use std::fmt::Write;

use crate::algebra::Primitives;

use super::{Alignment, Dialect, Kernel, Memory, Printer, Variant, vector};

/// The name of the kernel.
pub(in crate::kernel) fn pair_name([first, second]: [&Kernel; 2]) -> String {
    format!("{}_{}", first.name, second.name)
}

/// The text of a kernel for a pass from the input and a pass to the output, which have work-groups of the same size.
///
/// Its arguments are those of both, the first's before the second's, and the number of the first's work-groups. The
/// second reads what launches before have written, and waits for them. The first does not, unless there is nothing to do
/// for the second: then this launch is the first of a run.
pub(in crate::kernel) fn print_pair(pair: &[Kernel; 2], dialect: Dialect, primitives: &Primitives) -> String {
    let words = dialect.words();
    let printer = |number: usize| Printer {
        kernel: &pair[number],
        dialect,
        alignment: Alignment::Vector,
        words,
        waits: dialect == Dialect::Cuda,
        group: "group_number",
        streamed: Some([Memory::Source, Memory::Target][number]),
        fast: primitives.fast,
        part: None,
    };
    let printers = [printer(0), printer(1)];
    write_pair(&printers, &primitives.text).expect("writing to a string does not fail")
}

fn write_pair(printers: &[Printer<'_>; 2], primitives: &str) -> Result<String, std::fmt::Error> {
    let kernels = [printers[0].kernel, printers[1].kernel];
    let words = printers[0].words;
    let mut text = printers[0].head(primitives);
    for (number, printer) in printers.iter().enumerate() {
        writeln!(
            text,
            "\nFUNCTION void {}_part({},\n    {}{}* tile, const u32 group_number)\n{{",
            kernels[number].name,
            printer.parameters(),
            words.local,
            vector(kernels[number].tile)
        )?;
        printer.pointers(&mut text)?;
        printer.body(&mut text, Variant::Any)?;
        text.push_str("}\n");
    }
    let registers = kernels.map(|kernel| kernel.registers);
    let bounds = printers[0].bounds(registers[0].max(registers[1]));
    let parameters = printers.each_ref().map(Printer::parameters);
    let [first, second] = ["first_", "second_"].map(|of| move |name: &str| format!("{of}{name}"));
    let named = |text: &str, name: &dyn Fn(&str) -> String| {
        let renamed = |text: String, old: &str| text.replace(old, &name(old));
        NAMES.iter().fold(text.to_owned(), |text, old| renamed(text, old))
    };
    writeln!(
        text,
        "\n{}{bounds} void {}({},\n    {},\n    const u64 groups_wide)\n{{",
        words.kernel,
        pair_name(kernels),
        named(&parameters[0], &first),
        named(&parameters[1], &second)
    )?;
    let place_bytes = kernels[0].tile.0.bytes() * kernels[0].tile.1;
    let tile_len = kernels.map(|kernel| kernel.tile_bytes().div_ceil(place_bytes)).into_iter().fold(1, usize::max);
    text.push_str(&printers[0].tile(tile_len, printers.iter().find_map(Printer::tile_alignment)));
    let call = |number: usize, name: &dyn Fn(&str) -> String| {
        let arguments: Vec<String> = NAMES.iter().map(|n| name(n)).collect();
        let tile = format!("({}{}*)tile", words.local, vector(kernels[number].tile));
        format!("{}_part({}, {tile}, ", kernels[number].name, arguments.join(", "))
    };
    let group = words.group;
    writeln!(text, "    const u32 groups = (u32)groups_wide;")?;
    let (next, wait) = if printers[0].waits { (" LAUNCH_NEXT", " LAUNCH_WAIT LAUNCH_NEXT") } else { ("", "") };
    writeln!(text, "    if ({group} < groups) {{")?;
    if !wait.is_empty() {
        writeln!(text, "        if (second_columns_wide == 0) {{{wait} }} else {{{next} }}")?;
    }
    writeln!(text, "        {}(u32){group});", call(0, &first))?;
    writeln!(text, "    }} else {{{wait}")?;
    writeln!(text, "        {}(u32){group} - groups);\n    }}\n}}", call(1, &second))?;
    Ok(text)
}

/// The parameters of a pass, in order.
const NAMES: [&str; 6] = ["source_base", "source_offset", "target_base", "target_offset", "table", "columns_wide"];
