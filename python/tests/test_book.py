"""The Python of the book: each block is a script that runs, and the walk-through with python-chess sees the mate."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[2] / "docs" / "guides"


def blocks(page: str) -> list[str]:
    text = (GUIDES / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def run(script: str, folder: Path, *arguments: str) -> str:
    file = folder / "script.py"
    file.write_text(script, encoding="utf-8")
    command = [sys.executable, str(file), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python_chess_drives_the_engine(tmp_path: Path) -> None:
    program = shutil.which("spinney", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("the program is not installed")
    (script,) = blocks("engines.md")
    lines = run(script, tmp_path, program).splitlines()
    assert lines[0].startswith("score ")
    assert lines[1] == "Black plays Qh4#"


def test_a_player_of_ones_own(tmp_path: Path) -> None:
    (script,) = blocks("own-player.md")
    assert 0.0 <= float(run(script, tmp_path)) <= 1.0


def test_the_package_and_a_game_of_ones_own(tmp_path: Path) -> None:
    first, game, *_ = blocks("python.md")
    first = first.replace("time=1.0", "simulations=1000").replace("Limit(time=0.1)", "Limit(nodes=200)")
    assert "b1" in run(first, tmp_path) or "-" in run(first, tmp_path)
    run("import spinney\nfrom spinney import Limit\n" + game, tmp_path)
