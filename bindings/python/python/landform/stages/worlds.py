"""Stages of whole worlds.

What every stage has is said in `landform.stages`.
Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._stage import Stage, declared
from .types import Blend, Chart, Heat, Layout, Mask, Neighbours, PlateModel, Rain


@declared
def plates(
    *,
    model: PlateModel = "drift",
    plates: int = 16,
    layout: Layout = "frontier",
    patches: int = 5,
    neighbours: Neighbours = "eight",
    continental_crust: float | None = None,
    continents: int = 45,
    clustering: float = 0.72,
    steps: int = 30,
    step: float = 3.0,
    speed: float = 6.0,
    friction: float = 0.01,
    stop_below: float = 0.1,
    minimum: float = -10000.0,
    hot_spots: int = 10,
    mountains: float = 1.0,
    detail: float = 1.0,
    belts: Sequence[Sequence[float | str]] | None = None,
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
    model
        How plates move and shape the ground.
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
        Share of the surface that is continental crust at the start. Some of it lies below the sea. Left
        out, 6 points more than the land that a stage `sea_level` asks for, or 35 without one. With
        `model = "report"` left out as much as that stage asks for *ocean*, or 60, as in the report's
        program: the sea then covers the rims of continents. (%; 0.0 to 100.0)
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
    minimum
        Height towards which the ground between plates that part falls, logarithmically: lower makes
        deeper and steeper gaps. (m; -100000.0 to 0.0)
    hot_spots
        Number of hot spots, over which volcanoes rise and are carried away in chains. (0 to 1000)
    mountains
        How high mountain belts, arcs and trenches are, compared with those of the Earth. (0.0 to 5.0)
    detail
        How rough coasts and plains are. (0.0 to 5.0)
    belts
        The peaks of the belts, instead of those that the plates raise: `[x, z, height, radius]` in
        metres, and if it is known what made it, as in `[x, z, height, radius, "range 3-5"]`. `landform
        build WORLD.toml --belts -o MINE.toml` writes them down. The height is that before ridges shape
        it: a single peak stands between about 0.3 and 1.4 of it above the ground, and nothing higher
        than 10500 m before `sea_level`, since what is above 6500 m is worn down. x and z lie on the
        map, or beyond an edge that does not wrap as far as the radius reaches; the radius is a
        hundredth of a cell to half of the longer side of the map, or 500 km where that is more.
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
def climate(
    *,
    temperature: Heat = "given",
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
    temperature
        How temperature comes about.
    equator
        Mean temperature at the sea on the equator. (°C; -100.0 to 100.0)
    pole
        Mean temperature at the sea at the poles. (°C; -150.0 to 100.0)
    lapse
        How much colder it is for each kilometre above the sea, or above the lowest fiftieth of a planet
        with hardly any sea. (°C/km; 0.0 to 30.0)
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
        Latitude of the north edge of a map that is not a whole planet. Only the topology `plane` has
        another than 90. (degrees; -90.0 to 90.0)
    south
        Latitude of the south edge of a map that is not a whole planet. Only the topology `plane` has
        another than -90. (degrees; -90.0 to 90.0)
    """
    return Stage(locals())


@declared
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
        Mean temperature below which the sea is frozen: its edge wanders by up to 7 °C around that. (°C;
        -100.0 to 50.0)
    land_ice
        Mean temperature below which land is under ice. (°C; -100.0 to 50.0)
    lakes
        Whether water that is cut off from the sea is a lake.
    """
    return Stage(locals())
