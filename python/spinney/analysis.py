"""Limits of a search, and what it found."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Limit:
    """What a search may use; whatever comes first ends it.

    `time` is in seconds. With the other limits, one thread and one seed, a search gives the same
    result on every machine.

    >>> Limit(simulations=1000)
    Limit(time=None, simulations=1000, nodes=None, depth=None)
    >>> str(Limit(time=0.5, depth=8))
    'time=0.500000000s,depth=8'
    >>> Limit()
    Traceback (most recent call last):
    ...
    ValueError: a limit needs time, simulations, nodes or depth
    """

    time: float | None = None
    simulations: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if all(value is None for value in dataclasses.astuple(self)):
            raise ValueError("a limit needs time, simulations, nodes or depth")

    def __str__(self) -> str:
        parts = [] if self.time is None else [f"time={self.time:.9f}s"]
        counts = {"simulations": self.simulations, "nodes": self.nodes, "depth": self.depth}
        parts += [f"{name}={count}" for name, count in counts.items() if count is not None]
        return ",".join(parts)


ONE_SECOND = Limit(time=1)
"""The limit where none is given."""


@dataclass(frozen=True)
class Candidate:
    """A move of the analysed position, as the side to move sees it."""

    move: str
    visits: int
    """Simulations through it, or nodes."""
    value: float
    """The expected result, from -1 to 1."""
    proven: str | None
    """`"win"`, `"loss"` or `"draw"` with perfect play, where that is proved."""
    plies: int | None
    """Plies to the proven end."""
    pv: list[str]
    """The line that is expected, the move included."""


@dataclass(frozen=True)
class Analysis:
    """What a search found, as the side to move sees it (docs/reference/formats.md, the JSON analysis format)."""

    best: str | None
    """The move to play; None if the game is over."""
    value: float
    """The expected result, from -1 to 1."""
    proven: str | None
    """`"win"`, `"loss"` or `"draw"` with perfect play, where that is proved."""
    plies: int | None
    """Plies to the proven end."""
    pv: list[str]
    """The line both sides are expected to play."""
    candidates: list[Candidate]
    """The moves that were looked at, the best first."""
    simulations: int
    """Simulations, or searches of growing depth."""
    nodes: int
    """Positions or nodes, as the search counts them."""
    seconds: float
    """The time it took."""

    @classmethod
    def from_json(cls, text: str) -> Analysis:
        """Reads the JSON analysis format."""
        fields: dict[str, Any] = json.loads(text)
        candidates = [Candidate(**candidate) for candidate in fields.pop("candidates")]
        return cls(candidates=candidates, **fields)

    def to_json(self) -> str:
        """The JSON analysis format."""
        return json.dumps(dataclasses.asdict(self))

    def first(self, multipv: int | None) -> Analysis:
        """The same with at most this many candidates."""
        if multipv is not None and multipv < 1:
            raise ValueError("multipv: expected a whole number from 1")
        return dataclasses.replace(self, candidates=self.candidates[:multipv])
