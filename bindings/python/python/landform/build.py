"""From recipes to terrains."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .recipe import Recipe, StrPath, pair
from .terrain import Export, Terrain

Progress = Union[bool, Callable[[str, float], object], None]
"""A function that is told the stage and the share that is done, 0 to 1; True for a bar of tqdm.

An exception that it raises stops the work and comes out of the call."""


class Plan:
    """A recipe that has been checked and is ready to run, as a whole or tile by tile.

    A tile is the same window of the whole, bit for bit, and costs only its share. Simulations of the whole ground run once
    for all tiles.

    >>> import landform
    >>> plan = landform.Plan("islands")
    >>> tile = plan.tile(100, 40, 32, 16)
    >>> bool((tile.height == plan.build().height[40:56, 100:132]).all())
    True
    """

    __slots__ = ("_plan", "recipe")

    recipe: Recipe

    def __init__(
        self, recipe: Recipe | StrPath, *, seed: int | None = None, size: int | tuple[int, int] | None = None
    ) -> None:
        recipe = _opened(recipe)
        recipe = recipe if seed is None else recipe.with_seed(seed)
        self.recipe = recipe if size is None else recipe.with_size(size)
        arrays = list(self.recipe.inputs.items())
        allow_outside = self.recipe.allow_outside
        self._plan = _core.Plan(self.recipe.text, self.recipe.folder, arrays, allow_outside)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of the whole."""
        width, height = self._plan.size
        return height, width

    @property
    def layers(self) -> list[str]:
        """Names of the layers that there will be."""
        return self._plan.layers

    @property
    def memory(self) -> int:
        """Bytes that building the whole holds at the most."""
        return self._plan.memory(0, 0, *self._plan.size)

    def build(self, *, threads: int | None = None, progress: Progress = None) -> Terrain:
        """Builds the whole."""
        return self.tile(0, 0, *self._plan.size, threads=threads, progress=progress)

    def tile(
        self, i: int, j: int, width: int, height: int, *, threads: int | None = None, progress: Progress = None
    ) -> Terrain:
        """Builds the window whose first column and row are i and j."""
        if min(i, j, width, height) < 0:
            columns, rows = self._plan.size
            text = f"tile {i},{j},{width},{height} does not lie on the terrain, which has {columns}x{rows} samples"
            raise _core.Error(text)
        with _Reporter(progress) as reporter:
            named, ground, remarks = self._plan.run(i, j, width, height, threads=threads, progress=reporter.function)
        for remark in remarks:
            warnings.warn(remark, stacklevel=2)
        return Terrain._of((named, ground), self.recipe)

    def explain(self, x: float, z: float) -> dict[str, Any]:
        """Why the ground at a place is as high as it is: what each stage adds there, and the strongest peaks.

        The place is given in metres from the north-west corner, to the east and to the south.

        >>> import landform
        >>> why = landform.Plan("uplift").explain(5000, 2500)
        >>> [stage["kind"] for stage in why["stages"]]
        ['uplift']
        >>> peaks = why["stages"][0]["peaks"]
        >>> abs(peaks["average"] - why["height"]) < 0.01
        True
        """
        told: dict[str, Any] = json.loads(self._plan.explain(x, z))
        return told


def build(
    recipe: Recipe | StrPath = "mountains",
    *,
    seed: int | None = None,
    size: int | tuple[int, int] | None = None,
    tile: tuple[int, int, int, int] | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Terrain:
    """Builds a terrain from a recipe, a file (`.toml`, `.upd`), or the name of a preset.

    Another `seed` gives another terrain of the same character; another `size` is the same ground with more or fewer
    samples. With `tile` (column, row, width, height) only that window is built: the same bytes as that window of the whole.
    Ctrl-C stops it.

    >>> import landform
    >>> terrain = landform.build("islands", seed=7, size=(257, 129))
    >>> terrain.height.shape
    (129, 257)
    """
    plan = Plan(recipe, seed=seed, size=size)
    if tile is not None:
        return plan.tile(*tile, threads=threads, progress=progress)
    return plan.build(threads=threads, progress=progress)


def export(
    recipe: Recipe | StrPath,
    target: str,
    folder: StrPath,
    *,
    seed: int | None = None,
    size: int | tuple[int, int] | None = None,
    tiles: tuple[int, int] = (1, 1),
    range: tuple[float, float] | None = None,
    name: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Export:
    """Builds a recipe at a size that a program takes, and writes the files for it, as `landform build --for TARGET` does.

    `landform.targets()` names the programs. `size` is the size that you want; the nearest one that the program takes in so many
    `tiles` is built. The files are called `name`, which is the name of the preset or file if not given. `range` is that of
    `Terrain.export`.
    """
    if name is None:
        name = "terrain" if isinstance(recipe, Recipe) else os.path.splitext(os.path.basename(os.fspath(recipe)))[0]
    plan = Plan(recipe, seed=seed, size=size)
    wanted = plan._plan.size
    fitting = _core.fitting_size(target, wanted, tiles)
    if fitting != wanted:
        plan = Plan(plan.recipe, size=(fitting[0], fitting[1]))
    terrain = plan.build(threads=threads, progress=progress)
    return terrain.export(target, folder, name=name, tiles=tiles, range=range)


def apply(
    height: npt.ArrayLike | Terrain,
    *stages: Mapping[str, Any],
    spacing: float | tuple[float, float] | None = None,
    sea_level: float | None = None,
    seed: int = 0,
    inputs: Mapping[str, npt.ArrayLike] | None = None,
    progress: Progress = None,
) -> Terrain:
    """Runs stages on heights that you bring: an array in metres, or a terrain.

    >>> import numpy as np, landform
    >>> from landform import stages
    >>> steps = np.zeros((33, 33), np.float32); steps[:, 16:] = 100
    >>> eased = landform.apply(steps, stages.smooth(radius=30), spacing=10)
    >>> bool(0 < eased.height[16, 15] < 100)
    True
    """
    given = height if isinstance(height, Terrain) else Terrain(height)
    step = pair(given.spacing if spacing is None else spacing)
    rows, columns = given.shape
    recipe = Recipe.of(
        {"kind": "heightmap", "file": "height.npy", "label": "given heights"},
        *stages,
        size=(columns, rows),
        spacing=(step[0], step[1]),
        seed=seed,
        sea_level=given.sea_level if sea_level is None else sea_level,
    )
    recipe = recipe.with_input("height.npy", given.height)
    for file, values in (inputs or {}).items():
        recipe = recipe.with_input(file, values)
    return build(recipe, progress=progress)


def read(
    path: StrPath,
    *,
    spacing: float | tuple[float, float] | None = None,
    range: tuple[float, float] | None = None,
    size: tuple[int, int] | None = None,
    sea_level: float = 0.0,
) -> Terrain:
    """Reads a heightmap. What the file does not tell is given by `spacing`, `range` (black and white in metres) and `size`."""
    steps = None if spacing is None else pair(spacing)
    heights, found, assumed = _core.read_heightmap(os.fspath(path), steps, range, size)
    if assumed:
        import warnings

        text = f"{os.fspath(path)} does not tell its {' and '.join(assumed)}: see `range` and `spacing`"
        warnings.warn(text, stacklevel=2)
    return Terrain(heights, spacing=(found[0], found[1]), sea_level=sea_level)


def presets() -> dict[str, str]:
    """The recipes that come with Landform, and what each is."""
    return {name: about for name, about, _ in _core.presets()}


def skyline(
    *,
    seed: int = 0,
    ranges: int = 1,
    divisions: int = 1000,
    peaks: int = 100,
    y_min: float = 0.0,
    y_max: float = 100.0,
    ruggedness: float = 1.0,
    spacing: float = 1.0,
    curve: str = "tent",
    given: Sequence[Sequence[float]] | None = None,
    parts: bool = False,
) -> npt.NDArray[np.float32]:
    """Mountain ranges on the horizon by the two-dimensional Uplift Model: one row of heights a range.

    A division is `spacing` wide, in the unit of the heights. `curve` is "tent" or "inverted_v". Peaks that are `given`, as
    (i, y) or as (i, y, R) with a steepness of their own, stand in place of random ones. With `parts` each range is followed
    by the curves that it is the average of.

    >>> import landform
    >>> average, left, right = landform.skyline(divisions=8, given=[(2, 2), (5, 4, 2)], parts=True)
    >>> average.tolist()
    [0.0, 0.5, 1.0, 0.5, 1.0, 2.0, 1.0, 0.0, 0.0]
    """
    if curve not in ("tent", "inverted_v"):
        raise _core.Error(f'curve is {curve!r}, but must be "tent" or "inverted_v"')
    peaks_given = None
    if given is not None:
        if not len(given) or any(len(row) not in (2, 3) for row in given):
            raise _core.Error("given must be a list of peaks, each (i, y) or (i, y, R)")
        off = [row[0] for row in given if not float(row[0]).is_integer()]
        if off:
            raise _core.Error(f"given has a peak at {off[0]}, but i is a whole number of divisions")
        peaks_given = [(int(row[0]), float(row[1]), float(row[2]) if len(row) == 3 else None) for row in given]
    heights = _core.skyline_heights(
        seed=seed,
        ranges=ranges,
        divisions=divisions,
        peaks=peaks,
        y_min=y_min,
        y_max=y_max,
        ruggedness=ruggedness,
        spacing=spacing,
        inverted_v=curve == "inverted_v",
        given=peaks_given,
        parts=parts,
    )
    return np.array(heights, dtype=np.float32)


def _opened(recipe: Recipe | StrPath, *, allow_outside: bool = False) -> Recipe:
    if isinstance(recipe, Recipe):
        return recipe
    path = os.fspath(recipe)
    is_file = os.path.splitext(path)[1].lower() in (".toml", ".upd")
    if is_file or os.path.exists(path):
        return Recipe.load(path, allow_outside=allow_outside)
    return Recipe.preset(path)


class _Reporter:
    """The function that hears of progress, and a bar of tqdm for as long as one is wanted and there."""

    def __init__(self, progress: Progress) -> None:
        self.bar: Any = None
        self.function: Callable[[str, float], object] | None = None
        if callable(progress):
            self.function = progress
        elif progress:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}")
            self.function = self._move

    def _move(self, stage: str, done: float) -> None:
        self.bar.set_description(stage, refresh=False)
        self.bar.update(round(100 * done) - self.bar.n)

    def __enter__(self) -> _Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
