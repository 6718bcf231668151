//! Algorithm 1: the nested playout, and the playout policy that it makes.

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Outcome, Path, Repetition, Rng, Side, random_playout};

use super::score::Score;
use super::{Config, Order};
use crate::Budget;
use crate::policy::{Policy, Simulation};

/// NMC(n) as a simulation strategy. Its result is the plain one of the last position, not
/// discounted: "full loss/win results are propagated in the UCT tree" (paper `nmcs`).
///
/// The move it makes in a position is the first one of its playout, that of Π(V(NMC(n-1))); at
/// level 0 a random one.
#[derive(Clone, Debug)]
pub struct Nested<G: Game> {
    config: Config,
    moves: Vec<G::Move>,
    path: Path,
}

impl<G: Game> Nested<G> {
    /// Playouts of this kind.
    pub fn new(config: Config) -> Self {
        Nested { config, moves: Vec::new(), path: Path::default() }
    }

    /// What kind of playouts they are.
    pub fn config(&self) -> &Config {
        &self.config
    }
}

impl<G: Repetition> Policy<G> for Nested<G> {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let Simulation { path, rng, budget, trace } = simulation;
        let mut playouts =
            Playouts { config: &self.config, moves: &mut self.moves, path, rng, budget };
        let level = self.config.level;
        let end = match trace.as_deref_mut() {
            None => playouts.nested(level, position, 1, NEVER),
            Some(trace) => playouts.play_on(level, position, 1, NEVER, Some(trace)),
        };
        match end {
            End::Over { outcome, .. } => Some(outcome.score_for_first()),
            End::GivenUp | End::OutOfBudget => None,
        }
    }

    fn choose(&mut self, position: &G, rng: &mut Rng, budget: &mut Budget) -> G::Move {
        if budget.is_exhausted() {
            return position.random_move(rng);
        }
        // The way to the position is not known: repetitions count from here.
        self.path.truncate(0);
        self.path.push(position.key(), true);
        let mut playouts = Playouts {
            config: &self.config,
            moves: &mut self.moves,
            path: &mut self.path,
            rng,
            budget,
        };
        let choice = playouts.choose(self.config.level, position, 1);
        choice.unwrap_or_else(|| position.random_move(rng))
    }
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The game is over.
    Over { outcome: Outcome, depth: u32 },
    /// It cannot become better than another.
    GivenUp,
    /// The search must end.
    OutOfBudget,
}

impl End {
    /// What the playout is worth to `side`; `None` if it was given up.
    #[inline(always)]
    pub(super) fn score(self, side: Side, discounting: bool) -> Option<Score> {
        match self {
            End::Over { outcome, depth } if discounting => Some(Score::of(outcome, depth, side)),
            End::Over { outcome, .. } => Some(Score::of(outcome, 1, side)),
            End::GivenUp | End::OutOfBudget => None,
        }
    }
}

/// The depth at which a playout is given up that has nothing to be compared with.
pub(super) const NEVER: u32 = u32::MAX;

/// What all playouts of a search share.
pub(super) struct Playouts<'a, G: Game> {
    pub(super) config: &'a Config,
    /// A stack of lists: every level puts its moves on top and takes them away again.
    pub(super) moves: &'a mut Vec<G::Move>,
    /// The way to the position that the playout has reached.
    pub(super) path: &'a mut Path,
    pub(super) rng: &'a mut Rng,
    pub(super) budget: &'a mut Budget,
}

impl<G: Repetition> Playouts<'_, G> {
    /// NMC(`level`) from a position at a depth, counted from 1; given up at the depth `hopeless`.
    pub(super) fn nested(&mut self, level: u32, position: G, depth: u32, hopeless: u32) -> End {
        match level {
            0 => cpu::run(RandomPlayout { playouts: self, position, depth, hopeless }),
            _ => self.play_on(level, position, depth, hopeless, None),
        }
    }

    /// The same move by move, with the moves noted in `trace`.
    fn play_on(
        &mut self,
        level: u32,
        mut position: G,
        mut depth: u32,
        hopeless: u32,
        mut trace: Option<&mut Vec<G::Move>>,
    ) -> End {
        let length = self.path.len();
        let end = loop {
            if let Some(outcome) = self.outcome(&position, depth) {
                break End::Over { outcome, depth };
            }
            if depth >= hopeless {
                break End::GivenUp;
            }
            let Some(m) = self.choose(level, &position, depth) else {
                break End::OutOfBudget;
            };
            self.play(&mut position, m);
            self.budget.spend(1);
            depth += 1;
            if let Some(trace) = &mut trace {
                trace.push(m);
            }
        };
        self.path.truncate(length);
        end
    }

    /// The move that NMC(`level`) makes; `None` if the budget ran out.
    fn choose(&mut self, level: u32, position: &G, depth: u32) -> Option<G::Move> {
        match level {
            _ if self.budget.is_exhausted() => None,
            0 => Some(position.random_move(self.rng)),
            1 => cpu::run(InnermostChoice { playouts: self, position, depth }),
            _ => self.best_successor::<false>(level, position, depth),
        }
    }

    /// The first best successor, each judged by one playout of the level below; a random one if
    /// none is better than losing at once. `None` if the budget ran out. At level 1, the
    /// `INNERMOST`, everything is inlined.
    #[inline(always)]
    fn best_successor<const INNERMOST: bool>(
        &mut self,
        level: u32,
        position: &G,
        depth: u32,
    ) -> Option<G::Move> {
        let Config { discounting, .. } = *self.config;
        let cuts = level <= self.config.cut_on_win;
        let prunes = discounting && level <= self.config.prune_on_depth;
        let side = position.to_move();
        let length = self.path.len();
        let start = self.moves.len();
        position.legal_moves(self.moves);
        let mut best = None;
        let mut best_score = Score::loss(if discounting { depth } else { 1 });
        let mut visited = 0;
        let mut out_of_budget = false;
        for index in start..self.moves.len() {
            // 1. The successor.
            if self.config.order == Order::Random {
                let left = (self.moves.len() - index) as u32;
                self.moves.swap(index, index + self.rng.below(left) as usize);
            }
            let m = self.moves[index];
            let mut successor = position.clone();
            self.play(&mut successor, m);
            visited += 1;
            // 2. Its playout.
            let hopeless = if prunes { best_score.unbeatable_from() } else { NEVER };
            let end = if INNERMOST {
                self.random(successor, depth + 1, hopeless)
            } else {
                self.nested(level - 1, successor, depth + 1, hopeless)
            };
            self.path.truncate(length);
            if end == End::OutOfBudget {
                out_of_budget = true;
                break;
            }
            // 3. Whether it is better.
            if let Some(score) = end.score(side, discounting)
                && score > best_score
            {
                (best, best_score) = (Some(m), score);
                if cuts && score.is_win() {
                    break;
                }
            }
        }
        self.budget.spend(visited);
        let choice = match best {
            _ if out_of_budget => None,
            Some(m) => Some(m),
            None => self.rng.choose(&self.moves[start..]),
        };
        self.moves.truncate(start);
        choice
    }

    /// NMC(0).
    #[inline(always)]
    fn random(&mut self, position: G, depth: u32, hopeless: u32) -> End {
        let most = self.config.max_plies.saturating_add(1).min(hopeless).saturating_sub(depth);
        let playout = random_playout(position, self.path, most, self.rng);
        let depth = depth + playout.plies;
        if self.budget.spend(u64::from(playout.plies)) {
            return End::OutOfBudget;
        }
        match playout.outcome {
            Some(outcome) => End::Over { outcome, depth },
            None if depth > self.config.max_plies => End::Over { outcome: Outcome::Draw, depth },
            None => End::GivenUp,
        }
    }

    /// The result in a position at a depth, if the game is over.
    #[inline(always)]
    fn outcome(&self, position: &G, depth: u32) -> Option<Outcome> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome);
        }
        let repeats = match position.drawn_at() {
            Some(times) => self.path.repeats(times),
            None => false,
        };
        (repeats || depth > self.config.max_plies).then_some(Outcome::Draw)
    }

    /// Plays a move, on the path too if the game knows repetitions.
    #[inline(always)]
    pub(super) fn play(&mut self, position: &mut G, m: G::Move) {
        if position.drawn_at().is_some() {
            let irreversible = position.is_irreversible(m);
            position.play(m);
            self.path.push(position.key(), irreversible);
        } else {
            position.play(m);
        }
    }
}

/// A random playout, compiled for the processor.
struct RandomPlayout<'a, 'b, G: Game> {
    playouts: &'a mut Playouts<'b, G>,
    position: G,
    depth: u32,
    hopeless: u32,
}

impl<G: Repetition> Kernel for RandomPlayout<'_, '_, G> {
    type Output = End;

    #[inline(always)]
    fn run(self) -> End {
        self.playouts.random(self.position, self.depth, self.hopeless)
    }
}

/// A move of level 1 with all the random playouts that choose it, compiled for the processor.
struct InnermostChoice<'a, 'b, G: Game> {
    playouts: &'a mut Playouts<'b, G>,
    position: &'a G,
    depth: u32,
}

impl<G: Repetition> Kernel for InnermostChoice<'_, '_, G> {
    type Output = Option<G::Move>;

    #[inline(always)]
    fn run(self) -> Option<G::Move> {
        self.playouts.best_successor::<true>(1, self.position, self.depth)
    }
}
