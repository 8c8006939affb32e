"""Stages that make rough ground out of random numbers.

What every stage has is said in `landform.stages`.
Made by `cargo xtask stubs` from the parameters that the stages declare: not to be edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._stage import Stage, declared
from .types import Basis, Blend, Interpolation, Mask, Sum


@declared
def noise(
    *,
    sum: Sum = "fbm",
    basis: Basis = "perlin",
    translate: Sequence[float] | None = None,
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
    translate
        How far the noise is moved over the map, along x and z: a hill at [0, 0] is then at this place.
        Far moves give another region of the same character. (m)
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
    """
    return Stage(locals())


@declared
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
        Whether the heights are brought to the range from `low` to `high`. The paper's listing adds the
        least height by mistake (`Terr + min(min(Terr))`), which leaves the least at no fixed value and
        may keep it negative. Here it is subtracted: the least height becomes `low`, the greatest
        `high`.
    low
        The least height, if normalized. (m; -100000.0 to 100000.0)
    high
        The greatest height, if normalized. (m; -100000.0 to 100000.0)
    """
    return Stage(locals())


@declared
def diamond_square(
    *,
    wavelength: float = 5120.0,
    amplitude: float = 900.0,
    h: float = 1.0,
    passes: int = 16,
    corners: Sequence[float] | None = None,
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
    corners
        Heights of the four corners of the ground, north-west, north-east, south-west, south-east: one
        cell is stretched over the ground and begins with them, and `wavelength` is not used. Without,
        the start is random. (m)
    """
    return Stage(locals())


@declared
def midpoint_displacement(
    *,
    wavelength: float = 5120.0,
    amplitude: float = 900.0,
    h: float = 1.0,
    interpolation: Interpolation = "bilinear",
    passes: int = 16,
    corners: Sequence[float] | None = None,
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
    corners
        Heights of the four corners of the ground, north-west, north-east, south-west, south-east: one
        cell is stretched over the ground and begins with them, and `wavelength` is not used. Without,
        the start is random. (m)
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())


@declared
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
    """
    return Stage(locals())
