//! `stockham completions` and `stockham man`: what shells and manuals know of the command.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

use crate::error::Result;

/// Print the completions of a shell, to be read by it: stockham completions bash > ~/.local/share/bash-completion/completions/stockham
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page: stockham man > stockham.1
#[derive(clap::Args)]
pub struct ManArgs {
    /// Of a subcommand
    #[arg(value_name = "COMMAND")]
    subcommand: Option<String>,
}

/// Prints the completions.
pub fn completions(args: &CompletionsArgs, mut command: Command, out: &mut dyn Write) -> Result<()> {
    // The generator would panic where the reader has gone.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "stockham", &mut text);
    Ok(out.write_all(&text)?)
}

/// Prints the page.
pub fn man(args: &ManArgs, mut command: Command, out: &mut dyn Write) -> Result<()> {
    command.build();
    let command = match &args.subcommand {
        None => command,
        Some(name) => {
            let Some(subcommand) = command.find_subcommand(name) else {
                return Err(crate::error::Error::input(format!("there is no command '{name}'")));
            };
            subcommand.clone()
        }
    };
    Ok(clap_mangen::Man::new(command).render(&mut &mut *out)?)
}
