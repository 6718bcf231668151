//! The win/draw/loss files of Syzygy tables (`.rtbw`).
//!
//! A file has, after four bytes of magic: flags; the order of the men; for each part (a side to
//! move, and with pawns a file of the leading pawn) a header with a dictionary; the indexes; the
//! lengths of the blocks; the blocks. Values are first paired, again and again, into symbols, and
//! symbols written in a canonical Huffman code. An index finds the block of a position.
//!
//! Whatever the bytes are, reading them does not panic: at worst there is no value.

use super::encoding::{Encoding, MOST_MEN, Material};

pub(super) const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// The last symbol of a pair that is no pair but a value.
const NO_SYMBOL: usize = 0xfff;

/// A table in memory.
pub(super) struct WdlTable {
    bytes: Vec<u8>,
    material: Material,
    /// By side to move and, if there are pawns, by file.
    parts: Vec<Vec<Part>>,
}

/// A side to move and a file of the leading pawn.
struct Part {
    encoding: Encoding,
    code: Code,
}

enum Code {
    /// All values are the same.
    Constant(u8),
    Blocks(Blocks),
}

/// Where things are in the file, and the dictionary.
struct Blocks {
    block_size: usize,
    /// Positions from one entry of the index to the next.
    span: u64,
    index: usize,
    index_length: usize,
    lengths: usize,
    lengths_length: usize,
    blocks: usize,
    block_count: usize,
    shortest: u32,
    /// For each length of a code: the least code, at the upper end of the word.
    base: Vec<u64>,
    /// For each length of a code: its first symbol.
    lowest: Vec<u16>,
    /// The two halves of each symbol.
    pairs: Vec<(usize, usize)>,
    /// The values of each symbol, less one.
    lengths_of: Vec<i64>,
}

/// Reads a file from front to back.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from(self.u16()?) | u32::from(self.u16()?) << 16)
    }

    /// Skips `count` items of a size, and returns where they begin.
    fn skip(&mut self, count: usize, size: usize) -> Option<usize> {
        let start = self.at;
        self.at = start.checked_add(count.checked_mul(size)?)?;
        (self.at <= self.bytes.len()).then_some(start)
    }
}

impl WdlTable {
    /// The table in these bytes, `None` if they are none for such men.
    pub(super) fn new(bytes: Vec<u8>, material: Material) -> Option<Self> {
        let mut reader = Reader { bytes: &bytes, at: MAGIC.len() };
        let mut parts = Vec::new();
        if !bytes.starts_with(&MAGIC) {
            return None;
        }
        // 1. The orders of men.
        let flags = reader.byte()?;
        let (sides, has_pawns) = (1 + usize::from(flags & 1), flags & 2 != 0);
        if has_pawns != (material.pawns[0] > 0) {
            return None;
        }
        let mut encodings = Vec::new();
        for file in 0..if has_pawns { 4 } else { 1 } {
            let nibbles = |byte: u8| [usize::from(byte & 15), usize::from(byte >> 4)];
            let leading = nibbles(reader.byte()?);
            let others = if material.pawns[1] > 0 { nibbles(reader.byte()?) } else { [15; 2] };
            let mut men = [[0; MOST_MEN]; 2];
            for index in 0..material.men {
                let byte = reader.byte()?;
                [men[0][index], men[1][index]] = [byte & 15, byte >> 4];
            }
            for side in 0..sides {
                let order = [leading[side], others[side]];
                encodings.push(Encoding::new(material, men[side], order, file)?);
            }
        }
        reader.at += reader.at % 2;
        // 2. Headers.
        for encoding in encodings {
            let code = Code::read(&mut reader, encoding.size)?;
            parts.push(Part { encoding, code });
        }
        // 3. Indexes, lengths of blocks, blocks.
        let mut each = |place: &mut dyn FnMut(&mut Blocks, &mut Reader) -> Option<()>| {
            parts.iter_mut().try_for_each(|part| match &mut part.code {
                Code::Constant(_) => Some(()),
                Code::Blocks(blocks) => place(blocks, &mut reader),
            })
        };
        each(&mut |blocks, reader| {
            blocks.index = reader.skip(blocks.index_length, 6)?;
            Some(())
        })?;
        each(&mut |blocks, reader| {
            blocks.lengths = reader.skip(blocks.lengths_length, 2)?;
            Some(())
        })?;
        each(&mut |blocks, reader| {
            reader.at = reader.at.next_multiple_of(64);
            blocks.blocks = reader.skip(blocks.block_count, blocks.block_size)?;
            Some(())
        })?;
        // 4. By side and file.
        let mut by_side: Vec<Vec<Part>> = (0..sides).map(|_| Vec::new()).collect();
        for (index, part) in parts.into_iter().enumerate() {
            by_side[index % sides].push(part);
        }
        Some(WdlTable { bytes, material, parts: by_side })
    }

    /// The stored value of a position: from -2, a loss, to 2, a win. White has the stronger men.
    pub(super) fn value(
        &self,
        black_to_move: bool,
        fixed: usize,
        file: usize,
        codes: &mut [u8],
        squares: &mut [usize],
    ) -> Option<i32> {
        let side = usize::from(black_to_move) % self.parts.len();
        let part = self.parts[side].get(file)?;
        part.encoding.arrange(fixed, codes, squares);
        let value = match &part.code {
            Code::Constant(value) => *value,
            Code::Blocks(blocks) => {
                let number = part.encoding.number(self.material, squares)?;
                blocks.value(&self.bytes, number)?
            }
        };
        (value <= 4).then(|| i32::from(value) - 2)
    }

    /// The code of the leading pawns.
    pub(super) fn leading_man(&self) -> Option<u8> {
        Some(self.parts.first()?.first()?.encoding.men[0])
    }
}

impl Code {
    fn read(reader: &mut Reader, positions: u64) -> Option<Self> {
        const CONSTANT: u8 = 0x80;
        if reader.byte()? & CONSTANT != 0 {
            return Some(Code::Constant(reader.byte()?));
        }
        let block_size = 1usize.checked_shl(u32::from(reader.byte()?))?;
        let span = 1u64.checked_shl(u32::from(reader.byte()?))?;
        let padding = usize::from(reader.byte()?);
        let block_count = reader.u32()? as usize;
        let [longest, shortest] = [u32::from(reader.byte()?), u32::from(reader.byte()?)];
        let code_lengths = (longest.checked_sub(shortest)? + 1) as usize;
        if shortest == 0 || longest > 32 {
            return None;
        }
        let lowest: Vec<u16> = (0..code_lengths).map(|_| reader.u16()).collect::<Option<_>>()?;
        // The codes of each length lie below those that are shorter.
        let mut base = vec![0u64; code_lengths];
        for index in (0..code_lengths - 1).rev() {
            let sum = base[index + 1] + u64::from(lowest[index]);
            base[index] = sum.checked_sub(u64::from(lowest[index + 1]))? / 2;
        }
        for (length, base) in (shortest..).zip(&mut base) {
            *base = base.checked_shl(64 - length)?;
        }
        let symbols = usize::from(reader.u16()?);
        let mut pairs = Vec::new();
        for _ in 0..symbols {
            let [low, middle, high] =
                [reader.byte()?, reader.byte()?, reader.byte()?].map(usize::from);
            pairs.push((low | (middle & 15) << 8, middle >> 4 | high << 4));
        }
        reader.at += symbols % 2;
        Some(Code::Blocks(Blocks {
            block_size,
            span,
            index: 0,
            index_length: positions.div_ceil(span) as usize,
            lengths: 0,
            lengths_length: block_count + padding,
            blocks: 0,
            block_count,
            shortest,
            base,
            lowest,
            lengths_of: lengths_of(&pairs)?,
            pairs,
        }))
    }
}

/// The number of values of each symbol, less one; `None` if a symbol holds itself.
fn lengths_of(pairs: &[(usize, usize)]) -> Option<Vec<i64>> {
    const UNKNOWN: i64 = -1;
    let mut lengths = vec![UNKNOWN; pairs.len()];
    for start in 0..pairs.len() {
        // Symbols that wait for their halves; a tree is never deeper than the symbols are many.
        let mut waiting = vec![start];
        while let Some(&symbol) = waiting.last() {
            let (left, right) = pairs[symbol];
            let halves = if right == NO_SYMBOL { None } else { Some([left, right]) };
            let known = |half: usize| lengths.get(half).copied();
            let length = match halves {
                None => 0,
                Some([left, right]) => match [known(left)?, known(right)?] {
                    [UNKNOWN, _] => {
                        waiting.push(left);
                        UNKNOWN
                    }
                    [_, UNKNOWN] => {
                        waiting.push(right);
                        UNKNOWN
                    }
                    [left, right] => left.checked_add(right)?.checked_add(1)?,
                },
            };
            if length == UNKNOWN {
                if waiting.len() > pairs.len() {
                    return None;
                }
            } else {
                lengths[symbol] = length;
                waiting.pop();
            }
        }
    }
    Some(lengths)
}

impl Blocks {
    fn value(&self, bytes: &[u8], position: u64) -> Option<u8> {
        // 1. The block, and the number of the position in it.
        let entry = usize::try_from(position / self.span).ok()?;
        if entry >= self.index_length {
            return None;
        }
        let mut index = Reader { bytes, at: self.index + entry * 6 };
        let mut block = index.u32()? as usize;
        let within = (position % self.span) as i64 - (self.span / 2) as i64;
        let mut offset = i64::from(index.u16()?) + within;
        let length = |block: usize| {
            let mut lengths = Reader { bytes, at: self.lengths + block * 2 };
            let length = if block < self.lengths_length { lengths.u16() } else { None };
            length.map(i64::from)
        };
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += length(block)? + 1;
        }
        while offset > length(block)? {
            offset -= length(block)? + 1;
            block += 1;
        }
        if block >= self.block_count {
            return None;
        }
        // 2. The symbol: codes in a row, most significant bit first.
        let word = |at: usize| -> u64 {
            let next = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            u64::from(u32::from_be_bytes(next.unwrap_or_default()))
        };
        let mut at = self.blocks + block * self.block_size;
        let mut codes = word(at) << 32 | word(at + 4);
        let mut bits = 64;
        at += 8;
        let mut symbol = loop {
            let kind = self.base.iter().position(|&base| codes >= base)?;
            let length = self.shortest + kind as u32;
            let number = ((codes - self.base[kind]) >> (64 - length)) as usize;
            let symbol = number + usize::from(self.lowest[kind]);
            let values = self.lengths_of.get(symbol)? + 1;
            if offset < values {
                break symbol;
            }
            offset -= values;
            codes <<= length;
            bits -= length;
            if bits <= 32 {
                bits += 32;
                codes |= word(at) << (64 - bits);
                at += 4;
            }
        };
        // 3. The value in it.
        while self.lengths_of[symbol] > 0 {
            let (left, right) = self.pairs[symbol];
            let values = self.lengths_of[left] + 1;
            if offset < values {
                symbol = left;
            } else {
                offset -= values;
                symbol = right;
            }
        }
        u8::try_from(self.pairs[symbol].0).ok()
    }
}
