"""Writes the package landform.stages from the JSON schema of recipes: `cargo xtask stubs` calls it.

python generate.py schema.json FOLDER
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

SHARED = ["label", "enabled", "layer", "blend", "amount", "mask"]

#: The modules: what their stages have in common, and which these are.
THEMES = {
    "fractals": (
        "Stages that make rough ground out of random numbers.",
        "noise matrix_diamond_square diamond_square midpoint_displacement brownian_surface fault_formation particle_deposition",
    ),
    "landforms": (
        "Stages that make one landform, or shape what is there.",
        "uplift peaks plane heightmap sketch smooth levels flatten",
    ),
    "erosion": (
        "Stages of running water, ice and sliding ground.",
        "river hydraulic thermal evolve drainage gullies glaciers",
    ),
    "worlds": (
        "Stages of whole worlds.",
        "plates sea_level climate biomes",
    ),
}

MADE = "Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited."

HEAD = '''"""The stages of recipes, each as a function with typed keyword arguments.

{made}

A call gives a `Stage`, which goes into a recipe or is applied to heights:

>>> import landform
>>> from landform import stages
>>> recipe = landform.Recipe.of(stages.uplift(peaks=40), size=(65, 33), spacing=50)
>>> recipe.stages[0]["peaks"]
40

Every stage also has these
--------------------------
{shared}
"""

from __future__ import annotations

'''


def main() -> None:
    root = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for module, text in modules(root).items():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")


def modules(root: dict[str, Any]) -> dict[str, str]:
    """The text of every module of the package."""
    kinds = {kind["title"]: kind for kind in root["$defs"]["Stage"]["oneOf"]}
    themes = {module: stages.split() for module, (_, stages) in THEMES.items()}
    lost = set(kinds) ^ {title for titles in themes.values() for title in titles}
    if lost or set(kinds) & set(themes):
        sys.exit(f"THEMES in generate.py does not fit the stages: {', '.join(sorted(lost))}")
    found = {title: definition(root, title, schema) for title, schema in root["$defs"].items() if title != "Stage"}
    types = {name: title for title, text in found.items() for name in re.findall(r"^(\w+) = ", text, re.MULTILINE)}
    texts = {
        module: theme(THEMES[module][0], "".join(function(root, kinds[title]) for title in titles), sorted(types))
        for module, titles in themes.items()
    }
    about = f'"""The types of parameters that have structure or a choice of words.\n\n{MADE}\n"""\n\n'
    texts["types"] = f"{about}{imports(''.join(found.values()))}\n{''.join(found.values())}"
    texts["__init__"] = package(root, kinds, themes, sorted(types))
    return texts


def package(root: dict[str, Any], kinds: dict[str, Any], themes: dict[str, list[str]], types: list[str]) -> str:
    """The module that has all of it."""
    properties = next(kind["properties"] for kind in kinds.values() if set(SHARED) <= set(kind["properties"]))
    shared = "\n".join(parameter(root, key, properties[key])[4:].replace("\n        ", "\n    ") for key in SHARED)
    lines = [HEAD.format(made=MADE, shared=shared)]
    # A type is named twice, so that type checkers know it is meant for others.
    words = {"types": [f"{word} as {word}" for word in types]}
    words |= {module: sorted(name(title) for title in titles) for module, titles in themes.items()}
    for module in sorted(words):
        lines.append(f"from .{module} import (\n" + "".join(f"    {word},\n" for word in words[module]) + ")\n")
    lines.append("\n__all__ = [\n" + "".join(f'    "{name(title)}",\n' for title in sorted(kinds)) + "]\n")
    return "".join(lines)


def theme(about: str, functions: str, types: list[str]) -> str:
    """A module of stages."""
    used = [word for word in types if re.search(rf"\b{word}\b", functions)]
    named = f"from .types import {', '.join(used)}\n" if used else ""
    return (
        f'"""{about}\n\nWhat every stage has is said in `landform.stages`.\n{MADE}\n"""\n\n'
        f"{imports(functions)}\nfrom .._stage import Stage, declared\n{named}{functions}"
    )


def imports(text: str) -> str:
    """What a module needs of the standard library."""
    lines = "from __future__ import annotations\n\n"
    for module, words in (("collections.abc", "Mapping Sequence"), ("typing", "Any Literal TypedDict Union")):
        used = [word for word in words.split() if re.search(rf"\b{word}\b", text)]
        lines += f"from {module} import {', '.join(used)}\n" if used else ""
    return lines


def name(word: str) -> str:
    return word + "_" if keyword.iskeyword(word) else word


def sentence(schema: dict[str, Any]) -> str:
    text: str = schema.get("description", "")
    return text


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
        if key in own:
            about.append(parameter(root, key, schema))
    text = textwrap.fill(sentence(kind), 100, initial_indent="    ", subsequent_indent="    ").strip()
    parameters = "\n\n    Parameters\n    ----------\n" + "\n".join(about) + "\n    " if about else ""
    return (
        f"\n\n@declared\ndef {name(kind['title'])}(\n    *,\n" + "\n".join(rows) + "\n) -> Stage:\n"
        f'    """{text}{parameters}"""\n    return Stage(locals())\n'
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
