#!/usr/bin/env python3
"""How often does a player find a win that is near?

    near-wins.py make GAMES.jsonl[.xz] > testdata/positions/loa-near-wins.tsv
    near-wins.py play PLAYER LIMIT OUT.jsonl      LIMIT such as time=1s or nodes=4000000
    near-wins.py count OUT.jsonl ...

`make` takes positions from recorded games (`spinney match --out`): for one game after another, 4, 6, 8 or
10 plies before mia-plus with a million nodes first proves a win for the side to move. `play` lets a player
choose a move in each, and asks df-pn, with ten million nodes, whether the opponent is then lost. Both continue after
an interruption: `play` keeps what is in its file. The program is `spinney` of the PATH, or $SPINNEY.
"""

import json
import lzma
import os
import subprocess
import sys
from pathlib import Path

SPINNEY = os.environ.get("SPINNEY", "spinney")
POSITIONS = Path(__file__).resolve().parents[2] / "testdata/positions/loa-near-wins.tsv"
DISTANCES = [4, 6, 8, 10]


def spinney(*arguments):
    command = [SPINNEY, *arguments, "--json"]
    result = subprocess.run(command, capture_output=True, text=True)
    # 3: a value is unknown.
    if result.returncode not in (0, 3):
        sys.exit(result.stderr.strip())
    return json.loads(result.stdout.splitlines()[-1])


def after(position, move):
    """The position after a move, as text."""
    board, side = position.split()
    men = {}
    for rank, row in zip("87654321", board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                men["abcdefgh"[file] + rank] = letter
                file += 1
    if move != "pass":
        men[move[-2:]] = men.pop(move[:2])
    rows = []
    for rank in "87654321":
        row, empty = "", 0
        for file in "abcdefgh":
            if man := men.get(file + rank):
                row, empty = row + (str(empty) if empty else "") + man, 0
            else:
                empty += 1
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows) + (" w" if side == "b" else " b")


def make(path, wanted=200):
    read = lzma.open if path.endswith(".xz") else open
    with read(path, "rt") as lines:
        games = sorted(map(json.loads, lines), key=lambda game: game["index"])
    print("position\tbefore\tsource")
    made = 0
    for game in games:
        if made == wanted:
            return
        opening, moves = game["opening"], [move["move"] for move in game["moves"]]
        positions = [game["start"]]
        for move in opening + moves:
            positions.append(after(positions[-1], move))
        positions = positions[len(opening) :]
        # 1. The winner's first proof in the game, and then that of mia-plus.
        moves_first = game["first"] == game["result"]
        parity = (len(opening) + (not moves_first)) % 2
        proven = [i for i in range(parity, len(moves), 2) if game["moves"][i]["proven"] == "win"]
        if game["result"] == "draw" or not proven:
            continue

        def is_proved(ply):
            limit = ("--player", "mia-plus", "--nodes", "1000000")
            return spinney("analyze", "loa", "--position", positions[ply], *limit)["proven"] == "win"

        ply = proven[0]
        while ply < len(moves) and not is_proved(ply):
            ply += 2
        while ply >= 2 and is_proved(ply - 2):
            ply -= 2
        # 2. The position before it.
        before = DISTANCES[made % len(DISTANCES)]
        if ply < len(moves) and ply >= before:
            print(positions[ply - before], before, game["index"], sep="\t", flush=True)
            made += 1


def play(player, limit, path):
    done = set()
    if os.path.exists(path):
        done = {json.loads(line)["position"] for line in open(path)}
    kind, amount = limit.split("=")
    rows = [line.rstrip("\n").split("\t") for line in open(POSITIONS) if not line.startswith("#")]
    for position, before, _ in rows[1:]:
        if position in done:
            continue
        report = spinney(
            "analyze", "loa", "--position", position, "--player", player, f"--{kind}", amount
        )
        best = report["best"]
        reply = after(position, best)
        solver = ("--algorithm", "df-pn", "--nodes", "10000000", "--memory", "512M")
        value = spinney("solve", "loa", "--position", reply, *solver)["value"]
        record = {
            "position": position,
            "before": int(before),
            "player": player,
            "limit": limit,
            "best": best,
            "proven": report["proven"],
            "nodes": report["nodes"],
            "opponent": value,
        }
        with open(path, "a") as file:
            print(json.dumps(record), file=file)


def count(paths):
    for path in paths:
        records = [json.loads(line) for line in open(path)]
        won = sum(record["opponent"] == "loss" for record in records)
        proved = sum(record["proven"] == "win" for record in records)
        first = records[0]
        print(
            f"{first['player']}, {first['limit']}: {len(records)} positions, "
            f"opponent lost in {won}, won by its own proof in {proved}"
        )


match sys.argv[1:]:
    case ["make", path]:
        make(path)
    case ["play", player, limit, path]:
        play(player, limit, path)
    case ["count", *paths] if paths:
        count(paths)
    case _:
        sys.exit(__doc__)
