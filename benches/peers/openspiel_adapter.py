"""UCT on games of OpenSpiel: OpenSpiel's MCTSBot, in C++, beside the player `uct` through the adapter.

    target/venv/bin/python benches/peers/openspiel_adapter.py

Both make the same number of simulations from the start of a game, with one random playout each, the same exploration
constant and a solver, in one process and in turns. CPU time counts. The table is Markdown.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import pyspiel

import spinney

GAMES = {"connect_four": 30_000, "othello": 1_000, "hex": 4_000}


def seconds(work: Callable[[], object]) -> float:
    """The CPU time of all threads."""
    before = time.process_time()
    work()
    return time.process_time() - before


def compare(name: str, simulations: int, rounds: int) -> None:
    game = pyspiel.load_game(name)
    start, ours = game.new_initial_state(), spinney.load_game(f"openspiel:{name}").new_initial_state()
    rates: list[tuple[float, float]] = []
    for seed in range(rounds):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        policy = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, simulations, 1000, True, seed, False, policy)
        player = spinney.player("uct:stop-early=off", seed=seed)
        limit = spinney.Limit(simulations=simulations)
        theirs = seconds(lambda: bot.mcts_search(start))
        mine = seconds(lambda: player.analyse(ours, limit))
        rates.append((simulations / theirs, simulations / mine))
    theirs, mine = (statistics.median(column) for column in zip(*rates, strict=True))
    ratio = statistics.median(b / a for a, b in rates)
    print(f"| {name} | {theirs:,.0f} | {mine:,.0f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    print("| game | OpenSpiel, simulations/s | `uct`, simulations/s | ratio, median of rounds |\n|---|---:|---:|---:|")
    for name, simulations in GAMES.items():
        compare(name, simulations, rounds)
