//! Positions as numbers for those who learn from them: boards as planes, one for each kind of man.

use spinney_session::{BoardStyle, GameInfo, Man, Session, Side};

/// The kinds of men of a game: their letters in the text of positions, where they differ.
fn kinds(info: &GameInfo) -> &'static str {
    match info.board.style {
        BoardStyle::Chess => "pnbrqk",
        _ => "m",
    }
}

/// The squares of a board from a1, rank by rank, with who stands there: side and kind. `None` if the position
/// has no squares.
struct Squares {
    size: [usize; 2],
    kinds: usize,
    men: Vec<Option<(Side, usize)>>,
}

impl Squares {
    fn of(session: &Session) -> Option<Squares> {
        let kinds = kinds(session.game().info());
        let diagram = session.diagram()?;
        let man = |man: Man| {
            let letter = man.letter.to_ascii_lowercase();
            (man.side, kinds.find(letter).unwrap_or(0))
        };
        let men = diagram.squares().map(|square| square.map(man)).collect();
        Some(Squares { size: [diagram.ranks(), diagram.files()], kinds: kinds.len(), men })
    }
}

/// The shape of [`tensor`]: planes, ranks, files.
pub(crate) fn shape(session: &Session) -> Option<[usize; 3]> {
    let squares = Squares::of(session)?;
    let [ranks, files] = squares.size;
    Some([2 * squares.kinds + 1, ranks, files])
}

/// A plane of zeros and ones for each kind of man, those of the first side in front, and one that is full of
/// ones if the second side is to move.
pub(crate) fn tensor(session: &Session) -> Option<Vec<f32>> {
    let squares = Squares::of(session)?;
    let count = squares.men.len();
    let mut planes = vec![0.0; (2 * squares.kinds + 1) * count];
    for (at, man) in squares.men.iter().enumerate() {
        if let Some((side, kind)) = man {
            planes[(side.index() * squares.kinds + kind) * count + at] = 1.0;
        }
    }
    if session.to_move() == Side::Second {
        planes[2 * squares.kinds * count..].fill(1.0);
    }
    Some(planes)
}

/// The number of [`bits`].
pub(crate) fn number_of_bits(session: &Session) -> Option<usize> {
    let squares = Squares::of(session)?;
    (squares.size.iter().all(|&length| length <= 8)).then_some(2 * squares.kinds)
}

/// A set of squares, 8 × rank + file, for each kind of man, those of the side to move in front.
pub(crate) fn bits(session: &Session) -> Option<Vec<u64>> {
    let squares = Squares::of(session)?;
    let mut sets = vec![0; 2 * squares.kinds];
    for (at, man) in squares.men.iter().enumerate() {
        if let Some((side, kind)) = man {
            let is_other = usize::from(*side != session.to_move());
            let (rank, file) = (at / squares.size[1], at % squares.size[1]);
            sets[is_other * squares.kinds + kind] |= 1 << (8 * rank + file);
        }
    }
    Some(sets)
}
