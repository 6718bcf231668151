"""The page in a real browser: what a person does with it, from the first click to the end of a game.

    python3 crates/web/tests/browser target/debug/spinney [NAME ...]

Screenshots of the main states go to target/screenshots/.
"""

import inspect
import sys
import time

import analysing
import devices
import people
import playing
import records
import reports
from cdp import Browser
from helpers import PICTURES, serve

MODULES = [playing, records, analysing, people, devices, reports]
# For a binary that has the game.
BY_NAME = ["outside_game"]


def tests():
    """Every public function of the modules that takes a page, in the order of the files."""
    for module in MODULES:
        for name, function in list(vars(module).items()):
            if inspect.isfunction(function) and function.__module__ == module.__name__ and name[0] != "_":
                yield function


def main():
    names = sys.argv[2:]
    PICTURES.mkdir(parents=True, exist_ok=True)
    server, address = serve()
    failures = 0
    browser = Browser()
    try:
        for test in tests():
            if test.__name__ not in names if names else test.__name__ in BY_NAME:
                continue
            start = time.monotonic()
            page = browser.page(address)
            try:
                test(page)
                errors = page.errors()
                assert errors == [], f"the console says {errors}"
                print(f"ok   {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception as error:  # One failure must not hide the others.
                failures += 1
                print(f"FAIL {test.__name__}: {type(error).__name__} {error}", flush=True)
                page.screenshot(PICTURES / f"failed-{test.__name__}.png")
            page.close()
    finally:
        browser.close()
        server.terminate()
        server.wait()
    sys.exit(1 if failures else 0)


main()
