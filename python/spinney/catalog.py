"""What there is."""

from spinney import _native


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
