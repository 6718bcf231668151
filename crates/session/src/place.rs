//! The game inside a session, whichever it is.

use std::any::Any;

use spinney_game::cpu::{self, Kernel};
use spinney_game::{
    History, Move, MoveError, Outcome, PackedMove, Path, Playable, PositionError, Rng, Side,
    random_playout,
};

/// A game at one moment. [`Session`](crate::Session) documents what these do.
pub(crate) trait Place: Any + Send + Sync {
    fn boxed(&self) -> Box<dyn Place>;
    fn to_move(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn outcome_by_rules(&self) -> Option<Outcome>;
    fn ending(&self) -> &'static str;
    fn start_text(&self) -> String;
    fn position_text(&self) -> String;
    fn board_text(&self) -> Option<String>;
    fn key(&self) -> u64;
    fn moves(&self) -> Vec<PackedMove>;
    fn legal_moves(&self) -> Vec<PackedMove>;
    fn count_moves(&self) -> u64;
    fn perft(&self, plies: u32) -> u64;
    fn random_move(&self, rng: &mut Rng) -> PackedMove;
    fn move_text(&self, m: PackedMove) -> String;
    fn move_label(&self, m: PackedMove) -> String;
    fn parse_move(&self, text: &str) -> Result<PackedMove, MoveError>;
    fn play(&mut self, m: PackedMove);
    fn at(&self, text: &str) -> Result<Box<dyn Place>, PositionError>;
    fn restarted(&self) -> Box<dyn Place>;
    fn rebased(&self) -> Box<dyn Place>;
    fn random_playouts(&self, playouts: u64, max_plies: u32, seed: u64) -> Playouts;
}

impl<G: Playable> Place for History<G> {
    fn boxed(&self) -> Box<dyn Place> {
        Box::new(self.clone())
    }

    fn to_move(&self) -> Side {
        self.position().to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn outcome_by_rules(&self) -> Option<Outcome> {
        self.position().outcome()
    }

    fn ending(&self) -> &'static str {
        self.position().ending()
    }

    fn start_text(&self) -> String {
        self.start().position_text()
    }

    fn position_text(&self) -> String {
        self.position().position_text()
    }

    fn board_text(&self) -> Option<String> {
        self.position().board_text()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn moves(&self) -> Vec<PackedMove> {
        self.moves().iter().map(|m| m.pack()).collect()
    }

    fn legal_moves(&self) -> Vec<PackedMove> {
        let mut moves = Vec::new();
        self.position().legal_moves(&mut moves);
        moves.into_iter().map(Move::pack).collect()
    }

    fn count_moves(&self) -> u64 {
        self.position().count_moves()
    }

    fn perft(&self, plies: u32) -> u64 {
        self.position().perft(plies)
    }

    fn random_move(&self, rng: &mut Rng) -> PackedMove {
        self.position().random_move(rng).pack()
    }

    fn move_text(&self, m: PackedMove) -> String {
        self.position().move_text(G::Move::unpack(m))
    }

    fn move_label(&self, m: PackedMove) -> String {
        self.position().move_label(G::Move::unpack(m))
    }

    fn parse_move(&self, text: &str) -> Result<PackedMove, MoveError> {
        self.position().parse_move(text).map(Move::pack)
    }

    fn play(&mut self, m: PackedMove) {
        self.play(G::Move::unpack(m));
    }

    fn at(&self, text: &str) -> Result<Box<dyn Place>, PositionError> {
        let position = self.start().parse_position(text)?;
        Ok(Box::new(History::new(position)))
    }

    fn restarted(&self) -> Box<dyn Place> {
        Box::new(History::new(self.start().clone()))
    }

    fn rebased(&self) -> Box<dyn Place> {
        Box::new(History::new(self.position().clone()))
    }

    fn random_playouts(&self, playouts: u64, max_plies: u32, seed: u64) -> Playouts {
        cpu::run(Random { start: self.position().clone(), playouts, max_plies, seed })
    }
}

/// How random playouts went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playouts {
    /// The plies of all.
    pub plies: u64,
    /// The wins of each side; the others are draws.
    pub wins: [u64; 2],
}

/// Random playouts one after the other, compiled for the processor.
struct Random<G> {
    start: G,
    playouts: u64,
    max_plies: u32,
    seed: u64,
}

impl<G: Playable> Kernel for Random<G> {
    type Output = Playouts;

    #[inline(always)]
    fn run(self) -> Playouts {
        let mut rng = Rng::new(self.seed);
        let mut path = Path::new(self.start.key());
        let mut all = Playouts::default();
        for _ in 0..self.playouts {
            let playout = random_playout(self.start.clone(), &mut path, self.max_plies, &mut rng);
            all.plies += u64::from(playout.plies);
            if let Some(Outcome::Win(side)) = playout.outcome {
                all.wins[side.index()] += 1;
            }
        }
        all
    }
}
