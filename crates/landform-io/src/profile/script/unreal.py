"""Puts the landscape @NAME@ where it belongs, in the level that is open in Unreal Editor. Written by @GENERATOR@.

Python in the editor cannot make a landscape, so the heights are imported by hand:

1. Enable the plug-in "Python Editor Script Plugin".
2. Landscape mode, Manage, New, Import from File: choose the heightmap. The numbers for the dialog are in import-unreal.txt beside this file, and this
   script prints them if it finds no landscape. Choose the weight map of each layer in the same dialog.
3. Give the landscape the name of its file in the Outliner (not needed if there is only one).
4. Tools, Execute Python Script: choose this file.

The script sets scale and location of each landscape and compares its bounds with those of the files. Run it again after each import.
"""

import unreal

# One for each heightmap: numbers of quads along X and Y, scale, location in centimetres, lowest and highest point in centimetres.
TILES = [
@TILES@
]

# Weight maps by material, for the layers of the landscape's material.
WEIGHTS = {
@WEIGHTS@
}

# The numbers for the dialog.
DIALOG = {
@DIALOG@
}


def landscapes():
    """The landscapes of the open level, by the name that the Outliner shows."""
    actors = unreal.get_editor_subsystem(unreal.EditorActorSubsystem).get_all_level_actors()
    return {actor.get_actor_label(): actor for actor in actors if isinstance(actor, unreal.Landscape)}


def find(tile, known):
    """The landscape of a tile: by its name, or the only one if there is one tile."""
    if tile["name"] in known:
        return known[tile["name"]]
    if len(TILES) == 1 and len(known) == 1:
        return next(iter(known.values()))
    return None


def place(actor, tile):
    """Sets name, scale and location, and returns what does not fit."""
    actor.set_actor_label(tile["name"])
    actor.set_actor_scale3d(unreal.Vector(*tile["scale"]))
    actor.set_actor_location(unreal.Vector(*tile["location"]), False, False)
    origin, extent = actor.get_actor_bounds(False)
    faults = []
    for axis, size, quads, scale in zip("XY", (extent.x, extent.y), tile["quads"], tile["scale"]):
        found = 2.0 * size / scale
        if abs(found - quads) > 0.5:
            faults.append(f"{found:.0f} quads along {axis}, not {quads}: import it again with the resolution in DIALOG")
    # The mesh may be a level of detail, which has neither the lowest nor the highest point.
    low, high = tile["heights"]
    slack = 0.02 * (high - low) + 1.0
    if origin.z - extent.z < low - slack or origin.z + extent.z > high + slack:
        faults.append(f"heights beyond {low / 100.0:.1f} m to {high / 100.0:.1f} m: another file was imported")
    return faults


def main():
    known = landscapes()
    missing = []
    for tile in TILES:
        actor = find(tile, known)
        if actor is None:
            missing.append(tile)
            continue
        for fault in place(actor, tile):
            unreal.log_warning(f"Landform: {tile['name']}: {fault}")
        unreal.log(f"Landform: {tile['name']} is at {tile['location']} cm with the scale {tile['scale']}")
    for tile in missing:
        unreal.log_warning(f"Landform: no landscape is called {tile['name']}: import {tile['file']} in Landscape mode")
    if missing:
        for label, value in DIALOG.items():
            unreal.log(f"Landform: {label}: {value}")
        for material, file in WEIGHTS.items():
            unreal.log(f"Landform: layer {material}: {file}")
    return len(missing)


main()
