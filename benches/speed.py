#!/usr/bin/env python3
"""Work per second of processor time of one thread, on a machine that may be busy with other things.

    python3 benches/speed.py target/release/spinney > records/speed/speed.txt

Runs `spinney bench NAME` five times by turns and takes the least processor time of each figure, so what else runs
on the machine matters little. `spinney bench` alone prints rates by the clock: use it where nothing else runs.
"""

import os
import platform
import subprocess
import sys
import time

# What five rounds of a figure do (crates/cli/src/bench.rs).
WORK = {
    "loa-playouts": (100_000, "random games of LOA"),
    "loa-uct": (100_000, "UCT simulations, LOA"),
    "loa-mc-loa": (50_000, "MC-LOA simulations"),
    "loa-mc-loa-ab": (15_000, "MC-LOA-αβ simulations"),
    "chess-playouts": (20_000, "random games of chess"),
    "chess-uct": (20_000, "UCT simulations, chess"),
    "breakthrough-8x8-playouts": (400_000, "random games of Breakthrough 8x8"),
    "breakthrough-8x8-uct": (500_000, "UCT simulations, Breakthrough 8x8"),
}
ROUNDS = 5


def seconds(command):
    """The processor time of a command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {command}")
    return usage.ru_utime + usage.ru_stime


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main():
    binary = sys.argv[1]
    runs = {name: [] for name in WORK}
    start = []
    for _ in range(ROUNDS):
        start.append(seconds([binary, "--version"]))
        for name, times in runs.items():
            times.append(seconds([binary, "bench", name]))
    print(f"# {time.strftime('%Y-%m-%d')}, {processor()}, one thread, per second of processor time")
    print(f"{'figure':<26} {'per second':>10}  work")
    for name, (work, what) in WORK.items():
        rate = work / (min(runs[name]) - min(start))
        print(f"{name:<26} {float(f'{rate:.2g}'):>10,.0f}  {what}")


main()
