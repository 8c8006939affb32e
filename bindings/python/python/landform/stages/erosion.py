"""Stages of running water, ice and sliding ground.

What every stage has is said in `landform.stages`.
Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._stage import Stage, declared
from .types import Bed, Blend, Border, CourseLine, End, Mask, NamedRock, Rain, Remedy, RockBody, RockKind, Sharing, Side, Strata


@declared
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
    """
    return Stage(locals())


@declared
def hydraulic(
    *,
    steps: int = 300,
    rain: float = 0.01,
    rain_every: int = 1,
    evaporation: float = 0.01,
    drying: float = 0.05,
    capacity: float | Mapping[str, Any] = 25.0,
    deposition: float | Mapping[str, Any] = 0.1,
    softness: float | Mapping[str, Any] = 0.02,
    sharing: Sharing = "weighted",
    steepness: float = 1.0,
    bank_angle: float = 35.0,
    creep: float = 1.0,
    rock: RockKind = "sandstone",
    named_rocks: Sequence[NamedRock] | None = None,
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
        K_c: metres of sediment that a metre of water carries on a slope of 45°. (0.0 to 10000.0; may
        vary over the map: {from, to, by})
    deposition
        K_d: share of what the water cannot carry that settles in a step. (0.0 to 1.0; may vary over the
        map: {from, to, by})
    softness
        K_s: share of what the water could carry more that it digs up in a step. (0.0 to 1.0; may vary
        over the map: {from, to, by})
    sharing
        How a sample shares its water among its lower neighbours.
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
    named_rocks
        Kinds of rock of the recipe's own, for `rock`, `rocks` and `strata`.
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
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
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
    headwaters: float = 0.0,
    critical_angle: float = 90.0,
    deposition: float = 0.2,
    floors: float = 0.0,
    delta_years: float = 0.0,
    rock: RockKind = "sandstone",
    named_rocks: Sequence[NamedRock] | None = None,
    rocks: Sequence[RockBody] | None = None,
    strata: Strata | None = None,
    rain: str | None = None,
    sea: bool = True,
    outlets: Sequence[Side] | None = None,
    margin: float = 0.1,
    wander: float = 1.0,
    detail: float = 1.0,
    patchiness: float = 0.0,
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
    """Lets the land rise and rivers carve it.

    Parameters
    ----------
    uplift
        How fast the ground rises where the layer `lift` is highest; elsewhere in proportion to its
        height above the sea. (mm/yr; 0.0 to 100.0)
    lift
        The layer that gives the shape of the uplift.
    start
        How much of the height before is there when it begins: 0 begins on a plain at the level of the
        sea, 1 with the ground as it is. With 1 and few years little changes. (0.0 to 1.0)
    relief
        Height of the highest summit over the sea once all is in balance: sets `erodibility`, where no
        `years` are given. Rock then counts at most a factor of 2, so that hard rock does not stand
        alone above a plain. (m; 1.0 to 20000.0)
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
    headwaters
        Drainage area below which no stream cuts: larger, and slopes are longer and smoother. 0 lets the
        smallest streams cut. (m²; 0.0 to 1000000000.0)
    critical_angle
        Slope that stands: what rivers leave steeper fails, and creep is the faster the nearer a slope
        comes to it. 30 to 40 are the flanks of real mountains; 90 lets every slope stand. (degrees; 5.0
        to 90.0)
    deposition
        G: how readily sediment settles: 0 carries all of it away, 1 fills valleys and builds fans, much
        more buries the valleys of the mountains too. (0.0 to 5.0)
    floors
        How much rivers fill the valleys that they have cut: 0 leaves them as notches, 1 gives floors as
        wide as in nature, with fans at the mouths of side valleys. (0.0 to 5.0)
    delta_years
        How long rivers have built deltas into the sea of the recipe; it has stood at its level for
        about 7000 years. (yr; 0.0 to 1000000.0)
    rock
        The rock that everything is made of where nothing else is said.
    named_rocks
        Kinds of rock of the recipe's own, for `rock`, `rocks` and `strata`: `softness` multiplies K,
        `creep` multiplies D and `headwaters` the parameter of that name; the other factors do not
        count.
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
        How much new valleys wander instead of following those of the coarser lattice. (0.0 to 1.0)
    detail
        How much the smallest streams cut into the slopes between the rivers, down to the spacing of the
        output: finer output has finer streams. 0 leaves slopes smooth. (0.0 to 1.0)
    patchiness
        How much `detail` differs from place to place: 0 is the same everywhere, with 1 some slopes have
        hardly any. (0.0 to 1.0)
    levels
        Number of lattices, each of half the samples of the next: 1 is the finest alone. (1 to 16)
    preview
        Number of the finest lattices that are left out, for a preview: the large valleys and the
        highest summit are the same, the ground is a few percent lower on average, and each makes it
        about four times faster. (0 to 6)
    steps
        Steps on each lattice; the coarsest has four times as many, the finest five for every eight. (1
        to 1000)
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
def gullies(
    *,
    wavelength: float = 400.0,
    octaves: int = 4,
    depth: float = 1.0,
    gentle: float = 0.1,
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
        Number of sizes, each half of the one before. Sizes that the samples are too far apart for are
        left out. (1 to 12)
    depth
        How deep they are cut: 0 leaves slopes as they are, 1 cuts spurs between them. (0.0 to 1.0)
    gentle
        Slope, rise over run, on which they are half as deep: gentler ground has hardly any. (0.0 to
        10.0)
    """
    return Stage(locals())


@declared
def glaciers(
    *,
    equilibrium_line: float | None = None,
    rise: float | None = None,
    last_line: float | None = None,
    balance_gradient: float = 6.0,
    snow: float = 1.2,
    aspect: float = 150.0,
    years: float = 120000.0,
    advances: int = 1,
    erosion: float = 1.0,
    frost: float = 1.0,
    till: float = 0.4,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Lets glaciers wear the ground.

    Parameters
    ----------
    equilibrium_line
        Altitude at which as much snow falls as melts while the glaciers are largest. A third of the
        land above the sea lies higher unless given. Lower makes more and longer glaciers. (m; -10000.0
        to 20000.0)
    rise
        How much this line rises until the end of an advance, in steps: glaciers shrink to their cirques
        and leave moraines on the way. A third of the height of the highest summit above the line unless
        given. (m; 0.0 to 10000.0)
    last_line
        Equilibrium line of the ice that is there at the end, as the layer `ice`; no ice is left unless
        given. Summits above it carry glaciers. (m; -10000.0 to 20000.0)
    balance_gradient
        How much the balance of a year grows with altitude, in metres of ice a kilometre. More makes
        faster glaciers that end sooner. (m/km; 0.1 to 50.0)
    snow
        Most ice that a year brings, however high. More makes thicker and longer glaciers. (m/yr; 0.01
        to 10.0)
    aspect
        How much lower the line lies on slopes that face north than on those that face south; below 0 in
        the south of a planet. (m; -2000.0 to 2000.0)
    years
        How long the ice of an advance wears the ground. More makes deeper and wider troughs. (yr; 0.0
        to 1000000.0)
    advances
        Number of times that the ice comes and goes. (1 to 8)
    erosion
        How fast ice wears its bed; 1 is usual rock, less is hard rock. (0.0 to 5.0)
    frost
        How fast frost breaks the walls above the ice: more makes wider cirques and sharper ridges, 0
        leaves valley heads as rivers made them. (0.0 to 5.0)
    till
        Share of the till that stays where ice melts; meltwater takes the rest away. 0 leaves no
        moraines. (0.0 to 1.0)
    """
    return Stage(locals())
