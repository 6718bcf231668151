"""Training, compared with a reference in numpy that shares no code with it: from the files of positions to the file of
a network, both read and made by what their documentation says."""

import math
import struct
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HIDDEN, EPOCHS, BATCH, RATE, RESULT_WEIGHT, SEED = 8, 3, 32, 0.002, 0.2, 3
MASK = 2**64 - 1


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "spinney", "learn", *arguments], check=True, capture_output=True)


class Rng:
    """xoshiro256++ and SplitMix64 (Blackman and Vigna)."""

    def __init__(self, seed: int) -> None:
        self.state: list[int] = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ (z >> 31))

    def next(self) -> int:
        def rotate(x: int, k: int) -> int:
            return ((x << k) | (x >> (64 - k))) & MASK

        s = self.state
        result = (rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return result

    def unit(self) -> float:
        return (self.next() >> 11) * 2.0**-53

    @staticmethod
    def scaled(bits: int, bound: int) -> int | None:
        low = bits * bound & 0xFFFFFFFF
        return bits * bound >> 32 if low >= (2**32 - bound) % bound else None

    def below(self, bound: int) -> int:
        while (number := self.scaled(self.next() >> 32, bound)) is None:
            pass
        return number

    def shuffle(self, items: list[Any]) -> None:
        count = len(items)
        while count > 1:
            bits = self.next()
            last, other = self.scaled(bits >> 32, count), self.scaled(bits & 0xFFFFFFFF, count - 1)
            if last is not None and other is not None:
                items[count - 1], items[last] = items[last], items[count - 1]
                items[count - 2], items[other] = items[other], items[count - 2]
                count -= 2


def text_and_rest(data: bytes) -> tuple[str, bytes]:
    (length,) = struct.unpack_from("<I", data)
    return data[4 : 4 + length].decode(), data[4 + length :]


class Board:
    """The features of LOA on a board."""

    def __init__(self, size: int) -> None:
        self.size = size
        inside = [(f, r) for r in range(size) for f in range(size)]
        groups: dict[Any, list[int]] = {}
        for f, r in inside:
            for line in (("rank", r), ("file", f), ("up", r - f), ("down", r + f)):
                groups.setdefault(line, []).append(8 * r + f)
        self.lines: list[tuple[tuple[int, int], list[int]]] = []
        for (way, number), squares in groups.items():
            straight = way in ("rank", "file")
            kind = (0, min(number, size - 1 - number)) if straight else (1, len(squares))
            self.lines.append((kind, squares))
        # Classes: the least number of each arrangement, its mirror image and their opposites.
        self.classes: dict[Any, int] = {}
        for kind in sorted({kind for kind, _ in self.lines}):
            length = size if kind[0] == 0 else kind[1]
            least = {self.least(digits) for digits in product(range(3), repeat=length)}
            for number in sorted({number for number, sign in least if sign}):
                self.classes[kind, number] = len(self.classes)

    @staticmethod
    def least(digits: tuple[int, ...]) -> tuple[int, int]:
        """The least number of the arrangement and its images, and the sign of the arrangement."""

        def number(digits: tuple[int, ...]) -> int:
            return sum(3**place * digit for place, digit in enumerate(digits))

        opposite = tuple((0, 2, 1)[digit] for digit in digits)
        own = min(number(digits), number(digits[::-1]))
        other = min(number(opposite), number(opposite[::-1]))
        return min(own, other), (own < other) - (other < own)

    def symmetric(self, square: int, symmetry: int) -> int:
        f, r = square % 8, square // 8
        f = self.size - 1 - f if symmetry & 1 else f
        r = self.size - 1 - r if symmetry & 2 else r
        return 8 * f + r if symmetry & 4 else 8 * r + f

    def row(self, own: int, other: int, symmetry: int) -> tuple[Any, Any, Any]:
        """The inputs of both views, and the sums of the signs of the classes."""
        men = {square: 1 for square in range(64) if own >> square & 1}
        men |= {square: 2 for square in range(64) if other >> square & 1}
        views = np.zeros((2, 128))
        for square, owner in men.items():
            image = self.symmetric(square, symmetry)
            views[0, image + 64 * (owner == 2)] = 1
            views[1, image + 64 * (owner == 1)] = 1
        signs = np.zeros(len(self.classes))
        for kind, squares in self.lines:
            least, sign = self.least(tuple(men.get(square, 0) for square in squares))
            if sign:
                signs[self.classes[kind, least]] += sign
        return views[0], views[1], signs


class Parameters:
    """The weights, as one list of arrays."""

    def __init__(self, rng: Rng, classes: int, room: int = 64) -> None:
        def uniform(most: float) -> float:
            return most * (2.0 * rng.unit() - 1.0)

        first = [[uniform(1 / math.sqrt(16)) for _ in range(HIDDEN)] for _ in range(128)]
        bias, own, other = ([uniform(1 / math.sqrt(room)) for _ in range(HIDDEN)] for _ in range(3))
        self.all = [np.array(part) for part in (first, bias, own, other, 0.0)] + [np.zeros(classes)]

    def gradient(self, own: Any, other: Any, signs: Any, target: Any) -> list[Any]:
        first, bias, own_output, other_output, output_bias, lines = self.all
        sums = [view @ first + bias for view in (own, other)]
        hidden = [np.clip(view, 0, 1) for view in sums]
        logit = hidden[0] ** 2 @ own_output + hidden[1] ** 2 @ other_output + output_bias + signs @ lines
        error = (1 / (1 + np.exp(-logit)) - target)[:, None] / len(target)
        back = [
            error * output * 2 * units * ((units > 0) & (units < 1))
            for units, output in zip(hidden, (own_output, other_output))
        ]
        return [
            own.T @ back[0] + other.T @ back[1],
            (back[0] + back[1]).sum(axis=0),
            (error * hidden[0] ** 2).sum(axis=0),
            (error * hidden[1] ** 2).sum(axis=0),
            error.sum(),
            (error * signs).sum(axis=0),
        ]


def train(data: bytes) -> list[Any]:
    """The parameters after training with a file of positions on 6x6."""
    board = Board(6)
    assert data[:12] == b"spindata" + struct.pack("<I", 1)
    _, records = text_and_rest(data[12:])
    positions = [record for record in struct.iter_unpack("<QQIhbB", records) if record[2] % 10 != 9]
    # 1. Targets.
    logits = [2 * math.atanh(max(-0.999, min(0.999, value / 32767))) for _, _, _, value, _, _ in positions]
    played = [(x, (p[4] + 1) / 2) for x, p in zip(logits, positions) if p[4] != 2]
    x, results = np.array(played).T
    scale = 1.0
    for _ in range(20):
        p = 1 / (1 + np.exp(-scale * x))
        slope, curvature = ((p - results) * x).sum(), (p * (1 - p) * x * x).sum()
        scale -= (slope + 1e-3 * (scale - 1)) / (curvature + 1e-3)
    targets: list[float] = []
    for logit, position in zip(logits, positions):
        search = 1 / (1 + math.exp(-scale * logit))
        result = (position[4] + 1) / 2
        mixed = RESULT_WEIGHT * result + (1 - RESULT_WEIGHT) * search
        targets.append(search if position[4] == 2 else mixed)
    # 2. Adam.
    rng = Rng(SEED)
    parameters = Parameters(rng, len(board.classes))
    means = [np.zeros_like(part) for part in parameters.all]
    squares = [np.zeros_like(part) for part in parameters.all]
    order = list(range(len(positions)))
    steps, step = EPOCHS * math.ceil(len(order) / BATCH), 0
    for _ in range(EPOCHS):
        rng.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            rows = [board.row(positions[i][0], positions[i][1], rng.below(8)) for i in batch]
            own, other, signs = (np.array(part) for part in zip(*rows))
            gradients = parameters.gradient(own, other, signs, np.array([targets[i] for i in batch]))
            rate = RATE * 0.5 * (1 + math.cos(math.pi * step / steps))
            step += 1
            for i, gradient in enumerate(gradients):
                means[i] = 0.9 * means[i] + 0.1 * gradient
                squares[i] = 0.999 * squares[i] + 0.001 * gradient**2
                size = np.sqrt(squares[i] / (1 - 0.999**step)) + 1e-8
                parameters.all[i] = parameters.all[i] - rate * means[i] / (1 - 0.9**step) / size
    return parameters.all


def read_network(network: bytes) -> list[Any]:
    """The parameters of a network's file."""
    assert network[:12] == b"spinnet\n" + struct.pack("<I", 1)
    checksum = 0xCBF29CE484222325
    for byte in network[:-8]:
        checksum = ((checksum ^ byte) * 0x100000001B3) & MASK
    assert network[-8:] == struct.pack("<Q", checksum)
    game, rest = text_and_rest(network[12:])
    features, rest = text_and_rest(rest)
    assert (game, features) == ("loa6", "squares+lines")
    _, rest = text_and_rest(rest)
    inputs, hidden, classes = struct.unpack_from("<III", rest)
    assert (inputs, hidden) == (128, HIDDEN)
    rows = np.frombuffer(rest, "<i2", (inputs + 3) * hidden, 12).reshape(-1, hidden).astype(float)
    after = 12 + rows.size * 2
    factor, output_bias = struct.unpack_from("<Ii", rest, after)
    lines = np.frombuffer(rest, "<i2", classes, after + 8) / 16 / 240
    assert len(rest) == after + 8 + 2 * classes + 8
    output = rows[129:] * factor / 2**32 / 16 / 240 * 255**2
    return [rows[:128] / 255, rows[128] / 255, output[0], output[1], output_bias / 16 / 240, lines]


def test_the_generator_is_that_of_the_program() -> None:
    assert Rng(1).next() == 0xCFC5D07F6F03C29B


def test_training_is_that_of_the_reference(tmp_path: Path) -> None:
    data, network = str(tmp_path / "data"), str(tmp_path / "net")
    run(*f"games --game loa6 --games 20 --nodes 60 --out {data}".split())
    settings = f"--hidden {HIDDEN} --epochs {EPOCHS} --batch {BATCH} --rate {RATE} --seed {SEED} --symmetric false"
    run(*f"network --game loa6 --data {data} {settings} --result-weight {RESULT_WEIGHT} --out {network}".split())
    expected = train(Path(data).read_bytes())
    found = read_network(Path(network).read_bytes())
    names = ["first", "bias", "own output", "other output", "output bias", "lines"]
    # Half a unit of each, and what single precision loses.
    units = [1 / 255, 1 / 255, abs(found[2]).max() / 63, abs(found[3]).max() / 63, 1 / 3840, 1 / 3840]
    for name, here, there, unit in zip(names, found, expected, units):
        assert np.shape(here) == np.shape(there), name
        assert here == pytest.approx(there, abs=0.55 * unit + 1e-4), name
    # It has learned something: the weights are not those that it began with.
    assert abs(np.asarray(found[5])).max() > 10 / 3840
