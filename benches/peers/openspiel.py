#!/usr/bin/env python3
"""Compares Spinney's speed with that of OpenSpiel's C++ code, on this machine and in one run.

Both sides play uniformly random games from the start position, and with `--mcts` also run a plain
UCT search with one random playout per simulation. They take turns for a few rounds, each on one
thread, and the medians are compared with the ratios that Spinney is required to reach.

The script makes a virtual environment, installs the package `open_spiel` there, starts itself again
inside it, builds the binary `spinney`, and measures. The exit code is 0 if every ratio holds, else 1.
"""

import argparse
import dataclasses
import importlib.metadata
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Playouts per call into C++: enough that the time spent in Python does not count.
PLAYOUTS_PER_CALL = 200

# Enough for every tree searched here, so that the search never stops to collect garbage.
TREE_MEGABYTES = 1000


@dataclasses.dataclass(frozen=True)
class Figure:
    """One speed that both sides measure."""

    name: str  # as `spinney bench` knows it
    game: str  # as OpenSpiel knows it
    required_ratio: float
    is_search: bool = False


FIGURES = [
    Figure("loa-playouts", "lines_of_action", 150),
    Figure("chess-playouts", "chess", 35),
    Figure("breakthrough-8x8-playouts", "breakthrough(rows=8,columns=8)", 20),
    Figure("loa-uct", "lines_of_action", 100, is_search=True),
    Figure("chess-uct", "chess", 30, is_search=True),
    Figure("breakthrough-8x8-uct", "breakthrough(rows=8,columns=8)", 12, is_search=True),
]


def parse_arguments():
    first_line, _, rest = __doc__.partition("\n")
    parser = argparse.ArgumentParser(description=first_line, epilog=rest.strip())
    add = parser.add_argument
    add("--mcts", action="store_true", help="compare the tree searches too")
    add("--json", action="store_true", help="print one JSON object instead of tables")
    add("--rounds", type=positive(int), default=3, help="measurements of each side (default: 3)")
    add("--seconds", type=positive(float), default=5.0,
        help="time for each OpenSpiel figure in each round (default: 5)")
    add("--length-games", type=positive(int), default=500,
        help="games played to find the mean length of a playout (default: 500)")
    add("--loa-cap", type=positive(int), metavar="PLIES",
        help="longest Lines of Action game on the OpenSpiel side (default: OpenSpiel's own)")
    add("--simulations", type=positive(int), default=2000,
        help="simulations in each OpenSpiel search (default: 2000)")
    add("--uct-c", type=float, default=2.0,
        help="exploration constant of the OpenSpiel search (default: 2, its usual one)")
    add("--no-build", action="store_true", help="use the binary that is there already")
    add("--spinney", type=pathlib.Path, metavar="PATH", help="measure this binary, build nothing")
    add("--venv", type=pathlib.Path, metavar="PATH", default=ROOT / "target" / "peers" / "venv",
        help="the virtual environment (default: target/peers/venv in the repository)")
    return parser.parse_args()


def positive(kind):
    """An argument type: a number of this kind above zero."""

    def parse(text):
        number = kind(text)
        if not 0 < number < math.inf:
            raise ValueError(text)
        return number

    parse.__name__ = f"positive {kind.__name__}"
    return parse


def note(text):
    """Says what is going on, away from the result on standard output."""
    print(text, file=sys.stderr, flush=True)


def run(command):
    """Runs a preparatory command, its output kept away from the result."""
    # `--json` promises a single object on standard output.
    subprocess.run(command, check=True, stdout=sys.stderr)


def enter_environment(folder):
    """Returns only inside the virtual environment, with OpenSpiel installed there."""
    if pathlib.Path(sys.prefix).resolve() == folder.resolve():
        return
    python = str(folder / "bin" / "python")
    if not os.path.exists(python):
        note(f"creating {folder}")
        venv.create(folder, with_pip=True)
    # Asking for the module, rather than for the folder, also mends an interrupted installation.
    probe = subprocess.run([python, "-c", "import pyspiel"], stderr=subprocess.DEVNULL)
    if probe.returncode != 0:
        note("installing open_spiel")
        run([python, "-m", "pip", "install", "open_spiel"])
        run([python, "-c", "import pyspiel"])
    os.execv(python, [python, str(pathlib.Path(__file__).resolve()), *sys.argv[1:]])


def find_spinney(arguments):
    """The path of the binary, built first if it should be."""
    if arguments.spinney:
        binary = arguments.spinney.resolve()
    else:
        target = ROOT / "target"
        binary = target / "release" / "spinney"
        if not arguments.no_build:
            note("building spinney")
            # Naming the target folder overrides the user's settings, so that the binary is new.
            run(["cargo", "build", "--release", "--bin", "spinney",
                 "--manifest-path", str(ROOT / "Cargo.toml"), "--target-dir", str(target)])
    if not binary.is_file():
        sys.exit(f"there is no binary at {binary}")
    return binary


def measure_spinney(binary, figures):
    """Runs the benchmark once: the rate of each figure, and the signature."""
    names = [figure.name for figure in figures]
    command = [str(binary), "bench", *names]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return parse_bench(output.stdout, names)


def parse_bench(text, names):
    """Reads lines `<name> <number> <unit>`, the last of them `signature <number>`."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    # Without the signature at its end the benchmark has not finished.
    if not lines or len(lines[-1]) != 2 or lines[-1][0] != "signature":
        sys.exit("the benchmark of spinney printed no signature at its end")
    rates = {}
    for fields in lines[:-1]:
        if fields[0] not in names:
            continue
        if len(fields) != 3 or fields[2] != "/s":
            sys.exit(f"not a rate per second: {' '.join(fields)}")
        rates[fields[0]] = float(fields[1])
    missing = [name for name in names if name not in rates]
    if missing:
        sys.exit(f"the benchmark of spinney did not print {', '.join(missing)}")
    return rates, lines[-1][1]


def measure_openspiel(figure, arguments, seed):
    """Playouts, or simulations, per second of OpenSpiel's C++ code."""
    import pyspiel

    # Python cannot call the evaluator itself. But the first simulation of a search does nothing
    # except evaluate the root, so a search of one simulation is a batch of playouts from there.
    playouts = 1 if figure.is_search else PLAYOUTS_PER_CALL
    simulations = arguments.simulations if figure.is_search else 1
    game = pyspiel.load_game(game_name(figure.game, arguments))
    start = game.new_initial_state()
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=playouts, seed=seed),
        uct_c=arguments.uct_c,
        max_simulations=simulations,
        max_memory_mb=TREE_MEGABYTES,
        solve=True,
        seed=seed,
        verbose=False,
    )
    bot.mcts_search(start)  # warms up caches and memory

    done = 0
    begin = now = time.perf_counter()
    while now - begin < arguments.seconds:
        # The root counts what was really done: a search ends early once it has proved the root.
        done += bot.mcts_search(start).explore_count * playouts
        now = time.perf_counter()
    return done / (now - begin)


def measure_lengths(name, games):
    """Random games played move by move: their lengths in plies, and how many were drawn."""
    import pyspiel

    chooser = random.Random(1)
    game = pyspiel.load_game(name)
    lengths = []
    draws = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chooser.choice(state.legal_actions()))
        lengths.append(state.move_number())
        draws += state.returns()[0] == 0
    return {
        "game": name,
        "games": games,
        "mean_plies": statistics.fmean(lengths),
        "standard_error": statistics.stdev(lengths) / math.sqrt(games) if games > 1 else None,
        "longest": max(lengths),
        "draws": draws / games,
    }


def game_name(game, arguments):
    """The name to load an OpenSpiel game by, with the settings asked for."""
    if game == "lines_of_action" and arguments.loa_cap:
        return f"lines_of_action(max_game_length={arguments.loa_cap})"
    return game


def compare(arguments, binary):
    """Measures everything; the result is what `--json` prints."""
    figures = [figure for figure in FIGURES if arguments.mcts or not figure.is_search]
    openspiel = {figure.name: [] for figure in figures}
    spinney = {figure.name: [] for figure in figures}
    signatures = []
    # The two sides alternate because the load of the machine changes while this runs.
    for number in range(1, arguments.rounds + 1):
        note(f"round {number} of {arguments.rounds}: OpenSpiel")
        for figure in figures:
            openspiel[figure.name].append(measure_openspiel(figure, arguments, seed=number))
        note(f"round {number} of {arguments.rounds}: Spinney")
        rates, signature = measure_spinney(binary, figures)
        signatures.append(signature)
        for name, rate in rates.items():
            spinney[name].append(rate)

    note("lengths of playouts")
    games = dict.fromkeys(game_name(figure.game, arguments) for figure in figures)
    lengths = {name: measure_lengths(name, arguments.length_games) for name in games}

    rows = []
    for figure in figures:
        theirs = statistics.median(openspiel[figure.name])
        ours = statistics.median(spinney[figure.name])
        row = {
            "figure": figure.name,
            "openspiel": theirs,
            "spinney": ours,
            "ratio": ours / theirs,
            "required_ratio": figure.required_ratio,
            "holds": ours / theirs >= figure.required_ratio,
            "openspiel_rounds": openspiel[figure.name],
            "spinney_rounds": spinney[figure.name],
        }
        # The simulations of a search are in part tree, so only playouts have a rate in plies.
        if not figure.is_search:
            mean = lengths[game_name(figure.game, arguments)]["mean_plies"]
            row["openspiel_plies"] = theirs * mean
        rows.append(row)
    return {
        "holds": all(row["holds"] for row in rows),
        "open_spiel_version": importlib.metadata.version("open_spiel"),
        "signatures": signatures,
        "figures": rows,
        "playout_lengths": list(lengths.values()),
    }


def print_tables(result):
    print(f"open_spiel {result['open_spiel_version']}, medians per second, one thread\n")
    print(f"{'figure':26} {'OpenSpiel /s':>13} {'Spinney /s':>13} {'ratio':>8} {'required':>8}  holds")
    for row in result["figures"]:
        print(f"{row['figure']:26} {row['openspiel']:13,.0f} {row['spinney']:13,.0f}"
              f" {row['ratio']:8.1f} {row['required_ratio']:8g}  {'yes' if row['holds'] else 'NO'}")

    print("\nOpenSpiel's random playouts (rules and caps differ, so compare plies as well)\n")
    print(f"{'game':38} {'mean plies':>14} {'longest':>7} {'drawn':>6}")
    for row in result["playout_lengths"]:
        error = row["standard_error"]
        mean = f"{row['mean_plies']:.1f}" + (f" ± {error:.1f}" if error is not None else "")
        print(f"{row['game']:38} {mean:>14} {row['longest']:7} {row['draws']:6.1%}")

    print()
    for row in result["figures"]:
        if "openspiel_plies" in row:
            print(f"{row['figure']}: OpenSpiel plays {row['openspiel_plies']:,.0f} plies/s")
    if len(set(result["signatures"])) == 1:
        print(f"\nSpinney's signature: {result['signatures'][0]}")
    else:
        print(f"\nSpinney's signature differs between rounds: {', '.join(result['signatures'])}")


def main():
    arguments = parse_arguments()
    try:
        enter_environment(arguments.venv)
        result = compare(arguments, find_spinney(arguments))
    except (subprocess.CalledProcessError, OSError) as error:
        sys.exit(str(error))
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        print_tables(result)
    sys.exit(0 if result["holds"] else 1)


if __name__ == "__main__":
    main()
