"""What all tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

PRESETS = Path(__file__).parents[3] / "recipes"


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The program `landform`, which `LANDFORM` names, run in a folder of its own."""
    path = os.environ.get("LANDFORM")
    if path is None:
        pytest.skip("LANDFORM does not name the program")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([path, *words], cwd=tmp_path, capture_output=True, text=True, check=False)

    return run
