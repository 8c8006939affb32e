"""The same recipe gives the same bytes, and the same words, as the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import landform

from conftest import PRESETS


def hashes(folder: Path) -> dict[str, str]:
    manifest = json.loads((folder / "landform.json").read_text())
    return {layer["name"]: layer["sha256"] for layer in manifest["layers"]}


@pytest.mark.parametrize("preset", ["paper_islands", "hard_core", "gorge", "ridges", "town"])
def test_every_layer_has_the_hash_of_the_command_line(program, tmp_path, preset):
    recipe = landform.Recipe.preset(preset).with_seed(11).with_size((200, 150))
    recipe.save(tmp_path / "recipe.toml")
    assert program("build", "recipe.toml", "-q", "-o", "out/").returncode == 0
    terrain = landform.build(recipe)
    assert {name: terrain.sha256(name) for name in terrain} == hashes(tmp_path / "out")


def test_hashes_on_record_hold():
    wanted = {}
    for line in (PRESETS / "hashes.txt").read_text().splitlines():
        if not line.startswith("#"):
            recipe, layer, digest = line.split()
            wanted.setdefault(recipe, {})[layer] = digest
    for recipe in ["uplift.toml", "fbm.toml", "river.toml"]:
        terrain = landform.build(PRESETS / recipe)
        assert {name: terrain.sha256(name) for name in terrain} == wanted[recipe]


def test_the_bundle_is_that_of_the_command_line(program, tmp_path):
    assert program("build", "river", "--size", "129x129", "-q", "-o", "theirs/").returncode == 0
    landform.build("river", size=129).bundle(tmp_path / "ours")
    theirs = {path.name: path.read_bytes() for path in (tmp_path / "theirs").iterdir()}
    ours = {path.name: path.read_bytes() for path in (tmp_path / "ours").iterdir()}
    assert ours.keys() == theirs.keys()
    for name in theirs.keys() - {"landform.json", "recipe.toml"}:
        assert ours[name] == theirs[name], name
    assert json.loads(ours["landform.json"])["layers"] == json.loads(theirs["landform.json"])["layers"]


@pytest.mark.parametrize(
    "change",
    [
        ("uplift", "uplift.peeks", "3"),
        ("uplift", "uplift.peaks", "0"),
        ("fbm", "noise.basis", "perlino"),
        ("uplift", "nothing.x", "1"),
    ],
)
def test_errors_have_the_words_of_the_command_line(program, change):
    preset, path, value = change
    said = program("build", preset, "--set", f"{path}={value}", "-o", "x.npy").stderr
    with pytest.raises(landform.Error) as raised:
        landform.Recipe.preset(preset).set(path, int(value) if value.isdigit() else value)
    assert str(raised.value) in said


def test_an_error_tells_its_place(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('version = 1\nsize = [9, 9]\nspacing = [1, 1]\n\n[[stage]]\nkind = "uplift"\npeeks = 4\n')
    with pytest.raises(landform.Error, match="did you mean `peaks`") as raised:
        landform.Recipe.load(path)
    error = raised.value
    assert (error.stage, error.file, error.line, error.column) == ((1, "uplift"), str(path), 7, 1)


def test_a_recipe_newer_than_the_package_is_refused():
    with pytest.raises(landform.Error, match="version is 2, but this program reads recipes up to version 1"):
        landform.Recipe("version = 2\nsize = [9, 9]\nspacing = [1, 1]\n")
