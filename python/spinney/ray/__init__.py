"""Experiments and analyses on a Ray cluster (docs/guides/cluster.md).

    python -m spinney.ray run EXPERIMENT [--address auto] [--size 4] [--out results]
"""

from spinney.ray.analysis import analyse
from spinney.ray.experiment import PieceFailed, run

__all__ = ["PieceFailed", "analyse", "run"]
