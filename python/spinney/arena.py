"""Matches, and what results say about strength."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from spinney import _native
from spinney.analysis import ONE_SECOND, Limit


class Bot(Protocol):
    """A player written in Python. If it also has `new_game(seed)`, that is called before every game."""

    def step(self, state: _native.State) -> int | str:
        """The move to play: an action, or the move as text."""


@dataclass(frozen=True)
class Sprt:
    """Where a sequential test stands."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    accepted: str | None
    """`"h0"` or `"h1"`, once it is decided."""


@dataclass(frozen=True)
class Statistics:
    """What results say. Intervals are of 95 %; what is infinite or not known is None."""

    games: int
    score: float | None
    interval: tuple[float, float]
    elo: float | None
    elo_interval: tuple[float | None, float | None]
    normalised_elo: float | None
    normalised_elo_interval: tuple[float | None, float | None]
    los: float
    """The likelihood of superiority."""
    sprt: Sprt | None


def statistics(
    scores: Iterable[float], sprt: tuple[float, float] | None = None
) -> Statistics:
    """What the scores of A say: 1, 0.5 or 0 for each game.

    Games 0 and 1 are a pair, then 2 and 3: one opening with sides swapped. With `sprt`, two differences
    in Elo, only the games up to the pair that decides the test count.

    >>> found = statistics([1, 0, 1, 1, 0.5, 1, 1, 0])
    >>> found.games, found.score, found.los > 0.8
    (8, 0.6875, True)
    >>> decided = statistics([1] * 100, sprt=(0, 50))
    >>> decided.sprt.accepted, decided.games < 100
    ('h1', True)
    """
    half_points = [_half_points(score) for score in scores]
    hypotheses = None if sprt is None else f"{sprt[0]},{sprt[1]}"
    fields: dict[str, Any] = json.loads(_native.statistics(half_points, hypotheses))
    test = fields.pop("sprt")
    for name in ("interval", "elo_interval", "normalised_elo_interval"):
        fields[name] = tuple(fields[name])
    return Statistics(sprt=None if test is None else Sprt(**test), **fields)


def _half_points(score: float) -> int:
    if score not in (0, 0.5, 1):
        raise ValueError(f"{score}: a score is 0, 0.5 or 1")
    return int(2 * score)


@dataclass(frozen=True)
class MatchResult:
    """How a match went."""

    games: int
    """The games that count."""
    wins_a: int
    draws: int
    wins_b: int
    forfeits_a: int
    """Games that A lost because it gave no legal move."""
    forfeits_b: int
    failure: str | None
    """What the last player to fail said of it."""
    statistics: Statistics
    """As A sees them."""
    records: list[dict[str, Any]]
    """The games in their order, in the format of `spinney match --out`."""


def match(
    game: _native.Game | str,
    a: str | Bot,
    b: str | Bot,
    games: int,
    limit: Limit | None = None,
    *,
    limit_a: Limit | None = None,
    limit_b: Limit | None = None,
    openings: str | None = None,
    seed: int = 0,
    max_plies: int = 2000,
    adjudicate: str = "none",
    sprt: tuple[float, float] | None = None,
    concurrency: int = 1,
    on_game: Callable[[dict[str, Any]], object] | None = None,
) -> MatchResult:
    """Games between two players: names with options, or objects with a method `step`.

    Games come in pairs, one opening with sides swapped. `openings` is a text with a position, or moves
    from the start, on each line. The limit holds for every move of players with a name; objects keep
    their own. With an object, games are played one after the other. The rules of Spinney decide. A
    player that fails loses the game; Ctrl-C ends the match.

    >>> result = match("breakthrough", "uct", "random", 4, Limit(simulations=200))
    >>> result.wins_a, result.statistics.score
    (4, 1.0)
    """
    loaded = _native.Game(game) if isinstance(game, str) else game
    usual = limit or ONE_SECOND
    records: list[dict[str, Any]] = []

    def keep(text: str) -> None:
        record: dict[str, Any] = json.loads(text)
        records.append(record)
        if on_game is not None:
            on_game(record)

    settings = {
        "players": [a, b],
        "names": [player if isinstance(player, str) else repr(player) for player in (a, b)],
        "games": games,
        "limits": [str(limit_a or usual), str(limit_b or usual)],
        "openings": openings,
        "seed": seed,
        "max_plies": max_plies,
        "adjudicate": adjudicate,
        "sprt": None if sprt is None else f"{sprt[0]},{sprt[1]}",
        "concurrency": concurrency,
    }
    summary = json.loads(_native.play_match(loaded, settings, keep))
    records.sort(key=lambda record: int(record["index"]))
    records = records[: summary["games"]] if sprt is not None else records
    points = {"a": 1.0, "draw": 0.5, "b": 0.0}
    return MatchResult(
        games=summary["games"],
        wins_a=summary["wins_a"],
        draws=summary["draws"],
        wins_b=summary["wins_b"],
        forfeits_a=summary["forfeits_a"],
        forfeits_b=summary["forfeits_b"],
        failure=summary.get("failure"),
        statistics=statistics((points[record["result"]] for record in records), sprt),
        records=records,
    )
