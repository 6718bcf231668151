"""Records in and out, and the editor."""

from helpers import *


def sgf_and_variations(page):
    load(page, SGF)
    assert moves(page) == ["d1-d3", "a4-c4", "c1xc4", "e1-g3", "h5-f5", "h4-f4"]
    page.js("document.activeElement.blur()")
    page.key("ArrowRight")
    page.wait("document.querySelector('#moves .aside p').textContent === 'A first step.'")
    for _ in range(3):
        page.key("ArrowRight")
        settled(page)
    page.wait("document.querySelector('#moves [aria-current]')?.textContent === 'h4-f4'")
    page.key("ArrowLeft")
    page.wait("document.querySelector('#moves [aria-current]')?.textContent === 'c1xc4'")
    page.key("Home")
    page.wait("!document.querySelector('#moves [aria-current]')")
    page.key("End")
    page.wait("document.querySelector('#moves [aria-current]')?.textContent === 'h4-f4'")
    page.click("#review")
    page.wait("document.querySelector('#review').textContent === 'Review'")
    assert page.js("document.querySelector('.graph-line').getAttribute('d').split('L').length") == 5
    page.screenshot(PICTURES / "loa-record.png")
    top = page.js("document.querySelector('[data-square=\"a1\"]').getAttribute('y')")
    page.key("f")
    page.wait(f"document.querySelector('[data-square=\"a1\"]').getAttribute('y') !== '{top}'")
    # What is saved is read again.
    before = moves(page)
    load(page, saved(page))
    assert moves(page) == before
    # A file that is dropped on the page is read too.
    page.js("""(() => {
        const data = new DataTransfer();
        data.items.add(new File(['[White "A"]\\n[Black "B"]\\n\\n1. e4 e5 2. Nf3 *'], 'game.pgn'));
        dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true})); })()""")
    page.wait("document.querySelector('#title').textContent === 'Chess'")
    assert moves(page) == ["e4", "e5", "Nf3"]
    # A wrong record says what is wrong.
    page.fill("#record", "(;GM[9];B[d1-d8])")
    page.click("#load")
    page.wait("document.querySelector('#record-error').textContent.includes('d1-d8')")
    # The browser itself notes every refusal.
    assert page.errors(clear=True) == [REFUSED]


def edited_position(page):
    new_game(page, "loa")
    page.click("#edit")
    page.wait("!document.querySelector('#palette').hidden")
    page.click("[aria-label='White man']")
    page.click(square("d4"))
    page.wait("document.querySelector('[data-man=\"d4\"]')")
    press(page, "Erase")
    page.click(square("b1"))
    press(page, "Black to move")
    page.screenshot(PICTURES / "edit.png")
    page.click("#palette .primary")
    page.wait("document.querySelector('#palette').hidden")
    page.wait("document.querySelector('#position').value === '1xxxxxx1/o6o/o6o/o6o/o2o3o/o6o/o6o/2xxxxx1 w'")
    play(page, "d4", "g4")
    new_game(page, "chess")
    page.click("#edit")
    page.wait("!document.querySelector('#palette').hidden")
    page.screenshot(PICTURES / "edit-chess.png")
    press(page, "Cancel")
    page.wait("document.querySelector('#palette').hidden")
    play(page, "e2", "e4")
    # Castling: rights that the places of kings and rooks allow, on and off.
    page.fill("#position", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    page.wait("document.querySelectorAll('[data-man]').length === 6")
    page.click("#edit")
    page.wait("!document.querySelector('#palette').hidden")
    press(page, "White O-O-O")
    press(page, "Erase")
    page.click(square("h8"))
    buttons = page.js("[...document.querySelectorAll('#palette button')].map((b) => b.textContent)")
    assert "White O-O-O" in buttons and "Black O-O" not in buttons, buttons
    press(page, "Done")
    page.wait("document.querySelector('#position').value === 'r3k3/8/8/8/8/8/8/R3K2R w Kq - 0 1'")
    page.wait("document.querySelector('#palette').hidden")
    play(page, "e1", "g1")
    assert moves(page) == ["O-O"]


def an_edit_is_not_lost(page):
    """A position that the server refuses stays in the editor, with the reason."""
    new_game(page, "loa")
    page.click("#edit")
    page.wait("!document.querySelector('#palette').hidden")
    press(page, "Clear")
    press(page, "Done")
    page.wait("document.querySelector('#palette [role=alert]')?.textContent")
    message = page.text("#palette [role=alert]")
    assert "move" not in message, message
    assert page.js("document.querySelector('[data-man]') === null")
    assert page.js("document.querySelector('#position').value") == "8/8/8/8/8/8/8/8 b"
    page.click(square("d4"))
    page.wait("document.querySelector('[data-man=\"d4\"]')")
    press(page, "Cancel")
    page.wait("document.querySelectorAll('[data-man]').length === 24")
    assert page.js("document.querySelector('#position').value").startswith("1xxxxxx1/")
    assert page.errors(clear=True) == [REFUSED]


def malformed_positions(page):
    """They are refused as positions, as the command line does, and not read as moves."""
    for field in ["#record", "#position"]:
        page.fill(field, "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b")
        if field == "#record":
            page.click("#load")
        page.wait("document.querySelector('#record-error').textContent.includes('expected 8x8')")
        assert "move" not in page.text("#record-error"), page.text("#record-error")
        page.js("document.querySelector('#record-error').textContent = ''")
    assert page.errors(clear=True) == [REFUSED] * 2


FULL = ("(;FF[4]GM[9]SU[Standard]GN[Final]EV[Cup]DT[2001-05-03]PB[Ann]PW[Bob]GC[A fine game]C[Before the start.]RE[W+Resign]"
        ";B[d1-d3]TE[1];W[a4-c4]BM[1]C[Why?];B[c1xc4]TE[2];W[h4-f4]BM[2](;B[e1-e3]IT[])(;B[b1-b3]DO[];W[h5-f5])(;B[Resign]))")


def sgf_keeps_everything(page):
    """Names, comments, judgements and the result, in and out."""
    load(page, FULL)
    assert "Ann" in page.text("#seat-bottom") and "Bob" in page.text("#seat-top")
    assert "Final" in page.text("#record-name")
    assert "Before the start." in page.text("#comment") and "A fine game" in page.text("#comment")
    assert moves(page)[:5] == ["d1-d3!", "a4-c4?", "c1xc4!!", "h4-f4??", "e1-e3!?"], moves(page)
    assert "b1-b3?!" in moves(page)
    text = saved(page)
    for part in ["GN[Final]", "EV[Cup]", "DT[2001-05-03]", "PB[Ann]", "PW[Bob]", "GC[A fine game]", "C[Before the start.]", "RE[W+Resign]",
                 "TE[1]", "BM[1]", "TE[2]", "BM[2]", "IT[]", "DO[]", "C[Why?]"]:
        assert part in text, (part, text)
    load(page, text)
    assert saved(page) == text
    # A game that ends here by resignation says so when it is read again.
    load(page, "(;GM[9];B[d1-d3];W[a4-c4];B[Resign])")
    page.js("document.activeElement.blur()")
    page.key("End")
    page.wait("document.querySelector('#status').textContent.includes('White wins by resignation')")
    assert "RE[W+Resign]" in saved(page)
    # PGN as well.
    load(page, '[Event "Cup"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n{Before.} 1. e4! e5? 2. Nf3 1-0')
    assert "Ann" in page.text("#seat-bottom") and "Before." in page.text("#comment")
    text = saved(page, "#save-pgn")
    for part in ['[Event "Cup"]', '[White "Ann"]', '[Black "Bob"]', '[Result "1-0"]', "{Before.}", "$1", "$2"]:
        assert part in text, (part, text)


def files_with_many_games(page):
    """The page asks which one."""
    games = [f"(;GM[9]GN[Game {i}]PB[Ann {i}]PW[Bob {i}];B[{m}])" for i, m in enumerate(["d1-d3", "c1-c3", "e1-e3"])]
    paste(page, "\n".join(games))
    page.wait("document.querySelector('#games')?.open")
    page.screenshot(PICTURES / "games.png")
    rows = page.js("[...document.querySelectorAll('#games li .open')].map((b) => b.textContent)")
    assert len(rows) == 3 and "Game 1" in rows[1] and "Ann 1" in rows[1], rows
    page.click("#games li:nth-child(2) .open")
    page.wait("document.querySelector('#record-name').textContent.includes('Game 1')")
    assert moves(page) == ["c1-c3"]
    paste(page, '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 d5 *\n')
    page.wait("document.querySelector('#games').open")
    page.click("#games li:nth-child(2) .open")
    page.wait("document.querySelectorAll('#moves .move').length === 2")
    assert moves(page) == ["d4", "d5"]


def good_moves_before_a_bad_one_stay(page):
    for text, good in [
        ("d1-d3 a4-c4 c1xc4 h4-f4 zz e1-g3", ["d1-d3", "a4-c4", "c1xc4", "h4-f4"]),
        ("(;GM[9];B[d1-d3];W[a4-c4];B[d1-d8];W[h4-f4])", ["d1-d3", "a4-c4"]),
        ("(;GM[9];B[d1-d3];W[a4-c4]", ["d1-d3", "a4-c4"]),
        ('[White "A"]\n\n1. e4 e5 2. Nf3 Nc9 3. Bb5', ["e4", "e5", "Nf3"]),
    ]:
        page.js("document.querySelector('#notice .close')?.click()")
        paste(page, text)
        page.wait(f"document.querySelector('#notice').textContent.includes('stops after {len(good)} moves')", 10)
        assert moves(page) == good, moves(page)


def the_placeholder_is_no_lie(page):
    """Every example in it can be loaded, whatever game is shown."""
    new_game(page, "loa")
    examples = page.js("document.querySelector('#record').placeholder.split(/\\n|   /).filter(Boolean)")
    assert len(examples) == 3, examples
    for example in examples:
        load(page, example.replace("…", ""))
    load(page, "1. e4 e5 2. Nf3")
    assert page.text("#title") == "Chess" and moves(page) == ["e4", "e5", "Nf3"]
    load(page, "d1-d3 a4-c4")
    assert page.text("#title") == "Lines of Action"


def broken_links(page):
    """The page says that it cannot be opened."""
    address = page.js("location.origin")
    other = page.browser.page(f"{address}/#game=loa&moves=d1-d3+z9-z9")
    try:
        assert "link" in other.text("#notice") and "z9-z9" in other.text("#notice")
        other.errors(clear=True)
    finally:
        other.close()


def games_are_kept(page):
    """A game that another replaces is kept; resigning asks first."""
    new_game(page, "loa")
    play(page, "d1", "d3")
    page.click("#resign")
    page.wait("document.querySelector('#confirm')?.open")
    page.click("#confirm [value=no]")
    page.wait("!document.querySelector('#confirm').open")
    assert "wins" not in status(page)
    play(page, "a4", "c4")
    new_game(page, "chess")
    page.click("#show-games")
    page.wait("document.querySelector('#games').open")
    assert "Lines of Action" in page.text("#games li .open")
    page.click("#games li .open")
    page.wait("document.querySelector('#title').textContent === 'Lines of Action'")
    settled(page)
    assert moves(page) == ["d1-d3", "a4-c4"]


def wrong_options_are_found_in_the_dialog(page):
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    settled(page, "#setup")
    page.fill("#setup-second .who", "uct")
    page.fill("#setup-second .options", "nonsense=3")
    page.click("#setup-start")
    page.wait("document.querySelector('#setup [role=alert]')?.textContent.includes('nonsense')", 10)
    assert page.js("document.querySelector('#setup').open")
    page.fill("#setup-second .options", "")
    page.click("#setup-start")
    page.wait("!document.querySelector('#setup').open")
    page.errors(clear=True)
