# SPDX-License-Identifier: GPL-3.0-or-later
"""Times generation and mesh on one core, and beside A.N.T. Landscape if Blender has it.

python speed.py EXTENSION.zip FOLDER_WITH_ant_landscape
"""

import os
import sys
import tempfile
import time

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()
os.environ["RAYON_NUM_THREADS"] = "1"
import bpy  # noqa: E402

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
import bl_ext.user_default.landform as extension  # noqa: E402
import landform  # noqa: E402
import landform_blender  # noqa: E402
from landform import stages  # noqa: E402


def seconds(work):
    """Processor time, the least of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def fbm(side):
    return landform.Recipe.of(
        stages.noise(octaves=8, wavelength=1000, amplitude=300), size=side, spacing=2000 / (side - 1)
    )


def ours(side):
    recipe = fbm(side)
    generation = seconds(lambda: landform.build(recipe))
    terrain = landform.build(recipe)
    obj = landform_blender.build(recipe, samples=side, with_material=False)

    def whole_mesh():
        obj.data["landform_size"] = [0, 0]
        extension.mesh.write(obj, terrain)

    mesh = seconds(whole_mesh)
    again = seconds(lambda: extension.mesh.write(obj, terrain))
    print(f"{side}²: generation {generation:.3f} s, mesh {mesh:.3f} s, mesh again {again:.3f} s")
    bpy.data.objects.remove(obj)
    return generation + mesh


def erosion(side, steps):
    ground = landform.build(fbm(side)).height
    step = stages.hydraulic(steps=steps, levels=1, sea=False)
    return seconds(lambda: landform.apply(ground, step, spacing=2000 / (side - 1))) / (side * side * steps)


def ant(side):
    """A.N.T. Landscape's fBm operator, and its solver of erosion by the cell and step."""
    sys.path.insert(0, sys.argv[2])
    import ant_landscape
    from ant_landscape.eroder import Grid

    ant_landscape.register()
    bpy.ops.object.select_all(action="DESELECT")
    options = {
        "noise_type": "fractal",
        "basis_type": "PERLIN_NEW",
        "noise_depth": 8,
        "edge_falloff": "0",
        "refresh": True,
    }
    start = time.process_time()
    bpy.ops.mesh.landscape_add(subdivision_x=side, subdivision_y=side, **options)
    add = time.process_time() - start
    grid = Grid.fromBlenderMesh(bpy.context.object.data, None, 0.0)
    grid.init_water_and_sediment()
    start = time.process_time()
    for _ in range(10):
        grid.rain(0.01, 0, False)
        grid.river(0.9, 0.5, 0.1, 1.0, 0.5, False)
    return add, (time.process_time() - start) / (side * side * 10)


def main():
    for side in (1024, 4096):
        total = ours(side)
        if side == 1024:
            whole = total
    cell = erosion(512, 400)
    print(f"erosion: {cell * 1e9:.1f} ns a cell and step")
    if len(sys.argv) > 2:
        add, theirs = ant(1024)
        print(f"A.N.T.: fBm operator {add:.2f} s, erosion {theirs * 1e6:.2f} µs a cell and step")
        print(f"ratios: fBm to mesh {add / whole:.0f} times, erosion {theirs / cell:.0f} times")
    sys.stdout.flush()
    os._exit(0)


main()
