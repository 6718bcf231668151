"""Games of OpenSpiel as ours."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

import spinney

pyspiel = pytest.importorskip("pyspiel")

GAMES = spinney.openspiel_games()
SMALL = ["connect_four", "nim", "dots_and_boxes", "mancala", "pentago", "tic_tac_toe", "ultimate_tic_tac_toe"]


def walk(state: spinney.State, spiel: Any, seed: int, plies: int) -> Iterator[None]:
    """Plays the same random moves in both."""
    generator = random.Random(seed)
    for _ in range(plies):
        yield
        if spiel.is_terminal():
            return
        action = generator.choice(spiel.legal_actions())
        state.apply_action(action)
        spiel.apply_action(action)


def compare(name: str, seed: int, plies: int) -> None:
    state = spinney.load_game(name).new_initial_state()
    spiel = pyspiel.load_game(name.partition(":")[2]).new_initial_state()
    first = spiel.current_player()
    for _ in walk(state, spiel, seed, plies):
        assert state.legal_actions() == sorted(spiel.legal_actions())
        assert state.is_terminal() == spiel.is_terminal()
        # What random playouts rely on.
        assert spiel.is_terminal() == (not spiel.legal_actions())
        assert [state.returns()[player ^ first] for player in (0, 1)] == spiel.returns()
        assert state.history() == spiel.history()
        if not spiel.is_terminal():
            assert state.current_player() == spiel.current_player() ^ first
    assert state.board == str(spiel)
    assert state.observation_tensor(0) == pytest.approx(spiel.observation_tensor(first))
    if not spiel.is_terminal():
        assert state.legal_actions_mask() == spiel.legal_actions_mask(spiel.current_player())
    # The text of the position, and the moves, lead there again.
    again = state.get_game().new_initial_state(state.position)
    assert again.position == state.position and again.legal_actions() == state.legal_actions()
    assert len(set(state.legal_moves())) == len(state.legal_actions())


def test_there_are_31() -> None:
    # `efg_game` reads a file.
    assert len(GAMES) == 31 and "openspiel:efg_game" not in GAMES


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_those_of_openspiel(name: str) -> None:
    compare(name, 1, 60)


@pytest.mark.nightly
@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_those_of_openspiel(name: str) -> None:
    for seed in range(5):
        compare(name, seed, 2000)


@pytest.mark.parametrize("name", GAMES)
def test_searches_take_every_game(name: str) -> None:
    state = spinney.load_game(name).new_initial_state()
    generator = random.Random(2)
    for _ in range(3):
        state.apply_action(generator.choice(state.legal_actions()))
    limit = spinney.Limit(simulations=5, nodes=200)
    analysis = spinney.player("uct").analyse(state, limit)
    assert analysis.best in state.legal_moves()
    table = spinney.playouts([state], count=3)
    assert table.sum() == 3


def test_other_games_are_refused_with_the_reason() -> None:
    for name, reason in [
        ("backgammon", "it has chance"),
        ("goofspiel", "do not move in turn|chance"),
        ("dark_hex", "do not see everything"),
        ("pig", "chance"),
        ("cliff_walking", "1 players"),
        ("connect_for", "did you mean \"connect_four\""),
    ]:
        with pytest.raises(spinney.GameError, match=reason):
            spinney.load_game(f"openspiel:{name}")


def test_no_listed_game_is_refused_and_no_other_is_taken() -> None:
    listed = {name.partition(":")[2] for name in GAMES}
    for kind in pyspiel.registered_games():
        if not kind.default_loadable or kind.short_name in listed:
            continue
        with pytest.raises(spinney.GameError):
            spinney.load_game(f"openspiel:{kind.short_name}")


def test_random_playouts_are_uniform() -> None:
    # Both ways of playing out: lists of moves, and bots of OpenSpiel.
    for name in ["connect_four(rows=4,columns=4,x_in_row=3)", "othello"]:
        state = spinney.load_game(f"openspiel:{name}").new_initial_state()
        ours = spinney.playouts([state], count=400, seed=3)[0] / 400
        spiel = pyspiel.load_game(name)
        generator = random.Random(4)
        theirs = [0, 0, 0]
        for _ in range(400):
            at = spiel.new_initial_state()
            while not at.is_terminal():
                at.apply_action(generator.choice(at.legal_actions()))
            theirs[1 - int(at.returns()[0])] += 1
        # Five standard deviations of a difference of 400 games each.
        assert abs(ours[0] - theirs[0] / 400) < 0.18, name


def test_seeds_decide() -> None:
    for name in ["connect_four", "hex(board_size=5)"]:
        state = spinney.load_game(f"openspiel:{name}").new_initial_state()
        limit = spinney.Limit(simulations=300)
        found = [spinney.player("uct", seed=5).analyse(state, limit) for _ in range(2)]
        assert found[0].candidates == found[1].candidates


def test_solvers_agree_with_what_is_known() -> None:
    for name, value in [("tic_tac_toe", "draw"), ("nim(pile_sizes=1;2;3)", None), ("hex(board_size=3)", "win")]:
        state = spinney.load_game(f"openspiel:{name}").new_initial_state()
        solved = {spinney.solve(state, algorithm).value for algorithm in ["df-pn", "brute-force", "alpha-beta"]}
        assert len(solved) == 1 and (value is None or solved == {value}), name


def test_matches_and_the_command_line_take_them() -> None:
    game = spinney.load_game("openspiel:connect_four")
    result = spinney.match(game, "uct", "random", 4, spinney.Limit(simulations=200), concurrency=2)
    assert result.games == 4 and result.wins_a >= 3
    # A move again of the same player is a pass of the other one.
    result = spinney.match("openspiel:dots_and_boxes", "uct", "random", 2, spinney.Limit(simulations=50))
    assert result.games == 2 and result.failure is None
    command = [sys.executable, "-m", "spinney", "analyze", "openspiel:tic_tac_toe", "--simulations", "100", "--json"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(said)["simulations"] == 100


def test_the_board_in_the_browser_takes_them() -> None:
    command = [sys.executable, "-m", "spinney", "serve", "--addr", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[3]
            place = {"game": "openspiel:hex(board_size=3)", "moves": ["a1"]}
            headers = {"Content-Type": "application/json"}
            request = urllib.request.Request(f"{address}/api/position", json.dumps(place).encode(), headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                state = json.load(answer)
        finally:
            server.terminate()
    assert state["width"] == 0 and len(state["legal"]) == 8
    spiel = pyspiel.load_game("hex(board_size=3)").new_initial_state()
    spiel.apply_action(0)
    assert state["text"] == str(spiel)


def test_states_can_be_pickled_and_undone() -> None:
    state = spinney.load_game("openspiel:amazons").new_initial_state()
    for seed in range(8):
        state.apply_action(random.Random(seed).choice(state.legal_actions()))
    again = pickle.loads(pickle.dumps(state))
    assert again.position == state.position and again.history() == state.history()
    before = state.child(state.legal_actions()[0])
    before.undo_action(state.current_player(), before.history()[-1])
    assert before.position == state.position
    with pytest.raises(spinney.MoveError):
        state.undo_action(state.current_player(), -1 % 100)


@pytest.mark.parametrize("name", ["dots_and_boxes", "mancala", "tic_tac_toe", "connect_four(rows=4,columns=4)", "pentago",
    "breakthrough(rows=4,columns=3)", "clobber(rows=3,columns=4)", "nim", "mnk(m=3,n=4,k=3)", "gomoku(size=4)",
    "hex(board_size=3)", "havannah(board_size=3)", "y(board_size=4)", "othello"])
def test_text_says_what_may_follow(name: str) -> None:
    """Two ways to one text: the same moves, the same texts after them."""
    game = pyspiel.load_game(name)
    seen: dict[tuple[str, int, int], tuple[Any, ...]] = {}
    met = 0
    for seed in range(60 if name == "pentago" else 150):
        generator = random.Random(seed)
        state = game.new_initial_state()
        while not state.is_terminal() and state.move_number() < 12:
            state.apply_action(generator.choice(state.legal_actions()))
            key = (str(state), state.move_number(), state.current_player())
            after = tuple(str(state.child(action)) for action in state.legal_actions())
            told = (state.legal_actions(), state.returns(), after)
            met += key in seen
            assert seen.setdefault(key, told) == told
    assert met > 0
