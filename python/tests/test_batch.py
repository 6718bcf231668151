"""Many positions at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import spinney


@pytest.mark.parametrize("name", ["loa", "breakthrough", "chess"])
def test_playouts_do_not_depend_on_threads(name: str) -> None:
    start = spinney.load_game(name).new_initial_state()
    states = [start, *(start.child(action) for action in start.legal_actions()[:5])]
    one = spinney.playouts(states, count=20, max_plies=300, seed=4)
    assert one.shape == (6, 3) and (one.sum(axis=1) == 20).all() and (one >= 0).all()
    assert (one == spinney.playouts(states, count=20, max_plies=300, seed=4, threads=3)).all()
    assert (one != spinney.playouts(states, count=20, max_plies=300, seed=5)).any()


def test_finished_games_need_no_playout() -> None:
    state = spinney.State("tictactoe", None, ["a1", "b1", "a2", "b2", "a3"])
    assert spinney.playouts([state], count=7).tolist() == [[7, 0, 0]]
    assert spinney.playouts([], count=7).shape == (0, 3)


def test_playouts_of_own_rules_agree_with_exact_chances() -> None:
    # Two moves from the end of a game, all can be counted.
    state = spinney.State("tictactoe", None, ["a1", "b1", "a2", "b2", "c3", "a3", "c1"])
    # c2 or b3 of the second side, then the other one: b3 wins at once.
    table = spinney.playouts([state], count=2000, seed=1)[0]
    assert abs(table[2] / 2000 - 0.5) < 0.06 and table.sum() == 2000


def test_self_play_is_that_of_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "games"
    arguments = ["learn", "games", "--game", "loa6", "--nodes", "200", "--games", "12", "--out", str(file)]
    subprocess.run([sys.executable, "-m", "spinney", *arguments], check=True)
    data = file.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    record = np.dtype([
        ("sets", "<u8", (2,)), ("game", "<u4"), ("value", "<i2"), ("result", "i1"), ("ply", "u1"),
    ])
    written = np.frombuffer(data[16 + length :], record)
    samples = spinney.self_play("loa6", positions=len(written), nodes=200, threads=2)
    assert (samples["sets"] == written["sets"]).all()
    assert (samples["game"] == written["game"]).all() and (samples["ply"] == written["ply"]).all()
    assert np.abs(samples["value"] - written["value"] / 32767).max() < 1e-4
    on_path = samples["off_path"] == 0
    assert (samples["result"][on_path] == written["result"][on_path]).all()
    assert (written["result"][~on_path] == 2).all()


def test_self_play_takes_other_games_and_tells_of_mistakes() -> None:
    heard: list[int] = []
    samples = spinney.self_play("chess", positions=30, player="uct:max-plies=50", nodes=500, progress=heard.append)
    assert samples["sets"].shape == (30, 12) and heard and heard[-1] == 30
    boards = spinney.planes(samples["sets"])
    assert boards.shape == (30, 12, 8, 8)
    # One king each.
    assert (boards[:, 5].sum(axis=(1, 2)) == 1).all() and (boards[:, 11].sum(axis=(1, 2)) == 1).all()
    with pytest.raises(spinney.PlayerError):
        spinney.self_play("loa", positions=1, player="nobody")
    with pytest.raises(spinney.SpinneyError, match="probability"):
        spinney.self_play("loa", positions=1, off_path=2)


def test_planes_are_the_squares() -> None:
    sets = np.array([[1 << 0 | 1 << 63, 1 << 9]], np.uint64)
    board = spinney.planes(sets)
    assert board.sum() == 3 and board[0, 0, 0, 0] == board[0, 0, 7, 7] == board[0, 1, 1, 1] == 1
