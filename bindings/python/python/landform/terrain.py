"""Ground that has been evaluated: layers of samples, and rivers."""

from __future__ import annotations

import json
import os
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

    __slots__ = ("_features", "_layers", "_size", "origin", "recipe", "sea_level", "spacing", "units")

    spacing: tuple[float, float]
    """Metres between samples to the east and to the south."""
    origin: tuple[int, int]
    """Column and row of the first sample on the whole ground."""
    sea_level: float
    """Height of the water table in metres."""
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
        self._size = (samples.shape[1], samples.shape[0])
        self._features = _core.Features()
        self.spacing = (float(dx), float(dz))
        self.origin = (0, 0)
        self.sea_level = float(sea_level)
        self.units = {"height": "m"}
        self.recipe = None
        for name, values in (layers or {}).items():
            self[name] = values

    @classmethod
    def _of(
        cls,
        made: tuple[list[tuple[str, str, Samples]], _core.Features],
        plan: _core.Plan,
        origin: tuple[int, int],
        recipe: Recipe,
    ) -> Terrain:
        named, features = made
        new = cls.__new__(cls)
        new._layers = {name: samples for name, _, samples in named}
        new.units = {name: unit for name, unit, _ in named}
        new._size = (plan.size[0], plan.size[1])
        new._features = features
        new.spacing = (plan.spacing[0], plan.spacing[1])
        new.origin = origin
        new.sea_level = plan.sea_level
        new.recipe = recipe
        return new

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
        new._size, new._features, new.spacing = self._size, self._features, self.spacing
        new.sea_level, new.recipe, new.origin = self.sea_level, self.recipe, (i, j)
        return new

    def sha256(self, layer: str = "height") -> str:
        """SHA-256 of a layer's samples: the same as in `landform.json` and from `landform inspect`."""
        return _core.sha256(self[layer])

    # Rivers and places.

    @property
    def rivers(self) -> list[River]:
        """The rivers on the whole ground, of which this may be a part."""
        rows = self._features.rivers()
        return [River(name, into, np.array([tuple(p) for p in points], POINT)) for name, into, points in rows]

    def geojson(self, *, metres: bool = False) -> dict[str, Any]:
        """Rivers and places as GeoJSON. Coordinates are metres, y to the north; on a planet degrees of longitude and latitude, unless
        `metres` is set.
        """
        collection: dict[str, Any] = json.loads(self._features.geojson(metres))
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

    def _frame(self) -> tuple[tuple[int, int], tuple[float, float], tuple[int, int], float]:
        return self._size, self.spacing, self.origin, self.sea_level

    def _range(self) -> tuple[float, float]:
        return float(np.nanmin(self.height)), float(np.nanmax(self.height))

    def write(
        self,
        path: StrPath,
        layer: str = "height",
        *,
        range: tuple[float, float] | None = None,
        epsg: int | None = None,
        easting: float = 0.0,
        northing: float = 0.0,
        width_mm: float | None = None,
        simplify: float | None = None,
    ) -> None:
        """Writes a layer, or the rivers, in the format that the extension names.

        Heightmaps: `.npy .png .r16 .r32 .tif .exr .asc .hgt`. Meshes: `.obj .glb .ply`, with `simplify` of as few triangles
        as keep every sample within that many metres; blocks for a printer, `width_mm`
        wide: `.stl .3mf`. Rivers and places: `.geojson .svg .csv`. The recipe: `.toml .upd`. Files are written whole or not
        at all. Tiles of one terrain must share the `range` that 16-bit levels stand for. `epsg`, `easting` and `northing`
        place a GeoTIFF on the Earth.
        """
        path = os.fspath(path)
        extension = os.path.splitext(path)[1].lower()
        if extension in (".geojson", ".svg", ".csv"):
            ground = [(self._size[axis] - 1) * self.spacing[axis] for axis in (0, 1)]
            vectors = {".geojson": self._features.geojson, ".csv": self._features.csv}
            text = self._features.svg((ground[0], ground[1])) if extension == ".svg" else vectors[extension]()
            _core.write_text(path, text)
        elif extension in (".toml", ".upd"):
            if self.recipe is None:
                raise _core.Error(f"{path}: the terrain was not built from a recipe")
            self.recipe.save(path)
        else:
            if layer not in self:
                raise _core.Error(f"{layer}: the terrain has the layers {', '.join(self)}")
            layers = [(name, samples) for name, samples in self._named() if name in ("height", layer)]
            _core.write_layer(
                path,
                layers,
                self._frame(),
                layer,
                range=range,
                epsg=epsg,
                easting=easting,
                northing=northing,
                width_mm=width_mm,
                simplify=simplify,
                texture=_core.texture(self._named(), self._frame(), self._features) if extension == ".glb" else None,
            )

    def bundle(self, folder: StrPath) -> None:
        """Writes the standard bundle: all layers, pictures, a mesh, the rivers, the recipe and the manifest."""
        folder = os.fspath(folder)
        files = ["map.png", "view.png", "terrain.glb"]
        low_high = self._range()
        for name in self:
            self.write(os.path.join(folder, f"{name}.npy"), name)
        self.write(os.path.join(folder, "height.png"), range=low_high)
        self.save_picture(os.path.join(folder, "map.png"), self._map())
        self.save_picture(os.path.join(folder, "view.png"), "3d")
        self.write(os.path.join(folder, "terrain.glb"))
        if len(self._features):
            files.append("features.geojson")
            self.write(os.path.join(folder, "features.geojson"))
        if self.recipe is not None:
            files.append("recipe.toml")
            self.recipe.save(os.path.join(folder, "recipe.toml"))
        seed = None if self.recipe is None else self.recipe.seed
        manifest = _core.manifest(self._named(), self._frame(), seed, low_high, files)
        _core.write_text(os.path.join(folder, "landform.json"), manifest)

    def export(self, target: str, folder: StrPath, *, name: str = "terrain") -> Export:
        """Writes what another program wants, and the numbers for its import dialog: see `landform.targets()`."""
        layers = [("height", _samples("height", self.height))]
        files, numbers, steps, warnings = _core.export(target, os.fspath(folder), name, layers, self._frame())
        return Export(files, dict(numbers), steps, warnings)

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
    ) -> npt.NDArray[np.uint8]:
        """A picture as an array of rows, columns and colours; `landform.styles()` names the styles.

        With `layer`, that layer in colours. `azimuth` and `elevation` of the camera in degrees are for "3d" and its like.
        """
        layers = self._named()
        cones = []
        if style == "plan" and self.recipe is not None:
            dx, dz = self.recipe.spacing
            cones = [(p["i"] * dx, p["j"] * dz, p["height"], p["radius"]) for p in self.recipe.peaks()]
        return _core.draw(
            layers,
            self._frame(),
            style,
            layer_name=layer,
            size=size,
            legend=legend,
            azimuth=azimuth,
            elevation=elevation,
            exaggeration=exaggeration,
            cones=cones,
            features=self._features,
        )

    def save_picture(self, path: StrPath, style: str = "relief", **options: Any) -> None:
        """Writes a picture as PNG; the options are those of `picture`."""
        data = _core.png(self.picture(style, **options))
        folder = os.path.dirname(os.fspath(path))
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

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
