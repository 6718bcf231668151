"""The exact value of positions."""

from __future__ import annotations

from dataclasses import dataclass

from spinney import _native
from spinney.analysis import Analysis, Limit


@dataclass(frozen=True)
class Solution:
    """The value of a position with perfect play, as the side to move sees it."""

    value: str
    """`"win"`, `"loss"`, `"draw"`, or `"unknown"` if a limit came first."""
    best: str | None
    """A move that reaches it."""
    plies: int | None
    """Plies to the end, where the solver tells."""
    nodes: int
    seconds: float


def solve(
    state: _native.State,
    algorithm: str = "brute-force",
    limit: Limit | None = None,
    memory: int = 1 << 30,
) -> Solution:
    """Prove the value of a position; the moves before it do not matter.

    `algorithm` is brute-force, alpha-beta, mcts, pn, pn2, pds, pds-pn, df-pn, or a player that proves.
    `memory` is in bytes.

    >>> import spinney
    >>> state = spinney.load_game("tictactoe").new_initial_state()
    >>> solve(state).value
    'draw'
    >>> state = spinney.load_game("breakthrough:4x4").new_initial_state()
    >>> solve(state, "df-pn", memory=1 << 20).value == solve(state, memory=1 << 20).value == "win"
    True
    """
    text = _native.solve(state, algorithm, memory, "" if limit is None else str(limit))
    found = Analysis.from_json(text)
    is_known = found.proven is not None
    return Solution(
        value=found.proven or "unknown",
        best=found.best if is_known else None,
        plies=found.plies if is_known else None,
        nodes=found.nodes,
        seconds=found.seconds,
    )
