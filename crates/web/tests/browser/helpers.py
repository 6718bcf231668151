"""What every test does: clicks on squares, new games, waits."""

import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[4]
PICTURES = ROOT / "target" / "screenshots"
REFUSED = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
BUSY = "Failed to load resource: the server responded with a status of 409 (Conflict)"
SGF = "(;FF[4]GM[9]GN[Two lines];B[d1-d3]C[A first step.];W[a4-c4](;B[c1xc4];W[h4-f4])(;B[e1-g3];W[h5-f5]))"

# A whole game, won by a connection.
FINISHED = (
    "(;GM[9]GN[Friendly game]PB[Ann]PW[Bob]DT[2026-05-01];B[g1-g3];W[a7-b6];B[b1-d3];W[a6xd3];B[f1xd3];W[h3-f5];B[c1-e3];W[a2"
    "-c2];B[g8-g6];W[b6-e6];B[f8xh6];W[h4-f6];B[d1-d4];W[a5-d5];B[b8-e5];W[d5-e4];B[h6-f4];W[h5xe5];B[d8xf6];W[h7-g7];B[e1-d2"
    "];W[e4-d5];B[f4-c4];W[a4-c6];B[e8xc6];W[a3-b4];B[e3-c5];W[c2-b3];B[c8-b7];W[b3-b6];B[b7-d7];W[b4xd2];B[g6-f7];W[f5xd3];B"
    "[c4-e4];W[b6-c7];B[g3-g5];W[d2-c3];B[g5-e7])")


def square(name):
    return f'[data-square="{name}"]'


def status(page):
    return page.text("#status")


def moves(page):
    return page.js("[...document.querySelectorAll('#moves .move')].map((b) => b.textContent)")


def play(page, *squares):
    """Clicks squares and waits until the move is in the list."""
    before = len(moves(page))
    for name in squares:
        page.click(square(name))
    page.wait(f"document.querySelectorAll('#moves .move').length > {before}")


def new_game(page, game, first="", second="", size=None, limit=("simulations", 20)):
    """Starts a game through the dialog; `first` and `second` are players, or nobody for a person."""
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    page.fill("#setup-game", game)
    # The players of the other game come from the server.
    settled(page, "#setup")
    if size:
        page.fill("#setup-size", size)
    for seat, player in [("#setup-first", first), ("#setup-second", second)]:
        page.fill(f"{seat} .who", player)
        if player:
            page.fill(f"{seat} .kind", limit[0])
            page.fill(f"{seat} .amount", str(limit[1]))
    page.click("#setup-start")
    page.wait("!document.querySelector('#setup').open")
    page.wait(f"location.hash.startsWith('#game={game}')")
    settled(page)
    page.js("document.querySelector('#notice .close')?.click()")


def settled(page, part="main"):
    """Waits until what was asked for last is shown."""
    page.wait(f"document.querySelector('{part}').getAttribute('aria-busy') === 'false'")


def searched(page, seconds):
    """Waits until the analysis says that it has searched for this number of seconds."""
    page.wait(f"parseFloat(document.querySelector('#analysis-summary').textContent.match(/([0-9.]+) s$/)?.[1]) >= {seconds}")


def press(page, text):
    """Presses the button of the palette with this text."""
    page.js(f"[...document.querySelectorAll('#palette button')].find((b) => b.textContent === {json.dumps(text)}).click()")


def load(page, text):
    page.js("document.querySelector('#status').textContent = ''")
    page.fill("#record", text)
    page.click("#load")
    page.wait("document.querySelector('#status').textContent.startsWith('Loaded')")
    settled(page)


def no_sideways_scrolling(page):
    width = page.js("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], f"the page is {width[0]} pixels wide on a screen of {width[1]}"


def serve(*arguments, address="127.0.0.1:0"):
    """A server of its own, and its address."""
    server = subprocess.Popen([sys.argv[1], "serve", "--addr", address, *arguments], stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().split()[3]


def current(page, label):
    """Waits until the move with this label is the one that is shown."""
    page.wait(f"document.querySelector('#moves [aria-current]')?.textContent === {json.dumps(label)}")


def in_view(page, selector):
    """Whether the whole of an element is on the screen."""
    return page.js(
        f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
        " return b.width > 0 && b.top >= -1 && b.bottom <= innerHeight + 1 && b.left >= -1 && b.right <= innerWidth + 1; })()")


def paste(page, text):
    """Loads a record without waiting."""
    page.fill("#record", text)
    page.click("#load")


def saved(page, button="#save-sgf"):
    """The text that a button saves to a file."""
    return page.js(f"""(async () => {{
        let text; const create = URL.createObjectURL;
        URL.createObjectURL = (blob) => {{ text = blob.text(); return create(blob); }};
        document.querySelector('{button}').click();
        while (!text) await new Promise((go) => setTimeout(go, 20));
        return text; }})()""")


def pretend_analysis(page, *candidates):
    """From now on every search finds these moves: (move, value, visits), the best first."""
    found = [{"move": m, "value": value, "visits": visits, "proven": None, "plies": None, "pv": [m]} for m, value, visits in candidates]
    analysis = {
        "best": candidates[0][0], "value": candidates[0][1], "proven": None, "plies": None, "pv": [candidates[0][0]],
        "candidates": found, "simulations": 9, "nodes": 9, "seconds": 0.1,
    }
    page.js(f"""(() => {{ const real = window.fetch;
        window.fetch = (path, options) => path !== '/api/analyse' ? real(path, options)
            : Promise.resolve(new Response('event: done\\ndata: ' + {json.dumps(json.dumps(analysis))} + '\\n\\n')); }})()""")


def press_in(page, part, text):
    """Presses the button of a part of the page with this text."""
    page.js(f"[...document.querySelectorAll('{part} button')].find((b) => b.textContent === {json.dumps(text)}).click()")
