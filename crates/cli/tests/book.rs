//! The book: links lead somewhere, commands print what pages show, numbers are those of the records.
//!
//! `UPDATE_BOOK=1 cargo test -p spinney --test book` writes the blocks that come from records again.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

mod common;

/// Numbers that a paragraph may have; more belong in a table.
const MOST_NUMBERS: usize = 6;
/// Pages that are generated as a whole, or lists of literature.
const NOT_PROSE: [&str; 5] = [
    "docs/claims.md",
    "references.md",
    "reference/commands.md",
    "reference/players.md",
    "SUMMARY.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the source tree")
}

struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn read(path: PathBuf) -> Page {
        let text = fs::read_to_string(&path).expect("a page");
        Page { path, text }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let (mut inside, mut before) = (false, "");
        for (number, line) in self.text.lines().enumerate() {
            match (line.trim_start().strip_prefix("```"), blocks.last_mut()) {
                (Some(_), _) if inside => inside = false,
                (Some(kind), _) => {
                    let place = format!("{}:{}", self.path.display(), number + 1);
                    let is_long = before.starts_with("<!-- long: ");
                    blocks.push(Block { kind: kind.into(), lines: Vec::new(), is_long, place });
                    inside = true;
                }
                (None, Some(block)) if inside => block.lines.push(line.to_owned()),
                _ => {}
            }
            if !line.is_empty() {
                before = line;
            }
        }
        assert!(!inside, "{}: a block without an end", self.path.display());
        blocks
    }

    /// Lines outside of blocks, without code spans.
    fn prose(&self) -> Vec<String> {
        let mut inside = false;
        let mut prose = Vec::new();
        for line in self.text.lines() {
            let is_fence = line.trim_start().starts_with("```");
            let words: String = match inside || is_fence {
                true => String::new(),
                false => line.split('`').step_by(2).collect(),
            };
            prose.push(words);
            inside ^= is_fence;
        }
        prose
    }

    /// The names that links to headings use, on GitHub and in the book.
    fn anchors(&self) -> HashSet<String> {
        let mut inside = false;
        let mut anchors = HashSet::new();
        for line in self.text.lines() {
            inside ^= line.starts_with("```");
            let title = line.trim_start_matches('#');
            if !inside && title.len() < line.len() && title.starts_with(' ') {
                let kept = title.trim().chars().filter_map(|c| match c {
                    ' ' => Some('-'),
                    c if c.is_alphanumeric() || "-_".contains(c) => Some(c),
                    _ => None,
                });
                anchors.insert(kept.collect::<String>().to_lowercase());
            }
        }
        anchors
    }
}

struct Block {
    kind: String,
    lines: Vec<String>,
    is_long: bool,
    place: String,
}

impl Block {
    /// The commands of a console with the lines that they print.
    fn commands(&self) -> Vec<(&str, Vec<&str>)> {
        let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
        for line in &self.lines {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command, Vec::new())),
                (None, Some((_, output))) => output.push(line),
                (None, None) => panic!("{}: begins without a command", self.place),
            }
        }
        commands
    }
}

fn files_below(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

fn docs() -> Vec<Page> {
    let mut paths = Vec::new();
    files_below(&root().join("docs"), "md", &mut paths);
    paths.into_iter().map(Page::read).collect()
}

fn pages() -> Vec<Page> {
    let others = ["README.md", "CONTRIBUTING.md"].map(|name| Page::read(root().join(name)));
    docs().into_iter().chain(others).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let folder = page.path.parent().expect("a folder");
        let prose = page.prose().join("\n");
        for rest in prose.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or_default();
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.path.clone() } else { folder.join(file) };
            // Outside of docs/ the book has no page for a text, but reports have both forms.
            let page_of_book = page.path.starts_with(root().join("docs")) && file.ends_with(".md");
            let in_book = |to: PathBuf| to.starts_with(root().join("docs"));
            let is_shown = !page_of_book
                || path.canonicalize().is_ok_and(in_book)
                || path.with_extension("html").exists();
            let is_there = path.exists()
                && is_shown
                && (anchor.is_empty() || Page::read(path).anchors().contains(anchor));
            if !is_there {
                dead.push(format!("{}: {target}", page.path.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary");
    for page in docs() {
        let name = page.path.strip_prefix(root().join("docs")).expect("below");
        let name = name.display().to_string().replace('\\', "/");
        // The book links to the page of claims as it was made.
        let is_listed = ["SUMMARY.md", "claims.md"].contains(&&*name);
        assert!(is_listed || summary.contains(&format!("]({name})")), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn commands_print_what_the_pages_show() {
    let program = Path::new(env!("CARGO_BIN_EXE_spinney"));
    let search_path = std::env::join_paths(
        std::iter::once(program.parent().expect("a folder").to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .expect("a search path");
    for (number, page) in pages().iter().enumerate() {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{number}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        for block in page.blocks().iter().filter(|block| block.kind == "console") {
            for (command, expected) in block.commands() {
                assert!(command.contains("spinney"), "{}: {command}", block.place);
                if block.is_long {
                    check_options(program, command, &block.place);
                    continue;
                }
                let output = Command::new("sh")
                    .args(["-c", command])
                    .current_dir(&folder)
                    .env("PATH", &search_path)
                    .output()
                    .expect("a shell");
                let text = String::from_utf8_lossy(&output.stdout);
                let problem = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{}: {command}: {problem}", block.place);
                let lines: Vec<&str> = text.lines().collect();
                assert!(fits(&expected, &lines), "{}: {command} prints\n{text}", block.place);
            }
        }
    }
}

/// What other programs are needed for is not run.
#[cfg(unix)]
#[test]
fn options_in_scripts_exist() {
    let program = Path::new(env!("CARGO_BIN_EXE_spinney"));
    for page in pages() {
        for block in page.blocks().iter().filter(|block| block.kind == "sh") {
            for line in block.lines.iter().filter(|line| line.starts_with("spinney ")) {
                let command = line.split([';', '|', '>', '#']).next().unwrap_or_default();
                check_options(
                    program,
                    command.split("&&").next().unwrap_or_default(),
                    &block.place,
                );
            }
        }
    }
}

/// Whether output is as shown; `…` stands for any lines, or for any part of a line.
#[cfg(unix)]
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&"…", rest)), _) => {
            (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..]))
        }
        (Some((line, rest)), Some((first, others))) => {
            let fits_line = match line.split_once('…') {
                None => line.trim_end() == first.trim_end(),
                Some((begin, end)) => first.starts_with(begin) && first.ends_with(end),
            };
            fits_line && fits(rest, others)
        }
        (Some(_), None) => false,
    }
}

/// A command that takes long: its options must exist.
#[cfg(unix)]
fn check_options(program: &Path, command: &str, place: &str) {
    let unquoted: String = command.split('\'').step_by(2).collect();
    let words = unquoted.split_whitespace().skip(1);
    let names = words.clone().take(2).take_while(|word| !word.starts_with('-'));
    let help = Command::new(program).args(names).arg("--help").output().expect("help");
    let help = String::from_utf8_lossy(&help.stdout);
    for option in words.filter(|word| word.starts_with("--")) {
        assert!(help.contains(option), "{place}: {command}: no {option}");
    }
}

#[test]
fn the_page_of_commands_is_up_to_date() {
    let path = root().join("docs/reference/commands.md");
    let page = common::stdout(&["man", "--markdown"]);
    if std::env::var_os("UPDATE_BOOK").is_some() {
        fs::write(path, page).expect("a page");
    } else {
        assert_eq!(page, Page::read(path).text, "UPDATE_BOOK=1 writes it again");
    }
}

#[test]
fn numbers_are_those_of_the_records() {
    for page in pages() {
        let mut text = String::new();
        let mut rest = page.text.as_str();
        while let Some((before, after)) = rest.split_once("\n<!-- from ") {
            let (source, old) = after.split_once(" -->\n").expect("the end of a comment");
            let (_, after) = old.split_once("<!-- end -->").expect("the end of a block");
            text += before;
            text += &format!("\n<!-- from {source} -->\n\n{}\n\n<!-- end -->", quoted(source));
            rest = after;
        }
        text += rest;
        if std::env::var_os("UPDATE_BOOK").is_some() {
            fs::write(&page.path, &text).expect("a page");
        } else {
            assert!(text == page.text, "{}: UPDATE_BOOK=1 writes it again", page.path.display());
        }
    }
}

/// What a page shows of a record: a text as it is, the first table of a section, or a table of matches.
fn quoted(source: &str) -> String {
    let (file, section) = source.split_once('#').unwrap_or((source, ""));
    let text = fs::read_to_string(root().join(file)).expect(file);
    if file.ends_with(".md") {
        let from = text.find(&format!("\n## {section}: ")).expect(section);
        let lines = text[from..].lines().skip_while(|line| !line.starts_with('|'));
        let rows: Vec<String> =
            lines.take_while(|line| line.starts_with('|')).map(row_of_report).collect();
        return rows.join("\n");
    }
    if file.ends_with(".jsonl") {
        let rows: Vec<String> = text.lines().map(row_of_match).collect();
        return format!(
            "| A | B | limits | games | score of A, % |\n|---|---|---|---|---|\n{}",
            rows.join("\n")
        );
    }
    format!("```text\n{}\n```", text.trim_end())
}

/// Ours, the paper's and the difference on a line each; what was not published is left out.
fn row_of_report(row: &str) -> String {
    let cell = |cell: &str| {
        let parts = cell.split(" · ").map(str::trim);
        parts.filter(|part| *part != "–").collect::<Vec<_>>().join("<br>")
    };
    let cells = row.trim_matches('|').split('|').map(cell);
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

fn row_of_match(line: &str) -> String {
    let found: Value = serde_json::from_str(line).expect("a summary of a match");
    let name = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    let percent = |value: &Value| 100.0 * value.as_f64().unwrap_or(f64::NAN);
    let command = name("command");
    let words: Vec<&str> = command.split_whitespace().collect();
    let limits = words.windows(2).filter_map(|pair| match pair[0] {
        "--limit-a" => Some(format!("A {}", pair[1])),
        "--limit-b" => Some(format!("B {}", pair[1])),
        "--time" | "--nodes" | "--simulations" => Some(format!("{} {}", &pair[0][2..], pair[1])),
        _ => None,
    });
    let limits: Vec<String> = limits.collect();
    format!(
        "| `{}` | `{}` | {} | {} | {:.1} [{:.1}, {:.1}] |",
        name("a"),
        name("b"),
        limits.join(", "),
        found["games"],
        percent(&found["score_a"]),
        percent(&found["interval"][0]),
        percent(&found["interval"][1]),
    )
}

#[test]
fn rust_in_the_book_is_part_of_a_tested_file() {
    let mut sources = Vec::new();
    files_below(&root().join("examples"), "rs", &mut sources);
    let trimmed = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let sources: Vec<String> =
        sources.iter().map(|path| trimmed(&fs::read_to_string(path).expect("a source"))).collect();
    for page in pages() {
        for block in page.blocks().iter().filter(|block| block.kind.starts_with("rust")) {
            let code = trimmed(&block.lines.join("\n"));
            assert!(sources.iter().any(|source| source.contains(&code)), "{}", block.place);
        }
    }
}

/// Who reads it needs no other source.
#[test]
fn the_guide_to_a_game_has_the_whole_crate() {
    let guide = Page::read(root().join("docs/guides/add-a-game.md"));
    let shown: HashSet<String> = guide.text.lines().map(|line| line.trim().to_owned()).collect();
    for file in ["lib.rs", "main.rs"] {
        let source = fs::read_to_string(root().join("examples/connect-four/src").join(file));
        for line in source.expect("the example").lines().map(str::trim) {
            assert!(line.starts_with("//") || shown.contains(line), "{file}: {line}");
        }
    }
}

#[test]
fn no_paragraph_is_full_of_numbers() {
    let mut full = Vec::new();
    for page in pages() {
        if NOT_PROSE.iter().any(|name| page.path.ends_with(name)) {
            continue;
        }
        let (mut numbers, mut start) = (0, 1);
        for (number, line) in page.prose().iter().enumerate() {
            let item = line.trim_start();
            let digits = item.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_numbered = digits.len() < item.len() && digits.starts_with(". ");
            let begins = is_numbered || ["- ", "#"].iter().any(|mark| item.starts_with(mark));
            if item.is_empty() || begins {
                (numbers, start) = (0, number + 1);
            }
            if !item.starts_with('|') && !item.starts_with("<!--") {
                numbers += numbers_in(item);
            }
            if numbers > MOST_NUMBERS {
                full.push(format!("{}:{start}", page.path.display()));
                numbers = 0;
            }
        }
    }
    assert!(full.is_empty(), "{}", full.join("\n"));
}

/// Numbers that stand by themselves, outside of the targets of links; a year is none.
fn numbers_in(line: &str) -> usize {
    let mut parts = line.split("](");
    let first = parts.next().unwrap_or_default();
    let others = parts.map(|part| part.split_once(')').map_or("", |(_, rest)| rest));
    let shown: String = std::iter::once(first).chain(others).collect();
    let words = shown.split(|c: char| !c.is_alphanumeric() && !".,".contains(c));
    let is_year = |word: &str| word.len() == 4 && ["19", "20"].iter().any(|c| word.starts_with(c));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) && !is_year(word)).count()
}
