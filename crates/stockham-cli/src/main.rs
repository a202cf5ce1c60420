//! The `stockham` command.

mod args;
mod batches;
mod bench;
mod devices;
mod error;
mod explain;
mod fft;
mod fields;
mod input;
mod intmul;
mod lab;
mod npy;
mod ntt;
mod origin;
mod output;
mod peer;
mod plot;
mod polymul;
mod progress;
mod size;
mod sizes;
mod spectrum;
mod table;
mod tune;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::Result;

/// Fourier transforms on GPUs and CPUs, over the complex numbers and over finite fields.
#[derive(Parser)]
#[command(name = "stockham", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Devices(devices::Args),
    Fft(fft::Args),
    Ntt(ntt::Args),
    Fields(fields::Args),
    Intmul(intmul::Args),
    Polymul(polymul::Args),
    Spectrum(spectrum::Args),
    Explain(explain::Args),
    Bench(bench::Args),
    Verify(verify::Args),
    Tune(tune::Args),
    Lab(lab::Args),
}

fn run(command: Command) -> Result<()> {
    // One buffered writer for standard output: `println!` would panic when the reader has gone.
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match command {
        Command::Devices(args) => devices::run(&args, &mut out),
        Command::Fft(args) => fft::run(&args, &mut out),
        Command::Ntt(args) => ntt::run(&args, &mut out),
        Command::Fields(args) => fields::run(&args, &mut out),
        Command::Intmul(args) => intmul::run(&args, &mut out),
        Command::Polymul(args) => polymul::run(&args, &mut out),
        Command::Spectrum(args) => spectrum::run(&args, &mut out),
        Command::Explain(args) => explain::run(&args, &mut out),
        Command::Bench(args) => bench::run(&args, &mut out),
        Command::Verify(args) => verify::run(&args, &mut out),
        Command::Tune(args) => tune::run(&args, &mut out),
        Command::Lab(args) => lab::run(&args, &mut out),
    }?;
    Ok(out.flush()?)
}

/// The command line; or the exit code, once its fault is told in the manner of all others.
fn parse() -> std::result::Result<Cli, ExitCode> {
    Cli::try_parse().map_err(|error| {
        let help = error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        if help || !error.use_stderr() {
            error.exit();
        }
        let text = error.to_string();
        let told = text.split("\n\nUsage:").next().and_then(|text| text.split("\n\nFor more").next()).unwrap_or(&text);
        let words: Vec<&str> = told.trim_start_matches("error: ").split_whitespace().collect();
        let _ = writeln!(std::io::stderr(), "stockham: {}", words.join(" "));
        ExitCode::from(2)
    })
}

fn main() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if standard error is gone too.
            let _ = writeln!(std::io::stderr(), "stockham: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
