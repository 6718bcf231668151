//! Checking a proof of a position's value, with the rules alone.
//!
//! The proof is a strategy: one move for every position in which its side, the *strategist*, is to move.
//! [`check`] walks through all games that the strategist may get into, whatever the opponent does, and
//! refuses the strategy if one of them ends otherwise than claimed.
//!
//! **Order.** The walk goes depth-first and enters a position of the strategist once. Legal moves are listed by
//! their numbers ([`Move::pack`]), the least first, so that nothing depends on how a game generates them.
//! Replies of the opponent are taken from the last to the first. Where a move of the strategist wins at once,
//! nothing is asked. So a strategy can be kept as a plain list of moves in the order in which they are asked
//! for.
//!
//! **Repetition.** Positions are compared whole, not by their keys. A strategy that wins must not lead back
//! to a position on the way to it: then no position occurs twice, and every game ends. A strategy that does
//! not lose may go in circles. Where a rule ends repetition, that is a draw; where none does, nobody ever
//! wins. The game is taken to begin in the given position, with nothing before it.
//!
//! ```
//! # use spinney_game::{Game, Outcome, Side};
//! use spinney_game::certificate::{Aim, Problem, check};
//! # /// Two players add 1, 2 or 3 to a total in turn; whoever reaches 5 wins.
//! # #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! # struct Race { total: u8, to_move: Side }
//! # impl Game for Race {
//! #     type Move = u8;
//! #     fn to_move(&self) -> Side { self.to_move }
//! #     fn legal_moves(&self, moves: &mut Vec<u8>) { moves.extend((1..=3).filter(|m| self.total + m <= 5)); }
//! #     fn play(&mut self, m: u8) { self.total += m; self.to_move = !self.to_move; }
//! #     fn outcome(&self) -> Option<Outcome> { (self.total == 5).then_some(Outcome::Win(!self.to_move)) }
//! # }
//! let start = Race { total: 0, to_move: Side::First };
//! // To 1, then to 5: the last move wins at once and is not asked for.
//! assert_eq!(check(&start, Side::First, Aim::Win, &mut |_, _| Some(0)), Ok(1));
//! // To 3, and the other side wins.
//! let flaw = check(&start, Side::First, Aim::Win, &mut |_, _| Some(2)).unwrap_err();
//! assert_eq!(flaw.problem, Problem::OtherEnd);
//! ```

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use thiserror::Error;

use crate::game::KeyHasher;
use crate::{Game, Move, Outcome, Side};

/// What a strategy is claimed to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A win.
    Win,
    /// A win or a draw.
    Hold,
}

impl Aim {
    fn is_reached(self, outcome: Outcome, side: Side) -> bool {
        match self {
            Aim::Win => outcome == Outcome::Win(side),
            Aim::Hold => outcome != Outcome::Win(!side),
        }
    }
}

/// Why a strategy is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The strategy has no move for a position.
    #[error("there is no move for this position")]
    NoMove,
    /// The strategy has a move that is not legal.
    #[error("the move is not legal")]
    NotLegal,
    /// The game ends otherwise.
    #[error("the game ends otherwise than claimed")]
    OtherEnd,
    /// A game that should be won goes in a circle.
    #[error("a position is repeated, which wins nothing")]
    Circle,
}

/// Where a strategy fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw<M> {
    /// The moves from the start to the position in question.
    pub line: Vec<M>,
    /// What is wrong there.
    pub problem: Problem,
}

/// A strategy: gets a position and its legal moves, and tells the place of its move among them.
pub type Choose<'a, G> = dyn FnMut(&G, &[<G as Game>::Move]) -> Option<usize> + 'a;

/// Checks that `side` reaches its aim in the game that starts here, with the strategy `choose`. Returns the
/// number of positions that it was asked for.
pub fn check<G: Game>(
    start: &G,
    side: Side,
    aim: Aim,
    choose: &mut Choose<'_, G>,
) -> Result<usize, Flaw<G::Move>> {
    Walk::new(side, aim).run(start, choose)
}

/// The walk of [`check`]. Whoever looks for a strategy can mend a flaw and walk again: what was answered
/// stays answered.
pub struct Walk<G: Game> {
    side: Side,
    aim: Aim,
    /// The positions of the strategist in which it was asked.
    entered: HashMap<G, State, BuildHasherDefault<KeyHasher>>,
    /// From the start to the present position.
    steps: Vec<Step<G>>,
    /// Replies that are still to be tried, of all steps.
    replies: Vec<G::Move>,
    /// The moves from the last step to the present position.
    present: Vec<G::Move>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Some replies are not answered yet: the position is on the way to the present one.
    Open,
    /// All replies are answered.
    Answered,
}

/// A position of the strategist, and the one after its move.
struct Step<G: Game> {
    /// Absent where the opponent begins.
    from: Option<G>,
    after: G,
    /// The first of its replies.
    first: usize,
    /// The moves that led here from the step before.
    moves: Vec<G::Move>,
}

impl<G: Game> Walk<G> {
    /// A walk that has entered no position.
    pub fn new(side: Side, aim: Aim) -> Self {
        Walk {
            side,
            aim,
            entered: HashMap::default(),
            steps: Vec::new(),
            replies: Vec::new(),
            present: Vec::new(),
        }
    }

    /// Walks until all replies are answered, or up to the first flaw. Returns the number of positions in
    /// which the strategist was asked. After a flaw it may run again from the same start.
    pub fn run(&mut self, start: &G, choose: &mut Choose<'_, G>) -> Result<usize, Flaw<G::Move>> {
        match self.answer_all(start, choose) {
            Ok(()) => Ok(self.entered.len()),
            Err(problem) => {
                let before = self.steps.iter().flat_map(|step| &step.moves);
                let line = before.chain(&self.present).copied().collect();
                for step in self.steps.drain(..) {
                    step.from.map(|open| self.entered.remove(&open));
                }
                self.replies.clear();
                self.present.clear();
                Err(Flaw { line, problem })
            }
        }
    }

    fn answer_all(&mut self, start: &G, choose: &mut Choose<'_, G>) -> Result<(), Problem> {
        match start.outcome() {
            None if start.to_move() != self.side => self.answer(None, start.clone()),
            _ => self.enter(start.clone(), choose)?,
        }
        while let Some(step) = self.steps.last() {
            if self.replies.len() == step.first {
                if let Some(answered) = self.steps.pop().and_then(|step| step.from) {
                    self.entered.insert(answered, State::Answered);
                }
            } else if let Some(reply) = self.replies.pop() {
                let mut position = step.after.clone();
                position.play(reply);
                self.present.clear();
                self.present.push(reply);
                self.enter(position, choose)?;
            }
        }
        Ok(())
    }

    /// Enters a position that is finished or in which the strategist is to move.
    fn enter(&mut self, position: G, choose: &mut Choose<'_, G>) -> Result<(), Problem> {
        // 1. The end of the game, or a position that is known.
        if let Some(outcome) = position.outcome() {
            return self.end(outcome);
        }
        match self.entered.get(&position) {
            Some(State::Open) if self.aim == Aim::Win => return Err(Problem::Circle),
            Some(_) => return Ok(()),
            None => (),
        }
        // 2. A win at once.
        let mut legal = Vec::new();
        list(&position, &mut legal);
        let after = |m| {
            let mut after = position.clone();
            after.play(m);
            after
        };
        if legal.iter().any(|&m| after(m).outcome() == Some(Outcome::Win(self.side))) {
            return Ok(());
        }
        // 3. The move of the strategy, and all replies to it.
        let place = choose(&position, &legal).ok_or(Problem::NoMove)?;
        let &m = legal.get(place).ok_or(Problem::NotLegal)?;
        let after = after(m);
        self.present.push(m);
        match after.outcome() {
            Some(outcome) => {
                self.entered.insert(position, State::Answered);
                self.end(outcome)
            }
            None => {
                self.entered.insert(position.clone(), State::Open);
                self.answer(Some(position), after);
                Ok(())
            }
        }
    }

    fn end(&self, outcome: Outcome) -> Result<(), Problem> {
        if self.aim.is_reached(outcome, self.side) { Ok(()) } else { Err(Problem::OtherEnd) }
    }

    /// Makes all replies the next to be tried.
    fn answer(&mut self, from: Option<G>, after: G) {
        let first = self.replies.len();
        list(&after, &mut self.replies);
        self.steps.push(Step { from, after, first, moves: std::mem::take(&mut self.present) });
    }
}

/// Appends the legal moves by their numbers.
fn list<G: Game>(position: &G, moves: &mut Vec<G::Move>) {
    let first = moves.len();
    position.legal_moves(moves);
    moves[first..].sort_unstable_by_key(|m| m.pack());
}
