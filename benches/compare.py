"""Compares the speed of two builds of Spinney: the median of interleaved runs of `spinney bench`.

    python3 benches/compare.py OLD NEW [--runs 10] [NAME ...]

OLD and NEW are binaries. The runs take turns, so that what else the machine does hits both. A ratio above 1 means
that NEW is faster.
"""

import argparse
import statistics
import subprocess


def figures(binary, names):
    """The figures of one run, by name."""
    output = subprocess.run([binary, "bench", *names], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in output.splitlines()]
    return {name: float(number) for name, number, *unit in lines if unit == ["/s"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--runs", type=int, default=10)
    arguments = parser.parse_intermixed_args()
    rates = {}
    for _ in range(arguments.runs):
        for binary in (arguments.old, arguments.new):
            for name, rate in figures(binary, arguments.names).items():
                rates.setdefault(name, {}).setdefault(binary, []).append(rate)
    print(f"{'figure':30} {'old':>12} {'new':>12} {'ratio':>7}")
    for name, by_binary in rates.items():
        old, new = (statistics.median(by_binary.get(binary, [0])) for binary in (arguments.old, arguments.new))
        print(f"{name:30} {old:12.0f} {new:12.0f} {new / old:7.3f}")


if __name__ == "__main__":
    main()
