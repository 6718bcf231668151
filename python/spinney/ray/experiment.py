"""Experiments on a Ray cluster: an experiment is cut into pieces, and each is one Ray task that sends its records to
the driver as they come. The driver alone keeps them: no file system is shared. Whatever dies, only what was not
yet received is done again: a game follows from the experiment and its number alone, so it is the same wherever
it is played, and a piece that begins again continues after the records that the driver has.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ray

import spinney
from spinney.arena import statistics
from spinney.ray.cluster import connect

ATTEMPTS = 3
"""How often a piece may fail, or crash its worker, before the run is given up."""
TICK = 0.5
"""Seconds between two looks at the progress."""


class PieceFailed(RuntimeError):
    """A piece failed, with the reason."""


def run_piece(piece: spinney.Piece, done: Sequence[str]) -> Iterator[str]:
    """The records of a piece that are not done yet, as they come."""
    # Not `yield from`: Ray sends into the generator, and the iterator takes nothing.
    for line in piece.records(done):
        yield line


@dataclass
class Piece:
    """A piece of the experiment, and what the driver has of it."""

    work: spinney.Piece
    results: Path
    """The file of the records, as `spinney shard merge` expects it."""
    lines: dict[int, str] = field(default_factory=dict)
    failures: int = 0

    @classmethod
    def open(cls, work: spinney.Piece, folder: Path) -> Piece:
        """A piece with its file in a folder, and the records there as far as they are whole lines."""
        piece = cls(work, work.save(folder).with_suffix(".jsonl"))
        if piece.results.exists():
            for number, line in enumerate(piece.results.read_text().splitlines(keepends=True), 1):
                if line.endswith("\n"):
                    try:
                        index = json.loads(line)["index"]
                    except (KeyError, TypeError, ValueError):
                        raise SystemExit(f"{piece.results}: line {number}: no record") from None
                    if index in piece.lines:
                        raise SystemExit(f"{piece.results}: line {number}: number {index} is there twice")
                    piece.lines[index] = line.strip()
            piece.rewrite()
        return piece

    @property
    def units(self) -> int:
        """The number of its games or analyses."""
        return self.work.end - self.work.first

    def is_done(self) -> bool:
        """Whether nothing is missing."""
        return len(self.lines) == self.units

    def add(self, line: str) -> bool:
        """Keeps a record; False if it was there."""
        line = line.strip()
        index = json.loads(line)["index"]
        if index in self.lines:
            return False
        self.lines[index] = line
        with self.results.open("a") as file:
            file.write(line + "\n")
        return True

    def rewrite(self) -> None:
        """Writes the results anew."""
        text = "".join(line + "\n" for line in self.lines.values())
        scratch = self.results.with_suffix(".part")
        try:
            scratch.write_text(text)
            scratch.replace(self.results)
        finally:
            # After an interrupt.
            scratch.unlink(missing_ok=True)


class SequentialTest:
    """A sequential test for every match: once it is decided, the rest of the match is not played."""

    def __init__(self, pieces: Sequence[Piece], hypotheses: tuple[float, float] | None) -> None:
        self.hypotheses = hypotheses
        self.pieces: dict[str, list[Piece]] = {}
        self.ends: dict[str, int] = {}
        """The games that count, of matches that are decided."""
        self.seen: dict[str, int] = {}
        for piece in pieces:
            self.pieces.setdefault(piece.work.task, []).append(piece)

    def is_decided(self, task: str) -> bool:
        """Looks at the match of a task again if there are new pairs without a gap before them."""
        if self.hypotheses is None or not task.startswith("match"):
            return False
        if task in self.ends:
            return True
        lines = {index: line for piece in self.pieces[task] for index, line in piece.lines.items()}
        count = 0
        while count in lines and count + 1 in lines:
            count += 2
        if count == self.seen.get(task, 0):
            return False
        self.seen[task] = count
        points = {"a": 1.0, "draw": 0.5, "b": 0.0}
        scores = [points[json.loads(lines[index])["result"]] for index in range(count)]
        found = statistics(scores, self.hypotheses)
        if found.sprt is None or found.sprt.accepted is None:
            return False
        self.ends[task] = found.games
        return True

    def cut(self) -> None:
        """Removes the games that do not count."""
        for task, end in self.ends.items():
            for piece in self.pieces[task]:
                piece.lines = {index: line for index, line in piece.lines.items() if index < end}
                piece.rewrite()


class Progress:
    """A line on a terminal; nothing in a pipe."""

    def __init__(self, done: int, wanted: int) -> None:
        self.begun = time.monotonic()
        self.before = self.done = done
        self.wanted = wanted
        self.next_look = 0.0

    def show(self, running: int) -> None:
        """Shows how far the run is, now and then."""
        now = time.monotonic()
        if now < self.next_look or not sys.stderr.isatty():
            return
        self.next_look = now + TICK
        rate = (self.done - self.before) / max(now - self.begun, 1e-9)
        left = f"{(self.wanted - self.done) / rate:.0f} s left" if rate > 0 else "..."
        print(f"\r{self.done}/{self.wanted}, {running} pieces at work, {left}\033[K", end="", file=sys.stderr)

    def end(self) -> None:
        """Clears the line."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)


def work(pieces: Sequence[Piece], test: SequentialTest, cpus: float, at_once: int) -> None:
    """Does all pieces on the cluster, some of them at once."""
    waiting = [piece for piece in pieces if not piece.is_done()]
    waiting.reverse()
    # A piece that fails is begun again here, with what it has sent.
    task = ray.remote(max_retries=0, num_cpus=cpus, num_returns="streaming")(run_piece)
    running: dict[Any, Piece] = {}
    progress = Progress(sum(len(piece.lines) for piece in pieces), sum(piece.units for piece in pieces))
    while waiting or running:
        # 1. Keep the cluster busy.
        while waiting and len(running) < at_once:
            piece = waiting.pop()
            if test.is_decided(piece.work.task):
                continue
            running[task.remote(piece.work, list(piece.lines.values()))] = piece
        # 2. Take what is there.
        ready, _ = ray.wait(list(running), num_returns=1, timeout=TICK) if running else ([], [])
        for stream in ready:
            piece = running[stream]
            try:
                progress.done += piece.add(ray.get(next(stream)))
            except StopIteration:
                del running[stream]
                if not piece.is_done():
                    waiting.append(piece)
            except (ray.exceptions.RayTaskError, ray.exceptions.WorkerCrashedError) as error:
                # It failed by itself.
                del running[stream]
                piece.failures += 1
                if piece.failures >= ATTEMPTS:
                    raise PieceFailed(f"{piece.work.name}: {getattr(error, 'cause', error)}") from None
                waiting.append(piece)
            except ray.exceptions.RayError:
                # Its worker or node died; others go on with it.
                del running[stream]
                waiting.append(piece)
            if test.is_decided(piece.work.task):
                for other in [stream for stream, other in running.items() if other.work.task == piece.work.task]:
                    ray.cancel(other, force=True)
                    del running[other]
        progress.show(len(running))
    progress.end()


def run(
    experiment: str,
    *,
    address: str | None = None,
    scale: str = "quick",
    size: int = 4,
    out: Path | str = "results",
    sprt: tuple[float, float] | None = None,
    cpus: float = 1,
    at_once: int | None = None,
) -> str:
    """Run an experiment on a cluster, as far as its results are not in the folder `out`; its report."""
    folder = Path(out)
    table = spinney.Experiment(experiment, scale)
    table.check()
    shards = folder / "shards"
    shards.mkdir(parents=True, exist_ok=True)
    pieces = [Piece.open(piece, shards) for piece in table.pieces(size)]
    test = SequentialTest(pieces, sprt)
    if not all(piece.is_done() for piece in pieces):
        connect(address)
        # Enough that nodes which join later find work, too.
        slots = int(2 * ray.cluster_resources().get("CPU", 1) / cpus) + 2
        work(pieces, test, cpus, at_once or slots)
    test.cut()
    missing = table.merge(shards, folder, size)
    if missing and not test.ends:
        raise RuntimeError("".join(f"missing {piece.name}: {piece.summary}\n" for piece in missing))
    decided = "".join(f"{task}: decided after {end} games\n" for task, end in test.ends.items())
    report, page = spinney.write_reports(folder)
    return f"{decided}{report}\n{page}\n{report.read_text()}"
