"""Where GDAL's GeoTIFF lie, ours lie: python3 check_place.py FOLDER

Writes GeoTIFF by GDAL in systems of many kinds, sends each through the program of the variable LANDFORM in several ways, and compares the system
and the place of what comes out, as GDAL reads them. Contours must lie under the raster, and tiles for maps in browsers show it where it is.
"""

import io
import math
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import rasterio
from PIL import Image
from pmtiles.reader import MmapSource, Reader
from rasterio.warp import transform as warp
from rasterio.crs import CRS
from rasterio.transform import Affine

folder = pathlib.Path(sys.argv[1], "place")
folder.mkdir(exist_ok=True)
program = os.environ["LANDFORM"]
WIDTH, HEIGHT = 60, 44
METRES = Affine(30.0, 0.0, 350017.5, 0.0, -30.0, 4090033.25)
DEGREES = Affine(0.0005, 0.0, -118.75, 0.0, -0.0004, 37.0)
OWN = "+proj=tmerc +lat_0=12 +lon_0=-118.2 +k=0.9997 +x_0=123456 +y_0=77 +datum=WGS84 +units=m"
CASES = {
    "utm": (32611, METRES),
    "points": (26911, METRES),
    "lambert": (2154, METRES),
    "equal-area": (3035, METRES),
    "mercator": (3857, METRES),
    "swiss": (2056, METRES),
    "british": (27700, METRES),
    "feet": (2229, Affine(100.0, 0.0, 6350017.5, 0.0, -100.0, 1890033.25)),
    "degrees": (4326, DEGREES),
    "nad83": (4269, DEGREES),
    "own": (OWN, METRES),
    "turned": (32611, METRES * Affine.rotation(20.0)),
}
wrong = 0


def landform(*words):
    subprocess.run([program, *map(str, words), "--quiet"], cwd=folder, check=True)


def made(name, system, transform):
    """Hills, by GDAL."""
    row, column = np.mgrid[:HEIGHT, :WIDTH]
    heights = (300 + 90 * np.sin(column / 9) * np.cos(row / 7) + row).astype(np.float32)
    crs = CRS.from_epsg(system) if isinstance(system, int) else CRS.from_proj4(system)
    profile = {"driver": "GTiff", "width": WIDTH, "height": HEIGHT, "count": 1, "dtype": "float32"}
    with rasterio.open(folder / f"{name}.tif", "w", crs=crs, transform=transform, **profile) as file:
        file.write(heights, 1)
        if name == "points":
            file.update_tags(AREA_OR_POINT="Point")


def compare(name, other, moved=(0, 0)):
    """The problems of a file that should lie where another does, or where its samples from this column and row on do."""
    with rasterio.open(folder / f"{name}.tif") as before, rasterio.open(folder / f"{other}.tif") as after:
        problems = [] if after.crs == before.crs else [f"{other}: {after.crs}, not {before.crs}"]
        expected = before.transform * Affine.translation(*moved)
        scale = max(abs(number) for number in expected)
        if any(abs(a - b) > 1e-11 * scale for a, b in zip(after.transform, expected)):
            problems.append(f"{other}: {tuple(after.transform)[:6]}, not {tuple(expected)[:6]}")
        i, j = moved
        samples = before.read(1)[j : j + after.height, i : i + after.width]
        if not np.array_equal(samples, after.read(1)):
            problems.append(f"{other}: other samples")
        return problems


def on_the_map(name):
    """The problems of the heights that the finest tiles for maps have at places of the raster."""
    with rasterio.open(folder / f"{name}.tif") as file, open(folder / f"{name}.pmtiles", "rb") as archive:
        heights, tiles, problems = file.read(1), Reader(MmapSource(archive)), []
        zoom = tiles.header()["max_zoom"]
        for column, row in [(8, 6), (30, 22), (51, 37), (12, 33), (55, 5)]:
            east, north = file.transform * (column + 0.5, row + 0.5)
            [longitude], [latitude] = warp(file.crs, "EPSG:4326", [east], [north])
            side = 256 << zoom
            x = (longitude / 360 + 0.5) * side
            y = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * side
            png = tiles.get(zoom, int(x) // 256, int(y) // 256)
            if png is None:
                return [f"no tile is at {longitude}, {latitude}"]
            red, green, blue = Image.open(io.BytesIO(png)).convert("RGB").getpixel((int(x) % 256, int(y) % 256))
            height = 256 * red + green + blue / 256 - 32768
            # A pixel is no larger than a sample, and the hills rise by 10 m a sample.
            if abs(height - heights[row, column]) > 10:
                problems.append(f"the map has {height} m at {column}, {row}, not {heights[row, column]}")
        return problems


# Systems whose law is not known lie elsewhere, with a warning.
UNKNOWN = {"swiss", "british", "feet", "own"}
for name, (system, transform) in CASES.items():
    made(name, system, transform)
    landform("build", f"{name}.tif", "-o", f"{name}-same.tif", "-o", f"{name}-bundle/")
    landform("build", f"{name}.tif", "-o", f"{name}.zarr", "--chunk", 16, "--shard", 16)
    landform("build", f"{name}.tif", "--tile", "10,5,20,30", "-o", f"{name}-tile.tif")
    landform("build", f"{name}-bundle", "-o", f"{name}-back.tif")
    landform("build", f"{name}.zarr", "-o", f"{name}-cog.tif", "--cog")
    problems = compare(name, f"{name}-tile", (10, 5))
    for other in ("same", "back", "cog"):
        problems += compare(name, f"{name}-{other}")
    landform("build", f"{name}.tif", "-o", f"contours={name}.fgb", "--contour-interval", 20)
    summary = subprocess.check_output(["ogrinfo", "-so", "-al", str(folder / f"{name}.fgb")], text=True)
    west, south, east, north = map(float, re.search(r"Extent: \((.*), (.*)\) - \((.*), (.*)\)", summary).groups())
    corners = [transform * (column, row) for column in (0.5, WIDTH - 0.5) for row in (0.5, HEIGHT - 0.5)]
    (low_x, high_x), (low_y, high_y) = ((min(side), max(side)) for side in zip(*corners))
    slack = 1e-6 * abs(high_x - low_x)
    inside = low_x - slack <= west and east <= high_x + slack and low_y - slack <= south and north <= high_y + slack
    if not inside or (east - west) < 0.5 * (high_x - low_x):
        problems.append(f"contours lie at {west}, {south}, {east}, {north}")
    if isinstance(system, int) and f'ID["EPSG",{system}]' not in summary:
        problems.append(f"contours are not in EPSG:{system}")
    landform("build", f"{name}.tif", "-o", f"{name}.pmtiles")
    problems += on_the_map(name) if name not in UNKNOWN else []
    print(f"{name}: {'; '.join(problems) or 'good'}")
    wrong += bool(problems)
sys.exit(1 if wrong else 0)
