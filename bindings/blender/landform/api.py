# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts call: `import landform_blender`."""

import bpy
import landform

from . import markers, operators, settings


def build(recipe=None, *, name="Landform", seed=None, samples=385, pads=None, **options):
    """Adds a terrain and gives its object.

    `recipe` is a `landform.Recipe`, its text, its file or the name of a preset; `pads` a list of flat places or a file of them.
    Further options are properties of the object's `landform` settings: `metres_per_unit`, `output`, `with_rivers` and so on.
    """
    opened = recipe if isinstance(recipe, landform.Recipe) else operators.opened(recipe or settings.DEFAULT)
    if pads is not None:
        opened = opened.with_pads(pads)
    if seed is not None:
        opened = opened.with_seed(seed)
    obj = operators.create(bpy.context, name)
    try:
        settings.load(obj.landform, opened)
        with settings.quietly():
            obj.landform.samples = samples
            for key, value in options.items():
                setattr(obj.landform, key, value)
        operators.build_now(obj)
    except Exception:
        bpy.data.objects.remove(obj)
        raise
    return obj


def rebuild(obj):
    """Builds a terrain again, with its peaks, pads and paint as they are now; gives the `landform.Terrain`."""
    bpy.context.view_layer.update()
    return operators.build_now(obj)


def peaks(obj, count=24):
    """Makes empties of the highest peaks and gives them."""
    return markers.peaks_to_empties(obj, count)


def recipe(obj):
    """The recipe of a terrain, with its peaks and pads."""
    from . import job

    return job.recipe_for(obj)
