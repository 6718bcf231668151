"""Experiments, whole and in pieces."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import spinney

TABLE = """
id = "own/small"
paper = "none"
table = "1"
title = "A small table"
claim = "Searching helps."
conversion = "None."

[scale.quick]
clock = "count"
games = 6
runs = 4

[settings]
game = "breakthrough"
limit = "simulations=SIMULATIONS"

[players.uct]
spec = "uct:stop-early=off"

[players.flat]
spec = "flat"

[[column]]
name = "flat"
b = "flat"

[[column]]
name = "nodes"
measure = "nodes"

[[row]]
name = "uct"
a = "uct"
published = ["?", "?"]
"""
SMALL = TABLE.replace("SIMULATIONS", "50")
ENDLESS = TABLE.replace("SIMULATIONS", "1000000000000")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a small experiment: a match and analyses."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def endless(tmp_path: Path) -> spinney.Experiment:
    path = tmp_path / "endless.toml"
    path.write_text(ENDLESS)
    return spinney.Experiment(path)


def program(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "spinney", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def without_times(line: str) -> Any:
    record = json.loads(line)
    record.pop("seconds", None)
    for move in record.get("moves", []):
        del move["seconds"]
    return record


def records(folder: Path) -> dict[str, list[Any]]:
    """The records of a folder of results, by task."""
    return {
        path.name: sorted(map(without_times, path.read_text().splitlines()), key=lambda record: int(record["index"]))
        for path in (folder / "tasks").glob("*.jsonl")
    }


def rows(report: str) -> list[str]:
    return [line for line in report.splitlines() if line.startswith("|")]


def interrupt_soon() -> threading.Timer:
    """Ctrl-C, by a thread that needs the interpreter's lock."""
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_a_run_is_that_of_the_program(file: Path, tmp_path: Path) -> None:
    experiment = spinney.Experiment(file)
    assert (experiment.id, experiment.scale, experiment.units) == ("own/small", "quick", 10)
    assert (experiment.title, experiment.claim) == ("A small table", "Searching helps.")
    seen: list[tuple[int, int]] = []
    report = experiment.run(
        tmp_path / "ours", concurrency=2, on_progress=lambda done, units: seen.append((done, units))
    )
    assert report == program("experiment", "run", file, "--markdown", "--out", tmp_path / "theirs")
    assert records(tmp_path / "ours") == records(tmp_path / "theirs") and len(records(tmp_path / "ours")) == 2
    assert seen[-1] == (10, 10) and seen == sorted(seen)
    assert experiment.report(tmp_path / "ours") == report
    # The command that is noted does the same.
    [noted] = (tmp_path / "ours").glob("*.run.json")
    command = json.loads(noted.read_text())["command"].split()
    assert program(*command[1:], "--resume", "--markdown") == report
    # Nothing is done twice.
    with pytest.raises(spinney.SpinneyError, match="ours: has results of own/small.*resume=True"):
        experiment.run(tmp_path / "ours")
    seen.clear()
    assert experiment.run(tmp_path / "ours", resume=True, on_progress=lambda *told: seen.append(told)) == report
    assert seen == [(6, 10), (10, 10)]
    pages = spinney.write_reports(tmp_path / "ours")
    assert pages == (tmp_path / "ours" / "report.md", tmp_path / "ours" / "report.html")
    assert set(rows(report)) <= set(pages[0].read_text().splitlines()) and "<svg" in pages[1].read_text()


def test_pieces_make_the_whole(file: Path, tmp_path: Path) -> None:
    experiment = spinney.Experiment(file)
    report = experiment.run(tmp_path / "whole")
    pieces = experiment.pieces(size=4)
    assert [piece.end - piece.first for piece in pieces] == [4, 4, 2]
    assert len({piece.task for piece in pieces}) == 2 and all("uct" in piece.summary for piece in pieces)
    shards = tmp_path / "shards"
    shards.mkdir()
    # 1. By a file, by a file of the program, and without one.
    first, second, third = pieces
    assert first.run(shards) == 4 and first.run(shards) == 0
    program("shard", "run", second.save(shards))
    lines = list(third.records())
    assert [json.loads(line)["index"] for line in lines] == [4, 5]
    [last] = third.records(lines[:1])
    assert without_times(last) == without_times(lines[1]) and list(third.records(lines)) == []
    # 2. One is missing, then none.
    missing = experiment.merge(shards, tmp_path / "merged", size=4)
    assert [piece.name for piece in missing] == [third.name]
    (shards / f"{third.name}.jsonl").write_text("".join(line + "\n" for line in lines))
    assert experiment.merge(shards, tmp_path / "merged", size=4) == []
    assert records(tmp_path / "merged") == records(tmp_path / "whole")
    assert experiment.report(tmp_path / "merged") == report
    # 3. A piece travels.
    copy = pickle.loads(pickle.dumps(first))
    assert str(copy) == str(first) and repr(copy) == f"<Piece {first.name}>"


def test_mistakes_are_told(file: Path, tmp_path: Path) -> None:
    with pytest.raises(spinney.SpinneyError, match="nmcs/tabel-3.*did you mean"):
        spinney.Experiment("nmcs/tabel-3")
    with pytest.raises(spinney.SpinneyError, match="no scale \"huge\""):
        spinney.Experiment(file, "huge")
    experiment = spinney.Experiment(file)
    for size in (0, -1):
        with pytest.raises(spinney.SpinneyError, match="size"):
            experiment.pieces(size)
    with pytest.raises(spinney.SpinneyError, match="concurrency"):
        experiment.run(tmp_path / "never", concurrency=0)
    file.write_text(SMALL.replace('spec = "flat"', 'spec = "flat:x=1"'))
    with pytest.raises(spinney.SpinneyError, match="small.toml: .*no option \"x\""):
        spinney.Experiment(file).run(tmp_path / "never")
    assert not (tmp_path / "never").exists()
    with pytest.raises(spinney.SpinneyError, match="never: .*directory"):
        experiment.merge(tmp_path / "never", tmp_path / "out")
    with pytest.raises(spinney.SpinneyError, match="never: .*directory"):
        spinney.write_reports(tmp_path / "never")
    with pytest.raises(spinney.SpinneyError, match="piece: missing field"):
        spinney.Piece("{}")
    piece = experiment.pieces()[0]
    line = next(iter(piece.records()))
    with pytest.raises(spinney.SpinneyError, match="records: line 2: number 0 is there twice"):
        list(piece.records([line, line]))
    with pytest.raises(spinney.SpinneyError, match="records: line 1: no record"):
        list(piece.records(["{}"]))


def test_an_interrupt_ends_a_run(endless: spinney.Experiment, tmp_path: Path) -> None:
    piece = endless.pieces()[-1]
    for work in (
        lambda: endless.run(tmp_path / "out", concurrency=2),
        lambda: piece.run(tmp_path),
        lambda: next(piece.records()),
    ):
        begun = time.monotonic()
        timer = interrupt_soon()
        with pytest.raises(KeyboardInterrupt):
            work()
        timer.join()
        assert time.monotonic() - begun < 5
    # Nothing is held: it can be resumed.
    assert list((tmp_path / "out" / "tasks").glob("*.jsonl"))


def test_an_error_in_a_callback_ends_a_run(file: Path, tmp_path: Path) -> None:
    def refuse(done: int, units: int) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        spinney.Experiment(file).run(tmp_path / "out", on_progress=refuse)
