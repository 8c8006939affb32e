# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of Blender made from the parameters that the stages declare.

A number, a word, a choice or a switch becomes a property. What has more structure (lists, masks, rock bodies, parameters that vary
over the map) is a text field, written as in the recipe: see `settings`.
"""

import json

import bpy
import landform
import numpy as np

ROOT = json.loads(landform.schema())
SHARED = ("label", "enabled", "layer", "blend", "amount", "mask")
STAGES = {kind["title"]: kind for kind in ROOT["$defs"]["Stage"]["oneOf"]}


def resolved(schema):
    """Follows a reference."""
    while "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = {**ROOT["$defs"][name], **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def parameters(kind):
    """The own parameters of a stage: name and schema, of those that can be a property."""
    own = STAGES[kind]["properties"].items()
    return [(name, schema) for name, schema in own if name not in (*SHARED, "kind") and form(schema)]


def structured(kind, source):
    """Names of what has no property of its own: the mask, lists, and what this stage writes as a table."""
    own = [name for name in STAGES[kind]["properties"] if name not in (*SHARED, "kind")]
    plain = {name for name, _ in parameters(kind)}
    return ["mask", *(name for name in own if name not in plain or is_text(kind, name, source.get(name)))]


def is_text(kind, name, value):
    """Whether the property of a parameter cannot show this value: a table, a list, or a word that the recipe made up."""
    if isinstance(value, (dict, list)):
        return True
    schema = resolved(STAGES[kind]["properties"][name])
    return isinstance(value, str) and form(schema) == "ENUM" and value not in words(schema)


def words(schema):
    """The words that a choice offers."""
    return [part["const"] for part in parts(schema) if "const" in part]


def parts(schema):
    """The alternatives of a choice."""
    return schema.get("oneOf", schema.get("anyOf", []))


def about(kind, name):
    """What a parameter of a stage is, in a sentence."""
    return sentence(resolved(STAGES[kind]["properties"].get(name, {})))


def form(schema):
    """What kind of property holds such a value: FLOAT, INT, BOOL, ENUM, STRING, or nothing."""
    schema = resolved(schema)
    if parts(schema):
        return "ENUM" if words(schema) else None
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    for word, found in (("number", "FLOAT"), ("integer", "INT"), ("boolean", "BOOL"), ("string", "STRING")):
        if word in kinds:
            return found
    return None


def is_optional(schema):
    """Whether the value may be left out, which is then no value at all."""
    schema = resolved(schema)
    return "null" in schema.get("type", ()) or "default" not in schema


def title(name):
    return name.replace("_", " ").capitalize()


def annotations(kind, update):
    """The properties of a stage, with a switch for each that may be left out."""
    found = {}
    for name, schema in parameters(kind):
        found[name] = prop(name, resolved(schema), update)
        if is_optional(schema):
            text = f"Give {title(name).lower()}; otherwise it follows from the rest"
            found[f"use_{name}"] = bpy.props.BoolProperty(name=title(name), description=text, update=update)
    return found


def prop(name, schema, update):
    about = sentence(schema)
    unit = f" ({schema['unit']})" if schema.get("unit") else ""
    common = {"name": title(name) + unit, "description": about, "update": update}
    kind = form(schema)
    if kind == "ENUM":
        known = [part for part in parts(schema) if "const" in part]
        items = [(part["const"], title(part["const"]), sentence(part)) for part in known]
        return bpy.props.EnumProperty(items=items, default=schema.get("default", items[0][0]), **common)
    if kind == "BOOL":
        return bpy.props.BoolProperty(default=bool(schema.get("default")), **common)
    if kind == "STRING":
        return bpy.props.StringProperty(default=schema.get("default") or "", **common)
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum")
    default = schema.get("default")
    if default is None:
        default = min(max(1.0, low if low is not None else 1.0), high if high is not None else 1e9)
    if kind == "INT":
        limits = {"min": int(low or 0), "max": int(min(high if high is not None else 2**31 - 1, 2**31 - 1))}
        return bpy.props.IntProperty(default=int(default), **limits, **common)
    limits = {"min": float(low) if low is not None else -1e9, "max": float(high) if high is not None else 1e9}
    span = max(abs(default), 1.0 if limits["max"] > 2 else limits["max"])
    soft = {"soft_min": max(limits["min"], -10 * span), "soft_max": min(limits["max"], 10 * span)}
    return bpy.props.FloatProperty(default=float(default), **limits, **soft, precision=3, **common)


def sentence(schema):
    return schema.get("description", "").replace("`", "").rstrip(".")


def shortest(value):
    """The shortest number that single precision takes for `value`: properties have no more."""
    return float(str(np.float32(value)))


def is_same(number, value):
    """Whether the property `value` shows `number`."""
    return np.float32(number) == np.float32(value)
