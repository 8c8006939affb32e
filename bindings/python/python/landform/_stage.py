"""A stage of a recipe as a value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .terrain import Terrain

Made = TypeVar("Made", bound="Callable[..., Stage]")


class Stage(Mapping[str, Any]):
    """One algorithm with its parameters, as `landform.stages` makes it.

    It holds what differs from the defaults, and goes into a recipe or is applied to heights.

    >>> from landform import stages
    >>> stages.smooth(radius=60)
    smooth(radius=60)
    """

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = dict(table)

    @property
    def kind(self) -> str:
        """The word that recipes use for it."""
        return str(self._table["kind"])

    def __getitem__(self, key: str) -> Any:
        return self._table[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in self._table.items() if key != "kind")
        return f"{self.kind}({given})"

    def apply(
        self,
        height: npt.ArrayLike | npt.NDArray[np.float32] | Terrain,
        *,
        spacing: float | tuple[float, float] | None = None,
        sea_level: float | None = None,
        seed: int = 0,
    ) -> Terrain:
        """Runs the stage alone on heights: see `landform.apply`."""
        from .build import apply

        return apply(height, self, spacing=spacing, sea_level=sea_level, seed=seed)


def declared(function: Made) -> Made:
    """Lets a function that gives a stage with all its parameters give what differs from the defaults."""
    kind = word(function.__name__)
    defaults = function.__kwdefaults__ or {}

    def is_default(key: str, value: Any) -> bool:
        return value is None or (type(value) is type(defaults[key]) and value == defaults[key])

    @functools.wraps(function)
    def call(**given: Any) -> Stage:
        every = function(**given)
        return Stage({"kind": kind, **{word(key): value for key, value in every.items() if not is_default(key, value)}})

    return cast(Made, call)


def word(name: str) -> str:
    """The word of recipes that a name of Python stands for, which must not be a word of Python's own."""
    return name.rstrip("_")
