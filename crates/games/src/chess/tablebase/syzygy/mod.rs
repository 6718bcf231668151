//! Syzygy tables (Ronald de Man): win, draw or loss, from files of a folder.
//!
//! A position is looked up after its captures: a table holds whatever compresses best where a
//! capture decides, and knows no en passant. Wins that the 50-move rule takes away count as draws.
//!
//! All sets of tables that are complete are used, up to five men; a table is read into memory when
//! it is first asked for.
//!
//! Read by hand: `pyrrhic-rs` keeps tables in global state, prints, and trusts damaged files.

mod encoding;
mod file;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cozy_chess::{Board, Color, Piece};
use spinney_search::GameValue;

use self::encoding::{MOST_MEN, Material, code, leading_file};
use self::file::{MAGIC, WdlTable};
use super::ending;
use super::file::TablebaseError;

/// The tables of a folder.
pub(super) struct Syzygy {
    /// The most men for which every table is there.
    men: usize,
    /// By the men of White and Black: the table, and whether its colours are the other way round.
    places: HashMap<Men, (usize, bool)>,
    tables: Vec<Slot>,
}

/// A table that is read when it is first asked for; `None` if the file turns out bad.
struct Slot {
    path: PathBuf,
    men: Men,
    table: OnceLock<Option<WdlTable>>,
}

/// How many pawns, knights, bishops, rooks and queens each side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Men([[u8; 5]; 2]);

impl Men {
    fn of(board: &Board) -> Self {
        Men(Color::ALL.map(|color| {
            std::array::from_fn(|piece| {
                board.colored_pieces(color, Piece::index(piece)).len() as u8
            })
        }))
    }

    fn list(self) -> Vec<(Color, Piece)> {
        let of = |color| {
            let counts = self.0[color as usize];
            (0..5).flat_map(move |piece| vec![(color, Piece::index(piece)); counts[piece].into()])
        };
        Color::ALL.into_iter().flat_map(of).collect()
    }

    fn material(self) -> Material {
        let [white, black] = self.0;
        let pawns = [white[0], black[0]].map(usize::from);
        let white_leads = pawns[1] == 0 || (pawns[0] > 0 && pawns[1] >= pawns[0]);
        Material {
            men: 2 + self.0.iter().flatten().map(|&count| usize::from(count)).sum::<usize>(),
            has_single: self.0.iter().flatten().any(|&count| count == 1),
            pawns: if white_leads { pawns } else { [pawns[1], pawns[0]] },
        }
    }
}

/// The names of all tables with this number of men, each with its men.
fn tables_with(men: usize) -> Vec<(String, Men)> {
    // 1. The men of one side, strongest first: names in the order of their strength.
    let mut sides: Vec<Vec<Vec<Piece>>> = vec![vec![Vec::new()]];
    for count in 1..=men - 2 {
        let longer = sides[count - 1].iter().flat_map(|side: &Vec<Piece>| {
            let weaker = ending::ORDER.iter().copied();
            let last = side.last().copied();
            weaker.filter(move |&piece| last.is_none_or(|last| piece <= last)).map(move |piece| {
                let mut side = side.clone();
                side.push(piece);
                side
            })
        });
        let longer = longer.collect();
        sides.push(longer);
    }
    // 2. Two sides, the larger one first.
    let mut tables = Vec::new();
    for strong in (men - 1) / 2..=men - 2 {
        let weak = men - 2 - strong;
        for (index, white) in sides[strong].iter().enumerate() {
            let first = if strong == weak { index } else { 0 };
            for black in &sides[weak][first..] {
                let letters = |side: &[Piece]| -> String {
                    side.iter().map(|&piece| char::from(piece).to_ascii_uppercase()).collect()
                };
                let count = |side: &[Piece]| {
                    std::array::from_fn(|index| {
                        side.iter().filter(|&&piece| piece as usize == index).count() as u8
                    })
                };
                let name = format!("K{}vK{}", letters(white), letters(black));
                tables.push((name, Men([count(white), count(black)])));
            }
        }
    }
    tables
}

impl Syzygy {
    /// The tables of a folder: three men at least.
    pub(super) fn open(folder: &Path) -> Result<Self, TablebaseError> {
        fs::read_dir(folder).map_err(TablebaseError::io(folder))?;
        let mut new = Syzygy { men: 2, places: HashMap::new(), tables: Vec::new() };
        for men in 3..=MOST_MEN {
            let named = |(name, men)| (folder.join(format!("{name}.rtbw")), men);
            let tables: Vec<(PathBuf, Men)> = tables_with(men).into_iter().map(named).collect();
            let missing = tables.iter().find(|(path, _)| !path.exists());
            match missing {
                Some((path, _)) if men == 3 => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let problem = format!("not a folder of Syzygy tables: {name} is missing");
                    return Err(TablebaseError::folder(folder, problem));
                }
                Some(_) => break,
                None => {}
            }
            for (path, men) in tables {
                check(&path)?;
                let Men([white, black]) = men;
                new.places.insert(Men([black, white]), (new.tables.len(), true));
                new.places.insert(men, (new.tables.len(), false));
                new.tables.push(Slot { path, men, table: OnceLock::new() });
            }
            new.men = men;
        }
        Ok(new)
    }

    /// The most men for which every table is there.
    pub(super) fn men(&self) -> u32 {
        self.men as u32
    }

    /// The men beside the kings of each table.
    pub(super) fn tables(&self) -> impl Iterator<Item = Vec<(Color, Piece)>> {
        self.tables.iter().map(|slot| slot.men.list())
    }

    /// The result of a position without castling rights, if a table has it.
    pub(super) fn probe(&self, board: &Board) -> Option<GameValue> {
        Some(match self.value(board)? {
            2 => GameValue::Win,
            -2 => GameValue::Loss,
            _ => GameValue::Draw,
        })
    }

    /// From -2, a loss, to 2, a win; ±1 where the 50-move rule makes it a draw.
    pub(super) fn value(&self, board: &Board) -> Option<i32> {
        if board.occupied().len() as usize > self.men { None } else { self.search(board) }
    }

    fn search(&self, board: &Board) -> Option<i32> {
        if board.occupied().len() == 2 {
            return Some(0);
        }
        // 1. Captures, en passant too.
        let mut best = Some(-2);
        let [mut has_capture, mut has_other] = [false; 2];
        let enemies = board.colors(!board.side_to_move());
        board.generate_moves(|moves| {
            for m in moves {
                let en_passant = moves.piece == Piece::Pawn && m.from.file() != m.to.file();
                if enemies.has(m.to) || en_passant {
                    has_capture = true;
                    let mut after = board.clone();
                    after.play_unchecked(m);
                    best = best.zip(self.search(&after)).map(|(best, value)| best.max(-value));
                } else {
                    has_other = true;
                }
            }
            best.is_none_or(|best| best == 2)
        });
        let best = best?;
        // 2. The table, unless every move captures.
        if best == 2 || (has_capture && !has_other) {
            return Some(best);
        }
        Some(best.max(self.stored(board)?))
    }

    /// What the table says.
    fn stored(&self, board: &Board) -> Option<i32> {
        let &(index, is_reversed) = self.places.get(&Men::of(board))?;
        let slot = &self.tables[index];
        let table = slot.table.get_or_init(|| slot.read()).as_ref()?;
        let Men([white, black]) = slot.men;
        // Of a symmetric table only one side to move is stored.
        let black_to_move = board.side_to_move() == Color::Black;
        let turned = is_reversed || (white == black && black_to_move);
        let mut codes = [0; MOST_MEN];
        let mut squares = [0; MOST_MEN];
        let mut men = 0;
        let mut put = |color: Color, piece: Piece| {
            for square in board.colored_pieces(color, piece) {
                let color = if turned { !color } else { color };
                codes[men] = code(color, piece);
                squares[men] = square as usize ^ if turned { 56 } else { 0 };
                men += 1;
            }
        };
        // The leading pawns first, then all others.
        let white_leads = table.leading_man() == Some(code(Color::White, Piece::Pawn));
        let leading = if white_leads != turned { Color::White } else { Color::Black };
        put(leading, Piece::Pawn);
        put(!leading, Piece::Pawn);
        for &piece in &Piece::ALL[1..] {
            put(Color::White, piece);
            put(Color::Black, piece);
        }
        let pawns = board.colored_pieces(leading, Piece::Pawn).len() as usize;
        let file = leading_file(&mut squares[..pawns]);
        table.value(black_to_move != turned, pawns, file, &mut codes[..men], &mut squares[..men])
    }
}

impl Slot {
    fn read(&self) -> Option<WdlTable> {
        WdlTable::new(fs::read(&self.path).ok()?, self.men.material())
    }
}

/// Refuses a file that is no table, or half of one: after the blocks of 64 bytes come 16 more.
fn check(path: &Path) -> Result<(), TablebaseError> {
    let bad = |problem: &str| TablebaseError::BadFile {
        path: path.to_owned(),
        problem: problem.to_owned(),
    };
    let mut file = File::open(path).map_err(TablebaseError::io(path))?;
    let length = file.metadata().map_err(TablebaseError::io(path))?.len();
    let mut magic = [0; MAGIC.len()];
    if length < 64 || file.read_exact(&mut magic).is_err() || magic != MAGIC {
        return Err(bad("this is no Syzygy table"));
    }
    if length % 64 != 16 {
        return Err(bad("the file is cut off"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables() {
        let names = |men| tables_with(men).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!([3, 4, 5].map(|men| names(men).len()), [5, 30, 110]);
        for (men, name) in [(3, "KPvK"), (4, "KRBvK"), (4, "KBvKN"), (5, "KPPvKQ"), (5, "KRRBvK")] {
            assert!(names(men).contains(&name.to_owned()), "{name}");
        }
    }
}
