//! Tables for people: columns in line.

/// A text whose Markdown tables are set in columns; everything else stays as it is.
pub(crate) fn aligned(markdown: &str) -> String {
    let mut text = String::new();
    let mut rows: Vec<Vec<&str>> = Vec::new();
    // An empty line at the end ends the last table.
    for line in markdown.lines().chain([""]) {
        if let Some(row) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
            rows.push(row.split('|').map(str::trim).collect());
            continue;
        }
        write_rows(&rows, &mut text);
        rows.clear();
        text += line;
        text += "\n";
    }
    text.pop();
    text
}

fn write_rows(rows: &[Vec<&str>], text: &mut String) {
    let is_rule =
        |row: &[&str]| row.iter().all(|cell| cell.trim_matches(':').chars().all(|c| c == '-'));
    let rows: Vec<&Vec<&str>> = rows
        .iter()
        .enumerate()
        .filter(|(number, row)| *number != 1 || !is_rule(row))
        .map(|(_, row)| row)
        .collect();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        *text += cells.join("  ").trim_end();
        *text += "\n";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_line() {
        let markdown =
            "# T\n\n| | a | b |\n|---|---|---:|\n| long | 1.0 ± 2 | |\n| x | y | z |\n\nend\n";
        let expected = "# T\n\n      a        b\nlong  1.0 ± 2\nx     y        z\n\nend\n";
        assert_eq!(aligned(markdown), expected);
        assert_eq!(aligned("no table\n| a |\n"), "no table\na\n");
    }
}
