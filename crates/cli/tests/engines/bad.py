"""Engines that misbehave: `python3 bad.py KIND FILE`.

Each plays tic-tac-toe over UGI, on the first empty square. A kind replaces what the engine does at
one or more moments: `start` (before anything is read) or a command. FILE counts the starts.
"""

import fcntl
import os
import select
import signal
import sys
import time

HOOKS = {}
# From the headers of Linux; older versions of Python do not have it.
F_SETPIPE_SZ = 1031


def on(*moments, kind=None):
    """Makes a function the behaviour of a kind: by default, of the kind with its name."""

    def register(function):
        for moment in moments:
            HOOKS[kind or function.__name__, moment] = function
        return function

    return register


def say(data):
    data = data.encode() if isinstance(data, str) else data
    while data:
        data = data[os.write(1, data):]


def flood(data):
    data = data.encode() if isinstance(data, str) else data
    block = data * (1 + 50_000 // len(data))
    while True:
        say(block)


def hang():
    """Much longer than any test waits, but not for ever."""
    time.sleep(60)
    sys.exit()


def ignore_signals():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


class Engine:
    def __init__(self, kind, file):
        self.kind = kind
        with open(file, "a") as log:
            log.write("start\n")
        with open(file) as log:
            self.starts = len(log.readlines())
        self.board = {}
        self.searches = 0

    def run(self):
        self.act("start", [])
        while line := sys.stdin.readline():
            words = line.split()
            if words:
                self.act(words[0], words[1:])

    def act(self, moment, words):
        hook = HOOKS.get((self.kind, moment))
        if hook:
            hook(self)
        elif method := getattr(self, moment, None):
            method(words)

    def ugi(self, words):
        say("id name bad\noption name Text type string\nugiok\n")

    def isready(self, words):
        say("readyok\n")

    def position(self, words):
        ranks = words[1].split("/")
        self.board = {}
        for rank, text in zip("321", ranks):
            files = iter("abc")
            for letter in text:
                for _ in range(int(letter) if letter.isdigit() else 1):
                    self.board[next(files) + rank] = letter.isdigit()
        for move in words[4:]:
            self.board[move] = False

    def go(self, words):
        say(f"bestmove {self.move()}\n")

    def move(self):
        return next(square for square, empty in sorted(self.board.items()) if empty)

    def quit(self, words):
        sys.exit()


# ---- Engines that are fine ----------------------------------------------------------------------


@on("ugi")
def carriage_returns(engine):
    say("id name bad\r\nugiok\r\n")


@on("isready", kind="carriage_returns")
def ready_with_carriage_return(engine):
    say("readyok\r\n")


@on("go", kind="carriage_returns")
def move_with_carriage_return(engine):
    say(f"bestmove {engine.move()}\r\n")


@on("ugi")
def slow(engine):
    time.sleep(0.5)
    engine.ugi([])


@on("isready")
def early_bestmove(engine):
    say("bestmove a1\nreadyok\n")


@on("go")
def two_bestmoves(engine):
    say(f"bestmove {engine.move()}\n" * 2)


@on("isready")
def ready_after_the_search(engine):
    say("bestmove a1\nreadyok\n")


@on("go", kind="ready_after_the_search")
def search_longer_than_the_timeout(engine):
    if engine.searches == 0:
        time.sleep(3)
    engine.searches += 1
    engine.go([])


@on("go")
def huge_numbers(engine):
    many = "9" * 400
    say(
        f"info depth {many} nodes {many} score cp {many} pv {engine.move()}\n"
        f"info depth -1 nodes -1 score mate -2147483648 pv {engine.move()}\n"
        f"info depth nan nodes 18446744073709551615 score cp nan pv {engine.move()}\n"
        f"info multipv {many} score cp 2147483647 pv {engine.move()}\n"
        f"info multipv 0 score cp inf pv {engine.move()}\n"
        f"info depth 18446744073709551615 score mate 2147483647 pv {engine.move()}\n"
    )
    engine.go([])


@on("go")
def many_long_variations(engine):
    moves = "a1 " * 20_000
    for number in range(1, 1001):
        say(f"info multipv {number} score cp 1 pv {moves}\n")
    engine.go([])


@on("go")
def many_errors(engine):
    for _ in range(2000):
        os.write(2, b"error\n" * 20_000)
    engine.go([])


@on("quit")
def ignores_quit(engine):
    hang()


@on("start", "quit")
def ignores_signals(engine):
    ignore_signals()


@on("start")
def leaves_children(engine):
    for _ in range(2):
        if os.fork() == 0:
            ignore_signals()
            hang()


@on("start")
def leaves_a_daemon(engine):
    if os.fork() == 0:
        if os.fork() == 0:
            ignore_signals()
            null = os.open("/dev/null", os.O_RDWR)
            for descriptor in range(3):
                os.dup2(null, descriptor)
            hang()
        os._exit(0)
    os.wait()


@on("quit")
def signals_its_group(engine):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        hang()
    os.kill(0, signal.SIGTERM)
    sys.exit()


# ---- Engines that cannot begin ------------------------------------------------------------------


@on("start")
def exits_at_once(engine):
    sys.exit(3)


@on("start")
def crashes_at_once(engine):
    os.kill(os.getpid(), signal.SIGSEGV)


@on("ugi")
def no_greeting(engine):
    pass


@on("ugi")
def slow_greeting(engine):
    time.sleep(3)
    engine.ugi([])


@on("ugi")
def half_a_greeting(engine):
    say("ugi")


@on("ugi")
def options_without_end(engine):
    flood("option name Text type string\n")


@on("start")
def garbage_at_the_start(engine):
    flood(bytes(range(256)))


@on("start")
def line_without_end_at_the_start(engine):
    flood("x")


@on("isready")
def never_ready(engine):
    pass


@on("ugi")
def never_reads(engine):
    fcntl.fcntl(0, F_SETPIPE_SZ, 4096)
    engine.ugi([])
    hang()


@on("ugi")
def closes_input(engine):
    os.close(0)
    engine.ugi([])
    hang()


# ---- Engines that fail in a game ----------------------------------------------------------------


@on("go")
def infos_without_end(engine):
    flood("info depth 1 nodes 1 score cp 1 pv " + "a1 " * 10_000 + "\n")


@on("go")
def infos_without_end_but_ready(engine):
    while True:
        say("info depth 1 nodes 1\n" * 5000)
        if select.select([0], [], [], 0)[0] and b"isready" in os.read(0, 4096):
            say("readyok\n")


@on("go")
def answers_without_end(engine):
    flood("readyok\nugiok\ninfo depth 1\n")


@on("go")
def empty_lines_without_end(engine):
    flood("\n")


@on("go")
def line_without_end(engine):
    flood("x")


@on("go")
def zeros_without_end(engine):
    flood(b"\0")


@on("go")
def zeros_in_lines(engine):
    flood(b"info\0depth\0\n\0")


@on("go")
def garbage(engine):
    flood(bytes(set(range(256)) - {10}) * 100 + b"\n")


@on("go")
def bestmove_in_a_long_line(engine):
    say("x" * 100_000 + f" bestmove {engine.move()} " + "x" * 100_000 + "\n")


@on("go")
def half_a_line(engine):
    say("bestm")
    hang()


@on("go")
def long_nonsense(engine):
    say("bestmove " + "\x01\u00e9" * 10_000 + "\n")


@on("go")
def nonsense(engine):
    say("bestmove colourless green ideas\n")


@on("go")
def no_move(engine):
    say("bestmove\n")


@on("go")
def illegal_move(engine):
    say("bestmove a9\n")


@on("go")
def exits(engine):
    sys.exit(3)


@on("go")
def exits_with_half_a_line(engine):
    say("info dep")
    sys.exit(3)


@on("go")
def crashes(engine):
    os.kill(os.getpid(), signal.SIGSEGV)


@on("go")
def stops_itself(engine):
    os.kill(os.getpid(), signal.SIGSTOP)


@on("go")
def closes_output(engine):
    os.close(1)
    hang()


@on("go")
def leaves_its_output_to_a_child(engine):
    if os.fork() == 0:
        hang()
    sys.exit()


@on("go", "stop", "quit")
def never_moves(engine):
    pass


@on("go")
def searches_without_end(engine):
    hang()


@on("go")
def hangs_behind_a_shell(engine):
    hang()


@on("start", "go")
def starts_only_once(engine):
    if engine.starts > 1 or engine.board:
        sys.exit(3)


if __name__ == "__main__":
    Engine(*sys.argv[1:]).run()
