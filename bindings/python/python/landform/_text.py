"""Values of Python as text that recipes understand."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

from ._core import Error


def plain(value: Any) -> Any:
    """`value` made of nothing but what JSON has: arrays become lists, paths become words."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise Error(f"a number of a recipe must be finite, but one is {value}")
    return value


def to_json(value: Any) -> str:
    """`value` as JSON."""
    try:
        return json.dumps(plain(value), allow_nan=False)
    except TypeError as error:
        raise Error(f"not a value of a recipe: {error}") from None


def to_toml(value: Any) -> str:
    """`value` as TOML."""
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return "[" + ", ".join(to_toml(inner) for inner in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {to_toml(inner)}" for key, inner in value.items()) + " }"
    raise Error(f"not a value of a recipe: {value!r}")
