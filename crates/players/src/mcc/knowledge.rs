//! What the searches ask of chess.

use spinney_game::Game;
use spinney_games::chess::knowledge::{
    best_exchange, evaluate, mate_in_one, promises, tactical_moves,
};
use spinney_games::chess::tablebase::{GameResult, Probe, Tablebases};
use spinney_games::chess::{Chess, Move};
use spinney_search::GameValue;
use spinney_search::policy::{Expertise, Known, Tactics};
use spinney_search::real::exp;

/// Tablebases as a judge, in the tree and in play-outs.
#[derive(Clone)]
pub(super) struct Adjudicator {
    tables: Option<Tablebases>,
    /// The fewest men at the root with which tables are asked at all (`mcc`, 5.2.2: 8, so that their
    /// direct use does not count).
    least_men: u32,
    is_asked: bool,
}

impl Adjudicator {
    pub(super) fn new(tables: Option<Tablebases>, least_men: u32) -> Self {
        Adjudicator { tables, least_men, is_asked: false }
    }

    fn begin(&mut self, root: &Chess) {
        self.is_asked = root.board().occupied().len() >= self.least_men;
    }

    /// What the tables say, unless the 50-move rule comes before a mate that they know.
    #[inline]
    fn probe(&self, position: &Chess) -> Option<Probe> {
        let tables = self.tables.as_ref().filter(|_| self.is_asked)?;
        let probe = tables.probe(position)?;
        let plies = u32::from(position.board().halfmove_clock()) + probe.plies.unwrap_or(0);
        (plies <= DRAWN_AT_HALFMOVES).then_some(probe)
    }

    /// What the tables prove: draws, and mates whose distance they know.
    #[inline]
    fn known(&self, position: &Chess) -> Option<Known> {
        let Probe { result, plies } = self.probe(position)?;
        let plies = if result == GameResult::Draw { 0 } else { plies? };
        Some(Known { value: value(result), plies: plies as u16 })
    }

    /// The value by the tables, also where they know no distance.
    #[inline]
    fn judge(&self, position: &Chess) -> Option<GameValue> {
        Some(value(self.probe(position)?.result))
    }
}

fn value(result: GameResult) -> GameValue {
    match result {
        GameResult::Loss => GameValue::Loss,
        GameResult::Draw => GameValue::Draw,
        GameResult::Win => GameValue::Win,
    }
}

/// The 50-move rule; mate at this half-move still counts.
const DRAWN_AT_HALFMOVES: u32 = 100;

/// What the best move of a play-out is best for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Greedy {
    /// There is none: all moves are random.
    Nothing,
    /// The evaluation of the position after it.
    Evaluation,
    /// Its static exchange.
    Exchange,
}

/// Chess for play-outs.
#[derive(Clone)]
pub(super) struct ChessExpertise {
    greedy: Greedy,
    adjudicator: Adjudicator,
    moves: Vec<Move>,
}

impl ChessExpertise {
    pub(super) fn new(greedy: Greedy, adjudicator: Adjudicator) -> Self {
        ChessExpertise { greedy, adjudicator, moves: Vec::with_capacity(256) }
    }
}

/// The value of the position after a move for its mover, in centipawns.
fn evaluate_after(position: &Chess, m: Move) -> i32 {
    let mut next = position.clone();
    next.play(m);
    -evaluate(&next)
}

impl Expertise<Chess> for ChessExpertise {
    /// The first of equals.
    fn best_move(&mut self, position: &Chess) -> Move {
        if self.greedy == Greedy::Exchange
            && let Some(m) = best_exchange(position)
        {
            return m;
        }
        self.moves.clear();
        position.legal_moves(&mut self.moves);
        let mut best = self.moves[0];
        let mut best_value = i32::MIN;
        for &m in &self.moves {
            let value = evaluate_after(position, m);
            if value > best_value {
                (best, best_value) = (m, value);
            }
        }
        best
    }

    fn winning_move(&mut self, position: &Chess) -> Option<Move> {
        mate_in_one(position)
    }

    fn prior(&mut self, position: &Chess, m: Move) -> f32 {
        evaluate_after(position, m) as f32
    }

    #[inline]
    fn known(&mut self, position: &Chess) -> Option<Known> {
        self.adjudicator.known(position)
    }

    #[inline]
    fn judge(&mut self, position: &Chess) -> Option<GameValue> {
        self.adjudicator.judge(position)
    }

    fn begin(&mut self, root: &Chess) {
        self.adjudicator.begin(root);
    }
}

/// Chess for the search at the leaves.
#[derive(Clone)]
pub(super) struct ChessTactics {
    /// Of the priors: a move that looks so many centipawns better is e times as likely.
    temperature: f32,
    /// The share of the priors that all moves have alike.
    evenness: f32,
    adjudicator: Adjudicator,
    promises: Vec<i32>,
}

/// Promises beyond this are alike, in centipawns.
const MOST_PROMISING: i32 = 600;

impl ChessTactics {
    pub(super) fn new(temperature: f32, evenness: f32, adjudicator: Adjudicator) -> Self {
        ChessTactics { temperature, evenness, adjudicator, promises: Vec::with_capacity(256) }
    }
}

/// What a position is worth that a table says is won, in centipawns: more or less by half of its
/// evaluation, which leads to the mate.
const TABLE_WIN: i32 = 2000;

impl Tactics<Chess> for ChessTactics {
    #[inline]
    fn evaluate(&mut self, position: &Chess) -> i32 {
        let value = evaluate(position);
        match self.adjudicator.judge(position) {
            None => value,
            Some(GameValue::Win) => TABLE_WIN + value / 2,
            Some(GameValue::Draw) => 0,
            Some(GameValue::Loss) => value / 2 - TABLE_WIN,
        }
    }

    #[inline]
    fn is_in_danger(&self, position: &Chess) -> bool {
        !position.board().checkers().is_empty()
    }

    #[inline]
    fn tactical_moves(&mut self, position: &Chess, moves: &mut Vec<(Move, i32)>) {
        tactical_moves(position, moves);
    }

    #[inline]
    fn winning_move(&mut self, position: &Chess) -> Option<Move> {
        mate_in_one(position)
    }

    fn priors(&mut self, position: &Chess, moves: &[Move], priors: &mut Vec<f32>) {
        self.promises.clear();
        promises(position, moves, &mut self.promises);
        let start = priors.len();
        let mut sum = 0.0;
        for &promise in &self.promises {
            let promise = promise.clamp(-MOST_PROMISING, MOST_PROMISING);
            let weight = exp(promise as f32 / self.temperature);
            sum += weight;
            priors.push(weight);
        }
        let even = self.evenness / moves.len() as f32;
        for prior in &mut priors[start..] {
            *prior = *prior / sum * (1.0 - self.evenness) + even;
        }
    }

    #[inline]
    fn known(&mut self, position: &Chess) -> Option<Known> {
        self.adjudicator.known(position)
    }

    fn begin(&mut self, root: &Chess) {
        self.adjudicator.begin(root);
    }
}
