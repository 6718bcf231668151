"""Game-tree search: games, players, solvers, matches and experiments.

>>> import spinney
>>> game = spinney.load_game("tictactoe")
>>> state = game.new_initial_state()
>>> state.apply_action("b2")
>>> player = spinney.player("uct:stop-early=off", seed=1)
>>> analysis = player.analyse(state, spinney.Limit(simulations=20_000), multipv=2)
>>> analysis.proven, analysis.best in ("a1", "c1", "a3", "c3")
('draw', True)

A state has the verbs of OpenSpiel. An action is the number of a move, and the same move has the same
number in every position of a game (docs/guides/python.md says which).

>>> state.legal_actions()
[0, 1, 2, 8, 10, 16, 17, 18]
>>> state.action_to_string(0), state.string_to_action("c3")
('a1', 18)
"""

from spinney._native import (
    Experiment,
    Game,
    GameError,
    MoveError,
    Piece,
    PlayerError,
    PositionError,
    SpinneyError,
    State,
    write_reports,
)
from spinney.analysis import Analysis, Candidate, Limit
from spinney.arena import Bot, MatchResult, Sprt, Statistics, match, statistics
from spinney.batch import planes, playouts, self_play
from spinney.catalog import Rules, add_game, experiments, games, load_game, openspiel_games, players
from spinney.playing import Player, player
from spinney.solving import Solution, solve

__all__ = [
    "Analysis",
    "Bot",
    "Candidate",
    "Experiment",
    "Game",
    "GameError",
    "Limit",
    "MatchResult",
    "MoveError",
    "Piece",
    "Player",
    "PlayerError",
    "PositionError",
    "Rules",
    "Solution",
    "SpinneyError",
    "Sprt",
    "State",
    "Statistics",
    "add_game",
    "experiments",
    "games",
    "load_game",
    "match",
    "openspiel_games",
    "planes",
    "player",
    "players",
    "playouts",
    "self_play",
    "solve",
    "statistics",
    "write_reports",
]
