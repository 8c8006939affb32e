"""Writes landform/stages.py from the JSON schema of recipes: `cargo xtask stubs` calls it.

python generate.py schema.json > python/landform/stages.py
"""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from typing import Any

SHARED = ["label", "enabled", "layer", "blend", "amount", "mask"]

HEAD = '''"""The stages of recipes, each as a function with typed keyword arguments.

Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited.

A call gives a `Stage`, which goes into a recipe or is applied to heights:

>>> import landform
>>> from landform import stages
>>> recipe = landform.Recipe.of(stages.uplift(peaks=40), size=(65, 33), spacing=50)
>>> recipe.stages[0]["peaks"]
40
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from ._stage import Stage, stage

'''


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        root = json.load(file)
    kinds = root["$defs"]["Stage"]["oneOf"]
    out = [HEAD, "__all__ = [\n"]
    out += [f"    {name(kind['title'])!r},\n".replace("'", '"') for kind in sorted(kinds, key=lambda k: k["title"])]
    out.append("]\n")
    for title, schema in root["$defs"].items():
        if title != "Stage":
            out.append(definition(root, title, schema))
    out += [function(root, kind) for kind in kinds]
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write("".join(out))


def name(word: str) -> str:
    return word + "_" if keyword.iskeyword(word) else word


def sentence(schema: dict[str, Any]) -> str:
    text = schema.get("description", "").replace("\n", " ").replace("[`", "`").replace("`]", "`")
    return text.replace(": see the [module](self)", "").replace("[vary](crate::varying)", "vary")


def type_of(root: dict[str, Any], schema: dict[str, Any]) -> str:
    """The annotation of a value that the schema allows."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "const" in schema:
        return f'Literal["{schema["const"]}"]'
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return union([type_of(root, part) for part in schema[key]])
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return union([plain(root, kind, schema) for kind in kinds]) or "Any"


def plain(root: dict[str, Any], kind: str, schema: dict[str, Any]) -> str:
    if kind == "array":
        items = schema.get("items")
        return f"Sequence[{type_of(root, items)}]" if isinstance(items, dict) else "Sequence[Any]"
    simple = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}
    return simple.get(kind, "Mapping[str, Any]")


def union(types: list[str]) -> str:
    words = [t[len("Literal[") : -1] for t in types if t.startswith("Literal[")]
    rest = [t for t in dict.fromkeys(types) if not t.startswith("Literal[")]
    literals = [f"Literal[{', '.join(words)}]"] if words else []
    # None comes last, as people write it.
    rest.sort(key=lambda t: t == "None")
    return " | ".join(literals + rest)


def definition(root: dict[str, Any], title: str, schema: dict[str, Any]) -> str:
    """A type that several parameters share: words, a table, or one of several tables."""
    about = sentence(schema)
    if "properties" in schema:
        return table(root, title, schema)
    parts = schema.get("oneOf") or schema.get("anyOf") or []
    if parts and all("properties" in part for part in parts):
        names, text = [], ""
        for part in parts:
            kind = part["properties"].get("kind", {}).get("const", "")
            names.append(f"{title}{kind.title().replace('_', '')}")
            text += table(root, names[-1], part)
        joined = ",\n    ".join(names)
        return f"{text}\n\n{title} = Union[\n    {joined},\n]\n" + doc(about)
    if parts:
        spelled = union([type_of(root, part) for part in parts])
        words = "".join(f"\n\n- `{p['const']}`: {sentence(p)}" for p in parts if p.get("description") and "const" in p)
        return f"\n{alias(title, spelled)}" + doc(about + words)
    return f"\n{alias(title, type_of(root, schema))}" + doc(about)


def alias(title: str, spelled: str) -> str:
    if " | " in spelled:
        spelled = "Union[" + ", ".join(spelled.split(" | ")) + "]"
    return f"{title} = {spelled}\n"


def doc(text: str) -> str:
    if not text:
        return ""
    return '"""' + "\n".join(textwrap.fill(part, 110) for part in text.split("\n")) + '"""\n'


def table(root: dict[str, Any], title: str, schema: dict[str, Any]) -> str:
    rows = [f'        "{key}": {type_of(root, value)!r},' for key, value in schema["properties"].items()]
    lines = "\n".join(rows)
    text = f'\n{title} = TypedDict(\n    "{title}",\n    {{\n{lines}\n    }},\n    total=False,\n)\n'
    return text + doc(sentence(schema))


def function(root: dict[str, Any], kind: dict[str, Any]) -> str:
    properties = {key: value for key, value in kind["properties"].items() if key != "kind"}
    own = [key for key in properties if key not in SHARED]
    ordered = own + [key for key in SHARED if key in properties]
    rows, about = [], []
    for key in ordered:
        schema = properties[key]
        spelled = type_of(root, schema)
        default = schema.get("default")
        if "default" not in schema and "None" not in spelled and key not in kind.get("required", []):
            spelled += " | None"
        if isinstance(default, (list, dict)):
            # A list as a default would be shared between calls; nothing stands for it.
            spelled, default = spelled + " | None", None
        rows.append(f"    {name(key)}: {spelled} = {default!r},".replace("'", '"'))
        about.append(parameter(root, key, schema))
    arguments = "\n".join(f'            "{key}": {name(key)},' for key in ordered)
    defaults = {
        key: properties[key]["default"]
        for key in ordered
        if properties[key].get("default") is not None and not isinstance(properties[key]["default"], (list, dict))
    }
    spelled_defaults = ", ".join(f'"{key}": {value!r}'.replace("'", '"') for key, value in defaults.items())
    text = textwrap.fill(sentence(kind), 100, initial_indent="    ", subsequent_indent="    ").strip()
    parameters = "\n".join(about)
    return (
        f"\n\ndef {name(kind['title'])}(\n    *,\n" + "\n".join(rows) + "\n) -> Stage:\n"
        f'    """{text}\n\n    Parameters\n    ----------\n{parameters}\n    """\n'
        f'    return stage(\n        "{kind["title"]}",\n        {{\n{arguments}\n        }},\n'
        f"        {{{spelled_defaults}}},\n    )\n"
    )


def parameter(root: dict[str, Any], key: str, schema: dict[str, Any]) -> str:
    resolved = root["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
    text = sentence(schema) or sentence(resolved)
    notes = []
    if "unit" in schema:
        notes.append("degrees" if schema["unit"] == "°" else schema["unit"])
    low, high = resolved.get("minimum", resolved.get("exclusiveMinimum")), resolved.get("maximum")
    if low is not None and high is not None:
        notes.append(f"{low} to {high}")
    elif low is not None:
        notes.append(f"above {low}" if "exclusiveMinimum" in resolved else f"at least {low}")
    if resolved.get("varies"):
        notes.append("may vary over the map: {from, to, by}")
    note = f" ({'; '.join(notes)})" if notes else ""
    body = textwrap.fill(text + note, 104, initial_indent="        ", subsequent_indent="        ")
    return f"    {name(key)}\n{body}"


if __name__ == "__main__":
    main()
