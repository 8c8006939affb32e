"""The stages of recipes, each as a function with typed keyword arguments.

Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited.

A call gives a `Stage`, which goes into a recipe or is applied to heights:

>>> import landform
>>> from landform import stages
>>> recipe = landform.Recipe.of(stages.uplift(peaks=40), size=(65, 33), spacing=50)
>>> recipe.stages[0]["peaks"]
40

Every stage also has these
--------------------------
label
    Name of the stage; its random numbers depend on it. The kind, unless another is given.
enabled
    Whether it takes part.
layer
    The layer that it changes.
blend
    How its values join that layer; each kind of stage has a default.
amount
    How strongly it acts. (-100.0 to 100.0)
mask
    Where it acts; everywhere unless given.
"""

from __future__ import annotations

from .erosion import (
    drainage,
    evolve,
    glaciers,
    gullies,
    hydraulic,
    river,
    thermal,
)
from .fractals import (
    brownian_surface,
    diamond_square,
    fault_formation,
    matrix_diamond_square,
    midpoint_displacement,
    noise,
    particle_deposition,
)
from .landforms import (
    flatten,
    heightmap,
    levels,
    peaks,
    plane,
    sketch,
    smooth,
    uplift,
)
from .types import (
    Basis as Basis,
    Bed as Bed,
    Bed2 as Bed2,
    Blend as Blend,
    Border as Border,
    Chart as Chart,
    CourseLine as CourseLine,
    Cover as Cover,
    Curve as Curve,
    End as End,
    Fade as Fade,
    Heat as Heat,
    Interpolation as Interpolation,
    Layout as Layout,
    Line as Line,
    LineBasin as LineBasin,
    LineCoast as LineCoast,
    LineContour as LineContour,
    LineLake as LineLake,
    LinePlateau as LinePlateau,
    LinePoint as LinePoint,
    LineRidge as LineRidge,
    LineRiver as LineRiver,
    Mask as Mask,
    MaskAll as MaskAll,
    MaskAny as MaskAny,
    MaskGradient as MaskGradient,
    MaskHeight as MaskHeight,
    MaskImage as MaskImage,
    MaskNoise as MaskNoise,
    MaskNot as MaskNot,
    MaskRegion as MaskRegion,
    MaskSlope as MaskSlope,
    NamedRock as NamedRock,
    Neighbours as Neighbours,
    Pad as Pad,
    PeakLine as PeakLine,
    PlateModel as PlateModel,
    Rain as Rain,
    Region as Region,
    RegionCircle as RegionCircle,
    RegionPolygon as RegionPolygon,
    RegionRectangle as RegionRectangle,
    Remedy as Remedy,
    RockBody as RockBody,
    RockKind as RockKind,
    Sharing as Sharing,
    Side as Side,
    Strata as Strata,
    Sum as Sum,
    Topology as Topology,
    Voids as Voids,
)
from .worlds import (
    biomes,
    climate,
    plates,
    sea_level,
)

__all__ = [
    "biomes",
    "brownian_surface",
    "climate",
    "diamond_square",
    "drainage",
    "evolve",
    "fault_formation",
    "flatten",
    "glaciers",
    "gullies",
    "heightmap",
    "hydraulic",
    "levels",
    "matrix_diamond_square",
    "midpoint_displacement",
    "noise",
    "particle_deposition",
    "peaks",
    "plane",
    "plates",
    "river",
    "sea_level",
    "sketch",
    "smooth",
    "thermal",
    "uplift",
]
