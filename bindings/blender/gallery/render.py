# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the pictures of the documentation with Cycles: `cargo xtask blender --render` calls it.

python gallery.py EXTENSION.zip FOLDER [NAME ...]
"""

import math
import os
import sys
import tempfile

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()
import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

ZIP, FOLDER = sys.argv[1:3]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.extensions.package_install_files(filepath=ZIP, repo="user_default", enable_on_install=True)
import landform  # noqa: E402
import landform_blender  # noqa: E402
from landform import stages  # noqa: E402

SIZE = tuple(int(side) for side in os.environ.get("LANDFORM_RENDER", "960x540").split("x"))
SAMPLES = int(os.environ.get("LANDFORM_SAMPLES", "48"))


def scene(eye, aim, lens=35.0):
    """Sun, sky and camera."""
    world = bpy.data.worlds.new("Sky")
    bpy.context.scene.world = world
    if bpy.app.version < (5, 0, 0):
        world.use_nodes = True
    nodes = world.node_tree.nodes
    background = nodes.get("Background") or nodes.new("ShaderNodeBackground")
    background.inputs["Color"].default_value = (0.42, 0.6, 0.85, 1)
    background.inputs["Strength"].default_value = 0.8
    out = nodes.get("World Output") or nodes.new("ShaderNodeOutputWorld")
    world.node_tree.links.new(background.outputs[0], out.inputs[0])
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle, light.color = 4.5, math.radians(1), (1.0, 0.93, 0.82)
    sun = bpy.data.objects.new("Sun", light)
    sun.rotation_euler = (math.radians(66), 0, math.radians(60))
    bpy.context.collection.objects.link(sun)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens, camera.data.clip_end = lens, 10_000
    camera.location = eye
    camera.rotation_euler = (Vector(aim) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def render(name, size=SIZE):
    found = bpy.context.scene
    found.render.engine = "CYCLES"
    found.cycles.samples, found.cycles.use_denoising = SAMPLES, True
    found.render.resolution_x, found.render.resolution_y = size
    found.view_settings.view_transform = "AgX"
    found.view_settings.look = "AgX - Medium High Contrast"
    found.render.filepath = os.path.join(FOLDER, f"{name}.png")
    bpy.ops.render.render(write_still=True)
    print(found.render.filepath)


def fresh():
    bpy.ops.wm.read_homefile(use_empty=True)


def rivers():
    """Figure 6: three results that differ only by the course of the river."""
    table = landform.Recipe.preset("natural").to_dict()
    table["stage"] = [stage for stage in table["stage"] if stage["kind"] != "flatten"]
    names = []
    for number in range(3):
        fresh()
        obj = landform_blender.build(landform.Recipe.from_dict(table), samples=641, lattice=385, name="Terrain")
        river = next(stage for stage in obj.landform.stages if stage.kind == "river")
        river.variation = number
        landform_blender.rebuild(obj)
        scene((0, -60, 25), (0, -10, 1))
        names.append(f"rivers-{number}")
        render(names[-1], (SIZE[0] * 2 // 3, SIZE[1]))
    join(names, "blender-rivers")


def transition():
    """Figure 2: from tightly rock-controlled to flood plain, with a flat place."""
    fresh()
    recipe = landform.Recipe.preset("jagged_to_floodplain")
    obj = landform_blender.build(recipe, samples=1025, name="Terrain", metres_per_unit=200)
    town = bpy.data.objects.new("Town", None)
    bpy.context.collection.objects.link(town)
    town.location, town.empty_display_size = (-17, 4, 0), 4.5
    town.select_set(True)
    bpy.context.view_layer.update()
    bpy.ops.landform.pads(margin=0.7)
    ring(town)
    scene((-4, -74, 36), (0, -4, 0))
    render("blender-transition")


def ring(town):
    """Circles a flat place in red, as the paper does."""
    hit, place, *_ = bpy.context.scene.ray_cast(
        bpy.context.evaluated_depsgraph_get(), (town.location.x, town.location.y, 100), (0, 0, -1)
    )
    bpy.ops.curve.primitive_bezier_circle_add(radius=town.empty_display_size, location=place if hit else town.location)
    circle = bpy.context.object.data
    circle.bevel_depth = 0.09
    red = bpy.data.materials.new("Ring")
    if bpy.app.version < (5, 0, 0):
        red.use_nodes = True
    red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.8, 0.03, 0.02, 1)
    circle.materials.append(red)


def hardness():
    """Figure 1: a painted rock stays while the hill around it goes."""
    hill = landform.Recipe.of(
        stages.peaks(peaks=[(128, 128, 420, 900)], divisor=1),
        stages.smooth(radius=60),
        stages.noise(wavelength=250, amplitude=12, octaves=6),
        stages.hydraulic(steps=350, rock="clay"),
        size=257,
        spacing=8,
        seed=5,
    )
    names = []
    for is_hard in (False, True):
        fresh()
        obj = landform_blender.build(hill, samples=513, name="Hill", metres_per_unit=30)
        if is_hard:
            group = obj.vertex_groups.new(name="hard")
            for vertex in obj.data.vertices:
                away = math.hypot(vertex.co.x - 1, vertex.co.y + 2)
                edge = 7 + 1.5 * math.sin(5 * math.atan2(vertex.co.y, vertex.co.x))
                if away < edge:
                    group.add([vertex.index], min(1.0, edge - away), "REPLACE")
            obj.landform.hardness = "hard"
            landform_blender.rebuild(obj)
        scene((0, -62, 26), (0, -2, 4), 45)
        names.append(f"hardness-{int(is_hard)}")
        render(names[-1], (SIZE[0] * 2 // 3, SIZE[1]))
    join(names, "blender-hardness")


def join(names, out):
    """Pictures side by side, with Blender's own pixels."""
    import numpy as np

    parts = []
    for name in names:
        path = os.path.join(FOLDER, f"{name}.png")
        image = bpy.data.images.load(path)
        width, height = image.size
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
        parts.append(pixels.reshape(height, width, 4))
        os.remove(path)
    whole = np.concatenate(parts, axis=1)
    image = bpy.data.images.new(out, whole.shape[1], whole.shape[0])
    image.pixels.foreach_set(np.ascontiguousarray(whole).ravel())
    image.filepath_raw, image.file_format = os.path.join(FOLDER, f"{out}.png"), "PNG"
    image.save()
    print(image.filepath_raw)


PICTURES = {"rivers": rivers, "transition": transition, "hardness": hardness}

if __name__ == "__main__":
    for wanted in sys.argv[3:] or PICTURES:
        PICTURES[wanted]()
    sys.stdout.flush()
    os._exit(0)
