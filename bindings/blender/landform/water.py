# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers as curves, lakes as meshes, and the sea as a plane: children of the terrain."""

import bpy
import numpy as np
from mathutils import Vector
from mathutils.geometry import tessellate_polygon

from . import material

PROFILE = ".landform river profile"


def child(terrain, role):
    """The child of a terrain that plays this role."""
    return next((obj for obj in terrain.children if obj.get("landform_role") == role), None)


def adopt(terrain, name, data, role):
    """The child of this role with new data; the artist's changes to the object stay."""
    obj = child(terrain, role)
    if obj is None:
        obj = bpy.data.objects.new(name, data)
        obj["landform_role"] = role
        obj.parent = terrain
        for collection in terrain.users_collection:
            collection.objects.link(obj)
        return obj
    old, obj.data = obj.data, data
    if old.users == 0:
        (bpy.data.curves if isinstance(old, bpy.types.Curve) else bpy.data.meshes).remove(old)
    return obj


def drop(terrain, role):
    obj = child(terrain, role)
    if obj is not None:
        bpy.data.objects.remove(obj)


def write(obj, terrain):
    """Makes, changes or removes the rivers, the lakes and the sea of a terrain."""
    own = obj.landform
    found = terrain.geojson(metres=True)["features"] if own.with_water and "lake" in terrain else []
    shores = [feature for feature in found if feature["properties"]["kind"] == "lake"]
    lakes(obj, terrain, shores) if shores else drop(obj, "LAKES")
    rivers(obj, terrain) if own.with_rivers and terrain.rivers else drop(obj, "RIVERS")
    has_sea = own.with_water and float(terrain.height.min()) < terrain.sea_level
    sea(obj, terrain) if has_sea else drop(obj, "SEA")


def rivers(obj, terrain):
    """One curve with a spline for each river, as wide as its water."""
    scale = obj.landform.metres_per_unit
    rows, columns = terrain.shape
    width, depth = (columns - 1) * terrain.spacing[0], (rows - 1) * terrain.spacing[1]
    curve = bpy.data.curves.new("Rivers", "CURVE")
    curve.dimensions, curve.twist_mode = "3D", "Z_UP"
    for river in terrain.rivers:
        points = river.points
        places = np.ones((len(points), 4), np.float32)
        places[:, 0] = (points["x"] - width / 2) / scale
        places[:, 1] = (depth / 2 - points["z"]) / scale
        places[:, 2] = (points["bed"] + points["depth"]) / scale
        spline = curve.splines.new("POLY")
        spline.points.add(len(points) - 1)
        spline.points.foreach_set("co", places.ravel())
        spline.points.foreach_set("radius", (points["width"] / 2 / scale).astype(np.float32))
    curve.bevel_mode, curve.bevel_object = "OBJECT", profile()
    curve.materials.append(material.water())
    adopt(obj, f"{obj.name} rivers", curve, "RIVERS")


def profile():
    """A level line across a river, from bank to bank."""
    found = bpy.data.objects.get(PROFILE)
    if found is None:
        line = bpy.data.curves.new(PROFILE, "CURVE")
        line.dimensions = "2D"
        spline = line.splines.new("POLY")
        spline.points.add(1)
        spline.points.foreach_set("co", np.array([-1, 0, 0, 1, 1, 0, 0, 1], np.float32))
        found = bpy.data.objects.new(PROFILE, line)
    return found


def lakes(obj, terrain, shores):
    """One mesh of all lakes, each level, with holes where islands are."""
    scale = obj.landform.metres_per_unit
    rows, columns = terrain.shape
    width, depth = (columns - 1) * terrain.spacing[0], (rows - 1) * terrain.spacing[1]
    places, faces = [], []
    for lake in shores:
        z = lake["properties"]["level"] / scale
        for part in parts(lake["geometry"]):
            # The last point of a ring is the first again. In the file y is 0 along the northern edge, and falls to the south.
            rings = [
                [Vector(((x - width / 2) / scale, (depth / 2 + y) / scale, z)) for x, y in ring[:-1]] for ring in part
            ]
            first, points = len(places), [place for ring in rings for place in ring]
            faces += [[first + corner for corner in upward(points, triangle)] for triangle in tessellate_polygon(rings)]
            places += points
    me = bpy.data.meshes.new("Lakes")
    me.from_pydata(places, [], faces)
    me.validate()
    me.materials.append(material.water())
    adopt(obj, f"{obj.name} lakes", me, "LAKES")


def parts(geometry):
    """The polygons of an area, each a list of rings."""
    return geometry["coordinates"] if geometry["type"] == "MultiPolygon" else [geometry["coordinates"]]


def upward(points, triangle):
    """The corners of a triangle in the order in which it is seen from above."""
    a, b, c = (points[corner].xy for corner in triangle)
    return triangle if (b - a).cross(c - a) >= 0 else triangle[::-1]


def sea(obj, terrain):
    """A plane at the sea level, as large as the terrain."""
    scale = obj.landform.metres_per_unit
    rows, columns = terrain.shape
    x, y = (columns - 1) * terrain.spacing[0] / scale / 2, (rows - 1) * terrain.spacing[1] / scale / 2
    z = terrain.sea_level / scale
    me = bpy.data.meshes.new("Sea")
    me.from_pydata([(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)], [], [(0, 1, 2, 3)])
    me.materials.append(material.water())
    adopt(obj, f"{obj.name} sea", me, "SEA")
