# SPDX-License-Identifier: GPL-3.0-or-later
"""From the properties of an object to samples, in the foreground or in a thread."""

import hashlib
import threading

import bpy
import landform
import numpy as np

from . import markers, schema, settings


class Stopped(Exception):
    """The artist pressed Esc."""


class Pointless(Exception):
    """A preview would take as long as the terrain itself."""


def recipe_for(obj):
    """The recipe of a terrain with its peaks, pads and painted rock, as they are now in the scene."""
    return with_hardness(unpainted(obj), obj)


def unpainted(obj):
    """The recipe of a terrain with its peaks and pads."""
    own = obj.landform
    recipe = settings.recipe_of(own)
    recipe = markers.with_peaks(recipe, obj)
    recipe = markers.with_pads(recipe, obj)
    if own.pads_file:
        recipe = recipe.with_pads(bpy.path.abspath(own.pads_file), label="pads file")
    return recipe


def key(recipe, own):
    """What a mesh is built from, as a word: the recipe, and how it is shown. What is painted is not part of it."""
    names = "metres_per_unit output hardness hard_rock with_material with_rivers with_water with_groups".split()
    return hashlib.sha256(repr([recipe.text, *(getattr(own, name) for name in names)]).encode()).hexdigest()


def with_hardness(recipe, obj):
    """The recipe with hard rock where the artist has painted."""
    painted = hardness(obj)
    if painted is None:
        return recipe
    table = recipe.to_dict()
    body = {"rock": obj.landform.hard_rock, "mask": {"kind": "image", "file": "hardness.npy"}}
    for stage in table["stage"]:
        if "rocks" in schema.STAGES[stage["kind"]]["properties"]:
            stage["rocks"] = [*stage.get("rocks", []), body]
    return settings.with_table(recipe, table).with_input("hardness.npy", painted)


def hardness(obj):
    """Painted weights as rows from north to south, or nothing."""
    name, me = obj.landform.hardness, obj.data
    if not name or not isinstance(me, bpy.types.Mesh):
        return None
    size = me.get("landform_size")
    if size is None or size[0] * size[1] != len(me.vertices):
        return None
    nx, ny = size
    weights = np.zeros(nx * ny, np.float32)
    group = obj.vertex_groups.get(name)
    attribute = me.attributes.get(name)
    if group is not None:
        for vertex in me.vertices:
            for element in vertex.groups:
                if element.group == group.index:
                    weights[vertex.index] = element.weight
    elif attribute is not None and attribute.domain == "POINT" and attribute.data_type == "FLOAT":
        attribute.data.foreach_get("value", weights)
    elif attribute is not None and attribute.data_type in ("FLOAT_COLOR", "BYTE_COLOR"):
        colours = np.empty(len(attribute.data) * 4, np.float32)
        attribute.data.foreach_get("color", colours)
        brightness = colours.reshape(-1, 4)[:, :3].mean(1)
        if attribute.domain == "CORNER":
            corners = np.empty(len(me.loops), np.int32)
            me.loops.foreach_get("vertex_index", corners)
            weights[corners] = brightness
        else:
            weights[:] = brightness
    else:
        raise landform.Error(f"hardness: the mesh has no vertex group and no colour attribute called {name!r}")
    return weights.reshape(nx, ny).T[::-1].copy()


def coarse(recipe):
    """The recipe with rivers carved on fewer grid lines and as many samples as before, or nothing if that is no quicker."""
    quick = recipe.preview()
    if quick is None:
        return None
    size = recipe.to_dict().get("resolution")
    return quick if size is None else quick.set("resolution", size)


class Job:
    """A build in a thread of its own. Blender's data is read before and written after, never meanwhile."""

    def __init__(self, obj, change=None):
        self.name = obj.name
        recipe = unpainted(obj)
        self.key = key(recipe, obj.landform)
        self.recipe = with_hardness(recipe, obj)
        if change is not None:
            self.recipe = change(self.recipe)
            if self.recipe is None:
                raise Pointless
        self.plan = landform.Plan(self.recipe)
        self.stage, self.done = "", 0.0
        self.terrain = self.error = None
        self.is_stopped = False
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        try:
            self.terrain = self.plan.build(progress=self._progress)
        except Exception as error:  # noqa: BLE001 - whatever it is, the artist shall read it
            self.error = error

    def _progress(self, stage, done):
        self.stage, self.done = stage or self.stage, done
        if self.is_stopped:
            raise Stopped

    def start(self):
        self.thread.start()
        return self

    def is_running(self):
        return self.thread.is_alive()

    def stop(self):
        self.is_stopped = True

    def result(self):
        """Waits for the terrain."""
        self.thread.join()
        if self.error is not None:
            raise self.error
        return self.terrain
