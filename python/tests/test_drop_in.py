"""States in place of OpenSpiel's, and boards as pictures."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import spinney

DOCS = Path(__file__).parents[2] / "docs" / "guides" / "python.md"


@pytest.mark.parametrize("name", [*spinney.games(), "breakthrough:4x6", "openspiel:amazons"])
def test_states_have_the_verbs(name: str) -> None:
    if name.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    game = spinney.load_game(name)
    state = game.new_initial_state()
    generator = random.Random(7)
    shape = game.observation_tensor_shape()
    for _ in range(30):
        if state.is_terminal():
            break
        player = state.current_player()
        assert state.legal_actions(player) == state.legal_actions() and not state.legal_actions(1 - player)
        mask = state.legal_actions_mask()
        assert [action for action, legal in enumerate(mask) if legal] == state.legal_actions()
        assert len(mask) == game.num_distinct_actions() == state.num_distinct_actions()
        tensor = np.reshape(state.observation_tensor(), shape)
        before = (state.position, state.history(), state.move_number())
        action = generator.choice(state.legal_actions())
        state.apply_action(action)
        assert tensor.size == game.observation_tensor_size() and state.move_number() == before[2] + 1
        with pytest.raises(spinney.MoveError):
            state.clone().undo_action(1 - player, action)
        state.undo_action(player, action)
        assert (state.position, state.history(), state.move_number()) == before
        assert (np.reshape(state.observation_tensor(), shape) == tensor).all()
        state.apply_action(action)
    length = game.max_game_length()
    assert length is None or state.move_number() <= length


def test_tensors_are_the_board() -> None:
    state = spinney.State("loa6", None, ["b1-b3"])
    planes = np.reshape(state.observation_tensor(), (3, 6, 6))
    assert planes[0, 2, 1] == 1 and planes[0, 0, 1] == 0 and planes[0].sum() == 8
    assert planes[1, :, 0].tolist() == [0, 1, 1, 1, 1, 0] and planes[2].all()
    kings = np.reshape(spinney.State("chess").observation_tensor(), (13, 8, 8))
    assert kings[5, 0, 4] == 1 and kings[11, 7, 4] == 1


def test_algorithms_of_openspiel_take_our_games() -> None:
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    start = spinney.State("tictactoe", None, ["b2", "a1"])
    value, _ = minimax.alpha_beta_search(start.get_game(), start, maximizing_player_id=0)
    assert value == 0
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    state = spinney.State("tictactoe", None, ["a1", "b1", "a2", "b2"])
    bot = mcts.MCTSBot(state.get_game(), 1.4, 200, evaluator, random_state=np.random.RandomState(2))
    assert state.action_to_string(bot.step(state)) == "a3"


@pytest.mark.parametrize("name", spinney.games())
def test_boards_are_drawn(name: str) -> None:
    state = spinney.load_game(name).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    picture = ElementTree.fromstring(state._repr_svg_())
    squares = state.squares
    assert squares is not None
    men = sum(letter != "." for rank in squares for letter in rank)
    files, ranks = len(squares[0]), len(squares)
    drawn = [part for part in picture.iter() if part.tag.endswith(("rect", "circle", "text"))]
    # A background, the squares, the names of files and ranks, the men.
    assert len(drawn) == 1 + files * ranks + files + ranks + men


def test_boards_without_squares_are_text() -> None:
    class Heap:
        def start(self) -> int: return 5
        def moves(self, heap: int) -> list[int]: return [1, 2]
        def play(self, heap: int, take: int) -> int: return heap - take
        def result(self, heap: int) -> int | None: return None if heap > 1 else 0
        def board(self, heap: int) -> str: return "a heap <\n" + "o " * heap

    state = spinney.add_game("heap-drawn", Heap()).new_initial_state()
    assert state.board == "a heap <\no o o o o " and state.squares is None
    assert "a heap &lt;" in state._repr_svg_()
    ElementTree.fromstring(state._repr_svg_())


def test_a_number_is_no_board() -> None:
    class Count:
        def start(self) -> int: return 5
        def moves(self, count: int) -> list[int]: return [1]
        def play(self, count: int, step: int) -> int: return count - step
        def result(self, count: int) -> int | None: return None if count else 0

    assert spinney.add_game("count", Count()).new_initial_state().board == "5 1"


@pytest.mark.parametrize("title", [
    "A game of your own", "Games of OpenSpiel", "A state for OpenSpiel's algorithms", "Many positions at once",
    "Boards in notebooks",
])
def test_the_documentation_runs(title: str) -> None:
    pytest.importorskip("pyspiel")
    section = DOCS.read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert blocks
    names = {"spinney": spinney, "Limit": spinney.Limit}
    for block in blocks:
        exec(block, names)
        for line in block.splitlines():
            # A comment says what the line gives, where it is short.
            said = re.match(r"(spinney\.\S.*|np\.\S.*|sum\(.*)  +# ('[^']*'|\([\d, ]+\)|True)$", line)
            if said:
                assert repr(eval(said[1], names)) == said[2], line
