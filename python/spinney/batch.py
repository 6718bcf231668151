"""Many positions at once, as numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from spinney import _native
from spinney.catalog import load_game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def playouts(
    states: Sequence[_native.State],
    count: int = 1,
    max_plies: int | None = None,
    seed: int = 0,
    threads: int = 1,
) -> NDArray[np.int64]:
    """Play `count` random games from each state.

    The answer has a row for each state: wins of the player who moves first in the game, draws, wins of the
    other one. A game of `max_plies` is a draw. The same seed gives the same rows with any number of threads.

    >>> import spinney
    >>> start = spinney.State("tictactoe")
    >>> table = playouts([start, start.child("b2")], count=1000)
    >>> table.shape, table.sum(axis=1).tolist(), bool(table[1, 0] > table[0, 0])
    ((2, 3), [1000, 1000], True)
    """
    import numpy as np

    most = 2**32 - 1 if max_plies is None else max_plies
    rows = _native.playouts(list(states), count, most, seed, threads)
    return np.frombuffer(rows, np.int64).reshape(-1, 3)


def self_play(
    game: _native.Game | str,
    positions: int,
    player: str | None = None,
    nodes: int = 1500,
    off_path: float = 0.35,
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
) -> NDArray[Any]:
    """Positions to learn from: a player plays itself until there are `positions` different ones.

    Games and values are those of `spinney learn games`, whose defaults these are; `player` is `mia-plus:table=2` for
    LOA and `uct` for other games. The answer is a structured array with these fields; values are for the side
    to move:

    - `sets`: for each kind of man the squares, as bits `8 * rank + file`; the side to move in front
    - `value`: what the search says, from -1 (loss) to 1 (win)
    - `game`: the number of the game
    - `result`: how the game ended, -1, 0 or 1; 0 where it did not pass through the position
    - `ply`: moves since the start
    - `side`: who is to move, 0 for the player who moves first
    - `off_path`: 1 where the game did not pass through the position

    `progress` hears the number of positions so far after each game.

    >>> samples = self_play("loa6", positions=50, nodes=100)
    >>> samples.shape, samples["sets"].shape, bool((abs(samples["value"]) <= 1).all())
    ((50,), (50, 2), True)
    """
    import numpy as np

    game = load_game(game) if isinstance(game, str) else game
    chosen = player or ("mia-plus:table=2" if game.style == "loa" else "uct")
    settings = (chosen, nodes, positions, off_path, seed, threads)
    sets, records = _native.self_play(game, *settings, progress)
    dtype = np.dtype([
        ("sets", "=u8", (sets,)),
        ("value", "=f4"),
        ("game", "=u4"),
        ("result", "i1"),
        ("ply", "u1"),
        ("side", "u1"),
        ("off_path", "u1"),
    ])
    return np.frombuffer(records, dtype)


def planes(sets: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Sets of squares as planes of zeros and ones: a position becomes `(sets, 8, 8)`, ranks from the first.

    >>> samples = self_play("loa6", positions=5, nodes=100)
    >>> board = planes(samples["sets"])
    >>> board.shape, float(board[:, :, 6:].sum()), set(board.ravel().tolist()) == {0.0, 1.0}
    ((5, 2, 8, 8), 0.0, True)
    """
    import numpy as np

    bytes_of_ranks = np.ascontiguousarray(sets).astype("<u8").view(np.uint8)
    bits = np.unpackbits(bytes_of_ranks.reshape(*sets.shape, 8), axis=-1, bitorder="little")
    return bits.reshape(*sets.shape, 8, 8).astype(np.float32)
