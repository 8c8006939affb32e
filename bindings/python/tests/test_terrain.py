"""Terrains: arrays, tiles, files, pictures, other libraries."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import landform
from landform import Recipe, Terrain, stages

RIVER = Recipe.preset("river").with_size(129)


@pytest.fixture(scope="module")
def terrain() -> Terrain:
    return landform.build(RIVER)


def test_layers_are_arrays_that_own_nothing_twice(terrain):
    assert terrain.height.dtype == np.float32 and terrain.height.flags.c_contiguous
    assert terrain.height.base is not None and not terrain.height.flags.owndata
    assert terrain["height"] is terrain.height


def test_a_tile_is_a_view_and_equals_the_tile_built_alone(terrain):
    view = terrain.tile(20, 30, 40, 25)
    alone = landform.build(RIVER, tile=(20, 30, 40, 25))
    assert np.shares_memory(view.height, terrain.height)
    assert all(np.array_equal(view[name], alone[name]) for name in alone)
    assert view.x[0] == alone.x[0] == 20 * terrain.spacing[0]
    assert np.array_equal(view.tile(25, 31, 3, 2).height, terrain.height[31:33, 25:28])
    for wrong in [(-1, 0, 5, 5), (0, 0, 0, 5), (120, 0, 20, 5)]:
        with pytest.raises(landform.Error, match="does not lie on the terrain"):
            terrain.tile(*wrong)
        with pytest.raises(landform.Error, match="does not lie on the terrain"):
            landform.build(RIVER, tile=wrong)


def test_changed_samples_are_what_is_written(tmp_path):
    terrain = landform.build("fbm", size=33)
    terrain.height[:] = 0
    terrain.height[5, 7] = 50
    terrain.write(tmp_path / "changed.npy")
    assert np.load(tmp_path / "changed.npy")[5, 7] == 50


@pytest.mark.parametrize("extension", [name for name, _ in landform.formats() if name != "hgt"])
def test_every_format_is_written_and_read_back(terrain, tmp_path, extension):
    path = tmp_path / f"terrain.{extension}"
    terrain.write(path)
    assert path.stat().st_size > 0
    if dict(landform.formats())[extension]:
        size = (129, 129) if extension in ("r16", "raw", "r32") else None
        low, high = float(terrain.height.min()), float(terrain.height.max())
        again = landform.read(
            path, spacing=terrain.spacing, range=(low, high) if extension in ("r16", "raw", "png") else None, size=size
        )
        assert np.abs(again.height - terrain.height).max() <= (high - low) / 65535 + 1e-3


def test_layers_rivers_and_recipes_are_written(terrain, tmp_path):
    terrain.write(tmp_path / "depth.npy", "water_depth")
    assert np.array_equal(np.load(tmp_path / "depth.npy"), terrain["water_depth"])
    for name in ["r.geojson", "r.svg", "r.csv", "r.toml"]:
        terrain.write(tmp_path / name)
    assert json.loads((tmp_path / "r.geojson").read_text()) == terrain.geojson()
    with pytest.raises(landform.Error, match="the terrain has the maps height"):
        terrain.write(tmp_path / "x.npy", "lava")
    with pytest.raises(landform.Error, match="a file that ends in"):
        terrain.write(tmp_path / "x.doc")
    with pytest.raises(OSError, match="cannot make the folder /proc/no"):
        terrain.write("/proc/no/such.npy")


def test_every_target_gets_its_files(terrain, tmp_path):
    # Some take only certain sizes.
    sizes = {"unreal": 127, "terrain3d": 128, "hterrain": 513, "flax": 509}
    for name, title in landform.targets():
        fitting = landform.build("fbm", size=sizes[name]) if name in sizes else terrain
        export = fitting.export(name, tmp_path / name)
        assert export.files and export.steps, title
        assert all((tmp_path / name / file).is_file() for file in export.files)
    with pytest.raises(landform.Error, match="nearest it takes is 127"):
        terrain.export("unreal", tmp_path)
    with pytest.raises(landform.Error, match="unity"):
        terrain.export("quake", tmp_path)


def test_rivers_are_records_geojson_and_lines(terrain):
    river = terrain.rivers[0]
    assert (np.diff(river.points["bed"]) <= 0).all()
    line = terrain.geojson()["features"][0]
    assert line["properties"]["name"] == river.name
    shapely = pytest.importorskip("shapely")
    drawn = river.to_shapely()
    assert isinstance(drawn, shapely.LineString)
    assert drawn.coords[0][1] == -river.points["z"][0]


def test_xarray_has_coordinates_and_units(terrain):
    pytest.importorskip("xarray")
    dataset = terrain.to_xarray()
    assert dataset.height.dims == ("z", "x")
    assert dataset.x[1] - dataset.x[0] == terrain.spacing[0]
    assert dataset.height.attrs["units"] == "m" and dataset.attrs["seed"] == RIVER.seed
    assert np.shares_memory(dataset.height.values, terrain.height)


def test_pictures_in_every_style(terrain):
    for style in landform.styles():
        picture = terrain.picture(style, size=(96, 64))
        assert picture.shape == (64, 96, 3) and picture.dtype == np.uint8 and picture.std() > 1, style
    assert terrain.picture(layer="river", size=(64, 64)).std() > 1
    with pytest.raises(landform.Error, match="hillshade"):
        terrain.picture("oil")
    with pytest.raises(landform.Error, match="side"):
        terrain.picture(size=(0, 5))


def test_a_notebook_gets_a_png(terrain):
    assert terrain._repr_png_().startswith(b"\x89PNG\r\n\x1a\n")


def test_stages_run_on_heights_of_ones_own():
    rng = np.random.default_rng(3)
    height = rng.normal(0, 5, (65, 65)).cumsum(0).cumsum(1)
    eroded = stages.hydraulic(steps=20).apply(height, spacing=30)
    assert eroded.shape == (65, 65) and "flow" in eroded
    same = landform.apply(Terrain(height, spacing=30), stages.hydraulic(steps=20))
    assert same.sha256() == eroded.sha256()
    kept = landform.apply(height, spacing=30)
    assert np.array_equal(kept.height, height.astype(np.float32))


def test_a_terrain_of_ones_own_is_checked():
    for wrong in [np.zeros(5), np.zeros((0, 4)), np.zeros((2, 2, 2))]:
        with pytest.raises(landform.Error, match="rows and columns"):
            Terrain(wrong)
    with pytest.raises(landform.Error, match="shape"):
        Terrain(np.zeros((4, 4)), layers={"flow": np.zeros((4, 5))})
    with pytest.raises(landform.Error):
        Terrain(np.zeros((4, 4)), spacing=-1).picture()
    Terrain(np.full((3, 3), np.nan), spacing=2).picture(size=(8, 8))


def test_a_file_that_does_not_tell_its_scale_warns(tmp_path):
    np.save(tmp_path / "bare.npy", np.zeros((4, 5), np.float32))
    with pytest.warns(UserWarning, match="spacing"):
        landform.read(tmp_path / "bare.npy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert landform.read(tmp_path / "bare.npy", spacing=3).spacing == (3, 3)
    (tmp_path / "broken.png").write_bytes(b"\x89PNG broken")
    with pytest.raises(landform.Error, match="broken.png"):
        landform.read(tmp_path / "broken.png")
    with pytest.raises(OSError, match="cannot read"):
        landform.read(tmp_path / "missing.png")


def test_the_recipe_fixes_the_scale_of_16_bit_files(tmp_path):
    recipe = Recipe.preset("fbm").with_size(65).set("output_range", [-3000, 5000])
    assert recipe.output_range == (-3000, 5000)
    landform.build(recipe).write(tmp_path / "a.r16")
    side = json.loads((tmp_path / "a.r16.json").read_text())
    assert [side["min"], side["max"]] == [-3000, 5000]
    narrow = landform.build(recipe.set("output_range", [0, 10]))
    with pytest.warns(UserWarning, match="16-bit files clamp"):
        narrow.write(tmp_path / "b.r16")
    with pytest.warns(UserWarning, match="16-bit files clamp"):
        narrow.bundle(tmp_path / "bundle")


def test_an_extent_scales_all_of_the_terrain():
    recipe = Recipe.preset("fbm").with_size(65)
    half = recipe.set("extent", [10240.0, 10240.0])
    assert (recipe.extent, half.extent) == (None, (10240, 10240))
    natural, small = landform.build(recipe), landform.build(half)
    assert (small.height == natural.height / 2).all()
    assert small.spacing == (160, 160)
    with pytest.raises(landform.Error, match="proportions"):
        landform.build(recipe.set("extent", [10240.0, 5000.0]))
    with pytest.warns(UserWarning, match="heights go from"):
        landform.build(Recipe.preset("paper_islands").with_size(65).set("spacing", [2.0, 2.0]))


def test_a_skyline_is_a_row_of_heights():
    assert landform.skyline(seed=2, ranges=3, divisions=200).shape == (3, 201)
    with pytest.raises(landform.Error):
        landform.skyline(ruggedness=-1)


@pytest.mark.parametrize("place", [1.5, float("nan"), float("inf")])
def test_a_given_peak_of_a_skyline_stands_on_a_division(place):
    with pytest.raises(landform.Error, match="whole number of divisions"):
        landform.skyline(divisions=8, given=[(2, 2), (place, 4)])
    assert landform.skyline(divisions=8, given=[(2.0, 4.0)])[0, 2] == 4
