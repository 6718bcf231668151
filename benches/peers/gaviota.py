#!/usr/bin/env python3
"""Compares the distance to mate of every position with three men with the Gaviota tables.

    apt-get install gaviotatb
    benches/peers/gaviota.py [--gaviota DIR] [--spinney PATH]

The tables are read by the Python package `chess` 1.11.2, which is installed into a virtual
environment (target/peers/gaviota) unless it can be imported. Every legal position with a white man is
looked up there; `spinney tablebase probe -` is asked for it and for the same position with colours
reversed. The exit code is 0 if all agree, else 1.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / "target" / "peers" / "gaviota"
# The men beside the kings, as python-chess numbers them.
MEN = {"KPvK": 1, "KNvK": 2, "KBvK": 3, "KRvK": 4, "KQvK": 5}

try:
    import chess
    import chess.gaviota
except ImportError:
    python = ENVIRONMENT / "bin" / "python"
    if pathlib.Path(sys.prefix) == ENVIRONMENT:
        sys.exit("chess cannot be imported though it is installed")
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "chess==1.11.2"], check=True)
    os.execv(python, [str(python), *sys.argv])


def positions(piece):
    """All legal positions with a white man of this kind, both sides to move."""
    squares = [square for square in chess.SQUARES
               if piece != chess.PAWN or 0 < chess.square_rank(square) < 7]
    board = chess.Board(None)
    for white in chess.SQUARES:
        for black in chess.SQUARES:
            if chess.square_distance(white, black) < 2:
                continue
            for square in squares:
                if square in (white, black):
                    continue
                board.clear_board()
                board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
                board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
                board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
                for board.turn in chess.COLORS:
                    if not board.was_into_check():
                        yield board


def reversed_fen(fen):
    """The same position with the colours, and top and bottom, swapped."""
    men, turn, *_ = fen.split()
    return f"{'/'.join(reversed(men.swapcase().split('/')))} {'b' if turn == 'w' else 'w'} - - 0 1"


def gaviota_value(table, board):
    """The value and the plies to mate, as spinney writes them."""
    plies = table.probe_dtm(board)
    if plies == 0:
        # Mate is zero plies away, and so is a draw.
        return ("loss", 0) if board.is_checkmate() else ("draw", None)
    return ("win" if plies > 0 else "loss", abs(plies))


def spinney_values(binary, fens):
    output = subprocess.run([binary, "tablebase", "probe", "-", "--json"], check=True, text=True,
                            input="\n".join(fens) + "\n", stdout=subprocess.PIPE).stdout
    for line in output.splitlines():
        answer = json.loads(line)
        yield answer["value"], answer["plies"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gaviota", default="/usr/share/gaviotatb/gtb4", metavar="DIR",
                        help="the folder with kqk.gtb.cp4 (default: Debian's)")
    parser.add_argument("--spinney", default=ROOT / "target" / "release" / "spinney",
                        metavar="PATH", help="the binary (default: target/release/spinney)")
    arguments = parser.parse_args()
    different = 0
    with chess.gaviota.PythonTablebase() as table:
        if table.add_directory(arguments.gaviota) < len(MEN):
            sys.exit(f"{arguments.gaviota}: not all {len(MEN)} Gaviota tables are there")
        for name, piece in MEN.items():
            fens, expected = [], []
            for board in positions(piece):
                fen = board.fen()
                fens += [fen, reversed_fen(fen)]
                expected += [gaviota_value(table, board)] * 2
            bad = [fen for fen, ours, theirs
                   in zip(fens, spinney_values(arguments.spinney, fens), expected, strict=True)
                   if ours != theirs]
            print(f"{name} {len(fens)} positions, {len(bad)} different", *bad[:3], sep="\n  "
                  if bad else " ", flush=True)
            different += len(bad)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
