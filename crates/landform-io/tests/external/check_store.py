"""Other programs read stores and what is made from them: python3 check_store.py FOLDER

Every `.zarr` must be read by zarr-python with the samples of the array of the same name, and by GDAL where it is new enough; every `.cog.tif`
must pass the validator of rio-cogeo; every `.pmtiles` must be read by the reader of its inventors, with the heights of the array.
"""

import io
import json
import pathlib
import sys
import warnings

import numpy as np

folder = pathlib.Path(sys.argv[1])
wrong = 0


def told(path, problems, more=""):
    global wrong
    print(f"{path.name}: {'; '.join(problems) or 'good'}{more}")
    wrong += bool(problems)


for path in sorted(folder.glob("*.zarr")):
    import rasterio
    import zarr

    warnings.simplefilter("error")
    expected = np.load(path.with_suffix(".npy"))
    problems, more = [], ""
    group = zarr.open_group(path, mode="r")
    if not np.array_equal(group["0/height"][:], expected):
        problems.append("other samples")
    manifest = group.attrs["landform"]
    layer = manifest["layers"][0]
    if (float(expected.min()), float(expected.max())) != (layer["min"], layer["max"]):
        problems.append("another range in the manifest")
    for k, level in enumerate(group.attrs["multiscales"]["layout"]):
        if list(group[f"{level['asset']}/height"].shape) != level["spatial:shape"]:
            problems.append(f"level {k} has another shape")
    # GDAL reads Zarr 3 without shards from 3.12 on, and with them from 3.13 on.
    version = tuple(int(part) for part in rasterio.__gdal_version__.split(".")[:2])
    if version >= ((3, 12) if manifest["layout"]["sharding"] == "chunks" else (3, 13)):
        with rasterio.open(f'ZARR:"{path}":/0/height') as dataset:
            if not np.array_equal(dataset.read(1), expected):
                problems.append("other samples by GDAL")
            if list(dataset.transform)[:6] != group["0"].attrs["spatial:transform"]:
                problems.append("another place by GDAL")
    else:
        more = f" (GDAL {rasterio.__gdal_version__} is too old for it)"
    told(path, problems, more)

for path in sorted(folder.glob("*.cog.tif")):
    import rasterio
    from rio_cogeo.cogeo import cog_validate

    expected = np.load(path.with_name(path.name.replace(".cog.tif", ".npy")))
    is_valid, errors, hints = cog_validate(path, strict=True)
    problems = errors + hints
    with rasterio.open(path) as dataset:
        if not np.array_equal(dataset.read(1), expected):
            problems.append("other samples")
        if not dataset.overviews(1):
            problems.append("no overviews")
    told(path, problems)

for path in sorted(folder.glob("*.pmtiles")):
    from PIL import Image
    from pmtiles.reader import MmapSource, Reader, all_tiles

    expected = np.load(path.with_suffix(".npy"))
    problems, count, low, high = [], 0, np.inf, -np.inf
    with open(path, "rb") as file:
        source = MmapSource(file)
        header = Reader(source).header()
        metadata = Reader(source).metadata()
        for (zoom, _, _), data in all_tiles(source):
            r, g, b = np.moveaxis(np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), float), 2, 0)
            heights = 256 * r + g + b / 256 - 32768
            count += 1
            if zoom == header["max_zoom"]:
                low, high = min(low, heights.min()), max(high, heights.max())
    if count != header["addressed_tiles_count"] or metadata["encoding"] != "terrarium":
        problems.append(f"{count} tiles, {json.dumps(metadata)}")
    # Between samples there is nothing higher; the highest pixel is near the highest sample.
    if not expected.max() * 0.98 < high <= expected.max() + 0.01:
        problems.append(f"heights up to {high}, not {expected.max()}")
    told(path, problems, f" ({count} tiles)")
sys.exit(1 if wrong else 0)
