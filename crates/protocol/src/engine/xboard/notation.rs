//! Positions and moves as XBoard writes them.
//!
//! Chess has FEN and moves such as `e7e8q`, as here. XBoard does not know Lines of Action: the engine
//! describes the board when the client chooses the variant, and marks where a man may go when the user
//! lifts it. White begins in XBoard whatever a FEN says, so the first side is White there. Men are `L` and
//! `l` in FEN; a pass is `@@@@`.

use spinney_session::{BoardStyle, GameHandle, Man, Outcome, PackedMove, Session, Side};

/// How XBoard writes a pass.
const NULL_MOVE: &str = "@@@@";

/// The letters of the men of both sides.
const MEN: [char; 2] = ['L', 'l'];

/// The letters of XBoard's 22 pieces: the tenth is round, as men are.
const PIECES: &str = ".........L............";

/// How XBoard writes one game.
#[derive(Clone, Debug)]
pub(super) struct Notation {
    game: GameHandle,
    is_chess: bool,
}

impl Notation {
    /// The notation of a game; `None` if XBoard cannot show it.
    pub(super) fn new(game: &GameHandle) -> Option<Notation> {
        let is_chess = match game.info().board.style {
            BoardStyle::Chess => true,
            BoardStyle::Loa => false,
            _ => return None,
        };
        Some(Notation { game: game.clone(), is_chess })
    }

    /// The name of the variant.
    pub(super) fn variant(&self) -> &str {
        if self.is_chess { "normal" } else { self.game.info().name }
    }

    /// Whether XBoard knows the rules.
    pub(super) fn is_known(&self) -> bool {
        self.is_chess
    }

    /// The line that describes the board of a variant that XBoard does not know.
    pub(super) fn setup(&self) -> Option<String> {
        let start = self.game.start();
        let diagram = start.diagram().filter(|_| !self.is_chess)?;
        let (files, ranks) = (diagram.files(), diagram.ranks());
        let pieces = format!("{PIECES}{}", PIECES.to_lowercase());
        Some(format!("setup ({pieces}) {files}x{ranks}+0_fairy {}", self.fen(&start)?))
    }

    /// The present position as FEN.
    pub(super) fn fen(&self, session: &Session) -> Option<String> {
        if self.is_chess {
            return Some(session.position_text());
        }
        let letter = |_: &str, man: Option<Man>| man.map(|man| MEN[man.side.index()]);
        let turn = ['w', 'b'][session.to_move().index()];
        Some(format!("{} {turn} - - 0 1", session.diagram()?.fen(letter)))
    }

    /// The text of a position of the game for a FEN.
    pub(super) fn position(&self, fen: &str) -> String {
        if self.is_chess {
            return fen.to_owned();
        }
        let info = &self.game.info().board;
        let mut words = fen.split_whitespace();
        let man = |letter| MEN.iter().position(|&man| man == letter);
        let board = words.next().unwrap_or_default().chars();
        let board = board.map(|letter| man(letter).map_or(letter, |side| info.men[side]));
        let turn = info.turn[usize::from(words.next() == Some("b"))];
        format!("{} {turn}", board.collect::<String>())
    }

    /// A move of the present position.
    pub(super) fn move_text(&self, session: &Session, m: PackedMove) -> String {
        let text = session.move_text(m);
        if self.is_chess {
            return text;
        }
        let squares: String = text.chars().filter(|c| !matches!(c, '-' | 'x')).collect();
        if text == "pass" { NULL_MOVE.to_owned() } else { squares }
    }

    /// Reads a move of the present position.
    pub(super) fn read_move(&self, session: &Session, text: &str) -> Option<PackedMove> {
        let text = if text == NULL_MOVE { "pass" } else { text };
        session.parse_move(text).ok()
    }

    /// The line that marks where the man on a square may go: yellow, and red for captures.
    pub(super) fn highlight(&self, session: &Session, from: &str) -> Option<String> {
        let moves: Vec<String> =
            session.legal_moves().into_iter().map(|m| self.move_text(session, m)).collect();
        let colour = |square: &str, man: Option<Man>| {
            let is_target = moves.iter().any(|m| m.strip_prefix(from) == Some(square));
            is_target.then_some(if man.is_some() { 'R' } else { 'Y' })
        };
        Some(format!("highlight {}", session.diagram()?.fen(colour)))
    }

    /// The line that ends a game.
    pub(super) fn result(&self, outcome: Outcome, reason: &str) -> String {
        let (score, default) = match outcome {
            Outcome::Draw => ("1/2-1/2", "draw"),
            Outcome::Win(Side::First) => ("1-0", "the first side wins"),
            Outcome::Win(Side::Second) => ("0-1", "the second side wins"),
        };
        format!("{score} {{{}}}", if reason.is_empty() { default } else { reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_session::{Registry, Rng};

    fn notation(name: &str) -> Notation {
        Notation::new(&Registry::builtin().game(name).unwrap()).unwrap()
    }

    #[test]
    fn positions_and_moves_are_read_back() {
        let mut rng = Rng::new(1);
        for name in ["loa", "loa6", "chess"] {
            let notation = notation(name);
            let mut session = notation.game.start();
            while session.outcome().is_none() {
                let text = notation.position(&notation.fen(&session).unwrap());
                assert_eq!(text, session.position_text());
                for m in session.legal_moves() {
                    let text = notation.move_text(&session, m);
                    assert_eq!(notation.read_move(&session, &text), Some(m), "{text}");
                }
                session.play(session.random_move(&mut rng));
            }
        }
    }

    #[test]
    fn loa_is_described_to_xboard() {
        let loa = notation("loa");
        let fen = "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1";
        let setup = loa.setup().unwrap();
        assert!(setup.ends_with(&format!(" 8x8+0_fairy {fen}")), "{setup}");
        assert_eq!(loa.result(Outcome::Win(Side::First), ""), "1-0 {the first side wins}");
        let session = loa.game.start();
        // b1: two along the file, six along the rank, two to the right and up.
        assert_eq!(
            loa.highlight(&session, "b1").as_deref(),
            Some("highlight 8/8/8/8/8/1Y1Y4/8/7Y")
        );
        let pass = loa.game.at(Some("8/8/2x5/x7/1x1x4/xx1x4/1xx1x3/o2ox3 w")).unwrap();
        assert_eq!(loa.move_text(&pass, pass.legal_moves()[0]), "@@@@");
    }
}
