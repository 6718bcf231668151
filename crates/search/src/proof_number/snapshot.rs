//! A look at a depth-first search while it runs, and its table as a file.
//!
//! A file is one line that names the format, one line of the caller's, the number of entries, entries of two
//! words (key and data) up to one that is 0, and a checksum of all that; words are little-endian. It means the
//! same on every machine. Threads may go on while it is written: every entry is true by itself, and their
//! number need not be exact.
//!
//! Results are facts for the game they come from. Entries for one way to a position are true for that way.
//! Ways depend on the setting of `symmetry`, so a table is only used with its own setting.

use std::io::{self, Read, Write};

use spinney_game::{PackedMove, Side};

use super::depth_first::mix;
use super::table::Table;
use crate::ProofNumbers;

/// The first line of a file.
const FORMAT: &str = "spinney-table 1\n";
/// The longest line of the caller's.
const LONGEST_HEADER: usize = 1000;
/// The bytes of an entry.
const ENTRY: usize = 16;
/// Entries of least work in a file of proofs are left out as long as it has more bytes than this.
pub const MOST_PROOF_BYTES: usize = 5_000_000;

/// A search at one moment.
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub(super) table: &'a Table,
    /// Positions generated.
    pub nodes: u64,
    /// The side whose win is in question.
    pub attacker: Side,
    /// The moves of the root with the numbers of the positions they lead to, as last stored; none if there
    /// is no search.
    pub moves: Vec<(PackedMove, ProofNumbers)>,
}

impl Snapshot<'_> {
    /// Positions in the table.
    pub fn entries(&self) -> usize {
        self.table.len()
    }

    /// Bytes that the table uses.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Writes the whole table; `header` is a line of the caller's.
    pub fn write(&self, header: &str, out: &mut dyn Write) -> io::Result<()> {
        write(header, self.table.len(), self.table.entries(), out)
    }

    /// Writes the results that cost most work, at most [`MOST_PROOF_BYTES`].
    pub fn write_proofs(&self, header: &str, out: &mut dyn Write) -> io::Result<()> {
        let most = (MOST_PROOF_BYTES - FORMAT.len() - LONGEST_HEADER) / ENTRY - 2;
        let proofs = self.table.proofs(most);
        write(header, proofs.len(), proofs.into_iter(), out)
    }
}

/// Sums up words in their order.
struct Checksum(u64);

impl Checksum {
    fn of(header: &str) -> Checksum {
        let mut sum = Checksum(0);
        header.bytes().for_each(|byte| sum.add(byte.into()));
        sum
    }

    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }
}

fn write(
    header: &str,
    count: usize,
    entries: impl Iterator<Item = (u64, u64)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let header = header.replace('\n', " ");
    if header.len() > LONGEST_HEADER {
        return Err(io::Error::other("the header is too long"));
    }
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    out.write_all(FORMAT.as_bytes())?;
    out.write_all(header.as_bytes())?;
    out.write_all(b"\n")?;
    out.write_all(&(count as u64).to_le_bytes())?;
    let mut sum = Checksum::of(&header);
    sum.add(count as u64);
    for (key, data) in entries {
        sum.add(key);
        sum.add(data);
        out.write_all(&key.to_le_bytes())?;
        out.write_all(&data.to_le_bytes())?;
    }
    out.write_all(&[0; ENTRY])?;
    out.write_all(&sum.0.to_le_bytes())?;
    out.flush()
}

/// Reads a file into a table; what the caller's line was. After an error the table may hold a part, which
/// must not be used.
pub(super) fn read(input: &mut dyn Read, table: &mut Table) -> io::Result<String> {
    let mut input = io::BufReader::with_capacity(1 << 16, input);
    let wrong = |problem: &str| io::Error::new(io::ErrorKind::InvalidData, problem);
    if line(&mut input)? + "\n" != FORMAT {
        return Err(wrong("no table of a solver, or one of another version"));
    }
    let header = line(&mut input)?;
    let mut sum = Checksum::of(&header);
    let mut word = || {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
    };
    // Entries come in the order of their keys, so a table that grew with them would have no room.
    let count = word()?;
    sum.add(count);
    table.make_room(count);
    loop {
        let (key, data) = (word()?, word()?);
        if key == 0 && data == 0 {
            break;
        }
        sum.add(key);
        sum.add(data);
        if !table.adopt(key, data) {
            return Err(wrong("damaged: an entry that no search makes"));
        }
    }
    if word()? != sum.0 {
        return Err(wrong("damaged: the checksum does not match"));
    }
    Ok(header)
}

/// A line without its end, of text that is not too long.
fn line(input: &mut impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    loop {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        match byte[0] {
            b'\n' => break,
            byte => bytes.push(byte),
        }
        if bytes.len() > LONGEST_HEADER {
            break;
        }
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use spinney_game::Rng;

    use super::super::numbers::{Ending, Known};
    use super::super::table::{Entry, is_result};
    use super::*;

    fn snapshot(table: &Table) -> Snapshot<'_> {
        Snapshot { table, nodes: 0, attacker: Side::First, moves: Vec::new() }
    }

    fn filled(count: u32) -> Table {
        let mut table = Table::new(1 << 24).unwrap();
        let mut rng = Rng::new(1);
        for number in 0..count {
            let known = match number % 3 {
                0 => Known::success(Ending::decisive(number)),
                1 => Known::failure(Ending::rests_on(number)),
                _ => Known::open(1 + number, 1 + rng.below(1000)),
            };
            table.store(rng.next_u64(), Entry { known, has_ways: false }, number.into());
            if table.is_crowded() {
                table.grow();
            }
        }
        table
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let table = filled(50_000);
        let mut file = Vec::new();
        snapshot(&table).write("a line", &mut file).unwrap();
        let mut read_again = Table::new(1 << 24).unwrap();
        assert_eq!(read(&mut file.as_slice(), &mut read_again).unwrap(), "a line");
        let sorted = |table: &Table| {
            // Numbers may give way to results in a full bucket.
            let mut results: Vec<_> =
                table.entries().filter(|&(_, data)| is_result(data)).collect();
            results.sort_unstable();
            results
        };
        assert_eq!(sorted(&table), sorted(&read_again));
        assert!(read_again.len() >= 47_000, "{}", read_again.len());
    }

    #[test]
    fn damage_is_found() {
        let mut file = Vec::new();
        snapshot(&filled(100)).write("a line", &mut file).unwrap();
        for place in 0..file.len() {
            let mut damaged = file.clone();
            damaged[place] ^= 1 << (place % 8);
            let mut table = Table::new(1 << 20).unwrap();
            assert!(read(&mut damaged.as_slice(), &mut table).is_err(), "byte {place}");
            let mut table = Table::new(1 << 20).unwrap();
            assert!(read(&mut &file[..place], &mut table).is_err(), "cut at {place}");
        }
    }

    #[test]
    fn proofs_are_the_results_that_cost_most() {
        let table = filled(1000);
        let proofs = table.proofs(50);
        assert_eq!(proofs.len(), 50);
        // Of the 334 wins the last cost most; what rests on a way is no proof for others.
        let mut file = Vec::new();
        write("", proofs.len(), proofs.into_iter(), &mut file).unwrap();
        let mut read_again = Table::new(0).unwrap();
        read(&mut file.as_slice(), &mut read_again).unwrap();
        let plies = |(key, _)| read_again.probe(key).unwrap().known.ending.plies().unwrap();
        assert!(read_again.entries().map(plies).all(|plies| plies > 500));
    }
}
