"""The import scripts do what they say: python3 check_scripts.py FOLDER

FOLDER has the exports unity/, unreal/ and terrain3d/, all of 2 x 2 tiles, and beside each the heights of the whole terrain as NAME.npy.

The script for Unity is compiled by mcs against unity/UnityStub.cs and run by mono; that for Unreal runs with a module `unreal` that places landscapes as the
engine does; that for Terrain3D is parsed and linted by gdtoolkit, and its numbers are compared with the files.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types

here = pathlib.Path(__file__).parent
folder = pathlib.Path(sys.argv[1])
wrong = 0


def told(name, problems):
    global wrong
    print(f"{name}: {'; '.join(problems) or 'good'}")
    wrong += bool(problems)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"{command[0]}: {done.stdout}{done.stderr}".strip()]


def whole(name):
    manifest = json.loads((folder / name / "landform.json").read_text())
    heights = np.load(folder / f"{name}.npy")
    problems = [] if list(heights.shape) == manifest["size"][::-1] else [f"{heights.shape} is not {manifest['size']}"]
    return heights, manifest, problems


def compare(name, found, expected, tolerance):
    most = float(np.abs(np.asarray(found, np.float64) - expected).max())
    return [] if most <= tolerance else [f"{name} is up to {most} off, {tolerance} is allowed"]


def unity():
    script = next((folder / "unity").glob("LandformImport_*.cs"))
    heights, manifest, problems = whole("unity")
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch, "check.exe")
        stub = here / "unity" / "UnityStub.cs"
        problems += run("mcs", "-nologo", "-warnaserror+", "-nowarn:649", "-define:UNITY_EDITOR", f"-out:{program}", stub, script)
        # In the player there is no editor: nothing is left of the script.
        problems += run("mcs", "-nologo", "-target:library", f"-out:{scratch}/player.dll", script)
        problems = problems or run("mono", program, folder / "unity", scratch)
        if problems:
            return problems
        lines = pathlib.Path(scratch, "terrains.tsv").read_text().splitlines()
        dx, dz = manifest["spacing"]
        depth = (heights.shape[0] - 1) * dz
        places = {}
        for line in lines:
            name, numbers, side, neighbors, layers = line.split("\t")
            x, y, z, width, height, length = map(float, numbers.split())
            side = int(side)
            places[name] = (x, z, neighbors.split(","))
            values = np.fromfile(f"{scratch}/{name}.heights", np.float32).reshape(side, side)
            # Unity's z goes north, so row 0 is the southernmost.
            left, south = round(x / dx), round(z / dz)
            bottom = heights.shape[0] - 1 - south
            expected = heights[bottom - side + 1 : bottom + 1, left : left + side][::-1]
            problems += compare(f"{name}: heights", y + values.astype(np.float64) * height, expected, 0.6 * height / 65535)
            problems += compare(f"{name}: size", [width, length], [(side - 1) * dx, (side - 1) * dz], 1e-3)
            weights = np.fromfile(f"{scratch}/{name}.weights", np.float32).reshape(side - 1, side - 1, -1)
            image = np.asarray(Image.open(folder / "unity" / f"{name}_splat.png"), np.float64)[::-1] / 255
            corners = (image[:-1, :-1] + image[1:, :-1] + image[:-1, 1:] + image[1:, 1:]) / 4
            problems += compare(f"{name}: weights", weights, corners[:, :, : weights.shape[2]], 1e-6)
            problems += compare(f"{name}: sum of weights", weights.sum(axis=2), 1.0, 1e-5)
            if len(set(layers.split(","))) != weights.shape[2]:
                problems.append(f"{name}: layers {layers}")
        if len(places) != 4:
            problems.append(f"{len(places)} terrains, not 4: {sorted(places)}")
        for name, (x, z, neighbors) in places.items():
            for other, (dx_sign, dz_sign) in zip(neighbors, [(-1, 0), (0, 1), (1, 0), (0, -1)]):
                if other:
                    there = places[other]
                    if (np.sign(round(there[0] - x)), np.sign(round(there[1] - z))) != (dx_sign, dz_sign):
                        problems.append(f"{name}: {other} does not lie there")
        if sum(bool(other) for _, _, neighbors in places.values() for other in neighbors) != 8:
            problems.append(f"neighbours {places}")
        if depth <= 0:
            problems.append("no ground")
    return problems


class Landscape:
    """A landscape after the import of a heightmap: the engine's formula for its heights."""

    def __init__(self, label, levels):
        self.label, self.levels = label, levels.astype(np.float64)
        self.scale, self.location = (100.0, 100.0, 100.0), (0.0, 0.0, 0.0)

    def get_actor_label(self):
        return self.label

    def set_actor_label(self, label):
        self.label = label

    def set_actor_scale3d(self, scale):
        self.scale = (scale.x, scale.y, scale.z)

    def set_actor_location(self, location, sweep, teleport):
        self.location = (location.x, location.y, location.z)

    def metres(self):
        return ((self.levels - 32768) / 128 * self.scale[2] + self.location[2]) / 100

    def get_actor_bounds(self, only_colliding):
        rows, columns = self.levels.shape
        centimetres = 100 * self.metres()
        low, high = centimetres.min(), centimetres.max()
        half = Vector((columns - 1) * self.scale[0] / 2, (rows - 1) * self.scale[1] / 2, (high - low) / 2)
        middle = Vector(self.location[0] + half.x, self.location[1] + half.y, (low + high) / 2)
        return middle, half


class Vector:
    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z


def unreal():
    script = folder / "unreal" / "place_in_unreal.py"
    heights, manifest, problems = whole("unreal")
    text = script.read_text()
    code = compile(text, str(script), "exec")
    said, actors = {"log": [], "warning": []}, []
    fake = types.ModuleType("unreal")
    fake.Vector, fake.Landscape = Vector, Landscape
    fake.EditorActorSubsystem = type("EditorActorSubsystem", (), {"get_all_level_actors": lambda self: actors})
    fake.get_editor_subsystem = lambda kind: kind()
    fake.log, fake.log_warning = said["log"].append, said["warning"].append
    sys.modules["unreal"] = fake
    names = sorted(path for path in (folder / "unreal").glob("*.png") if re.fullmatch(r".*_x\d+_y\d+", path.stem))
    exec(code, {})
    if len(said["warning"]) != len(names) or not any("Section Size" in line for line in said["log"]):
        problems.append(f"an empty level: {said}")
    actors += [Landscape(path.stem, np.asarray(Image.open(path))) for path in names] + [object()]
    said["warning"].clear()
    exec(code, {})
    problems += said["warning"]
    dx, dz = manifest["spacing"]
    for actor in actors[:-1]:
        rows, columns = actor.levels.shape
        i, j = round(actor.location[0] / 100 / dx), round(actor.location[1] / 100 / dz)
        step = actor.scale[2] / 128 / 100
        problems += compare(actor.label, actor.metres(), heights[j : j + rows, i : i + columns], 0.51 * step)
        problems += compare(f"{actor.label}: scale", actor.scale[:2], [100 * dx, 100 * dz], 1e-6)
    if len({actor.location[:2] for actor in actors[:-1]}) != 4:
        problems.append("tiles lie on each other")
    # What was imported with another resolution is noticed.
    actors[0].levels = actors[0].levels[:-5]
    exec(code, {})
    if not any("quads along Y" in line for line in said["warning"]):
        problems.append(f"another resolution: {said['warning']}")
    return problems


def terrain3d():
    import OpenEXR

    script = folder / "terrain3d" / "import_terrain3d.gd"
    heights, manifest, problems = whole("terrain3d")
    tools = pathlib.Path(sys.executable).parent
    problems += run(tools / "gdparse", script) + run(tools / "gdlint", script)
    text = script.read_text()
    spacing = float(re.search(r"VERTEX_SPACING := (\S+)", text)[1])
    region = int(re.search(r"REGION_SIZE := (\d+)", text)[1])
    tile = r'\{\s*"heights": "([^"]+)",\s*"control": "([^"]+)",\s*"position": Vector3\((\S+), 0\.0, (\S+)\),\s*\}'
    tiles = re.findall(tile, text)
    if len(tiles) != 4:
        problems.append(f"{len(tiles)} tiles, not 4")
    problems += compare("spacing", spacing, manifest["spacing"][0], 1e-9)
    covered = np.zeros(heights.shape, int)
    for file, control, x, z in tiles:
        values = OpenEXR.File(str(folder / "terrain3d" / file), separate_channels=True).channels()["R"].pixels
        # import_images counts samples in single precision and rounds down.
        i, j = (int(np.floor(np.float32(float(at)) / np.float32(spacing))) for at in (x, z))
        rows, columns = values.shape
        if i % region or j % region or rows % region or columns % region:
            problems.append(f"{file} does not begin and end with a region")
        problems += compare(file, values, heights[j : j + rows, i : i + columns], 0.0)
        covered[j : j + rows, i : i + columns] += 1
        if not (folder / "terrain3d" / control).exists():
            problems.append(f"there is no {control}")
    if not (covered == 1).all():
        problems.append("the tiles are not the whole")
    return problems


exports = [check for check in (unity, unreal, terrain3d) if (folder / check.__name__).is_dir()]
if exports:
    import numpy as np
    from PIL import Image
for check in exports:
    told(check.__name__, check())
sys.exit(1 if wrong or not exports else 0)
