//! `stockham explain`: how a transform would be computed, without computing it.

use std::io::Write;

use stockham::{Device, Executable, KernelReport, Transform};

use crate::args::{AlgebraArgs, DeviceArg};
use crate::error::{Error, Result};
use crate::size;
use crate::table::{Align, Table};

/// Print how a transform is computed: its passes, and what its kernels cost
#[derive(clap::Args)]
pub struct Args {
    /// Points of the transform: 1048576, 2^20, 1Mi
    #[arg(value_name = "N", value_parser = size::parse_positive)]
    n: usize,
    /// How many transforms
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = size::parse_positive)]
    batch: usize,
    /// Print the source of the kernels as well
    #[arg(long)]
    source: bool,
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
}

/// Prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let device = args.device.open()?;
    let transform = Transform::new(args.algebra.algebra(), args.n).batch(args.batch);
    let executable = device.plan(&transform)?;
    writeln!(out, "{}", describe(&executable))?;
    print_reports(&executable.kernel_reports(), out)?;
    if args.source {
        writeln!(out, "\n{}", source(&executable, &device)?)?;
    }
    Ok(())
}

/// The recipe in words.
fn describe(executable: &Executable) -> String {
    format!("{:#?}", executable.recipe())
}

/// The text of every kernel.
fn source(executable: &Executable, device: &Device) -> Result<String> {
    let n = executable.transform().points();
    Err(Error::Library(stockham::Error::Unsupported {
        what: format!("the kernel source of {n} points on {}", device.info().id),
        reason: "this version does not print kernels".into(),
    }))
}

fn print_reports(reports: &[KernelReport], out: &mut dyn Write) -> Result<()> {
    if reports.is_empty() {
        return Ok(());
    }
    let unknown = |value: Option<u32>| value.map_or("?".to_owned(), |value| value.to_string());
    let mut table = Table::new(&[
        ("kernel", Align::Left),
        ("registers", Align::Right),
        ("spilled bytes", Align::Right),
        ("local bytes", Align::Right),
    ]);
    for report in reports {
        let cells = [unknown(report.registers), unknown(report.spilled_bytes), report.local_bytes.to_string()];
        table.row([report.name.clone()].into_iter().chain(cells));
    }
    writeln!(out)?;
    table.print(out)?;
    Ok(())
}
