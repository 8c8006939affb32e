"""Recipes: a terrain as a list of landforms."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._text import to_json, to_toml

if TYPE_CHECKING:
    import pandas

StrPath = Union[str, "os.PathLike[str]"]

PEAK = np.dtype([("i", np.int64), ("j", np.int64), ("height", np.float64), ("radius", np.float64)])
"""A peak of the Uplift Model: grid lines to the east and south, height and radius in metres."""


class Recipe:
    """A terrain as a short text that lists its landforms. It never changes; methods give new recipes.

    >>> import landform
    >>> recipe = landform.Recipe.preset("islands").with_seed(5)
    >>> recipe.seed, recipe.size
    (5, (1025, 1025))
    >>> recipe.set("volcanoes.peaks", 60).stages[0]["peaks"]
    60

    A wrong value is refused with the words of the command line:

    >>> recipe.set("volcanoes.peaks", 0)
    Traceback (most recent call last):
        ...
    landform.Error: stage ... peaks is 0, but must be ...
    """

    __slots__ = ("_table", "_upd", "allow_outside", "folder", "inputs", "text")

    text: str
    """The recipe as TOML, with its comments."""
    folder: str
    """Where the files lie that the recipe refers to."""
    inputs: Mapping[str, npt.NDArray[np.float32]]
    """Arrays that stand in for files."""
    allow_outside: bool
    """Whether files may lie outside of the folder: only if you trust who wrote the recipe."""

    def __init__(
        self, text: str, *, folder: StrPath = "", name: str | None = None, allow_outside: bool = False
    ) -> None:
        self._table: dict[str, Any] = json.loads(_core.recipe_json(text, name))
        self.text = text
        self.folder = os.fspath(folder)
        self.inputs = {}
        self.allow_outside = allow_outside
        self._upd: str | None = None

    @classmethod
    def load(cls, path: StrPath, *, allow_outside: bool = False) -> Recipe:
        """Reads a recipe (`.toml`) or an Uplift terrain (`.upd`).

        Files that it names must lie in its folder, unless you trust who wrote it (`allow_outside`).
        """
        path = Path(path)
        text = _read(path)
        if path.suffix.lower() == ".upd":
            recipe = cls(_core.upd_to_recipe(text, str(path)), folder=path.parent)
            recipe._upd = text
            return recipe
        return cls(text, folder=path.parent, name=str(path), allow_outside=allow_outside)

    @classmethod
    def preset(cls, name: str = "mountains") -> Recipe:
        """One of the recipes that come with Landform: see `landform.presets()`."""
        for known, _, text in _core.presets():
            if known == name:
                return cls(text)
        names = ", ".join(known for known, _, _ in _core.presets())
        raise _core.Error(f"no preset is called {name!r}, expected one of {names}")

    @classmethod
    def of(
        cls,
        *stages: Mapping[str, Any],
        size: int | tuple[int, int] = 513,
        spacing: float | tuple[float, float] = 20.0,
        seed: int = 0,
        sea_level: float = 0.0,
        title: str = "",
    ) -> Recipe:
        """A recipe made of stages, on so many samples that lie so many metres apart.

        >>> from landform import stages
        >>> Recipe.of(stages.noise(amplitude=300), stages.smooth(radius=40), size=257).size
        (257, 257)
        """
        table: dict[str, Any] = {
            "version": 1,
            "title": title,
            "seed": seed,
            "size": pair(size),
            "spacing": pair(spacing),
            "sea_level": sea_level,
            "stage": [dict(stage) for stage in stages],
        }
        recipe = cls.from_dict(table)
        # The names are those of the caller.
        recipe.allow_outside = True
        return recipe

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Recipe:
        """A recipe from its keys and values, as `to_dict` gives them."""
        return cls(_core.recipe_text(to_json(table)))

    @classmethod
    def from_peaks(
        cls,
        peaks: npt.ArrayLike,
        *,
        size: int | tuple[int, int],
        spacing: float | tuple[float, float],
        divisor: float | None = None,
        sea_level: float = 0.0,
    ) -> Recipe:
        """The Uplift terrain of these peaks: a record array as `peaks()` gives, or rows of i, j, height and radius.

        >>> recipe = Recipe.from_peaks([(10, 12, 900.0, 400.0)], size=33, spacing=30)
        >>> recipe.peaks()["height"]
        array([900.])
        """
        rows = np.asarray(peaks)
        listed = [list(row) for row in rows.tolist()] if rows.dtype.names else rows.tolist()
        stage = {"kind": "peaks", "peaks": listed, "divisor": divisor}
        return cls.of(stage, size=size, spacing=spacing, sea_level=sea_level)

    def _with_text(self, text: str) -> Recipe:
        new = Recipe(text, folder=self.folder, allow_outside=self.allow_outside)
        new.inputs = self.inputs
        new._upd = self._upd
        return new

    def save(self, path: StrPath) -> None:
        """Writes the recipe: as `.toml`, or as `.upd` if it is nothing but peaks."""
        path = os.fspath(path)
        is_upd = path.lower().endswith(".upd")
        _core.write_bytes(path, (self.to_upd() if is_upd else self.text).encode())

    def set(self, path: str, value: Any) -> Recipe:
        """The recipe with another value of a parameter: `recipe.set("uplift.peaks", 100)`."""
        return self._with_text(_core.recipe_set(self.text, path, to_toml(value)))

    def with_seed(self, seed: int) -> Recipe:
        """Another terrain of the same character."""
        return self.set("seed", seed)

    def with_size(self, size: int | tuple[int, int]) -> Recipe:
        """The same ground with another number of samples."""
        return self.set("resolution", pair(size))

    def preview(self, largest: int = 257) -> Recipe | None:
        """A quick look: at most so many samples along the longer side, with rivers carved on as few. Nothing if it would be no quicker.

        >>> Recipe.preset("mountains").preview().text.count("preview = 257")
        1
        """
        text = _core.recipe_preview(self.text, largest)
        return None if text is None else self._with_text(text)

    def append(self, *stages: Mapping[str, Any]) -> Recipe:
        """The recipe with further stages at its end."""
        text = self.text
        for stage in stages:
            text = _core.recipe_append(text, to_json(dict(stage)))
        return self._with_text(text)

    def with_pads(self, pads: StrPath | Sequence[Mapping[str, Any]], *, label: str = "pads 1") -> Recipe:
        """The recipe with flat places for towns and scenes: a pads file (JSON), or a list of pads.

        >>> recipe = Recipe.preset("fbm").with_pads([{"x": 2000, "z": 3000, "radius": 300, "margin": 200}])
        >>> recipe.stages[-1]["kind"]
        'flatten'
        """
        if isinstance(pads, (str, os.PathLike)):
            return self._with_text(_core.recipe_pads(self.text, _read(Path(pads)), label, os.fspath(pads)))
        return self._with_text(_core.recipe_pads(self.text, to_json({"pads": list(pads)}), label))

    def with_input(self, file: str, values: npt.ArrayLike) -> Recipe:
        """The recipe with an array in the place of the file that it calls `file`: weights of a mask, or heights."""
        array = np.ascontiguousarray(values, dtype=np.float32)
        if array.ndim != 2:
            raise _core.Error(f"{file} must be an array of rows and columns, but has {array.ndim} dimensions")
        new = self._with_text(self.text)
        new.inputs = {**self.inputs, file: array}
        return new

    def to_dict(self) -> dict[str, Any]:
        """All keys and values, with the defaults of parameters that the text leaves out."""
        copied: dict[str, Any] = json.loads(json.dumps(self._table))
        return copied

    def to_upd(self) -> str:
        """The text of a UPD file, if the recipe is nothing but peaks.

        If it was loaded from one, lines that say the same as before keep their text.
        """
        return _core.upd_from_recipe(self.text, self._upd)

    def peaks(self) -> npt.NDArray[np.void]:
        """The peaks of all stages of the Uplift Model, as a record array of i, j, height and radius.

        >>> peaks = Recipe.preset("uplift").peaks()
        >>> peaks.dtype.names
        ('i', 'j', 'height', 'radius')
        """
        return np.array(_core.recipe_peaks(self.text), dtype=PEAK)

    def peaks_frame(self) -> pandas.DataFrame:
        """The peaks as a table of pandas."""
        import pandas

        return pandas.DataFrame(self.peaks())

    @property
    def seed(self) -> int:
        """Another seed gives another terrain of the same character."""
        return int(self._table["seed"])

    @property
    def size(self) -> tuple[int, int]:
        """Number of samples along x and z on which landforms are laid out."""
        width, height = self._table["size"]
        return width, height

    @property
    def spacing(self) -> tuple[float, float]:
        """Metres between the grid lines along x and z."""
        dx, dz = self._table["spacing"]
        return float(dx), float(dz)

    @property
    def extent(self) -> tuple[float, float] | None:
        """Width and depth of the ground in nature in metres, if all of it is scaled to them."""
        extent = self._table.get("extent")
        return None if extent is None else (extent[0], extent[1])

    @property
    def output_range(self) -> tuple[float, float] | None:
        """The heights in metres that the lowest and the highest level of 16-bit files stand for, if they are fixed."""
        ends = self._table.get("output_range")
        return None if ends is None else (ends[0], ends[1])

    @property
    def sea_level(self) -> float:
        """Height of the water table in metres."""
        return float(self._table["sea_level"])

    @property
    def title(self) -> str:
        """A short name for people."""
        return str(self._table.get("title", ""))

    @property
    def about(self) -> str:
        """What it is, in a sentence."""
        return str(self._table.get("about", ""))

    @property
    def stages(self) -> list[dict[str, Any]]:
        """The stages with all their parameters."""
        return list(self.to_dict()["stage"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self._table == other._table

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        kinds = ", ".join(stage.get("label") or stage["kind"] for stage in self._table["stage"])
        return f"<landform.Recipe {self.title or 'untitled'}: {kinds or 'no stages'}>"


def pair(value: Any) -> Any:
    """Two numbers from one or two."""
    return [value, value] if isinstance(value, (int, float, np.number)) else list(value)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise type(error)(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise _core.Error(f"{path} is not text: byte {error.start} is not UTF-8") from None
