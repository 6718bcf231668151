#!/usr/bin/env python3
"""Hard positions of Lines of Action: finds more of them, and says which of them a program solves.

  loa-hard.py find PROGRAM GAMES   adds positions to loa-hard.tsv until it has 100. PROGRAM is the `spinney` of
                                   commit feb4efa, GAMES a folder of SGF files
  loa-hard.py solve PROGRAM OUT    solves each position with 60 s of processor time on one thread; one row a
                                   position in OUT

Both can be stopped and started: games that were looked at are in ./loa-hard.done, rows that are in OUT stay. Limits are nodes and processor time, so a busy machine changes little.
"""

import glob
import json
import os
import random
import re
import resource
import subprocess
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loa-hard.tsv")
WANTED = 100
# 60 s of processor time of df-pn of commit feb4efa, and what decides that a game is left out.
FULL, SMALL = 300_000_000, 20_000_000
SECONDS = 60


def rows(path):
    """The fields of each row of a table."""
    with open(path) as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return lines[1:]


def legal(board, start, end, side):
    """Whether a man of the side may go from one square to another."""
    (x, y), (u, v) = start, end
    dx, dy = u - x, v - y
    if board.get(start) != side or board.get(end) == side or (dx and dy and abs(dx) != abs(dy)):
        return False
    steps = max(abs(dx), abs(dy))
    sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    line = [(x + i * sx, y + i * sy) for i in range(-7, 8)]
    return (
        steps > 0
        and steps == sum(square in board for square in line)
        and all(board.get((x + i * sx, y + i * sy), side) == side for i in range(1, steps))
    )


def connected(board, side):
    """Whether the men of the side form one group."""
    men = {square for square, man in board.items() if man == side}
    todo = [men.pop()]
    while todo:
        x, y = todo.pop()
        beside = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & men
        men -= beside
        todo.extend(beside)
    return not men


def text(board, side):
    """A position as text."""
    ranks = ("".join(board.get((x, y), ".") for x in range(8)) for y in range(7, -1, -1))
    ranks = (re.sub(r"\.+", lambda dots: str(len(dots[0])), rank) for rank in ranks)
    return "/".join(ranks) + (" b" if side == "x" else " w")


def game_trees(text):
    """The games of an SGF file."""
    depth, start, inside, i = 0, 0, False, 0
    while i < len(text):
        if inside:
            i += text[i] == "\\"
            inside = text[i] != "]"
        elif text[i] == "[":
            inside = True
        elif text[i] == "(":
            start = i if depth == 0 else start
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if depth == 0:
                yield text[start : i + 1]
        i += 1


def replay(tree):
    """The moves of a game and the positions before them, if its last move alone connects its side."""
    properties = re.findall(r"([A-Za-z]+)\s*\[((?:\\.|[^\]])*)\]", tree)
    properties = [(re.sub("[a-z]", "", name), value.strip()) for name, value in properties]
    if any(name == "SU" and value.lower() != "standard" for name, value in properties):
        return None
    name = next((value for name, value in properties if name == "GN"), "").split()[-1:]
    board = {(x, y): "x" for x in range(1, 7) for y in (0, 7)}
    board |= {(x, y): "o" for x in (0, 7) for y in range(1, 7)}
    side, other, moves, positions = "x", "o", [], []
    for mover, value in properties:
        if mover not in "BW":
            continue
        squares = re.match(r"([A-H])([1-8])[^A-H]*([A-H])([1-8])", value.upper())
        if not squares or (mover == "B") != (side == "x") or connected(board, "x") or connected(board, "o"):
            return None
        start, end = [(ord(squares[i]) - ord("A"), int(squares[i + 1]) - 1) for i in (1, 3)]
        if not legal(board, start, end, side):
            return None
        positions.append(text(board, side))
        moves.append((start, end))
        board[end] = board.pop(start)
        side, other = other, side
    if not moves or not connected(board, other) or connected(board, side):
        return None
    return "".join(name), tuple(moves), positions


def games(folder):
    """The games of the archive, each once: where it stands, and its positions."""
    seen = set()
    for path in sorted(glob.glob(os.path.join(folder, "*.sgf"))):
        with open(path, encoding="latin-1") as file:
            trees = game_trees(file.read())
            for number, tree in enumerate(trees, 1):
                game = replay(tree)
                if game and game[1] not in seen:
                    seen.add(game[1])
                    yield f"{os.path.basename(path)}:{game[0]}#{number}", game[2]


def solve(program, position, *options, seconds=resource.RLIM_INFINITY):
    """What df-pn says of a position; nothing if the processor time runs out. And the time it took."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "solve", "loa", "--position", position, "--algorithm", "df-pn", "--json", *options]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if run.returncode not in (0, 3) and took < seconds - 1:
        sys.exit(f"{' '.join(command)}: exit code {run.returncode}")
    return json.loads(run.stdout.splitlines()[0]) if run.stdout else {}, took


def hard_position(program, positions):
    """The last position that is not solved, the plies of the win after it, and its ply."""
    later = 0
    for ply in range(len(positions) - 1, -1, -2):
        found, _ = solve(program, positions[ply], "--nodes", str(SMALL))
        if found["value"] == "unknown" and 11 <= later <= 19:
            found, _ = solve(program, positions[ply], "--nodes", str(FULL))
            if found["value"] == "unknown":
                return positions[ply], later, ply
        if found["value"] != "win" or found["plies"] > 19:
            return None
        later = found["plies"]
    return None


def find(program, folder):
    """Adds positions to the table."""
    log = "loa-hard.done"
    open(log, "a").close()
    done = set(open(log).read().split("\n")) | {row[3].split("@")[0] for row in rows(TABLE)}
    candidates = list(games(folder))
    random.Random(22).shuffle(candidates)
    for name, positions in candidates:
        count = len(rows(TABLE))
        if name in done or count >= WANTED:
            continue
        if hard := hard_position(program, positions):
            with open(TABLE, "a") as file:
                print(f"h{count + 1:03}", hard[0], hard[1], f"{name}@{hard[2]}", sep="\t", file=file)
        with open(log, "a") as file:
            print(name, file=file)


def count(program, out):
    """Writes which positions are solved."""
    if not os.path.exists(out):
        with open(out, "w") as file:
            print("id", "value", "plies", "nodes", "seconds", sep="\t", file=file)
    done = {row[0] for row in rows(out)}
    for name, position, *_ in rows(TABLE):
        if name in done:
            continue
        found, seconds = solve(program, position, seconds=SECONDS)
        fields = [found.get("value", "unknown"), found.get("plies", ""), found.get("nodes", "")]
        with open(out, "a") as file:
            print(name, *fields, f"{seconds:.1f}", sep="\t", file=file)
    results = [row[1] for row in rows(out)]
    print(f"{len(results)} positions, {len(results) - results.count('unknown')} solved")


if __name__ == "__main__":
    modes = {"find": find, "solve": count}
    if len(sys.argv) != 4 or sys.argv[1] not in modes:
        sys.exit(__doc__)
    modes[sys.argv[1]](*sys.argv[2:])
