# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a terrain as properties: of its object, and of the operator that adds it.

Each stage remembers how it was written (`source`). What has no property is a text, which is checked when it changes, and a number that
nobody changed keeps the digits that single precision cannot hold: a recipe that is only loaded gives the bytes of the command line.
"""

import contextlib
import json
import tomllib

import bpy
import landform
from landform._text import to_toml

from . import schema

DEFAULT = "natural" if "natural" in landform.presets() else "mountains"

OUTPUTS = [
    ("MESH", "Mesh", "A grid of vertices at the heights"),
    ("DISPLACE", "Displacement", "A flat grid with a Displace modifier and a picture of the heights"),
]


QUIET = [False]


@contextlib.contextmanager
def quietly():
    """Properties may be set without anybody's hearing of it."""
    before, QUIET[0] = QUIET[0], True
    try:
        yield
    finally:
        QUIET[0] = before


def touched(self, _context):
    """A property of a terrain has changed: build it again soon."""
    from . import markers

    owner = self.id_data
    if not QUIET[0] and isinstance(owner, bpy.types.Object) and owner.landform.is_terrain:
        markers.schedule(owner)


#: Longer texts are not for a field of a panel.
LONGEST = 4000


def edited(self, context):
    """A text has changed: it counts if it is right."""
    if not QUIET[0]:
        self.wrong = fault(self)
        if not self.wrong:
            touched(self, context)


def fault(item):
    """What is wrong with a text, or nothing."""
    try:
        stage = item.id_data.path_resolve(item.path_from_id().rpartition(".texts")[0])
    except (ValueError, AttributeError):
        # In the redo panel: the build itself will tell.
        return ""
    try:
        table = {"kind": stage.kind, **json.loads(stage.source or "{}"), **value_in(item)}
        landform.Recipe.from_dict({"version": 1, "size": [2, 2], "spacing": [1, 1], "stage": [table]})
    except (landform.Error, tomllib.TOMLDecodeError) as error:
        return str(error)
    return unknown_rock(table)


def unknown_rock(table):
    """Says which rock is neither a known kind nor one that the stage names itself. Only the whole recipe would tell."""
    own = {rock.get("name") for rock in table.get("named_rocks", [])}
    known = schema.words(schema.ROOT["$defs"]["RockKind"])
    beds = (table.get("strata") or {}).get("beds", [])
    for layer in [table, *table.get("rocks", []), *beds]:
        rock = layer.get("rock")
        if rock is not None and rock not in own and rock not in known:
            return f'rock is "{rock}", but known are {", ".join(known)} and those of named_rocks'
    return ""


def value_in(item):
    """What a text says: its parameter and the value, or nothing if it is empty."""
    return {item.name: tomllib.loads(f"value = {item.text}")["value"]} if item.text.strip() else {}


class LANDFORM_PG_text(bpy.types.PropertyGroup):
    """A parameter that has structure, as a recipe writes it."""

    text: bpy.props.StringProperty(
        name="Value", description="As a recipe writes it; empty for none", maxlen=LONGEST, update=edited
    )
    written: bpy.props.StringProperty(description="The text that the recipe had")
    wrong: bpy.props.StringProperty(description="What is wrong with it")


PRESETS = [(name, schema.title(name), about.capitalize()) for name, about in landform.presets().items()]


def common(update, lattice=0):
    """What an object and the operator that adds one have alike."""
    return {
        "seed": bpy.props.IntProperty(
            name="Seed", description="Another terrain of the same character", min=0, default=7, update=update
        ),
        "samples": bpy.props.IntProperty(
            name="Samples",
            description="Vertices along the longer side; the same ground, finer or coarser",
            min=2,
            max=16385,
            soft_max=4097,
            default=385,
            update=update,
        ),
        "lattice": bpy.props.IntProperty(
            name="Simulation",
            description="Grid lines along the longer side on which rivers and rain are simulated: "
            "fewer are quicker and coarser, 0 is as the recipe says",
            min=0,
            max=16385,
            soft_max=2049,
            default=lattice,
            update=update,
        ),
        "metres_per_unit": bpy.props.FloatProperty(
            name="Metres per unit",
            description="How many metres of ground one unit of Blender is",
            min=0.001,
            max=1e6,
            default=100.0,
            update=update,
        ),
        "sea_level": bpy.props.FloatProperty(
            name="Sea level (m)",
            description="Height of the water",
            options={"SKIP_SAVE"},
            min=-20000,
            max=20000,
            update=update,
        ),
        "output": bpy.props.EnumProperty(name="Output", items=OUTPUTS, update=update),
        "with_material": bpy.props.BoolProperty(
            name="Material", description="Rock, grass, snow and sand by slope and height", default=True, update=update
        ),
        "with_rivers": bpy.props.BoolProperty(
            name="Rivers", description="Rivers as curves", default=True, update=update
        ),
        "with_water": bpy.props.BoolProperty(
            name="Water",
            description="Lakes, and a plane at the sea level where ground lies below it",
            default=True,
            update=update,
        ),
        "with_groups": bpy.props.BoolProperty(
            name="Vertex groups", description="Layers also as vertex groups, for modifiers and particles", update=update
        ),
        "stages": bpy.props.CollectionProperty(type=STAGE),
        "head": bpy.props.StringProperty(options={"HIDDEN"}),
    }


def stage_class():
    """A stage: what every one has, and the properties of each kind."""
    found = {
        "kind": bpy.props.StringProperty(),
        "source": bpy.props.StringProperty(),
        "texts": bpy.props.CollectionProperty(type=LANDFORM_PG_text),
        "show": bpy.props.BoolProperty(name="Show", default=True),
        "enabled": bpy.props.BoolProperty(
            name="Enabled", description="Whether it takes part", default=True, update=touched
        ),
        "amount": bpy.props.FloatProperty(
            name="Amount",
            description="How strongly it acts",
            default=1.0,
            min=-100,
            max=100,
            soft_min=0,
            soft_max=2,
            update=touched,
        ),
        "variation": bpy.props.IntProperty(
            name="Variation", description="Other random numbers for this stage alone", min=0, update=touched
        ),
    }
    for kind, group in GROUPS.items():
        found[kind] = bpy.props.PointerProperty(type=group)
    return type("LANDFORM_PG_stage", (bpy.types.PropertyGroup,), {"__annotations__": found})


GROUPS = {
    kind: type(
        f"LANDFORM_PG_{kind}", (bpy.types.PropertyGroup,), {"__annotations__": schema.annotations(kind, touched)}
    )
    for kind in schema.STAGES
}
STAGE = stage_class()


def settings_class():
    found = common(touched)
    found |= {
        "is_terrain": bpy.props.BoolProperty(),
        "live": bpy.props.BoolProperty(
            name="Live", description="Build again whenever a parameter, a peak or a pad changes", default=True
        ),
        "hardness": bpy.props.StringProperty(
            name="Hardness",
            description="Vertex group or colour attribute: where it is 1, the rock is hard",
            update=touched,
        ),
        "hard_rock": bpy.props.EnumProperty(
            name="Hard rock",
            items=[
                (part["const"], schema.title(part["const"]), schema.sentence(part))
                for part in schema.ROOT["$defs"]["RockKind"]["anyOf"]
                if "const" in part
            ],
            default="granite",
            update=touched,
        ),
        "pads_file": bpy.props.StringProperty(
            name="Pads file", description="Flat places from another program (JSON)", subtype="FILE_PATH", update=touched
        ),
        "recipe": bpy.props.StringProperty(name="Recipe", description="The recipe as it was last built"),
    }
    return type("LANDFORM_PG_settings", (bpy.types.PropertyGroup,), {"__annotations__": found})


def load(target, recipe):
    """Fills the properties of an object or operator from a recipe."""
    table = recipe.to_dict()
    stages = table.pop("stage")
    with quietly():
        target.head = json.dumps({**table, "folder": recipe.folder})
        target.seed = min(table["seed"], 2**31 - 1)
        target.sea_level = table["sea_level"]
        target.stages.clear()
        for source in stages:
            write_stage(target.stages.add(), source)


def write_stage(stage, source):
    """Fills the properties of a stage from its table in a recipe."""
    stage.kind, stage.source = source["kind"], json.dumps(source)
    stage.enabled, stage.amount = source.get("enabled", True), source.get("amount", 1.0)
    for name, parameter in schema.parameters(stage.kind):
        if not schema.is_text(stage.kind, name, source.get(name)):
            fill(getattr(stage, stage.kind), name, parameter, source.get(name))
    stage.texts.clear()
    for name in schema.structured(stage.kind, source):
        text = to_toml(source[name]) if source.get(name) is not None else ""
        if len(text) < LONGEST:
            item = stage.texts.add()
            item.name, item.text, item.written = name, text, text


def fill(group, name, parameter, value):
    """Shows a value."""
    if schema.is_optional(parameter):
        setattr(group, f"use_{name}", value is not None)
    if value is not None and not isinstance(value, (dict, list)):
        setattr(group, name, value)


def stage_table(stage):
    """A stage as the recipe has it."""
    source = json.loads(stage.source or "{}")
    table = {"kind": stage.kind, **source}
    if stage.kind not in GROUPS:
        raise landform.Error(f"stage {stage.kind}: not known here, the terrain was made with a newer Landform")
    group = getattr(stage, stage.kind)
    for name, parameter in schema.parameters(stage.kind):
        if schema.is_optional(parameter) and not getattr(group, f"use_{name}"):
            if not isinstance(source.get(name), (dict, list)):
                table.pop(name, None)
            continue
        if not schema.is_text(stage.kind, name, source.get(name)):
            table[name] = value_of(getattr(group, name), source.get(name))
    for item in stage.texts:
        if item.text != item.written and not item.wrong:
            table.pop(item.name, None)
            table |= value_in(item)
    table["enabled"] = stage.enabled
    table["amount"] = value_of(stage.amount, source.get("amount", 1.0))
    if stage.variation:
        table["label"] = f"{source.get('label', stage.kind)} {stage.variation}"
    return table


def value_of(shown, written):
    """What a property means: what was written, unless it shows something else now."""
    if isinstance(written, (dict, list)):
        return written
    if isinstance(shown, float):
        is_same = isinstance(written, (int, float)) and schema.is_same(written, shown)
        return written if is_same else schema.shortest(shown)
    return shown


def recipe_of(target):
    """The recipe that the properties of an object or operator make."""
    table = json.loads(target.head)
    folder = table.pop("folder", "")
    if target.seed != min(table["seed"], 2**31 - 1):
        table["seed"] = target.seed
    table["sea_level"] = value_of(target.sea_level, table["sea_level"])
    table["stage"] = [stage_table(stage) for stage in target.stages]
    # A list of peaks stands on grid lines, which cannot be others then.
    has_lines = any(stage["kind"] == "peaks" for stage in table["stage"])
    sides = table["size"]
    if target.lattice and not has_lines and max(sides) > target.lattice:
        table["size"] = resized(sides, target.lattice)
        spans = zip(sides, table["size"], table["spacing"])
        table["spacing"] = [(old - 1) * step / (new - 1) if new > 1 else step for old, new, step in spans]
    table["resolution"] = resized(sides, target.samples)
    recipe = landform.Recipe.from_dict(table)
    recipe.folder = folder
    return recipe


def resized(sides, longest):
    """Sides in the same proportion, of which the longer is `longest`."""
    most = max(sides) - 1
    return [max(2, round((side - 1) * (longest - 1) / most) + 1) if side > 1 else 1 for side in sides]


def with_table(recipe, table):
    """A recipe of other keys and values that finds the files of the old one."""
    new = landform.Recipe.from_dict(table)
    new.folder, new.inputs = recipe.folder, recipe.inputs
    return new


def copy(source, target):
    """Copies what an object and the operator have alike."""
    with quietly():
        for name in common(None):
            if name != "stages":
                setattr(target, name, getattr(source, name))
        target.stages.clear()
        for stage in source.stages:
            new = target.stages.add()
            for name in ("kind", "source", "enabled", "amount", "variation"):
                setattr(new, name, getattr(stage, name))
            for item in stage.texts:
                twin = new.texts.add()
                for name in ("name", "text", "written", "wrong"):
                    setattr(twin, name, getattr(item, name))
            old_group, new_group = getattr(stage, stage.kind), getattr(new, stage.kind)
            for name in old_group.bl_rna.properties.keys():
                if name not in ("rna_type", "name"):
                    setattr(new_group, name, getattr(old_group, name))


CLASSES = [LANDFORM_PG_text, *GROUPS.values(), STAGE]
SETTINGS = None


def register():
    global SETTINGS
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    SETTINGS = settings_class()
    bpy.utils.register_class(SETTINGS)
    bpy.types.Object.landform = bpy.props.PointerProperty(type=SETTINGS)


def unregister():
    del bpy.types.Object.landform
    bpy.utils.unregister_class(SETTINGS)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
