"""The compiled part of the package."""

from collections.abc import Callable, Sequence
from typing import final

import numpy as np
import numpy.typing as npt

_Samples = npt.NDArray[np.float32]
_Layers = Sequence[tuple[str, _Samples]]
_Pair = Sequence[float]
_Frame = tuple[tuple[int, int], tuple[float, float], tuple[int, int], float]
_Peaks = list[tuple[int, int, float, float]]
_Progress = Callable[[str, float], object] | None

__version__: str
__all__ = [
    "__version__",
    "Error",
    "Features",
    "Plan",
    "Store",
    "brownian_curve",
    "create_store",
    "draw",
    "draw_skyline",
    "export",
    "fill_store",
    "formats",
    "manifest",
    "png",
    "presets",
    "read_heightmap",
    "recipe_append",
    "recipe_files",
    "recipe_json",
    "recipe_pads",
    "recipe_peaks",
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
    "write_layer",
    "write_text",
]

class Error(ValueError):
    stage: tuple[int, str] | None
    parameter: str | None
    file: str | None
    line: int | None
    column: int | None

@final
class Plan:
    def __new__(cls, text: str, folder: str, arrays: Sequence[tuple[str, _Samples]]) -> Plan: ...
    @property
    def size(self) -> list[int]: ...
    @property
    def spacing(self) -> list[float]: ...
    @property
    def sea_level(self) -> float: ...
    @property
    def layers(self) -> list[str]: ...
    def memory(self, i: int, j: int, width: int, height: int) -> int: ...
    def simulate(self, kept: dict[str, bytes]) -> dict[str, bytes]: ...
    def run(
        self, i: int, j: int, width: int, height: int, *, threads: int | None = None, progress: _Progress = None
    ) -> tuple[list[tuple[str, str, _Samples]], Features]: ...

@final
class Features:
    def __new__(cls) -> Features: ...
    def __len__(self) -> int: ...
    def rivers(self) -> list[tuple[str, str | None, list[list[float]]]]: ...
    def geojson(self, metres: bool = False) -> str: ...
    def svg(self, ground: tuple[float, float]) -> str: ...
    def csv(self) -> str: ...

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
def recipe_set(text: str, path: str, value: str) -> str: ...
def recipe_append(text: str, stage: str) -> str: ...
def recipe_pads(text: str, pads: str, label: str, file: str | None = None) -> str: ...
def recipe_peaks(text: str) -> _Peaks: ...
def recipe_files(text: str) -> list[str]: ...
def upd_to_recipe(text: str, file: str | None = None) -> str: ...
def upd_from_recipe(text: str) -> str: ...
def upd_parse(text: str, file: str | None = None) -> tuple[list[int], list[float], _Peaks]: ...
def schema() -> str: ...
def presets() -> list[tuple[str, str, str]]: ...
def read_heightmap(
    path: str, spacing: _Pair | None = None, range: _Pair | None = None, size: Sequence[int] | None = None
) -> tuple[_Samples, list[float], list[str]]: ...
def sha256(samples: _Samples) -> str: ...
def write_layer(
    path: str,
    layers: _Layers,
    frame: _Frame,
    name: str,
    *,
    range: _Pair | None = None,
    epsg: int | None = None,
    easting: float = 0.0,
    northing: float = 0.0,
    width_mm: float | None = None,
    simplify: float | None = None,
    texture: bytes | None = None,
) -> None: ...
def write_text(path: str, text: str) -> None: ...
def manifest(layers: _Layers, frame: _Frame, seed: int | None, range: _Pair, files: Sequence[str]) -> str: ...
def export(
    target: str, folder: str, name: str, layers: _Layers, frame: _Frame
) -> tuple[list[str], list[tuple[str, str]], list[str], list[str]]: ...
def targets() -> list[tuple[str, str]]: ...
def formats() -> list[tuple[str, bool]]: ...
def draw(
    layers: _Layers,
    frame: _Frame,
    style: str,
    *,
    layer_name: str | None = None,
    size: Sequence[int] | None = None,
    legend: bool = False,
    azimuth: float | None = None,
    elevation: float | None = None,
    exaggeration: float | None = None,
    cones: Sequence[tuple[float, float, float, float]] = ...,
    features: Features | None = None,
) -> npt.NDArray[np.uint8]: ...
def styles() -> list[str]: ...
def png(picture: npt.NDArray[np.uint8]) -> bytes: ...
def texture(layers: _Layers, frame: _Frame, features: Features) -> bytes: ...
def skyline_heights(
    *,
    seed: int = 0,
    ranges: int = 1,
    divisions: int = 1000,
    peaks: int = 100,
    y_min: float = 0.0,
    y_max: float = 100.0,
    ruggedness: float = 1.0,
) -> list[list[float]]: ...
def brownian_curve(seed: int, divisions: int, amplitude: float) -> list[float]: ...
def draw_skyline(
    ranges: Sequence[Sequence[float]], *, palette: str = "dusk", size: Sequence[int] | None = None, seed: int = 0
) -> npt.NDArray[np.uint8]: ...
