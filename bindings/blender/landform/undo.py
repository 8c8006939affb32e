# SPDX-License-Identifier: GPL-3.0-or-later
"""An edit and the build that follows it are one step of undo to the artist.

To Blender they are two: it keeps the state after the edit, and the state after the build, which comes later and must be kept as well,
or Blender would not know what it has to restore. Between them parameters and mesh do not belong together. So a mesh remembers what it
was built from, and where undo or redo leads from a state in which all fits to one in which it does not, a second step follows.
"""

import bpy
import landform
from bpy.app.handlers import persistent

from . import job, markers

#: Seconds after which the second step follows: Blender has to come to rest from the first.
REST = 0.01
#: The live terrains that fitted before the step, by name.
FITTED = set()
#: Whether the step is the second one, which no third follows.
IS_SECOND = [False]


def fits(obj):
    """Whether the mesh of a live terrain is what its parameters say. Nothing if that is not known."""
    built = obj.data.get("landform_built") if isinstance(obj.data, bpy.types.Mesh) else None
    if built is None or not obj.landform.is_terrain or not obj.landform.live:
        return None
    try:
        return built == job.key(job.unpainted(obj), obj.landform)
    except (landform.Error, OSError, RuntimeError):
        return None


@persistent
def before(*_):
    """Before undo or redo."""
    FITTED.clear()
    FITTED.update(obj.name for obj in bpy.data.objects if fits(obj))


def is_between():
    """Whether the step has led to a state between an edit and its build."""
    found = [bpy.data.objects.get(name) for name in FITTED]
    return any(obj is not None and fits(obj) is False for obj in found)


@persistent
def after_undo(*_):
    follow(undo_again)


@persistent
def after_redo(*_):
    follow(redo_again)


def follow(again):
    """Looks soon whether a second step is needed. What is being built is out of date."""
    markers.calm()
    if not (bpy.app.background or IS_SECOND[0]):
        bpy.app.timers.register(again, first_interval=REST)


def undo_again():
    second_step(bpy.ops.ed.undo)


def redo_again():
    second_step(bpy.ops.ed.redo)


def second_step(step):
    """Goes on if the first step has led between an edit and its build; never further than one step."""
    is_needed = is_between()
    FITTED.clear()
    windows = bpy.context.window_manager.windows
    if is_needed and windows:
        IS_SECOND[0] = True
        try:
            with bpy.context.temp_override(window=windows[0]):
                step()
        finally:
            IS_SECOND[0] = False


HANDLERS = [
    ("undo_pre", before),
    ("redo_pre", before),
    ("undo_post", after_undo),
    ("redo_post", after_redo),
]


def register():
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister():
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
    for timer in (undo_again, redo_again):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
