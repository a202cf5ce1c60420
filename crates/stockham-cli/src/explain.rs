//! `stockham explain`: how a transform would be computed, without computing it.

use std::io::Write;

use serde::Serialize;
use stockham::kernel::{self, Dialect};
use stockham::plan::{self, Choice, Recipe};
use stockham::{Backend, Device, DeviceInfo, Executable, KernelReport, Transform};

use crate::args::{AlgebraArgs, DeviceArg, KindArgs};
use crate::error::{Error, Result};
use crate::output::{Files, RecordArgs};
use crate::size::{self, Shape};
use crate::table::{Align, Table};

/// Print how a transform is computed: its passes, and what its kernels cost
#[derive(clap::Args)]
pub struct Args {
    /// Points of the transform: 1048576, 2^20, 1Mi; of several dimensions, outermost first: 1024x1024, 64x64x64
    #[arg(value_name = "SHAPE", value_parser = Shape::parse)]
    shape: Shape,
    #[command(flatten)]
    kind: KindArgs,
    /// The inverse transform
    #[arg(long)]
    inverse: bool,
    /// How many transforms
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = size::parse_positive)]
    batch: usize,
    /// Passes chosen by hand, COLUMNSxROWSxSTAGE.STAGE… each: 16x16x16.16/16x16x16.16, c8/32x16x16.16/32x16x16.16 in
    /// clusters of 8 work-groups
    #[arg(long, value_name = "CHOICE")]
    choice: Option<Choice>,
    /// Print the source of the kernels as well
    #[arg(long)]
    source: bool,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().record(&self.record.json)
    }
}

#[derive(Serialize)]
struct Document<'a> {
    device: &'a DeviceInfo,
    recipe: &'a Recipe,
    kernels: Vec<Kernel>,
}

/// What the device's compiler told of a kernel.
#[derive(Serialize)]
struct Kernel {
    name: String,
    registers: Option<u32>,
    spilled_bytes: Option<u32>,
    local_bytes: usize,
}

impl Args {
    fn transform(&self) -> Result<Transform> {
        let lengths = self.shape.lengths();
        let axes: Vec<usize> = (0..lengths.len()).collect();
        let forward = Transform::along(self.algebra.algebra(), self.kind.kind(), lengths, &axes)?.batch(self.batch);
        Ok(if self.inverse { forward.inverse() } else { forward })
    }
}

/// Whether a device's wisdom speaks of a transform. Of several dimensions, what it knows nothing of is planned, so that
/// there is always advice: it is wisdom if the planner alone would have it otherwise.
pub fn is_advised(device: &Device, transform: &Transform) -> bool {
    let is_planned = |recipe: &Recipe| plan::plan(transform, device.info()).is_ok_and(|planned| planned == *recipe);
    device.advised(transform).is_some_and(|recipe| transform.dims.len() == 1 || !is_planned(&recipe))
}

/// Prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let device = args.device.open()?;
    let transform = args.transform()?;
    let executable = match &args.choice {
        Some(choice) => device.prepare(choice.realise(&transform, device.info())?)?,
        None => device.plan(&transform)?,
    };
    writeln!(out, "on {} ({})", device.info().id, device.info().name)?;
    write!(out, "{}", executable.recipe())?;
    let is_advice = || device.advised(&transform).as_ref() == Some(executable.recipe());
    if args.choice.is_none() && is_advised(&device, &transform) && is_advice() {
        writeln!(out, "chosen by wisdom, not by the planner's model")?;
    }
    print_reports(&executable.kernel_reports(), out)?;
    if args.source {
        print_sources(&executable, out)?;
    }
    let kernels = executable.kernel_reports().into_iter().map(|report| Kernel {
        name: report.name,
        registers: report.registers,
        spilled_bytes: report.spilled_bytes,
        local_bytes: report.local_bytes as usize,
    });
    let (device, recipe) = (device.info(), executable.recipe());
    args.record.file().finish(&Document { device, recipe, kernels: kernels.collect() })
}

/// The text of every kernel.
fn print_sources(executable: &Executable, out: &mut dyn Write) -> Result<()> {
    let info = executable.device().info();
    let dialect = match info.backend {
        Backend::Cuda => Dialect::Cuda,
        // NVIDIA's OpenCL takes PTX within kernels, and the driver compiles such kernels there.
        Backend::Opencl if info.compute_capability.is_some() => Dialect::OpenClNvidia,
        Backend::Opencl => Dialect::OpenCl,
        _ => return Err(Error::input("the CPU runs no kernels: --source needs an OpenCL or CUDA device")),
    };
    for text in kernel::texts(executable.recipe(), dialect) {
        writeln!(out, "\n// {}, {} work-items a group\n{}", text.name, text.group, text.source.trim_end())?;
    }
    Ok(())
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
