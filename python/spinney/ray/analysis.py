"""Root parallelism over a Ray cluster."""

from __future__ import annotations

import ray

from spinney import _native
from spinney.analysis import Analysis, Limit
from spinney.playing import Player
from spinney.ray.cluster import connect


def _search(spec: str, seed: int, state: _native.State, limit: Limit) -> Analysis:
    return Player(spec, seed).analyse(state, limit)


def analyse(
    state: _native.State,
    player: str,
    limit: Limit,
    workers: int,
    *,
    seed: int = 0,
    multipv: int | None = None,
    cpus: float = 1,
    address: str | None = None,
) -> Analysis:
    """Analyse a state by root parallelism over the cluster (paper `mcts-loa`, III.B).

    So many workers grow a tree each, with seeds from `seed` on and the whole limit for each; visits and scores
    of the moves of the root are added up, and the move is chosen from the sums as one process with
    `threads=N,parallel=root` does. The player must be one that grows a tree.
    """
    if workers < 1:
        raise ValueError("workers: expected a whole number from 1")
    connect(address)
    task = ray.remote(num_cpus=cpus)(_search)
    parts = ray.get([task.remote(player, seed + worker, state, limit) for worker in range(workers)])
    return Player(player).merge(state, parts).first(multipv)
