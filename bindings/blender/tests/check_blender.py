# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the extension into a real Blender (the module `bpy`) and uses it as an artist does.

python check_blender.py EXTENSION.zip FOLDER
"""

import json
import os
import sys
import tempfile
import traceback

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()
import bpy  # noqa: E402
import numpy as np  # noqa: E402

ZIP, FOLDER = sys.argv[1:3]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.extensions.package_install_files(filepath=ZIP, repo="user_default", enable_on_install=True)
import landform  # noqa: E402
import landform_blender  # noqa: E402

QUICK = {"samples": 129, "lattice": 129}


def empty_scene():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)


def heights(obj):
    """Heights of a terrain in metres: rows from north to south."""
    me = obj.data
    places = np.empty(len(me.vertices) * 3, np.float32)
    me.vertices.foreach_get("co", places)
    columns, rows = me["landform_size"]
    return places[2::3].reshape(columns, rows).T[::-1] * obj.landform.metres_per_unit


def add(**options):
    assert bpy.ops.landform.add(**{**QUICK, **options}) == {"FINISHED"}
    return bpy.context.object


def refused(call, *words):
    """What an operator says when it cannot do what it is asked to."""
    try:
        call()
    except RuntimeError as error:
        text = str(error)
        assert all(word in text for word in words), text
        assert "Traceback" not in text, text
        return
    raise AssertionError(f"was not refused: {words}")


def adding_gives_a_mesh_with_everything():
    obj = add()
    me = obj.data
    assert not me.validate(), "the mesh had to be corrected"
    assert len(me.vertices) == 129 * 129 and len(me.polygons) == 128 * 128
    assert me.uv_layers and all(polygon.use_smooth for polygon in me.polygons[:10])
    names = {attribute.name for attribute in me.attributes}
    assert {"flow", "sediment", "slope", "wetness", "river", "height"} <= names, names
    assert me.materials[0].node_tree.nodes
    rivers = next(child for child in obj.children if child.type == "CURVE")
    assert len(rivers.data.splines) >= 1 and rivers.data.splines[0].points[0].radius > 0
    assert heights(obj).std() > 20
    evaluated = rivers.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    assert len(evaluated.polygons) > 10, "a river is a ribbon"


def uvs_and_layers_lie_where_the_ground_does():
    recipe = landform.Recipe.of(landform.stages.noise(amplitude=400), size=(150, 97), spacing=(20, 30))
    obj = landform_blender.build(recipe, samples=150, lattice=0)
    me, terrain = obj.data, landform.build(recipe)
    corners = np.empty(len(me.loops), np.int32)
    me.loops.foreach_get("vertex_index", corners)
    places = np.empty(len(me.vertices) * 3, np.float32)
    me.vertices.foreach_get("co", places)
    ground = places.reshape(-1, 3)[:, :2] / np.array(me["landform_extent"]) + 0.5
    uvs = np.empty(len(me.loops) * 2, np.float32)
    me.uv_layers.active.uv.foreach_get("vector", uvs)
    assert np.allclose(uvs.reshape(-1, 2), ground[corners], atol=1e-5), "a UV is a place on the map"
    for name, wanted in (("height", terrain.height), ("slope", steepness(terrain))):
        values = np.empty(len(me.vertices), np.float32)
        me.attributes[name].data.foreach_get("value", values)
        assert np.allclose(values.reshape(150, 97).T[::-1], wanted, atol=1e-3), name


def steepness(terrain):
    """Slope in degrees."""
    south, east = np.gradient(terrain.height.astype(float), terrain.spacing[1], terrain.spacing[0])
    return np.degrees(np.arctan(np.hypot(south, east)))


def the_bytes_are_those_of_the_recipe():
    for preset in ("uplift", "gorge"):
        obj = add(preset=preset, lattice=0)
        recipe = landform.Recipe.preset(preset)
        terrain = landform.build(recipe, size=(129, 129))
        assert landform.build(landform_blender.recipe(obj)).sha256() == terrain.sha256(), preset
        assert np.allclose(heights(obj), terrain.height, atol=0.01)
    corner = obj.data.vertices[0].co
    assert corner.x < 0 and corner.y < 0 and abs(corner.z * 100 - terrain.height[-1, 0]) < 0.01, "x is east, y is north"


def a_parameter_changes_the_same_mesh():
    obj = add(preset="fbm")
    before, me = heights(obj), obj.data
    obj.landform.stages[0].noise.amplitude = 50.0
    assert bpy.ops.landform.rebuild() == {"FINISHED"}
    assert obj.data == me and np.ptp(heights(obj)) < np.ptp(before) / 2
    obj.landform.stages[0].noise.octaves = 3
    obj.landform.samples = 65
    landform_blender.rebuild(obj)
    assert heights(obj).shape == (65, 65)


def every_stage_has_its_parameters():
    obj = add(preset="fbm")
    for kind in json.loads(landform.schema())["$defs"]["Stage"]["oneOf"]:
        assert bpy.ops.landform.stage_add(kind=kind["title"]) == {"FINISHED"}
        stage = obj.landform.stages[-1]
        group = getattr(stage, kind["title"])
        assert len(group.bl_rna.properties) > 2, kind["title"]
    assert bpy.ops.landform.stage_move(index=len(obj.landform.stages) - 1, by=0) == {"FINISHED"}


def another_path_seed_is_another_river():
    first, second = add(preset="river"), None
    course = [tuple(point.co) for point in first.children[0].data.splines[0].points]
    river = next(stage for stage in first.landform.stages if stage.kind == "river")
    river.variation = 4
    landform_blender.rebuild(first)
    second = [tuple(point.co) for point in first.children[0].data.splines[0].points]
    assert course != second


def a_peak_that_moves_takes_its_mountain_along():
    obj = add(preset="uplift")
    before = heights(obj)
    assert bpy.ops.landform.peaks(count=12) == {"FINISHED"}
    assert np.allclose(heights(obj), before, atol=0.5), "taking hold of peaks changes nothing"
    peaks = sorted((child for child in obj.children if child.type == "EMPTY"), key=lambda child: -child.location.z)
    assert len(peaks) == 12
    peaks[0].location.x += 10
    peaks[0].location.z *= 3
    landform_blender.rebuild(obj)
    moved = heights(obj)
    assert np.abs(moved - before).max() > 5
    bpy.data.objects.remove(peaks[0])
    landform_blender.rebuild(obj)
    assert heights(obj).mean() < moved.mean()


def a_preview_follows_a_peak_before_the_terrain_is_built():
    from bl_ext.user_default.landform import job, markers

    peaks = landform.stages.peaks(peaks=[[40, 40, 900, 3000], [90, 80, 700, 2500]], divisor=1)
    evolve = landform.stages.evolve(start=1, uplift=1.5, years=1_000_000, erodibility=1.2e-5)
    recipe = landform.Recipe.of(peaks, evolve, size=129, spacing=60.0, seed=3)
    obj = landform_blender.build(recipe, samples=129, lattice=0)
    before, built = heights(obj), obj.data["landform_built"]
    landform_blender.peaks(obj, 1)
    empty = next(child for child in obj.children if child.type == "EMPTY")
    empty.location.x += 15
    bpy.context.view_layer.update()
    markers.begin(obj)
    quick = markers.PREVIEWS.pop(obj.name)
    assert quick.result().shape == (129, 129)
    markers.show(obj, quick)
    coarse = heights(obj)
    assert np.abs(coarse - before).max() > 100, "the mountain moves"
    assert obj.data["landform_built"] == built, "the terrain is yet to be built"
    landform_blender.rebuild(obj)
    whole = heights(obj)
    assert np.corrcoef(coarse.ravel(), whole.ravel())[0, 1] > 0.9 and not np.array_equal(coarse, whole)
    # Where all is quick, nothing comes first.
    plain = add(preset="fbm")
    assert job.coarse(job.recipe_for(plain)) is None
    markers.begin(plain)
    assert not markers.PREVIEWS


def an_empty_makes_the_ground_level():
    obj = add(preset="fbm")
    empty = bpy.data.objects.new("Town", None)
    bpy.context.collection.objects.link(empty)
    empty.location, empty.empty_display_size = (5, -4, 2), 6
    empty.select_set(True)
    bpy.context.view_layer.update()
    assert bpy.ops.landform.pads(use_level=True) == {"FINISHED"}
    level = heights(obj)
    step = obj.data["landform_extent"][0] / 128
    i, j = (
        round((5 + obj.data["landform_extent"][0] / 2) / step),
        round((obj.data["landform_extent"][1] / 2 + 4) / step),
    )
    assert np.allclose(level[j - 2 : j + 3, i - 2 : i + 3], 200, atol=0.5), level[j - 2 : j + 3, i - 2 : i + 3]
    empty.location.x = -20
    landform_blender.rebuild(obj)
    assert not np.allclose(heights(obj)[j, i], 200, atol=0.5)


def a_pads_file_drives_it_by_script():
    path = os.path.join(FOLDER, "pads.json")
    with open(path, "w") as file:
        json.dump({"pads": [{"name": "scene", "x": 3000, "z": 4000, "radius": 500, "margin": 300, "level": 222}]}, file)
    obj = add(preset="fbm", pads_file=path)
    assert (np.abs(heights(obj) - 222) < 0.5).sum() > 10
    built = landform_blender.build("fbm", samples=129, pads=path)
    assert np.allclose(heights(built), heights(obj), atol=0.01)
    with open(path, "w") as file:
        file.write('{"pads": [{"x": "left"}]}')
    refused(lambda: bpy.ops.landform.rebuild(name=obj.name), "pads.json")
    refused(lambda: bpy.ops.landform.add(preset="fbm", pads_file=path), "pads.json")


def painted_hardness_keeps_a_rock_standing():
    recipe = landform.Recipe.preset("hard_core").to_dict()
    for stage in recipe["stage"]:
        stage.pop("rocks", None)
        if stage["kind"] == "hydraulic":
            stage["steps"], stage["rock"] = 150, "clay"
    obj = landform_blender.build(landform.Recipe.from_dict(recipe), samples=129, lattice=129)
    soft = heights(obj)
    group = obj.vertex_groups.new(name="hard")
    columns, rows = obj.data["landform_size"]
    middle = [x * rows + y for x in range(54, 75) for y in range(54, 75)]
    group.add(middle, 1.0, "REPLACE")
    obj.landform.hardness = "hard"
    landform_blender.rebuild(obj)
    hard = heights(obj)
    assert (hard - soft)[56:73, 56:73].mean() > 5, (hard - soft)[56:73, 56:73].mean()
    colours = obj.data.attributes.new("paint", "FLOAT_COLOR", "POINT")
    values = np.zeros((columns * rows, 4), np.float32)
    values[middle] = 1
    colours.data.foreach_set("color", values.ravel())
    obj.landform.hardness = "paint"
    landform_blender.rebuild(obj)
    assert np.allclose(heights(obj), hard, atol=0.5), "a colour paints as a weight does"
    obj.landform.hardness = "missing"
    refused(lambda: bpy.ops.landform.rebuild(), "missing")


def undo_and_redo_work():
    empty_scene()
    bpy.ops.ed.undo_push(message="before")
    count = len(bpy.data.objects)
    add(preset="fbm")
    bpy.ops.ed.undo_push(message="added")
    assert len(bpy.data.objects) > count
    bpy.ops.ed.undo()
    assert len(bpy.data.objects) == count
    bpy.ops.ed.redo()
    assert bpy.data.objects["Landform"].landform.is_terrain


def a_live_edit_is_one_step_of_undo():
    from bl_ext.user_default.landform import undo

    empty_scene()
    obj = add(preset="fbm")
    first = heights(obj)
    bpy.ops.ed.undo_push(message="added")
    obj.landform.stages[0].noise.amplitude = 50.0
    bpy.ops.ed.undo_push(message="50 m")
    bpy.ops.landform.rebuild()
    bpy.ops.ed.undo_push(message="Rebuild")
    assert undo.fits(bpy.data.objects["Landform"])
    bpy.ops.ed.undo()
    assert undo.is_between(), "the edit, and not yet the mesh"
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Landform"]
    assert undo.fits(obj) and not undo.is_between()
    assert obj.landform.stages[0].noise.amplitude != 50 and np.array_equal(heights(obj), first)
    bpy.ops.ed.redo()
    assert undo.is_between()
    bpy.ops.ed.redo()
    obj = bpy.data.objects["Landform"]
    assert undo.fits(obj) and np.ptp(heights(obj)) < np.ptp(first) / 2
    obj.landform.live = False
    obj.landform.seed += 1
    assert undo.fits(obj) is None, "nothing follows by itself"


def a_file_is_saved_and_goes_on():
    empty_scene()
    obj = add(preset="uplift", seed=9)
    bpy.ops.landform.peaks(count=5)
    before = heights(obj)
    path = os.path.join(FOLDER, "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    empty_scene()
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects["Landform"]
    assert obj.landform.seed == 9 and np.array_equal(heights(obj), before)
    landform_blender.rebuild(obj)
    assert np.allclose(heights(obj), before, atol=1e-3)


def upd_goes_in_and_out():
    empty_scene()
    path = os.path.join(FOLDER, "two.upd")
    with open(path, "w") as file:
        file.write("65 65\n20 20\n2\n20 30 900 500\n45 40 600 300\n")
    assert bpy.ops.landform.import_recipe(filepath=path, samples=65) == {"FINISHED"}
    obj = bpy.context.object
    assert np.allclose(heights(obj), landform.build(path).height, atol=0.1)
    again = os.path.join(FOLDER, "again.upd")
    assert bpy.ops.landform.export(filepath=again) == {"FINISHED"}
    first, second = (landform.Recipe.load(name).peaks() for name in (path, again))
    assert np.array_equal(np.sort(first["i"]), np.sort(second["i"])) and np.allclose(
        np.sort(first["height"]), np.sort(second["height"]), rtol=1e-5
    )
    for name in ("height.exr", "height.tif", "recipe.toml", "mesh.glb"):
        assert bpy.ops.landform.export(filepath=os.path.join(FOLDER, name)) == {"FINISHED"}


def a_displacement_lifts_the_grid_as_high_as_the_mesh():
    flat = add(preset="fbm", output="DISPLACE")
    assert np.ptp(heights(flat)) == 0
    evaluated = flat.evaluated_get(bpy.context.evaluated_depsgraph_get())
    me = evaluated.to_mesh()
    lifted = np.empty(len(me.vertices) * 3, np.float32)
    me.vertices.foreach_get("co", lifted)
    solid = heights(add(preset="fbm")) / 100
    assert abs(np.ptp(lifted[2::3]) - np.ptp(solid)) < 0.1 * np.ptp(solid)


def the_sea_and_vertex_groups_come_when_wanted():
    obj = add(preset="paper_islands", with_groups=True)
    sea = next(child for child in obj.children if child.type == "MESH")
    level = obj.landform.sea_level / obj.landform.metres_per_unit
    assert abs(sea.data.vertices[0].co.z - level) < 1e-4
    assert obj.vertex_groups.get("slope") is not None
    obj.landform.with_water = False
    landform_blender.rebuild(obj)
    assert not any(child.type == "MESH" for child in obj.children)


LAKES = """
version = 1
seed = 5
size = [129, 97]
spacing = [30, 30]
[[stage]]
kind = "noise"
wavelength = 1500
amplitude = 150
[[stage]]
kind = "drainage"
lake_depth = 1
lake_area = 4000
"""


def lakes_are_level_water_on_the_ground():
    obj = add(recipe=LAKES, lattice=0)
    lakes = next(child for child in obj.children if child.get("landform_role") == "LAKES")
    places = np.array([vertex.co for vertex in lakes.data.vertices])
    assert len(lakes.data.polygons) > 4 and len(np.unique(places[:, 2])) > 1
    assert all(polygon.normal.z > 0 or polygon.area < 1e-9 for polygon in lakes.data.polygons), "seen from above"
    columns, rows = obj.data["landform_size"]
    x, y = obj.data["landform_extent"]
    ground = heights(obj) / obj.landform.metres_per_unit
    # In the middle of its triangles water stands above the ground, as a rule.
    depths = []
    for polygon in lakes.data.polygons:
        i = round((polygon.center.x + x / 2) / x * (columns - 1))
        j = round((y / 2 - polygon.center.y) / y * (rows - 1))
        depths.append((polygon.center.z - ground[j, i]) * polygon.area)
    assert sum(depths) > 0 and np.mean(np.array(depths) > 0) > 0.6, np.mean(np.array(depths) > 0)
    obj.landform.with_water = False
    landform_blender.rebuild(obj)
    assert not any(child.get("landform_role") == "LAKES" for child in obj.children)


def lists_and_masks_are_texts_that_are_checked():
    obj = add(preset="fbm")
    stage = obj.landform.stages[0]
    mask = stage.texts["mask"]
    before = heights(obj)
    mask.text = '{ kind = "gradient", from = [0, 0], to = [0, '
    assert "value" in mask.wrong or "line" in mask.wrong, mask.wrong
    mask.text = '{ kind = "gradiant" }'
    assert "gradient" in mask.wrong, mask.wrong
    landform_blender.rebuild(obj)
    assert np.array_equal(heights(obj), before), "what is wrong does not count"
    side = landform.build(landform_blender.recipe(obj)).spacing[0] * 128
    mask.text = f'{{ kind = "region", region = {{ kind = "circle", center = [0, 0], radius = {side / 2} }} }}'
    assert not mask.wrong, mask.wrong
    landform_blender.rebuild(obj)
    masked = heights(obj)
    assert np.ptp(masked[-30:, -30:]) == 0 and np.array_equal(masked[:20, :20], before[:20, :20])
    mask.text = ""
    landform_blender.rebuild(obj)
    assert np.array_equal(heights(obj), before)
    obj = add(preset="hard_core")
    rocks = next(stage.texts["rocks"] for stage in obj.landform.stages if "rocks" in stage.texts)
    rocks.text = rocks.text.replace("granite", "cheese")
    assert "cheese" in rocks.wrong, rocks.wrong


def what_is_wrong_is_said_without_a_traceback():
    empty_scene()
    refused(lambda: bpy.ops.landform.rebuild(), "no terrain")
    newer = "version = 2\nsize = [9, 9]\nspacing = [1, 1]\n"
    refused(lambda: bpy.ops.landform.add(recipe=newer), "version is 2")
    obj = add(preset="fbm")
    obj.landform.stages[0].kind = "glacier"
    refused(lambda: bpy.ops.landform.rebuild(), "newer Landform")
    count = len(bpy.data.objects)
    refused(lambda: bpy.ops.landform.add(recipe="missing.toml"), "missing.toml")
    assert len(bpy.data.objects) == count, "nothing half-made is left"


def one_sample_wide_ground_is_refused_or_built():
    for size in ([1, 9], [2, 2]):
        recipe = landform.Recipe.of(landform.stages.plane(), size=tuple(size), spacing=10)
        obj = landform_blender.build(recipe, samples=2) if min(size) > 1 else None
        assert obj is None or len(obj.data.vertices) == 4


def the_extension_goes_away_cleanly():
    bpy.ops.preferences.addon_disable(module="bl_ext.user_default.landform")
    assert not hasattr(bpy.types, "LANDFORM_OT_add")
    bpy.ops.preferences.addon_enable(module="bl_ext.user_default.landform")
    assert add(preset="fbm").landform.is_terrain


CHECKS = [
    adding_gives_a_mesh_with_everything,
    uvs_and_layers_lie_where_the_ground_does,
    the_bytes_are_those_of_the_recipe,
    a_parameter_changes_the_same_mesh,
    every_stage_has_its_parameters,
    another_path_seed_is_another_river,
    a_peak_that_moves_takes_its_mountain_along,
    a_preview_follows_a_peak_before_the_terrain_is_built,
    an_empty_makes_the_ground_level,
    a_pads_file_drives_it_by_script,
    painted_hardness_keeps_a_rock_standing,
    undo_and_redo_work,
    a_live_edit_is_one_step_of_undo,
    a_file_is_saved_and_goes_on,
    upd_goes_in_and_out,
    a_displacement_lifts_the_grid_as_high_as_the_mesh,
    the_sea_and_vertex_groups_come_when_wanted,
    lakes_are_level_water_on_the_ground,
    lists_and_masks_are_texts_that_are_checked,
    what_is_wrong_is_said_without_a_traceback,
    one_sample_wide_ground_is_refused_or_built,
    the_extension_goes_away_cleanly,
]


def main():
    os.makedirs(FOLDER, exist_ok=True)
    failed = []
    for check in CHECKS:
        try:
            check()
            print("ok     ", check.__name__.replace("_", " "))
        except Exception:  # noqa: BLE001 - all checks run, whatever the others say
            failed.append(check.__name__)
            traceback.print_exc()
            print("FAILED ", check.__name__.replace("_", " "))
    version = bpy.app.version_string
    print(f"Blender {version}: {len(CHECKS) - len(failed)} of {len(CHECKS)} checks passed")
    # Blender's own clean-up at exit may end with a signal; the result is known by now.
    sys.stdout.flush()
    os._exit(1 if failed else 0)


main()
