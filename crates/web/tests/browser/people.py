"""Levels, puzzles, the explorer, and what makes the board pleasant."""

import json

from helpers import *


def levels_in_the_dialog(page):
    """A newcomer plays the easiest; the dialog has all levels, and a colour."""
    assert "Acorn" in page.text("#seat-top"), page.text("#seat-top")
    assert page.js("!document.querySelector('#welcome').hidden")
    page.screenshot(PICTURES / "welcome.png")
    play(page, "d1", "d3")
    page.wait("document.querySelectorAll('#moves .move').length === 2")
    assert page.js("document.querySelector('#welcome').hidden")
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    settled(page, "#setup")
    chips = page.js("[...document.querySelectorAll('#setup-opponents strong')].map((c) => c.textContent)")
    assert len(chips) >= 10 and chips[0] == "Acorn" and chips[-3:] == ["Spinney", "Person", "Other"], chips
    ratings = page.js("[...document.querySelectorAll('#setup-opponents .quiet')].map((c) => Number(c.textContent.split(' · ')[1])).filter((r) => r >= 0)")
    assert ratings == sorted(ratings) and len(set(ratings)) == len(ratings), ratings
    assert page.js("document.querySelector('#setup-opponents :checked').value") == "1"
    page.screenshot(PICTURES / "new-game.png")
    page.js("document.querySelector('#setup-opponents [value=\"3\"]').click(); document.querySelector('#setup-colours [value=\"1\"]').click()")
    page.click("#setup-start")
    page.wait("document.querySelectorAll('#moves .move').length === 1")
    assert "Seedling, level 3" in page.text("#seat-top"), page.text("#seat-top")
    assert "Person" in page.text("#seat-bottom"), page.text("#seat-bottom")
    # The dialog remembers.
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    settled(page, "#setup")
    assert page.js("[...document.querySelectorAll('#setup .chip :checked')].map((c) => c.value)") == ["3", "1"]
    # A seat that is changed by hand is used as it stands.
    page.fill("#setup-second .who", "")
    assert page.js("document.querySelector('#setup-opponents :checked').value") == "custom"
    page.click("#setup [value=cancel]")


def puzzles_accept_the_winning_moves_alone(page):
    """A wrong move is refused and taken back; the main line solves; progress is kept."""
    page.click("#show-puzzles")
    page.wait("!document.querySelector('#puzzle').hidden")
    settled(page)
    assert "wins in 1" in page.text("#puzzle h2")
    text = page.js("fetch('/puzzles-loa.jsonl').then((r) => r.text())")
    puzzles = sorted(map(json.loads, text.splitlines()), key=lambda p: (p["plies"], p["index"]))
    longer = next(p for p in puzzles if p["plies"] >= 3)
    page.fill("#puzzle select", str((longer["plies"] + 1) // 2))
    page.wait(f"document.querySelector('#position').value === {json.dumps(longer['position'])}")
    settled(page)
    page.screenshot(PICTURES / "puzzle.png")
    # 1. Every other first move is refused.
    legal = page.js(f"""(async () => {{ const body = JSON.stringify({{game: 'loa', start: {json.dumps(longer['position'])}, moves: []}});
        const answer = await fetch('/api/position', {{method: 'POST', body, headers: {{'Content-Type': 'application/json'}}}});
        return (await answer.json()).legal; }})()""")
    wrong = next(m for m in legal if m["move"] not in longer["wins"][0])
    for name in wrong["squares"]:
        page.click(square(name))
    page.wait("document.querySelector('#puzzle .error')")
    page.screenshot(PICTURES / "puzzle-wrong.png")
    press_in(page, "#puzzle", "Try again")
    page.wait("!document.querySelector('#moves [aria-current]')")
    settled(page)
    # 2. A hint marks the man, then the move.
    press_in(page, "#puzzle", "Hint")
    page.wait("document.querySelector('.arrow-ring')")
    press_in(page, "#puzzle", "Hint")
    page.wait("document.querySelector('.arrow-shape')")
    # 3. The main line solves it, and the program answers.
    for number, move in enumerate(longer["line"][::2]):
        page.wait(f"document.querySelectorAll('#moves .move').length >= {2 * number} && document.querySelector('.hit.live')")
        settled(page)
        if move == "pass":
            page.click("#pass")
        else:
            page.click(square(move[:2]))
            page.click(square(move[3:]))
        if number + 1 < len(longer["line"][::2]):
            page.wait(f"document.querySelector('#moves [aria-current]')?.textContent === {json.dumps(longer['line'][2 * number + 1])}")
    page.wait("document.querySelector('#puzzle .solved')")
    assert page.text("#puzzle .solved") == "Solved, with help."
    page.reload()
    page.click("#show-puzzles")
    page.wait("!document.querySelector('#puzzle').hidden")
    solved = page.js("[...document.querySelectorAll('#puzzle option')].map((o) => o.textContent)")
    assert any("(1 of " in option for option in solved), solved


def a_puzzle_goes_on_beside_its_main_line(page):
    """Any move that wins is accepted later on, and answered."""
    text = page.js("fetch('/puzzles-loa.jsonl').then((r) => r.text())")
    puzzles = sorted(map(json.loads, text.splitlines()), key=lambda p: (p["plies"], p["index"]))
    several = [p for p in puzzles if any(len(wins) > 1 and p["line"][2 * i + 2:] for i, wins in enumerate(p["wins"]) if i)]
    last = [p for p in puzzles if len(p["wins"]) > 1 and len(p["wins"][1]) > 1 and "pass" not in p["line"]]
    puzzle = (several or last)[0]
    step = next(i for i, wins in enumerate(puzzle["wins"]) if i and len(wins) > 1)
    page.js("import('/puzzles.js').then(({ nextPuzzle }) => { window.go = nextPuzzle; })")
    # Puzzles before it count as solved, so that it is the next.
    before = {p["index"]: True for p in puzzles if p["plies"] == puzzle["plies"] and p["index"] < puzzle["index"]}
    page.js(f"localStorage.setItem('spinney.puzzles', {json.dumps(json.dumps(before))}); 0")
    page.js(f"window.go({(puzzle['plies'] + 1) // 2})")
    page.wait(f"document.querySelector('#position').value === {json.dumps(puzzle['position'])}")
    moves_to_play = puzzle["line"][:2 * step:2]
    other = next(m for m in puzzle["wins"][step] if m != puzzle["line"][2 * step])
    for number, move in enumerate([*moves_to_play, other]):
        settled(page)
        page.wait("document.querySelector('.hit.live')")
        page.click(square(move[:2]))
        page.click(square(move[3:]))
        if number < step:
            page.wait(f"document.querySelector('#moves [aria-current]')?.textContent === {json.dumps(puzzle['line'][2 * number + 1])}")
    page.wait("document.querySelector('#puzzle .solved') || document.querySelectorAll('#moves .move').length > "
              f"{2 * step + 1}", 20)
    assert page.js("document.querySelector('#puzzle .error') === null"), page.text("#puzzle")


def explorer_counts_games(page):
    """Moves from this position, in games that are kept and in files, with their results."""
    games = "\n".join(f"(;GM[9]RE[{result}];B[{a}];W[a4-c4];B[{b}])" for a, b, result in [
        ("d1-d3", "e1-e3", "B+Resign"), ("d1-d3", "e1-e3", "W+Resign"), ("e1-e3", "d1-d3", "B+Resign"), ("c1-c3", "d1-d3", "")])
    paste(page, games)
    page.wait("document.querySelector('#games')?.open")
    page.click("#games li:nth-child(4) .open")
    page.wait("document.querySelectorAll('#moves .move').length === 3")
    settled(page)
    page.click("#explorer-box summary")
    rows = "[...document.querySelectorAll('#explorer tbody tr')].map((r) => [...r.cells].slice(0, 2).map((c) => c.textContent))"
    page.wait("document.querySelectorAll('#explorer tbody tr').length === 3")
    assert page.js(rows)[0] == ["d1-d3", "2"], page.js(rows)
    page.screenshot(PICTURES / "explorer.png")
    assert page.js("document.querySelector('.results').getAttribute('aria-label')") == "Black 1, White 1, drawn 0"
    # A click plays; another order of moves reaches the same position.
    page.click("#explorer tbody tr:first-child .ply")
    page.wait("document.querySelector('#moves [aria-current]')?.textContent === 'd1-d3'")
    play(page, "a4", "c4")
    play(page, "e1", "e3")
    page.wait("document.querySelector('#explorer').hidden")


def pleasant_touches(page):
    """Stones show where they would go; a king in check is marked; arrows are drawn by hand."""
    new_game(page, "nogo")
    page.hover(square("c3"))
    page.wait("document.querySelector('.ghost')")
    new_game(page, "domineering")
    page.hover(square("c3"))
    page.wait("document.querySelectorAll('.ghost').length === 1")
    load(page, "1. e4 f6 2. d4 g5 3. Qh5#")
    page.js("document.activeElement.blur()")
    page.key("End")
    page.wait("document.querySelector('.check')")
    new_game(page, "loa")
    a, b = page.centre(square("d1")), page.centre(square("d4"))
    for kind, at in [("mousePressed", a), ("mouseReleased", b)]:
        page.send("Input.dispatchMouseEvent", {"type": kind, "x": at[0], "y": at[1], "button": "right", "buttons": 2, "clickCount": 1})
    page.wait("document.querySelector('.drawn .arrow-shape')")
    page.click(square("e5"))
    page.wait("!document.querySelector('.drawn')")


def threats_and_chances(page):
    """What the other side would play; arrows show the winning chance."""
    paste(page, "8/8/8/2x5/3x2x1/8/1o5o/3o4 w")
    page.wait("document.querySelector('#position').value.startsWith('8/8/8/2x5')")
    page.js("document.activeElement.blur()")
    page.wait("!document.querySelector('#threat').disabled")
    page.click("#threat")
    page.wait("document.querySelector('.threat .arrow-shape')")
    assert "threatens" in status(page), status(page)
    page.screenshot(PICTURES / "threat.png")
    page.key("x")
    page.wait("!document.querySelector('.threat')")
    new_game(page, "loa")
    pretend_analysis(page, ("d1-d3", 0.24, 90), ("e1-e3", -0.5, 30))
    page.click("#analyse")
    page.wait("document.querySelectorAll('.arrow-rank').length === 2")
    assert sorted(page.js("[...document.querySelectorAll('.arrow-rank')].map((t) => t.textContent)")) == ["25", "62"]


def variations_are_edited(page):
    """Promoted, commented, deleted; and kept on saving."""
    load(page, SGF)
    page.js("document.activeElement.blur()")
    page.click("#moves .variation .move")
    current(page, "e1-g3")
    page.click("#promote")
    page.wait("document.querySelector('#promote').disabled")
    assert moves(page)[2] == "e1-g3", moves(page)
    page.click("#edit-comment")
    page.wait("document.querySelector('#comment-dialog').open")
    page.fill("#comment-text", "Now the main line.")
    page.click("#comment-dialog [value=keep]")
    page.wait("[...document.querySelectorAll('#moves .aside p')].some((p) => p.textContent === 'Now the main line.')")
    text = saved(page)
    assert "C[Now the main line.]" in text and text.index("e1-g3") < text.index("c1xc4"), text
    page.click("#moves .variation .move")
    current(page, "c1xc4")
    page.click("#remove")
    current(page, "a4-c4")
    assert "c1xc4" not in moves(page), moves(page)


def positions_of_playstrategy(page):
    """Their letters and their names of the sides."""
    paste(page, "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LL1LLL1 b - - 0 1")
    page.wait("document.querySelector('#position').value === '1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xx1xxx1 w'")


def engine_lines_keep_their_height(page):
    """Nothing below the lines moves while they change, from position to position."""
    load(page, FINISHED)
    page.js("document.activeElement.blur()")
    page.click("#analyse")
    page.wait("document.querySelectorAll('#candidates tbody tr').length > 0")
    page.js("""window.tops = new Set();
        const look = () => { tops.add(document.querySelector('#tree-box').getBoundingClientRect().top + scrollY); requestAnimationFrame(look); };
        look(); 0""")
    for key in ["ArrowRight"] * 4:
        page.key(key)
        settled(page)
        page.wait("document.querySelectorAll('#candidates tbody tr').length > 0")
    assert len(page.js("[...tops]")) == 1, page.js("[...tops]")


def engines_play_each_other(page):
    new_game(page, "loa", first="random", second="random")
    page.wait("document.querySelectorAll('#moves .move').length > 3")
    page.click("#resume")
    page.wait("document.querySelector('#resume').textContent === 'Play on'")
