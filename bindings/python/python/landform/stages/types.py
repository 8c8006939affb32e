"""The types of parameters that have structure or a choice of words.

Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict, Union


Topology = Literal["plane", "sphere", "cylinder", "torus"]
"""How the edges of the map belong together.

- `plane`: A piece of ground: beyond its edges there is nothing.

- `sphere`: A whole planet by longitude and latitude: the first and the last column are the same meridian, the
first and the last row are the poles.

- `cylinder`: A flat map whose east edge is its west edge.

- `torus`: A flat map that wraps both ways."""

Cover = Literal["green", "bare"]
"""What covers the ground where it is neither snow, water nor beach.

- `green`: Meadows and woods, and rock where it is steep or high.

- `bare`: Nothing: dry soil and rock everywhere."""

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

Voids = Literal["refuse", "fill"]
"""Samples without a height.

- `refuse`: They are an error that says how many there are, and where.

- `fill`: A membrane hangs in each of them from its edge."""

End = Union[Literal["auto", "north", "east", "south", "west"], Sequence[float]]
"""Where a river begins or ends: a side of the ground, `auto`, or x and z in metres.

- `auto`: High ground for a source; the sea, a low side of the ground or another river for a mouth.

- `north`: z = 0.

- `east`: x is greatest.

- `south`: z is greatest.

- `west`: x = 0."""

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

LineRidge = TypedDict(
    "LineRidge",
    {
        "kind": 'Literal["ridge"]',
        "name": 'str',
        "points": 'Sequence[Sequence[float]]',
        "heights": 'Sequence[float]',
        "slope_left": 'float',
        "slope_right": 'float',
        "radius": 'float',
        "roughness": 'float',
    },
    total=False,
)
"""A crest: the ground falls to both sides, and no water crosses it."""

LineRiver = TypedDict(
    "LineRiver",
    {
        "kind": 'Literal["river"]',
        "name": 'str',
        "points": 'Sequence[Sequence[float]]',
        "heights": 'Sequence[float]',
        "width": 'float',
        "discharge": 'float | None',
        "slope": 'float',
        "radius": 'float',
    },
    total=False,
)
"""Running water from its source to its mouth: its bed falls all the way."""

LineCoast = TypedDict(
    "LineCoast",
    {
        "kind": 'Literal["coast"]',
        "name": 'str',
        "points": 'Sequence[Sequence[float]]',
        "slope": 'float',
        "radius": 'float',
        "shelf": 'float',
        "depth": 'float',
    },
    total=False,
)
"""The shore of an island or a continent: land inside of the closed line, sea outside of all coasts. It may leave
the map."""

LineLake = TypedDict(
    "LineLake",
    {
        "kind": 'Literal["lake"]',
        "name": 'str',
        "points": 'Sequence[Sequence[float]]',
        "level": 'float',
        "depth": 'float',
        "slope": 'float',
        "radius": 'float',
    },
    total=False,
)
"""The shore of a lake: water inside of the closed line."""

LineContour = TypedDict(
    "LineContour",
    {
        "kind": 'Literal["contour"]',
        "name": 'str',
        "points": 'Sequence[Sequence[float]]',
        "height": 'float',
        "closed": 'bool',
    },
    total=False,
)
"""A line on which the ground has one height."""

LinePoint = TypedDict(
    "LinePoint",
    {
        "kind": 'Literal["point"]',
        "name": 'str',
        "at": 'Sequence[float]',
        "height": 'float',
        "slope": 'float',
        "radius": 'float',
    },
    total=False,
)
"""A height that is known at one place."""

LinePlateau = TypedDict(
    "LinePlateau",
    {
        "kind": 'Literal["plateau"]',
        "name": 'str',
        "points": 'Sequence[Sequence[float]]',
        "level": 'float',
        "rim": 'float',
        "slope": 'float',
        "radius": 'float',
    },
    total=False,
)
"""An area of one height that may have a raised edge."""

LineBasin = TypedDict(
    "LineBasin",
    {
        "kind": 'Literal["basin"]',
        "name": 'str',
        "points": 'Sequence[Sequence[float]]',
        "level": 'float',
        "rim": 'float',
        "slope": 'float',
    },
    total=False,
)
"""An area of one height below its edge, such as a crater or a plain between mountains."""


Line = Union[
    LineRidge,
    LineRiver,
    LineCoast,
    LineLake,
    LineContour,
    LinePoint,
    LinePlateau,
    LineBasin,
]
"""A line, a point or an area that the ground has to meet. Heights are metres over the same zero as everything
else."""

Sharing = Literal["weighted", "in_order", "proportional", "eighths"]
"""How a sample shares its water among its lower neighbours. All but `weighted` are schemes of Alcock (2007).

- `weighted`: In proportion to the difference of levels, diagonal neighbours half as much: no direction shows,
and by far the fastest.

- `in_order`: One neighbour after the other, in place: min(w, L_v − L_u) to each of what is left. It prefers a
direction and makes waves; turned ground gives another result.

- `proportional`: min(w, greatest difference), in proportion to the difference of levels among lower
neighbours, without diagonal weights.

- `eighths`: Each lower neighbour gets ⅛·min(w, L_v − L_u)."""

RockKind = Union[Literal["granite", "basalt", "limestone", "sandstone", "shale", "clay", "sand", "soil"], str]
"""A kind of rock: one of these, from the hardest to the softest, or one of `named_rocks`.

- `granite`: Hardly worn at all: stands out as tors, plugs and ridges.

- `basalt`: Hard lava.

- `limestone`: Makes cliffs and benches.

- `sandstone`: The measure of the others.

- `shale`: Soft; its fine grains settle slowly.

- `clay`: Very soft; its mud is carried far.

- `sand`: Loose, and settles soon.

- `soil`: The softest."""

NamedRock = TypedDict(
    "NamedRock",
    {
        "name": 'str',
        "capacity": 'float',
        "deposition": 'float',
        "softness": 'float',
        "creep": 'float',
        "headwaters": 'float',
    },
    total=False,
)
"""A kind of rock of one's own: how its constants compare with those of the stage, which are those of sandstone."""

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

PlateModel = Literal["drift", "report"]
"""How plates move and shape the ground.

- `drift`: Crust is carried along, folded, swallowed and made anew: on any topology, at any resolution.

- `report`: The raster of the report: pixels that rise where plates overlap, and fall where gaps open. Not for
the topology `sphere`."""

Layout = Literal["frontier", "voronoi"]
"""How the first plates are laid out.

- `frontier`: Random frontier growth: uneven borders.

- `voronoi`: Every place belongs to the nearest of random centres: straight borders."""

Neighbours = Literal["four", "eight"]
"""The neighbours that a patch grows to.

- `four`: Across the edges of cells, as in the report.

- `eight`: Across corners too: rounder patches."""

Heat = Literal["given", "drawn"]
"""How temperature comes about.

- `given`: From `equator`, `pole`, `lapse` and `maritime`.

- `drawn`: The seed draws 30 to 40 °C for the equator, −15 to −10 °C for the poles, and by how much the
highest summit is colder, as in the report."""

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
