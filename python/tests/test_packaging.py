"""The packages: what goes into them, and that they work where nothing else is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

tomllib = pytest.importorskip("tomllib")


def test_the_source_package_has_every_file_that_the_crates_take_in() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    shipped = {file for entry in project["tool"]["maturin"]["include"] for file in ROOT.glob(entry["path"])}
    taken: set[Path] = set()
    for source in ROOT.glob("crates/*/src/**/*.rs"):
        text = source.read_text()
        for name in re.findall(r'include_(?:str|bytes)!\(\s*"(\.\./[^"]*)"', text):
            taken.add((source.parent / name).resolve())
        # Experiments are listed by their names.
        for folder in re.findall(r'include_str!\(concat!\("(\.\./[^"]*)"', text):
            taken |= set((source.parent / folder).resolve().glob("**/*.toml"))
    outside = {file for file in taken if not file.is_relative_to(ROOT / "crates")}
    assert outside and outside <= shipped, outside - shipped


def test_nothing_else_is_imported_before_it_is_needed() -> None:
    code = "import sys, spinney; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "pyspiel", "ray"} & set(loaded)
