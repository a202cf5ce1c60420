//! Where reports go: to standard output, or to standard error if a result goes there, or nowhere.

use std::io::{self, BufWriter, Write};

/// A writer for what a command tells. One buffer for all of it: `println!` would panic when the reader has gone.
pub fn writer(is_quiet: bool, is_output_taken: bool) -> Box<dyn Write> {
    if is_quiet {
        return Box::new(io::sink());
    }
    if is_output_taken { Box::new(BufWriter::new(io::stderr())) } else { Box::new(BufWriter::new(io::stdout())) }
}
