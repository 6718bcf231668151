"""The command line: `python -m spinney.ray run EXPERIMENT`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from spinney import SpinneyError
from spinney.ray import PieceFailed, run


def _elo_pair(text: str) -> tuple[float, float]:
    elo0, elo1 = text.split(",")
    return float(elo0), float(elo1)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m spinney.ray", description="Experiments on a Ray cluster.")
    command = parser.add_subparsers(required=True).add_parser("run", help="run an experiment on a cluster")
    command.add_argument("experiment", help="such as mcts-loa/table-2, or a file")
    command.add_argument("--address", help="the cluster: auto, or HOST:PORT; without it, this machine")
    command.add_argument("--scale", default="quick", help="how much is done: quick or paper")
    command.add_argument("--size", type=int, default=4, help="games or analyses in a piece (4)")
    command.add_argument("--out", type=Path, default=Path("results"), help="the folder of the results")
    command.add_argument("--sprt", type=_elo_pair, metavar="ELO0,ELO1",
                         help="end every match when a sequential test of two differences in Elo is decided")
    command.add_argument("--cpus", type=float, default=1, help="cores for a piece: the threads of a player (1)")
    command.add_argument("--at-once", type=int, help="pieces at once; twice what there is room for if not given")
    options = vars(parser.parse_args())
    try:
        print(run(options.pop("experiment"), **options), end="")
    except (PieceFailed, SpinneyError, KeyboardInterrupt, OSError) as error:
        sys.exit(f"error: {error or 'interrupted; the same command continues'}")


if __name__ == "__main__":
    main()
