"""Boards as SVG, as notebooks show them."""

from __future__ import annotations

from html import escape
from math import ceil

from spinney import _native

CELL = 40
"""The side of a square."""

CHESSMEN = {"k": "♚", "q": "♛", "r": "♜", "b": "♝", "n": "♞", "p": "♟"}

DARK, LIGHT, LINE = "#222", "#fafafa", "#555"


def svg(state: _native.State) -> str:
    """The board of a state; text where its squares are not known.

    >>> import spinney
    >>> picture = svg(spinney.State("loa"))
    >>> picture[:4], picture.count("<circle")
    ('<svg', 24)
    >>> svg(spinney.State("chess")).count("♟")
    16
    """
    squares = state.squares
    if squares is None:
        return _text(state.board)
    game = state.get_game()
    files, ranks = len(squares[0]), len(squares)
    parts = []
    for row, rank in enumerate(squares):
        for column, letter in enumerate(rank):
            is_dark = (column + ranks - 1 - row) % 2 == 0
            fill = "#b58863" if is_dark else "#f0d9b5"
            x, y = CELL * (column + 1), CELL * row
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}"/>')
            if letter != ".":
                parts.append(_man(game, letter, x + CELL // 2, y + CELL // 2))
    parts += [_label(str(ranks - row), CELL // 2, CELL * row + CELL // 2) for row in range(ranks)]
    parts += [
        _label(chr(ord("a") + column), CELL * (column + 1) + CELL // 2, CELL * ranks + CELL // 2)
        for column in range(files)
    ]
    return _frame(CELL * (files + 1), CELL * (ranks + 1), parts)


def _man(game: _native.Game, letter: str, x: int, y: int) -> str:
    """A man around a point."""
    if game.style == "chess":
        fill = LIGHT if letter.isupper() else DARK
        return _letter(CHESSMEN[letter.lower()], x, y, fill, CELL * 4 // 5)
    is_first = letter == game.men[0]
    fill = LIGHT if is_first == game.light_first else DARK
    if game.style == "marks":
        return _letter("×" if letter == "x" else "○", x, y, DARK, CELL * 4 // 5)
    if game.style == "knights":
        return _letter(CHESSMEN["n"], x, y, fill, CELL * 4 // 5)
    return f'<circle cx="{x}" cy="{y}" r="{CELL * 2 // 5}" fill="{fill}" stroke="{LINE}"/>'


def _letter(letter: str, x: int, y: int, fill: str, size: int) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" dominant-baseline="central" '
        f'fill="{fill}" stroke="{LINE}" stroke-width="0.5">{letter}</text>'
    )


def _label(text: str, x: int, y: int) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="14" font-family="sans-serif" text-anchor="middle" '
        f'dominant-baseline="central" fill="{LINE}">{text}</text>'
    )


def _text(board: str) -> str:
    lines = board.rstrip().splitlines()
    spans = [
        f'<text x="8" y="{18 * (number + 1)}" font-family="monospace" font-size="15" '
        f'xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    width = ceil(9.1 * max(map(len, lines), default=0)) + 16
    return _frame(width, 18 * len(lines) + 14, spans)


def _frame(width: int, height: int, parts: list[str]) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    background = f'<rect width="{width}" height="{height}" fill="white"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{background}{"".join(parts)}</svg>'
