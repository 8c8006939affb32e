"""Terrains larger than memory, in folders of many files (Zarr), read lazily."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .build import Plan, Progress, _Reporter
from .recipe import Recipe, StrPath
from .terrain import Terrain

if TYPE_CHECKING:
    import dask.array
    import xarray


class Store:
    """A terrain larger than memory: samples are read where they are asked for, and overviews are there from the start.

    xarray, Dask, GDAL and napari open it too: `xarray.open_zarr(path, group="0")` is the terrain, groups 1, 2, … have half as many
    samples each way.

    >>> import landform, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "islands.zarr")
    >>> store = landform.build_store("islands", path, size=(700, 500), shard=256, chunk=64)
    >>> store.shape, len(store.levels), store.complete
    ((500, 700), 5, True)
    >>> store.read(window=(100, 50, 3, 2)).shape
    (2, 3)
    """

    __slots__ = ("_manifest", "_store", "path")

    path: str

    def __init__(self, path: StrPath) -> None:
        self.path = os.fspath(path)
        self._store = _core.Store(self.path)
        self._manifest: dict[str, Any] = json.loads(self._store.manifest)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return self.levels[0]

    @property
    def levels(self) -> list[tuple[int, int]]:
        """Number of rows and columns of each level, the finest first."""
        return [(height, width) for width, height in self._store.levels]

    @property
    def layers(self) -> list[str]:
        """Names of the layers."""
        return list(self._manifest["layout"]["layers"])

    @property
    def spacing(self) -> tuple[float, float]:
        """Metres between samples to the east and to the south."""
        dx, dz = self._manifest["layout"]["spacing"]
        return dx, dz

    @property
    def complete(self) -> bool:
        """Whether all tiles are there; samples that are not are NaN."""
        return bool(self._manifest["complete"])

    @property
    def recipe(self) -> Recipe:
        """The recipe that it was made from."""
        return Recipe(self._manifest["recipe"])

    @property
    def manifest(self) -> dict[str, Any]:
        """What it was made from, and range and hash of each layer."""
        return self._manifest

    def read(
        self, layer: str = "height", *, level: int = 0, window: tuple[int, int, int, int] | None = None
    ) -> npt.NDArray[np.float32]:
        """The samples of a layer in a window (column, row, width, height) of a level; all of it without one."""
        if not 0 <= level < len(self.levels):
            raise _core.Error(f"level {level} is not one of {len(self.levels)}")
        rows, columns = self.levels[level]
        if window is not None and min(window) < 0:
            raise _core.Error(f"window {window} does not lie on {columns}x{rows} samples")
        return self._store.read(level, layer, window or (0, 0, columns, rows))

    def overview(self, layer: str = "height", *, most: int = 2048) -> npt.NDArray[np.float32]:
        """A layer on the finest level with at most so many rows and columns."""
        fitting = [k for k, shape in enumerate(self.levels) if max(shape) <= most]
        return self.read(layer, level=fitting[0] if fitting else len(self.levels) - 1)

    def tile(self, i: int, j: int, width: int, height: int) -> Terrain:
        """The window whose first column and row are i and j, with all layers in memory."""
        window = (i, j, width, height)
        terrain = Terrain(
            self.read(window=window), spacing=self.spacing, sea_level=self._manifest["layout"]["sea_level"]
        )
        for layer in self.layers[1:]:
            terrain[layer] = self.read(layer, window=window)
        recipe = self._manifest["recipe"]
        terrain._ground = terrain._ground.of_recipe(recipe)
        return terrain

    def array(self, layer: str = "height", *, level: int = 0) -> dask.array.Array:
        """A layer as a lazy Dask array."""
        import dask.array

        shape = self.levels[level]
        side = self._manifest["layout"]["shard"]
        chunks = dask.array.core.normalize_chunks((side, side), shape)

        def block(block_info: Any = None) -> npt.NDArray[np.float32]:
            (top, bottom), (left, right) = block_info[None]["array-location"]
            return Store(self.path).read(layer, level=level, window=(left, top, right - left, bottom - top))

        meta = np.empty((0, 0), np.float32)
        return dask.array.map_blocks(block, chunks=chunks, dtype=np.float32, meta=meta)

    def dataset(self, *, level: int = 0) -> xarray.Dataset:
        """All layers with their coordinates as a lazy dataset of xarray, which needs the package zarr."""
        import xarray

        dataset: xarray.Dataset = xarray.open_zarr(self.path, group=str(level))
        return dataset

    def __repr__(self) -> str:
        rows, columns = self.shape
        state = "" if self.complete else ", not complete"
        return f"<landform.Store {self.path!r}: {columns} x {rows}, {', '.join(self.layers)}{state}>"


def open_store(path: StrPath) -> Store:
    """Opens a terrain that `landform build -o FILE.zarr` or `build_store` made, also while it is being made."""
    return Store(path)


def build_store(
    recipe: Recipe | StrPath,
    path: StrPath,
    *,
    seed: int | None = None,
    size: int | tuple[int, int] | None = None,
    memory: int | None = None,
    chunk: int | None = None,
    shard: int | None = None,
    shards: bool = True,
    threads: int | None = None,
    progress: Progress = None,
) -> Store:
    """Builds a terrain larger than memory into a folder, tile by tile, within `memory` bytes (1 GiB if not given).

    Interrupted, the same call goes on where it stopped. `chunk` and `shard` are samples along a side; without `shards` every chunk is
    a file.
    """
    plan = Plan(recipe, seed=seed, size=size)
    store = _core.create_store(os.fspath(path), plan._plan, chunk=chunk, shard=shard, shards=shards)
    with _Reporter(progress) as reporter:
        _core.fill_store(store, plan._plan, memory=memory, threads=threads, progress=reporter.function)
    return Store(path)
