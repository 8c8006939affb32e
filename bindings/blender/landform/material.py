# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of nodes: ground by slope, height and layers, and water.

The names of the values in the node tree are what an artist may change: snow line, tree line, steepness of rock.
"""

import bpy

NAME = "Landform ground"
WATER = "Landform water"


class Nodes:
    """Nodes of a tree, laid out from left to right as they are made."""

    def __init__(self, tree):
        self.tree = tree
        self.place = 0

    def add(self, kind, **properties):
        node = self.tree.nodes.new(kind)
        node.location = (220 * (self.place // 5), -260 * (self.place % 5))
        self.place += 1
        for name, value in properties.items():
            setattr(node, name, value)
        return node

    def link(self, value, socket):
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = value

    def layer(self, name):
        return self.add("ShaderNodeAttribute", attribute_name=name, label=name).outputs["Fac"]

    def math(self, operation, a, b=0.0, label=""):
        node = self.add("ShaderNodeMath", operation=operation, label=label)
        self.link(a, node.inputs[0])
        self.link(b, node.inputs[1])
        return node.outputs[0]

    def value(self, label, number):
        node = self.add("ShaderNodeValue", label=label, name=label)
        node.outputs[0].default_value = number
        return node.outputs[0]

    def ramp(self, value, low, high):
        """0 up to `low`, 1 from `high` on, smoothly between."""
        node = self.add("ShaderNodeMapRange", interpolation_type="SMOOTHSTEP")
        for socket, number in (("Value", value), ("From Min", low), ("From Max", high)):
            self.link(number, node.inputs[socket])
        return node.outputs["Result"]

    def noise(self, scale, detail=6.0):
        node = self.add("ShaderNodeTexNoise")
        place = self.add("ShaderNodeTexCoord")
        self.tree.links.new(place.outputs["Object"], node.inputs["Vector"])
        node.inputs["Scale"].default_value, node.inputs["Detail"].default_value = scale, detail
        return node.outputs[0]

    def mix(self, factor, a, b):
        node = self.add("ShaderNodeMix", data_type="RGBA")
        self.link(factor, node.inputs["Factor"])
        self.link(a, node.inputs["A"] if "A" in node.inputs and node.inputs["A"].type == "RGBA" else colours(node)[0])
        self.link(b, colours(node)[1])
        return next(socket for socket in node.outputs if socket.type == "RGBA")


def colours(node):
    """The two colour inputs of a Mix node, which has hidden ones of other types under the same names."""
    return [socket for socket in node.inputs if socket.type == "RGBA"]


def rgb(red, green, blue):
    return (red, green, blue, 1.0)


GRASS, MEADOW, FOREST = rgb(0.12, 0.135, 0.04), rgb(0.17, 0.16, 0.06), rgb(0.045, 0.07, 0.022)
ROCK, DARK_ROCK, SCREE = rgb(0.19, 0.165, 0.14), rgb(0.075, 0.066, 0.06), rgb(0.26, 0.225, 0.18)
FAN, SNOW, SAND, MUD, RIVER = (
    rgb(0.22, 0.195, 0.095),
    rgb(0.82, 0.85, 0.9),
    rgb(0.42, 0.345, 0.225),
    rgb(0.16, 0.125, 0.075),
    rgb(0.02, 0.045, 0.05),
)


def new(name):
    """A material with an empty tree of nodes."""
    material = bpy.data.materials.new(name)
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    material.node_tree.nodes.clear()
    return material


def finish(nodes, colour, roughness, normal=None):
    shader = nodes.add("ShaderNodeBsdfPrincipled")
    nodes.link(colour, shader.inputs["Base Color"])
    nodes.link(roughness, shader.inputs["Roughness"])
    if normal is not None:
        nodes.link(normal, shader.inputs["Normal"])
    out = nodes.add("ShaderNodeOutputMaterial")
    nodes.tree.links.new(shader.outputs["BSDF"], out.inputs["Surface"])
    return shader


def ground(terrain, scale):
    """The material of a terrain, fitted to its heights. An artist's own changes to one that is there stay."""
    low, high = float(terrain.height.min()), float(terrain.height.max())
    low = max(low, terrain.sea_level)
    span = max(high - low, 1.0)
    material = new(NAME)
    nodes = Nodes(material.node_tree)
    rows, columns = terrain.shape
    side = max(columns * terrain.spacing[0], rows * terrain.spacing[1]) / scale
    unit = span / scale
    coarse, fine = nodes.noise(7.0 / max(side, 1e-6), 10.0), nodes.noise(110.0 / max(side, 1e-6), 8.0)
    rough = nodes.math("SUBTRACT", coarse, 0.5)
    height = nodes.layer("height")
    lifted = nodes.math("ADD", height, nodes.math("MULTIPLY", rough, span * 0.35))
    slope = nodes.math("ADD", nodes.layer("slope"), nodes.math("MULTIPLY", nodes.math("SUBTRACT", fine, 0.5), 18.0))

    snow_line = nodes.value("Snow line (m)", max(low + 0.78 * span, 900.0))
    tree_line = nodes.value("Tree line (m)", low + 0.5 * span)
    rock_slope = nodes.value("Rock from (degrees)", 27.0)

    grass = nodes.mix(nodes.ramp(fine, 0.35, 0.65), GRASS, MEADOW)
    woods = nodes.math(
        "MULTIPLY",
        nodes.ramp(coarse, 0.5, 0.6),
        nodes.ramp(nodes.math("SUBTRACT", tree_line, lifted), 0.0, span * 0.12),
    )
    colour = nodes.mix(nodes.math("MULTIPLY", woods, 0.8), grass, FOREST)
    alpine = nodes.ramp(nodes.math("SUBTRACT", lifted, tree_line), 0.0, span * 0.25)
    colour = nodes.mix(alpine, colour, nodes.mix(fine, SCREE, MEADOW))
    sediment = nodes.ramp(nodes.layer("sediment"), 1.0, 30.0)
    colour = nodes.mix(nodes.math("MULTIPLY", sediment, 0.6), colour, FAN)
    rock = nodes.mix(nodes.ramp(fine, 0.3, 0.7), DARK_ROCK, ROCK)
    steep = nodes.ramp(nodes.math("SUBTRACT", slope, rock_slope), 0.0, 9.0)
    colour = nodes.mix(steep, colour, rock)
    cold = nodes.ramp(nodes.math("SUBTRACT", lifted, snow_line), 0.0, span * 0.06)
    holds = nodes.math("SUBTRACT", 1.0, nodes.ramp(slope, 38.0, 52.0))
    colour = nodes.mix(nodes.math("MULTIPLY", cold, holds), colour, SNOW)
    above_sea = nodes.math("SUBTRACT", height, terrain.sea_level)
    shore = nodes.math("SUBTRACT", 1.0, nodes.ramp(above_sea, 0.5, max(4.0, span * 0.012)))
    has_sea = float(terrain.height.min()) < terrain.sea_level
    colour = nodes.mix(nodes.math("MULTIPLY", shore, 1.0 if has_sea else 0.0), colour, SAND)
    water = nodes.ramp(nodes.layer("river"), 0.25, 0.6)
    bank = nodes.ramp(nodes.layer("river"), 0.0, 0.3)
    colour = nodes.mix(water, nodes.mix(nodes.math("MULTIPLY", bank, 0.7), colour, MUD), RIVER)
    roughness = nodes.math("SUBTRACT", 0.95, nodes.math("MULTIPLY", water, 0.8))

    bump = nodes.add("ShaderNodeBump")
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.35, unit * 0.012
    nodes.link(nodes.math("MULTIPLY", fine, nodes.math("SUBTRACT", 1.0, water)), bump.inputs["Height"])
    finish(nodes, colour, roughness, bump.outputs["Normal"])
    return material


def water():
    """The material of the sea and of rivers."""
    found = bpy.data.materials.get(WATER)
    if found is not None:
        return found
    material = new(WATER)
    nodes = Nodes(material.node_tree)
    bump = nodes.add("ShaderNodeBump")
    bump.inputs["Strength"].default_value = 0.06
    nodes.link(nodes.noise(30.0), bump.inputs["Height"])
    shader = finish(nodes, rgb(0.012, 0.045, 0.06), 0.08, bump.outputs["Normal"])
    shader.inputs["IOR"].default_value = 1.33
    return material


def put(obj, terrain):
    """Gives a terrain its material, unless it has one."""
    if not obj.data.materials:
        obj.data.materials.append(ground(terrain, obj.landform.metres_per_unit))
