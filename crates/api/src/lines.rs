//! What LOA shows on the board beside its men: who is connected, and which men count for a move.

use serde::Serialize;

use crate::board::Board;

/// The connections of both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Connections {
    /// The number of groups of each side.
    pub groups: [usize; 2],
    /// The pairs of neighbours of each side.
    pub links: [Vec<[String; 2]>; 2],
}

/// The line of a move: a man moves as many squares as there are men on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Line {
    /// The first and the last square of the board on it.
    pub ends: [String; 2],
    /// The squares of the men on it.
    pub men: Vec<String>,
}

/// File and rank, from 0.
type Place = (i32, i32);

fn place(square: &str) -> Place {
    let mut letters = square.bytes().map(i32::from);
    let mut next = |first: u8| letters.next().unwrap_or_default() - i32::from(first);
    (next(b'a'), next(b'1'))
}

fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Connections {
    pub(crate) fn of(board: &Board) -> Connections {
        let [first, second] = [0, 1].map(|side| {
            let men = board.men.iter().filter(|man| man.side == side);
            connect(&men.map(|man| place(&man.square)).collect::<Vec<_>>())
        });
        Connections { groups: [first.0, second.0], links: [first.1, second.1] }
    }
}

/// The number of groups of some men, and the pairs of neighbours.
fn connect(men: &[Place]) -> (usize, Vec<[String; 2]>) {
    let mut group: Vec<usize> = (0..men.len()).collect();
    let mut links = Vec::new();
    for (i, &a) in men.iter().enumerate() {
        for (j, &b) in men.iter().enumerate().take(i) {
            if (a.0 - b.0).abs().max((a.1 - b.1).abs()) == 1 {
                links.push([name(b), name(a)]);
                let (old, new) = (group[i], group[j]);
                group.iter_mut().filter(|number| **number == old).for_each(|number| *number = new);
            }
        }
    }
    group.sort_unstable();
    group.dedup();
    (group.len(), links)
}

impl Line {
    /// The line of a move with these squares; `None` for a pass.
    pub(crate) fn of(board: &Board, squares: &[String]) -> Option<Line> {
        let [from, to] = squares else { return None };
        let ((file, rank), target) = (place(from), place(to));
        let (df, dr) = ((target.0 - file).signum(), (target.1 - rank).signum());
        let inside = |&(file, rank): &Place| {
            (0..board.width as i32).contains(&file) && (0..board.height as i32).contains(&rank)
        };
        let steps = -8..=8;
        let line: Vec<String> = steps
            .map(|step| (file + step * df, rank + step * dr))
            .filter(inside)
            .map(name)
            .collect();
        let has_man = |square: &&String| board.men.iter().any(|man| man.square == **square);
        let men = line.iter().filter(has_man).cloned().collect();
        Some(Line { ends: [line.first()?.clone(), line.last()?.clone()], men })
    }
}

#[cfg(test)]
mod tests {
    use spinney_session::Registry;

    use super::*;
    use crate::board::squares_of;

    fn board(position: &str) -> Board {
        Board::read(&Registry::builtin().game("loa").unwrap().info().board, position)
    }

    #[test]
    fn neighbours_are_linked() {
        let connections = Connections::of(&board("x7/1x6/8/8/8/8/6oo/x7 b"));
        assert_eq!(connections.groups, [2, 1]);
        let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        assert_eq!(connections.links, [vec![pair("b7", "a8")], vec![pair("g2", "h2")]]);
    }

    /// The rule itself: every legal move goes as far as the men on its line say.
    #[test]
    fn men_on_the_line_tell_how_far_a_man_moves() {
        let mut session = Registry::builtin().game("loa").unwrap().start();
        for _ in 0..40 {
            let board = board(&session.position_text());
            for m in session.legal_moves() {
                let squares = squares_of(&session.move_text(m));
                let Some(line) = Line::of(&board, &squares) else { continue };
                let (from, to) = (place(&squares[0]), place(&squares[1]));
                let length = (from.0 - to.0).abs().max((from.1 - to.1).abs());
                assert_eq!(line.men.len() as i32, length, "{squares:?}");
            }
            match session.legal_moves().last() {
                Some(&m) => session.play(m),
                None => break,
            }
        }
    }
}
