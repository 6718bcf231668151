"""OpenSpiel's bots in our matches, our players in its games."""

import random
from typing import Any

import pytest

import spinney

pyspiel = pytest.importorskip("pyspiel")
from spinney import open_spiel  # noqa: E402


def mcts_bot(game: str, simulations: int, seed: int = 1) -> open_spiel.OpenSpielPlayer:
    spiel = pyspiel.load_game(open_spiel.spiel_name(game))
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    policy = pyspiel.ChildSelectionPolicy.UCT

    def make(_side: int) -> Any:
        return pyspiel.MCTSBot(spiel, evaluator, 2.0, simulations, 100, True, seed, False, policy)

    return open_spiel.OpenSpielPlayer(make, "MCTSBot of OpenSpiel")


def test_mcts_bot_plays_twenty_games_of_loa_against_uct() -> None:
    bot = mcts_bot("loa", 2)
    result = spinney.match("loa", "uct", bot, 20, spinney.Limit(simulations=400))
    assert result.games == 20
    assert (result.forfeits_a, result.forfeits_b) == (0, 0), result.failure
    assert bot.fallbacks <= 5


@pytest.mark.parametrize("game", ["breakthrough:4x4", "breakthrough:8x8", "chess"])
def test_bots_play_other_games(game: str) -> None:
    bot = mcts_bot(game, 5)
    result = spinney.match(game, "random", bot, 2, max_plies=60)
    assert (result.games, result.forfeits_a, result.forfeits_b) == (2, 0, 0), result.failure
    assert bot.fallbacks == 0


@pytest.mark.parametrize("name", ["lines_of_action", "breakthrough(columns=6,rows=7)", "chess"])
def test_rules_agree_on_random_games(name: str) -> None:
    for seed in range(4):
        generator = random.Random(seed)
        spiel = pyspiel.load_game(name).new_initial_state()
        ours = open_spiel.our_game(spiel.get_game()).new_initial_state()
        for _ in range(120):
            if spiel.is_terminal() or ours.is_terminal():
                break
            # White is player 1 in OpenSpiel's chess.
            assert ours.current_player() == (spiel.current_player() ^ (name == "chess"))
            both = open_spiel.corresponding(ours, spiel)
            assert sorted(both) == ours.legal_actions()
            assert sorted(both.values()) == spiel.legal_actions()
            action = generator.choice(ours.legal_actions())
            ours.apply_action(action)
            spiel.apply_action(both[action])
        if ours.is_terminal() and name != "lines_of_action":
            returns = reversed(ours.returns()) if name == "chess" else ours.returns()
            assert spiel.is_terminal() and spiel.returns() == list(returns)
        assert open_spiel.from_spiel(spiel).moves() == ours.moves()


def test_boards_with_other_men_are_refused() -> None:
    with pytest.raises(spinney.GameError, match="five ranks"):
        open_spiel.spiel_name("breakthrough")
    with pytest.raises(spinney.GameError, match="five ranks"):
        open_spiel.our_game(pyspiel.load_game("breakthrough(columns=6,rows=5)"))
    with pytest.raises(spinney.GameError, match="nogo"):
        open_spiel.spiel_name("nogo")


def test_loops_are_left_out() -> None:
    moves = ["b1-b3", "a4-c4", "b3-b1", "c4-a4"]
    state = spinney.State("loa", None, [*moves, "d1-d3"])
    spiel = open_spiel.to_spiel(state)
    assert spiel is not None and not spiel.is_terminal()
    assert [spiel.action_to_string(0, action) for action in spiel.history()] == ["d1-d3"]


def test_our_players_are_bots() -> None:
    game = pyspiel.load_game("breakthrough(columns=6,rows=6)")
    limit = spinney.Limit(simulations=300)
    bots = [open_spiel.SpinneyBot(spinney.player("uct", limit=limit)), pyspiel.make_uniform_random_bot(1, 3)]
    state = game.new_initial_state()
    assert pyspiel.evaluate_bots(state, bots, 5) == [1.0, -1.0]
    bots.reverse()
    bots[0] = pyspiel.make_uniform_random_bot(0, 4)
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 6) == [-1.0, 1.0]
