#!/usr/bin/env python3
"""Games through a real UCI client (python-chess), with a clock that is enforced.

    pip install chess
    benches/peers/uci_client.py --games 100 -- target/release/spinney engine --protocol uci
    benches/peers/uci_client.py --opponent stockfish --games 20 -- spinney engine --protocol uci

The engine plays against itself, or against the opponent. A loss on time, an illegal move or a crash
ends the run with exit code 1. The clock includes what the client and the pipes take.
"""

import argparse
import asyncio
import collections
import logging
import random
import shlex
import sys
import time

import chess
import chess.engine
import chess.pgn

OPENING_PLIES = 6


async def start(command):
    _, engine = await chess.engine.popen_uci(command)
    return engine


def opening(rng):
    """A few random moves, so that games differ."""
    while True:
        board = chess.Board()
        for _ in range(OPENING_PLIES):
            board.push(rng.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


async def play(engines, board, seconds, increment, game):
    """Plays a game to its end: its result, the reason, and the least time that a clock had left."""
    clocks = [seconds, seconds]  # Black, White, as chess.BLACK and chess.WHITE are numbered.
    least = seconds
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            return outcome.result(), outcome.termination.name.lower(), least
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        before = time.perf_counter()
        # python-chess refuses illegal moves and reports engines that end.
        result = await asyncio.wait_for(engines[side].play(board, limit, game=game), timeout=60)
        clocks[side] -= time.perf_counter() - before
        least = min(least, clocks[side])
        if clocks[side] < 0:
            name = "White" if side else "Black"
            raise RuntimeError(f"{name} loses on time by {-1000 * clocks[side]:.0f} ms: {board.fen()}")
        if result.move is None:
            raise RuntimeError(f"no move: {board.fen()}")
        clocks[side] += increment
        board.push(result.move)


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds for each move")
    parser.add_argument("--opponent", help="the command of another engine; without it, the engine itself")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", help="a file for everything that is said, with times")
    parser.add_argument("engine", nargs="+", help="the command of the engine")
    arguments = parser.parse_args()
    if arguments.log:
        logging.basicConfig(filename=arguments.log, level=logging.DEBUG, format="%(asctime)s %(message)s")
    opponent = shlex.split(arguments.opponent) if arguments.opponent else arguments.engine
    engines = [await start(arguments.engine), await start(opponent)]
    rng = random.Random(arguments.seed)
    results, reasons, plies, least = collections.Counter(), collections.Counter(), 0, arguments.time
    for number in range(arguments.games):
        if number % 2 == 0:
            board = opening(rng)
        colours = engines if number % 2 == 0 else engines[::-1]
        copy = board.copy()
        result, reason, low = await play(colours, copy, arguments.time, arguments.increment, number)
        results[result] += 1
        reasons[reason] += 1
        plies += len(copy.move_stack) - OPENING_PLIES
        least = min(least, low)
        if sys.stderr.isatty():
            print(f"\r{number + 1} games", end="", file=sys.stderr)
    for engine in engines:
        await engine.quit()
    print(f"{arguments.games} games, {plies} moves, no loss on time, no illegal move, no crash")
    print(f"least time on a clock {1000 * least:.0f} ms; {dict(results)}; {dict(reasons)}")


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (RuntimeError, chess.engine.EngineError, asyncio.TimeoutError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
