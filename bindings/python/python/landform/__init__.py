"""Terrain as a list of landforms: recipes to NumPy arrays, the same bytes as from every other door.

>>> import landform
>>> terrain = landform.build("mountains", seed=7, size=257)
>>> terrain.height.shape
(257, 257)
>>> terrain.picture("3d", size=(320, 200)).shape
(200, 320, 3)

`Recipe` is the text, `build` and `Plan` run it, `Terrain` holds the layers, `landform.stages` has a function for every stage,
and `apply` runs stages on heights of your own. `build_store` and `open_store` are for terrains larger than memory, `landform.dask`
for clusters.
"""

from . import stages
from ._core import Error, __version__, formats, schema, styles, targets
from ._stage import Stage
from .build import Plan, apply, build, export, presets, read, skyline
from .recipe import PEAK, Recipe
from .store import Store, build_store, open_store
from .terrain import Export, River, Terrain

__all__ = [
    "PEAK",
    "Error",
    "Export",
    "Plan",
    "Recipe",
    "River",
    "Stage",
    "Store",
    "Terrain",
    "__version__",
    "apply",
    "build",
    "build_store",
    "export",
    "formats",
    "open_store",
    "presets",
    "read",
    "schema",
    "skyline",
    "stages",
    "styles",
    "targets",
]
