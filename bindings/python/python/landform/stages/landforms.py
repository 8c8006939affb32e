"""Stages that make one landform, or shape what is there.

What every stage has is said in `landform.stages`.
Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._stage import Stage, declared
from .types import Blend, Curve, Fade, Line, Mask, Pad, PeakLine, Region, Voids


@declared
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
        What the sum of the peaks is divided by: their number unless given. (1e-06 to 1000000000000.0)
    """
    return Stage(locals())


@declared
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
        heights when a peak is added or removed. (1e-06 to 1000000000000.0)
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
def heightmap(
    *,
    file: str = "",
    low: float | None = None,
    high: float | None = None,
    voids: Voids = "refuse",
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
    voids
        What becomes of samples without a height, as elevation models have on water and in the shadow of
        mountains.
    """
    return Stage(locals())


@declared
def sketch(
    *,
    lines: Sequence[Line] | None = None,
    curved: bool = True,
    spread: float | None = None,
    lock: bool = True,
    margin: float = 200.0,
    label: str | None = None,
    enabled: bool | None = None,
    layer: str | None = None,
    blend: Blend | None = None,
    amount: float | None = None,
    mask: Mask | None = None,
) -> Stage:
    """Ground that meets drawn lines: ridges, rivers, coasts, heights and areas. Later stages keep to
    them.

    Parameters
    ----------
    lines
        The lines. None may contradict another one.
    curved
        Whether lines are smooth curves through their points; straight from point to point otherwise.
    spread
        How far from the lines the ground before changes; everywhere between them unless given. (m; 1.0
        to 10000000.0)
    lock
        Whether later stages keep to the lines; the ground beside them is then left to this stage.
    margin
        Over which distance from a locked line later stages come back to their full strength. (m; 0.0 to
        1000000.0)
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())
