"""How good the reviews of the board in the browser are: real games, reviewed by the page itself.

    python3 records/loa/review/make.py target/release/spinney FOLDER_OF_SGF

Each game is loaded and reviewed in Chromium, on the clock. Every move that the review marks ?? is judged again
by a search with ten times the time before and after the move. A line of JSON for each game goes to
reviews.jsonl beside this file; games that are there are not reviewed again. At the end the summary is printed.
"""

import json
import pathlib
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "crates/web/tests/browser"))

from cdp import Browser  # noqa: E402
from helpers import paste, serve, settled  # noqa: E402

GAMES = 20
SHORTEST = 30
DEEPER = 10
# Of the winning chance, as in crates/web/assets/review.js.
BLUNDER, MISTAKE = 0.2, 0.1
# Milliseconds for a position, as there.
LONGEST, TOTAL = 500, 25_000
OUT = HERE / "reviews.jsonl"


def post(address, path, body):
    request = urllib.request.Request(address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return urllib.request.urlopen(request).read().decode()


def games(address, folder):
    """The first games of the folder that are long enough and can be read to their end."""
    found = 0
    for path in sorted(pathlib.Path(folder).glob("*.sgf")):
        try:
            text = path.read_text(errors="replace")
            read = json.loads(post(address, "/api/record", {"game": "loa", "text": text, "lines": True}))
        except urllib.error.HTTPError:
            continue
        for number, game in enumerate(read["games"]):
            line = game.get("line")
            if line and line["game"] == "loa" and len(line["nodes"]) == game["moves"] >= SHORTEST:
                yield f"{path.name} {number + 1}", [node["move"] for node in line["nodes"]]
                found += 1
                break  # One of each file, so that many people play.
        if found == GAMES:
            return


def value(address, moves, milliseconds):
    """For the side to move."""
    body = {"game": "loa", "moves": moves, "player": "spinney", "limits": {"time": milliseconds}, "seed": 1}
    events = post(address, "/api/analyse", body).split("\n\n")
    done = next(event for event in events if "event: done" in event)
    return json.loads(done.split("data: ", 1)[1])["value"]


def review(browser, address, name, moves):
    page = browser.page(address)
    page.js("localStorage.clear(); sessionStorage.clear()")
    paste(page, " ".join(moves))
    page.wait(f"document.querySelectorAll('#moves .move').length === {len(moves)}", 20)
    settled(page)
    start = time.monotonic()
    page.click("#review")
    page.wait("document.querySelector('#review').textContent.startsWith('Stop')")
    page.wait("document.querySelector('#review').textContent === 'Review'", 120)
    seconds = time.monotonic() - start
    nodes = page.js("JSON.parse(sessionStorage.getItem('spinney')).nodes")
    page.close()
    blunders, at = [], None
    each = DEEPER * min(LONGEST, round(TOTAL / (len(moves) + 1)))
    for number, node in enumerate(nodes):
        if node["parent"] != at:
            continue
        at = number
        ply = moves_before(nodes, number)
        if 4 in node["nags"]:
            before, after = moves[:ply], moves[:ply + 1]
            deep = max(0.0, (value(address, before, each) + value(address, after, each)) / 2)
            blunders.append({"ply": ply + 1, "move": node["move"], "loss": round(node["loss"], 3), "deep": round(deep, 3)})
    return {"game": name, "plies": len(moves), "seconds": round(seconds, 1), "blunders": blunders}


def moves_before(nodes, number):
    count, at = 0, nodes[number]["parent"]
    while at is not None:
        count, at = count + 1, nodes[at]["parent"]
    return count


def main():
    folder = sys.argv[2]
    server, address = serve()
    browser = Browser()
    try:
        done = [json.loads(line) for line in OUT.read_text().splitlines()] if OUT.exists() else []
        names = {game["game"] for game in done}
        for name, moves in games(address, folder):
            if name in names:
                continue
            done.append(review(browser, address, name, moves))
            with OUT.open("a") as file:
                file.write(json.dumps(done[-1]) + "\n")
            print(done[-1], flush=True)
    finally:
        browser.close()
        server.terminate()
    blunders = [blunder for game in done for blunder in game["blunders"]]
    share = lambda least: sum(blunder["deep"] >= least for blunder in blunders) / max(1, len(blunders))
    print(f"{len(done)} games, the slowest {max(game['seconds'] for game in done)} s; {len(blunders)} moves marked ??: "
          f"{100 * share(BLUNDER):.1f} % are blunders for the deeper search too, {100 * share(MISTAKE):.1f} % at least mistakes")


main()
