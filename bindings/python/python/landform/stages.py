"""The stages of recipes, each as a function with typed keyword arguments.

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

__all__ = [
    "biomes",
    "brownian_surface",
    "climate",
    "diamond_square",
    "drainage",
    "evolve",
    "fault_formation",
    "flatten",
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
    "smooth",
    "thermal",
    "uplift",
]

Topology = Literal["plane", "sphere", "cylinder", "torus"]
"""How the edges of the map belong together.

- `plane`: A piece of ground: beyond its edges there is nothing.

- `sphere`: A whole planet by longitude and latitude: the first and the last column are the same meridian, the
first and the last row are the poles.

- `cylinder`: A flat map whose east edge is its west edge.

- `torus`: A flat map that wraps both ways."""

Blend = Literal["add", "multiply", "max", "min", "replace", "lerp"]
"""How new values join old ones. The weight w is the stage's `amount` times its mask.

- `add`: old + w·new

- `multiply`: old·(1 + w·(new − 1))

- `max`: The greater of the two, faded in by w.

- `min`: The lesser of the two, faded in by w.

- `replace`: New where w is at least ½, old elsewhere: a hard edge.

- `lerp`: old + w·(new − old): a fade from old to new."""

MaskHeight = TypedDict(
    "MaskHeight",
    {
        "kind": 'Literal["height"]',
        "from": 'float | None',
        "to": 'float | None',
        "fade": 'float',
        "layer": 'str',
    },
    total=False,
)
"""Where a layer, the height unless another is named, lies in a band."""

MaskSlope = TypedDict(
    "MaskSlope",
    {
        "kind": 'Literal["slope"]',
        "from": 'float',
        "to": 'float',
        "fade": 'float',
    },
    total=False,
)
"""Where the ground is as steep as this."""

MaskRegion = TypedDict(
    "MaskRegion",
    {
        "kind": 'Literal["region"]',
        "region": 'Region',
        "fade": 'float',
    },
    total=False,
)
"""Inside a region."""

MaskImage = TypedDict(
    "MaskImage",
    {
        "kind": 'Literal["image"]',
        "file": 'str',
    },
    total=False,
)
"""By a painted picture, stretched over the ground: black is 0, white is 1."""

MaskNoise = TypedDict(
    "MaskNoise",
    {
        "kind": 'Literal["noise"]',
        "wavelength": 'float',
        "cover": 'float',
        "fade": 'float',
    },
    total=False,
)
"""In patches, by noise."""

MaskGradient = TypedDict(
    "MaskGradient",
    {
        "kind": 'Literal["gradient"]',
        "from": 'Sequence[float]',
        "to": 'Sequence[float]',
    },
    total=False,
)
"""Across the ground: 0 up to one point, 1 from another on, and smoothly between, along the line that joins them."""

MaskNot = TypedDict(
    "MaskNot",
    {
        "kind": 'Literal["not"]',
        "of": 'Mask',
    },
    total=False,
)
"""Everywhere but in a mask."""

MaskAll = TypedDict(
    "MaskAll",
    {
        "kind": 'Literal["all"]',
        "of": 'Sequence[Mask]',
    },
    total=False,
)
"""Where all of several masks act: their product."""

MaskAny = TypedDict(
    "MaskAny",
    {
        "kind": 'Literal["any"]',
        "of": 'Sequence[Mask]',
    },
    total=False,
)
"""Where any of several masks acts: the greatest of them."""


Mask = Union[
    MaskHeight,
    MaskSlope,
    MaskRegion,
    MaskImage,
    MaskNoise,
    MaskGradient,
    MaskNot,
    MaskAll,
    MaskAny,
]
"""Where a stage acts."""

RegionCircle = TypedDict(
    "RegionCircle",
    {
        "kind": 'Literal["circle"]',
        "center": 'Sequence[float]',
        "radius": 'float',
    },
    total=False,
)
"""All points within a distance of a centre."""

RegionRectangle = TypedDict(
    "RegionRectangle",
    {
        "kind": 'Literal["rectangle"]',
        "from": 'Sequence[float]',
        "to": 'Sequence[float]',
    },
    total=False,
)
"""All points between two corners."""

RegionPolygon = TypedDict(
    "RegionPolygon",
    {
        "kind": 'Literal["polygon"]',
        "points": 'Sequence[Sequence[float]]',
    },
    total=False,
)
"""All points inside a closed line; where it crosses itself, those it winds around an odd number of times."""


Region = Union[
    RegionCircle,
    RegionRectangle,
    RegionPolygon,
]
"""A part of the ground, in metres: x to the east, z to the south, from the first sample."""

Curve = Literal["tent", "inverted_v"]
"""How the influence of an uplift goes on beyond its base circle.

- `tent`: Clamped to the ground: y·max(0, 1 − d/r).

- `inverted_v`: Falls for ever: y·(1 − d/r). The paper shows it to be worse; here for comparison."""

PeakLine = Sequence[float]
"""A peak as the recipe has it: `[i, j, height, radius]`."""

Sum = Literal["fbm", "multiplicative", "ridged", "billow"]
"""How octaves of noise become a height.

- `fbm`: Fractional Brownian motion: every octave adds its hills everywhere.

- `multiplicative`: Each octave is scaled by the height so far: rough heights above smooth valleys.

- `ridged`: Sharp crests, with the detail on them.

- `billow`: Rounded domes with sharp valleys between them."""

Basis = Literal["perlin", "simplex", "value", "cellular"]
"""The noise that a fractal sum is made of.

- `perlin`: Gradient noise on squares (Perlin 2002): natural, and by far the fastest.

- `simplex`: Gradient noise on triangles (Perlin 2001): a little smoother.

- `value`: Random heights joined smoothly: rounder and blockier.

- `cellular`: Hills around scattered points (Worley 1996): cones with creases between them."""

Interpolation = Literal["bilinear", "cubic"]
"""How heights between old points are found.

- `bilinear`: The mean of the two or four points around: the classic rule, which leaves creases along the
axes.

- `cubic`: A cubic through the four points on each line (Dubuc 1986): no creases."""

End = Union[Literal["auto", "north", "east", "south", "west"], Sequence[float]]
"""Where a river begins or ends: a side of the ground, `auto`, or x and z in metres."""

CourseLine = TypedDict(
    "CourseLine",
    {
        "name": 'str',
        "from": 'End',
        "to": 'End',
        "depth": 'int | None',
    },
    total=False,
)
"""A river by hand."""

Bed = Literal["falling", "base_level"]
"""How high the bed of a river lies.

- `falling`: It falls from the source to the mouth, below the ground.

- `base_level`: At one level."""

Pad = TypedDict(
    "Pad",
    {
        "name": 'str',
        "x": 'float | None',
        "z": 'float | None',
        "radius": 'float | None',
        "size": 'Sequence[float] | None',
        "angle": 'float',
        "polygon": 'Sequence[Sequence[float]] | None',
        "path": 'Sequence[Sequence[float]] | None',
        "margin": 'float',
        "level": 'float | None',
        "level_end": 'float | None',
    },
    total=False,
)
"""A flat place: a circle, or with `size` a rectangle, with `polygon` a polygon, with `path` a road."""

Fade = Literal["cosine", "smooth"]
"""How a flat place fades into the ground around it.

- `cosine`: 1 − cos(t·π/2): flat at the place, with an edge where it ends.

- `smooth`: (1 − cos(t·π))/2: no edge at either end."""

RockKind = Literal["granite", "basalt", "limestone", "sandstone", "shale", "clay", "sand", "soil"]
"""A kind of rock, from the hardest to the softest.

- `granite`: Hardly worn at all: stands out as tors, plugs and ridges.

- `basalt`: Hard lava.

- `limestone`: Makes cliffs and benches.

- `sandstone`: The measure of the others.

- `shale`: Soft; its fine grains settle slowly.

- `clay`: Very soft; its mud is carried far.

- `sand`: Loose, and settles soon.

- `soil`: The softest."""

RockBody = TypedDict(
    "RockBody",
    {
        "rock": 'RockKind',
        "mask": 'Mask',
    },
    total=False,
)
"""A body of rock of one kind."""

Strata = TypedDict(
    "Strata",
    {
        "beds": 'Sequence[Bed2]',
        "base": 'float',
        "dip": 'float',
        "toward": 'float',
        "fold": 'float',
        "wavelength": 'float',
    },
    total=False,
)
"""Beds of rock, one upon the other."""

Bed2 = TypedDict(
    "Bed2",
    {
        "rock": 'RockKind',
        "thickness": 'float',
    },
    total=False,
)
"""One bed of `Strata`."""

Border = Literal["open", "closed"]
"""What is beyond the border of the map.

- `open`: The ground goes on with the slope that it has at the border: water runs off the map and is lost with
its sediment.

- `closed`: A wall: nothing is lost."""

Layout = Literal["frontier", "voronoi"]
"""How the first plates are laid out.

- `frontier`: Random frontier growth: uneven borders.

- `voronoi`: Every place belongs to the nearest of random centres: straight borders."""

Neighbours = Literal["four", "eight"]
"""The neighbours that a patch grows to.

- `four`: Across the edges of cells, as in the report.

- `eight`: Across corners too: rounder patches."""

Rain = Literal["wind", "inland", "noise"]
"""How precipitation comes about.

- `wind`: Wind belts carry moisture from the sea over the land.

- `inland`: By the distance from the sea and the latitude, as in the report.

- `noise`: By noise and the latitude, as in the report."""

Chart = Literal["whittaker", "linear"]
"""The chart by which land is classified.

- `whittaker`: Whittaker's chart with its curved boundaries.

- `linear`: The report's boxes."""

Side = Literal["north", "east", "south", "west"]
"""A side of the ground.

- `north`: z = 0.

- `east`: The greatest x.

- `south`: The greatest z.

- `west`: x = 0."""

Remedy = Literal["breach", "fill"]
"""What becomes of a depression.

- `breach`: What dams it up is cut through.

- `fill`: It is filled until it runs over."""


def uplift(
    *,
    peaks: int = 100,
    y_min: float = 500.0,
    y_max: float = 6000.0,
    ruggedness: float = 2.0,
    ruggedness_max: float | None = None,
    skew: float = 1.0,
    curve: Curve = "tent",
    region: Region | None = None,
    margin: float = 0.0,
    divisor: float | None = None,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Mountains by the Uplift Model: the average of random uplifts.

    Parameters
    ----------
    peaks
        Number of peaks, `N_p`. More peaks, smoother and lower ground. (1 to 1000000)
    y_min
        Lowest peak, `Y_min`. (m; 0.0 to 1000000.0)
    y_max
        Highest peak, `Y_max`. (m; 0.0 to 1000000.0)
    ruggedness
        Steepness of the peaks, R: the base of a peak has the radius height / R. 1 gives hills, 20 the
        Andes. (0.001 to 1000.0)
    ruggedness_max
        If given, each peak has its own steepness between `ruggedness` and this. (0.001 to 1000.0)
    skew
        Above 1, low peaks outnumber high ones; 1 is as many of each, as in the paper. (0.1 to 10.0)
    curve
        Whether the influence of a peak ends at its base circle.
    region
        Where the peaks stand; on the whole ground unless given.
    margin
        How far beyond the ground peaks may stand, so that its edges are not lower than its middle. (m;
        0.0 to 1000000.0)
    divisor
        What the sum of the peaks is divided by: their number unless given. (above 0.0)
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
    return stage(
        "uplift",
        {
            "peaks": peaks,
            "y_min": y_min,
            "y_max": y_max,
            "ruggedness": ruggedness,
            "ruggedness_max": ruggedness_max,
            "skew": skew,
            "curve": curve,
            "region": region,
            "margin": margin,
            "divisor": divisor,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"peaks": 100, "y_min": 500.0, "y_max": 6000.0, "ruggedness": 2.0, "skew": 1.0, "curve": "tent", "margin": 0.0},
    )


def peaks(
    *,
    peaks: Sequence[PeakLine] | None = None,
    curve: Curve = "tent",
    divisor: float | None = None,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Mountains by hand: the average of the peaks in a list.

    Parameters
    ----------
    peaks
        The peaks: grid lines i and j of the centre, height and radius in metres. A height below 0 is a
        hollow.
    curve
        Whether the influence of a peak ends at its base circle.
    divisor
        What the sum of the peaks is divided by: their number unless given. A fixed one keeps all
        heights when a peak is added or removed. (above 0.0)
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
    return stage(
        "peaks",
        {
            "peaks": peaks,
            "curve": curve,
            "divisor": divisor,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"curve": "tent"},
    )


def noise(
    *,
    sum: Sum = "fbm",
    basis: Basis = "perlin",
    wavelength: float = 4000.0,
    amplitude: float | Mapping[str, Any] = 600.0,
    h: float | Mapping[str, Any] = 1.0,
    lacunarity: float = 2.0,
    octaves: int = 12,
    offset: float | Mapping[str, Any] = 0.0,
    shift: float = 0.0,
    scale: float = 1.0,
    feedback: float = 2.0,
    warp: float | Mapping[str, Any] = 0.0,
    warp_wavelength: float = 3000.0,
    warp_octaves: int = 3,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Fractal noise, hills on hills on hills.

    Parameters
    ----------
    sum
        How octaves of noise become a height.
    basis
        The noise itself.
    wavelength
        Size of the largest hills: the input scale. (m; 0.001 to 10000000.0)
    amplitude
        Height of the largest hills: the output scale. (m; -100000.0 to 100000.0; may vary over the map:
        {from, to, by})
    h
        Fractal increment H: 0 jagged, 1 natural, 2 smooth. (0.0 to 2.0; may vary over the map: {from,
        to, by})
    lacunarity
        How many times smaller each octave is than the one before. (1.0 to 8.0)
    octaves
        Number of octaves; those too fine for the output are left out. (1 to 24)
    offset
        Where the sum begins (c_0), in amplitudes. (-10.0 to 10.0; may vary over the map: {from, to,
        by})
    shift
        What is added to the noise of each octave (c_t). (-2.0 to 2.0)
    scale
        What the noise of each octave is multiplied by (c_s). (-4.0 to 4.0)
    feedback
        Of a ridged sum: how far down from the crests there is detail. (0.0 to 100.0)
    warp
        How far places are moved by noise before the height is looked up. (m; 0.0 to 1000000.0; may vary
        over the map: {from, to, by})
    warp_wavelength
        Size of the bends that the warp makes. (m; 0.001 to 10000000.0)
    warp_octaves
        Number of octaves of the warp. (1 to 12)
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
    return stage(
        "noise",
        {
            "sum": sum,
            "basis": basis,
            "wavelength": wavelength,
            "amplitude": amplitude,
            "h": h,
            "lacunarity": lacunarity,
            "octaves": octaves,
            "offset": offset,
            "shift": shift,
            "scale": scale,
            "feedback": feedback,
            "warp": warp,
            "warp_wavelength": warp_wavelength,
            "warp_octaves": warp_octaves,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"sum": "fbm", "basis": "perlin", "wavelength": 4000.0, "amplitude": 600.0, "h": 1.0, "lacunarity": 2.0, "octaves": 12, "offset": 0.0, "shift": 0.0, "scale": 1.0, "feedback": 2.0, "warp": 0.0, "warp_wavelength": 3000.0, "warp_octaves": 3},
    )


def matrix_diamond_square(
    *,
    start: Sequence[Sequence[float]] | None = None,
    amplitude: float = 1000.0,
    falloff: float = 0.5,
    interpolation: Interpolation = "bilinear",
    passes: int = 16,
    normalize: bool = True,
    low: float = 0.0,
    high: float = 1500.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Heights refined and shaken until they are a terrain.

    Parameters
    ----------
    start
        The heights to begin with, row by row from the north; every row has as many. (m)
    amplitude
        How much the first pass shakes the heights, up or down. (m; 0.0 to 1000000.0)
    falloff
        By how much each pass shakes less than the one before: ½ in the paper. (0.0 to 1.0)
    interpolation
        How a pass finds the heights between old ones: bilinear in the paper, cubic without its creases.
    passes
        Number of passes; those too fine for the output are left out. (1 to 24)
    normalize
        Whether the heights are brought to the range from `low` to `high`.
    low
        The least height, if normalized. (m; -100000.0 to 100000.0)
    high
        The greatest height, if normalized. (m; -100000.0 to 100000.0)
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
    return stage(
        "matrix_diamond_square",
        {
            "start": start,
            "amplitude": amplitude,
            "falloff": falloff,
            "interpolation": interpolation,
            "passes": passes,
            "normalize": normalize,
            "low": low,
            "high": high,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"amplitude": 1000.0, "falloff": 0.5, "interpolation": "bilinear", "passes": 16, "normalize": True, "low": 0.0, "high": 1500.0},
    )


def diamond_square(
    *,
    wavelength: float = 5120.0,
    amplitude: float = 900.0,
    h: float = 1.0,
    passes: int = 16,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Centres, then sides, each moved at random.

    Parameters
    ----------
    wavelength
        Distance of the points that it begins with: the size of the largest hills. (m; 0.001 to
        10000000.0)
    amplitude
        How far those points are moved, up or down. (m; 0.0 to 100000.0)
    h
        Scaling exponent H: 0 jagged, 1 smooth. (0.0 to 2.0)
    passes
        Number of passes; those too fine for the output are left out. (1 to 24)
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
    return stage(
        "diamond_square",
        {
            "wavelength": wavelength,
            "amplitude": amplitude,
            "h": h,
            "passes": passes,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"wavelength": 5120.0, "amplitude": 900.0, "h": 1.0, "passes": 16},
    )


def midpoint_displacement(
    *,
    wavelength: float = 5120.0,
    amplitude: float = 900.0,
    h: float = 1.0,
    interpolation: Interpolation = "bilinear",
    passes: int = 16,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Points in the middle of old ones, moved at random.

    Parameters
    ----------
    wavelength
        Distance of the points that it begins with: the size of the largest hills. (m; 0.001 to
        10000000.0)
    amplitude
        How far those points are moved, up or down. (m; 0.0 to 100000.0)
    h
        Scaling exponent H: 0 jagged, 1 smooth. (0.0 to 2.0)
    interpolation
        How heights between old ones are found: bilinear is the classic rule, cubic is without its
        creases.
    passes
        Number of passes; those too fine for the output are left out. (1 to 24)
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
    return stage(
        "midpoint_displacement",
        {
            "wavelength": wavelength,
            "amplitude": amplitude,
            "h": h,
            "interpolation": interpolation,
            "passes": passes,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"wavelength": 5120.0, "amplitude": 900.0, "h": 1.0, "interpolation": "bilinear", "passes": 16},
    )


def brownian_surface(
    *,
    wavelength: float = 5120.0,
    amplitude: float = 300.0,
    passes: int = 16,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """A surface whose profiles are Brownian curves.

    Parameters
    ----------
    wavelength
        Distance up to which differences grow: the size of the largest hills. (m; 0.001 to 10000000.0)
    amplitude
        Height of the largest hills. (m; 0.0 to 100000.0)
    passes
        Number of passes; those too fine for the output are left out. (1 to 24)
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
    return stage(
        "brownian_surface",
        {
            "wavelength": wavelength,
            "amplitude": amplitude,
            "passes": passes,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"wavelength": 5120.0, "amplitude": 300.0, "passes": 16},
    )


def fault_formation(
    *,
    faults: int = 800,
    throw: float = 60.0,
    last_throw: float = 4.0,
    width: float = 300.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Ground cut by straight faults.

    Parameters
    ----------
    faults
        Number of faults. (1 to 100000)
    throw
        Throw of the first fault: how far one side is lifted against the other. (m; 0.0 to 10000.0)
    last_throw
        Throw of the last fault. (m; 0.0 to 10000.0)
    width
        Over which distance a fault rises; 0 for a cliff. (m; 0.0 to 1000000.0)
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
    return stage(
        "fault_formation",
        {
            "faults": faults,
            "throw": throw,
            "last_throw": last_throw,
            "width": width,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"faults": 800, "throw": 60.0, "last_throw": 4.0, "width": 300.0},
    )


def particle_deposition(
    *,
    vents: int = 9,
    particles: int = 40000,
    grain: float = 4.0,
    talus_slope: float = 0.5,
    dwell: int = 250,
    cell: float = 60.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Particles that fall from vents and roll downhill.

    Parameters
    ----------
    vents
        Number of vents. (1 to 10000)
    particles
        Number of particles from each vent. (1 to 10000000)
    grain
        Height of a particle. (m; 0.001 to 1000.0)
    talus_slope
        Steepest slope on which a particle lies still, as rise over run. (0.01 to 10.0)
    dwell
        Number of particles after which a vent moves by one cell. (1 to 10000000)
    cell
        Distance of the points on which particles lie. (m; 0.001 to 1000000.0)
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
    return stage(
        "particle_deposition",
        {
            "vents": vents,
            "particles": particles,
            "grain": grain,
            "talus_slope": talus_slope,
            "dwell": dwell,
            "cell": cell,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"vents": 9, "particles": 40000, "grain": 4.0, "talus_slope": 0.5, "dwell": 250, "cell": 60.0},
    )


def plane(
    *,
    height: float = 100.0,
    slope_x: float = 0.0,
    slope_z: float = 0.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Lifts, sinks or tilts the ground.

    Parameters
    ----------
    height
        Height at the first sample, the north-west corner. (m; -20000.0 to 20000.0)
    slope_x
        Rise to the east, metres a metre. (-10.0 to 10.0)
    slope_z
        Rise to the south, metres a metre. (-10.0 to 10.0)
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
    return stage(
        "plane",
        {
            "height": height,
            "slope_x": slope_x,
            "slope_z": slope_z,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"height": 100.0, "slope_x": 0.0, "slope_z": 0.0},
    )


def heightmap(
    *,
    file: str = "",
    low: float | None = None,
    high: float | None = None,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Ground from a picture.

    Parameters
    ----------
    file
        The file, relative to the recipe.
    low
        Height of black, if the file does not tell or is to be overruled. Not for files that hold
        metres. (m; -20000.0 to 20000.0)
    high
        Height of white, if the file does not tell or is to be overruled. Not for files that hold
        metres. (m; -20000.0 to 20000.0)
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
    return stage(
        "heightmap",
        {
            "file": file,
            "low": low,
            "high": high,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"file": ""},
    )


def smooth(
    *,
    radius: float = 50.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Rounds the ground.

    Parameters
    ----------
    radius
        Standard deviation of the kernel: what is smaller than this disappears. (m; 0.0 to 100000.0)
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
    return stage(
        "smooth",
        {
            "radius": radius,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"radius": 50.0},
    )


def levels(
    *,
    low: float = 0.0,
    high: float = 1000.0,
    gamma: float = 1.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Stretches the heights to a range.

    Parameters
    ----------
    low
        Height of the lowest point. (m; -20000.0 to 20000.0)
    high
        Height of the highest point. (m; -20000.0 to 20000.0)
    gamma
        Above 1 widens valleys and sharpens summits, below 1 makes plateaus. (0.1 to 10.0)
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
    return stage(
        "levels",
        {
            "low": low,
            "high": high,
            "gamma": gamma,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"low": 0.0, "high": 1000.0, "gamma": 1.0},
    )


def river(
    *,
    count: int | None = None,
    from_: End = "auto",
    to: End = "auto",
    courses: Sequence[CourseLine] | None = None,
    bend: float | None = None,
    depth: int = 3,
    depth_mouth: int | None = None,
    meander: Mask | None = None,
    meander_depth: int = 5,
    irregularity: float = 0.7,
    follow: float = 0.7,
    smoothing: float = 1.0,
    width: float = 8.0,
    width_mouth: float = 60.0,
    water_depth: float = 1.0,
    radius: float = 250.0,
    radius_mouth: float = 900.0,
    plain: float = 0.05,
    plain_mouth: float = 0.4,
    wall: float = 0.6,
    incision: float = 6.0,
    incision_mouth: float | None = None,
    fall: float = 0.2,
    bed: Bed = "falling",
    base_level: float = 0.0,
    distance: bool = False,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Rivers that wind downhill and cut their valleys into the ground.

    Parameters
    ----------
    count
        Number of rivers beside those of `courses`; those that meet are joined. 1 unless there are
        `courses`. (0 to 200)
    from_
        Where these rivers begin: `north`, `east`, `south`, `west`, `[x, z]` in metres, or `auto`: on
        high ground.
    to
        Where they end: a side, a point, or `auto`: in the sea, another river, or on a low side of the
        ground.
    courses
        Rivers by hand, each with its own name and ends. The first of two that meet is the main river.
    bend
        Size of the largest bends; a twelfth of the longer side of the ground unless given. (m; above
        0.0)
    depth
        How often the bends are subdivided: 0 is swift and straight, 6 meanders tightly. (0 to 10)
    depth_mouth
        Subdivision at the mouth, if it is another; it changes along the river. (0 to 10)
    meander
        Where the rivers are subdivided by `meander_depth` instead: any mask.
    meander_depth
        Subdivision where the mask `meander` is 1. (0 to 10)
    irregularity
        How uneven the triangles of the squig curve are; 0 gives those of the paper. (0.0 to 1.0)
    follow
        How closely the course keeps to low ground; 0 is by chance alone, as in the paper. (0.0 to 1.0)
    smoothing
        How far the corners of the course are rounded; 0 joins the middles of the edges, as in the
        paper. (0.0 to 1.0)
    width
        Width of the water at a source. (m; 0.1 to 10000.0)
    width_mouth
        Width of the water at the mouth of the longest river, before its tributaries add to it. (m; 0.1
        to 10000.0)
    water_depth
        Depth of the water, compared with rivers of that width. (0.0 to 50.0)
    radius
        How far the valley reaches on each side at a source. (m; 0.1 to 100000.0)
    radius_mouth
        How far the valley reaches on each side at a mouth. (m; 0.1 to 100000.0)
    plain
        Share of the valley that is flood plain at a source: 0 is a gorge. (0.0 to 0.95)
    plain_mouth
        Share of the valley that is flood plain at a mouth. (0.0 to 0.95)
    wall
        Steepest valley side, rise over run: where a river cuts deeper, its valley is wider than its
        radius. (0.05 to 20.0)
    incision
        How far the water lies below the ground that the river came upon. (m; 0.0 to 5000.0)
    incision_mouth
        How far at a mouth, if it is another. (m; 0.0 to 5000.0)
    fall
        Least fall of the bed, metres a kilometre. (m/km; 0.0 to 100.0)
    bed
        Whether the bed falls along the river, or lies at `base_level` everywhere, as in the paper.
    base_level
        Height of the bed where `bed` is `base_level`. (m; -20000.0 to 20000.0)
    distance
        Whether there is a layer `river_distance`: metres to the nearest water.
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
    return stage(
        "river",
        {
            "count": count,
            "from": from_,
            "to": to,
            "courses": courses,
            "bend": bend,
            "depth": depth,
            "depth_mouth": depth_mouth,
            "meander": meander,
            "meander_depth": meander_depth,
            "irregularity": irregularity,
            "follow": follow,
            "smoothing": smoothing,
            "width": width,
            "width_mouth": width_mouth,
            "water_depth": water_depth,
            "radius": radius,
            "radius_mouth": radius_mouth,
            "plain": plain,
            "plain_mouth": plain_mouth,
            "wall": wall,
            "incision": incision,
            "incision_mouth": incision_mouth,
            "fall": fall,
            "bed": bed,
            "base_level": base_level,
            "distance": distance,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"from": "auto", "to": "auto", "depth": 3, "meander_depth": 5, "irregularity": 0.7, "follow": 0.7, "smoothing": 1.0, "width": 8.0, "width_mouth": 60.0, "water_depth": 1.0, "radius": 250.0, "radius_mouth": 900.0, "plain": 0.05, "plain_mouth": 0.4, "wall": 0.6, "incision": 6.0, "fall": 0.2, "bed": "falling", "base_level": 0.0, "distance": False},
    )


def flatten(
    *,
    pads: Sequence[Pad] | None = None,
    fade: Fade = "cosine",
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Flat places for towns, scenes and roads.

    Parameters
    ----------
    pads
        The places. Where they overlap, the later one lies on top.
    fade
        How the ground rises in the margin.
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
    return stage(
        "flatten",
        {
            "pads": pads,
            "fade": fade,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"fade": "cosine"},
    )


def hydraulic(
    *,
    steps: int = 300,
    rain: float = 0.01,
    rain_every: int = 1,
    evaporation: float = 0.01,
    drying: float = 0.05,
    capacity: float = 25.0,
    deposition: float = 0.1,
    softness: float = 0.02,
    steepness: float = 1.0,
    bank_angle: float = 35.0,
    creep: float = 1.0,
    rock: RockKind = "sandstone",
    rocks: Sequence[RockBody] | None = None,
    strata: Strata | None = None,
    levels: int = 5,
    cell: float | None = None,
    border: Border = "open",
    sea: bool = True,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Lets rain wear the ground.

    Parameters
    ----------
    steps
        How long it rains, in steps, on each level. (1 to 10000)
    rain
        Depth of water that falls at once. (m; 1e-06 to 10.0)
    rain_every
        Steps from one rain to the next. (1 to 1000)
    evaporation
        Share of the water that evaporates in a step. (0.0 to 1.0)
    drying
        Share of the water that evaporates in a step after the last rain. (0.01 to 1.0)
    capacity
        K_c: metres of sediment that a metre of water carries on a slope of 45°. (0.0 to 10000.0)
    deposition
        K_d: share of what the water cannot carry that settles in a step. (0.0 to 1.0)
    softness
        K_s: share of what the water could carry more that it digs up in a step. (0.0 to 1.0)
    steepness
        How much it counts for the capacity that water runs steeply: 0 not at all, 1 in proportion. (0.0
        to 1.0)
    bank_angle
        Steepest bank that stands; 90 lets all stand. (degrees; 1.0 to 90.0)
    creep
        How much the sediment that has settled creeps on downhill: without, fans and river beds ripple.
        (0.0 to 1.0)
    rock
        The rock that everything is made of where nothing else is said.
    rocks
        Bodies of other rock.
    strata
        Beds of rock instead of `rock`.
    levels
        Number of lattices, each of half the samples of the next: 1 is the finest alone. (1 to 16)
    cell
        Distance between the samples of the finest lattice, if it is not that of the recipe. (m; 1e-06
        to 1000000.0)
    border
        What is beyond the border.
    sea
        Whether rivers end at the sea level of the recipe and leave their load there.
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
    return stage(
        "hydraulic",
        {
            "steps": steps,
            "rain": rain,
            "rain_every": rain_every,
            "evaporation": evaporation,
            "drying": drying,
            "capacity": capacity,
            "deposition": deposition,
            "softness": softness,
            "steepness": steepness,
            "bank_angle": bank_angle,
            "creep": creep,
            "rock": rock,
            "rocks": rocks,
            "strata": strata,
            "levels": levels,
            "cell": cell,
            "border": border,
            "sea": sea,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"steps": 300, "rain": 0.01, "rain_every": 1, "evaporation": 0.01, "drying": 0.05, "capacity": 25.0, "deposition": 0.1, "softness": 0.02, "steepness": 1.0, "bank_angle": 35.0, "creep": 1.0, "rock": "sandstone", "levels": 5, "border": "open", "sea": True},
    )


def thermal(
    *,
    talus_angle: float = 34.0,
    steps: int = 200,
    levels: int = 1,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Lets cliffs crumble to scree.

    Parameters
    ----------
    talus_angle
        Steepest slope that stands. (degrees; 1.0 to 89.0)
    steps
        Most steps on each of the lattices from coarse to fine; it ends sooner when nothing slides any
        more. (1 to 100000)
    levels
        Number of lattices, each of half the samples of the next: 1 is the finest alone. More of them
        bring down whole mountainsides in few steps. (1 to 16)
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
    return stage(
        "thermal",
        {
            "talus_angle": talus_angle,
            "steps": steps,
            "levels": levels,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"talus_angle": 34.0, "steps": 200, "levels": 1},
    )


def plates(
    *,
    plates: int = 16,
    layout: Layout = "frontier",
    patches: int = 5,
    neighbours: Neighbours = "eight",
    continental_crust: float = 35.0,
    continents: int = 45,
    clustering: float = 0.72,
    steps: int = 30,
    step: float = 3.0,
    speed: float = 6.0,
    friction: float = 0.01,
    stop_below: float = 0.1,
    hot_spots: int = 10,
    mountains: float = 1.0,
    detail: float = 1.0,
    belts: Sequence[Sequence[float]] | None = None,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Continents and oceans by plate tectonics: plates drift, collide and part, and raise mountain
    belts, island arcs, trenches and ridges.

    Parameters
    ----------
    plates
        Number of plates. (1 to 1000)
    layout
        How the first plates are laid out.
    patches
        Number of patches from which a plate is joined: more make sizes and shapes more uneven; 1 as in
        the report. (1 to 20)
    neighbours
        The neighbours that a patch grows to.
    continental_crust
        Share of the surface that is continental crust at the start. Some of it lies below the sea. (%;
        0.0 to 100.0)
    continents
        Number of patches of which some become continents: fewer make larger continents. (1 to 5000)
    clustering
        How likely the next patch of continent touches another, 0 scattered to 1 one supercontinent.
        (0.0 to 1.0)
    steps
        Number of steps that the plates move. (0 to 1000)
    step
        Length of a step in million years. (Ma; 0.1 to 100.0)
    speed
        How fast the fastest plates move at the start; the slowest move half as fast. (cm/a; 0.0 to
        100.0)
    friction
        Share of its velocity that a plate loses in a step. (0.0 to 1.0)
    stop_below
        When all plates are slower than this, they stop. (cm/a; 0.0 to 100.0)
    hot_spots
        Number of hot spots, over which volcanoes rise and are carried away in chains. (0 to 1000)
    mountains
        How high mountain belts, arcs and trenches are, compared with those of the Earth. (0.0 to 5.0)
    detail
        How rough coasts and plains are. (0.0 to 5.0)
    belts
        The peaks of the belts, instead of those that the plates raise: `[x, z, height, radius]` in
        metres. `landform build WORLD.toml --belts -o MINE.toml` writes them down.
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
    return stage(
        "plates",
        {
            "plates": plates,
            "layout": layout,
            "patches": patches,
            "neighbours": neighbours,
            "continental_crust": continental_crust,
            "continents": continents,
            "clustering": clustering,
            "steps": steps,
            "step": step,
            "speed": speed,
            "friction": friction,
            "stop_below": stop_below,
            "hot_spots": hot_spots,
            "mountains": mountains,
            "detail": detail,
            "belts": belts,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"plates": 16, "layout": "frontier", "patches": 5, "neighbours": "eight", "continental_crust": 35.0, "continents": 45, "clustering": 0.72, "steps": 30, "step": 3.0, "speed": 6.0, "friction": 0.01, "stop_below": 0.1, "hot_spots": 10, "mountains": 1.0, "detail": 1.0},
    )


def sea_level(
    *,
    ocean: float = 71.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Raises or lowers the ground until the asked share of it lies below the sea.

    Parameters
    ----------
    ocean
        Share of the ground that is below the sea. (%; 0.0 to 100.0)
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
    return stage(
        "sea_level",
        {
            "ocean": ocean,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"ocean": 71.0},
    )


def climate(
    *,
    equator: float = 28.0,
    pole: float = -23.0,
    lapse: float = 6.5,
    maritime: float = 1.0,
    rain: Rain = "wind",
    wetness: float = 1.0,
    seasons: float = 9.0,
    latitude_effect: float = 50.0,
    moisture_loss: float = 0.5,
    variance: float = 5.0,
    north: float = 90.0,
    south: float = -90.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Temperature, wind and precipitation of the ground as it is.

    Parameters
    ----------
    equator
        Mean temperature at the sea on the equator. (°C; -100.0 to 100.0)
    pole
        Mean temperature at the sea at the poles. (°C; -150.0 to 100.0)
    lapse
        How much colder it is for each kilometre above the sea. (°C/km; 0.0 to 30.0)
    maritime
        How strongly the sea makes coasts milder; 0 not at all. (0.0 to 3.0)
    rain
        How precipitation comes about.
    wetness
        Factor of all precipitation. (0.0 to 10.0)
    seasons
        How far the belts of wind and rain move with the seasons. Only with `rain` = `wind`. (degrees;
        0.0 to 45.0)
    latitude_effect
        How much the latitude counts for precipitation, with `inland` and `noise`. (%; 0.0 to 100.0)
    moisture_loss
        How soon rain gets scarce inland, with `inland`. (0.01 to 10.0)
    variance
        How many times precipitation changes across the map, with `noise`. (0.1 to 100.0)
    north
        Latitude of the north edge of a map that is not a whole planet. (degrees; -90.0 to 90.0)
    south
        Latitude of the south edge of a map that is not a whole planet. (degrees; -90.0 to 90.0)
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
    return stage(
        "climate",
        {
            "equator": equator,
            "pole": pole,
            "lapse": lapse,
            "maritime": maritime,
            "rain": rain,
            "wetness": wetness,
            "seasons": seasons,
            "latitude_effect": latitude_effect,
            "moisture_loss": moisture_loss,
            "variance": variance,
            "north": north,
            "south": south,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"equator": 28.0, "pole": -23.0, "lapse": 6.5, "maritime": 1.0, "rain": "wind", "wetness": 1.0, "seasons": 9.0, "latitude_effect": 50.0, "moisture_loss": 0.5, "variance": 5.0, "north": 90.0, "south": -90.0},
    )


def biomes(
    *,
    chart: Chart = "whittaker",
    unevenness: float = 1.0,
    sea_ice: float = -9.0,
    land_ice: float = -13.5,
    lakes: bool = True,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """What grows where, by the temperature and precipitation of a `climate` stage before.

    Parameters
    ----------
    chart
        The chart by which land is classified.
    unevenness
        How uneven borders are; 0 keeps exactly to the chart. (0.0 to 5.0)
    sea_ice
        Mean temperature below which the sea is frozen. (°C; -100.0 to 50.0)
    land_ice
        Mean temperature below which land is under ice. (°C; -100.0 to 50.0)
    lakes
        Whether water that is cut off from the sea is a lake.
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
    return stage(
        "biomes",
        {
            "chart": chart,
            "unevenness": unevenness,
            "sea_ice": sea_ice,
            "land_ice": land_ice,
            "lakes": lakes,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"chart": "whittaker", "unevenness": 1.0, "sea_ice": -9.0, "land_ice": -13.5, "lakes": True},
    )


def evolve(
    *,
    uplift: float = 1.0,
    lift: str = "height",
    start: float = 0.0,
    relief: float | None = None,
    erodibility: float = 5e-06,
    area_exponent: float = 0.45,
    slope_exponent: float = 1.0,
    years: float | None = None,
    diffusivity: float = 0.03,
    critical_angle: float = 90.0,
    deposition: float = 0.2,
    delta_years: float = 0.0,
    rock: RockKind = "sandstone",
    rocks: Sequence[RockBody] | None = None,
    strata: Strata | None = None,
    rain: str | None = None,
    sea: bool = True,
    outlets: Sequence[Side] | None = None,
    margin: float = 0.1,
    wander: float = 1.0,
    levels: int = 8,
    preview: int = 0,
    steps: int = 8,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Lets the land rise and rivers carve it: see the [module](super).

    Parameters
    ----------
    uplift
        How fast the ground rises where the layer `lift` is highest; elsewhere in proportion to its
        height above the sea. (mm/yr; 0.0 to 100.0)
    lift
        The layer that gives the shape of the uplift.
    start
        How much of the height before is there when it begins: 0 begins on a plain at the level of the
        sea, 1 with the ground as it is. (0.0 to 1.0)
    relief
        Height of the highest summit over the sea once all is in balance: sets `erodibility`. (m; 1.0 to
        20000.0)
    erodibility
        K: how fast rivers cut into sandstone, in m^(1−2m)/yr, where there is no `relief`. (1e-10 to
        1.0)
    area_exponent
        m: how much the size of a river counts. (0.1 to 1.5)
    slope_exponent
        n: how much its slope counts. (0.3 to 4.0)
    years
        How long it goes on; until uplift and erosion are nearly in balance unless given. (yr; 1.0 to
        1000000000.0)
    diffusivity
        D: how fast slopes creep. (m²/yr; 0.0 to 10.0)
    critical_angle
        Slope on which all that is loose slides: creep is the faster the nearer a slope comes to it. 90
        is the linear law. (degrees; 5.0 to 90.0)
    deposition
        G: how readily sediment settles: 0 carries all of it away, 1 fills valleys and builds fans. (0.0
        to 5.0)
    delta_years
        How long rivers have built deltas into the sea of the recipe; it has stood at its level for
        about 7000 years. (yr; 0.0 to 1000000.0)
    rock
        The rock that everything is made of where nothing else is said.
    rocks
        Bodies of other rock.
    strata
        Beds of rock instead of `rock`.
    rain
        The layer that gives the rain, relative to its mean; the same everywhere unless given.
    sea
        Whether the sea of the recipe stays where it is and rivers end there.
    outlets
        The sides of the ground by which rivers leave.
    margin
        How far the land goes on beyond the border, as a share of the ground: it evolves too, and is
        then cut away, so that valleys cross the border as if it were not there. (0.0 to 0.5)
    wander
        How much valleys wander instead of following the lattice. (0.0 to 1.0)
    levels
        Number of lattices, each of half the samples of the next: 1 is the finest alone. (1 to 16)
    preview
        Number of the finest lattices that are left out, for a preview: the large valleys are the same,
        the ground is about a quarter lower, and each makes it about four times faster. (0 to 6)
    steps
        Steps on each lattice; the coarsest has four times as many. (1 to 1000)
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
    return stage(
        "evolve",
        {
            "uplift": uplift,
            "lift": lift,
            "start": start,
            "relief": relief,
            "erodibility": erodibility,
            "area_exponent": area_exponent,
            "slope_exponent": slope_exponent,
            "years": years,
            "diffusivity": diffusivity,
            "critical_angle": critical_angle,
            "deposition": deposition,
            "delta_years": delta_years,
            "rock": rock,
            "rocks": rocks,
            "strata": strata,
            "rain": rain,
            "sea": sea,
            "outlets": outlets,
            "margin": margin,
            "wander": wander,
            "levels": levels,
            "preview": preview,
            "steps": steps,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"uplift": 1.0, "lift": "height", "start": 0.0, "erodibility": 5e-06, "area_exponent": 0.45, "slope_exponent": 1.0, "diffusivity": 0.03, "critical_angle": 90.0, "deposition": 0.2, "delta_years": 0.0, "rock": "sandstone", "sea": True, "margin": 0.1, "wander": 1.0, "levels": 8, "preview": 0, "steps": 8},
    )


def drainage(
    *,
    depressions: Remedy = "breach",
    lake_depth: float = 3.0,
    lake_area: float = 20000.0,
    rain: float = 100.0,
    rain_layer: str | None = None,
    runoff: float = 0.5,
    source: float = 0.03,
    width: float = 1.0,
    strands: int = 1,
    open_border: bool = True,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Finds rivers and lakes.

    Parameters
    ----------
    depressions
        What becomes of depressions that hold no lake.
    lake_depth
        Depth from which on a depression holds a lake. (m; 0.0 to 10000.0)
    lake_area
        Area from which on it does. (m²; 0.0 to 1000000000000.0)
    rain
        Rain of a year, or of the mean where `rain_layer` says where it falls. (cm; 0.1 to 2000.0)
    rain_layer
        The layer by which the rain varies, relative to its mean.
    runoff
        Share of the rain that runs off. (0.01 to 1.0)
    source
        Discharge with which a river begins. (m³/s; 1e-06 to 1000000.0)
    width
        Width of the rivers compared with those of that discharge. (0.0 to 100.0)
    strands
        Strands that rivers part into where they are steep for their size and have room: 1 leaves them
        whole. (1 to 12)
    open_border
        Whether water also ends at the border of the ground; else only in the sea, if there is one.
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
    return stage(
        "drainage",
        {
            "depressions": depressions,
            "lake_depth": lake_depth,
            "lake_area": lake_area,
            "rain": rain,
            "rain_layer": rain_layer,
            "runoff": runoff,
            "source": source,
            "width": width,
            "strands": strands,
            "open_border": open_border,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"depressions": "breach", "lake_depth": 3.0, "lake_area": 20000.0, "rain": 100.0, "runoff": 0.5, "source": 0.03, "width": 1.0, "strands": 1, "open_border": True},
    )


def gullies(
    *,
    wavelength: float = 400.0,
    octaves: int = 4,
    depth: float = 0.12,
    branching: float = 1.0,
    steep: float = 1.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Cuts gullies into slopes.

    Parameters
    ----------
    wavelength
        Distance between the largest gullies. (m; 0.1 to 1000000.0)
    octaves
        Number of sizes, each half of the one before. (1 to 12)
    depth
        Depth of a gully over the distance to the next, on a slope of 45°. (0.0 to 1.0)
    branching
        How much the slopes of large gullies turn smaller ones: 0 lets all run down the ground as it
        was. (0.0 to 3.0)
    steep
        Slope, rise over run, from which on gullies hardly grow deeper. (0.01 to 10.0)
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
    return stage(
        "gullies",
        {
            "wavelength": wavelength,
            "octaves": octaves,
            "depth": depth,
            "branching": branching,
            "steep": steep,
            "label": label,
            "enabled": enabled,
            "layer": layer,
            "blend": blend,
            "amount": amount,
            "mask": mask,
        },
        {"wavelength": 400.0, "octaves": 4, "depth": 0.12, "branching": 1.0, "steep": 1.0},
    )
