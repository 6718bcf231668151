"""What there is, and games of one's own."""

from collections.abc import Iterable
from typing import Any, Protocol

from spinney import _native


class Rules(Protocol):
    """The rules of a game for two players who move in turn, without chance or secrets.

    Positions and moves are any objects. They are values: `play` returns another position. Two positions with
    the same text, `str(position)`, are one; so are two moves. If there is a method `parse(text)`, positions can be
    read from their text, too; with `board(position)`, a picture of several lines, boards are shown.
    """

    def start(self) -> Any:
        """The first position."""

    def moves(self, position: Any, /) -> Iterable[Any]:
        """The legal moves; at least one where there is no result. Whole numbers are actions."""

    def play(self, position: Any, move: Any, /) -> Any:
        """The position after a move."""

    def result(self, position: Any, /) -> float | None:
        """At the end of the game 1, 0 or -1, as the player who moved first sees it; else `None`."""


def add_game(name: str, rules: Rules, summary: str = "a game of your own") -> _native.Game:
    """Adds a game, which every player, solver, match and experiment of this process then takes.

    A position is asked about once and then kept, so that Python is slow only where a search is new.

    >>> class Race:  # Add 1 or 2 to a total in turn; who reaches 10 wins.
    ...     def start(self): return (0, 1)
    ...     def moves(self, at): return [1, 2]
    ...     def play(self, at, step): return (at[0] + step, -at[1])
    ...     def result(self, at): return -at[1] if at[0] >= 10 else None
    >>> import spinney
    >>> state = spinney.add_game("race", Race()).new_initial_state()
    >>> spinney.solve(state, algorithm="df-pn").best
    '1'
    """
    return _native.add_game(name, rules, summary)


def load_game(name: str) -> _native.Game:
    """A game by its name, perhaps with options.

    >>> load_game("breakthrough:8x8").name
    'breakthrough:8x8'
    >>> load_game("loa:simultaneous=mover-wins").new_initial_state().position
    '1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b'
    >>> load_game("chest")
    Traceback (most recent call last):
    ...
    spinney.GameError: game "chest": unknown; did you mean "chess"?
    """
    return _native.Game(name)


def openspiel_games() -> list[str]:
    """The games of OpenSpiel that can be searched, as `load_game` takes them; needs `pyspiel`.

    They are those for two players who move in turn, without chance or secrets, where one wins what the other
    loses. Parameters of a game follow its name: `openspiel:hex(board_size=5)`.

    >>> "openspiel:connect_four" in openspiel_games()
    True
    >>> load_game("openspiel:kuhn_poker")
    Traceback (most recent call last):
    ...
    spinney.GameError: game "openspiel:kuhn_poker": it cannot be searched: it has chance
    """
    import pyspiel

    kinds = pyspiel.GameType
    return [
        f"openspiel:{kind.short_name}"
        for kind in pyspiel.registered_games()
        if kind.dynamics == kinds.Dynamics.SEQUENTIAL
        and kind.chance_mode == kinds.ChanceMode.DETERMINISTIC
        and kind.information == kinds.Information.PERFECT_INFORMATION
        and kind.utility == kinds.Utility.ZERO_SUM
        and kind.min_num_players <= 2 <= kind.max_num_players
        and kind.default_loadable
    ]


def games() -> dict[str, str]:
    """The names of the games, with a line on each.

    >>> games()["loa6"]
    'Lines of Action on 6x6'
    """
    return dict(_native.games())


def players(game: _native.Game | str) -> dict[str, str]:
    """The names of the players of a game, with a line on each.

    >>> "mc-loa" in players("loa"), "mc-loa" in players("chess")
    (True, False)
    """
    return dict(_native.players(load_game(game) if isinstance(game, str) else game))


def experiments() -> dict[str, str]:
    """The names of the experiments that are part of the package, with their titles.

    >>> import spinney
    >>> "mcts-loa/table-2" in experiments()
    True
    >>> table = spinney.Experiment("nmcs/table-3", scale="quick")
    >>> table.title == experiments()["nmcs/table-3"], table.units == sum(p.end - p.first for p in table.pieces())
    (True, True)
    """
    return dict(_native.experiments())
