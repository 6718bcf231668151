"""Whole games of every kind, by clicks."""

import json

from helpers import *


def first_move_is_quick(page):
    """Usable within a second, a move shown within 0.1 s: the best of a few tries, for busy machines."""
    page.click(square("d1"))
    page.screenshot(PICTURES / "loa-picked-up.png")
    assert page.js("document.querySelectorAll('.target').length") == 3
    assert page.js("[...document.querySelectorAll('.count')].map((t) => t.textContent)") == ["2", "2", "2"]
    page.hover(square("d3"))
    page.wait("document.querySelectorAll('.counted-man').length === 2")
    ready, shown = [], []
    for _ in range(5):
        page.reload()
        ready.append(page.js("performance.getEntriesByName('ready')[0].startTime"))
        new_game(page, "loa")
        page.click(square("d1"))
        page.wait("document.querySelectorAll('.target').length === 3")
        page.js("""window.shown = new Promise((resolve) => {
            let start;
            addEventListener('pointerup', () => { start = performance.now(); }, {capture: true, once: true});
            new MutationObserver(() => {
                if (start && document.querySelector('[data-man="d3"]')) resolve(performance.now() - start);
            }).observe(document.querySelector('#board'), {subtree: true, childList: true, attributes: true});
        }); 0""")
        page.click(square("d3"))
        shown.append(page.js("window.shown"))
    print(f"    page ready after {min(ready):.0f} ms, first move shown after {min(shown):.0f} ms")
    assert min(ready) < 1000 and min(shown) < 100, (ready, shown)


def whole_loa_game(page):
    """A game against a weak player to its end, with a take-back and a hint on the way."""
    new_game(page, "loa", second="random")
    play(page, "d1", "d3")
    page.wait("document.querySelectorAll('#moves .move').length === 2")
    page.click("#undo")
    page.wait("document.querySelectorAll('#moves .move').length === 0")
    assert page.js("document.querySelector('[data-man=\"d1\"]') !== null")

    page.wait("!document.querySelector('#hint').disabled")
    page.click("#hint")
    page.wait("document.querySelector('#status').textContent.startsWith('Hint')")
    page.wait("document.querySelectorAll('.arrow-disc').length === 1")

    for ply in range(200):
        page.wait("document.querySelector('#status').textContent.match(/wins|Draw/)"
                  " || !document.querySelector('#pass').hidden || document.querySelector('.hit.live')")
        if any(word in status(page) for word in ["wins", "Draw"]):
            break
        # What the person plays comes from the program's own analysis.
        best = page.js("""(async () => {
            const place = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
            const moves = (place.moves ?? '').split(' ').filter(Boolean);
            const body = {game: place.game, moves, player: 'mia', limits: {depth: 3}};
            const answer = await fetch('/api/analyse', {method: 'POST', body: JSON.stringify(body),
                headers: {'Content-Type': 'application/json'}});
            return JSON.parse((await answer.text()).match(/event: done\\ndata: (.*)/)[1]).best; })()""")
        before = len(moves(page))
        if best == "pass":
            page.click("#pass")
        else:
            page.click(square(best[:2]))
            page.click(square(best[3:]))
        page.wait(f"document.querySelectorAll('#moves .move').length >= {before + 2}"
                  " || document.querySelector('#status').textContent.match(/wins|Draw/)")
    assert "Black wins: all men connected" in status(page), status(page)
    assert page.js("document.querySelectorAll('.link-black.whole').length") > 0
    page.screenshot(PICTURES / "loa-won.png")
    # It survives a reload.
    played = moves(page)
    page.reload()
    assert moves(page) == played and "Black wins" in status(page)


def chess_with_castling_and_promotion(page):
    new_game(page, "chess")
    for text in ["e2 e4", "e7 e5", "g1 f3", "b8 c6", "f1 c4", "g8 f6", "e1 g1"]:
        play(page, *text.split())
    assert moves(page)[-1] == "O-O"
    assert page.js("document.querySelector('[data-man=\"f1\"]') !== null")
    page.screenshot(PICTURES / "chess-castled.png")
    # A position by its FEN; the pawn becomes a knight, which gives check.
    page.fill("#position", "8/P7/8/8/8/8/k6p/2K5 w - - 0 1")
    page.wait("document.querySelectorAll('[data-man]').length === 4")
    page.click(square("a7"))
    page.click(square("a8"))
    page.wait("document.querySelector('#promotion').open")
    page.screenshot(PICTURES / "chess-promotion.png")
    page.click("[aria-label=knight]")
    page.wait("document.querySelectorAll('#moves .move').length === 1")
    assert moves(page) == ["a8=N"], moves(page)
    # Fool's mate, from PGN.
    load(page, "1. f3 e5 2. g4 Qh4# 0-1")
    page.js("document.activeElement.blur()")
    page.key("End")
    page.wait("document.querySelector('#status').textContent.includes('Black wins: checkmate')")


def domineering_game(page):
    new_game(page, "domineering", size="4x4")
    # Both squares of a domino; the middle of a file has two places for one.
    play(page, "b2", "b3")
    assert moves(page) == ["b2-b3"]
    play(page, "c2", "d2")
    play(page, "a2", "a3")
    page.screenshot(PICTURES / "domineering.png")
    for _ in range(10):
        if "wins" in status(page):
            break
        first, second = page.js("""(async () => {
            const place = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
            const body = JSON.stringify({game: place.game, moves: place.moves.split(' ')});
            const answer = await fetch('/api/position', {method: 'POST', body, headers: {'Content-Type': 'application/json'}});
            return (await answer.json()).legal[0].squares; })()""")
        before = len(moves(page))
        page.click(square(first))
        if len(moves(page)) == before and page.js("document.querySelector('.selected') !== null"):
            page.click(square(second))
        page.wait(f"document.querySelectorAll('#moves .move').length > {before}")
    assert "wins" in status(page), status(page)


# White's men are hemmed in by Black's.
PASS = "ox6/xx6/8/8/8/8/xx6/ox6 w"


def other_games(page):
    """Races, stones and marks; two engines against each other; a pass in LOA."""
    new_game(page, "breakthrough", size="6x6")
    play(page, "b2", "b3")
    page.screenshot(PICTURES / "breakthrough.png")
    new_game(page, "knightthrough", size="8x8")
    page.screenshot(PICTURES / "knightthrough.png")
    new_game(page, "atarigo", size="7x7")
    play(page, "d4")
    play(page, "d5")
    page.screenshot(PICTURES / "atarigo.png")
    new_game(page, "tictactoe", first="random", second="uct", limit=("simulations", 200))
    page.wait("document.querySelector('#status').textContent.match(/wins|Draw/)")
    page.screenshot(PICTURES / "tictactoe.png")
    page.fill("#position", PASS)
    page.wait("!document.querySelector('#pass').hidden")
    assert "must pass" in status(page)
    page.click("#pass")
    page.wait("document.querySelector('#status').textContent.includes('passed')")


def resigning_and_clock(page):
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    page.fill("#setup-second .who", "")
    page.fill("#setup-clock", "3+2")
    page.screenshot(PICTURES / "new-game.png")
    page.click("#setup-start")
    page.wait("document.querySelector('#seat-bottom .time').textContent === '3:00'")
    settled(page)
    play(page, "d1", "d3")
    page.wait("document.querySelector('#seat-top .time').textContent.startsWith('2:')")
    # The clock survives a reload, and runs on.
    before = page.text("#seat-top .time")
    page.reload()
    settled(page)
    after = page.text("#seat-top .time")
    assert "2:50" < after <= before, f"{before} before, {after} after"
    assert page.text("#seat-bottom .time").startswith("3:0")
    page.wait(f"document.querySelector('#seat-top .time').textContent < '{after}'")
    page.click("#resign")
    page.click("#confirm-yes")
    page.wait("document.querySelector('#status').textContent.includes('Black wins by resignation')")


def links_restore(page):
    new_game(page, "chess")
    play(page, "e2", "e4")
    link = page.js("location.href")
    other = page.browser.page(link)
    try:
        assert moves(other) == ["e4"]
        assert other.js("document.querySelector('[data-man=\"e4\"]') !== null")
        assert other.errors() == []
    finally:
        other.close()


def outside_game(page):
    """A game that another crate has added, with the binary of examples/connect-four."""
    new_game(page, "connect-four")
    assert page.text("#title") == "Connect Four"
    for name in ["d1", "d2", "e1", "e2", "f1", "f2", "g1"]:
        play(page, name)
    assert "Black wins" in status(page), status(page)
    page.screenshot(PICTURES / "connect-four.png")
    new_game(page, "connect-four", second="uct")
    play(page, "d1")
    page.wait("document.querySelectorAll('#moves .move').length > 1")


def the_end_has_a_banner(page):
    """With a rematch, in which the sides change."""
    new_game(page, "tictactoe", second="random")
    for name in ["b2", "a1", "c1", "a3", "b1", "c3", "a2", "c2", "b3"]:
        if not page.js("document.querySelector('#banner').hidden"):
            break
        if page.js(f"document.querySelector('{square(name)}').classList.contains('live')"):
            page.click(square(name))
            page.wait("!document.querySelector('#banner').hidden || document.querySelector('.hit.live')")
    page.wait("!document.querySelector('#banner').hidden")
    assert page.js("/wins|Draw/.test(document.querySelector('#banner-text').textContent)")
    page.click("#rematch")
    page.wait("document.querySelector('#banner').hidden")
    page.wait("document.querySelectorAll('#moves .move').length === 1")
    assert "random" in page.text("#seat-top") and "Crosses" in page.text("#seat-top"), page.text("#seat-top")


def men_slide_and_fade(page):
    """Unless less motion is wanted."""
    page.dark(False, motion=True)
    new_game(page, "loa")
    page.js("window.man = document.querySelector('[data-man=\"d1\"]'); 0")
    play(page, "d1", "d3")
    assert page.js("document.querySelector('[data-man=\"d3\"]') === window.man"), "the same element"
    assert page.js("parseFloat(getComputedStyle(window.man).transitionDuration)") > 0
    play(page, "a4", "c4")
    page.js("window.taken = document.querySelector('[data-man=\"c4\"]'); 0")
    play(page, "c1", "c4")
    assert page.js("window.taken.classList.contains('taken-away')")
    page.wait("!window.taken.isConnected")
    page.dark(False)
    assert page.js("parseFloat(getComputedStyle(window.man).transitionDuration)") == 0


def lesson_of_lines_of_action(page):
    """Every step can be solved, and says so; what the defence does is true."""
    new_game(page, "loa")
    page.click("#show-rules")
    page.wait("document.querySelector('#rules').open")
    page.click("#start-lesson")
    steps = page.js("import('/lesson.js').then(({STEPS}) => STEPS)")
    assert len(steps) == 10
    wins = {"Connecting": "f3-d3", "Find the winning move": "b7-d5"}
    for number, step in enumerate(steps):
        page.wait(f"document.querySelector('#lesson h2').textContent.startsWith('{number + 1} of ')")
        settled(page)
        if number == 9:
            break
        for wrong, answer in step.get("wrong", {}).items():
            page.click(square(wrong[:2]))
            page.click(square(wrong[3:]))
            page.wait(f"document.querySelector('#lesson').textContent.includes({json.dumps(answer)})")
            page.js("[...document.querySelectorAll('#lesson button')].find((b) => b.textContent === 'Try again').click()")
            page.wait("document.querySelector('#lesson .error').hidden")
            settled(page)
        solution = wins[step["title"]] if "moves" not in step else step["moves"][0]
        page.click(square(solution[:2]))
        page.click(square(solution[3:]))
        page.wait("document.querySelector('#lesson .solved:not([hidden])')")
        page.js("[...document.querySelectorAll('#lesson button')].find((b) => b.textContent === 'Next').click()")
    # Only these moves keep White from connecting at once.
    safe = page.js("""(async () => {
        const {STEPS} = await import('/lesson.js');
        const {start} = STEPS[8];
        const at = async (moves) => (await fetch('/api/position', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({game: 'loa', start, moves})})).json();
        const safe = [];
        for (const {move} of (await at([])).legal) {
            const after = await at([move]);
            if (after.outcome?.winner === 1) continue;
            const replies = await Promise.all(after.legal.map((reply) => at([move, reply.move])));
            if (!replies.some(({outcome}) => outcome?.winner === 1)) safe.push(move);
        }
        return safe; })()""")
    assert sorted(safe) == sorted(steps[8]["moves"]), safe
    page.js("[...document.querySelectorAll('#lesson button')].find((b) => b.textContent === 'Play').click()")
    page.wait("document.querySelector('#lesson').hidden")
    play(page, "d1", "d3")
    page.wait("document.querySelectorAll('#moves .move').length === 2")


def rules_of_every_game(page):
    names = page.js("fetch('/api/games').then((answer) => answer.json()).then((games) => games.map(({name}) => name))")
    texts = page.js("import('/rules.js').then(({rulesOf}) => " + json.dumps(names) + ".map((name) => rulesOf(name, '')[0]))")
    assert all(texts), dict(zip(names, texts))
