"""Terrains larger than memory."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import landform

SMALL = {"size": (700, 500), "chunk": 32, "shard": 128}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def store(tmp_path: Path) -> landform.Store:
    return landform.build_store("paper_islands", tmp_path / "islands.zarr", **SMALL)


def test_a_store_has_the_samples_of_a_terrain(store):
    whole = landform.build("paper_islands", size=SMALL["size"])
    assert store.shape == whole.shape and store.complete
    assert (store.read() == whole.height).all()
    assert (store.read(window=(100, 200, 50, 60)) == whole.height[200:260, 100:150]).all()
    tile = store.tile(100, 200, 50, 60)
    assert (tile.height == whole.height[200:260, 100:150]).all() and tile.spacing == whole.spacing
    assert store.recipe.size == landform.Recipe.preset("paper_islands").size
    with pytest.raises(landform.Error, match="window"):
        store.read(window=(690, 0, 20, 1))
    with pytest.raises(landform.Error, match="level 9"):
        store.read(level=9)


def test_overviews_are_means(store):
    fine, coarse = store.read(), store.read(level=1)
    mean = (fine[::2, ::2] + fine[::2, 1::2] + fine[1::2, ::2] + fine[1::2, 1::2]) / 4
    assert np.abs(coarse - mean).max() < 1e-3
    assert store.overview(most=100).shape == store.levels[3]


def test_it_is_the_store_of_the_command_line(program, store, tmp_path):
    words = ["--size", "700x500", "--chunk", "32", "--shard", "128", "-q", "-o", "theirs.zarr"]
    assert program("build", "paper_islands", *words).returncode == 0
    theirs, ours = files(tmp_path / "theirs.zarr"), files(tmp_path / "islands.zarr")
    # The recipe is another text: the program writes the size with it.
    assert theirs.keys() == ours.keys()
    assert {name for name in ours if ours[name] != theirs[name]} <= {"zarr.json"}


def test_xarray_reads_it_as_the_manifest_says(store):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("zarr")
    dataset = store.dataset()
    height = dataset.height
    assert (height.values == store.read()).all()
    assert height.attrs["units"] == "m" and height.attrs["standard_name"] == "surface_altitude"
    assert np.allclose(np.diff(dataset.x), store.spacing[0]) and np.allclose(np.diff(dataset.y), -store.spacing[1])
    assert dataset.x.attrs["standard_name"] == "projection_x_coordinate" and dataset.x.attrs["units"] == "m"
    (told,) = [layer for layer in store.manifest["layers"] if layer["name"] == "height"]
    assert (float(height.min()), float(height.max())) == (told["min"], told["max"])
    tree = xarray.open_datatree(store.path, engine="zarr")
    assert [tree[str(k)].height.shape for k in range(len(store.levels))] == store.levels
    # The hash of the manifest, by other code than that which wrote it.
    from hashlib import sha256

    side = store.manifest["layout"]["shard"]
    samples = height.values
    tiles = [
        sha256(samples[j : j + side, i : i + side].tobytes()).hexdigest()
        for j in range(0, samples.shape[0], side)
        for i in range(0, samples.shape[1], side)
    ]
    assert sha256("".join(tiles).encode()).hexdigest() == told["sha256_of_tiles"]


def test_a_store_is_read_lazily(store):
    pytest.importorskip("dask.array")
    lazy = store.array()
    assert lazy.numblocks == (4, 6)
    assert (lazy[130:140, 60:70].compute() == store.read(window=(60, 130, 10, 10))).all()


def test_another_terrain_is_refused(store):
    with pytest.raises(landform.Error, match="another recipe"):
        landform.build_store("paper_islands", store.path, seed=99, **SMALL)
    root = Path(store.path) / "zarr.json"
    text = json.loads(root.read_text())
    del text["attributes"]["landform"]
    root.write_text(json.dumps(text))
    with pytest.raises(landform.Error, match="another program"):
        landform.open_store(store.path)
