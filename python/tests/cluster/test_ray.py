"""A cluster of two worker nodes on this machine: whatever dies, the results are those of a local run.

Heavy by what it installs, so it is not part of `pytest python`: python/tests/cluster/run does it.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import spinney

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

import spinney.ray  # noqa: E402
from spinney.ray.experiment import Piece, SequentialTest, work  # noqa: E402

TABLE = """
id = "own/small"
paper = "none"
table = "1"
title = "A small table"
claim = "Searching helps."
conversion = "None."

[scale.quick]
clock = "count"
games = {games}

[settings]
game = "breakthrough"
limit = "simulations={simulations}"

[players.uct]
spec = "uct:stop-early=off"

[players.flat]
spec = "flat"

[[column]]
name = "flat"
b = "flat"

[[row]]
name = "uct"
a = "uct"
published = ["?"]
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two worker nodes with a core each; the head does no work."""
    # Ray gives way to whatever else runs here unless it is told otherwise.
    os.environ["RAY_worker_niceness"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    for _ in range(2):
        cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    yield cluster
    ray.shutdown()
    cluster.shutdown()
    assert orphans() == []


@pytest.fixture
def driver(cluster: Cluster) -> Iterator[None]:
    """This process as a driver."""
    ray.init(address=cluster.address, log_to_driver=False)
    yield
    ray.shutdown()


def table(folder: Path, games: int, simulations: int) -> Path:
    path = folder / "small.toml"
    path.write_text(TABLE.format(games=games, simulations=simulations))
    return path


def local_run(experiment: Path, folder: Path) -> list[Any]:
    command = ["experiment", "run", str(experiment), "--out", str(folder), "--concurrency", "2"]
    subprocess.run([sys.executable, "-m", "spinney", *command], check=True, capture_output=True)
    return games(folder)


def games(folder: Path) -> list[Any]:
    """The games of a folder of results, without times."""
    found = []
    for path in sorted((folder / "tasks").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            for move in record["moves"]:
                del move["seconds"]
            found.append(record)
    return sorted(found, key=lambda record: int(record["index"]))


def table_of(folder: Path) -> list[str]:
    """The rows of the report."""
    report = (folder / "report.md").read_text()
    return [line for line in report.splitlines() if line.startswith("|")]


def orphans() -> list[str]:
    """Workers that play pieces."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_text().split("\0")
        except OSError:
            continue
        if command[0].startswith("ray::run_piece"):
            found.append(process.name)
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def received(folder: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in (folder / "shards").glob("*.jsonl"))


def test_the_games_are_those_of_a_local_run(driver: None, tmp_path: Path) -> None:
    experiment = table(tmp_path, 24, 300)
    expected = local_run(experiment, tmp_path / "local")
    spinney.ray.run(str(experiment), size=5, out=tmp_path / "ray")
    assert games(tmp_path / "ray") == expected and len(expected) == 24
    report = ["experiment", "report", str(tmp_path / "local")]
    subprocess.run([sys.executable, "-m", "spinney", *report], check=True, capture_output=True)
    assert table_of(tmp_path / "ray") == table_of(tmp_path / "local")


def test_two_workers_are_nearly_twice_as_fast(driver: None, tmp_path: Path) -> None:
    """On two idle cores. What Ray costs beside a local run is in docs/guides/cluster.md."""
    experiment = table(tmp_path, 200, 20_000)

    def seconds(at_once: int) -> float:
        begun = time.monotonic()
        spinney.ray.run(str(experiment), out=tmp_path / str(at_once), at_once=at_once)
        return time.monotonic() - begun

    one, two = seconds(1), seconds(4)
    assert two <= 0.6 * one, f"{two:.1f} s instead of {one:.1f} s"


def test_a_node_that_dies_changes_nothing(cluster: Cluster, driver: None, tmp_path: Path) -> None:
    experiment = table(tmp_path, 40, 8_000)
    expected = local_run(experiment, tmp_path / "local")
    out = tmp_path / "ray"

    def kill() -> None:
        wait_until(lambda: received(out) >= 4 and len(orphans()) == 2)
        cluster.remove_node(list(cluster.worker_nodes)[0], allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    spinney.ray.run(str(experiment), size=5, out=out)
    killer.join()
    left = len(cluster.worker_nodes)
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    assert left == 1 and games(out) == expected


def test_a_driver_that_dies_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    experiment = table(tmp_path, 40, 8_000)
    expected = local_run(experiment, tmp_path / "local")
    out = tmp_path / "ray"
    command = [sys.executable, "-m", "spinney.ray", "run", str(experiment), "--address", cluster.address]
    command += ["--size", "5", "--out", str(out)]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: received(out) >= 4 and len(orphans()) == 2)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    wait_until(lambda: orphans() == [], 20)
    # What was received is kept; a line may be torn.
    torn = next(path for path in (out / "shards").glob("*.jsonl") if path.stat().st_size > 0)
    torn.write_text(torn.read_text() + '{"game":"break')
    kept = {line for path in (out / "shards").glob("*.jsonl") for line in path.read_text().splitlines()[:-1]}
    assert 2 <= len(kept) < 40
    second = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "| uct |" in second.stdout
    assert games(out) == expected
    lines = {line for path in (out / "tasks").glob("*.jsonl") for line in path.read_text().splitlines()}
    # With their times: they were not played again.
    assert kept <= lines


def test_a_test_that_is_decided_ends_a_match(driver: None, tmp_path: Path) -> None:
    experiment = table(tmp_path, 400, 300)
    report = spinney.ray.run(str(experiment), size=10, out=tmp_path / "ray", sprt=(0, 100))
    assert "decided after" in report
    found = games(tmp_path / "ray")
    assert [record["index"] for record in found] == list(range(len(found))) and 4 <= len(found) < 400
    # The same pairs in their order decide a local match.
    points = {"a": 1.0, "draw": 0.5, "b": 0.0}
    # The players of a task are in the order of their names.
    statistics = spinney.statistics([points[record["result"]] for record in found], (0, 100))
    assert statistics.games == len(found) and statistics.sprt is not None and statistics.sprt.accepted


def test_a_piece_that_fails_is_told(driver: None, tmp_path: Path) -> None:
    [whole] = spinney.Experiment(table(tmp_path, 4, 10)).pieces()
    piece = Piece.open(spinney.Piece(str(whole).replace('"flat"', '"nobody"')), tmp_path)
    with pytest.raises(spinney.ray.PieceFailed, match=f"{piece.work.name}: .*nobody"):
        work([piece], SequentialTest([piece], None), 1, 2)


def test_a_worker_that_crashes_again_and_again_is_told(driver: None, tmp_path: Path) -> None:
    [whole] = spinney.Experiment(table(tmp_path, 4, 100_000_000)).pieces()
    piece = Piece.open(whole, tmp_path)
    done = threading.Event()

    def kill() -> None:
        while not done.wait(0.1):
            for worker in orphans():
                os.kill(int(worker), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with pytest.raises(spinney.ray.PieceFailed, match=piece.work.name):
            work([piece], SequentialTest([piece], None), 1, 2)
    finally:
        done.set()
        killer.join()


@pytest.mark.parametrize("player", ["uct:stop-early=off", "mc-loa:stop-early=off"])
def test_root_parallelism_adds_up(driver: None, player: str) -> None:
    state = spinney.load_game("loa").new_initial_state()
    limit = spinney.Limit(simulations=400)
    whole = spinney.ray.analyse(state, player, limit, workers=4, seed=7)
    parts = [spinney.player(player, seed=7 + worker).analyse(state, limit) for worker in range(4)]
    assert whole.simulations == 1600
    assert sum(candidate.visits for candidate in whole.candidates) == 1600
    for candidate in whole.candidates:
        visits = [part.visits for found in parts for part in found.candidates if part.move == candidate.move]
        assert candidate.visits == sum(visits)
    assert whole.best == spinney.player(player).merge(state, parts).best
    # One process with four threads has the same rule: the first of its moves is the best by it.
    rules: dict[str, Callable[[spinney.Candidate], float]] = {
        "uct:stop-early=off": lambda candidate: candidate.visits,
        "mc-loa:stop-early=off": lambda candidate: candidate.value + candidate.visits**-0.5,
    }
    threads = spinney.player(player + ",threads=4,parallel=root").analyse(state, spinney.Limit(simulations=1600))
    for found in (whole, threads):
        visited = [candidate for candidate in found.candidates if candidate.visits > 0]
        ranks = [rules[player](candidate) for candidate in visited]
        assert ranks == sorted(ranks, reverse=True) and found.best == visited[0].move
    with pytest.raises(ValueError, match="workers"):
        spinney.ray.analyse(state, player, limit, workers=0)
