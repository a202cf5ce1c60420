//! The `stockham` command.

mod args;
mod batches;
mod bench;
mod cache;
mod convolve;
mod devices;
mod elements;
mod error;
mod explain;
mod fft;
mod fields;
mod filter;
mod input;
mod intmul;
mod lab;
mod memory;
mod npy;
mod ntt;
mod origin;
mod output;
mod peer;
mod pixels;
mod plot;
mod polymul;
mod progress;
mod report;
mod shell;
mod size;
mod sizes;
mod sound_stream;
mod spectrum;
mod stft;
mod survey;
mod table;
mod tune;
mod verify;
mod wisdom_file;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use error::Result;
use output::Files;

/// Fourier transforms on GPUs and CPUs, over the complex numbers and over finite fields.
#[derive(Parser)]
#[command(name = "stockham", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print no report and no progress, only results that are asked for on standard output with -
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Compute with so many threads of the host. Without it: $RAYON_NUM_THREADS, or one for each core
    #[arg(long, value_name = "N", global = true, value_parser = size::parse_positive)]
    threads: Option<usize>,
}

/// What stands below the help.
const AFTER_HELP: &str = "\
Files: - is standard input or standard output. Reports then go to standard error.

Exit codes: 0 all is well; 1 the work failed, memory was short, a result is wrong or could not be written;
2 bad use: an argument, an input file or a name that makes no sense. A signal ends the command as shells tell it,
by 128 and its number, and leaves no unfinished file.";

#[derive(Subcommand)]
enum Command {
    Devices(devices::Args),
    Fft(fft::Args),
    Ntt(ntt::Args),
    Convolve(convolve::Args),
    Filter(filter::Args),
    Stft(stft::Args),
    Fields(fields::Args),
    Intmul(intmul::Args),
    Polymul(polymul::Args),
    Spectrum(spectrum::Args),
    Explain(explain::Args),
    Bench(bench::Args),
    Verify(verify::Args),
    Survey(survey::Args),
    Tune(tune::Args),
    Lab(lab::Args),
    Cache(cache::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

impl Command {
    /// The files on the command line.
    fn files(&self) -> Files<'_> {
        match self {
            Self::Fft(args) => args.files(),
            Self::Ntt(args) => args.files(),
            Self::Convolve(args) => args.files(),
            Self::Filter(args) => args.files(),
            Self::Stft(args) => args.files(),
            Self::Intmul(args) => args.files(),
            Self::Polymul(args) => args.files(),
            Self::Spectrum(args) => args.files(),
            Self::Bench(args) => args.files(),
            Self::Verify(args) => args.files(),
            Self::Survey(args) => args.files(),
            Self::Tune(args) => args.files(),
            Self::Lab(args) => args.files(),
            Self::Devices(args) => args.files(),
            Self::Fields(args) => args.files(),
            Self::Explain(args) => args.files(),
            Self::Cache(_) | Self::Completions(_) | Self::Man(_) => Files::default(),
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    let files = cli.command.files();
    files.check()?;
    stockham::cache::check()?;
    let threads = stockham::threads::start(cli.threads)?;
    // What the command itself computes is shared out by rayon, over as many.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| stockham::Error::Threads { requested: threads, reason: error.to_string() })?;
    if cli.quiet {
        progress::be_quiet();
    }
    let mut out = report::writer(cli.quiet, files.take_standard_output());
    match &cli.command {
        Command::Devices(args) => devices::run(args, &mut out),
        Command::Fft(args) => fft::run(args, &mut out),
        Command::Ntt(args) => ntt::run(args, &mut out),
        Command::Convolve(args) => convolve::run(args, &mut out),
        Command::Filter(args) => filter::run(args, &mut out),
        Command::Stft(args) => stft::run(args, &mut out),
        Command::Fields(args) => fields::run(args, &mut out),
        Command::Intmul(args) => intmul::run(args, &mut out),
        Command::Polymul(args) => polymul::run(args, &mut out),
        Command::Spectrum(args) => spectrum::run(args, &mut out),
        Command::Explain(args) => explain::run(args, &mut out),
        Command::Bench(args) => bench::run(args, &mut out),
        Command::Verify(args) => verify::run(args, &mut out),
        Command::Survey(args) => survey::run(args, &mut out),
        Command::Tune(args) => tune::run(args, &mut out),
        Command::Lab(args) => lab::run(args, &mut out),
        Command::Cache(args) => cache::run(args, &mut out),
        Command::Completions(args) => shell::completions(args, Cli::command(), &mut out),
        Command::Man(args) => shell::man(args, Cli::command(), &mut out),
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
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if standard error is gone too.
            let _ = writeln!(std::io::stderr(), "stockham: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
