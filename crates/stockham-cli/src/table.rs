//! Tables on standard output: columns as wide as their widest cell.

use std::io::{self, Write};

/// How a column lines up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A row of cells in columns that are so wide, or as wide as the cell if that is wider; cells that are missing stay empty.
pub fn line(columns: &[(usize, Align)], cells: &[String]) -> String {
    let mut line = String::new();
    for (i, (width, align)) in columns.iter().enumerate() {
        let cell = cells.get(i).map_or("", String::as_str);
        let blank = " ".repeat(width.saturating_sub(cell.chars().count()));
        let (before, after) = if *align == Align::Left { ("", blank.as_str()) } else { (blank.as_str(), "") };
        line.extend([if i > 0 { "  " } else { "" }, before, cell, after]);
    }
    line.trim_end().to_owned()
}

/// Rows of cells under a heading.
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these columns.
    pub fn new(columns: &[(&str, Align)]) -> Self {
        Self { columns: columns.iter().map(|(name, align)| ((*name).to_owned(), *align)).collect(), rows: Vec::new() }
    }

    /// Adds a row; cells that are missing stay empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Prints heading and rows.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let heading: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let columns = self.columns.iter().enumerate().map(|(i, (_, align))| (self.width(i), *align));
        let columns: Vec<_> = columns.collect();
        for row in std::iter::once(&heading).chain(&self.rows) {
            writeln!(out, "{}", line(&columns, row))?;
        }
        Ok(())
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).chain([&self.columns[column].0]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[("n", Align::Right), ("why", Align::Left)]);
        table.row(["1024".into(), "ÿ".into()]);
        table.row(["7".into()]);
        let mut text = Vec::new();
        table.print(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "   n  why\n1024  ÿ\n   7\n");
    }
}
