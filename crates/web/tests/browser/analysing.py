"""The analysis and its search tree."""

from helpers import *


def analysis_with_arrows(page):
    new_game(page, "loa")
    play(page, "d1", "d3")
    page.click("#analyse")
    page.wait("document.querySelectorAll('.arrow-disc').length > 0")
    page.wait("document.querySelectorAll('#candidates tbody tr').length > 0")
    page.fill("#analysis-player", "mc-loa")
    page.wait("document.querySelectorAll('.arrow-disc').length === 3")
    searched(page, 1)
    page.screenshot(PICTURES / "loa-analysis.png")
    assert page.js("document.querySelector('.graph-line, .graph-at') !== null")
    # A line is shown on the board when it is hovered, and played when it is clicked.
    page.hover("#candidates tbody .ply")
    page.wait("document.querySelector('#board svg.preview')")
    page.click("#candidates tbody .ply")
    page.wait("document.querySelectorAll('#moves .move').length === 2")
    page.click("#analyse")
    assert page.js("document.querySelector('#analyse').getAttribute('aria-pressed')") == "false"


def search_tree(page):
    """The tree of a search: its nodes open while it grows, and stay when it is stopped."""
    new_game(page, "chess")
    page.fill("#analysis-player", "uct")
    page.click("#analyse")
    page.click("#tree-box > summary")
    page.wait("document.querySelectorAll('.search-tree > li').length > 8")
    # Lines are in the notation of people.
    page.wait("document.querySelector('#candidates .line')")
    lines = page.js("document.querySelector('#candidates tbody').textContent")
    assert not any(text in lines for text in ["e2e4", "g1f3", "d2d4"]), lines
    page.hover(".search-tree .visits")
    page.click(".search-tree .tree-toggle")
    page.wait("document.querySelectorAll('.tree-moves > li').length > 8")
    page.wait("document.querySelector('.tree-moves .tree-toggle')")
    page.click(".tree-moves .tree-toggle")
    page.wait("document.querySelectorAll('.tree-moves .tree-moves > li').length > 8")
    # It grows.
    visits = page.text(".search-tree .visits")
    page.wait(f"document.querySelector('.search-tree .visits').textContent !== '{visits}'")
    assert page.js("document.querySelectorAll('.tree-moves:not([hidden])').length") == 2, "what is open stays open"
    page.screenshot(PICTURES / "search-tree.png")
    page.resize(375, 760)
    no_sideways_scrolling(page)
    page.js("document.querySelector('#tree-box').scrollIntoView()")
    page.screenshot(PICTURES / "search-tree-phone.png")
    page.resize(1280, 900)
    # Stopped: the tree can still be opened, and a node can be played.
    page.click("#analyse")
    page.wait("document.querySelector('#analyse').textContent === 'Analyse'")
    closed = ".search-tree > li > .tree-cells > [aria-expanded=false]"
    # Under the pointer the order stays.
    page.hover(closed)
    page.click(closed)
    page.wait("document.querySelectorAll('.search-tree > li > .tree-moves:not([hidden])').length === 2")
    page.wait("[...document.querySelectorAll('.tree-moves:not([hidden])')].every((list) => list.children.length > 8)")
    page.click(".search-tree > li > button")
    page.wait("document.querySelectorAll('.search-tree > li').length === 20")
    page.hover(".search-tree .ply")
    page.wait("document.querySelector('#board svg.preview')")
    page.click(".tree-moves .ply")
    page.wait("document.querySelectorAll('#moves .move').length === 2")
    settled(page)
    assert page.js("document.querySelectorAll('.search-tree > li').length") == 0
    # Other players: none, and proof numbers.
    new_game(page, "loa")
    page.fill("#analysis-player", "mia")
    page.click("#analyse")
    page.wait("document.querySelector('.tree-note').textContent.includes('keeps no tree')")
    page.fill("#analysis-player", "pn")
    page.wait("document.querySelector('.search-tree .visits')?.textContent.includes(' / ')")
    # It shows nothing while it searches: the page asks once, and the browser notes the refusal.
    assert page.errors(clear=True) in ([], [BUSY])


def bounded_memory(page):
    """A page that analyses for long stays below the memory that the server was given."""
    server, address = serve("--memory", "16M", "--searches", "2")

    def memory():
        text = pathlib.Path(f"/proc/{server.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024

    try:
        other = page.browser.page(address)
        new_game(other, "breakthrough")
        before = memory()
        other.fill("#analysis-player", "uct")
        other.click("#analyse")
        other.click("#tree-box > summary")
        # 8 MB are a quarter of a million nodes; the search goes on when they are full.
        other.wait("window.last === (window.last = document.querySelector('#analysis-summary').textContent.split(' · ')[1])"
                   " && parseFloat(document.querySelector('#analysis-summary').textContent.split(' · ')[2]) > 3")
        searched(other, 5)
        grown = memory() - before
        print(f"    {before:.0f} MB before, {grown:.0f} MB more with a full tree of 8 MB")
        assert grown < 16, f"{grown} MB more"
        assert other.js("document.querySelectorAll('.search-tree > li').length") > 0
        other.close()
    finally:
        server.terminate()
        server.wait()


def _free(page):
    """Waits until nothing is analysed; what the page says then."""
    page.wait("document.querySelector('#analyse').textContent === 'Analyse'", 10)
    assert page.js("document.querySelector('#analyse').getAttribute('aria-pressed')") == "false"
    return page.text("body")


def server_dies(page):
    """The page says so, in words, and works again when the server is back."""
    server, address = serve()
    other = page.browser.page(address)
    try:
        new_game(other, "loa")
        other.click("#analyse")
        other.wait("document.querySelectorAll('#candidates tbody tr').length > 0")
        server.kill()
        server.wait()
        words = _free(other)
        assert "does not answer" in words, words
        assert "network error" not in words and "TypeError" not in words, words
        other.click("#new")
        other.wait("document.querySelector('#notice')?.textContent.includes('does not answer')", 10)
        assert not other.js("document.querySelector('#setup').open")
        other.click(square("d1"))
        other.click(square("d3"))
        other.wait("document.querySelector('main').getAttribute('aria-busy') === 'false'")
        assert moves(other) == []
        thrown = [error for error in other.errors(clear=True) if "ERR_" not in error]
        assert thrown == [], thrown
        server, _ = serve(address=address.split("//")[1].strip("/"))
        play(other, "d1", "d3")
    finally:
        other.close()
        server.kill()
        server.wait()


def too_many_searches(page):
    server, address = serve("--searches", "1")
    other = page.browser.page(address)
    try:
        new_game(other, "loa")
        other.js("""(async () => {
            const body = JSON.stringify({game: 'loa', player: 'uct', limits: {}});
            const answer = await fetch('/api/analyse', {method: 'POST', body, headers: {'Content-Type': 'application/json'}});
            const reader = answer.body.getReader();
            await reader.read();
            (async () => { while (!(await reader.read()).done); })(); })()""")
        other.click("#analyse")
        other.wait("document.querySelector('#notice')?.textContent.includes('busy')", 10)
        _free(other)
        other.errors(clear=True)
    finally:
        other.close()
        server.kill()
        server.wait()


def alpha_beta_counts_nodes(page):
    new_game(page, "loa")
    page.fill("#analysis-player", "mia")
    page.click("#analyse")
    page.wait("document.querySelectorAll('#candidates tbody tr').length > 0")
    assert "Nodes" in page.text("#candidates thead") and "Visits" not in page.text("#candidates thead")
    page.wait("/depth [1-9]/.test(document.querySelector('#analysis-summary').textContent)")
    page.fill("#analysis-player", "uct")
    page.wait("document.querySelector('#candidates thead').textContent.includes('Visits')")
    assert "depth" not in page.text("#analysis-summary")


def each_engine_has_its_own_line(page):
    """The opinions of two engines are two lines in the graph, not one that zigzags between them."""
    new_game(page, "tictactoe", first="uct", second="uct", limit=("simulations", 200))
    page.wait("document.querySelector('#status').textContent.match(/wins|Draw/)")
    lines = page.js("[...document.querySelectorAll('.graph-line')].map((l) => l.getAttribute('d').match(/[0-9.]+(?= )/g).map(Number))")
    assert len(lines) == 2, lines
    points = sorted(lines[0] + lines[1])
    assert points[0::2] in (lines[0], lines[1]), "each has every second point"


def arrows_hide_nothing(page):
    """Badges lie above all arrows and beside each other; the counts of a selected man above them."""
    page.fill("#position", "4k3/8/8/8/8/8/3R4/3RK3 w - - 0 1")
    page.wait("document.querySelectorAll('[data-man]').length === 4")
    pretend_analysis(page, ("d2d6", 0.2, 50), ("d2d4", 0.1, 40), ("d2d7", 0.1, 30))
    page.click("#analyse")
    page.wait("document.querySelectorAll('.arrow-disc').length === 3")
    page.screenshot(PICTURES / "collinear-arrows.png")
    order = page.js("[...document.querySelectorAll('.arrow-shape, .arrow-disc')].map((e) => e.getAttribute('class'))")
    assert order == ["arrow-shape"] * 3 + ["arrow-disc"] * 3, order
    discs = page.js("[...document.querySelectorAll('.arrow-disc')].map((d) => [d.cx.baseVal.value, d.cy.baseVal.value])")
    for i in range(3):
        for j in range(i):
            assert abs(discs[i][0] - discs[j][0]) + abs(discs[i][1] - discs[j][1]) >= 30, discs
    page.click("#analyse") if page.js("document.querySelector('#analyse').textContent") == "Stop" else None
    new_game(page, "loa")
    pretend_analysis(page, ("d1-d3", 0.2, 50), ("d1-f3", 0.1, 40))
    page.click("#analyse")
    page.wait("document.querySelectorAll('.arrow-disc').length === 2")
    page.click(square("d1"))
    page.wait("document.querySelectorAll('.count').length === 3")
    assert page.js("""(() => { const after = (a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING;
        return [...document.querySelectorAll('.arrow-shape, .arrow-disc')].every((arrow) =>
            [...document.querySelectorAll('.count')].every((count) => after(arrow, count))); })()""")


# Black can connect at once by f3-d3, and does not; White does.
MISSED = "(;GM[9]XSP[o7/2o5/8/8/8/2x2x2/1x6/8 b];B[f3-h3];W[a8-b8])"


def review_finds_the_mistake(page):
    """The move that misses a win is a blunder, with the better line; it is kept in SGF."""
    load(page, MISSED)
    page.click("#review")
    page.wait("!document.querySelector('#review-summary').hidden")
    assert moves(page)[0] == "f3-h3??", moves(page)
    assert "f3-d3" in page.text("#moves .variation"), "the better move is a variation"
    assert "forced win in 1" in page.text("#moves .aside p"), page.text("#moves .aside p")
    rows = page.js("[...document.querySelectorAll('#review-summary tbody tr')].map((r) => r.textContent)")
    assert rows[0].startswith("Black") and len(rows) == 2, rows
    page.screenshot(PICTURES / "review.png")
    page.click("#next-mistake")
    current(page, "f3-h3??")
    settled(page)
    page.click("#try-again")
    page.wait("!document.querySelector('#moves [aria-current]')")
    settled(page)
    text = saved(page)
    assert "BM[2]" in text and "Better: f3-d3" in text, text
    # Again after a reload, and of what was saved: the same judgements.
    page.reload()
    assert moves(page)[0] == "f3-h3??"
    load(page, text)
    assert moves(page)[0] == "f3-h3??"


def nothing_jumps_while_a_search_thinks(page):
    """Whatever the number and the length of the lines, what is below them stays in its place."""
    new_game(page, "loa")
    pretend_analysis(page, ("d1-d3", 0.1, 50))
    page.click("#analyse")
    page.wait("document.querySelectorAll('#candidates tbody tr').length === 1")
    place = page.js("document.querySelector('#graph').getBoundingClientRect().top")
    page.js("location.reload()")
    page.wait("!document.querySelector('.arrow') && document.documentElement.dataset.ready")
    page.fill("#analysis-player", "uct")
    page.click("#analyse")
    page.wait("document.querySelectorAll('#candidates tbody tr').length === 5")
    searched(page, 0.5)
    assert page.js("document.querySelector('#graph').getBoundingClientRect().top") == place
