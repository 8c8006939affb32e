# SPDX-License-Identifier: GPL-3.0-or-later
"""Landform in Blender: terrains as a list of landforms, rebuilt whenever a peak, a pad or a parameter moves.

`schema` makes properties from the parameters that the stages declare, `settings` keeps the recipe on an object, `job` turns it
into samples, `mesh`, `material` and `water` turn the samples into Blender's data, `markers` are the peaks and pads that an
artist moves, `undo` makes an edit and its build one step, `operators` and `panels` are what the artist sees, and `api` is what scripts call.
"""

from . import api, markers, operators, panels, settings, undo  # noqa: F401 - scripts find `api` here


def register():
    settings.register()
    markers.register()
    undo.register()
    operators.register()
    panels.register()


def unregister():
    panels.unregister()
    operators.unregister()
    undo.unregister()
    markers.unregister()
    settings.unregister()
