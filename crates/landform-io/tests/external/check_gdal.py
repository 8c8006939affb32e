"""GDAL reads our rasters: python3 check_gdal.py FOLDER

Every GeoTIFF, ASC and HGT beside an array of the same name must hold the same samples in the same order, and lie where
the grid lines are: the centre of the first cell is the first sample.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

folder = pathlib.Path(sys.argv[1])
files = sorted(path for kind in ("tif", "asc", "hgt") for path in folder.glob(f"*.{kind}"))
wrong = 0
for path in files:
    problems = []
    info = json.loads(subprocess.check_output(["gdalinfo", "-json", str(path)], stderr=subprocess.DEVNULL))
    width, height = info["size"]
    with tempfile.TemporaryDirectory() as scratch:
        raw = pathlib.Path(scratch) / "raw"
        command = ["gdal_translate", "-q", "-of", "ENVI", "-ot", "Float32", str(path), str(raw)]
        subprocess.check_call(command)
        samples = np.fromfile(raw, "<f4").reshape(height, width)
    array = path.with_suffix(".npy")
    if array.exists():
        expected = np.load(array)
        error = np.abs(samples - expected).max() if samples.shape == expected.shape else np.inf
        if error > (0.5 if path.suffix == ".hgt" else 0):
            problems.append(f"off by {error}")
    east, dx, _, north, _, dz = info["geoTransform"]
    if path.suffix == ".tif":
        if abs(east + dx / 2) > 1e-9 or abs(north + dz / 2) > 1e-9:
            problems.append(f"the first sample lies at {east + dx / 2}, {north + dz / 2}")
        if info["bands"][0].get("unit") != "m":
            problems.append("no unit")
        if info["metadata"].get("", {}).get("AREA_OR_POINT") != "Point":
            problems.append("not a raster of points")
    print(f"{path.name}: {'; '.join(problems) or 'good'} ({width} × {height}, {dx} × {-dz})")
    wrong += bool(problems)
sys.exit(1 if wrong else 0)
