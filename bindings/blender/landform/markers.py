# SPDX-License-Identifier: GPL-3.0-or-later
"""Peaks and pads that an artist moves: objects of the scene that belong to a terrain.

A peak is an empty whose height over the base is what it adds to the ground, and whose size is the radius of its foot. A pad is any
object: its outline seen from above is level ground. When one of them moves, the terrain is built again.
"""

import json
import math
import time

import bpy
import landform
from bpy.app.handlers import persistent

from . import mesh, settings

#: Terrains that wait to be built again, by name.
WAITING = set()
#: The builds that run beside the artist, by the name of the terrain.
RUNNING = {}
#: Terrains whose preview is out of date, by name.
CHANGED = set()
#: The previews that are being made, by the name of the terrain.
PREVIEWS = {}
#: Moves before this time are no moves.
PAUSE = [0.0]
#: Seconds of rest before a terrain is built again in full.
REST = 0.15
#: Seconds after which it is looked whether a preview is ready.
LOOK = 0.02


class LANDFORM_PG_marker(bpy.types.PropertyGroup):
    """What an object is to a terrain."""

    kind: bpy.props.EnumProperty(
        items=[("NONE", "None", ""), ("PEAK", "Peak", "A peak of the Uplift Model"), ("PAD", "Pad", "Level ground")]
    )
    terrain: bpy.props.PointerProperty(type=bpy.types.Object)
    divisor: bpy.props.FloatProperty(default=1.0, description="Of a peak: what the sum of all peaks is divided by")
    margin: bpy.props.FloatProperty(
        name="Margin",
        description="Of a pad: over which distance it fades, as a share of its radius",
        default=0.8,
        min=0,
        max=10,
    )
    use_level: bpy.props.BoolProperty(
        name="Keep height", description="Of a pad: level at the height of the object, not at that of the ground"
    )


def of(terrain, kind):
    """The markers of a terrain, by name."""
    found = [
        obj
        for obj in bpy.context.scene.objects
        if obj.landform_marker.kind == kind and obj.landform_marker.terrain == terrain
    ]
    return sorted(found, key=lambda obj: obj.name)


def ground(terrain):
    """Width and depth of the ground in metres."""
    head = json.loads(terrain.landform.head)
    return [(head["size"][axis] - 1) * head["spacing"][axis] for axis in (0, 1)]


def place(terrain, marker):
    """x and z on the map and height, in metres, of the origin of a marker."""
    at = terrain.matrix_world.inverted() @ marker.matrix_world.translation
    scale = terrain.landform.metres_per_unit
    width, depth = ground(terrain)
    return at.x * scale + width / 2, depth / 2 - at.y * scale, at.z * scale


def radius(terrain, marker):
    """Half the width of a marker, seen from above, in metres."""
    size = max(abs(marker.matrix_world.to_scale()[axis]) for axis in (0, 1))
    if marker.type == "EMPTY":
        half = marker.empty_display_size * size
    else:
        half = max(marker.dimensions.x, marker.dimensions.y) / 2
    scale = max(abs(terrain.matrix_world.to_scale()[axis]) for axis in (0, 1))
    return max(half / scale, 1e-6) * terrain.landform.metres_per_unit


def with_peaks(recipe, terrain):
    """The recipe with the peaks that stand in the scene."""
    empties = of(terrain, "PEAK")
    if not empties:
        return recipe
    table = recipe.to_dict()
    stage = next((stage for stage in table["stage"] if stage["kind"] == "peaks"), None)
    if stage is None:
        stage = {"kind": "peaks", "peaks": [], "divisor": 1.0}
        table["stage"].insert(0, stage)
    dx, dz = table["spacing"]
    for empty in empties:
        x, z, height = place(terrain, empty)
        lifted = height * empty.landform_marker.divisor
        stage["peaks"] = [*stage["peaks"], [round(x / dx), round(z / dz), lifted, radius(terrain, empty)]]
    return settings.with_table(recipe, table)


def with_pads(recipe, terrain):
    """The recipe with the flat places that stand in the scene."""
    pads = []
    for marker in of(terrain, "PAD"):
        x, z, height = place(terrain, marker)
        reach = radius(terrain, marker)
        pad = {"name": marker.name[:100], "x": x, "z": z, "margin": reach * marker.landform_marker.margin}
        if marker.type == "EMPTY":
            pad["radius"] = reach
        else:
            scale = terrain.landform.metres_per_unit
            pad["size"] = [max(marker.dimensions.x, 1e-6) * scale, max(marker.dimensions.y, 1e-6) * scale]
            pad["angle"] = -math.degrees(marker.matrix_world.to_euler().z)
        if marker.landform_marker.use_level:
            pad["level"] = height
        pads.append(pad)
    return recipe.with_pads(pads, label="pads of the scene") if pads else recipe


def add_peak(terrain, row, divisor, spacing):
    """An empty for the peak `row`: grid lines, height and radius."""
    own = terrain.landform
    width, depth = ground(terrain)
    dx, dz = spacing
    empty = bpy.data.objects.new("Peak", None)
    empty.empty_display_type = "SPHERE"
    empty.empty_display_size = row[3] / own.metres_per_unit
    empty.parent = terrain
    x, y = row[0] * dx - width / 2, depth / 2 - row[1] * dz
    empty.location = (x / own.metres_per_unit, y / own.metres_per_unit, row[2] / divisor / own.metres_per_unit)
    empty.landform_marker.kind, empty.landform_marker.terrain = "PEAK", terrain
    empty.landform_marker.divisor = divisor
    for collection in terrain.users_collection:
        collection.objects.link(empty)
    return empty


def peaks_to_empties(terrain, count):
    """Makes empties of the highest peaks; the others stay in the recipe. Gives the empties."""
    recipe = settings.recipe_of(terrain.landform)
    table = recipe.to_dict()
    made = []
    for stage in table["stage"]:
        if stage["kind"] not in ("uplift", "peaks") or not stage.get("enabled", True):
            continue
        alone = settings.with_table(recipe, {**table, "stage": [stage]})
        rows = [list(row) for row in alone.peaks().tolist()]
        if not rows:
            continue
        divisor = stage.get("divisor") or float(len(rows))
        rows.sort(key=lambda row: -abs(row[2]))
        shared = {key: stage[key] for key in ("label", "mask", "blend", "amount", "layer", "curve") if key in stage}
        shared.setdefault("label", stage["kind"])
        stage.clear()
        stage.update({"kind": "peaks", **shared, "divisor": divisor, "peaks": sorted(rows[count:])})
        made = [add_peak(terrain, row, divisor, recipe.spacing) for row in rows[:count]]
        break
    if made:
        settings.load(terrain.landform, settings.with_table(recipe, table))
    return made


def schedule(terrain):
    """Builds a terrain again soon, if it is live and there is a window to show it in."""
    if not terrain.landform.live:
        return
    WAITING.add(terrain.name)
    if not bpy.app.background:
        if bpy.app.timers.is_registered(build_waiting):
            bpy.app.timers.unregister(build_waiting)
        bpy.app.timers.register(build_waiting, first_interval=REST)
        CHANGED.add(terrain.name)
        if not bpy.app.timers.is_registered(preview_changed):
            bpy.app.timers.register(preview_changed, first_interval=0)


def preview_changed():
    """Shows coarse terrains while the artist still moves something. One at a time is made: what changes meanwhile comes with the next."""
    for name, made in list(PREVIEWS.items()):
        if not made.is_running():
            del PREVIEWS[name]
            show(bpy.data.objects.get(name), made)
    for name in CHANGED - set(PREVIEWS):
        CHANGED.discard(name)
        terrain = bpy.data.objects.get(name)
        if is_live(terrain):
            # What is being built for it is out of date.
            running = RUNNING.pop(name, None)
            if running is not None:
                running.stop()
            begin(terrain)
    return LOOK if PREVIEWS else None


def is_live(terrain):
    return terrain is not None and terrain.landform.is_terrain and terrain.landform.live


def begin(terrain):
    """Begins with a preview, where one is quicker than the terrain. What is wrong is told by the build that follows."""
    from . import job

    try:
        PREVIEWS[terrain.name] = job.Job(terrain, job.coarse).start()
    except (job.Pointless, landform.Error, OSError, RuntimeError, MemoryError):
        pass


def show(terrain, made):
    """Puts a preview into the mesh: its vertices, and nothing that only the terrain itself has."""
    is_wanted = is_live(terrain) and made.error is None and not made.is_stopped
    if is_wanted and bpy.context.mode == "OBJECT" and terrain.name not in RUNNING:
        with settings.quietly():
            mesh.write(terrain, made.terrain)


def build_waiting():
    """Builds the terrains that wait."""
    windows = bpy.context.window_manager.windows
    for name in sorted(WAITING):
        # The terrain itself comes now.
        CHANGED.discard(name)
        if name in PREVIEWS:
            PREVIEWS.pop(name).stop()
        terrain = bpy.data.objects.get(name)
        if not is_live(terrain) or not windows:
            continue
        with bpy.context.temp_override(window=windows[0]):
            try:
                # Beside the artist: nobody knows how long a changed recipe takes.
                bpy.ops.landform.rebuild("INVOKE_DEFAULT", True, name=name)
            except RuntimeError as error:
                tell(str(error))
    WAITING.clear()


def tell(text):
    """Shows what is wrong, since nobody asked for this build who could hear it."""

    def draw(menu, _context):
        for line in text.splitlines():
            menu.layout.label(text=line)

    bpy.context.window_manager.popup_menu(draw, title="Landform", icon="ERROR")


@persistent
def calm(*_):
    """After undo, redo and opening a file, peaks stand where they stood: nothing is to be built."""
    WAITING.clear()
    CHANGED.clear()
    for jobs in (RUNNING, PREVIEWS):
        for running in jobs.values():
            running.stop()
        jobs.clear()
    PAUSE[0] = time.monotonic() + 2 * REST


@persistent
def moved(_scene, depsgraph):
    """A peak or a pad has been moved."""
    if time.monotonic() < PAUSE[0]:
        return
    for update in depsgraph.updates:
        marker = update.id.original if isinstance(update.id, bpy.types.Object) else None
        if marker is None or not update.is_updated_transform:
            continue
        own = marker.landform_marker
        if own.kind != "NONE" and own.terrain is not None and not settings.QUIET[0]:
            schedule(own.terrain)


def register():
    bpy.utils.register_class(LANDFORM_PG_marker)
    bpy.types.Object.landform_marker = bpy.props.PointerProperty(type=LANDFORM_PG_marker)
    bpy.app.handlers.depsgraph_update_post.append(moved)
    bpy.app.handlers.load_post.append(calm)


def unregister():
    for timer in (build_waiting, preview_changed):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    bpy.app.handlers.depsgraph_update_post.remove(moved)
    bpy.app.handlers.load_post.remove(calm)
    del bpy.types.Object.landform_marker
    bpy.utils.unregister_class(LANDFORM_PG_marker)
