"""Recipes, stages, peaks, UPD."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest

import landform
from landform import Recipe, stages


def test_comments_stay_when_a_value_changes():
    recipe = Recipe("# mine\nversion = 1\nsize = [9, 9] # small\nspacing = [1, 1]\n").with_seed(4)
    assert recipe.seed == 4
    assert "# mine" in recipe.text and "# small" in recipe.text


def test_a_recipe_is_the_same_through_its_table():
    for name in landform.presets():
        recipe = Recipe.preset(name)
        assert Recipe.from_dict(recipe.to_dict()) == recipe


def test_a_preview_keeps_the_text_and_is_there_where_it_is_quicker():
    text = Recipe.preset("mountains").text
    assert Recipe(text).with_size(2049).preview(129).text.replace("preview = 129\n", "") == text
    assert Recipe.preset("fbm").preview() is None


def test_every_stage_of_the_catalogue_is_a_function_with_its_parameters():
    catalogue = json.loads(landform.schema())["$defs"]["Stage"]["oneOf"]
    kinds = {kind["title"]: kind for kind in catalogue}
    assert sorted(kinds) == sorted(stages.__all__)
    for title, kind in kinds.items():
        signature = inspect.signature(getattr(stages, title))
        names = {name.removesuffix("_") for name in signature.parameters}
        assert names == set(kind["properties"]) - {"kind"}, f"{title}: run `cargo xtask stubs`"
        for name, schema in kind["properties"].items():
            default = schema.get("default")
            if name != "kind" and default is not None and not isinstance(default, (list, dict)):
                found = signature.parameters.get(name) or signature.parameters[name + "_"]
                assert found.default == default, f"{title}.{name}: run `cargo xtask stubs`"


def test_a_stage_holds_only_what_was_said():
    assert dict(stages.uplift(peaks=100, y_max=900)) == {"kind": "uplift", "y_max": 900}
    assert dict(stages.river(from_="north")) == {"kind": "river", "from": "north"}
    with pytest.raises(TypeError, match="octavs"):
        stages.noise(octavs=3)
    with pytest.raises(TypeError, match="positional"):
        stages.noise(3)


def test_defaults_as_arguments_are_the_defaults_of_the_recipe():
    plain = Recipe.of({"kind": "noise"}, size=33)
    assert landform.build(Recipe.of(stages.noise(), size=33)).sha256() == landform.build(plain).sha256()


def test_numbers_of_numpy_are_numbers():
    recipe = Recipe.of(stages.smooth(radius=np.float32(8)), size=np.int64(17), spacing=np.float64(2))
    assert recipe.set("smooth.radius", np.float64(4.5)).stages[0]["radius"] == 4.5


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), object(), "x"])
def test_what_is_no_value_is_refused(wrong):
    with pytest.raises(landform.Error):
        Recipe.of(stages.smooth(radius=wrong))


def test_peaks_are_records_and_make_the_same_terrain_again():
    recipe = Recipe.preset("uplift")
    peaks = recipe.peaks()
    assert peaks.dtype == landform.PEAK and len(peaks) > 10
    again = Recipe.from_peaks(peaks, size=recipe.size, spacing=recipe.spacing, sea_level=recipe.sea_level)
    assert landform.build(again).sha256() == landform.build(recipe).sha256()


def test_peaks_as_a_table_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = Recipe.preset("uplift").peaks_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["i", "j", "height", "radius"]


def test_lines_of_a_upd_file_that_were_not_edited_keep_their_text(tmp_path):
    path = tmp_path / "two.upd"
    text = "100 100\n10.0 10.0\n2\n1 2 4000 200.0\n3 4 +50 60\n"
    path.write_text(text)
    recipe = Recipe.load(path)
    assert recipe.to_upd() == text
    recipe.set("peaks.peaks", [[1, 2, 4000, 200], [9, 4, 50, 60]]).save(path)
    assert path.read_text() == text.replace("3 4 +50 60", "9 4 50 60")


def test_upd_is_read_and_written(tmp_path):
    path = tmp_path / "two.upd"
    path.write_text("33 17\n10 10\n2\n5 6 100 80\n-3 2 50.5 200\n")
    recipe = Recipe.load(path)
    assert recipe.size == (33, 17) and recipe.peaks()["i"].tolist() == [5, -3]
    recipe.save(tmp_path / "again.upd")
    again = Recipe.load(tmp_path / "again.upd")
    assert landform.build(again).sha256() == landform.build(recipe).sha256()
    path.write_text("33 17\n10 10\n2\n5 6 100 80\n")
    with pytest.raises(landform.Error, match="two.upd"):
        Recipe.load(path)


def test_pads_come_from_a_list_and_from_a_file(tmp_path):
    pads = [{"name": "town", "x": 2000, "z": 2500, "radius": 400, "margin": 300, "level": 120}]
    (tmp_path / "pads.json").write_text(json.dumps({"pads": pads}))
    listed = landform.build(Recipe.preset("fbm").with_pads(pads))
    read = landform.build(Recipe.preset("fbm").with_pads(tmp_path / "pads.json"))
    assert listed.sha256() == read.sha256()
    i, j = round(2000 / listed.spacing[0]), round(2500 / listed.spacing[1])
    assert listed.height[j, i] == pytest.approx(120, abs=0.01)
    (tmp_path / "pads.json").write_text('{"pads": [{"x": "here"}]}')
    with pytest.raises(landform.Error, match="pads.json"):
        Recipe.preset("fbm").with_pads(tmp_path / "pads.json")


def test_an_array_stands_in_for_a_painted_mask():
    mask = np.zeros((65, 65), np.float32)
    mask[:, 33:] = 1
    plane = stages.plane(height=100, mask={"kind": "image", "file": "east.png"})
    terrain = landform.build(Recipe.of(plane, size=65).with_input("east.png", mask))
    assert terrain.height[10, 0] == 0 and terrain.height[10, 64] == 100


def test_an_unknown_preset_names_those_there_are():
    with pytest.raises(landform.Error, match="mountains"):
        Recipe.preset("alps")
