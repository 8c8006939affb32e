"""The compiled part of the package."""

from collections.abc import Callable, Sequence
from typing import final

import numpy as np
import numpy.typing as npt

_Samples = npt.NDArray[np.float32]
_Layers = Sequence[tuple[str, _Samples]]
_Pair = Sequence[float]
_Peaks = list[tuple[int, int, float, float]]
_Progress = Callable[[str, float], object] | None

__version__: str
__all__ = [
    "__version__",
    "Error",
    "Ground",
    "Plan",
    "Store",
    "brownian_curve",
    "bundle",
    "create_store",
    "draw",
    "draw_skyline",
    "export",
    "fill_store",
    "fitting_size",
    "formats",
    "png",
    "presets",
    "read_heightmap",
    "recipe_append",
    "recipe_files",
    "recipe_json",
    "recipe_pads",
    "recipe_peaks",
    "recipe_preview",
    "recipe_set",
    "recipe_text",
    "schema",
    "sha256",
    "skyline_heights",
    "styles",
    "targets",
    "upd_from_recipe",
    "upd_parse",
    "upd_to_recipe",
    "write",
    "write_bytes",
]

class Error(ValueError):
    stage: tuple[int, str] | None
    parameter: str | None
    file: str | None
    line: int | None
    column: int | None

@final
class Plan:
    def __new__(
        cls, text: str, folder: str, arrays: Sequence[tuple[str, _Samples]], allow_outside: bool = False
    ) -> Plan: ...
    @property
    def size(self) -> list[int]: ...
    @property
    def spacing(self) -> list[float]: ...
    @property
    def sea_level(self) -> float: ...
    @property
    def layers(self) -> list[str]: ...
    def memory(self, i: int, j: int, width: int, height: int) -> int: ...
    def explain(self, x: float, z: float) -> str: ...
    def simulate(self, kept: dict[str, bytes]) -> dict[str, bytes]: ...
    def run(
        self, i: int, j: int, width: int, height: int, *, threads: int | None = None, progress: _Progress = None
    ) -> tuple[list[tuple[str, str, _Samples]], Ground, list[str]]: ...

@final
class Ground:
    def __new__(cls, size: tuple[int, int], spacing: tuple[float, float], sea_level: float) -> Ground: ...
    @property
    def spacing(self) -> tuple[float, float]: ...
    @property
    def origin(self) -> tuple[int, int]: ...
    @property
    def sea_level(self) -> float: ...
    @property
    def topology(self) -> str: ...
    @property
    def cover(self) -> str: ...
    def with_sea_level(self, sea_level: float) -> Ground: ...
    def at(self, i: int, j: int) -> Ground: ...
    def of_recipe(self, text: str) -> Ground: ...
    def rivers(self) -> list[tuple[str, str | None, list[list[float]]]]: ...
    @property
    def place(self) -> str | None: ...
    def geojson(self, metres: bool = False) -> str: ...

@final
class Store:
    def __new__(cls, path: str) -> Store: ...
    @property
    def manifest(self) -> str: ...
    @property
    def levels(self) -> list[list[int]]: ...
    @property
    def bases(self) -> list[int]: ...
    def read(self, level: int, layer: str, window: Sequence[int]) -> _Samples: ...
    def pending(self, base: int) -> list[list[int]]: ...
    def write(self, plan: Plan, tiles: Sequence[Sequence[int]], *, threads: int | None = None) -> None: ...
    def simulate(self, plan: Plan) -> list[str]: ...
    def make_overviews(self, base: int, tile: Sequence[int]) -> None: ...
    def finish(self) -> None: ...

def create_store(
    path: str, plan: Plan, *, chunk: int | None = None, shard: int | None = None, shards: bool = True
) -> Store: ...
def fill_store(
    store: Store,
    plan: Plan,
    *,
    memory: int | None = None,
    threads: int | None = None,
    progress: _Progress = None,
) -> None: ...
def recipe_json(text: str, file: str | None = None) -> str: ...
def recipe_text(json: str) -> str: ...
def recipe_preview(text: str, largest: int) -> str | None: ...
def recipe_set(text: str, path: str, value: str) -> str: ...
def recipe_append(text: str, stage: str) -> str: ...
def recipe_pads(text: str, pads: str, label: str, file: str | None = None) -> str: ...
def recipe_peaks(text: str) -> _Peaks: ...
def recipe_files(text: str) -> list[str]: ...
def upd_to_recipe(text: str, file: str | None = None) -> str: ...
def upd_from_recipe(text: str, original: str | None = None) -> str: ...
def upd_parse(text: str, file: str | None = None) -> tuple[list[int], list[float], _Peaks]: ...
def schema() -> str: ...
def presets() -> list[tuple[str, str, str]]: ...
def read_heightmap(
    path: str, spacing: _Pair | None = None, range: _Pair | None = None, size: Sequence[int] | None = None
) -> tuple[_Samples, list[float], list[str]]: ...
def sha256(samples: _Samples) -> str: ...
def write(
    ground: Ground,
    path: str,
    layers: _Layers,
    name: str,
    *,
    range: _Pair | None = None,
    declared: _Pair | None = None,
    epsg: int | None = None,
    easting: float | None = None,
    northing: float | None = None,
    width_mm: float | None = None,
    simplify: float | None = None,
    contour_interval: float | None = None,
) -> list[str]: ...
def write_bytes(path: str, bytes: bytes) -> None: ...
def bundle(
    ground: Ground, folder: str, layers: _Layers, recipe: str | None = None, *, range: _Pair | None = None
) -> list[str]: ...
def export(
    ground: Ground,
    target: str,
    folder: str,
    name: str,
    layers: _Layers,
    recipe: str | None = None,
    *,
    tiles: Sequence[int] = ...,
    range: _Pair | None = None,
) -> tuple[list[str], list[tuple[str, str]], list[str], list[str]]: ...
def fitting_size(target: str, size: Sequence[int], tiles: Sequence[int]) -> list[int]: ...
def targets() -> list[tuple[str, str]]: ...
def formats() -> list[tuple[str, bool]]: ...
def draw(
    ground: Ground,
    layers: _Layers,
    style: str,
    *,
    recipe: str | None = None,
    layer_name: str | None = None,
    size: Sequence[int] | None = None,
    legend: bool = False,
    azimuth: float | None = None,
    elevation: float | None = None,
    exaggeration: float | None = None,
    projection: str | None = None,
    graticule: bool = False,
    poster: str | None = None,
    largest: int | None = None,
) -> npt.NDArray[np.uint8]: ...
def styles() -> list[str]: ...
def png(picture: npt.NDArray[np.uint8]) -> bytes: ...
def skyline_heights(
    *,
    seed: int = 0,
    ranges: int = 1,
    divisions: int = 1000,
    peaks: int = 100,
    y_min: float = 0.0,
    y_max: float = 100.0,
    ruggedness: float = 1.0,
    spacing: float = 1.0,
    inverted_v: bool = False,
    given: Sequence[tuple[int, float, float | None]] | None = None,
    parts: bool = False,
) -> list[list[float]]: ...
def brownian_curve(seed: int, divisions: int, amplitude: float) -> list[float]: ...
def draw_skyline(
    ranges: Sequence[Sequence[float]], *, palette: str = "dusk", size: Sequence[int] | None = None, seed: int = 0
) -> npt.NDArray[np.uint8]: ...
