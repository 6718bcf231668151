"""Compares the speed of two builds of Spinney: the median of interleaved runs of `spinney bench`.

    python3 benches/compare.py OLD NEW [--runs 10] [NAME ...]
    python3 benches/compare.py OLD NEW --instructions [NAME ...]

OLD and NEW are binaries. The runs take turns, so that what else the machine does hits both. A ratio above 1 means
that NEW is faster. With --instructions, callgrind counts the instructions of one run (about 20 minutes for all
figures); then a ratio above 1 means that NEW needs more.
"""

import argparse
import re
import statistics
import subprocess
import tempfile


def figures(binary, names):
    """The figures of one run, by name."""
    output = subprocess.run([binary, "bench", *names], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in output.splitlines()]
    return {name: float(number) for name, number, *unit in lines if unit == ["/s"]}


def instructions(binary, name):
    """The instructions of one run of a figure."""
    with tempfile.NamedTemporaryFile() as counts:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts.name}", binary, "bench", name]
        subprocess.run(command, check=True, capture_output=True)
        return int(re.search(r"^summary: (\d+)$", counts.read().decode(), re.MULTILINE)[1])


def compare(rows):
    """Prints a table of (name, old, new)."""
    print(f"{'figure':30} {'old':>14} {'new':>14} {'ratio':>7}")
    for name, old, new in rows:
        print(f"{name:30} {old:14.0f} {new:14.0f} {new / old:7.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--instructions", action="store_true")
    arguments = parser.parse_intermixed_args()
    binaries = (arguments.old, arguments.new)
    if arguments.instructions:
        names = arguments.names or figures(arguments.new, [])
        compare((name, *(instructions(binary, name) for binary in binaries)) for name in names)
        return
    rates = {}
    for _ in range(arguments.runs):
        for binary in binaries:
            for name, rate in figures(binary, arguments.names).items():
                rates.setdefault(name, {}).setdefault(binary, []).append(rate)
    compare((name, *(statistics.median(rates[name][binary]) for binary in binaries)) for name in rates)


if __name__ == "__main__":
    main()
