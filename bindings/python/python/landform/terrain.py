"""Ground that has been evaluated: layers of samples, and rivers."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .recipe import Recipe, StrPath

if TYPE_CHECKING:
    import shapely
    import xarray

Samples = npt.NDArray[np.float32]

POINT = np.dtype([(name, np.float64) for name in ("x", "z", "bed", "width", "depth", "discharge")])
"""A point of a river: metres to the east and south, height of the bed, width and depth of the water in metres, m³/s."""


@dataclass(frozen=True)
class River:
    """A river, from its source to its mouth."""

    name: str
    into: str | None
    """The river that it flows into."""
    points: npt.NDArray[np.void]
    """Its course downstream: x, z, bed, width, depth, discharge."""

    def to_shapely(self) -> shapely.LineString:
        """Its course as a line of shapely: x to the east, y to the north, z the height of the bed."""
        import shapely

        course = self.points
        return shapely.LineString(np.column_stack([course["x"], -course["z"], course["bed"]]))


@dataclass(frozen=True)
class Export:
    """What `Terrain.export` has written."""

    files: list[str]
    numbers: dict[str, str]
    """What the import dialog asks for."""
    steps: list[str]
    warnings: list[str]


class Terrain(Mapping[str, Samples]):
    """Layers of samples over one rectangle of ground; `height` is always among them.

    Row j and column i of an array lie at `z[j]` and `x[i]` metres, z to the south. The arrays are NumPy's own: they may be
    changed, and files and pictures show the change.

    >>> import landform
    >>> terrain = landform.build("islands", size=129)
    >>> terrain.height.shape, terrain.height.dtype
    ((129, 129), dtype('float32'))
    >>> terrain.tile(64, 32, 16, 8).height.shape
    (8, 16)
    """

    __slots__ = ("_ground", "_layers", "recipe", "units")

    units: dict[str, str]
    """The unit of each layer; "1" for a plain number."""
    recipe: Recipe | None
    """The recipe that it was built from."""

    def __init__(
        self,
        height: npt.ArrayLike,
        *,
        spacing: float | tuple[float, float] = 1.0,
        sea_level: float = 0.0,
        layers: Mapping[str, npt.ArrayLike] | None = None,
    ) -> None:
        dx, dz = spacing if isinstance(spacing, (tuple, list)) else (spacing, spacing)
        samples = _samples("height", height)
        self._layers: dict[str, Samples] = {"height": samples}
        size = (samples.shape[1], samples.shape[0])
        self._ground = _core.Ground(size, (float(dx), float(dz)), float(sea_level))
        self.units = {"height": "m"}
        self.recipe = None
        for name, values in (layers or {}).items():
            self[name] = values

    @classmethod
    def _of(cls, made: tuple[list[tuple[str, str, Samples]], _core.Ground], recipe: Recipe) -> Terrain:
        named, ground = made
        new = cls.__new__(cls)
        new._layers = {name: samples for name, _, samples in named}
        new.units = {name: unit for name, unit, _ in named}
        new._ground = ground
        new.recipe = recipe
        return new

    @property
    def spacing(self) -> tuple[float, float]:
        """Metres between samples to the east and to the south."""
        return self._ground.spacing

    @property
    def origin(self) -> tuple[int, int]:
        """Column and row of the first sample on the whole ground."""
        return self._ground.origin

    @property
    def sea_level(self) -> float:
        """Height of the water table in metres."""
        return self._ground.sea_level

    @sea_level.setter
    def sea_level(self, metres: float) -> None:
        self._ground = self._ground.with_sea_level(float(metres))

    @property
    def topology(self) -> str:
        """How the edges of the whole map belong together: "plane", or a map that wraps."""
        return self._ground.topology

    @property
    def cover(self) -> str:
        """What pictures show on the ground: "green", or "bare" rock and soil."""
        return self._ground.cover

    @property
    def height(self) -> Samples:
        """Elevation in metres."""
        return self._layers["height"]

    def __getitem__(self, layer: str) -> Samples:
        return self._layers[layer]

    def __setitem__(self, layer: str, values: npt.ArrayLike) -> None:
        samples = _samples(layer, values)
        if samples.shape != self.height.shape:
            raise _core.Error(f"{layer} has the shape {samples.shape}, but height has {self.height.shape}")
        self._layers[layer] = samples
        self.units.setdefault(layer, "1")

    def __iter__(self) -> Iterator[str]:
        return iter(self._layers)

    def __len__(self) -> int:
        return len(self._layers)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        rows, columns = self.height.shape
        return rows, columns

    @property
    def x(self) -> npt.NDArray[np.float64]:
        """Metres to the east of each column."""
        return (self.origin[0] + np.arange(self.shape[1], dtype=np.float64)) * np.float64(self.spacing[0])

    @property
    def z(self) -> npt.NDArray[np.float64]:
        """Metres to the south of each row."""
        return (self.origin[1] + np.arange(self.shape[0], dtype=np.float64)) * np.float64(self.spacing[1])

    def tile(self, i: int, j: int, width: int, height: int) -> Terrain:
        """The window whose first column and row on the whole ground are i and j. Its arrays are views: nothing is copied."""
        first, top = i - self.origin[0], j - self.origin[1]
        rows, columns = self.shape
        if first < 0 or top < 0 or width < 1 or height < 1 or first + width > columns or top + height > rows:
            text = f"tile {i},{j},{width},{height} does not lie on the terrain, which has {columns}x{rows} samples"
            raise _core.Error(text)
        new = Terrain.__new__(Terrain)
        window = np.s_[top : top + height, first : first + width]
        new._layers = {name: samples[window] for name, samples in self._layers.items()}
        new.units = dict(self.units)
        new.recipe = self.recipe
        new._ground = self._ground.at(i, j)
        return new

    def sha256(self, layer: str = "height") -> str:
        """SHA-256 of a layer's samples: the same as in `landform.json` and from `landform inspect`."""
        return _core.sha256(self[layer])

    # Rivers and places.

    @property
    def place(self) -> dict[str, Any] | None:
        """Where the whole ground lies on the Earth, or on its planet, as `landform.json` tells it; None if nobody said it."""
        told = self._ground.place
        return None if told is None else dict(json.loads(told))

    @property
    def rivers(self) -> list[River]:
        """The rivers on the whole ground, of which this may be a part."""
        rows = self._ground.rivers()
        return [River(name, into, np.array([tuple(p) for p in points], POINT)) for name, into, points in rows]

    def geojson(self, *, metres: bool = False) -> dict[str, Any]:
        """Rivers and places as GeoJSON. Coordinates are degrees of longitude and latitude in WGS 84 on a planet and where the input says
        where it lies, unless `metres` is set; else metres, y to the north.
        """
        collection: dict[str, Any] = json.loads(self._ground.geojson(metres))
        return collection

    # Other libraries.

    def to_xarray(self) -> xarray.Dataset:
        """The layers as a dataset of xarray, with coordinates and units. The samples are not copied.

        >>> import landform
        >>> dataset = landform.build("islands", size=65).to_xarray()
        >>> dataset.height.attrs["units"], dataset.sizes["x"]
        ('m', 65)
        """
        import xarray

        def described(name: str) -> dict[str, str]:
            attrs = {"units": self.units[name], "long_name": name.replace("_", " ")}
            return {**attrs, "standard_name": "surface_altitude"} if name == "height" else attrs

        variables = {name: (("z", "x"), samples, described(name)) for name, samples in self._layers.items()}
        coordinates = {
            "x": ("x", self.x, {"units": "m", "long_name": "distance to the east"}),
            "z": ("z", self.z, {"units": "m", "long_name": "distance to the south"}),
        }
        attrs: dict[str, Any] = {"sea_level": self.sea_level, "source": f"landform {_core.__version__}"}
        if self.recipe is not None:
            attrs |= {"title": self.recipe.title, "seed": self.recipe.seed, "recipe": self.recipe.text}
        return xarray.Dataset(variables, coordinates, attrs)

    # Files and pictures.

    def _named(self) -> list[tuple[str, Samples]]:
        return [(name, _samples(name, samples)) for name, samples in self._layers.items()]

    def _range(self) -> tuple[float, float]:
        return float(np.nanmin(self.height)), float(np.nanmax(self.height))

    def _declared_range(self) -> tuple[float, float] | None:
        return None if self.recipe is None else self.recipe.output_range

    def _warn_of_clamping(self, range: tuple[float, float] | None) -> None:
        low, high = self._range()
        if range is not None and (low < range[0] or high > range[1]):
            text = f"heights of {low} m to {high} m leave the range of {range[0]} m to {range[1]} m: 16-bit files clamp them"
            warnings.warn(text, stacklevel=3)

    def _text(self) -> str | None:
        return None if self.recipe is None else self.recipe.text

    def write(
        self,
        path: StrPath,
        layer: str = "height",
        *,
        range: tuple[float, float] | None = None,
        epsg: int | None = None,
        easting: float | None = None,
        northing: float | None = None,
        width_mm: float | None = None,
        simplify: float | None = None,
        contour_interval: float | None = None,
    ) -> None:
        """Writes a layer, or the rivers, in the format that the extension names.

        Heightmaps: `.npy .png .r16 .r32 .tif .exr .asc .hgt`; beside `.r16` and `.r32` their scale as `NAME.json`. Meshes:
        `.obj .glb .ply`, with `simplify` of as few triangles as keep every sample within that many metres. Blocks for a
        printer, `width_mm` wide: `.stl .3mf`. Rivers and places: `.geojson .fgb .svg .csv`. The recipe: `.toml .upd`.

        `layer` may also be a map that follows from the height: `slope`, `aspect`, `curvature`, `occlusion`, `normal` and
        `splat` (`.png`), `contours` (`.svg`, `.geojson`, `.fgb`), `catchments` and `subcatchments` (`.geojson`, `.fgb`).

        Files are written completely or not at all. Tiles of one terrain must share the `range` that 16-bit levels stand for; `output_range`
        of the recipe is one.
        `epsg`, `easting` and `northing` place maps and objects on the Earth where the input does not say it, or otherwise.
        """
        path = os.fspath(path)
        if os.path.splitext(path)[1].lower() in (".toml", ".upd"):
            if self.recipe is None:
                raise _core.Error(f"{path}: the terrain was not built from a recipe")
            self.recipe.save(path)
            return
        declared = self._declared_range() if range is None and layer == "height" else None
        if os.path.splitext(path)[1].lower() in (".png", ".r16", ".raw"):
            self._warn_of_clamping(declared)
        _core.write(
            self._ground,
            path,
            self._named(),
            layer,
            range=range,
            declared=declared,
            epsg=epsg,
            easting=easting,
            northing=northing,
            width_mm=width_mm,
            simplify=simplify,
            contour_interval=contour_interval,
        )

    def bundle(self, folder: StrPath, *, range: tuple[float, float] | None = None) -> list[str]:
        """Writes the standard bundle, all files or none: layers, pictures, a mesh, the rivers, the recipe and the manifest.

        Returns the names of the files, which are those of `landform build -o FOLDER/`, byte for byte. `range` is the lowest and
        the highest height that 16-bit levels stand for; `output_range` of the recipe or those of the terrain if not given. Heights beyond it
        are clamped, with a warning.
        """
        self._warn_of_clamping(self._declared_range() if range is None else range)
        return _core.bundle(self._ground, os.fspath(folder), self._named(), self._text(), range=range)

    def export(
        self,
        target: str,
        folder: StrPath,
        *,
        name: str = "terrain",
        tiles: tuple[int, int] = (1, 1),
        range: tuple[float, float] | None = None,
    ) -> Export:
        """Writes what another program takes, all files or none, and returns the numbers for its import dialog.

        `landform.targets()` names the programs. The terrain must have a size that the program takes: `landform.export` builds
        a recipe at such a size. With a `range` in metres, 16-bit levels keep their scale after an edit; the warnings tell if
        heights leave it and are clamped.
        """
        files, numbers, steps, notes = _core.export(
            self._ground, target, os.fspath(folder), name, self._named(), self._text(), tiles=tiles, range=range
        )
        return Export(files, dict(numbers), steps, notes)

    def picture(
        self,
        style: str = "relief",
        *,
        layer: str | None = None,
        size: tuple[int, int] | None = None,
        legend: bool = False,
        azimuth: float | None = None,
        elevation: float | None = None,
        exaggeration: float | None = None,
        projection: str | None = None,
        graticule: bool = False,
        poster: str | None = None,
        largest: int | None = None,
    ) -> npt.NDArray[np.uint8]:
        """A picture as an array of rows, columns and colours; `landform.styles()` names the styles.

        With `layer`, that layer in colours. `azimuth` and `elevation` of the camera in degrees are for "3d" and its like, and
        for the globe. `projection`, `graticule` and `poster` are for maps of planets, `largest` for the plan of peaks.
        """
        return _core.draw(
            self._ground,
            self._named(),
            style,
            recipe=self._text(),
            layer_name=layer,
            size=size,
            legend=legend,
            azimuth=azimuth,
            elevation=elevation,
            exaggeration=exaggeration,
            projection=projection,
            graticule=graticule,
            poster=poster,
            largest=largest,
        )

    def save_picture(self, path: StrPath, style: str = "relief", **options: Any) -> None:
        """Writes a picture as PNG; the options are those of `picture`."""
        _core.write_bytes(os.fspath(path), _core.png(self.picture(style, **options)))

    def _repr_png_(self) -> bytes:
        rows, columns = self.shape
        side = 720
        scale = side / max(rows * self.spacing[1], columns * self.spacing[0])
        size = (max(1, round(columns * self.spacing[0] * scale)), max(1, round(rows * self.spacing[1] * scale)))
        return _core.png(self.picture(self._map(), size=size))

    def _map(self) -> str:
        """The style of map that tells most: biomes if it is a world, else its relief."""
        return "world" if "biome" in self else "relief"

    def __repr__(self) -> str:
        rows, columns = self.shape
        low, high = self._range()
        names = ", ".join(self)
        return f"<landform.Terrain {columns} × {rows} samples, heights {low:.1f} to {high:.1f} m: {names}>"


def _samples(name: str, values: npt.ArrayLike) -> Samples:
    samples = np.asarray(values, dtype=np.float32)
    if samples.ndim != 2 or samples.size == 0:
        raise _core.Error(f"{name} must be an array of rows and columns, but has the shape {samples.shape}")
    return samples
