"""Matches and statistics."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import spinney
from spinney import Limit


def games(records: list[dict[str, Any]]) -> list[Any]:
    """What the clock does not change."""
    return [(r["index"], r["result"], r["end"], [m["move"] for m in r["moves"]]) for r in records]


def test_a_match_is_that_of_the_program(tmp_path: Path) -> None:
    result = spinney.match(
        "breakthrough", "uct", "flat", 6, Limit(simulations=50), seed=3, concurrency=2
    )
    out = tmp_path / "games.jsonl"
    command = "match breakthrough uct flat --games 6 --simulations 50 --seed 3 --json --out".split()
    done = subprocess.run(
        [sys.executable, "-m", "spinney", *command, str(out)], capture_output=True, text=True, check=True
    )
    records = sorted(map(json.loads, out.read_text().splitlines()), key=lambda record: int(record["index"]))
    assert games(records) == games(result.records)
    summary = json.loads(done.stdout)
    assert summary["score_a"] == result.statistics.score
    assert summary["elo"] == result.statistics.elo
    assert tuple(summary["interval"]) == result.statistics.interval


class First:
    """Plays the first legal move, as text or as a number."""

    def __init__(self, as_text: bool) -> None:
        self.as_text = as_text
        self.seeds: list[int] = []
        self.states: list[spinney.State] = []

    def new_game(self, seed: int) -> None:
        self.seeds.append(seed)

    def step(self, state: spinney.State) -> int | str:
        self.states.append(state)
        return state.legal_moves()[0] if self.as_text else state.legal_actions()[0]


def test_objects_play() -> None:
    a, b = First(True), First(False)
    openings = "b1-b3 a4-c4\n1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w\n"
    result = spinney.match("loa", a, b, 4, openings=openings, max_plies=30)
    assert result.games == 4 and result.forfeits_a == result.forfeits_b == 0
    assert len(set(a.seeds)) == 4
    for record in result.records:
        moves = record["opening"] + [move["move"] for move in record["moves"]]
        state = spinney.State("loa", record["start"], moves)
        # They saw the whole game.
        assert any(seen.start == state.start and seen.moves() == moves[:-1] for seen in a.states + b.states)


def test_an_object_that_fails_loses() -> None:
    class Broken:
        def step(self, state: spinney.State) -> int:
            raise RuntimeError("out of ideas")

    class Cheat:
        def step(self, state: spinney.State) -> str:
            return "e2e5"

    result = spinney.match("chess", Broken(), Cheat(), 2)
    assert (result.wins_a, result.wins_b) == (1, 1)
    assert result.failure is not None
    assert result.forfeits_a == result.forfeits_b == 1
    failures = [record["failure"] for record in result.records]
    assert "out of ideas" in failures[0] and "no legal move" in failures[1]


def test_options_of_a_match_change_it() -> None:
    short = spinney.match("breakthrough", "random", "random", 2, max_plies=3)
    assert short.draws == 2
    proven = spinney.match("breakthrough:4x4", "uct", "random", 4, Limit(simulations=3000), adjudicate="one")
    assert any(record["end"] == "proven" for record in proven.records)
    seen: list[int] = []
    decided = spinney.match(
        "breakthrough", "uct", "random", 200, Limit(simulations=100), sprt=(0, 100),
        on_game=lambda record: seen.append(record["index"]),
    )
    assert decided.games < 200 and decided.statistics.sprt is not None
    assert decided.statistics.sprt.accepted == "h1" and len(seen) >= decided.games == len(decided.records)
    with pytest.raises(spinney.PlayerError):
        spinney.match("chess", "mc-loa", "uct", 2)
    with pytest.raises(spinney.SpinneyError, match="adjudicate"):
        spinney.match("chess", "uct", "uct", 2, adjudicate="sometimes")
    with pytest.raises(spinney.SpinneyError, match="openings"):
        spinney.match("chess", "uct", "uct", 2, openings="e2e5")
    with pytest.raises(spinney.SpinneyError, match="concurrency"):
        spinney.match("chess", "uct", "uct", 2, concurrency=0)


def test_an_error_in_a_callback_ends_the_match() -> None:
    def refuse(record: dict[str, Any]) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        spinney.match("breakthrough", "random", "random", 10_000, on_game=refuse)


def test_statistics_by_hand() -> None:
    found = spinney.statistics([1, 0.5, 0, 1])
    assert found.games == 4 and found.score == 0.625
    assert found.elo == pytest.approx(88.74, abs=0.01)
    assert spinney.statistics([]).score is None
    with pytest.raises(ValueError, match="0.25"):
        spinney.statistics([0.25])
