"""The Python snippets of the front page, of the tour and of the pages of the papers run as they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", ROOT / "docs/tour.md", ROOT / "docs/upd.md", *sorted(ROOT.glob("docs/papers/*.md"))]


def snippets(page: Path) -> list[str]:
    """The `python` blocks of a page. Empty lines stand for what is before a block, so that errors name its lines."""
    found, block = [], None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines()):
        if line.startswith("```"):
            if block is not None:
                found.append("\n".join(block))
            block = [""] * (number + 1) if block is None and line == "```python" else None
        elif block is not None:
            block.append(line)
    return found


def test_the_front_pages_have_snippets():
    assert all(snippets(page) for page in PAGES[:3])


@pytest.mark.parametrize("page", [page for page in PAGES if snippets(page)], ids=lambda page: page.name)
def test_every_snippet_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in snippets(page):
        exec(compile(block, str(page), "exec"), names)
