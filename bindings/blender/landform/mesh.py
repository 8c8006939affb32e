# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples as meshes: a grid by Blender's own node, and then nothing but UVs and heights.

Writing faces one by one takes ten times as long, and the node's own UVs as long as all the rest. The grid's vertices run along y
first, and y is to the north, so a layer goes in as `rows[::-1].T`. Large layers are worked on in parts that a processor's cache
holds.
"""

import bpy
import numpy as np

#: Levels of a vertex group: a group is written level by level.
LEVELS = 32
#: Samples along the sides of the parts that are worked on at once.
PART = 64


def column_major(layer):
    """The samples of a layer in the order of the vertices."""
    turned = layer[::-1].T
    out = np.empty(turned.shape, np.float32)
    for x in range(0, out.shape[0], PART):
        for y in range(0, out.shape[1], PART):
            part = np.s_[x : x + PART, y : y + PART]
            out[part] = turned[part]
    return out.ravel()


def write(obj, terrain):
    """Puts a terrain into the mesh of an object."""
    own = obj.landform
    rows, columns = terrain.shape
    scale = own.metres_per_unit
    width, depth = ((columns - 1) * terrain.spacing[0] / scale, (rows - 1) * terrain.spacing[1] / scale)
    me = fitting(obj, columns, rows, width, depth)
    is_flat = own.output == "DISPLACE"
    layers = {name: column_major(samples) for name, samples in terrain.items()}
    heights = layers["height"].reshape(columns, rows)
    set_heights(me, heights, width, depth, 0 if is_flat else 1 / scale)
    layers["slope"] = slope(heights, terrain.spacing)
    wet = wetness(layers, terrain.sea_level)
    if wet is not None:
        layers["wetness"] = wet
    for name, values in layers.items():
        attribute(me, name, values)
    if own.with_groups:
        for name, values in layers.items():
            group(obj, name, values)
    displace(obj, terrain, scale) if is_flat else drop_displace(obj)
    me.update()
    return me


def fitting(obj, columns, rows, width, depth):
    """The mesh of an object if it is such a grid, or else a new one with its materials."""
    old = obj.data
    shape = [columns, rows]
    extent = [width, depth]
    is_grid = list(old.get("landform_size", ())) == shape and len(old.vertices) == columns * rows
    if is_grid and np.allclose(list(old.get("landform_extent", (0, 0))), extent):
        return old
    materials = list(old.materials)
    new = grid(old.name, columns, rows, width, depth)
    for material in materials:
        new.materials.append(material)
    new["landform_size"], new["landform_extent"] = shape, extent
    obj.data = new
    if old.users == 0:
        name = old.name
        bpy.data.meshes.remove(old)
        new.name = name
    return new


def grid(name, columns, rows, width, depth):
    """A flat grid with UVs, made by the Grid node."""
    tree = bpy.data.node_groups.new(".landform grid", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    node = tree.nodes.new("GeometryNodeMeshGrid")
    for socket, value in (("Size X", width), ("Size Y", depth), ("Vertices X", columns), ("Vertices Y", rows)):
        node.inputs[socket].default_value = value
    out = tree.nodes.new("NodeGroupOutput")
    tree.links.new(node.outputs["Mesh"], out.inputs[0])
    seed = bpy.data.meshes.new(".landform seed")
    obj = bpy.data.objects.new(".landform seed", seed)
    bpy.context.scene.collection.objects.link(obj)
    obj.modifiers.new("grid", "NODES").node_group = tree
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    me = bpy.data.meshes.new_from_object(evaluated)
    bpy.data.objects.remove(obj)
    bpy.data.meshes.remove(seed)
    bpy.data.node_groups.remove(tree)
    me.name = name
    # The node leaves one empty slot, behind which a material would not be seen.
    me.materials.clear()
    me.shade_smooth()
    if columns > 1 and rows > 1:
        me.uv_layers.new(name="UVMap", do_init=False).uv.foreach_set("vector", corner_uvs(columns, rows))
    return me


def corner_uvs(columns, rows):
    """The UVs of the grid's corners: its faces run along y first, each from its south-western corner counterclockwise."""
    across, along = (np.linspace(0, 1, count, dtype=np.float32) for count in (columns, rows))
    uvs = np.empty((columns - 1, rows - 1, 4, 2), np.float32)
    strip = np.empty(uvs.shape[1:], np.float32)
    strip[:, :2, 1], strip[:, 2:, 1] = along[:-1, None], along[1:, None]
    for x in range(columns - 1):
        strip[:, ::3, 0], strip[:, 1:3, 0] = across[x], across[x + 1]
        uvs[x] = strip
    return uvs.ravel()


def set_heights(me, heights, width, depth, scale):
    """Lays the vertices out over the ground, and lifts them by heights in metres."""
    columns, rows = heights.shape
    eastings = np.linspace(-width / 2, width / 2, columns, dtype=np.float32)
    northings = np.linspace(-depth / 2, depth / 2, rows, dtype=np.float32)
    places = np.empty((columns, rows, 3), np.float32)
    for x in range(columns):
        places[x, :, 0], places[x, :, 1] = eastings[x], northings
        np.multiply(heights[x], np.float32(scale), out=places[x, :, 2])
    me.attributes["position"].data.foreach_set("vector", places.ravel())


def attribute(me, name, values):
    """A float at every vertex."""
    found = me.attributes.get(name)
    if found is not None and (found.domain, found.data_type) != ("POINT", "FLOAT"):
        me.attributes.remove(found)
        found = None
    found = found or me.attributes.new(name, "FLOAT", "POINT")
    found.data.foreach_set("value", values)


def group(obj, name, values):
    """A layer, brought to 0 to 1, as a vertex group."""
    old = obj.vertex_groups.get(name)
    if old is not None:
        obj.vertex_groups.remove(old)
    new = obj.vertex_groups.new(name=name)
    low, high = float(values.min()), float(values.max())
    if high <= low:
        return
    levels = np.rint((values - low) / (high - low) * LEVELS).astype(np.int32)
    for level in range(1, LEVELS + 1):
        members = np.flatnonzero(levels == level)
        if len(members):
            new.add(members.tolist(), level / LEVELS, "REPLACE")


def slope(heights, spacing):
    """Steepness in degrees, of heights in the order of the vertices."""
    steep = np.empty(heights.shape, np.float32)
    columns = len(heights)
    for first in range(0, columns, PART):
        # With a column on either side, which the gradient needs.
        low, high = max(first - 1, 0), min(first + PART + 1, columns)
        part = steepness(heights[low:high], spacing)
        steep[first : first + PART] = part[first - low : first - low + PART]
    return steep.ravel()


def steepness(heights, spacing):
    """Steepness in degrees, all at once."""
    steep = np.zeros(heights.shape, np.float32)
    for axis, step in enumerate(spacing):
        if heights.shape[axis] > 1:
            rise = np.gradient(heights, np.float32(step), axis=axis)
            rise *= rise
            steep += rise
    np.sqrt(steep, out=steep)
    np.arctan(steep, out=steep)
    steep *= np.float32(180 / np.pi)
    return steep


def wetness(layers, sea_level):
    """How wet the ground is, 0 to 1: water, or the logarithm of what flows by. Nothing if all is dry."""
    below = layers["height"] < sea_level
    if not ("flow" in layers or "river" in layers or below.any()):
        return None
    wet = below.astype(np.float32)
    if "flow" in layers:
        flow = np.log1p(np.maximum(layers["flow"], 0))
        flow *= np.float32(1 / max(float(flow.max()), 1e-6))
        np.maximum(wet, flow, out=wet)
    return np.maximum(wet, layers["river"], out=wet) if "river" in layers else wet


def displace(obj, terrain, scale):
    """A picture of the heights, and a modifier that lifts the grid by it."""
    rows, columns = terrain.shape
    name = f"{obj.name} height"
    image = bpy.data.images.get(name)
    if image is None or tuple(image.size) != (columns, rows):
        if image is not None:
            bpy.data.images.remove(image)
        image = bpy.data.images.new(name, columns, rows, float_buffer=True, is_data=True)
    pixels = np.ones((rows, columns, 4), np.float32)
    pixels[..., :3] = (terrain.height[::-1] / scale)[..., None]
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    image.pack()
    texture = bpy.data.textures.get(name) or bpy.data.textures.new(name, "IMAGE")
    texture.image, texture.extension, texture.use_clamp = image, "EXTEND", False
    modifier = obj.modifiers.get("Landform") or obj.modifiers.new("Landform", "DISPLACE")
    modifier.texture, modifier.texture_coords, modifier.uv_layer = texture, "UV", "UVMap"
    modifier.direction, modifier.strength, modifier.mid_level = "Z", 1.0, 0.0


def drop_displace(obj):
    modifier = obj.modifiers.get("Landform")
    if modifier is not None and modifier.type == "DISPLACE":
        obj.modifiers.remove(modifier)
