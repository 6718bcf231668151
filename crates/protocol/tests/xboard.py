"""XBoard plays a game of LOA between two players of Spinney to its end, on a display in memory.

    python3 crates/protocol/tests/xboard.py SPINNEY [--screenshot FILE]

Needs Debian's packages xboard and xvfb; the screenshot, taken when the game is over, also imagemagick.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

# Seconds: more than a game takes on a busy machine.
PATIENCE = 600
# A strong one and a weak one, for a short game.
PLAYERS = ["spinney", "random"]


def xboard():
    """Debian installs games where not every path leads."""
    found = shutil.which("xboard", path=os.environ["PATH"] + ":/usr/games")
    if not found:
        raise SystemExit("xboard is missing: apt-get install xboard xvfb imagemagick")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spinney", type=Path)
    parser.add_argument("--screenshot", type=Path)
    arguments = parser.parse_args()
    spinney = arguments.spinney.resolve()
    with tempfile.TemporaryDirectory() as home:
        games = Path(home, "games.pgn")
        # The number of a free display comes through a pipe.
        reader, writer = os.pipe()
        screen = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "440x500x24"]
        server = subprocess.Popen(screen, pass_fds=[writer], stderr=subprocess.DEVNULL)
        environment = {**os.environ, "DISPLAY": ":" + os.read(reader, 16).decode().strip(), "HOME": home}
        engines = [f"{spinney} engine --protocol xboard --game loa --player {player}" for player in PLAYERS]
        command = [xboard(), "-variant", "loa", "-testLegality", "false", "-fcp", engines[0], "-scp", engines[1]]
        command += ["-mode", "TwoMachines", "-st", "0:01", "-saveGameFile", str(games), "-soundProgram", ""]
        board = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            check(wait(games, board))
            if arguments.screenshot:
                subprocess.run(["import", "-window", "root", arguments.screenshot], env=environment, check=True)
        finally:
            board.terminate()
            board.wait()
            server.terminate()
            server.wait()


def wait(games, board):
    """The first game, when it is over."""
    for _ in range(PATIENCE):
        if games.exists() and (text := games.read_text()).rstrip().endswith(("1-0", "0-1", "1/2-1/2", "*")):
            return text
        if board.poll() is not None:
            raise SystemExit("XBoard ended before the game")
        time.sleep(1)
    raise SystemExit(f"no end of the game in {PATIENCE} s")


def check(game):
    """Refuses a game that did not end by the rules."""
    result = re.search(r'\[Result "(.*)"\]', game)[1]
    moves = re.findall(r"\b\d+\. ", game)
    # The engine says how a game ends; a draw is a repetition.
    *_, remark = re.findall(r"\{(.*?)\}", game, re.DOTALL)
    print(f"XBoard: {len(moves)} moves, {result} ({remark})")
    if result == "*" or not moves or any(word in remark for word in ("illegal", "forfeit", "exit", "time")):
        raise SystemExit(game)


if __name__ == "__main__":
    main()
