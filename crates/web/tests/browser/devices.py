"""Mouse, touch and keyboard; sizes and themes."""

from helpers import *


def drag_and_drop(page):
    new_game(page, "chess")
    a, b = page.centre(square("e2")), page.centre(square("e4"))
    page.mouse("mousePressed", *a)
    for i in range(1, 6):
        page.send("Input.dispatchMouseEvent", {
            "type": "mouseMoved", "x": a[0] + (b[0] - a[0]) * i / 5, "y": a[1] + (b[1] - a[1]) * i / 5, "button": "left", "buttons": 1})
    page.mouse("mouseReleased", *b)
    page.wait("document.querySelectorAll('#moves .move').length === 1")
    assert moves(page) == ["e4"]


def dark_mode(page):
    page.dark(True)
    light = page.js("getComputedStyle(document.body).backgroundColor")
    page.screenshot(PICTURES / "dark.png")
    page.click("#theme")
    page.wait(f"getComputedStyle(document.body).backgroundColor !== '{light}'")
    page.click("#theme")
    page.wait(f"getComputedStyle(document.body).backgroundColor === '{light}'")
    new_game(page, "chess")
    page.click("#analyse")
    page.fill("#analysis-player", "uct")
    page.wait("document.querySelectorAll('.arrow-disc').length === 3")
    page.screenshot(PICTURES / "dark-chess.png")


def phone(page):
    page.resize(375, 760)
    no_sideways_scrolling(page)
    page.screenshot(PICTURES / "phone.png")
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    no_sideways_scrolling(page)
    page.screenshot(PICTURES / "phone-new-game.png")
    page.click("#setup [value=cancel]")
    load(page, SGF)
    page.click("#analyse")
    page.wait("document.querySelectorAll('#candidates tbody tr').length > 2")
    searched(page, 0.5)
    no_sideways_scrolling(page)
    page.screenshot(PICTURES / "phone-whole.png", whole=True)
    page.js("document.querySelector('#analyse').scrollIntoView()")
    page.screenshot(PICTURES / "phone-analysis.png")


def keyboard_alone(page):
    """A move without a pointer, heard in the live region."""
    new_game(page, "breakthrough")
    page.js("document.querySelector('.hit[tabindex=\"0\"]').focus()")
    page.key("ArrowUp")
    page.key("Enter")
    page.wait("document.querySelector('.selected')")
    page.key("ArrowUp")
    page.key("Enter")
    page.wait("document.querySelectorAll('#moves .move').length === 1")
    assert "White played a2-a3" in status(page)
    labels = page.js("[...document.querySelectorAll('.hit')].every((h) => h.getAttribute('aria-label'))")
    assert labels
    unnamed = page.js("""[...document.querySelectorAll('button, select, input, textarea')].filter((e) =>
        !e.textContent.trim() && !e.getAttribute('aria-label') && !e.closest('label')).map((e) => e.outerHTML)""")
    assert unnamed == [], unnamed


def arrows_walk_after_a_move_by_mouse(page):
    new_game(page, "loa")
    play(page, "d1", "d3")
    play(page, "a4", "c4")
    page.key("ArrowLeft")
    current(page, "d1-d3")
    page.key("ArrowRight")
    current(page, "a4-c4")


def drag_that_ends_off_the_board(page):
    """The man returns, and does not follow the pointer."""
    new_game(page, "loa")
    page.drag(page.centre(square("d1")), (5, 5))
    start = page.centre(square("d1"))
    page.mouse("mouseMoved", *page.centre(square("e4")))
    page.mouse("mouseMoved", *page.centre(square("f5")))
    man = page.centre('[data-man="d1"]')
    assert abs(man[0] - start[0]) < 3 and abs(man[1] - start[1]) < 3, (man, start)
    assert not page.js("document.querySelector('.dragged') !== null")


def a_finger_plays(page):
    """A drag of a man plays and does not scroll; a drag elsewhere scrolls; two taps play."""
    page.resize(375, 760, touch=True)
    new_game(page, "loa")
    page.js("scrollTo(0, 20)")
    page.touch_drag(page.centre(square("d1")), page.centre(square("d3")))
    page.wait("document.querySelectorAll('#moves .move').length === 1")
    assert page.js("scrollY") == 20
    settled(page)
    page.touch_drag(page.centre(square("e5")), page.centre(square("e7")))
    page.wait("scrollY !== 20")
    page.tap(square("a4"))
    page.wait("document.querySelectorAll('.target').length > 0")
    page.tap(square("c4"))
    page.wait("document.querySelectorAll('#moves .move').length === 2")


def escape_puts_the_man_down(page):
    new_game(page, "loa")
    page.click(square("d1"))
    page.wait("document.querySelector('.target')")
    page.js("document.activeElement.blur()")
    page.key("Escape")
    page.wait("!document.querySelector('.target')")


def dominoes_are_dragged(page):
    new_game(page, "domineering", size="6x6")
    page.drag(page.centre(square("c3")), page.centre(square("c4")))
    page.wait("document.querySelectorAll('#moves .move').length === 1")
    assert moves(page) == ["c3-c4"]


def boards_without_seams(page):
    """Each line of a stone game is one line; the value bar is as tall as the squares."""
    new_game(page, "atarigo", size="7x7")
    assert page.js("document.querySelectorAll('.grid-line').length") <= 14
    for game in ["atarigo", "loa"]:
        new_game(page, game)
        top, bottom, bar_top, bar_bottom = page.js("""(() => {
            const squares = [...document.querySelectorAll('[data-square]')].map((s) => s.getBoundingClientRect());
            const bar = document.querySelector('#bar').getBoundingClientRect();
            return [Math.min(...squares.map((s) => s.top)), Math.max(...squares.map((s) => s.bottom)), bar.top, bar.bottom]; })()""")
        assert abs(top - bar_top) < 3 and abs(bottom - bar_bottom) < 3, (top, bottom, bar_top, bar_bottom)


def phone_on_its_side(page):
    """The whole board, and buttons beside it."""
    page.resize(740, 360, touch=True)
    new_game(page, "loa")
    page.screenshot(PICTURES / "phone-landscape.png")
    for corner in ["a1", "a8", "h1", "h8"]:
        assert in_view(page, square(corner)), corner
    assert in_view(page, "#back") and in_view(page, "#status")
    no_sideways_scrolling(page)


def fingers_need_room(page):
    """On touch, what is pressed is at least 44 pixels tall."""
    page.resize(375, 760, touch=True)
    load(page, SGF)
    pretend_analysis(page, ("d1-d3", 0.1, 50), ("c1-c3", 0.0, 30))
    page.click("#analyse")
    page.wait("document.querySelectorAll('#candidates tbody tr').length === 2")
    for opener, shown in [(None, "main"), ("#new", "#setup"), ("#edit", "#palette")]:
        if opener:
            page.click(opener)
            page.wait(f"document.querySelector('{shown}').checkVisibility()")
            settled(page, "#setup") if shown == "#setup" else None
        small = page.js(f"""[...document.querySelectorAll('header button, {shown} :is(button, select, input, summary)')]
            .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5)
            .map((e) => e.outerHTML.slice(0, 80) + ' ' + e.getBoundingClientRect().height)""")
        assert small == [], small
        if shown == "#setup":
            page.click("#setup [value=cancel]")
            page.wait("!document.querySelector('#setup').open")


def editor_on_a_phone(page):
    page.resize(375, 660, touch=True)
    new_game(page, "loa")
    page.click("#edit")
    page.wait("!document.querySelector('#palette').hidden")
    page.wait("document.querySelector('#palette').getBoundingClientRect().top > 0")
    page.screenshot(PICTURES / "phone-edit.png")
    assert in_view(page, "#palette") and in_view(page, square("a1")) and in_view(page, square("a8"))
    press(page, "Clear")
    press(page, "Done")
    page.wait("document.querySelector('#palette [role=alert]')?.textContent")
    assert in_view(page, "#palette [role=alert]")
    assert page.errors(clear=True) == [REFUSED]


def accessible(page):
    """axe-core finds nothing to complain of, in any state and theme."""
    axe = (ROOT / "target/npm/node_modules/axe-core/axe.min.js").read_text()
    page.js(axe + "; 0")

    def check(state):
        found = page.js("""axe.run().then(({violations}) => violations.map((v) =>
            v.id + ': ' + v.nodes.slice(0, 2).map((n) => n.html.slice(0, 90) + ' ' + (n.any[0]?.message ?? '')).join(' | ')))""")
        assert found == [], (state, found)

    def both(state):
        for theme in ["first", "second"]:
            check(f"{state}, {theme} theme")
            page.click("#theme") if not page.js("document.querySelector('dialog[open]')") else page.js(
                "document.querySelector('#theme').click()")

    both("welcome")
    load(page, SGF)
    page.fill("#analysis-player", "uct")
    page.click("#analyse")
    page.click("#tree-box > summary")
    page.wait("document.querySelectorAll('.search-tree > li').length > 4")
    page.click("#analyse")
    page.wait("document.querySelector('#analyse').textContent === 'Analyse'")
    both("analysis")
    page.click("#edit")
    page.wait("!document.querySelector('#palette').hidden")
    both("editor")
    press(page, "Cancel")
    paste(page, "\n".join(f"(;GM[9]RE[{result}];B[d1-d3];W[a4-c4])" for result in ["B+Resign", "W+Resign", "Draw"]))
    page.wait("document.querySelector('#games').open")
    both("games")
    page.click("#games li:nth-child(1) .open")
    settled(page)
    page.click("#explorer-box summary")
    page.wait("document.querySelectorAll('#explorer tbody tr').length === 1")
    both("explorer")
    for opener, dialog in [("#new", "#setup"), ("#edit-comment", "#comment-dialog"), ("#show-rules", "#rules")]:
        page.click(opener)
        page.wait(f"document.querySelector('{dialog}').open")
        settled(page, "#setup") if dialog == "#setup" else None
        page.js("document.querySelectorAll('dialog details').forEach((d) => { d.open = true; })")
        both(dialog)
        page.js(f"document.querySelector('{dialog}').close()")
    page.js("document.querySelector('#help').showModal()")
    both("keys")
    page.js("document.querySelector('#help').close()")
    page.click("#show-puzzles")
    page.wait("!document.querySelector('#puzzle').hidden")
    both("puzzle")
    page.click("#show-rules")
    page.click("#start-lesson")
    page.wait("!document.querySelector('#lesson').hidden")
    both("lesson")
    load(page, FINISHED)
    page.js("document.activeElement.blur()")
    page.key("End")
    page.wait("!document.querySelector('#banner').hidden")
    page.js("document.querySelector('#review').click()")
    page.wait("document.querySelector('#review').textContent === 'Review'", 60)
    both("review")


SIZES = {"desktop": (1280, 800), "tablet": (768, 1024), "phone": (375, 667), "landscape": (667, 375)}


def pictures(page):
    """The main states in four sizes and both themes, for people to look at; nothing scrolls sideways."""
    address = page.js("location.origin")
    for size, (width, height) in SIZES.items():
        other = page.browser.page(address)
        other.resize(width, height, touch=width < 1000)

        def picture(state):
            other.js("scrollTo(0, 0)")
            for theme in ["light", "dark"]:
                other.js(f"document.documentElement.dataset.theme = '{theme}'")
                other.screenshot(PICTURES / f"{state}-{size}-{theme}.png")
            no_sideways_scrolling(other)

        picture("welcome")
        other.click("#show-puzzles")
        other.wait("!document.querySelector('#puzzle').hidden")
        settled(other)
        picture("puzzle")
        load(other, FINISHED)
        pretend_analysis(other, ("d1-d3", 0.2, 5000), ("c1-c3", 0.1, 4000), ("e1-e3", -0.3, 3000))
        other.click("#analyse")
        other.wait("document.querySelectorAll('.arrow-disc').length === 3")
        other.click(square("d1"))
        picture("analysis")
        other.js("document.querySelector('#analyse').textContent === 'Stop' && document.querySelector('#analyse').click()")
        other.key("End")
        other.wait("!document.querySelector('#banner').hidden")
        picture("finished")
        for button, dialog in [("#new", "#setup"), ("#show-games", "#games"), ("#show-rules", "#rules")]:
            other.click(button)
            other.wait(f"document.querySelector('{dialog}').open")
            settled(other, "#setup") if dialog == "#setup" else None
            picture(dialog[1:])
            other.js(f"document.querySelector('{dialog}').close()")
        other.click("#edit")
        other.wait("!document.querySelector('#palette').hidden")
        picture("editor")
        press(other, "Cancel")
        other.click("#show-rules")
        other.click("#start-lesson")
        other.wait("!document.querySelector('#lesson').hidden")
        picture("lesson")
        other.close()
