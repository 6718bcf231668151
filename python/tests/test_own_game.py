"""Games whose rules are a Python object."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

import spinney

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """A position is nine letters."""

    def start(self) -> str:
        return "." * 9

    def moves(self, board: str) -> list[int]:
        return [square for square in range(9) if board[square] == "."]

    def play(self, board: str, square: int) -> str:
        man = "xo"[board.count("x") - board.count("o")]
        return board[:square] + man + board[square + 1 :]

    def result(self, board: str) -> int | None:
        for a, b, c in LINES:
            if board[a] == board[b] == board[c] != ".":
                return 1 if board[a] == "x" else -1
        return None if "." in board else 0


class Counting(TicTacToe):
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def moves(self, board: str) -> list[int]:
        self.asked += 1
        return super().moves(board)


class Subtraction:
    """Take one to three from a heap; who takes the last wins. Moves have names."""

    def start(self) -> tuple[int, int]:
        return (10, 1)

    def moves(self, heap: tuple[int, int]) -> Iterator[str]:
        return (f"take-{count}" for count in range(1, min(3, heap[0]) + 1))

    def play(self, heap: tuple[int, int], move: str) -> tuple[int, int]:
        return (heap[0] - int(move[-1]), -heap[1])

    def result(self, heap: tuple[int, int]) -> int | None:
        return -heap[1] if heap[0] == 0 else None

    def parse(self, text: str) -> tuple[int, int]:
        count, side = text.strip("()").split(",")
        return (int(count), int(side))


names = itertools.count()


def add(rules: spinney.Rules) -> spinney.Game:
    return spinney.add_game(f"own-{next(names)}", rules)


def test_it_is_the_game() -> None:
    own, known = add(TicTacToe()).new_initial_state(), spinney.State("tictactoe")
    assert own.legal_actions() == list(range(9))
    assert own.position == "......... 1" and own.board == own.position
    for action in [0, 4, 1, 2, 6, 3, 5, 7, 8]:
        own.apply_action(action)
        known.apply_action("abc"[action % 3] + "123"[action // 3])
        assert own.is_terminal() == known.is_terminal()
        assert own.returns() == known.returns()
    assert own.is_terminal()


def test_searches_solvers_and_matches_take_it() -> None:
    rules = Counting()
    game = add(rules)
    state = game.new_initial_state()
    for algorithm in ["df-pn", "brute-force", "pn", "alpha-beta"]:
        assert spinney.solve(state, algorithm=algorithm).value == "draw", algorithm
    # Every position was asked about once: there are 5478, of which 958 are ends.
    assert rules.asked <= 5478 - 958
    for player in ["uct", "nested", "pn", "flat"]:
        analysis = spinney.player(player).analyse(state, spinney.Limit(simulations=500, nodes=5000))
        assert analysis.best in {str(action) for action in range(9)}, player
    for action in [0, 3, 1, 4]:
        state.apply_action(action)
    analysis = spinney.player("uct").analyse(state, spinney.Limit(simulations=1000))
    assert (analysis.best, analysis.proven, analysis.plies) == ("2", "win", 1)
    result = spinney.match(game, "uct", "random", games=10, limit=spinney.Limit(simulations=300))
    assert result.games == 10 and result.wins_b == 0 and result.wins_a > 5
    assert rules.asked <= 5478 - 958


def test_moves_may_have_names_and_positions_be_read() -> None:
    game = add(Subtraction())
    state = game.new_initial_state()
    assert state.legal_moves() == ["take-1", "take-2", "take-3"]
    solution = spinney.solve(state, algorithm="df-pn")
    assert (solution.value, solution.best) == ("win", "take-2")
    assert spinney.solve(game.new_initial_state("(8, 1) 1"), algorithm="df-pn").value == "loss"
    with pytest.raises(spinney.PositionError):
        game.new_initial_state("nothing 1")


def test_exceptions_come_through() -> None:
    class Broken(TicTacToe):
        def play(self, board: str, square: int) -> str:
            if board.count("x") == 2:
                raise RuntimeError("a mistake in the rules")
            return super().play(board, square)

    state = add(Broken()).new_initial_state()
    with pytest.raises(RuntimeError, match="a mistake in the rules"):
        spinney.player("uct").analyse(state, spinney.Limit(simulations=100))
    with pytest.raises(RuntimeError, match="a mistake in the rules"):
        spinney.solve(state, algorithm="df-pn")

    class NoMoves(TicTacToe):
        def moves(self, board: str) -> list[int]:
            return []

    with pytest.raises(ValueError, match="no moves and no result"):
        add(NoMoves())
    with pytest.raises(spinney.GameError, match="lower-case"):
        spinney.add_game("My Game", TicTacToe())
    with pytest.raises(spinney.GameError, match="one of this name"):
        spinney.add_game("loa", TicTacToe())
